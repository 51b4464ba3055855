"""seeds.py ROOT: checks each row of bench/benchmarks/*/seeds.def, a figure from the document that a benchmark comes from,
against the quotation in the row and against the benchmark's table."""
import glob
import os
import re
import sys

STRING = r'"([^"]*)"'
FIGURE = re.compile(rf"XB_FIGURE\((\d+), {STRING}, ([\d.]+)" + rf", {STRING}" * 5 + r"\)")
WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "eight": 8, "sixteen": 16, "twice": 2, "half": 0.5}


def numbers(words):
    """The numbers in a text: 790, 4/5 as 0.8, 'eight'."""
    found = {int(a) / int(b) for a, b in re.findall(r"(?<![\d.])(\d+)/(\d+)", words)}
    found |= {float(number) for number in re.findall(r"(?<![\d./])\d+(?:\.\d+)?(?![\d/])", words)}
    return found | {value for word, value in WORDS.items() if re.search(rf"\b{word}\b", words)}


def values(text):
    """The values of an axis, written as --at takes them: '0,8', '1..7'."""
    found = []
    for part in text.split(","):
        first, last = re.fullmatch(r"(\d+)(?:\.\.(\d+))?", part).groups()
        found += range(int(first), int(last or first) + 1)
    return found


def check(row, table):
    variant, at, number, unit, hardware, size, words, document = row
    axes = re.findall(r"^XB_AXIS\(\w+, ([\d., ]+), \d+, ", table, re.M)
    if variant != "0" and not re.search(rf"^XB_VARIANT\({variant}, ", table, re.M):
        yield f"there is no variant {variant}"
    if len(axes) != 1 and at:
        yield f"'{at}' are values of one axis, the benchmark has {len(axes)}"
    elif at and not set(values(at)) <= set(values(axes[0].replace(" ", ","))):
        yield f"the axis {axes[0]} does not have all of {at}"
    if not any(abs(float(number) - found) < 1e-9 for found in numbers(words)):
        yield f"{number} is not in '{words}'"
    if not (unit and hardware and size):
        yield "lacks its unit, its hardware or its size"
    if not re.fullmatch(r"[^/]+, (section [\d.]+|slide '[^']+')", document):
        yield f"'{document}' is no title and section or slide"


def main():
    rows = bad = 0
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "bench/benchmarks/*/seeds.def"))):
        with open(os.path.join(os.path.dirname(path), "variants.def"), encoding="utf-8") as file:
            table = file.read()
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        for i, line in enumerate(lines):
            if not line.startswith("XB_FIGURE"):
                continue
            rows += 1
            row = FIGURE.fullmatch(line)
            for what in check(row.groups(), table) if row else ["cannot be read"]:
                print(f"{path}:{i + 1}: {what}")
                bad += 1
    print(f"{rows} figures, {bad} bad")
    return 1 if bad or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
