"""porting_guide.py NAME=VALUE...: checks each row of docs/guide/*.rows against the sources that run (see docs/guide/rows.md), and the
costs in docs/guide/*.md."""
import glob
import json
import os
import re
import subprocess
import sys

import rows as guide_rows
from evidence import Evidence
from sources import read, required, tools
from tables import SPAN, keys, says, says_in_a_line, spans, tables

# The evidence for the quotations of each field.
SOURCES = {"cuda": ("cuda", "cuda_host"), "wrong": ("hlsl", "cuda"), "does": ("hlsl", "cuda"), "hlsl": ("hlsl", "contract"),
           "vulkan": ("hlsl", "spirv", "vulkan_host", "contract"), "compilers": ("hlsl", "spirv"), "spirv": ("spirv",),
           "here": ("contract",)}
COMPILED = {"ptx": "PTX", "dxil": "DXIL"}
FIELDS = {*SOURCES, *COMPILED, "d3d12", "wgsl", "status", "since", "words", "also", "scan", "by"}
CITED = re.compile(r"``[^`]+``")


class Guide:
    def __init__(self, code, evidence):
        self.code, self.evidence = code, evidence
        paths = ["docs/porting-guide.md", *sorted(glob.glob("docs/guide/*.md", root_dir=code.root))]
        self.pages = {path: read(code.root, path) for path in paths}
        self.chapters = guide_rows.chapters(code.root)
        self.rows = self.asserted = self.cited = self.by_name = self.spans = self.figures = 0
        self.left_out = {"PTX": 0, "DXC": 0, "DXIL": 0, "Slang": 0}
        self.keys, self.wrong = set(), []
        self.documents = guide_rows.sources(code.root).keys()

    def check(self):
        for stem, _, _, rows in self.chapters:
            for key, row in rows.items():
                self.check_row(f"docs/guide/{stem}.rows: {key}", row)
        for page, _, header, rows in self.tables():
            for line, row in rows:
                if len(row) != len(header):
                    self.complain(f"{page}:{line}", f"has {len(row)} cells, its table has {len(header)}")
                elif header[-1] == "from":
                    self.check_cost(f"{page}:{line}", row)
                elif header[-1] == "what they rest on":
                    self.keys.update(keys(row[-1]))
        self.check_chapters()
        self.check_dates()
        self.check_nothing_is_left()

    def tables(self):
        """(page, heading, header, rows) of each table."""
        for page, text in self.pages.items():
            yield from ((page, *table) for table in tables(text))

    def complain(self, line, what):
        self.wrong.append(f"{line}: {what}")

    # ---- A row of a mapping or a trap

    def check_row(self, line, row):
        self.rows += 1
        for field in row.keys() - FIELDS:
            self.complain(line, f"there is no field '{field}'")
        if not row.trap and row["status"] not in guide_rows.STATUSES:
            self.complain(line, f"its status is '{row['status']}'")
        self.keys.update(key for field in row for key in keys(row[field]))
        if row["by"] == "cited":
            self.check_cited(line, row)
            return
        references = SPAN.findall(row["by"])
        found = []
        for reference in references:
            try:
                found.append(self.evidence.of(reference))
            except ValueError as error:
                self.complain(line, str(error))
        self.asserted += bool(references)
        before = self.spans + sum(self.left_out.values())
        if not references:
            self.complain(line, "names nothing that asserts it")
        for field, languages in SOURCES.items():
            self.check_cell(line, CITED.sub("", row[field]), languages, found)
        for field, kind in COMPILED.items():
            for span in SPAN.findall(row[field]):
                self.check_compiled(line, kind, span, found)
        self.check_direct3d(line, row)
        self.check_wgsl(line, row)
        content = any(re.match("guide:.*=|refused:", reference) for reference in references)
        self.by_name += not content and before == self.spans + sum(self.left_out.values())

    def check_cited(self, line, row):
        self.cited += 1
        for field in (*SOURCES, *COMPILED, "d3d12"):
            for span in SPAN.findall(CITED.sub("", row[field])):
                self.complain(line, f"`{span}` is quoted as checked: use two backquotes where nothing checks it")
        if not any(keys(row[field]) for field in row):
            self.complain(line, "cites no document")

    def check_cell(self, line, cell, languages, found):
        for kind, span in spans(cell):
            if kind.startswith("glslc"):
                if kind != f"glslc {self.code.glslc_version}":
                    self.left_out[kind] = self.left_out.get(kind, 0) + 1
                    continue
            elif kind:
                self.check_compiled(line, kind, span, found)
                continue
            self.spans += 1
            if not any(self.stands(span, language, f[language]) for f in found for language in languages):
                self.complain(line, f"`{span}` is not in the evidence that the row names")

    @staticmethod
    def stands(span, language, text):
        if language == "spirv":
            return says_in_a_line(text, span)
        short = re.sub(r"^(vk|cu)(?=[A-Z])", "", span) if language.endswith("_host") else span
        return says(text, span) or says(text, short)

    def check_compiled(self, line, kind, span, found):
        if not {"PTX": self.code.nvcc, "Slang": self.code.slangc}.get(kind, self.code.dxc):
            self.left_out[kind] += 1
            return
        self.spans += 1
        texts = (f[kind.lower()]() if callable(f[kind.lower()]) else f[kind.lower()] for f in found)
        if not any(says_in_a_line(text, span) for text in texts):
            self.complain(line, f"{kind} `{span}` is not in the compiled code that the row names")

    def check_wgsl(self, line, row):
        for span in SPAN.findall(CITED.sub("", row["wgsl"])):
            self.complain(line, f"WGSL: `{span}` cannot be checked: use two backquotes")
        if row["wgsl"] and not keys(row["wgsl"]):
            self.complain(line, "WGSL: rests on no document")

    def check_direct3d(self, line, row):
        cell = CITED.sub("", row["d3d12"])
        for span in SPAN.findall(cell):
            self.complain(line, f"Direct3D 12: `{span}` cannot be checked: use two backquotes")
        if len(cell) > 20 and not row["dxil"] and not keys(cell):
            self.complain(line, "Direct3D 12: rests on no document, and on no DXIL")

    # ---- A row of costs

    def check_cost(self, line, row):
        self.rows += 1
        self.asserted += 1
        figures = re.findall(r"\d[\d.,]*\d|\d", row[1] + " ; " + row[2])
        self.figures += len(figures)
        page = (re.search(r"\]\(([^)#]+)", row[-1]) or [0, ""])[1]
        if not page:
            self.complain(line, f"'{row[-1]}' links to no page")
            return
        source = read(self.code.root, os.path.join("docs/guide", page)).splitlines()
        if not any(self.has_figures(source[i:i + 3], figures) for i in range(len(source))):
            self.complain(line, f"{page} does not have {' and '.join(figures)} side by side")
        named = re.findall(r"(\w+)/(\w+)", row[3])
        cases = re.findall(r"guide [^`]*--cost ([\w ]+)`", row[3])
        if not named and not cases:
            self.complain(line, "names no variant that measures it")
        for case in " ".join(cases).split():
            if case not in self.evidence.guide:
                self.complain(line, f"guide.def has no {case}")
        for benchmark, variant in named:
            if not any(benchmark == b and variant in (n, v) for (b, n), v in self.evidence.variants.items()):
                self.complain(line, f"no benchmark has {benchmark}/{variant}")

    @staticmethod
    def has_figures(lines, figures):
        text = " ".join(lines)
        return all(re.search(rf"(?<![\d.,]){re.escape(figure)}(?!\d|[.,]\d)", text) for figure in figures)

    # ---- The whole

    def check_chapters(self):
        """The guide shows each chapter's rows and traps, and has costs in the first ten chapters."""
        costs = {heading for _, heading, header, _ in self.tables() if header[-1] == "from"}
        for stem, title, _, rows in self.chapters:
            heading = f"{int(stem[:2])} {title}"
            traps = any(row.trap for row in rows.values())
            page = f"docs/guide/{stem}.md"
            for marker, wanted in ((f"# {heading}\n", True), (f"<!-- rows {stem} -->", True), (f"<!-- traps {stem} -->", traps)):
                if (marker in self.pages.get(page, "")) != wanted:
                    self.complain(page, f"{marker.strip()}: {'missing' if wanted else 'there are none'}")
            if int(stem[:2]) <= 10 and heading not in costs:
                self.complain(page, "has no costs")
        names = [key for chapter in self.chapters for key in chapter[3]]
        for name in {name for name in names if names.count(name) > 1}:
            self.complain("docs/guide", f"two rows are called {name}")

    def check_dates(self):
        dates = {version.strip(): row[1] for _, _, header, rows in self.tables() if header[:2] == ["version", "since"]
                 for _, row in rows for version in row[0].split(",")}
        for stem, _, _, rows in self.chapters:
            for key, row in rows.items():
                for version, date in re.findall(r"((?:SM|CC|Vulkan|SPIR-V) [\d.]+) \((\d{4}-\d\d)\)", " ".join(row.values())):
                    if dates.get(version) != date:
                        self.complain(f"docs/guide/{stem}.rows: {key}", f"{version} is dated {date}, the guide says {dates.get(version)}")

    def check_nothing_is_left(self):
        used = self.evidence.used
        for name in self.code.hlsl_probes.keys() | self.code.cuda_probes.keys() | self.code.modern_probes.keys():
            if name and f"probe:{name}" not in used:
                self.complain("docs/guide", f"no row names probe:{name}")
        for name in self.code.refused_probes:
            if name and f"refused:{name}" not in used:
                self.complain("docs/guide", f"no row names refused:{name}")
        for case in self.evidence.guide:
            if f"guide:{case}" not in used:
                self.complain("docs/guide", f"no row names guide:{case}")
        for key in self.keys - self.documents:
            self.complain("docs/guide", f"[{key}] is not among the documents")
        for key in self.documents - self.keys:
            self.complain("docs/guide", f"no row rests on [{key}]")

    def summary(self):
        notes = [f"{count} {what} (none here)" for what, count in self.evidence.notes.items() if count]
        compilers = {"PTX": "nvcc", "DXIL": "DXC", "Slang": "slangc"}
        notes += [f"{count} {kind} quotations ({compilers.get(kind, kind)} is not here)"
                  for kind, count in self.left_out.items() if count]
        print(f"docs/guide: {self.rows} rows, {self.asserted} asserted, {self.cited} cited, {self.by_name} of these by the name of a "
              f"test, a pair or a wrong port alone; {self.spans} quotations and {self.figures} figures checked")
        if notes:
            print("not checked here:", "; ".join(notes))


def main():
    code, values = tools(sys.argv[1:])
    listing = subprocess.run(["ctest", "--test-dir", values["build"], "--show-only=json-v1"], capture_output=True, text=True,
                             check=True)
    tests = {test["name"] for test in json.loads(listing.stdout)["tests"]}
    try:
        evidence = Evidence(code, values["xbench"], tests)
    except OSError as error:
        print("skipped:", error)
        return 1 if required("vulkan") else 77
    guide = Guide(code, evidence)
    guide.check()
    print("\n".join(guide.wrong))
    guide.summary()
    return 1 if guide.wrong or not guide.rows else 0


if __name__ == "__main__":
    sys.exit(main())
