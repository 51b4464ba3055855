"""figures.py ROOT XBENCH: `script/figures tables` finds the tables as they should be; and it notices a figure that was changed, a table
without its source, and a wrong line under a table, which it writes anew. `script/figures text` finds the figures of the text as
they should be, and notices what is not. `script/figures chart` finds its chart as it should be."""
import glob
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT, XBENCH = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def figures(root, *more):
    run = subprocess.run([sys.executable, "-B", os.path.join(root, "script/figures"), "tables", XBENCH, *more], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


def prose(root):
    run = subprocess.run([sys.executable, "-B", os.path.join(root, "script/figures"), "text"], capture_output=True, text=True,
                         check=False)
    return run.returncode, run.stdout + run.stderr


DIARY = "bench/results/h200-2026-11-22/tuning/README.md"
# Document, text, what it is replaced by, what has to be said of that.
MISTAKES = (
    ("docs/performance/links.md", "copies from another at 383.5 GB/s", "copies from another at 393.5 GB/s", r": 393\.5 GB/s: not in "),
    ("docs/performance/dispatch.md", "<!-- from tuning/floor.txt -->\n", "", r": 3\.82 : no mark"),
    ("docs/performance/matmul.md", "0.58 (published)", "0.58, 0.57 (published)", r": 0\.57 : excepted by the mark"),
    ("docs/performance/reduction.md", "<!-- no file: published -->", "<!-- from reduce_ladder.json -->", r": 86\.4 GB/s: not in "),
    ("docs/performance/sort.md", "<!-- no file: published, other hardware -->", "<!-- no file: run not kept -->", r": 29\.4 G keys/s: no file supports it"),
    (DIARY, "\n\nMeasured with a program that is not kept.\n", "\n", r": Measured with a program .* not below the table"))


def prose_is_checked(copy):
    """True if each of the mistakes is found; they are in documents of their own."""
    good = True
    texts = {}
    for name, right, wrong, _ in MISTAKES:
        path = os.path.join(copy, name)
        with open(path, encoding="utf-8") as file:
            texts[path] = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(texts[path].replace(right, wrong, 1))
        if right not in texts[path]:
            print(f"{name}: there is no '{right}'")
            good = False
    code, said = prose(copy)
    for name, right, wrong, expected in MISTAKES:
        if code != 1 or not re.search(re.escape(name) + r":\d+" + expected, said):
            print(f"{name}: '{right}' replaced by '{wrong}' gives exit code {code} and\n{said}")
            good = False
    for path, text in texts.items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return good


def copy_results(copy):
    """As links, but for the diary, which is a document that is changed."""
    folder = os.path.dirname(os.path.dirname(DIARY))
    os.makedirs(os.path.join(copy, os.path.dirname(DIARY)))
    for below in ("bench/results", folder, os.path.dirname(DIARY)):
        for name in os.listdir(os.path.join(ROOT, below)):
            path = os.path.join(copy, below, name)
            if not os.path.exists(path) and os.path.join(below, name) != DIARY:
                os.symlink(os.path.join(ROOT, below, name), path)
    shutil.copy(os.path.join(ROOT, DIARY), os.path.join(copy, DIARY))


def chart(root):
    return subprocess.run([sys.executable, "-B", os.path.join(root, "script/figures"), "chart"], check=False).returncode


def intervals_differ():
    """Of results by rules 2 and 3: those whose intervals script/lib/intervals.py does not compute as the program did. script/test
    --all computes each, else each fifth one of a file."""
    sys.path.insert(0, os.path.join(ROOT, "script/lib"))
    import intervals  # pylint: disable=import-outside-toplevel
    held, differ, step = 0, [], 1 if os.environ.get("XB_ALL_TESTS") else 5
    for path in sorted(glob.glob(os.path.join(ROOT, "bench/results/h[12]00-2026-11-2[56]/**/*.json*"), recursive=True)):
        with (lzma.open if path.endswith(".xz") else open)(path, "rt", encoding="utf-8") as file:
            document = json.load(file)
        for r in document.get("results", [])[::step]:
            rule = intervals.rule_of(r) if r.get("median_ns") else 1
            if rule == 1:
                continue
            held += 1
            _, low, high, _ = intervals.of_samples(r["samples_ns"], r["placements"] or 1, rule)
            if any(abs(a - b) > 1e-6 * r["median_ns"] for a, b in zip((max(low, 0), high), r["ci95_ns"])):
                differ.append(f"{path}: {r['benchmark']}/{r['variant']}: {low} to {high}, the program has {r['ci95_ns']}")
    print(f"{held} intervals computed anew, {len(differ)} differ")
    return differ[:5] if held > 100 else ["there are too few results of today's rules"]


def states_differ():
    """What is said of a kernel whose source is the same, was changed, or is not known."""
    import tables  # pylint: disable=import-outside-toplevel
    now, hashes = {("x/1_y", "cuda"): "fnv1a64/2:3"}, {("fnv1a64:1", ""): "fnv1a64/2:2", ("fnv1a64/2:2", ""): "fnv1a64/2:3",
                                                      ("fnv1a64:4", "a" * 12): "fnv1a64/2:3", ("fnv1a64:4", "b" * 12): "fnv1a64/2:5"}
    of_file, tables.hashes_of_today = tables.hashes_of_today, lambda: hashes
    wrong = []
    for backend, then, commit, expected in (
            ("cuda", "fnv1a64/2:3", "a", "same"), ("cuda", "fnv1a64:1", "a", "same"), ("cuda", "fnv1a64/2:5", "a", "changed"),
            ("cuda", "fnv1a64:4", "a" * 40, "same"), ("cuda", "fnv1a64:4", "b" * 40, "changed"), ("cuda", "fnv1a64:4", None, "unknown"),
            ("cuda", "fnv1a64:9", "a", "unknown"), ("cuda", None, "a", "unknown"), ("vulkan", "fnv1a64:1", "a", None)):
        said = tables.state_of({"benchmark": "x", "variant": "1_y", "backend": backend, "source_hash": then}, now, commit)
        wrong += [f"{then} at {commit} is {said}, expected {expected}"] if said != expected else []
    tables.hashes_of_today = of_file
    return wrong


def other_builds_differ():
    """Each build names all sources; a program that does not is of another version, and is refused."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "xbench")
        with open(program, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n'{XBENCH}' list sources | grep -v ' d3d12 '\n")
        os.chmod(program, 0o755)
        run = subprocess.run([sys.executable, "-B", os.path.join(ROOT, "script/figures"), "tables", program], capture_output=True, text=True,
                             check=False)
    return [] if run.returncode == 1 and "no sources for d3d12: it is of another version" in run.stdout else [run.stdout[-500:]]


def main():
    wrong = intervals_differ() + states_differ() + other_builds_differ()
    if wrong:
        print("\n".join(wrong))
        return 1
    code, said = figures(ROOT)
    print(said)
    wrong, told = prose(ROOT)
    print(told)
    if code or wrong or chart(ROOT):
        return 1
    with tempfile.TemporaryDirectory() as copy:
        documents = ["README.md", *glob.glob("docs/**/*.md", root_dir=ROOT, recursive=True)]
        for path in ["script/figures", "script/lib/intervals.py", "script/lib/tables.py", "script/lib/prose.py", *documents]:
            os.makedirs(os.path.dirname(os.path.join(copy, path)), exist_ok=True)
            shutil.copy(os.path.join(ROOT, path), os.path.join(copy, path))
        copy_results(copy)
        path = os.path.join(copy, "docs/ladders.md")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        damaged = {
            "a figure": re.sub(r"(\| \d\.\d\d)(\d)( \[)", lambda m: f"{m[1]}{(int(m[2]) + 1) % 10}{m[3]}", text, count=1),
            "a source": re.sub(r"<!-- figures\n.*?-->\n", "", text, count=1, flags=re.S),
            "a file": text.replace("reduce_ladder.json", "reduce_latter.json"),
            "how many cells settled": re.sub(r"(\d+)(?= of \d+ cells not settled)", lambda m: str(int(m[1]) + 1), text, count=1),
            "a label without a number": re.sub(r"(\nlabels variant\n.*?\n\| )\d+ (?=\w)", r"\1", text, count=1, flags=re.S),
            "a remark": re.sub(r"\nMeasured [^\n]*\n(?=<!-- end)", "", text, count=1),
        }
        if figures(copy)[0]:
            print("outside of a repository the tables are not as they should be")
            return 1
        if not prose_is_checked(copy):
            print("mistakes in the text are not found")
            return 1
        shutil.rmtree(os.path.join(copy, "docs/performance"))  # One document is enough for what follows.
        for what, wrong in damaged.items():
            with open(path, "w", encoding="utf-8") as file:
                file.write(wrong)
            if wrong != text and not figures(copy)[0]:
                print(f"{what}: changed, and not noticed")
                return 1
            if what not in ("a source", "a file", "a label without a number"):
                figures(copy, "--write")
                with open(path, encoding="utf-8") as file:
                    if file.read() != text:
                        print(f"{what}: not written anew")
                        return 1
            elif wrong == text:
                print(f"{what}: there is none to change")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
