"""rungs.py XBENCH SCHEMA ROOT BUILD [OPTION...]: rungs of xbench's own ladders, run as pairs. They give the right results;
on a GPU, `--compare` also prints the ratio of their times to those of the built-in rungs, which is to be within 1 %."""

import json
import os
import subprocess
import sys
import unittest

import pairs
import results

BUILD = os.path.abspath(sys.argv[4])
SIZES = {"reduce": 1 << 20, "transpose": 512}


def sides(benchmark, number, name, block):
    flags = [f"-I{pairs.ROOT}/core/include", f"-I{pairs.ROOT}/bench/benchmarks/{benchmark}"]
    return [{"Source": f"{pairs.ROOT}/kernels/{benchmark}/{number}_{name}.cu", "Compiler": "nvcc",
             "Flags": flags + [f"-I{pairs.ROOT}/kernels", f"-I{BUILD}/kernels/{benchmark}"],
             "Entries": {benchmark: f"{benchmark}_float32_{block}"}},
            {"Source": f"{pairs.ROOT}/shaders/{benchmark}/{number}_{name}.hlsl", "Compiler": "glslc",
             "Flags": flags + ["-DXB_GLSLC=1", "-DXB_FLOAT32=1", f"-DBLOCK={block}"]}]


def reduce_3(n, block=128):
    """Passes until one sum is left."""
    lengths = [n]
    while lengths[-1] > 1:
        lengths.append(-(-lengths[-1] // block))
    names = ["values"] + [f"sums{i}" for i in range(1, len(lengths) - 1)] + ["sum"]
    buffers = [{"Name": name, "Format": "float32", "Length": length,
                "Access": "in" if name == "values" else "out" if name == "sum" else "scratch"}
               for name, length in zip(names, lengths)]
    buffers[0]["Length"] = "n"
    shaders = [{"Entry": "reduce", "GroupSize": [block], "DispatchGroupCount": [groups], "Buffers": [names[i], names[i + 1]],
                "Arguments": {"n": lengths[i], "groups": groups, "grid_x": groups, "first_group": 0, "all_groups": 0, "dealt4": 0,
                              "queue": 0}}
               for i, groups in enumerate(lengths[1:])]
    return {"Name": "reduce_3", "Sides": sides("reduce", 3, "sequential", block), "Size": n, "Buffers": buffers,
            "Shaders": shaders, "Results": [{"Actual": "sum", "Rule": "BufferFloatEpsilon", "Epsilon": 0.01}], "Bytes": "4*n"}


def transpose_8(n, block=256):
    tile = 64
    return {"Name": "transpose_8", "Sides": sides("transpose", 8, "vectors", block), "Size": f"{n}x{n}",
            "Buffers": [{"Name": "input", "Access": "in", "Format": "float32", "Length": "rows*columns"},
                        {"Name": "output", "Access": "out", "Format": "float32", "Length": "rows*columns"}],
            "Shaders": [{"Entry": "transpose", "GroupSize": [block],
                         "DispatchGroupCount": [f"ceil(columns/{tile})*ceil(rows/{tile})"],
                         "Buffers": ["input", "input", "output", "output"], "Arguments": arguments(n, tile)}],
            "Results": [{"Actual": "output", "Rule": "BufferExact"}]}


def arguments(n, tile):
    """In the order of struct xb_transpose_args."""
    values = {"rows": "rows", "columns": "columns", "in_offset": "0", "in_pitch": "columns", "out_offset": "0",
              "out_pitch": "rows", "tiles_x": f"ceil(columns/{tile})", "tiles_y": f"ceil(rows/{tile})", "back": "0",
              "vectors": "1", "repeats": "1", "repeat_stride": "0", "grid_x": f"ceil(columns/{tile})*ceil(rows/{tile})"}
    with open(os.path.join(pairs.ROOT, "bench/benchmarks/transpose/transpose_args.h"), encoding="utf-8") as file:
        body = file.read().partition("struct xb_transpose_args {")[2].partition("}")[0]
    names = [name.split()[-1] for line in body.splitlines() if ";" in line for name in line.split(";")[0].split(",")]
    return {name: values.get(name, "0") for name in names}


class Rungs(pairs.Case):
    def run_as_pair(self, make, built_in):
        name = built_in.split("/")[0]
        n = LARGE[name] if COMPARE else SIZES[name]
        self.write("m.json", json.dumps(make(n)))
        self.write("reference.c", REFERENCES[name])
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "reference.c", "-o", "libr.so"], cwd=self.folder, check=True)
        self.pair(f"m.json --trust-paths --reference libr.so:f --json pair.json {'' if COMPARE else '--backend vulkan'}")
        cells = self.own("pair.json")
        self.assertEqual({r["outcome"] for r in cells}, {"ok"})
        if COMPARE:
            self.run_to_end(f"-q {built_in} -n {n} --json own.json")
            for cell in cells:
                own = next(r for r in self.own("own.json") if r["backend"] == cell["backend"])
                print(f"{built_in} {cell['backend']}: as a pair {cell['median_ns'] / own['median_ns']:.3f} of the built-in's time")

    def test_reduce(self):
        self.run_as_pair(reduce_3, "reduce/3")

    def test_transpose(self):
        self.run_as_pair(transpose_8, "transpose/8")


COMPARE = "--compare" in sys.argv
LARGE = {"reduce": 1 << 22, "transpose": 2048}  # groups fit into one dimension everywhere
BUFFER = "#include <stdint.h>\ntypedef struct { const char *name; void *data; uint64_t length; } buffer;\n" \
         "int f(uint64_t n, uint64_t rows, uint64_t columns, const buffer *b, uint32_t count)\n{\n"
REFERENCES = {
    "reduce": BUFFER + "  double sum = 0;\n  for (uint64_t i = 0; i < n; i++) sum += ((float *)b[0].data)[i];\n"
                       "  *(float *)b[count - 1].data = sum;\n  return 0;\n}\n",
    "transpose": BUFFER + "  for (uint64_t y = 0; y < rows; y++) for (uint64_t x = 0; x < columns; x++)\n"
                          "    ((float *)b[1].data)[x * rows + y] = ((float *)b[0].data)[y * columns + x];\n  return 0;\n}\n"}

if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    if COMPARE:
        pairs.QUICK = "-q"
    results.main()
