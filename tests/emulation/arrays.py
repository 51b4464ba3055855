"""arrays.py XBENCH SCHEMA ROOT [DXC]: pairs with arrays of buffers: of a length or without one, beside pointers of CUDA."""

import json
import os
import sys
import unittest

import pairs
import results

DXC = os.path.dirname(sys.argv[4]) if len(sys.argv) > 4 else ""
SPLIT = """#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer B { float v[]; } b[2];
layout(push_constant) uniform Args { uint n; };
void main()
{
  const uint i = gl_GlobalInvocationID.x, g = gl_WorkGroupID.x, t = gl_LocalInvocationID.x;
  if (i < n)
    b[g & 1].v[g / 2 * 64 + t] = 2 * x[i];
}
"""
SPLIT_CUDA = """extern "C" __global__ void split(const float *x, float *even, float *odd, unsigned n)
{
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  float *to = blockIdx.x & 1 ? odd : even;
  if (i < n)
    to[blockIdx.x / 2 * 64 + threadIdx.x] = 2 * x[i];
}
"""
SPLIT_STRUCT = """struct Halves { float *b[2]; unsigned n; };
extern "C" __global__ void split(const float *x, Halves h)
{
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  if (i < h.n)
    h.b[blockIdx.x & 1][blockIdx.x / 2 * 64 + threadIdx.x] = 2 * x[i];
}
"""
GATHER = """#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer X { float x[]; } from[];
layout(binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform Args { uint n; };
void main()
{
  const uint i = gl_GlobalInvocationID.x;
  if (i < n)
    y[i] = from[nonuniformEXT(i % 3)].x[i];
}
"""
GATHER_CUDA = """extern "C" __global__ void gather(const float *const *from, float *y, unsigned n)
{
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  if (i < n)
    y[i] = from[i % 3][i];
}
"""
GATHER_HLSL = """[[vk::binding(0)]] StructuredBuffer<float> from[3];
[[vk::binding(3)]] RWStructuredBuffer<float> y;
struct P { uint n; };
[[vk::push_constant]] ConstantBuffer<P> p;
[numthreads(64, 1, 1)] void gather(uint3 id : SV_DispatchThreadID)
{
  if (id.x < p.n)
    y[id.x] = from[NonUniformResourceIndex(id.x % 3)][id.x];
}
"""
SPLIT_HLSL = """[[vk::binding(0)]] StructuredBuffer<float> x;
[[vk::binding(1)]] RWStructuredBuffer<float> b[2];
struct P { uint n; };
[[vk::push_constant]] ConstantBuffer<P> p;
[numthreads(64, 1, 1)] void split(uint3 id : SV_DispatchThreadID, uint3 g : SV_GroupID, uint t : SV_GroupIndex)
{
  if (id.x < p.n)
    b[g.x & 1][g.x / 2 * 64 + t] = 2 * x[id.x];
}
"""
ON_CPU = "m.json --backend cpu"


def buffer(name, access, length="n"):
    return {"Name": name, "Access": access, "Format": "float32", "Length": length}


class Arrays(pairs.Case):
    def setUp(self):
        super().setUp()
        os.environ["PATH"] = os.pathsep.join(filter(None, (DXC, os.environ["PATH"])))
        for name, text in (("split.comp", SPLIT), ("split.cu", SPLIT_CUDA), ("struct.cu", SPLIT_STRUCT), ("gather.comp", GATHER),
                           ("gather.cu", GATHER_CUDA), ("gather.hlsl", GATHER_HLSL), ("split.hlsl", SPLIT_HLSL)):
            self.write(name, text)

    def manifest(self, sides, buffers, entry, size=1024, **shader):
        self.write("m.json", json.dumps({"Name": "arrays", "Size": str(size), "Sides": sides, "Buffers": buffers, "Shaders": [
            {"Entry": entry, "GroupSize": [64], "DispatchGroupCount": ["ceil(n/64)"], "Arguments": {"n": "n"}, **shader}]}))

    def split(self, *sides):
        self.manifest(list(sides), [buffer("x", "in"), buffer("b[0]", "out", "n/2"), buffer("b[1]", "out", "n/2")], "split")

    def gather(self, *sides, names=("from[2]", "from[0]", "from[1]")):
        """The order of the buffers is not that of the elements. CUDA has a table of their addresses."""
        table = {"Name": "table", "Access": "in", "Format": "uint64", "AddressOf": sorted(names)}
        self.manifest([{"Source": s, "Buffers": [table], "Shaders": [{"Buffers": ["table", "y", *names]}]} if s.endswith(".cu") else s
                       for s in sides], [buffer("y", "out")] + [buffer(n, "in") for n in names], "gather", Buffers=["y", *names])

    def verified(self, words="m.json"):
        out, err = self.pair(f"{words} --json r.json")
        self.assertEqual([(r["outcome"], r["verified"]) for r in self.own("r.json")], [("ok", True)] * 2, out + err)
        self.assertEqual(len({r["output_hash"] for r in self.own("r.json")}), 1)

    def test_array(self):
        """Beside two pointers, which are matched by their order, and beside pointers in a struct, by their names."""
        for cuda in ("split.cu", "struct.cu"):
            with self.subTest(cuda):
                self.split(cuda, "split.comp")
                self.verified()
        out, _ = self.pair(f"{ON_CPU} --check races,memory,order")
        self.assertIn("same bits: yes", out)

    def test_array_without_a_length(self):
        """It is as long as the buffers of its name say. lavapipe of 2022 has no such arrays."""
        self.gather("gather.cu", "gather.comp")
        self.verified(ON_CPU)
        self.assertIn("same bits: yes", self.pair(f"{ON_CPU} --check races,memory")[0])
        for names, missing in ((("from[0]", "from[1]", "from[3]"), "from[2]"), (("x", "y2", "z"), "from[0]")):
            self.gather("gather.comp", names=names)
            _, err = self.pair("m.json --unchecked", 2)
            self.assertIn(f"gather.comp: from has no length in the code, and the pair gives it no {missing}", err)

    def test_array_in_hlsl(self):
        """By DXC, which takes arrays of buffers that are written only with an option."""
        if not DXC:
            self.skipTest("no DXC")
        self.split("split.cu", "split.hlsl")
        self.verified("m.json --compiler dxc")
        self.gather("gather.cu", "gather.hlsl")
        self.verified(f"{ON_CPU} --compiler dxc")

    def test_first_manifest(self):
        """--init finds the array and its length on either side."""
        for source in ("split.comp", "struct.cu"):
            name = source.split(".", maxsplit=1)[0]
            self.pair(f"--init {source}")
            with open(f"{self.folder}/{name}.json", encoding="utf-8") as file:
                made = json.load(file)
            self.assertEqual([b["Name"] for b in made["Buffers"]], ["x", "b[0]", "b[1]"])
            self.assertEqual(made["Shaders"][0]["Arguments"], {"n": "n"})
        out, _ = self.pair("--init gather.comp")
        self.assertIn("gather.comp: from[0] is of an array without a length: add its other buffers to Buffers, from[1] and so on", out)

    def test_too_few(self):
        self.manifest(["split.comp"], [buffer("x", "in"), buffer("b[0]", "out")], "split")
        _, err = self.pair("m.json --unchecked", 2)
        self.assertIn("has 3 buffers (x, b[0], b[1]), the pair gives it 2", err)
        self.manifest(["split.comp"], [buffer("x", "in"), buffer("b[0", "out")], "split")
        self.assertIn("'b[0': expected letters, digits and _, then [0] for an element of an array", self.pair("m.json --unchecked", 2)[1])

    def test_faults_in_an_element(self):
        """The guards of each element, what a run leaves out, and on the CPU the line and the element."""
        self.write("split.comp", SPLIT.replace("2 * x[i];", "2 * x[i];\n  if (i == 0)\n    b[1].v[n / 2] = 1;"))
        self.split("split.cu", "split.comp")
        self.assertIn("wrote past the end of 'b[1]', to element 512 of 512", self.pair("m.json", 1)[1])
        self.found("memory", r"writes 4 bytes outside at split.comp:12: word 512 of binding 2, 'b\[1\]', which has 512")
        self.write("split.comp", SPLIT.replace("i < n", "i < n && i != 71"))
        out, err = self.pair("m.json", 1)
        self.assertRegex(out + err, r"b\[1\]\[7\]")
        self.write("split.comp", SPLIT.replace("g & 1", "g % 3"))
        self.found("memory", r"outside at split.comp:10: index 2 of 'b', which has 2")
        self.write("split.comp", SPLIT.replace("g / 2 * 64 + t", "t"))
        self.found("races", r"race: kernel main, word \d+ of binding [12], 'b\[[01]\]'.* at split.comp:10; .*writes at split.comp:10")

    def found(self, check, finding):
        out, err = self.pair(f"{ON_CPU} --check {check}", None)
        self.assertRegex(out + err, finding)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
