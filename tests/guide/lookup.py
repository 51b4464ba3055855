"""lookup.py ROOT XBENCH: `xbench guide WORD` finds the rows that docs/porting-index.md names for a word, for some words of each side;
`xbench guide --scan` lists all rows for a source that has all words of CUDA; and both answer within seconds."""
import os
import re
import subprocess
import sys
import tempfile
import time

import rows as guide
from sources import read

SOME = 25


def run(*command):
    begin = time.monotonic()
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.returncode, result.stdout, time.monotonic() - begin


def listed(text):
    return dict(re.findall(r"^- `` (.+?) ``: (.*)", text, re.M))


def names(links):
    return set(re.findall(r"#([\w-]+)\)", links))


def main():
    root, xbench = sys.argv[1:]
    cuda, other = (listed(part) for part in read(root, "docs/porting-index.md").split("## Other words"))
    cases = set(re.findall(r"^XB_GUIDE\((\w+),", read(root, "bench/guide/guide.def"), re.M))
    bad = 0
    for index in (cuda, other):
        for word in sorted(index)[::max(len(index) // SOME, 1)]:
            if word in cases:
                continue
            code, text, seconds = run(xbench, "guide", word)
            missing = names(index[word]) - set(re.findall(r"docs/porting-guide\.md#([\w-]+)\)", text))
            if code or missing or seconds > 5:
                print(f"xbench guide {word}: exit code {code}, {seconds:.2f} s, without {missing or 'nothing'}")
                bad += 1
    words = [word for word in cuda if re.fullmatch(guide.WORD, word)]
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "all.cu")
        with open(source, "w", encoding="utf-8") as file:
            file.write("// __syncwarp in a comment\n" + "".join(f"{word} \"__syncwarp\"\n" for word in words))
        code, text, seconds = run(xbench, "guide", "--scan", source)
    wanted = set().union(*(names(cuda[word]) for word in words))
    found = set(re.findall(r"^  (?:exact +|weaker +|emulate +|none +)?([\w-]+): ", text, re.M))
    if code or wanted != found or seconds > 5:
        print(f"--scan: exit code {code}, {seconds:.2f} s, without {wanted - found}, too many: {found - wanted}")
        bad += 1
    lines = {number for line in re.findall(r"^__syncwarp \((.*)\)", text, re.M) for number in re.findall(r"\d+", line)}
    if lines != {str(words.index("__syncwarp") + 2)}:
        print(f"--scan: __syncwarp is in lines {lines}: in a comment or a text it does not count")
        bad += 1
    print(f"{len(cuda)} and {len(other)} words; a source with {len(words)} of them has {len(found)} rows and traps: {bad} bad")
    return 1 if bad or len(words) < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
