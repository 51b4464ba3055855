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


# Entry; buffers; arguments; what comes of it: the mangled name, and the parameters.
INSTANCES = """#include <vector>
#include "struct.h"
namespace ns {
template <int SIZE, typename T> __global__ void scale(T *y, const T *x, T by, unsigned int n = 0)
{
  if (threadIdx.x < SIZE)
    y[threadIdx.x] = x[threadIdx.x] * by + n;
}
}
namespace {
__global__ void hidden(float *y)
{
  y[threadIdx.x] = 1;
}
}
static __global__ void quiet(float *y, float4 v, const Args args)
{
  y[threadIdx.x] = v.x + args.a + args.rows;
}
__global__ void two(float *y)
{
  y[threadIdx.x] = 2;
}
__global__ void two(int *y, int n = 0)
{
  y[threadIdx.x] = n;
}
static std::vector<int> host()
{
  quiet<<<1, 1>>>(nullptr, {}, {});
  hidden<<<1, 1>>>(nullptr);
  return {};
}
"""
WANTED = [
    ("ns::scale<64, float>", ["y", "x"], {"by": 2.0}, "_ZN2ns5scaleILi64EfEE", "binding 0|binding 1|bytes 0+4|bytes 4+4"),
    ("ns::scale<64, double>", ["y", "x"], {"by": 2.0, "n": "n"}, "_ZN2ns5scaleILi64EdEE", "binding 0|binding 1|bytes 0+8|bytes 8+4"),
    ("hidden", ["y"], {}, "hidden", "binding 0"),
    ("quiet", ["y"], {"v": [1.0, 0.0, 0.0, 0.0], "a": 0.5, "count": "n", "rows": 3}, "quiet", "binding 0|bytes 0+16|bytes 16+24"),
    ("two(int*, int)", ["y"], {}, "_Z3twoPii", "binding 0|bytes 0+4"),
    ("two(float*)", ["y"], {}, "_Z3twoPf", "binding 0"),
]


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
        for name in ("saxpy/saxpy", "stencil/stencil", "particles/particles", "dot/dot", "reduction/reduction",
                     "sobel/sobel"):
            with self.subTest(name):
                out = self.sides(os.path.join(ROOT, "examples/pairs", name + ".json"))
                self.assertIn(".cu nvrtc: _Z", out)
                self.assertRegex(out, r"\.hlsl (glslc|dxc): ")

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
                manifest = {"Name": "mine", "Sides": [{"Source": path}],
                            "Buffers": [{"Name": b, "Access": "inout", "Length": "n", "Format": "int32"}
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

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text if isinstance(text, str) else json.dumps(text))
        return os.path.join(self.folder, name)

    def test_instances(self):
        """Templates, hidden and static kernels, overloads, default arguments, vectors, and a struct with 64-bit members."""
        self.write("struct.h", "#include <cstdint>\nstruct Args {\n  float a;\n  int64_t count;\n  int rows;\n};\n")
        path = self.write("instances.cu", INSTANCES)
        for entry, buffers, arguments, mangled, parameters in WANTED:
            with self.subTest(entry):
                out = self.sides(self.write("m.json", {
                    "Name": "m", "Sides": [{"Source": path, "Entries": {"main": entry}}],
                    "Buffers": [{"Name": b, "Access": "inout", "Length": "n", "Format": "int32"} for b in buffers],
                    "Shaders": [{"Entry": "main", "GroupSize": [64], "DispatchGroupCount": [1], "Arguments": arguments}]}))
                first, *lines = out.splitlines()
                self.assertIn(mangled, first)
                self.assertEqual([line.strip() for line in lines], parameters.split("|"))

    def test_missing_headers(self):
        """Kernels are compiled without the host code, and without headers that are not here."""
        path = self.write("host.cu", "#include <no_such_library.h>\nstatic __global__ void fill(float *y, int n)\n{\n  y[n] = 1;\n}\n"
                                     "void host(library::handle h)\n{\n  fill<<<1, 1>>>(h.get(), 1);\n}\n")
        out = self.sides(self.write("m.json", {
            "Name": "m", "Sides": [path], "Buffers": [{"Name": "y", "Access": "inout", "Length": "n", "Format": "float32"}],
            "Shaders": [{"Entry": "fill", "GroupSize": [64], "DispatchGroupCount": [1], "Arguments": {"n": "n"}}]}))
        self.assertIn("fill", out)
        self.assertIn("  binding 0\n  bytes 0+4\n", out)

    def test_names(self):
        """A wrong entry lists those like it, as in the source."""
        path = self.write("names.cu", "namespace a { __global__ void add(float *y) { *y = 1; } }\n__global__ void other(int *y) { *y = 1; }\n")
        manifest = self.write("m.json", {
            "Name": "m", "Sides": [path], "Buffers": [{"Name": "y", "Access": "inout", "Length": "n", "Format": "float32"}],
            "Shaders": [{"Entry": "ad", "GroupSize": [64], "DispatchGroupCount": [1]}]})
        run = subprocess.run([SIDES, manifest], capture_output=True, text=True, check=False)
        if run.returncode == 3:
            self.skipTest(run.stderr)
        self.assertIn("there is no entry point 'ad'; the code has: a::add(float*)", run.stderr)
        self.assertNotIn("other", run.stderr)

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
