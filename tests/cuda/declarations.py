"""What backend_cuda/driver.h and symbols.h declare is what NVIDIA's header declares: values, sizes, offsets, arguments.
Arguments: the C compiler, the source folder, the folder of NVIDIA's header."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

NVIDIA = sys.argv.pop()
ROOT = pathlib.Path(sys.argv.pop())
CC = sys.argv.pop()
HEADER = (ROOT / "backend_cuda/driver.h").read_text(encoding="utf-8")


def members(body):
    """Paths of the members of a struct, without those that are reserved: NVIDIA has others there."""
    found, inner = [], None
    for part in re.findall(r"(?:struct|union) \{|\}|[^{};]+(?=;)", body):
        part = part.strip()
        if part.endswith("{"):
            found.append([])
        elif part == "}":
            inner = found.pop()
        elif inner is not None:
            yield_to = found[-1] if found else None
            paths = [f"{part}.{path}" for path in inner]
            inner = None
            if yield_to is None:
                yield from [part] + paths
            else:
                yield_to += [part] + paths
        else:
            names = [re.sub(r"\[.*|[*]", "", name).split()[-1] for name in part.split(",")]
            names = [name for name in names if not name.startswith("reserved")]
            if found:
                found[-1] += names
            else:
                yield from names


def facts():
    text = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.S)
    for name in re.findall(r"\b(CUD?A?_\w+) = ", text):
        yield f"(long long){name}"
    for body, names in re.findall(r"^typedef (?:struct|union|enum) \w+ \{( [^{}]* |\n.*?^)\} ([\w, ]+);", text, flags=re.M | re.S):
        for name in names.split(", "):
            yield f"(long long)sizeof({name})"
            for member in members(body) if " = " not in body else ():
                yield f"(long long)offsetof({name}, {member})"
                yield f"(long long)sizeof((({name} *)0)->{member})"
    for names in re.findall(r"^typedef (?:int|unsigned long long) ([\w, ]+);", text, flags=re.M):
        for name in names.split(", "):
            yield f"(long long)sizeof({name})"


class Declarations(unittest.TestCase):
    def values(self, top):
        lines = "".join(f'  printf("%s: %lld\\n", "{fact}", {fact});\n' for fact in facts())
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "facts.c"
            source.write_text(f"{top}\n#include <stddef.h>\n#include <stdio.h>\nint main(void)\n{{\n{lines}}}\n", encoding="utf-8")
            subprocess.run([CC, "-std=c11", "-isystem", NVIDIA, f"-I{ROOT}", f"-I{ROOT}/core/include", source, "-o", folder + "/facts"], check=True)
            return subprocess.run([folder + "/facts"], capture_output=True, text=True, check=True).stdout.splitlines()

    def test_values(self):
        """And the signatures, of each function in its version."""
        theirs = """#define XB_CUDA_DRIVER_H
#include <cudaTypedefs.h>
#include "backend_cuda/symbols.h"
#define CHECK(name, version, arguments) \\
  _Static_assert(__builtin_types_compatible_p(PFN_cu##name##_v##version, CUresult (*) arguments), #name);
CU_SYMBOLS(CHECK)
#if CUDA_VERSION >= 12040
CHECK(FuncGetParamInfo, 12040, (CUfunction, size_t, size_t *, size_t *))
CHECK(FuncLoad, 12040, (CUfunction))
#endif
"""
        ours = self.values('#include "backend_cuda/driver.h"')
        self.assertEqual(ours, self.values(theirs))
        self.assertGreater(len(ours), 350)

    def test_names(self):
        """Each name is used, so that the header has no more than the backend needs."""
        used = "".join(path.read_text(encoding="utf-8") for folder in ("backend_cuda", "tests/cuda") for path in (ROOT / folder).rglob("*.[ch]")
                       if path.name != "driver.h")
        text = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.S)
        unused = [name for name in re.findall(r"\b(CUD?A?_\w+) = ", text) if not re.search(rf"\b{name}\b", used)]
        self.assertEqual(unused, [])


unittest.main()
