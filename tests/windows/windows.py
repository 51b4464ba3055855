"""xbench.exe under Wine against xbench. Arguments: xbench, xbench.exe, the source folder, names of tests."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import patience

XBENCH, EXE, ROOT = (pathlib.Path(a).absolute() for a in sys.argv[1:4])
del sys.argv[1:4]
WINE = next((p for p in (shutil.which("wine64"), "/usr/lib/wine/wine64", shutil.which("wine")) if p and os.path.exists(p)), None)
STORED = ROOT / "tests/schemas"
VKD3D = ROOT / "build/vkd3d-windows/d3d12.dll"
RUN = ["reduce", "--backend", "vulkan", "--size", "4099", "--dtype", "int32", "--min-time", "0.001"]

# Text alone: nothing of it depends on the machine.
SAME = [
    ["--version"], ["glossary"], ["glossary", "occupancy"], ["list", "benchmarks"],
    ["guide", "atomicAdd"], ["guide", "__shfl_down_sync"], ["guide", "--scan", "kernels/reduce"],
    ["show", "reduce/3"], ["show", "transpose/5", "--whole"], ["list", "capabilities"],
    ["occupancy", "--for", "sm_90", "--block", "256", "--registers", "32"],
    ["nonsense"], ["reduce", "--size", "banana"], ["diff", "a-missing-file.json", "another.json"],
]


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def environment(display):
    version = subprocess.run([WINE, "--version"], capture_output=True, text=True).stdout.split()[0]
    e = dict(os.environ, WINEPREFIX=str(ROOT / "build" / version), WINEDEBUG="-all", WINEDLLOVERRIDES="d3d12=b",
             LP_NATIVE_VECTOR_WIDTH="256", LP_NUM_THREADS="0",
             MESA_SHADER_CACHE_DIR=str(ROOT / "build/shader_cache_256"))
    e.pop("DISPLAY", None)
    if display:
        e["DISPLAY"] = display
    return e


def own(stderr):
    """Without what Wine's services say when they crash as they are ended. A crash of xbench.exe has its exit code."""
    return b"".join(line for line in stderr.splitlines(True) if not line.startswith(b"wine: "))


def run(windows, words, folder=ROOT, program=None, **more):
    done = subprocess.run([*([WINE] if windows else []), str(program or (EXE if windows else XBENCH)), *words], cwd=folder, env={**ENV, **more},
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=patience.S)
    done.stderr = own(done.stderr)
    return done


def cpu_times(words, more):
    """Of the first thread, which waits for the device, and of all of them, in ticks."""
    def ticks(path):
        return sum(int(n) for n in pathlib.Path(path).read_text().rsplit(")", 1)[1].split()[11:13])
    times = 0, 0
    with subprocess.Popen([WINE, str(EXE), *words], env={**ENV, **more}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as done:
        while done.poll() is None:
            try:
                times = ticks(f"/proc/{done.pid}/task/{done.pid}/stat"), ticks(f"/proc/{done.pid}/stat")
            except OSError:
                pass
            time.sleep(0.02)
    return times


class Windows(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="xbench grün "))
        self.addCleanup(shutil.rmtree, self.folder)

    def good(self, windows, words, **more):
        done = run(windows, words, **more)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stderr.decode()}")
        return done.stdout.decode()

    def test_same_text(self):
        for words in SAME:
            with self.subTest(words):
                here, there = run(False, words), run(True, words)
                self.assertEqual(there.stdout.decode(), here.stdout.decode())
                self.assertEqual((there.returncode, there.stderr.decode()), (here.returncode, here.stderr.decode()))

    def test_stored_results(self):
        """Files of every version of the program are read, compared and shown alike."""
        for file in [f for f in sorted(STORED.glob("xbench-[0-9]*.json")) if "schema" not in f.name]:
            with self.subTest(file.name):
                words = ["diff", f"tests/schemas/{file.name}", f"tests/schemas/{file.name}"]
                here, there = run(False, words), run(True, words)
                self.assertEqual((there.returncode, there.stdout), (here.returncode, here.stdout))

    def test_measured(self):
        """Every sum is right, and the results are read on the other system."""
        said = self.good(True, [*RUN, "--json", "ergebnis ü.json", "--csv", "r.csv"], folder=self.folder)
        self.assertIn("verified before and after timing", said)
        document = json.loads((self.folder / "ergebnis ü.json").read_text(encoding="utf-8"))
        self.assertEqual(document["host"]["os"], "Windows")
        cells = [r for r in document["results"] if r["benchmark"] == "reduce"]
        self.assertGreaterEqual(len(cells), 9)
        self.assertEqual({r["backend"] for r in cells}, {"vulkan"})
        self.assertEqual([r["variant"] for r in cells if r["outcome"] != "ok"], ["10_cub"])
        self.assertEqual([p.name for p in self.folder.iterdir() if "part" in p.name or "away" in p.name], [])
        self.good(False, [*RUN, "--json", "linux.json"], folder=self.folder)
        for windows in (False, True):
            told = run(windows, ["diff", "ergebnis ü.json", "linux.json"], folder=self.folder)
            self.assertIn(told.returncode, (0, 5), told.stderr.decode())
            self.assertIn("reduce/9_single_pass", told.stdout.decode())
        self.good(True, ["report", "ergebnis ü.json", "-o", "seite.html"], folder=self.folder)
        self.assertIn("</html>", (self.folder / "seite.html").read_text(encoding="utf-8"))

    def test_replaces_a_file(self):
        """A second run replaces the file of the first."""
        for benchmark in ("reduce/9", "transpose/3"):
            self.good(True, [benchmark, *RUN[1:3], "--size", "64", "--json", "r.json"], folder=self.folder)
        self.assertIn("transpose", {r["benchmark"] for r in json.loads((self.folder / "r.json").read_text())["results"]})

    def test_pair(self):
        """SPIR-V of one's own: named with the slashes of Windows, checked against itself."""
        glslc = shutil.which("glslc")
        if not glslc:
            self.skipTest("glslc was not found")
        saxpy = ROOT / "examples/saxpy"
        subprocess.run([glslc, "-x", "hlsl", "-fshader-stage=compute", "--target-env=vulkan1.1", "-DXB_GLSLC=1", "-fentry-point=saxpy",
                        f"-I{ROOT}/core/include", f"-I{saxpy}", saxpy / "saxpy.hlsl", "-o", self.folder / "saxpy.spv"], check=True)
        buffers = [{"Name": name, "Access": access, "Format": "float32", "Length": "n"} for name, access in (("x", "in"), ("y", "inout"))]
        shader = {"Entry": "saxpy", "GroupSize": [256], "DispatchGroupCount": ["ceil(n/256)"], "Buffers": ["x", "y"],
                  "Arguments": {"a": 2, "n": "n"}}
        (self.folder / "p.json").write_text(json.dumps({"Name": "saxpy", "Sides": [{"Source": "saxpy.spv"}], "Size": 4096,
                                                        "Buffers": buffers, "Shaders": [shader]}))
        for windows, name in (True, r".\p.json"), (False, "p.json"):
            said = self.good(windows, ["pair", name, "--unchecked", *RUN[1:3], "--json", "pair.json"], folder=self.folder)
            self.assertIn("saxpy", said)
            results = json.loads((self.folder / "pair.json").read_text())["results"]
            self.assertEqual({r["outcome"] for r in results if r["benchmark"] == "saxpy"}, {"ok"})

    def test_direct3d_12(self):
        """Code that DXC made, through a d3d12.dll that reads it: each sum and each transposed matrix is right."""
        if not VKD3D.exists():
            self.skipTest(f"{VKD3D} was not found: script/fetch vkd3d-windows builds it")
        system = pathlib.Path(ENV["WINEPREFIX"]) / "drive_c/windows/system32"
        self.good(True, ["--version"])  # makes the folder
        shutil.copy(VKD3D, system)
        more = {"WINEDLLOVERRIDES": "d3d12=n", "VKD3D_DEBUG": "none"}
        self.assertIn("through d3d12.dll of Wine ", self.good(True, ["list", "devices"], **more))
        for cell in ("reduce/1", "reduce/9", "transpose/3"):
            self.good(True, [cell, "--backend", "d3d12", "--size", "67", "--dtype", "int32", "--min-time", "0.001", "--max-time", "0.01",
                             "--json", "d.json"], folder=self.folder, **more)
            results = json.loads((self.folder / "d.json").read_text(encoding="utf-8"))["results"]
            found = {r["outcome"] for r in results if r["benchmark"] == cell.split("/")[0] and r["backend"] == "d3d12"}
            self.assertEqual(found, {"ok"}, cell)
        waiting, all_threads = cpu_times(["reduce/1", "--backend", "d3d12", "--size", "1048576", "--min-time", "0.001", "--max-time", "0.01"], more)
        self.assertLess(waiting, all_threads / 3) # half of it if it asked again and again

    def test_direct3d_12_of_wine(self):
        """Wine's own takes no DXIL: a refusal that names the call."""
        done = run(True, ["reduce/9", "--backend", "d3d12", "--size", "64"])
        self.assertEqual(done.returncode, 3, done.stderr.decode())
        self.assertRegex(done.stderr.decode(), r"CreateComputePipelineState: E_(INVALIDARG|FAIL): d3d12.dll of Wine \S+ rejects the code")

    def test_commands(self):
        """What else there is works as on Linux, or says in one sentence that it does not."""
        run_of = RUN[1:3] + RUN[3:5] + ["--min-time", "0.001", "--max-time", "0.01"]
        self.good(True, ["reduce/9", *run_of, "--json", "r.json"], folder=self.folder)
        for words, text in (
                (["tune", "reduce/9", *run_of], "block=512"),
                (["diff", "r.json", "--again", "--", "reduce/9", *run_of], "reduce/9_single_pass"),
                (["peaks", *run_of], "verified before and after timing"), (["occupancy", "reduce/9", *run_of], "9 single_pass"),
                (["compare", "reduce/9", "--against", "reduce/8", *run_of], "9_single_pass vulkan / 8_wave vulkan"),
                (["share", "r.json", "--dry-run"], "Windows"),
                (["scale", "reduce/9", *run_of, "--share", "--members", "1,2"], "MEMBERS SHARE A DEVICE"),
                (["list", "sources"], "reduce/9_single_pass vulkan"),
                *((["reduce/9", *run_of, "--format", f], "reduce") for f in ("table", "csv", "markdown", "gbench"))):
            with self.subTest(words):
                self.assertIn(text, self.good(True, words, folder=self.folder))
        for words, code, text in (
                (["isa", "reduce/9"], 3, "isa: not available on this system"),
                (["reduce/9", "--backend", "cuda"], 3, "cuda: nvcuda.dll was not found: install the NVIDIA driver"),
                (["reduce/9", "--backend", "cpu"], 3, "runs on Linux on x86-64 only"),
                (["pair", str(ROOT / "examples/saxpy/saxpy.hlsl"), "--entry", "saxpy"], 3, "no compiler was found")):
            with self.subTest(words):
                done = run(True, words, folder=self.folder)
                self.assertEqual(done.returncode, code, done.stderr.decode())
                self.assertRegex(done.stderr.decode(), f"^xbench: [^\n]*{text}[^\n]*\n$")

    def test_doctor(self):
        """A kernel runs in a process of its own, so a driver that crashes does not end the program."""
        self.assertIn("a kernel ran, its result is right", run(True, ["doctor"]).stdout.decode())
        compiler = shutil.which("x86_64-w64-mingw32-gcc")
        if not compiler:
            self.skipTest("MinGW was not found")
        (self.folder / "crash.c").write_text("__declspec(dllexport) void *vkGetInstanceProcAddr(void) { return *(void *volatile *)0; }")
        subprocess.run([compiler, "-w", "-shared", "crash.c", "-o", "vulkan-1.dll"], cwd=self.folder, check=True)
        program = shutil.copy(EXE, self.folder)
        done = run(True, ["doctor"], program=program, WINEDLLOVERRIDES="vulkan-1=n;d3d12=b")
        self.assertRegex(done.stdout.decode(), r"BROKEN +driver: it crashed when it listed its devices \(signal 11, access violation\)")
        self.assertEqual(done.returncode, 4)
        done = run(True, ["list", "devices"], program=program, WINEDLLOVERRIDES="vulkan-1=n;d3d12=b")
        self.assertEqual((done.returncode, done.stderr), (5, b"xbench: it crashed, most likely in the driver\n")) # 0xc0000005

    def test_long_paths(self):
        """More than the 260 characters that Windows once allowed."""
        folder = self.folder / ("a" * 200) / ("ü" * 100)
        folder.mkdir(parents=True)
        name = "Z:" + str(folder / "r.json").replace("/", "\\")
        for _ in range(2): # the second file replaces the first
            self.good(True, ["reduce/9", *RUN[1:5], "--json", name])
        self.assertEqual([p.name for p in folder.iterdir()], ["r.json"])
        self.good(True, ["diff", name, name])

    def test_reader_that_leaves(self):
        """It is no error if nobody reads the rest of the output."""
        with subprocess.Popen([WINE, str(EXE), "list"], env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as done:
            done.stdout.read(100)
            done.stdout.close()
            self.assertEqual((own(done.stderr.read()), done.wait(60)), (b"", 0))

    def test_folder_with_blanks(self):
        """The program may lie anywhere."""
        program = shutil.copy(EXE, self.folder)
        self.assertIn("reduce/9", self.good(True, ["list", "benchmarks"], folder=self.folder, program=program))


if not WINE:
    skip("Wine was not found (Debian: apt-get install wine64)")
if not EXE.exists():
    skip(f"{EXE} was not found: script/package windows builds it")
if not shutil.which("Xvfb"):
    skip("Xvfb was not found (Debian: apt-get install xvfb): without a display Wine has no Vulkan")
reading, writing = os.pipe()
server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "640x480x24"], pass_fds=[writing],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
os.close(writing)
ENV = environment(":" + os.read(reading, 16).decode().strip())
(ROOT / "build").mkdir(exist_ok=True)
try:
    unittest.main()
finally:
    server.terminate()
