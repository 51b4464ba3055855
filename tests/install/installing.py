"""Shared by the tests of this folder: installs the build into a temporary folder, and runs programs there."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest


class Settings:
    """main() sets these from NAME=VALUE on the command line: cmake, build, source, cc, cxx, xbench, fake (driver),
    nvcc, mandoc, zsh, fish; a value is empty if the tool is missing."""


def run(command, expected=0, environment=None, **kwargs):
    """Returns the output of the command, of both streams; a failure's message has it, too. `expected` None: any exit code."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                            env={**os.environ, **(environment or {})}, check=False, **kwargs)
    if expected is not None and result.returncode != expected:
        raise AssertionError(f"{command}: exit {result.returncode}, expected {expected}:\n{result.stdout}")
    return result.stdout


def files_of(folder):
    return {os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names}


class Installed(unittest.TestCase):
    """Installs everything below self.prefix with DESTDIR, so that it is not at the configured prefix."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="xbench-install-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.prefix = self.install("staged")
        self.libraries = os.path.join(self.prefix, "lib")

    def install(self, name, *arguments):
        nowhere = f"/xbench-nowhere-{os.getpid()}"
        stage = os.path.join(self.folder, name)
        run([Settings.cmake, "--install", Settings.build, "--prefix", nowhere, *arguments],
            environment={"DESTDIR": stage})
        self.assertFalse(os.path.exists(nowhere))
        return stage + nowhere

    def pkg_config(self, *arguments):
        return run(["pkg-config", *arguments, "xbench"], environment=self.pkg_config_path()).split()

    def pkg_config_path(self):
        return {"PKG_CONFIG_PATH": os.path.join(self.libraries, "pkgconfig")}


def main():
    for argument in sys.argv[1:]:
        name, _, value = argument.partition("=")
        setattr(Settings, name, "" if value.endswith("-NOTFOUND") else value)
    unittest.main(argv=sys.argv[:1], verbosity=2)
