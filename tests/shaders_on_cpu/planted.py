"""planted.py CHECK FOLDER GLSLC [DXC [SLANGC]]: shaders with a fault, each beside its right twin (planted/cases.txt): each fault is
found at its lines, and the twin has no finding. All of them with XB_ALL_TESTS, else some of each kind."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

CHECK, FOLDER, *FRONT_ENDS = sys.argv[1:]
HEADS = {"hlsl": """[[vk::binding(0)]] RWStructuredBuffer<uint> data;
[[vk::binding(1)]] StructuredBuffer<uint> src;
[[vk::binding(2)]] globallycoherent RWByteAddressBuffer b;
[[vk::binding(3)]] RWStructuredBuffer<uint> out_;
{}
[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID, uint t : SV_GroupIndex, uint3 gid : SV_GroupID)
{{
uint i = id.x, g = gid.x;
{}
}}
""", "glsl": """#version 450
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_EXT_nonuniform_qualifier : enable
layout(local_size_x = 64) in;
layout(binding = 0) buffer data_ {{ uint data[8192]; }};
layout(binding = 1) readonly buffer src_ {{ uint src[]; }};
layout(binding = 3) buffer out__ {{ uint out_[]; }};
{}
void main()
{{
uint i = gl_GlobalInvocationID.x, t = gl_LocalInvocationIndex, g = gl_WorkGroupID.x;
{}
}}
"""}
QUICK = ["image_no_barrier", "image_unwritten", "texels_outside", "shared_no_barrier", "groups_read_of_other", "last_group_not_coherent", "outside_shared_write", "barrier_behind_return",
         "glsl_subgroup_exchange", "order_of_lanes", "element_outside", "element_index", "element_groups"]


class PlantedCase:
    """One shader, with its fault or without."""

    def __init__(self, language, head):
        self.name, *words = head.split()
        self.language = language
        self.order = "order" in words
        self.not_glslc = "not_glslc" in words
        numbers = dict(w.split("=") for w in words if "=" in w)
        self.wave, self.groups, self.words = (int(numbers.get(k, d)) for k, d in (("wave", 32), ("groups", 2), ("in", 128)))
        self.expected = None
        self.declarations, self.body = [], []

    def source(self, wrong):
        def choose(lines):
            text = "\n".join(lines)
            return re.sub(r"<<(.*?)\|\|(.*?)>>(?!>)", r"\1" if wrong else r"\2", text, flags=re.S)
        declarations = re.sub(r"(?m)^(.*) at\((\d+)\);", r"[[vk::binding(\2)]] \1;", choose(self.declarations))
        return HEADS[self.language].format(declarations, choose(self.body))

    def places(self, file):
        return {f"{file}:{n}" for n, line in enumerate(self.source(True).split("\n"), 1) if line.endswith("// here")}


def read_cases():
    cases, language = [], None
    with open(os.path.join(FOLDER, "planted", "cases.txt"), encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith("["):
                language = line[1:-1]
            elif line.startswith("= "):
                cases.append(PlantedCase(language, line[2:]))
            elif line.startswith("! "):
                cases[-1].expected = line[2:]
            elif line.startswith("- "):
                cases[-1].declarations.append(line[2:])
            elif line and not line.startswith("# "):
                cases[-1].body.append(line)
    return cases


def compile_words(program, language, source, out):
    kind = "dxc" if "dxc" in os.path.basename(program) else "slangc" if "slangc" in os.path.basename(program) else "glslc"
    words = {"glslc": ["-fshader-stage=compute", "--target-env=vulkan1.1", "-g", "-O0", "-x", language, "-o", out, source],
             "dxc": ["-spirv", "-fspv-target-env=vulkan1.1", "-fspv-extension=KHR",
                     "-fspv-extension=SPV_EXT_descriptor_indexing", "-T", "cs_6_2", "-Od", "-fspv-debug=line", "-E", "main",
                     "-Fo", out, source],
             "slangc": ["-g1", "-target", "spirv", "-profile", "sm_6_2", "-fvk-use-entrypoint-name", "-O0", "-stage", "compute", "-entry",
                        "main", "-o", out, source]}[kind]
    return [program, *words]


class Planted(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def compile(self, program, case, wrong):
        """Returns the line of shader_check's input, and the name of the source."""
        name = f"{case.name}{'' if wrong else '_right'}.{case.language}"
        source = os.path.join(self.folder.name, name)
        with open(source, "w", encoding="utf-8") as file:
            file.write(case.source(wrong))
        made = subprocess.run(compile_words(program, case.language, name, name + ".spv"), cwd=self.folder.name, capture_output=True,
                              text=True, check=False)
        self.assertEqual(made.returncode, 0, f"{name}: {made.stdout}{made.stderr}")
        return f"{source}.spv {case.wave} {case.groups} {case.words} {int(case.order)}", name

    def check_all(self, program, cases):
        lines, names = [], []
        for case in cases:
            for wrong in (True, False):
                line, name = self.compile(program, case, wrong)
                lines.append(line)
                names.append(name)
        run = subprocess.run([CHECK], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        answers = run.stdout.split("\n")[:-1]
        self.assertEqual(len(answers), len(lines), run.stderr)
        for k, case in enumerate(cases):
            with self.subTest(case=case.name, compiler=os.path.basename(program)):
                found = answers[2 * k]
                self.assertRegex(found, r"^order \d" if case.order else case.expected)
                for place in () if case.order else case.places(names[2 * k]):
                    self.assertIn(place, found)
                self.assertEqual(answers[2 * k + 1], "right")

    def cases(self, languages):
        everything = os.environ.get("XB_ALL_TESTS")
        return [c for c in read_cases() if c.language in languages and (everything or c.name in QUICK)]

    def test_glslc(self):
        self.check_all(FRONT_ENDS[0], [c for c in self.cases(("hlsl", "glsl")) if not c.not_glslc])

    @unittest.skipUnless(os.environ.get("XB_ALL_TESTS") and len(FRONT_ENDS) > 1, "other front ends: in the full suite, where they are")
    def test_other_front_ends(self):
        for program in FRONT_ENDS[1:]:
            self.check_all(program, self.cases(("hlsl",)))

    def test_enough(self):
        cases = read_cases()
        self.assertGreaterEqual(len(cases), 60)
        self.assertEqual(len({c.name for c in cases}), len(cases))
        self.assertFalse([n for n in QUICK if n not in {c.name for c in cases}])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
