"""tune.py XBENCH SCHEMA ROOT TRIES KERNEL_TUNER: xbench tune and its presets, as typed. TRIES searches have only candidates that
are the same. KERNEL_TUNER is a folder with Kernel Tuner's package; without it, it does not read the files."""

import json
import os
import signal
import subprocess
import sys
import unittest

import patience
import results

TRIES, KERNEL_TUNER = int(sys.argv[4]), sys.argv[5]
QUICK = "--backend vulkan --min-time 0.002 --max-time 0.01 --runs 3"
SOURCE = """struct Arguments { uint n; };
[[vk::push_constant]] ConstantBuffer<Arguments> args;
[[vk::binding(0, 0)]] StructuredBuffer<float> x : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<float> y : register(u0);
#if BAD == 1
#error this value does not compile
#endif
[numthreads(64, 1, 1)] void move(uint3 id : SV_DispatchThreadID)
{
  float value = x[id.x % args.n];
  for (uint i = 0; i < WORK * 64u; i++)
    value = value * x[(id.x + i) % args.n] + 0.5f;
  if (id.x < args.n)
    y[id.x] = value > 1e30f ? value : x[id.x] + (BAD == 2 ? 1 : 0);
}
"""


class Tune(results.Case):
    document = None

    def setUp(self):
        super().setUp()
        self.environment = os.environ | {"XDG_CONFIG_HOME": self.path("config"), "XDG_CACHE_HOME": self.path("cache")}
        self.presets = self.path("config/xbench/presets.json")

    def tune(self, words, exit_code=0):
        return self.run_to_end(f"tune {QUICK} {words}", exit_code, env=self.environment)

    def write(self, name, content):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def write_pair(self, *parameters, conditions=()):
        """A pair of one API: what is tuned, and a plain side as its reference."""
        self.write("tuned.hlsl", "".join(f"#ifndef {name}\n#define {name} 0\n#endif\n" for name in ("WORK", "BAD")) + SOURCE)
        self.write("plain.hlsl", "".join(f"#undef {name}\n#define {name} 0\n" for name in ("WORK", "BAD")) + SOURCE)
        self.write("m.json", {
            "Name": "tuned", "Sides": ["tuned.hlsl", "plain.hlsl"], "Size": "2^12", "Reference": "plain.hlsl",
            "Buffers": [{"Name": "x", "Access": "in", "Format": "float32", "Length": "n"},
                        {"Name": "y", "Access": "out", "Format": "float32", "Length": "n"}],
            "Shaders": [{"Entry": "move", "DispatchGroupCount": ["ceil(n/64)"], "Arguments": {"n": "n"}}],
            "ConfigurationSpace": {"TuningParameters": list(parameters), "Conditions": list(conditions)}})

    # ---- A variant

    def test_variant(self):
        out, _ = self.tune("-n 5000 --out r reduce/7")
        self.assertRegex(out, r"reduce/7_many_elements vulkan float32, on .*: 5 candidates")
        self.assertEqual(out.count("(the default)"), 1)
        cache = self.read("r.vulkan.cache.json")
        self.assertEqual(sorted(int(key) for key in cache["cache"]), [64, 128, 256, 512, 1024])
        self.assertEqual(cache["problem_size"], [5000, 1, 1])
        again, _ = self.tune("-n 5000 --out r reduce/7")
        self.assertIn("5 of them were tried before", again)
        _, err = self.tune("-n 5000 --seed 9 --out r reduce/7", 2)
        self.assertIn("is of another search: its search differs; name another file", err)
        self.assertEqual(self.read("r.vulkan.cache.json"), cache)
        self.assertRegex(self.tune("-n 6000 --out r reduce/7", 2)[1], "r.vulkan.cache.json: is of another search: its problem_size")

    def test_unwritten(self):
        """A file that cannot be written is an error, and a search that could not save its preset does not begin."""
        os.mkdir(self.path("r.vulkan.run.json"))
        _, err = self.tune("-n 64 --max-candidates 2 --out r reduce/7", 2)
        self.assertIn("r.vulkan.run.json: cannot be written: ", err)
        del self.environment["XDG_CONFIG_HOME"]
        self.environment.pop("HOME", None)
        out, err = self.tune("-n 64 reduce/7", 2)
        self.assertEqual(out, "")
        self.assertIn("presets: no folder to save them: set HOME or XDG_CONFIG_HOME", err)

    def test_page(self):
        self.tune("-n 5000 --at stride=1,2,4 --max-candidates 7 --out s stride/1")
        self.run_to_end("report s.vulkan.run.json s.vulkan.cache.json -o s.html")
        with open(self.path("s.html"), encoding="utf-8") as file:
            page = file.read()
        for text in ("stride/1_word, float32: best so far", "time over block", "time over stride"):
            self.assertIn(text, page)
        self.write("bad.cache.json", {"kernel_name": "a b c", "cache": []})
        self.run_to_end("report s.vulkan.run.json bad.cache.json -o s.html", 2)
        self.assertIn("s.vulkan.cache.json: is a search of 'xbench tune': also name its results, NAME.API.run.json",
                      self.run_to_end("report s.vulkan.cache.json -o s.html", 2)[1])

    def test_terminal(self):
        """Lines fit a terminal."""
        words = f"stty cols 64; {results.XBENCH} tune {QUICK} -n 64 reduce/7; echo code $?"
        done = subprocess.run(["script", "-qc", words, "/dev/null"], env=self.environment, cwd=self.folder,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertIn("code 0", done.stdout)
        self.assertLessEqual(max(len(line) for line in done.stdout.splitlines()), 64)

    def test_axes(self):
        out, _ = self.tune("-n 5000 --at stride=1,2 --strategy random --max-candidates 3 stride/1")
        self.assertRegex(out, r"on .*: 6 candidates")
        self.assertEqual(len([line for line in out.splitlines() if " block=" in line and line[5].isdigit()]), 3)

    def test_words(self):
        """Each mistake has a line of its own."""
        self.write_pair({"Name": "WORK", "Values": [0]})
        for words, why in (("", "name one variant, such as reduce/7"), ("reduce", "reduce has several variants: name one, such as reduce/1"),
                           ("reduce/7 reduce/8", "not also 'reduce/8'"), ("reduce/10", "reduce/10 has no kernel"),
                           ("--json a.json reduce/7", "--json, --csv, --format: "), ("--format csv m.json", "--json, --csv, --format: "),
                           ("-n 1,2 reduce/7", "--size: expected one size"), ("-n 1,2 m.json", "--size: expected one size"),
                           ("--dtype float32,int32 reduce/7", "--dtype: expected one element type"),
                           ("--launch all reduce/7", "--launch: expected one way"), ("--queue-family all reduce/7", "--queue-family: expected one"),
                           ("--block 64 reduce/7", "--block: 'xbench tune' tries all"), ("--block 64 m.json", "--block: the manifest says"),
                           ("--preset tuned reduce/7", "--preset: 'xbench tune' makes presets"),
                           ("--runs 1 reduce/7", "--runs: expected 3 to 32"), ("--max-candidates 0 reduce/7", "--max-candidates: expected 1 or more"),
                           ("--max-candidates 0 m.json", "--max-candidates: expected 1 or more"),
                           ("--at stride=1..65 stride/1", "--at: stride has more than 64 values"),
                           ("--t1 a.json reduce/7", "--t1: only valid with the manifest"), ("none.json", "none.json: ")):
            with self.subTest(words=words):
                out, err = self.tune(words, 2)
                self.assertEqual((out, err.count("\n")), ("", 1))
                self.assertIn(why, err)

    def test_refused(self):
        """What no candidate can be is said with the reason."""
        out, err = self.tune("--at stride=0,1 stride/1", 3)
        self.assertEqual(out, "")
        self.assertRegex(err, "^xbench: tune: the default is refused on vulkan: stride: a stride of 0 .*\n"
                              "xbench: tune: nothing to search: no API takes the default, which has the first value of each --at\n$")
        _, err = self.tune("-n 64 --at words=0,77 atomics/1", 2)
        self.assertIn("words=77", err)
        out, _ = self.tune("-n 64 --at stride=1,0 stride/1")
        self.assertRegex(out, "block=[0-9]+ stride=0 +invalid, constraints: stride: a stride of 0 would make all threads copy one word")
        out, _ = self.tune("-n 64 --max-candidates 1 --strategy local reduce/7")
        self.assertIn("the default stays for vulkan: no other candidate was tried", out)

    # ---- Presets

    def plant(self, *more, **changed):
        """A preset for reduce/7 on this device, as a tuning run writes it; and more, which differ from it."""
        if not Tune.document:
            self.run_to_end(f"{results.QUICK} -n 5000 --json own.json reduce/7", env=self.environment)
            Tune.document = self.read("own.json")
        document = Tune.document
        own, = [r for r in document["results"] if not r["yardstick"]]
        device = document["devices"][0]
        preset = {key: own[key] for key in ("benchmark", "variant", "backend", "device", "source_hash", "dtype", "size")}
        preset |= {"model": device["name"], "driver": device["driver"], "values": {"block": 512}} | changed
        os.makedirs(os.path.dirname(self.presets), exist_ok=True)
        self.write("config/xbench/presets.json", {"schema": "xbench-presets/1", "presets": [preset] + [preset | other for other in more]})

    def run_preset(self, words="-n 5000 reduce/7"):
        out, err = self.run_to_end(f"{results.QUICK} --preset tuned --json p.json {words}", env=self.environment)
        own, = [r for r in self.read("p.json")["results"] if not r["yardstick"]]
        self.schema.validate(self.read("p.json"))
        return own, out, err

    def test_preset(self):
        self.plant()
        own, out, err = self.run_preset()
        self.assertEqual((own["block"], own["preset"], err), (512, "tuned", ""))
        self.assertIn("preset tuned: groups of 512", out)
        self.assertIn("has groups of 512", self.run_preset("-n 5000 --format csv reduce/7")[2])
        plain, _ = self.run_to_end(f"{results.QUICK} -n 5000 reduce/7", env=self.environment)
        self.assertNotIn("preset", plain)

    def test_preset_of_the_nearest_size(self):
        self.plant({"size": 8000, "values": {"block": 64}}, {"size": 9000, "values": {"block": 256}})
        for n, block in ((5000, 512), (6000, 512), (7900, 64), (8900, 256)):
            self.assertEqual(self.run_preset(f"-n {n} reduce/7")[0]["block"], block, n)

    def test_preset_that_does_not_fit(self):
        for changed, why in (({"driver": "older"}, "another driver"), ({"source_hash": "fnv1a64/2:0"}, "another source"), ({"source_hash": "fnv1a64:0"}, "an older xbench wrote it"),
                             ({"dtype": "int32"}, "another element type"), ({"size": 50000}, "another size"),
                             ({"device": "0", "model": "another"}, "another device"),
                             ({"values": {"old": 1}}, "this version of the benchmark does not know"),
                             ({"values": {"block": 77}}, "not built for its group size"), ({"values": {"block": 2**20}}, "not built for its group size"),
                             ({"values": {}}, "has no values"), ({"values": None}, "has no values"), ({"values": []}, "has no values"),
                             ({"values": {"block": 0}}, "not built for its group size"), ({"values": {"block": "512"}}, "not a whole number of 32 bits"),
                             ({"values": {"block": -1}}, "not a whole number of 32 bits"),
                             ({"values": {"block": 2**32 + 512}}, "not a whole number of 32 bits"), ({"variant": "8_wave"}, "nothing was saved")):
            with self.subTest(why=why):
                self.plant(**changed)
                own, out, err = self.run_preset()
                self.assertEqual((own["block"], own.get("preset")), (128, None))
                self.assertRegex(err, f"^xbench: preset tuned: reduce/7_many_elements on vulkan has its defaults: .*{why}")
                self.assertNotIn("preset", out)
                self.assertEqual(err.count("\n"), 1)
        for damaged in ("{", {"schema": "xbench-presets/1"}, {"schema": "xbench-presets/1", "presets": {}},
                        {"schema": "xbench-presets/1", "presets": ["reduce"]}):
            self.write("config/xbench/presets.json", damaged)
            self.assertRegex(self.run_preset()[2], r"(is not a preset file of this program|is not valid JSON.*|presets\[0\]: expected an object.*); "
                                                   "it is ignored")
        os.remove(self.presets)
        self.assertIn("nothing was saved for it", self.run_preset()[2])

    def test_preset_and_block(self):
        self.run_to_end("--preset tuned --block 64 reduce/7", 2)

    def test_transfer(self):
        """The best of another device is measured here, too."""
        self.plant(device="0", model="Another GPU", values={"block": 1024})
        out, _ = self.tune("-n 5000 --max-candidates 1 --transfer reduce/7")
        self.plant(device="0", model="Another GPU", values={})
        _, err = self.tune("-n 5000 --max-candidates 1 --transfer reduce/7")
        self.assertIn("the preset of Another GPU is ignored: its values are not a candidate here", err)
        self.assertRegex(out, r"on vulkan +(the default stays +block=128|own best +block=64)\n"
                              r"  on vulkan +best of Another GPU +block=1024 +\d")
        self.plant(device="0", model="Another GPU", values={"block": 1024}, size=50000)
        out, _ = self.tune("-n 5000 --max-candidates 1 --transfer reduce/7")
        self.assertNotIn("Another GPU", out)  # the best of another size

    # ---- A pair

    def test_faster(self):
        """A default that works in vain is found out."""
        self.write_pair({"Name": "WORK", "Values": [8, 0], "Default": 8})
        out, _ = self.tune("--transfer --out p m.json")
        self.assertRegex(out, r"\n  on vulkan +own best +WORK=0\n  on vulkan +there is no other API, and no preset of another device\n$")
        self.assertRegex(out, r"WORK=0 +0\.\d+ +\[.*\]  faster\n")
        self.assertIn("best for vulkan: WORK=0", out)
        self.assertFalse(os.path.exists(self.presets))
        self.assertIn("WORK=0", out)

    def test_invalid(self):
        self.write_pair({"Name": "WORK", "Values": [0, 9]}, {"Name": "BAD", "Values": [0, 1, 2]},
                        conditions=[{"Expression": "WORK + BAD <= 10"}])
        out, _ = self.tune("--out p m.json")
        cache, t4 = self.read("p.vulkan.cache.json")["cache"], self.read("p.vulkan.t4.json")["results"]
        self.assertEqual({(e["configuration"]["WORK"], e["configuration"]["BAD"]): e["invalidity"] for e in t4},
                         {(w, b): "constraints" if w + b > 10 else ("correct", "compile", "correctness")[b]
                          for w in (0, 9) for b in range(3)})
        self.assertEqual(cache["0,1"]["time"], "CompilationFailedConfig")
        self.assertEqual(cache["9,2"]["time"], "InvalidConfig")
        self.assertEqual(cache["0,2"]["time"], "RuntimeFailedConfig")
        self.assertEqual({e["correctness"] for e in t4 if e["invalidity"] == "correctness"}, {0})
        self.assertIn("invalid, constraints: condition: WORK + BAD <= 10 does not hold", out)

    def test_example(self):
        """The example of tuning.md needs one API only."""
        out, _ = self.tune(f"-n 2^12 --max-candidates 1 {sys.argv[3]}/examples/pairs/tiles/tiles.json")
        self.assertRegex(out, r"^tiles/1_tiles vulkan float32, on .*: 25 candidates\n +1  BLOCK=64 ELEMENTS=1 +\d")

    def test_t1(self):
        self.write_pair({"Name": "WORK", "Values": [0]})
        self.write("t1.json", {"ConfigurationSpace": {"TuningParameters": [
            {"Name": "WORK", "Type": "int", "Values": "[0, 1]"}]}, "KernelSpecification": {}})
        self.assertIn(": 2 candidates", self.tune("--t1 t1.json m.json")[0])

    def test_define(self):
        self.write_pair({"Name": "WORK", "Values": [8, 0], "Default": 8})
        self.run_to_end("pair -q --backend vulkan --min-time 0.002 --max-time 0.01 --define BAD=2 m.json", 1, env=self.environment)
        for define in ("BAD", "BAD=", "BAD=x", "BAD=-1"):
            self.run_to_end(f"pair -q --backend vulkan --define {define} m.json", 2, env=self.environment)

    def test_equal(self):
        """Candidates that make the same code: nothing may be called faster."""
        self.write_pair({"Name": "UNUSED", "Values": [1, 2]})
        for i in range(TRIES):
            out, _ = self.tune(f"--seed {i + 1} m.json")
            self.assertIn("the default stays for vulkan", out)

    def test_interrupt(self):
        self.write_pair({"Name": "WORK", "Values": list(range(64))})
        process = self.start(f"tune {QUICK} --out p m.json", env=self.environment, start_new_session=True)
        patience.until(lambda: os.path.exists(self.path("p.vulkan.t4.json")), "no candidate is tried")
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=patience.S)
        self.assertIn(process.returncode, (130, -signal.SIGINT))
        before = len(self.read("p.vulkan.cache.json")["cache"])
        self.assertLess(before, 64)
        out, _ = self.tune(f"--max-candidates {before + 1} --out p m.json")
        self.assertIn(f"{before} of them were tried before", out)
        self.assertEqual(len(self.read("p.vulkan.cache.json")["cache"]), before + 1)

    # ---- Kernel Tuner

    @unittest.skipUnless(os.path.isdir(KERNEL_TUNER), "without Kernel Tuner")
    def test_kernel_tuner(self):
        self.test_invalid()
        script = """
import json, sys, jsonschema
from kernel_tuner import file_utils, util
cache = util.read_cache("p.vulkan.cache.json", open_cache=False)
jsonschema.validate(json.load(open("p.vulkan.t4.json")), file_utils.output_file_schema("results")[1])
results = [dict(entry) for entry in cache["cache"].values()]
t4 = file_utils.get_t4_results(results, cache["tune_params"])["results"]
print(json.dumps([[r["configuration"], r["invalidity"]] for r in t4]))
from kernel_tuner.interface import tune_cache
found, _ = tune_cache("p.vulkan.cache.json", strategy="brute_force")
print(json.dumps(min((r for r in found if "__error__" not in r), key=lambda r: r["time"])["WORK"]))
"""
        done = subprocess.run([sys.executable, "-c", script], cwd=self.folder, env=os.environ | {"PYTHONPATH": KERNEL_TUNER},
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("compile"), 2)


results.main()
