"""kinds.py XBENCH SCHEMA ROOT: what kernels of other projects are made of: features of the device, addresses of buffers, several views
of a buffer, many kernels, entry points in one module."""

import json
import unittest

import pairs
import results

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


class Kinds(pairs.Case):
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


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    results.main()
