"""golden.py XBENCH SCREENS FAKE NVML SOURCE_FOLDER [--write]: what the program prints is what expected/ has, number for number: stored
results, and runs on a device that does not exist, at 80 columns, without a limit, and in every format; and the tables of pages. --write
renews it."""
import concurrent.futures
import csv
import difflib
import html.parser
import io
import json
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

WRITE = "--write" in sys.argv
XBENCH, SCREENS, FAKE, NVML, SOURCE = (a for a in sys.argv[1:] if a != "--write")
RESULTS = pathlib.Path(SOURCE, "bench/results")
EXPECTED = pathlib.Path(SOURCE, "tests/golden/expected")
SCHEMAS = pathlib.Path(SOURCE, "tests/schemas")

# Few, and each with something that the others lack.
DOCUMENTS = {
    "compare_1": SCHEMAS / "xbench-1-compare.json",
    "compare_2": SCHEMAS / "xbench-2-compare.json",
    "transpose_ladder": RESULTS / "h200-2026-11-22/transpose_ladder.json",
    "transpose_api": RESULTS / "h200-2026-11-21/transpose_api_32768.json",
    "launch": RESULTS / "h200-2026-11-21/launch.json",
    "stencil": RESULTS / "h200-2026-11-22/pair_stencil.json",
    "pair_wrong": pathlib.Path(SOURCE, "tests/golden/pair_wrong.json"),
    "textures": RESULTS / "h200-2026-11-23/families/textures.json.xz",
    "l2window": RESULTS / "h200-2026-11-23/families/l2window.json.xz",
    "peaks": RESULTS / "h200-2026-11-26/tune/peaks.json.xz",
    "resident": RESULTS / "h200-2026-11-23/families/resident_256.json.xz",
    "reduce_run_1": RESULTS / "h200-2026-11-21/reduce_run_1.json",
    "reduce_run_2": RESULTS / "h200-2026-11-21/reduce_run_2.json",
}
# Of a document with many cells of one kind, those of these variants, each unlike the others in a column or a remark.
OF_REDUCE = "1_interleaved_divergent", "7_many_elements", "8_wave", "9_single_pass", "10_cub"
VARIANTS = {"textures": ("1_buffer", "3_point", "6_linear", "7_linear_normalized"), "reduce_run_1": OF_REDUCE, "reduce_run_2": OF_REDUCE,
            "transpose_ladder": ("1_copy_tiles", "3_naive", "4_coalesced", "8_vectors", "9_cublas")}
PAGES = {
    "families": ["textures", "compare_2"],
    "ladder": ["transpose_ladder"],
    "diff": ["--base", "compare_1", "compare_2"],
}
SHORT = ["-q", "--min-time", "0.001", "--max-time", "0.01"]
FAKES = {
    "run": [*SHORT, "fake"],
    "run_one": [*SHORT, "-b", "alpha", "fake/1", "fake/2"],
    "sizes": [*SHORT, "-b", "beta", "-n", "1000,2000", "fake"],
    "compare": ["compare", *SHORT, "fake"],
    "compare_variants": ["compare", *SHORT, "-b", "alpha", "-n", "1000,2000", "--against", "fake/1", "fake/2", "fake/3"],
    "occupancy": ["occupancy", "fake"],
    "list": ["list", "devices"],
    "list_long": ["list", "--long", "devices"],
    "tune": ["tune", "-q", "--min-time", "0.001", "--max-time", "0.01", "fake/1"],
    "scale_members": ["scale-table", "members"],
    "scale_shared": ["scale-table", "shared"],
    "scale_groups": ["scale-table", "groups"],
}
WITH_FORMATS = "run", "sizes", "compare", "compare_variants", "occupancy"


def printed(command, width=None, **how):
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")} | ({"COLUMNS": width} if width else {})
    done = subprocess.run([str(word) for word in command], env=environment | {"XB_NVML": "/nowhere/none"}, check=False, text=True,
                          capture_output=True, encoding="utf-8", **how)
    return done.stdout + (f"[stderr] {done.stderr}" if done.stderr else "") + (f"[exit {done.returncode}]\n" if done.returncode else "")


def folded(lines, like, where):
    """The lines; of runs that `like` has, too, only where they are."""
    for tag, begin, end, first, last in difflib.SequenceMatcher(None, like, lines, autojunk=False).get_opcodes():
        yield from [f"== as lines {begin + 1} to {end} {where}"] if tag == "equal" and end - begin > 2 else lines[first:last]


def at_widths(*command, **how):
    """What is printed without a limit, and at 80 columns."""
    wide, narrow = (printed(command, width, **how).splitlines() for width in (None, "80"))
    return "\n".join(["======== no limit", *wide, "======== 80", *folded(narrow, wide, "above")]) + "\n"


def by_lines(document):
    """A line for each member of the document, or each element of one that is a list."""
    return "".join(f"{key}: {json.dumps(part)}\n" for key, value in document.items() for part in (value if isinstance(value, list) and value else [value]))


class Text(html.parser.HTMLParser):
    """What a reader sees of a page, without its charts and sources: a line for each block, cells between bars; tables as CSV."""
    SKIPPED, BLOCKS = {"svg", "style", "script", "head"}, {"p", "h1", "h2", "h3", "h4", "li", "tr", "summary", "section", "article", "figure", "table"}

    def __init__(self):
        super().__init__()
        self.lines, self.line, self.inside = [], "", 0

    def end_line(self):
        if self.line.strip():
            self.lines.append(" ".join(self.line.split()))
        self.line = ""

    def handle_starttag(self, tag, attrs):
        self.inside += tag in self.SKIPPED
        attrs = dict(attrs)
        if tag in self.BLOCKS:
            self.end_line()
        if tag in ("td", "th"):
            self.line += " | "
        if tag == "table":
            self.lines.append(f"<table {attrs.get('class', '')}>")
        if tag == "a" and attrs.get("href", "").startswith("data:text/csv"):
            self.end_line()
            self.add_csv(urllib.parse.unquote(attrs["href"].split(",", 1)[1]))

    def add_csv(self, text):
        """Into the table before it, if it has the same rows, and quotes all but numbers: where a cell is another text as CSV, that
        follows in brackets."""
        rows, begin = list(csv.reader(io.StringIO(text))), len(self.lines)
        while begin and self.lines[begin - 1].startswith("|"):
            begin -= 1
        shown = [[cell.strip() for cell in line[1:].split("|")] for line in self.lines[begin:]]
        written = [",".join(v if re.fullmatch(r"(-?[\d.]+(e[-+]\d+)?)?", v) else '"' + v.replace('"', '""') + '"' for v in row) for row in rows]
        if begin and [len(row) for row in shown] == [len(row) for row in rows] and written == text.splitlines():
            self.lines[begin - 1:] = [f"{self.lines[begin - 1]} and CSV"] + [
                "| " + " | ".join(a if a == b else f"{a} ({b})" for a, b in zip(*pair)) for pair in zip(shown, rows)]
        else:
            self.lines += text.splitlines()

    def handle_endtag(self, tag):
        self.inside -= tag in self.SKIPPED
        if tag in self.BLOCKS:
            self.end_line()

    def handle_data(self, data):
        if not self.inside:
            self.line += data


def page(arguments, folder, name):
    path = os.path.join(folder, f"{name}.html")
    out = printed([XBENCH, "report", *arguments, "-o", path])
    text = Text()
    with open(path, encoding="utf-8") as file:
        text.feed(file.read().split('<section id="sources">')[0])
    return out + "\n".join(text.lines) + "\n"


class Golden(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.documents = {}
        for name, path in DOCUMENTS.items():
            cls.documents[name] = os.path.join(cls.folder.name, f"{name}.json")
            with (lzma.open if path.suffix == ".xz" else open)(path, "rt", encoding="utf-8") as file:
                text = file.read()
            if name in VARIANTS:
                document = json.loads(text)
                document["results"] = [r for r in document["results"] if r["yardstick"] or r["variant"] in VARIANTS[name]]
                text = json.dumps(document)
            pathlib.Path(cls.documents[name]).write_text(text, encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, made):
        """`made`: (name, function that prints) pairs; they run side by side."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, text in zip([name for name, _ in made], pool.map(lambda pair: pair[1](), made)):
                text = text.replace(self.folder.name, "FOLDER").replace(SOURCE, "SOURCE")
                path = EXPECTED / f"{name}.txt"
                if WRITE:
                    path.write_text(text, encoding="utf-8")
                    continue
                with self.subTest(name):
                    expected = path.read_text(encoding="utf-8")
                    self.assertTrue(text == expected, "\n".join([name, *difflib.unified_diff(
                        expected.splitlines(), text.splitlines(), "expected", "printed", lineterm="", n=1)][:200]))

    def test_documents(self):
        self.check([(name, lambda path=path: at_widths(SCREENS, path)) for name, path in self.documents.items() if not name.startswith(("peaks", "reduce"))] +
                   [("peaks", lambda: at_widths("env", "PEAKS=1", SCREENS, self.documents["peaks"]))])

    def test_formats(self):
        self.check([(f"{name}.{form}", lambda path=self.documents[name], form=form: printed([SCREENS, path, form]))
                    for name in ("compare_2", "stencil", "transpose_ladder", "textures") for form in ("csv", "markdown")
                    if (name, form) != ("textures", "csv")])
        out, decoder = printed([SCREENS, self.documents["stencil"], "gbench"]), json.JSONDecoder()
        self.check([("stencil.gbench", lambda: by_lines({"benchmarks": decoder.raw_decode(out)[0]["benchmarks"][::20]}))])

    def test_diff(self):
        files = "reduce_run_1.json", "reduce_run_2.json"
        new = os.path.join(self.folder.name, "diff.json")

        def as_json():
            printed([XBENCH, "diff", "--json", new, *files], cwd=self.folder.name)
            with open(new, encoding="utf-8") as file:
                document = json.load(file)
            # One cell of each verdict and reason; diff.txt has the numbers of all cells.
            document["cells"] = list({(cell["verdict"], cell["reason"]): cell for cell in reversed(document["cells"])}.values())
            return by_lines(document)
        self.check([("diff", lambda: at_widths(XBENCH, "diff", *files, cwd=self.folder.name)),
                    ("diff.markdown", lambda: printed([XBENCH, "diff", "--markdown", *files], cwd=self.folder.name)),
                    ("diff_failing", lambda: at_widths(XBENCH, "diff", "--force", self.documents["compare_1"], self.documents["compare_2"])),
                    ("diff.json", as_json)])

    def test_share(self):
        self.check([("share", lambda: at_widths(XBENCH, "share", "--dry-run", self.documents["stencil"])),
                    ("share.csv", lambda: printed([XBENCH, "share", "--dry-run", "--format", "csv", self.documents["compare_2"]])),
                    ("share_old", lambda: printed([XBENCH, "share", "--dry-run", self.documents["compare_1"]]))])

    def test_doctor(self):
        """A planted machine. Only what the tested machine's own system, variables, layers and libraries add is left out."""
        root = pathlib.Path(self.folder.name, "root")
        gpu = root / "sys/bus/pci/devices/0000:65:00.0"
        for path, text in ((gpu / "class", "0x030200\n"), (gpu / "vendor", "0x10de\n"), (root / "dev/nvidiactl", ""),
                           (root / "proc/driver/nvidia/version", "NVRM version: 580.1\n")):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        (gpu / "driver").symlink_to("../../drivers/nvidia")
        state = "persistence=0 compute=0 ecc=0 mig=1 limit=300000 default=700000 processes=2 reasons=4 enforced=200000 used=1073741824"
        settings = {"XB_DOCTOR_ROOT": "root", "XB_NVML": NVML, "FAKE_NVML": f" {state}", "PATH": "root", "HOME": "root", "XDG_CACHE_HOME": "",
                    "VK_DRIVER_FILES": "root/none.json"}
        command = ["env", "-u", "CUDA_VISIBLE_DEVICES", *(f"{name}={value}" for name, value in settings.items()), FAKE, "doctor"]
        topics = "machine", "environment", "Vulkan layers", "libraries"
        self.check([("doctor", lambda: re.sub(rf"(?m)^(?:{'|'.join(topics)})\n(?: .*\n)+", "", at_widths(*command, cwd=self.folder.name)))])

    def test_isa(self):
        old, new = (SCHEMAS / f"xbench-isa-{i}.json" for i in (1, 2))
        self.check([("isa_diff", lambda: at_widths(XBENCH, "diff", old, new)),
                    ("isa_diff.markdown", lambda: printed([XBENCH, "diff", "--markdown", old, new])),
                    ("page_isa", lambda: page([new], self.folder.name, "isa"))])

    def test_pages(self):
        first, *others = [(name, page([self.documents.get(word, word) for word in words], self.folder.name, name)) for name, words in PAGES.items()]
        like = first[1].splitlines()
        self.check([(f"page_{first[0]}", lambda: first[1])] + [
            (f"page_{name}", lambda text=text: "\n".join(folded(text.splitlines(), like, f"of page_{first[0]}")) + "\n") for name, text in others])

    def test_fake(self):
        self.check([(f"fake_{name}", lambda words=words: at_widths(FAKE, *words, cwd=self.folder.name)) for name, words in FAKES.items()] +
                   [(f"fake_{name}.{form}", lambda name=name, form=form: printed([FAKE, "--format", form, *FAKES[name]]
                     if not FAKES[name][0].isalpha() else [FAKE, FAKES[name][0], "--format", form, *FAKES[name][1:]]))
                    for name in WITH_FORMATS for form in ("csv", "markdown")])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
