"""make.py: builds the libraries with Make, which is CMake's default here. Unlike Ninja, Make fails or skips a step if a
dependency between targets is missing."""

import os
import shutil
import sys
import tempfile
import unittest

from installing import Settings, files_of, main, run


class Make(unittest.TestCase):
    def test_libraries(self):
        folder = tempfile.mkdtemp(prefix="xbench-make-")
        self.addCleanup(shutil.rmtree, folder)
        run([Settings.cmake, "-S", Settings.source, "-B", folder, "-G", "Unix Makefiles", "-DXB_TESTS=OFF",
             "-DCMAKE_C_COMPILER=" + Settings.cc, "-DCMAKE_CXX_COMPILER=" + Settings.cxx])
        run([Settings.cmake, "--build", folder, "--parallel", "2", "--target", "xbench_static", "xbench_shared"])
        built = {os.path.basename(path) for path in files_of(folder)}
        self.assertLessEqual({"libxbench.a", "libxbench.so"}, built)


if __name__ == "__main__":
    if not shutil.which("make"):
        print("skipped: make is not installed")
        sys.exit(77)
    main()
