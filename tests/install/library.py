"""library.py: tests the symbols of the installed library, and its headers."""

import os
import re

from installing import Installed, Settings, main, run

HEADERS = ["abi.h", "backend.h", "device.h", "error.h", "gpu.h"]


def declared(text):
    """The functions that a header declares: names that are followed by parentheses, outside braces and types."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    text = re.sub(r"^#.*?(?<!\\)$", "", text, flags=re.M | re.S)
    text = text.replace('extern "C" {', "")
    while re.search(r"\{[^{}]*\}", text):
        text = re.sub(r"\{[^{}]*\}", "", text)
    found = set()
    for declaration in text.split(";"):
        name = re.search(r"\b(xb_\w+)\s*\(", declaration)
        if name and "typedef" not in declaration:
            found.add(name.group(1))
    return found


class Library(Installed):
    def header(self, name):
        return os.path.join(self.prefix, "include", "xb", name)

    def public(self):
        functions = set()
        for name in HEADERS:
            with open(self.header(name), encoding="utf-8") as file:
                functions |= declared(file.read())
        self.assertIn("xb_submit", functions)
        return functions

    def test_headers(self):
        self.assertEqual(sorted(os.listdir(os.path.join(self.prefix, "include", "xb"))), sorted([*HEADERS, "cpu"]))  # and those of kernels
        for compiler, language, standard in (Settings.cc, "c", "c11"), (Settings.cxx, "c++", "c++17"):
            for name in HEADERS:
                run([compiler, "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                     "-fsyntax-only", "-I", os.path.join(self.prefix, "include"), "-"],
                    input=f'#include "xb/{name}"\n#include "xb/{name}"\n')

    def test_shared_symbols(self):
        """The library exports exactly the functions of the headers, each with a version."""
        out = run(["nm", "-D", "--defined-only", os.path.join(self.libraries, "libxbench.so.8")])
        symbols = {line.split()[2]: line.split()[1] for line in out.splitlines()}
        versions = {name for name, kind in symbols.items() if kind == "A"}
        self.assertTrue(all(re.fullmatch(r"XBENCH_\d+\.\d+", version) for version in versions), versions)
        shown = {name.partition("@@") for name in symbols if name not in versions}
        self.assertEqual({name for name, _, _ in shown}, self.public())
        self.assertLessEqual({version for _, _, version in shown}, versions)

    def test_shared_names(self):
        out = run(["readelf", "-d", "-W", os.path.join(self.libraries, "libxbench.so")])
        self.assertEqual(re.findall(r"\(SONAME\).*\[(.*)\]", out), ["libxbench.so.8"])
        self.assertNotIn("RUNPATH", out)
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", out))
        self.assertLessEqual(needed, {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1",
                                      "ld-linux-x86-64.so.2"})

    def test_static_symbols(self):
        out = run(["nm", "-g", "--defined-only", os.path.join(self.libraries, "libxbench.a")])
        self.assertEqual(set(re.findall(r"^[0-9a-f]+ [A-Z] (\S+)$", out, re.M)), self.public())

    def test_cxx(self):
        """The headers work in C++, and with a backend that the program defines."""
        source = os.path.join(self.folder, "program.cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write('''#include <cstdio>
#include "xb/backend.h"
int main()
{
  xb_backend mine{};
  mine.version = XB_BACKEND_VERSION + 1;
  mine.name = "mine";
  uint32_t count = 0;
  xb_error err{};
  const xb_code code = xb_enumerate(&mine, nullptr, 0, &count, &err);
  for (std::size_t i = 0; xb_backend_at(i); i++)
    std::printf("%s\\n", xb_backend_name(xb_backend_at(i)));
  std::printf("%s: %s\\n", xb_code_name(code), err.message);
}
''')
        program = os.path.join(self.folder, "program")
        run([Settings.cxx, "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", source, "-o", program,
             *self.pkg_config("--cflags", "--libs")])
        said = run([program], environment={"LD_LIBRARY_PATH": self.libraries})
        self.assertEqual(said, "cuda\nvulkan\nd3d12\ncpu\nXB_INVALID: xb_enumerate: backend 'mine' has interface version 9, "
                               "this library needs version 8\n")


if __name__ == "__main__":
    main()
