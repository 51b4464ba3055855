"""own.py XBENCH SCHEMA ROOT: sides that differ in more than their code: group size, number of groups, buffers, layout, kernels."""

import json
import unittest

import pairs
import results

SHIFT = """#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform Arguments { uint n; };
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
void main() { if (gl_GlobalInvocationID.x < n) y[gl_GlobalInvocationID.x] = x[gl_GlobalInvocationID.x] + 1; }
"""
IN_PLACE = """#version 450
layout(local_size_x_id = 3) in;
layout(constant_id = 3) const uint SIZE = 1;
layout(constant_id = 4) const uint TIMES = 1;
layout(push_constant) uniform Arguments { uvec4 sizes; mat4 m; };
layout(binding = 0) buffer Y { TYPE y[]; };
shared float tile[SIZE * TIMES + 1];
void main()
{
  for (uint i = gl_GlobalInvocationID.x; i < sizes.y; i += SIZE * gl_NumWorkGroups.x) {
    tile[gl_LocalInvocationID.x] = float(y[i]NUMBER) + m[2][1];
    y[i]NUMBER = CAST(tile[gl_LocalInvocationID.x]);
  }
}
"""
# Vertices whose members GLSL places at multiples of 16 bytes.
VERTICES = """#version 450
layout(local_size_x = 64) in;
struct Vertex { vec3 at; float weight; vec3 normal; };
layout(std430, binding = 0) readonly buffer V { Vertex v[]; };
layout(std430, binding = 1) writeonly buffer W { Vertex w[]; };
void main()
{
  Vertex a = v[gl_GlobalInvocationID.x];
  a.at += a.weight * a.normal;
  w[gl_GlobalInvocationID.x] = a;
}
"""


class Own(pairs.Case):
    def setUp(self):
        super().setUp()
        self.write("shift.comp", SHIFT)

    def manifest(self, type_name="float", number="", buffer=None, one=1.0):
        self.write("place.comp", IN_PLACE.replace("TYPE", type_name).replace("NUMBER", number).replace(
            "CAST", "int" if type_name == "int" else "float"))
        matrix = [[0.0] * 4, [0.0] * 4, [0.0, one, 0.0, 0.0], [0.0] * 4]
        self.write("m.json", json.dumps({
            "Name": "own",
            "Sides": ["shift.comp",
                      {"Source": "place.comp", "SpecializationConstants": {"3": 32, "4": 2}, "DispatchGroupCount": [5],
                       "Buffers": [{"Name": "y", "Access": "inout", "Fill": "x", **(buffer or {})}],
                       "Shaders": [{"Buffers": ["y"], "Arguments": {"n": None, "sizes": [0, "n", 0, 0], "m": matrix}}]}],
            "Buffers": [{"Name": "x", "Access": "in", "Format": "float32", "Length": "n", "Fill": "ramp(0, 1)"},
                        {"Name": "y", "Access": "out", "Format": "float32", "Length": "n"}],
            "Shaders": [{"Entry": "main", "DispatchGroupCount": ["ceil(n/64)"], "Arguments": {"n": "n"}}],
            "Size": "1000"}))

    def test_scratch_of_each_size(self):
        """Scratch of both sides begins with its contents, also where a side says its own length; it is no output."""
        for name, place in (("a", "i"), ("b", "i / 2")):
            self.write(f"{name}.comp", f"""#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform Arguments {{ uint n; }};
layout(binding = 0) readonly buffer X {{ uint x[]; }};
layout(binding = 1) writeonly buffer Y {{ uint y[]; }};
layout(binding = 2) buffer C {{ uint c[]; }};
void main()
{{
  const uint i = gl_GlobalInvocationID.x;
  if (i < n)
    y[i] = x[i] + (i % 2 == 0 ? atomicAdd(c[{place}], 1) : 0);
}}
""")
        self.write("m.json", json.dumps({
            "Name": "scratch", "Size": "1000", "Sides": [{"Source": "a.comp", "Buffers": [{"Name": "c", "Length": "n"}]}, "b.comp"],
            "Buffers": [{"Name": "x", "Access": "in", "Format": "uint32", "Length": "n"},
                        {"Name": "y", "Access": "out", "Format": "uint32", "Length": "n"},
                        {"Name": "c", "Access": "scratch", "Format": "uint32", "Length": "ceil(n/2)", "Fill": "constant(0)"}],
            "Shaders": [{"Entry": "main", "DispatchGroupCount": ["ceil(n/64)"], "Arguments": {"n": "n"}}]}))
        self.pair("m.json --json r.json")
        self.assertEqual([(r["variant"], r["verified"]) for r in self.own("r.json")], [("2_b", True), ("1_a", True)])
        self.assertEqual(len({r["output_hash"] for r in self.own("r.json")}), 1)
        with open(self.path("b.comp"), encoding="utf-8") as file:
            self.write("b.comp", file.read().replace("readonly buffer", "buffer"))
        self.pair("m.json --json r.json")
        self.assertEqual(len({r["output_hash"] for r in self.own("r.json")}), 1)

    def test_what_is_restored(self):
        """The output, of either side: the buffer that one of them has alone is an input."""
        source = "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) writeonly buffer Y { uint y[]; };\n"
        self.write("a.comp", source + "void main() { y[gl_GlobalInvocationID.x] = 5; }\n")
        self.write("b.comp", source + "layout(binding = 1) readonly buffer Z { uint z[]; };\n"
                   "void main() { y[gl_GlobalInvocationID.x] = 5 + 0 * z[gl_GlobalInvocationID.x]; }\n")
        self.write("m.json", json.dumps({
            "Name": "more", "Size": 4096, "Buffers": [{"Name": "y", "Access": "out", "Format": "uint32", "Length": "n"}],
            "Sides": ["a.comp", {"Source": "b.comp", "Buffers": [{"Name": "z", "Access": "in", "Format": "uint32", "Length": "n"}]}],
            "Shaders": [{"Entry": "main", "DispatchGroupCount": ["n/64"]}]}))
        self.pair("m.json --json r.json")
        self.assertEqual([(r["verified"], r["restore_ns"] > 0) for r in self.own("r.json")], [(True, True)] * 2)

    def test_in_place(self):
        """One side writes another buffer, the other one its input; sizes of groups and of shared memory are constants."""
        self.manifest()
        self.pair("m.json --json r.json")
        self.assertEqual([(r["variant"], r["verified"]) for r in self.own("r.json")],
                         [("2_place", True), ("1_shift", True)])
        self.assertEqual(len({r["source_hash"] for r in self.own("r.json")}), 2)

    def test_places_of_members(self):
        """Offsets and strides of the code are compared with the manifest's, and --init writes them."""
        members = [{"Name": "at", "Format": "float32x3"}, {"Name": "weight", "Format": "float32"}, {"Name": "normal", "Format": "float32x3"}]
        own = [{**m, "Offset": offset} for m, offset in zip(members, (0, 12, 16))]
        self.write("v.comp", VERTICES)
        self.run_to_end("pair --init v.comp")
        manifest = self.load("v.json")
        self.assertEqual([(b["Stride"], b["Format"]) for b in manifest["Buffers"]], [(32, own)] * 2)
        manifest["Shaders"][0]["DispatchGroupCount"] = ["n/64"]
        manifest["Size"] = "1024"
        for buffer, access in zip(manifest["Buffers"], ("in", "out")):
            buffer.update({"Access": access, "Length": "n"})
        self.write("v.json", json.dumps(manifest))
        self.pair("v.json --unchecked")
        manifest["Buffers"][1].update({"Format": members, "Stride": 28})
        self.write("v.json", json.dumps(manifest))
        _, err = self.pair("v.json --unchecked", 2)
        self.assertIn("v.comp: w has elements of 32 bytes, at at 0, weight at 12, normal at 16 in the code, of 28 bytes, at at 0, weight at "
                      "12, normal at 16 in the pair: give this side a Format with these Offsets and a Stride of 32", err)

    def test_numbers_of_an_element(self):
        """A side's element has the numbers of the pair's."""
        for buffer, good in (({"Format": "int32"}, True), ({"Format": "float32x2"}, False), ({"Format": "float32x2", "Length": "n/2"}, False),
                             ({"Format": [{"Name": "a", "Format": "float32"}, {"Name": "b", "Format": "float32"}]}, True)):
            self.manifest("int", buffer=buffer)
            _, err = self.pair("m.json", None if good else 2)
            self.assertEqual("Sides[1].Buffers[0].Format: expected the same numbers as in the pair's 'y'" in err, not good, err)

    def test_three_sides(self):
        """Of three sides that disagree none is verified; the message says which agree."""
        for name, what in (("a", "x[i] + 1"), ("b", "1 + x[i]"), ("c", "x[i] + 2")):
            self.write(f"{name}.comp", SHIFT.replace("x[gl_GlobalInvocationID.x] + 1", what.replace("i", "gl_GlobalInvocationID.x")))
        words = "--in x:float32 --out y:float32 --arg n -n 1000 --json r.json"
        out, err = self.pair(f"a.comp b.comp c.comp {words}", 1)
        self.assertEqual([(r["outcome"], r["verified"]) for r in self.own("r.json")], [("wrong", False)] * 3)
        self.assertRegex(out + err, r"; [ab].comp, [ab].comp agree; give --reference to learn which is right")
        self.pair(f"a.comp b.comp c.comp {words} --reference b.comp", 1)
        self.assertEqual({r["variant"]: r["verified"] for r in self.own("r.json")}, {"1_a": True, "2_b": True, "3_c": False})

    def test_inputs(self):
        """The default inputs tell 0 from other flags, and a run says what its inputs were."""
        for name, what in (("a", "x[i] != 0 ? 1 : 2"), ("b", "1")):
            self.write(f"{name}.comp", SHIFT.replace("x[gl_GlobalInvocationID.x] + 1", what.replace("i", "gl_GlobalInvocationID.x")).replace("float", "uint"))
        words = "a.comp b.comp --out y:uint32 --arg n -n 1000 --json r.json"
        out, _ = self.pair(f"{words} --in x:uint32", 1)
        self.assertIn("; inputs x: mixed (0 to 4294967295, 20 % zeros, 28 % repeated)", " ".join(out.split()))
        self.assertEqual({r["inputs"] for r in self.own("r.json")}, {"x: mixed (0 to 4294967295, 20 % zeros, 28 % repeated)"})
        self.pair(f"{words} --in x:uint32:n:uniform")
        self.assertRegex(self.own("r.json")[0]["inputs"], r"^x: uniform \(\d+ to \d+, 0 % zeros, 0 % repeated\)$")
        self.write("x.npy", pairs.npy([1] * 30 + [0] * 970, "<u4"))
        self.pair(f"{words} --in x:uint32:n:x.npy", 1)
        self.assertEqual(self.own("r.json")[0]["inputs"], "x: x.npy (0 to 1, 97 % zeros, 100 % repeated)")

    def test_views(self):
        """Two blocks at one binding are views of one buffer; one of them may write it. --init names it once."""
        head = "#version 450\nlayout(local_size_x = 64) in;\n#define I gl_GlobalInvocationID.x\n"
        y = "layout(binding = 1) writeonly buffer Y { float y[]; };\n"
        words = "layout(binding = 0) {} buffer Words {{ uint words[]; }};\nlayout(binding = 0) readonly buffer Floats {{ float floats[]; }};\n"
        self.write("plain.comp", head + "layout(binding = 0) readonly buffer X { float x[]; };\n" + y + "void main() { y[I] = abs(x[I]); }\n")
        self.write("views.comp", head + words.format("readonly") + y + "void main() { y[I] = words[I] >> 31 != 0 ? -floats[I] : floats[I]; }\n")
        self.pair("plain.comp views.comp --in x --out y --groups n/64 -n 1024")
        self.pair("plain.comp views.comp --in x --out y --groups n/64 -n 1024 --check memory,races")
        self.run_to_end("pair --init views.comp")
        self.assertEqual([(b["Name"], b["Access"]) for b in self.load("views.json")["Buffers"]], [("words", "in"), ("y", "?")])
        self.write("twice.json", json.dumps({
            "Name": "twice", "Size": "1024", "Sides": ["plain.comp", {"Source": "views.comp", "Shaders": [{"Buffers": ["x", "x", "y"]}]}],
            "Buffers": [{"Name": "x", "Access": "in", "Format": "float32", "Length": "n"},
                        {"Name": "y", "Access": "out", "Format": "float32", "Length": "n"}],
            "Shaders": [{"Entry": "main", "DispatchGroupCount": ["n/64"]}]}))
        self.pair("twice.json")
        self.write("places.comp", head + "layout(binding = 0) buffer X { float x[]; };\nvoid main() { x[I] = -x[I]; }\n")
        self.write("flips.comp", head + words.format("") + "void main() { words[I] = floatBitsToUint(floats[I]) ^ 0x80000000u; }\n")
        for more in ("", "--check memory,races"):
            self.pair(f"places.comp flips.comp --inout x --groups n/64 -n 1024 {more}")
        self.write("flips.comp", head + words.format("") + "void main() { words[I] = floatBitsToUint(floats[I]); }\n")
        self.pair("places.comp flips.comp --inout x --groups n/64 -n 1024", 1)

    def test_own_sources(self):
        """A kernel may have a Source of its own, for the API of its side, in the manifest's folder."""
        head = "#version 450\nlayout(local_size_x = 64) in;\n#define I gl_GlobalInvocationID.x\nlayout(binding = 0) readonly buffer X { float x[]; };\n"
        tail = "layout(binding = 1) writeonly buffer Y { float y[]; };\n"
        self.write("add.comp", head + tail + "void main() { y[I] = x[I] + 1; }\n")
        self.write("double.comp", head + tail + "void main() { y[I] = x[I] * 2; }\n")
        self.write("both.comp", head + tail + "void main() { y[I] = x[I] * 2 + 2; }\n")
        kernel = {"DispatchGroupCount": ["n/64"]}
        own = [{**kernel, "Buffers": ["x", "t"]}, {**kernel, "Buffers": ["t", "y"], "Source": "double.comp"}]
        def manifest(source, name="add.comp"):
            own[1]["Source"] = source
            self.write("m.json", json.dumps({
                "Name": "steps", "Size": "1024", "Sides": ["both.comp", {"Source": name, "Shaders": own}],
                "Buffers": [{"Name": x, "Access": a, "Format": "float32", "Length": "n"} for x, a in (("x", "in"), ("t", "scratch"), ("y", "out"))],
                "Shaders": [{**kernel, "Buffers": ["x", "y"]}]}))
        manifest("double.comp")
        self.pair("m.json --json r.json")
        self.assertEqual({r["variant"]: r["verified"] for r in self.own("r.json")}, {"1_both": True, "2_add": True})
        hashes = {r["variant"]: r["source_hash"] for r in self.own("r.json")}
        self.write("double.comp", head + tail + "void main() { y[I] = x[I] + x[I] + 0.5; }\n")
        self.pair("m.json --json r.json", 1)
        self.assertNotEqual({r["variant"]: r["source_hash"] for r in self.own("r.json")}["2_add"], hashes["2_add"])
        manifest("add.comp")
        self.pair("m.json", 1)
        self.write("k.cu", "")
        for source, message in (("k.cu", "'k.cu' is for another API than 'add.comp', the side's source"), ("none.comp", "none.comp"),
                                ("/etc/passwd", "'/etc/passwd' is outside of the manifest's folder"), ("a.txt", "unknown kind of source")):
            manifest(source)
            _, err = self.pair("m.json", 2)
            self.assertIn(message, err)

    def test_length_of_a_file(self):
        """A file gives n where a Length is n, too."""
        self.write("x.npy", pairs.npy([0.5] * 640))
        self.pair("shift.comp shift.comp --in x:float32:n:x.npy --out y:float32:n --arg n --json r.json")
        self.assertEqual({r["size"] for r in self.own("r.json")}, {640})
        _, err = self.pair("shift.comp shift.comp --in x:float32:n:x.npy --out y:float32:n --arg n -n 641", 2)
        self.assertIn("x has 641 elements, its file x.npy has 640", err)

    def test_layouts(self):
        """The same numbers as integers, and with gaps between them."""
        self.manifest("int", buffer={"Format": "int32"})
        self.pair("m.json")
        self.manifest("vec4", ".x", {"Format": "float32", "Stride": 16})
        self.pair("m.json")

    def test_mistakes(self):
        """Each of these is found: they check that the sides are compared at all."""
        self.manifest("int", buffer={"Format": "int32"}, one=2.0)
        _, err = self.pair("m.json", 1)
        self.assertIn("1000 of 1000 elements differ by more than 4 ulp (--tolerance, or ULPT of its result)", err)
        self.manifest()
        manifest = json.loads(open(self.path("m.json"), encoding="utf-8").read())
        manifest["Sides"][1]["SpecializationConstants"] = {"4": 2}
        self.write("m.json", json.dumps(manifest))
        _, err = self.pair("m.json", 2)
        self.assertIn("the group size is specialization constant 3: give its value", err)
        manifest["Sides"][1]["SpecializationConstants"] = {"3": 32}
        manifest["Sides"][1]["Shaders"][0]["Arguments"]["sizes"] = [0, "n"]
        self.write("m.json", json.dumps(manifest))
        _, err = self.pair("m.json", 2)
        self.assertIn("argument sizes has 4 numbers, the pair gives it 2", err)
        manifest["Sides"][1]["Buffers"].append({"Name": "z", "Access": "out", "Format": "float32", "Length": "n"})
        self.write("m.json", json.dumps(manifest, indent=1))
        _, err = self.pair("m.json", 2)
        self.assertIn("m.json:", err)
        self.assertIn("only this side has the buffer, so nothing can be compared", err)

    def test_host_code(self):
        """GLSL in a raw string, and HLSL in a file for GLSL."""
        self.write("host.cc", 'const char *shader = R"(\n' + SHIFT + ')";\n')
        self.write("hlsl.comp", pairs.saxpy("y[i] = x[i] + 1;"))
        self.pair("host.cc hlsl.comp --in x --out y --arg a=0.5 -n 100")

    def test_again(self):
        """diff --again compiles and measures a pair."""
        self.manifest()
        self.pair("m.json --json base.json")
        out, _ = self.run_to_end(f"diff base.json --again -- pair m.json {pairs.QUICK}", None)
        self.assertIn("own/2", out)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    results.main()
