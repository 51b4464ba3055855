"""agreement.py ROOT: runs `script/trial agreement` as docs/internals/method.md quotes it and compares the output; then with invalid files."""
import os
import re
import subprocess
import sys
import tempfile

ROOT = sys.argv[1]
RESULTS = os.path.join(ROOT, "bench/results/h200-2026-11-22")


def run(*folders):
    return subprocess.run([os.path.join(ROOT, "script/trial"), "agreement", *folders], cwd=RESULTS, capture_output=True, text=True)


def expect(good, what):
    if not good:
        sys.exit(f"FAILED: {what}")


with open(os.path.join(ROOT, "docs/internals/method.md")) as document:
    quoted = re.findall(r"`script/trial agreement (\S+) (\S+)`: (\d+ of \d+)\.", document.read())
expect(len(quoted) == 6, f"docs/internals/method.md quotes six pairs of runs, found {quoted}")
for one, other, said in quoted:
    ended = run(one, other)
    expect(ended.returncode == 0 and ended.stdout.splitlines()[-1] == f"{said} ratios agree",
           f"{one} and {other}: expected {said}, got {ended.stdout}{ended.stderr}")
    print(f"ok: {one}, {other}: {said}")

with tempfile.TemporaryDirectory() as folder:
    for text, message in ((None, "no comparison in common"), ("[]", "bad.json: not what"), ("{", "bad.json: not what")):
        if text:
            with open(os.path.join(folder, "bad.json"), "w") as file:
                file.write(text)
        ended = run("gpu0", folder)
        expect(ended.returncode == 1 and message in ended.stderr and ended.stderr.count("\n") == 1, f"{text}: {ended.stderr}")
        print("ok:", ended.stderr.strip())
