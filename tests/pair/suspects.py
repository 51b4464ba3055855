"""suspects.py XBENCH SCHEMA ROOT: which layer is guilty, of pairs whose guilty layer is known."""

import glob
import os
import pathlib
import shutil
import stat
import sys
import unittest

import pairs
import results

REMAINDER = """__global__ void wrap(const int *x, int *y, int n, int m)
{
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n)
    y[i] = x[i] % m;
}
"""
REMAINDER_HLSL = """[[vk::binding(9, 0)]] cbuffer A : register(b0) { int n; int m; };
[[vk::binding(0, 0)]] StructuredBuffer<int> x : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<int> y : register(u0);
[numthreads(64, 1, 1)]
void wrap(uint3 id : SV_DispatchThreadID)
{
  const int i = int(id.x);
  const int unused = 3 * i + 1;
  if (i < n)
    y[i] = x[i] % m;
}
"""
WORDS = '--arg n --arg m=-7 --in x:int32:n:uniform(-1000,1000) --out y:int32 -n 500'
CRASH = """#include <cstdlib>
__global__ void crash(int *y)
{
  if (threadIdx.x == 3)
    abort();
  y[threadIdx.x] = 1;
}
"""


SUM = """#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer X { int x[]; };
layout(binding = 1) buffer Y { int y[]; };
void main() { y[gl_GlobalInvocationID.x] = x[gl_GlobalInvocationID.x] + x[0]; }
"""
# A tool that changes additions into subtractions where an option asks for it.
BREAKS = f"""#!{sys.executable}
import subprocess, sys
argv, breaking = sys.argv[1:], %r
if "--help" in argv:
    print("\\n  -O\\n             Optimize.\\n\\t\\tmerge-blocks\\n\\t\\tccp\\n\\t\\tcfg-cleanup\\n\\n  -Os\\n\\t\\tccp\\n")
    sys.exit(0)
breaks = any(option in argv for option in breaking)
code = subprocess.run([%r] + ["-O0" if option in breaking and "-O" in breaking else option for option in argv]).returncode
if breaks and not code:
    path = argv[argv.index("-o") + 1]
    module = open(path, "rb").read()
    words = [module[i : i + 4] for i in range(0, len(module), 4)]
    added, subtracted = ((5 << 16 | op).to_bytes(4, "little") for op in (128, 130))
    open(path, "wb").write(b"".join(subtracted if word == added else word for word in words))
sys.exit(code)
"""


class Suspects(pairs.Case):
    def setUp(self):
        super().setUp()
        os.environ.pop("XB_NO_EMULATION", None)

    def suspects(self, arguments, exit_code, **how):
        return self.run_to_end(f"pair --suspects -q {arguments} --json m.json", exit_code, **how)

    def cells(self, **levels):
        return [c for c in self.load("m.json")["cells"] if all(c.get(k, "").startswith(v) for k, v in levels.items())]

    def test_front_end(self):
        """glslc makes OpSMod of HLSL's %, which is another operation; the emulation computes it to the letter."""
        self.write("rem.cu", REMAINDER)
        self.write("rem.hlsl", REMAINDER_HLSL)
        out, _ = self.suspects(f"rem.cu rem.hlsl {WORDS} --backend cpu", 1)
        self.assertIn("OpSMod has the sign of the divisor, and % of HLSL that of the dividend", out)
        self.assertIn("rem.cu: right in each of", out)
        self.assertRegex(out, r"rem\.hlsl +compiler +glslc [0-9.-]+ +\d+")
        document = self.load("m.json")
        self.assertEqual((document["schema"], document["reference"]), ("xbench-suspects/1", "rem.cu"))
        self.assertIn(document["explanation"], out)
        glslc = self.cells(side="rem.hlsl", compiler="glslc")
        self.assertEqual({c["result"] for c in glslc}, {"wrong"})
        self.assertTrue(all(c["code_has"] == "OpSMod" for c in glslc))
        self.assertEqual({c["wave"] for c in glslc}, {"4", "8", "16", "32", "64"})
        self.assertEqual({c["order"] for c in glslc}, {"0", "1", "2", "3", "4"})

    def test_reduce(self):
        """The reduced case shows the same with its own commands; a statement that does not matter is gone."""
        self.write("rem.cu", REMAINDER)
        self.write("rem.hlsl", REMAINDER_HLSL)
        out, _ = self.suspects(f"rem.hlsl rem.cu {WORDS} --reference rem.cu --backend cpu --reduce --reduce-limit 0", 1)
        self.assertIn("the time limit ended it", out.replace("\n", " "))
        self.assertTrue(os.path.exists(self.path("rem-reduced/wrong.json")))
        self.suspects(f"rem.hlsl rem.cu {WORDS} --reference rem.cu --backend cpu --reduce --reduce-limit 600", 1)
        folder = self.path("rem-reduced-2")
        for name in ("README.txt", "wrong.json", "right.json", "x.npy", "y.right.npy"):
            self.assertTrue(os.path.exists(os.path.join(folder, name)), name)
        self.assertLess(len(pairs.read_npy(os.path.join(folder, "x.npy"))[1]), 500)
        source = "".join(pathlib.Path(folder, n).read_text("utf-8") for n in os.listdir(folder) if n.endswith(".hlsl"))
        if self.cells(side="rem.hlsl", compiler="dxc"):
            self.assertNotIn("unused", source)
            self.assertIn("+ % = OpSMod", pathlib.Path(folder, "README.txt").read_text("utf-8"))
        self.pair(f"{folder}/wrong.json --backend cpu", 1)
        self.pair(f"{folder}/right.json --backend cpu")

    def copy_port(self, name):
        """Both sides of a wrong port; the shader is wrong."""
        for ending, wrong in (("cu", ""), ("hlsl", "#define WRONG\n")):
            with open(os.path.join(pairs.ROOT, "tests", "wrong_ports", f"{name}.{ending}"), encoding="utf-8") as file:
                self.write(f"port.{ending}", wrong + file.read())

    def test_wave(self):
        """A port that takes waves of 32 for granted."""
        self.copy_port("3_wave_index")
        out, _ = self.suspects("port.cu port.hlsl --entry port=main --in input:uint32:n --out output:uint32:n/128 -n 1024 "
                             "--group 16x8 --groups n/128", 1)
        self.assertRegex(out.replace("\n", " "), r"port\.hlsl: wrong only in waves of [0-9, and]+;")
        self.assertIn("the source depends on the size of waves", out)
        self.assertTrue(all(c["result"] == "right" for c in self.cells(side="port.hlsl", wave="32")))

    def test_source(self):
        """A shift by 32: wrong with each compiler and on each driver."""
        self.copy_port("16_shift")
        out, _ = self.suspects("port.cu port.hlsl --entry port=main --in input:uint32:n --out output:uint32:n -n 256 "
                             "--groups n/64", 1)
        self.assertRegex(out, r"port\.hlsl: wrong in each of \d+ ways")
        self.assertIn("SPIR-V leaves a shift by the width of the word or more undefined", out)
        self.assertIn("--reference shows which of the two", out.replace("\n  ", " "))

    def put_tool(self, name, *breaking):
        self.write(f"tools/{name}", BREAKS % (breaking, shutil.which(name)))
        os.chmod(self.path(f"tools/{name}"), stat.S_IRWXU)

    def test_pass(self):
        """A compiler whose optimizer breaks a module: the pass is found, or it is said why not."""
        self.write("sum.comp", SUM)
        self.write("y.npy", pairs.npy([2] * 64, "<i4"))
        os.mkdir(self.path("tools"))
        self.put_tool("glslc", "-O", "-Os")
        words = "sum.comp --in x:int32:64:constant(1) --out y:int32:64 --groups 1 -n 64 --reference y=y.npy --backend vulkan"
        env = {**os.environ, "PATH": self.path("tools")}
        out, _ = self.suspects(words, 1, env=env)
        self.assertIn("wrong only with optimization: speed and size; it makes", out.replace("\n", " "))
        self.assertIn("passes of the optimizer: install spirv-opt to find the pass", out)
        if not shutil.which("spirv-opt"):
            return
        self.put_tool("spirv-opt", "--none")
        out, _ = self.suspects(words, 1, env=env)
        self.assertIn("stays right through the 3 passes of spirv-opt -O:", out)
        self.put_tool("spirv-opt", "--ccp")
        out, _ = self.suspects(words, 1, env=env)
        self.assertIn("wrong only with optimization: speed and size, from the pass --ccp of spirv-opt on", out)
        self.assertEqual({c["result"]: c.get("pass") for c in self.cells(optimization="off")}, {"right": None})
        self.assertEqual([c["pass"] for c in self.cells() if "pass" in c], ["--ccp"])

    def test_drivers(self):
        """Each driver that the loader finds is a level, with its own size of waves."""
        found = glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json") + glob.glob("/usr/lib*/chromium*/vk_swiftshader_icd.json")
        if len(found) < 2:
            self.skipTest("needs lavapipe and SwiftShader")
        self.write("sum.comp", SUM)
        self.write("y.npy", pairs.npy([2] * 64, "<i4"))
        self.suspects("sum.comp --in x:int32:64:constant(1) --out y:int32:64 --groups 1 -n 64 --reference y=y.npy "
                      "--backend vulkan", 0, env={**os.environ, "VK_DRIVER_FILES": ":".join(found)})
        for name in ("llvmpipe", "SwiftShader"):
            self.assertEqual({c["result"] for c in self.cells(driver=name)}, {"right"})

    def test_crash(self):
        """A kernel that ends its process fails its cell; the others run."""
        self.write("crash.cu", CRASH)
        self.write("crash.hlsl", """RWStructuredBuffer<int> y : register(u0);
[numthreads(64, 1, 1)] void crash(uint3 id : SV_DispatchThreadID) { y[id.x] = 1; }""")
        out, _ = self.suspects("crash.cu crash.hlsl --out y:int32:64 --group 64 --groups 1 -n 64", 1)
        self.assertEqual({c["result"] for c in self.cells(side="crash.cu")}, {"crashed"})
        self.assertEqual({c["result"] for c in self.cells(side="crash.hlsl", driver="CPU")}, {"right"})
        self.assertIn("the result of crash.hlsl counts as right", out)

    def test_nothing(self):
        """Without a compiler, or with a broken manifest, it says so."""
        self.write("rem.hlsl", REMAINDER_HLSL)
        self.write("x.npy", pairs.npy([1] * 500, "<i4"))
        _, err = self.suspects(f"rem.hlsl {WORDS} --reference y=x.npy", 3, env={**os.environ, "PATH": self.path("none")})
        self.assertRegex(err, "install one of|none of the sources can run")
        self.write("m.json", '{"Name": "m", "Sides": [{"Source": "rem.hlsl", "Compiler": "glslc=/bin/sh"}], "Buffers": []}')
        _, err = self.run_to_end("pair --suspects m.json", 2)
        self.assertIn("a manifest must not name a compiler's file", err)
        _, err = self.run_to_end(f"pair rem.hlsl {WORDS} --unchecked --compiler glslc={self.path('none')}", 2)
        self.assertIn("is not a program", err)
        self.write("m.json", '{"Name": "m", "Sides": [')
        self.run_to_end("pair --suspects m.json", 2)


if __name__ == "__main__":
    results.main()
