"""schemas.py XBENCH SOURCE: this folder has a file of every schema that a version of the program wrote. The test loads the
result documents, compares each with itself and reports them. It needs no device."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import patience

try:
    from jsonschema import Draft202012Validator
except ImportError as missing:
    sys.exit(f"{sys.executable}: {missing}: install it (Debian: apt-get install python3-jsonschema)")

XBENCH, SOURCE = (os.path.abspath(path) for path in sys.argv[1:3])
FOLDER = os.path.join(SOURCE, "tests", "schemas")
MOST_BYTES = 10000
DESCRIBED = {"xbench/1": "tests/schemas/xbench-1.schema.json", "xbench/2": "docs/results.schema.json",
             "xbench-diff/1": "docs/diff.schema.json", "xbench-isa/1": "docs/isa.schema.json", "xbench-isa/2": "docs/isa.schema.json"}
OLDEST = "xbench-1-oldest.json"  # from before these fields
LATER = {"outcome", "crowded", "compute_queue_family"}


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def kept():
    """[(name, document)] of this folder, without the schemas."""
    names = sorted(os.path.basename(path) for path in glob.glob(os.path.join(FOLDER, "*.json")))
    return [(name, load(os.path.join(FOLDER, name))) for name in names if not name.endswith(".schema.json")]


def results():
    return [(name, document) for name, document in kept() if document["schema"].startswith("xbench/")]


class Schemas(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="xbench-schemas-")
        self.addCleanup(shutil.rmtree, self.folder)

    def run_to_end(self, *arguments, exit_code=0):
        process = subprocess.run([XBENCH, *arguments], cwd=FOLDER, capture_output=True, text=True, timeout=patience.S)
        self.assertEqual(process.returncode, exit_code, f"xbench {arguments}\n{process.stdout}{process.stderr}")
        return process.stdout + process.stderr

    def test_each_is_kept(self):
        """Every schema has a file here. A new schema in the program needs a new file."""
        written = {"xbench/1"}  # by older versions
        for path in glob.glob(os.path.join(SOURCE, "bench", "**", "*.c"), recursive=True):
            with open(path, encoding="utf-8") as file:
                written |= set(re.findall(r'"(xbench(?:-[a-z]+)*/\d+)\\?"', file.read()))
        self.assertEqual({document["schema"] for _, document in kept()}, written)

    def test_names(self):
        for name, document in kept():
            self.assertTrue(name.startswith(document["schema"].replace("/", "-")), name)
            self.assertLess(os.path.getsize(os.path.join(FOLDER, name)), MOST_BYTES, name)

    def test_described(self):
        for name, document in kept():
            path = DESCRIBED.get(document["schema"])
            if path:
                schema = Draft202012Validator(load(os.path.join(SOURCE, path)))
                self.assertEqual([e.message[:200] for e in schema.iter_errors(document)], [], name)

    def test_oldest(self):
        document = load(os.path.join(FOLDER, OLDEST))
        self.assertEqual(set().union(*document["results"]) & LATER, set())
        self.assertTrue(all("queue_family" not in c["subject"] for c in document["comparisons"]))

    def test_diff(self):
        """Compares each document with itself."""
        for name, document in results():
            told = self.run_to_end("diff", name, name)
            cells = [r for r in document["results"] if not r["yardstick"]]
            self.assertIn(f"{len(cells)} cells: 0 regressions", told, name)
            for r in cells:
                if r["median_ns"] is None and r["outcome"] in ("unsupported", "no_counterpart"):
                    self.assertIn("without a time in both files", told, name)
                    continue
                self.assertIn(f"{r['benchmark']}/{r['variant']} ", told, name)
            without = sum(r["median_ns"] is None for r in cells)
            self.assertIn(f", {without} without a time" if without else "; threshold", told, name)

    def test_diff_of_two_schemas(self):
        told = self.run_to_end("diff", "xbench-1-compare.json", "xbench-2-compare.json", "--threshold", "100%")
        self.assertRegex(told, r"3 cells: 0 regressions")

    def test_report(self):
        """Makes a page of each document, then one of all."""
        names = [name for name, _ in results()]
        for files in [[name] for name in names] + [names]:
            path = os.path.join(self.folder, "page.html")
            self.run_to_end("report", *files, "-o", path)
            with open(path, encoding="utf-8") as file:
                page = file.read()
            for name, document in results():
                for r in document["results"]:
                    if name in files:
                        shown = f"{r['benchmark']} {r['variant'].replace('_', ' ', 1)}"
                        self.assertTrue(shown in page, (shown, files))

    def test_others_are_refused(self):
        for name, document in kept():
            if (name, document) not in results() and not document["schema"].startswith("xbench-isa/"):
                self.run_to_end("report", name, "-o", os.path.join(self.folder, "page.html"), exit_code=2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
