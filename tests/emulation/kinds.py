"""kinds.py XBENCH SCHEMA ROOT: what kernels of other projects are made of: features of the device, addresses of buffers, several views
of a buffer, many kernels, entry points in one module."""

import json
import os
import sys
import unittest

import pairs
import results

DXC = os.path.dirname(sys.argv[4]) if len(sys.argv) > 4 else ""
# The clock in the kernel, and structs without padding: an extension, and a feature that no capability names.
CLOCK = """#version 450
#extension GL_ARB_shader_clock : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 64) in;
struct V { vec3 a; float b; };
layout(scalar, binding = 0) readonly buffer X { V x[]; };
layout(std430, binding = 1) buffer Y { float y[]; };
void main()
{
  const uvec2 t = clock2x32ARB();
  const V v = x[gl_GlobalInvocationID.x];
  y[gl_GlobalInvocationID.x] = v.a.x + v.b + (t == uvec2(0xffffffffu) ? 1 : 0);
}
"""

TWICE = """__global__ void twice(const float *x, float *y, unsigned n)
{
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  if (i < n)
    y[i] = 2 * x[i];
}
"""

HEAD = """#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float v[]; };
"""
# Where the addresses are, and the line with the access.
ADDRESSES = {
    "pointers": ("layout(push_constant) uniform P { Floats x; Floats y; uint n; };", "y.v[i] = 2 * x.v[i];"),
    "numbers": ("layout(push_constant) uniform P { uint64_t x; uint64_t y; uint n; };", "Floats(y).v[i] = 2 * Floats(x).v[i];"),
    "pairs": ("layout(push_constant) uniform P { uvec2 x; uvec2 y; uint n; };", "Floats(y).v[i] = 2 * Floats(x).v[i];"),
    "one_of_two": ("layout(std430, binding = 0) readonly buffer X { float x[]; };\n"
                   "layout(push_constant) uniform P { uint64_t y; uint n; };", "Floats(y + 4 * i).v[0] = 2 * x[i];"),
    "uniform": ("layout(std140, binding = 0) uniform P { Floats x; Floats y; uint n; };", "y.v[i] = 2 * x.v[i];"),
}
RAW = """struct P { uint64_t x, y; uint n; };
[[vk::push_constant]] P p;
[numthreads(64, 1, 1)]
void twice(uint3 id : SV_DispatchThreadID)
{
  if (id.x < p.n)
    vk::RawBufferStore<float>(p.y + 4 * id.x, 2 * vk::RawBufferLoad<float>(p.x + 4 * id.x));
}
"""

# A framework's classes: their host code, and a variable that registers one, need functions that are not here.
FRAMEWORK = """int framework(int n);
struct operation {
  virtual int run(int n);
  virtual ~operation();
};
struct doubling : operation {
  doubling(int n) : size(framework(n)) {}
  int run(int n) override { return framework(n) + size; }
  int size;
};
struct creator {
  creator(operation *made) { made->run(1); }
};
static creator created(new doubling(3));
__constant__ float factor = 2;
__device__ float missing(float x);
"""


def by_address(kind, line=None):
    declaration, access = ADDRESSES[kind]
    return HEAD + declaration + f"\nvoid main()\n{{\n  const uint i = gl_GlobalInvocationID.x;\n  if (i < n)\n    {line or access}\n}}\n"


class Kinds(pairs.Case):
    def test_host_classes(self):
        """Host code that no kernel calls needs none of its libraries; a function that a kernel calls is named at its line."""
        self.write("plain.cu", TWICE)
        self.write("framework.cu", FRAMEWORK + TWICE.replace("2 *", "factor *"))
        words = "plain.cu --backend cpu --in x --out y --arg n --group 64 -n 1000"
        for checks in ("", "--check memory,races"):
            self.pair(f"framework.cu {words} {checks} --json r.json")
            self.assertEqual([(r["outcome"], r["verified"]) for r in self.own("r.json")], [("ok", True)] * 2)
        self.write("framework.cu", FRAMEWORK + TWICE.replace("2 *", "missing(2) *"))
        _, err = self.pair(f"framework.cu {words}", None)
        self.assertRegex(err, r"framework.cu: c\+\+ did not compile it: \S*framework.cu:21: undefined reference to `missing\(float\)'")

    def setUp(self):
        super().setUp()
        os.environ["PATH"] = os.pathsep.join(filter(None, (DXC, os.environ["PATH"])))

    def buffers(self, **accesses):
        return [{"Name": name, "Access": access, "Format": "float32", "Length": "n"} for name, access in accesses.items()]

    def manifest(self, sides, buffers, shaders, **more):
        self.write("m.json", json.dumps({"Name": "kind", "Size": "1024", "Sides": sides, "Buffers": buffers, "Shaders": shaders, **more}))

    def verified(self, count=2, arguments="m.json"):
        """All sides agree, and a file says so."""
        out, err = self.pair(f"{arguments} --json r.json")
        self.assertEqual([(r["outcome"], r["verified"]) for r in self.own("r.json")], [("ok", True)] * count, out + err)
        self.assertEqual(len({r["output_hash"] for r in self.own("r.json")}), 1)

    def test_features(self):
        """The device has them, so the code has them."""
        self.write("clock.comp", CLOCK)
        self.pair("clock.comp --in x --out y -n 4096 --unchecked --json r.json")
        self.assertEqual([r["outcome"] for r in self.own("r.json")], ["ok"])

    def test_addresses(self):
        """Addresses among the arguments, as pointers, numbers and uvec2, and in a uniform buffer: by the names of the buffers."""
        self.write("twice.cu", TWICE)
        for kind in ADDRESSES:
            with self.subTest(kind):
                self.write("twice.comp", by_address(kind))
                self.verified(arguments="twice.cu twice.comp --entry twice --in x --out y --arg n -n 5000")

    def test_addresses_in_hlsl(self):
        if not DXC:
            self.skipTest("no DXC")
        self.write("twice.cu", TWICE)
        self.write("twice.hlsl", RAW)
        self.verified(arguments="twice.cu twice.hlsl --entry twice --in x --out y --arg n -n 5000")

    def test_the_address_of_a_buffer_of_another_name(self):
        self.write("twice.cu", TWICE.replace("*x", "*from").replace("x[i]", "from[i]"))
        self.write("twice.comp", by_address("pointers").replace("Floats x;", "Floats from;").replace("x.v", "from.v"))
        shader = {"Entry": "twice", "GroupSize": [64], "DispatchGroupCount": ["ceil(n/64)"],
                  "Arguments": {"n": "n", "from": {"AddressOf": "x"}}}
        self.manifest(["twice.cu", "twice.comp"], self.buffers(x="in", y="out"), [shader])
        self.verified()
        del shader["Arguments"]["from"]
        self.manifest(["twice.comp"], self.buffers(x="in", y="out"), [shader])
        _, err = self.pair("m.json --unchecked", 2)
        self.assertIn('from is the address of a buffer: name a buffer like it, or give the argument, "from": {"AddressOf": "BUFFER"}', err)
        for value, text in (({"AddressOf": "z"}, "AddressOf: 'z' is not a buffer"),
                            ({"Of": "x"}, 'expected {"AddressOf": "BUFFER"}, or a number')):
            shader["Arguments"]["from"] = value
            self.manifest(["twice.comp"], self.buffers(x="in", y="out"), [shader])
            self.assertIn(text, self.pair("m.json --unchecked", 2)[1])

    def test_addresses_in_a_buffer(self):
        """A struct in memory has them, or a list of them."""
        self.write("table.comp", HEAD + """struct Work { Floats x; Floats y; uint n; uint unused; };
layout(std430, binding = 0) readonly buffer Table { Work table[]; };
void main() { const uint i = gl_GlobalInvocationID.x; if (i < table[0].n) table[0].y.v[i] = 2 * table[0].x.v[i]; }
""")
        self.write("table.cu", """struct Work { const float *x; float *y; unsigned n, unused; };
__global__ void twice(const Work *table)
{
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  if (i < table->n)
    table->y[i] = 2 * table->x[i];
}
""")
        numbers = {"Format": "uint32"}
        work = {"Name": "table", "Access": "in", "Length": 1, "Stride": 24, "Fill": "constant(1000)",
                "Format": [{"Name": "x", "Format": "uint64", "AddressOf": "x"}, {"Name": "y", "Format": "uint64", "AddressOf": "y"},
                           {"Name": "n", **numbers}, {"Name": "unused", **numbers}]}
        shader = {"Entry": "twice", "GroupSize": [64], "DispatchGroupCount": ["ceil(n/64)"]}
        partly = [{"Actual": "y", "Valid": 1000}]
        self.manifest(["table.cu", "table.comp"], self.buffers(x="in", y="out") + [work], [shader], Results=partly)
        self.verified()
        self.write("list.comp", HEAD + """layout(std430, binding = 0) readonly buffer Table { Floats table[]; };
void main() { const uint i = gl_GlobalInvocationID.x; table[1].v[i] = 2 * table[0].v[i]; }
""")
        self.write("list.cu", "__global__ void twice(float *const *table)\n"
                   "{ const unsigned i = blockIdx.x * 64 + threadIdx.x; table[1][i] = 2 * table[0][i]; }\n")
        table = {"Name": "table", "Access": "in", "Format": "uint64", "AddressOf": ["x", "y"]}
        self.manifest(["list.cu", "list.comp"], self.buffers(x="in", y="out") + [table], [shader])
        self.verified()

    def test_addresses_that_leave_their_buffer(self):
        """The guards find it, and on the CPU the check at its line."""
        self.write("twice.cu", TWICE)
        beyond = by_address("pointers", "{ y.v[i] = 2 * x.v[i]; if (i == n - 1) y.v[n] = 1; }")
        self.write("twice.comp", beyond)
        words = "--entry twice --in x --out y --arg n -n 4096"
        _, err = self.pair(f"twice.cu twice.comp {words}", 1)
        self.assertIn("wrote past the end of 'y', to element 4096 of 4096", err)
        self.write("twice.comp", by_address("pointers", "y.v[i] = 2 * x.v[i - 1];"))
        self.pair(f"twice.cu twice.comp {words}", 1)
        self.write("twice.comp", beyond)
        out, err = self.pair(f"twice.comp {words} --backend cpu --check memory --unchecked", None)
        self.assertRegex(out + err, r"writes 4 bytes outside at twice.comp:13")

    def test_pointers_in_structs(self):
        """A struct by value has pointers, one of them in a struct in it, and a list of them; the other half has bindings."""
        self.write("twice.comp", HEAD.split("layout(buffer")[0] + """layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) readonly buffer Z { float z[]; };
layout(std430, binding = 2) buffer Y { float y[]; };
layout(push_constant) uniform P { uint n; };
void main() { const uint i = gl_GlobalInvocationID.x; if (i < n) y[i] = x[i] + 2 * z[i]; }
""")
        self.write("twice.cu", """struct Inner { const float *x; };
struct Work { unsigned n; Inner in; float *y, *unused; };
__global__ void twice(Work p, const float *z)
{
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  if (i < p.n)
    p.y[i] = p.in.x[i] + 2 * z[i];
}
""")
        shader = {"Entry": "twice", "GroupSize": [64], "DispatchGroupCount": ["ceil(n/64)"], "Arguments": {"n": "n"}}
        sides = [{"Source": "twice.cu", "Arguments": {"unused": 0}}, "twice.comp"]
        self.manifest(sides, self.buffers(x="in", y="out", z="in"), [shader])
        self.verified()
        sides[0]["Arguments"] = {"p.unused": {"AddressOf": "z"}, "p.in.x": {"AddressOf": "x"}}
        self.manifest(sides, self.buffers(x="in", y="out", z="in"), [shader])
        self.verified()
        self.write("list.cu", """struct Work { unsigned n; float *of[3]; };
__global__ void twice(Work p)
{
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  if (i < p.n)
    p.of[1][i] = p.of[0][i] + 2 * p.of[2][i];
}
""")
        sides[0] = {"Source": "list.cu", "Arguments": {"of": [{"AddressOf": name} for name in "xyz"]}}
        self.manifest(sides, self.buffers(x="in", y="out", z="in"), [shader])
        self.verified()

    def test_many_kernels(self):
        """As many as an algorithm has: twenty steps on one buffer, of one kernel each."""
        self.write("steps.cu", "__global__ void step(float *y, float add) { y[blockIdx.x * 64 + threadIdx.x] += add; }\n")
        self.write("steps.comp", """#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(push_constant) uniform P { float add; };
void main() { y[gl_GlobalInvocationID.x] += add; }
""")
        steps = [{"Name": f"s{i}", "Entry": "step", "GroupSize": [64], "DispatchGroupCount": ["n/64"], "Arguments": {"add": i}} for i in range(20)]
        self.manifest(["steps.cu", "steps.comp"], self.buffers(y="inout"), steps)
        self.verified()

    def test_scan_of_a_shader(self):
        self.write("twice.hlsl", RAW)
        _, err = self.run_to_end("guide --scan twice.hlsl")
        self.assertIn("--scan: twice.hlsl is a shader: --scan reads CUDA C++", err)

    def test_init_of_pointers_in_structs(self):
        self.write("twice.cu", "struct Work { unsigned n; float *y; };\n__global__ void twice(Work p) { p.y[threadIdx.x] = p.n; }\n")
        self.run_to_end("pair --init twice.cu")
        manifest = self.load("twice.json")
        self.assertEqual([b["Name"] for b in manifest["Buffers"]], ["y"])
        self.assertEqual(manifest["Shaders"][0]["Arguments"], {"n": "n", "y": {"AddressOf": "y"}})

    def test_init_of_addresses(self):
        self.write("twice.comp", by_address("pointers"))
        self.run_to_end("pair --init twice.comp")
        manifest = self.load("twice.json")
        self.assertEqual([(b["Name"], b["Format"]) for b in manifest["Buffers"]], [("x", "float32"), ("y", "float32")])
        self.assertEqual(manifest["Shaders"][0]["Arguments"], {"n": "n"})

    def test_named_constants(self):
        """An argument gives a specialization constant of its name its value, by size and by type; a manifest's number is first."""
        self.write("scale.cu", """extern "C" __global__ void scale(const float *x, float *y, float m, unsigned rows)
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * m + (float)rows;
}
""")
        self.write("scale.comp", """#version 450
layout(constant_id = 0) const float m = 0;
layout(constant_id = 5) const uint rows = 1;
layout(local_size_x_id = 2) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer Y { float y[]; };
void main() { y[gl_GlobalInvocationID.x] = x[gl_GlobalInvocationID.x] * m + float(rows); }
""")
        own = {"Name": "scale", "Buffers": [{"Name": "x", "Format": "float32", "Length": "n", "Access": "in"},
                                            {"Name": "y", "Format": "float32", "Length": "n", "Access": "out"}],
               "Shaders": [{"DispatchGroupCount": ["n/64"], "GroupSize": [64], "Arguments": {"m": 0.375, "rows": "n/64"}}],
               "Sides": [{"Source": "scale.cu"}, {"Source": "scale.comp", "SpecializationConstants": {"2": 64}}]}
        for constants, code in (({"2": 64}, 0), ({"2": 64, "0": 0.375}, 0), ({"2": 64, "0": 0.5}, 1)):
            own["Sides"][1]["SpecializationConstants"] = constants
            self.write("scale.json", json.dumps(own))
            self.pair("scale.json -n 128,1280 --json r.json", code)
            self.assertEqual([(r["outcome"], r["verified"]) for r in self.own("r.json")],
                             [("ok", True) if not code else ("wrong", False)] * 4)
        own["Sides"][1]["SpecializationConstants"] = {"2": 64}
        self.write("scale.json", json.dumps(own))
        with open(self.path("scale.comp"), encoding="utf-8") as file:
            source = file.read()
        self.write("scale.comp", source.replace("float m = 0", "int m = 0"))
        out, _ = self.pair("scale.json -n 128", None)
        self.assertIn("argument m is 0.375, but the kernel takes int32", " ".join(out.split()))
        self.write("scale.hlsl", """[[vk::constant_id(0)]] const float m = 0;
[[vk::constant_id(5)]] const uint rows = 1;
StructuredBuffer<float> x : register(t0);
RWStructuredBuffer<float> y : register(u1);
[numthreads(64, 1, 1)] void scale(uint3 id : SV_DispatchThreadID) { y[id.x] = x[id.x] * m + (float)rows; }
""")
        self.pair("scale.cu scale.hlsl --in x:float32:n --out y:float32:n --group 64 --groups n/64 --arg m=2.5 --arg rows=n -n 128 "
                  "--json r.json")
        self.assertEqual([(r["outcome"], r["verified"]) for r in self.own("r.json")], [("ok", True)] * 2)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    results.main()
