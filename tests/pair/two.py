"""two.py PAIR_TWO SCHEMA ROOT SPV: a CUDA and a Vulkan side in one run, with Vulkan in the place of CUDA (two.c)."""

import json
import os
import unittest

import pairs
import results
import sys

os.environ["XB_TWO"] = os.path.abspath(sys.argv[4])
SAXPY = "--entry saxpy --in x:float32:n --inout y:float32:n --arg n --arg a=0.5f --group 256"


class Two(pairs.Case):
    lacking = None  # why a CUDA side cannot be compiled; "": it can

    def setUp(self):
        super().setUp()
        self.write("saxpy.cu", "__global__ void saxpy(int n, float a, const float *x, float *y)\n{\n"
                               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = a * x[i] + y[i];\n}\n")
        self.write("saxpy.hlsl", pairs.saxpy().replace("64", "256"))
        if Two.lacking is None:
            _, err = self.pair(f"saxpy.cu saxpy.hlsl {SAXPY} -n 100", None)
            Two.lacking = err if "no compiler was found" in err else ""
        if Two.lacking:
            self.skipTest(Two.lacking)

    def test_compared(self):
        """One variant, a column for each API, and the ratio."""
        out, err = self.pair(f"saxpy.cu saxpy.hlsl {SAXPY} --groups n/256 -n 2^10..2^11 --json r.json --dump-outputs dump")
        self.assertIn("two: _Z5saxpyifPKfPf 0+4 4+4 b0 b1", err)
        self.assertIn("1_saxpy vulkan / cuda", out)
        cells = self.own("r.json")
        self.assertIn(cells[0]["title"], ("saxpy (nvrtc, glslc)", "saxpy (nvcc, glslc)"))
        self.assertEqual([(r["variant"], r["backend"], r["verified"]) for r in cells],
                         [("1_saxpy", "cuda", True), ("1_saxpy", "vulkan", True)] * 2)
        self.assertEqual(len(self.load("r.json")["comparisons"]), 2)
        self.assertEqual(pairs.read_npy(self.path("dump/y.saxpy.cu.1024.npy")),
                         pairs.read_npy(self.path("dump/y.saxpy.hlsl.1024.npy")))

    def test_transfer(self):
        """What the other API is given is what was confirmed: of cuda, where all candidates are the same code, the default."""
        self.write("saxpy.hlsl", pairs.saxpy("float more = 0; for (uint k = 0; k < WORK * 16u; k++) more = more * x[(i + k) % args.n] + 0.5f; "
                                             "y[i] = args.a * x[i] + y[i] + (more > 1e30f ? more : 0);").replace("64,", "256,"))
        with open(self.path("saxpy.hlsl"), encoding="utf-8") as file:
            source = file.read()
        self.write("saxpy.hlsl", "#ifndef WORK\n#define WORK 0\n#endif\n" + source)
        self.write("m.json", json.dumps({
            "Name": "saxpy", "Sides": ["saxpy.cu", "saxpy.hlsl"], "Size": 4096,
            "Buffers": [{"Name": "x", "Access": "in", "Format": "float32", "Length": "n"},
                        {"Name": "y", "Access": "inout", "Format": "float32", "Length": "n"}],
            "Shaders": [{"Entry": "saxpy", "GroupSize": [256], "DispatchGroupCount": ["n/256"], "Arguments": {"n": "n", "a": 0.5}}],
            "ConfigurationSpace": {"TuningParameters": [{"Name": "WORK", "Values": [16, 15, 0]}]}}))
        out, _ = self.run_to_end("tune --min-time 0.002 --max-time 0.01 --runs 3 --transfer m.json",
                                 env={**os.environ, "XDG_CONFIG_HOME": self.folder})
        self.assertIn("best for vulkan: WORK=0", out)
        self.assertIn("the default stays for cuda", out)
        transfer = out[out.index("\ntransfer: "):]
        self.assertRegex(transfer, r"\n  on cuda +the default stays +WORK=16\n  on cuda +best of vulkan +WORK=0 +\d")
        self.assertRegex(transfer, r"\n  on vulkan +own best +WORK=0\n  on vulkan +default of cuda +WORK=16 +\d.* slower\n")

    def test_disagree(self):
        """Neither side is called verified, whoever is wrong."""
        self.write("saxpy.hlsl", pairs.saxpy("y[i] = args.a * x[i] - y[i];").replace("64", "256"))
        out, _ = self.pair(f"saxpy.cu saxpy.hlsl {SAXPY} -n 1000 --json r.json", 1)
        self.assertEqual([(r["outcome"], r["verified"]) for r in self.own("r.json")], [("wrong", False)] * 2)
        self.assertRegex(out, r"y\[0\] is .*, saxpy.cu has")

    def test_one_of_two(self):
        """--backend leaves a side out; then nothing checks the other one."""
        _, err = self.pair(f"saxpy.cu saxpy.hlsl {SAXPY} -n 1000 --backend vulkan", 3)
        self.assertIn("only saxpy.hlsl can run", err)
        self.pair(f"saxpy.cu saxpy.hlsl {SAXPY} -n 1000 --backend cuda --unchecked")

    def test_roof(self):
        """A kernel that is faster than the device can be has not done its work."""
        for slow, message in (("memory", r"GB/s, but the memory moves at most 0 GB/s"),
                              ("processor", r"GFLOP/s, but at this clock a processor does at most 0")):
            self.pair(f"saxpy.cu saxpy.hlsl {SAXPY} -n 100000 --flops 2*n --json r.json", 1,
                      env={**os.environ, "XB_TWO_SLOW": slow})
            wrong = next(r for r in self.own("r.json") if r["backend"] == "cuda")
            self.assertEqual((wrong["outcome"], wrong["verified"]), ("wrong", False))
            self.assertRegex(wrong["error"], message)

    def test_three(self):
        """A CUDA side, and an HLSL side of two compilers' worth: each against the first."""
        self.write("other.hlsl", pairs.saxpy().replace("64", "256"))
        self.pair(f"saxpy.cu saxpy.hlsl other.hlsl {SAXPY} -n 1000 --json r.json")
        done = [(r["variant"], r["backend"]) for r in self.own("r.json") if r["outcome"] == "ok"]
        self.assertEqual(sorted(done), [("1_saxpy_cu", "cuda"), ("2_saxpy_hlsl", "vulkan"), ("3_other", "vulkan")])
        compared = [c for c in self.load("r.json")["comparisons"] if c["verdict"]]
        self.assertEqual([(c["base"]["variant"], c["base"]["backend"]) for c in compared], [("1_saxpy_cu", "cuda")] * 2)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    results.main()
