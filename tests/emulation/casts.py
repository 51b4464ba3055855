"""casts.py XBENCH SCHEMA ROOT: a cast of a float to an integer is CUDA's: out of range the nearest integer, by PTX's cvt."""

import math
import struct
import unittest

import pairs
import results

TYPES = {"char": (8, True), "signed char": (8, True), "unsigned char": (8, False), "short": (16, True), "unsigned short": (16, False),
         "int": (32, True), "unsigned": (32, False), "unsigned int": (32, False), "uint": (32, False), "long": (64, True),
         "unsigned long": (64, False), "long long": (64, True), "unsigned long long": (64, False), "size_t": (64, False),
         "int8_t": (8, True), "uint8_t": (8, False), "int16_t": (16, True), "uint16_t": (16, False), "int32_t": (32, True),
         "uint32_t": (32, False), "int64_t": (64, True), "uint64_t": (64, False), "std::uint32_t": (32, False)}
VALUES = (math.nan, math.inf, -math.inf, 3e9, -3e9, -1.0, -0.75, 0.75, 2.0**31, -(2.0**31), 2.0**32, 2.0**63, -(2.0**63), 2.0**64, 300.0,
          -300.0, 70000.0, 1e30, 5e18, -0.0, 2147483583.0, 4294967040.0)


def converted(value, double, bits, signed):
    """What CUDA makes of it: 32 or 64 bits by cvt, and the low bits for fewer; 64 bits with the sign extended."""
    wide = max(bits, 32)
    least, most = (-(1 << wide - 1), (1 << wide - 1) - 1) if signed else (0, (1 << wide) - 1)
    if math.isnan(value):
        number = 1 << wide - 1 if double or wide == 64 else 0
    else:
        number = min(max(value, least), most) if math.isinf(value) else min(max(int(value), least), most)
    number = int(number) & ((1 << bits) - 1)
    return (number - (1 << bits) if signed and number >> bits - 1 else number) & ((1 << 64) - 1)


def constants(name, words):
    return f"__constant__ unsigned {name}[] = {{{', '.join(f'{w}u' for w in words)}}};\n"


def words_of(number):
    return [number & 0xffffffff, number >> 32]


HEAD = """#include <cstdint>
#include <cassert>
#include <cstdio>
#include <cuda_fp16.h>
#define CAST(x) (int)(x)
#define CALL(x) int(x)
#define FIRST (int)values[0]
#define SUM(x) ((unsigned)(x) + static_cast<unsigned>(x))
struct Pair { long long a, b; };
enum { FOUR = (int)4.5f };
__device__ int both(int a, int b) { return a - b; }
__device__ long long kind(int) { return 4; }
__device__ long long kind(long long) { return 8; }
__device__ long long of_class(float x);
template <int N> __device__ int add(int x) { return x + N; }
"""


class Casts(pairs.Case):
    def same(self, name, body, expected, more="", head=""):
        """Runs `body`, whose y has 64-bit numbers, beside a source that writes the expected ones."""
        words = [w for number in expected for w in words_of(number & (1 << 64) - 1)]
        signature = "extern \"C\" __global__ void casts(const float *x, unsigned *y)\n{\n"
        self.write(f"{name}.cu", f"{HEAD}{head}{signature}  if (threadIdx.x == 0) {{\n{body}\n  }}\n}}\n")
        self.write("expected.cu", f"{constants('expected', words)}{signature}"
                   f"  for (int i = threadIdx.x; i < {len(words)}; i += 64)\n    y[i] = expected[i];\n}}\n")
        out, err = self.pair(f"{name}.cu expected.cu -b cpu --entry casts --in x:float32:64 --out y:uint32:n --group 64 --groups 1 "
                             f"-n {len(words)} --json r.json {more}")
        self.assertEqual([(r["outcome"], r["verified"], r["error"]) for r in self.own("r.json")], [("ok", True, None)] * 2, out + err)
        return err

    def table(self, more=""):
        for word, code in (("float", "f"), ("double", "d")):
            values = [struct.unpack(code, struct.pack(code, v))[0] for v in VALUES]
            bits = [struct.unpack({"f": "I", "d": "Q"}[code], struct.pack(code, v))[0] for v in values]
            head = f"__constant__ {'unsigned' if code == 'f' else 'unsigned long long'} values[] = {{{', '.join(f'{b}ull' for b in bits)}}};\n"
            read = "__uint_as_float(values[i])" if code == "f" else "__longlong_as_double(values[i])"
            lines, forms = [], 0
            for name in TYPES:
                called = [f"{name}(v)"] if " " not in name else []
                for form in [f"({name})v", f"static_cast<{name}>(v)", *called]:
                    lines.append(f"    r = {form}; to[{2 * forms}] = unsigned(r); to[{2 * forms + 1}] = r >> 32;")
                    forms += 1
            expected = [converted(v, code == "d", *TYPES[name]) for v in values for name in TYPES
                        for _ in range(3 if " " not in name else 2)]
            body = (f"  for (int i = 0; i < {len(values)}; i++) {{\n    const {word} v = {read};\n    unsigned *to = y + i * {2 * forms};\n"
                    "    unsigned long long r;\n" + "\n".join(lines) + "\n  }")
            self.same(word, body, expected, more, head)

    def test_table(self):
        self.table()

    def test_table_watched(self):
        self.table("--check races,memory")

    def statements(self, lines, more="", head=""):
        """Each line writes r."""
        body = "  volatile float far = 3e9f + 0 * x[0], below = -1.5f, values[1] = {1e20f};\n  volatile double nan = 0 * x[0] / 0.0;\n"
        body += "\n".join(f"  {{ long long r = 0; {line} y[{2 * i}] = (unsigned)r; y[{2 * i + 1}] = (unsigned)(r >> 32); }}"
                          for i, (line, _) in enumerate(lines))
        return self.same("lines", body, [number for _, number in lines], more, head)

    def test_expressions(self):
        """It stays a number of its type, with the precedence of a cast."""
        most, least = 0x7fffffff, -0x80000000
        err = self.statements([
            ("auto a = (int)far; r = a;", most),
            ("r = kind((int)far) + 10 * kind((long long)far);", 84),
            ("r = sizeof((short)far) + sizeof(int) * 2;", 10),
            ("r = true ? (long long)far : 0;", 3000000000),  # not an int
            ("r = true ? (int)far : (short)1;", most),
            ("r = true ? (int)far : 0u;", most),
            ("r = false ? (unsigned)below : (int)below;", 0xffffffff),
            ("r = 1+(int)far-1;", most),
            ("r = 1 -(int)far;", -0x7ffffffe),
            ("r = -(int)far;", -most),
            ("r = ~(unsigned)below & 5;", 5),
            ("r = !(unsigned)below;", 1),
            ("r = (int)far / 2 * 2;", most - 1),
            ("r = (int)values[0];", most),
            ("r = (int)-far;", least),
            ("r = (int)(float)(int)far - 1;", most - 1),
            ("r = (unsigned char)(unsigned)below + (float)(unsigned)below;", 0),
            ("r = 3e9 == (double)(long long)far;", 1),
            ("r = CAST(far);", most),
            ("r = CALL(far) - 1;", most - 1),
            ("r = FIRST;", most),
            ("r = SUM(below);", 0),
            ("r = both(int(far), (int)far);", 0),
            ("int a[] = {(int)far, int(below), FOUR}; r = a[0] - a[1] + a[2] - 5;", most),
            ("Pair p = {(long long)far, (long long)below}; r = p.a + p.b;", 2999999999),
            ("switch (2) { case (int)2.5f: r = 9; }", 9),
            ("static const int n = (int)3.5f; int a[n]; r = sizeof a / 4;", 3),
            ("r = add<(int)2.5f>(1);", 3),
            ("auto f = [&](int) -> float { return far; }; r = (int)f(0);", most),
            ("auto f = [&]() { return (int)far; }; r = f();", most),
            ("int (*f)(int, int) = both; r = (*f)((int)far, 1);", most - 1),
            ("const void *p = x; r = (unsigned long long)p == (uint64_t)&x[0] && uintptr_t(p) == static_cast<size_t>((size_t)x);", 1),
            ("r = (int)__float2half(far) + (unsigned)__float2half(below);", most),
            ("r = (int)nan;", least),
            ("r = (unsigned long long)(float)nan;", -(1 << 63)),
            ("for (unsigned i = 0; i < unsigned(below) + 2; i++) r += i + 1;", 3),
            ("r = (x[0] < 2 ? x : x + 1)[(int)below + 1] == x[0];", 1),
            ("struct Bits { unsigned a : 3; } b = {5}; r = (int)b.a;", 5),
            ("enum class E { A = 6 }; r = (int)E::A + static_cast<int>(E::A);", 12),
            ("r = (far, (int)far);", most),
            ('printf("cast %d %llu %d\\n", (int)far, (unsigned long long)below, (unsigned char)300.0f);', 0),
            ("assert((int)2.5f == 2); r = (char)300.0f;", 44),
        ])
        self.assertIn("cast 2147483647 0 44", err)

    def test_declarations(self):
        """What looks like a cast and is none."""
        self.statements([("int (a) = 4; unsigned (*f)(int) = [](int) -> unsigned { return 2; }; r = a + f(1);", 6),
                         ("r = sizeof(int) * 2 + alignof(int) + int();", 12),
                         ("\n#pragma unroll (int)2\n  for (int i = 0; i < 2; i++)\n    r += i;", 1),
                         ("N n; r = n + (int)2.5f; r += n - 1;", 9), ("r = (int)far;", 0x7fffffff)],
                        head="struct N { int operator+(int) const { return 5; } int operator-(int); };\n"
                             "inline int N::operator-(int) { return 4; }\nextern \"C\" __device__ int outside(int);\n"
                             "template <class F> struct fn; template <class R, class A> struct fn<R(A)> { typedef R of; };\n"
                             "typedef fn<int(float)>::of integer; typedef int (*table[2])(int);\n")

    def test_refused_by_rewriting(self):
        """What is taken for a cast: the source compiles as it is."""
        self.statements([("r = (uint64_t)(long long (*)(int))kind != 0;", 1), ("int (b) = 4; b++; r = b;", 5),
                         ("for (int (i) = 0; i < 3; i++) r += i;", 3)],
                        head="extern \"C\" __device__ int other(int (x));\n")

    def test_implicit(self):
        """A conversion without a cast, and one in a header, still end the launch at their line."""
        self.write("beside.cuh", "__device__ int of(float v) {\n  return (int)v; }\n")
        self.write("plain.cu", "extern \"C\" __global__ void casts(const float *x, int *y) { y[threadIdx.x] = 1; }\n")
        for line, where in (("int a = v; y[threadIdx.x] = a;", r"cast\.cu:5"), ("y[threadIdx.x] = of(v);", r"beside\.cuh:2")):
            self.write("cast.cu", "#include \"beside.cuh\"\nextern \"C\" __global__ void casts(const float *x, int *y)\n{\n"
                       f"  const float v = 3e9f + 0 * x[0];\n  {line}\n}}\n")
            out, err = self.pair("cast.cu plain.cu -b cpu --entry casts --in x:float32:n --out y:int32:n --group 64 --groups 1 -n 64", None)
            clang = "is 2147483647" in out + err
            self.assertTrue(clang or "which CUDA saturates" in out + err, out + err)
            if not clang:
                self.assertRegex(out + err, where)


if __name__ == "__main__":
    results.main()
