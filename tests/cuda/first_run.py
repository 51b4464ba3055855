"""Kernels that NVRTC compiles when a run needs them. With a fake driver and a fake NVRTC: the cache, mistakes, what is said. With this
machine's NVRTC: it compiles what nvcc compiles. Arguments: the program, the tests' build folder, the source folder, 'all' for all kernels."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import patience
import terminals

ALL = sys.argv[4:] == ["all"]
XBENCH, BUILD, ROOT = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
del sys.argv[1:]
SAMPLE = ["--block=128", "copy", "reduce/9", "instructions/101", "tensor/1", "asynccopy/1", "textures/1"]
SHORT = ["--min-time=0.001", "--max-time=0.01"]


def includes(path):
    """Does it include a header of the toolkit, itself or through one of ours?"""
    for name in re.findall(r'^#include ([<"][^>"]+)', path.read_text(encoding="utf-8"), re.M):
        own = [folder / name[1:] for folder in (path.parent, ROOT / "kernels", ROOT / "bench/benchmarks" / path.parent.name) if (folder / name[1:]).is_file()]
        if name[0] == "<" and name != "<stdint.h" or any(includes(header) for header in own):
            return True
    return False


def source(row):
    return f"{row['kernel'].split('/')[0]}/{row['part']}" if row["part"] else row["kernel"]


NEED = {f"{path.parent.name}/{path.stem}" for path in (ROOT / "kernels").glob("*/*.cu") if path.parent.name != "guide" and includes(path)}


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.calls = pathlib.Path(self.folder.name) / "calls"

    def environment(self, nvrtc, **more):
        none = pathlib.Path(self.folder.name) / "none"
        return {**os.environ, "LD_LIBRARY_PATH": f"{BUILD}/fake:{BUILD}/{nvrtc}", "XB_NVRTC": "1", "FAKE_NVRTC_CALLS": str(self.calls),
                "XDG_CACHE_HOME": self.folder.name, "CUDA_PATH": str(none), **more}

    def run_it(self, *words, nvrtc="nvrtc_fake_nvrtc", **more):
        done = subprocess.run([XBENCH, *words], env=self.environment(nvrtc, **more), capture_output=True, text=True, timeout=patience.S)
        return done.stdout + done.stderr

    def measure(self, what="copy/2", **more):
        """What came of the cells. The fake driver knows no entry point, so they fail after the compilation."""
        path = pathlib.Path(self.folder.name) / "result.json"
        path.unlink(missing_ok=True)
        self.said = self.run_it("-b", "cuda", "-n", "1000", *SHORT, what, f"--json={path}", **more)
        document = json.loads(path.read_text(encoding="utf-8"))
        self.compiler = document["devices"][0]["kernel_compiler"]
        return [result for result in document["results"] if f"{result['benchmark']}/{result['variant']}".startswith(what)]

    def compilations(self):
        lines = self.calls.read_text(encoding="utf-8").splitlines() if self.calls.exists() else []
        self.calls.unlink(missing_ok=True)
        return lines


class WithFakes(Case):
    def test_cache(self):
        result, = self.measure()
        self.assertIn("has no entry point 'copy_float32_", result["error"])
        self.assertEqual(self.compiler, "nvrtc 11.7")
        first = self.compilations()
        self.assertTrue(first)
        self.measure()
        self.assertEqual(self.compilations(), [], "not taken from the cache")
        self.measure(FAKE_NVRTC_KNOWS="89")
        self.assertEqual(len(self.compilations()), len(first), "another architecture has other code")
        self.measure("reduce/1")
        self.compilations()
        files = [path for path in (pathlib.Path(self.folder.name) / "xbench").iterdir() if path.is_file()]
        texts = [path.read_bytes() for path in files]
        for what, texts_now in (("damaged", [b"damaged " + text[8:] for text in texts]), ("cut", [text[:-9] for text in texts]),
                                ("empty", [b""] * len(texts)), ("another kernel's", texts[1:] + texts[:1])):
            for path, text in zip(files, texts_now):
                path.write_bytes(text)
            result, = self.measure()
            self.assertIn("has no entry point 'copy_float32_", result["error"])
            self.assertEqual(len(self.compilations()), len(first), f"{what}: the code was used")

    def test_no_cache(self):
        result, = self.measure(XDG_CACHE_HOME="/proc/none", HOME="/proc/none")
        self.assertIn("has no entry point", result["error"])

    def test_options(self):
        """The build's own, and those of the kernel's source."""
        flags, = re.findall(r"^set\(XB_NVCC_CODE_FLAGS -O3 (.*)\)", (ROOT / "cmake/XbKernels.cmake").read_text(encoding="utf-8"), re.M)
        self.measure()
        for line in self.compilations():
            self.assertTrue(line.startswith(f"--gpu-architecture=sm_90 {flags} -DINFINITY="), line)
        self.measure(FAKE_NVRTC_KNOWS="89")
        self.assertIn("--gpu-architecture=compute_89 ", self.compilations()[0])
        for source in (ROOT / "kernels").rglob("*.cu"):
            own = re.search(r"^// nvcc: (.*)$", source.read_text(encoding="utf-8"), re.M)
            if own:
                self.measure(f"{source.parent.name}/{source.stem}")
                self.assertTrue([line for line in self.compilations() if f" {own[1]} -I" in line], source)

    def test_mistakes(self):
        result, = self.measure(FAKE_NVRTC="k.cu(3): warning: a hint\nk.cu(4): error: planted\nk.cu(5): error: later\n")
        self.assertEqual((result["outcome"], result["error"]), ("failed", "copy/2_float4: nvrtc 11.7 did not compile it: planted"))
        self.assertNotIn("later", self.said)
        result, = self.measure(FAKE_NVRTC='k.cu(3): catastrophic error: cannot open source file "mma.h"\n')
        self.assertEqual(result["outcome"], "unsupported")
        self.assertEqual(result["error"], "copy/2_float4: left out: needs NVIDIA's mma.h: install the toolkit's headers, or set CUDA_PATH")
        result, = self.measure(FAKE_NVRTC_KNOWS="100")
        self.assertRegex(result["error"], "nvrtc 11.7 no longer targets sm_90: install an older NVRTC and set XB_NVRTC$")

    def test_broken_library(self):
        result, = self.measure(nvrtc="nvrtc_nothing")
        self.assertEqual(result["outcome"], "unsupported")
        self.assertRegex(result["error"], "compiled at first run by NVRTC: .*libnvrtc.so.13 is older than CUDA 11.2, or damaged: it has no "
                                          "nvrtcCreateProgram$")
        self.assertIsNone(self.compiler)

    def test_newer_than_driver(self):
        """An older one that the driver takes is preferred; or the user names one."""
        folder = pathlib.Path(self.folder.name) / "both"
        folder.mkdir()
        for name in ("libnvrtc.so.13", "libnvrtc.so.12"):
            shutil.copy(BUILD / "nvrtc_fake_nvrtc/libnvrtc.so.13", folder / name)
        both = {"LD_LIBRARY_PATH": f"{BUILD}/fake:{folder}", "FAKE_NVRTC_MAJOR": "13"}
        for driver, chosen in (("", "nvrtc 13.0"), ("driver_12", "nvrtc 12.1")):
            self.measure(FAKE_CUDA=driver, **both)
            self.assertEqual(self.compiler, chosen, driver)
        warning = "is newer than the driver, which supports CUDA 12.2 and may refuse its code"
        self.assertNotIn(warning, self.run_it("doctor", FAKE_CUDA="driver_12", **both))
        self.assertIn(f"nvrtc 13.0 {warning}", self.run_it("doctor", FAKE_CUDA="driver_12", XB_NVRTC=f"{folder}/libnvrtc.so.13", **both))
        self.measure(XB_NVRTC=f"{folder}/libnvrtc.so.12", **both)
        self.assertEqual(self.compiler, "nvrtc 12.1")
        result, = self.measure(XB_NVRTC="/none/libnvrtc.so.12", **both)
        self.assertRegex(result["error"], "XB_NVRTC names /none/libnvrtc.so.12, which cannot be opened$")

    def test_doctor(self):
        self.assertRegex(self.run_it("doctor"), r"nvrtc 11\.7: .*nvrtc_fake_nvrtc/libnvrtc\.so\.13, compiles kernels for CUDA at first run")
        self.assertRegex(self.run_it("doctor"), "no headers of the toolkit were found")
        self.assertRegex(self.run_it("doctor", nvrtc="nvrtc_nothing"), "CUDA: kernels are compiled at first run by NVRTC: .*it has no nvrtcCreateProgram")

    def test_isa(self):
        """What cannot be compiled is a row with its reason."""
        path = pathlib.Path(self.folder.name) / "isa.json"
        words = "isa", "--for=sm_90", "--block=256", "copy", "transpose/2", f"--json={path}"
        said = self.run_it(*words, FAKE_NVRTC="k.cu(4): error: planted\n")
        rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
        self.assertEqual({(row["kernel"], row["dtype"], row["error"]) for row in rows},
                         {(kernel, dtype, f"{kernel}: nvrtc 11.7 did not compile it: planted")
                          for kernel in ("copy/2_float4", "transpose/2_copy_shared") for dtype in ("float32", "int32")})
        self.assertIn(f"{len(rows)} refused", said)
        self.assertRegex(self.run_it(*words, nvrtc="nvrtc_nothing"), "isa: sm_90 is left out: kernels are compiled by NVRTC: .*it has no nvrtcCreateProgram\n"
                                                                     "xbench: isa: nothing was compiled")

    def test_guide(self):
        self.run_it("guide", "-b", "cuda", "wave")
        self.assertTrue(self.compilations())

    def progress(self, *words):
        _, said = terminals.on_terminal([XBENCH, "-b", "cuda", "-n", "1000", *SHORT, "copy/2", *words],
                                        {**self.environment("nvrtc_fake_nvrtc"), "TERM": "xterm"}, stdout=subprocess.DEVNULL)
        return said

    def test_progress(self):
        self.assertEqual(self.progress("--quiet").count("compiling"), 0)
        for path in (pathlib.Path(self.folder.name) / "xbench").iterdir():
            if path.is_file():
                path.unlink()
        self.assertIn("compiling copy/2_float4 by NVRTC (first run)", self.progress())
        self.assertNotIn("compiling", self.progress())


class WithNvrtc(Case):
    def kernels(self, names, **more):
        """What `isa` finds for sm_90: kernel, part, type, group size."""
        path = pathlib.Path(self.folder.name) / "isa.json"
        path.unlink(missing_ok=True)
        self.run_it("isa", "--for=sm_90", f"--json={path}", *names, nvrtc="none", **more)
        rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
        return {(row["kernel"], row["part"], row["dtype"], row["group"]): row for row in rows}

    def setUp(self):
        super().setUp()
        if "compiles kernels for CUDA at first run" not in self.run_it("doctor", nvrtc="none"):
            self.skipTest("NVRTC is not there")

    def test_guide(self):
        """Its kernels are compiled, too: the fake driver finds no entry point in any."""
        said = self.run_it("guide", "-b", "cuda", nvrtc="none", CUDA_PATH="/usr/local/cuda")
        if not pathlib.Path("/usr/local/cuda/include/mma.h").exists():
            self.skipTest("the toolkit's headers are not in /usr/local/cuda")
        self.assertEqual([line for line in said.splitlines() if "did not run: " in line and "has no entry point" not in line], [])
        self.assertGreater(said.count("has no entry point"), 20)

    def test_all_kernels(self):
        """Those that nvcc compiled: the same entry points, and each is in the code."""
        by_nvcc = self.kernels(SAMPLE if not ALL else [], XB_NVRTC="", CUDA_PATH="/usr/local/cuda")
        if not by_nvcc or any("error" in row for row in by_nvcc.values()):
            self.skipTest("this build has no code of nvcc for sm_90")
        by_nvrtc = self.kernels(SAMPLE if not ALL else [], CUDA_PATH="/usr/local/cuda")
        self.assertEqual([row for row in by_nvrtc.values() if "error" in row], [])
        self.assertEqual(sorted(by_nvrtc), sorted(by_nvcc))
        self.assertEqual([row for row in by_nvrtc.values() if not row["driver"].startswith("nvrtc ")], [])
        without = self.kernels(SAMPLE if not ALL else [])  # headers of the toolkit
        self.assertEqual(sorted(without), sorted(by_nvrtc))
        refused = {source(row): row["error"] for row in without.values() if "error" in row}
        self.assertEqual(set(refused), {source(row) for row in by_nvrtc.values()} & NEED)
        self.assertTrue(all("needs NVIDIA's " in why for why in refused.values()), refused)


unittest.main()
