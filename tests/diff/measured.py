"""measured.py XBENCH SOURCE_FOLDER: tests xbench diff --again on a device. The verdicts are planted: the machine may be busy."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import jsonschema

import patience

XBENCH, SOURCE = sys.argv[1], sys.argv[2]
ARGS = "--quiet --backend vulkan --min-time 0.002 --max-time 0.01 -n 2^10,2^12 reduce/7 reduce/9".split()


def run(*words):
    return subprocess.run([XBENCH, *words], capture_output=True, text=True, check=False)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def measures(pid):
    """Has it a process that measures, and handles signals?"""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        children = file.read().split()
    return bool(children) and all(map(patience.handles_endings, children))


class Measured(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="xbench-diff-")
        self.addCleanup(folder.cleanup)
        self.base, self.new, self.out = (os.path.join(folder.name, name) for name in ("base.json", "new.json", "diff.json"))
        self.schema = jsonschema.Draft202012Validator(load(os.path.join(SOURCE, "docs/diff.schema.json")))
        self.assertEqual(run(*ARGS, "--json", self.base).returncode, 0)

    def scale(self, factor, chosen=lambda result: True):
        document = load(self.base)
        for r in filter(chosen, document["results"]):
            r["samples_ns"] = [ns * factor for ns in r["samples_ns"]]
        with open(self.base, "w", encoding="utf-8") as file:
            json.dump(document, file)

    def again(self, expect, *options):
        """`expect`: the possible exit codes. On a busy CPU even a large difference may be unclear."""
        done = run("diff", *options, "--json", self.out, self.base, "--again", "--", *ARGS, "--json", self.new)
        self.assertIn(done.returncode, expect, done.stdout)
        self.assertRegex(done.stderr, r"\A(xbench: diff: [^\n]*\n)?\Z" if done.returncode else r"\A\Z")
        diff = load(self.out)
        self.assertEqual([e.message for e in self.schema.iter_errors(diff)], [])
        self.assertEqual(len(load(self.new)["results"]), len(load(self.base)["results"]))
        return diff["cells"]

    def test_regression_is_seen_in_every_run(self):
        self.scale(1e-4)
        cells = self.again((0, 5))
        self.assertTrue(all((c["verdict"], c["runs"], c["decided"]) in (("regression", 4, True), ("unclear", 4, False)) for c in cells), cells)
        first = {(r["variant"], r["size"]): len(r["samples_ns"]) for r in load(self.new)["results"]}
        for c in cells:
            self.assertGreater(c["new"]["samples"], first[c["variant"], c["size"]])

    def test_improvement_is_seen_in_every_run(self):
        """One run does not tell how much runs differ; it is decided all the same."""
        self.scale(1e4)
        self.assertEqual([(c["runs"], c["decided"]) for c in self.again((0,), "--min-decided", "100%")], [(4, True)] * 4)

    def test_only_what_is_open_is_measured_again(self):
        """A cell without a time in the base is not compared, so it is not open."""
        slower = lambda r: (r["variant"], r["size"]) == ("9_single_pass", 2**12)
        self.scale(1e-4, slower)
        document = load(self.base)
        for r in document["results"]:
            if not r["yardstick"] and not slower(r):
                r.update(dict.fromkeys(("batch", "median_ns", "ci95_ns", "spread_ns", "outliers", "host_ns")), verified=False, error="why",
                         outcome="failed", samples_ns=[], host_samples_ns=[])
        with open(self.base, "w", encoding="utf-8") as file:
            json.dump(document, file)
        cells = self.again((0, 5))
        self.assertEqual([(c["variant"], c["size"], c["runs"]) for c in cells if c["runs"] > 1], [("9_single_pass", 2**12, 4)])

    def test_refused(self):
        done = run("diff", self.base, "--again", "--", *ARGS, "-n", "2^11")
        self.assertEqual(done.returncode, 2)
        self.assertIn("not measured alike: other sizes", done.stderr)
        done = run("diff", self.base, "--again", "--", *ARGS, "--device", "nowhere")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (3, "", 1))
        done = run("diff", self.base, "--again", "--", *ARGS, "--json", "/etc/passwd/none/x")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("nothing was done", done.stderr)
        for command in (ARGS, ["pair"]):
            done = run("diff", self.base, "--again", "--", *command, *["x"] * 256)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", "xbench: more than 255 words after --\n"))

    def test_interrupted(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)):
            process = subprocess.Popen([XBENCH, "diff", self.base, "--again", "--", *ARGS, "--min-time", "3600", "--max-time", "3600"],
                                       start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            patience.until(lambda: measures(process.pid), "nothing is measured")
            if number == signal.SIGINT:
                os.killpg(process.pid, number)  # as a terminal does
            else:
                process.send_signal(number)
            out, err = process.communicate(timeout=patience.S)  # ends when the process that measures has closed stderr
            self.assertEqual((process.returncode, out), (code, ""))
            if number == signal.SIGINT:
                self.assertEqual(err, "xbench: interrupted; there is no verdict\n")


if __name__ == "__main__":
    probe = run(*ARGS)
    if probe.returncode == 3 and "vulkan" not in os.environ.get("XB_REQUIRE", ""):
        print(probe.stderr)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
