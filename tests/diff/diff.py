"""diff.py XBENCH SOURCE_FOLDER: tests xbench diff as a CI job uses it."""
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import jsonschema

import terminals

XBENCH, SOURCE = sys.argv[1], sys.argv[2]
RESULTS = os.path.join(SOURCE, "bench/results/h200-2026-11-21")
REDUCE, TRANSPOSE = (os.path.join(RESULTS, name) for name in ("reduce_api_placed_once.json", "transpose_ladder.json"))


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def slower(result, factor):
    result["samples_ns"] = [factor * ns for ns in result["samples_ns"]]


def fail(result, error="reduce/9: the sum is 41", outcome=None):
    """Changes the cell as a run writes a failed cell."""
    measured = ("batch", "median_ns", "ci95_ns", "spread_ns", "outliers", "warm_up_rounds", "warm", "stopped_by", "floor_ns",
                "host_ns", "gbps", "percent_of_peak", "percent_of_copy")
    result.update(dict.fromkeys(measured), verified=False, error=error, samples_ns=[], host_samples_ns=[])
    if outcome:
        result["outcome"] = outcome


class Diff(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="xbench-diff-")
        self.addCleanup(self.folder.cleanup)
        self.schema = jsonschema.Draft202012Validator(load(os.path.join(SOURCE, "docs/diff.schema.json")))

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def save(self, document, name="new.json"):
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump(document, file)
        return self.path(name)

    def cells(self, document):
        return [r for r in document["results"] if not r["yardstick"]]

    repeated = set()

    def diff(self, *arguments, expect=0):
        """Runs xbench diff; if it succeeds, runs the first of each kind again and expects the same output."""
        done = subprocess.run([XBENCH, "diff", *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, expect, (arguments, done.stdout[-2000:], done.stderr))
        if expect in (0, 1, 5) or (expect == 6 and "--json" in arguments):
            self.assertRegex(done.stderr, {6: r"\Axbench: diff: \d+ of \d+ cells .*\n\Z", 0: r"\A\Z", 1: r"\Axbench: diff: \d+ of \d+ cells? fails?\n\Z",
                                           5: r"\Axbench: diff: \d+ of \d+ cells? (is|are) slower\n\Z"}[expect])
            kind = self.id(), expect, *(word for word in arguments if word.startswith("--"))
            if kind not in self.repeated:
                self.repeated.add(kind)
                again = subprocess.run([XBENCH, "diff", *arguments], capture_output=True, text=True, check=False)
                self.assertEqual(again.stdout, done.stdout)
            return done.stdout
        self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
        return done.stderr

    def compared(self, *arguments, expect=0):
        self.diff("--json", self.path("diff.json"), *arguments, expect=expect)
        document = load(self.path("diff.json"))
        self.assertEqual([e.message for e in self.schema.iter_errors(document)], [])
        self.assertEqual(document["exit_code"], expect)
        for verdict, count in document["counts"].items():
            self.assertEqual(sum(c["verdict"] == verdict for c in document["cells"]), count)
        return document

    # ---- Verdicts ------------------------------------------------------------------------------------------------

    def test_against_itself(self):
        for seed in range(6):
            counts = self.compared(REDUCE, REDUCE, "--seed", str(seed))["counts"]
            self.assertEqual((counts["regression"], counts["improvement"], counts["failing"]), (0, 0, 0))
            self.assertGreater(counts["unchanged"], 25)
        for name in (name for name in os.listdir(RESULTS) if name.endswith(".json")):
            self.compared(os.path.join(RESULTS, name), os.path.join(RESULTS, name))

    def test_planted_slowdown(self):
        """A slowdown of 5 % in one cell is found in this cell only."""
        document = load(REDUCE)
        planted = next(r for r in document["results"] if r["size"] == 2**28 and r["backend"] == "vulkan")
        slower(planted, 1.05)
        found = self.compared(REDUCE, self.save(document), expect=5)
        self.assertEqual(found["counts"]["regression"], 1)
        cell = found["cells"][0]
        self.assertEqual((cell["verdict"], cell["backend"], cell["size"]), ("regression", "vulkan", 2**28))
        self.assertAlmostEqual(cell["ratio"], 1.05, places=6)
        self.assertTrue(1.03 < cell["ci95_ratio"][0] < 1.05 < cell["ci95_ratio"][1] < 1.07)
        out = self.diff(REDUCE, self.path("new.json"), expect=5)
        self.assertRegex(out, r"(?m)^regression +reduce/9_single_pass vulkan, float32, 268435456 \(2\^28\).* 1\.050 .*same code")
        self.assertRegex(out, "1 regression, .*threshold 3 %")

    def test_not_here(self):
        """Cells that cannot run here, by both files for the same reason, are counted in one line."""
        document = load(REDUCE)
        cells = self.cells(document)
        for cell in cells[:2]:
            fail(cell, None, "no_counterpart")
            cell["reason"] = "only CUDA has it"
        base = self.save(document, "base.json")
        for arguments in [], ["--markdown"]:
            out = self.diff(*arguments, base, base).replace("\\", "")
            self.assertEqual((out.count("no time"), out.count("no counterpart")), (0, 0), out)
            self.assertIn("2 cells are without a time in both files, for the same reasons\n", out)
            self.assertIn("2 without a time", out)
        self.assertEqual(self.compared(base, base)["counts"]["no time"], 2)
        cells[0]["reason"] = "nobody has it"
        fail(cells[1], "lost")
        cells[1]["outcome"] = "failed"
        for arguments in [], ["--markdown"]:
            out = self.diff(*arguments, base, self.save(document)).replace("\\", "") # of Markdown
            self.assertNotIn("either file", out)
            self.assertIn("new no counterpart: nobody has it; base no counterpart: only CUDA has it", out)
            self.assertIn("new FAILED: lost; base no counterpart: only CUDA has it", out)
        failing = self.diff(self.path("new.json"), self.path("new.json")) # it fails twice, which is not hidden
        self.assertIn("new FAILED: lost; base FAILED: lost", failing)
        self.assertIn("1 cell is without a time in both files, for the same reason\n", failing)

    def test_planted_everywhere(self):
        document = load(REDUCE)
        for r in self.cells(document):
            slower(r, 1.05)
        found = self.compared(REDUCE, self.save(document), expect=5)
        self.assertGreater(found["counts"]["regression"], 15)
        self.assertEqual(found["counts"]["unchanged"], 0)
        self.assertAlmostEqual(found["geometric_means"][0]["ratio"], 1.05, places=6)
        self.assertGreater(found["geometric_means"][0]["ci95_ratio"][0], 1.04)

    def test_threshold(self):
        document = load(REDUCE)
        for r in self.cells(document):
            slower(r, 1.05)
        new = self.save(document)
        self.assertEqual(self.compared(REDUCE, new, "--threshold", "10%")["counts"]["regression"], 0)
        self.assertGreater(self.compared(REDUCE, new, "--threshold", "4%", expect=5)["counts"]["regression"], 10)
        self.assertEqual(self.compared(new, REDUCE)["counts"]["regression"], 0)
        self.assertGreater(self.compared(new, REDUCE)["counts"]["improvement"], 15)

    def test_threshold_of_a_cpu(self):
        document = load(REDUCE)
        for device in document["devices"]:
            device["type"] = "cpu"
        self.assertEqual(self.compared(REDUCE, self.save(document))["threshold"], 0.1)

    def test_samples_of_a_cpu_have_to_lie_apart(self):
        base = load(REDUCE)
        for device in base["devices"]:
            device["type"] = "cpu"
        for r in self.cells(base):
            r.update(samples_ns=[1000 + 40 * (i * 7 % 11) for i in range(110)], placements=1, host_samples_ns=[])
        for factor, regressions in ((1.3, 0), (1.6, 30)):  # in both, the medians are far apart
            new = copy.deepcopy(base)
            for r in self.cells(new):
                slower(r, factor)
            found = self.compared(self.save(base, "base.json"), self.save(new), expect=5 if regressions else 0)
            self.assertEqual(found["counts"]["regression"], regressions)
            self.assertGreater(found["cells"][0]["ci95_ratio"][0], 1.2)
            self.assertEqual(self.compared(self.path("new.json"), self.path("base.json"))["counts"]["improvement"], regressions)

    def test_unclear(self):
        throttled, few, zero = (load(REDUCE) for _ in range(3))
        for r in self.cells(throttled):
            slower(r, 1.5)
            r.update(throttle=["power"], throttled_samples=3)
        counts = self.compared(REDUCE, self.save(throttled))["counts"]
        self.assertEqual((counts["regression"], counts["unclear"]), (0, 30))
        for r in self.cells(few):
            slower(r, 1.5)
            r.update(samples_ns=r["samples_ns"][:9], host_samples_ns=[])
        self.assertIn("fewer than 10 samples", self.diff(REDUCE, self.save(few)))
        slower(self.cells(zero)[0], 0)
        self.assertIn("some of the times are 0", self.diff(REDUCE, self.save(zero)))

    def test_placements_are_resampled(self):
        """If 8 placements scatter by 10 %, one pair of runs cannot resolve 5 %."""
        base = load(REDUCE)
        for r in self.cells(base):
            r["samples_ns"] = [1000 * (1 + 0.1 * (i % 8 % 3)) for i in range(24)]
            r["placements"] = 8
        new = copy.deepcopy(base)
        for r in self.cells(new):
            slower(r, 1.05)
        found = self.compared(self.save(base, "base.json"), self.save(new))
        self.assertEqual((found["counts"]["regression"], found["counts"]["unclear"]), (0, 30))

    def test_one_place_against_several(self):
        """A run with one placement, for lack of memory, cannot be compared with a run with several."""
        base = load(REDUCE)
        for r in self.cells(base):
            r["samples_ns"], r["placements"] = [1000 + i % 8 for i in range(24)], 8
        new = copy.deepcopy(base)
        for r in self.cells(new):
            slower(r, 1.5)
            r.update(placements=1, crowded=True)
        counts = self.compared(self.save(base, "base.json"), self.save(new))["counts"]
        self.assertEqual((counts["regression"], counts["unclear"]), (0, 30))
        self.assertIn("new had memory for one placement only", self.diff(self.path("base.json"), self.path("new.json")))
        for r in self.cells(base):
            r.update(samples_ns=[1000 + i % 8 for i in range(24)], placements=1, crowded=True)
        self.assertEqual(self.compared(self.save(base, "base.json"), self.path("new.json"), expect=5)["counts"]["regression"], 30)

    def test_decided(self):
        """Too few decided cells are an exit code of their own. A cell that is surely not slower is decided, how much faster or not."""
        base = load(REDUCE)
        for r in self.cells(base):
            r["samples_ns"], r["placements"] = [1000 * (1 + 0.1 * (i % 8 % 3)) for i in range(24)], 8
        new = copy.deepcopy(base)
        for r in self.cells(new)[:20]:
            slower(r, 0.9)
        pair = self.save(base, "base.json"), self.save(new)
        found = self.compared(*pair)
        self.assertEqual((found["counts"]["unclear"], found["decided"], found["timed"]), (30, 20, 30))
        self.assertEqual({c["reason"] for c in found["cells"] if c["decided"]}, {"not slower; whether faster is unclear"})
        self.assertIn("20 of 30 certainly no regression\n10 cells may be slower by more than 3 %: measure again (xbench diff BASE --again -- RUN), ", self.diff(*pair, "--min-decided", "60%"))
        done = subprocess.run([XBENCH, "diff", *pair, "--min-decided", "70%"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 6)
        self.assertEqual(done.stderr, "xbench: diff: 20 of 30 cells are decided, and --min-decided asks for 70 %\n")
        done = subprocess.run([XBENCH, "diff", *pair, "--fail-on", "unclear"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr),
                         (6, "xbench: diff: 30 of 30 cells are unclear, and --fail-on unclear allows none\n"))
        self.diff(*pair, "--fail-on", "regression")

    # ---- Cells in one file only ----------------------------------------------------------------------------------

    def test_failing(self):
        for outcome in (None, "wrong", "failed", "unsupported", "no_counterpart", "interrupted"):
            document = load(REDUCE)
            fail(self.cells(document)[3], outcome=outcome)
            slower(self.cells(document)[4], 1.5)  # failing has priority over regression
            new = self.save(document)
            found = self.compared(REDUCE, new, expect=1)
            self.assertEqual((found["counts"]["failing"], found["counts"]["regression"]), (1, 1))
            self.assertEqual(found["cells"][0]["new"]["outcome"], outcome or "failed")
            lines = self.diff(REDUCE, new, expect=1).splitlines()
            first = lines[lines.index("") + 2]
            self.assertRegex(first, r"^failing .*new (WRONG|FAILED|not here|no counterpart|interrupted): reduce/9: the sum is 41")

    def test_wrong_in_both(self):
        document = load(REDUCE)
        fail(self.cells(document)[0], outcome="wrong")
        new = self.save(document)
        self.assertEqual(self.compared(new, new, expect=1)["counts"]["failing"], 1)
        fail(self.cells(document)[0], outcome="failed")
        new = self.save(document)
        self.assertEqual(self.compared(new, new)["counts"]["no time"], 1)

    def test_wrong_yardstick(self):
        document = load(REDUCE)
        fail(next(r for r in document["results"] if r["yardstick"]), outcome="wrong")
        self.assertEqual(self.compared(REDUCE, self.save(document), expect=1)["counts"]["failing"], 1)

    def test_fixed(self):
        document = load(REDUCE)
        fail(self.cells(document)[0])
        self.assertEqual(self.compared(self.save(document), REDUCE)["counts"]["fixed"], 1)

    def test_missing_and_new(self):
        document = load(REDUCE)
        removed = self.cells(document)[0]
        twin = copy.deepcopy(removed)
        twin["variant"] = "11_new"
        document["results"] = [twin] + [r for r in document["results"] if r is not removed]
        document["comparisons"] = []
        new, name = self.save(document), "reduce/" + removed["variant"]
        found = self.compared(REDUCE, new, expect=6)
        self.assertEqual((found["counts"]["missing"], found["counts"]["new"]), (1, 1))
        self.assertEqual(found["timed"], len(self.cells(load(REDUCE))))  # it is one of those to decide
        done = subprocess.run([XBENCH, "diff", REDUCE, new], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, f"xbench: diff: 1 of {found['timed']} cells of the base is missing: if that is meant, allow "
                                      f"it with --may-go {name}\n")
        for names in (name, "reduce", f"transpose,{name}"):
            self.assertEqual(self.compared(REDUCE, new, "--may-go", names)["timed"], found["timed"] - 1)
        for names in ("transpose", "red", "reduce/1", name + "x", name[:-1], ",", "reduces"):
            self.compared(REDUCE, new, "--may-go", names, expect=6)
        for r in (removed, twin):  # what had no time cannot be slower under another name
            fail(r, outcome="wrong")
        base = load(REDUCE)
        fail(self.cells(base)[0], outcome="wrong")
        self.compared(self.save(base, "base.json"), new)

    def test_not_here_in_one_and_absent_in_the_other(self):
        """Neither missing nor new: no file ever had it."""
        for outcome in ("unsupported", "no_counterpart"):
            document = load(REDUCE)
            twin = copy.deepcopy(self.cells(document)[0])
            twin["variant"] = "11_elsewhere"
            fail(twin, outcome=outcome)
            document["results"].append(twin)
            document["comparisons"] = []
            more = self.save(document)
            for pair in ((more, REDUCE), (REDUCE, more)):
                counts = self.compared(*pair)["counts"]
                self.assertEqual((counts["missing"], counts["new"], counts["no time"]), (0, 0, 1))
                out = self.diff(*pair)
                self.assertNotIn("11_elsewhere", out)
                self.assertIn("1 cell is without a time in both files, for the same reason\n", out)

    def test_twice_in_a_run(self):
        """Cells that occur twice are paired in order."""
        document = load(REDUCE)
        document["comparisons"] = []
        document["results"] += copy.deepcopy(self.cells(document))
        base = self.save(document, "base.json")
        for r in self.cells(document)[30:]:
            slower(r, 2)
        found = self.compared(base, self.save(document), expect=5)
        self.assertEqual((found["counts"]["regression"], len(found["cells"])), (30, 60))

    def test_more_often_in_one(self):
        """A cell that only one of the two has again is not compared, and that is said."""
        document = load(REDUCE)
        document["comparisons"] = []
        document["results"] += copy.deepcopy(self.cells(document)[:1])
        slower(document["results"][-1], 10)
        new = self.save(document)
        for pair, verdict, reason in (((REDUCE, new), "new", "measured again, but fewer times in the base: not compared"),
                                      ((new, REDUCE), "missing", "measured again, but fewer times in new: not compared")):
            cell, = [c for c in self.compared(*pair)["cells"] if c["verdict"] == verdict]
            self.assertEqual(cell["reason"], reason)
            self.assertRegex(self.diff(*pair), rf"(?m)^{verdict} .* {reason}$")

    def test_another_benchmark(self):
        document, other = load(REDUCE), load(TRANSPOSE)
        document["results"] += other["results"]
        document["devices"] += other["devices"]
        document["comparisons"] = []
        counts = self.compared(REDUCE, self.save(document))["counts"]
        self.assertEqual((counts["new"], counts["missing"]), (len(self.cells(other)), 0))

    # ---- Refusals ------------------------------------------------------------------------------------------------

    def test_flushed_bytes(self):
        """What was written before each run is a condition, where both files have it."""
        paths = {}
        for size in (4, 8 << 20):
            document = load(REDUCE)
            document["comparisons"] = []
            for r in document["results"]:
                r.update(cache="cold", flush_bytes=size)
            paths[size] = self.save(document, f"{size}.json")
        self.assertRegex(self.diff(paths[4], paths[8 << 20], expect=2), "other flushed bytes of reduce \\(base: 4; new: 8388608\\)")

    def test_idle_shared(self):
        """Shared memory that groups take and do not use is a condition; older files have none."""
        document = load(REDUCE)
        document["comparisons"] = []
        for r in document["results"]:
            r["idle_shared_bytes"] = 16384
        self.assertRegex(self.diff(REDUCE, self.save(document), expect=2),
                         "other reserved shared memory of reduce \\(base: none; new: 16384\\)")

    def refuse_unless_forced(self, change, pattern, forced_counts):
        document = load(REDUCE)
        document["comparisons"] = []
        change(document)
        new = self.save(document)
        self.assertRegex(self.diff(REDUCE, new, expect=2), f"xbench: diff: not measured alike: {pattern}.*--force")
        found = self.compared("--force", REDUCE, new)
        self.assertEqual({k: v for k, v in found["counts"].items() if v and k not in ("unclear", "unchanged")},
                         forced_counts)
        self.assertTrue(found["differences"])
        self.assertRegex(self.diff("--force", REDUCE, new), "(?m)^other ")
        return found

    def test_other_device(self):
        def change(document):
            for item in document["devices"]:
                item.update(uuid="00000000-0000-0000-0000-00000000002a", name="Another GPU")
            for r in document["results"]:
                r["device"] = "00000000-0000-0000-0000-00000000002a"
            for item in document["devices"] + document["results"]:  # queue indices differ between vendors
                for field in ("queue_family", "compute_queue_family"):
                    if item.get(field) is not None:
                        item[field] += 1
        found = self.refuse_unless_forced(change, r"other devices of reduce \(base: NVIDIA H200 \([0-9a-f]{8}-.*; new: Another GPU "
                                                  r"\(0000", {})
        self.assertEqual(len(found["cells"]), 30)

    def test_other_device_without_a_uuid(self):
        def change(document):
            for item in document["devices"]:
                item.update(uuid=None)
            for r in document["results"]:
                r["device"] = None
        self.refuse_unless_forced(change, r"other devices of reduce .*without a UUID", {})

    def test_other_sizes(self):
        def change(document):
            for r in self.cells(document):
                r["size"] += r["size"] == 2**16
        self.refuse_unless_forced(change, r"other sizes of reduce \(base: 65536, 131072, 262144, 524288 \.\.\. 15 in all; new: "
                                          r"65537, ", {"missing": 2, "new": 2})

    def test_fewer_sizes(self):
        def change(document):
            document["results"] = [r for r in document["results"] if r["size"] != 2**16]
        self.refuse_unless_forced(change, "other sizes of reduce", {"missing": 2})

    def test_one_api_is_gone(self):
        def change(document):
            document["results"] = [r for r in document["results"] if r["backend"] != "cuda"]
        self.refuse_unless_forced(change, r".*other APIs of reduce \(base: cuda, vulkan; new: vulkan\), other launch modes of "
                                          r"reduce \(base: command_buffer, graph; new: command_buffer\)", {"missing": 15})

    def test_other_conditions(self):
        for field, value, what in (("dtype", "int32", "element types"), ("block", 64, "group sizes"),
                                   ("cache", "cold", "caches"), ("loop", "kernel", "loops")):
            def change(document, field=field, value=value):
                self.cells(document)[0][field] = value
            self.refuse_unless_forced(change, f"other {what} of reduce", {"missing": 1, "new": 1})

    def test_other_compilers(self):
        """Compared only on request, as long as nothing else differs; a file that does not name its compiler, with any."""
        document = load(REDUCE)
        pair = (REDUCE, self.save(document))
        document["host"]["shader_compiler"] = "dxc 1.8.0.4597"
        self.save(document)
        self.assertRegex(self.diff(*pair, expect=2), r"other compilers of reduce \(base: nvcc .*, glslc .*; new: nvcc .*, dxc "
                                                     r"1.8.0.4597\); build both .*--across compiler")
        found = self.compared("--across", "compiler", *pair)
        self.assertEqual([d["what"] for d in found["differences"]], ["compilers"])
        self.assertEqual(len(found["cells"]), len(self.cells(document)))
        self.assertEqual(found["cells"], self.compared("--force", *pair)["cells"])
        self.assertIn("other compilers of reduce: base nvcc", self.diff("--across", "compiler", *pair))
        self.cells(document)[0]["cache"] = "cold"
        self.save(document)
        self.assertRegex(self.diff("--across", "compiler", *pair, expect=2), r"alike: other caches .*\); measure both .*--force")
        document = load(REDUCE)
        del document["host"]["shader_compiler"]
        self.save(document)
        self.assertFalse(self.compared(*pair)["differences"])

    def test_nothing_in_common(self):
        self.assertIn("no benchmark in common", self.diff(REDUCE, TRANSPOSE, expect=2))
        self.assertIn("no benchmark in common", self.diff("--force", REDUCE, TRANSPOSE, expect=2))
        document = load(REDUCE)
        for r in self.cells(document):
            r["variant"] = "1_other"
        self.assertIn("nothing was compared", self.diff(REDUCE, self.save(document), expect=2))
        document["results"], document["comparisons"] = [], []
        self.assertIn("no benchmark in common", self.diff(REDUCE, self.save(document), expect=2))

    def test_bad_files(self):
        document = load(REDUCE)
        document["schema"] = "xbench/3"
        self.assertIn("is of version 'xbench/3'", self.diff(REDUCE, self.save(document), expect=2))
        with open(REDUCE, "rb") as file, open(self.path("cut.json"), "wb") as cut:
            cut.write(file.read(70000))
        self.assertIn("incomplete", self.diff(self.path("cut.json"), REDUCE, expect=2))
        self.assertIn("No such file", self.diff(REDUCE, self.path("nowhere"), expect=2))
        self.assertIn("is a directory", self.diff(REDUCE, self.folder.name, expect=2))

    def test_many_devices(self):
        document = load(REDUCE)
        document["devices"] = document["devices"][:1] * 100000
        before = os.times().children_user  # not by the clock: the machine may be busy
        self.assertIn("devices: expected at most 256", self.diff(self.save(document), REDUCE, expect=2))
        self.assertLess(os.times().children_user - before, 60)

    def test_bad_command_lines(self):
        for arguments, told in (((), "no files"), ((REDUCE,), "one file"), ((REDUCE,) * 3, "more than two files"),
                                (("--threshold", "x", REDUCE, REDUCE), "--threshold: 'x': expected a percentage"),
                                (("--threshold", "-1%", REDUCE, REDUCE), "--threshold: '-1%': expected a percentage"),
                                (("--seed", "x", REDUCE, REDUCE), "--seed: 'x'"),
                                (("--frobnicate", REDUCE, REDUCE), "--frobnicate: unknown option"),
                                (("--min-decided", "101%", REDUCE, REDUCE), "--min-decided: '101%'"),
                                (("--fail-on", "x", REDUCE, REDUCE), "--fail-on"), (("--again", REDUCE), "what to measure"), (("--again", REDUCE, "list"), "benchmarks to run"),
                                ((REDUCE, "--again", "--", "compare", "reduce"), "benchmarks to run"),
                                ((REDUCE, "--again", "--", "reduec"), "did you mean 'reduce'"),
                                ((REDUCE, "--again", "--", "reduce", "--json", REDUCE), "is the base"),
                                (("--json", "-", REDUCE, REDUCE), "--json: '-': expected the name of a file"),
                                (("--json", REDUCE, REDUCE, REDUCE), "is one of the compared files"),
                                (("--json", "/etc/passwd/none/x", REDUCE, REDUCE), "/etc/passwd/none/x: cannot be written")):
            self.assertIn(told, self.diff(*arguments, expect=2))
        help_text = subprocess.run([XBENCH, "diff", "--help"], capture_output=True, text=True, check=True).stdout
        for option in ("--threshold", "--force", "--markdown", "--json"):
            self.assertIn(option, help_text)

    def test_several_bases(self):
        """Runs of the base tell how much runs differ; they are all named, and measured alike."""
        bases, new = [], load(REDUCE)
        for i, factor in enumerate((1, 1.001, 1.1)):
            document = load(REDUCE)
            for result in document["results"]:
                slower(result, factor)
                if result["median_ns"]:
                    result["median_ns"] *= factor
            bases.append(self.save(document, f"base{i}.json"))
        for result in new["results"]:
            slower(result, 1.2)
            if result["median_ns"]:
                result["median_ns"] *= 1.2
        new = self.save(new)
        one = self.compared(bases[0], new, expect=5)
        self.assertEqual(self.compared("--base", bases[0], new, expect=5), one)
        steady = self.compared("--base", bases[0], "--base", bases[1], new, expect=5)
        self.assertEqual(steady["counts"]["regression"], one["counts"]["regression"])
        unsteady = self.compared("--base", bases[0], "--base", bases[2], new)
        self.assertEqual(unsteady["counts"]["regression"], 0)
        self.assertIn("another run could be as fast as the base", {c["reason"] for c in unsteady["cells"]})
        self.assertIn("base, too: base1.json: xbench", self.diff("--base", bases[0], "--base", bases[1], new, expect=5).replace(
            self.folder.name + "/", ""))
        other = self.save({**load(REDUCE), "results": [dict(r, size=1000) for r in load(REDUCE)["results"]]}, "other.json")
        self.assertIn("other sizes", self.diff("--base", bases[0], "--base", other, new, expect=2))
        for arguments, said in ((("--base", bases[0], "--base", bases[0], new), "is given twice"),
                                (("--base", bases[0]), "one file"), (("--base", bases[0], new, new), "more than two files"),
                                (("--base", new) * 5 + (new,), "5 files, at most 4"),
                                (("--json", bases[1], "--base", bases[0], "--base", bases[1], new), "is one of the compared files")):
            self.assertIn(said, self.diff(*arguments, expect=2))

    def test_output_is_an_input(self):
        """A document that is compared is not overwritten, by whatever name."""
        base, new = self.save(load(REDUCE), "base.json"), self.save(load(REDUCE))
        os.symlink("base.json", self.path("link"))
        os.link(new, self.path("hard"))
        for name in (base, os.path.join(self.folder.name, ".", "new.json"), os.path.relpath(base), self.path("link"),
                     self.path("hard")):
            self.assertIn("is one of the compared files", self.diff("--json", name, base, new, expect=2))
        self.assertEqual(load(base), load(REDUCE))
        self.assertEqual(len(os.listdir(self.folder.name)), 4)

    def test_full_disk(self):
        done = subprocess.run([XBENCH, "diff", "--json", "/dev/full", REDUCE, REDUCE], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([XBENCH, "diff", REDUCE, REDUCE], stdout=full, stderr=subprocess.PIPE, text=True,
                                  check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("stdout: cannot be written", done.stderr)

    # ---- The two sides -------------------------------------------------------------------------------------------

    def test_sides(self):
        """Date, commit, device and driver of both are printed. Files that are swapped, or of one run, are warned about."""
        base, new = load(REDUCE), load(REDUCE)
        for document, day, driver in ((base, 21, "570.1"), (new, 22, "580.2")):
            document["host"].update(date=f"2026-11-{day}T08:00:00Z", commit=f"{day}" * 20, modified=day == 22)
            for device in document["devices"]:
                device["driver"] = driver
        for r in self.cells(new):
            slower(r, 1.001)
        pair = self.save(base, "base.json"), self.save(new)
        out = self.diff(*pair)
        self.assertRegex(out, r"(?m)^base  .*base.json: xbench [0-9.]+ \(212121212121\), 2026-11-21T08:00:00Z, \d+ results")
        self.assertRegex(out, r"(?m)^new   .*new.json: xbench [0-9.]+ \(222222222222, modified\), 2026-11-22T08:00:00Z, ")
        self.assertRegex(out, r"(?m)^vulkan on NVIDIA H200, 580.2; base: 570.1$")
        self.assertRegex(self.diff(*pair, "--markdown"), r"(?m)^- vulkan on NVIDIA H200, 580.2; base\\?: 570.1$")
        self.assertNotIn("warning", out)
        found = self.compared(*pair)
        self.assertEqual((found["base"]["date"], found["new"]["commit"], found["warning"]), ("2026-11-21T08:00:00Z", "22" * 20, None))
        for files, told in ((pair[::-1], "new is older than base: are the two swapped?"),
                            ((pair[0], pair[0]), "base and new have the same samples: both come from one run")):
            self.assertIn(f"warning: {told}\n", self.diff(*files))
            self.assertEqual(self.compared(*files)["warning"], told)

    # ---- Output --------------------------------------------------------------------------------------------------

    def hostile(self):
        document = load(REDUCE)
        bad = "\x1b[2J|<b>`x`\u202e\u009b[31m\n* [a](http://b)"
        for device in document["devices"]:
            device.update(name=bad, driver=bad)
        document["host"]["version"] = bad
        for r in document["results"]:
            r.update(benchmark=bad, dtype=bad)
        fail(self.cells(document)[0], error=bad)
        return self.save(document, "hostile\x1b[2J.json")

    def test_nothing_of_a_file_reaches_the_terminal(self):
        path = self.hostile()
        for arguments in ((path, path), (path, path, "--markdown"), (REDUCE, path, "--force")):
            done = subprocess.run([XBENCH, "diff", *arguments], capture_output=True, check=False)
            text = (done.stdout + done.stderr).decode()
            self.assertGreater(len(text), 40)
            for character in "\x1b\x9b\u202e\u009b\r\t":
                self.assertNotIn(character, text)
            if "--markdown" in arguments:
                self.assertNotRegex(text, r"(?m)^\* |<b>|[^\\]\[a\]")
                self.assertTrue(all(l.count("|") - l.count("\\|") == 8 for l in text.splitlines() if l.startswith("|")))

    def test_queue_families(self):
        """One API with two queue families: cells are compared with cells of the same queue family."""
        path = os.path.join(RESULTS, "families.json")
        document = load(path)
        slower([r for r in self.cells(document) if r["queue_family"] == 0][0], 1.2)
        out = self.diff(path, self.save(document), expect=5)
        self.assertRegex(out, r"(?m)^regression +transpose/5_padded vulkan, family 0, ")
        self.assertRegex(out, r"(?m)^vulkan on NVIDIA H200, family 2, .*\nvulkan on NVIDIA H200, family 0, ")
        cell = self.compared(path, self.path("new.json"), expect=5)["cells"][0]
        self.assertEqual((cell["verdict"], cell["queue_family"]), ("regression", 0))
        self.assertEqual(len(re.findall(r"(?m)^unchanged .* vulkan, family [02], ", out)), len(self.cells(document)) - 1)

    def test_markdown(self):
        document = load(REDUCE)
        slower(self.cells(document)[-1], 1.2)
        out = self.diff(REDUCE, self.save(document), "--markdown", expect=5)
        self.assertRegex(out, r"^### xbench diff: 30 cells: 1 regression, \d unclear, \d\d unchanged; threshold 3 %; \d\d of 30 certainly no regression\n")
        self.assertRegex(out, r"\| \*\*regression\*\* \| reduce/9\\_single\\_pass .* \| 942\.1 us \| 1\.131 ms \| 1\.200 \|")
        self.assertRegex(out, r"<details><summary>\d\d unchanged")

    def test_colour(self):
        """Colours appear on a terminal only, unless they are turned off."""
        document = load(REDUCE)
        slower(self.cells(document)[0], 1.5)
        new = self.save(document)
        for environment, wanted in ((("TERM", "xterm"), True), (("NO_COLOR", "1"), False), (("TERM", "dumb"), False)):
            with self.subTest(environment):
                self.assertEqual("\x1b[31mregression" in self.on_a_terminal(new, environment), wanted)
        self.assertNotIn("\x1b", self.diff(REDUCE, new, expect=5))

    @staticmethod
    def on_a_terminal(new, variable):
        environment = {k: v for k, v in os.environ.items() if k not in ("TERM", "NO_COLOR")} | dict([variable])
        return terminals.on_terminal([XBENCH, "diff", REDUCE, new], environment, stderr=None)[1]


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
