"""sides.py PAIR_SIDES ROOT: CUDA sides compile and link where no GPU is: each parameter is a buffer or an argument. Public
kernels are taken as they are."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SIDES, ROOT = sys.argv[1], sys.argv[2]

# Signature; buffers; arguments. HLSL gets the same by its names.
SIGNATURES = [
    ("saxpy(int n, float a, const float *x, float *y)", "x y", {"n": "n", "a": 0.5}),
    ("reduce(const double *in, double *out, unsigned int count)", "in out", {"count": "n"}),
    ("scale(size_t n, double factor, double *__restrict__ data)", "data", {"n": "n", "factor": 2.5}),
    ("histogram(const unsigned char *bytes, int n, unsigned int *bins)", "bytes bins", {"n": "n"}),
    ("complex_multiply(const float2 *a, const float2 *b, float2 *c, int n)", "a b c", {"n": "n"}),
    ("scan(int *out, int *in, int n, bool inclusive)", "out in", {"n": "n", "inclusive": 1}),
    ("spmv(int rows_, const int *offsets, const int *columns_, const float *values, const float *x, float *y)",
     "offsets columns_ values x y", {"rows_": "n"}),
    ("fdtd(float *u, const float *v, long long n, float dt, float dx, short order)", "u v",
     {"n": "n", "dt": 0.1, "dx": 0.2, "order": 2}),
    ("stream(" + ", ".join(f"float *b{i}" for i in range(12)) + ", int n)", " ".join(f"b{i}" for i in range(12)), {"n": "n"}),
    ("blend(const half *a, half *b, half weight, const char mode, unsigned long long count)", "a b",
     {"mode": 1, "count": "n", "weight": 0.5}),
]


# A struct by value gets the arguments that have no parameter of their own.
BY_VALUE = "struct Args { unsigned int n; float a; unsigned int rows; };\n" \
           "__global__ void kernel(const float *x, Args args, double scale, float *y)\n{\n}\n"


class Sides(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="xbench-sides-")
        self.addCleanup(shutil.rmtree, self.folder)

    def sides(self, manifest, *words, exit_code=0):
        run = subprocess.run([SIDES, manifest, *words], capture_output=True, text=True, check=False)
        if run.returncode == 3 or "libnvrtc.so) was not found" in run.stderr:
            self.skipTest(run.stderr)
        self.assertEqual(run.returncode, exit_code, run.stdout + run.stderr)
        return run.stdout

    def test_examples(self):
        for name in ("saxpy/saxpy", "stencil/stencil", "particles/particles", "dot/dot", "reduction/reduction"):
            with self.subTest(name):
                out = self.sides(os.path.join(ROOT, "examples/pairs", name + ".json"))
                self.assertIn(".cu nvrtc: _Z", out)
                self.assertIn(".hlsl glslc: ", out)

    def test_nvcc(self):
        if not shutil.which("nvcc") and not os.path.exists("/usr/local/cuda/bin/nvcc"):
            self.skipTest("no nvcc")
        path = os.path.join(ROOT, "examples/pairs/stencil/stencil.json")
        self.assertEqual(self.sides(path, "nvcc").replace(" nvcc:", " nvrtc:"), self.sides(path, "nvrtc"))

    def test_saxpy(self):
        out = self.sides(os.path.join(ROOT, "examples/pairs/saxpy/saxpy.json"))
        self.assertIn("_Z5saxpyifPKfPf, 8 bytes of arguments, group 256 1 1\n  bytes 0+4\n  bytes 4+4\n  binding 0\n  binding 1",
                      out)

    def test_signatures(self):
        for signature, buffers, arguments in SIGNATURES:
            name = signature[:signature.index("(")]
            with self.subTest(name):
                path = os.path.join(self.folder, name + ".cu")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(f"#include <cuda_fp16.h>\n__global__ void {signature}\n{{\n}}\n")
                manifest = {"Name": name, "Sides": [{"Source": path}],
                            "Buffers": [{"Name": b, "Access": "inout", "Length": "n", "Format": "float32"}
                                        for b in buffers.split()],
                            "Shaders": [{"Entry": name, "GroupSize": [64], "DispatchGroupCount": [1], "Arguments": arguments}]}
                with open(os.path.join(self.folder, "m.json"), "w", encoding="utf-8") as file:
                    json.dump(manifest, file)
                lines = self.sides(os.path.join(self.folder, "m.json")).splitlines()[1:]
                wanted = [p.strip().replace("[]", "").split()[-1].lstrip("*") for p in signature[signature.index("(") + 1:-1].split(",")]
                kinds = ["binding" if word in buffers.split() else "bytes" for word in wanted]
                self.assertEqual([line.split()[0] for line in lines], kinds)
                places = [int(line.split()[1]) for line in lines if "binding" in line]
                self.assertEqual([buffers.split()[place] for place in places], [w for w in wanted if w in buffers.split()])

    def test_host_code(self):
        """NVRTC takes device code only, and its message comes with file and line."""
        path = os.path.join(self.folder, "host.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write("__global__ void kernel(float *x)\n{\n}\n#include <no_such_header>\nint main() {}\n")
        manifest = {"Name": "host", "Sides": [{"Source": path, "Compiler": "nvrtc"}], "Buffers": [],
                    "Shaders": [{"Entry": "kernel", "GroupSize": [64], "DispatchGroupCount": [1]}]}
        with open(os.path.join(self.folder, "m.json"), "w", encoding="utf-8") as file:
            json.dump(manifest, file)
        run = subprocess.run([SIDES, os.path.join(self.folder, "m.json")], capture_output=True, text=True, check=False)
        if run.returncode == 3:
            self.skipTest(run.stderr)
        self.assertIn("host.cu(4): ", run.stderr)
        self.assertIn("if the file has host code, give --compiler nvcc", run.stderr)

    def test_struct(self):
        path = os.path.join(self.folder, "kernel.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(BY_VALUE)
        manifest = {"Name": "kernel", "Sides": [{"Source": path, "Entries": {"main": "kernel"}}],
                    "Buffers": [{"Name": b, "Access": "inout", "Length": "n", "Format": "float32"} for b in "xy"],
                    "Shaders": [{"Entry": "main", "GroupSize": [64], "DispatchGroupCount": [1],
                                 "Arguments": {"n": "n", "a": 0.5, "scale": 2.5, "rows": 3}}]}
        with open(os.path.join(self.folder, "m.json"), "w", encoding="utf-8") as file:
            json.dump(manifest, file)
        out = self.sides(os.path.join(self.folder, "m.json"))
        self.assertIn("24 bytes of arguments, group 64 1 1\n  binding 0\n  bytes 0+12\n  bytes 16+8\n  binding 1\n", out)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
