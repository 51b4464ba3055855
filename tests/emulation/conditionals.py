"""conditionals.py XBENCH SCHEMA ROOT: a conditional expression with a subscript, whose index has a temporary object or is watched, is
right on either side. g++ by itself gives the index to the first side only."""

import unittest

import pairs
import results

# Each writes v to 64 words from row * 64 on, of one half of y or the other, by the block.
ROWS = (
    "(g & 1 ? odd : even)[AT] = v;",  # the emulation's own object
    "(blockIdx.x & 1 ? odd : even)[AT] = 0; (g & 1 ? odd : even)[AT] += v;",
    "*((g & 1 ? odd : even) + AT) = v;",
    "(g & 1 ? &h : &h)->p[blockIdx.x & 1][AT] = v;",
    "(g & 1 ? h : h).p[blockIdx.x & 1][AT] = v;",
    "(g & 1 ? odd : even)[word(row).at * 64 + t] = v;",  # an object of the source
    "(g & 1 ? odd : even)[row * 64 + smaller(t, 63u)] = v;",  # a reference to a temporary one
    "(g & 1 ? odd : even)[(int)(row * 64 + t + 0.5f)] = v;",  # a cast of a float
    "(g & 1 ? odd : even)[((int)(row * 64 + t) * two >> 1) % (2304 * two)] = v;",  # watched: an overflow, a division
    "(g & 1 ? odd : even)[((int)(row * 64 + t) << two) / 4] = v;",  # watched: a shift
    "(t, g & 1 ? odd : even)[AT] = v;",
    "(g & 1 ? t < 32 ? odd : h.p[1] : t < 32 ? h.p[0] : even)[AT] = v;",
    "((g & 1) ? (odd) : (even)) /* ) */\n    [AT] = v;",
    "((h.p[g & 1] = g & 1 ? odd : even), (g & 1 ? h.p[1] : h.p[0]))[AT] = v;",
    "if (t < 64) (g & 1 ? odd : even)[AT] = v;",
    "if (t < 64) (g & 1 ? first(odd, even) : first(even, odd))[AT] = v;",
    "HALF(g & 1)[AT] = v;",
    "HALF_OF_BLOCK[AT] = v;",
    "WRITE(g & 1, AT, v);",
    "(g & 1 ? odd + row * 64 : even + row * 64)[threadIdx.x] = v;",  # values, not variables
    "((float *)(g & 1 ? odd : even))[AT] = v;",
    "(g & 1 ? high : low)[threadIdx.x] = v; to[row * 64 + t] = g & 1 ? high[t] : low[t];",  # shared memory
    "(g & 1 ? highs : lows)[threadIdx.x / 64 + 1][threadIdx.x] = v; to[row * 64 + t] = g & 1 ? highs[1][t] : lows[1][t];",
    "(g & 1 ? high : low)[t] = v; to[row * 64 + t] = (g & 1 ? high : low)[threadIdx.x];",  # reads
    "to[row * 64 + t] = (g & 1 ? x + 64 : x)[smaller(t, 63u)];",
    "float *p = nullptr; (p ?: to)[AT] = v;",
    'to[row * 64 + t] = v + ("ab"[0] == g ? "a" : "b")[word(1).at] + pick(g & 1 ? 1 : 2)[word(0).at];',  # strings, and a call
    "[&](bool c) { (c ? odd : even)[AT] = v; }(g & 1);",
    # What is no conditional expression with a subscript.
    "ARRAY(buffer)[64]; buffer[0][t] = v; to[row * 64 + t] = buffer[0][threadIdx.x];",
    "if (g & 1 ? t < 64 : true) [&] { to[row * 64 + t] = v; }();",
    "if (g & 1 ? t < 64 : true) [[likely]] to[row * 64 + t] = v;",
    "float *(*f)(int) = pick; to[row * 64 + t] = v + (*f)(g & 1 ? 1 : 2)[0] + pick_of<1, 2>(g & 1 ? 1 : 2, g)[word(1).at];",
    "to[row * 64 + t] = v + ZERO(g & 1, word(1).at);",
)
HEAD = """#define AT (row * 64 + threadIdx.x)
#define HALF(c) ((c) ? odd : even)
#define HALF_OF_BLOCK (blockIdx.x & 1 \\
    ? odd : even)
#define WRITE(c, at, value) ((c) ? odd : even)[at] = value
#define ARRAY(name) float name[WIDTH > 4 ? 1 : 2]
#define WIDTH 8
#define ZERO(c, at) pick_two((c) ? 1 : 2, 3)[at]
struct Word { unsigned at; };
struct Halves { float *p[2]; };
__device__ Word word(unsigned row) { return Word{row}; }
__device__ const unsigned &smaller(const unsigned &a, const unsigned &b) { return b < a ? b : a; }
__device__ float zeros[2];
__device__ float *first(float *p, float *) { return p; }
__device__ float *pick(int) { return zeros; }
__device__ float *pick_two(int, int) { return zeros; }
template <int A, int B> __device__ float *pick_of(int, int) { return zeros; }
#include "beside.cuh"
extern "C" __global__ void rows(const float *x, float *y)
{
  __shared__ float low[64], high[64], lows[2][64], highs[2][64];
  const unsigned g = blockIdx.x, t = threadIdx.x, half = gridDim.x * blockDim.x * ROWS / 2;
  const int two = 1 + (blockDim.x > 1);
  float *even = y, *odd = y + half, *to = g ? odd : even;
  Halves h = {{even, odd}};
  const float v = x[g * 64 + t];
  unsigned row = 0;
"""


def kernel(statements):
    return f"#define ROWS {len(statements)}u\n{HEAD}" + "".join(f"  {{ {s} }}\n  row++;\n" for s in statements) + "}\n"


class Conditionals(pairs.Case):
    def setUp(self):
        super().setUp()
        self.write("beside.cuh", "#pragma once\n")

    def rows(self, statements, more=""):
        """Beside what has no conditional expression."""
        self.write("plain.cu", kernel(["to[row * 64 + t] = v;"] * len(statements)))
        self.write("rows.cu", kernel(statements))
        self.pair(f"rows.cu plain.cu -b cpu --entry rows --in x:float32:n --out y:float32:n --group 64 --groups 2 "
                  f"-n {128 * len(statements)} --json r.json {more}")
        self.assertEqual([(r["outcome"], r["verified"], r["remark"]) for r in self.own("r.json")], [("ok", True, None)] * 2)

    def test_rows(self):
        self.rows(ROWS)

    def test_rows_watched(self):
        """What is watched has more values that are kept."""
        self.rows(ROWS, "--check races,memory")

    def test_lines(self):
        """Messages name the line and the file of the source itself."""
        self.write("rows.cu", "\ufeff" + kernel([ROWS[0]]).replace("  row++;", "  row++; undeclared++;"))
        line = kernel([ROWS[0]]).split("  row++;")[0].count("\n") + 1
        self.write("plain.cu", kernel(["to[row * 64 + t] = v;"]))
        _, err = self.pair("rows.cu plain.cu -b cpu --entry rows --in x:float32:n --out y:float32:n --group 64 --groups 2 -n 128", 2)
        self.assertRegex(err, rf"/rows\.cu:{line}:\d+: error: .*undeclared")


if __name__ == "__main__":
    results.main()
