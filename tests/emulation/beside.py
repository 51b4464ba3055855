"""beside.py XBENCH SCHEMA ROOT: without a GPU, CUDA's kernels run beside Vulkan's. They are checked, and their times are compared
with nothing."""

import csv
import io
import json
import os
import re
import unittest

import results

QUICK = "-q --min-time 0.0005 --max-time 0.002"


class Beside(results.Case):
    def test_two_columns(self):
        out, _ = self.run_to_end(f"{QUICK} reduce/9 scan/5 -n 1000 --json r.json --csv r.csv --wide")
        self.assertIn("| cuda on cpu", out)
        self.assertEqual(len(re.findall(r"\nall rows of cuda on cpu: .*\bemulated\b", out)), 2, out)  # once a table
        self.assertEqual(out.count("emulated"), 4, out)  # and in the line of the device
        document = self.check(self.load("r.json"))
        vulkan, cpu = document["devices"]
        self.assertEqual([d["backend"] for d in (vulkan, cpu)], ["vulkan", "cpu"])
        self.assertEqual((cpu["emulated"], cpu["emulates"], cpu["uuid"]), (True, "cuda", vulkan["uuid"]))
        self.assertEqual((vulkan["emulated"], vulkan["emulates"]), (False, None))
        own = [r for r in document["results"] if not r["yardstick"] and not any(p["value"] for p in r["at"] or [])]
        self.assertEqual([(r["variant"], r["backend"], r["outcome"], r["verified"]) for r in own],
                         [(v, b, "ok", True) for v in ("9_single_pass", "5_fallback") for b in ("vulkan", "cpu")])
        with open(self.path("r.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({(r["backend"], r["emulated"]) for r in rows}, {("vulkan", "false"), ("cpu", "true")})

    def test_hidden(self):
        """On its own by name, and hidden on request."""
        out, _ = self.run_to_end(f"{QUICK} --backend cpu reduce/9 -n 1000")
        self.assertNotIn("vulkan", out)
        self.assertIn("emulated", out)
        out, _ = self.run_to_end(f"{QUICK} reduce/9 -n 1000", env={**os.environ, "XB_NO_EMULATION": "1"})
        self.assertNotIn("cuda on cpu", out)
        _, err = self.run_to_end(f"{QUICK} --backend cpu reduce/9", 3, env={**os.environ, "XB_NO_EMULATION": "1"})
        self.assertIn("XB_NO_EMULATION", err)

    def test_formats(self):
        out, _ = self.run_to_end(f"{QUICK} reduce/9 -n 1000 --format markdown")
        self.assertRegex(out, r"\| cuda on cpu \|.*\| emulated\b")
        out, _ = self.run_to_end(f"{QUICK} --backend cpu reduce/9 -n 1000 --format gbench")
        self.assertTrue(all(b["emulated"] for b in json.load(io.StringIO(out))["benchmarks"]))

    def test_no_verdict(self):
        """compare, diff and report tell whether results are right, and judge no times."""
        out, _ = self.run_to_end(f"compare {QUICK} reduce/9 -n 1000 --dtype int32 --json c.json")
        self.assertIn("emulated on the CPU: its time is ignored; same bits: yes", out)
        comparison = self.check(self.load("c.json"))["comparisons"][0]
        self.assertEqual((comparison["verdict"], comparison["ratio"], comparison["same_bits"]), (None, None, True))
        self.run_to_end(f"{QUICK} --backend cpu reduce/3 reduce/9 -n 1000 --json a.json")
        with open(self.path("a.json"), encoding="utf-8") as file:
            slow = json.load(file)
        for result in slow["results"]:
            for key in ("samples_ns", "median_ns", "ci95_ns"):
                value = result[key]
                result[key] = [10 * x for x in value] if isinstance(value, list) else value and 10 * value
        with open(self.path("b.json"), "w", encoding="utf-8") as file:
            json.dump(slow, file)
        out, _ = self.run_to_end("diff a.json b.json")
        self.assertIn("0 regressions", out)

    def test_unsupported(self):
        """Each kernel that does not run says why, by name."""
        out, _ = self.run_to_end(f"{QUICK} --backend cpu reduce/10 -n 1000", None)
        self.assertIn("no native calls", out)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    results.main()
