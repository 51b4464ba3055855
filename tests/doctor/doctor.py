"""doctor.py XBENCH FAKE_NVML CRASH [SHIM]: what xbench doctor says of planted machines, and its exit code by the worst finding."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

XBENCH, NVML, CRASH = sys.argv[1:4]
SHIM = sys.argv[4] if len(sys.argv) > 4 else None  # a folder with a loader that fails


class Doctor(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.environment = {"XB_DOCTOR_ROOT": str(self.root), "XB_NVML": "/etc/passwd/none"}

    def tearDown(self):
        self.folder.cleanup()

    def plant(self, path, text="", mode=0o644):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)

    def plant_gpu(self, driver):
        self.plant("sys/bus/pci/devices/0000:65:00.0/class", "0x030200\n")
        self.plant("sys/bus/pci/devices/0000:65:00.0/vendor", "0x10de\n")
        if driver:
            (self.root / "sys/bus/pci/devices/0000:65:00.0/driver").symlink_to(f"../../drivers/{driver}")

    def run_it(self, *words, **more):
        environment = {k: v for k, v in os.environ.items() if k not in ("VK_DRIVER_FILES", "VK_ICD_FILENAMES")}
        done = subprocess.run([XBENCH, *words], env=environment | self.environment | more, capture_output=True, text=True)
        lines = done.stdout.splitlines()
        for line, below in zip(lines, lines[1:]): # what is not as it should be has advice
            if line.startswith(("  remark ", "  MISSING ", "  BROKEN ")):
                self.assertRegex(below, "^ {11}-> .", line)
        return done.returncode, done.stdout, done.stderr

    def expect(self, code, *texts, **more):
        got, out, err = self.run_it("doctor", **more)
        for text in texts:
            self.assertIn(text, out)
        said = {0: "", 3: "xbench: doctor: something is missing: see MISSING above\n",
                4: "xbench: doctor: something is broken: see BROKEN above\n"}
        self.assertEqual((got, err), (code, said[code]), out)
        return out

    def nvml(self, answers):
        return {"XB_NVML": NVML, "FAKE_NVML": f" {answers}", "CUDA_VISIBLE_DEVICES": ""}

    def test_no_gpu(self):
        self.expect(0, "no NVIDIA GPU", "No problem was found.", CUDA_VISIBLE_DEVICES="-1")

    def test_cache(self):
        """A folder that can be made counts as one that is there."""
        nothing = {"CUDA_VISIBLE_DEVICES": "", "XDG_CACHE_HOME": ""}
        self.expect(0, f"{self.root}/a/.cache, for compiled kernels, can be written", **nothing, HOME=f"{self.root}/a")
        self.expect(0, "neither HOME nor XDG_CACHE_HOME names a folder: kernels", **nothing, HOME="")
        self.expect(0, "/etc/passwd/none/.cache cannot be written: kernels", **nothing, HOME="/etc/passwd/none")

    def test_no_vulkan_driver(self):
        code, out, _ = self.run_it("doctor", VK_DRIVER_FILES="/etc/passwd/none/none.json", VK_ICD_FILENAMES="/etc/passwd/none/none.json",
                                   CUDA_VISIBLE_DEVICES="")
        self.assertEqual(code, 3, out)
        self.assertIn("VK_DRIVER_FILES is set", out)
        self.assertIn("/etc/passwd/none/none.json", out)
        self.assertIn("no API reaches any device", out)

    def test_damaged_manifest(self):
        self.plant("bad.json", '{"ICD": {"library_path": "libnowhere.so"}}')
        code, out, _ = self.run_it("doctor", VK_DRIVER_FILES=str(self.root / "bad.json"))
        self.assertEqual(code, 3, out)
        self.assertIn("libnowhere.so: cannot open", out)

    def test_driver_that_crashes(self):
        """When it is opened: a line of the report, which goes on to its end."""
        self.plant("crash.json", f'{{"file_format_version": "1.0.0", "ICD": {{"library_path": "{CRASH}", "api_version": "1.3.0"}}}}')
        self.expect(4, f"crash.json: {CRASH} crashes when it is opened", "it crashed when it listed its devices", "glslc",
                    "Something is broken", VK_DRIVER_FILES=str(self.root / "crash.json"), CUDA_VISIBLE_DEVICES="")

    def test_gpu_without_driver(self):
        self.plant_gpu(None)
        self.expect(3, "NVIDIA GPU at 0000:65:00.0, kernel driver none", "nvidia is not loaded", "MISSING  cuda: ")

    def test_gpu_with_nouveau(self):
        self.plant_gpu("nouveau")
        self.expect(3, "kernel driver nouveau", "install NVIDIA's kernel module")

    def test_device_files(self):
        self.plant_gpu("nvidia")
        self.plant("proc/driver/nvidia/version", "NVRM version: 580.1\n")
        self.expect(3, "NVRM version: 580.1", "/dev/nvidiactl is missing", "--gpus all")
        self.plant("dev/nvidiactl")
        self.expect(3, "/dev/nvidia-uvm is missing")

    @unittest.skipIf(os.geteuid() == 0, "root may open every file")
    def test_permission(self):
        self.plant("dev/dri/renderD128", mode=0)
        self.expect(3, "renderD128: this user may not", "usermod -aG render")

    def test_container(self):
        self.plant(".dockerenv")
        self.expect(0, "inside Docker")

    def test_programs(self):
        out = self.expect(0, PATH="/etc/passwd/none", CUDA_VISIBLE_DEVICES="-1")
        for name in ("glslc", "dxc", "slangc", "nvcc"):
            self.assertRegex(out, rf"(?m)^  remark   {name} was not found: ")
        for advice in ("script/fetch dxc", "script/fetch slang"):
            self.assertIn(f"-> {advice} puts it into build/tools/", out)

    def test_environment(self):
        code, out, _ = self.run_it("doctor", CUDA_LAUNCH_BLOCKING="1")
        self.assertRegex(out, "CUDA_LAUNCH_BLOCKING=1: each launch waits.*\n +-> unset CUDA_LAUNCH_BLOCKING")

    def test_gpu_state(self):
        answers = "persistence=0 compute=0 ecc=0 mig=1 limit=300000 default=700000 processes=2 drawing=1 reasons=4 " \
                  "enforced=200000 used=1073741824"
        out = self.expect(3, "GPU 0, Fake GPU", "580.1", "ECC is off", "MIG is on", "persistence is off",
                          "power limit 300 W, default 700 W", "3 other processes use it",
                          "the power limit in force is 200 W", "1 GiB of 4 GiB in use", "clocks are reduced: power",
                          "'' hides all GPUs", **self.nvml(answers))
        self.assertNotIn("BROKEN", out)

    def test_broken_gpu(self):
        self.expect(3, "remark   3 uncorrected memory errors", **self.nvml("ecc=1 errors=3"))
        self.expect(3, "rows of its memory will be remapped", **self.nvml("ecc=1 remap_pending=1"))
        self.expect(4, "could not be remapped", "Something is broken", **self.nvml("ecc=1 remap_pending=1 remap_failed=1"))
        self.expect(4, "BROKEN   GPU 0: GPU is lost", **self.nvml("handle=15"))
        self.assertNotIn("BROKEN", self.expect(3, **self.nvml("handle=4"))) # somebody else's
        self.expect(4, "compute mode: no process may use it", **self.nvml("compute=2"))

    def test_parts_of_a_gpu(self):
        self.expect(3, "MIG is on: CUDA sees a part", **self.nvml("mig=1 most_parts=7 parts=2"))
        self.expect(3, "there is no MIG device: nothing can use this GPU", **self.nvml("mig=1 most_parts=7 parts=0"))

    def test_a_kernel_runs(self):
        self.expect(0, ": a kernel ran, its result is right", CUDA_VISIBLE_DEVICES="-1")

    @unittest.skipUnless(SHIM, "no Vulkan")
    def test_no_kernel_runs(self):
        """Devices are listed, and none can be opened."""
        self.expect(3, "MISSING  a kernel fails on it: vkCreateDevice: VK_ERROR_INITIALIZATION_FAILED",
                    LD_LIBRARY_PATH=SHIM, XB_SHIM_FAIL="vkCreateDevice:1:-3", CUDA_VISIBLE_DEVICES="-1")

    @unittest.skipUnless(SHIM, "no Vulkan")
    def test_driver_crashes(self):
        """The doctor outlives it, and goes on."""
        crash = {"LD_LIBRARY_PATH": SHIM, "CUDA_VISIBLE_DEVICES": "-1",
                 "ASAN_OPTIONS": "handle_segv=0"} # a sanitizer would end the process in its own way
        self.expect(4, "BROKEN   a kernel fails on it: driver: it crashed when it ran a kernel (signal 11", "glslc",
                    XB_SHIM_FAIL="vkQueueSubmit:1:0:crash", **crash)
        out = self.expect(4, "BROKEN   driver: it crashed when it listed its devices (signal 11", "glslc",
                          XB_SHIM_FAIL="vkEnumeratePhysicalDevices:1:0:crash", **crash)
        self.assertNotIn("a kernel ran", out)
        self.expect(4, "BROKEN   a kernel fails on it: driver: it crashed when it ran a kernel (signal 11", # also on the second
                    "-> raise the limits", XB_SHIM_FAIL="vkCreateDevice:1:0:crash", XB_SHIM_TWICE="1", **crash)

    def test_layer(self):
        """One that its variable turns on is in all times."""
        self.plant("data/vulkan/implicit_layer.d/l.json", '{"layer": {"name": "VK_LAYER_planted", '
                   '"enable_environment": {"PLANTED": "1"}}}')
        data = str(self.root / "data")
        self.expect(0, "VK_LAYER_planted: on if its variable is set", XDG_DATA_HOME=data, CUDA_VISIBLE_DEVICES="-1")
        code, out, _ = self.run_it("doctor", XDG_DATA_HOME=data, PLANTED="1")
        self.assertRegex(out, "VK_LAYER_planted is on: .*\n +-> unset PLANTED")

    def test_unsupported_answers(self):
        out = self.expect(3, "580.1", **self.nvml(""))
        self.assertNotIn("ECC", out)

    def test_words(self):
        self.assertEqual(self.run_it("doctor", "reduce")[0], 2)

    def test_long_list(self):
        code, out, _ = self.run_it("list", "devices", "--long", "--backend", "vulkan")
        self.assertEqual(code, 0)
        for fact in ("max_binding_bytes", "subgroup_min", "import_align", "features"):
            self.assertRegex(out, rf"(?m)^ +{fact} +\S")


unittest.main(argv=sys.argv[:1])
