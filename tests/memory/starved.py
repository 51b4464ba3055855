"""starved.py PROGRAM SCHEMAS [all]: every command of xbench while its memory runs out, and a run whose device is lost. PROGRAM
is memory_starved, SCHEMAS the folder of the documents' schemas.

Each command runs once with enough memory; then once for each allocation that fails, alone or with all that follow it;
without `all`, for some of them, in one of the two ways. Allowed is the right output with exit code 0, or a code and one line that says why. Never a
crash, and never a document that its schema refuses. A run that loses its device keeps what it has measured before."""

import concurrent.futures
import csv
import glob
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from jsonschema import Draft202012Validator

import patience

PROGRAM, SCHEMAS = (os.path.abspath(path) for path in sys.argv[1:3])
STEP = 1 if "all" in sys.argv[3:] else 50
RUN = "-q --min-time 0.0002 --max-time 0.0005"
CODES = {1: "wrong", 2: "usage", 3: "unavailable", 4: "device"}

# (arguments, files that it writes); base.json and pairs.json are from earlier runs.
COMMANDS = [
    (f"{RUN} moved --json r.json --csv r.csv", ["r.json", "r.csv"]),
    (f"{RUN} moved --format csv", []),
    (f"{RUN} moved --format markdown", []),
    (f"{RUN} moved --format gbench", []),
    (f"compare {RUN} moved/2 --against moved/1 --json r.json", ["r.json"]),
    (f"compare {RUN} moved/2 --against moved/1 --format markdown", []),
    ("diff base.json base.json", []),
    ("diff base.json base.json --json d.json", ["d.json"]),
    ("diff base.json base.json --markdown", []),
    ("report base.json pairs.json -o page.html", ["page.html"]),
    ("share base.json -o s.json", ["s.json"]),
    ("scale --devices 0 --min-time 0.0002 --max-time 0.0005 moved/1 --json r.json", ["r.json"]),
    ("show reduce/3", []),
    ("show transpose/8 --html page.html", ["page.html"]),
    ("list", []),  # popt keeps no words where its array is not allocated, so `list benchmarks` would be `list`
    ("guide --list", []),
    ("--help", []),
    ("diff --help", []),
    ("--nonsense", []),
]


def schema(name):
    with open(os.path.join(SCHEMAS, name), encoding="utf-8") as file:
        return Draft202012Validator(json.load(file))


RESULTS, DIFF = schema("results.schema.json"), schema("diff.schema.json")


def shape(value):
    """The keys of a document and the kinds of its values. Numbers differ from run to run."""
    if isinstance(value, dict):  # these differ: addresses of functions, and what noise decides
        return {key: shape(inner) for key, inner in value.items() if key not in ("code_hash", "stopped_by", "warm", "verdict", "reason")}
    if isinstance(value, list):
        return [shape(inner) for inner in value if not isinstance(inner, (int, float))]
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def lines_of(text):
    """The table without its numbers and remarks."""
    lines = [re.sub(r"^all rows.*|\(.*?\)|not settled|placed once|time limit|interval from 0|autocorrelated|(; \d+ )?samples( each)?|\b(faster|slower|same|unclear)\b|[\d.]+ ?(ns|us|ms|%|of)?|\|.*|[ ,]|#.*", "", line)
             for line in text.splitlines()]
    return list(filter(None, lines))  # long remarks have lines of their own


class Outcome:
    """What a run left."""

    def __init__(self, arguments, files, fail=None, lost=None):
        with tempfile.TemporaryDirectory(prefix="xbench-memory-") as folder:
            for name in ("base.json", "pairs.json"):
                if os.path.exists(os.path.join(BASE, name)):
                    os.symlink(os.path.join(BASE, name), os.path.join(folder, name))
            if arguments.startswith("scale"):  # earlier results, which a failure must not damage
                shutil.copy(os.path.join(BASE, "base.json"), os.path.join(folder, "r.json"))
            environment = {**os.environ, "XB_COUNT": os.path.join(folder, "count"), 
                           **({"XB_FAIL": fail} if fail else {}), **({"XB_LOST": lost} if lost else {})}
            run = subprocess.run([PROGRAM, *arguments.split()], cwd=folder, env=environment, text=True, errors="replace",
                                 capture_output=True, timeout=patience.S, check=False)
            self.code, self.out, self.err = run.returncode, run.stdout, run.stderr
            self.count, self.calls = map(int, (self.read(folder, "count") or "0 0").split())
            self.files = {name: self.read(folder, name) for name in files}
            self.parts = [name for name in os.listdir(folder) if ".part-" in name]

    @staticmethod
    def read(folder, name):
        try:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None


def content(name, text):
    """What of a file must not differ from that of a run with enough memory."""
    if text is None or name == "r.json":
        return text and shape({**json.loads(text), "host": None, "geometric_means": None})
    if name == "r.csv":
        return [[*row][:1] + list(map(bool, row.values())) for row in csv.DictReader(io.StringIO(text))]
    return text


def benchmarks(text):
    """The cells of google/benchmark's format; their numbers of samples differ from run to run."""
    try:
        return {(line["name"], "error_message" in line) for line in json.loads(text)["benchmarks"]}
    except ValueError:
        return None


def judge(arguments, good, got):
    """What is wrong with a run, or None."""
    for name, text in got.files.items():
        if text is not None and name.endswith(".json"):
            try:
                refused = next((DIFF if name == "d.json" else RESULTS).iter_errors(json.loads(text)), None)
            except ValueError as error:
                refused = error
            if refused:
                return f"{name} is refused: {str(refused)[:100]}"
    if got.code < 0 or got.code not in (0, *CODES, good.code):
        return f"ended with {got.code}"
    if got.code == good.code:
        if "--help" in arguments:  # popt prints it, and does not check its own memory
            return None
        if got.err != good.err:
            return f"ended with {got.code}, and said '{got.err.strip()[:100]}'"
        if RUN in arguments and "gbench" not in arguments and "csv" not in arguments.split():
            if lines_of(got.out) != lines_of(good.out):
                return "has another table, with the same code"
        elif "csv" in arguments.split():
            if content("r.csv", got.out) != content("r.csv", good.out):
                return "has other lines, with the same code"
        elif RUN in arguments:
            if benchmarks(got.out) != benchmarks(good.out):
                return "has another document, with the same code"
        elif got.out != good.out and not arguments.startswith("scale"):  # its table is made of times
            return "has another output, with the same code"
        for name, text in got.files.items():
            if content(name, text) != content(name, good.files[name]):
                return f"has another {name}, with the same code"
        return f"leaves {got.parts}" if got.parts else None
    said = [line for line in got.err.splitlines() if line]
    if len(said) > 4:
        return f"says {len(said)} lines: {said[:3]}"
    if re.search("no (benchmark|files|result file|BENCHMARK)|name one file", got.err):  # popt could not keep the words, and does not say so
        return None
    if not "memory" in got.err + got.out and not "allocate" in got.err:
        return f"ended with {got.code}, and did not say why: '{got.err.strip()[:200]}'"
    return None


def campaign(pool, arguments, files):
    good = Outcome(arguments, files)
    wanted = judge(arguments, good, good)
    assert wanted is None and good.count > 0, (arguments, wanted, good.err)
    tries = [f"{k}{more}" for k in range(1, good.count + 1, STEP) for i, more in enumerate(("", "+")) if STEP == 1 or k // STEP % 2 == i]
    found = []
    for fail, got in zip(tries, pool.map(lambda fail: Outcome(arguments, files, fail), tries)):
        wrong = judge(arguments, good, got)
        if wrong:
            found.append(f"XB_FAIL={fail}: {wrong}")
    print(f"{good.count:6} allocations, {len(tries):6} runs, {len(found):5} wrong: {arguments}", flush=True)
    for line in found[:int(os.environ.get("XB_SHOW", "5"))]:
        print(f"       {line}")
    return len(found)


# ---- A lost device ---------------------------------------------------------------------------------------------------

LOSE, SIZES = f"{RUN} moved --json r.json -n 16,32,64,128", [16, 32, 64, 128]


def judge_lost(got):
    """Sizes before the loss are whole, those after it were not begun; the size in progress says for each cell what became
    of it."""
    if got.code == 0:
        return None  # the call came later than the run's end, or its error does not matter: a clean-up
    if got.code not in (3, 4):
        return f"ended with {got.code}"
    if "XB_LOST" not in got.err + got.out and "HOST_FAULT" not in got.err + got.out:
        return f"did not say why: '{got.err.strip()[:200]}'"
    if got.files["r.json"] is None:  # before the first cell
        return None if got.out == "" else "has a table, and no document"
    document = json.loads(got.files["r.json"])
    refused = next(RESULTS.iter_errors(document), None)
    if refused:
        return f"r.json is refused: {str(refused)[:100]}"
    sizes = {size: [r["outcome"] for r in document["results"] if r["benchmark"] == "moved" and r["size"] == size] for size in SIZES}
    begun = [size for size in SIZES if sizes[size]]
    if begun != SIZES[:len(begun)] or any(outcomes != ["ok", "ok"] for size, outcomes in sizes.items() if size in begun[:-1]):
        return f"has {sizes}"
    return f"leaves {got.parts}" if got.parts else None


def lose(pool):
    calls = Outcome(LOSE, ["r.json"]).calls
    tries = [str(k) for k in range(1, calls + 1, calls // (2000 if STEP == 1 else 60))]
    outcomes = list(pool.map(lambda k: Outcome(LOSE, ["r.json"], lost=k), tries))
    found = [f"XB_LOST={k}: {judge_lost(got)}" for k, got in zip(tries, outcomes) if judge_lost(got)]
    print(f"{calls:6} calls, {len(tries):6} runs, {len(found):5} wrong, {sum(got.code == 4 for got in outcomes)} ended with 4: a device is lost")
    for line in found[:int(os.environ.get("XB_SHOW", "5"))]:
        print(f"       {line}")
    return len(found)


def main():
    wrong = 0
    for arguments, name in ((f"{RUN} moved", "base.json"),
                            (f"compare {RUN} moved/2 --against moved/1", "pairs.json")):
        subprocess.run([PROGRAM, *arguments.split(), "--json", name], cwd=BASE, check=True, capture_output=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for arguments, files in COMMANDS:
            if not os.environ.get("XB_ONLY") or os.environ["XB_ONLY"] in arguments:
                wrong += campaign(pool, arguments, files)
        wrong += lose(pool)
    sys.exit(1 if wrong else 0)


BASE = tempfile.mkdtemp(prefix="xbench-memory-")
try:
    main()
finally:
    shutil.rmtree(BASE)
