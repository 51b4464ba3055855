"""What the tests of this folder share: installing the build into a folder of its own, and running things there."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest


class Settings:
    """Filled in by main() from NAME=VALUE on the command line: cmake, build, source, cc, cxx, xbench, fake (driver),
    nvcc, mandoc, zsh, fish; empty where there is none."""


def run(command, expected=0, environment=None, **kwargs):
    """What the command printed, both streams; a failure has all of it in its message. `expected` None: any exit code."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                            env={**os.environ, **(environment or {})}, check=False, **kwargs)
    if expected is not None and result.returncode != expected:
        raise AssertionError(f"{command}: exit {result.returncode}, expected {expected}:\n{result.stdout}")
    return result.stdout


def files_of(folder):
    return {os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names}


class Installed(unittest.TestCase):
    """Everything installed below self.prefix, by way of DESTDIR, so that it never lies where it was configured to."""

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
