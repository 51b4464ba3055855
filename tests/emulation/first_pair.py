"""first_pair.py XBENCH SCHEMA ROOT: what a new user's first pair meets: halves, arrays and structs as arguments, memory that the host
gives a kernel, arrays from files and into files."""

import os
import unittest

import pairs
import results

WEIGH_CU = """#include "params.h"
#define WEIGHTS (3)
__constant__ float gain;
__constant__ float table[4];
__constant__ float fixed[2] = {1, 2};
__global__ void other()
{
  extern __shared__ float not_ours[];
  not_ours[0] = 0;
}
__global__ void weigh(const float *x, float *y, unsigned n, Params p, Inner v)
{
  extern __shared__ float tile[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n)
    y[i] = tile[threadIdx.x] * p.w[i % 3] * p.scale + p.inner.shift.x - p.inner.shift.y + gain * table[i % 4] * fixed[0] +
           v.bias * p.count;
}
"""
PARAMS_H = """#define COUNT 3
struct Shift { int2 shift; };
typedef struct { float bias; } Inner;
struct __align__(8) Params {
  float scale;
  Shift inner; // at 8
  float w[COUNT], unused = 1;
  using number = unsigned char;
  __host__ __device__ float sum() const { return w[0] + w[1]; }
  number count;
};
"""
WEIGH_HLSL = """cbuffer Arguments : register(b0) { uint n; float scale; int2 shift; float w[3]; uint count; float bias, gain; float table[4];
  float2 pairs[2][2]; };
StructuredBuffer<float> x : register(t0);
RWStructuredBuffer<float> y : register(u0);
[numthreads(64, 1, 1)] void weigh(uint3 id : SV_DispatchThreadID)
{
  const uint i = id.x;
  if (i < n) y[i] = x[i] * w[i % 3] * scale + shift.x - shift.y + gain * table[i % 4] + bias * count + pairs[1][i % 2].y;
}
"""
HALF_CU = """#include <cuda_fp16.h>
__global__ void twice(const __half *x, __half *y, unsigned n)
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __float2half(2.0f * __half2float(x[i]));
}
"""
HALF_HLSL = """cbuffer Arguments : register(b0) { uint n; };
StructuredBuffer<half> x : register(t0);
RWStructuredBuffer<half> y : register(u0);
[numthreads(64, 1, 1)] void twice(uint3 id : SV_DispatchThreadID) { if (id.x < n) y[id.x] = x[id.x] * half(2.0); }
"""
ADD = """cbuffer Arguments : register(b0) { uint n; };
StructuredBuffer<float> x : register(t0);
RWStructuredBuffer<float> y : register(u0);
RWStructuredBuffer<float> spare : register(u1);
[numthreads(64, 1, 1)] void add(uint3 id : SV_DispatchThreadID) { if (id.x < n) y[id.x] = x[id.x] + 1; }
"""
NO_DXC = {**os.environ, "PATH": "/usr/local/bin:/usr/bin:/bin"}


class FirstPair(pairs.Case):
    def test_half_through_glslc(self):
        """Its half is a float: the code is not run, and the message names the compiler that has halves."""
        self.write("half.cu", HALF_CU)
        self.write("half.hlsl", HALF_HLSL)
        for words in ("--in x --out y", "--in x:float16 --out y:float16"):
            _, err = self.pair(f"half.cu half.hlsl --entry twice {words} --arg n --group 64 -n 1000", 2, env=NO_DXC)
            self.assertIn("half.hlsl: x has elements of float32 in the code, of float16 in the pair: glslc takes half for float; dxc "
                          "does not: script/fetch-dxc", err)
        dxc = os.path.join(pairs.ROOT, "build/tools/dxc")
        if os.path.exists(os.path.join(dxc, "dxc")):
            self.pair("half.cu half.hlsl --entry twice --in x --out y --arg n --group 64 -n 1000",
                      env={**NO_DXC, "PATH": f"{dxc}:{NO_DXC['PATH']}"})

    def test_floats_of_another_size(self):
        self.write("add.hlsl", ADD)
        _, err = self.pair("add.hlsl add.hlsl --entry add --in x:float64 --out y:float64 --arg n -n 100", 2)
        self.assertIn("x has elements of float32 in the code, of float64 in the pair: give the right Format", err)

    def arguments(self, change=None):
        """The manifest that --init writes, with its marks filled in."""
        if not os.path.exists(self.path("weigh.cu")):
            for name, text in (("weigh.cu", WEIGH_CU), ("params.h", PARAMS_H), ("weigh.hlsl", WEIGH_HLSL)):
                self.write(name, text)
            self.run_to_end("pair --init weigh.cu weigh.hlsl --entry weigh")
        manifest = self.load("weigh.json")
        self.assertEqual(manifest["Sides"][0]["Source"] if isinstance(manifest["Sides"][0], dict) else manifest["Sides"][0], "weigh.cu")
        for buffer in manifest["Buffers"]:
            buffer.update({"Length": "n", "Access": "in" if buffer["Name"] == "x" else "out"})
        shader = manifest["Shaders"][0]
        self.assertEqual(set(shader["Arguments"]), {"n", "scale", "shift", "w", "unused", "count", "bias"})
        self.assertEqual(shader["Arguments"]["w"], ["?"] * 3)
        self.assertEqual(shader["DynamicSharedBytes"], "?")
        self.assertEqual(shader["ConstantMemory"], {"gain": {"Format": "float32", "Values": ["?"]},
                                                    "table": {"Format": "float32", "Values": ["?"] * 4}})
        shader["Arguments"].update({"scale": 0.5, "shift": [3, 1], "w": [1.0, 2.0, 4.0], "unused": 0.0, "count": 3, "bias": 0.25})
        shader.update({"DispatchGroupCount": ["ceil(n/64)"], "GroupSize": [64], "DynamicSharedBytes": 256, "ConstantMemory": {
            "gain": {"Format": "float32", "Values": [2]}, "table": {"Format": "float32", "Values": [1, 2, 3, 4]}}})
        self.assertEqual(manifest["Sides"][1]["Arguments"], {"gain": "?", "table": ["?"] * 4, "pairs": ["?"] * 8})
        manifest["Sides"][1]["Arguments"] = {"gain": 2.0, "table": [1.0, 2.0, 3.0, 4.0],
                                             "pairs": [[[9.0, 9.0], [9.0, 9.0]], [[9.0, 0.0], [9.0, 0.0]]]}
        if change:
            change(manifest)
        self.write("m.json", results.json.dumps(manifest))

    def test_arguments(self):
        """Arrays with the gaps of a constant buffer, structs by value of several kinds, memory from the host."""
        self.arguments()
        self.pair("m.json -n 1001 --json r.json")
        self.assertEqual([(r["backend"], r["verified"]) for r in self.own("r.json")], [("vulkan", True), ("cpu", True)])
        self.arguments(lambda m: m["Sides"][1]["Arguments"].update({"table": [1.0, 2.0, 3.0, 5.0]}))
        self.pair("m.json -n 1001", 1)

    def test_memory(self):
        """Without a size the kernel does not run; without contents there is a warning."""
        self.arguments(lambda m: m["Shaders"][0].pop("DynamicSharedBytes"))
        _, err = self.pair("m.json -n 1001", 2)
        self.assertIn("weigh.cu: the kernel has extern __shared__ memory, and nothing says how many bytes: give DynamicSharedBytes", err)
        self.arguments(lambda m: m["Shaders"][0]["ConstantMemory"].pop("gain"))
        _, err = self.pair("m.json -n 1001", 1)
        self.assertIn("weigh.cu: nothing gives the __constant__ variable gain a value, so it is 0: give ConstantMemory", err)
        self.assertNotIn("fixed", err)
        self.arguments(lambda m: m["Shaders"][0]["ConstantMemory"]["gain"].update({"Values": ["?"]}))
        _, err = self.pair("m.json -n 1001", 2)
        self.assertIn("'gain': expected numbers as its Values", err)

    def test_unread_structs(self):
        """Their words are arguments."""
        self.write("s.cu", "template <class T> struct Two { T a, b; };\n__global__ void k(float *y, Two<float> t)\n"
                           "{\n  y[threadIdx.x] = t.a - t.b;\n}\n")
        out, _ = self.run_to_end("pair --init s.cu --entry k")
        self.assertIn("s.cu: the argument t could not be read", out)
        self.assertEqual(self.load("s.json")["Shaders"][0]["Arguments"], {"t_0": "?", "t_1": "?"})

    def fill_in(self, name, groups, **how):
        manifest = self.load(f"{name}.json")
        for buffer in manifest["Buffers"]:
            buffer.update({"Length": "n", "Access": "in" if buffer["Name"] in ("x", "points") else "out"})
        for shader in manifest["Shaders"]:
            shader.update(DispatchGroupCount=groups, **how)
        self.write("m.json", results.json.dumps(manifest))

    def test_three_floats(self):
        """Their distance in the code of a side is in the manifest; a member of a struct has the name of a buffer."""
        self.write("three.cu", "struct Params { unsigned points; };\n__global__ void length(const float3 *points, float *y, Params p)\n{\n"
                   "  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < p.points)\n"
                   "    y[i] = points[i].x + points[i].z;\n}\n")
        self.write("three.hlsl", "cbuffer Arguments : register(b0) { uint total; };\nStructuredBuffer<float3> points : register(t0);\n"
                   "RWStructuredBuffer<float> y : register(u0);\n[numthreads(64, 1, 1)] void length(uint3 id : SV_DispatchThreadID)\n"
                   "{\n  if (id.x < total)\n    y[id.x] = points[id.x].x + points[id.x].z;\n}\n")
        self.run_to_end("pair --init three.cu three.hlsl")
        manifest = self.load("three.json")
        self.assertEqual(manifest["Sides"][1], {"Source": "three.hlsl", "Arguments": {"total": "?"},
                                                "Buffers": [{"Name": "points", "Stride": 16}]})
        manifest["Sides"][1]["Arguments"]["total"] = "n"
        self.write("three.json", results.json.dumps(manifest))
        self.fill_in("three", ["ceil(n/64)"], Arguments={"points": "n"})
        self.pair("m.json -n 1001 --json r.json")
        self.assertEqual([(r["backend"], r["verified"]) for r in self.own("r.json")], [("vulkan", True), ("cpu", True)])
        manifest = self.load("m.json")
        del manifest["Sides"][1]["Buffers"]
        self.write("m.json", results.json.dumps(manifest))
        _, err = self.pair("m.json -n 1001", 2)
        self.assertIn("points has 16 bytes from one element to the next in the code, 12 in the pair: give this side a Stride", err)

    def test_kernels(self):
        """Several kernels of one source; memory that another kernel has is not asked for."""
        self.write("two.cu", "extern __shared__ float memory[];\n__global__ void other() { memory[0] = 1; }\n"
                   "__global__ void first(const float *x, float *t, unsigned n)\n{\n  const unsigned i = blockIdx.x * 64 + threadIdx.x;\n"
                   "  if (i < n) t[i] = x[i] * 2;\n}\n__global__ void second(const float *t, float *y, unsigned n)\n{\n"
                   "  const unsigned i = blockIdx.x * 64 + threadIdx.x;\n  if (i < n) y[i] = t[i] + 1;\n}\n")
        self.write("two.hlsl", "cbuffer Arguments : register(b0) { uint n; };\nStructuredBuffer<float> x : register(t0);\n"
                   "RWStructuredBuffer<float> t : register(u0), y : register(u1);\n[numthreads(64, 1, 1)] void first(uint3 id : "
                   "SV_DispatchThreadID) { if (id.x < n) t[id.x] = x[id.x] * 2; }\n[numthreads(64, 1, 1)] void second(uint3 id : "
                   "SV_DispatchThreadID) { if (id.x < n) y[id.x] = t[id.x] + 1; }\n")
        _, err = self.run_to_end("pair --init two.cu two.hlsl", 2)
        self.assertIn("name one entry point, or several with commas between; the code has: ", err)
        self.run_to_end("pair --init two.cu two.hlsl --entry first,second")
        shaders = self.load("two.json")["Shaders"]
        self.assertEqual([(s["Entry"], s["GroupSize"], "DynamicSharedBytes" in s) for s in shaders],
                         [(entry, [64, 1, 1], False) for entry in ("first", "second")])
        self.fill_in("two", ["ceil(n/64)"])
        self.pair("m.json -n 1001 --json r.json")
        self.assertEqual([(r["backend"], r["verified"]) for r in self.own("r.json")], [("vulkan", True), ("cpu", True)])

    def test_names(self):
        """Names that HLSL has words for get an underscore there, and are the same; an instance is CUDA's; one size of two is n."""
        self.write("f.cu", "template <int K> __global__ void f(const float *in, float *out, const float *taps, int n, int count)\n{\n"
                   "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = in[i] * taps[i % count] * K;\n}\n")
        self.write("f.hlsl", "StructuredBuffer<float> in_ : register(t0);\nStructuredBuffer<float> taps : register(t1);\n"
                   "RWStructuredBuffer<float> out_ : register(u0);\ncbuffer A : register(b0) { int n; int count; };\n[numthreads(64, 1, 1)] "
                   "void f(int3 id : SV_DispatchThreadID) { if (id.x < n) out_[id.x] = in_[id.x] * taps[id.x % count] * 2; }\n")
        self.run_to_end("pair --init f.cu f.hlsl --entry f<2>")
        self.assertEqual(self.load("f.json")["Shaders"][0]["Arguments"], {"n": "n", "count": "?"})
        self.fill_in("f", ["ceil(n/64)"], Arguments={"n": "n", "count": 5})
        manifest = self.load("m.json")
        for buffer in manifest["Buffers"]:
            buffer["Access"] = "out" if buffer["Name"] == "out" else "in"
        self.write("m.json", results.json.dumps(manifest))
        self.pair("m.json -n 1001 --json r.json")
        self.assertEqual([(r["backend"], r["verified"]) for r in self.own("r.json")], [("vulkan", True), ("cpu", True)])

    def test_marks(self):
        """GLSL's entry point is no name for the others; an array of marks is named once."""
        self.write("g.cu", "__constant__ float w[9];\n__global__ void weigh(float *y) { y[threadIdx.x] = w[threadIdx.x % 9]; }\n")
        self.write("g.comp", "#version 450\nlayout(local_size_x = 9) in;\nlayout(binding = 0) buffer Y { float y[]; };\n"
                   "void main() { y[gl_GlobalInvocationID.x] = 1; }\n")
        out, _ = self.run_to_end("pair --init g.cu g.comp")
        self.assertIn("Shaders[0].ConstantMemory.w.Values[0 to 8]", out)
        self.assertNotIn("Entry", self.load("g.json")["Shaders"][0])

    def test_files(self):
        """A buffer is as long as its file, and so is the size; what is asked for is written."""
        self.write("add.hlsl", ADD)
        self.write("x.npy", pairs.npy([float(i) for i in range(777)]))
        words = "add.hlsl add.hlsl --entry add --in x:::x.npy --out y --arg n"
        self.pair(f"{words} --save y=out.npy --save x=in.npy --json r.json")
        self.assertEqual({r["bytes"] for r in self.own("r.json")}, {2 * 4 * 777})
        self.assertEqual(pairs.read_npy(self.path("out.npy")), ("<f4", [i + 1.0 for i in range(777)]))
        self.assertEqual(pairs.read_npy(self.path("in.npy")), ("<f4", [float(i) for i in range(777)]))
        self.pair(f"{words} -n 100 --save y=out.npy")
        self.assertEqual(len(pairs.read_npy(self.path("out.npy"))[1]), 100)
        self.write("y.npy", pairs.npy([0.0] * 700))
        two = "add.hlsl add.hlsl --entry add --in x:::x.npy --inout y:::y.npy --arg n"
        _, err = self.pair(two, 2) # not the first one's, in silence
        self.assertIn("x.npy has 777 elements and y.npy 700: give the number n, by Size or --size", err)
        self.pair(f"{two} -n 700")
        _, err = self.pair("add.hlsl add.hlsl --entry add --in x:::x.npy --out y:float32:rows --arg n", 2)
        self.assertIn("formulas have rows or columns, and x.npy gives only a length, 777: give both", err)
        self.write("m.npy", pairs.npy([0.0] * 30).replace(b"(30,), }", b"(5, 6),}"))
        words_of = "add.hlsl add.hlsl --entry add --in x:float32:rows*columns:{} --out y:float32:rows*columns --arg n"
        out, _ = self.pair(words_of.format("m.npy"))
        self.assertIn("5x6", out)
        for save, message in (("z=a.npy", "expected a buffer"), ("y=a.txt", "a file: y=out.npy"), ("y", "a file: y=out.npy"),
                              ("y=none/a.npy", "No such file or directory")):
            _, err = self.pair(f"{words} --save {save}", 2)
            self.assertIn(f"--save: '{save}': ", err)
            self.assertIn(message, err)

    def test_unused(self):
        """A buffer that nothing uses is not in the code: the message names it."""
        self.write("add.hlsl", ADD)
        _, err = self.pair("add.hlsl add.hlsl --entry add --in a:float32 --out b:float32 --out c:float32 --arg n -n 100", 2)
        self.assertIn("the kernel add has 2 buffers (x, y), the pair gives it 3; declared but not used: spare", err)
        self.pair("add.hlsl add.hlsl --entry add --in x --out y --out spare:float32 --arg n -n 100", 1)

    def test_lists(self):
        """Several numbers of an argument on the command line."""
        self.write("w.hlsl", ADD.replace("uint n;", "uint n; float w[2];").replace("+ 1", "* w[id.x % 2]"))
        self.write("x.npy", pairs.npy([2.0] * 10))
        self.write("right.npy", pairs.npy([2.0, 6.0] * 5))
        self.pair("w.hlsl --entry add --in x:::x.npy --out y --arg n --arg w=1.0,3.0 --reference right.npy")


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    results.main()
