"""runtime.py PROGRAM SCHEMA THREE: a benchmark that is added at run time (tally.c) works with every command, as a built-in
one does. PROGRAM is xbench with that benchmark; THREE is the same with three backends."""

import csv
import json
import os
import re
import sys

import results
from results import Case

THREE = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
QUICK = "-q --min-time 0.0005 --max-time 0.002 --dtype int32"
TALLY = QUICK + " --backend vulkan"
METRICS = [("updates", "updates/s", True), ("bandwidth", "GB/s", True)]
MORE = 37  # pairs beyond n


def lines(out, start):
    return [line for line in out.splitlines() if line.startswith(start)]


def own(document):
    return [r for r in document["results"] if not r["yardstick"]]


class Family(Case):
    def document(self, name, arguments, exit_code=0):
        out, _ = self.run_to_end(f"{TALLY} --json {self.path(name)} {arguments}", exit_code)
        return self.check(self.load(name)), out

    def page(self, path):
        """Makes the page and returns it. It must not show nan, and the values of all metrics are in a column without a unit."""
        self.run_to_end(f"report {path} -o {path}.html")
        with open(self.path(path + ".html"), encoding="utf-8") as file:
            page = file.read()
        self.assertFalse(re.search(r"\bnan\b", page), path)
        self.assertIn('<th scope="col" class="n">value</th>', page)
        return page


class Tally(Family):
    # ---- One run, in each format -----------------------------------------------------------------------------------

    def test_run(self):
        """Checks the table, JSON and CSV of one run; then diff and report with its document."""
        document, table = self.document("r.json", f"--csv {self.path('r.csv')} -n 500 --at each=1,3 tally")
        self.of_json(document)
        self.of_table(table)
        with open(self.path("r.csv"), encoding="utf-8", newline="") as file:
            self.of_csv(list(csv.DictReader(file, strict=True)), document)
        self.of_diff(*self.run_to_end("diff r.json r.json"))
        page = self.page("r.json")
        for text in ("tally 1 atomic", "pairs added to bins &amp; taken", " updates/s", "bins 256, each 3", "no counterpart",
                     "here additions wrap.", "atomics over a bus are not said."):
            self.assertTrue(text in page, text)

    def of_json(self, document):
        cells = own(document)
        self.assertEqual([(b["name"], b["title"], [(a["name"], a["base"]) for a in b["axes"]])
                          for b in document["benchmarks"]],
                         [("tally", "pairs added to bins & taken", [("bins", 256), ("each", 1)])])
        places = [{"bins": bins, "each": each} for bins in (256, 1) for each in (1, 3)]
        self.assertEqual([{a["axis"]: a["value"] for a in r["at"]} for r in cells], places * 4)
        for r in cells:
            bins, number = r["at"][0]["value"], int(r["variant"][0])
            model = r["model"]
            self.assertEqual((model["name"], model["unit"]), ("crowd", "updates a bin"))
            self.assertEqual((model["value"], model["predicted"]), ((500 + MORE) / bins, bins / 256))
            self.assertEqual((r["counterpart"], r["reason"]),
                             {3: ("nearest", "here additions wrap."),
                              4: ("none", "atomics over a bus are not said.")}.get(number, (None, None)))
            if number == 4:
                self.assertEqual((r["outcome"], r["median_ns"], r["error"]), ("no_counterpart", None, None))
                continue
            self.assertEqual((r["outcome"], r["verified"]), ("ok", True))
            self.assertEqual([(m["name"], m["unit"], m["more_is_better"]) for m in r["metrics"]], METRICS)
            self.assertAlmostEqual(r["metrics"][0]["value"] * r["median_ns"] / 1e9, 500 + MORE, places=3)
            self.assertEqual(r["bytes"], 8 * (500 + MORE) + 8 * bins)
            self.assertGreater(model["measured"], 0)
        self.assertEqual({r["benchmark"] for r in document["results"] if r["yardstick"]}, {"copy", "launch"})

    def of_table(self, table):
        self.assertRegex(table, r"tally: pairs added to bins & taken; .*; bins: .*; each: pairs that a thread takes")
        self.assertRegex(table, r"variant +bins +each +group +time +\S+ % +updates/s .* GB/s +of base +model")
        first, near = (lines(table, f"{number}_") for number in (1, 3))
        self.assertEqual([line.split()[6:9] for line in first],
                         [["256", "1", "64"], ["256", "3", "64"], ["1", "1", "64"], ["1", "3", "64"]])
        self.assertRegex(first[0], r"64 +[\d.]+ [um]s .* [\d.]+(?:e\+\d+)? .* 100 % +100 %")
        for line in near:
            self.assertRegex(line, r"64   ~ +[\d.]+ [um]s .*~ nearest: here additions wrap\.")
        self.assertIn("\nno counterpart on vulkan: 4_lacking (atomics over a bus are not said.)\n", table)
        self.assertEqual(lines(table, "4 "), [])
        self.assertNotIn("~", "".join(first))

    def of_csv(self, rows, document):
        self.assertEqual(len(rows), len(document["results"]))
        for row, r in zip(rows, document["results"]):
            if r["yardstick"]:
                continue
            self.assertEqual(row["at"], ";".join(f"{a['axis']}={a['value']}" for a in r["at"]))
            self.assertEqual((row["counterpart"], row["reason"]), (r["counterpart"] or "", r["reason"] or ""))
            self.assertEqual(float(row["predicted"]), r["model"]["predicted"])
            read = re.findall(r"(\w+)=(\S+) ([^;]+)", row["metrics"])
            self.assertEqual([(name, unit, float(value)) for name, value, unit in read],
                             [(m["name"], m["unit"], m["value"]) for m in r["metrics"]])

    def of_diff(self, out, err):
        self.assertEqual(err, "")
        self.assertRegex(out, r"(?m)^(unchanged|unclear) .*tally/3_near vulkan, int32, 500, bins 256, each 3, groups of 64")
        self.assertIn("4 cells are without a time in both files, for the same reasons", out)
        self.assertRegex(out, r"16 cells: 0 regressions.* 4 without a time")

    def test_markdown(self):
        """Markdown of a place whose base was not measured."""
        out, _ = self.run_to_end(f"{TALLY} --format markdown -n 100 --at bins=4 --at each=2,1 tally")
        self.assertIn("| bins | each | group | time | updates/s | of copy | |", out)
        self.assertRegex(out, r"\| tally/1\\_atomic \| vulkan \| int32 \| 100 \| 4 \| 2 \| 64 \| [\d.]+ [um]s ± [\d.]+ % "
                              r"\| [\d.]+(e\\\+\d+)?, [\d.]+(e-\d+)? GB/s \| [^|]*\| ([^|]*, )?model 2 %, [\d.]+ updates a bin \|")
        self.assertRegex(out, r"\| tally/3\\_near .* \| \\~ [\d.]+ [um]s .* nearest\\: here additions wrap\.[^|]*\|")
        self.assertRegex(out, r"\| tally/4\\_lacking .* \| no counterpart\\: atomics over a bus are not said\. \|")
        self.assertNotIn("nan", out)

    def test_gbench(self):
        out, _ = self.run_to_end(f"{TALLY} --format gbench -n 100 --at bins=256,4 tally")
        told = json.loads(out)["benchmarks"]
        self.assertEqual({b["run_name"] for b in told},
                         {f"tally/{variant}/vulkan/command_buffer/int32/100/bins:{bins}/each:1/block:64"
                          for variant in ("1_atomic", "2_again", "3_near") for bins in (256, 4)})
        for b in told:
            self.assertGreater(b["real_time" if b.get("aggregate_name") in ("stddev", "cv") else "bytes_per_second"], -1)
            if b.get("aggregate_name") == "median":
                self.assertAlmostEqual(b["updates"] * b["real_time"] / 1e9, 100 + MORE, places=3)

    # ---- Comparisons -----------------------------------------------------------------------------------------------

    def test_compare(self):
        """A nearest or missing counterpart is in no ratio."""
        document, table = self.document("c.json", "compare --against tally/1 -n 300 --at bins=256,1 tally")
        pairs = [(c["subject"]["variant"], c["base"]["variant"], c["ratio"] is not None, c["reason"])
                 for c in document["comparisons"] if c["subject"]["variant"] != "2_again"]
        self.assertEqual(pairs, [("3_near", "1_atomic", False, "this side is only the nearest counterpart")] * 2 +
                         [("4_lacking", "1_atomic", False, "no counterpart on this side")] * 2)
        self.assertEqual([c["ratio"] is not None for c in document["comparisons"]], [True, True, False, False, False, False])
        self.assertEqual([(m["compared"], m["of"]) for m in document["geometric_means"]], [(2, 2)])
        self.assertRegex(table, r"2_again bins 1, each 1 vulkan / 1_atomic bins 1, each 1 vulkan +[\d.]+ [um]s")
        self.assertRegex(table, r"4_lacking .* not compared: .*: atomics over a bus are not said\.")
        self.run_to_end("diff c.json c.json")
        self.page("c.json")
        out, _ = self.run_to_end(f"{TALLY} --format markdown compare --against tally/1 -n 300 --at bins=1 tally/2 tally/3")
        self.assertRegex(out, r"\| 2\\_again bins 1, each 1 vulkan \| 1\\_atomic .* \| [\d.]+ \| [\d.]+ to [\d.]+ \|")
        self.assertRegex(out, r"\| 3\\_near .* \| \\~ .* \| \| \| \| this side is only the nearest counterpart \|")

    # ---- Errors ----------------------------------------------------------------------------------------------------

    def test_wrong_kernels(self):
        """Wrong kernels fail; a benchmark without the optional methods works."""
        document, table = self.document("w.json", "-n 500 --at bins=16 mistally unchecked", 1)
        *cells, unchecked = own(document)
        found = {r["variant"][0]: (r["outcome"], r["verified"], r["median_ns"] is None) for r in cells}
        self.assertEqual(found, {"1": ("ok", True, False), **dict.fromkeys("234", ("wrong", False, True))})
        self.assertEqual((unchecked["outcome"], unchecked["verified"], unchecked["model"]), ("ok", None, None))
        self.assertEqual([m["name"] for m in unchecked["metrics"]], ["bandwidth"])
        errors = {r["variant"][0]: r["error"] for r in cells}
        self.assertRegex(errors["2"], r"sums\[\d+\] is \d+, expected \d+")
        self.assertRegex(errors["3"], rf"complements\[0\] is {0x7FC0BEEF}, expected")  # still poisoned
        self.assertRegex(errors["4"], r"sums\[0\] is \d+, expected")
        self.assertEqual(len(re.findall("WRONG: ", table)), 3)
        self.page("w.json")
        out, _ = self.run_to_end(f"{TALLY} --format gbench -n 50 --at bins=16 mistally/half", 1)
        self.assertIn('"error_occurred": true', out)

    def test_refused_place(self):
        """If a benchmark refuses a place, that cell fails with the reason, and the others are measured."""
        document, table = self.document("p.json", "-n 500 --at stride=0,1 stride")
        found = [(r["at"][0]["value"], r["outcome"], r["model"] is None) for r in own(document)]
        self.assertEqual(found, [(0, "unsupported", True), (1, "ok", False)])
        self.assertIn("a stride of 0 would make all threads copy one word", table)
        self.run_to_end(f"{TALLY} -n 500 --at stride=0 stride", 3)

    def test_options(self):
        out, _ = self.run_to_end("list benchmarks")
        self.assertRegex(out, r"(?m)^tally: pairs added to bins & taken \(int32\)\n  tally/1 +atomic +one atomic addition")
        self.assertIn("\n  --at bins=256,1: bins that the pairs are added to\n  --at each=1: ", out)
        out, _ = self.run_to_end(f"{TALLY} -n 100 --block 256 --at bins=2 tally/1_atomic")
        self.assertRegex(out, r"(?m)^1_\w+ +one atomic .* 2 +1 +256 ")
        for arguments, exit_code, told in [
                ("tallly", 2, "unknown benchmark 'tallly': did you mean 'tally'?"),
                ("tally/agian", 2, "unknown variant of tally 'agian': did you mean 'again'?"),
                ("--at bin=1 tally", 2, "unknown axis 'bin': did you mean 'bins'?; there are bins, each"),
                ("--block 128 tally", 2, "tally is built for groups of 64, 256"),
                ("-n 3x3 tally", 2, "tally takes a number of elements"),
                ("--at bins=3 tally/1", 3, "")]:
            _, err = self.run_to_end(f"{TALLY} {arguments}", exit_code)
            self.assertIn(told, err)
        _, err = self.run_to_end("show tally/1", 3)
        self.assertIn("no source has this name", err)


APIS = ["vulkan", "second", "third"]


class Three(Family):
    """Three APIs that reach the same device: no code assumes two."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program, results.XBENCH = results.XBENCH, THREE

    @classmethod
    def tearDownClass(cls):
        results.XBENCH = cls.program

    def all_of_them(self, name, arguments, exit_code=0):
        arguments = f"{QUICK} --backend all --json {self.path(name)} {arguments}"
        out, _ = self.run_to_end(arguments, exit_code)
        document = self.check(self.load(name))
        self.assertEqual([d["backend"] for d in document["devices"]], APIS)
        self.assertEqual(len({d["uuid"] for d in document["devices"]}), 1)
        return document, out

    def test_list(self):
        out, _ = self.run_to_end("list devices")
        self.assertEqual(re.findall(r"(?m)^     (\w+) \d+\.\d+\.", out), APIS)
        self.assertEqual(len(re.findall(r"(?m)^     uuid", out)), 1)
        _, err = self.run_to_end("--backend thrid tally", 2)
        self.assertIn("did you mean 'third'?; there are vulkan, second, third, all", err)

    def test_run(self):
        document, table = self.all_of_them("r.json", f"--csv {self.path('r.csv')} -n 500 --at bins=256 tally")
        self.assertEqual([(r["variant"][0], r["backend"], r["outcome"]) for r in own(document)],
                         [(str(v), api, "ok" if v < 4 else "no_counterpart") for api in APIS for v in range(1, 5)])
        self.assertRegex(table, r"(?m)^ +\| vulkan +\| second +\| third *$")
        self.assertRegex(table, r"(?m)^variant.*( +time .*GB/s[^|]*\|){3} second / vulkan \| third / vulkan$")
        first, near = (lines(table, f"{number}_")[0].split(" | ") for number in (1, 3))
        for number, line in (1, first), (3, near):
            times = {r["backend"]: r["median_ns"] for r in own(document) if r["variant"][0] == str(number)}
            self.assertEqual([cell.strip() for cell in line[4:6]], ["~", "~"] if number == 3 else
                             [f"{times[api] / times['vulkan']:.3f}" for api in APIS[1:]])
        self.assertEqual([cell[0] for cell in near[1:4]], ["~", " ", " "])  # only Vulkan has a nearest counterpart
        for api in APIS:
            self.assertIn(f"\nno counterpart on {api}: 4_lacking (", table)
        with open(self.path("r.csv"), encoding="utf-8", newline="") as file:
            self.assertEqual([row["backend"] for row in csv.DictReader(file, strict=True)],
                             [r["backend"] for r in document["results"]])
        out, _ = self.run_to_end("diff r.json r.json")
        self.assertRegex(out, r"12 cells: 0 regressions")
        self.of_page(document, "r.json", "Vulkan, second command_buffer and third command_buffer")

    def of_page(self, document, path, told):
        """Each API has its own name and colour."""
        page = self.page(path)
        self.assertTrue(told in page, told)
        slots = dict(re.findall(r'<span class="swatch \w+ t(\d)"></span><span>([^<]+)</span>', page))
        self.assertEqual(set(slots.values()), {"Vulkan", "second command_buffer", "third command_buffer"})

    def test_more_devices(self):
        """Devices beyond those that fit are counted."""
        out, _ = self.run_to_end("list devices", env={**os.environ, "XB_THREE_MANY": "1"})
        self.assertRegex(out, r"(?m)^  third: 8 more devices; xbench supports at most 32$")

    def test_other_formats(self):
        arguments = f"{QUICK} --backend all -n 100 --at bins=256 tally/1 --format "
        out, _ = self.run_to_end(arguments + "markdown")
        self.assertEqual(re.findall(r"(?m)^\| tally/1\\_atomic \| (\w+) \|", out), APIS)
        out, _ = self.run_to_end(arguments + "gbench")
        told = {(b["run_name"].split("/")[2], b["family_index"]) for b in json.loads(out)["benchmarks"]}
        self.assertEqual(told, set(zip(APIS, range(3))))

    def test_compare(self):
        """Each of the other APIs is compared with the first."""
        document, table = self.all_of_them("c.json", "compare -n 300 --at bins=256 tally")
        self.assertEqual([(c["subject"]["variant"][0], c["subject"]["backend"], c["base"]["backend"], c["ratio"] is not None)
                          for c in document["comparisons"]],
                         [(v, api, "vulkan", v < "3") for api in APIS[1:] for v in "1234"])
        self.assertEqual([(m["subject"]["backend"], m["base"]["backend"], m["compared"], m["of"])
                          for m in document["geometric_means"]], [(api, "vulkan", 2, 2) for api in APIS[1:]])
        for api in APIS[1:]:
            self.assertRegex(table, rf"(?m)^2_again bins 256, each 1 {api} / vulkan +[\d.]+ [um]s")
            self.assertRegex(table, rf"(?m)^tally: {api} / vulkan, geometric mean of 2 of 2 ratios: ")
        self.run_to_end("diff c.json c.json")
        self.of_page(document, "c.json", "tally, at best: third command_buffer / Vulkan")


if __name__ == "__main__":
    results.main()
