"""scale.py XBENCH SCHEMA MPIRUN CLASS: xbench scale, as typed, with members that share the CPU: Scale, threads; Ranks, of MPI."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

import patience
import results

MPIRUN = sys.argv[3]
QUICK = "--backend vulkan --min-time 0.002 --max-time 0.02"


def at(result, axis):
    return next(place["value"] for place in result["at"] if place["axis"] == axis)


def metric(result, name):
    return next(m["value"] for m in result["metrics"] if m["name"] == name)


class Case(results.Case):
    def wait_for_file(self, name, process):
        def has_results():
            if process.poll() is not None:
                self.fail("".join(process.communicate()))
            try:
                return self.load(name)["results"]
            except (OSError, ValueError):
                return None
        patience.until(has_results, f"{name} has no results")


class Scale(Case):
    def scale(self, words, exit_code=0, **how):
        return self.run_to_end(f"scale {QUICK} {words}", exit_code, **how)

    def test_calculator(self):
        out, _ = self.run_to_end("scale --assess 0.75 inf")
        self.assertIn("4 times faster", out)
        out, _ = self.run_to_end("scale --assess 0.75 4")
        self.assertIn("3.25 times as much", out)
        for words in ("0.75", "2 4", "0.75 0", "x 4", "0.75 4 5", "0.75 4x"):
            _, err = self.run_to_end(f"scale --assess {words}", 2)
            self.assertIn("--assess 0.75 4", err)

    def test_strong_and_weak(self):
        out, _ = self.scale("--share --members 1,2,3 -n 100003 -t int32 --json s.json reduce/9")
        self.assertIn("strong scaling; MEMBERS SHARE A DEVICE", " ".join(out.split()))
        self.assertIn("no serial part is fitted: members share a device", out)
        document = self.check(self.load("s.json"))
        self.assertEqual(sorted((r["benchmark"], at(r, "members")) for r in document["results"]),
                         [(f"reduce_{kind}", p) for kind in ("strong", "weak") for p in (1, 2, 3)])
        self.assertEqual(sorted(b["name"] for b in document["benchmarks"]), ["reduce_strong", "reduce_weak"])
        for r in document["results"]:
            self.assertEqual((r["outcome"], r["verified"], r["size"]), ("ok", True, 100003))
            p, one = at(r, "members"), next(o for o in document["results"]
                                            if o["benchmark"] == r["benchmark"] and at(o, "members") == 1)
            self.assertEqual(len(r["timeline"]), 2 * p)
            times = p if r["benchmark"] == "reduce_weak" else 1
            self.assertAlmostEqual(metric(r, "bandwidth"), times * 400016 / r["median_ns"], places=6)
            if p > 1:
                self.assertAlmostEqual(metric(r, "speed-up"), times * one["median_ns"] / r["median_ns"], places=6)
        out, _ = self.run_to_end("diff s.json s.json")
        self.assertIn("0 regressions", out)
        self.run_to_end("report s.json -o s.html")
        with open(self.path("s.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("reduce_strong", page)
        self.assertIn("members share a device", page)
        self.assertIn("member 2", page)

    def test_same_order(self):
        """The points come in a random order, which the seed decides."""
        def order(seed):
            out, _ = self.scale(f"--share --members 1..4 -n 64 --seed {seed} copy/2")
            return [line.split(":")[1] for line in out.splitlines() if line.startswith("vulkan: ")]
        self.assertEqual(order(1), order(1))
        self.assertNotEqual([order(1), order(2), order(3)], [order(1)] * 3)

    def test_matrices(self):
        self.scale("--share --members 2,3 -n 35x70x30 --json m.json matmul/3")
        for r in self.check(self.load("m.json"))["results"]:
            self.assertEqual((r["rows"], r["columns"], r["inner"], r["outcome"]), (35, 70, 30, "ok"))

    def test_allreduce(self):
        for variant, n in (("allreduce/1", 100003), ("allreduce/2", 77), ("allreduce/1", 1)):
            out, _ = self.scale(f"--share --members 2,3 -n {n} --json a.json {variant}")
            self.assertIn("route nccl: unsupported", out) if variant.endswith("1") else self.assertNotIn("nccl", out)
            done = {(r["variant"].split("_")[-1], at(r, "members")) for r in self.check(self.load("a.json"))["results"]
                    if r["outcome"] == "ok"}
            for members in (2, 3):
                self.assertIn(("message", members), done)
                self.assertIn(("host", members), done)

        self.scale("--share --members 2 -n 64 --route nccl allreduce/1", 3)

    def test_multiprocessors(self):
        """The device times it, in batches; the largest of its counts is the kernel by itself."""
        out, _ = self.scale("--over multiprocessors --members 1,2,4 -n 2^14 --json g.json reduce/9")
        self.assertIn("serial part, from the 2 smaller counts", out)
        self.assertNotIn("own time", out)
        document = self.check(self.load("g.json"))
        self.assertEqual({r["clock"] for r in document["results"]}, {"device"})
        self.assertGreater(max(r["batch"] for r in document["results"]), 1)
        self.assertTrue(all(h > d for r in document["results"] for h, d in zip(r["host_samples_ns"], r["samples_ns"])))
        self.assertEqual(len({(r["benchmark"], r["block"]) for r in document["results"]}), 2)
        self.run_to_end("report g.json -o g.html")
        out, _ = self.scale("--over multiprocessors --members 1,2 -n 2^18 reduce/9")
        self.assertEqual(out.count("the largest count is not the kernel's own time"), 2)
        out, _ = self.scale("--over multiprocessors --members 1,2 -n 2^12 reduce/1", 3)
        self.assertIn("its groups do not depend on the multiprocessors", out)

    def test_help(self):
        """The help has the options that scale takes, and only these."""
        out, _ = self.scale("--help")
        for option in ("members", "size", "seed", "launch", "json", "wide"):
            self.assertRegex(out, fr"--{option}\b")
        for option in ("csv", "format", "cache", "loop", "placements", "queue-family", "window", "reserve-shared", "preset", "against",
                       "margin", "published", "flush-bytes"):
            self.assertNotRegex(out, fr"--{option}\b")
            _, err = self.scale(f"--{option} {'' if option == 'published' else '1'} reduce/9", 2)
            self.assertIn(f"--{option}: 'xbench scale' does not take it", err)

    def test_mistakes(self):
        for words, code, message in (
                ("reduce", 2, "name one of them"), ("", 2, "name one variant"), ("--members 0 reduce/9", 2, "1 to 1024"),
                ("--members x reduce/9", 2, "expected counts"), ("--route fast allreduce/1", 2, "expected host"),
                ("--route host reduce/9", 2, "only valid for allreduce"), ("-n 64,65 reduce/9", 2, "one size"),
                ("--devices 7 reduce/9", 3, "unknown device '7'"), ("--csv x reduce/9", 2, "--csv: 'xbench scale' does not take it"),
                ("--format csv reduce/9", 2, "--format: "), ("--cache cold reduce/9", 2, "--cache: "),
                ("--devices= reduce/9", 3, "unknown device ''"), ("allreduce/1", 2, "2 members or more, not 1"),
                ("--route nccl --share --members 2 allreduce/2", 2, "name allreduce/1"),
                ("--share --members 1,2 --json /dev/full -n 64 reduce/9", 2, "No space left"),
                ("--members 2 reduce/9", 3, "give --share"), ("--over multiprocessors allreduce/1", 2, "only valid for one"),
                ("--devices 0,0 --members 2 reduce/9", 2, "have the same device"),
                ("--json no/such/folder.json reduce/9 -n 64", 2, "no/such/folder.json")):
            with self.subTest(words):
                _, err = self.scale(words, code)
                self.assertIn(message, err)
                self.assertEqual(len(err.strip().splitlines()), 1, err)

    def test_what_is_not_shared_out(self):
        out, _ = self.scale("--share --members 2 -n 64 transpose/1 -n 64x64", 3)
        self.assertIn("cannot be split between devices", out)
        out, _ = self.scale("--share --members 3 -n 2 --kind strong copy/2", 3)
        self.assertIn("there is too little work for 3 members", out)

    def test_lost_device(self):
        """What fails within a run fails for all members: none waits for another one."""
        for route in ("host", "message", "peer"):
            with self.subTest(route):
                _, err = self.scale(f"--share --members 3 --wait-limit 0.001 -n 2^22 --route {route} allreduce/1", 4)
                self.assertRegex(err, r"^xbench: scale: member \d on \S+: xb_wait: the work did not finish within 0.001 s.*\n$")

    def test_interrupt(self):
        process = self.start("scale --backend vulkan --max-time 4 --min-time 4 --share --members 1..16 -n 2^12 --json i.json reduce/9")
        self.wait_for_file("i.json", process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=patience.S)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("interrupted", err)
        self.check(self.load("i.json"))

    def test_default_time(self):
        """The file has the limit that was used, not that none was given."""
        self.run_to_end("scale --backend vulkan --members 1 --kind strong -n 4096 --json d.json reduce/9")
        self.assertEqual(self.check(self.load("d.json"))["sampling"]["max_time_s"], 0.1)

    def test_ignored_signals(self):
        """As nohup and a shell's background jobs start it."""
        def ignore():
            for number in (signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
        process = self.start("scale --backend vulkan --max-time 2 --min-time 2 --members 1 --kind strong -n 2^16 --json n.json reduce/9",
                             preexec_fn=ignore)
        for number in (signal.SIGINT, signal.SIGHUP):
            time.sleep(1)
            process.send_signal(number)
        _, err = process.communicate(timeout=patience.S)
        self.assertEqual(process.returncode, 0, err)
        self.check(self.load("n.json"))


class Ranks(Case):
    def mpirun(self, count, words):
        return subprocess.Popen([MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", str(count), results.XBENCH, "scale",
                                 *QUICK.split(), *words.split()], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, start_new_session=True,
                                env=os.environ | {"OMPI_MCA_rmaps_base_oversubscribe": "1", "COLUMNS": "400"})

    def ranks(self):
        """Their processes, by rank."""
        found = {}
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    words = dict(word.split(b"=", 1) for word in file.read().split(b"\0") if b"=" in word)
                with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
                    name = file.read().strip()
                if name == "xbench" and os.readlink(f"/proc/{pid}/cwd") == self.folder:
                    found[int(words[b"OMPI_COMM_WORLD_RANK"])] = int(pid)
            except (OSError, KeyError):
                pass
        return found

    def test_ranks(self):
        process = self.mpirun(3, "--share -n 100003 -t int32 --json r.json reduce/9")
        out, err = process.communicate(timeout=patience.S)
        self.assertEqual(process.returncode, 0, out + err)
        self.assertNotIn("clocks", out)
        document = self.check(self.load("r.json"))
        self.assertFalse([m for r in document["results"] for m in r["metrics"] if m["name"] == "clock error"])
        self.assertEqual(sorted({at(r, "members") for r in document["results"]}), [1, 2, 3])
        self.assertEqual({r["outcome"] for r in document["results"]}, {"ok"})
        process = self.mpirun(3, "--share -n 5003 --json a.json allreduce/2")
        out, err = process.communicate(timeout=patience.S)
        self.assertEqual(process.returncode, 0, out + err)
        outcomes = {r["variant"]: r["outcome"] for r in self.check(self.load("a.json"))["results"]}
        self.assertEqual((outcomes["2_tree_host"], outcomes["2_tree_message"]), ("ok", "ok"))
        self.assertEqual(outcomes["2_tree_peer"], "ok")

    def test_clocks(self):
        """A rank on another host, whose clock is 1000 s ahead."""
        elsewhere = ["unshare", "--fork", "--uts", "--time", "--monotonic", "1000", "sh", "-c", 'hostname elsewhere; exec "$@"', "sh"]
        if subprocess.run(elsewhere + ["true"], capture_output=True, check=False).returncode:
            self.skipTest("no namespaces")
        run = [results.XBENCH, "scale", *QUICK.split(), *"--share -n 1000 --members 1,2,3 --kind strong --json c.json reduce/9".split()]
        process = subprocess.run([MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", "2", *run, ":", "-n", "1", *elsewhere, *run],
                                 cwd=self.folder, text=True, capture_output=True, timeout=patience.S, check=False)
        if process.returncode < 0: # Open MPI 5 of Debian 13
            self.skipTest(f"mpirun itself died of signal {-process.returncode}: it takes no ranks in other namespaces")
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertRegex(process.stdout, r"the ranks' clocks are compared within [0-9.]+ us")
        for r in self.check(self.load("c.json"))["results"]:
            errors = [m["value"] for m in r["metrics"] if m["name"] == "clock error"]
            self.assertEqual(len(errors), at(r, "members") == 3)
            self.assertTrue(all(0 < e < 10000 for e in errors), errors)
            self.assertTrue(all(bar["end_ns"] < 1e9 for bar in r["timeline"]), r["timeline"])

    def test_no_library(self):
        """A library that is missing is told once, with what to do."""
        alone = os.path.join(self.folder, "xbench")
        shutil.copy(results.XBENCH, alone)
        process = subprocess.run([MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", "3", alone, "scale", "reduce/9"], text=True,
                                 cwd=self.folder, capture_output=True, timeout=patience.S, check=False)
        self.assertEqual(process.returncode, 3, process.stderr)
        self.assertEqual(process.stderr.count("libxb_mpi.so"), 1, process.stderr)
        self.assertIn("configure and build again", process.stderr)
        self.assertNotIn("a requested API", process.stderr)

    def test_same_device(self):
        process = self.mpirun(2, "-n 64 reduce/9")
        _, err = process.communicate(timeout=patience.S)
        self.assertEqual(process.returncode, 3, err)
        self.assertIn("give --share", err)

    def long_run(self, seed=2):
        """One of four points is done. With seed 2, rank 0 is at the second alone, with 3 all three are. Ranks that rest are safe
        to stop: one that is stopped while it writes a message could hold up those of others, too."""
        process = self.mpirun(3, "--share --members 1,3 -n 2^20 --wait-limit 20 --max-time 3 --min-time 2.9 "
                                 f"--seed {seed} --json k.json reduce/9")
        self.wait_for_file("k.json", process)
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        return process

    def test_killed(self):
        process = self.long_run()
        os.kill(self.ranks()[1], signal.SIGKILL)
        out, err = process.communicate(timeout=patience.S)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("rank 1", out + err)
        self.assertIn("signal 9", out + err)
        self.assertTrue(self.check(self.load("k.json"))["results"])

    def test_hung(self):
        self.hang(2, seed=2)

    def test_first_hung(self):
        self.hang(0, seed=3)

    def hang(self, rank, seed):
        def stop():
            process = self.long_run(seed)
            hung = self.ranks()[rank]
            os.kill(hung, signal.SIGSTOP)
            if len(self.load("k.json")["results"]) == 1:
                return process, hung
            os.kill(hung, signal.SIGKILL) # a busy machine stopped it a point too late
            process.terminate()
            process.communicate(timeout=patience.S)
            return None
        process, hung = patience.until(stop, "it is always stopped too late")
        try:
            out, err = process.communicate(timeout=patience.S)
        finally:
            try:
                os.kill(hung, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(out + err, rf"member {rank} on \S+ has not answered for 2[56]\S* s|MPI does not return to member")
        self.assertTrue(self.check(self.load("k.json"))["results"])


if __name__ == "__main__":
    results.main(*sys.argv[4:])
