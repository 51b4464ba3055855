"""show.py XBENCH ROOT CMAKE: tests `xbench show` as a user runs it: at any width, it shows the whole source and no line is too
long; colours appear on a terminal only; pages are well-formed. Also, configuring must refuse markers that do not match."""
import glob
import html.parser
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import terminals

XBENCH, ROOT, CMAKE = sys.argv[1:4]
WIDTHS = 40, 80, 160, 200, 300
FOLDER = tempfile.TemporaryDirectory(prefix="xbench-show-")


def show(*arguments, code=0, **environment):
    settings = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
    done = subprocess.run([XBENCH, "show", *arguments], capture_output=True, env={**settings, **environment})
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    assert bool(done.stderr) == bool(code), done.stderr
    return done.stdout.decode()


def source(path):
    with open(os.path.join(ROOT, path)) as file:
        return file.read().splitlines()


def bare(text):
    return "".join(text.split())


def joined(rows):
    """The lines of a source from the rows of its column: a row that begins with \\ continues a line; skips fillers and blanks."""
    lines = []
    for row in rows:
        row = row.rstrip()
        if re.match(r" *\\ ", row):
            lines[-1] += row.split("\\ ", 1)[1]
        elif row:
            lines.append(row)
    return lines


def pairs():
    for shader in sorted(glob.glob(os.path.join(ROOT, "shaders/*/*.hlsl"))):
        stem = os.path.relpath(shader, os.path.join(ROOT, "shaders"))[:-5]
        if os.path.exists(os.path.join(ROOT, f"kernels/{stem}.cu")):  # else Vulkan's alone
            yield stem, f"kernels/{stem}.cu", f"shaders/{stem}.hlsl"


class Text(unittest.TestCase):
    def check_side(self, rows, path, exact):
        expected = [line for line in source(path) if line.strip()]
        got = joined(rows)
        self.assertEqual([bare(line) for line in got], [bare(line) for line in expected], path)
        if exact:
            self.assertEqual(got, expected)

    def check(self, stem, kernel, shader, width):
        out = show(stem, "--columns", "2", COLUMNS=str(width)).splitlines()
        for line in out:
            self.assertLessEqual(len(line), width)
        first = next(i for i, line in enumerate(out) if line.startswith("kernels/"))
        at = out[first].find("shaders/")
        end = next((i for i, line in enumerate(out) if line.startswith("Corresponding words")), len(out))
        rows = out[first:end]
        while not rows[0].startswith("//"):  # the paths may need several lines
            rows.pop(0)
        self.check_side([row[: at - 3] for row in rows], kernel, width >= 300)
        self.check_side([row[at:] for row in rows], shader, width >= 300)
        for row in rows:
            self.assertIn(row[at - 2 : at - 1], ["", " ", "|", "<", ">", "*"])

    def test_nothing_is_lost(self):
        for stem, kernel, shader in pairs():
            for width in WIDTHS if stem.split("/")[1].startswith("1_") else (300,):
                with self.subTest(stem, width=width):
                    self.check(stem, kernel, shader, width)

    def test_stacked(self):
        for stem, kernel, shader in pairs():
            for width in (40, 79) if stem.split("/")[1].startswith("1_") else ():  # as --columns 1 by itself
                out = show(stem, COLUMNS=str(width))
                self.assertEqual(out, show(stem, "--columns", "1", COLUMNS=str(width)))
                self.assertLessEqual(max(map(len, out.splitlines())), width)
            out = show(stem, "--columns", "1", COLUMNS="300").split("Corresponding words")[0].splitlines()
            for path in kernel, shader:
                rows, inside = [], False
                for line in out:
                    if line in (kernel, shader):
                        inside = line == path
                    elif inside:
                        rows.append(line[2:])
                self.check_side(rows, path, True)

    def test_one_side(self):
        for backend, path in ("cuda", "kernels/reduce/7_many_elements.cu"), ("vulkan", "shaders/reduce/7_many_elements.hlsl"):
            out = show("reduce/7", "--backend", backend, COLUMNS="300").splitlines()
            self.assertEqual(out[out.index(path) + 1 :], source(path) + [""])

    def test_widths_that_are_none(self):
        usual = show("reduce/7")
        for columns in "0", "abc", "-5", "", "80x", " 80":
            self.assertEqual(show("reduce/7", COLUMNS=columns), usual, columns)
        self.assertEqual(show("reduce/7", COLUMNS="99999999999999999999999"), show("reduce/7", COLUMNS="1000"))
        self.assertEqual(show("reduce/7", COLUMNS="1"), show("reduce/7", COLUMNS="20"))
        self.assertEqual(show("reduce/7", COLUMNS="1", LC_ALL="C"), show("reduce/7", COLUMNS="1", LC_ALL="C.UTF-8"))

    def test_rows_on_one_api(self):
        out = show("reduce/cub")
        self.assertRegex(out, r"^reduce/10_cub: .*\nCUB is .*no Vulkan build")
        self.assertIn("cub::DeviceReduce::Sum", out)
        out = show("copy/1")
        self.assertRegex(out, r"no kernel: .*\n\n\[plan\] (.*\n)*\[copy\] ")
        self.assertNotIn("[dispatch]", out)
        self.assertIn("It runs the kernel of launch/1", show("launch/3"))

    def test_headers(self):
        out = show("reduce/7", "--headers", COLUMNS="300")
        for header in "core/include/xb/abi.h: both sides include it", "bench/benchmarks/reduce/reduce_args.h: both", "kernels/entry.cuh: the CUDA":
            self.assertIn("\n" + header, out)
        self.assertIn("\n".join(source("bench/benchmarks/reduce/reduce_args.h")), out)
        self.assertNotIn("entry.cuh:", show("reduce/7", "--headers", "--backend", "vulkan"))

    def test_host(self):
        out = show("reduce/7", "--host", COLUMNS="300")
        for text in (
            "xb_plan_dispatch(", "[dispatch] ", "[barrier] ", "[copy] ", "[timestamp] ", "[kernel] ", "[buffer] ",
            "GraphAddKernelNode", "CmdBindPipeline", "CmdDispatch", "CmdPipelineBarrier", "EventRecord", "CmdWriteTimestamp", "MemAlloc",
            "AllocateMemory", "CreateComputePipelines", "ModuleLoadDataEx", "QueueSubmit",
        ):
            self.assertIn(text, out)
        for api in "cuda", "vulkan":  # an emulation has no calls of a driver, and is shown whole
            self.assertNotRegex(show("reduce/7", "--host", "--backend", api, COLUMNS="300"), "(cu|vk|dx|xb)_fail")
        if "backend_d3d12/" in out:
            for text in ("CreateCommittedResource", "CreateComputePipelineState", "List_Dispatch(", "CopyBufferRegion", "ResourceBarrier",
                         "EndQuery", "ExecuteCommandLists", "GetCompletedValue"):
                self.assertIn(text, out)
            self.assertRegex(out, r"\nbackend_cuda/memory.c:\d+ +backend_vulkan/memory.c:\d+ +backend_d3d12/memory.c:\d+\n")
        whole = show("reduce/7", "--host", "--whole", COLUMNS="300")
        self.assertIn("reduce_plan", whole)
        self.assertGreater(len(whole), 1.5 * len(out))
        only = show("reduce/7", "--host", "--backend", "vulkan")
        self.assertIn("backend_vulkan/commands.c:", only)
        self.assertNotIn("backend_cuda", only)


class Differences(unittest.TestCase):
    def check(self, before, after, path_of, backend):
        """Lines with - or a blank are from the old file, with + or a blank from the new one, in order. A line that is not
        shown is in both files, in an unchanged part."""
        out = show(after, f"--diff={before}", "--backend", backend, COLUMNS="300").splitlines()
        signed = [line for line in out if re.match(r"[-+ ] ", line)]
        old, new = source(path_of(before)), source(path_of(after))
        for sign, lines, others in ("-", old, new), ("+", new, old):
            self.assertTrue(any(line[0] == sign for line in signed))
            kept = [line[2:] for line in signed if line[0] in (sign, " ") and line[2:].strip()]
            at = 0
            for line in kept:
                at = lines.index(line, at) + 1
            self.assertLessEqual({line for line in lines if line.strip()} - set(kept), set(others))

    def test_lines(self):
        rungs = sorted(stem for stem, _, _ in pairs() if stem.startswith("reduce/"))
        for before, after in zip(rungs, rungs[1:]):
            for backend, path in ("cuda", "kernels/{}.cu"), ("vulkan", "shaders/{}.hlsl"):
                with self.subTest(after, backend=backend):
                    self.check(before, after, path.format, backend)

    def test_forms(self):
        usual = show("reduce/7", "--diff")
        self.assertIn("Changes from reduce/6_unrolled:", usual)
        for form in (["--diff", "reduce/7"], ["reduce/7", "--diff", "6"], ["reduce/7", "--diff=reduce/6"],
                     ["--diff=unrolled", "reduce/many_elements"], ["--diff", "6", "reduce/7"]):
            self.assertEqual(show(*form), usual, form)
        self.assertIn("\n[write]: unchanged", usual)
        self.assertIn("[last wave]: removed", show("reduce/8", "--diff"))
        self.assertIn("Changes from copy/2_float4", show("launch/1", "--diff", "copy/2"))


class Terminal(unittest.TestCase):
    def on_terminal(self, columns, *arguments, **environment):
        settings = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
        code, out = terminals.on_terminal([XBENCH, "show", *arguments], {**settings, "TERM": "xterm", **environment}, columns, stderr=None)
        self.assertEqual(code, 0)
        return out

    def test_colours(self):
        out = self.on_terminal(100, "reduce/7")
        self.assertIn("\033[0;36mconst", out)
        plain = re.sub("\033\\[[0-9;]*m", "", out)
        self.assertNotIn("\033", plain)
        self.assertEqual([line.rstrip() for line in plain.splitlines()],
                         [line.rstrip() for line in show("reduce/7", COLUMNS="100").splitlines()])
        for line in out.splitlines():  # attributes are off at the end of a line
            self.assertNotIn("\033", line.rsplit("\033[0m", 1)[-1])
        for setting in {"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}:
            self.assertNotIn("\033", self.on_terminal(100, "reduce/7", **setting))
        self.assertIn("\033", self.on_terminal(100, "reduce/7", NO_COLOR=""))
        self.assertNotIn("\033", show("reduce/7", TERM="xterm"))

    def test_width(self):
        """The terminal's width has priority over COLUMNS."""
        self.assertEqual(self.on_terminal(120, "reduce/7", NO_COLOR="1", COLUMNS="40"), show("reduce/7", COLUMNS="120"))
        self.assertEqual(self.on_terminal(0, "reduce/7", NO_COLOR="1", COLUMNS="90"), show("reduce/7", COLUMNS="90"))


class Parser(html.parser.HTMLParser):
    VOID = ("meta",)

    def __init__(self):
        super().__init__()
        self.open, self.code = [], {"l": [], "r": [], "t": [], "w": []}

    def handle_starttag(self, tag, attributes):
        if tag in self.VOID:
            return
        self.open.append((tag, dict(attributes).get("class", "") or ""))
        if tag == "code" and len(self.open) > 1 and "xb-line" in self.open[-2][1]:
            self.code[self.open[-2][1][3]].append("")

    def handle_startendtag(self, tag, attributes):
        assert tag in self.VOID

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        for i, (tag, _) in enumerate(self.open):
            if tag == "code" and i and "xb-line" in self.open[i - 1][1]:
                self.code[self.open[i - 1][1][3]][-1] += data


class Pages(unittest.TestCase):
    def page(self, *arguments):
        path = os.path.join(FOLDER.name, "page.html")
        self.assertEqual(show(*arguments, "--html", path), "")
        self.assertEqual(os.listdir(FOLDER.name), ["page.html"])  # no temporary file is left
        with open(path) as file:
            text = file.read()
        parser = Parser()
        parser.feed(text)
        parser.close()
        self.assertEqual(parser.open, [])
        xml.etree.ElementTree.fromstring(text)
        for outside in "http:", "https:", "<script", "src=", "@import", "url(":
            self.assertNotIn(outside, text)
        return parser

    def test_sources(self):
        for stem, kernel, shader in pairs():
            parser = self.page(stem)
            self.assertEqual(parser.code["l"], source(kernel))
            self.assertEqual(parser.code["r"], source(shader))

    def test_other_views(self):
        for arguments in (["reduce/9", "--host"], ["reduce/8", "--diff"], ["copy/1"], ["reduce/cub"], ["launch/2"]):
            self.page(*arguments)
        parser = self.page("reduce/9", "--headers", "--backend", "cuda")
        self.assertEqual(parser.code["w"][: len(source("bench/benchmarks/reduce/reduce_args.h"))], source("bench/benchmarks/reduce/reduce_args.h"))

    def test_streams(self):
        """A page may go to stdout; a write error is reported."""
        self.assertTrue(show("reduce/7", "--html", "/dev/stdout").startswith("<!DOCTYPE html>"))
        for arguments in ["reduce/7"], ["reduce/7", "--html", "/dev/stdout"]:
            with open("/dev/full", "w") as full:
                done = subprocess.run([XBENCH, "show", *arguments], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr.decode(), r"^xbench: .*cannot be written: No space left on device\n$")
        closed = subprocess.run(f"'{XBENCH}' show reduce/7 >&-", shell=True, capture_output=True)
        self.assertEqual((closed.returncode, closed.stderr), (0, b""))
        gone = subprocess.run(f"'{XBENCH}' show reduce/9 --host | head -1", shell=True, capture_output=True)
        self.assertEqual((gone.stdout, gone.stderr), (b"reduce/9_single_pass: one dispatch, vector loads\n", b""))


class Markers(unittest.TestCase):
    """The messages of configuring for a kernel and its twin with these markers."""

    def check(self, kernel, shader):
        with tempfile.TemporaryDirectory(prefix="xbench-markers-") as root:
            for path, text in ("k.cu", kernel), ("s.hlsl", shader):
                with open(os.path.join(root, path), "w") as file:
                    file.write(text)
            with open(os.path.join(root, "check.cmake"), "w") as file:
                file.write(f"cmake_minimum_required(VERSION 3.25)\ninclude({ROOT}/cmake/XbMarkers.cmake)\nxb_check_markers(k.cu s.hlsl)\n")
            done = subprocess.run([CMAKE, "-P", "check.cmake"], cwd=root, capture_output=True)
            return done.returncode, " ".join(done.stderr.decode().split())

    def test_markers(self):
        good = "// head [no]\n// [1] no\n  // [load] a; [b\n  x[0]; // [not] one\n // [wave 2]\n"
        self.assertEqual(self.check(good, good), (0, ""))
        for kernel, shader, told in (
            ("// head\n", "// head\n", "k.cu has no marker"),
            (good, "// [load]\n", "s.hlsl has the markers [load], its twin k.cu has [load;wave 2]"),
            (good, "// [wave 2]\n// [load]\n", "s.hlsl has the markers [wave 2;load]"),
            (good, "// none\n", "s.hlsl has the markers []"),
        ):
            code, error = self.check(kernel, shader)
            self.assertEqual(code, 1)
            self.assertIn(told, error)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
