"""isa.py XBENCH SOURCE: `xbench isa`, and what `xbench diff` says of two of its files. RADV compiles for GPUs of AMD without one."""

import glob
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from jsonschema import Draft202012Validator

import patience

XBENCH, SOURCE = (os.path.abspath(path) for path in sys.argv[1:3])
NVCC = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
RADV = sorted(glob.glob("/usr/share/vulkan/icd.d/radeon_icd*.json"))
if not RADV:
    print("skipped: RADV was not found: install it (Debian: mesa-vulkan-drivers)")
    sys.exit(77)


class Isa(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="xbench-isa-")
        self.addCleanup(shutil.rmtree, self.folder)

    def run_to_end(self, *arguments, code=0, before="", **environment):
        command = [XBENCH, *arguments] if not before else ["sh", "-c", f'{before}; exec "$@"', "sh", XBENCH, *arguments]
        run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=patience.S, check=False,
                             env={**os.environ, **environment})
        self.assertEqual(run.returncode, code, f"{arguments}\n{run.stdout}{run.stderr}")
        return run.stdout + run.stderr

    def rows(self, *arguments, **rest):
        path = os.path.join(self.folder, "rows.json")
        self.run_to_end("isa", "--json", path, *arguments, **rest)
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        with open(os.path.join(SOURCE, "docs/isa.schema.json"), encoding="utf-8") as file:
            Draft202012Validator(json.load(file)).validate(document)
        return document["rows"]

    cuda = None

    def has_cuda(self):
        if Isa.cuda is None:
            Isa.cuda = "sm_90" in self.run_to_end("isa", "--for", "none", code=2)
        return Isa.cuda

    def test_amd(self):
        rows = self.rows("--for", "gfx900,navi21,gfx1100", "--dtype", "float32", "--block", "256", "reduce/3")
        self.assertEqual([row["for"] for row in rows], ["gfx900", "gfx1030", "gfx1100"])
        for row in rows:
            self.assertEqual((row["kernel"], row["group"], row["spilled_registers"]), ("reduce/3_sequential", 256, 0))
            self.assertEqual(row["shared_bytes"], 256 * 4)  # what the kernel declares
            self.assertEqual(row["wave"], 64)
            for key in ("registers", "scalar_registers", "code_bytes", "instructions", "waves_per_simd"):
                self.assertGreater(row[key], 0)
        self.assertLess(rows[0]["waves_per_simd"], rows[2]["waves_per_simd"])  # GFX9 has 10 at most

    def test_waves(self):
        """A SIMD has room for 10 waves before RDNA (gfx90a: 8), for 20 in RDNA 1, and for 16 after, of 64 lanes as of 32; RADV counts one of 64 twice."""
        rows = self.rows("--for", "gfx900,gfx90a,gfx1010,gfx1030,gfx1100", "--block", "128", "--dtype", "float32", "reduce/3")
        self.assertEqual([(row["wave"], row["waves_per_simd"]) for row in rows], [(64, 10), (64, 8), (64, 20), (64, 16), (64, 16)])
        small = self.rows("--for", "gfx1030", "--block", "32", "divergence", "groups")
        self.assertEqual({row["waves_per_simd"] for row in small if row["registers"] <= 64}, {16})

    def pair_of(self, name, side, **more):
        """saxpy of the examples, with one side replaced."""
        with open(os.path.join(SOURCE, "examples/pairs/saxpy/saxpy.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        manifest["Sides"] = [{"Source": os.path.join(SOURCE, "examples/pairs/saxpy/saxpy.cu")}, {"Source": side}]
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            json.dump({**manifest, **more}, file)

    def test_refused(self):
        """A side that its compiler refuses is a row, and the other keeps its own; where nothing else was asked for, the run fails."""
        with open(os.path.join(self.folder, "bad.hlsl"), "w", encoding="utf-8") as file:
            file.write("broken !\n")
        self.pair_of("good.json", os.path.join(SOURCE, "examples/pairs/saxpy/saxpy.hlsl"))
        self.pair_of("bad.json", "bad.hlsl")
        self.assertRegex(self.run_to_end("isa", "--for", "gfx1100", "--json", "new.isa.json", "bad.json", "--trust-paths", code=2),
                         r"gfx1100 vulkan bad\.hlsl: .*\n.*, 1 refused, 0 need(?s:.*)isa: nothing was compiled: 1 refused")
        self.run_to_end("isa", "--for", "gfx1100", "--json", "base.isa.json", "good.json", "--trust-paths")
        said = self.run_to_end("diff", "base.isa.json", "new.isa.json", code=5)
        self.assertRegex(said, r"worse +saxpy/1_saxpy \(saxpy\) float32, groups of 256 for gfx1100: is refused: bad\.hlsl: ")
        self.assertNotIn("is not in the new file", said)
        if self.has_cuda():
            rows = self.rows("--for", "gfx1100,sm_90", "bad.json", "--trust-paths")
            self.assertEqual([(row["for"], row["kernel"], "error" in row) for row in rows],
                             [("gfx1100", "saxpy/1_saxpy", True), ("sm_90", "saxpy/1_saxpy", False)])

    def test_lacks(self):
        """What the architecture cannot do is not what a compiler refused."""
        with open(os.path.join(self.folder, "doubles.comp"), "w", encoding="utf-8") as file:
            file.write("#version 450\n#extension GL_EXT_shader_atomic_float : require\nlayout(local_size_x = 256) in;\n"
                       "layout(binding = 0) buffer X { double x[]; };\nvoid main() { atomicAdd(x[0], 1.0lf); }\n")
        self.pair_of("doubles.json", "doubles.comp", Buffers=[{"Name": "x", "Access": "inout", "Format": "float64", "Length": "n"}], Results=[],
                     Sides=[{"Source": "doubles.comp"}],
                     Shaders=[{"Entry": "main", "GroupSize": [256], "DispatchGroupCount": ["1"]}])
        said = self.run_to_end("isa", "--for", "gfx900", "--json", "doubles.isa.json", "doubles.json", code=3)
        self.assertIn(", 0 refused, 1 need a feature that the architecture lacks\n", said)
        with open(os.path.join(self.folder, "doubles.isa.json"), encoding="utf-8") as file:
            self.assertTrue(json.load(file)["rows"][0]["lacks"])
        self.run_to_end("report", "doubles.isa.json", "-o", "page.html")
        with open(os.path.join(self.folder, "page.html"), encoding="utf-8") as file:
            self.assertIn("0 refused, 1 need a feature that the architecture lacks", file.read())

    def test_kinds(self):
        """The instructions of a pair's sides, counted by kind: of y = a x + y two loads, a store and a fused product and sum."""
        out = self.run_to_end("isa", "--for", "gfx1100,gfx900", "--text", os.path.join(SOURCE, "examples/pairs/saxpy/saxpy.json"))
        self.assertRegex(out, r"\n  instructions +gfx1100 vulkan +gfx900 vulkan *\n")
        for kind, counts in (("loads", "2 +2"), ("stores", "1 +1"), ("floats", "1 +1")):
            self.assertRegex(out, rf"\n  {kind} +{counts}\n")
        manifest = os.path.join(SOURCE, "examples/pairs/saxpy/saxpy.json")
        path = os.path.join(self.folder, "why.json")
        self.assertEqual(self.run_to_end("pair", manifest, "--text", "--for", "gfx1100,gfx900", "--json", path), out)
        self.run_to_end("report", path, "-o", "page.html")
        with open(os.path.join(self.folder, "page.html"), encoding="utf-8") as file:
            page = file.read()
        for text in ("<h2>Machine code</h2>", "  instructions      gfx1100 vulkan     gfx900 vulkan\n", "<details><summary>gfx1100 vulkan</summary>",
                     "\ts_endpgm"):
            self.assertIn(text, page)

    def test_images(self):
        """A store to an image is none of the loads."""
        out = self.run_to_end("isa", "--for", "gfx1100", "--text", os.path.join(SOURCE, "examples/pairs/sobel/sobel.json"))
        self.assertRegex(out, r"\n  loads +8\n  stores +1\n")

    def test_smaller_waves(self):
        """A kernel in groups of 32 that asks for full waves has waves of 32, where the GPU's own are of 64."""
        waves = {row["wave"] for row in self.rows("--for", "gfx1100", "--block", "32", "cipher", "divergence", "groups", "banks")}
        self.assertTrue(waves & {32, 64} and waves <= {32, 64}, waves)

    def test_nvidia(self):
        if not self.has_cuda():
            self.skipTest("this build has no machine code for sm_90")
        row, = self.rows("--for", "sm_90", "--dtype", "float32", "--block", "256", "reduce/3")
        self.assertEqual((row["api"], row["wave"], row["spill_bytes"], row["groups"]), ("cuda", 32, 0, 8))
        self.assertGreaterEqual(row["shared_bytes"], 256 * 4)
        self.assertGreater(row["code_bytes"], 16 * row["instructions"] - 1)

    def test_nvidia_without_code(self):
        """The build has no machine code for each capability: it is compiled from the source that the program carries."""
        if not self.has_cuda() or not NVCC:
            self.skipTest("needs a build with CUDA, and nvcc")
        rows = self.rows("--for", "sm_75,sm_86", "--dtype", "float32", "--block", "256", "reduce/3")
        self.assertEqual([(row["for"], row["spill_bytes"]) for row in rows], [("sm_75", 0), ("sm_86", 0)])
        self.assertEqual([row["groups"] for row in rows], [4, 6])  # 1024 and 1536 threads a multiprocessor

    def test_listing(self):
        """A nvdisasm that prints one mark, as the real one does: the line of the source stands in its place."""
        if not self.has_cuda():
            self.skipTest("this build has no machine code for sm_90")
        tool = os.path.join(self.folder, "nvdisasm")
        with open(tool, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\nprintf \'.text.reduce_float32_256:\\n\\t//## File "/x/kernels/reduce/3_sequential.cu", line 1\\n'
                       '        /*0000*/ NOP ;\\n\'\n')
        os.chmod(tool, 0o755)
        said = self.run_to_end("isa", "--for", "sm_90", "--dtype", "float32", "--block", "256", "--text", "reduce/3",
                               PATH=f"{self.folder}:{os.environ['PATH']}")
        with open(os.path.join(SOURCE, "kernels/reduce/3_sequential.cu"), encoding="utf-8") as file:
            self.assertIn(f"3_sequential.cu:1: {file.readline().strip()}\n", said)
        self.assertRegex(said, r"\n +/\*0000\*/ NOP ;\n")

    def test_report(self):
        path = os.path.join(self.folder, "all.isa.json")
        self.run_to_end("isa", "--json", path, "--for", "gfx900,gfx1100", "--block", "256", "reduce/3")
        self.run_to_end("report", path, "-o", "page.html")
        with open(os.path.join(self.folder, "page.html"), encoding="utf-8") as file:
            page = file.read()
        for text in ("2 kernels: gfx900, gfx1100", "Registers of a thread, by architecture", "reduce/3_sequential float32, groups of 256",
                     "gfx900: 0 of 2 spill", "waves/SIMD"):
            self.assertIn(text, page)
        self.assertNotIn('id="method"', page)
        self.run_to_end("report", path, os.path.join(SOURCE, "tests/schemas/xbench-2.json"), "-o", "page.html", code=2)

    def test_text(self):
        self.assertIn("s_endpgm", self.run_to_end("isa", "--for", "gfx1100", "--block", "256", "--text", "copy/2"))

    def test_here(self):
        rows = self.rows("--for", "here", "--block", "256", "--dtype", "float32", "reduce/3")
        self.assertTrue(any(row["api"] == "vulkan" for row in rows), rows)

    def test_this_driver(self):
        """Without --for the driver of this machine is beside the compilers, or a line says why not."""
        out = self.run_to_end("isa", "--dtype", "float32", "--block", "256", "reduce/3")
        self.assertRegex(out, r"\n +this driver +vulkan|\nvulkan, this driver: not here: .+\n")
        out = self.run_to_end("isa", "--dtype", "float32", "--block", "256", "reduce/3", VK_DRIVER_FILES="/nonexistent")
        self.assertRegex(out, r"\nvulkan, this driver: not here: .+\n")

    def test_no_compiler(self):
        """Without the driver of AMD's no other API says that it compiles for these GPUs."""
        said = self.run_to_end("isa", "--for", "gfx900", "reduce/3", code=2, VK_DRIVER_FILES="/nonexistent/radeon_icd.json")
        self.assertIn("no compiler here knows 'gfx900'", said)

    def test_show(self):
        """The machine code of a variant in its usual groups, as isa prints it."""
        out = self.run_to_end("show", "--text", "reduce/3")
        self.assertRegex(out, r"reduce/3_sequential float32, groups of \d+ \(default\)")
        self.assertIn("s_endpgm", out)
        self.assertRegex(out, r"\n  instructions +gfx")
        self.assertNotIn("int32, groups", out)
        self.assertIn("--text: not with", self.run_to_end("show", "--text", "--host", "reduce/3", code=2))

    def test_loop(self):
        """A product of matrices has a loop with fused products and sums, which is counted apart."""
        out = self.run_to_end("isa", "--for", "gfx1100", "--text", "--dtype", "float32", "--block", "256", "matmul/3")
        whole, loop = out.split("\n  largest loop")
        fused = [int(re.search(r"of them FMA +(\d+)", part).group(1)) for part in (whole, loop)]
        self.assertTrue(0 < fused[1] <= fused[0], fused)

    def test_explain(self):
        """Each ratio beyond its margin has its line, and what is not known here is said."""
        path = os.path.join(self.folder, "run.json")
        with lzma.open(os.path.join(SOURCE, "bench/results/h200-2026-11-28/matvec_compare.json.xz")) as packed, open(path, "wb") as file:
            file.write(packed.read())
        with open(path, encoding="utf-8") as file:
            decided = [c for c in json.load(file)["comparisons"] if c["verdict"] in ("faster", "slower")]
        out = self.run_to_end("isa", "--explain", path, VK_DRIVER_FILES="/nonexistent")
        self.assertEqual(len(re.findall(r"matvec/.* takes [\d.]+ times as long as \w+ \(margin 1 %\)\n", out)), len(decided))
        self.assertEqual(out.count("  no code of vulkan: "), len(decided))
        self.assertNotIn("no visible difference", out)
        self.assertIn(f"\n{len(decided)} ratios beyond their margin, ", out)
        self.assertIn("compares none of the chosen kernels", self.run_to_end("isa", "--explain", path, "reduce/3", code=2))

    def test_code_changed(self):
        """A driver whose code differs with the same counts is found by the hash."""
        self.rows("--for", "gfx1100", "--dtype", "float32", "--block", "256", "reduce/3")
        with open(os.path.join(self.folder, "rows.json"), encoding="utf-8") as file:
            document = json.load(file)
        document["rows"][0]["code_hash"] = "fnv1a64:0"
        with open(os.path.join(self.folder, "other.json"), "w", encoding="utf-8") as file:
            json.dump(document, file)
        said = self.run_to_end("diff", "rows.json", "other.json")
        self.assertRegex(said, r"other +reduce/3_sequential .* for gfx1100: different code with the same counts\n")
        self.assertIn("the code of 1 of 1 kernels changed\n", said)
        self.assertIn("the code of 0 of 1 kernels changed\n", self.run_to_end("diff", "rows.json", "rows.json"))

    def test_unknown(self):
        said = self.run_to_end("isa", "--for", "gfx1", "reduce/3", code=2)
        Isa.cuda = "sm_90" in said
        self.assertEqual(said.count("\n"), 1)
        for word in ("'gfx1'", "gfx900", "gfx1100", "here"):
            self.assertIn(word, said)

    def test_never_a_device(self):
        """Neither listed, nor run on."""
        null = {"RADV_FORCE_FAMILY": "vega10", "VK_DRIVER_FILES": RADV[0]}
        said = self.run_to_end("list", "devices", "--backend", "vulkan", code=3, **null)
        self.assertNotIn("Null hardware", said)
        self.assertIn("RADV_FORCE_FAMILY is set", said)
        self.run_to_end("--backend", "vulkan", "-n", "1024", "reduce/3", code=3, **null)

    def test_dies(self):
        """The system ends a compiler after a second of its time: each kernel that it was at is a row, and the others are compiled. The last
        process passes by all kernels before its own, which takes a part of a second."""
        some = "--for", "gfx900", "matmul", "reduce", "scan", "transpose" # more than three seconds of it
        rows = self.rows(*some, before="ulimit -t 1", MESA_SHADER_CACHE_DISABLE="true") # else a second run compiles nothing
        died = [row for row in rows if "error" in row and "lacks" not in row]
        self.assertTrue(died)
        for row in died:
            self.assertIn("the compiler crashed (", row["error"])
        whole = self.rows(*some)
        self.assertEqual([row["kernel"] for row in rows], [row["kernel"] for row in whole])

    def test_planted_spill(self):
        for name, count in (("few", 16), ("many", 320)):
            with open(os.path.join(SOURCE, "tests/isa/spill.json"), encoding="utf-8") as file:
                text = file.read().replace("@COUNT@", str(count))
            shutil.copy(os.path.join(SOURCE, "tests/isa/spill.hlsl"), self.folder)
            with open(os.path.join(self.folder, "spill.json"), "w", encoding="utf-8") as file:
                file.write(text)
            self.run_to_end("isa", "--for", "gfx900", "--json", f"{name}.isa.json", "spill.json")
        said = self.run_to_end("diff", "few.isa.json", "many.isa.json", "--json", "diff.json", code=5)
        self.assertRegex(said, r"worse +spill/.* for gfx900: \d+ spilled registers, before 0")
        with open(os.path.join(self.folder, "many.isa.json"), encoding="utf-8") as file:
            row, = json.load(file)["rows"]
        self.assertLess(row["spill_bytes"], 4 * 320 + 16)  # of a thread, whose array has 320 words
        self.assertGreater(row["spill_bytes"], 0)
        with open(os.path.join(self.folder, "diff.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["schema"], "xbench-isa-diff/1")
        self.assertIn("better", self.run_to_end("diff", "many.isa.json", "few.isa.json"))
        for words in (("diff", "few.isa.json", "none.json"), ("report", "few.isa.json", "none.json", "-o", "p.html")):
            self.assertIn("none.json: cannot be opened", self.run_to_end(*words, code=2))

    def test_diff(self):
        rows = self.rows("--for", "gfx900", "--block", "256", "reduce/3")

        def write(name, changed, schema="xbench-isa/2"):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                json.dump({"schema": schema, "rows": changed}, file)

        write("base.json", rows)
        said = self.run_to_end("diff", "base.json", "base.json")
        self.assertIn(f"{len(rows)} the same", said)
        for change, code in (({"registers": rows[0]["registers"] + 1}, 5), ({"registers": rows[0]["registers"] - 1}, 0),
                             ({"waves_per_simd": rows[0]["waves_per_simd"] - 1}, 5), ({"code_bytes": 1}, 0),
                             ({"error": "refused"}, 5), ({"driver": "another"}, 2)):
            write("new.json", [{**rows[0], **change}, *rows[1:]])
            self.run_to_end("diff", "base.json", "new.json", code=code)
        self.run_to_end("diff", "--force", "base.json", "new.json")
        doubled = [{**row, "spill_bytes": row["spill_bytes"] * row["wave"]} for row in rows]
        write("old.json", doubled, "xbench-isa/1")
        self.assertIn(f"{len(rows)} the same", self.run_to_end("diff", "old.json", "base.json"))
        newer = {**rows[0], "for": "gfx1030", "waves_per_simd": 16, "spill_bytes": 8}
        write("base10.json", [newer])
        write("old10.json", [{**newer, "waves_per_simd": 32, "spill_bytes": 512}], "xbench-isa/1")
        self.assertIn("1 the same", self.run_to_end("diff", "old10.json", "base10.json"))
        write("new.json", rows[1:])
        self.assertIn("is not in the new file", self.run_to_end("diff", "base.json", "new.json", code=5))
        self.run_to_end("diff", "base.json", os.path.join(SOURCE, "tests/schemas/xbench-2.json"), code=2)


unittest.main(argv=sys.argv[:1])
