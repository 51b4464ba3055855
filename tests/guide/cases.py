"""cases.py XBENCH GUIDE_DEF BACKEND: runs every case of `xbench guide` that has a row, and compares its output with its
document and its exit code."""
import json
import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77


def main():
    xbench, table, backend = sys.argv[1:]
    rows = re.findall(r"^XB_GUIDE\((\w+), ", open(table, encoding="utf-8").read(), re.M)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "guide.json")
        run = subprocess.run([xbench, "guide", "--backend", backend, "--json", path], capture_output=True, text=True,
                             check=False)
        if run.returncode == 3 and backend not in os.environ.get("XB_REQUIRE", "").split(","):
            print("skipped:", run.stderr.strip())
            return SKIPPED
        print(run.stdout, run.stderr)
        if run.returncode != 0:
            return 1
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    wrong = 0
    shown = {case["case"]: case["lines"] for case in document["cases"]}
    if list(shown) != rows:
        print(f"guide.def has {rows}, what ran is {list(shown)}")
        wrong = 1
    for name, lines in shown.items():
        kinds = [line["kind"] for line in lines if line["api"] == backend]
        if kinds.count("holds") < 1 or "fails" in kinds:
            print(f"{name}: nothing was asserted on {backend}, or something failed in silence: {kinds}")
            wrong = 1
        wrong |= any(line["text"] not in run.stdout for line in lines)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
