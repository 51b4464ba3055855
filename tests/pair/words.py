"""words.py XBENCH SCHEMA ROOT: a pair by the command line alone, and what the other commands make of its results."""

import csv
import os
import re
import shutil
import subprocess
import unittest

import pairs
import results

SAXPY = "--entry saxpy --in x:float32:n --inout y:float32:n --arg n --arg a=0.5f --group 64"


class Words(pairs.Case):
    def setUp(self):
        super().setUp()
        self.write("a.hlsl", pairs.saxpy())
        self.write("b.hlsl", pairs.saxpy("y[i] += x[i] * args.a;"))

    def test_two_sides(self):
        """As in the manual: two sides, several sizes; table, JSON, CSV, diff, report."""
        out, _ = self.pair(f"a.hlsl b.hlsl {SAXPY} --groups n/64 -n 2^10..2^12 --json r.json --csv r.csv")
        self.assertIn("2_b vulkan / 1_a vulkan", out)
        cells = self.own("r.json")
        self.assertEqual([r["variant"] for r in cells], ["2_b", "1_a"] * 3)
        self.assertEqual({(r["outcome"], r["verified"]) for r in cells}, {("ok", True)})
        self.assertEqual(cells[0]["bytes"], 3 * 4 * 1024)
        self.assertEqual(len(self.load("r.json")["comparisons"]), 3)
        with open(self.path("r.csv"), encoding="utf-8", newline="") as file:
            self.assertEqual({row["benchmark"] for row in csv.DictReader(file)} & {"a"}, {"a"})
        self.run_to_end("diff r.json r.json")
        self.run_to_end("report r.json -o r.html")

    def test_saved_in_place_of_a_file(self):
        """An array replaces what a link names, with its mode, whatever an earlier process has left beside it."""
        run = f"a.hlsl {SAXPY} -n 100 --unchecked --save y=y.npy"
        os.mkdir(self.path("there"))
        self.write("there/y.npy", "before")
        self.write("y.npy.part", "of another process")
        os.chmod(self.path("there/y.npy"), 0o640)
        os.symlink("there/y.npy", self.path("y.npy"))
        self.pair(run)
        self.assertEqual(len(pairs.read_npy(self.path("y.npy"))[1]), 100)
        self.assertTrue(os.path.islink(self.path("y.npy")))
        self.assertEqual(os.stat(self.path("y.npy")).st_mode & 0o777, 0o640)
        self.assertEqual(os.listdir(self.path("there")), ["y.npy"])
        with open(self.path("y.npy.part"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "of another process")

    @unittest.skipUnless(results.can_mount(), "may not mount")
    def test_saved_on_a_full_disk(self):
        """Every file that a pair writes: the old one stays, and one line says why."""
        for words, name in (("--save y=full/y.npy", "y.npy"), ("--dump-outputs full", "y.a.hlsl.100000.npy"), ("--json full/r.json", "r.json")):
            command = (f"mkdir -p full; mount -t tmpfs -o size=8k none full; printf '<old>' >full/{name}; cat /dev/zero >full/fill 2>/dev/null; "
                       f"{pairs.results.XBENCH} pair {pairs.QUICK} a.hlsl {SAXPY} -n 100000 --unchecked {words}; code=$?; rm -f full/fill; "
                       f"ls full; cat full/{name}; umount full; exit $code")
            done = subprocess.run([*results.MOUNTS, command], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, done)
            self.assertTrue(done.stdout.endswith(f"{name}\n<old>"), done.stdout[-200:])
            lines = [line for line in done.stderr.splitlines() if f"full/{name}" in line]
            self.assertEqual(len(lines), 1, done.stderr)
            self.assertIn("cannot be written: No space left on device", lines[0])

    def test_no_formula(self):
        """A spreadsheet would compute a title that begins with '='."""
        self.write("=b.hlsl", pairs.saxpy("y[i] += x[i] * args.a;"))
        out, _ = self.pair(f"a.hlsl =b.hlsl {SAXPY} --groups n/64 -n 2^10 --format csv")
        self.assertIn(",\"'=b.hlsl", out)

    def test_defaults(self):
        """What the code says may be left out: element types, group size, the size argument."""
        self.pair("a.hlsl b.hlsl --entry saxpy --in x --inout y --arg a=0.5 -n 1001 --json r.json")
        self.assertEqual(self.own("r.json")[0]["block"], 64)

    def test_one_side(self):
        """Only with a reference, or marked in every output."""
        _, err = self.pair(f"a.hlsl {SAXPY} -n 100", 3)
        self.assertIn("only a.hlsl can run, and nothing checks its results: give --reference or --unchecked", err)
        out, _ = self.pair(f"a.hlsl {SAXPY} -n 100 --unchecked --json r.json --csv r.csv --dump-outputs dump")
        self.assertIn("not checked", out)
        self.assertEqual([(r["variant"], r["title"], r["verified"]) for r in self.own("r.json")],
                         [("1_a_not_checked", "not checked (glslc)", None)])
        for form in ("csv", "markdown", "gbench"):
            self.assertRegex(self.pair(f"a.hlsl {SAXPY} -n 100 --unchecked --format {form}")[0], "not.{1,2}checked", form)
        kind, x = pairs.read_npy(self.path("dump/x.input.100.npy"))
        kind, y = pairs.read_npy(self.path("dump/y.input.100.npy"))
        _, result = pairs.read_npy(self.path("dump/y.a.hlsl.100.npy"))
        self.assertEqual(kind, "<f4")
        for before, factor, after in zip(y, x, result):
            self.assertAlmostEqual(before + 0.5 * factor, after, delta=1e-6)
        self.assertTrue(all(-1 <= value <= 1 for value in x) and len(set(x)) > 25 and 0 in x and 1 in x)

    def test_reference_file(self):
        """A file of inputs and one of expected values."""
        self.write("x.npy", pairs.npy([float(i) for i in range(100)]))
        self.write("right.npy", pairs.npy([0.5 * i + 3 for i in range(100)]))
        words = "a.hlsl --entry saxpy --in x:float32:n:x.npy --inout y:float32:n:constant(3) --arg a=0.5f -n 100"
        self.pair(f"{words} --reference right.npy --json r.json")
        self.assertEqual([r["verified"] for r in self.own("r.json")], [True])
        self.pair(f"a.hlsl {SAXPY} -n 100 --unchecked --seed 7 --dump-outputs dump")
        self.pair(f"b.hlsl {SAXPY} -n 100 --seed 7 --reference dump/y.a.hlsl.100.npy --json r.json")
        self.assertEqual([r["verified"] for r in self.own("r.json")], [True])
        self.pair(f"b.hlsl {SAXPY} -n 100 --seed 8 --reference dump/y.a.hlsl.100.npy", 1)
        self.write("wrong.npy", pairs.npy([0.5 * i + 3 + (i == 17) for i in range(100)]))
        out, _ = self.pair(f"{words} --reference y=wrong.npy", 1)
        self.assertIn("y[17] is 11.5, the file has 12.5", out)
        _, err = self.pair(f"b.hlsl {words} --reference x.hlsl", 2)
        self.assertIn("expected the name of a side", err)

    def test_tolerance(self):
        self.write("b.hlsl", pairs.saxpy("y[i] += x[i] * args.a * 1.0001f;"))
        self.pair(f"a.hlsl b.hlsl {SAXPY} -n 100", 1)
        self.pair(f"a.hlsl b.hlsl {SAXPY} -n 100 --tolerance 1e-3")
        self.pair(f"a.hlsl b.hlsl {SAXPY} -n 100 --tolerance y=1000000ulp")
        self.pair(f"a.hlsl a.hlsl {SAXPY} -n 100 --tolerance exact", 0)

    def test_loose_tolerance(self):
        """A tolerance that proves little is a remark of each row; where all share it, the table says it once."""
        for tolerance, message in (("1e308", "loose tolerance: zeros would pass for y"),
                                   ("2", "loose tolerance: zeros would pass for y"),
                                   ("18446744073709551615ulp", "loose tolerance: zeros would pass for y"),
                                   ("8388608ulp", "loose tolerance: twice the values would pass for y"),
                                   ("1e-3", None), ("4ulp", None), ("exact", None)):
            out, _ = self.pair(f"a.hlsl a.hlsl {SAXPY} -n 100 --tolerance {tolerance} --json r.json --csv r.csv")
            self.assertEqual({r.get("remark") for r in self.own("r.json")}, {message}, tolerance)
            self.assertEqual(len(re.findall("(?m)^all rows: .*loose tolerance", out)), bool(message), out)
            with open(self.path("r.csv"), encoding="utf-8", newline="") as file:
                reasons = [row["reason"] for row in csv.DictReader(file) if row["benchmark"] == "a"]
            self.assertEqual(set(reasons), {message or ""}, tolerance)
            self.run_to_end("report r.json -o r.html")
            with open(self.path("r.html"), encoding="utf-8") as file:
                self.assertEqual("loose tolerance" in file.read(), message is not None, tolerance)

    def test_registers(self):
        """Direct3D's registers, a cbuffer, and the lengths of buffers: nothing has to be changed."""
        self.write("d3d.hlsl", """cbuffer Arguments : register(b0) { uint n; float a; };
StructuredBuffer<float> x : register(t0);
RWStructuredBuffer<float> y : register(u0);
[numthreads(64, 1, 1)] void saxpy(uint3 id : SV_DispatchThreadID)
{
  uint length, stride;
  y.GetDimensions(length, stride);
  if (id.x < length) y[id.x] += a * x[id.x];
}
""")
        for n in (1, 63, 1001):
            self.pair(f"a.hlsl d3d.hlsl --entry saxpy --in x --inout y --arg a=0.5 -n {n}")

    def test_loose_for_a_part(self):
        """Each number of an element is looked at, in the results of both sides."""
        for broken in ("v.comp w.comp", "w.comp v.comp"):
            for name, small in (("v.comp", "1e-4 * i"), ("w.comp", "0")):
                self.write(name, "#version 450\nlayout(local_size_x = 64) in;\nstruct P { float small, large; };\nlayout(binding = 0) "
                           "writeonly buffer Y { P y[]; };\nvoid main() { const uint i = gl_GlobalInvocationID.x; y[i].small = "
                           f"{small}; y[i].large = 7; }}\n")
            out, _ = self.pair(f"{broken} --out y:float32x2:n -n 128 --tolerance 0.1")
            self.assertIn("loose tolerance: zeros would pass for y[i][0]", out)

    def test_group_of_cuda(self):
        """HLSL says how many threads a group has, CUDA does not."""
        self.write("alone.cu", "__global__ void saxpy(int n, float a, const float *x, float *y) { y[threadIdx.x] += a * x[threadIdx.x]; }")
        _, err = self.run_to_end("pair alone.cu --backend cpu --inout y --arg a=2", 2, env={**os.environ, "XB_NO_EMULATION": ""})
        self.assertIn("the source does not set the group size: give --group, such as 256\n", err)

    def test_not_written(self):
        """The reason is said. No file can be made in /proc."""
        self.write("alone.cu", "__global__ void saxpy(float *y) { y[threadIdx.x] = 1; }")
        for words in (f"--init {self.path('a.hlsl')} --entry saxpy", f"--scaffold {self.path('alone.cu')}"):
            done = subprocess.run([results.XBENCH, "pair", *words.split()], cwd="/proc", capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, words)
            self.assertRegex(done.stderr, r"(a|alone)\.(json|hlsl): cannot be written: No such file or directory\n$")

    def test_init(self):
        out, _ = self.run_to_end("pair --init a.hlsl --entry saxpy")
        self.assertIn("a.json: written; 5 values that are marked with ?", out)
        _, err = self.run_to_end("pair a.json", 2)
        self.assertRegex(err, r"a.json:14: Buffers\[0\].Length: unknown value: fill it in")
        manifest = self.load("a.json")
        for buffer in manifest["Buffers"]:
            buffer["Length"] = "n"
        manifest["Buffers"][1]["Access"] = "inout"
        manifest["Shaders"][0]["Arguments"]["a"] = 0.5
        manifest["Shaders"][0]["DispatchGroupCount"] = ["ceil(n/64)"]
        manifest["Sides"].append({"Source": "b.hlsl"})
        self.write("a.json", results.json.dumps(manifest))
        self.pair("a.json -n 100")
        self.run_to_end("pair --init a.hlsl --entry saxpy", 2)

    def test_init_of_other_names(self):
        """The half that calls its only kernel otherwise says so in the manifest."""
        self.write("c.hlsl", pairs.saxpy().replace("saxpy", "axpy"))
        self.run_to_end("pair --init a.hlsl c.hlsl --entry saxpy --in x:float32:n --inout y:float32:n --arg n --arg a=0.5 --groups n/64")
        self.assertEqual([side.get("Entries") for side in self.load("a.json")["Sides"]], [None, {"saxpy": "axpy"}])
        self.pair("a.json -n 128")

    def test_cache(self):
        """Code is compiled once, and again when a file that it includes changes; a damaged cache does no harm."""
        self.write("value.h", "#define VALUE 1")
        self.write("c.hlsl", '#include "value.h"\n' + pairs.saxpy("y[i] = VALUE * args.a * x[i] + y[i];"))
        def cache():
            return [entry.path for entry in os.scandir(self.path("cache/xbench")) if entry.is_file()]  # not the headers
        how = {"env": {**os.environ, "XDG_CACHE_HOME": self.path("cache")}}
        words = f"a.hlsl c.hlsl {SAXPY} -n 100"
        self.pair(words, **how)
        self.assertEqual(len(cache()), 2)
        self.pair(words, **how)
        self.assertEqual(len(cache()), 2)
        self.write("value.h", "#define VALUE 2")
        self.pair(words, 1, **how)
        self.assertEqual(len(cache()), 3)
        for name in cache():
            with open(name, "r+b") as file:
                file.seek(100)
                file.write(b"damage")
        self.write("value.h", "#define VALUE 1")
        self.pair(words, **how)
        many = [self.start(f"pair {pairs.QUICK} {words}", env={**os.environ, "XDG_CACHE_HOME": self.path("other")})
                for _ in range(4)]
        self.assertEqual([process.communicate()[0] and process.returncode for process in many], [0] * 4)
        self.pair(words, env={**os.environ, "XDG_CACHE_HOME": "/proc/none", "HOME": "/proc/none"})

    def test_cache_of_one_file(self):
        """A shader that includes nothing is known by its text: no compiler is started for it again."""
        self.write("glslc", f'#!/bin/sh\necho "$@" >>"{self.path("log")}"\nexec "{shutil.which("glslc")}" "$@"\n')
        os.chmod(self.path("glslc"), 0o755)
        for body, runs in (("y[i] = 1;", 1), ("y[i] = 1;", 1), ("y[i] = 2;", 2)):
            self.write("a.hlsl", pairs.saxpy(body))
            self.pair(f"a.hlsl {SAXPY} -n 100 --unchecked --compiler glslc={self.path('glslc')}",
                      env={**os.environ, "XDG_CACHE_HOME": self.path("cache")})
            with open(self.path("log"), encoding="utf-8") as log:
                self.assertEqual(len(re.findall(r"(?m) a\.hlsl$", log.read())), runs)

    def test_cache_and_headers(self):
        """A changed header compiles again, however it is included."""
        how = {"env": {**os.environ, "XDG_CACHE_HOME": self.path("cache")}}
        os.mkdir(self.path("inc"))
        many = "".join(f'#include "h{i}.h"\n' for i in range(70))
        for i in range(70):
            self.write(f"h{i}.h", "")
        for include, flags, header in (
                ('#include "value.h"', "--flag -I --flag inc", "inc/value.h"),
                ("#include <value.h>", "--flag -Iinc", "inc/value.h"),
                ('#\\\ninclude "value.h"', "", "value.h"),
                ('/* a comment */ #include "value.h"', "", "value.h"),
                ('#define A\r#include "value.h"', "", "value.h"),
                (many + '#include "value.h"', "", "value.h")):
            with self.subTest(include[-40:]):
                self.write("c.hlsl", (include + "\n" + pairs.saxpy("y[i] = VALUE * args.a * x[i] + y[i];")).encode())
                for value, exit_code in ((1, 0), (2, 1)):
                    self.write(header, f"#define VALUE {value}")
                    self.pair(f"a.hlsl c.hlsl {SAXPY} {flags} -n 100", exit_code, **how)
                os.remove(self.path(header))

    def test_show(self):
        """Files side by side, with tabs and control characters made harmless."""
        self.write("a.cu", "__global__ void saxpy(int n)\n{\n\tint i = 1; // \x1b[31m\n}\n")
        out, _ = self.run_to_end("show a.hlsl a.cu --columns 2")
        self.assertRegex(out, r"a.cu +a.hlsl\n")
        self.assertIn("    int i = 1; // ?[31m", out)
        self.run_to_end("show a.hlsl b.hlsl")
        self.run_to_end("show a.comp a.hlsl", 2)
        self.run_to_end("show a.cu a.hlsl b.hlsl", 2)
        self.run_to_end("show --host a.cu", 2)

    def test_code(self):
        """SPIR-V that was compiled before; without names, buffers and arguments are found by their order."""
        subprocess.run(["glslc", "-x", "hlsl", "-fshader-stage=compute", "--target-env=vulkan1.1", "-O",
                        "-fentry-point=saxpy", "a.hlsl", "-o", "a.spv"], cwd=self.folder, check=True)
        self.pair(f"a.spv b.hlsl {SAXPY} -n 100 --json r.json")
        self.assertEqual([r["variant"] for r in self.own("r.json")], ["2_b", "1_a"])

    def test_types(self):
        """Numbers of 8 and of 1 bytes; the last word of an odd number of bytes is filled up."""
        for kind, body, words in (
                ("double", "y[i] = 2 * x[i] + 1;", "--in x:float64:n --out y:float64:n"),
                ("uint", "y[i] = x[i] ^ 0x01020304;", "--in x:uint8:4*n-1 --out y:uint8:4*n-1"),
                ("uint", "y[i] = x[i] + 3;", "--in x:uint32 --out y:uint32"),
                ("uint", "y[i] = x[i] >> 1;", "--in x:uint16:2*n:constant(6) --out y:uint16:2*n")):
            self.write("a.hlsl", pairs.saxpy(body).replace("<float>", f"<{kind}>"))
            self.write("b.hlsl", pairs.saxpy(body + " /* again */").replace("<float>", f"<{kind}>"))
            self.pair(f"a.hlsl b.hlsl --entry saxpy {words} --arg a=0 -n 1001 --json r.json")
            kinds = {(r["dtype"], r["verified"]) for r in self.own("r.json")}
            self.assertEqual(kinds, {(words.split("--out y:")[1].split(":")[0], True)})
            self.run_to_end("diff r.json r.json")

    def test_constants(self):
        """Specialization constants, a wave size, several kernels and dispatches, macros, a permutation."""
        self.write("scatter.hlsl", """[[vk::constant_id(3)]] const int FACTOR = 1;
struct Arguments { uint n; };
[[vk::push_constant]] ConstantBuffer<Arguments> args;
[[vk::binding(0, 1)]] StructuredBuffer<uint> places;
[[vk::binding(7, 0)]] RWStructuredBuffer<int> sums;
[numthreads(64, 1, 1)] void clear(uint3 id : SV_DispatchThreadID) { if (id.x < args.n) sums[id.x] = MINUS; }
[numthreads(64, 1, 1)] void add(uint3 id : SV_DispatchThreadID)
{
  if (id.x < args.n) sums[places[id.x]] += FACTOR * int(id.x);
}
""")
        self.write("reference.c", """#include <stdint.h>
typedef struct { const char *name; void *data; uint64_t length; } buffer;
int f(uint64_t n, uint64_t rows, uint64_t columns, const buffer *b, uint32_t count)
{
  const uint32_t *places = b[0].data;
  int32_t *sums = b[1].data;
  for (uint64_t i = 0; i < n; i++) sums[places[i]] = 10 * (int32_t)i - 5;
  return 0;
}
""")
        subprocess.run(["cc", "-shared", "-fPIC", "reference.c", "-o", "libf.so"], cwd=self.folder, check=True)
        kernel = {"GroupSize": [64], "DispatchGroupCount": ["ceil(n/64)"]}
        self.write("m.json", results.json.dumps({
            "Name": "scatter", "Sides": [{"Source": "scatter.hlsl", "Flags": ["-DMINUS=-5"]}], "Size": 1000,
            "Buffers": [{"Name": "places", "Access": "in", "Format": "uint32", "Length": "n", "Fill": "permutation"},
                        {"Name": "sums", "Access": "out", "Format": "int32", "Length": "n"}],
            "Shaders": [{**kernel, "Entry": "clear", "Buffers": ["sums"], "Arguments": {"n": "n"}},
                        {**kernel, "Entry": "add", "Arguments": {"n": "n"}, "WaveSize": 8,
                         "SpecializationConstants": {"3": 5}}],
            "Dispatches": ["clear", "Barrier", "add", "Barrier", "add"], "Reference": "libf.so:f"}))
        self.pair("m.json --json r.json")
        self.assertEqual([(r["outcome"], r["dtype"], r["subgroup_size"]) for r in self.own("r.json")], [("ok", "int32", 8)])
        self.pair("m.json -n 999")

    def test_flags_of_one_side(self):
        """A flag with an extension is for sources of that kind."""
        self.write("a.comp", """#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform Arguments { uint n; float a; };
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer Y { float y[]; };
void main() { if (gl_GlobalInvocationID.x < n) y[gl_GlobalInvocationID.x] += FACTOR * a * x[gl_GlobalInvocationID.x]; }
""")
        self.write("b.hlsl", pairs.saxpy("y[i] = args.a * x[i] + y[i];\n#ifdef FACTOR\n#error\n#endif\n"))
        words = f"a.comp b.hlsl {SAXPY} -n 100"
        self.pair(f"{words} --flag comp:-DFACTOR=1 --flag -DMORE=1")
        self.pair(f"{words} --flag comp:-DFACTOR=2", 1)
        self.pair(f"{words} --flag -DFACTOR=1", 2)
        _, err = self.pair(f"{words} --flag cu:-DFACTOR=1", 2)
        self.assertEqual(err, "xbench: --flag: 'cu:-DFACTOR=1': no source has this extension\n")

    def test_group_size_is_a_constant(self):
        """GLSL's local_size_x_id: the value comes from the manifest; a default counts unless it is none."""
        source = """#version 450
layout(SIZE) in;
layout(push_constant) uniform Arguments { uint n; float a; };
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer Y { float y[]; };
void main() { if (gl_GlobalInvocationID.x < n) y[gl_GlobalInvocationID.x] += a * x[gl_GlobalInvocationID.x]; }
"""
        manifest = {"Name": "id", "Sides": ["id.comp", "id.comp"], "Size": 1000,
                    "Buffers": [{"Name": "x", "Access": "in", "Length": "n", "Format": "float32"},
                                {"Name": "y", "Access": "inout", "Length": "n", "Format": "float32"}],
                    "Shaders": [{"DispatchGroupCount": ["ceil(n/64)"], "Arguments": {"n": "n", "a": 0.5}}]}
        self.write("id.comp", source.replace("SIZE", "local_size_x_id = 3"))
        self.write("m.json", results.json.dumps(manifest))
        words = "--in x:float32:n --inout y:float32:n --arg n --arg a=0.5f -n 100"
        for arguments in ("m.json", f"id.comp id.comp {words}", f"id.comp id.comp {words} --group 64"):
            _, err = self.pair(arguments, 2)
            self.assertIn('id.comp: the group size is specialization constant 3: give its value in a manifest, as in '
                          '"SpecializationConstants": {"3": 64}', err)
            self.assertEqual(len(err.splitlines()), 1, err)
        self.write("k.cu", "__global__ void k(unsigned n, float a, const float *x, float *y)\n{\n  const unsigned i = blockIdx.x * blockDim.x + "
                   "threadIdx.x;\n  if (i < n)\n    y[i] += a * x[i];\n}\n")
        self.run_to_end("pair --init k.cu id.comp --entry k")
        made = self.load("k.json")
        self.assertEqual(made["Sides"], [{"Source": "k.cu", "GroupSize": ["?"]}, {"Source": "id.comp", "SpecializationConstants": {"3": "?"}}])
        self.assertNotIn("GroupSize", made["Shaders"][0])
        _, err = self.pair("k.json", 2)
        self.assertIn("SpecializationConstants", err)
        self.write("id.comp", source.replace("SIZE", "local_size_x_id = 3, local_size_y = 4"))
        _, err = self.pair("m.json", 2)
        self.assertIn("id.comp: the group size is specialization constant 3", err)
        self.write("id.comp", source.replace("SIZE", "local_size_x_id = 3"))
        manifest["Shaders"][0]["SpecializationConstants"] = {"3": 64}
        self.write("m.json", results.json.dumps(manifest))
        self.pair("m.json --json r.json")
        self.assertEqual({r["block"] for r in self.own("r.json")}, {64})
        self.write("id.comp", source.replace("SIZE", "local_size_x = 64, local_size_x_id = 3"))
        self.pair(f"id.comp id.comp {words} --json r.json")
        self.assertEqual({r["block"] for r in self.own("r.json")}, {64})
        subprocess.run(["glslc", "-fshader-stage=compute", "--target-env=vulkan1.3", "-g", "id.comp", "-o", "id.spv"],
                       cwd=self.folder, check=True)
        self.pair(f"id.spv id.comp {words} --entry main --json r.json")
        self.assertEqual({r["block"] for r in self.own("r.json")}, {64})

    def test_group_size_is_an_expression(self):
        """A constant times two, as other compilers write it."""
        self.write("id.comp", """#version 450
layout(local_size_x = 32, local_size_x_id = 3) in;
layout(push_constant) uniform Arguments { uint n; float a; };
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer Y { float y[]; };
void main() { if (gl_GlobalInvocationID.x < n) y[gl_GlobalInvocationID.x] += a * x[gl_GlobalInvocationID.x]; }
""")
        if not shutil.which("spirv-as"):
            self.skipTest("no spirv-as")
        subprocess.run(["glslc", "--target-env=vulkan1.1", "-g", "id.comp", "-o", "plain.spv"], cwd=self.folder, check=True)
        text = subprocess.run(["spirv-dis", "--raw-id", "plain.spv"], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        size = re.search(r"(%\d+) = OpSpecConstantComposite (%\d+) (%\d+)", text)
        uint = re.search(rf"{size[3]} = OpSpecConstant (%\d+) 32", text)[1]
        for operation, operand, group in (("IMul", 2, 64), ("IAdd", 3, 35), ("ShiftLeftLogical", 2, 128), ("SDiv", 2, 16),
                                          ("UMod", 18, 14), ("BitwiseOr", 2, None)):
            changed = text.replace(size[0], f"%90001 = OpConstant {uint} {operand}\n%90002 = OpSpecConstantOp {uint} {operation} "
                                            f"{size[3]} %90001\n{size[1]} = OpSpecConstantComposite {size[2]} %90002")
            self.write("id.spvasm", changed)
            subprocess.run(["spirv-as", "--target-env", "spv1.3", "id.spvasm", "-o", "id.spv"], cwd=self.folder, check=True)
            words = "--in x:float32:n --inout y:float32:n --arg n --arg a=0.5f -n 1000 --entry main"
            if group:
                groups = f"--groups ceil(n/{min(group, 32)})"
                self.pair(f"id.spv id.comp {words} {groups} --json r.json")
                self.assertEqual({r["block"] for r in self.own("r.json")}, {group, 32})
            else:
                _, err = self.pair(f"id.spv id.comp {words}", 2)
                self.assertIn("id.spv: the group size is an expression of constants that is not understood", err)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    results.main()
