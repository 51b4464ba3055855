"""saving.py XBENCH SCHEMA: files that cannot be written, in the middle of a run or at its end, and files that are not
regular."""

import os
import resource
import signal
import stat
import subprocess
import threading
import time
import unittest

import results
from results import MOUNTS, QUICK, Case, XBENCH, can_mount, printed_cells, saved_cells

SWEEP = f"{QUICK} -n 2^10..2^13 reduce/7"
SLOW = SWEEP.replace("--min-time 0.002 --max-time 0.01", "--min-time 0.02 --max-time 0.1")


def limit_files(size):
    """Makes the kernel limit each file to this size, as a full disk does. SIGXFSZ is ignored, so that the write itself
    fails."""
    def before_exec():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    return {"preexec_fn": before_exec, "restore_signals": False}


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

    def test_full_in_the_middle(self):
        """Saved results stay, the run continues, and the error is reported once."""
        self.write("r.json", "before")
        out, err = self.run_to_end(f"{SWEEP} --json r.json --csv r.csv", 2, **limit_files(self.size_of_sweep() // 2))
        part, = self.leftovers()
        self.assertRegex(err, rf"^xbench: r\.json: cannot be written: File too large; .* in \S*{part}; [^\n]*\n$")
        saved = saved_cells(self.check(self.load(part))["results"])
        printed = printed_cells(out)
        self.assertEqual(len({size for _, _, size, _ in printed}), 5)  # four sizes, and the size of the floor
        self.assertTrue(0 < len(saved) < len(printed))
        self.assertEqual(saved, printed[:len(saved)])
        self.assertEqual(self.read("r.json"), "before")
        self.assertEqual(self.read("r.csv").count("\n"), 1 + len(printed))

    def run_on_a_small_disk(self, size):
        """Runs the sweep where this much space is left for a new file. Returns exit code, stdout, stderr."""
        script = (f"mount -t tmpfs -o size={size} none /mnt && (cd /mnt && {XBENCH} {SWEEP} --json r.json); code=$?; "
                  f"cp /mnt/* {self.folder}; exit $code")
        done = subprocess.run(MOUNTS + [script], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    @unittest.skipUnless(can_mount(), "may not mount")
    def test_full_disk(self):
        """The disk needs no room for two files: a save that finds too little extends the one before."""
        size = self.size_of_sweep()
        code, out, err = self.run_on_a_small_disk(int(1.3 * size))
        self.assertEqual((code, err, os.listdir(self.folder)), (0, "", ["r.json"]))
        self.assertEqual(saved_cells(self.check(self.load("r.json"))["results"]), printed_cells(out))
        os.remove(self.path("r.json"))
        code, out, err = self.run_on_a_small_disk(int(0.7 * size))
        self.assertEqual(code, 2)
        part, = os.listdir(self.folder)
        self.assertRegex(err, rf"\Axbench: r\.json: cannot be written: No space left on device; the last good save is in "
                              rf"\S*{part}; later results are not saved until a save succeeds\n\Z")
        saved = saved_cells(self.check(self.load(part))["results"])
        printed = printed_cells(out)
        self.assertEqual(saved, printed[:len(saved)])
        self.assertGreaterEqual(len(saved), len(printed) / 2)

    def test_interrupted_on_a_full_disk(self):
        """The last line does not say that results are saved."""
        process = self.start(f"{SLOW} --json r.json", **limit_files(self.size_of_sweep() // 2))
        self.assertIn("cannot be written", process.stderr.readline())
        process.send_signal(signal.SIGINT)
        _, err = self.finish(process)
        self.assertEqual(process.returncode, 2)
        self.assertEqual(err, "xbench: interrupted; finished results are shown\n")

    def test_killed_before_the_first_save(self):
        """No empty file is left."""
        for arguments in (f"{QUICK} --min-time 20 --max-time 20 -n 2^20 reduce --json r.json --csv r.csv".replace(
                "--min-time 0.002 --max-time 0.01", ""), "guide --backend vulkan --cost --json r.json"):
            process = self.start(arguments)
            time.sleep(0.7)
            self.assertIsNone(process.poll())
            process.kill()
            process.communicate()
            self.assertEqual(os.listdir(self.folder), [])

    def test_full_from_the_start(self):
        _, err = self.run_to_end(f"{SWEEP} --json r.json", 2, **limit_files(100))
        self.assertRegex(err, r"^xbench: r\.json: cannot be written: File too large[^\n]*\n$")
        self.assertNotIn("part-", err)
        self.assertEqual(os.listdir(self.folder), [])

    def test_full_for_a_while(self):
        """The end of the run tries again."""
        process = self.start(f"{SLOW} --json r.json", **limit_files(self.size_of_sweep() // 2))
        told = process.stderr.readline()
        self.assertIn("cannot be written", told)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        out, err = self.finish(process)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertEqual(saved_cells(self.check(self.load("r.json"))["results"]), printed_cells(out))
        self.assertEqual(self.leftovers(), [])

    def test_place_is_taken(self):
        """A folder appears in place of the file: the results are in the temporary file, which the message names."""
        process = self.start(f"{SLOW} --json r.json")
        out = "".join(process.stdout.readline() for _ in range(6))
        os.mkdir(self.path("r.json"))
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
        self.assertEqual(process.wait(60), 0)
        self.check(self.load("r.json"))
        self.assertEqual(self.leftovers(), sorted(["r.json.part-1", f"r.json.part-{process.pid}"]))
        self.assertEqual(self.read(f"r.json.part-{process.pid}"), "older\n")
        self.assertEqual(self.read("r.json.part-1"), "oldest")

    def test_mistake_leaves_nothing(self):
        self.run_to_end(f"{SWEEP} --json r.json --csv /nonexistent/r.csv", 2)
        self.run_to_end("--json r.json reduce/nosuch", 2)
        self.assertEqual(os.listdir(self.folder), [])

    def test_fifo(self):
        """A pipe is written once, at the end."""
        os.mkfifo(self.path("fifo"))
        texts = []
        reader = threading.Thread(target=lambda: texts.append(self.read("fifo")))
        reader.start()
        out, _ = self.run_to_end(f"{SWEEP} --json fifo")
        reader.join(20)
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
    results.main()
