"""saving.py XBENCH SCHEMA: files that cannot be written, in the middle of a run or at its end, and files that are not
regular."""

import os
import resource
import signal
import stat
import subprocess
import sys
import threading
import unittest

import patience
import results
from results import BEFORE, MOUNTS, QUICK, Case, XBENCH, can_mount, printed_cells, saved_cells

SWEEP = f"{QUICK} -n 2^10..2^13 reduce/7"
SLOW = SWEEP.replace("--min-time 0.002 --max-time 0.01", "--min-time 0.02 --max-time 0.1")


def mount(options, folder):
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", folder], check=True)


class Saving(Case):
    def size_of_sweep(self):
        self.run_to_end(f"{SWEEP} --json whole.json")
        self.assertEqual(self.leftovers(), [])
        size = os.path.getsize(self.path("whole.json"))
        os.remove(self.path("whole.json"))
        return size

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def small_disk(self, size):
        """The folder "disk" holds this much. A limit of the file size would also stop lavapipe, whose memory is a file."""
        os.mkdir(self.path("disk"))
        mount(f"size={size}", self.path("disk"))
        self.addCleanup(subprocess.run, ["umount", self.path("disk")], check=True)

    def on_disk(self):
        return sorted(os.listdir(self.path("disk")))

    @unittest.skipUnless(can_mount(), "may not mount")
    def test_full_in_the_middle(self):
        """Saved results stay, the run continues, and the error is reported once."""
        self.small_disk(self.size_of_sweep() // 2)
        self.write("disk/r.json", BEFORE)
        out, err = self.run_to_end(f"{SWEEP} --json disk/r.json --csv r.csv", 2)
        part, = (name for name in self.on_disk() if name != "r.json")
        self.assertRegex(err, rf"^xbench: disk/r\.json: cannot be written: No space left on device; .* in \S*{part}; "
                              r"[^\n]*\n$")
        saved = saved_cells(self.check(self.load(f"disk/{part}"))["results"])
        printed = printed_cells(out)
        self.assertEqual(len({size for _, _, size, _ in printed}), 5)  # four sizes, and the size of the floor
        self.assertTrue(0 < len(saved) < len(printed))
        self.assertEqual(saved, printed[:len(saved)])
        self.assertEqual(self.read("disk/r.json"), BEFORE)
        self.assertEqual(self.read("r.csv").count("\n"), 1 + len(printed))

    @unittest.skipUnless(can_mount(), "may not mount")
    def test_full_disk(self):
        """The disk needs no room for two files: a save that finds too little extends the one before."""
        size = self.size_of_sweep()
        self.small_disk(int(1.3 * size))
        out, err = self.run_to_end(f"{SWEEP} --json disk/r.json")
        self.assertEqual((err, self.on_disk()), ("", ["r.json"]))
        self.assertEqual(saved_cells(self.check(self.load("disk/r.json"))["results"]), printed_cells(out))
        os.remove(self.path("disk/r.json"))
        mount(f"remount,size={int(0.7 * size)}", self.path("disk"))
        out, err = self.run_to_end(f"{SWEEP} --json disk/r.json", 2)
        part, = self.on_disk()
        self.assertRegex(err, rf"\Axbench: disk/r\.json: cannot be written: No space left on device; the last good save is in "
                              rf"\S*{part}; later results are not saved until a save succeeds\n\Z")
        saved = saved_cells(self.check(self.load(f"disk/{part}"))["results"])
        printed = printed_cells(out)
        self.assertEqual(saved, printed[:len(saved)])
        self.assertGreaterEqual(len(saved), len(printed) / 2)

    @unittest.skipUnless(can_mount(), "may not mount")
    def test_interrupted_on_a_full_disk(self):
        """The last line does not say that results are saved."""
        self.small_disk(self.size_of_sweep() // 2)
        process = self.start(f"{SLOW} --json disk/r.json")
        self.assertIn("cannot be written", process.stderr.readline())
        process.send_signal(signal.SIGINT)
        _, err = self.finish(process)
        self.assertEqual(process.returncode, 2)
        self.assertEqual(err, "xbench: interrupted; finished results are shown\n")

    def test_interrupted_before_any_result(self):
        """No row is printed that says nothing but `interrupted`."""
        process = self.start(f"-q --backend vulkan -n 2^20 --min-time 3600 --max-time 3600 --json {self.path('r.json')} reduce")
        self.await_handlers(process.pid)
        process.send_signal(signal.SIGINT)
        out, err = self.finish(process)
        err = err.replace("xbench: waiting for work that the device has begun; Ctrl-C again ends at once\n", "")
        self.assertEqual((process.returncode, out, err), (130, "", "xbench: interrupted; there is no result\n"))
        outcomes = {r["variant"]: r["outcome"] for r in self.load("r.json")["results"]}
        self.assertEqual(outcomes.pop("10_cub"), "no_counterpart")  # a whole run would not have measured it either
        self.assertEqual(set(outcomes.values()), {"interrupted"})

    def test_killed_before_the_first_save(self):
        """No empty file is left."""
        for arguments in (f"{QUICK} --min-time 3600 --max-time 3600 -n 2^20 reduce --json r.json --csv r.csv".replace(
                "--min-time 0.002 --max-time 0.01", ""), "guide --backend vulkan --cost --json r.json"):
            process = self.start(arguments)
            patience.until(lambda: "libvulkan" in self.read(f"/proc/{process.pid}/maps"), "no device is opened")
            process.kill()
            process.communicate()
            self.assertEqual(os.listdir(self.folder), [])

    @unittest.skipUnless(can_mount(), "may not mount")
    def test_full_from_the_start(self):
        self.small_disk(4096)
        self.write("disk/other", "x")
        _, err = self.run_to_end(f"{SWEEP} --json disk/r.json", 2)
        self.assertRegex(err, r"^xbench: disk/r\.json: cannot be written: No space left on device[^\n]*\n$")
        self.assertNotIn("part-", err)
        self.assertEqual(self.on_disk(), ["other"])

    @unittest.skipUnless(can_mount(), "may not mount")
    def test_no_half_of_a_pipeline_cache(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (16, resource.RLIM_INFINITY))
        self.run_to_end(f"{QUICK} -n 64 copy/2", env={**os.environ, "XB_PIPELINE_CACHE": self.folder}, preexec_fn=limit,
                        restore_signals=False)
        self.assertEqual(os.listdir(self.folder), [])

    def test_full_for_a_while(self):
        """The end of the run tries again."""
        self.small_disk(self.size_of_sweep() // 2)
        process = self.start(f"{SLOW} --json disk/r.json")
        told = process.stderr.readline()
        self.assertIn("cannot be written", told)
        mount("remount,size=1m", self.path("disk"))
        out, err = self.finish(process)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertEqual(saved_cells(self.check(self.load("disk/r.json"))["results"]), printed_cells(out))
        self.assertEqual(self.on_disk(), ["r.json"])

    def test_place_is_taken(self):
        """A folder appears in place of the file: the results are in the temporary file, which the message names."""
        def take_place():
            process = self.start(f"{SLOW} --json r.json")
            out = "".join(process.stdout.readline() for _ in range(6))
            try:
                os.mkdir(self.path("r.json"))
            except FileExistsError:  # the run has ended already
                self.finish(process)
                os.remove(self.path("r.json"))
                return None
            return process, out
        process, out = patience.until(take_place, "each run ends too soon")
        rest, err = self.finish(process)
        part, = self.leftovers()
        self.assertEqual(process.returncode, 2)
        self.assertRegex(err, rf"^xbench: r\.json: cannot be written: Is a directory; .* in \S*{part}\n$")
        self.assertEqual(saved_cells(self.check(self.load(part))["results"]), printed_cells(out + rest))

    def test_part_of_another(self):
        """A temporary file of an earlier process with the same process ID stays unchanged."""
        command = f'for i in 0 1; do echo older >r.json.part-$$; done; exec {XBENCH} {SWEEP} --json r.json --csv r.csv'
        process = subprocess.Popen(["sh", "-c", command], cwd=self.folder, stdout=subprocess.DEVNULL)
        self.write("r.json.part-1", "oldest")
        self.assertEqual(process.wait(patience.S), 0)
        self.check(self.load("r.json"))
        self.assertEqual(self.leftovers(), sorted(["r.json.part-1", f"r.json.part-{process.pid}"]))
        self.assertEqual(self.read(f"r.json.part-{process.pid}"), "older\n")
        self.assertEqual(self.read("r.json.part-1"), "oldest")

    def test_mistake_leaves_nothing(self):
        self.run_to_end(f"{SWEEP} --json r.json --csv /etc/passwd/none/r.csv", 2)
        self.run_to_end("--json r.json reduce/nosuch", 2)
        self.assertEqual(os.listdir(self.folder), [])

    def test_fifo(self):
        """A pipe is written once, at the end."""
        os.mkfifo(self.path("fifo"))
        texts = []
        reader = threading.Thread(target=lambda: texts.append(self.read("fifo")))
        reader.start()
        out, _ = self.run_to_end(f"{SWEEP} --json fifo")
        reader.join(patience.S)
        self.assertEqual(saved_cells(results.json.loads(texts[0])["results"]), printed_cells(out))
        self.assertTrue(stat.S_ISFIFO(os.stat(self.path("fifo")).st_mode))
        self.assertEqual(os.listdir(self.folder), ["fifo"])

    def test_stdout(self):
        """The document follows the table, even if stdout is a file."""
        out, _ = self.run_to_end(f"{SWEEP} --json /dev/stdout")
        with open(self.path("out"), "w", encoding="utf-8") as file:
            subprocess.run([XBENCH, *f"{SWEEP} --json /dev/stdout".split()], stdout=file, check=True)
        for text in (out, self.read("out")):
            table, document = text.split('{"schema"')
            self.assertEqual(saved_cells(self.check(results.json.loads('{"schema"' + document))["results"]),
                             printed_cells(table))


if __name__ == "__main__":
    if can_mount() and not os.environ.get("XB_OWN_MOUNTS"):
        os.environ["XB_OWN_MOUNTS"] = "1"
        os.execvp(MOUNTS[0], MOUNTS[:2] + sys.orig_argv)  # mounts are private to this test
    results.main()
