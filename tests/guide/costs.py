"""costs.py ROOT: compares each figure of docs/performance/costs.md with the results that its section names."""
import json
import re
import sys

from sources import read
from tables import tables

RESULTS, FOLDER = "bench/results", "h200-2026-11-21"
COLUMN = re.compile(r"(CUDA|Vulkan)(?:, (graph|stream|held_stream))?(?: at 2\^(\d+))?, (us|GB/s)")


def agree(figure, value):
    """True if `figure` is the value, rounded to the figure's decimal places."""
    places = len(figure.partition(".")[2])
    return value is not None and abs(float(figure) - value) <= 0.5001 * 10 ** -places


def bandwidth(r):
    return r["gbps"] if "gbps" in r else next(m["value"] for m in r["metrics"] if m["name"] == "bandwidth")


def of_results(document, cell, column):
    """The measured values of a cell, such as `launch/1`, in the unit of the column."""
    benchmark, number = cell.split("/")
    api, mode, power, unit = COLUMN.fullmatch(column).groups()
    for r in document["results"]:
        if (r["benchmark"] == benchmark and r["variant"].startswith(number + "_") and r["backend"] == api.lower() and
                (api == "Vulkan" or r["launch_mode"] == (mode or "graph")) and (not power or r["size"] == 2 ** int(power))):
            yield r["median_ns"] / 1e3 if unit == "us" else bandwidth(r)


def of_guide(text, what, column):
    api = COLUMN.fullmatch(column)[1].lower()
    for said, figure in re.findall(rf"^  {api} +seen +cost of (.+): ([\d.]+) us a dispatch", text, re.M):
        if said == what:
            yield float(figure)


def main():
    root = sys.argv[1]
    text = read(root, "docs/performance/costs.md")
    named = dict((re.search(r"^## (.*)", section, re.M)[0].lstrip("# "), re.search(r"\(([\w/-]+\.(?:json|txt))\)", section)[1])
                 for section in re.split(r"^(?=## )", text, flags=re.M)[1:])
    held = bad = 0
    for heading, header, rows in tables(text):
        file = read(root, RESULTS, *(named[heading] if "/" in named[heading] else f"{FOLDER}/{named[heading]}").split("/"))
        document = json.loads(file) if named[heading].endswith(".json") else None
        for line, row in rows:
            cell = row[0].strip("`")
            for column, figure in zip(header, row):
                if not COLUMN.fullmatch(column) or not figure:
                    continue
                values = list(of_results(document, cell, column) if document else of_guide(file, cell, column))
                held += 1
                if not any(agree(figure, value) for value in values):
                    bad += 1
                    print(f"docs/performance/costs.md:{line}: {figure} for {cell} ({column}): {named[heading]} has {values or 'nothing'}")
    print(f"{held} figures, {bad} bad")
    return 1 if bad or held < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
