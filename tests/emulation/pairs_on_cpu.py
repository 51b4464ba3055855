"""pairs_on_cpu.py XBENCH SCHEMA ROOT: both halves of a pair run without a GPU, and each mistake of the CUDA half is one line."""

import glob
import json
import os
import shutil
import unittest

import pairs
import results

EXAMPLES = {"saxpy/saxpy": "1000", "stencil/stencil": "61x67", "particles/particles": "1000", "dot/dot": "1022",
            "reduction/reduction": "1000", "tiles/tiles": "127", "sobel/sobel": "61x67"}
KERNEL = "__global__ void saxpy(int n, float a, const float *x, float *y)\n{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n%s\n}\n"
SAXPY = "--entry saxpy --in x:float32:n --inout y:float32:n --arg n --arg a=0.5f --group 64"

# Each thread reads what a thread of another block has written.
TURN = """#include <cooperative_groups.h>
__global__ void turn(unsigned n, const float *x, float *y, float *all)
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    all[i] = 2 * x[i];
  cooperative_groups::this_grid().sync();
  if (i < n)
    y[i] = all[n - 1 - i];
}
"""
TURN_HLSL = """struct Arguments { uint n; };
[[vk::push_constant]] ConstantBuffer<Arguments> args;
[[vk::binding(0, 0)]] StructuredBuffer<float> x : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<float> y : register(u0);
[[vk::binding(2, 0)]] RWStructuredBuffer<float> all_ : register(u1);
[numthreads(64, 1, 1)] void turn(uint3 id : SV_DispatchThreadID)
{
  if (id.x < args.n) {
    all_[id.x] = 2 * x[id.x];
    y[id.x] = 2 * x[args.n - 1 - id.x];
  }
}
"""


class Pairs(pairs.Case):
    def test_examples(self):
        for name, size in EXAMPLES.items():
            with self.subTest(example=name):
                self.pair(f"{pairs.EXAMPLES}/{name}.json -n {size} --json r.json")
                own = [r for r in self.own("r.json") if "it has no source for" not in (r["error"] or "")]
                self.assertEqual({r["backend"] for r in own}, {"vulkan", "cpu"})
                for r in own:
                    self.assertEqual((r["outcome"], r["verified"]), ("ok", True), r["variant"])

    def saxpy(self, body, exit_code, more=""):
        self.write("saxpy.cu", KERNEL % body)
        self.write("saxpy.hlsl", pairs.saxpy())
        return self.pair(f"saxpy.cu saxpy.hlsl {SAXPY} -n 100 {more}", exit_code)

    def test_remembers(self):
        """It keeps each result in memory of its own, by the input, and computes where the input is new."""
        root = "float r = 1; for (int j = 0; j < 2000; j++) r = r - (r * r * r - v) / (3.0f * r * r);"
        head = "%s__global__ void k(const float *x, float *y) { int i = blockIdx.x * blockDim.x + threadIdx.x; float v = fabsf(x[i]) + 0.5f;%s y[i] = r; }"
        self.write("honest.cu", head % ("", root))
        self.write("cheat.cu", head % ("__device__ float kx[4096], ky[4096];\n", " if (kx[i] == v) { y[i] = ky[i]; return; } " + root + " kx[i] = v; ky[i] = r;"))
        words = "-b cpu --entry k --out y --group 64 --groups n/64 -n 4096 --json r.json"
        self.pair(f"honest.cu cheat.cu --in x {words}", 1)
        honest, cheat = sorted(self.own("r.json"), key=lambda r: r["variant"])
        self.assertEqual((honest["outcome"], honest["remark"]), ("ok", None))
        self.assertRegex(cheat["error"], "time depends on the runs before: .* with new inputs, .* with the same inputs again")
        self.pair(f"honest.cu cheat.cu --in x:float32:n:ramp {words}")
        self.assertEqual({r["remark"] for r in self.own("r.json")}, {"not varied while timed: x"})

    def test_next_to_it(self):
        """One element beside a buffer: a write is found by the guard; with --check also a read, and where."""
        out, err = self.saxpy("  if (i < n)\n    y[i] = a * x[i] + y[i];\n  if (i == 3)\n    y[n] = 1;", 1, "--wide")
        self.assertIn("wrote past the end of 'y', to element 100 of 100: ", out + err)
        for line, message in (("y[n + 1] = 1;", "writes 4 bytes outside at saxpy.cu:7: word 101 of binding 1, 'y', which has 100"),
                              ("y[0] += x[n];", "reads 4 bytes outside at saxpy.cu:7: word 100 of binding 0, 'x', which has 100"),
                              ("y[0] += x[-1];", "reads 4 bytes outside at saxpy.cu:7: word -1 of binding 0, 'x', which has 100")):
            _, err = self.saxpy(f"  if (i < n)\n    y[i] = a * x[i] + y[i];\n  if (i == 3)\n    {line}", 1, "--check memory")
            self.assertIn(message, err)

    def test_small_floats(self):
        """Floats of 8 and 4 bits: each code is its number, and each number becomes the nearest one, an even one of two."""
        def value(code, exponent_bits, mantissa_bits):
            exponent, mantissa, bias = code >> mantissa_bits & (1 << exponent_bits) - 1, code & (1 << mantissa_bits) - 1, (1 << exponent_bits - 1) - 1
            sign = -1 if code >> exponent_bits + mantissa_bits & 1 else 1
            if exponent_bits == 5 and exponent == 31:
                return float("nan") if mantissa else sign * float("inf")
            if exponent_bits == 4 and code & 127 == 127:
                return float("nan")
            return sign * (mantissa / 2 ** mantissa_bits + (exponent > 0)) * 2.0 ** (max(exponent, 1) - bias)
        for name, e, m in (("__nv_fp8_e4m3", 4, 3), ("__nv_fp8_e5m2", 5, 2), ("__nv_fp4_e2m1", 2, 1)):
            count = 2 << e + m
            self.write("f.cu", f"#include <cuda_fp4.h>\n__global__ void f(const float *x, float *y, float *z)\n{{\n  int i = threadIdx.x;\n  {name} v;\n"
                               "  v.__x = i;\n  y[i] = (float)v;\n" + f"  z[i] = {name}(x[i]).__x;\n}}\n")
            finite = sorted({(value(code, e, m), code) for code in range(count // 2) if abs(value(code, e, m)) < float("inf")})
            x = [v for v, _ in finite] + [(a + b) / 2 for (a, _), (b, _) in zip(finite, finite[1:])]
            x = (x + [v * 1.01 for v, _ in finite] + [finite[-1][0] * 2.0 ** k for k in range(count)])[:count]
            x = [-v if i % 3 == 2 else v for i, v in enumerate(x)]
            nearest = [min(finite, key=lambda v: (abs(v[0] - abs(w)), v[1] & 1))[1] + (count // 2 if w < 0 else 0) for w in x]
            for file, values in (("x.npy", x), ("z.npy", nearest)):
                self.write(file, pairs.npy(values))
            self.pair(f"f.cu --unchecked -b cpu --in x:float32:n:x.npy --out y --out z --group {count} --groups 1 --save y=y.npy")
            self.assertEqual([str(v) for v in pairs.read_npy(self.path("y.npy"))[-1]],
                             [str(value(code, e, m)) for code in range(count)])
            self.pair(f"f.cu -b cpu --in x:float32:n:x.npy --out y --out z --group {count} --groups 1 --unchecked --save z=w.npy")
            self.assertEqual(list(pairs.read_npy(self.path("w.npy"))[-1]), nearest)

    def test_headers_with_host_code(self):
        """A constructor of the host that sets cudaLaunchConfig_t; and a side that lacks a header has no other side's arguments."""
        self.write("launch.h", "struct launch {\n  cudaLaunchConfig_t cfg;\n  launch(dim3 blocks) { cfg = {}; cfg.gridDim = blocks; (&cfg)->blockDim = blocks; }\n};\n")
        kernel = '#include <cuda_runtime.h>\n%s\n__global__ void f(const float *x, float *y, int count)\n{\n' \
                 "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < count) y[i] = gridDim.x * x[i];\n}\n"
        self.write("f.cu", kernel % '#include "launch.h"')
        self.write("f.hlsl", pairs.saxpy("y[i] = ((args.n + 63) / 64) * x[i];"))
        manifest = {"Name": "f", "Size": 1000, "Sides": [{"Source": "f.cu", "Arguments": {"count": "n"}},
                                                         {"Source": "f.hlsl", "Entries": {"f": "saxpy"}, "Arguments": {"n": "n", "a": 1}}],
                    "Buffers": [{"Name": x, "Access": a, "Format": "float32", "Length": "n"} for x, a in (("x", "in"), ("y", "out"))],
                    "Shaders": [{"Entry": "f", "GroupSize": [64], "DispatchGroupCount": ["ceil(n/64)"]}]}
        self.write("f.json", json.dumps(manifest))
        self.pair("f.json")
        self.write("f.cu", kernel % "#include <cub/cub.cuh>\ncub::BlockReduce<float, 64> *none;")
        out, _ = self.pair("f.json", 3)
        self.assertIn("the emulation has no cub/cub.cuh", " ".join(out.split()))

    def test_what_differs(self):
        """Where results differ, the message names what else differs between the sides; a finding stands for itself."""
        said = "pair: also different, beside the sources: saxpy.cu: a * b + c rounded twice, saxpy.hlsl: a * b + c fused or not"
        _, err = self.saxpy("  if (i < n)\n    y[i] = a * x[i] - y[i];", 1)
        self.assertIn(said, " ".join(err.split()))
        self.assertNotIn("functions", err)
        self.write("saxpy.hlsl", pairs.saxpy("y[i] = exp(x[i]) / WaveGetLaneCount();"))
        _, err = self.pair(f"saxpy.cu saxpy.hlsl {SAXPY} -n 100", 1)
        self.assertRegex(" ".join(err.split()), r"saxpy.cu: waves of 32, saxpy.hlsl: waves of 8; saxpy.cu: functions of the C library, saxpy.hlsl: "
                                                r"exp, / with the precision that Vulkan requires")
        out, _ = self.saxpy("  if (i < n)\n    y[i] = a * x[i] + y[i] + 0 * x[n];", 1, "--check memory")
        self.assertRegex(" ".join(out.split()), "not compared: one side has no result, so nothing checks the other: memory: kernel saxpy, .* reads 4 bytes outside")

    def test_conversions(self):
        """A float beyond the range of an integer saturates, as in CUDA."""
        casts = (("unsigned int", "-65.5f", 0), ("unsigned int", "5e9f", 4294967295), ("int", "3e9", 2147483647), ("int", "-7.9f", -7 % 2**32),
                 ("unsigned char", "300.0f", 44), ("unsigned char", "-5.0f", 0), ("unsigned long long", "-2.5f", 0), ("short", "70000.0", 4464))
        lines = "".join(f"  case {i}: y[0] = (unsigned int)({what})(x[0] * {number}); break;\n" for i, (what, number, _) in enumerate(casts))
        self.write("cast.cu", f"__global__ void cast(const float *x, unsigned int *y, int which)\n{{\n  switch (which) {{\n{lines}  }}\n}}\n")
        for i, (what, number, right) in enumerate(casts):
            self.write("right.npy", pairs.npy([right], "<u4"))
            out, err = self.pair("cast.cu -b cpu --in x:float32:1:constant(1) --out y:uint32:1 --reference y=right.npy --group 1 --groups 1 -n 1 "
                                 f"--arg which={i}", None)
            self.assertIn(", 1 verified before and after timing", out, err)

    def test_reasons(self):
        """A document says as the table does why a pair has no ratio."""
        disagree = "the sides disagree; add --reference to learn which is wrong"
        for reason, body, code, more in (
                (disagree, "  if (i < n)\n    y[i] = a * x[i] - y[i];", 1, ""),
                ("one side has no result, so nothing checks the other", "  y[i] = x[n + i - i];", 1, "--check memory"),
                ("no result on either side", "  y[i] = 1;", 1, "--reference y=zeros.npy")):
            self.write("zeros.npy", pairs.npy([9.0] * 100))
            out, _ = self.saxpy(body, code, f"{more} --json r.json")
            self.assertIn(f"not compared: {reason}", " ".join(out.split()))
            self.assertEqual([c["reason"] for c in self.load("r.json")["comparisons"]], [reason])

    def test_much_shared_memory(self):
        """48 KiB can be declared, by each kernel of a file; more is refused in ptxas's words."""
        for words, code in ((12288, 0), (12289, 2)):
            self.write("big.cu", f"""__global__ void other(float *y) {{ __shared__ float all[6000]; all[threadIdx.x] = 1; y[0] = all[5]; }}
__global__ void big(const float *x, float *y)
{{
  __shared__ float part[{words}];
  for (int i = threadIdx.x; i < {words}; i += 64)
    part[i] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = part[{words} - 64 + threadIdx.x];
}}
""")
            _, err = self.pair("big.cu -b cpu --unchecked --entry big --in x:float32:64 --out y:float32:64 --group 64 --groups 1 -n 64", code)
            self.assertEqual("ptxas error   : Entry function 'big' uses too much shared data (0xc004 bytes, 0xc000 max)" in err, code == 2, err)
        out, err = self.run_to_end("pair big.cu --entry big --in x:float32:64 --out y:float32:64 --group 64 --groups 1 --text --for sm_90", None)
        if "ptxas" in out: # where CUDA's compilers are
            self.assertIn("uses too much shared data (0xc004 bytes, 0xc000 max)", out)

    def test_inline_constants(self):
        """Variables of one name in two sides are two, also where a compiler has one symbol for all; each has its own contents."""
        for kind in ("inline ", ""):
            side = kind + "__constant__ float tab[4];\n__global__ void k(const float *x, float *y)\n{\n" \
                   "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  y[i] = x[i] * (tab[1] - %d);\n}\n"
            self.write("one.cu", side % 0)
            self.write("two.cu", side % 3)
            values = ([1, 2, 3, 4], [1, 5, 3, 4])
            self.write("m.json", json.dumps({
                "Name": "own", "Size": "1024",
                "Sides": [{"Source": source, "ConstantMemory": {"tab": {"Format": "float32", "Values": list_}}}
                          for source, list_ in zip(("one.cu", "two.cu"), values)],
                "Buffers": [{"Name": "x", "Access": "in", "Format": "float32", "Length": "n"},
                            {"Name": "y", "Access": "out", "Format": "float32", "Length": "n"}],
                "Shaders": [{"Entry": "k", "GroupSize": [64], "DispatchGroupCount": ["n/64"]}]}))
            self.pair("m.json -b cpu --json r.json")
            self.assertEqual([r["outcome"] for r in self.own("r.json")], ["ok", "ok"], kind)

    def test_own_headers(self):
        """The example of the library, in another folder: xb/abi.h is found, and the types that it declares, without --flag."""
        for name in ("saxpy.cu", "saxpy.hlsl", "saxpy_args.h"):
            shutil.copy(os.path.join(pairs.ROOT, "examples/saxpy", name), self.path(name))
        self.pair("saxpy.cu saxpy.hlsl --in x --inout y --arg n --arg a=0.5f --group 256 -n 1000 --json r.json")
        self.assertEqual([(r["backend"], r["verified"]) for r in self.own("r.json")], [("vulkan", True), ("cpu", True)])

    def test_wrong(self):
        _, err = self.saxpy("  if (i < n)\n    y[i] = a * x[i] - y[i];", 1)
        self.assertIn("saxpy", err)

    def test_outside(self):
        """Kernel, block, thread, line, buffer, index and length; the next size runs."""
        out, err = self.saxpy("  if (i == 3)\n    y[100000] = 1;\n  if (i < n)\n    y[i] = a * x[i] + y[i];", None, "--wide")
        self.assertRegex(out + err, r"kernel saxpy, block \(0, 0, 0\), thread \(3, 0, 0\) writes .*saxpy\.cu:5.*: word 100000 of binding 1, "
                                    "'y', which has 100 words")
        out, err = self.saxpy("  if (i == 3)\n    y[-1500000000] = 1;\n  if (i < n)\n    y[i] = a * x[i] + y[i];", None, "--wide")
        self.assertRegex(out + err, r"saxpy\.cu:5.*: the nearest buffer: word -\d+ of binding \d, '[xy]', which has 100 words")

    def test_spins(self):
        """Ends at the limit, with the place; the other cells run."""
        out, err = self.saxpy("  volatile float *v = y;\n  while (i == 3 && v[0] != 12345.0f)\n    ;\n  if (i < n)\n"
                              "    y[i] = a * x[i] + y[i];", None, "--wait-limit 1 --wide")
        self.assertRegex(out + err, r"did not finish within 1 s, and was stopped: kernel saxpy, block \(0, 0, 0\), thread \(3, 0, 0\)")

    def test_overload(self):
        """One of two kernels of a name is named by its parameters, and so is a hidden one."""
        self.write("k.cu", "namespace {\n__global__ void twice(const float *x, float *y)\n{\n  y[blockIdx.x * 64 + threadIdx.x] = "
                   "2 * x[blockIdx.x * 64 + threadIdx.x];\n}\n}\n__global__ void twice(const int *x, int *y)\n{\n}\n")
        self.write("k.hlsl", pairs.saxpy("y[i] = 2 * x[i];").replace("args.n", "512").replace("saxpy", "k"))
        words = "k.hlsl --in x --out y --group 64 -n 512"
        _, err = self.pair(f"k.cu {words} --entry twice", 2)
        self.assertIn("2 kernels are named 'twice': name one with its parameters, such as 'twice(int const*, int*)'", err)
        manifest = {"Name": "k", "Sides": [{"Source": "k.cu", "Entries": {"k": "twice(const float *, float *)"}}, {"Source": "k.hlsl"}],
                    "Buffers": [{"Name": "x", "Access": "in"}, {"Name": "y", "Access": "out"}],
                    "Shaders": [{"Entry": "k", "GroupSize": [64], "DispatchGroupCount": ["n/64"]}]}
        self.write("k.json", results.json.dumps(manifest))
        self.pair("k.json -n 512 --json r.json")
        self.assertEqual([(r["backend"], r["verified"]) for r in self.own("r.json")], [("vulkan", True), ("cpu", True)])

    def test_two_names(self):
        """A template has another name in HLSL, which --entry tells; without its arguments it is no kernel."""
        self.write("k.cu", "namespace ns {\ntemplate <int BY, typename T> __global__ void times(const T *x, T *y)\n{\n"
                   "  y[blockIdx.x * 64 + threadIdx.x] = BY * x[blockIdx.x * 64 + threadIdx.x];\n}\n}\n")
        self.write("k.hlsl", pairs.saxpy("y[i] = 2 * x[i];").replace("args.n", "512").replace("saxpy", "Twice") +
                   "[numthreads(64, 1, 1)] void Other() {}\n")
        words = "k.cu k.hlsl --in x --out y --group 64 -n 512"
        self.pair(f"{words} --entry ns::times<2,float>=Twice --json r.json")
        self.assertEqual([(r["backend"], r["verified"]) for r in self.own("r.json")], [("vulkan", True), ("cpu", True)])
        self.run_to_end("pair --init k.cu k.hlsl --entry ns::times<2,float>=Twice")
        self.assertEqual(self.load("k.json")["Sides"][1]["Entries"], {"ns::times<2,float>": "Twice"})
        _, err = self.pair(f"{words} --entry ns::times<2,float>", 2)
        self.assertIn("the source has: Twice, Other. Is it another name of the same kernel? Name both, as in --entry 'KERNEL=NAME'", err)

    def test_null(self):
        """An argument 0 for a pointer that has no buffer."""
        self.write("k.cu", "__global__ void k(const float *x, const float *more, float *y)\n{\n  const unsigned i = blockIdx.x * 64 + "
                   "threadIdx.x;\n  y[i] = 2 * x[i] + (more ? more[i] : 0);\n}\n")
        self.write("k.hlsl", pairs.saxpy("y[i] = 2 * x[i];").replace("args.n", "512").replace("saxpy", "k"))
        sides = [{"Source": "k.hlsl"}, {"Source": "k.cu", "Arguments": {"more": 0}}]
        manifest = {"Name": "k", "Sides": sides, "Buffers": [{"Name": "x", "Access": "in"}, {"Name": "y", "Access": "out"}],
                    "Shaders": [{"Entry": "k", "GroupSize": [64], "DispatchGroupCount": ["n/64"]}]}
        for null in (0, 0.0, "0", [0]):
            sides[1]["Arguments"]["more"] = null
            self.write("k.json", results.json.dumps(manifest))
            self.pair("k.json -n 512")
        sides[1]["Arguments"]["more"] = 1
        self.write("k.json", results.json.dumps(manifest))
        _, err = self.pair("k.json -n 512", 2)
        self.assertIn("more is a pointer: expected 0, or a buffer", err)

    def test_own_group(self):
        """A side's own GroupSize is what its results say."""
        self.write("k.cu", "__global__ void k(const float *x, float *y)\n{\n  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                   "  y[i] = blockDim.x == 32 ? 2 * x[i] : 0;\n}\n")
        self.write("k.hlsl", pairs.saxpy("y[i] = 2 * x[i];").replace("args.n", "512").replace("saxpy", "k"))
        manifest = {"Name": "k", "Sides": [{"Source": "k.hlsl"}, {"Source": "k.cu", "GroupSize": [32], "DispatchGroupCount": ["n/32"]}],
                    "Buffers": [{"Name": "x", "Access": "in"}, {"Name": "y", "Access": "out"}],
                    "Shaders": [{"Entry": "k", "DispatchGroupCount": ["n/64"]}]}
        self.write("k.json", results.json.dumps(manifest))
        self.pair("k.json -n 512 --json r.json")
        self.assertEqual([(r["backend"], r["verified"], r["block"]) for r in self.own("r.json")], [("vulkan", True, 64), ("cpu", True, 32)])

    def test_barrier(self):
        out, err = self.saxpy("  if (i < 10)\n    __syncthreads();\n  else\n    __syncthreads();\n  if (i < n)\n"
                              "    y[i] = a * x[i] + y[i];", None, "--wide")
        self.assertIn("barrier", out + err)

    def test_grid_barrier(self):
        """All blocks run at once, or the kernel is refused by name."""
        self.write("turn.cu", TURN)
        self.write("turn.hlsl", TURN_HLSL)
        turn = "turn.cu turn.hlsl --entry turn --in x --out y --out all --arg n --group 64"
        self.pair(f"{turn} -n 1000 --json r.json")
        self.assertEqual([(r["backend"], r["verified"]) for r in self.own("r.json")], [("vulkan", True), ("cpu", True)])
        out, err = self.pair(f"{turn} -n 6400 --wide", None)
        self.assertRegex(out + err, r"reaches a grid barrier at \S*turn.cu:7: .* limit is 64; this launch has 100")
        out, err = self.pair(f"{turn} -n 1000 --check races --backend cpu --unchecked --wide", None)
        self.assertIn("with --check, blocks run one after another", out + err)

    def test_unknown_word(self):
        _, err = self.saxpy("  __nanowait(i);", 2)
        self.assertRegex(err, r"saxpy\.cu:4:\d+: error: .*__nanowait")

    def test_words_of_before_volta(self):
        for word, use in (("__shfl_xor", "y[i] = __shfl_xor(y[i], 1);"), ("__ballot", "y[i] = __ballot(i > 3);")):
            _, err = self.saxpy(f"  {use}", 2)
            self.assertRegex(err, rf"saxpy\.cu:4:\d+: error: .*{word}\(\) is not valid on compute_70 and above, and should be replaced with "
                                  rf"{word}_sync\(\)")

    def test_headers(self):
        """Those that stand for CUDA's are written again where they were cut short or removed, and into a folder of this user alone
        where the cache cannot be written."""
        self.write("saxpy.cu", KERNEL % "  if (i < n) y[i] = a * x[i] + y[i];")
        words = f"saxpy.cu {SAXPY} --backend cpu --unchecked -n 100"
        how = {"env": {**os.environ, "XDG_CACHE_HOME": self.path("cache")}}
        self.pair(words, **how)
        headers, = glob.glob(self.path("cache/xbench/cuda-*"))
        with open(os.path.join(headers, "backend_cpu/cuda/cuda_runtime.h"), "w", encoding="utf-8"):
            pass
        os.remove(os.path.join(headers, "backend_cpu/runtime/xb_cpu.h"))
        self.pair(words, **how)
        shutil.rmtree(headers)
        self.write(os.path.relpath(headers, self.folder), "no folder")
        self.pair(words, **how)
        self.assertEqual(os.stat(f"/tmp/xbench-{os.geteuid()}").st_mode & 0o777, 0o700)

    def test_version(self):
        """Libraries take the branch for a newer CUDA."""
        body = "#if CUDA_VERSION >= 9000 && CUDART_VERSION >= 9000\n  if (i < n) y[i] = a * x[i] + y[i];\n#else\n  __old(i);\n#endif"
        self.write("saxpy.cu", "#include <cuda.h>\n" + KERNEL % body)
        self.pair(f"saxpy.cu {SAXPY} --backend cpu --unchecked -n 100")

    def test_no_compiler(self):
        self.write("saxpy.cu", KERNEL % "  if (i < n) y[i] = a * x[i] + y[i];")
        _, err = self.pair(f"saxpy.cu {SAXPY} --unchecked -n 100", None, env={**os.environ, "PATH": self.folder})
        self.assertIn("no compiler was found: install c++", err)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    results.main()
