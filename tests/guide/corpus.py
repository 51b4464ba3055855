"""corpus.py DECLARATIONS XBENCH LIST SOURCES: public sources, as bench/source reads them. LIST has a line [OWNER/REPOSITORY COMMIT] and, for
each file of it, PATH: SCOPE:NAME/PARAMETERS ..., its functions in their sequence. The files lie in SOURCES/OWNER/REPOSITORY/PATH: those that
are not there are counted, and with none the test is skipped. The functions were found by tree-sitter's grammars; where those saw something
else than we did, somebody read the file. Each file is also scanned and shown beside the next one; the first kernel of each .cu gets a manifest,
and is translated: what cannot be done is said in a message, without a crash."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import patience

DECLARATIONS, XBENCH, LIST, SOURCES = sys.argv[1:5]


def read_list():
    """[(path in SOURCES, [function...])]"""
    files, repository = [], None
    with open(LIST, encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line.startswith("["):
                repository = line[1:-1].split()[0]
            elif line and not line.startswith("#"):
                path, _, functions = line.partition(": ")
                files.append((os.path.join(SOURCES, repository, path.rstrip(":")), functions.split()))
    return files


FILES = [(path, functions) for path, functions in read_list() if os.path.exists(path)]


class Corpus(unittest.TestCase):
    maxDiff = None

    def run_to_end(self, *command, cwd=None):
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=patience.S, check=False, cwd=cwd)
        self.assertIn(done.returncode, (0, 1, 2, 3, 4), f"{command}: {done.stderr}")
        self.assertNotIn("it crashed", done.stderr, command)
        self.assertNotIn("Sanitizer", done.stderr, command)
        return done

    def test_functions(self):
        lines = self.run_to_end(DECLARATIONS, *(path for path, _ in FILES)).stdout.splitlines()
        self.assertEqual(len(lines), len(FILES))
        for (path, functions), line in zip(FILES, lines):
            with self.subTest(path=path):
                self.assertEqual(line.partition(": ")[2].split(), functions)

    def test_scan(self):
        for path, _ in FILES:
            with self.subTest(path=path):
                self.assertEqual(self.run_to_end(XBENCH, "guide", "--scan", path).returncode, 0)

    def test_show(self):
        for (path, _), (other, _) in zip(FILES, FILES[1:] + FILES[:1]):
            with self.subTest(path=path):
                done = self.run_to_end(XBENCH, "show", path, other)
                self.assertTrue(done.returncode == 0 or "the name of a file is too long" in done.stderr, done.stderr)

    def test_pair(self):
        for path, functions in FILES:
            kernels = [re.fullmatch(r"kernel:(?:\w+::)*(\w+)/\d+", function) for function in functions]
            kernel = next((found[1] for found in kernels if found), None)
            for option, made in (("--init", ".json"), ("--scaffold", ".hlsl")) if path.endswith((".cu", ".cuh")) and kernel else ():
                with self.subTest(path=path, option=option), tempfile.TemporaryDirectory() as folder:
                    shutil.copy(path, folder)
                    done = self.run_to_end(XBENCH, "pair", option, os.path.basename(path), f"--entry={kernel}", cwd=folder)
                    written = any(name.endswith(made) for name in os.listdir(folder))
                    self.assertTrue(written or "xbench: " in done.stderr, path)


if __name__ == "__main__":
    if not FILES:
        print(f"skipped: none of the files of {LIST} lies in {SOURCES}")
        sys.exit(77)
    print(f"{len(FILES)} of {len(read_list())} files")
    unittest.main(argv=sys.argv[:1] + sys.argv[5:])
