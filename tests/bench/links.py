"""links.py XBENCH SCREENS DOCUMENT [SHIM]: pairs of devices. Their results as a matrix: in a document with four devices, and
in runs on a device that the loader in the folder SHIM lists twice. Without SHIM only the document is tested."""
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import patience

XBENCH, SCREENS, DOCUMENT = sys.argv[1:4]
SHIM = sys.argv[4] if len(sys.argv) > 4 else None
QUICK = "--min-time", "0.002", "--max-time", "0.01", "--placements", "1", "-n", "2^12"
MATRIX = re.compile(r"^links/(\d)_(\w+) through (.+), n = (.+): (\S+) from device \(row\) to device \(column\)\n((?:.+\n)+)", re.M)


def matrices(text):
    """(variant, unit): the lines, as lists of words."""
    return {(int(m[1]), m[5]): [line.split() for line in m[6].splitlines()] for m in MATRIX.finditer(text)}


def of_four():
    """Each pair of four devices: of a copy 100 * from + to, but none from 2 to 3; of the latency ten times that."""
    with open(DOCUMENT, encoding="utf-8") as file:
        document = json.load(file)
    like = next(r for r in document["results"] if not r["yardstick"] and r["outcome"] == "ok")
    document.update(results=[], comparisons=[], geometric_means=[], benchmarks=[
        {"name": "links", "title": "a title", "ladder": False, "quoted": [],
         "axes": [{"name": name, "title": "a device", "base": 0} for name in ("from", "to")]}])
    for variant, unit, factor in (("1_copy", "GB/s", 1), ("3_latency", "ns", 10)):
        for i in range(16):
            value = factor * (100 * (i // 4) + i % 4 + 0.25)
            cell = copy.deepcopy(like) | {
                "benchmark": "links", "variant": variant, "size": 4096, "model": None,
                "at": [{"axis": "from", "value": i // 4}, {"axis": "to", "value": i % 4}],
                "metrics": [{"name": "value", "unit": unit, "value": value, "more_is_better": True}]}
            if (i // 4, i % 4) == (2, 3):
                cell.update(outcome="unsupported", error="no peer access", metrics=[], samples_ns=[], host_samples_ns=[],
                            median_ns=None, ci95_ns=None)
            document["results"].append(cell)
    return document


class Document(unittest.TestCase):
    def test_four_devices(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(of_four(), file)
            file.flush()
            text = subprocess.run([SCREENS, file.name], capture_output=True, text=True, check=True).stdout
        self.assertIn("""
links/1_copy through vulkan, n = 4096 (2^12): GB/s from device (row) to device (column)
            0        1        2        3
   0     0.25     1.25     2.25     3.25
   1   100.25   101.25   102.25   103.25
   2   200.25   201.25   202.25      N/A
   3   300.25   301.25   302.25   303.25

links/3_latency through vulkan, n = 4096 (2^12): ns from device (row) to device (column)
            0        1        2        3
   0     2.50    12.50    22.50    32.50
""", text)
        self.assertEqual(set(matrices(text)), {(1, "GB/s"), (3, "ns")})


@unittest.skipUnless(SHIM, "no loader that lists a device twice")
class Run(unittest.TestCase):
    def run_links(self, *arguments, exit_code=0, **environment):
        done = subprocess.run([XBENCH, *QUICK, "--backend", "vulkan", *arguments], capture_output=True, text=True, timeout=patience.S,
                              env=os.environ | {"LD_LIBRARY_PATH": SHIM} | environment)
        self.assertEqual(done.returncode, exit_code, done.stdout + done.stderr)
        return done.stdout

    def test_two_devices(self):
        """Both ways are between two devices, copies with the host are of one, and all the others are of each pair."""
        found = matrices(self.run_links("links", XB_SHIM_SEMAPHORES="1", XB_SHIM_TWICE="1"))
        self.assertEqual(set(found), {(1, "GB/s"), (2, "GB/s"), (3, "ns"), (4, "GB/s"), (5, "GB/s"), (6, "GB/s")})
        for (variant, _), lines in found.items():
            self.assertEqual([line[0] for line in lines], ["0", "0", "1"])
            for row in (0, 1):
                for column in (0, 1):
                    value = lines[row + 1][column + 1]
                    if (variant == 2 and row == column) or (variant > 3 and row != column):
                        self.assertEqual(value, "N/A", variant)
                    else:
                        self.assertGreater(float(value), 0, variant)

    def test_one_device(self):
        text = self.run_links("links")
        self.assertIn("device 1 does not exist through vulkan", text)
        self.assertEqual(matrices(text)[1, "GB/s"][2], ["1", "N/A", "N/A"])

    def test_queues(self):
        """The two copies with the host are on queues of their own."""
        found = matrices(self.run_links("links/6", "--at", "from=0", "--at", "to=0", XB_SHIM_QUEUES="8"))
        self.assertGreater(float(found[6, "GB/s"][1][1]), 0)

    def test_what_is_refused(self):
        for variant, origin, to, why in ((1, 0, 7, "device 7 does not exist through vulkan"), (2, 0, 0, "copies both ways need two devices"),
                                         (4, 0, 1, "copies with the host use one device")):
            text = self.run_links(f"links/{variant}", "--at", f"from={origin}", "--at", f"to={to}", exit_code=3,
                                  XB_SHIM_SEMAPHORES="1", XB_SHIM_TWICE="1")
            self.assertIn(why, text)
            self.assertEqual(matrices(text), {})

    def test_memory_that_cannot_be_shared(self):
        text = self.run_links("links/1", XB_SHIM_TWICE="1", XB_SHIM_FAIL="vkGetMemoryFdKHR:1:-2", exit_code=4)
        self.assertEqual(sum("vkGetMemoryFdKHR" in line for line in text.splitlines()), 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
