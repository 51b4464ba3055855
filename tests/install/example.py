"""example.py: builds examples/saxpy outside the source tree, as a user does, with CMake and make and with both libraries,
and runs it on every device; then does so again after the prefix was moved. Also builds and runs examples/hello."""

import os
import re
import shutil
import subprocess
import sys

from installing import Installed, Settings, main, run

SOURCE = "share/doc/xbench/examples/saxpy"
REQUIRED = {"cuda", "vulkan"} & set(os.environ.get("XB_REQUIRE", "").split(","))

EMULATED = {"XB_NO_EMULATION": "0"}


class Example(Installed):
    def check(self, said):
        """Checks that every device gave the right result, and that every required backend has a device."""
        devices = re.findall(r"^(\w+), [^\n]*: (.*)$", said, re.M)
        self.assertTrue(devices, said)
        for _, outcome in devices:
            self.assertRegex(outcome, r"^1048576 elements, [0-9.]+ us, right$")
        for backend in REQUIRED | ({"cpu"} if self.has_cpu() else set()):
            self.assertIn(backend, [name for name, _ in devices], said)
        return devices

    def has_cpu(self):
        return os.path.exists(os.path.join(self.prefix, "include/xb/cpu/xb_cpu.h"))

    def by_cmake(self, name, library):
        build = os.path.join(self.folder, name)
        run([Settings.cmake, "-S", os.path.join(self.prefix, SOURCE), "-B", build, "-DCMAKE_BUILD_TYPE=Release",
             f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_C_COMPILER={Settings.cc}", f"-DXBENCH_LIBRARY={library}"])
        run([Settings.cmake, "--build", build])
        self.check(run([os.path.join(build, "saxpy"), build], environment=EMULATED))
        return build

    def by_make(self, name, *arguments):
        build = os.path.join(self.folder, name)
        os.mkdir(build)
        run(["make", "-f", os.path.join(self.prefix, SOURCE, "Makefile"), f"CC={Settings.cc}",
             "CFLAGS=-Wall -Wextra -Wpedantic -Werror", *arguments], environment=self.pkg_config_path(), cwd=build)
        self.check(run(["./saxpy"], cwd=build, environment=EMULATED))
        self.assertEqual(arguments != ("STATIC=1",), "libxbench.so.8" in run(["readelf", "-d", build + "/saxpy"]))
        return build

    def test_both_ways(self):
        built = self.by_cmake("cmake", "xbench::xbench")
        self.by_make("make", "STATIC=1")

        moved = os.path.join(self.folder, "moved", "to", "here")
        os.makedirs(os.path.dirname(moved))
        os.rename(self.prefix, moved)
        self.prefix, self.libraries = moved, os.path.join(moved, "lib")
        run([os.path.join(built, "saxpy"), built], expected=127)  # the library was moved
        self.check(run([os.path.join(built, "saxpy"), built], environment={"LD_LIBRARY_PATH": self.libraries, **EMULATED}))
        self.by_cmake("cmake again", "xbench::static")
        self.by_make("make_again")

    def test_group_size_and_written_input(self):
        """The processor refuses a group size that the kernel is not written for, and finds a write to what is only read."""
        if not self.has_cpu():
            self.skipTest("this build has no backend cpu")
        folder = os.path.join(self.folder, "wrong")
        shutil.copytree(os.path.join(self.prefix, SOURCE), folder)
        command, = [line.replace("PREFIX", self.prefix) for line in self.documented() if line.startswith("c++ ")]
        make = ["make", f"CC={Settings.cc}", "saxpy"]
        for file, old, new, found in (
                ("saxpy.c", "GROUP = 256", "GROUP = 128", "the code has groups of 256 x 1 x 1 threads, the description has 128 x 1 x 1"),
                ("saxpy.cu", "y[id] = ", "const_cast<float *>(x)[id] = y[id] = ", "kernel saxpy wrote to binding 0, 'x', which is declared as read")):
            path = os.path.join(folder, file)
            with open(path, encoding="utf-8") as source:
                right = source.read()
            self.assertIn(old, right)
            for text, expected in ((right.replace(old, new), f"cpu, [^\n]*: FAILED: [^\n]*{found}"), (right, r"cpu, [^\n]*, right\n")):
                with open(path, "w", encoding="utf-8") as source:
                    source.write(text)
                run(make, environment=self.pkg_config_path(), cwd=folder)
                run(["sh", "-c", command], cwd=folder)
                self.assertRegex(run(["./saxpy"], None, cwd=folder, environment=EMULATED), expected)

    def documented(self):
        """The lines of code in docs/library.md."""
        with open(os.path.join(self.prefix, "share/doc/xbench/docs/library.md"), encoding="utf-8") as file:
            return re.sub(r"\\\n +", "", "\n".join(re.findall(r"^    (.*)$", file.read(), re.M))).split("\n")

    def test_documented(self):
        """The commands in docs/library.md work."""
        lines = self.documented()
        folder = os.path.join(self.folder, "typed")
        shutil.copytree(os.path.join(self.prefix, SOURCE), folder)
        path = os.path.dirname(Settings.nvcc) + ":" + os.environ["PATH"] if Settings.nvcc else os.environ["PATH"]
        commands = [line.replace("PREFIX", self.prefix) for line in lines
                    if line.startswith(("cc ", "glslc ", "c++ ")) or (line.startswith("nvcc ") and Settings.nvcc)]
        self.assertEqual([command.split()[0] for command in commands][:2], ["cc", "glslc"])
        for command in commands:
            run(["sh", "-c", command], environment={"PATH": path, **self.pkg_config_path()}, cwd=folder)
        self.check(run(["./saxpy"], cwd=folder, environment=EMULATED))
        with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write("cmake_minimum_required(VERSION 3.16)\nproject(typed LANGUAGES C)\nadd_executable(saxpy saxpy.c "
                       "code.c)\n" + "\n".join(line for line in lines if line.endswith(")") and "$" not in line))
        run([Settings.cmake, "-S", folder, "-B", folder + "/build", f"-DCMAKE_PREFIX_PATH={self.prefix}"])
        run([Settings.cmake, "--build", folder + "/build"])
        self.check(run(["build/saxpy", "."], cwd=folder, environment=EMULATED))

    def test_hello(self):
        """The smallest program: its text is right on every backend that has a device."""
        build = os.path.join(self.folder, "hello")
        run([Settings.cmake, "-S", os.path.join(self.prefix, os.path.dirname(SOURCE), "hello"), "-B", build,
             f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_C_COMPILER={Settings.cc}",
             "-DCMAKE_C_FLAGS=-Wall -Wextra -Wpedantic -Werror"])
        run([Settings.cmake, "--build", build])
        for backend, code in ("vulkan", "hello.spv"), ("cuda", "hello.fatbin"):
            if not os.path.exists(os.path.join(build, code)):
                continue
            said = run([os.path.join(build, "hello"), backend, os.path.join(build, code)],
                       None if backend not in REQUIRED else 0)
            self.assertTrue(said == "khoorzruog\n" or backend not in REQUIRED and "\n" in said, said)
        run([os.path.join(build, "hello")], 1)

    def test_nothing_to_run_on(self):
        """Without a device, the program reports it and fails."""
        build = os.path.join(self.folder, "make")
        os.mkdir(build)
        run(["make", "-f", os.path.join(self.prefix, SOURCE, "Makefile"), f"CC={Settings.cc}", "saxpy"],
            environment=self.pkg_config_path(), cwd=build)
        nothing = {"VK_DRIVER_FILES": "/etc/passwd/none", "VK_ICD_FILENAMES": "/etc/passwd/none", "CUDA_VISIBLE_DEVICES": ""}
        said = run([os.path.join(build, "saxpy")], 3, environment=nothing)
        self.assertRegex(said, r"^cuda: [^\n]+\nvulkan: [^\n]+\nd3d12: [^\n]+\n(cpu: [^\n]+\n)?there is no device to run on\n$")


if __name__ == "__main__":
    probe = subprocess.run([sys.argv[1].partition("=")[2], "list", "devices"], stdout=subprocess.PIPE, text=True,
                           check=False)
    if probe.returncode == 3 and not REQUIRED:
        print(probe.stdout)
        sys.exit(77)
    main()
