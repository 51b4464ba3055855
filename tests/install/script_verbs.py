"""script_verbs.py: each script that has verbs lists them with --help, and refuses others with one line and exit code 2."""

import os
import re
import subprocess
import unittest

from installing import Settings, main

SCRIPTS = {"fetch": "dxc glslc kernel-tuner mesa mingw-libraries slang vkd3d vkd3d-windows", "figures": "chart manifest results tables text",
           "fresh": "debian wine", "gpu": "check planted wrong-ports", "package": "debian gpu windows",
           "trial": "agreement false-alarms portability soak"}


def run(name, *words):
    return subprocess.run([os.path.join(Settings.source, "script", name), *words], capture_output=True, text=True, check=False)


class Verbs(unittest.TestCase):
    def test_help(self):
        for name, verbs in SCRIPTS.items():
            done = run(name, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            self.assertEqual(sorted(re.findall(r"^  ([a-z0-9-]+) ", done.stdout, re.M)), verbs.split(), name)

    def test_unknown(self):
        for name in SCRIPTS:
            for words in [], ["nonsense"]:
                done = run(name, *words)
                self.assertEqual((done.returncode, done.stdout), (2, ""), name)
                self.assertRegex(done.stderr, rf"^{name}: '{''.join(words)}' is unknown: script/{name} --help lists [a-z ]+\n$")


if __name__ == "__main__":
    main()
