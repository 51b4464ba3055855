"""labels.py XBENCH LABELS [SOURCES]: scores `xbench guide --scan` and `xbench guide WORD` against LABELS/*.labels, which say what is right.
A section [FILE] is a source in LABELS, [OWNER/REPOSITORY COMMIT PATH] a public source, which lies in the folder SOURCES
(SOURCES/OWNER/REPOSITORY/PATH): those that are not there are counted, and with none the test is skipped. Its labels are LINE CONSTRUCT, or
LINE CONSTRUCT: RIGHT-ROW ALSO-FITTING-ROW..., with a semicolon between them; constructs.list has the rows of the first kind. A section
[words] has words that people look up and their rows, also with a semicolon between: WORDS, WORDS...: RIGHT-ROW OTHER-RIGHT-FIRST-ROW...

recall: labels whose first row the scan lists at the label's line. precision: pairs of a word and a row that a scan lists where a label
of that row has the word, or stands in one of the lines. Prints each miss with VERBOSE=1."""
import json
import os
import re
import subprocess
import sys

# The least share of labels, pairs, words and first rows that has to be right.
LEAST = {"recall": 0.98, "precision": 0.90, "words": 0.98, "first": 0.90}
VERBOSE = os.environ.get("VERBOSE")


def lines_of(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return [line for line in file.read().splitlines() if line and not line.startswith("# ")]


def constructs():
    """The rows of the constructs of constructs.list."""
    pairs = (line.rsplit(": ", 1) for line in lines_of(os.path.dirname(os.path.abspath(__file__)), "constructs.list"))
    return {construct: rows.split() for names, rows in pairs for construct in names.split("; ")}


def sections(folder):
    """[(title, [(line or None, construct, [row...])])] of all files of labels."""
    found, known = [], constructs()
    for line in (line for name in sorted(os.listdir(folder)) if name.endswith(".labels") for line in lines_of(folder, name)):
        if line.startswith("[") and line.endswith("]"):
            found.append((line[1:-1], []))
            continue
        for label in line.rstrip(";").split("; "):
            if found[-1][0] == "words":
                text, rows = label.rsplit(": ", 1)
                found[-1][1].extend((None, word, rows.split()) for word in text.split(", "))
            else:
                number, _, construct = label.partition(" ")
                construct, _, rows = (construct, None, None) if construct in known else construct.rpartition(": ")
                found[-1][1].append((int(number), construct, rows.split() if rows else known[construct]))
    return found


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def score_source(xbench, path, labels):
    """(labels found, labels, pairs that fit, pairs)"""
    result = run(xbench, "guide", "--scan", path, "--json", "/dev/stdout")
    if result.returncode:
        raise SystemExit(f"--scan {path}: exit code {result.returncode}: {result.stderr}")
    rows = {row["row"]: row["found"] for row in json.loads(result.stdout)["files"][0]["rows"]}
    found = 0
    for line, construct, right in labels:
        good = any(line in what["lines"] for what in rows.get(right[0], []))
        found += good
        if VERBOSE and not good:
            print(f"  missed: {path}:{line} {construct}: {right[0]}")
    fitting = pairs = 0
    for row, whats in rows.items():
        of_row = [label for label in labels if row in label[2]]
        for what in whats:
            fits = any(line in what["lines"] or re.search(rf"(?<!\w){re.escape(construct)}(?!\w)", what["what"])
                       for line, construct, _ in of_row)
            fitting += fits
            pairs += 1
            if VERBOSE and not fits:
                print(f"  does not fit: {path}:{what['lines'][0]} {what['what']}: {row}")
    return found, len(labels), fitting, pairs


def score_words(xbench, labels):
    """(words found, words with a right first row, words)"""
    found = first = 0
    for _, words, right in labels:
        rows = re.findall(r"docs/guide/\w+\.md#([\w-]+)\)$", run(xbench, "guide", *words.split()).stdout, re.M)
        found += bool(set(rows) & set(right))
        first += bool(rows) and rows[0] in right
        if VERBOSE and not (rows and rows[0] in right):
            print(f"  {words}: {rows[:4]}, expected {right}")
    return found, first, len(labels)


def check(what, part, whole):
    share = part / whole
    print(f"{what}: {part} of {whole}, {100 * share:.1f} %; expected at least {100 * LEAST[what]:.0f} %")
    return share >= LEAST[what]


def main():
    xbench, folder, *sources = sys.argv[1:]
    total, words, missing = [0, 0, 0, 0], [0, 0, 0], 0
    for title, labels in sections(folder):
        if title == "words":
            words = [a + b for a, b in zip(words, score_words(xbench, labels))]
            continue
        owner, _, path = title.split(" ") if sources else (folder, "", title)
        path = os.path.join(*sources, owner, path)
        if sources and not os.path.exists(path):
            missing += 1
            continue
        score = score_source(xbench, path, labels)
        print(f"{title}: {score[0]} of {score[1]} labels, {score[2]} of {score[3]} pairs fit")
        total = [a + b for a, b in zip(total, score)]
    if missing:
        print(f"skipped: {missing} public sources are not in {sources[0]}")
    if sources and not total[1]:
        return 77
    good = [check("recall", *total[:2]), check("precision", *total[2:])]
    if not sources:
        good += [check("words", words[0], words[2]), check("first", *words[1:])]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
