"""versions.py: every file that names a version names that of CMakeLists.txt, the library's package has the number of its ABI, and the
changelog names every kind of file that the program writes."""

import os
import re
import unittest

from installing import Settings, main


def read(name):
    with open(os.path.join(Settings.source, name), encoding="utf-8") as file:
        return file.read()


class Versions(unittest.TestCase):
    def test_program(self):
        version = re.search(r"^project\(xbench VERSION (\S+)", read("CMakeLists.txt"), re.M)[1]
        self.assertEqual(re.search(r"^version: (.*)$", read("CITATION.cff"), re.M)[1], version)
        self.assertEqual(re.match(r"xbench \(([^)]*)\)", read("debian/changelog"))[1], version)
        headings = re.findall(r"^## (.*)$", read("CHANGELOG.md"), re.M)
        self.assertEqual(headings[0], "Unreleased")
        self.assertEqual(headings[1].split()[0], version)

    def test_library(self):
        abi = re.search(r"^set\(XB_ABI (\d+)\)", read("cmake/XbLibrary.cmake"), re.M)[1]
        packages = re.findall(r"^Package: (lib\S+)$", read("debian/control"), re.M)
        self.assertEqual(packages, [f"libxbench{abi}", "libxbench-dev"])
        self.assertTrue(os.path.exists(os.path.join(Settings.source, f"debian/libxbench{abi}.install")))

    def test_files(self):
        written = set(re.findall(r"\b(xbench(?:-[a-z]+)*/\d+)\b", read("CHANGELOG.md")))
        kept = os.listdir(os.path.join(Settings.source, "tests/schemas"))
        known = {re.sub(r"^(xbench(?:-[a-z]+)*)-(\d+)\..*", r"\1/\2", name) for name in kept if re.fullmatch(r"xbench(-[a-z]+)*-\d+\.json", name)}
        self.assertEqual({name for name in known if name not in written and name != "xbench-isa-diff/1"}, set())

    def test_licence(self):
        """https://reuse.software: the text of the one licence is where the standard wants it."""
        self.assertEqual(read("LICENSES/MIT.txt"), read("LICENSE"))
        self.assertIn('SPDX-License-Identifier = "MIT"', read("REUSE.toml"))
        self.assertEqual(os.listdir(os.path.join(Settings.source, "LICENSES")), ["MIT.txt"])


if __name__ == "__main__":
    main()
