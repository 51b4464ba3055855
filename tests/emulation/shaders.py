"""shaders.py XBENCH SCHEMA ROOT: shaders run on the processor beside CUDA's kernels, with waves of each size, and write the same
bits."""

import json
import os
import unittest

import pairs
import results

QUICK = "-q --backend cpu --min-time 0.0001 --max-time 0.001 --placements 1"
WAVES = [4, 8, 16, 32, 64, 128]
# Each uses something that the others do not: shared memory, waves, atomics, images, specialization, waiting for other groups.
SAMPLE = ["reduce/9 --dtype int32", "scan/4 --dtype int32", "transpose/8", "histogram/3", "blur/2"]
# What runs on CUDA's emulation within a minute or two. What divergence computes depends on the size of the wave; sort refuses waves of
# more than 32 lanes. Floats of reduce are added in the order of its waves. What resident writes is how many groups ran at a time, which
# differs from run to run.
FAMILIES = ["aat", "adjacent", "allreduce", "asynccopy", "atomics", "banks", "blur", "breakeven", "cachecontrol", "cipher", "coalescing",
            "constants", "copy", "histogram", "l2window", "latency", "layout", "maximum", "neighbours", "offset", "outer", "overlap",
            "recompute", "reduce --dtype int32", "scan", "shared_layout", "sort", "stride", "timers", "transpose", "workqueue"]
AT_32 = ["divergence"]
# Of matrices 4096 would be the rows.
SIZES = {"aat": "64", "breakeven": "64", "layout": "64", "neighbours": "256", "outer": "64", "shared_layout": "64", "sort": "6000",
         "transpose": "128"}
SAXPY = "--entry saxpy --in x:float32:n --inout y:float32:n --arg n --arg a=0.5f --group 64"


class Shaders(pairs.Case):
    def compare_bits(self, words, waves, exit_code=0):
        """Whatever both columns ran is verified, and has the same hash of its outputs. Returns how many rows were compared."""
        wanted = ",".join(map(str, waves))
        self.run_to_end(f"{QUICK} --wave {wanted} {words} --json r.json", exit_code)
        document = self.load("r.json")
        names = {(d["emulates"], d["subgroup_size"]) for d in document["devices"]}
        self.assertEqual(names, {("cuda", 32)} | {("vulkan", w) for w in waves})
        kernels, shaders = {}, []
        for r in document["results"]:
            key = (r["benchmark"], r["variant"], r["dtype"], r["block"], json.dumps(r["at"]))
            if r["outcome"] == "ok" and r["output_hash"]:
                self.assertTrue(r["verified"], key)
                if r["queue_family"]:
                    shaders.append((key, r))
                else:
                    kernels[key] = r["output_hash"]
        compared = [(key, r["output_hash"]) for key, r in shaders if key in kernels]
        for key, bits in compared:
            self.assertEqual(bits, kernels[key], key)
        return len(compared)

    def test_sample(self):
        for name in SAMPLE:
            with self.subTest(variant=name):
                size = SIZES.get(name.split("/", maxsplit=1)[0], "4096")
                self.assertGreater(self.compare_bits(f"{name} -n {size}", [32]), 0)

    def test_matrices(self):
        """Matrices are of waves of 32 lanes, in all shapes; waves of other sizes are refused by the feature that they lack."""
        for words in ["tensor/1 tensor/2 tensor/3 tensor/25 tensor/26", "tensor8/1 tensor8/2 --dtype int32"]:
            for size in ["128", "33x130x77"]:
                self.run_to_end(f"{QUICK} --wave 16,32 -n {size} {words} --json r.json", None)
                rows = [r for r in self.load("r.json")["results"] if r["benchmark"].startswith("tensor") and r["queue_family"]]
                self.assertEqual({r["queue_family"] for r in rows}, {16, 32})
                for r in rows:
                    if "slangc" in (r.get("error") or ""):
                        self.skipTest("this build has no slangc, which compiles the shaders")
                    elif r["queue_family"] == 32:
                        self.assertEqual((r["outcome"], r["verified"]), ("ok", True), r["variant"])
                    else:
                        self.assertEqual(r["outcome"], "unsupported", r["variant"])
                        self.assertIn("matrices_16x", r["error"])

    def test_float8(self):
        """Shaders on the CPU have no float8: the rows say so by the feature, and int8 runs."""
        self.run_to_end(f"{QUICK} --wave 32 -n 128 tensor8/1 tensor8/2 tensor8/4 --json r.json", None)
        rows = [r for r in self.load("r.json")["results"] if r["benchmark"] == "tensor8" and r["queue_family"]]
        self.assertEqual(len(rows), 3)
        for r in rows:
            self.assertEqual(r["outcome"], "unsupported", r["variant"])
            self.assertIn("needs matrices_16x16x32_float8, which '", r["error"])

    @unittest.skipUnless(os.environ.get("XB_ALL_TESTS"), "all families, at all sizes of waves: in the full suite")
    def test_all_families(self):
        for name in FAMILIES + AT_32:
            with self.subTest(family=name):
                waves = WAVES if name in FAMILIES else [32]
                self.assertGreater(self.compare_bits(f"{name} -n {SIZES.get(name, '4096')}", waves, None), 0)

    def test_document(self):
        self.run_to_end(f"{QUICK} --wave 8,32 reduce/9 -n 1000 --json r.json")
        self.check(self.load("r.json"))

    def test_waves(self):
        self.assertEqual(self.compare_bits("reduce/9 --dtype int32 -n 5000", WAVES), len(WAVES) * 3)  # and both copies
        out, _ = self.run_to_end(f"{QUICK} --wave 32,64 reduce/9 -n 1000")
        self.assertIn("| hlsl on cpu ", out)
        self.assertIn("| hlsl on cpu, 64", out)
        for wrong in ("0", "3", "48", "256", "8,", ",8", "x", "8 16", ""):
            _, err = self.run_to_end(f"{QUICK} reduce/9 --wave '{wrong}'", 2)
            self.assertIn("--wave", err)
        _, err = self.run_to_end("reduce/9 -n 1000 --backend vulkan --wave 8", 3)
        self.assertIn("--wave: no API of this run emulates waves; --backend cpu does", err)

    def test_checks(self):
        """Both halves of a pair are watched in one run: each lacks its barrier. A right pair is right in other orders, too."""
        for barrier, exit_code in ((False, 1), (True, 0)):
            self.write("turn.cu", "__global__ void turn(const unsigned *src, unsigned *dst)\n{\n  __shared__ unsigned tile[64];\n"
                                  "  unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;\n  tile[t] = src[i];\n"
                                  f"  {'__syncthreads();' if barrier else ''}\n  dst[i] = tile[63 - t];\n}}\n")
            self.write("turn.hlsl", "StructuredBuffer<uint> src : register(t0);\nRWStructuredBuffer<uint> dst : register(u0);\n"
                                    "groupshared uint tile[64];\n[numthreads(64, 1, 1)] void turn(uint3 id : SV_DispatchThreadID, uint t : "
                                    "SV_GroupIndex)\n{\n  tile[t] = src[id.x];\n"
                                    f"  {'GroupMemoryBarrierWithGroupSync();' if barrier else ''}\n  dst[id.x] = tile[63 - t];\n}}\n")
            words = f"turn.cu turn.hlsl --in src --out dst -n 128 --check races,memory{',order' if barrier else ''}"
            out, _ = self.pair(words, exit_code)
            if not barrier:
                self.assertRegex(out, r"memory: kernel turn, .* that no thread has written yet at turn\.cu:7: .* of shared memory 'tile'")
                self.assertRegex(out, r"memory: kernel turn, .* that no thread has written yet at turn\.hlsl:8: .* of shared memory 'tile'")

    def test_pairs(self):
        """A pair has two columns, and a shader may run alone."""
        self.write("saxpy.cu", "__global__ void saxpy(int n, float a, const float *x, float *y)\n{\n"
                               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = a * x[i] + y[i];\n}\n")
        self.write("saxpy.hlsl", pairs.saxpy())
        out, _ = self.pair(f"saxpy.cu saxpy.hlsl {SAXPY} -n 100 --backend cpu --json p.json")
        self.assertIn("hlsl on cpu / cuda on cpu", out)
        self.assertIn("same bits: yes", out)
        self.assertEqual({(r["queue_family"], r["outcome"], r["verified"]) for r in self.own("p.json")}, {(0, "ok", True), (32, "ok", True)})
        out, _ = self.pair(f"saxpy.hlsl {SAXPY} -n 100 --backend cpu --unchecked --wave 8 --json s.json")
        self.assertEqual([(d["emulates"], d["subgroup_size"]) for d in self.load("s.json")["devices"]], [("vulkan", 8)])

    def test_examples(self):
        for name, size in {"tiles/tiles": "127", "sobel/sobel": "61x67", "dot/dot": "1022"}.items():
            with self.subTest(example=name):
                self.pair(f"{pairs.EXAMPLES}/{name}.json -n {size} --backend cpu --json r.json")
                own = [r for r in self.own("r.json") if "it has no source for" not in (r["error"] or "")]
                self.assertEqual({r["queue_family"] for r in own}, {0, 32})
                for r in own:
                    self.assertEqual((r["outcome"], r["verified"]), ("ok", True), r["variant"])

    def test_faults(self):
        """A barrier that not all threads come to is one line."""
        self.write("early.hlsl", """[[vk::binding(0, 0)]] RWStructuredBuffer<uint> y : register(u0);
groupshared uint kept[64];
[numthreads(64, 1, 1)] void early(uint3 id : SV_GroupThreadID)
{
  kept[id.x] = id.x;
  if (id.x < 10)
    return;
  GroupMemoryBarrierWithGroupSync();
  y[id.x] = kept[63 - id.x];
}
""")
        out, err = self.pair("early.hlsl --entry early --inout y:uint32:n -n 64 --group 64 --backend cpu --unchecked", None)
        self.assertIn("10 of 64 threads of the group ended without it: all must reach it", out + err)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    results.main()
