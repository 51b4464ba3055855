"""seeds.py XBENCH PAGE [run|write]: each row of docs/internals/seeds.md names a slide once, a page that exists, and benchmarks and
variants that exist. With `run`, each command runs with small inputs on lavapipe and on the emulation of CUDA, and does what the row's two
columns say; `write` puts that into the columns."""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

import patience

ROW = re.compile(r"^\| ([^|]+) \| [^|]+ \| (`xbench [^|]+`) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| [^|]+ \| [^|]+ \|$", re.M)
LEAST = {"Optimizing CUDA": 45, "DirectCompute": 35, "Performance (Memory)": 25, "CS 677": 35, "CUDA C++ Best": 60}  # slides
BACKENDS = ("vulkan", "cpu")
SHORT = ["--quiet", "--min-time", "0.001", "--max-time", "0.01"]
TUNE = ["--backend", "vulkan", "-n", "4096", "--min-time", "0.001", "--max-time", "0.01"]
NO_API = ("guide", "glossary", "calc", "scale", "list", "doctor", "show", "isa", "occupancy")


def listed(xbench):
    """The heads of benchmarks, by name, and all names with a variant's number."""
    text = subprocess.run([xbench, "list", "benchmarks"], capture_output=True, text=True, check=True).stdout
    return dict(re.findall(r"^(\w+): (.*)$", text, re.M)), set(re.findall(r"^  (\w+/\d+) ", text, re.M))


def command(words, heads, backend):
    """What to run; None if it does not depend on the API, and runs for the first one."""
    names = {word.split("/")[0] for word in words} & heads.keys()
    if words[0] == "tune":
        return words + TUNE if backend == "vulkan" else None
    if words[0] == "peaks":
        return words + ["--backend", "vulkan", "-n", "64", *SHORT] if backend == "vulkan" else None
    if words[0] in NO_API:
        return words if backend == "vulkan" else None
    if words[0] == "compare":
        return words + ["-n", "5000", *SHORT] if backend == "vulkan" else None
    if "--backend" in words:
        return words + ["-n", "5000", *SHORT] if backend == words[words.index("--backend") + 1] and "-n" not in words else (
            words + SHORT if backend == words[words.index("--backend") + 1] else None)
    matrix = any("rows x columns" in heads[name] for name in names)
    size = [] if "-n" in words or names & {"startup", "launch"} else ["-n", "96" if matrix else "5000"]
    return words + ["--backend", backend, *size, *SHORT]


def does(xbench, arguments):
    """What the columns would say."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([xbench, *arguments], capture_output=True, text=True, cwd=folder, check=False, timeout=patience.S,
                             env={**os.environ, "XDG_CACHE_HOME": folder})
    cells = re.search(r"\d+ cells?, (\d+) verified", run.stdout)
    if run.returncode == 0:
        return "verified" if cells and int(cells[1]) else "runs"
    if run.returncode == 1 and "; on purpose: " in run.stdout:
        return "wrong"
    own = re.search(r"^\d+_\w+ .* (us|ns|ms|s) ", run.stdout, re.M)
    if run.returncode == 3 and run.stderr.strip():
        return "in part" if cells and own else "not here"
    return f"exit code {run.returncode}: {run.stderr[:300]}"


def check_rows(page, text, rows, variants):
    """What is wrong with the rows themselves."""
    parts = re.split(r"^## ", text, flags=re.M)[1:]
    for title, least in LEAST.items():
        names = [name for part in parts if title in part.split("\n")[0] for row in ROW.findall(part) for name in row[0].split("; ")]
        if len(names) < least or len(set(names)) < len(names):
            yield f"{title}: {len(names)} rows, at least {least}; twice: {sorted({n for n in names if names.count(n) > 1})}"
    if len(rows) != len(re.findall(r"^\|[^-|]", text, re.M)) - len(parts):
        yield "a row cannot be read"
    for slide, commands, _, _, ours in rows:
        for word in re.findall(r"\S+", commands.replace("`", " ")):
            if re.fullmatch(r"\w+/\d+", word) and word not in variants:
                yield f"{slide}: there is no {word}"
        for link in re.findall(r"\]\(([^)]+)\)", ours):
            if not os.path.exists(os.path.join(os.path.dirname(page), link)):
                yield f"{slide}: there is no {link}"


def main():
    xbench, page = (os.path.abspath(path) for path in sys.argv[1:3])
    mode = sys.argv[3] if sys.argv[3:] else ""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    rows = ROW.findall(text)
    heads, variants = listed(xbench)
    bad = list(check_rows(page, text, rows, variants))
    found = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for words in re.findall(r"`xbench ([^`]+)`", " ".join(row[1] for row in rows)) if mode else []:
            for backend in BACKENDS:
                arguments = None if words.startswith("report") else command(words.split(), heads, backend)
                if (words, backend) not in found:
                    found[words, backend] = pool.submit(does, xbench, arguments) if arguments else None
    for line in [line for line in text.split("\n") if mode and ROW.fullmatch(line)]:
        slide, commands, *said = ROW.fullmatch(line).groups()
        each = [[found[words, b].result() if found[words, b] else "-" for words in re.findall(r"`xbench ([^`]+)`", commands)]
                for b in BACKENDS]
        states = [", ".join(dict.fromkeys(state for state in of if state != "-")) or "-" for of in each]
        if mode == "write":
            text = text.replace(line, line.replace(f"{commands} | {said[0]} | {said[1]} | ",
                                                   f"{commands} | {states[0]} | {states[1]} | ", 1))
        elif states != said[:2]:
            bad.append(f"{slide}: {commands}: {states}, not {said[:2]}")
    if mode == "write":
        with open(page, "w", encoding="utf-8") as file:
            file.write(text)
    print("\n".join(bad + [f"{len(rows)} rows{' ran' if mode else ''}"]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
