"""first_pair.py XBENCH SCHEMA ROOT: what a new user's first pair meets: halves, arrays and structs as arguments, memory that the host
gives a kernel, arrays from files and into files."""

import os
import re
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


TURN = """cbuffer Arguments : register(b0) { uint rows, columns; };
StructuredBuffer<float> src : register(t0);
RWStructuredBuffer<float> dst : register(u0);
[numthreads(8, 8, 1)] void turn(uint3 id : SV_DispatchThreadID)
{
  if (id.x < columns && id.y < rows)
    dst[id.x * rows + id.y] = src[id.y * columns + id.x];
}
"""


class FirstPair(pairs.Case):
    def test_headers(self):
        """What the emulation lacks is the cell's message, whatever toolkit stands beside the compiler; a fence of the compiler is not PTX."""
        for folder in ("cooperative_groups", "cub"):
            os.makedirs(self.path(f"toolkit/{folder}"))
        self.write("toolkit/cooperative_groups/memcpy_async.h", "#error the toolkit's\n")
        self.write("toolkit/cub/cub.cuh", "#error the toolkit's\n")
        self.write("x.npy", pairs.npy([float(i) for i in range(128)]))
        words = "--backend cpu --unchecked --in x:::x.npy --out y:float32 --arg n --group 64 --groups n/64 -n 128"
        self.write("turn.cu", """#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
__global__ void turn(const float *x, float *y, int n)
{
  __shared__ float part[64];
  auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, part, x + blockIdx.x * 64, sizeof part);
  asm volatile("" ::: "memory");
  cooperative_groups::wait(block);
  y[blockIdx.x * 64 + threadIdx.x] = part[63 - threadIdx.x];
}
""")
        toolkit = {**os.environ, "CPATH": self.path("toolkit")}
        self.pair(f"turn.cu {words} --save y=y.npy", env=toolkit)
        self.assertEqual(pairs.read_npy(self.path("y.npy"))[1], [float(i // 64 * 64 + 63 - i % 64) for i in range(128)])
        self.write("sum.cu", """#include <cub/cub.cuh>
__global__ void sum(const float *x, float *y, int n)
{
  __shared__ cub::BlockReduce<float, 64>::TempStorage part;
  y[blockIdx.x] = cub::BlockReduce<float, 64>(part).Sum(x[blockIdx.x * 64 + threadIdx.x]);
}
""")
        out, _ = self.pair(f"sum.cu {words}", 3, env=toolkit)
        self.assertRegex(out, r"not here: sum\.cu: the emulation has no cub/cub\.cuh: .*'?cub")
        self.write("unused.cu", "#include <cub/cub.cuh>\n"
                   "__global__ void unused(const float *x, float *y, int n) { y[blockIdx.x * 64 + threadIdx.x] = x[0]; }\n")
        self.pair(f"unused.cu {words}", env=toolkit)

    def test_half_through_glslc(self):
        """Its half is a float: the code is not run, and the message names the compiler that has halves."""
        self.write("half.cu", HALF_CU)
        self.write("half.hlsl", HALF_HLSL)
        for words in ("--in x --out y", "--in x:float16 --out y:float16"):
            _, err = self.pair(f"half.cu half.hlsl --entry twice {words} --arg n --group 64 -n 1000", 2, env=NO_DXC)
            self.assertIn("half.hlsl: x has elements of float32 in the code, of float16 in the pair: glslc takes half for float; dxc "
                          "does not: script/fetch dxc", err)
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
        self.assertIn("weigh.cu: the kernel has extern __shared__ memory of unknown size: give DynamicSharedBytes", err)
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

    def test_struct_of_command_line(self):
        """Its members, their types, and the words to type; the struct's own name is none of them."""
        self.write("p.cu", "struct Inner { float w[3]; };\nstruct Params { float a; unsigned n; Inner inner; };\n__global__ void k(const float "
                   "*x, float *y, Params p)\n{\n  const unsigned i = blockIdx.x * 64 + threadIdx.x;\n  if (i < p.n)\n    y[i] = p.a * x[i] * "
                   "p.inner.w[i % 3];\n}\n")
        words = "p.cu --in x --out y --group 64 -n 100 --unchecked --backend cpu"
        members = "; p is a struct, its members are arguments: float32 a, uint32 n, float32x3 w"
        for more in ("", "--arg p=1"):
            _, err = self.pair(f"{words} {more}", 2)
            self.assertIn(f"unknown value: give --arg a=NUMBER --arg w=NUMBER,NUMBER,NUMBER, or a manifest (--init){members}\n", err)
        _, err = self.pair(f"{words} --arg a=0.5 --arg w=1.0,2.0,4.0 --arg p=1", 2)
        self.assertIn(f"no source has the argument p{members}\n", err)
        self.pair(f"{words} --arg a=0.5 --arg w=1.0,2.0,4.0")
        out, _ = self.run_to_end("pair --init p.cu")
        self.assertIn(members[2:], out)
        self.write("s.cu", "template <class T> struct Two { T a, b; };\n__global__ void k(float *y, Two<float> t)\n"
                   "{\n  y[threadIdx.x] = t.a - t.b;\n}\n")
        words = "s.cu --out y --group 64 --groups 1 -n 64 --unchecked --backend cpu"
        for more in ("", "--arg first=1.0"):
            _, err = self.pair(f"{words} {more}", 2)
            self.assertIn("the members of the struct t could not be read: give an argument for each of its 2 words of 32 bits, in their "
                          f"order and with names of your own, such as --arg t_{int(bool(more))}=NUMBER", err)
        self.pair(f"{words} --arg first=1.0 --arg second=0.5")

    def test_source_of_an_editor(self):
        """A mark before the text, a header of the host that is not here, two dimensions, a namespace: --init writes what need not be
        changed, and says what it lacks."""
        kernel = ("#include \"not_here.h\"\nnamespace our {\ntemplate <int K> __global__ void k(float *x, float *y, int columns)\n{\n"
                  "  y[blockIdx.x * 8 + threadIdx.x] = K * x[threadIdx.x];\n}\n}\n__global__ void flat(float *x, float *y)\n{\n  y[threadIdx.x] = 2 "
                  "* x[threadIdx.x];\n}\nint main() { return not_here(); }\n")
        self.write("k.cu", b"\xef\xbb\xbf" + kernel.encode())
        self.write("k.hlsl", "RWStructuredBuffer<float> x : register(u0);\nRWStructuredBuffer<float> y : register(u1);\n[numthreads(8, 8, 1)] "
                   "void flat(uint3 id : SV_DispatchThreadID) { y[id.x] = 2 * x[id.x]; }\n")
        _, err = self.run_to_end("pair --init k.cu k.hlsl --entry flat")
        self.assertNotIn("fatal error: not_here.h: No such file or directory\n    1 |", err)
        made = self.load("k.json")
        self.assertEqual((made["Size"], [b["Access"] for b in made["Buffers"]]), ("1024x1024", ["in", "?"]))
        self.assertNotIn("Results", made)  # what is out is not known yet
        _, err = self.run_to_end("pair --init k.cu k.hlsl --entry flat2", 2)
        os.remove(self.path("k.json"))
        os.rename(self.path("k.hlsl"), self.path("h.hlsl"))
        _, err = self.run_to_end("pair --init h.hlsl --entry k", 2)
        self.assertIn("h.hlsl: there is no entry point 'k'; the source has: flat. Is it another name of the same kernel? Name both, as in "
                      "--entry 'KERNEL=NAME', or give this side Entries in a manifest", err)

    def test_rows_and_columns(self):
        """Contents and right results by row and column are files, as docs/pairs.md says; a message has the row and the column."""
        self.write("turn.hlsl", TURN)
        self.write("src.npy", pairs.npy([100.0 * row + column for row in range(48) for column in range(80)], shape=(48, 80)))
        right = [100.0 * column + row for row in range(80) for column in range(48)]
        self.write("right.npy", pairs.npy(right, shape=(80, 48)))
        words = ("turn.hlsl --in src:::src.npy --out dst:float32:rows*columns --arg rows --arg columns --groups ceil(columns/8),ceil(rows/8) "
                 "--reference dst=right.npy")
        out, _ = self.pair(f"{words} --save dst=dst.npy --save src=copy.npy")
        self.assertIn("48x80", out)
        for name, given, shape in (("dst", "right", b"(80, 48)"), ("copy", "src", b"(48, 80)")):
            with open(self.path(f"{name}.npy"), "rb") as file, open(self.path(f"{given}.npy"), "rb") as as_given:
                self.assertIn(b"'shape': " + shape, file.read(128))
                self.assertEqual(file.read(), as_given.read()[128:])
        right[49] += 1
        self.write("right.npy", pairs.npy(right, shape=(80, 48)))
        out, err = self.pair(words, 1)
        self.assertIn("dst[49] (row 1, column 1) is 101, the file has 102", out + err)
        head = pairs.npy(right, shape=(80, 48))
        self.write("right.npy", head.replace(b"False, ", b"True,  "))
        _, err = self.pair(words, 2)
        self.assertIn("right.npy: is in Fortran order: save np.ascontiguousarray(x)", err)

    def test_saved_by_a_run_that_fails(self):
        """What was there stays, and nothing is created."""
        self.write("add.hlsl", ADD)
        words = "add.hlsl add.hlsl --entry add --in x --out y --arg n --save y=y.npy"
        self.pair(f"{words} -n 100 --group 32", 2)
        self.pair(f"{words} -n 100 --groups n/7", 2)
        self.pair(f"{words} -n 2^26", 3)
        self.assertEqual([name for name in os.listdir(self.folder) if "y.npy" in name], [])
        self.pair(f"{words} -n 100")
        before = os.stat(self.path("y.npy"))
        self.pair(f"{words} -n 100 --groups n/7", 2)
        self.assertEqual((os.stat(self.path("y.npy")).st_mtime_ns, before.st_size), (before.st_mtime_ns, 128 + 400))
        self.assertEqual([name for name in os.listdir(self.folder) if "y.npy" in name], ["y.npy"])
        os.mkdir(self.path("folder.npy"))
        _, err = self.pair("add.hlsl add.hlsl --entry add --in x --out y --arg n --save y=folder.npy -n 100", 2)
        self.assertIn("--save: 'y=folder.npy': is a folder", err)

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

    def test_many_shared_arrays(self):
        """All extern __shared__ arrays are one memory, however many a kernel declares."""
        names = [f"part{i}" for i in range(14)]
        self.write("many.cu", "".join(f"extern __shared__ int {name}[];\n" for name in names) +
                   "__global__ void many(const int *x, int *y, unsigned n)\n{\n  const unsigned i = blockIdx.x * 64 + threadIdx.x;\n"
                   f"  {names[0]}[threadIdx.x] = i < n ? x[i] : 0;\n  if (i < n) y[i] = " + " + ".join(f"{n}[threadIdx.x]" for n in names) + ";\n}\n")
        self.write("many.hlsl", "cbuffer Arguments : register(b0) { uint n; };\nStructuredBuffer<int> x : register(t0);\n"
                   "RWStructuredBuffer<int> y : register(u0);\n[numthreads(64, 1, 1)] void many(uint3 id : SV_DispatchThreadID)\n"
                   "{\n  if (id.x < n) y[id.x] = 14 * x[id.x];\n}\n")
        self.run_to_end("pair --init many.cu many.hlsl")
        self.fill_in("many", ["ceil(n/64)"])
        manifest = self.load("m.json")
        manifest["Shaders"][0]["DynamicSharedBytes"] = "256"
        self.write("m.json", results.json.dumps(manifest))
        for check, shaders in (("", "vulkan"), ("--check races", "cpu")): # what is checked runs where it can be watched
            self.pair(f"m.json -n 1001 {check} --json r.json")
            self.assertEqual([(r["backend"], r["verified"]) for r in self.own("r.json")], [(shaders, True), ("cpu", True)])

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
        self.assertEqual([s["Buffers"] for s in shaders], [["x", "t"], ["t", "y"]])
        with open(self.path("two.hlsl"), encoding="utf-8") as file:
            hlsl = re.sub(r"\b([xty])(?=\[| :|,)", r"b_\1", file.read())  # other names: buffers go by their order
        self.write("two.hlsl", hlsl)
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
        self.assertNotEqual(self.load("g.json")["Shaders"][0].get("Entry"), "main")

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
        self.assertIn("formulas use rows or columns, but x.npy gives only a length, 777: give both", err)
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
