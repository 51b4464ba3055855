"""d3d12.py XBENCH SCHEMA ROOT STARTER DXC THREE FILE.spv: pairs on Direct3D 12 through vkd3d. STARTER starts the program. THREE
also has an API of the name cuda (two.c)."""

import os
import stat
import subprocess
import sys
import tempfile
import unittest

import pairs
import results

EXAMPLES = ["saxpy/saxpy", "stencil/stencil", "particles/particles", "dot/dot", "reduction/reduction"]
SAXPY = "--entry saxpy --in x:float32:n --inout y:float32:n --arg n --arg a=0.5f --group 64 -n 1000 --json r.json"
os.environ["XB_TWO"] = os.path.abspath(sys.argv[7])
os.environ["PATH"] = os.path.dirname(os.path.abspath(sys.argv[5])) + os.pathsep + os.environ["PATH"]


def started(folder, program):
    """A file that starts the program."""
    path = os.path.join(folder, os.path.basename(program))
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec '{os.path.abspath(sys.argv[4])}' '{os.path.abspath(program)}' \"$@\"\n")
    os.chmod(path, stat.S_IRWXU)
    return path


class Direct3D(pairs.Case):
    def cells(self):
        return [(r["variant"], r["backend"], r["outcome"], r["verified"]) for r in self.own("r.json")]

    def test_examples(self):
        """The HLSL of each example runs on Vulkan and on Direct3D 12."""
        for name in EXAMPLES:
            with self.subTest(example=name):
                size = "61x67" if name.startswith("stencil") else "1022"
                self.pair(f"{pairs.EXAMPLES}/{name}.json --backend all -n {size} --json r.json --margin 50%")
                own = self.cells()
                self.assertEqual([cell[1:] for cell in own], [("vulkan", "ok", True), ("d3d12", "ok", True)])

    def test_suspects(self):
        """DXIL on vkd3d is a compiler and a driver of its own beside SPIR-V on the Vulkan driver."""
        self.write("a.hlsl", pairs.saxpy())
        self.write("y.npy", pairs.npy([3] * 64, "<f4"))
        self.run_to_end("pair --suspects -q a.hlsl --entry saxpy --in x:float32:n:constant(1) --inout y:float32:n:constant(1) "
                        "--arg n --arg a=2 --group 64 -n 64 --reference y=y.npy --json m.json --backend all")
        cells = self.load("m.json")["cells"]
        dxil = [c for c in cells if c["compiler"].endswith(" (DXIL)")]
        self.assertEqual({(c["result"], c["driver"].endswith(", Direct3D 12")) for c in dxil}, {("right", True)})
        self.assertEqual({(c["optimization"], c["arithmetic"]) for c in dxil},
                         {("speed", "as compiled"), ("speed", "all NoContraction"), ("off", "as compiled")})
        self.assertTrue(any(c["result"] == "right" and not c["driver"].endswith("12") for c in cells))

    def test_two_sources(self):
        """Each source is a variant with two columns."""
        self.write("a.hlsl", pairs.saxpy())
        self.write("b.hlsl", pairs.saxpy("y[i] = y[i] + args.a * x[i];").replace("[[vk::push_constant]] ", "").replace(
            "[[vk::binding(0, 0)]] ", "").replace("[[vk::binding(1, 0)]] ", ""))
        self.pair(f"a.hlsl b.hlsl {SAXPY} --backend all --dump-outputs dump")
        self.assertEqual(sorted(self.cells()), [(variant, backend, "ok", True) for variant in ("1_a", "2_b")
                                                for backend in ("d3d12", "vulkan")])
        self.assertEqual(pairs.read_npy(self.path("dump/y.a.hlsl.1000.npy")),
                         pairs.read_npy(self.path("dump/y.a.hlsl.dxil.1000.npy")))

    def test_compiled(self):
        """A file of DXIL without a checksum is a side of its own; a damaged one is refused."""
        self.write("b.hlsl", pairs.saxpy())
        self.write("a.hlsl", pairs.saxpy())
        os.system(f"cd {self.folder} && dxc -T cs_6_0 -E saxpy -Wno-ignored-attributes -Fo b.dxil b.hlsl 2>messages")
        self.pair(f"a.hlsl b.dxil {SAXPY} --compiler glslc --backend all")
        self.assertEqual(self.cells(), [("1_a", "vulkan", "ok", True), ("1_a", "d3d12", "ok", True)])
        with open(self.path("b.dxil"), "rb") as file:
            whole = file.read()
        self.write("b.dxil", whole[:1000])
        _, err = self.pair(f"a.hlsl b.dxil {SAXPY} --backend all", 2)
        self.assertIn("b.dxil: is not a DXIL container", err)

    def test_typed_buffers(self):
        """Read in their format, written, with atomics; and what is written behind the end is found."""
        shader = """Buffer<float2> x : register(t0);
RWBuffer<float2> y : register(u0);
RWBuffer<uint> count : register(u1);
cbuffer Arguments : register(b0) { uint n; };
[numthreads(64, 1, 1)] void twice(uint3 id : SV_DispatchThreadID)
{
  if (id.x < LIMIT) { y[id.x] = 2 * x[id.x]; InterlockedAdd(count[id.x % 3], 1); }
}
"""
        words = "--in x:float16x2:n --out y:float32x2:n --inout count:uint32:3:constant(0) --arg n --group 64 -n 1000"
        self.write("a.hlsl", shader.replace("LIMIT", "n"))
        self.pair(f"a.hlsl {words} --backend all --json r.json")
        self.assertEqual(sorted(self.cells()), [("1_a", backend, "ok", True) for backend in ("d3d12", "vulkan")])
        self.write("a.hlsl", shader.replace("LIMIT", "n + 1"))
        _, err = self.pair(f"a.hlsl {words} --unchecked --backend d3d12", 1)
        self.assertIn("a/1 on d3d12: wrote past the end of 'y', to element 1000", err)

    def test_array_of_buffers(self):
        """Refused by its name; the other column runs."""
        self.write("a.hlsl", """[[vk::binding(0)]] StructuredBuffer<float> x[2] : register(t0);
[[vk::binding(1)]] RWStructuredBuffer<float> y : register(u0);
[numthreads(64, 1, 1)] void pick(uint3 id : SV_DispatchThreadID) { y[id.x] = x[id.x / 64 % 2][id.x]; }
""")
        words = "--entry pick --in x[0]:float32:n --in x[1]:float32:n --out y:float32:n -n 1024 --unchecked --compiler dxc"
        out, err = self.pair(f"a.hlsl {words} --backend all --json r.json", None)
        self.assertIn("x is an array of buffers, which xbench does not bind through Direct3D 12", out + err)
        self.assertIn(("vulkan", "ok"), [cell[1:3] for cell in self.cells()])

    def test_wrong(self):
        """A side that computes something else is found."""
        self.write("a.hlsl", "#ifdef __spirv__\n#define NOT 1\n#else\n#define NOT -1\n#endif\n" +
                   pairs.saxpy("y[i] = NOT * args.a * x[i] + y[i];"))
        out, _ = self.pair(f"a.hlsl {SAXPY} --compiler dxc --backend all", 1)
        self.assertEqual({cell[2:] for cell in self.cells()}, {("wrong", False)})
        self.assertRegex(out, r"y\[0\] is .*, a.hlsl.dxc has")

    def test_three_columns(self):
        """CUDA, Vulkan and Direct3D 12: run, compared, diffed, and on a page."""
        self.write("saxpy.cu", "__global__ void saxpy(int n, float a, const float *x, float *y)\n{\n"
                               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = a * x[i] + y[i];\n}\n")
        self.write("saxpy.hlsl", pairs.saxpy().replace("64", "256"))
        three = started(self.folder, sys.argv[6])

        def run(arguments, exit_code=0):
            run = subprocess.run([three, *arguments.split()], cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, exit_code, run.stdout + run.stderr)
            return run.stdout, run.stderr
        command = f"pair {pairs.QUICK} saxpy.cu saxpy.hlsl {SAXPY.replace('64', '256')} --margin 50%"
        probe = subprocess.run([three, *command.split()], cwd=self.folder, capture_output=True, text=True, check=False)
        if "no compiler was found" in probe.stderr:
            self.skipTest(probe.stderr)
        self.assertIn("1_saxpy vulkan / cuda", probe.stdout)
        self.assertIn("1_saxpy d3d12 / cuda", probe.stdout)
        self.assertEqual(self.cells(), [("1_saxpy", backend, "ok", True) for backend in ("cuda", "vulkan", "d3d12")])
        self.assertEqual([(c["subject"]["backend"], c["base"]["backend"]) for c in self.load("r.json")["comparisons"]],
                         [("vulkan", "cuda"), ("d3d12", "cuda")])
        out, _ = run("diff r.json r.json")
        self.assertIn("3 cells: ", out)
        run("report r.json -o r.html")
        with open(self.path("r.html"), encoding="utf-8") as file:
            page = file.read()
        for text in ("Vulkan / cuda", "Direct3D 12 through vkd3d / cuda"):
            self.assertIn(text, page)

    def test_left_out(self):
        """What Direct3D 12 does not take still runs on Vulkan."""
        self.write("a.hlsl", pairs.saxpy())
        self.write("b.hlsl", pairs.saxpy("uint l, s; x.GetDimensions(l, s); if (l) y[i] = args.a * x[i] + y[i];"))
        out, _ = self.pair(f"a.hlsl b.hlsl {SAXPY} --backend all")
        self.assertIn("no result on this side: b.hlsl: it uses GetDimensions: ", out)
        self.assertEqual(sorted(self.cells()), [("1_a", "d3d12", "ok", True), ("1_a", "vulkan", "ok", True),
                                                ("2_b", "d3d12", "unsupported", False), ("2_b", "vulkan", "ok", True)])
        _, err = self.pair(f"a.hlsl {SAXPY} --backend d3d12", 3)
        self.assertIn("only a.hlsl can run", err)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    with tempfile.TemporaryDirectory() as made:
        results.XBENCH = started(made, results.XBENCH)
        results.main()
