"""reproducible.py: two builds of one source in two folders are equal, byte by byte: both libraries, a shader, a module of a CUDA kernel for
the processor, and objects of the program, among them those that know the build's compilers, flags and commit."""

import filecmp
import os
import shutil
import subprocess
import tempfile
import unittest

from installing import Settings, main, run

PARTS = ["libxbench.a", "shaders/reduce/9_single_pass.float32.64.spv", "cpu/reduce/9_single_pass.so"]
OBJECTS = ["bench/CMakeFiles/xb_bench.dir/result/result.c.o", "bench/CMakeFiles/xb_bench.dir/commands/command_list.c.o",
           "bench/CMakeFiles/xb_bench.dir/compile/cache.c.o", "bench/CMakeFiles/xbench.dir/main.c.o"]


class Reproducible(unittest.TestCase):
    def build(self, place):
        """A folder of another length, another date of every file, and another order of the folder's entries."""
        source = os.path.join(self.folder, place, "source")
        names = subprocess.run(["git", "-C", Settings.source, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True,
                               check=True).stdout.split("\n")[:-1]
        for name in sorted(names, reverse=len(place) % 2 == 0):
            if os.path.isfile(os.path.join(Settings.source, name)):
                os.makedirs(os.path.dirname(os.path.join(source, name)), exist_ok=True)
                shutil.copy(os.path.join(Settings.source, name), os.path.join(source, name))
        built = []
        # Objects of the program wait for all kernels and shaders: those are taken from this build.
        for name, targets, options in (("out", ["xbench_shared", *PARTS], []), ("o2", OBJECTS, [f"-DXB_DEVICE_CODE={Settings.build}"])):
            build = os.path.join(source, name)
            run([Settings.cmake, "-G", "Ninja", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DXB_TESTS=OFF", "-DXB_CUDA_KERNELS=nvrtc",
                 f"-DCMAKE_C_COMPILER={Settings.cc}", f"-DCMAKE_CXX_COMPILER={Settings.cxx}", *options], environment={"CCACHE_DISABLE": "1"})
            run(["ninja", "-C", build, *targets], environment={"CCACHE_DISABLE": "1"})
            built += [os.path.join(build, part) for part in [*targets, "generated/version.h"] if part != "xbench_shared"]
        return [os.path.realpath(os.path.join(source, "out", "lib", "libxbench.so"))] + built

    def test_two_folders(self):
        self.folder = tempfile.mkdtemp(prefix="xbench-reproducible-")
        self.addCleanup(shutil.rmtree, self.folder)
        first, second = self.build("a"), self.build("another/place")
        unlike = [one for one, other in zip(first, second) if not filecmp.cmp(one, other, shallow=False)]
        self.assertEqual(unlike, [])
        for path in first:
            with open(path, "rb") as file:
                self.assertNotIn(self.folder.encode(), file.read(), path)


if __name__ == "__main__":
    main()
