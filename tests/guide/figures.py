"""figures.py ROOT XBENCH: script/figures finds the tables as they should be; and it notices a figure that was changed, a table
without its source, and a missing remark about changed code, which it writes anew. script/ladder-chart finds its chart as it
should be."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT, XBENCH = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def figures(root, *more):
    run = subprocess.run([sys.executable, "-B", os.path.join(root, "script/figures"), XBENCH, *more], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


def chart(root):
    return subprocess.run([sys.executable, "-B", os.path.join(root, "script/ladder-chart")], check=False).returncode


def main():
    code, said = figures(ROOT)
    print(said)
    if code or chart(ROOT):
        return 1
    with tempfile.TemporaryDirectory() as copy:
        for path in ("script/figures", "docs/performance.md", "docs/ladders.md"):
            os.makedirs(os.path.dirname(os.path.join(copy, path)), exist_ok=True)
            shutil.copy(os.path.join(ROOT, path), os.path.join(copy, path))
        os.mkdir(os.path.join(copy, "bench"))
        os.symlink(os.path.join(ROOT, "bench/results"), os.path.join(copy, "bench/results"))
        path = os.path.join(copy, "docs/ladders.md")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        damaged = {
            "a figure": re.sub(r"(\| \d\.\d\d)(\d)( \[)", lambda m: f"{m[1]}{(int(m[2]) + 1) % 10}{m[3]}", text, count=1),
            "a source": re.sub(r"<!-- figures\n.*?-->\n", "", text, count=1, flags=re.S),
            "a file": text.replace("reduce_ladder.json", "reduce_latter.json"),
            "a remark": re.sub(r"\nMeasured [^\n]*\n(?=<!-- end)", "", text, count=1),
        }
        for what, wrong in damaged.items():
            with open(path, "w", encoding="utf-8") as file:
                file.write(wrong)
            if wrong != text and not figures(copy)[0]:
                print(f"{what}: changed, and not noticed")
                return 1
            if what in ("a figure", "a remark"):
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
