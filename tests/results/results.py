"""Shared by the tests of this folder: runs xbench in a temporary folder, and checks documents against the schema and
against rules that a schema cannot express."""

import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import unittest

import patience

try:
    from jsonschema import Draft202012Validator
except ImportError as missing:
    sys.exit(f"{sys.executable}: {missing}: install it (Debian: apt-get install python3-jsonschema, /usr/bin/python3; "
             "-DXB_PYTHON3=... chooses another Python)")

XBENCH, SCHEMA = (os.path.abspath(path) for path in sys.argv[1:3]) if len(sys.argv) > 2 else (None, None)
BEFORE = "<!-- of a file that xbench may replace -->"
QUICK = "-q --backend vulkan --min-time 0.002 --max-time 0.01"


# Runs a shell script that may mount something; nobody else sees it.
MOUNTS = ["unshare", "-m" if os.geteuid() == 0 else "-rm", "sh", "-c"]


def can_mount():
    return (shutil.which("unshare") is not None and
            subprocess.run(MOUNTS + ["mount -t tmpfs none /mnt"], capture_output=True, check=False).returncode == 0)


def load_schema():
    with open(SCHEMA, encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def main(*tests):
    """Runs the tests of the calling file, or these. Without a device they are skipped, unless XB_REQUIRE requires one."""
    if not XBENCH:
        sys.exit(f"usage: {sys.argv[0]} XBENCH SCHEMA")
    probe = subprocess.run([XBENCH, "list", "devices", "--backend", "vulkan"], capture_output=True, text=True)
    if probe.returncode == 3 and "vulkan" not in os.environ.get("XB_REQUIRE", ""):
        print(probe.stderr)
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *tests], verbosity=2)


class Case(unittest.TestCase):
    """A test in a temporary folder."""
    parent = None  # where it is made; None: in the usual place

    @classmethod
    def setUpClass(cls):
        cls.schema = load_schema()

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="xbench-results-", dir=self.parent)
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, arguments, **how):
        return subprocess.Popen([XBENCH, *arguments.split()], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **how)

    def run_to_end(self, arguments, exit_code=0, **how):
        """Runs xbench and returns stdout and stderr. exit_code None: any exit code."""
        process = self.start(arguments, **how)
        try:
            out, err = process.communicate(timeout=patience.S)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            self.fail(f"xbench {arguments} did not end within {patience.S:g} s\n{out}{err}")
        if exit_code is not None:
            self.assertEqual(process.returncode, exit_code, f"xbench {arguments}\n{out}{err}")
        return out, err

    @staticmethod
    def finish(process):
        """Returns the rest of stdout and stderr after lines were read (communicate() loses buffered text); both are
        short."""
        rest = process.stdout.read(), process.stderr.read()
        process.wait(patience.S)
        process.stdout.close()
        process.stderr.close()
        return rest

    @staticmethod
    def await_handlers(pid):
        patience.until(lambda: patience.handles_endings(pid), f"process {pid} handles no signals")

    def load(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def check(self, document, what="document"):
        """Checks the schema and the invariants."""
        wrong = [f"{'/'.join(map(str, error.path))}: {error.message[:200]}"
                 for error in self.schema.iter_errors(document)]
        wrong += invariants(document)
        self.assertEqual(wrong, [], what)
        return document

    def leftovers(self):
        return sorted(name for name in os.listdir(self.folder) if ".part-" in name)


# ---- Tables ----------------------------------------------------------------------------------------------------------

def printed_cells(out):
    """(benchmark, element type, size, number) of each complete line of a sweep's tables."""
    cells, benchmark = [], None
    for line in re.findall(r".*\n", out):
        heading = re.match(r"(\w+): .* cache", line)
        cell = re.match(r" *(\d+) (\w+) +(?:(\w+)/)?(\d+)_\w", line)
        if heading:
            benchmark = heading[1]
        elif cell and cell[2] in ("float32", "int32"):
            cells.append((cell[3] or benchmark, cell[2], int(cell[1]), int(cell[4])))
    return cells


def saved_cells(results):
    """The same for results, or for rows of a CSV file."""
    return [(r["benchmark"], r["dtype"], int(r["size"]), int(r["variant"].split("_")[0])) for r in results]


# ---- Rules that a schema cannot express ------------------------------------------------------------------------------

def quantile(ordered, q):
    at = q * (len(ordered) - 1)
    i = int(at)
    return ordered[i] + (at - i) * (ordered[i + 1] - ordered[i]) if i + 1 < len(ordered) else ordered[-1]


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-9)


def target(side):
    """A family tells two columns of an emulation apart."""
    return side["backend"], side["device"], side["launch_mode"], side.get("queue_family") if side["backend"] == "cpu" else None


def invariants(document):
    """The names of the rules that the document breaks."""
    wrong = []
    for i, result in enumerate(document["results"]):
        wrong += [f"result {i}: {text}" for text in of_result(result, document)]
    for i, comparison in enumerate(document["comparisons"]):
        wrong += [f"comparison {i}: {text}" for text in of_comparison(comparison, document)]
    for i, mean in enumerate(document["geometric_means"]):
        wrong += [f"geometric mean {i}: {text}" for text in of_mean(mean, document)]
    return wrong


def broken(rules):
    return [text for text, holds in rules.items() if not holds]


def of_result(r, document):
    samples, host = r["samples_ns"], r["host_samples_ns"]
    rules = {
        "device is listed": target({**r, "device": r["device"]}) in [target({**d, "device": d["uuid"]})
                                                                    for d in document["devices"]],
        "as many samples by either clock": len(samples) == len(host),
        "throttled samples are samples": (r["throttled_samples"] or 0) <= len(samples),
        "reasons for throttled samples": not r["throttled_samples"] or r["throttle"],
    }
    rules["hash of what was checked"] = (r["output_hash"] is not None) <= (r["median_ns"] is not None)
    if r["median_ns"] is not None:
        rules.update(of_times(r, sorted(levelled(r)), host))
        rules.update(of_interval(r, samples))
        rules["floor"] = r["floor_ns"] is None or any(is_floor(f, r) for f in document["results"])
    return broken(rules)


def levelled(r):
    """The samples, scaled so that all placements have the same median: differences between placements are not noise."""
    samples, placements = r["samples_ns"], r["placements"]
    if placements == 1:
        return samples
    medians = medians_of(samples, placements)
    return [sample / medians[i % placements] * r["median_ns"] for i, sample in enumerate(samples)]


def of_times(r, ordered, host):
    low, high = quantile(ordered, 0.25), quantile(ordered, 0.75)
    fence = 3 * (high - low)
    kernel = r["loop"] == "kernel"
    return {
        "median": close(r["median_ns"], middle(r["samples_ns"], r["placements"])),
        "median within its interval": r["ci95_ns"][0] <= r["median_ns"] <= r["ci95_ns"][1],
        "spread": math.isclose(r["spread_ns"], high - low, rel_tol=1e-9, abs_tol=1e-9),
        "outliers": r["outliers"] == sum(s < low - fence or s > high + fence for s in ordered),
        "bandwidth": [m["value"] for m in r["metrics"] if m["name"] == "bandwidth"] ==
                     ([r["bytes"] / r["median_ns"]] if r["bytes"] else []),
        "host time": (r["host_ns"] is None if r["cache"] == "cold" or r.get("restore_ns") else
                      close(r["host_ns"], middle(host, r["placements"]))),
        "repeats": (r["repeats"] is not None) == (r["linear_ns"] is not None) == kernel,
    }


# 97.5 % quantiles of Student's t, by degrees of freedom.
STUDENT = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706, 6: 2.4469, 7: 2.3646}


def medians_of(samples, placements):
    return [statistics.median(samples[i::placements]) for i in range(min(placements, len(samples)))]


def middle(samples, placements):
    """The median or, with several placements, the mean of their medians."""
    return statistics.mean(medians_of(samples, placements))


def of_interval(r, samples):
    low, high = r["ci95_ns"]
    if r["placements"] == 1:
        wider = r["autocorrelation"] > 0 or 5 < len(samples) < 16  # few samples do not show that they are alike
        return {"ends of the interval": wider or min(samples) <= low <= high <= max(samples)}
    medians = medians_of(samples, r["placements"])
    rules = {"interval around the mean": low == 0 or close((low + high) / 2, r["median_ns"])}  # a time is not below zero
    if len(medians) - 1 in STUDENT:
        half = STUDENT[len(medians) - 1] * statistics.stdev(medians) / math.sqrt(len(medians))
        rules["Student's interval"] = math.isclose(high - r["median_ns"], half, rel_tol=1e-6) or (
            (r["autocorrelation"] > 0 or 5 < len(samples) < 16) and high - r["median_ns"] > half)
    return rules


def is_floor(floor, r):
    """True if the floor is the time of as many dependent dispatches, divided by the repetitions of each."""
    if (floor["benchmark"], floor["variant"].split("_")[0]) != ("launch", "1") or target(floor) != target(r):
        return False
    dispatches = r["floor_ns"] * (r["repeats"] or 1) / floor["median_ns"] if floor["median_ns"] else 0
    return round(dispatches) >= 1 and close(dispatches, round(dispatches))


def of_side(side, c, document):
    if side["result"] >= len(document["results"]):
        return ["a result that is there"]
    r = document["results"][side["result"]]
    return broken({
        "side is the result's": (side["variant"], *target(side)) == (r["variant"], *target(r)),
        "question is the result's": (c["benchmark"], c["dtype"], c["size"]) == (r["benchmark"], r["dtype"], r["size"]),
    })


def judge(low, high, margin):
    if low >= 1 / (1 + margin) and high <= 1 + margin:
        return "same"
    return "faster" if high < 1 / (1 + margin) else "slower" if low > 1 + margin else "unclear"


def of_comparison(c, document):
    wrong = [text for side in (c["subject"], c["base"]) if side for text in of_side(side, c, document)]
    if wrong or c["verdict"] is None:
        return wrong
    subject, base = (document["results"][c[side]["result"]] for side in ("subject", "base"))
    counts = len(subject["samples_ns"]), len(base["samples_ns"])
    verdict = judge(*c["ci95_ratio"], c["margin"])
    hashes = [subject["output_hash"], base["output_hash"]]
    return broken({
        "same bits": c["same_bits"] == (hashes[0] == hashes[1] if all(hashes) else None),
        "ratio of medians": c["ratio"] == subject["median_ns"] / base["median_ns"],
        "interval in order": c["ci95_ratio"][0] <= c["ci95_ratio"][1],
        "rounds": c["rounds"] == min(counts) and max(counts) - min(counts) <= (subject["stopped_by"] == "interrupted"),
        "verdict": c["verdict"] == verdict or (c["verdict"] == "unclear" and c["reason"]),
        "reason for what is unclear": c["verdict"] != "unclear" or c["reason"],
        "floors": (c["ratio_less_floors"] is None) == (None in (subject["floor_ns"], base["floor_ns"])),
    })


def of_mean(m, document):
    """Pairs with only a nearest counterpart are in no mean."""
    of = [c for c in document["comparisons"] if c["base"] and c["benchmark"] == m["benchmark"] and
          (target(c["subject"]), target(c["base"])) == (target(m["subject"]), target(m["base"])) and
          not any(document["results"][c[side]["result"]]["counterpart"] for side in ("subject", "base"))]
    ratios = [c["ratio"] for c in of if c["ratio"] is not None]
    return broken({
        "counts": (m["compared"], m["of"]) == (len(ratios), len(of)),
        "mean": close(m["ratio"], math.exp(statistics.mean(map(math.log, ratios)))) if ratios else m["ratio"] is None,
        "verdict": m["verdict"] == (judge(*m["ci95_ratio"], m["margin"]) if ratios else None),
    })
