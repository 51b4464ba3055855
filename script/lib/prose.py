"""script/figures text [--chance]: figures in the text of the documents follow from stored files, or the text says why not. A
figure is a number with a unit of time or rate, a percentage, a decimal number (a ratio), or an integer whose unit stands before
it or in the head of its table. Ends with 1 if one is neither.

A comment above a block of text (paragraph, list or table) says where its figures come from; with a blank line behind it, it is
for all blocks up to the next heading that have none of their own:
  <!-- from FILE... -->                      files in the newest h200-* folder of bench/results that has them, or named with their
                                             folder, as those of other GPUs are; each figure is there, within its own rounding:
                                             a time, rate or other metric, a ratio or its interval, or what follows from two
                                             cells of the same work: by two APIs, by two variants;
                                             or the largest time of a cell's placements over the smallest
  <!-- from FILE{size=2^28 variant=1,9} -->  only in these cells of it
  <!-- from FILE...; not there: FIGURE... (WHY); FIGURE... (WHY) -->   but for these
  <!-- no file: WHY -->                      none can be looked up: settings, arithmetic, what a test simulates, what others published.
                                             `program not kept` is no reason in docs/; elsewhere readers are told below the table
Tables that `script/figures tables` writes are its business. --chance prints how many of the figures found would also be found if they were
wrong by 3, 5 or 10 %: what a look-up proves."""
import itertools
import os
import re
import statistics
from bisect import bisect_left
from functools import cache

import tables

ROOT = tables.ROOT
DOCUMENTS = ["README.md"] + [f"docs/{name}.md" for name in ("ladders", "measuring", "tuning", "scaling", "questions",
                                                      "internals/driver-surprises", "internals/method")]
DOCUMENTS += tables.PERFORMANCE + ["bench/results/h200-2026-11-22/tuning/README.md"]
FOLDERS = ["h200-2026-11-29", "h200-2026-11-28", "h200-2026-11-26", "h200-2026-11-23", "h200-2026-11-22", "h200-2026-11-21", "."]
TIMES = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
RATES = {"GB/s": 1, "TB/s": 1e3, "TFLOP/s": 1e3, "GFLOP/s": 1, "G keys/s": 1, "G/s": 1}
UNIT = "|".join(sorted([*TIMES, *RATES, "%"], key=len, reverse=True))
NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
AND = r"(?: to | and | or |, | instead of | against | / )"
VERSION = re.compile(r"(?:CUDA|Vulkan|vkd3d|DXC|SPIR-V|Mesa|Slang|driver|shaderc|nvcc|[Ss]ections?) \d+\.\d+\b|"
                     r"\b\d+\.\d+\.\d+(?:\.\d+)*\b|\b\d{4}-\d\d-\d\d\b")
FIGURE = re.compile(rf"(?<![\w^.,-])(?P<list>{NUMBER}(?:{AND}{NUMBER})*) ?(?P<unit>{UNIT})(?![\w/])|"
                    r"(?<![\w^.,/-])(?P<plain>\d+\.\d+)(?![\w.]*\d)")
NOT_KEPT = "Measured with a program that is not kept."
WHY = {"missing": "not in {}", "unmarked": "no mark says where it is from", "untold": "not below the table",
       "superfluous": "excepted by the mark, and not in the text", "not kept": "no file supports it: name one, or leave the number out"}
# Integers whose unit stands elsewhere: in the head of a table, or earlier in the sentence.
CELL = re.compile(r"\| *(\d{3,5})(?: to (\d{3,5}))? *(?=\|)")
BARE = re.compile(r"(?<![\w^.,/-])(?<! x )(\d{4})(?= (?:to|and|on|at|instead|there|of)\b|[);:.,](?!\d))")
MARK = re.compile(r"<!-- (from|no file:) (.*?) ?-->\n?", re.S)
COORDINATES = ("benchmark", "variant", "backend", "dtype", "launch_mode", "queue_family", "loop", "cache")


# ---- What a file has -------------------------------------------------------------------------------------------------

def read(name):
    """The document of a .json, the text of a .txt."""
    for folder in FOLDERS:
        path = os.path.join(ROOT, "bench/results", folder, name)
        if name.endswith(".json") and (os.path.exists(path) or os.path.exists(path + ".xz")):
            return tables.load(os.path.join(folder, name))
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return file.read()
    raise FileNotFoundError(name)


def place(r):
    return {**{key: r.get(key) for key in COORDINATES}, "size": tables.size_text(r),
            **{a["axis"]: str(a["value"]) for a in r.get("at") or []}}


def chosen(r, filters):
    at = {**place(r), "variant": r["variant"].partition("_")[0]}
    return all(at.get(key) in values for key, values in filters)


def differ_in_one(a, b):
    """The same work by another API, or by another variant."""
    keys = {key for key in a.keys() | b.keys() if a.get(key) != b.get(key)}
    return keys - {"queue_family", "launch_mode"} == {"backend"} or keys in ({"variant"}, {"launch_mode"}, {"queue_family"})


def of_document(document, filters):
    """(times in ns, rates, ratios) of a file of results."""
    times, rates, ratios = [], [], []
    cells = [r for r in document["results"] if r.get("median_ns") and chosen(r, filters)]
    places = [place(r) for r in cells]
    for r in cells:
        times += [r[key] for key in ("median_ns", "host_ns", "floor_ns", "issue_ns") if r.get(key)]
        for m in r["metrics"] if "metrics" in r else [{"unit": "GB/s", "value": r["gbps"]}] if r.get("gbps") else []:
            times += [m["value"] * TIMES[unit] for unit in m["unit"].split()[:1] if unit in TIMES]
            rates.append(m["value"])
            ratios += [m["value"] / 100] if m["unit"].startswith("%") else []
        ratios += [r[key] / 100 for key in ("percent_of_peak", "percent_of_copy") if r.get(key)]
        medians = [statistics.median(r["samples_ns"][i::r["placements"]]) for i in range(r["placements"])]
        ratios += [max(medians) / min(medians)] if len(medians) > 1 else []
        if r.get("model"):
            measured, predicted = r["model"]["measured"], r["model"]["predicted"]
            ratios += [measured, predicted, 1 / measured, 1 / predicted, measured / predicted] if measured and predicted else []
    for (a, at_a), (b, at_b) in itertools.permutations(zip(cells, places), 2):
        if differ_in_one(at_a, at_b):
            ratios.append(a["median_ns"] / b["median_ns"])
            times += [abs(a["median_ns"] - b["median_ns"])] if at_a["variant"] == at_b["variant"] else []
            ratios += [x["value"] / y["value"] for x, y in zip(a.get("metrics", []), b.get("metrics", []))
                       if x["unit"] == y["unit"] and y["value"]]
    pairs = [c for c in document["comparisons"] if chosen(document["results"][c["subject"]["result"]], filters)]
    for c in pairs + document.get("geometric_means", []):
        ratios += [c["ratio"], *(c["ci95_ratio"] or [])] if c["ratio"] else []
        if c.get("ratio_less_floors"):
            ratios += [c["ratio_less_floors"], *(c["ci95_ratio_less_floors"] or [])]
    return times, rates, ratios


@cache
def known(name):
    """Kinds of numbers, each sorted: "time" in ns, "rate" in GB/s, "%", "plain"; of a text also "bare", without a unit."""
    name, _, words = name.rstrip("}").partition("{")
    content = read(name)
    if name.endswith(".json"):
        times, rates, ratios = of_document(content, [(k, v.split(",")) for k, v in (word.split("=") for word in words.split())])
        kinds = {"time": times, "rate": rates, "%": [100 * r for r in ratios] + [100 * abs(1 - r) for r in ratios],
                 "plain": ratios + rates + times + [t / 1e3 for t in times] + [t / 1e6 for t in times], "bare": []}
    else:
        kinds = {"time": [], "rate": [], "%": [], "bare": []}
        for number, unit in re.findall(rf"(?<![\w.])({NUMBER})(?: ?({UNIT})(?![\w/]))?", content):
            kind = "time" if unit in TIMES else "rate" if unit in RATES else unit or "bare"
            kinds[kind].append(float(number.replace(",", "")) * (TIMES.get(unit) or RATES.get(unit) or 1))
        kinds["plain"] = kinds["rate"] + kinds["%"] + kinds["bare"] + [t / scale for t in kinds["time"] for scale in (1, 1e3, 1e6)]
    return {kind: sorted(values) for kind, values in kinds.items()}


def has(values, value, half):
    i = bisect_left(values, value - half)
    return i < len(values) and values[i] <= value + half


def is_in(files, number, unit):
    """The number, rounded as it is written, is one of the files' values."""
    value, half = float(number.replace(",", "")), 0.5001 * 10 ** -len(number.partition(".")[2])
    scale = TIMES.get(unit) or RATES.get(unit) or 1
    kind = "time" if unit in TIMES else "rate" if unit in RATES else unit or "plain"
    return any(has(known(name)[kind], value * scale, half * scale) or has(known(name)["bare"], value, half) for name in files)


# ---- What a document says --------------------------------------------------------------------------------------------

def without(pattern, text):
    """Leaves the lines."""
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S | re.M)


def blocks(text):
    """(line, text, mark or None) of each block; a heading has None for a text."""
    text = without(r"<!-- figures\n.*?<!-- end -->|^```.*?^```|^    [^\n]*$|\]\([^)]*\)", text)
    text = re.sub(r"`[^`]*`", lambda m: re.sub(r"[^\n]", "_", m[0]), text)
    line = 1
    for part in re.split(r"(\n[ \t]*(?=\n))", text):
        found = MARK.match(part.lstrip("\n"))
        begin = line + len(part) - len(part.lstrip("\n"))
        body = part.lstrip("\n")
        if found:
            body = body[found.end():]
        if part.lstrip("\n").startswith("#"):
            yield begin, None, None
            body = body.partition("\n")[2]
        if part.strip():
            yield begin, body, found and found.groups()
        line += part.count("\n")


def is_rate(number):
    """Neither a power of two, as sizes are, nor thousands, nor a year."""
    n = int(number)
    return n & (n - 1) and n % 1000 and not 2004 <= n <= 2030


def figures(text):
    text = VERSION.sub(" ", " ".join(text.split()))
    yield from ((number, "") for cell in CELL.findall(text) for number in cell if number and is_rate(number))
    if not text.startswith("|"):
        seen = {number for match in FIGURE.finditer(text) for number in re.findall(NUMBER, match[0])}
        yield from ((number, "") for number in BARE.findall(text) if is_rate(number) and number not in seen)
    for match in FIGURE.finditer(text):
        if match["plain"]:
            yield match["plain"], ""
        else:
            for number in re.findall(NUMBER, match["list"]):
                yield number, match["unit"]


def parse(mark):
    """(files, figures that are not in them); (None, []) if there is no file."""
    if mark is None or mark[0] == "no file:":
        return None, []
    files, _, rest = " ".join(mark[1].split()).partition("; not there: ")
    groups = re.findall(r"([^;]*?) \([^)]+\)(?:; |$)", rest)
    return re.findall(r"[^ {]+(?:\{[^}]*\})?", files), [number for group in groups for number in group.split(", ")]


def judged(text):
    """(line, number, unit, files, state) of each figure, and of what a mark says wrongly."""
    section = untold = None
    for line, body, mark in blocks(text):
        if untold and not (body or "").startswith(NOT_KEPT):
            yield untold, NOT_KEPT, "", None, "untold"
        untold = line if mark == ("no file:", "program not kept") and body.startswith("|") else None
        if body is None:
            section = None
        elif mark and not body.strip():
            section = mark
        else:
            files, excepted = parse(mark or section)
            found = list(figures(body))
            for number, unit in found:
                yield (line, number, unit, files, "unmarked" if not (mark or section) else "no file" if files is None else
                       "excepted" if number in excepted else "found" if is_in(files, number, unit) else "missing")
            for number in excepted if mark else []:
                if number not in [n for n, _ in found]:
                    yield line, number, "", files, "superfluous"


def wrong_ones(number):
    """The number, off by 3, 5 and 10 %, where its decimal places show that."""
    places = len(number.partition(".")[2])
    texts = (f"{float(number.replace(',', '')) * factor:.{places}f}" for factor in (0.9, 0.95, 0.97, 1.03, 1.05, 1.1))
    return [text for text in texts if text != number]


def without_support(text):
    """As judged(), of the figures of runs whose output is not kept."""
    section = None
    for line, body, mark in blocks(text):
        if body is None:
            section = None
            continue
        section = mark if mark and not body.strip() else section
        own = mark or section
        if own and own[0] == "no file:" and "not kept" in own[1]:
            yield from ((line, number, unit, None, "not kept") for number, unit in figures(body))


def check(chance):
    """Returns the exit code."""
    counts, bad, tried = {}, 0, []
    for name in DOCUMENTS:
        with open(os.path.join(ROOT, name), encoding="utf-8") as file:
            text = file.read()
        kept_out = without_support(text) if not name.startswith("bench/") else ()
        for line, number, unit, files, state in itertools.chain(judged(text), kept_out):
            counts[state] = counts.get(state, 0) + 1
            if state in WHY:
                bad += 1
                print(f"{name}:{line}: {number} {unit}: {WHY[state].format(' '.join(files or []))}")
            elif state == "found" and chance:
                tried += [is_in(files, wrong, unit) for wrong in wrong_ones(number)]
    print(", ".join(f"{count} {state}" for state, count in sorted(counts.items())))
    if tried:
        print(f"of the figures found {100 * sum(tried) / len(tried):.0f} % would also be found if they were wrong by 3 to 10 %")
    return 1 if bad else 0
