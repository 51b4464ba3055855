"""hostile.py XBENCH RESULTS: puts hostile texts into each text of a result document, and compares the elements of the page
of 'xbench report' with those of the page of the unchanged document."""

import collections
import html.parser
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

XBENCH, RESULTS = (os.path.abspath(path) for path in sys.argv[1:3])
COMPARED = os.path.join(RESULTS, "reduce_cub_large.json")
SEED = 1
HOSTILE = ["<script>broken=1</script>", "\"><img src=x onerror=broken=1>", "' onload='broken=1", "]]>", "<![CDATA[", "<!--", "-->",
           "</style><style>*{}", "</svg></title></td></table><b onclick=1>", "</script>", "&lt;b&gt;", "&#60;b&#62;", "&", "\"'`",
           "javascript:broken=1", "~0~{{x}}%s%n", "\u0001\u0008\u001b[31m\u007f\u0085\u202e", "\ufffe\uffff\U0001f600", "x" * 10000, "<" * 10000]
# Names that one part of a document takes from another.
NAMES = [("devices", "backend"), ("results", "backend"), ("results", "variant"), ("devices", "launch_mode"),
         ("results", "launch_mode")]
# What a chart draws, with the attributes that it may have: which of them there are depends on names, which choose colours.
DRAWN = {"path": {"d", "fill", "stroke", "stroke-width", "stroke-dasharray", "transform"},
         "rect": {"x", "y", "width", "height", "fill", "stroke"},
         "pattern": {"id", "width", "height", "patternunits", "patterntransform"}}
RAW = ["\\ud800", "\\udfff\\ud800", "\\u0000", "\\x", "\udcff"] # refused by the loader, or replaced


class Elements(html.parser.HTMLParser):
    """Counts each element with the names of its attributes, and keeps what may run a program."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.counts, self.dangers = collections.Counter(), []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.counts[(tag, *sorted(name for name, _ in attributes))] += 1
        self.dangers += [tag] if tag in ("script", "iframe", "object", "embed", "img", "base") else []
        self.dangers += [f"{tag} {name}={value}" for name, value in attributes if name.startswith("on")
                         or (name in ("href", "src") and not re.match(r"#|data:(,$|text/csv|image/)", value or ""))]

    def handle_comment(self, data):
        self.counts["comment"] += 1

    def unknown_decl(self, data):
        self.counts["declaration"] += 1

    handle_pi = handle_decl = unknown_decl


def texts_of(value, path=()):
    """The paths of all texts."""
    if isinstance(value, str):
        yield path
    for key, below in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from texts_of(below, (*path, key))


def put(document, path, text):
    for key in path[:-1]:
        document = document[key]
    document[path[-1]] = text


class Hostile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="xbench-hostile-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(COMPARED, encoding="utf-8") as file:
            document = json.load(file)
        # A failed cell has texts of its own.
        failed = next(r for r in document["results"] if not r["yardstick"])
        failed.update(dict.fromkeys(("batch", "median_ns", "ci95_ns", "spread_ns", "outliers", "warm_up_rounds", "warm", "stopped_by",
                                     "floor_ns", "host_ns", "gbps", "percent_of_peak", "percent_of_copy")),
                      verified=False, error="why", reason="why", outcome="failed", samples_ns=[], host_samples_ns=[])
        document["results"][-1]["throttle"] = ["why"]
        self.text = json.dumps(document)
        self.refused = self.shown = 0

    def report(self, text):
        """Returns the elements of the page; None: the document is refused, in one line."""
        for name, old in ("r.json", text), ("p.html", ""):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(old)
        done = subprocess.run([XBENCH, "report", "r.json", "-o", "p.html"], cwd=self.folder, capture_output=True, text=True,
                              errors="replace")
        if done.returncode:
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr[:500])
            self.assertRegex(done.stderr, r"\Axbench: [ -~]*\n\Z")
            self.refused += 1
            return None
        self.shown += 1
        with open(os.path.join(self.folder, "p.html"), encoding="utf-8") as file: # which must be UTF-8
            return Elements(file.read())

    def expect_no_more(self, elements, what):
        """Fewer elements are right: a text that changed may be left out, or belong to no chart."""
        if not elements:
            return
        self.assertEqual(elements.dangers, [], what)
        kinds = {kind for kind in elements.counts if not (kind[0] in DRAWN and set(kind[1:]) <= DRAWN[kind[0]])}
        self.assertLessEqual(kinds, set(self.plain.counts), what)

    def test_texts(self):
        document = json.loads(self.text)
        paths = list(texts_of(document))
        kinds = {}
        for path in paths: # one of each name
            kinds.setdefault(tuple(key for key in path if isinstance(key, str)), []).append(path)
        self.plain = self.report(self.text)
        self.assertEqual(self.plain.dangers, [])
        rng, free = random.Random(SEED), [] # free: kinds that may be any text
        for kind, places in sorted(kinds.items()):
            changed = json.loads(self.text)
            text = rng.choice(HOSTILE)
            put(changed, rng.choice(places), text)
            elements = self.report(json.dumps(changed))
            self.expect_no_more(elements, (kind, text[:80]))
            free += [kind] if elements else []
        self.assertGreater(len(free), 15, free)
        for text in HOSTILE:
            changed = json.loads(self.text)
            for kind in free:
                for path in kinds[kind]:
                    put(changed, path, text)
            for path in (path for kind in NAMES for path in kinds[kind]): # the same name wherever it is used
                old = document
                for key in path:
                    old = old[key]
                put(changed, path, old + text[:60])
            self.expect_no_more(self.report(json.dumps(changed)), text[:80])
        for text in RAW:
            path = rng.choice(paths)
            changed = json.loads(self.text)
            put(changed, path, "PLACE")
            self.expect_no_more(self.report(json.dumps(changed).replace("PLACE", text)), (path, text))
        self.assertGreater(self.shown, len(free) + len(HOSTILE) - 3) # few documents are refused for a text
        print(f"{self.shown} pages, {self.refused} documents refused", file=sys.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
