"""formats.py XBENCH SCHEMA: checks the output of --format, parsed as its users parse it."""

import csv
import io
import json
import re
import statistics

import results
from results import QUICK, Case


def by_run(document):
    """Groups the runs as google/benchmark's tools/compare.py does: iterations and aggregates of each run_name."""
    runs = {}
    for line in document["benchmarks"]:
        run = runs.setdefault(line["run_name"], {"iteration": [], "aggregate": {}})
        if line["run_type"] == "aggregate":
            run["aggregate"][line["aggregate_name"]] = line
        else:
            run["iteration"].append(line)
    return runs


class Formats(Case):
    def gbench(self, arguments, exit_code=0):
        out, err = self.run_to_end(f"{QUICK} --format gbench {arguments}", exit_code)
        self.assertEqual(err == "", exit_code == 0, err)
        document = json.loads(out)
        self.assertEqual(set(document), {"context", "benchmarks"})
        return document

    def test_placed_once(self):
        """Tables mark intervals that come from one placement; where all do, once below."""
        for arguments, marks in (("", 1), ("--placements 4", 0), ("--format markdown", 1), ("compare --against reduce/3", 1)):
            out, _ = self.run_to_end(f"{QUICK} {arguments} -n 1000 reduce/7")
            lines = [line for line in out.splitlines() if re.search("^all rows|[|] reduce/7.?.many", line)]
            self.assertEqual(sum("placed once" in line for line in lines), marks, out)

    def test_gbench_context(self):
        context = self.gbench("-n 1000 reduce/9")["context"]
        for field, kind in (("date", str), ("host_name", str), ("executable", str), ("num_cpus", int), ("mhz_per_cpu", int),
                            ("cpu_scaling_enabled", bool), ("caches", list), ("load_avg", list),
                            ("library_build_type", str)):
            self.assertIs(type(context[field]), kind, field)
        self.assertRegex(context["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$")
        self.assertIn(context["library_build_type"], ("release", "debug"))
        self.assertGreater(context["num_cpus"], 0)

    def test_gbench_lines(self):
        document = self.gbench(f"-n 1000,5000 --json {self.path('r.json')} reduce/7 reduce/9 launch/3")
        cells = [r for r in self.load("r.json")["results"] if not r["yardstick"]]
        runs = by_run(document)
        self.assertEqual(len(runs), len(cells))
        for (name, run), cell in zip(runs.items(), cells):
            self.assertTrue(name.startswith(f"{cell['benchmark']}/{cell['variant']}/vulkan/command_buffer/float32/"), name)
            self.check_run(name, run, cell)
        instances = {(line["family_index"], line["per_family_instance_index"]): line["run_name"]
                     for line in document["benchmarks"]}
        self.assertEqual(len(instances), len(runs))
        self.assertEqual({index for _, index in instances}, {0, 1})

    def check_run(self, name, run, cell):
        samples = cell["samples_ns"]
        for i, line in enumerate(run["iteration"]):
            self.assertEqual((line["name"], line["repetitions"], line["repetition_index"], line["threads"], line["time_unit"]),
                             (name, len(samples), i, 1, "ns"))
            self.assertEqual((line["iterations"], line["real_time"], line["cpu_time"]),
                             (cell["batch"], samples[i], cell["host_samples_ns"][i]))
            if cell["bytes"]:
                self.assertAlmostEqual(line["bytes_per_second"] / (cell["bytes"] / samples[i] * 1e9), 1)
        self.assertEqual(len(run["iteration"]), len(samples))
        mean, deviation = statistics.mean(samples), statistics.stdev(samples)
        wanted = {"mean": mean, "median": statistics.median(samples), "stddev": deviation, "cv": deviation / mean}
        self.assertEqual(list(run["aggregate"]), list(wanted))
        for kind, line in run["aggregate"].items():
            self.assertEqual((line["name"], line["repetitions"], line["iterations"], line["time_unit"]),
                             (f"{name}_{kind}", len(samples), len(samples), "ns"))
            self.assertEqual(line["aggregate_unit"], "percentage" if kind == "cv" else "time")
            self.assertAlmostEqual(line["real_time"] / wanted[kind], 1, places=9)
            self.assertNotIn("repetition_index", line)

    def test_gbench_of_two_runs(self):
        """Compares two runs by name, repetition by repetition, as compare.py does."""
        old, new = (by_run(self.gbench("-n 1000 reduce/8 reduce/9 copy/2")) for _ in range(2))
        self.assertEqual(list(old), list(new))
        for name in old:
            pairs = zip(old[name]["iteration"], new[name]["iteration"])
            changes = [(b["real_time"] - a["real_time"]) / abs(a["real_time"]) for a, b in pairs]
            self.assertGreaterEqual(len(changes), 1)

    def test_gbench_of_failures(self):
        document = self.gbench("-n 2^50,1000 reduce/1", 4)
        failed, *good = document["benchmarks"]
        self.assertIs(failed["error_occurred"], True)
        self.assertIn("elements need", failed["error_message"])
        self.assertEqual((failed["run_type"], failed["repetitions"], failed["iterations"], failed["real_time"],
                          failed["cpu_time"]), ("iteration", 1, 0, 0, 0))
        self.assertTrue(good and not any("error_occurred" in line for line in good))

    def test_gbench_leaves_out(self):
        """Yardsticks and unsupported cells are omitted."""
        runs = by_run(self.gbench("-n 1000 reduce/9 reduce/cub", None))
        self.assertEqual([re.match(r"\w+/\w+", name)[0] for name in runs], ["reduce/9_single_pass"])

    def test_gbench_of_a_comparison(self):
        runs = by_run(self.gbench("compare -n 1000 reduce/9 --against reduce/7"))
        self.assertEqual([name.split("/")[1] for name in runs], ["9_single_pass", "7_many_elements"])

    def test_csv(self):
        out, _ = self.run_to_end(f"{QUICK} --format csv --csv {self.path('r.csv')} -n 1000,3000 reduce/9 reduce/cub", None)
        with open(self.path("r.csv"), encoding="utf-8") as file:
            self.assertEqual(out, file.read())

    def test_csv_of_a_comparison(self):
        out, _ = self.run_to_end(f"{QUICK} --format csv --json {self.path('r.json')} compare -n 1000,3000 reduce/8 reduce/9 "
                                 "--against reduce/7")
        rows, document = list(csv.DictReader(io.StringIO(out), strict=True)), self.load("r.json")
        compared = {c["subject"]["result"]: c for c in document["comparisons"]}
        self.assertEqual(len(compared), 4)
        for i, (row, r) in enumerate(zip(rows, document["results"])):
            self.assertNotIn(None, row.values())
            self.assertEqual((row["outcome"], row["stopped_by"]), (r["outcome"], r["stopped_by"]))
            c = compared.get(i)
            self.assertEqual((row["base_variant"], row["base_backend"], row["base_launch_mode"], row["base_uuid"]),
                             tuple(c["base"][f] for f in ("variant", "backend", "launch_mode", "device")) if c else ("",) * 4)
            self.assertEqual(row["verdict"], c["verdict"] if c else "")
            self.assertEqual((row["output_hash"], row["same_bits"]),
                             (r["output_hash"] or "", str(c["same_bits"]).lower() if c else ""))
            if c:
                self.assertEqual([float(row[f]) for f in ("ratio", "ci95_low_ratio", "ci95_high_ratio")],
                                 [c["ratio"], *c["ci95_ratio"]])
        self.assertEqual(len(rows), len(document["results"]))

    def test_markdown(self):
        for arguments, heading, rows in (("-n 1000,3000 reduce/9 reduce/cub copy/2", r"### reduce: sum of n elements; hot", 16),
                                         ("compare -n 1000,3000 reduce/9 --against reduce/7", "### reduce: ", 2)):
            out, _ = self.run_to_end(f"{QUICK} --format markdown {arguments}", None)
            self.assertRegex(out, f"(?m)^{heading}")
            tables = re.findall(r"(?m)((?:^\|.*\n)+)", out)
            for table in tables:
                lines = table.splitlines()
                self.assertEqual(len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}), 1, table)
                self.assertRegex(lines[1], r"^[|:-]+$")
            self.assertEqual(sum(len(t.splitlines()) - 2 for t in tables), rows, out)
        self.assertRegex(out, r"(?m)^- reduce: vulkan / 7\\_many\\_elements vulkan, geometric mean of 2 of 2 ratios: ")

    def test_samples(self):
        """How many there are stands above the table where all results have equally many, else in a column."""
        for sizes in ("2^12", "2^12,2^14"):
            out, _ = self.run_to_end(f"{QUICK} -n {sizes} --json {self.path('r.json')} reduce/8")
            cells = self.load("r.json")["results"]
            counts = [len(r["samples_ns"]) for r in cells]
            above = re.findall(r"; (\d+) samples each\n", out)
            if "," in sizes or len(set(counts)) > 1:
                self.assertEqual(above, [])
                self.assertRegex(out, r"host time samples\n")
                self.assertEqual([int(n) for n in re.findall(r"(?m)^.* [mun]s +(\d+)(?: \||$)", out)], counts)
            else:
                self.assertEqual(above, [str(counts[0])])
                self.assertNotRegex(out, r" samples\n")

    def test_published(self):
        """The deck's value stands beside ours at its own size, its step at other sizes, its part of the base at a place of an axis."""
        out, _ = self.run_to_end(f"{QUICK} --published -n 2^12,2^22 reduce/2 reduce/3")
        found = {(size, number): published for size, number, published in
                 re.findall(r"(?m)^ +(\d+) float32 ([23])_.*? 128 +((?:\d|step).*?) +[\d.]+ [mun]?s ", out)}
        steps = {"2": "step 2.33x, cumulative 2.33x", "3": "step 2.01x, cumulative 4.68x"}
        self.assertEqual(found, {("4096", "2"): steps["2"], ("4096", "3"): steps["3"],
                                 ("4194304", "2"): "3.456 ms, 4.854 GB/s, " + steps["2"],
                                 ("4194304", "3"): "1.722 ms, 9.741 GB/s, " + steps["3"]})
        self.assertEqual(out.count("2: 3.456 ms"), 1)
        self.assertEqual(out.count(": 86.4 GB/s at the peak"), 1)  # of the whole benchmark
        self.assertIn(" other GPU ", out)
        self.assertNotIn("73 GB/s", out)  # of a variant that was not run
        out, _ = self.run_to_end(f"{QUICK} --wide -n 2^12 --at offset=0,3 offset")
        self.assertRegex(out, r"\n1_.* 3 +\d+ +90 %, 5 segments ")
        for loop, figures in (("launch", "80.9 GiB/s (86.87 GB/s), step 0.83x, cumulative 0.83x"),
                              ("kernel", "81.1 GiB/s (87.08 GB/s), step 0.99x, cumulative 0.99x")):  # the deck timed both loops
            out, _ = self.run_to_end(f"{QUICK} --published --loop {loop} -n 256 transpose/2")
            self.assertRegex(out, rf"(?m)^2_.* {re.escape(figures.split('), ')[1])} +[\d.]+ [mun]?s")
        out, _ = self.run_to_end(f"{QUICK} --published --format markdown -n 2^12 reduce/2")
        self.assertIn("\n| variant | API | type | size | group | other GPU | time |", out)
        self.assertRegex(out, r"\n\| reduce/2.* \| 128 \| step 2\.33x, cumulative 2\.33x \| ")
        self.assertRegex(out, r"\n- NVIDIA G80; .* 2: 3\.456 ms")
        self.assertNotIn("published", self.run_to_end(f"{QUICK} --published -n 2^12 reduce/8")[0])
        self.assertNotIn("published", self.run_to_end(f"{QUICK} -n 2^12 reduce/2")[0])

    def test_models(self):
        """What a model counts stands in the table, in CSV and in Markdown, also on a CPU; heads of columns of one unit differ."""
        out, _ = self.run_to_end(f"{QUICK} --wide -n 2^12 --at stride=1,2,8,32 banks/1 stride/1 --csv m.csv")
        for axis, ways, segments in ((1, 1, 4), (2, 2, 8), (8, 8, 32), (32, 32, 32)):
            self.assertRegex(out, rf"(?m)^1_accesses .* {axis} +1024 .* {ways} +[\d.]+ [mun]?s\b")
            self.assertRegex(out, rf"(?m)^1_word .* {axis} +256 .* % +{segments} +[\d.]+ [mun]?s\b")
        with open(self.path("m.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({(r["benchmark"], r["at"], r["model"], r["model_value"]) for r in rows if r["model"]},
                         {("banks", f"stride={s}", "ways", str(w)) for s, w in ((1, 1), (2, 2), (8, 8), (32, 32))} |
                         {("stride", f"stride={s}", "segments", str(w)) for s, w in ((1, 4), (2, 8), (8, 32), (32, 32))})
        self.assertEqual({r["published"] for r in rows if r["at"] == "stride=32" and r["model"] == "segments"}, {"32 segments"})
        out, _ = self.run_to_end(f"{QUICK} -n 2^12 --at span=3 coalescing/1 --format markdown")
        self.assertIn("30.67 32-byte segments a wave", out)
        heads = self.run_to_end(f"{QUICK} --wide -n 2^12 --at span=3 coalescing/1")[0]
        self.assertRegex(heads, r"(?m)^variant .* GB/s .* whole segments, GB/s +model segments ")


if __name__ == "__main__":
    results.main()
