"""mistakes.py XBENCH SCHEMA ROOT: each mistake of the user gets one clear line and its exit code."""

import json
import os
import shutil
import signal
import subprocess
import sys
import unittest

import pairs
import patience
import results

# As naga does, the code says that its source was WGSL: OpSource of three words, whose number is then 10.
OF_WGSL = """import struct, sys
words = list(struct.unpack(f"<{len(code) // 4}I", code)) if (code := open(sys.argv[1], "rb").read()) else []
at = words.index(3 << 16 | 3)
words[at + 1] = 10
open(sys.argv[1], "wb").write(struct.pack(f"<{len(words)}I", *words))
"""
SAXPY = "--entry saxpy --in x:float32:n --inout y:float32:n --arg n --arg a=0.5f --group 64 -n 100"
MANIFEST = {"Name": "saxpy", "Sides": [{"Source": "a.hlsl"}, {"Source": "b.hlsl"}],
            "Buffers": [{"Name": "x", "Access": "in", "Format": "float32", "Length": "n"},
                        {"Name": "y", "Access": "inout", "Format": "float32", "Length": "n"}],
            "Shaders": [{"Entry": "saxpy", "DispatchGroupCount": ["ceil(n/64)"], "Arguments": {"n": "n", "a": 0.5}}]}


class Mistakes(pairs.Case):
    def setUp(self):
        super().setUp()
        self.write("a.hlsl", pairs.saxpy())
        self.write("b.hlsl", pairs.saxpy())

    def refused(self, words, message, exit_code=2, lines=1, **how):
        _, err = self.pair(words, exit_code, **how)
        self.assertIn(message, err)
        if lines:
            self.assertEqual(len(err.splitlines()), lines, err)

    def test_sources(self):
        self.refused("", "name a manifest, or sources")
        self.refused("none.hlsl", "none.hlsl: cannot be opened")
        self.refused("a.txt b.hlsl", "a.txt: unknown kind of source: expected .cu")
        self.write("bad.hlsl", pairs.saxpy("y[i] = unknown;"))
        self.refused(f"a.hlsl bad.hlsl {SAXPY}", "bad.hlsl: glslc did not compile it", lines=0)
        self.refused(f"a.hlsl bad.hlsl {SAXPY}", "bad.hlsl:9: error: 'unknown'", lines=0)
        self.refused(f"a.hlsl b.hlsl {SAXPY} --entry saxpi", "a.hlsl: there is no entry point 'saxpi'", lines=0)
        self.write("two.spv", b"no SPIR-V")
        self.refused(f"two.spv a.hlsl {SAXPY}", "two.spv: is not SPIR-V")
        self.refused(f"a.hlsl b.hlsl {SAXPY} --compiler nvcc", "nvcc compiles none of the sources")
        self.refused(f"a.hlsl b.hlsl {SAXPY}", "a.hlsl: no compiler was found: install one of: dxc glslc slangc", 3,
                     env={**os.environ, "PATH": self.folder, "XDG_CACHE_HOME": self.folder})

    def test_beside_a_manifest(self):
        """What the manifest says is not said again; what it does not say is."""
        self.write("m.json", json.dumps(MANIFEST))
        for words, key in (("--group 32", "GroupSize"), ("--groups 7", "DispatchGroupCount"), ("--entry saxpy", "Entry"), ("--arg n=3", "Arguments"),
                           ("--in z", "Buffers"), ("--bytes n", "Bytes"), ("--flops n", "Flops")):
            self.refused(f"m.json {words} -n 100", f"m.json sets it: change {key} there")
        self.pair("m.json --tolerance y=1e-3 -n 100")
        self.refused("m.json --tolerance z=1e-3 -n 100", "--tolerance: 'z' is not a buffer that is written")
        self.refused(f"a.hlsl b.hlsl {SAXPY} --tolerance x=3", "--tolerance: 'x' is not a buffer that is written")
        self.write("y.npy", pairs.npy([0.0] * 100))
        self.refused("m.json --reference z=y.npy -n 100", "--reference: 'z' is not a buffer that is written")
        buffers = [*MANIFEST["Buffers"], {"Name": "more", "Access": "in", "Format": "float32"}]
        self.write("m.json", json.dumps({**MANIFEST, "Buffers": buffers}))
        self.refused("m.json -n 100", "no source uses the buffer more", 0)
        self.write("c.hlsl", pairs.saxpy().replace("[[vk::push_constant]] ConstantBuffer<Arguments> args;", "cbuffer P { Arguments args; };"))
        self.refused(f"c.hlsl b.hlsl {SAXPY} --compiler glslc", "the constant buffer and x are both at binding 0 of set 0: give the constant buffer "
                     "its own binding, as in [[vk::binding(2)]]")

    def compiler(self, script):
        """The environment in which glslc is this script."""
        os.makedirs(self.path("bin"), exist_ok=True)
        self.write("bin/glslc", "#!/bin/sh\n" + script)
        os.chmod(self.path("bin/glslc"), 0o755)
        return {**os.environ, "PATH": f"{self.path('bin')}:{os.environ['PATH']}", "XDG_CACHE_HOME": self.path("cache")}

    def test_compiler_that_does_not_end(self):
        """It is ended with what it started: after the time limit, and when xbench is ended. No temporary file is left in TMPDIR."""
        env = self.compiler(f"case \"$*\" in *endless*) exec sleep 100000;; esac; exec {shutil.which('glslc')} \"$@\"\n")
        self.write("endless.hlsl", pairs.saxpy())
        self.pair(f"a.hlsl b.hlsl {SAXPY} -n 100", env=env)  # from now on a.hlsl is in the cache
        self.refused(f"a.hlsl endless.hlsl {SAXPY}", "glslc: did not end within 2 s and was killed (XB_COMPILER_LIMIT_S sets the limit)",
                     env={**env, "XB_COMPILER_LIMIT_S": "2"})
        env = self.compiler("sleep 1000 & echo $$ $! > children.part; mv children.part children; wait\n")
        os.mkdir(self.path("temporary"))
        env["TMPDIR"] = self.path("temporary")
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            process = self.start(f"pair a.hlsl b.hlsl {SAXPY}", env=env)
            patience.until(lambda: os.path.exists(self.path("children")), "no compiler is started")
            with open(self.path("children"), encoding="utf-8") as file:
                children = file.read().split()
            os.remove(self.path("children"))
            self.assertNotEqual(os.listdir(env["TMPDIR"]), [])
            process.send_signal(number)
            process.communicate(timeout=patience.S)
            self.assertEqual(process.returncode, -number)
            self.assertEqual(os.listdir(env["TMPDIR"]), [])
            for child in children:
                patience.until(lambda: self.is_gone(child), f"{child} is still there after signal {number}")

    def test_another_compiler(self):
        """The reason why one did not compile it is told, with file and line."""
        env = self.compiler(f"exec {shutil.which('glslc')} \"$@\"\n")
        self.write("bin/dxc", "#!/bin/sh\necho 'In file included from errors.h:1:'\necho 'a.hlsl:7:3: error: no such word'\nexit 1\n")
        os.chmod(self.path("bin/dxc"), 0o755)
        self.refused(f"a.hlsl b.hlsl {SAXPY}", "a.hlsl: dxc did not compile it: a.hlsl:7:3: error: no such word; compiled by glslc", 0,
                     lines=0, env=env)
        self.refused(f"a.hlsl b.hlsl {SAXPY} --compiler dxc", "a.hlsl: dxc did not compile it: a.hlsl:7:3: error: no such word; ",
                     lines=0, env=env)

    @staticmethod
    def is_gone(process):
        """Ended, even if nobody has waited for it."""
        try:
            with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                return file.read().rsplit(")", 1)[1].split()[0] == "Z"
        except OSError:
            return True

    def test_signals_of_the_parent(self):
        """A parent that ignores SIGCHLD does not hide a compiler's failure; compilers do not ignore SIGPIPE."""
        code = "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
        env = self.compiler("echo failed; exit 3\n")
        run = results.subprocess.run([sys.executable, "-c", code, results.XBENCH, *f"pair a.hlsl b.hlsl {SAXPY}".split()],
                                     cwd=self.folder, env=env, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("glslc did not compile it: ", run.stderr)
        self.assertIn("ended with exit code 3", run.stderr)
        env = self.compiler("grep SigIgn /proc/self/status; exit 3\n")
        _, err = self.pair(f"a.hlsl b.hlsl {SAXPY}", 2, env=env)
        ignored = int(results.re.search(r"SigIgn:\W*([0-9a-f]+)", err)[1], 16)
        self.assertFalse(ignored >> (signal.SIGPIPE - 1) & 1 or ignored >> (signal.SIGXFSZ - 1) & 1, err)

    def test_wgsl(self):
        """naga or tint compiles it, with its own words; without both, one line says so."""
        self.write("double.wgsl", "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {}\n")
        self.write("double.comp", "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) readonly buffer X { float x[]; };\n"
                                  "layout(binding = 1) writeonly buffer Y { float y[]; };\nvoid main() { y[gl_GlobalInvocationID.x] = 2 * x[gl_GlobalInvocationID.x]; }\n")
        words = "double.wgsl double.comp --in x --out y --groups n/64 -n 1024"
        self.refused(words, "double.wgsl: no compiler was found: install one of: naga tint", 3)
        self.write("of_wgsl.py", OF_WGSL)
        os.mkdir(self.path("bin"))
        how = {"env": {**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"]}}
        for name, usage in (("naga", '[ $# = 3 ] && [ "$1 $2" = "-g double.wgsl" ] && out="$3" && [ "${out%.spv}" != "$out" ]'),
                            ("tint", '[ $# = 6 ] && [ "$1 $2 $3 $4 $6" = "--format spirv --disable-robustness -o double.wgsl" ] && out="$5"')):
            self.write(f"bin/{name}", f"#!/bin/sh\n{{ {usage}; }} || {{ echo \"$0: $*: error: wrong words\"; exit 1; }}\n"
                                      f"glslc -fshader-stage=compute --target-env=vulkan1.1 double.comp -o \"$out\" && {sys.executable} of_wgsl.py \"$out\"\n")
            os.chmod(self.path(f"bin/{name}"), 0o755)
            self.pair(f"{words} --json r.json --compiler {name} --compiler glslc", **how)
            self.assertEqual({(r["variant"], r["verified"]) for r in self.own("r.json")}, {(f"1_double_wgsl_{name}", True), ("2_double_comp_glslc", True)})
        self.write("bin/naga", "#!/bin/sh\nprintf '\\033[1m\\033[38;5;9merror\\033[0m\\033[1m: expected `;`\\033[0m\\n' >&2\nexit 1\n")
        self.refused(f"{words} --compiler naga", "double.wgsl: naga did not compile it: error: expected `;`", lines=None, **how)

    def test_names_like_options(self):
        """A source is never an option of a compiler; an option that makes no code is one line."""
        for name in ("-foo.hlsl", "-o x.hlsl", "@list.hlsl"):
            self.write(name, pairs.saxpy())
            run = results.subprocess.run([results.XBENCH, "pair", *pairs.QUICK.split(), *f"{SAXPY} --".split(), "a.hlsl", name],
                                         cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
        for flag in ("-h", "--version"):
            self.refused(f"a.hlsl b.hlsl {SAXPY} --flag {flag}",
                         "a.hlsl: glslc wrote no code: a flag makes it do something else, such as -h")

    def test_a_builtin_in_two_functions(self):
        body = pairs.saxpy("y[i] = twice(x[i]) * WaveGetLaneCount();")
        self.write("twice.hlsl", body.replace("[numthreads", "float twice(float v) { return v * WaveGetLaneCount(); }\n[numthreads", 1))
        self.refused(f"a.hlsl twice.hlsl {SAXPY}", "twice.hlsl: WaveGetLaneCount or WaveGetLaneIndex is called in two functions")

    def test_inclusive_prefixes(self):
        """glslc's WavePrefixSum and WavePrefixProduct are wrong; its WavePrefixCountBits and GLSL's own scans are right."""
        for call in ("WavePrefixSum", "WavePrefixProduct"):
            self.write("scan.hlsl", pairs.saxpy(f"y[i] = {call}(x[i]);"))
            self.refused(f"a.hlsl scan.hlsl {SAXPY}", f"scan.hlsl: glslc makes an inclusive scan of {call}")
        self.write("scan.hlsl", pairs.saxpy("y[i] = WavePrefixCountBits(x[i] > 0.5);"))
        self.pair(f"scan.hlsl scan.hlsl {SAXPY} -n 100")
        self.write("scan.comp", """#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
layout(local_size_x = 64) in;
layout(push_constant) uniform Arguments { uint n; float a; };
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer Y { float y[]; };
void main() { if (gl_GlobalInvocationID.x < n) y[gl_GlobalInvocationID.x] = subgroupInclusiveAdd(x[gl_GlobalInvocationID.x]); }
""")
        self.pair("scan.comp scan.comp --in x:float32:n --inout y:float32:n --arg n --arg a=0.5f -n 64")

    def test_buffers_and_arguments(self):
        self.refused("a.hlsl b.hlsl --entry saxpy --in x --arg a=1 -n 100",
                     "a.hlsl: the kernel saxpy has 2 buffers (x, y), the pair gives it 1")
        self.refused(f"a.hlsl b.hlsl {SAXPY} --arg b=3", "pair: no source has the argument b")
        self.refused("a.hlsl b.hlsl --entry saxpy --in x --inout y -n 100",
                     "pair: Shaders[0].Arguments.a: unknown value: give --arg a=NUMBER, or a manifest (--init)")
        self.refused("a.hlsl b.hlsl --entry saxpy --in x:float33 --inout y --arg a=1",
                     "pair: Buffers[0].Format: unknown element type 'float33'")
        self.refused("a.hlsl b.hlsl --entry saxpy --in x --inout y --arg a=1 --arg n=0.5 -n 100",
                     "argument n is 0.5, but the kernel takes uint32")
        self.refused("a.hlsl b.hlsl --entry saxpy --in x --inout y --arg a=1 --group 32 -n 100",
                     "the code has groups of 64 x 1 x 1 threads, the pair has 32 x 1 x 1")
        self.refused("a.hlsl b.hlsl --entry saxpy --in x --inout y --arg a=1 --group 0", "--group: '0'")
        self.refused(f"a.hlsl b.hlsl {SAXPY} --tolerance much", "--tolerance: 'much'")
        self.refused("a.hlsl b.hlsl --entry saxpy --in x:float32:n:unifrom --inout y --arg a=1",
                     "Buffers[0].Fill: 'unifrom': expected mixed, uniform")

    def test_what_a_pair_cannot_pass(self):
        """Each is refused by its name, also by --init."""
        head = "#version 450\n#extension GL_EXT_buffer_reference : require\nlayout(local_size_x = 64) in;\n"
        for source, message in (
                ("layout(binding = 0) uniform U { float u; } all[2];\nlayout(binding = 1) buffer Y { float y[]; };\n"
                 "void main() { y[gl_GlobalInvocationID.x] = all[1].u; }",
                 "all is an array of images, of uniform buffers or of more than 31 buffers, which a pair cannot bind"),
                ("layout(binding = 0) buffer Y { float y[]; } all[32];\nvoid main() { all[1].y[gl_GlobalInvocationID.x] = 1; }",
                 "all is an array of images, of uniform buffers or of more than 31 buffers, which a pair cannot bind"),
                ("layout(binding = 0) readonly buffer F { float f[]; };\nlayout(binding = 0, r32f) uniform readonly image2D u;\n"
                 "layout(binding = 1) buffer Y { float y[]; };\nvoid main() { y[0] = f[gl_GlobalInvocationID.x] + imageLoad(u, ivec2(0)).x; }",
                 "f and u have one binding (set 0, binding 0)")):
            self.write("c.comp", head + source)
            self.refused("--init c.comp", f"c.comp: {message}")
            self.refused("c.comp --unchecked --out y -n 64", f"c.comp: {message}")

    @unittest.skipUnless(shutil.which("spirv-as"), "without spirv-as")
    def test_other_entry_point(self):
        """What another entry point of the module uses is not the kernel's: neither a second view of its buffer nor a binding."""
        self.write("two.spvasm", """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %saxpy "saxpy" %id
OpEntryPoint GLCompute %other "other" %id
OpExecutionMode %saxpy LocalSize 64 1 1
OpExecutionMode %other LocalSize 64 1 1
""" + "".join(f"OpName %{name} \"{name}\"\n" for name in "xyzw") + "".join(
            f"OpDecorate %{name} DescriptorSet 0\nOpDecorate %{name} Binding {binding}\n"
            for name, binding in (("x", 0), ("y", 1), ("z", 0), ("w", 2))) + """OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %array ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%v3uint = OpTypeVector %uint 3
%float = OpTypeFloat 32
%array = OpTypeRuntimeArray %float
%block = OpTypeStruct %array
%ids = OpTypePointer Input %v3uint
%blocks = OpTypePointer StorageBuffer %block
%floats = OpTypePointer StorageBuffer %float
%zero = OpConstant %uint 0
%id = OpVariable %ids Input
%x = OpVariable %blocks StorageBuffer
%y = OpVariable %blocks StorageBuffer
%z = OpVariable %blocks StorageBuffer
%w = OpVariable %blocks StorageBuffer
""" + "".join(f"""%{entry} = OpFunction %void None %function
%{entry}0 = OpLabel
%{entry}1 = OpLoad %v3uint %id
%{entry}2 = OpCompositeExtract %uint %{entry}1 0
%{entry}3 = OpAccessChain %floats %{source} %zero %{entry}2
%{entry}4 = OpLoad %float %{entry}3
%{entry}5 = OpAccessChain %floats %{to} %zero %{entry}2
OpStore %{entry}5 %{entry}4
OpReturn
OpFunctionEnd
""" for entry, source, to in (("saxpy", "x", "y"), ("other", "z", "w"))))
        subprocess.run(["spirv-as", "--target-env", "vulkan1.1", "two.spvasm", "-o", "two.spv"], cwd=self.folder, check=True)
        self.write("one.hlsl", pairs.saxpy("y[i] = x[i];").replace("args.n", "64u"))
        self.pair("two.spv one.hlsl --entry saxpy --in x --out y --group 64 --groups n/64 -n 64")

    def test_most_constants(self):
        constants = {str(i): 1 for i in range(65)}
        self.manifest(lambda m: m["Shaders"][0].update(SpecializationConstants=constants),
                      "Shaders[0].SpecializationConstants: has more than 64 items")
        del constants["64"]
        self.write("m.json", json.dumps({**MANIFEST, "Shaders": [{**MANIFEST["Shaders"][0], "SpecializationConstants": constants}]}))
        _, err = self.pair("m.json -n 100", None)
        self.assertNotIn("items", err)

    def test_text_of_a_size(self):
        """Machine code is that of the run: of its size, and where that is wrong, the line says so."""
        self.write("m.json", json.dumps({"Name": "one", "Sides": ["a.hlsl"], "Size": "96", "Buffers": MANIFEST["Buffers"],
                                         "Shaders": [{**MANIFEST["Shaders"][0], "DispatchGroupCount": ["n/96"]}]}))
        self.assertIn("one/1_one (saxpy)", self.pair("--text --for here m.json")[0])
        self.assertIn("200 is not divisible by 96", self.pair("--text --for here m.json -n 200", None)[0])

    def test_unwritten(self):
        """A file that cannot be written ends the run with 2."""
        os.mkdir(self.path("y.npy"))
        _, err = self.pair(f"a.hlsl b.hlsl {SAXPY} --save y=y.npy", 2)
        self.assertIn("y=y.npy': is a folder", err)

    def test_formulas(self):
        for formula, message in (("n/64", "100 is not divisible by 64: write ceil(n/64) to round up"),
                                 ("n/0", "'n/0' divides by zero"), ("m", "unknown name 'm': expected one of n, rows, columns"),
                                 ("n-101", "is negative"), ("2^64", "larger than 2^63 - 1"), ("(n", "expected ')'"),
                                 ("n n", "unexpected 'n'"), ("0", "is 0 groups"), ("sin(n)", "unknown function 'sin'")):
            words = f"pair {pairs.QUICK} a.hlsl b.hlsl {SAXPY} --groups".split() + [formula]
            process = results.subprocess.run([results.XBENCH, *words], cwd=self.folder, capture_output=True, text=True,
                                             check=False)
            self.assertEqual(process.returncode, 2, formula + process.stderr)
            self.assertIn(message, process.stderr)

    def test_sizes(self):
        self.refused(f"a.hlsl b.hlsl {SAXPY} -n 2^55", "", None, lines=0)
        out, _ = self.pair(f"a.hlsl b.hlsl {SAXPY} -n 2^40", 4)
        self.assertIn("elements need", out)
        out, _ = self.pair(f"a.hlsl b.hlsl {SAXPY} -n 2^26", 3)
        self.assertIn("a binding has at most", out)

    def test_files(self):
        for content, message in ((b"text", "is not an .npy file"), (pairs.npy([1.0] * 99), "has 100 elements, its file"),
                                 (pairs.npy([1.0] * 100, "<f8"), "has elements of type '<f8', expected '<f4' (float32)"),
                                 (pairs.npy([1.0] * 100)[:-1], "bytes of data, not those of 100 items")):
            self.write("x.npy", content)
            self.refused("a.hlsl b.hlsl --entry saxpy --in x:float32:n:x.npy --inout y --arg a=1 -n 100", message)
        self.write("x.npy", pairs.npy([1.0] * 100, "<f8"))
        self.write("y.npy", pairs.npy([1] * 100, "<i4"))
        for words in ("x:float32:n:x.npy --inout y:float32:n:y.npy", "x --inout y:float32:n:x.npy --reference y=y.npy"):
            _, err = self.pair(f"a.hlsl b.hlsl --entry saxpy --in {words} --arg a=1 -n 100", 2)
            self.assertRegex(err, r"""^xbench: \S*x.npy: has elements of type '<f8', expected '<f4' \(float32\): save x.astype\("f4"\)
xbench: \S*y.npy: has elements of type '<i4', expected '<f4' \(float32\): save x.astype\("f4"\)
$""")
        self.refused(f"a.hlsl {SAXPY} --reference none.so:f", "Reference")
        self.write("file", "")
        self.refused(f"a.hlsl b.hlsl {SAXPY} --dump-outputs file", "--dump-outputs: file: cannot be made a folder")

    def manifest(self, change, message):
        manifest = json.loads(json.dumps(MANIFEST))
        change(manifest)
        self.write("m.json", json.dumps(manifest, indent=1))
        self.refused("m.json -n 100", message)

    def test_manifest(self):
        self.write("m.json", json.dumps(MANIFEST))
        self.pair("m.json -n 100")
        self.write("m.json", "{")
        self.refused("m.json", "m.json: is not valid JSON, line 1")
        self.refused("m.json a.hlsl", "expected one manifest, not also 'a.hlsl'")

        def set_to(*path_and_value):
            def change(manifest):
                for key in path_and_value[:-2]:
                    manifest = manifest[key]
                manifest[path_and_value[-2]] = path_and_value[-1]
            return change
        self.manifest(set_to("Bufers", []), "m.json:37: Bufers: unknown key; expected one of: $schema Name")
        self.manifest(set_to("Buffers", 1, "Lenght", "n"), "m.json:23: Buffers[1].Lenght: unknown key; expected one of: Name Access")
        self.manifest(set_to("Buffers", 0, "Access", "read"), "m.json:14: Buffers[0].Access: 'read': expected in, out")
        self.manifest(set_to("Buffers", 0, 3), "m.json:12: Buffers[0]: expected an object")
        self.manifest(set_to("Buffers", 0, "Name", "../x"), "m.json:13: Buffers[0].Name: '../x': expected letters")
        self.manifest(set_to("Buffers", 1, "Name", "x"), "Buffers[1].Name: 'x' is the name of another buffer")
        self.manifest(set_to("Shaders", 0, "Arguments", ["n"]), "Shaders[0].Arguments: expected an object")
        self.manifest(set_to("Shaders", 0, "Arguments", {f"a{i}": i for i in range(65)}), "a side has 67: expected at most 64")
        self.manifest(set_to("Sides", []), "Sides: name one source or more")
        self.manifest(set_to("Name", "SAXPY"), "m.json:2: Name: 'SAXPY': expected lower-case letters")
        self.manifest(set_to("Name", "reduce"), "m.json:2: Name: 'reduce' is a built-in benchmark: choose "
                      "another name, such as my_reduce")
        self.manifest(set_to("Shaders", 0, "Buffers", ["x", "z"]), "Shaders[0].Buffers[1]: 'z' is not a buffer")
        self.manifest(set_to("Dispatches", ["saxpi"]), "Dispatches[0]: 'saxpi' is neither an entry of Shaders nor Barrier")
        self.manifest(set_to("Results", [{"Actual": "x", "Rule": "BufferExact"}]), "Results[0].Actual: 'x' is not a buffer that")
        self.manifest(set_to("Results", [{"Actual": "y", "Rule": "BufferFloatULP"}]), "Results[0].ULPT: expected a number")
        self.manifest(set_to("Buffers", 0, "Length", "m"), "unknown name 'm'")

    def test_hang(self):
        """A kernel that does not end is given up; what it would have given is not waited for."""
        self.write("b.hlsl", pairs.saxpy("float s = 0; for (uint k = 0; k < 60000; k++) s += sin(s + x[(i * 977 + k) % args.n]); y[i] += s;"))
        out, err = self.pair("a.hlsl b.hlsl --entry saxpy --in x --inout y --arg a=0.5 -n 2^20 --wait-limit 0.05", 4)
        self.assertRegex(out + err, "did not complete|timed out|time limit|XB_TIMEOUT|unusable")


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    results.main()
