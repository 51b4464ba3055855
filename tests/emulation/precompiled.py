"""precompiled.py XBENCH SCHEMA ROOT: the headers that stand for CUDA's are precompiled once, and used only while they are what the compiler
would read. The compiler is a script that writes down what it is asked for."""

import glob
import os
import re
import shutil
import unittest

import pairs
import results

COMPILER = shutil.which("c++")
KERNEL = """#include <time.h>
__global__ void fill(float *y, unsigned n)
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = VALUE;
}
"""


class Precompiled(pairs.Case):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("bin"))
        os.mkdir(self.path("system"))
        self.header(0)
        self.compiler(f'exec {COMPILER} -isystem {self.path("system")} "$@"')
        self.number = 0

    def header(self, number):
        self.write("system/time.h", f"#include_next <time.h>\n#define OF_HEADER {number}\n")

    def compiler(self, last):
        self.write("bin/c++", f'#!/bin/sh\necho "$@" >> {self.path("asked")}\n{last}\n')
        os.chmod(self.path("bin/c++"), 0o755)

    def words(self, more, name="k"):
        self.number += 1
        self.write(f"{name}.cu", KERNEL.replace("VALUE", f"1000.0f * {self.number} + OF_HEADER"))
        return f"{name}.cu --out y --arg n --group 64 --unchecked --backend cpu -n 64 --save y={name}.npy {more}"

    def environment(self, cache="cache"):
        return {"env": {**os.environ, "XDG_CACHE_HOME": os.path.join(self.folder, cache), "PATH": f"{self.path('bin')}:{os.environ['PATH']}"}}

    def fill(self, header, more="", **how):
        """Compiles a new kernel, and returns what the compiler was asked for: to make the headers, to use them, to compile in all."""
        if os.path.exists(self.path("asked")):
            os.remove(self.path("asked"))
        self.pair(self.words(more), **self.environment(**how))
        self.assertEqual(pairs.read_npy(self.path("k.npy"))[1], [1000.0 * self.number + header] * 64)
        with open(self.path("asked"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        return [sum(word in line for line in lines) for word in ("c++-header", f"-I{self.path('cache')}/xbench/precompiled-", " -c ")]

    def made(self):
        path, = glob.glob(self.path("cache/xbench/precompiled-*/*.gch"))
        return path

    def test_use(self):
        """The first kernel is compiled without, the second one makes it; each is compiled once. Other options: not used."""
        self.assertEqual(self.fill(0), [0, 0, 1])
        self.assertEqual(self.fill(0), [1, 1, 1])
        self.assertEqual(self.fill(0), [0, 2, 1]) # the preprocessor, and the compiler
        self.assertEqual(self.fill(0, "--flag -DUNUSED=3"), [0, 2, 1])
        self.assertEqual(self.fill(0, "--flag -std=c++20"), [0, 0, 1])
        for _ in range(3): # also of what is measured beside it; what is linked to it is compiled once
            made, _, compiled = self.fill(0, "--check memory")
        self.assertEqual((made, compiled), (0, 1))
        self.header(1)
        self.assertEqual(self.fill(1), [1, 1, 1])
        self.header(0)
        self.compiler(f'true\nexec {COMPILER} -isystem {self.path("system")} "$@"')
        self.assertEqual(self.fill(0), [0, 0, 1])

    def test_damaged(self):
        """Made again where its size or its time is another one; where they are not, and the compiler fails, left out for good."""
        self.fill(0)
        self.fill(0)
        for damage in (lambda data: data[:-1000], lambda data: b"", lambda data: b"x" * len(data)):
            with open(self.made(), "rb") as file:
                data = file.read()
            with open(self.made(), "wb") as file:
                file.write(damage(data))
            self.assertEqual(self.fill(0), [1, 1, 1])
        status = os.stat(self.made())
        with open(self.made(), "r+b") as file:
            file.seek(4096)
            file.write(b"x" * (status.st_size - 4096))
        os.utime(self.made(), ns=(status.st_atime_ns, status.st_mtime_ns))
        self.fill(0)
        self.assertEqual(self.fill(0)[0], 0)

    def test_at_once(self):
        """Two processes make it."""
        self.fill(0)
        running = [self.start(f"pair {pairs.QUICK} {self.words('', name)}", **self.environment()) for name in ("a", "b")]
        for process in running:
            out, err = process.communicate()
            self.assertEqual(process.returncode, 0, out + err)
        for number, name in enumerate(("a", "b")):
            self.assertEqual(pairs.read_npy(self.path(f"{name}.npy"))[1], [1000.0 * (2 + number)] * 64)
        self.assertEqual(len(glob.glob(self.path("cache/xbench/precompiled-*"))), 1)
        self.assertEqual(self.fill(0), [0, 2, 1])

    def test_refused(self):
        """A compiler that does not make it is asked once, and one that is killed meanwhile again."""
        self.compiler(f'case "$*" in *c++-header*) echo no >&2; exit 1;; esac\nexec {COMPILER} -isystem {self.path("system")} "$@"')
        self.assertEqual([self.fill(0) for _ in range(3)], [[0, 0, 1], [1, 0, 1], [0, 0, 1]])
        self.write("killed", "")
        self.compiler(f'case "$*" in *c++-header*) [ ! -e {self.path("killed")} ] || kill -9 $$;; esac\nexec {COMPILER} -isystem {self.path("system")} "$@"')
        self.assertEqual([self.fill(0) for _ in range(3)], [[0, 0, 1], [1, 0, 1], [1, 0, 1]])
        os.remove(self.path("killed"))
        self.assertEqual(self.fill(0), [1, 1, 1])

    def test_no_cache(self):
        self.assertEqual([self.fill(0, cache="/proc/none") for _ in range(3)], [[0, 0, 1]] * 3)

    def test_mistake(self):
        """Its message is the same with and without; a mistake of the source is none of the compiler's."""
        said = []
        for _ in range(3):
            words = self.words("")
            self.write("k.cu", KERNEL.replace("VALUE", "not_there"))
            said.append(re.sub("/tmp/xbench-[^/]*/unit", "unit", self.pair(words, 2, **self.environment())[1]))
            self.fill(0)
        self.assertIn("k.cu:6:12: error: ", said[0])
        self.assertEqual(said[1:], said[:1] * 2)
        self.assertEqual(self.fill(0), [0, 2, 1])

    def test_included_again(self):
        """A source includes the header itself: it is compiled with its host code, too, and its mistakes keep their lines."""
        for _ in range(3):
            words = self.words("")
            self.write("k.cu", "#include <cuda_runtime.h>\n" + KERNEL.replace("VALUE", "1.0f").replace("unsigned n", "not_there n"))
            self.assertIn("k.cu:3:32: error: ", self.pair(words, 2, **self.environment())[1])
            self.write("k.cu", "#include <cuda_runtime.h>\n#include <vector>\nstruct of_host { std::vector<int> v; };\n"
                       "__device__ float at(of_host *, int) { return 2.0f; }\n" + KERNEL.replace("VALUE", "at(nullptr, 0)"))
            self.pair(words, **self.environment())
            self.assertEqual(pairs.read_npy(self.path("k.npy"))[1], [2.0] * 64)

    def test_clang(self):
        """It does not see that a macro matters, so the user's macros are enough to leave it out."""
        if not shutil.which("clang++"):
            self.skipTest("clang++ is not installed")
        os.remove(self.path("bin/c++"))
        os.symlink(shutil.which("clang++"), self.path("bin/c++"))
        for _ in range(3):
            self.pair(self.words("").replace("--save", "--flag -DOF_HEADER=0 --save"), **self.environment())
        self.assertEqual(glob.glob(self.path("cache/xbench/precompiled-*")), [])
        for _ in range(3):
            words = self.words("")
            self.write("k.cu", KERNEL.replace("VALUE", f"1000.0f * {self.number}"))
            self.pair(words, **self.environment())
            self.assertEqual(pairs.read_npy(self.path("k.npy"))[1], [1000.0 * self.number] * 64)
        self.assertEqual(len(glob.glob(self.path("cache/xbench/precompiled-*/*.pch"))), 1)


if __name__ == "__main__":
    if not COMPILER:
        raise SystemExit(77)
    unittest.TestCase.maxDiff = None
    results.main()
