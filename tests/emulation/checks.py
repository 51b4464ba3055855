"""checks.py XBENCH SCHEMA ROOT: --check finds races, wrong accesses and results that depend on an order; gdb stops in a kernel."""

import os
import re
import shutil
import subprocess
import sys
import unittest

import pairs
import patience
import results

PROGRAM = os.path.abspath(sys.argv[1])
SOFTMAX = """extern "C" __global__ void softmax(const float *in, float *out)
{
  __shared__ float part[256];
  const unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t] = in[i];
  for (unsigned s = 128; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s)
      part[t] = fmaxf(part[t], part[t + s]);
  }
  __syncthreads();
  const float largest = part[0];
  BARRIER
  part[t] = expf(in[i] - largest);
  for (unsigned s = 128; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s)
      part[t] += part[t + s];
  }
  __syncthreads();
  out[i] = expf(in[i] - largest) / part[0];
}
"""
CHAIN = """extern "C" __global__ void chain(const float *in, float *out, unsigned *flags)
{
  if (threadIdx.x == 0) {
    while (blockIdx.x > 0 && atomicAdd(&flags[blockIdx.x - 1], 0u) == 0) {
    }
    out[blockIdx.x] = in[blockIdx.x] + (blockIdx.x ? out[blockIdx.x - 1] : 0.0f);
    __threadfence();
    atomicExch(&flags[blockIdx.x], 1u);
  }
}
"""
# The block waits for the one before it.
SPIN = """__device__ volatile int flags[64];
extern "C" __global__ void spin(const float *in, float *out)
{
  const unsigned b = blockIdx.x, i = b * 256 + threadIdx.x;
  if (b > 0 && threadIdx.x == 0) {
    while (flags[b - 1] == 0) {
    }
    flags[b - 1] = 0;
  }
  __syncthreads();
  out[i] = in[i];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && b + 1 < gridDim.x)
    flags[b] = 1;
}
"""
# A lane's struct goes to a function that is not inlined, straight from shared memory.
PASSED = """struct cell { int key; float weight; };
__device__ __noinline__ float taken(cell a, cell b) { return a.key == b.key ? a.weight : b.weight - a.weight; }
__device__ float again(cell a, int times) { return times > 3 ? again(a, times - 1) + a.weight : a.weight; }
__device__ float key(cell a) { return a.key; }
__device__ float weight(cell a) { return a.weight; }
__device__ float (*const both[])(cell) = {key, weight};
struct shape { __device__ virtual float of(cell a) const { return a.weight; } };
struct twice : shape { __device__ float of(cell a) const override { return 2 * a.weight; } };
extern "C" __global__ void passed(const cell *in, float *out, int times)
{
  __shared__ cell row[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  WRITES
  BARRIER
  const cell own = {t, 1.0f};
  out[i] = WHAT;
}
"""
# The last warp of a reduction as the decks have it: without barriers, with `volatile` or without.
LAST_WARP = """HELPER
extern "C" __global__ void sums(const int *in, int *out)
{
  __shared__ int sdata[128];
  const unsigned tid = threadIdx.x, i = blockIdx.x * 256 + tid;
  sdata[tid] = in[i] + in[i + 128];
  __syncthreads();
  if (tid < 64)
    sdata[tid] += sdata[tid + 64];
  __syncthreads();
  if (tid < 32) {
    STEPS
  }
  if (tid == 0)
    out[blockIdx.x] = sdata[0];
}
"""
STEPS = " ".join(f"sdata[tid] += sdata[tid + {s}];" for s in (32, 16, 8, 4, 2, 1))
VOLATILE = "__device__ void warpReduce(volatile int *sdata, unsigned tid) { " + STEPS + " }"
ROWS = "--unchecked -b cpu --in in:float32 --out out:float32 --group 256 --groups n/256 -n 1024"
STRUCTS = "--unchecked -b cpu --in in --out out:float32 --arg times=n --group 128 --groups n/128 -n 1024"
BLOCKS = ("--unchecked -b cpu --in in:float32 --out out:float32:n/256 --inout flags:uint32:n/256:constant(0) --group 256 --groups n/256 "
          "-n 1024")


class Checks(pairs.Case):
    def softmax(self, barrier, exit_code, more):
        self.write("softmax.cu", SOFTMAX.replace("BARRIER", barrier))
        return self.pair(f"softmax.cu {ROWS} {more}", exit_code)

    def test_race(self):
        """The result is right without the barrier; only the race tells, also in the document."""
        self.softmax("", 0, "")
        _, err = self.softmax("", 1, "--check races --json r.json")
        self.assertRegex(err, r"race: kernel softmax, byte 0 of shared memory 'part': block \(0, 0, 0\), thread \(\d+, 0, 0\) "
                              r"reads at \S*softmax.cu:12; block \(0, 0, 0\), thread \(0, 0, 0\) writes at \S*softmax.cu:14")
        own = self.own("r.json")
        self.assertEqual([r["outcome"] for r in own], ["failed"])
        self.assertIn("race: kernel softmax", own[0]["error"])
        self.softmax("__syncthreads();", 0, "--check races,memory,order")

    def test_traps(self):
        """A kernel that is wrong is told with the traps that the guide's scan names, and a right one without."""
        self.write("right.npy", pairs.npy([256] * 4, "<i4"))
        rows = ("sums.cu -b cpu --in in:int32:n:constant(1) --out out:int32:n/256 --group 128 --groups n/256 -n 1024 "
                "--reference out=right.npy")
        for helper, steps, found in ((VOLATILE, "warpReduce(sdata, tid);", "volatile shared"), ("", STEPS, "steps without a barrier")):
            self.write("sums.cu", LAST_WARP.replace("HELPER", helper).replace("STEPS", steps))
            _, err = self.pair(rows, 1)
            told = re.search(r"pair: \S*sums\.cu: look for these traps: (.*); 'xbench guide TRAP'", err)
            self.assertTrue(told, err)
            self.assertIn(f"trap-lockstep-steps ({found}, line ", told[1])
            scan = subprocess.run([PROGRAM, "guide", "--scan", "sums.cu"], capture_output=True, text=True, check=True,
                                  cwd=self.folder)
            self.assertEqual(re.findall(r"(trap-[\w-]+) \(", told[1]), re.findall(r"^trap +(trap-[\w-]+):", scan.stdout, re.M))
        tree = " ".join(f"if (tid < {s}) sdata[tid] += sdata[tid + {s}]; __syncwarp();" for s in (32, 16, 8, 4, 2, 1))
        self.write("sums.cu", LAST_WARP.replace("HELPER", "").replace("STEPS", tree))
        self.assertNotIn("look for these traps", self.pair(rows, 0)[1])

    def test_structs_by_value(self):
        """g++ does not instrument the copy that a call makes; an array that nothing writes is no constant."""
        for writes, barrier, index, found in (("row[t] = in[i];", "__syncthreads();", "127 - t", None),
                                              ("row[t] = in[i];", "", "127 - t", r"race: kernel passed, byte \d+ of shared memory 'row'.* reads at \S*passed.cu:16"),
                                              ("row[t] = in[i];", "__syncthreads();", "128 + t", r"an index is outside of its array, at \S*passed.cu:16"),
                                              ("", "", "t", r"that no thread has written yet at \S*passed.cu:16")):
            what = f"taken(own, row[{index}])"
            self.write("passed.cu", PASSED.replace("WRITES", writes).replace("BARRIER", barrier).replace("WHAT", what))
            checks = "races" if found and "race" in found else "memory"
            _, err = self.pair(f"passed.cu {STRUCTS} --check {checks}", 1 if found else 0)
            self.assertRegex(err, found or "^")

    def test_structs_that_are_not_seen(self):
        """A call that g++ cannot compile into the kernel, itself or through a pointer, is named. clang++ instruments all."""
        clang = "clang" in os.path.realpath(shutil.which("c++"))
        for what, names in (("again(row[127 - t], times + 4)", "again(cell, int)"),
                            ("(times ? key : weight)(row[127 - t])", "key(cell), weight(cell)"),
                            ("both[times & 1](row[127 - t])", "key(cell), weight(cell)"),
                            ("(times ? (const shape &)twice() : shape()).of(row[127 - t])", "shape::of(cell) const, twice::of(cell) const")):
            self.write("passed.cu", PASSED.replace("WRITES", "row[t] = in[i];").replace("BARRIER", "__syncthreads();").replace("WHAT", what))
            out, _ = self.pair(f"passed.cu {STRUCTS} --check races --json r.json")
            remark = self.own("r.json")[0]["remark"]
            if clang:
                self.assertIsNone(remark)
                continue
            said, _, named = remark.partition(": ")
            self.assertEqual(said, "--check does not see the structs that these functions take by value")
            self.assertEqual(sorted(named.split(", ")), names.split(", "))
            self.assertIn(remark, out)

    def test_order_of_what_nothing_checks(self):
        out, _ = self.softmax("__syncthreads();", 0, "--check order")
        self.assertIn("order: the same in 8 other orders of threads and blocks; nothing checks the result itself", out)

    def test_order_of_sides_that_differ(self):
        """Each side is compared with itself; a result that depends on the order is found beside the difference of the sides."""
        head = "extern \"C\" __global__ void k(const float *x, float *y, unsigned *turns)\n{\n  const unsigned i = blockIdx.x * 64 + threadIdx.x;\n"
        self.write("a.cu", head + "  const unsigned turn = atomicAdd(turns, 1);\n  y[i] = x[i] + turn;\n}\n")
        self.write("b.cu", head + "  atomicAdd(turns, 1);\n  y[i] = x[i];\n}\n")
        self.write("c.cu", head + "  atomicAdd(turns, 1);\n  y[i] = 2 * x[i];\n}\n")
        words = "--backend cpu --in x:float32:n:uniform --out y --inout turns:uint32:1:constant(0) --groups n/64 --group 64 -n 1024 --check order"
        out, _ = self.pair(f"b.cu c.cu {words}", 1)
        self.assertIn("order: wrong in default order; the same results in 8 other orders of threads and blocks", out)
        for first, second in ("ab", "ba"):
            _, err = self.pair(f"{first}.cu {second}.cu {words}", 1)
            self.assertRegex(err, r"order: wrong in default order, and different results with seed 1 \(smallest failing; XB_ORDER=1 repeats it\): "
                                  r"\w+/[12] on cpu: y\[\d+\] is .*, its first run has ")

    def test_memory(self):
        _, err = self.softmax("if (blockIdx.x == 3 && t == 255) out[i + 1000] = 0;", 1, "--check memory")
        self.assertIn("block (3, 0, 0), thread (255, 0, 0) writes 4 bytes outside at softmax.cu:13: word 2023 of binding 1, 'out'", err)

    def test_order(self):
        self.write("chain.cu", CHAIN)
        self.pair(f"chain.cu {BLOCKS} --check races,memory")
        _, err = self.pair(f"chain.cu {BLOCKS} --check order", 1)
        self.assertRegex(err, r"differs from the result in default order with seed 1 \(smallest failing; XB_ORDER=1 repeats it\): chain/1 on cpu: .*thread \(0, 0, 0\) "
                              r"waits forever: it relies on the order of blocks, which CUDA does not define, at \S*chain.cu:\d+")

    def test_copies(self):
        """What a call copies is seen, also where a compiler would write the copy itself; so is what nobody waited for."""
        copies = {"memcpy": ("if (threadIdx.x == 0) memcpy(part, in + 256 * blockIdx.x, sizeof part);", "__syncthreads();"),
                  "group": ("cooperative_groups::memcpy_async(block, part, in + 256 * blockIdx.x, sizeof part);", "cooperative_groups::wait(block);"),
                  "barrier": ("cuda::memcpy_async(block, part, in + 256 * blockIdx.x, cuda::aligned_size_t<16>(sizeof part), bar);",
                              "bar.arrive_and_wait();")}
        for name, (copy, wait) in copies.items():
            for waits in (wait, ""):
                self.write(f"{name}.cu", f"""#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
__global__ void turn(const float *in, float *out)
{{
  __shared__ float part[256];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  const auto block = cooperative_groups::this_thread_block();
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  block.sync();
  {copy}
  {waits}
  out[blockIdx.x * 256 + threadIdx.x] = part[255 - threadIdx.x];
}}
""")
                _, err = self.pair(f"{name}.cu {ROWS} --check races,memory", 0 if waits else 1)
                self.assertEqual("of shared memory 'part'" in err, not waits, err)

    def test_order_of_a_spin(self):
        self.write("spin.cu", SPIN)
        _, err = self.pair(f"spin.cu {ROWS} --check races,memory,order", 1)
        self.assertRegex(err, r"waits forever: it relies on the order of blocks, which CUDA does not define, at \S*spin.cu:6")
        _, err = self.pair(f"spin.cu {ROWS} --check order --wait-limit 1", 1)
        self.assertRegex(err, r"was stopped: .*at \S*spin.cu:6; [123] of 4 blocks had not begun: if it waits for one of these, "
                              r"it relies on the order of blocks")

    def test_null(self):
        for write, checks in (("*(float *)20 = 1", "memory"), ("memset((void *)20, 1, 64)", "races")):
            _, err = self.softmax(f"__syncthreads(); if (i == 77) {write};", 1, f"--check {checks}")
            self.assertRegex(err, r"thread \(77, 0, 0\) writes outside of all buffers, at \S*softmax.cu:13")

    def test_own_kernel(self):
        self.run_to_end("-q -b cpu --check races,memory -n 1003 --min-time 0.0005 reduce/9", 0)

    def test_bad_words(self):
        _, err = self.run_to_end("--check racs -n 1024 reduce/1", 2)
        self.assertIn("--check: 'racs': expected races, memory or order", err)
        _, err = self.run_to_end("-b vulkan --check races -n 1024 reduce/1", 3)
        self.assertIn("none of the chosen APIs is emulated", err)

    def test_debugger(self):
        """The session of docs/cuda-without-a-gpu.md."""
        if not shutil.which("gdb"):
            self.skipTest("gdb is not installed")
        self.write("softmax.cu", SOFTMAX.replace("BARRIER", ""))
        place = "*(int *)(((long)$sp & -0x10000000) + 8) == 2 && **(int **)((long)$sp & -0x10000000) == 5"
        command = ["gdb", "-batch", "-nx", "-ex", "set environment XB_ONE_PROCESS 1", "-ex", "set breakpoint pending on", "-ex", f"break softmax.cu:14 if {place}",
                   "-ex", "run", "-ex", f"print {place}", "--args", PROGRAM, "pair", "softmax.cu"] + ROWS.split()
        said = subprocess.run(command, cwd=self.path(""), capture_output=True, text=True, timeout=patience.S, check=False)
        self.assertRegex(said.stdout, r"hit Breakpoint 1.*softmax.cu:14", said.stderr)
        self.assertRegex(said.stdout, r"\$1 = (true|1)")


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    results.main()
