"""script_run.py: script/run configures only where it must, and shows a build as one line on a terminal. cmake, ninja and
dpkg-query are stubs."""

import os
import pty
import select
import shutil
import subprocess
import tempfile
import unittest

from installing import Settings, main
import patience

STUBS = {"cmake": 'echo "$@" >>"$ROOT/configured"', "dpkg-query": "echo install ok installed",
         "ninja": 'echo "[1/2] one"; echo "[2/2] two"; exit ${FAILS:-0}'}


class Run(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="xbench-run-")
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copytree(os.path.join(Settings.source, "script"), os.path.join(self.root, "script"))
        for name, text in {**STUBS, "xbench": 'echo "ran $@"'}.items():
            self.write(f"build/release/bin/{name}", f"#!/bin/sh\n{text}\n", 0o755)
        self.environment = {**os.environ, "ROOT": self.root, "COLUMNS": "8",
                            "PATH": os.path.join(self.root, "build/release/bin") + ":" + os.environ["PATH"]}
        self.write("build/release/build.ninja", "")
        self.configured_for(self.root)

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)

    def configured_for(self, folder):
        self.write("build/release/CMakeCache.txt", f"CMAKE_HOME_DIRECTORY:INTERNAL={folder}\n")

    def start(self, stderr=subprocess.PIPE, **more):
        return subprocess.run([os.path.join(self.root, "script/run"), "reduce"], stdout=subprocess.PIPE, stderr=stderr, text=True,
                              env={**self.environment, **more}, check=False)

    def configurations(self):
        path = os.path.join(self.root, "configured")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()

    def test_built_before(self):
        done = self.start()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "ran reduce\n", ""))
        self.assertEqual(self.configurations(), [])

    def test_copied_or_moved(self):
        for folder in "/etc/passwd/none/xbench", os.path.dirname(self.root):
            self.configured_for(folder)
            self.assertEqual(self.start().returncode, 0)
        self.assertEqual(len(self.configurations()), 2)
        self.assertIn("--fresh --preset release", self.configurations()[0])

    def test_first(self):
        os.remove(os.path.join(self.root, "build/release/build.ninja"))
        self.assertIn("the first build takes", self.start().stderr)
        self.assertEqual(len(self.configurations()), 1)

    def test_build_fails(self):
        done = self.start(FAILS="1")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", "[1/2] one\n[2/2] two\n"))

    def test_terminal(self):
        """Each line of the build replaces the one before, cut at the width of the terminal; the last one is cleared."""
        reader, terminal = pty.openpty()
        self.assertEqual(self.start(stderr=terminal).stdout, "ran reduce\n")
        expected, shown = "\r\x1b[K[1/2] o\r\x1b[K[2/2] t\r\x1b[K", ""
        while len(shown) < len(expected) and select.select([reader], [], [], patience.S)[0]: # what shows lines may end last
            shown += os.read(reader, 4096).decode()
        self.assertEqual(shown, expected)
        os.close(reader)
        os.close(terminal)


if __name__ == "__main__":
    main()
