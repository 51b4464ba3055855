"""porting_guide.py NAME=VALUE...: checks each row of docs/porting-guide.md against the sources that run (see its first
section)."""
import json
import os
import re
import subprocess
import sys

from evidence import Evidence
from sources import read, required, tools
from tables import SPAN, keys, says, says_in_a_line, spans, tables

# The evidence for the first four cells of a mapping.
SOURCES = (("cuda", "cuda_host"), ("hlsl", "contract"), ("spirv", "vulkan_host"), ())


class Guide:
    def __init__(self, code, evidence, text):
        self.code, self.evidence, self.text = code, evidence, text
        self.rows = self.asserted = self.by_name = self.spans = self.figures = 0
        self.left_out = {"PTX": 0, "DXC": 0, "DXIL": 0}
        self.keys, self.wrong = set(), []
        self.documents = {row[0].strip("[]") for heading, _, rows in tables(text) if heading == "Documents"
                          for _, row in rows}

    def check(self):
        for heading, header, rows in tables(self.text):
            for line, row in rows:
                if len(row) != len(header):
                    self.complain(line, f"has {len(row)} cells, its table has {len(header)}")
                elif header[-1] == "asserted by":
                    self.check_row(line, row)
                elif header[-1] == "from":
                    self.check_cost(line, row)
                elif header[-1] == "what they rest on":
                    self.keys.update(keys(row[-1]))
        self.check_chapters()
        self.check_nothing_is_left()

    def complain(self, line, what):
        self.wrong.append(f"docs/porting-guide.md:{line}: {what}")

    # ---- A row of a mapping or a trap

    def check_row(self, line, row):
        self.rows += 1
        references = SPAN.findall(row[-1])
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
        if len(row) == 5:
            for cell, languages in zip(row, SOURCES):
                self.check_cell(line, cell, languages, found)
            self.check_direct3d(line, row[3])
        elif any(f["hlsl"] or f["cuda"] for f in found):
            for cell in row[:-1]:
                self.check_cell(line, cell, ("hlsl", "cuda"), found)
        self.keys.update(key for cell in row for key in keys(cell))
        content = any(re.match("guide:.*=|refused:", reference) for reference in references)
        self.by_name += not content and before == self.spans + sum(self.left_out.values())

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
        if not (self.code.nvcc if kind == "PTX" else self.code.dxc):
            self.left_out[kind] += 1
            return
        self.spans += 1
        if not any(says_in_a_line(f[kind.lower()], span) for f in found):
            self.complain(line, f"{kind} `{span}` is not in the compiled code that the row names")

    def check_direct3d(self, line, cell):
        plain = [span for kind, span in spans(cell) if not kind]
        if plain:
            self.complain(line, f"Direct3D 12: `{plain[0]}` cannot be checked: quote DXIL, or do not quote")
        if len(cell) > 20 and "DXIL" not in cell and not keys(cell):
            self.complain(line, "Direct3D 12: rests on no document, and on no DXIL")

    # ---- A row of costs

    def check_cost(self, line, row):
        self.rows += 1
        self.asserted += 1
        figures = re.findall(r"\d[\d.,]*\d|\d", row[1] + " ; " + row[2])
        self.figures += len(figures)
        source = read(self.code.root, os.path.join("docs", row[-1])).splitlines()
        if not any(self.has_figures(source[i:i + 3], figures) for i in range(len(source))):
            self.complain(line, f"{row[-1]} does not have {' and '.join(figures)} side by side")
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
        """Each chapter has tables of mappings, traps and costs."""
        wanted = [("CUDA", "asserted by"), ("wrong port", "asserted by"), ("cost", "from")]
        found = {}
        for heading, header, _ in tables(self.text):
            found.setdefault(heading, []).append((header[0].replace("CUDA driver", "CUDA"), header[-1]))
        chapters = re.findall(r"^## (\d+ .*)", self.text, re.M)
        for chapter in chapters:
            if found.get(chapter) != wanted:
                self.complain(0, f"'{chapter}' has the tables {found.get(chapter)}, expected {wanted}")
        if len(chapters) != 10:
            self.complain(0, f"{len(chapters)} chapters, expected 10")

    def check_nothing_is_left(self):
        used = self.evidence.used
        for name in self.code.hlsl_probes.keys() | self.code.cuda_probes.keys():
            if name and f"probe:{name}" not in used:
                self.complain(0, f"no row names probe:{name}")
        for name in self.code.refused_probes:
            if name and f"refused:{name}" not in used:
                self.complain(0, f"no row names refused:{name}")
        for case in self.evidence.guide:
            if f"guide:{case}" not in used:
                self.complain(0, f"no row names guide:{case}")
        for key in self.keys - self.documents:
            self.complain(0, f"[{key}] is not among the documents")
        for key in self.documents - self.keys:
            self.complain(0, f"no row rests on [{key}]")

    def summary(self):
        notes = [f"{count} {what} (none here)" for what, count in self.evidence.notes.items() if count]
        compilers = {"PTX": "nvcc", "DXIL": "DXC"}
        notes += [f"{count} {kind} quotations ({compilers.get(kind, kind)} is not here)"
                  for kind, count in self.left_out.items() if count]
        print(f"docs/porting-guide.md: {self.rows} rows, {self.asserted} asserted, {self.by_name} of these by the name of a "
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
    guide = Guide(code, evidence, read(values.get("guide") or os.path.join(code.root, "docs/porting-guide.md")))
    guide.check()
    print("\n".join(guide.wrong))
    guide.summary()
    return 1 if guide.wrong or not guide.rows else 0


if __name__ == "__main__":
    sys.exit(main())
