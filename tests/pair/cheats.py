"""cheats.py XBENCH SCHEMA ROOT: kernels that do not do their work are found out, each by the check that is meant for it."""

import json
import unittest

import pairs
import results

SAXPY = "--entry saxpy --in x --inout y --arg a=0.5f"
COPY = "--entry saxpy --in x --out y --arg a=1 -n 1000"


class Cheats(pairs.Case):
    def caught(self, body, words, message, other="y[i] = x[i];", exit_code=1):
        """`body` cheats, and `other` does not."""
        self.write("cheat.hlsl", body if "numthreads" in body else pairs.saxpy(body))
        self.write("honest.hlsl", pairs.saxpy(other))
        for order in ("cheat.hlsl honest.hlsl", "honest.hlsl cheat.hlsl"):
            out, _ = self.pair(f"{order} {words} --json r.json", exit_code)
            errors = " ".join(r["error"] or "" for r in self.own("r.json"))
            self.assertRegex(errors + out, message, order)
            self.assertEqual({c["verdict"] for c in self.load("r.json")["comparisons"]}, {None})

    def test_writes_nothing(self):
        self.caught("", COPY, r"y\[0\] was not written|y\[0\] is nan")
        self.caught("if (i != 700) y[i] = x[i];", COPY, r"y\[700\] was not written|y\[700\] is nan")
        self.caught("", f"{SAXPY} -n 1000", "was not changed|other side|has", "y[i] = args.a * x[i] + y[i];")

    def test_both_write_nothing(self):
        """Equal results of two sides are no proof."""
        self.caught("if (i != 3) y[i] = x[i];", COPY, r"y\[3\] was not written", "if (i != 3) y[i] = x[i];")

    def test_replays(self):
        """The first run computes, later ones return what it left: wrong for other inputs."""
        replay = """struct Arguments { uint n; float a; };
[[vk::push_constant]] ConstantBuffer<Arguments> args;
[[vk::binding(0, 0)]] StructuredBuffer<float> x;
[[vk::binding(1, 0)]] RWStructuredBuffer<float> y;
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> kept;
[numthreads(64, 1, 1)] void saxpy(uint3 id : SV_DispatchThreadID)
{
  const uint i = id.x;
  if (i >= args.n) return;
  if (y[i] == y[i]) return; // not the poison: a result is there already
  y[i] = x[i];
  kept[0] = 1;
}
"""
        self.write("honest2.hlsl", replay.replace("  if (y[i] == y[i]) return; // not the poison: a result is there already\n", ""))
        self.write("cheat.hlsl", replay)
        for order in ("cheat.hlsl honest2.hlsl", "honest2.hlsl cheat.hlsl"):
            out, _ = self.pair(f"{order} --entry saxpy --in x --out y --out kept:uint32:1 --arg a=1 -n 1000", 1)
            self.assertRegex(out, r"y\[0\] is .*has", order)

    def test_works_only_when_checked(self):
        """Timed runs begin with the contents of a checked one, so a kernel cannot tell them apart."""
        work = "float s = x[i]; for (uint j = 0; j < 200; j++) s = s * 0.99 + sin(s); y[i] = s;"
        head = pairs.SAXPY.replace("[numthreads", "[[vk::binding(2, 0)]] RWStructuredBuffer<uint> kept : register(u2);\n[numthreads")
        self.write("honest.hlsl", head.replace("BODY", work + "kept[i] = 1;"))
        self.write("cheat.hlsl", head.replace("BODY", f"if (kept[i] == 1) return; {work} kept[i] = 1;"))
        self.with_third("kept", "inout", ["cheat.hlsl", "honest.hlsl"])
        out, _ = self.pair("m.json -n 20000 --json r.json")
        self.assertIn("contents restored: ", out)
        cheat, honest = self.own("r.json")
        self.assertGreater(cheat["median_ns"], honest["median_ns"] / 4) # without that: a hundredth
        self.assertGreater(honest["restore_ns"], 0)
        self.with_third("kept", "scratch", ["cheat.hlsl", "honest.hlsl"]) # it needs scratch that is not kept
        self.pair("m.json -n 20000", 1)

    def test_checks_its_old_result(self):
        """It leaves in an output what it finds there, if that is right. Timed runs begin with poisoned outputs, as checked ones do."""
        root = "const float v = abs(x[i]) + 0.5; float r = 1; [loop] for (int j = 0; j < 2000; j++) r = r - (r * r * r - v) / (3 * r * r); y[i] = r;"
        self.write("honest.hlsl", pairs.saxpy(root))
        self.write("cheat.hlsl", pairs.saxpy(f"const float w = abs(x[i]) + 0.5, o = y[i]; if (abs(o * o * o - w) < 1e-6 * w) return; {root}"))
        for how in ("", " --cache cold --flush-bytes 1Mi", " --placements 4"):
            self.pair(f"cheat.hlsl honest.hlsl {COPY.replace('1000', '4096')}{how} --json r.json")
            cheat, honest = self.own("r.json")
            self.assertGreater(cheat["median_ns"], honest["median_ns"] / 4) # without that: a hundredth
            self.assertEqual(honest["restore_ns"] is None, "cold" in how)

    def test_right_in_the_first_runs(self):
        """A counter in scratch memory begins anew in each run."""
        head = pairs.SAXPY.replace("[numthreads", "[[vk::binding(2, 0)]] RWStructuredBuffer<uint> runs : register(u2);\n[numthreads")
        self.write("cheat.hlsl", head.replace("BODY", "runs[i] += 1; y[i] = runs[i] - 0x7FC0BEEFu < 20 || runs[i] - 0x3DA5C3E1u < 20 ? x[i] : 0;"))
        self.write("honest.hlsl", head.replace("BODY", "runs[i] += 1; y[i] = x[i];"))
        self.with_third("runs", "scratch", ["cheat.hlsl", "honest.hlsl"])
        self.pair("m.json -n 1000")
        self.write("cheat.hlsl", head.replace("BODY", "runs[i] += 1; y[i] = runs[i] < 20 ? x[i] : 0;"))
        self.pair("m.json -n 1000", 1)

    def with_third(self, name, access, sources):
        """A manifest of x, y and a third buffer of uint32, whose contents are 0 if it is inout."""
        fill = {"Fill": "constant(0)"} if access == "inout" else {}
        self.write("m.json", json.dumps({
            "Name": "third", "Sides": [{"Source": source} for source in sources],
            "Buffers": [{"Name": "x", "Access": "in", "Format": "float32", "Length": "n"},
                        {"Name": "y", "Access": "out", "Format": "float32", "Length": "n"},
                        {"Name": name, "Access": access, "Format": "uint32", "Length": "n", **fill}],
            "Shaders": [{"Entry": "saxpy", "DispatchGroupCount": ["ceil(n/64)"], "Arguments": {"n": "n", "a": 1}}]}))

    def both(self, head, body, words, message):
        """Both sides do the same that is wrong."""
        for name in ("a.hlsl", "b.hlsl"):
            self.write(name, head.replace("BODY", body))
        self.pair(f"a.hlsl b.hlsl {words} --json r.json", 1)
        for result in self.own("r.json"):
            self.assertEqual(result["outcome"], "wrong")
        self.assertRegex(self.own("r.json")[0]["error"], message)

    def test_both_leave_elements_out(self):
        """Of one word, half a word, a byte, and a member of a struct."""
        unwritten = "not written .*or it depends on the memory.s contents|was not written"
        ints = pairs.SAXPY.replace("<float>", "<int>")
        self.both(ints, "if (i % 2 == 1) y[i] = x[i];", COPY.replace("--in x --out y", "--in x:int32 --out y:int32"), unwritten)
        self.both(ints, "if (i % 2 == 1) y[i] = x[i] & 0xffff;",
                  "--entry saxpy --in x:int32 --out y:uint16:2*n --arg a=1 -n 1000", unwritten)
        self.both(ints, "if (i % 4 == 1) y[i] = x[i] & 0xff;",
                  "--entry saxpy --in x:int32 --out y:uint8:4*n --arg a=1 -n 1000", unwritten)
        self.both(pairs.SAXPY.replace("RWStructuredBuffer<float>", "RWStructuredBuffer<Two>").replace("[[vk::push", "struct Two { int a; float b; };\n[[vk::push"),
                  "y[i].b = x[i];", "--entry saxpy --in x --out y --arg a=1 -n 1000", unwritten)

    def test_both_read_garbage(self):
        self.both(pairs.SAXPY, "y[i] = -(y[i] + x[i]);", COPY, "depends on the memory.s contents|are NaN")
        self.both(pairs.SAXPY, "y[i] = isnan(y[i]) ? x[i] : x[i] + 1;", COPY, "depends on the memory.s contents|y.0. is")
        self.both(pairs.SAXPY, "y[i] = x[i] + x[i + 1];", COPY, "depends on the memory.s contents")

    def test_all_are_no_numbers(self):
        self.both(pairs.SAXPY, "y[i] = asfloat(0x7fc00000u + i);", COPY, "all elements of 'y' are NaN")

    def test_some_are_no_numbers(self):
        self.write("a.hlsl", pairs.saxpy("y[i] = i < 3 ? asfloat(0x7fc00000u) : x[i];"))
        self.write("b.hlsl", pairs.saxpy("y[i] = i < 3 ? asfloat(0x7fc00000u) : x[i];"))
        out, _ = self.pair(f"a.hlsl b.hlsl {COPY} --json r.json")
        self.assertEqual({r["remark"] for r in self.own("r.json")}, {"3 of 1000 elements of y are NaN"})
        self.assertIn("3 of 1000 elements of y are NaN", out)

    def test_parts_that_do_not_count(self):
        """A compaction says how many elements it has; a scatter leaves elements out."""
        head = pairs.SAXPY.replace("[numthreads", "[[vk::binding(2, 0)]] RWStructuredBuffer<uint> kept : register(u2);\n[numthreads")
        body = "if (i == 0) { uint k = 0; for (uint j = 0; j < args.n; j++) if (x[j] > 0) y[k++] = x[j]; kept[0] = k; }"
        manifest = {"Name": "compact", "Sides": [{"Source": "a.hlsl"}, {"Source": "b.hlsl"}],
                    "Buffers": [{"Name": "x", "Access": "in", "Format": "float32", "Length": "n"},
                                {"Name": "kept", "Access": "out", "Format": "uint32", "Length": "1"},
                                {"Name": "y", "Access": "out", "Format": "float32", "Length": "n"}],
                    "Shaders": [{"Entry": "saxpy", "DispatchGroupCount": ["ceil(n/64)"], "Buffers": ["x", "y", "kept"],
                                 "Arguments": {"n": "n", "a": 1}}]}
        def run(results_of_y, exit_code, other=body):
            manifest["Results"] = [{"Actual": "y", **results_of_y}]
            self.write("m.json", json.dumps(manifest))
            self.write("a.hlsl", head.replace("BODY", body))
            self.write("b.hlsl", head.replace("BODY", other))
            out, err = self.pair("m.json -n 1000", exit_code)
            return out + err
        self.assertIn("was not written", run({}, 1))
        run({"Valid": "kept"}, 0)
        run({"Untouched": True}, 0)
        run({"Valid": "kept"}, 1, body.replace("y[k++] = x[j]", "{ y[k++] = j == 500 ? 0.5f : abs(x[j]) + 1; }"))
        run({"Untouched": True}, 1, body + " if (i == 999) y[i] = 3;")
        run({"Valid": "kept"}, 0, body + " if (i == 999) y[i] = 3;")
        self.assertIn("1001 elements of 'y' are declared valid, but it has 1000",
                      run({"Valid": "kept"}, 1, body.replace("kept[0] = k", "kept[0] = 1001")))
        self.assertIn("expected a buffer of integers", run({"Valid": "x"}, 2))
        self.assertIn("expected true or false", run({"Untouched": 3}, 2))
        self.assertIn("unknown name", run({"Valid": "m+1"}, 2))

    def test_untouched_bytes(self):
        """A byte in 256 that a run writes is like the poison: that is no reason to call it untouched, or wrong."""
        for body, exit_code in (("(y[i] & 0xff000000) | (x[i] & 0xffffff)", 0), ("(y[i] & 0xff000000) | (x[i] & 0xfffffe)", 1)):
            for name, text in (("a", "(y[i] & 0xff000000) | (x[i] & 0xffffff)"), ("b", body)):
                self.write(f"{name}.comp", "#version 450\nlayout(local_size_x = 64) in;\nlayout(push_constant) uniform A { uint n; };\n"
                           "layout(binding = 0) readonly buffer X { uint x[]; };\nlayout(binding = 1) buffer Y { uint y[]; };\nvoid main()\n{\n"
                           f"  const uint i = gl_GlobalInvocationID.x;\n  if (i < n)\n    y[i] = {text};\n}}\n")
            self.write("m.json", json.dumps({
                "Name": "m", "Sides": ["a.comp", "b.comp"], "Results": [{"Actual": "y", "Rule": "BufferExact", "Untouched": True}],
                "Buffers": [{"Name": "x", "Access": "in", "Format": "uint32", "Length": "n"},
                            {"Name": "y", "Access": "out", "Format": "uint8", "Length": "4*n"}],
                "Shaders": [{"DispatchGroupCount": ["ceil(n/64)"], "Arguments": {"n": "n"}}]}))
            self.pair("m.json -n 5000", exit_code)

    def test_writes_outside(self):
        self.caught("y[i] = x[i]; if (i == 0) y[args.n] = 1;", COPY, "wrote past the end of 'y', to element 1000 of 1000: ")
        self.caught("y[i] = x[i]; if (i == 0) y[args.n + 3] = 1;", f"{SAXPY.replace('--inout', '--out')} -n 1003",
                    "wrote past the end of 'y', to element 1006 of 1003: ")

    def test_reads_outside(self):
        """Behind an input is a number that changes every sum."""
        self.caught("y[i] = x[i] + x[i + 1];", COPY, r"y\[999\] is", "y[i] = x[i] + (i + 1 < args.n ? x[i + 1] : 0);")

    def test_depends_on_the_number_of_runs(self):
        """An output that accumulates is no output."""
        self.caught("y[i] = y[i] == y[i] ? y[i] + x[i] : x[i];", COPY, r"y\[0\] is")

    def test_writes_its_input(self):
        """The other side would read what this one left."""
        self.write("cheat.hlsl", pairs.saxpy("y[i] = x[i]; x[i] = 0;").replace("] StructuredBuffer", "] RWStructuredBuffer"))
        self.write("honest.hlsl", pairs.saxpy("y[i] = x[i];"))
        for order in ("cheat.hlsl honest.hlsl", "honest.hlsl cheat.hlsl"):
            self.pair(f"{order} {COPY} --json r.json", 1)
            errors = " ".join(r["error"] or "" for r in self.own("r.json"))
            self.assertIn("x[0] was changed, but 'x' is an input", errors)
        self.pair(f"{self.write('fair.hlsl', pairs.saxpy('y[i] = x[i];').replace('] StructuredBuffer', '] RWStructuredBuffer'))} "
                  f"honest.hlsl {COPY}")

    def test_named_reference(self):
        """A side that the user trusts is not called wrong."""
        self.write("a.hlsl", pairs.saxpy("y[i] = x[i];"))
        self.write("b.hlsl", pairs.saxpy("y[i] = x[i] * 2;"))
        for trusted, wrong in (("a", "b"), ("b", "a")):
            self.pair(f"a.hlsl b.hlsl {COPY} --reference {trusted}.hlsl --json r.json", 1)
            self.assertEqual({r["variant"][2:]: r["outcome"] for r in self.own("r.json")}, {trusted: "ok", wrong: "wrong"})

    def test_wrong_for_one_element(self):
        self.caught("y[i] = i == 998 ? 7 : x[i];", COPY, r"y\[998\] is")


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    results.main()
