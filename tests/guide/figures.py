"""figures.py ROOT XBENCH: script/figures finds the tables as they should be; and it notices a figure that was changed, a table
without its source, and a wrong line under a table, which it writes anew. script/prose-figures finds the figures of the text as
they should be, and notices what is not. script/ladder-chart finds its chart as it should be."""
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


def prose(root):
    run = subprocess.run([sys.executable, "-B", os.path.join(root, "script/prose-figures")], capture_output=True, text=True,
                         check=False)
    return run.returncode, run.stdout + run.stderr


def prose_is_checked(copy):
    """True if each of five mistakes is found."""
    path = os.path.join(copy, "docs/performance.md")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    wrong = re.sub(r"(?<=: )3471 GB/s", "3481 GB/s", text)
    wrong = wrong.replace("<!-- from tuning/floor.txt -->\n", "", 1).replace("0.58 (published)", "0.58, 0.57 (published)", 1)
    wrong = wrong.replace("<!-- no file: published -->", "<!-- from reduce_ladder.json -->", 1)
    wrong = wrong.replace("\n\nMeasured with a program that is not kept.\n", "\n", 1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(wrong)
    code, said = prose(copy)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    found = [re.search(pattern, said) for pattern in
             (r": 3481 GB/s: not in ", r": 3\.82 : no mark", r": 0\.57 : excepted by the mark", r": 86\.4 GB/s: not in ",
              r": Measured with a program .* not below the table")]
    print(*[line for line in said.splitlines() if not all(found)], sep="\n")
    return code == 1 and all(found)


def chart(root):
    return subprocess.run([sys.executable, "-B", os.path.join(root, "script/ladder-chart")], check=False).returncode


def main():
    code, said = figures(ROOT)
    print(said)
    wrong, told = prose(ROOT)
    print(told)
    if code or wrong or chart(ROOT):
        return 1
    with tempfile.TemporaryDirectory() as copy:
        documents = ["README.md", *("docs/" + name for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md"))]
        for path in ["script/figures", "script/prose-figures", *documents]:
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
            "how many cells settled": re.sub(r"(\d+)(?= of \d+ cells not settled)", lambda m: str(int(m[1]) + 1), text, count=1),
            "a remark": re.sub(r"\nMeasured [^\n]*\n(?=<!-- end)", "", text, count=1),
        }
        if figures(copy)[0]:
            print("outside of a repository the tables are not as they should be")
            return 1
        if not prose_is_checked(copy):
            print("mistakes in the text are not found")
            return 1
        with open(os.path.join(copy, "docs/performance.md"), "w", encoding="utf-8"):
            pass  # One document is enough for what follows.
        for what, wrong in damaged.items():
            with open(path, "w", encoding="utf-8") as file:
                file.write(wrong)
            if wrong != text and not figures(copy)[0]:
                print(f"{what}: changed, and not noticed")
                return 1
            if what not in ("a source", "a file"):
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
