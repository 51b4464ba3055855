"""share.py XBENCH SOURCE: `xbench share` names no machine and no person, and `script/figures results` refuses files that do. It needs no
device."""
import json
import lzma
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

from jsonschema import Draft202012Validator

import patience

XBENCH, SOURCE = (os.path.abspath(path) for path in sys.argv[1:3])
KEPT = os.path.join(SOURCE, "tests", "schemas")
SHARED = os.path.join(SOURCE, "docs", "results")
PAGE = os.path.join(SOURCE, "script", "figures")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="xbench-share-")
        self.addCleanup(shutil.rmtree, self.folder)

    def run_to_end(self, *words, exit_code=0):
        process = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=patience.S,
                                 env={**os.environ, "USER": "mallory"})
        self.assertEqual(process.returncode, exit_code, f"{words}\n{process.stdout}{process.stderr}")
        return process

    def path(self, name):
        return os.path.join(self.folder, name)


class Share(Folder):
    def share(self, document, *options):
        with open(self.path("mine.json"), "w", encoding="utf-8") as file:
            json.dump(document, file)
        return self.run_to_end(XBENCH, "share", *options, "mine.json")

    def test_every_version(self):
        """The copy is a valid document of the newest schema, with all samples, and other commands read it."""
        schema = Draft202012Validator(load(os.path.join(SOURCE, "docs", "results.schema.json")))
        for name in "xbench-1-oldest.json", "xbench-1.json", "xbench-2.json", "xbench-2-compare.json":
            before = load(os.path.join(KEPT, name))
            self.share(before)
            after = load(self.path("mine.shared.json"))
            if name.startswith("xbench-2"):
                self.assertEqual([error.message for error in schema.iter_errors(after)], [], name)
            self.assertEqual([r["samples_ns"] for r in after["results"]], [r["samples_ns"] for r in before["results"]])
            self.assertEqual([r["median_ns"] for r in after["results"]], [r["median_ns"] for r in before["results"]])
            again = self.run_to_end(XBENCH, "share", "-o", "again.json", "mine.shared.json")
            self.assertEqual(load(self.path("again.json")), after)
            self.assertIn(" 0 paths", again.stderr)

    def test_names(self):
        host = socket.gethostname()
        document = load(os.path.join(KEPT, "xbench-2-compare.json"))
        uuid = document["devices"][0]["uuid"]
        document["devices"][0]["pci"] = "0000:c1:00.0"
        document["host"]["kernel"] = "6.1.0-acme-secret"
        document["host"]["compiler_flags"] = "-O2 -I/home/mallory/include -ffile-prefix-map=/srv/acme=."
        document["unknown"] = "acme"
        document["results"][0]["remark"] = f"made by mallory on {host}, in ~/acme/my.cu: ../acme 1/2 GB/s reduce/9 https://example.org/a"
        said = self.share(document)
        with open(self.path("mine.shared.json"), encoding="utf-8") as file:
            text = file.read()
        for secret in ("mallory", "acme", "0000:c1", uuid, f"on {host}"):
            self.assertNotIn(secret, text)
        after = json.loads(text)
        self.assertEqual(after["results"][0]["remark"], "made by USER on HOST, in PATH ../acme 1/2 GB/s reduce/9 https://example.org/a"
                         .replace("../acme", "PATH"))
        self.assertEqual(after["host"]["compiler_flags"], "-O2 -IPATH -ffile-prefix-map=PATH")
        self.assertEqual(after["host"]["kernel"], "6.1.0")
        self.assertRegex(said.stderr, r"\b6 paths and names")
        # Each device is still that of its results.
        places = {d["uuid"]: i for i, d in reversed(list(enumerate(document["devices"])))}
        others = {d["uuid"]: i for i, d in reversed(list(enumerate(after["devices"])))}
        self.assertEqual([others[r["device"]] for r in after["results"]], [places[r["device"]] for r in document["results"]])
        self.run_to_end(XBENCH, "report", "mine.shared.json", "-o", "page.html")

    def test_lines(self):
        """At most ten lines; CSV has all rows."""
        document = load(os.path.join(KEPT, "xbench-2-compare.json"))
        many = [dict(r, benchmark=f"b{i}") for i in range(12) for r in document["results"]]
        said = self.share(dict(document, results=many, comparisons=[], geometric_means=[]), "--dry-run").stdout
        self.assertEqual(len(said.splitlines()), 10, said)
        self.assertTrue(said.startswith("**"), said)
        small = dict(document["results"][0], metrics=[{"name": "bandwidth", "unit": "GB/s", "value": 0.0827118, "more_is_better": True}])
        said = self.share(dict(document, results=[small], comparisons=[], geometric_means=[]), "--dry-run").stdout
        self.assertIn(" 0.08271 GB/s |", said)  # as in a table
        rows = self.share(dict(document, results=many, comparisons=[], geometric_means=[]), "--format", "csv").stdout
        self.assertGreaterEqual(len(rows.splitlines()), 13, rows)
        ratio = document["comparisons"][0]
        said = self.share(document, "--dry-run").stdout
        self.assertIn(f"{ratio['ratio']:.3f} \\[{ratio['ci95_ratio'][0]:.3f}, {ratio['ci95_ratio'][1]:.3f}\\]", said)

    def test_files(self):
        document = load(os.path.join(KEPT, "xbench-2.json"))
        document["devices"], document["results"] = document["devices"][:1], document["results"][:1]
        said = self.share(document, "--dry-run").stderr
        self.assertRegex(said, r"^The shared file would have: .* of 1 device; .*\n.*; 1 result with all samples, of [\w, ]+\.\nIt has no UUIDs")
        self.assertEqual(os.listdir(self.folder), ["mine.json"])
        self.run_to_end(XBENCH, "share", "-o", "mine.json", "mine.json", exit_code=2)
        self.assertEqual(load(self.path("mine.json")), document)
        for words in ([], ["mine.json", "mine.json"], ["none.json"]):
            self.run_to_end(XBENCH, "share", *words, exit_code=2)


class Page(Folder):
    FILE = "nvidia-h200-histogram.json.xz"

    def setUp(self):
        super().setUp()
        for name in "README.md", self.FILE:
            shutil.copy(os.path.join(SHARED, name), self.folder)
        self.page("--write")

    def page(self, *options, exit_code=0):
        return self.run_to_end(sys.executable, "-B", PAGE, "results", XBENCH, *options, self.folder, exit_code=exit_code).stdout

    def change(self, said, change):
        path = self.path(self.FILE)
        with lzma.open(path, "rt") as file:
            document = json.load(file)
        kept = json.dumps(document)
        change(document)
        with lzma.open(path, "wt") as file:
            json.dump(document, file)
        self.assertIn(said, self.page(exit_code=1))
        with lzma.open(path, "wt") as file:
            file.write(kept)
        self.page()

    def test_stored(self):
        self.run_to_end(sys.executable, "-B", PAGE, "results", XBENCH)

    def test_refused(self):
        self.change("UUID", lambda d: d["devices"][0].update(uuid="f9da7100-677f-ea65-c456-d515f342a1b2"))
        self.change("address", lambda d: d["devices"][0].update(pci="0000:00:07.0"))
        self.change("host.kernel", lambda d: d["host"].update(kernel="6.1.0-amd64"))
        self.change("has a path", lambda d: d["results"][0].update(remark="see /home/a/b"))
        self.change("which commit", lambda d: d["host"].update(commit=None))
        self.change("wrong result", lambda d: d["results"][0].update(outcome="wrong"))
        self.change("host.cpu", lambda d: d["host"].update(cpu=5))
        self.change("README.md: its tables", lambda d: d["host"].update(cpu="another"))
        with open(self.path("UPPER.json"), "w", encoding="utf-8") as file:
            file.write("{}")
        self.assertIn("small letters", self.page(exit_code=1))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
