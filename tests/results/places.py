"""places.py XBENCH SCHEMA: which files are written, and how: names of one file, links, modes, folders, mounts."""

import os
import shutil
import subprocess
import tempfile
import unittest

import patience
import results
from results import BEFORE, MOUNTS, QUICK, Case, XBENCH, can_mount, printed_cells, saved_cells

RUN = f"{QUICK} -n 1000,2000 reduce/7"
SLOW = f"{QUICK} -n 2^10..2^13 reduce/7".replace("--min-time 0.002 --max-time 0.01", "--min-time 0.05 --max-time 0.2")
NOBODY = 65534


class Places(Case):
    def write(self, name, text=BEFORE):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def refused(self, arguments, pattern, **how):
        """One line says why; nothing was run, and no file is new."""
        before = sorted(os.listdir(self.folder))
        out, err = self.run_to_end(arguments, 2, **how)
        self.assertEqual(out, "")
        self.assertRegex(err, rf"\Axbench: [^\n]*{pattern}[^\n]*\n\Z")
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def check_results(self, name, out):
        self.assertEqual(saved_cells(self.check(self.load(name))["results"]), printed_cells(out))

    def await_part(self, process):
        """The temporary file, once it has something."""
        part = self.path(f"r.json.part-{process.pid}")
        patience.until(lambda: process.poll() is not None or (os.path.exists(part) and os.path.getsize(part)), "no temporary file")
        return part

    def unprivileged(self):
        """How to run as a user whom permissions hold for."""
        os.chmod(self.folder, 0o777)
        if os.geteuid() == 0:  # the build may lie where only root may look
            folder = tempfile.mkdtemp(prefix="xbench-program-")
            self.addCleanup(shutil.rmtree, folder)
            self.addCleanup(setattr, results, "XBENCH", XBENCH)
            os.chmod(folder, 0o755)
            results.XBENCH = shutil.copy(XBENCH, folder)
        # Mesa 25 reports a cache folder that it may not write.
        environment = {**os.environ, "MESA_SHADER_CACHE_DISABLE": "true"}
        return {"user": NOBODY, "group": NOBODY, "extra_groups": [], "env": environment} if os.geteuid() == 0 else {}

    def test_two_names_of_one_file(self):
        os.mkdir(self.path("sub"))
        os.symlink("r", self.path("link"))
        for name in ("./r", self.path("r"), "sub/../r", "link"):
            self.refused(f"{RUN} --json r --csv {name}", "--json and --csv both name")
        self.write("r", "")
        os.link(self.path("r"), self.path("hard"))
        for name in ("./r", "link", "hard"):
            self.refused(f"{RUN} --json r --csv {name}", "--json and --csv both name")
        self.run_to_end(f"{RUN} --json sub/r --csv r")

    def test_results_are_replaced_by_results_only(self):
        for name in ("r.json", "a.json", "b.json"):
            self.run_to_end(f"{RUN} --json {name}")
        before = self.read("r.json")
        os.symlink("r.json", self.path("link"))
        for command in (f"{RUN} --csv", "guide --backend vulkan --json", "show reduce/1 --html", "diff a.json b.json --json",
                        "report a.json -o"):
            for name in ("r.json", "link"):
                self.refused(f"{command} {name}", f"{name}: has results of 'xbench --json'")
        self.write("spaced", '\n{\n  "schema" : "xbench/1", "more": 1}')
        self.refused("show reduce/1 --html spaced", "has results")
        self.assertEqual(self.read("r.json"), before)
        self.check_results("r.json", self.run_to_end(f"{RUN} --json r.json")[0])
        self.run_to_end(f"{RUN} --csv other")
        self.run_to_end("show reduce/1 --html other")

    def test_files_of_others_are_not_replaced(self):
        """A source or a manifest that was taken for the output's name. An empty file is."""
        self.run_to_end(f"{RUN} --json a.json")
        for name, text in (("saxpy.cu", "__global__ void k() {}"), ("pair.json", '{"Kernel": {}}'), ("notes", "n")):
            self.write(name, text)
            for command in (f"{RUN} --json", f"{RUN} --csv", "show reduce/1 --html", "report a.json -o"):
                self.refused(f"{command} {name}", f"{name}: was not written by xbench: give another name, or remove it first")
            self.assertEqual(self.read(name), text)
        for command in (f"{RUN} --json", f"{RUN} --csv", "show reduce/1 --html", "guide --backend vulkan wave --json", "diff a.json a.json --json",
                        "isa --for here --block 256 reduce/3 --json"):
            self.write("out", "")
            self.run_to_end(f"{command} out")
            self.run_to_end(f"{command} out")

    def test_link_to_nothing(self):
        """The link stays; the file that it names is made."""
        os.symlink("there", self.path("link"))
        out, _ = self.run_to_end(f"{RUN} --json link")
        self.assertEqual(sorted(os.listdir(self.folder)), ["link", "there"])
        self.check_results("link", out)

    def test_planted_link(self):
        """A link that someone else puts in the place of a temporary file is not followed."""
        self.write("victim")
        process = self.start(f"{SLOW} --json r.json")
        part = self.await_part(process)
        while os.path.exists(part + ".new"):
            pass
        os.symlink("victim", part + ".new")
        out, err = self.finish(process)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertEqual(self.read("victim"), BEFORE)
        self.check_results("r.json", out)

    def test_mode_is_kept(self):
        for mode in (0o600, 0o664):
            self.write("r.json")
            os.chmod(self.path("r.json"), mode)
            process = self.start(f"{SLOW} --json r.json")
            self.assertEqual(os.stat(self.await_part(process)).st_mode & 0o777, mode)
            self.check_results("r.json", self.finish(process)[0])
            self.assertEqual(os.stat(self.path("r.json")).st_mode & 0o777, mode)
            os.remove(self.path("r.json"))

    def test_read_only_file(self):
        self.write("r.json")
        os.chmod(self.path("r.json"), 0o400)
        how = self.unprivileged()
        if how:
            os.chown(self.path("r.json"), NOBODY, NOBODY)
        self.refused(f"{RUN} --json r.json", "r.json: cannot be written: Permission denied; nothing was done", **how)
        self.assertEqual(self.read("r.json"), BEFORE)

    def test_folder_is_not_writable(self):
        """The file is written where it is. No other file can be made there: that is found before the run."""
        self.write("r.json", BEFORE + "longer than a document" * 10000)
        os.chmod(self.path("r.json"), 0o666)
        how = self.unprivileged()
        os.chmod(self.folder, 0o555)
        self.check_results("r.json", self.run_to_end(f"{RUN} --json r.json", **how)[0])
        self.refused(f"{RUN} --json r.json --csv r.csv", "r.csv: cannot be written: Permission denied", **how)
        os.chmod(self.folder, 0o755)

    @unittest.skipUnless(can_mount(), "may not mount")
    def test_mount_on_the_file(self):
        """As in a container that is given one file: it can be written, and not replaced."""
        self.write("outside", BEFORE + "longer than a document" * 10000)
        self.write("r.json")
        script = f"mount --bind outside r.json && exec {XBENCH} {RUN} --json r.json"
        done = subprocess.run(MOUNTS + [script], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.check_results("outside", done.stdout)
        self.assertEqual((self.leftovers(), self.read("r.json")), ([], BEFORE))

    @unittest.skipUnless(can_mount(), "may not mount")
    def test_mount_of_a_full_disk(self):
        """What cannot be put into its place stays beside it, under the name that the message gives."""
        self.run_to_end(f"{RUN} --json r.json")
        self.write("d.json")
        script = ("mount -t tmpfs -o size=4k none /mnt && head -c 4096 /dev/zero >/mnt/full && touch /mnt/d && "
                  f"mount --bind /mnt/d d.json && exec {XBENCH} diff r.json r.json --json d.json")
        done = subprocess.run(MOUNTS + [script], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        part, = self.leftovers()
        self.assertRegex(done.stderr, rf"\Axbench: d\.json: cannot be written: No space left on device; .* \S*{part}\n\Z")
        self.assertEqual(self.load(part)["schema"], "xbench-diff/1")


if __name__ == "__main__":
    results.main()
