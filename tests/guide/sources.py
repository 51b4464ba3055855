"""The sources, and their compiled code, for checks of the rows of the porting guide."""
import array
import functools
import glob
import os
import re
import subprocess
import sys
import tempfile

SCOPES = {0: "CrossDevice", 1: "Device", 2: "Workgroup", 3: "Subgroup"}
SEMANTICS = {0x8: "AcquireRelease", 0x40: "UniformMemory", 0x100: "WorkgroupMemory", 0x400: "AtomicCounterMemory",
             0x800: "ImageMemory"}
# The operands of an instruction that are a scope (S) or memory semantics (M), counted after its result.
PLACES = {"OpControlBarrier": {0: "S", 1: "S", 2: "M"}, "OpMemoryBarrier": {0: "S", 1: "M"},
          "OpAtomic": {2: "S", 3: "M"}, "OpGroupNonUniform": {1: "S"}}


def benchmarks(root):
    """(name, text of its table) of each benchmark."""
    for path in sorted(glob.glob(os.path.join(root, "bench/benchmarks/*/variants.def"))):
        yield os.path.basename(os.path.dirname(path)), read(path)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def probes(text):
    """The text after each line `// probe: NAME...`, by name; '' has the text before the first one."""
    parts = re.split(r"^// probe: (\w+)(.*)\n", text, flags=re.M)
    found = {"": parts[0]}
    for name, rule, body in zip(parts[1::3], parts[2::3], parts[3::3]):
        found[name] = rule + "\n" + body
    return found


# The files of probes. Some exist in one language only.
CHAPTERS = ("launch", "barriers", "waves", "atomics", "numerics", "divergence", "types", "textures", "runtime")


def spoken(word, kind):
    """The name of %uint_2 as a scope (Workgroup), or the names of its bits as memory semantics."""
    number = re.fullmatch(r"%u?int_(\d+)", word)
    if not number:
        return ""
    value = int(number[1])
    if kind == "S":
        return SCOPES.get(value, "")
    return " ".join(name for bit, name in SEMANTICS.items() if value & bit) or "Relaxed"


def spoken_instruction(line):
    """`%94 = OpAtomicIAdd %uint %93 %uint_1 %uint_0 %uint_1` as `OpAtomicIAdd Device Relaxed`."""
    words = line.split("=", 1)[-1].split() if re.match(r"\s*%\w+ =", line) else line.split()
    if not words:
        return ""
    places = next((p for prefix, p in PLACES.items() if words[0].startswith(prefix)), {})
    said = [words[0]]
    for i, word in enumerate(words[1:]):
        if i in places:
            said.append(spoken(word, places[i]))
        elif not word.startswith("%") or re.fullmatch(r"%(Op)?[A-Z]\w+", word):
            said.append(word)
    return " ".join(said)


def forget_language(module):
    """Sets the source language of a SPIR-V module to unknown: older tools refuse Slang's number."""
    with open(module, "rb") as file:
        words = array.array("I", file.read())
    at = 5
    while at < len(words):
        if words[at] & 0xffff == 3: # OpSource
            words[at + 1] = 0
        at += words[at] >> 16
    with open(module, "wb") as file:
        words.tofile(file)


class Code:
    def __init__(self, root, glslc, spirv_dis, nvcc="", dxc="", slangc="", newer_glslc="", build=""):
        self.root, self.glslc, self.spirv_dis, self.nvcc, self.dxc, self.slangc, self.build = root, glslc, spirv_dis, nvcc, dxc, slangc, build
        self.glslc_version = self._version(glslc)
        self.glslc_of = {self._version(newer_glslc): newer_glslc, self.glslc_version: glslc}
        self.includes = [os.path.join(root, folder) for folder in ("core/include", "bench/guide")]
        self.includes += sorted({os.path.dirname(path) for path in glob.glob(os.path.join(root, "bench/benchmarks/*/*_args.h"))})
        self.folder = os.path.join(root, "tests/guide/probes")
        self.probe_files = {}  # by name, of HLSL
        self.temporary = tempfile.TemporaryDirectory()
        self.hlsl_probes, self.cuda_probes = self._probes("hlsl", "declarations.hlsl"), self._probes("cu", "declarations.cuh")
        self.refused_probes = probes(read(self.folder, "refused.hlsl"))
        self.modern_probes = probes(read(self.folder, "modern.hlsl"))

    @staticmethod
    def _version(glslc):
        said = subprocess.run([glslc, "--version"], capture_output=True, text=True, check=True).stdout if glslc else ""
        return (re.findall(r"shaderc v?(\d+\.\d+)", said) or [""])[0]

    def _probes(self, extension, declarations):
        """The probes of all chapters, with the declarations as ''."""
        found = {"": read(self.folder, declarations)}
        for chapter in CHAPTERS:
            path = os.path.join(self.folder, f"{chapter}.{extension}")
            if not os.path.exists(path):
                continue
            of_chapter = probes(read(path))
            del of_chapter[""]
            if found.keys() & of_chapter.keys():
                raise ValueError(f"{path}: probes that another chapter has: {found.keys() & of_chapter.keys()}")
            found.update(of_chapter)
            if extension == "hlsl":
                self.probe_files.update(dict.fromkeys(of_chapter, path))
        return found

    def built(self, path, entry, defines, extension):
        """The file that the build made of the shader with the same compiler and flags, or None: it has no such file, or the source is newer."""
        stem, _ = os.path.splitext(os.path.relpath(path, os.path.join(self.root, "shaders")))
        name = ".".join([stem, *(define.removeprefix("XB_").removeprefix("BLOCK=").removesuffix("=1").lower() for define in defines)])
        if stem.startswith("guide/"):
            name = f"{stem}.{entry}"
        folder = "dxil" if extension.startswith("dxil") and defines else "shaders"
        file = os.path.join(self.build, folder, f"{name}.{extension}")
        return file if os.path.exists(file) and os.path.getmtime(file) >= os.path.getmtime(path) else None

    def _glslc(self, path, text, entry, defines, output, version=""):
        return self._start_glslc([f"-fentry-point={entry}", *(f"-D{define}" for define in defines), "-" if text else path, "-o", output], version, input=text)

    def _start_glslc(self, words, version="", **how):
        command = [self.glslc_of[version or self.glslc_version], "-x", "hlsl", "-fshader-stage=compute", "--target-env=vulkan1.1", "-O", "-DXB_GLSLC=1",
                   *(f"-I{folder}" for folder in self.includes), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, **how)

    @functools.lru_cache(maxsize=None)
    def _probe_modules(self, path):
        """The folder with modules of a file's probes: glslc, started once for all of them, leaves out what it refuses."""
        folder = tempfile.mkdtemp(dir=self.temporary.name)
        words = []
        for name in (name for name, file in self.probe_files.items() if file == path):
            with open(os.path.join(folder, f"{name}.hlsl"), "w", encoding="utf-8") as file:
                file.write(f'#include "{os.path.basename(path)}"\n')
            words += [f"-fentry-point={name}", f"{name}.hlsl"]
        self._start_glslc([f"-I{self.folder}", "-c", *words], cwd=folder)
        return folder

    @functools.lru_cache(maxsize=None)
    def spirv(self, path, entry, defines=(), compiler="glslc"):
        """The instructions of an entry point, one per line, with names for scopes and semantics and without ids."""
        if compiler == "glslc":
            made = (os.path.join(self._probe_modules(path), f"{entry}.spv") if path in self.probe_files.values() else
                    self.built(path, entry, defines, "spv"))
            if made and os.path.exists(made):
                return self._spoken(made)
        with tempfile.NamedTemporaryFile(suffix=".spv") as module:
            if compiler == "dxc":
                run = self._dxc(self.SPIRV, path, entry, defines, module.name)
            elif compiler == "slang":
                run = self._slang(path, entry, module.name)
            else:
                run = self._glslc(path, None, entry, defines, module.name)
            if run.returncode:
                raise ValueError(f"{path}: {entry}: {run.stderr}")
            return self._spoken(module.name)

    def _spoken(self, module):
        text = subprocess.run([self.spirv_dis, "--no-header", module], capture_output=True, text=True, check=True)
        return "\n".join(spoken_instruction(line) for line in text.stdout.splitlines())

    SPIRV = ("-spirv", "-fspv-target-env=vulkan1.1", "-fspv-extension=KHR")

    def _dxc(self, options, path, entry, defines, output):
        command = [self.dxc, "-T", "cs_6_0", "-E", entry, "-O3", *options, *(f"-I{folder}" for folder in self.includes),
                   *(f"-D{define}" for define in defines), "-Fo", output, path]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def _slang(self, path, entry, output):
        command = [self.slangc, path, "-target", "spirv", "-entry", entry, "-stage", "compute", "-O0",
                   *(f"-I{folder}" for folder in self.includes), "-o", output]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode == 0:
            forget_language(output)
        return run

    def compile_dxil(self, path, entry, defines, output):
        """Compiles for Direct3D 12, with DXC's own validation. Returns (success, messages)."""
        run = self._dxc(("-WX", "-Wno-ignored-attributes", "-select-validator", "internal"), path, entry, defines, output)
        return run.returncode == 0, run.stderr.strip()

    @functools.lru_cache(maxsize=None)
    def dxil(self, path, entry, defines=()):
        built = self.built(path, entry, defines, "dxil.txt")
        if built:
            return re.sub(r" +", " ", read(built))
        with tempfile.NamedTemporaryFile(suffix=".dxil") as container:
            good, messages = self.compile_dxil(path, entry, defines, container.name)
            if not good:
                raise ValueError(f"{path}: {entry}: {messages}")
            text = subprocess.run([self.dxc, "-dumpbin", container.name], capture_output=True, text=True, check=True)
        return re.sub(r" +", " ", text.stdout)

    @functools.lru_cache(maxsize=None)
    def modern(self, name):
        """The SPIR-V or the DXIL of a probe that only DXC compiles, with options of its own."""
        rule, body = self.modern_probes[name].split("\n", 1)
        options = rule.lstrip("; ").split()
        spirv = "-spirv" in options
        with tempfile.TemporaryDirectory() as folder:
            source, output = os.path.join(folder, "probe.hlsl"), os.path.join(folder, "output")
            with open(source, "w", encoding="utf-8") as file:
                file.write('#include "declarations.hlsl"\n' + body)
            more = self.SPIRV if spirv else ("-select-validator", "internal")
            run = subprocess.run([self.dxc, "-E", name, "-O3", *options, *more, f"-I{self.folder}",
                                  *(f"-I{include}" for include in self.includes), "-Fo", output, source],
                                 capture_output=True, text=True, check=False)
            if run.returncode:
                raise ValueError(f"modern.hlsl: {name}: {run.stderr}")
            show = [self.spirv_dis, "--no-header", output] if spirv else [self.dxc, "-dumpbin", output]
            text = subprocess.run(show, capture_output=True, text=True, check=not spirv).stdout # may be newer than spirv-dis
        return re.sub(r" +", " ", text)

    @functools.lru_cache(maxsize=None)
    def _all_ptx(self):
        everything = "".join(f'#include "{chapter}.cu"\n' for chapter in CHAPTERS)
        with tempfile.NamedTemporaryFile(suffix=".ptx") as output:
            subprocess.run([self.nvcc, "-ptx", "-O3", "-std=c++17", "-arch=compute_80", f"-I{self.includes[0]}", f"-I{self.folder}",
                            "-x", "cu", "-", "-o", output.name], input=everything, capture_output=True, check=True, text=True)
            text = read(output.name)
        return {match[1]: match[0] for match in re.finditer(r"\.entry (\w+)\([\s\S]*?\n}", text)}

    def ptx(self, probe):
        return self._all_ptx().get(probe, "")

    @functools.lru_cache(maxsize=None)
    def refused(self, name):
        """(checks, errors) of a probe that compilers have to refuse; its first line names them and their messages. One that is
        for another version than is here counts as a check."""
        rule, body = self.refused_probes[name].split("\n", 1)
        text = self.refused_probes[""] + body
        held, wrong = 0, []
        for compiler, version, words in re.findall(r"; ([a-z-]+)(?: ([\d.]+))?:? ?([^;]*)", rule):
            if compiler.startswith("dxc") and not self.dxc:
                continue
            if version and version not in self.glslc_of:
                held += 1
                continue
            accepted, messages = self._offer(compiler, name, text, version)
            held += 1
            if accepted or words.strip().lower() not in messages.lower():
                wrong.append(f"{compiler} {'takes' if accepted else 'refuses'} {name}, expected '{words.strip()}': {messages}")
        return held, wrong

    def _offer(self, compiler, name, text, version):
        if compiler.startswith("dxc"):
            with tempfile.NamedTemporaryFile("w", suffix=".hlsl") as source:
                source.write(text)
                source.flush()
                if compiler == "dxc-spirv":
                    run = self._dxc(self.SPIRV, source.name, name, (), os.devnull)
                    return run.returncode == 0, run.stderr
                return self.compile_dxil(source.name, name, (), os.devnull)
        with tempfile.NamedTemporaryFile(suffix=".spv") as module:
            run = self._glslc("", text, name, (), module.name, version)
            return run.returncode == 0, run.stderr


def tools(arguments):
    """Returns a Code from NAME=VALUE words (root, glslc, spirv_dis, nvcc, dxc, slangc, newer_glslc), and the other words as a dict."""
    values = dict(word.split("=", 1) for word in arguments)
    names = ("root", "glslc", "spirv_dis", "nvcc", "dxc", "slangc", "newer_glslc")
    code = Code(**{name: values.pop(name, "") for name in names}, build=values["build"])
    return code, values


def required(what):
    return what in os.environ.get("XB_REQUIRE", "").split(",")


def skip_without_dxc(code):
    if not code.dxc:
        print("no dxc: run script/fetch dxc, then configure again")
        sys.exit(1 if required("dxc") else 77)
