"""seeds.py XBENCH PAGE [run]: each row of docs/internals/seeds.md names benchmarks and variants that exist. With `run`, each command of
xbench runs with small inputs on lavapipe and on the emulation of CUDA, and does what the row's two columns say."""
import os
import re
import subprocess
import sys
import tempfile

import patience

ROW = re.compile(r"^\| ([SCBM]\d+) \| [^|]+ \| `([^`]+)` \| ([^|]+) \| ([^|]+) \| [^|]+ \|$", re.M)
IDS = [f"S{i}" for i in range(1, 27)] + [f"C{i}" for i in range(1, 11)] + [f"B{i}" for i in range(1, 10)] + [f"M{i}" for i in range(1, 27)]
BACKENDS = ("vulkan", "cpu")
SHORT = ["--quiet", "--min-time", "0.001", "--max-time", "0.01"]
TUNE = ["--backend", "vulkan", "-n", "4096", "--min-time", "0.001", "--max-time", "0.01"]


def listed(xbench):
    """The heads of benchmarks, by name, and all names with a variant's number."""
    text = subprocess.run([xbench, "list", "benchmarks"], capture_output=True, text=True, check=True).stdout
    return dict(re.findall(r"^(\w+): (.*)$", text, re.M)), set(re.findall(r"^  (\w+/\d+) ", text, re.M))


def command(words, heads, backend):
    """What to run; None if it does not depend on the API, and ran already."""
    names = {word.split("/")[0] for word in words} & heads.keys()
    if words[0] == "tune":
        return words + TUNE if backend == "vulkan" else None
    if words[0] == "peaks":
        return words + ["--backend", "vulkan", "-n", "64", *SHORT] if backend == "vulkan" else None
    if not names or words[0] in ("guide", "scale", "list", "doctor"):
        return words if backend == "vulkan" else None
    if words[0] == "compare":
        return words + ["-n", "5000", *SHORT] if backend == "vulkan" else None
    matrix = any("rows x columns" in heads[name] for name in names)
    size = [] if "-n" in words or names & {"startup", "launch"} else ["-n", "96" if matrix else "5000"]
    return words + ["--backend", backend, *size, *SHORT]


def does(xbench, arguments, folder):
    """What the columns would say; the output, if that is nothing."""
    run = subprocess.run([xbench, *arguments], capture_output=True, text=True, cwd=folder, check=False, timeout=patience.S,
                         env={**os.environ, "XDG_CACHE_HOME": folder})
    cells = re.search(r"\d+ cells?, (\d+) verified", run.stdout)
    if run.returncode == 0:
        return "verified" if cells and int(cells[1]) else "runs"
    if run.returncode == 3 and "copy queue" in run.stderr:
        return "one queue"
    if run.returncode == 3 and "dynamic shared memory" in run.stderr:
        return "not here"
    return "verified" if run.returncode == 3 and cells and int(cells[1]) else f"exit code {run.returncode}: {run.stderr[:300]}"


def main():
    xbench, page = (os.path.abspath(path) for path in sys.argv[1:3])
    with open(page, encoding="utf-8") as file:
        rows = ROW.findall(file.read())
    heads, variants = listed(xbench)
    bad = [row[0] for row in rows] != IDS
    if bad:
        print(f"the rows are {[row[0] for row in rows]}, not {IDS}")
    for number, text, *said in rows:
        words = text.split()
        for word in words[1:]:
            if re.fullmatch(r"\w+/\d+", word) and word not in variants:
                bad = print(f"{number}: there is no {word}") or True
        if words[0] != "xbench" or words[1] == "report" or sys.argv[3:] != ["run"]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            for backend, column in zip(BACKENDS, said):
                arguments = command(words[1:], heads, backend)
                found = does(xbench, arguments, folder) if arguments else column
                if found != column:
                    bad = print(f"{number}, {backend}: {' '.join(arguments)}: {found}, not {column}") or True
    print(f"{len(rows)} rows{' ran' if sys.argv[3:] else ''}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
