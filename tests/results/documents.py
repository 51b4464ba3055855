"""documents.py XBENCH SCHEMA SYNTHETIC: documents conform to the schema, whatever the outcome of the run, and the schema
refuses invalid documents."""

import copy
import csv
import glob
import json
import lzma
import os
import re
import signal
import subprocess
import sys

import patience
import results
from results import QUICK, SCHEMA, Case


def trimmed(document):
    """The document with two results and fewer samples, so that there are fewer mutations."""
    document = copy.deepcopy(document)
    document["results"] = document["results"][::len(document["results"]) - 1]
    for r in document["results"]:
        for field in ("samples_ns", "host_samples_ns"):
            r[field] = r[field][:3]
    return document


def objects(value, path=()):
    """(path, object) of all objects in a document; for an array, of its first and last element."""
    if isinstance(value, dict):
        yield path, value
        for key, inner in value.items():
            yield from objects(inner, path + (key,))
    elif isinstance(value, list) and value:
        for i in {0, len(value) - 1}:
            yield from objects(value[i], path + (i,))


def at(document, path):
    for step in path:
        document = document[step]
    return document


def form(value):
    """Equal for values that a schema cannot tell apart: of a number its type and sign matter, of a name which characters it has."""
    if isinstance(value, dict):
        return tuple((key, form(inner)) for key, inner in value.items() if key not in ("benchmark", "variant", "title"))
    if isinstance(value, (list, tuple)):  # the samples of a result are many
        return frozenset((type(v), v > 0, v < 0) if type(v) in (int, float) else form(v) for v in value)
    if value is None or isinstance(value, bool):
        return value
    return re.sub("[0-9a-f]+", "0", value) if isinstance(value, str) else (type(value), value > 0, value < 0)


def wrong_type(value):
    return "wrong" if isinstance(value, (dict, list)) else {"wrong": 1}


def near_type(value):
    """Values that a faulty writer might write instead of a valid one."""
    if isinstance(value, bool):
        return "true" if value else 0
    return 17.5 if isinstance(value, str) else str(value)


# Fields that were added to a schema which files had been written with: those files lack them.
LATER = {"date", "preset", "dxil_compiler", "dxil_flags", "flush_bytes", "flush", "rechecked_runs", "source_hash", "throttle_counters",
         "ci95_scope", "issue_ns", "restore_ns", "output_hash", "same_bits", "inner", "timeline", "remark", "autocorrelation",
         "kernel_compiler", "emulated", "emulates", "idle_shared_bytes", "inputs"}


class Documents(Case):
    def document(self, arguments, exit_code=0):
        self.run_to_end(f"{QUICK} --json {self.path('r.json')} {arguments}", exit_code)
        return self.check(self.load("r.json"), arguments)

    def test_run(self):
        document = self.document(f"-n 1000,5000 --dtype float32,int32 --seed 7 --csv {self.path('r.csv')} reduce copy")
        measured = [r for r in document["results"] if not r["error"] and r["benchmark"] != "launch"]
        self.assertGreater(len(measured), 40)
        self.assertTrue(all(r["verified"] and r["metrics"] or r["outcome"] == "no_counterpart" for r in measured))
        self.assertEqual({r["yardstick"] for r in document["results"]}, {True, False})
        self.assertEqual(document["sampling"]["seed"], 7)
        self.assertEqual((document["comparisons"], document["geometric_means"]), ([], []))
        self.compare_csv(document)

    def compare_csv(self, document):
        with open(self.path("r.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, strict=True))
        self.assertEqual(len(rows), len(document["results"]))
        for row, r in zip(rows, document["results"]):
            self.assertNotIn(None, row)
            self.assertNotIn(None, row.values())
            self.assertEqual(row["uuid"], r["device"])
            for field in set(row) & set(r) - {"device"}:
                self.assertEqual(row[field], self.as_csv(r[field], row[field]), field)

    @staticmethod
    def as_csv(value, text):
        if isinstance(value, list):  # "offset=3;tile=8", "bandwidth=1.5 GB/s"
            return ";".join(f"{v['axis']}={v['value']}" if "axis" in v else
                            f"{v['name']}={text.split(';')[i].split('=')[1].split()[0]} {v['unit']}" for i, v in enumerate(value))
        if value is None or isinstance(value, bool):
            return "" if value is None else str(value).lower()
        return text if isinstance(value, float) and float(text) == value else str(value)

    def test_launch(self):
        document = self.document("launch")
        self.assertEqual({r["clock"] for r in document["results"]}, {"device", "host"})
        self.assertEqual({(r["verified"], len(r["metrics"])) for r in document["results"]}, {(None, 0)})

    def test_cold(self):
        document = self.document("--cache cold --flush-bytes 8Mi -n 1Mi reduce/7")
        self.assertEqual({(r["cache"], r["flush_bytes"], r["flush"], r["host_ns"]) for r in document["results"]},
                         {("cold", 8 << 20, "read", None)})

    def test_window(self):
        document = self.document("--window 4Mi -n 4Mi copy/2")
        self.assertEqual({r["windows"] for r in document["results"] if r["variant"] == "2_float4"}, {4})

    def test_loop_in_the_kernel(self):
        """On a busy machine, times do not always grow linearly; then xbench reports it."""
        r = self.document("--loop kernel -n 1Mi copy/2", None)["results"][0]
        self.assertEqual(r["loop"], "kernel")
        self.assertEqual(len(r["linear_ns"]), 4)
        if r["median_ns"]:
            self.assertGreaterEqual(r["repeats"], 8)
        else:
            self.assertIn("not a linear rise", r["error"])

    def test_too_large(self):
        document = self.document("-n 2^50,1000 reduce/1", 4)
        failed = [r for r in document["results"] if r["error"]]
        self.assertTrue(failed)
        self.assertIn("elements need", failed[0]["error"])
        self.assertEqual({r["size"] for r in document["results"] if r["verified"]}, {1000})

    def test_hang(self):
        document = self.document("-n 1000,2^25 --wait-limit 0.0005 reduce/1", 4)
        self.assertIn("did not finish within", " ".join(r["error"] or "" for r in document["results"]))

    def test_not_here(self):
        document = self.document("-n 1000 reduce/cub", 3)
        self.assertEqual([(r["verified"], r["outcome"]) for r in document["results"] if r["variant"] == "10_cub"],
                         [(False, "no_counterpart")])

    def test_compare(self):
        document = self.document("compare --against reduce/3 -n 1000,3000 reduce/7 reduce/8")
        self.assertEqual(len(document["comparisons"]), 4)
        self.assertEqual([(m["compared"], m["base"]["variant"]) for m in document["geometric_means"]],
                         [(4, "3_sequential")])

    def test_same_bits(self):
        """Sums of integers have the same bits in any order, those of floats need not. Another seed gives others."""
        hashes = {}
        for seed in (1, 1, 2):
            document = self.document(f"compare --seed {seed} --dtype int32,float32 --against reduce/1 -n 5000 reduce/7")
            same = {c["dtype"]: c["same_bits"] for c in document["comparisons"]}
            self.assertEqual(same, {"int32": True, "float32": seed != 1 and same["float32"]})
            hashes.setdefault(seed, []).append([r["output_hash"] for r in document["results"]])
        self.assertEqual(hashes[1][0], hashes[1][1])
        self.assertFalse(set(hashes[1][0]) & set(hashes[2][0]) - {None})
        document = self.document("compare --against copy/1 -n 1000 copy/2 copy/3")
        self.assertEqual({c["same_bits"] for c in document["comparisons"]}, {True})
        self.assertEqual({r["output_hash"] for r in document["results"] if r["benchmark"] == "launch"}, {None})

    def test_compare_with_nothing(self):
        document = self.document("compare --against reduce/cub -n 1000 reduce/7", None)
        self.assertEqual([c["verdict"] for c in document["comparisons"]], [None])

    def test_interrupt(self):
        process = self.start(f"-q --backend vulkan -n 1000,2000 --min-time 3600 --max-time 3600 "
                             f"--json {self.path('r.json')} reduce/9")
        self.await_handlers(process.pid)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=patience.S)
        self.assertEqual(process.returncode, 130)
        self.check(self.load("r.json"))

    def test_placements(self):
        for placements in (4, 32):
            document = self.document(f"--placements {placements} -n 10000 reduce/7")
            r = document["results"][0]
            self.assertEqual((r["benchmark"], r["placements"], r["ci95_scope"]), ("reduce", placements, "placements"))
            self.assertGreaterEqual(len(r["samples_ns"]), 3 * placements)

    def test_gpu(self):
        """An artificial comparison of two APIs on a GPU."""
        subprocess.run([sys.argv[3], "r.json"], cwd=self.folder, check=True)
        document = self.check(self.load("r.json"))
        throttled, wrong = document["results"][3], document["results"][4]
        self.assertEqual(document["devices"][1]["name"], "GPU ?")
        self.assertEqual((throttled["throttled_samples"], throttled["throttle"]), (3, ["power", "other"]))
        self.assertEqual([r["throttle_counters"] for r in document["results"][2:4]], [True, False])
        self.assertEqual(throttled["gpu_state"]["before"], {"clock_mhz": 1980, "memory_clock_mhz": 3201,
                                                            "temperature_c": 41, "power_w": 310.5})
        self.assertEqual(throttled["gpu_state"]["after"], {"clock_mhz": 1200, "memory_clock_mhz": None,
                                                           "temperature_c": None, "power_w": None})
        self.assertEqual((wrong["verified"], wrong["median_ns"]), (False, None))
        self.assertGreater(document["results"][0]["percent_of_peak"], 1)
        self.assertEqual([c["verdict"] for c in document["comparisons"]], ["unclear", None, "slower"] * 2)
        self.assertEqual([c["subject"]["result"] for c in document["comparisons"]], [3, 4, 5, 10, 11, 12])
        self.assertIsNotNone(document["comparisons"][0]["ratio_less_floors"])
        self.assertEqual([(m["compared"], m["of"]) for m in document["geometric_means"]], [(4, 6)])
        self.assertEqual([r["outcome"] for r in document["results"][3:6]], ["ok", "wrong", "ok"])

    # ---- Refusals of the schema ----------------------------------------------------------------------------------

    @staticmethod
    def alone(document, path):
        """The document with the result, comparison or mean of the path alone, and the path in it."""
        lists = "results", "comparisons", "geometric_means"
        if not path or path[0] not in lists:
            return document, path
        return document | dict.fromkeys(lists, []) | {path[0]: [document[path[0]][path[1]]]}, (path[0], 0, *path[2:])

    def refuse(self, document, path, change, what):
        document, path = self.alone(document, path)
        mutant = copy.deepcopy(document)
        change(at(mutant, path))
        if self.schema.is_valid(mutant):
            self.fail(f"the schema takes {what} in {'/'.join(map(str, path)) or 'the document'}")

    def test_mutants(self):
        document = trimmed(self.document("compare --against reduce/3 -n 1000 reduce/7"))
        state = {"clock_mhz": 1980, "memory_clock_mhz": 3201, "temperature_c": 41, "power_w": 310.5}
        bar = {"lane": "copy 0", "stage": "upload", "begin_ns": 10.5, "end_ns": 20.5}
        document["results"][0].update(loop="kernel", linear_ns=[1.0, 2.0, 4.0, 8.0], repeats=8, timeline=[bar], throttled_samples=1, throttle=["power", "thermal"], throttle_counters=True,
                                      gpu_state=dict.fromkeys(("before", "lowest", "highest", "after"), state))
        self.assertEqual([e.message for e in self.schema.iter_errors(document)], [])
        count = 0
        for path, value in list(objects(document)):
            self.assertTrue(self.schema.is_valid(self.alone(document, path)[0]), path)
            self.refuse(document, path, lambda o: o.update(unheard_of=1), "an unknown field")
            for key, inner in value.items():
                if key not in LATER:
                    self.refuse(document, path, lambda o: o.pop(key), f"the lack of {key}")
                self.refuse(document, path, lambda o: o.update({key: wrong_type(inner)}), f"{key}: of a wrong type")
                if inner is not None:
                    near = near_type(inner)
                    self.refuse(document, path, lambda o: o.update({key: near}), f"{key} as {near!r}")
                count += 3
        self.assertGreater(count, 300)

    def test_older_documents(self):
        """Stored results conform to the schema that they name; of those of one form the first one is enough."""
        folder = os.path.join(os.path.dirname(SCHEMA), "..")
        with open(os.path.join(folder, "tests/schemas/xbench-1.schema.json"), encoding="utf-8") as file:
            schemas = {"xbench/1": results.Draft202012Validator(json.load(file)), "xbench/2": self.schema}
        seen = set()
        for path in glob.glob(os.path.join(folder, "bench/results/**/*.json*"), recursive=True):
            with (lzma.open if path.endswith(".xz") else open)(path, "rt", encoding="utf-8") as file:
                document = json.load(file)
            for key in ("results", "comparisons", "geometric_means"):
                new = {(document["schema"], key, form(r)): r for r in reversed(document[key])}
                document[key] = [r for as_new, r in new.items() if as_new not in seen]
                seen.update(new)
            for r in document["results"]:
                r.update({key: list({form((v,)): v for v in r[key]}.values()) for key in ("samples_ns", "host_samples_ns")})
            self.assertEqual([e.message for e in schemas[document["schema"]].iter_errors(document)], [], path)

    def test_wrong_values(self):
        document = trimmed(self.document("compare --against reduce/3 -n 1000 reduce/7"))
        r, c = ("results", 0), ("comparisons", 0)
        for path, wrong in [
                ((), {"schema": "xbench/1"}), ((), {"devices": []}),
                (r, {"size": 0}), (r, {"median_ns": -1.0}), (r, {"median_ns": None}), (r, {"ci95_ns": [1.0, 2.0, 3.0]}),
                (r, {"ci95_ns": [1.0]}), (r, {"samples_ns": []}), (r, {"samples_ns": [1.0, None]}), (r, {"batch": 0}),
                (r, {"error": "but there is a median"}), (r, {"verified": False}), (r, {"cache": "warm"}),
                (r, {"outcome": "failed"}), (r, {"outcome": "good"}),
                (r, {"stopped_by": "boredom"}), (r, {"linear_ns": [1.0, 2.0, 3.0]}), (r, {"code_hash": "fnv1a64:0"}),
                (r, {"device": "GPU-0"}), (r, {"throttle": ["weather"]}), (r, {"gpu_state": {}}),
                (c, {"verdict": "better"}), (c, {"verdict": None}), (c, {"ratio": 0}), (c, {"base": None}),
                (c, {"subject": None})]:
            self.refuse(document, path, lambda o: o.update(wrong), wrong)

    def test_invariants_are_seen(self):
        """The checks of this folder find violations."""
        document = self.document("compare --against reduce/3 -n 1000 reduce/7")
        measured = [r["variant"] for r in document["results"]].index("7_many_elements")
        r, c = ("results", measured), ("comparisons", 0)
        for path, field, value, seen in [
                (r, "median_ns", 1e12, "median"), (r, "samples_ns", [1.0], "as many samples"), (r, "metrics", [{"name": "bandwidth", "unit": "GB/s", "value": 1.0, "more_is_better": True}], "bandwidth"),
                (r, "outliers", 10**6, "outliers"), (r, "floor_ns", 0.5, "floor"), (r, "repeats", 3, "repeats"),
                (c, "ratio", 77.0, "ratio of medians"), (c, "rounds", 1, "rounds"), (c, "same_bits", not document["comparisons"][0]["same_bits"], "same bits"), (c, "size", 5, "question"),
                (c, "verdict", None, "counts"), (c, "ci95_ratio", [9.0, 9.5], "verdict")]:
            mutant = copy.deepcopy(document)
            at(mutant, path)[field] = value
            if field == "verdict":
                at(mutant, path)["ratio"] = None
            if field == "ci95_ratio":
                at(mutant, path).update(verdict="same", reason=None)  # with noise it may have been unclear
            self.assertIn(seen, " ".join(results.invariants(mutant)), field)


if __name__ == "__main__":
    results.main(*sys.argv[4:])
