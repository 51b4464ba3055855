"""cheats.py XBENCH SCHEMA ROOT: kernels that do not do their work are found out, each by the check that is meant for it."""

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

    def test_writes_outside(self):
        self.caught("y[i] = x[i]; if (i == 0) y[args.n] = 1;", COPY, "wrote past the end of 'y'")
        self.caught("y[i] = x[i]; if (i == 0) y[args.n + 3] = 1;", f"{SAXPY.replace('--inout', '--out')} -n 1003",
                    "wrote past the end of 'y'")

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
