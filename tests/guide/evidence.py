"""The evidence that a row's last column names, as texts to compare the row with."""
import functools
import glob
import json
import os
import re
import subprocess

from sources import benchmarks, read

LANGUAGES = ("cuda", "hlsl", "spirv", "dxc", "slang", "ptx", "dxil", "cuda_host", "vulkan_host", "contract")


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def with_declarations(parts, name):
    """A probe, preceded by the declarations that it uses."""
    body = without_comments(parts[name].split("\n", 1)[1])
    used = set(re.findall(r"\w+", body))
    lines = [line for line in without_comments(parts[""]).splitlines()
             if line.endswith((";", "}")) and used & set(re.findall(r"\w+(?=\s*(?:[\[:;({]|$))", line))]
    return "\n".join(lines) + body


class Evidence:
    def __init__(self, code, xbench, tests):
        self.code, self.tests = code, tests
        self.used = set()
        self.notes = {"guide lines that only CUDA has": 0, "wrong ports": 0}
        self.guide, self.apis = self._run_guide(xbench)
        self.variants = self._variants()

    def of(self, reference):
        """A dict of texts by language. Raises ValueError if the evidence does not exist or is not valid."""
        kind, _, name = reference.partition(":")
        self.used.add(reference.split("=")[0])
        found = {language: "" for language in LANGUAGES}
        getattr(self, "_" + kind, self._unknown)(name, found)
        return found

    @staticmethod
    def _unknown(name, found):
        raise ValueError(f"'{name}' is no evidence: expected probe, refused, pair, guide, test, code or wrong")

    def _probe(self, name, found):
        code = self.code
        if not any(name in known for known in (code.hlsl_probes, code.cuda_probes, code.modern_probes)):
            raise ValueError(f"there is no probe {name}")
        if name in code.modern_probes:
            found["hlsl"] = without_comments(code.modern_probes[name].split("\n", 1)[1])
            if code.dxc:
                language = "dxc" if "-spirv" in code.modern_probes[name].split("\n", 1)[0] else "dxil"
                found[language] = code.modern(name)
        if name in code.cuda_probes:
            found["cuda"] = with_declarations(code.cuda_probes, name)
            found["ptx"] = code.ptx(name) if code.nvcc else ""
        if name in code.hlsl_probes:
            path = code.probe_files[name]
            found["hlsl"] = with_declarations(code.hlsl_probes, name)
            found["spirv"] = code.spirv(path, name)
            found["dxil"] = code.dxil(path, name) if code.dxc else ""
            for compiler in ("dxc", "slang"): # few rows quote them
                found[compiler] = functools.partial(code.spirv, path, name, compiler=compiler)

    def _refused(self, name, found):
        if name not in self.code.refused_probes:
            raise ValueError(f"there is no probe {name} in refused.hlsl")
        held, wrong = self.code.refused(name)
        if wrong:
            raise ValueError("; ".join(wrong))
        if not held and self.code.dxc:
            raise ValueError(f"{name}: no compiler was asked to refuse it")
        found["hlsl"] = without_comments(self.code.refused_probes[name])

    def _pair(self, name, found):
        folder, _, which = name.partition("/")
        if folder == "guide":
            self._guide_pair(which, found)
            return
        if (folder, which) not in self.variants:
            raise ValueError(f"no benchmark has {name}")
        stem = f"{folder}/{which}_{self.variants[folder, which]}"
        self._add_pair(stem, found)
        path = os.path.join(self.code.root, f"shaders/{stem}.hlsl")
        if not found["hlsl"]:
            return
        found["spirv"] = self.code.spirv(path, folder, ("XB_FLOAT32=1", "BLOCK=256"))
        found["dxil"] = self.code.dxil(path, folder, ("XB_FLOAT32=1", "BLOCK=256")) if self.code.dxc else ""

    def _guide_pair(self, case, found):
        table = read(self.code.root, "bench/guide/guide.def")
        row = re.search(rf"^XB_GUIDE\({re.escape(case)}, ([\w: ]+),", table, re.M)
        if not row:
            raise ValueError(f"guide.def has no case {case}")
        self._add_pair(f"guide/{case}", found)
        for header in set(re.findall(r'#include "(guide_\w+\.h)"', found["hlsl"])):
            for language in ("hlsl", "cuda"):
                found[language] += without_comments(read(self.code.root, "bench/guide", header))
        path = os.path.join(self.code.root, f"shaders/guide/{case}.hlsl")
        for entry in row[1].split():
            if entry.startswith("cuda:"):
                continue
            compiler, _, entry = entry.rpartition(":")
            if compiler != "dxc":
                found["spirv"] += self.code.spirv(path, entry) + "\n"
            elif self.code.dxc:
                found["dxc"] += self.code.spirv(path, entry, compiler="dxc") + "\n"
            if self.code.dxc and entry != "k48": # more shared memory than DXC allows
                found["dxil"] += self.code.dxil(path, entry) + "\n"

    def _add_pair(self, stem, found):
        if os.path.exists(os.path.join(self.code.root, f"shaders/{stem}.hlsl")):  # some rows are of CUDA alone
            found["hlsl"] = without_comments(read(self.code.root, f"shaders/{stem}.hlsl"))
        found["cuda"] = without_comments(read(self.code.root, f"kernels/{stem}.cu"))

    def _guide(self, name, found):
        case, _, words = name.partition("=")
        if case not in self.guide:
            raise ValueError(f"xbench guide has no case {case}")
        lines = [line for line in self.guide[case] if words in line["text"]]
        if any(line["kind"] == "fails" for line in lines):
            raise ValueError(f"xbench guide {case}: fails: {lines[0]['text']}")
        if any(line["kind"] == "holds" for line in lines):
            return
        source = re.sub(r'"\s*\n\s*"', "", self._host_code(case))
        if lines or "cuda" in self.apis or words not in re.sub(r'"\s*PRI\w+\s*"', "", source):
            raise ValueError(f"xbench guide {case}: no assertion that holds has '{words}'")
        self.notes["guide lines that only CUDA has"] += 1

    def _host_code(self, case):
        texts = [read(path) for path in glob.glob(os.path.join(self.code.root, "bench/guide/cases/*.c"))]
        return next(text for text in texts if f"void xb_guide_case_{case}(" in text)

    def _test(self, name, found):
        test, _, case = name.partition("=")
        if not any(name == test or re.fullmatch(re.escape(test) + r"\.\d+", name) for name in self.tests):  # or its parts
            raise ValueError(f"ctest has no test {test}")
        folder = os.path.join(self.code.root, "tests", test.split(".")[0])
        texts = [read(path) for path in glob.glob(os.path.join(folder, "*.c"))]
        if case and not any(re.search(rf"\b{re.escape(case)}\b", text) for text in texts):
            raise ValueError(f"{folder} has no case {case}")

    def _wrong(self, name, found):
        folder = os.path.join(self.code.root, "tests/wrong_ports")
        if os.path.isdir(folder):
            if not glob.glob(os.path.join(folder, f"*_{name}.hlsl")):
                raise ValueError(f"tests/wrong_ports has no {name}")
        else:
            self.notes["wrong ports"] += 1

    def _code(self, name, found):
        for file in name.split(","):
            before = len(found["cuda_host"]) + len(found["vulkan_host"])
            for backend in ("cuda", "vulkan"):
                path = os.path.join(self.code.root, f"backend_{backend}", file)
                if os.path.exists(path):
                    found[backend + "_host"] += read(path)
            if len(found["cuda_host"]) + len(found["vulkan_host"]) == before:
                raise ValueError(f"no backend has {file}")
        for path in glob.glob(os.path.join(self.code.root, "core/include/xb/*.h")):
            found["contract"] += read(path)

    def _variants(self):
        return {(benchmark, n): v for benchmark, table in benchmarks(self.code.root)
                for n, v in re.findall(r"^XB_VARIANT\((\d+), (\w+),", table, re.M)}

    @staticmethod
    def _run_guide(xbench):
        run = subprocess.run([xbench, "guide", "--run", "--json", "/dev/stdout"], capture_output=True, text=True, check=False)
        if run.returncode not in (0, 1):
            raise OSError(run.stderr.strip())
        document = json.loads(run.stdout[run.stdout.index('{\n "schema"'):])
        return ({case["case"]: case["lines"] for case in document["cases"]},
                {device["backend"] for device in document["devices"]})
