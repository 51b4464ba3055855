"""strangers.py XBENCH SOURCE [TEST...]: files that may come from anywhere. None of them hangs the program, takes memory or time out of
proportion, reaches the terminal with commands for it, or is read as something that it is not."""
import copy
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import patience

XBENCH, SOURCE = (os.path.abspath(path) for path in sys.argv[1:3])
RESULT = os.path.join(SOURCE, "tests/schemas/xbench-2.json")
ISA = os.path.join(SOURCE, "tests/schemas/xbench-isa-2.json")
# A title, a colour, the same as one character of C1 (as UTF-8), a line that is written over, and text that runs backwards.
HOSTILE = "\x1b]0;owned\x07\x1b[31m\u009b2J\rgone\u202egnp\u2066\u200f\x7f"
COMMANDS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c")
MANIFEST = {"Name": "theirs", "Sides": [{"Source": "ok.hlsl"}], "Size": "1024",
            "Buffers": [{"Name": "x", "Access": "in", "Format": "float32", "Length": "n"},
                        {"Name": "y", "Access": "out", "Format": "float32", "Length": "n"}],
            "Shaders": [{"Entry": "k", "GroupSize": [64], "DispatchGroupCount": ["n/64"]}]}
SHADER = """[[vk::binding(0)]] StructuredBuffer<float> x : register(t0);
[[vk::binding(1)]] RWStructuredBuffer<float> y : register(u0);
[numthreads(64, 1, 1)] void k(uint3 i : SV_DispatchThreadID) { y[i.x] = x[i.x]; }
"""
KERNEL = "__global__ void k(float *x, int n)\n{{\n{}\n}}\n"


def numbered(text, size):
    """Copies of the text, each with its number in place of @."""
    return "".join(text.replace("@", str(i)) for i in range(size // len(text)))


# What a rule looks through from each token on, if nothing ends it.
SHAPES = {"open brackets": lambda n: "f(" * (n // 2), "shifts": lambda n: KERNEL.format("a" + ">>b " * (n // 4)),
          "guards": lambda n: KERNEL.format("x = " + "(a && " * (n // 6)), "choices": lambda n: KERNEL.format("x = " + "(a ? " * (n // 5)),
          "casts": lambda n: KERNEL.format("int(" * (n // 4)), "names in a list": lambda n: KERNEL.format("int a" + ", b" * (n // 3)),
          "typedefs": lambda n: "typedef a " * (n // 10), "templates": lambda n: "template <class T> " * (n // 19),
          "assembly": lambda n: KERNEL.format('asm("' * (n // 5)), "checks": lambda n: "CHECK(a," * (n // 8),
          "variables": lambda n: KERNEL.format(numbered("int a@ = a@ + threadIdx.x;\n", n)), "lines": lambda n: "// a\n" * (n // 5),
          "words in a line": lambda n: "abc " * (n // 4), "raw strings": lambda n: 'R"a' * (n // 3)}


class Strangers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="xbench-strangers-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = os.environ | {"HOME": self.folder, "XDG_CONFIG_HOME": os.path.join(self.folder, "config")}

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def run_it(self, *words, **more):
        """(exit code, all output as bytes, what the child used)."""
        with tempfile.TemporaryFile() as out, subprocess.Popen([XBENCH, *words], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                                               stdout=out, stderr=out, **more) as process:
            limit = threading.Timer(patience.S, process.kill)
            limit.start()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            limit.cancel()
            out.seek(0)
            return process.returncode, out.read(), used

    def refuse(self, expected, *words):
        code, said, used = self.run_it(*words)
        self.assertEqual((code, said.count(b"\n")), (2, 1), (words, said))
        self.assertRegex(said.decode(), expected)
        return used

    def link(self, path):
        """Another name for it, which is not that of a search."""
        link = path.replace(".cache", "")
        if link != path and not os.path.lexists(link):
            os.symlink(path, link)
        return link

    def readers(self, path, kind):
        """The commands that read a file of this kind."""
        results = (("diff", path, RESULT), ("diff", RESULT, path), ("share", path, "-o", "s.json"), ("report", self.link(path), "-o", "p.html"))
        manifests = (("pair", path), ("isa", path), ("tune", path))
        return {"json": results + manifests + (("tune", "--t1", path, self.write("m.json", MANIFEST)), ("report", RESULT, path, "-o", "p.html")),
                "cu": (("guide", "--scan", path), ("pair", "--scaffold", path), ("pair", "--init", path), ("show", path))}[kind]

    def test_kinds_of_files(self):
        """A FIFO without a writer, a folder, a device and a file that is not there."""
        self.write("ok.hlsl", SHADER)
        for kind in ("json", "cu"):
            fifo, folder = (os.path.join(self.folder, f"{name}.cache.{kind}") for name in ("fifo", "folder"))
            os.mkfifo(fifo)
            os.mkdir(folder)
            for path, expected in ((fifo, "is not a regular file"), (folder, "is a directory")):
                for words in self.readers(path, kind):
                    if (words[0], path) != ("guide", folder) or words[1] != "--scan":
                        with self.subTest(words=words):
                            self.refuse(f"{expected}|there is no source", *words)

    def test_memory(self):
        """Small as text, large in memory, or deep; and text that is larger than any source."""
        def check(expected, path, kind, most=400):
            for words in self.readers(path, kind):
                with self.subTest(words=words, expected=expected):
                    self.assertLess(self.refuse(expected, *words).ru_maxrss >> 10, most)
        self.write("ok.hlsl", SHADER)
        check("has more than 16777216 values, or more than 1048576 objects", self.write("many.cache.json", "[" + "[]," * 5000000 + "[]]"), "json")
        check("more than 64 deep", self.write("deep.cache.json", '{"a":' * 100000), "json")
        check("has 16777217 bytes, but at most 16777216 are supported", self.write("large.cu", "int a;\n" * 2396745 + "\n\n"), "cu")

    def test_large_results(self):
        """Two million samples are read."""
        with open(RESULT, encoding="utf-8") as file:
            document = json.load(file)
        for result in document["results"]:
            if result["samples_ns"]:
                result["samples_ns"] = [1234.56789 + i for i in range(2000000)]
                result["host_samples_ns"] = []
                break
        code, said, used = self.run_it("share", "--dry-run", self.write("large.json", document))
        self.assertEqual(code, 0, said[-300:])
        self.assertLess(used.ru_maxrss >> 10, 1200)

    def test_fields(self):
        """Rows of machine code are checked as results are; so are presets and searches."""
        with open(ISA, encoding="utf-8") as file:
            good = json.load(file)
        for key, value in (("registers", "9999"), ("registers", -1), ("registers", 1.5), ("wave", 0), ("kernel", None), ("group", []), ("default", 1),
                           ("text", 1), ("error", {}), ("for", "x" * 70000)):
            bad = copy.deepcopy(good)
            bad["rows"][0][key] = value
            path = self.write("bad.json", bad)
            for words in (("diff", ISA, path), ("diff", path, ISA), ("report", path, "-o", "p.html")):
                self.refuse(rf"bad.json: rows\[0\].{key}: expected ", *words)
        twice = self.write("twice.json", good | {"rows": good["rows"] + good["rows"][:1]})
        for words in (("diff", ISA, twice), ("diff", twice, ISA)):
            self.refuse(rf"rows\[{len(good['rows'])}\]: .* is listed twice", *words)
        self.refuse("rows: expected a list", "diff", ISA, self.write("none.json", good | {"rows": {}}))
        self.refuse("rows[0]: expected an object".replace("[", r"\["), "diff", ISA, self.write("none.json", good | {"rows": [1]}))
        search = {"device_name": "d", "kernel_name": "reduce/7 vulkan float32", "tune_params_keys": ["block"],
                  "cache": {"64": {"block": 64, "time": 1.5, "search_seconds": "soon"}}}
        self.refuse(r"cache\['64'\].search_seconds: expected a number", "report", RESULT, self.write("a.cache.json", search), "-o", "p.html")
        search["cache"]["64"] = {"block": 64, "time": 1}  # without a size, no search is alike to itself
        self.refuse("is not a cache file of 'xbench tune'", "report", RESULT, self.write("a.cache.json", search), "-o", "p.html")
        search["cache"]["64"] = {"block": 64, "time": [1]}
        self.refuse(r"cache\['64'\].time: expected a number", "report", RESULT, self.write("a.cache.json", search), "-o", "p.html")
        self.write("config/xbench/presets.json", {"schema": "xbench-presets/1", "presets": [
            {"benchmark": "reduce", "variant": "7_many_elements", "backend": "vulkan", "dtype": "float32", "size": "9"}]})
        _, said, _ = self.run_it("-q", "--preset", "tuned", "--min-time", "0.001", "--max-time", "0.002", "-n", "2^10", "reduce/7")
        self.assertIn(b"presets[0].size: expected a whole number, 1 or more", said)

    def clean(self, expected, *words):
        """The text is shown, without its commands."""
        for environment in ({}, {"COLUMNS": "70"}):
            self.environment |= environment
            _, said, _ = self.run_it(*words)
            self.assertIsNone(COMMANDS.search(said), (words, said[-600:]))
            self.assertIn(expected, said.replace(b"\n", b"").replace(b"    ", b""), words)
        self.environment.pop("COLUMNS")

    def test_terminal(self):
        with open(ISA, encoding="utf-8") as file:
            isa = json.load(file)
        with open(RESULT, encoding="utf-8") as file:
            results = json.load(file)
        isa["rows"][0] |= {"dtype": HOSTILE, "driver": HOSTILE}
        old, new = self.write("old.json", isa), copy.deepcopy(isa)
        new["rows"][0]["registers"] = 255
        self.clean(b"]0;owned?", "diff", old, self.write("new.json", new))
        new["rows"][0]["driver"] = "another"
        self.clean(b"]0;owned?", "diff", old, self.write("new.json", new))
        results["devices"][0] |= {"name": HOSTILE, "driver": HOSTILE}
        self.clean(b"]0;owned?", "diff", self.write("r.json", results), RESULT)
        self.clean(b"]0;owned", "share", "--dry-run", self.write("r.json", results))
        for words in (("list", HOSTILE), (HOSTILE,), ("show", HOSTILE), ("guide", HOSTILE), ("glossary", HOSTILE), ("tune", HOSTILE), ("isa", "--for", HOSTILE),
                      ("occupancy", HOSTILE), ("diff", HOSTILE, HOSTILE), ("pair", HOSTILE + ".json"), ("report", HOSTILE, "-o", "p.html"),
                      ("--format", HOSTILE, "reduce"), ("guide", "--scan", HOSTILE), ("scale", HOSTILE), ("compare", HOSTILE, "--against", HOSTILE)):
            self.clean(b"]0;owned?", *words)
        self.clean(b"]0;owned?", "guide", "--scan", self.write(HOSTILE.replace("/", "") + ".cu", "__syncwarp();\n"))
        self.environment["XDG_CONFIG_HOME"] = os.path.join(self.folder, HOSTILE)
        self.write(HOSTILE + "/xbench/presets.json", "{")
        self.clean(b"]0;owned?", "-q", "--preset", "tuned", "--min-time", "0.001", "--max-time", "0.002", "-n", "2^10", "reduce/7")

    def test_terminal_of_pairs(self):
        self.write("ok.hlsl", SHADER)
        path = self.write("t.json", MANIFEST | {"Title": HOSTILE})
        self.clean(b"]0;owned?", "pair", "--unchecked", "--backend", "vulkan", "--min-time", "0.001", "--max-time", "0.002", path)
        self.write("bad.hlsl", SHADER + f"// {HOSTILE}\nint f() {{ return {HOSTILE}; }}\n")
        self.clean(b"bad.hlsl", "pair", self.write("t.json", MANIFEST | {"Sides": [{"Source": "bad.hlsl"}]}))

    def test_page(self):
        with open(ISA, encoding="utf-8") as file:
            isa = json.load(file)
        isa["rows"][0] |= {"dtype": HOSTILE, "driver": HOSTILE, "text": HOSTILE, "kernel": "<script>" + HOSTILE}
        code, said, _ = self.run_it("report", self.write("isa.json", isa), "-o", "p.html")
        self.assertEqual(code, 0, said)
        with open(os.path.join(self.folder, "p.html"), "rb") as file:
            page = file.read()
        self.assertIsNone(COMMANDS.search(page))
        self.assertIn(b"&lt;script&gt;?]0;owned?", page)

    def test_time(self):
        """Four times the text takes about four times the processor's time; at most eight, where it was sixteen. Sanitizers, whose times
        say nothing, read each text once."""
        def seconds(words, text):
            with open(os.path.join(self.folder, "t.cu"), "w", encoding="utf-8") as file, \
                 open(os.path.join(self.folder, "u.cu"), "w", encoding="utf-8") as other:
                file.write(text)
                other.write(text.replace("a", "c"))
            code, said, used = self.run_it(*words)
            self.assertEqual(code, 0, (words, said[-300:]))
            return used.ru_utime + used.ru_stime

        for name, shape in SHAPES.items():
            shown = name in ("variables", "lines", "words in a line")
            for words in (("show", "t.cu", "u.cu"),) if shown else (("guide", "--scan", "t.cu"),):
                if os.environ.get("XB_SANITIZED"):
                    seconds(words, shape(20000))
                    continue
                best = [float("inf")] * 2
                for _ in range(3):
                    best = [min(best[i], seconds(words, shape(size))) for i, size in enumerate((20000, 80000))]
                    if best[1] < 8 * max(best[0], 0.03):
                        break
                else:
                    self.fail(f"{words[0]}, {name}: {best[0]:.2f} s, and for four times the text {best[1]:.2f} s")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
