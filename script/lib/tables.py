"""script/figures tables XBENCH [--write]: the tables of measured figures in docs/ladders.md, docs/performance/ and docs/scaling.md
follow from the result files that they name. Without --write it reports what does not, and ends with 1.

A table stands between `<!-- figures ... -->` and `<!-- end -->`. In the comment, one a line:
  source NAME FILE [compare] KEY=VALUE...   results of a file in bench/results (it may be compressed there: .xz), or its
                                            comparisons, that have these values;
                                            a name may stand for several files, gpu{0..3}/reduce.json for four, and two names
                                            for two backends: c,v FILE backend=cuda,vulkan; `yardsticks` has also the copies
  rows KEY VALUE...                         a row for each value
  row LABEL | KEY=VALUE... | TEXT...        a row; the TEXTs are {1}, {2}, ... in its cells; @NAME: its source
  labels KEY                                the rows that the table has: KEY is the number with which a label begins (`at=AXIS:`: its
                                            place on that axis); a label without a number has a `row` line
  col LABEL = TEMPLATE                      a column; {NAME.FIELD} is a figure, {NAME.FIELD?} may be absent, {A.us/B.us} a ratio,
                                            {A.us/B.us ci} with an interval, from those of both cells; {A.us/B.us ci?} may be absent,
                                            {NAME.metric UNIT} the metric with this unit,
                                            {NAME.gpus} the range of a ratio over the GPUs of several files
  cols KEY VALUE... = TEMPLATE              a column for each value
  corner TEXT                               above the rows
Keys are those of a result (a comparison: of its subject; base.KEY: of its base). Under the table stands a line that says how its
cells were measured, from the same files (the command is put together from what the file says of its cells), on which devices, when,
and what changed in the kernels since, or that it is not known (bench/results/hashes.txt); the intervals of files of older rules are
computed anew (intervals.py); `xbench list sources` says what the kernels are now. The cells of a row that are of one variant have to be of the same code.
A table that is written by hand has a comment above it, which `script/figures text` reads: `<!-- from FILE... -->` or
`<!-- no file: WHY -->`."""
import glob
import json
import lzma
import math
import os
import re
import statistics
import subprocess
from functools import cache

import intervals

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PERFORMANCE = sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, "docs/performance/*.md")))
DOCUMENTS = ["docs/ladders.md", *PERFORMANCE, "docs/scaling.md"]
STUDENT = [3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]  # 97.5 %, from 3 degrees of freedom on
BLOCK = re.compile(r"<!-- figures\n(.*?)-->\n(.*?)<!-- end -->", re.S)
NAMES = {"cuda": "CUDA", "vulkan": "Vulkan"}
USUAL = {"min_time_s": 0.05, "max_time_s": 0.6, "width": 0.01, "seed": 1}  # a run's options on a GPU where none are given
STRANGER = "a commit that is not in this repository"


class Bad(Exception):
    pass


# ---- Records ---------------------------------------------------------------------------------------------------------

def microseconds(ns):
    us = ns / 1e3
    return f"{us:.{3 if us < 10 else 2 if us < 100 else 1}f}"


def bandwidth(r):
    return r["gbps"] if "gbps" in r else next((m["value"] for m in r["metrics"] if m["name"] == "bandwidth"), None)


def percent(value):
    return None if value is None else f"{value:.0f}"


def thousands(value):
    return f"{value:.0f}" if value >= 1000 else f"{value:.4g}"


RESULT_FIELDS = {
    "us": lambda r: r["median_ns"] and microseconds(r["median_ns"]),
    "ms": lambda r: r["median_ns"] and microseconds(r["median_ns"] / 1e3),
    "GBps": lambda r: percent(bandwidth(r)),
    "peak": lambda r: percent(r["percent_of_peak"]),
    "metric": lambda r: thousands(r['metrics'][0]['value']) if r['metrics'] else None,
    "copy": lambda r: r["percent_of_copy"] and f"{r['percent_of_copy'] / 100:.2f}",
}
PAIR_FIELDS = {
    "ratio": lambda c, sides: "{:.3f} [{:.3f}, {:.3f}]".format(c["ratio"], *intervals.of_ratio(c["ratio"], c["ci95_ratio"], sides)),
    "plain": lambda c, sides: f"{c['ratio']:.3f}",
    "floors": lambda c, sides: c["ratio_less_floors"] and ("{:.3f} [{:.3f}, {:.3f}]".format(
        c["ratio_less_floors"], *intervals.of_ratio_less_floors(c["ratio_less_floors"], c["ci95_ratio_less_floors"], sides))),
}


def size_of(text):
    if "x" in text:
        rows, columns = text.split("x")
        return int(rows) * int(columns), int(rows)
    base, _, power = text.partition("^")
    return int(base) ** int(power or 1), None


def matches(record, key, value, results):
    side = record
    if key.startswith("base."):
        side, key = results[record["base"]["result"]], key[5:]
    elif "subject" in record:
        side = results[record["subject"]["result"]]
    if key == "size":
        return (side["size"], side["rows"]) == size_of(value)
    if key == "variant":
        return side["variant"] == value or side["variant"].startswith(value + "_")
    if key == "at":
        axis, _, place = value.partition(":")
        return {"axis": axis, "value": int(place)} in side["at"]
    return str(side[{"launch": "launch_mode", "family": "queue_family"}.get(key, key)]) == value


@cache
def load(name):
    path = os.path.join(ROOT, "bench/results", name)
    with open(path, encoding="utf-8") if os.path.exists(path) else lzma.open(path + ".xz", "rt", encoding="utf-8") as file:
        return json.load(file)


class Source:
    def __init__(self, words):
        self.path = words[0]
        self.document = load(words[0])
        self.pairs, self.yardsticks = "compare" in words, "yardsticks" in words
        self.filters = [word.split("=", 1) for word in words[1:] if "=" in word]

    def find(self, filters):
        results = self.document["results"]
        records = self.document["comparisons"] if self.pairs else [r for r in results if self.yardsticks or not r["yardstick"]]
        return [r for r in records if all(matches(r, key, value, results) for key, value in self.filters + filters)]



def find_one(sources, filters, used):
    """(record, results of its sides); ([], []) if there is none."""
    found = [(source, record) for source in sources for record in source.find(filters)]
    if len(found) > 1:
        raise Bad(f"{', '.join(s.path for s in sources)}: {len(found)} records with {filters}")
    if not found:
        return None, []
    source, record = found[0]
    results = source.document["results"]
    sides = [results[record[s]["result"]] for s in ("subject", "base")] if source.pairs else [record]
    used += [(source, side) for side in sides]
    return record, sides


def over_gpus(sources, filters, used):
    """The range of a ratio; from four GPUs on the interval for one more, as `xbench report` has it."""
    of_gpu = {}
    for source in sources:
        for c in source.find(filters):
            of_gpu.setdefault(c["subject"]["device"], []).append(math.log(c["ratio"]))
            results = source.document["results"]
            used += [(source, results[c[side]["result"]]) for side in ("subject", "base")]
    logs = [statistics.mean(ratios) for ratios in of_gpu.values()]
    if len(logs) < 2:
        raise Bad(f"{', '.join(s.path for s in sources)}: {len(logs)} GPUs with {filters}")
    text = f"{math.exp(min(logs)):.3f} to {math.exp(max(logs)):.3f} on {len(logs)} GPUs"
    if len(logs) < 4:
        return text
    half = STUDENT[len(logs) - 4] * statistics.stdev(logs) * math.sqrt(1 + 1 / len(logs))
    mean = statistics.mean(logs)
    return f"{text}, next {math.exp(mean - half):.3f} to {math.exp(mean + half):.3f}"


def figure(sources, field, filters, used):
    if field == "gpus":
        return over_gpus(sources, filters, used)
    optional, field = field.endswith("?"), field.rstrip("?")
    record, sides = find_one(sources, filters, used)
    if not record:
        text = None
    elif field in PAIR_FIELDS:
        text = PAIR_FIELDS[field](record, sides)
    elif field.startswith("metric "):
        text = next((thousands(m["value"]) for m in sides[0]["metrics"] if m["unit"] == field.removeprefix("metric ")), None)
    else:
        text = RESULT_FIELDS[field.removeprefix("base_")](sides[1 if field.startswith("base_") else 0])
    if text is None and not optional:
        raise Bad(f"{', '.join(s.path for s in sources)}: no {field} with {filters}")
    return text or ""


def cell_of(sources, token, filters, used):
    name, _, _ = token.rpartition(".")
    record, sides = find_one(sources[name], filters, used)
    return sides[0] if record and sides[0]["median_ns"] else None


def quotient(sources, token, filters, used):
    """Of two times. Both cells were measured apart, so the squares of their intervals' halves are added."""
    token, _, ci = token.partition(" ")
    over, under = (cell_of(sources, part, filters, used) for part in token.split("/"))
    if not over or not under:
        if ci == "ci?":
            return ""
        raise Bad(f"no {token} with {filters}")
    ratio = over["median_ns"] / under["median_ns"]
    if not ci:
        return f"{ratio:.3f}"
    ends = [intervals.of_result(cell) for cell in (over, under)]
    half = math.hypot(*(math.log(high / low) / 2 for low, high in ends))
    return f"{ratio:.3f} [{ratio * math.exp(-half):.3f}, {ratio * math.exp(half):.3f}]"


# ---- A table ---------------------------------------------------------------------------------------------------------

def words(values):
    """2^16..2^18 is each power of two."""
    for value in values:
        low, dots, high = value.partition("..")
        base = low.partition("^")[0] + "^" if "^" in low else ""
        numbers = range(int(low.removeprefix(base)), int((high or low).removeprefix(base)) + 1) if dots else []
        yield from [f"{base}{n}" for n in numbers] or [value]


def label(value):
    return value.replace("x", " x ")


def rows_by_label(key, rows, table):
    """The rows of TABLE in its order; ROWS are those that have a line of their own."""
    own, found = {row[0]: row for row in rows}, []
    for line in table.partition("\n\n")[0].splitlines()[2:]:
        text = line.split("|")[1].strip()
        number = re.match(r"\d+(?=[, ]|$)", text)
        if text not in own and not number:
            raise Bad(f"the row '{text}' begins with no number and has no `row` line")
        axis = key.removeprefix("at=") if key.startswith("at=") else ""
        found.append(own.pop(text, None) or (text, [["at", axis + number[0]] if axis else [key, number[0]]], [], None))
    if own:
        raise Bad(f"the table has no row '{next(iter(own))}'")
    return found


def parse(spec, table=""):
    sources, rows, columns, corner, by = {}, [], [], "", None
    for line in spec.splitlines():
        kind, _, rest = line.strip().partition(" ")
        if kind == "source":
            name, file, *about = rest.split()
            several = re.fullmatch(r"(.*)\{(\d)\.\.(\d)\}(.*)", file)
            files = [f"{several[1]}{k}{several[4]}" for k in range(int(several[2]), int(several[3]) + 1)] if several else [file]
            for k, each in enumerate(name.split(",")):
                of_each = [f"backend={word[8:].split(',')[k]}" if word.startswith("backend=") else word for word in about]
                sources.setdefault(each, []).extend(Source([path, *of_each]) for path in files)
        elif kind == "rows":
            key, *values = rest.split()
            rows += [(label(v), [[key, v]], [], None) for v in words(values)]
        elif kind == "row":
            text, filters, *texts = [part.strip() for part in f"{rest} |".split("|")][:-1]
            given = filters.split()
            rows.append((text, [w.split("=", 1) for w in given if "=" in w], texts,
                         next((w[1:] for w in given if w[0] == "@"), None)))
        elif kind == "labels":
            by = rest
        elif kind in ("col", "cols"):
            head, _, template = rest.rpartition(" = ")
            if kind == "col":
                columns.append((head, [], template))
            else:
                key, *values = head.split()
                columns += [(label(v), [[key, v]], template) for v in words(values)]
        elif kind == "corner":
            corner = rest
        elif kind:
            raise Bad(f"'{kind}' is none of source, rows, row, labels, col, cols, corner")
    return sources, rows_by_label(by, rows, table) if by else rows, columns, corner


# ---- The line under a table ------------------------------------------------------------------------------------------

def size_text(r):
    power = r["size"].bit_length() - 1
    if r["rows"]:
        return str(r["rows"]) if {r["rows"], r["columns"], r.get("inner") or r["rows"]} == {r["rows"]} else "x".join(
            str(r[key]) for key in ("rows", "columns", "inner") if r.get(key))
    return f"2^{power}" if r["size"] == 2**power and power >= 10 else str(r["size"])


def ranges(values, prefix=""):
    """2^16,2^17,2^18 is 2^16..2^18."""
    numbers = [int(v.removeprefix(prefix)) if v.removeprefix(prefix).isdigit() and v.startswith(prefix) else None for v in values]
    parts, i = [], 0
    while i < len(values):
        end = i
        while end + 1 < len(values) and None not in numbers[end:end + 2] and numbers[end + 1] == numbers[end] + 1:
            end += 1
        parts += [f"{values[i]}..{values[end]}"] if end > i + 1 else values[i:end + 1]
        i = end + 1
    return ",".join(parts)


def distinct(values):
    return list(dict.fromkeys(values))


def names_of(variants, now):
    """`reduce` for four fifths of its variants and more, as some may be newer than the file; else each by its number."""
    for benchmark in distinct(b for b, _ in variants):
        mine = [v for b, v in variants if b == benchmark]
        today = {name.partition("/")[2] for name, _ in now if name.startswith(benchmark + "/")}  # without the libraries' rows
        numbers = sorted(int(v.partition("_")[0]) for v in mine)
        yield from [benchmark] if 0 < len(today) <= len(mine) / 0.8 else [f"{benchmark}/{n}" for n in numbers]


def scale_command(cells):
    """Without mpirun, of which the file says nothing."""
    names, kinds = zip(*(r["benchmark"].rsplit("_", 1) for r in cells))
    kind = [] if "allreduce" in names or len(set(kinds)) > 1 else ["--kind " + kinds[0]]
    apis = distinct(r["backend"] for r in cells)
    backend = ["--backend " + apis[0]] if len(apis) == 1 else []
    variants = distinct(f"{name}/{r['variant'].partition('_')[0]}" for name, r in zip(names, cells))
    return " ".join(["`xbench scale", *backend, "-n " + ranges(distinct(size_text(r) for r in cells), "2^"), *kind, *variants]) + "`"


def command(document, now):
    """The command whose results the file has. The file has no command line, but all that one would have said."""
    cells = [r for r in document["results"] if r["benchmark"] != "launch"] or document["results"]
    cells = [r for r in cells if not r["yardstick"]] or cells
    if any(a["axis"] == "members" for r in cells for a in r.get("at") or []):
        return scale_command(cells)
    apis, modes = distinct(r["backend"] for r in cells), distinct(r["launch_mode"] for r in cells if r["backend"] == "cuda")
    families = distinct(r["queue_family"] for r in cells if r["backend"] == "vulkan" and r["queue"] == "compute")
    pairs = [(document["results"][c["subject"]["result"]], document["results"][c["base"]["result"]]) for c in document["comparisons"]]
    against = distinct((b["benchmark"], b["variant"]) for s, b in pairs if s["variant"] != b["variant"])
    variants = distinct((r["benchmark"], r["variant"]) for r in cells)
    words_of = ["xbench compare" if pairs else "xbench", "--backend " + (apis[0] if len(apis) == 1 else "all")]
    if modes and modes != ["graph"]:
        words_of.append("--launch " + (modes[0] if len(modes) == 1 else "all"))
    if len(families) > 1:
        words_of.append("--queue-family all")
    if distinct(r["dtype"] for r in cells) != ["float32"]:
        words_of.append("--dtype " + ("float32,int32" if "float32" in {r["dtype"] for r in cells} else "int32"))
    words_of.append("-n " + ranges(distinct(size_text(r) for r in cells), "2^"))
    for axis in distinct(a["axis"] for r in cells for a in r.get("at") or []):
        places = sorted({a["value"] for r in cells for a in r["at"] if a["axis"] == axis})
        words_of.append(f"--at {axis}=" + ranges([str(place) for place in places]))
    if {r.get("cache") for r in cells} == {"cold"}:
        words_of.append("--cache cold")
    if any(r.get("loop") == "kernel" for r in cells):
        words_of.append("--loop kernel")
    if {r["placements"] for r in cells} <= {1, None}:
        words_of.append("--placements 1")
    for key, option in (("min_time_s", "--min-time"), ("max_time_s", "--max-time"), ("width", "--width"), ("seed", "--seed")):
        if document["sampling"][key] != USUAL[key]:
            words_of.append(f"{option} {document['sampling'][key]:g}")
    if pairs and {c["margin"] for c in document["comparisons"]} == {0}:
        words_of.append("--margin 0")
    words_of += names_of([v for v in variants if v not in against], now)
    words_of += [f"--against {benchmark}/{variant.partition('_')[2]}" for benchmark, variant in against]
    return "`" + " ".join(words_of) + "`"


@cache
def commits():
    """All commits that this one comes from, or None where git cannot tell: no repository, or one that is cut off."""
    git = ["git", "-C", ROOT]
    shallow = subprocess.run(git + ["rev-parse", "--show-cdup", "--is-shallow-repository"], capture_output=True, text=True,
                             check=False)
    if shallow.returncode or shallow.stdout.split() != ["false"]:
        return None
    return set(subprocess.run(git + ["rev-list", "HEAD"], capture_output=True, text=True, check=True).stdout.split())


def commit_text(host, before):
    """BEFORE is the document as it was: it is believed where git cannot tell."""
    if not host.get("commit"):
        return "before results named their commit"
    short = host["commit"][:12]
    known = not re.search(short + r" \([^)]*" + STRANGER, before) if commits() is None else host["commit"] in commits()
    about = ["with changes"] * host["modified"] + [STRANGER] * (not known)
    return f"at {short}" + (f" ({'; '.join(about)})" if about else "")


def spread(values, unit):
    low, high = min(values), max(values)
    return f"{low} to {high} {unit}s" if low < high else f"{low} {unit}" + ("" if low == 1 else "s")


def device_text(used):
    """The devices by name, and the days: "on an NVIDIA H200, 2026-11-22"."""
    names = distinct(d["name"] for source, r in used for d in source.document["devices"]
                     if (d["backend"], d["uuid"]) == (r["backend"], r["device"]))
    days = sorted({source.document["host"]["date"][:10] for source, _ in used if source.document["host"].get("date")})
    return f"on {' and '.join(sorted(names))}, " + (days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}" if days else "without a date")


def compiler_text(used):
    """By which compiler the CUDA kernels are: NVRTC and nvcc make different code of some."""
    found = distinct(d["kernel_compiler"] for source, r in used for d in source.document["devices"]
                     if d["backend"] == r["backend"] == "cuda" and d.get("kernel_compiler"))
    return [f"CUDA kernels by {' and '.join(sorted(found))}"] if found else []


def measured(used, before, now):
    """Where, and by which commands; and what came of it."""
    commands = {}
    for source, _ in used:
        commands.setdefault(commit_text(source.document["host"], before), []).append(command(source.document, now))
    cells = list({id(r): r for _, r in used if r["median_ns"]}.values())
    return ("; ".join([device_text(used), *(f"{at} by {', '.join(distinct(of))}" for at, of in commands.items()), *compiler_text(used)]),
            f"{spread([len(r['samples_ns']) for r in cells], 'sample')} a cell, "
            f"{spread([r['placements'] for r in cells], 'placement')}; "
            f"{sum(not r['warm'] for r in cells)} of {len(cells)} cells not settled, "
            f"{sum((r['throttled_samples'] or 0) > 0 for r in cells)} throttled")


def in_cache(used):
    """Which rates are not the memory's: all bytes of a run fit the last-level cache of the device."""
    caches = {d["uuid"]: d["cache_bytes"] for source, _ in used for d in source.document["devices"] if d.get("cache_bytes")}
    sizes = distinct(size_text(r) for _, r in used if (bandwidth(r) or 0) and 0 < r["bytes"] <= caches.get(r["device"], 0) and r.get("cache") != "cold")
    return [f"{ranges(sizes, '2^')}: all data fit the L2 cache"] if sizes else []


@cache
def hashes_of_today():
    """{(hash, commit or ""): hash}, of older hashes and of sources that give the same code: bench/results/hashes.txt."""
    with open(os.path.join(ROOT, "bench/results/hashes.txt"), encoding="utf-8") as file:
        lines = [line.split() for line in file if re.match(r"\w+/\w+ \w+ fnv1a64", line)]
    return {(then, *(commit or [""])): today for _, _, then, today, *commit in lines}


def state_of(r, now, commit):
    """Of a result's kernel: "same", "changed" or "unknown" since; None: it has no source."""
    today, then = now.get((f"{r['benchmark']}/{r['variant']}", r["backend"])), r.get("source_hash")
    known, seen = hashes_of_today(), set()
    while then != today and then not in seen:
        seen.add(then)
        then = known.get((then, (commit or "")[:12]), known.get((then, ""), then))
    if not today or then == today:
        return "same" if today else None
    return "changed" if then and then.startswith("fnv1a64/2:") else "unknown"


def rows_text(rows):
    """{API: {(benchmark, row)}}"""
    return "; ".join(
        ", ".join(f"{benchmark}/" + ranges([str(n) for b, n in sorted(of) if b == benchmark]) for benchmark in sorted({b for b, _ in of}))
        + f" ({api})" for api, of in sorted(rows.items()))


def changed_since(used, now):
    rows = {"changed": {}, "unknown": {}}
    for source, r in used:
        found = rows.get(state_of(r, now, source.document["host"].get("commit")))
        if found is not None:
            api = NAMES.get(r["backend"], r["backend"])
            found.setdefault(api, set()).add((r["benchmark"], int(r["variant"].partition("_")[0])))
    return [text + rows_text(rows[state]) for state, text in
            (("changed", "code changed since: "), ("unknown", "not known whether the code changed since: ")) if rows[state]]


def line_under(used, rates, before, above, now):
    """The line, and how its cells were measured. RATES: GB/s are shown. ABOVE: how those of the table before were."""
    how, cells = measured(used, before, now)
    cached = in_cache(used) if rates else []
    text = "as the table above" if how == above else how
    return "\nMeasured " + "; ".join([text, cells, *cached, *changed_since(used, now)]) + ".\n", how


# ---- The rows of a table ---------------------------------------------------------------------------------------------

def row_of(cells):
    return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|"


def check_codes(row, used):
    """A row that mixes figures of a kernel with figures of the kernel before says nothing of either."""
    codes = {}
    for _, r in used:
        codes.setdefault((r["benchmark"], r["variant"], r["backend"], r["dtype"]), set()).add(r.get("source_hash") or r["code_hash"])
    for (benchmark, variant, *_), found in codes.items():
        if len(found) > 1:
            raise Bad(f"the row {row} has cells of {len(found)} codes of {benchmark}/{variant}")


def build(spec, table, before, above, now):
    """The table with the line under it, and how it was measured. TABLE: as it was, BEFORE: its document, ABOVE: as in line_under."""
    sources, rows, columns, corner = parse(spec, table)
    used = []
    lines = [row_of([corner] + [head for head, _, _ in columns]), "|---" * (len(columns) + 1) + "|"]
    for text, filters, texts, own in rows:
        cells, first = [text], len(used)
        for _, more, template in columns:
            def fill(match):
                token = match[1]
                if token.isdigit():
                    return texts[int(token) - 1]
                if re.fullmatch(r"\w+\.\w+/\w+\.\w+( ci\??)?", token):
                    return quotient(sources, token, filters + more, used)
                name, dot, field = token.rpartition(".")
                return figure(sources[name if dot else own], field, filters + more, used)
            cells.append(re.sub(r"\{([^}]+)\}", fill, template).strip(" /"))
            cells[-1] = "" if cells[-1] == ";" else cells[-1]
        check_codes(text, used[first:])
        lines.append(row_of(cells))
    line, how = line_under(used, "GBps" in spec, before, above, now)
    return "\n".join(lines) + "\n" + line, how


# ---- The documents ---------------------------------------------------------------------------------------------------

def without_a_source(text):
    """The lines at which tables begin that have figures, and say neither where they are from nor why not."""
    text = BLOCK.sub(lambda m: "\n" * m[0].count("\n"), text)
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if line.startswith("|") and not lines[i - 1].startswith("|") and not re.match("<!-- (from|no file:) ", lines[i - 1]):
            table = "\n".join(lines[i:]).split("\n\n")[0]
            if re.search(r"\d\.\d", table):
                yield i + 1


def check(program, write):
    """Returns the exit code."""
    listed = subprocess.run([program, "list", "sources"], check=True, capture_output=True, text=True).stdout.split()
    now = {(name, api): digest for name, api, digest in zip(*[iter(listed)] * 3)}
    lacking = {"cpu", "cuda", "d3d12", "vulkan"} - {api for _, api in now}
    if lacking:  # each build of this tree names all of them, whatever it compiles and with what
        print(f"{program} knows no sources for {', '.join(sorted(lacking))}: it is of another version")
        return 1
    tables = bad = 0
    for name in DOCUMENTS:
        path = os.path.join(ROOT, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        result, end, above = "", 0, None
        for block in BLOCK.finditer(text):
            tables += 1
            line = text.count("\n", 0, block.start()) + 1
            try:
                table, above = build(block[1], block[2], text, above, now)
            except (Bad, KeyError, OSError, ValueError) as error:
                print(f"{name}:{line}: {type(error).__name__}: {error}")
                table, bad = block[2], bad + 1
            if table != block[2] and not write:
                bad += 1
                print(f"{name}:{line}: does not follow from its sources; script/figures tables XBENCH --write writes:\n{table}")
            result += text[end:block.start(2)] + table
            end = block.end(2)
        result += text[end:]
        for line in without_a_source(result):
            bad += 1
            print(f"{name}:{line}: the table names no source")
        if write and result != text:
            with open(path, "w", encoding="utf-8") as file:
                file.write(result)
    print(f"{tables} tables, {bad} bad")
    return 1 if bad or not tables else 0
