"""report.py XBENCH RESULTS SYNTHETIC [TEST...]: checks the pages of 'xbench report' in a browser, and every error of the
command."""

import copy
import csv
import glob
import io
import itertools
import json
import lzma
import math
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
import xml.etree.ElementTree

import browser
import patience

XBENCH, RESULTS, SYNTHETIC = (os.path.abspath(path) for path in sys.argv[1:4])
LADDER = os.path.join(RESULTS, "transpose_ladder.json")
COMPARED = os.path.join(RESULTS, "reduce_cub_large.json")

# Finds faults of a page in the browser, with all details open.
LOOK = """(() => {
  document.querySelectorAll('details').forEach(d => d.open = true);
  const all = [...document.querySelectorAll('body *')], name = e => e.tagName + '.' + e.className + ' ' + e.id;
  const outside = all.filter(e => !e.closest('.scroll, .skip, svg') && e.getBoundingClientRect().right > innerWidth + 1);
  const drawn = [...document.querySelectorAll('svg')].filter(s => [...s.querySelectorAll('text')].some(t =>
    t.getBoundingClientRect().right > s.getBoundingClientRect().right + 4
    || t.getBoundingClientRect().left < s.getBoundingClientRect().left - 4
    || t.getBoundingClientRect().bottom > s.getBoundingClientRect().bottom + 1
    || t.getBoundingClientRect().top < s.getBoundingClientRect().top - 1));
  const images = [...document.querySelectorAll('svg, img, canvas, object, embed, video')];
  const told = e => e.getAttribute('role') === 'img' && (e.getAttribute('aria-labelledby') || '').split(' ').every(
    id => id && e.contains(document.getElementById(id)) && document.getElementById(id).textContent.length > 9);
  const ids = all.map(e => e.id).filter(id => id);
  const lost = [...document.querySelectorAll('a[href^="#"]')].filter(
    a => !document.getElementById(a.getAttribute('href').slice(1)));
  const light = c => c.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255).map(
    v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
  const behind = e => { for (; e; e = e.parentElement) {
    const c = getComputedStyle(e).backgroundColor; if (!/, 0\\)$/.test(c)) return light(c); } return 1; };
  const contrast = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  const faint = all.filter(e => e.matches('svg text, p, td, th, h1, h2, h3, h4, a, summary, li') && e.textContent.trim()
    && contrast(light(getComputedStyle(e)[e.closest('svg') ? 'fill' : 'color']), behind(e)) < 4.5);
  return {page: document.documentElement.scrollWidth - innerWidth, outside: outside.map(name), drawn: drawn.map(name),
    mute: images.filter(e => !told(e)).map(name), images: images.length, twice: ids.filter((id, i) => ids.indexOf(id) != i),
    lost: lost.map(a => a.href), faint: faint.slice(0, 5).map(e => name(e) + e.textContent.slice(0, 40)), broken: !!window.broken,
    smallest: Math.min(99, ...[...document.querySelectorAll('svg text')].map(t => t.getBoundingClientRect().height)),
    left: (document.body.textContent.match(/~\\d+~|\\{\\{|\\bnan\\b|\\binf\\b/g) || [])};
})()"""
GOOD = {"page": 0, "outside": [], "drawn": [], "mute": [], "twice": [], "lost": [], "faint": [], "broken": False, "left": []}

HOSTILE = "<img src=x onerror=broken=1><script>broken=1</script>\"'`touch pwned`$(touch pwned)&amp;]]>"
DRAWN = "</text></svg><rect width='9'/>\n<path d=\"M0,0h9\"/> url(#c1-hatch1) &lt;nan inf %s%n"
TERMINAL = "\u001b]0;pwned\u0007\u001b[31m\u009b31m\u202egnp\u0000".replace("\u0000", "")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Report(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="xbench-report-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def save(self, document, name="r.json"):
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump(document, file)
        return self.path(name)

    def report(self, *arguments, exit_code=0, says=False, **how):
        """Runs xbench report and returns its message, which has at most one line."""
        done = subprocess.run([XBENCH, "report", *arguments], cwd=self.folder, capture_output=True, timeout=patience.S, **how)
        err = done.stderr.decode()
        self.assertEqual(done.returncode, exit_code, err)
        self.assertRegex(err, r"^$" if exit_code == 0 and not says else r"\Axbench: [ -~]+\n\Z")
        return err

    def page(self, *files):
        self.report(*files, "-o", "p.html")
        with open(self.path("p.html"), encoding="utf-8") as file:
            return file.read()

    def look(self, ways=((400, True), (1600, False)), hostile=False):
        """Checks the page at these widths, dark or light: colours do not depend on the width. Returns the number of images. Charts may clip hostile names."""
        for width, dark in ways:
            self.browser.look(width, dark)
            self.assertEqual(self.browser.open(self.path("p.html")), [])
            found = self.browser.evaluate(LOOK)
            images, smallest = found.pop("images"), found.pop("smallest")
            if hostile:
                found.update(drawn=[], left=[])
            self.assertEqual(found, GOOD, f"{width} points wide, {'dark' if dark else 'light'}")
            self.assertGreater(smallest, 8, "points is the height of the smallest text of a chart")
            self.assertEqual([url for url in self.browser.requests() if not url.startswith(("file:", "data:"))], [])
        return images

    def text(self):
        return self.browser.evaluate("document.body.textContent")

    # ---- Contents of a page ---------------------------------------------------------------------------------------

    def test_all_files(self):
        page = self.page(*sorted(glob.glob(RESULTS + "/*.json")))
        self.assertGreater(self.look(), 10)
        for said in ("NVIDIA H200", "4814 GB/s", "60 MiB", "from 1.004 at 2^30 to 1.745 at 2^18", "at an unknown time by xbench", "does not repeat its work"):
            self.assertIn(said, self.text())
        self.assertLess(len(page), 1 << 21)
        for _, _, svg in self.charts(page):  # charts use the page's colours only
            self.assertNotRegex(xml.etree.ElementTree.tostring(svg, "unicode"), r"white|black|rgb\(|#[0-9a-f]{6}")
        self.assertNotRegex(page, r"<script|https?://(?!www\.w3\.org)|@import|<link(?! rel=\"icon\" href=\"data:,\")")

    # ---- Headlines ------------------------------------------------------------------------------------------------

    def unpacked(self, name):
        """A stored result, without its compression."""
        with lzma.open(os.path.join(RESULTS, "../../../docs/results", name + ".json.xz"), "rb") as file:
            return self.save(json.load(file), name + ".json")

    CARDS = r'<span class="t(\d)" aria-hidden="true">&#9632;</span> ([^<]*)</p>'

    def test_several_gpus(self):
        """Where there are several GPUs, each label names its own; an API keeps its colour."""
        page = self.page(self.unpacked("nvidia-h100-reduce"), self.unpacked("nvidia-h200-reduce"))
        self.assertEqual(re.findall(self.CARDS, page), [("0", "CUDA graph, H100 80GB HBM3"), ("0", "CUDA graph, H200"),
                                                        ("2", "Vulkan, H100 80GB HBM3"), ("2", "Vulkan, H200")])
        self.assertIn("reduce: Vulkan / CUDA graph, 9 single_pass, H200", [title for title, _, _ in self.charts(page)])
        means = next(svg for title, _, svg in self.charts(page) if title.startswith("Which is faster"))
        self.assertEqual([text for text in self.texts(means) if "2^30" in text],
                         ["nvidia-h100-reduce.json, 2^30, H100 80GB HBM3", "from 1.004 at 2^30 to 1.762 at 2^16",
                          "nvidia-h200-reduce.json, 2^30, H200", "from 1.004 at 2^30 to 1.656 at 2^16"])
        self.look(ways=((400, False), (1280, True)))

    def test_two_gpus_of_one_file(self):
        """Two GPUs of one model in a file: the same number through each API, in labels and colours of charts."""
        document = load(os.path.join(RESULTS, "reduce_api.json"))
        document.update(comparisons=[], geometric_means=[])
        first, second = document["devices"][0]["uuid"], "ffffffff-0000-0000-0000-000000000000"
        document["devices"] += [{**device, "uuid": second} for device in reversed(document["devices"])]
        document["results"] += [{**r, "device": second} for r in document["results"]]
        self.assertEqual({r["device"] for r in document["results"]}, {first, second})
        page = self.page(self.save(document))
        self.assertEqual([name for _, name in re.findall(self.CARDS, page)],
                         [f"{api}, device {device}" for api, device in (("CUDA graph", 1), ("Vulkan", 1), ("Vulkan", 2), ("CUDA graph", 2))])
        self.assertEqual(len(set(re.findall(self.CARDS, page))), 4)
        self.assertEqual(len({slot for slot, _ in re.findall(self.CARDS, page)}), 4)
        self.look(ways=((400, False),))

    def test_gpus_of_one_model(self):
        """Several files of one model's GPUs: the card has the best one and says so."""
        document = load(os.path.join(RESULTS, "reduce_api.json"))
        text = json.dumps(document).replace(document["devices"][0]["uuid"], "ffffffff-0000-0000-0000-000000000000")
        page = self.page(os.path.join(RESULTS, "reduce_api.json"), self.save(json.loads(text), "other.json"))
        self.assertEqual(re.findall(self.CARDS, page), [("0", "CUDA graph"), ("2", "Vulkan")])
        self.assertEqual(page.count("2^30 float32, the best of 2 GPUs"), 2)

    def test_headlines_claim_no_more_than_the_data(self):
        """What the intervals do not tell apart is not called the best, in cards and ladders; charts show the intervals."""
        document = load(LADDER)
        best = max((r for r in document["results"] if not r["yardstick"] and r["gbps"]), key=lambda r: r["gbps"])
        page = self.page(self.save(document))
        self.assertRegex(page, r"<p>Best: 8 vectors through CUDA graph, 4123 GB/s")
        self.assertNotIn("Not distinguishable", page)
        for r in document["results"]:
            if r["variant"] == "6_diagonal" and r["backend"] == best["backend"]:
                r.update({key: best[key] for key in ("gbps", "median_ns", "ci95_ns", "samples_ns", "percent_of_peak")})
        page = self.page(self.save(document))
        self.assertRegex(page, r"<p>Not distinguishable: \d \w+ through CUDA graph, 4123 GB/s, 86 % of the theoretical peak; "
                               r"\d \w+ through CUDA graph, 4123\. Whiskers")
        self.assertIn("Not distinguishable: 6 diagonal; 8 vectors, 8192 x 8192 float32", page)
        (_, _, svg), = [chart for chart in self.charts(page) if "ladder" in chart[0]]
        whiskers = [e for e in svg.iter("{http://www.w3.org/2000/svg}path") if e.get("stroke") == "var(--ink)"]
        self.assertEqual(len(whiskers), sum(bool(not r["yardstick"] and r["gbps"]) for r in document["results"]))

    def test_intervals_of_lines(self):
        """The whisker of a point is the interval of its time, as a bandwidth."""
        page = self.page(COMPARED)
        (_, _, svg), = [chart for chart in self.charts(page) if chart[0] == "reduce, float32: bandwidth against size"]
        cells = [r for r in load(COMPARED)["results"] if r["dtype"] == "float32" and not r["yardstick"]]
        _, upwards = self.axes(svg)
        drawn = sorted((high, low) for slot in range(6) for _, low, high in self.places(svg, f"var(--series{slot})", "intervals"))
        ends = sorted(((r["gbps"] * r["median_ns"] / r["ci95_ns"][0], r["gbps"] * r["median_ns"] / r["ci95_ns"][1]) for r in cells), reverse=True)
        self.assertEqual(len(drawn), len(ends))
        for (high, _), (most, _) in zip(drawn, ends):
            self.expect_between(upwards, most, high, False)

    def test_samples(self):
        """A strip for each cell: each of its columns is where samples lie, and what is outside of the axis is at its end."""
        document = load(LADDER)
        page = self.page(self.save(document))
        (title, _, svg), = [chart for chart in self.charts(page) if chart[0].endswith(": samples")]
        self.assertEqual(title, "transpose, 8192 x 8192 float32: samples")
        cells = sorted((r for r in document["results"] if not r["yardstick"] and r["samples_ns"]),
                       key=lambda r: (int(r["variant"].split("_")[0]), r["backend"]))
        across, _ = self.axes(svg)
        rows = [e.get("d") for e in svg.iter("{http://www.w3.org/2000/svg}path") if e.get("stroke-width") == "2"]
        self.assertEqual(len(rows), len(cells))
        begin, end = across[0], across[-1]
        place = lambda percent: min(max(begin[1] + (percent - begin[0]) / (end[0] - begin[0]) * (end[1] - begin[1]), 160), 314)
        for drawn, cell in zip(rows, cells):
            columns = [float(x) for x in re.findall(r"M([\d.]+),", drawn)]
            percents = [100 * (ns / cell["median_ns"] - 1) for ns in cell["samples_ns"]]
            for percent in percents:
                self.assertLess(min(abs(x - place(percent)) for x in columns), 2, "no column where a sample lies")
            for x in columns:
                self.assertLess(min(abs(x - place(percent)) for percent in percents), 2, "a column where no sample lies")
            self.assertIn(" to ".join(f"{p:+.1f}" if abs(p) < 10 else f"{p:+.0f}" for p in (min(percents), max(percents))), self.texts(svg))
        document["results"] = [r | {"samples_ns": [2 * r["median_ns"], *r["samples_ns"][1:]] if r["samples_ns"] else []} for r in document["results"]]
        (_, _, outside), = [chart for chart in self.charts(self.page(self.save(document))) if chart[0].endswith(": samples")]
        self.assertEqual(sum("to +100" in text for text in self.texts(outside)), len(cells))
        self.look(ways=((400, True),))

    def test_origin(self):
        """Date, commit and driver stand at the top."""
        page = self.page(self.unpacked("nvidia-h100-reduce"), self.unpacked("nvidia-h200-reduce"))
        top = re.sub("<[^>]*>", "", page[page.index("<header"):page.index("</header>")])
        self.assertIn("Measured 2026-11-25T21:31:46Z to 2026-11-26T14:32:02Z by xbench 0.1.0, commit 1b8bad65\u2026 and aae36f96\u2026; "
                      "driver: CUDA driver 13.0, driver 580.159.04 and NVIDIA 580.159.04.", top)

    def test_unlike_rows(self):
        """Beside the best cells stands their own ratio, and no mean over variants that have nothing in common."""
        def glance(path):
            return re.sub("<[^>]*>", "|", self.page(path).split('id="summary"')[1].split("</section>")[0])
        self.assertRegex(glance(LADDER), r"transpose, at best: Vulkan / CUDA graph, \d \w+, 8192²\|+(\d\.\d{4}\|+){3}\w+\|+[\d.]+\|+1 of \d+\|")
        found = load(COMPARED)["geometric_means"][0]  # of one variant
        self.assertRegex(glance(COMPARED), rf"\|{found['ratio']:.4f}\|.*{found['compared']} of {found['of']}\|")

    def test_print(self):
        self.page(COMPARED)
        self.browser.look(794, True, "print")
        self.assertEqual(self.browser.open(self.path("p.html")), [])
        self.assertEqual(self.browser.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(self.browser.evaluate("getComputedStyle(document.querySelector('nav')).display"), "none")

    def charts(self, page):
        """(title, description, SVG) of each chart."""
        space = "{http://www.w3.org/2000/svg}"
        found = []
        for svg in re.findall(r"<svg.*?</svg>", page, re.S):
            root = xml.etree.ElementTree.fromstring(svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1))
            found.append((root.find(space + "title").text, root.find(space + "desc").text, root))
        return found

    def test_bars_are_as_long_as_they_say(self):
        page = self.page(LADDER)
        (title, description, svg), = [chart for chart in self.charts(page) if "ladder" in chart[0]]
        cells = [r for r in load(LADDER)["results"] if not r["yardstick"] and r["gbps"]]
        self.assertIn("8192 x 8192 float32", title)
        colours = {"cuda": "var(--series0)", "vulkan": "var(--soft2)"}
        for backend, colour in colours.items():
            lengths = self.bars(svg, colour)  # in the order of the rungs
            gbps = [r["gbps"] for r in sorted(cells, key=lambda r: int(r["variant"].split("_")[0]))
                    if r["backend"] == backend]
            self.assertEqual(len(lengths), len(gbps))
            for length, value in zip(lengths, gbps):
                self.assertAlmostEqual(length / max(lengths), value / max(gbps), delta=0.01)
                self.assertIn(f"{value:.0f} GB/s" if value >= 1000 else f"{value:.1f} GB/s", description)

    def bars(self, svg, colour):
        """The lengths of the bars of this colour, from the top."""
        bars = [rect for rect in svg.iter("{http://www.w3.org/2000/svg}rect") if rect.get("fill") == colour]
        return [float(rect.get("width")) for rect in sorted(bars, key=lambda rect: float(rect.get("y")))]

    def places(self, svg, colour, wanted):
        """The centres of what is drawn in this colour: points, or the ends of upright intervals."""
        found = []
        for e in svg.iter("{http://www.w3.org/2000/svg}path"):
            point = re.match(r"translate\(([\d.]+),([\d.]+)\)", e.get("transform") or "")
            ends = re.fullmatch(r"M[\d.]+,[\d.]+h6M([\d.]+),([\d.]+)V([\d.]+)M[\d.]+,[\d.]+h6", e.get("d"))
            if wanted == "points" and point and colour in (e.get("fill"), e.get("stroke")):
                found.append(tuple(map(float, point.groups())))
            if wanted == "intervals" and ends and e.get("stroke") == colour:
                found.append(tuple(map(float, ends.groups())))
        return found

    def axes(self, svg):
        """The marks of each axis: (value, place). A mark's text is below the axes, or to the left of them."""
        texts = [(t.text.replace("2^", ""), float(t.get("x")), float(t.get("y")) - 4, t.get("text-anchor"), "2^" in t.text)
                 for t in svg.iter("{http://www.w3.org/2000/svg}text") if re.fullmatch(r"(2\^)?[\d.e+-]+", t.text or "") and t.get("font-size") == "12"]
        value = lambda text, power: 2.0 ** int(text) if power else float(text)
        return ([(value(text, power), x) for text, x, _, anchor, power in texts if anchor == "middle"],
                [(value(text, power), y) for text, _, y, anchor, power in texts if anchor == "end"])

    def expect_between(self, marks, value, place, log):
        """`place` is where the axis, as its first and last mark say, has the value; all marks are there, too."""
        scale = math.log if log else float
        (first, begin), (last, end) = marks[0], max(marks[1:], key=lambda mark: abs(mark[1] - marks[0][1]))
        for at, drawn in [*marks, (value, place)]:
            self.assertAlmostEqual(drawn, begin + (scale(at) - scale(first)) / (scale(last) - scale(first)) * (end - begin), delta=0.1)

    def test_points_are_where_they_belong(self):
        """Points and intervals lie at their values, as the marks of both axes say."""
        page = self.page(COMPARED)
        (_, _, svg), = [chart for chart in self.charts(page) if chart[0] == "reduce, float32: bandwidth against size"]
        across, upwards = self.axes(svg)
        self.assertGreater(min(len(across), len(upwards)), 3)
        self.assertEqual(upwards[0][0], 0)
        for launch_mode, slot in ("graph", 0), ("stream", 1):
            cells = sorted((r["size"], r["gbps"]) for r in load(COMPARED)["results"] if r["dtype"] == "float32" and not r["yardstick"]
                           and r["launch_mode"] == launch_mode)
            points = sorted(self.places(svg, f"var(--series{slot})", "points"))
            self.assertEqual(len(points), len(cells))
            for size in {size for size, _ in cells}:
                here = sorted((gbps for cell, gbps in cells if cell == size), reverse=True)
                drawn = [point for point in points if abs(point[0] - min(points, key=lambda p: abs(p[0] - self.at(across, size)))[0]) < 0.1]
                for (x, y), gbps in zip(sorted(drawn, key=lambda point: point[1]), here, strict=True):
                    self.expect_between(across, size, x, True)
                    self.expect_between(upwards, gbps, y, False)
        (_, _, svg), = [chart for chart in self.charts(page) if chart[0] == "reduce: ratios of times"]
        _, upwards = self.axes(svg)
        drawn = sorted(places for slot in range(6) for places in self.places(svg, f"var(--series{slot})", "intervals"))
        ratios = load(COMPARED)["comparisons"]
        self.assertEqual(len(drawn), len(ratios))
        for places, ends in zip(sorted((high, low) for _, low, high in drawn),
                                sorted(((c["ci95_ratio"][1], c["ci95_ratio"][0]) for c in ratios), reverse=True)):
            self.expect_between(upwards, ends[0], places[0], True)

    def at(self, marks, size):
        (first, begin), (last, end) = marks[0], marks[-1]
        return begin + math.log(size / first) / math.log(last / first) * (end - begin)

    def test_one_scale_in_all_files(self):
        """A value has bars of one length in all files, and ratios have one axis."""
        slow = load(os.path.join(RESULTS, "reduce_ladder.json"))
        slow["results"] = [r for r in slow["results"] if r["yardstick"] or r["size"] == 1 << 28]
        for r in slow["results"]:
            if r["gbps"]:
                factor = 2 if r["backend"] == "vulkan" else 1
                r.update(gbps=r["gbps"] / 4, percent_of_copy=None, samples_ns=[factor * ns for ns in r["samples_ns"]])
        page = self.page(os.path.join(RESULTS, "reduce_ladder.json"), self.save(slow))
        fast, slow = [svg for title, _, svg in self.charts(page) if "2^28 float32: the ladder" in title]
        for long, short in zip(self.bars(fast, "var(--soft2)"), self.bars(slow, "var(--soft2)"), strict=True):
            self.assertAlmostEqual(short / long, 0.25, delta=0.01)
        first, second = [[t.text for t in svg.iter("{http://www.w3.org/2000/svg}text") if re.fullmatch(r" *[\d.]+ *", t.text)]
                         for title, _, svg in self.charts(page) if title == "reduce: ratios of times"]
        self.assertGreater(len(first), 1)
        self.assertEqual(first, second)

    def test_csv(self):
        page = self.page(COMPARED)
        links = re.findall(r'href="data:text/csv;charset=utf-8,([^"]*)"', page)
        self.assertEqual(len(links), len(self.charts(page)))
        tables = [list(csv.DictReader(io.StringIO(urllib.parse.unquote(link)), strict=True)) for link in links]
        bandwidth = [row for t in tables if "GB/s" in t[0] for row in t]
        cells = [r for r in load(COMPARED)["results"] if not r["yardstick"]]
        self.assertEqual(sorted(round(float(row["GB/s"]), 3) for row in bandwidth), sorted(round(r["gbps"], 3) for r in cells))
        ratios = [row for t in tables if "less overhead" in t[0] for row in t]
        self.assertEqual(sorted(round(float(row["ratio"]), 6) for row in ratios),
                         sorted(round(c["ratio"], 6) for c in load(COMPARED)["comparisons"]))

    def test_ratios_between_apis(self):
        """Ratios are computed if the file has the cells but no comparison."""
        page = self.page(LADDER)
        (_, description, _), = [chart for chart in self.charts(page) if "ratios" in chart[0] and "means" not in chart[0]]
        times = {(r["backend"], r["variant"]): r["median_ns"] for r in load(LADDER)["results"] if not r["yardstick"]}
        ratio = float(re.search(r"8 vectors, 8192 x 8192 float32: ([\d.]+) ratio", description)[1])
        low, high = map(float, re.search(rf"8 vectors</th><td>8192 x 8192 float32</td><td class=\"n\">{ratio:.4f}</td>"
                                         r"<td class=\"n\">([\d.]+)</td><td class=\"n\">([\d.]+)</td>", page).groups())
        self.assertAlmostEqual(ratio, times["vulkan", "8_vectors"] / times["cuda", "8_vectors"], delta=0.0006)
        self.assertTrue(low <= ratio <= high < ratio * 1.02 and low > ratio / 1.02)

    def test_across_gpus(self):
        """Files of several GPUs: range, and from four GPUs on an interval for the next one."""
        ratios = [0.90, 0.92, 0.91, 0.95, 0.97]  # the last two are of one GPU
        paths = []
        for i, ratio in enumerate(ratios):
            document = load(COMPARED)
            document["comparisons"] = [c for c in document["comparisons"] if c["size"] == 2 ** 28][:1]
            document["comparisons"][0]["ratio"] = ratio
            uuid = document["devices"][0]["uuid"]
            text = json.dumps(document).replace(uuid, f"{min(i, 3):08x}{uuid[8:]}")
            paths.append(self.save(json.loads(text), f"{i}.json"))
        logs = [math.log(ratio) for ratio in (0.90, 0.92, 0.91, math.sqrt(0.95 * 0.97))]
        half = 3.1824 * statistics.stdev(logs) * math.sqrt(1 + 1 / 4)
        for count, (high, following) in {3: (0.92, None), 5: (math.exp(logs[3]), half)}.items():
            page = self.page(*paths[:count])
            row, = re.findall(r"<tr><td>reduce</td>.*", page[page.index('id="gpus"'):page.index('id="cells"')])
            gpus = min(count, 4)
            mean = statistics.mean(logs[:gpus])
            expected = [f"{gpus}", f"{math.exp(mean):.3f}", f"0.900 to {high:.3f}"]
            expected += [f"{math.exp(mean - following):.3f} to {math.exp(mean + following):.3f}" if following else ""]
            self.assertEqual(re.findall(r'<td class="n">([^<]*)</td>', row), expected)
        self.assertNotIn('id="gpus"', self.page(paths[0]))
        self.assertNotIn('id="gpus"', self.page(*paths[3:]))

    def test_timelines(self):
        """One chart for the cells of a question with a timeline: a row for each queue, APIs below each other."""
        document = load(os.path.join(RESULTS, "reduce_api.json"))
        size = max(r["size"] for r in document["results"])
        for r in document["results"]:
            if r["variant"] == "9_single_pass" and r["size"] == size:
                r["timeline"] = [{"lane": lane, "stage": stage, "begin_ns": begin, "end_ns": begin + 900.0} for lane, stage, begin in
                                 (("copy 0", "upload", 0.0), ("compute 0", "kernel", 1000.0), ("copy 0", "upload", 1000.0),
                                  ("copy 1", HOSTILE[:20], 2000.0))]
        charts = [svg for title, _, svg in self.charts(self.page(self.save(document))) if title.endswith("timeline")]
        self.assertEqual(len(charts), 1)
        rows = [e.text for e in charts[0].iter() if e.tag.endswith("text") and re.search(r", \w+ \d$", e.text or "")]
        self.assertEqual(rows, [f"{api}, {lane}" for api in ("CUDA graph", "Vulkan") for lane in ("copy 0", "compute 0", "copy 1")])
        for slot, bars in (0, 4), (1, 2), (2, 2):
            drawn = [e for e in charts[0].iter() if e.tag.endswith("rect") and e.get("fill") == f"var(--series{slot})"]
            self.assertEqual(len(drawn), bars)
        self.look(ways=((400, False), (1600, True)), hostile=True)

    def test_queue_families(self):
        """Two queue families of one device appear like two devices."""
        document = load(os.path.join(RESULTS, "reduce_api.json"))
        vulkan = next(d for d in document["devices"] if d["backend"] == "vulkan")
        document.update(comparisons=[], geometric_means=[], devices=[vulkan, {**vulkan, "queue_family": 0}])
        for r in document["results"]:
            if r["backend"] == "cuda":
                r.update(backend="vulkan", launch_mode="command_buffer", queue_family=0)
        self.page(self.save(document))
        self.assertGreater(self.look(ways=((400, False),)), 2)
        self.assertIn("Vulkan, family 0 / Vulkan, family 2", self.text())

    def test_queue_families_of_several_files(self):
        """If the families differ, each is named in every file, and has a colour of its own."""
        page = self.page(*(os.path.join(RESULTS, name) for name in ("reduce_api.json", "families_reduce.json", "reduce_run_1.json")))
        cards = re.findall(r'<span class="t(\d)" aria-hidden="true">&#9632;</span> (Vulkan[^<]*)<', page)
        self.assertEqual({name for _, name in cards}, {"Vulkan, family 0", "Vulkan, family 2"})
        self.assertEqual(len(set(cards)), 2)

    def test_means_are_grouped_by_question(self):
        """The files that answer one question are next to each other, below its heading."""
        files = ["reduce_api.json", "transpose_api_32768.json", "reduce_api_placed_once.json"]
        page = self.page(*(os.path.join(RESULTS, name) for name in files))
        means = next(svg for title, _, svg in self.charts(page) if title.startswith("Which is faster"))
        texts = [t.text.split(",")[0].strip() for t in means.iter("{http://www.w3.org/2000/svg}text") if ":" in t.text or "json" in t.text]
        self.assertEqual(texts, ["reduce: Vulkan / CUDA graph", files[0], files[2], "transpose: Vulkan / CUDA graph", files[1]])

    def test_two_files_of_one_name(self):
        for folder in ("monday", "tuesday"):
            os.mkdir(self.path(folder))
            self.save(load(COMPARED), f"{folder}/r.json")
        page = self.page("monday/r.json", "tuesday/r.json")
        heads = re.findall(r'<h3 class="file">(.*?)</h3>', page)
        self.assertEqual(heads[:2], ["monday/r.json", "tuesday/r.json"])
        means = next(svg for title, _, svg in self.charts(page) if title.startswith("Which is faster"))
        self.assertIn("tuesday/r.json", "".join(means.itertext()))  # else its rows would look the same
        self.assertRegex(self.report("monday/r.json", "./monday/../monday/r.json", "-o", "p.html", exit_code=2), "named twice")

    def test_labels_keep_apart(self):
        """The texts of a chart do not overlap, even at the smallest width."""
        overlaps = """(() => [...document.querySelectorAll('figure svg')].flatMap(s => {
          const all = [...s.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]).filter(t => t[0].trim());
          return all.flatMap(([a, r], i) => all.slice(i + 1).filter(([b, q]) =>
            Math.min(r.right, q.right) - Math.max(r.left, q.left) > 1 &&
            Math.min(r.bottom, q.bottom) - Math.max(r.top, q.top) > 0.35 * r.height).map(([b]) => a + ' on ' + b)); }))()"""
        document = load(os.path.join(RESULTS, "reduce_api.json"))
        document.update(comparisons=[], geometric_means=[])
        cells = [r for r in document["results"] if not r["yardstick"] and r["size"] >= 1 << 26]
        for number in range(1, 9):  # a ladder whose rungs are close together
            for r in copy.deepcopy(cells):
                factor = 1 + 0.01 * number * (r["backend"] == "vulkan")
                r.update(variant=f"{number}_wave", gbps=r["gbps"] / factor, median_ns=factor * r["median_ns"],
                         samples_ns=[factor * ns for ns in r["samples_ns"]])
                document["results"].append(r)
        self.page(LADDER, COMPARED, self.save(document))
        self.look(ways=((1600, False),))
        self.assertEqual(self.browser.evaluate(overlaps), [])

    # ---- Lines over an axis ---------------------------------------------------------------------------------------

    STRIDE = os.path.join(RESULTS, "..", "h200-2026-11-22", "stride.json")

    def texts(self, svg):
        return [t.text.strip() for t in svg.iter("{http://www.w3.org/2000/svg}text") if t.text]

    def chase(self, strides=(32, 128), sizes=[1 << e for e in range(10, 28)], variants=("1_device", "2_shared")):
        """A document of times of an access, by size and stride; they rise beyond 2^24 elements."""
        document = load(self.STRIDE)
        like = {r["backend"]: r for r in document["results"] if not r["yardstick"]}
        document.update(results=[], comparisons=[], geometric_means=[])
        for size, stride, variant, backend in itertools.product(sizes, strides, variants, like):
            ns = (30 if size <= 1 << 20 else 200 if size <= 1 << 24 else 600) + stride / 10 + int(variant[0])
            document["results"].append(copy.deepcopy(like[backend]) | {
                "size": size, "variant": variant, "at": [{"axis": "stride", "value": stride}], "bytes": None, "model": None,
                "percent_of_peak": None, "percent_of_copy": None, "dtype": "int32",
                "metrics": [{"name": "latency", "unit": "ns an access", "value": ns, "more_is_better": False}]})
        return document

    def test_axis(self):
        """A line an API with its name at its end, a dashed one of the model, and the numbers of both."""
        page = self.page(self.STRIDE)
        (title, description, svg), = [chart for chart in self.charts(page) if "against" in chart[0]]
        self.assertEqual(title, "stride, 2^26 float32: bandwidth against stride")
        self.assertEqual(self.texts(svg)[-2:], ["Vulkan", "CUDA graph"])  # from the bottom, as the lines end
        dashed = [path for path in svg.iter("{http://www.w3.org/2000/svg}path") if path.get("stroke-dasharray")]
        self.assertEqual(len(dashed), 2)
        self.assertIn("At stride 1: 2630 GB/s through CUDA graph", description)
        self.assertIn("lowest, at stride 32", description)
        self.look()

    def test_many_lines_over_an_axis(self):
        """A chart for each variant, if one would have too many lines; all have one scale."""
        page = self.page(self.save(self.chase((1, 2, 4, 8, 16, 512), [1 << 20], ("1_one", "2_two", "3_three", "4_four"))))
        found = [chart for chart in self.charts(page) if "against" in chart[0]]
        self.assertEqual([title for title, _, _ in found],
                         [f"stride, 2^20 int32, {name}: latency against stride" for name in ("1 one", "2 two", "3 three", "4 four")])
        self.assertEqual(len({tuple(self.texts(svg)) for _, _, svg in found}), 1)
        self.assertIn("256", self.texts(found[0][2]))  # a wide axis is logarithmic
        said = ("Not distinguishable, at stride 1: 31.10 ns an access through CUDA graph; 31.10 through Vulkan, 1 one, at stride 1; ",
                "; longest, at stride 512: 82.20.")
        for part in said:
            self.assertIn(part, found[0][1])
        page = self.page(self.save(self.chase((1, 2, 512), [1 << 20], ("1_one", "2_two"))))
        (_, description, _), = [chart for chart in self.charts(page) if "against" in chart[0]]
        for part in said:
            self.assertIn(part, description)  # of 1 one
        self.look()

    def pairs(self, value, variants=("1_copy",), devices=4):
        """A document of all pairs of devices; `value` makes None for a pair without a result."""
        document = load(self.STRIDE)
        like = next(r for r in document["results"] if not r["yardstick"])
        document.update(results=[], comparisons=[], geometric_means=[], benchmarks=[
            {"name": "links", "title": "pairs", "ladder": False, "quoted": [],
             "axes": [{"name": name, "title": "a device", "base": 0} for name in ("from", "to")]}])
        for variant, i, k in itertools.product(variants, range(devices), range(devices)):
            cell = copy.deepcopy(like) | {
                "benchmark": "links", "variant": variant, "bytes": None, "model": None, "percent_of_peak": None,
                "percent_of_copy": None, "at": [{"axis": "from", "value": i}, {"axis": "to", "value": k}],
                "metrics": [{"name": "value", "unit": "GB/s", "value": value(i, k), "more_is_better": True}]}
            if value(i, k) is None:
                cell.update(outcome="unsupported", error="no peer access", metrics=[], samples_ns=[], host_samples_ns=[],
                            median_ns=None, ci95_ns=None)
            document["results"].append(cell)
        return document

    MATRICES = """[...document.querySelectorAll('table.matrix')].map(t => [...t.rows].map(r => [...r.cells].map(c =>
      c.textContent + (c.className.match(/heat\\d/) || [''])[0])))"""

    def test_pairs(self):
        """A table a variant, shaded by the part of the largest value between two devices. Each cell has its number."""
        speeds = {(0, 1): 400, (0, 2): 319, (0, 3): 320, (1, 0): 100, (2, 3): None}
        page = self.page(self.save(self.pairs(lambda i, k: speeds.get((i, k), 3000 if i == k else 25), ("1_copy", "2_both_ways"))))
        self.look()
        self.assertEqual(page.count("Shades: parts of the largest value between two devices"), 2)
        self.assertEqual(self.browser.evaluate(self.MATRICES), 2 * [[
            ["from \\ to", "0", "1", "2", "3"],
            ["0", "3000", "400.0heat4", "319.0heat3", "320.0heat4"],
            ["1", "100.0heat1", "3000", "25.00heat0", "25.00heat0"],
            ["2", "25.00heat0", "25.00heat0", "3000", "N/A"],
            ["3", "25.00heat0", "25.00heat0", "25.00heat0", "3000"]]])
        self.assertEqual([title for title, _, _ in self.charts(page) if "against" in title], [])  # no lines over an axis
        shades = "[...document.querySelectorAll('.legend .swatch')].slice(0, 5).map(s => getComputedStyle(s).backgroundColor)"
        for dark in (False, True):
            self.browser.look(1600, dark)
            self.browser.open(self.path("p.html"))
            self.assertEqual(len(set(self.browser.evaluate(shades))), 5)

    def test_pairs_of_one_device(self):
        """Values that only a device alone has are shaded, too; without any value there is no table."""
        self.page(self.save(self.pairs(lambda i, k: 50 + i if i == k else None, devices=2)))
        self.look(ways=((400, False),))
        self.assertEqual(self.browser.evaluate(self.MATRICES),
                         [[["from \\ to", "0", "1"], ["0", "50.00heat4", "N/A"], ["1", "N/A", "51.00heat4"]]])
        self.assertNotIn("<table class=\"matrix", self.page(self.save(self.pairs(lambda i, k: None))))

    def test_many_pairs(self):
        """More devices than a matrix has rows: the rest is left out."""
        self.page(self.save(self.pairs(lambda i, k: 1 + i + k, devices=66)))
        self.look(ways=((400, True),))
        self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('table.matrix tr')].map(r => r.cells.length)"), 65 * [65])

    def test_time_by_size(self):
        """Less is better for a time. The edge of the cache is found without a number of bytes; each stride has a chart."""
        page = self.page(self.save(self.chase()))
        found = [chart for chart in self.charts(page) if "against size" in chart[0]]
        self.assertEqual([title for title, _, _ in found],
                         [f"stride, int32, stride {stride}: latency against size" for stride in (32, 128)])
        for _, description, svg in found:
            self.assertIn("60 MiB cache", self.texts(svg))
            self.assertIn("ns an access", self.texts(svg))
            self.assertEqual(sum(text in ("1 CUDA graph", "2 CUDA graph", "1 Vulkan", "2 Vulkan") for text in self.texts(svg)), 4)
        self.assertIn("Not distinguishable, at 2^10: 34.20 ns an access through CUDA graph; 34.20 through Vulkan, 1 device, at 2^10; ", found[0][1])
        self.assertIn("; and 18 more; longest, at 2^25: 604.2.", found[0][1])
        self.look()
        self.assertRegex(page, "34.20 <small>ns an access at best")
        self.assertEqual(sum("against stride" in title for title, _, _ in self.charts(page)), 1)  # of the largest size

    def test_roofline(self):
        """Each cell with operations is a point, under the bandwidth of the copies beyond the cache."""
        document = load(os.path.join(RESULTS, "..", "h200-2026-11-22", "reduce_ladder.json"))
        for r in document["results"]:
            if r["variant"] == "9_single_pass":
                r.update(flops=50 * r["bytes"])
        path = self.save(document)
        page = self.page(path, self.STRIDE)  # which has no operations
        (title, description, _), = [chart for chart in self.charts(page) if "roofline" in chart[0]]
        cells = [r for r in document["results"] if r["flops"] and not r["yardstick"]]
        link = re.search(r'href="data:text/csv;charset=utf-8,([^"]*)"', page[page.index('<section id="roofline"'):])[1]
        rows = list(csv.DictReader(io.StringIO(urllib.parse.unquote(link)), strict=True))
        self.assertEqual(sorted(round(float(row["10^12 ops/s"]), 6) for row in rows),
                         sorted(round(r["flops"] / r["median_ns"] / 1e3, 6) for r in cells))
        copy = max(100 * r["bytes"] / r["median_ns"] / r["percent_of_copy"] for r in cells if r["bytes"] > 60 << 20)
        best = max((r for r in cells if r["bytes"] > 60 << 20), key=lambda r: r["flops"] / r["median_ns"])
        rate = best["flops"] / best["median_ns"] / 1e3
        self.assertTrue(title.startswith("NVIDIA H200"))
        self.assertIn(f"{rate:.1f} x 10^12 operations/s at 50.00 operations a byte, "
                      f"{100 * rate * 1e3 / (50 * copy):.0f} % of what the measured copy allows", description)
        self.look()
        self.assertIn(f"measured copy, {copy:.0f} GB/s", self.text())
        self.assertNotIn("Roofline", self.page(self.STRIDE))
        self.assertNotIn("multiply-adds", self.text())
        fma = next(r for r in document["results"] if r["variant"] == "9_single_pass")
        fma = dict(fma, benchmark="instructions", variant="64_fma_two_registers", at=[{"axis": "waves", "value": 0}], flops=0,
                   metrics=[{"name": "speed", "unit": "Gop/s", "value": 30000, "more_is_better": True}])
        document["results"].append(fma)
        (_, description, _), = [chart for chart in self.charts(self.page(self.save(document))) if "roofline" in chart[0]]
        self.look()
        self.assertIn("measured float32 multiply-adds, 60.00 x 10^12 operations/s", self.text())

    def sweep(self):
        """Files of one cell with groups of several sizes: CUDA's driver tells the occupancy, Vulkan's groups count it."""
        paths = []
        for block, groups in (32, 32), (64, 32), (128, 16), (320, 6), (1024, 2):
            document = load(os.path.join(RESULTS, "reduce_api.json"))
            document.update(comparisons=[], geometric_means=[])
            size = max(r["size"] for r in document["results"])
            document["results"] = [r for r in document["results"] if r["size"] == size and r["variant"] == "9_single_pass"]
            for r in document["results"]:
                slower = 1 + 64 / block if r["backend"] == "cuda" else 1.5 + 64 / block
                r.update(block=block, median_ns=r["median_ns"] * slower, samples_ns=[t * slower for t in r["samples_ns"]])
                r.pop("groups_per_multiprocessor", None)
                if r["backend"] == "cuda":
                    r["groups_per_multiprocessor"] = groups
                else:
                    r["metrics"] = [{"name": "resident threads", "unit": "threads/SM", "value": 0.9 * groups * block}]
            paths.append(self.save(document, f"{block}.json"))
        return paths

    def test_group_sizes(self):
        """One chart for the cells that several files have with several group sizes: times above, occupancy below."""
        paths = self.sweep()
        page = self.page(*paths)
        (title, description, svg), = [chart for chart in self.charts(page) if "group size" in chart[0]]
        self.assertIn("reduce 9 single_pass", title)
        self.assertIn("CUDA graph is fastest with groups of 1024", description)
        self.assertIn("2048 threads a multiprocessor; Vulkan", description)
        self.assertIn(f"{0.9 * 2048:.4g} threads a multiprocessor.", description)
        self.assertEqual([text for text in self.texts(svg) if text.startswith(("time of", "threads that"))],
                         ["time of a run, us", "threads that a multiprocessor holds"])
        link = re.search(r'href="data:text/csv;charset=utf-8,([^"]*)"', page[page.index('<section id="group-sizes"'):])[1]
        rows = list(csv.DictReader(io.StringIO(urllib.parse.unquote(link)), strict=True))
        self.assertEqual([(row["API"], int(row["threads of a group"]), row["threads told"]) for row in rows],
                         [("CUDA graph", block, str(groups * block)) for block, groups in
                          ((32, 32), (64, 32), (128, 16), (320, 6), (1024, 2))]
                         + [("Vulkan", block, "") for block in (32, 64, 128, 320, 1024)])
        self.look()
        self.assertNotIn("Group sizes", self.page(*paths[:2]))

    def test_links_to_sources(self):
        """Each cell has a link to its sources, in a table that needs no scrolling, and so has each benchmark's heading."""
        page = self.page(LADDER)
        for number, name in ((4, "coalesced"), (8, "vectors")):
            self.assertRegex(page, rf'<th scope="row"><span [^>]*><a href="#pair-transpose-{number}_{name}">transpose {number} {name}</a>')
            self.assertRegex(page, rf'Sources, CUDA beside HLSL: .*<a href="#pair-transpose-{number}_{name}">{number} {name}</a>')
        self.look(ways=((400, False),))

    def test_tables_fit(self):
        """At 1400 points no table of figures or cells is cut off; at 400 points each cell shows its time."""
        self.page(*sorted(glob.glob(RESULTS + "/*.json")))
        self.look(ways=((1400, False),))
        cut = "[...document.querySelectorAll('figure .scroll, .scroll:has(.cells)')].filter(e => e.scrollWidth > e.clientWidth).length"
        self.assertEqual(self.browser.evaluate(cut), 0)
        self.look(ways=((400, False),))
        hidden = "[...document.querySelectorAll('.cells tbody td:nth-child(2)')].filter(e => e.getBoundingClientRect().left > 250).length"
        self.assertEqual(self.browser.evaluate(hidden), 0)

    def test_base(self):
        """--base: the verdicts, ratios and means are those of xbench diff; charts of both files follow."""
        base, new = (os.path.join(RESULTS, f"reduce_run_{run}.json") for run in (1, 2))
        document = load(new)
        for i, r in enumerate(document["results"]):
            factor = 1.2 if i % 3 == 0 else 0.8 if i % 3 == 1 else 1
            r.update(samples_ns=[factor * ns for ns in r["samples_ns"]], median_ns=r["median_ns"] and factor * r["median_ns"])
        new = self.save(document)
        subprocess.run([XBENCH, "diff", base, new, "--json", "d.json"], cwd=self.folder, capture_output=True)
        diff = load(self.path("d.json"))
        page = self.page("--base", base, new)
        self.look()
        link = re.search(r'href="data:text/csv;charset=utf-8,([^"]*)"', page[page.index('id="changes"'):])[1]
        rows = list(csv.DictReader(io.StringIO(urllib.parse.unquote(link)), strict=True))
        self.assertEqual([(row["verdict"], float(row["ratio"] or 0), float(row["to"] or 0)) for row in rows],
                         [(c["verdict"], float(f"{c['ratio'] or 0:.10g}"), float(f"{(c['ci95_ratio'] or [0, 0])[1]:.10g}"))
                          for c in diff["cells"]])
        mean = diff["geometric_means"][0]
        for said in (f"{diff['counts']['regression']} regressions", f"{mean['ratio']:.3f} [{mean['ci95_ratio'][0]:.3f}"):
            self.assertIn(said, self.text())
        self.assertGreater(diff["counts"]["regression"] * diff["counts"]["improvement"], 0)
        self.assertIn("regressions", self.browser.evaluate("document.querySelector('#changes .bad').textContent"))
        heads = re.findall(r'<h3 class="file">(.*?)</h3>', page)
        self.assertEqual(heads[:2], ["reduce_run_1.json", "r.json"])

    def test_base_of_other_conditions(self):
        """What was not measured alike is compared as far as possible, and the page says so."""
        self.page("--base", os.path.join(RESULTS, "reduce_run_1.json"), os.path.join(RESULTS, "reduce_ladder.json"))
        self.look(ways=((400, False),))
        self.assertIn("not measured alike: other sizes of reduce: base", self.text())
        self.assertIn("missing: reduce 9 single_pass", self.text())
        self.assertIn("no benchmark in common", self.report("--base", LADDER, COMPARED, "-o", "p.html", exit_code=2))

    def test_synthetic(self):
        """The page shows failed, wrong and throttled cells, and comparisons without a ratio."""
        subprocess.run([SYNTHETIC, "r.json"], cwd=self.folder, check=True)
        self.page("r.json")
        self.look()
        document, text = load(self.path("r.json")), self.text()
        for r in document["results"]:
            if r["error"]:
                self.assertIn(r["error"], text)
        self.assertIn("THROTTLED in 3 of 30 (power, other)", text)

    def test_placed_once(self):
        document = load(LADDER)
        for r in document["results"]:
            r.update(placements=1, crowded=True) if r["backend"] == "cuda" else r.update(placements=8)
        page = self.page(self.save(document))
        self.look(ways=((400, False),))
        self.assertIn("placed once: not enough memory", self.text())
        self.assertIn("had memory for one placement only", urllib.parse.unquote(page))

    def test_same_each_time(self):
        self.assertEqual(self.page(COMPARED, LADDER), self.page(COMPARED, LADDER))

    # ---- Small documents ------------------------------------------------------------------------------------------

    def small(self, keep):
        document = load(LADDER)
        document["results"] = document["results"][:keep]
        return document

    def test_no_cell(self):
        page = self.page(self.save(self.small(0)))
        self.assertEqual(self.look(), 0)
        self.assertIn("There is no cell", self.text())
        self.assertNotIn("#sources", page)  # a section that has nothing is left out, and is no part of the contents

    def test_one_cell(self):
        self.page(self.save(self.small(1)))
        self.assertEqual(self.look(), 2)  # its bar, and its samples

    def test_only_failed(self):
        document = self.small(3)
        for r in document["results"]:
            r.update(median_ns=None, gbps=None, percent_of_peak=None, percent_of_copy=None, ci95_ns=None, samples_ns=[],
                     host_samples_ns=[], error="VK_ERROR_OUT_OF_DEVICE_MEMORY <b>")
        self.page(self.save(document))
        self.assertEqual(self.look(), 0)
        self.assertEqual(self.text().count("VK_ERROR_OUT_OF_DEVICE_MEMORY <b>"), 6)  # in the list, and in the table
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('tr.failed').length"), 3)

    def test_unknown(self):
        """Cells with the required fields only: no peak, no cache, no copy."""
        document = self.small(8)
        for d in document["devices"]:
            d.update({key: None for key in d if key not in ("backend", "name", "launch_mode", "uuid")})
        for r in document["results"]:
            r.update(percent_of_peak=None, percent_of_copy=None, title=None, host_ns=None, placements=None, registers=None,
                     floor_ns=None, ci95_ns=None)
        self.page(self.save(document))
        self.assertEqual(self.look(), 2)
        self.assertNotIn("peak,", self.text())

    def test_extremes(self):
        """Extreme numbers do not break an axis."""
        document = load(COMPARED)
        for r, gbps, ns in zip(document["results"], (1e18, 1e-30, 0.0, 5.0), (1e-30, 1e18, 0.0, 1.0)):
            r.update(gbps=gbps, median_ns=ns, percent_of_peak=1e18, percent_of_copy=0, ci95_ns=[0.0, 1e18])
        for c, ratio in zip(document["comparisons"], (1e18, 1e-18)):
            c.update(ratio=ratio, ci95_ratio=[0.0, 1e18])
        document["results"][5].update(size=2**63 - 1, rows=2**62, columns=2**62)
        self.page(self.save(document))
        self.look(((400, False),))

    # ---- Names ----------------------------------------------------------------------------------------------------

    def test_hostile_names(self):
        for name in (HOSTILE, DRAWN, TERMINAL, "w" * 5000, "=1+1", "\u00e4\u4e2d\U0001f600"):
            document = load(LADDER)
            for d in document["devices"]:
                d.update(name=name, driver=name, api_version=name, pci=name)
                d.update(backend=name + d["backend"])
            for key in document["host"]:
                document["host"][key] = name
            for r in document["results"]:
                r.update(backend=name + r["backend"], benchmark=name + r["benchmark"], variant=r["variant"] + name,
                         title=name, dtype=name, stopped_by=name, throttle=[name])
            document["results"][0].update(median_ns=None, gbps=None, samples_ns=[], host_samples_ns=[], error=name)
            page = self.page(self.save(document))
            self.assertNotRegex(page, "[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]")
            self.assertGreater(self.look(((400, True), (1600, False)), hostile=True), 1)
            self.assertEqual(sorted(os.listdir(self.folder)), ["p.html", "r.json"])
            if name in (HOSTILE, "\u00e4\u4e2d\U0001f600"):
                self.assertIn(name, self.text())

    def test_hostile_file_name(self):
        name = "<b onclick=1>'\u001b[31m\".json"
        shutil.copy(LADDER, self.path(name))
        page = self.page(name)
        self.look(((400, False),))
        self.assertNotIn("\u001b", page)
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('b').length"), 0)
        self.report(name, "-o", name, exit_code=2)

    # ---- Failures -------------------------------------------------------------------------------------------------

    def test_help(self):
        done = subprocess.run([XBENCH, "report", "--help"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"\Axbench report: .*\n\nUsage: xbench report \[--base OLD\.json\] FILE\.\.\. -o report\.html\n(?s:.*)--output=FILE")

    def test_mistakes(self):
        self.save({"schema": "other"})
        for arguments, said in [([], "no result file given"), ([LADDER], "no output file given"), ([LADDER, "-o", ""], "no output file given"),
                                ([LADDER, "-x"], "unknown option"), (["missing.json", "-o", "p.html"], "missing.json"),
                                (["--base", LADDER, LADDER, "-o", "p.html"], "named twice"),
                                (["--base", LADDER, LADDER, COMPARED, "-o", "p.html"], "--base compares two files"),
                                (["r.json", "-o", "p.html"], "is not a result document"),
                                (["r.json", "-o", "./r.json"], "would overwrite"), ([LADDER, "-o", "."], "is a directory"),
                                ([LADDER, "-o", "no/where/p.html"], "no/where/p.html: cannot be written: No such file")]:
            self.assertIn(said, self.report(*arguments, exit_code=2))
        self.assertEqual(os.listdir(self.folder), ["r.json"])

    def test_full_disk(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, resource.RLIM_INFINITY))  # more than a chart
        self.page(LADDER)
        before = self.page(LADDER)
        err = self.report(COMPARED, "-o", "p.html", exit_code=2, preexec_fn=limit, restore_signals=False)
        self.assertIn("p.html: cannot be written: File too large", err)
        with open(self.path("p.html"), encoding="utf-8") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(os.listdir(self.folder), ["p.html"])
        self.assertIn("No space left", self.report(LADDER, "-o", "/dev/full", exit_code=2))

    def test_needs_no_program(self):
        """Where no program can be found, the page is the same; also if the parent ignores SIGCHLD."""
        page = self.page(LADDER)
        self.report(LADDER, "-o", "p.html", env={"PATH": "/etc/passwd/none"}, preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        with open(self.path("p.html"), encoding="utf-8") as file:
            self.assertEqual(file.read(), page)


if __name__ == "__main__":
    if not browser.FOUND:
        sys.exit("chromium was not found: install it (Debian: apt-get install chromium)")
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2)
