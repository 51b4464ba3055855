"""The rooms of bench/ include only rooms that docs/internals/architecture.md lists below them; core includes no room of bench/ and no backend, and os/ only itself.
Arguments: the source folder."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop())


def rooms():
    """From the top."""
    text = (ROOT / "docs/internals/architecture.md").read_text(encoding="utf-8")
    return re.findall(r"^      (\w+)/ ", text.split("core/   ")[0], re.M)


def includes(folder):
    """(file, what it includes), of what lies in this repository."""
    for path in sorted((ROOT / folder).rglob("*.[ch]")):
        for name in re.findall(r'^#include "([^"]+)"', path.read_text(encoding="utf-8"), re.M):
            for base in ("bench", "."):
                if (ROOT / base / name).is_file():
                    yield path.relative_to(ROOT), pathlib.Path(base) / name
                    break


class Rooms(unittest.TestCase):
    def test_all_are_listed(self):
        self.assertEqual(sorted(rooms()), sorted(p.name for p in (ROOT / "bench").iterdir() if p.is_dir() and p.name not in
                                                 ("results", "completion", "man")))  # these have no code

    def test_arrows(self):
        order = rooms()
        up, count = [], 0
        for file, included in includes("bench"):
            if file.parts[1] in order and included.parts[:1] == ("bench",) and included.parts[1] in order:
                count += 1
                if order.index(included.parts[1]) < order.index(file.parts[1]):
                    up.append(f"{file} includes {included}")
        self.assertEqual(up, [])
        self.assertGreater(count, 500)

    def test_core(self):
        for folder in ("core", *(p.name for p in ROOT.glob("backend_*"))):
            for file, included in includes(folder):
                self.assertIn(included.parts[0], {"core", folder, "cmake", "os"}, f"{file} includes {included}")

    def test_systems(self):
        """Only os/ and the backends' windows onto the system tell systems apart."""
        windows = r"^backend_\w+/(symbols\.[ch]|dx\.h|windows\.c)$"
        told = [p.relative_to(ROOT).as_posix() for folder in ("bench", "core", "os", *(p.name for p in ROOT.glob("backend_*")))
                for p in sorted((ROOT / folder).rglob("*.[chS]*")) if "_WIN32" in p.read_text(encoding="utf-8")]
        self.assertEqual([name for name in told if not name.startswith("os/") and not re.match(windows, name)], [])
        self.assertIn("os/child.h", told)

    def test_apis(self):
        """bench/ compares no API by its name: what differs is said by the backend's table, or by a device's code."""
        named = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "bench").rglob("*.c"))
                 if re.search(r'strcmp\([^;]*"(vulkan|cuda|d3d12|cpu)"', path.read_text(encoding="utf-8"))]
        self.assertEqual([name for name in named if name != "bench/judge/judge.c"], [])  # there it is a type of device

    def test_os(self):
        """It knows nothing of the program."""
        found = list(includes("os"))
        self.assertEqual([f"{file} includes {included}" for file, included in found if included.parts[0] != "os"], [])
        self.assertGreater(len(found), 3)


unittest.main()
