"""kills.py XBENCH SCHEMA [KILLS [SEED]]: a run that is killed at any moment has saved each line that it printed, and has
not changed the old file."""

import csv
import itertools
import json
import os
import random
import signal
import sys
import time

import patience
import results
from results import BEFORE, QUICK, Case, printed_cells, saved_cells

KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 50
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(10**6)
SIZES = ",".join(map(str, range(1000, 1064)))  # a minute, which no test waits for
ARGUMENTS = f"{QUICK} -n 2^10..2^11 --json r.json --csv r.csv reduce/7 copy/2"
GROUPS = 4
LONG = ARGUMENTS.replace("--min-time 0.002 --max-time 0.01", "--min-time 0.1 --max-time 0.5").replace("2^10..2^11", SIZES)


class Kills(Case):
    parent = os.getcwd()  # the build folder: on a disk, a save takes long enough to be seen. /tmp may be memory.

    def write_before(self):
        for name in ("r.json", "r.csv"):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(BEFORE)

    def clear(self):
        for name in os.listdir(self.folder):
            os.remove(self.path(name))

    def part(self, name, process):
        """The text of the temporary file beside the file; "" if there is none."""
        path = self.path(f"{name}.part-{process.pid}")
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()

    def rows(self, text):
        self.assertTrue(text.endswith("\n"))
        rows = list(csv.DictReader(text.splitlines(), strict=True))
        for row in rows:
            self.assertTrue(None not in row and None not in row.values(), row)
        return rows

    def kill(self, after):
        """Returns (cells that were printed, process), or None if the run had ended before."""
        process = self.start(ARGUMENTS)
        time.sleep(after)
        process.kill()
        out, _ = process.communicate()
        return (printed_cells(out), process) if process.returncode == -signal.SIGKILL else None

    def check_kill(self, printed, process, existed):
        for name in ("r.json", "r.csv"):
            if existed:
                with open(self.path(name), encoding="utf-8") as file:
                    text = file.read()
                # A run that has printed everything may have renamed one of its files before it was killed.
                self.assertTrue(text == BEFORE or self.is_whole(name, text), name)
            else:
                self.assertTrue(not os.path.exists(self.path(name)) or self.is_whole(name, self.read(name)), name)
        document, rows = self.saved("r.json", process), self.saved("r.csv", process)
        saved = saved_cells(json.loads(document)["results"]) if document else []
        self.assertEqual(saved[:len(printed)], printed)
        saved_rows = saved_cells(self.rows(rows)) if rows else []
        self.assertEqual(saved_rows[:len(printed)], printed)
        return document

    def read(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return file.read()

    def is_whole(self, name, text):
        cells = json.loads(text)["results"] if name == "r.json" else self.rows(text)
        return len({c["benchmark"] + str(c["size"]) for c in cells if str(c["yardstick"]).lower() == "false"}) == GROUPS

    def saved(self, name, process):
        """The saved file: beside the old one or, at the very end of a run, in its place."""
        part = self.part(name, process)
        if part or not os.path.exists(self.path(name)):
            return part
        text = self.read(name)
        return "" if text == BEFORE else text

    def test_kill(self):
        chance = random.Random(SEED)
        begin = time.monotonic()
        self.run_to_end(ARGUMENTS)
        longest = time.monotonic() - begin
        print(f"seed {SEED}: {KILLS} kills within {longest:.1f} s of the start", flush=True)
        killed, with_cells = 0, 0
        for i in itertools.count():
            if i >= KILLS:
                if killed > KILLS / 4 and with_cells > KILLS / 8:
                    break
                self.assertLess(time.monotonic() - begin, patience.S, "too few runs were killed before their end")
                longest *= 1.2  # the machine is busier than before
            self.clear()
            if i % 2:
                self.write_before()
            after = chance.uniform(0, longest)
            with self.subTest(kill=i, after=after, seed=SEED):
                outcome = self.kill(after)
                if not outcome:
                    longest = min(longest, after)  # the machine is less busy than before
                else:
                    killed += 1
                    with_cells += bool(outcome[0])
                    document = self.check_kill(*outcome, i % 2)
                    if document:
                        self.check(json.loads(document))
        print(f"{killed} were killed before their end, {with_cells} of them had printed cells", flush=True)

    def test_kill_upon_a_line(self):
        """Kills the run as soon as a line is read: the line must already be saved."""
        for lines in (5, 9, 13):
            self.clear()
            process = self.start(ARGUMENTS)
            out = "".join(process.stdout.readline() for _ in range(lines))
            process.kill()
            out += self.finish(process)[0]
            self.assertTrue(printed_cells(out))
            self.check_kill(printed_cells(out), process, False)

    def test_crash(self):
        """The driver crashes in the middle of a run."""
        shim = os.path.join(os.path.dirname(results.XBENCH), "vulkan_shim")
        process = self.start(ARGUMENTS.replace("2^10..2^11", "2^10..2^20"), env=os.environ | {
            "LD_LIBRARY_PATH": shim, "XB_SHIM_FAIL": "vkQueueSubmit:3000:0:crash"})
        out, err = process.communicate(timeout=patience.S)
        if "Sanitizer" in err:
            self.skipTest("a sanitizer handles the signal")
        self.assertEqual(process.returncode, -signal.SIGSEGV, err)
        document = json.loads(self.check_kill(printed_cells(out), process, False))
        self.assertTrue(self.check(document)["results"])
        line = err.splitlines()[-1]
        self.assertIn("most likely in the driver; finished results are in ", line)
        for name in ("r.json", "r.csv"):
            self.assertIn(os.path.realpath(self.path(f"{name}.part-{process.pid}")), line)

    def test_lost_device(self):
        """The reason names what it may be, such as a watchdog."""
        shim = os.path.join(os.path.dirname(results.XBENCH), "vulkan_shim")
        process = self.start(ARGUMENTS, env=os.environ | {"LD_LIBRARY_PATH": shim, "XB_SHIM_FAIL": "vkQueueSubmit:9:-4"})
        err = process.communicate(timeout=patience.S)[1]
        self.assertEqual(process.returncode, 4, err)
        self.assertRegex(err.splitlines()[-1], "VK_ERROR_DEVICE_LOST; .*a watchdog .*give a smaller --size or --window")

    def test_wrong_clocks(self):
        """A driver whose clock stands still, is a thousand times too fast, or runs backward: cells fail, the program does not."""
        shim = os.path.join(os.path.dirname(results.XBENCH), "vulkan_shim")
        for lie, code, reason in (("13", 1, "a run cannot take no time"), ("14", 4, "its times are not usable"),
                                  ("15", 4, "its times are not usable")):
            with self.subTest(lie=lie):
                self.clear()
                process = self.start(f"{QUICK} -n 2^10 --json r.json reduce/7", env=os.environ | {
                    "LD_LIBRARY_PATH": shim, "XB_SHIM_LIE": lie})
                err = process.communicate(timeout=patience.S)[1]
                self.assertEqual(process.returncode, code, err)
                self.assertIn(reason, err.splitlines()[-1])
                cells = self.check(self.load("r.json"))["results"]
                self.assertTrue(cells)
                for cell in cells:
                    self.assertNotEqual(cell["outcome"], "ok", cell)
                    self.assertIn(reason, cell["error"])

    def test_kill_in_a_save(self):
        """Kills the run while it saves: the previous save must be complete."""
        chance = random.Random(SEED)
        begin, count = time.monotonic(), 0
        while count < max(KILLS // 8, 1):
            self.assertLess(time.monotonic() - begin, patience.S, "too few runs were killed in a save")
            self.clear()
            process = self.start(ARGUMENTS)
            caught = self.await_save(process, chance.randrange(1, 3))
            process.kill()
            printed = printed_cells(process.communicate()[0])
            if caught:
                count += 1
                self.check(json.loads(self.check_kill(printed, process, False)))

    def await_save(self, process, count):
        """Polls until save number `count` is running. Returns false if the run ended before."""
        part = self.path(f"r.json.part-{process.pid}")
        for _ in range(count):
            while os.path.exists(part + ".new") and process.poll() is None:
                pass
            while not (os.path.exists(part + ".new") and os.path.exists(part)) and process.poll() is None:
                pass
        return process.poll() is None

    def test_sigterm(self):
        """A run that is terminated by SIGTERM puts its files into place, and leaves no temporary files."""
        for lines in (0, 6, 12):
            self.clear()
            self.write_before()
            process = self.start(LONG)
            out = "".join(process.stdout.readline() for _ in range(lines))
            self.await_handlers(process.pid)
            process.terminate()
            rest, err = self.finish(process)
            self.assertEqual(process.returncode, 130, err)
            document = self.check(self.load("r.json"))
            # A size that was interrupted before any result has no rows in the table.
            saved, printed = saved_cells(document["results"]), set(printed_cells(out + rest))
            self.assertLessEqual(printed, set(saved))
            self.assertLessEqual(set(saved_cells([r for r in document["results"] if r["outcome"] == "ok"])), printed)
            self.assertEqual(saved_cells(self.rows(self.read("r.csv"))), saved)
            self.assertEqual(self.leftovers(), [])

    def test_nohup(self):
        """Signals that were ignored when the program started stay ignored: the terminal's end does not end the run."""
        ignored = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)

        def ignore():
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)
        process = self.start(ARGUMENTS, preexec_fn=ignore)
        out = "".join(process.stdout.readline() for _ in range(6))
        for number in ignored:
            process.send_signal(number)
        rest, err = self.finish(process)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertEqual(saved_cells(self.check(self.load("r.json"))["results"]), printed_cells(out + rest))


if __name__ == "__main__":
    results.main()
