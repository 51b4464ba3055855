"""program.py: checks which files are installed, and that the program works in any folder."""

import os
import re
import subprocess

from installing import Installed, Settings, files_of, main, run


class Program(Installed):
    def test_files(self):
        found = files_of(self.prefix)
        for path in ("bin/xbench", "lib/libxbench.so", "lib/libxbench.so.8", "lib/libxbench.a",
                     "lib/cmake/xbench/xbench-config.cmake", "lib/cmake/xbench/xbench-config-version.cmake",
                     "lib/pkgconfig/xbench.pc", "share/man/man1/xbench.1", "share/xbench/results.schema.json",
                     "share/bash-completion/completions/xbench", "share/zsh/site-functions/_xbench",
                     "share/fish/vendor_completions.d/xbench.fish", "share/doc/xbench/README.md", "share/doc/xbench/LICENSE",
                     "share/doc/xbench/docs/measuring.md", "share/doc/xbench/examples/saxpy/CMakeLists.txt"):
            self.assertIn(path, found)

    def test_no_path_is_kept(self):
        """Installed files contain no path of the build machine or of the prefix, so they can be moved."""
        for path in sorted(files_of(self.prefix)):
            with open(os.path.join(self.prefix, path), "rb") as file:
                data = file.read()
            if data.startswith((b"\x7fELF", b"!<arch>")):  # debug information names the sources
                continue
            for known in Settings.build, Settings.source, "/xbench-nowhere":
                self.assertNotRegex(data, rb"(?<![\w.}~-])(-[A-Z])?" + re.escape(known).encode() + rb"(?!\w)", path)

    def test_components(self):
        self.assertEqual({os.path.basename(path) for path in files_of(self.install("some", "--component", "library"))},
                         {"libxbench.so.8", os.path.basename(os.path.realpath(self.libraries + "/libxbench.so"))})

    def test_runs(self):
        program = os.path.join(self.prefix, "bin", "xbench")
        self.assertEqual(run([program, "list", "benchmarks"]), run([Settings.xbench, "list", "benchmarks"]))
        self.assertEqual(run([program, "--version"]).split()[1], self.pkg_config("--modversion")[0])

    def test_peers(self):
        """The program finds the libraries relative to itself, as the loader's log shows. After it has opened them it needs
        a real driver, so the exit code does not matter."""
        if not Settings.fake:
            self.assertNotIn("lib/xbench/libxb_peers.so", files_of(self.prefix))
            return
        environment = {"LD_LIBRARY_PATH": Settings.fake, "LD_DEBUG": "files",
                       "LD_DEBUG_OUTPUT": os.path.join(self.folder, "loader")}
        subprocess.run([os.path.join(self.prefix, "bin", "xbench"), "-q", "--backend", "cuda", "-n", "64", "reduce/cub"],
                       env={**os.environ, **environment}, stderr=subprocess.DEVNULL, check=False)
        log, = (name for name in os.listdir(self.folder) if name.startswith("loader."))
        with open(os.path.join(self.folder, log), encoding="utf-8", errors="replace") as file:
            opened = re.findall(r"calling init: (\S*libxb_peers\.so)", file.read())
        self.assertEqual([os.path.realpath(path) for path in opened],
                         [os.path.realpath(os.path.join(self.libraries, "xbench", "libxb_peers.so"))])


if __name__ == "__main__":
    main()
