"""strangers.py XBENCH SCHEMA ROOT: what a manifest, a kernel or a cache of somebody else's may not do."""

import glob
import json
import os
import shutil
import unittest

import patience
import pairs
import results

KERNEL = "%s\n__global__ void k(const float *x, float *y) { int i = blockIdx.x * blockDim.x + threadIdx.x; %s y[i] = x[i] * 2.0f; }\n"
HLSL = """[[vk::binding(0, 0)]] StructuredBuffer<float> x : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<float> y : register(u0);
[numthreads(64, 1, 1)] void k(uint3 id : SV_DispatchThreadID) { y[id.x] = x[id.x] * 2.0f; }
"""
INCLUDES = "".join(f"#include <{name}>\n" for name in ("errno.h", "pthread.h", "signal.h", "stdio.h", "stdlib.h", "sys/prctl.h", "sys/ptrace.h", "sys/resource.h",
                                                        "sys/socket.h", "sys/syscall.h", "unistd.h"))
EVIL = 'write(1, "evil: same bits: yes\\n4 cells, 4 verified\\n", 41);'
SPACE = {"TuningParameters": [{"Name": "T", "Type": "int", "Values": [1, 2], "Default": 1}]}
SECRET = "secret_of_another_user"


class Stranger(pairs.Case):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("in"))
        self.write("in/ok.hlsl", HLSL)
        self.kernel()

    def kernel(self, head="", body=""):
        self.write("in/k.cu", KERNEL % (head, body))

    def loaded(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def manifest(self, sides=("k.cu", "ok.hlsl"), **more):
        sides = [{"Source": side} if isinstance(side, str) else side for side in sides]
        buffer = {"Format": "float32", "Length": "n"}
        self.write("in/m.json", json.dumps({
            "Name": "stranger", "Sides": sides, "Size": "1024", "Buffers": [{"Name": "x", "Access": "in", **buffer}, {"Name": "y", "Access": "out", **buffer}],
            "Shaders": [{"Entry": "k", "GroupSize": [64], "DispatchGroupCount": ["n/64"]}], **more}))

    def refused(self, message, words="", exit_code=2, command="pair"):
        out, err = self.run_to_end(f"{command} in/m.json {words}", exit_code)
        self.assertIn(message, err)
        self.assertNotIn(SECRET, out + err)
        self.assertEqual(len(err.splitlines()), 1, err)


class Manifests(Stranger):
    def test_flags(self):
        """Flags that write files, or load or run something, need a word of the user's, in each command."""
        self.write("plugin.cpp", "")
        for flags in (["-fplugin=plugin.so"], ["-Xcompiler", "-fplugin=plugin.so"], ["-o", "in/written"], ["@in/options"], ["-Bin"], ["-wrapper", "in/x"],
                      ["-Wl,-o,in/written"], ["-fdump-tree-all"], ["-ccbin=in"], ["--options-file", "in/x"], ["-DX=$(touch in/written)"], ["-include", "/etc/passwd"],
                      ["-specs=in/x"], ["evil.so"], ["-O2", "/etc/passwd"], ["-run"], ["-DX=1;touch in/written"]):
            self.manifest([{"Source": "k.cu", "Flags": flags}, "ok.hlsl"])
            self.refused("is not a flag that a manifest may set (docs/pairs.md lists them): give --trust-flags", command="isa --for sm_75")
        for command in ("pair --backend cpu", "pair --text"):
            self.refused("m.json:1: Sides[0].Flags[0]: '-DX=1;touch in/written' is not a flag that a manifest may set", command=command)
        self.manifest([{"Source": "k.cu"}, {"Source": "ok.hlsl", "Flags": ["-O3", "-Fo", "in/written"]}])
        self.refused("m.json:1: Sides[1].Flags[1]", command="isa --for sm_75")
        self.assertFalse(os.path.exists(self.path("in/written")))
        self.manifest([{"Source": "k.cu", "Flags": ["-fplugin=x"]}, "ok.hlsl"], ConfigurationSpace=SPACE)
        _, err = self.run_to_end("tune in/m.json --max-candidates 1", None)
        self.assertIn("--trust-flags", err)
        self.manifest([{"Source": "k.cu", "Flags": ["-fdump-tree-original-raw=in/dumped"]}, "ok.hlsl"])
        self.pair("in/m.json --trust-flags")
        self.assertTrue(os.path.exists(self.path("in/dumped")), "the flag does not reach the compiler")

    def test_harmless_flags(self):
        cuda = ["-DX=(1)", "-D", "Z=3", "-UY", "-O3", "-std=c++17", "-Iin", "-I", "in/.", "--use_fast_math", "-gencode", "arch=compute_75,code=sm_75", "-Wno-unused"]
        self.kernel("", "if (X != 1 || Z != 3) return;")
        self.manifest([{"Source": "k.cu", "Flags": cuda}, {"Source": "ok.hlsl", "Compiler": "glslc", "Flags": ["-DX", "--target-env=vulkan1.1", "-fuav-binding-base", "32"]}])
        self.pair("in/m.json")
        self.manifest(["k.cu", "ok.hlsl"])
        self.pair("in/m.json --flag cu:-DX=1 --flag cu:-DZ=3 --flag cu:-fdump-tree-original-raw=in/dumped")  # the user's own
        self.assertTrue(os.path.exists(self.path("in/dumped")))

    def test_files(self):
        """A file that a manifest names lies in its folder, with all links followed."""
        self.write("k.cu", KERNEL % ("", ""))
        self.write("x.npy", pairs.npy([1.0] * 1024))
        os.symlink("../k.cu", self.path("in/link.cu"))
        outside = "is outside of the manifest's folder: give --trust-paths if you trust the manifest"
        buffers = [{"Name": "x", "Access": "in", "Format": "float32", "Length": "n", "Fill": "../x.npy"}, {"Name": "y", "Access": "out", "Format": "float32", "Length": "n"}]
        for sides, more in ((["../k.cu", "ok.hlsl"], {}), (["link.cu", "ok.hlsl"], {}), ([self.path("k.cu"), "ok.hlsl"], {}), (["k.cu", "ok.hlsl"], {"Buffers": buffers}),
                            (["k.cu", "ok.hlsl"], {"Results": [{"Actual": "y", "Expected": "../x.npy"}]}), (["k.cu"], {"Reference": "../../../../../../lib/x86_64-linux-gnu/libc.so.6:abs"}),
                            ([{"Source": "k.cu", "Flags": ["-I."]}, "ok.hlsl"], {}), ([{"Source": "k.cu", "Flags": ["-I", ".."]}, "ok.hlsl"], {})):
            self.manifest(sides, **more)
            self.refused(outside)
        self.manifest(["../k.cu", "ok.hlsl"])
        self.refused(outside, "--for sm_75", command="isa")
        self.pair("in/m.json --trust-paths")
        shutil.copy(self.path("in/ok.hlsl"), self.folder)
        self.manifest(["k.cu", "ok.hlsl"])
        shutil.copy(self.path("in/m.json"), self.folder)
        self.pair("m.json")

    def test_includes(self):
        """A source reads nothing outside of the folder either, and no message has a word of it."""
        self.write("secret", f"{SECRET}:x:0\n#{SECRET} two\n")
        self.write("plain.h", "#define TWO 2.0f\n")
        self.write("in/inner.h", '#include "../plain.h"\n')
        for include in ('"../secret"', f'"{self.path("secret")}"', '"/etc/passwd"', '"../plain.h"', '"inner.h"'):
            self.kernel(f"#include {include}")
            self.manifest()
            self.refused("k.cu: reads ")
            out, err = self.run_to_end("isa --for sm_75 in/m.json", None)
            self.assertIn("outside of the manifest's folder: give --trust-paths", out)
            self.assertNotIn(SECRET, out + err)
        self.pair("in/m.json --trust-paths")
        self.kernel()
        for include in ("../secret", "../plain.h", "inner.h"):
            self.write("in/ok.hlsl", f'#include "{include}"\n{HLSL}')
            self.refused("ok.hlsl: reads ")
        self.write("in/inner.h", "#include <stdint.h>\n")
        self.kernel('#include "inner.h"\n#include <cuda_runtime.h>\n#include <vector>')
        self.write("in/ok.hlsl", HLSL)
        self.pair("in/m.json")


class Temporary(Stranger):
    def test_no_folder(self):
        """The reason is said wherever a temporary file is needed."""
        self.manifest()
        none = {**os.environ, "TMPDIR": "/nonexistent", "XDG_CACHE_HOME": self.path("cache")}
        why = "no temporary file in /nonexistent (TMPDIR): No such file or directory"
        for words, exit_code in (("pair in/m.json", 2), ("pair in/m.json --backend cpu --unchecked", 2), ("pair --backend vulkan in/ok.hlsl --out y --unchecked", 2),
                                 ("isa in/m.json --for sm_75", None), ("pair in/m.json --text --for sm_75", None), ("tune in/t.json --max-candidates 1", None)):
            self.write("in/t.json", json.dumps({**self.loaded("in/m.json"), "ConfigurationSpace": SPACE}))
            out, err = self.run_to_end(words, exit_code, env=none)
            self.assertIn(why, err + out, words)


# What a kernel does to the process that it is a part of. One source has them all, and the environment says which one it does: it is
# compiled once.
DEEDS = {
    "exit": "_exit(0);", "quick exit": "quick_exit(0);", "lie and exit": f"{EVIL} _exit(0);", "one lies and exits": f"if (!i) {{ {EVIL} _exit(0); }}",
    "close all": "if (!i) { for (int f = 0; f < 4096; f++) close(f); }", "abort": "if (!i) abort();",
    "kill itself": "if (!i) syscall(SYS_tgkill, getpid(), getpid(), SIGKILL);", "stop itself": "if (!i) syscall(SYS_tgkill, getpid(), getpid(), SIGSTOP);",
    "pause": "for (;;) pause();", "loop with signals blocked": "sigset_t s; sigfillset(&s); pthread_sigmask(SIG_BLOCK, &s, 0); for (;;);",
    "loop": "for (;;);", "fork": "fork();", "fork a daemon": "if (!i && !fork()) { setsid(); if (!fork()) for (;;) pause(); _exit(0); }",
    "clone": "if (!i && !syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)) for (;;) pause();",
    "write to all": f"if (!i) {EVIL.replace('write(1', 'for (int f = 1; f < 1024; f++) write(f')}", "printf": 'if (!i) printf("evil %d\\n", 3);',
    "take all memory": """if (!i) { void *volatile last = NULL, *volatile more; while ((more = malloc(1 << 26))) last = more;
        write(2, "no more\\n", 8); free(last); }""",  # the program needs some itself
    "raise a limit": """if (!i) { struct rlimit l; getrlimit(RLIMIT_DATA, &l); const bool has = l.rlim_max != RLIM_INFINITY;
        l.rlim_cur = l.rlim_max = RLIM_INFINITY; if (has && setrlimit(RLIMIT_DATA, &l)) write(2, "held\\n", 5); }""",
    "nothing": "", "fork in other orders": 'if (!i && getenv("XB_ORDER") && !fork()) for (;;) pause();',
    "say that it begins": 'if (!i) write(2, "begins\\n", 7); for (;;) pause();',
}
CALLS = ("kill(getppid(), SIGSTOP)", "kill(getppid(), SIGKILL)", "syscall(SYS_tgkill, getppid(), getppid(), SIGKILL)", "ptrace(PTRACE_ATTACH, getppid(), 0, 0)",
         'execl("/bin/true", "true", (char *)0)', 'system("touch ran")', "prctl(PR_SET_PDEATHSIG, 0)", "socket(AF_INET, SOCK_STREAM, 0)",
         "socket(AF_UNIX, SOCK_STREAM, 0)", "setsid()")
DEEDS.update({call: f'if (!i && {call} != -1) write(2, "reached\\n", 8);' for call in CALLS})
ALL_DEEDS = 'switch (atoi(getenv("DEED"))) {\n' + "".join(f"case {n}: {{ {code} break; }}\n" for n, code in enumerate(DEEDS.values())) + "}\n"


class Kernels(Stranger):
    """What comes of it. --wait-limit is short only where a kernel never ends."""
    SHORT = "--wait-limit 0.5"

    def perform(self, deed, arguments, exit_code=0, head="", **how):
        """Runs the pair. `head` is code that runs when the module is loaded, of a source of its own."""
        self.kernel(INCLUDES + head, "" if head else ALL_DEEDS)
        self.manifest()
        return self.pair(f"in/m.json {arguments}", exit_code, env={**os.environ, "DEED": str(list(DEEDS).index(deed))}, **how)

    def run_kernel(self, deed, exit_code, message=None, words="", head=""):
        """Returns stdout and stderr; nothing of it runs any more."""
        limit = "" if self.SHORT in words else f"--wait-limit {patience.S:g}"
        out, err = self.perform(deed, f"{limit} {words}", exit_code, head, start_new_session=True)
        mine = [pid for pid in os.listdir("/proc") if pid.isdigit() and self.works_in(pid)]
        self.assertEqual(mine, [], "still runs")
        self.assertEqual("same bits: yes" in out, exit_code == 0, out + err)
        self.assertIn(message or "", err)
        self.assertNotIn("evil", out)
        return out, err

    def works_in(self, pid):
        try:
            return os.readlink(f"/proc/{pid}/cwd") == self.folder
        except OSError:
            return False

    def test_ends_early(self):
        """The exit code is 0 only if xbench itself came to its end."""
        for deed, head in (("exit", ""), ("quick exit", ""), ("lie and exit", ""), ("nothing", "struct S { S() { exit(0); } }; static S s;"), ("close all", "")):
            self.run_kernel(deed, 4, "xbench: pair: the process that ran the kernels did not finish: it ended with exit code", head=head)
        _, err = self.run_kernel("one lies and exits", 4)
        self.assertIn("kernel: evil: same bits: yes\n", err)
        # when the code is unloaded: its results are known by then
        self.assertIn("did not finish", self.perform("nothing", "", 4, "struct S { ~S() { _exit(0); } }; static S s;")[1])
        self.run_kernel("abort", 4, "it was ended by signal 6")
        self.run_kernel("kill itself", 4, "it was ended by signal 9")
        self.run_kernel("stop itself", 4, "it was stopped by signal 19")

    def test_never_ends(self):
        self.run_kernel("pause", 4, "unusable", self.SHORT)
        self.run_kernel("loop with signals blocked", 4, "unusable", self.SHORT)
        self.run_kernel("nothing", 4, "it hangs outside of its kernels' time limit", self.SHORT, "struct S { S() { for (;;) pause(); } }; static S s;")
        self.assertIn("was stopped", self.perform("loop", self.SHORT, 4)[1])

    def test_other_processes(self):
        """Neither the program nor anybody else is reached, and nothing is left."""
        for deed in ("fork", "fork a daemon", "clone"):
            self.run_kernel(deed, 0)
        for call in CALLS:
            _, err = self.run_kernel(call, 0)
            if not call.startswith("system"):
                self.assertNotIn("reached", err, call)
        self.assertFalse(os.path.exists(self.path("ran")))

    def test_descriptors(self):
        """What a kernel writes to any descriptor is no result."""
        self.assertIn("kernel: evil: same bits: yes\n", self.run_kernel("write to all", 0)[1])
        self.assertIn("kernel: evil 3\n", self.run_kernel("printf", 0)[1])

    def test_limits(self):
        """Memory ends before the machine's does, and no limit is raised."""
        self.assertIn("kernel: no more\n", self.run_kernel("take all memory", 0)[1])
        self.assertIn("kernel: held\n", self.run_kernel("raise a limit", 0)[1])

    def test_orders(self):
        """--check order runs each order in a process of its own; these end with the run, too."""
        out, _ = self.run_kernel("nothing", 0, words="--check order")
        self.assertIn("order: correct in 8 other orders", out)
        self.run_kernel("fork in other orders", 0, words="--check order")

    def test_streams(self):
        """A document to stdout comes behind the table, and only once; one to a descriptor that was passed comes there."""
        self.manifest()
        out, _ = self.pair("in/m.json --json /dev/stdout")
        self.check(json.loads(out[out.index('{"schema"'):]))
        with open(self.path("fd.json"), "wb") as file:
            self.pair(f"in/m.json --json /dev/fd/{file.fileno()}", pass_fds=[file.fileno()])
        self.check(self.load("fd.json"))

    def test_killed(self):
        """The processes of a program that is killed end with it."""
        self.kernel(INCLUDES, ALL_DEEDS)
        self.manifest()
        process = self.start("pair -q --wait-limit 10000 in/m.json", start_new_session=True,
                             env={**os.environ, "DEED": str(list(DEEDS).index("say that it begins"))})
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.assertIn("begins", process.stderr.readline())
        process.kill()
        process.wait()
        patience.until(lambda: not [pid for pid in os.listdir("/proc") if pid.isdigit() and self.works_in(pid)], "its process ends")


class Caches(Stranger):
    def cached(self, exit_code=0, umask=0o022, **how):
        self.manifest()
        before = os.umask(umask)
        try:
            return self.pair("in/m.json", exit_code, env={**os.environ, "XDG_CACHE_HOME": self.path("cache"), "TMPDIR": self.folder}, **how)
        finally:
            os.umask(before)

    def test_modes(self):
        """Nobody else can write to the cache, whatever the umask is."""
        self.cached(umask=0)
        everything = glob.glob(self.path("cache/xbench/**"), recursive=True)
        self.assertGreater(len(everything), 20)
        self.assertFalse(os.stat(self.path("cache/xbench")).st_mode & 0o077)
        for path in everything:
            self.assertTrue("precompiled" in path or not os.stat(path).st_mode & 0o022, path)

    def refused(self, path):  # pylint: disable=arguments-differ
        out, err = self.cached()
        self.assertEqual(err.count("is owned or writable by others, so it is not used"), 1, err)
        self.assertIn(path, err)
        self.assertIn("same bits: yes", out)

    def test_open_folder(self):
        self.cached()
        os.chmod(self.path("cache/xbench"), 0o777)
        self.refused(self.path("cache/xbench"))
        os.chmod(self.path("cache/xbench"), 0o700)
        self.assertEqual(self.cached()[1], "")

    def test_open_file(self):
        self.cached()
        kept = [path for path in glob.glob(self.path("cache/xbench/*")) if os.path.isfile(path)]
        for path in kept:
            os.chmod(path, 0o666)
        self.refused(self.path("cache/xbench/"))

    @unittest.skipIf(os.geteuid() != 0, "only root can give files away")
    def test_of_another_user(self):
        self.cached()
        os.chown(self.path("cache/xbench"), 12345, 12345)
        self.refused(self.path("cache/xbench"))
        os.chown(self.path("cache/xbench"), 0, 0)
        for path in glob.glob(self.path("cache/xbench/*")):
            if os.path.isfile(path):
                os.chown(path, 12345, 12345)
        self.refused(self.path("cache/xbench/"))

    def test_headers(self):
        """A carried header of the same size with other contents is written anew."""
        self.cached()
        header, = glob.glob(self.path("cache/xbench/cuda-*/backend_cpu/cuda/words/atomics.h"))
        with open(header, encoding="utf-8") as file:
            right = file.read()
        status = os.stat(header)
        with open(header, "w", encoding="utf-8") as file:
            file.write("#error planted\n".ljust(len(right.encode())))
        os.utime(header, ns=(status.st_atime_ns, status.st_mtime_ns))
        shutil.rmtree(glob.glob(self.path("cache/xbench/precompiled-*"))[0])
        self.kernel("// another")
        self.assertEqual(self.cached()[1], "")
        with open(header, encoding="utf-8") as file:
            self.assertEqual(file.read(), right)


if __name__ == "__main__":
    results.main()
