"""scaffold.py XBENCH SCHEMA ROOT: a first HLSL half: what is carried over compiles and computes the same; what is not is an #error that
names a row of the guide."""

import json
import os
import re
import unittest

import pairs
import results

# Example; options; size; what the half's own arguments are, and which lines were left to write.
EXAMPLES = [("saxpy", "--group 256", "1000", {}), ("stencil", "--group 32x8", "61x67", {"gridDim": ["ceil(columns/32)", "ceil(rows/8)", 1]}),
            ("particles", "--group 128", "1000", {}), ("dot", "--group 256", "1022", {}), ("tiles", "", "1000", {})]
WORDS = """#include <cuda_runtime.h>
#include <cfloat>
#include <cstdio>
#define FULL 0xffffffff
#define CHECK(x) do { cudaError_t e = (x); if (e) printf("%s", cudaGetErrorString(e)); } while (0)
constexpr int LANES = 32;
__constant__ float gain;
using number = float;
struct Pair { float first; unsigned int second; };
enum Unused { NONE };

template <int N> __device__ int not_called(int x) { return x + N; }
// Of two.
static __device__ __forceinline__ float largest(const float &a, float b) { return fmaxf(a, b); }
__device__ void change(float &a) { a = a * 2.0f; }

__global__ void words(const float *in, unsigned int *counts, Pair *pairs, int n, Pair extra);
/* The kernel. */
__global__ void __launch_bounds__(64) words(const float *__restrict__ in, unsigned int *counts, Pair *pairs, int n, Pair extra)
{
  __shared__ unsigned int total;
  __shared__ float tile[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    total = 0;
  tile[threadIdx.x] = i < n ? __ldg(&in[i]) : 0.0f; // with a comment
  __syncthreads();
  number out = largest(tile[threadIdx.x], -FLT_MAX);
  change(out);
  if (out > 0 and not (i < 0))
    atomicAdd(&total, 1u);
  const unsigned int before = atomicAdd(&counts[1], static_cast<unsigned int>(__popc(i)));
#pragma unroll
  for (int k = 0; k < 2; k++)
    out += k + gain;
  __syncthreads();
  if (threadIdx.x == 0)
    atomicMax(counts, total);
  if (i < n) {
    Pair p;
    p.first = sqrtf(fabsf(out)) + (before > 0xffffffffu ? 1.0f : 0.0f) + extra.first;
    p.second = __float_as_uint(out) ^ __clz(i);
    pairs[i] = p;
  }
}
void words(int host) { words<<<1, 64>>>(nullptr, nullptr, nullptr, host, {}); CHECK(cudaDeviceSynchronize()); }
"""
# A line of a kernel, and the row that its #error names.
REFUSED = [("y[0] = __shfl_sync(0x0f0f0f0f, y[1], 0);", "shuffle"), ("float *p = y + 1; *p = 2;", "pointer"),
           ("y[0] = fmaf(y[1], 2.0f, 3.0f);", "fma"), ("atomicAdd(&y[0], 1.0f);", "atomic-add-float"),
           ("y[0] = roundf(y[1]);", "round"), ("__syncwarp();", "syncwarp"), ("long long k = n; y[0] = k;", "int64"),
           ("size_t k = n; y[0] = k;", "int64"), ("uint64_t k = n; y[0] = k;", "int64"), ("uchar4 c = {}; y[0] = c.x;", "int8"),
           ("ushort2 c = {}; y[0] = c.x;", "int16"),
           ("unsigned char c = n; y[0] = c;", "int8"), ("extern __shared__ float t[]; y[0] = t[0];", "dynamic-shared"),
           ("y[0] = threadIdx.x / warpSize;", "warp-index"), ("asm(\"exit;\");", None), ("y[0] = mystery(n);", None),
           ("__threadfence();", "threadfence"), ("y[0] = __shfl_xor_sync(0xffffffff, y[1], 1, 16);", "shuffle-xor")]
# What stands before a kernel, a line of it, and what its #error says; None: it is carried over.
DOUBTS = [("", "if (n > 3) atomicAdd(c, 1); else old = atomicAdd(c, 2);", "atomic-add"), ("", "do old = atomicAdd(c, 1); while (old < n);", "atomic-add"),
          ("", "for (int j = 0; j < 3; old = atomicAdd(c, 1)) j += 1;", "atomic-add"), ("", "if (n > 3) { old = atomicAdd(c, 2); }", None),
          ("#define LOW 0x0000ffff", "old = __ballot_sync(LOW, x[t] > 0);", "ballot"), ("", "old = __ballot_sync(ALL_OF_THEM, x[t] > 0);", "ballot"),
          ("#define ALL 0xffffffffu", "old = __ballot_sync(ALL, x[t] > 0);", None),
          ("constexpr unsigned ALL = ~0u;", "old = __ballot_sync(ALL, x[t] > 0);", None),
          ("", "old = n * LANES;", "no declaration of LANES"), ("", "const key kept = n; old = kept;", None),
          ("", "const lost kept = n; old = kept;", "no declaration of lost"),
          ("enum { THREE, FOUR };", "old = n * FOUR;", "no declaration of FOUR"), ("", "const int two = 2, three = two + 1; old = three;", None),
          ("", "if (t < 32) { old = 1; __syncthreads(); }", "do all threads of the group reach this barrier?"),
          ("", "if (t >= n) return; __syncthreads();", "HLSL needs all threads at this barrier, but some returned before it"),
          ("", "for (int j = 1; j < n; j *= 2) { __syncthreads(); old += j; }", None), ("", "if (blockIdx.x == 1) __syncthreads();", None),
          ("", "y += 64;", "pointer"), ("", "const int m = 64; __shared__ int s[m]; s[t] = n;", "declares the size of this array"),
          ("__host__ float2 operator*(float2 a, float2 b) { return a; }", "", None),
          ("__device__ float2 operator-(float2 a, float2 b) { return make_float2(b.x - a.x, 0); }", "", "declares operators"),
          ("__device__ float4 make_float4(float a) { return {a, a, a, a}; }", "old = make_float4(2).x;", "has its own meaning")]
# A source, and the buffers, arguments and __constant__ memory of its kernel k, as the compiler has them.
BODY = "{ if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x]; }"
READ = [(f"#ifdef DOUBLE\n__global__ void k(const double *a, double *b, int count)\n#else\n__global__ void k(const float *x, float *y, int n)\n"
         f"#endif\n{BODY}", ["x", "y"], ["n"], []),
        (f"#if CUDART_VERSION < 9000 || !defined(__CUDA_ARCH__)\n__global__ void k(float *b, const float *a, int m);\n#endif\n"
         f"__global__ void k(const float *x, float *y, int n) {BODY}", ["x", "y"], ["n"], []),
        (f"#define KERNEL __global__ void\nKERNEL k(const float *x, float *y, int n) {BODY}", ["x", "y"], ["n"], []),
        ("#define MAKE(name, op) __global__ void name(const float *x, float *y, int n) { if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x] op 1; }\n"
         "MAKE(k, +)", ["x", "y"], ["n"], []),
        ("__constant__ float c[2];\n__device__ float g[64];\n__global__ void k(void) { g[threadIdx.x] = c[threadIdx.x % 2]; }", [], [], ["c"]),
        (f"// #include \"none.h\"\n#include \"in.h\"\nHD float kept(float v) {{ return v; }}\n"
         f"__global__ void k(const float *x, float *y, int n) {BODY.replace('= x[threadIdx.x]', '= kept(twice(x[threadIdx.x]))')}", ["x", "y"], ["n"], [])]


class Scaffold(pairs.Case):
    def scaffold(self, arguments):
        out, _ = self.run_to_end(f"pair --scaffold {arguments}")
        return out

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def test_examples(self):
        """Carried over as a whole: nothing is left to write. Both halves compute the same."""
        for name, options, size, own in EXAMPLES:
            if name == "dot" and not os.path.exists(os.path.join(pairs.ROOT, "build/tools/dxc/dxc")):
                continue # 16-bit floats need DXC
            with self.subTest(name):
                folder = os.path.join(pairs.EXAMPLES, name)
                out = self.scaffold(f"{folder}/{name}.cu {options or '--group 256'}")
                self.assertIn(f"{name}.hlsl: written, without an #error: run the pair to check its results", out)
                made = self.load(f"{name}.json")
                with open(f"{folder}/{name}.json", encoding="utf-8") as file:
                    manifest = results.json.load(file)
                manifest["Sides"] = made["Sides"]
                if own:
                    manifest["Shaders"][0]["Arguments"].pop("group_columns")
                    self.assertEqual(made["Sides"][1]["Arguments"], {"gridDim": ["?", 1, 1]})
                    manifest["Sides"][1]["Arguments"] = own
                self.write("m.json", results.json.dumps(manifest))
                path = f"{os.path.join(pairs.ROOT, 'build/tools/dxc')}:{os.environ['PATH']}" if name == "dot" else os.environ["PATH"]
                self.pair(f"m.json --trust-paths -n {size} --json r.json", env={**os.environ, "PATH": path})
                self.assertEqual([(r["backend"], r["verified"]) for r in self.own("r.json")], [("vulkan", True), ("cpu", True)])

    def test_entry(self):
        """One of two kernels, with a function that both call, and threadIdx outside of the kernel."""
        path = os.path.join(pairs.EXAMPLES, "reduction/reduction.cu")
        _, err = self.run_to_end(f"pair --scaffold {path}", 2)
        self.assertIn("has several kernels: name one with --entry: ", err)
        self.scaffold(f"{path} --entry partial --group 256")
        manifest = self.load("reduction.json")
        for buffer, (access, length) in zip(manifest["Buffers"], (("in", "n"), ("out", "ceil(n/256)"))):
            buffer.update({"Access": access, "Length": length})
        manifest["Shaders"][0]["DispatchGroupCount"] = ["ceil(n/256)"]
        manifest["Sides"][1]["Arguments"] = {"gridDim": ["ceil(n/256)", 1, 1]}
        self.write("m.json", results.json.dumps(manifest))
        self.pair("m.json --trust-paths -n 5000 --json r.json")
        self.assertEqual([(r["backend"], r["verified"]) for r in self.own("r.json")], [("vulkan", True), ("cpu", True)])

    def test_words(self):
        """Atomics with and without their old value, references, constants, structs, casts; host code is left out."""
        self.write("words.cu", WORDS)
        out = self.scaffold("words.cu")
        hlsl = self.text("words.hlsl")
        self.assertIn("written, without an #error", out, hlsl)
        for gone in ("__", "int host", "CHECK", "cudaE", "NONE", "not_called", "#include"):
            self.assertNotIn(gone, re.sub("(?m)^//.*", "", hlsl), gone)
        for there in ("// Of two.", "/* The kernel. */", "// with a comment", "static const int LANES = 32;", "[unroll]",
                      "typedef float number;", "#define GROUP 64, 1, 1", "groupshared float tile[64];", "InterlockedAdd(total, 1u);",
                      "InterlockedAdd(counts[1], (uint)(countbits(i)), before);", "InterlockedMax(counts[0], total);",
                      "void change(inout float a)", "in_[i]"):
            if there != "static const int LANES = 32;": # nothing names it
                self.assertIn(there, hlsl)
        manifest = self.load("words.json")
        self.assertEqual(manifest["Sides"][1]["Arguments"], {"gain": "?"})
        self.assertEqual(manifest["Shaders"][0]["GroupSize"], [64, 1, 1])
        for buffer in manifest["Buffers"]:
            access, length = {"in": ("in", "n"), "counts": ("inout", 2), "pairs": ("out", "n")}[buffer["Name"]]
            buffer.update({"Access": access, "Length": length})
        shader = manifest["Shaders"][0]
        shader["DispatchGroupCount"] = ["ceil(n/64)"]
        shader["Arguments"].update({"first": 0.5, "second": 1})
        shader["ConstantMemory"]["gain"]["Values"] = [0.25]
        manifest["Sides"][1]["Arguments"] = {"gain": 0.25}
        manifest["Buffers"][1]["Fill"] = "constant(0)"
        self.write("m.json", results.json.dumps(manifest))
        self.pair("m.json -n 1000 --json r.json")
        self.assertEqual([(r["backend"], r["verified"]) for r in self.own("r.json")], [("vulkan", True), ("cpu", True)])

    def test_waves(self):
        """Shuffles keep CUDA's rule for lanes beyond the end; instances of templates."""
        self.write("w.cu", "template <typename T, int D> __global__ void w(T *y)\n{\n  T v = y[threadIdx.x];\n"
                           "  v += __shfl_xor_sync(0xffffffffu, v, 1);\n  v += __shfl_down_sync(~0u, v, D);\n"
                           "  y[threadIdx.x] = v + __popc(__ballot_sync(-1, v > 0));\n}\n")
        out = self.scaffold("w.cu --entry w<float,2> --group 32")
        self.assertIn("written, without an #error", out)
        hlsl = self.text("w.hlsl")
        for there in ("typedef float T;", "static const int D = 2;", "WaveReadLaneAt(v, WaveGetLaneIndex() ^ (1))",
                      "WaveGetLaneIndex() + (D) < WaveGetLaneCount()", "countbits(WaveActiveBallot(v > 0).x)"):
            self.assertIn(there, hlsl)
        self.assertEqual(self.load("w.json")["Sides"][1]["Entries"], {"w<float,2>": "w"})
        os.remove(self.path("w.hlsl"))
        os.remove(self.path("w.json"))
        self.write("w.cu", self.text("w.cu").replace("template <typename T, int D>", "template <typename T>").replace(", D)", ", 2)"))
        _, err = self.run_to_end("pair --scaffold w.cu --group 32", 2)
        self.assertIn("w is a template: name an instance, such as --entry 'w<256>'", err)
        self.assertFalse(os.path.exists(self.path("w.hlsl")))

    def test_not_compiled(self):
        """What is to be done where the kernel itself does not compile; a kernel with shuffles is told of waves."""
        kernel = "__global__ void k(float *y)\n{\n  y[threadIdx.x] = __shfl_xor_sync(0xffffffffu, y[threadIdx.x], 1);\n}\n"
        self.write("k.cu", kernel + "mistake;\n")
        _, err = self.run_to_end("pair --scaffold k.cu --group 32", None)
        self.assertIn("no manifest was written: once k.cu compiles, 'xbench pair --init k.cu k.hlsl --entry k' writes it", err)
        self.assertIn('ask for "WaveSize": 32', self.text("k.hlsl"))
        self.write("k.cu", kernel)
        self.run_to_end("pair --init k.cu k.hlsl --entry k --group 32")
        self.assertEqual(len(self.load("k.json")["Sides"]), 2)

    def test_refused(self):
        """What HLSL has no word for does not compile, and the row stands above the line."""
        self.write("k.cu", "__global__ void k(float *y, int n)\n{\n" +
                   "".join(f"  /* {i} */ {{ {line} }}\n" for i, (line, _) in enumerate(REFUSED)) + "}\n")
        self.run_to_end("pair --scaffold k.cu --group 32", None)
        hlsl = self.text("k.hlsl")
        for i, (line, row) in enumerate(REFUSED):
            with self.subTest(line):
                above = hlsl[:hlsl.index(f"/* {i} */")].split("}\n")[-1]
                errors = re.findall("(?m)^#error (.*)", above)
                self.assertTrue(errors, above)
                if row:
                    self.assertIn(row, [error.split(":")[0] for error in errors])
        for row in {row for _, row in REFUSED if row}:
            self.run_to_end(f"guide {row}")

    def test_unsure(self):
        """What the tokens do not say for sure does not compile: no line of these is carried over as if it were."""
        self.write("own.h", "struct Row { float a; };\nusing key = unsigned;\nenum { LANES = 4 };\n")
        for i, (before, body, error) in enumerate(DOUBTS):
            with self.subTest(body):
                self.write(f"d{i}.cu", f'#include "own.h"\n{before}\n__global__ void k(const float *x, float *y, int *c, int n)\n{{\n'
                                       f"  const int t = threadIdx.x;\n  int old = 0;\n  {body}\n  y[t] = x[t] + old;\n}}\n")
                self.run_to_end(f"pair --scaffold d{i}.cu --group 64", None)
                errors = re.findall("(?m)^#error (.*)", self.text(f"d{i}.hlsl"))
                self.assertEqual(bool(errors), error is not None, errors)
                self.assertIn(error or "", "".join(errors))

    def test_after_init(self):
        """The manifest that --init wrote is kept, with what its owner filled in; the half gets its group, and becomes a side."""
        self.write("k.cu", "__global__ void other(float *y)\n{\n}\n__global__ void k(const float *x, float *y, int n)\n{\n"
                   "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n)\n    y[i] = 2 * x[i];\n}\n")
        self.run_to_end("pair --init k.cu --entry k")
        manifest = self.load("k.json")
        for buffer in manifest["Buffers"]:
            buffer.update({"Length": "n", "Access": "in" if buffer["Name"] == "x" else "out"})
        manifest["Shaders"][0].update({"GroupSize": [32], "DispatchGroupCount": ["ceil(n/32)"]})
        self.write("k.json", results.json.dumps(manifest))
        out = self.scaffold("k.cu")
        self.assertEqual(out, "k.hlsl: written, without an #error: run the pair to check its results\nk.json: k.hlsl is now its second side\n")
        self.assertIn("#define GROUP 32, 1, 1", self.text("k.hlsl"))
        manifest["Sides"].append({"Source": "k.hlsl"})
        self.assertEqual(self.load("k.json"), manifest)
        self.pair("k.json -n 1000 --json r.json")
        self.assertEqual([(r["backend"], r["verified"]) for r in self.own("r.json")], [("vulkan", True), ("cpu", True)])
        os.remove(self.path("k.hlsl"))
        _, err = self.run_to_end("pair --scaffold k.cu", 2)
        self.assertEqual(err, "xbench: pair: --scaffold: k.json already exists, and k.cu is not its only side: move it away, or add the "
                              "other half to its Sides yourself\n")
        self.assertFalse(os.path.exists(self.path("k.hlsl")))

    def test_read(self):
        """Branches of #if that are not compiled, kernels that macros make, (void), and functions that a macro gives to the device."""
        os.makedirs(self.path("above"))
        self.write("above/in.h", "#pragma once\n#define HD __host__ __device__\nHD inline float twice(float v) { return 2 * v; }\n")
        for i, (text, buffers, arguments, constants) in enumerate(READ):
            with self.subTest(text):
                self.write(f"r{i}.cu", text + "\n#include <cstdio>\nint main() { puts(\"\"); }\n")
                if i == len(READ) - 1:
                    os.rename(self.path("above/in.h"), self.path("in.h"))
                self.run_to_end(f"pair --init r{i}.cu --entry k")
                manifest = self.load(f"r{i}.json")
                shader = manifest["Shaders"][0]
                self.assertEqual([b["Name"] for b in manifest["Buffers"]], buffers)
                self.assertEqual(list(shader.get("Arguments", {})), arguments)
                self.assertEqual(list(shader.get("ConstantMemory", {})), constants)
                if not buffers:
                    continue
                self.run_to_end(f"pair --scaffold r{i}.cu --entry k --group 32")
                self.assertIn("StructuredBuffer<float> x", self.text(f"r{i}.hlsl"))
                self.pair(f"r{i}.cu r{i}.hlsl --entry k --in x --out y --arg n --group 32 --groups 1 -n 32 --json r.json")
                self.assertEqual([r["verified"] for r in self.own("r.json")], [True, True])

    def test_renamed(self):
        """An argument whose name HLSL keeps for itself has a value of its own in the manifest."""
        self.write("k.cu", "__global__ void k(float *y, int pass) { y[threadIdx.x] = pass; }\n")
        self.run_to_end("pair --scaffold k.cu --group 32")
        self.assertIn("int pass_;", self.text("k.hlsl"))
        self.assertEqual(self.load("k.json")["Sides"][1]["Arguments"], {"pass_": "?"})

    def test_group(self):
        """What a launch gives; __launch_bounds__ only says the most."""
        for text, group in (("__launch_bounds__(1024)", "256, 1, 1"), ("", "256, 1, 1")):
            self.write("k.cu", f"__global__ void {text} k(float *y) {{ y[threadIdx.x] = 1; }}\nvoid run(float *y) {{ k<<<4, 256>>>(y); }}\n")
            self.run_to_end("pair --scaffold k.cu", None)
            self.assertIn(f"#define GROUP {group}\n", self.text("k.hlsl"))
            for name in ("k.hlsl", "k.json"):
                os.remove(self.path(name))

    def test_header(self):
        """A kernel in a header for the device."""
        self.write("k.cuh", "#pragma once\ntemplate <int STEP> __global__ void k(float *y) { y[threadIdx.x] = STEP; }\n")
        self.run_to_end("pair --scaffold k.cuh --entry k<2> --group 64 --groups 1", None)
        self.assertIn("static const int STEP = 2;\n", self.text("k.hlsl"))
        manifest = self.load("k.json")
        manifest["Buffers"][0].update(Access="out", Length=64)
        self.write("k.json", json.dumps(manifest))
        self.pair("k.json -n 64 --save y=y.npy")
        self.assertEqual(pairs.read_npy(self.path("y.npy"))[1], [2.0] * 64)

    def test_mistakes(self):
        self.write("k.cu", "__global__ void k(float *y)\n{\n}\n")
        for arguments, message in (("k.hlsl", "name one CUDA source"), ("k.cu k.cu", "name one CUDA source"), ("k.ptx", "name one CUDA source"), ("none.cu", "none.cu: cannot be opened"),
                                   ("k.cu --entry other", "has no kernel other")):
            _, err = self.run_to_end(f"pair --scaffold {arguments}", 2)
            self.assertIn(message, err)
        self.write("k.hlsl", "")
        _, err = self.run_to_end("pair --scaffold k.cu", 2)
        self.assertIn("k.hlsl: already exists: move it away", err)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    results.main()
