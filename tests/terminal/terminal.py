"""terminal.py XBENCH SCREENS SOURCE_FOLDER: on terminals of 60 to 160 columns no line is too long, the progress is one line,
and what a script reads does not depend on a terminal."""
import glob
import os
import re
import subprocess
import sys
import unittest

import terminals

XBENCH, SCREENS, SOURCE = sys.argv[1:]
RESULTS = os.path.join(SOURCE, "bench/results/h200-2026-11-21")
NEWER = os.path.join(SOURCE, "bench/results/h200-2026-11-22")
WIDTHS = 60, 80, 100, 160
SHORT = "--min-time", "0.002", "--max-time", "0.01"
ERASE = "\r\033[K"


def settings(**environment):
    return {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")} | {"TERM": "xterm"} | environment


def piped(*command, **environment):
    return subprocess.run(command, env=settings(**environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, text=True).stdout


def on_terminal(columns, *command, **environment):
    """What the program writes to the terminal."""
    code, out = terminals.on_terminal(command, settings(**environment), columns)
    assert code == 0, (command, code, out)
    return out


def plain(text):
    return re.sub("\033\\[[0-9;]*[mK]", "", text)


class Width(unittest.TestCase):
    def check(self, columns, *command):
        out = on_terminal(columns, *command)
        for row in re.split("[\r\n]", plain(out)):
            self.assertLessEqual(len(row), columns, (command, row))
        return out

    def test_commands(self):
        old, new = (os.path.join(RESULTS, name) for name in ("reduce_run_1.json", "reduce_run_2.json"))
        for columns in WIDTHS:
            for command in (["list"], ["--help"], ["help", "diff"], ["guide", "wave"], ["guide", "--list"], ["show", "reduce/1"], ["diff", old, new],
                            [*SHORT, "-n", "2^12", "reduce/8"], [*SHORT, "-n", "2^12,2^13", "--at", "offset=1", "offset"],
                            ["compare", *SHORT, "-n", "2^12", "reduce/9", "--against", "reduce/7"]):
                self.check(columns, XBENCH, *command)

    def test_saved(self):
        """Tables of several devices, sizes and metrics."""
        narrow = 0
        for path in glob.glob(os.path.join(RESULTS, "*.json")) + [os.path.join(NEWER, "offset.json")]:
            for columns in WIDTHS:
                out = self.check(columns, SCREENS, path)
                narrow += columns == 60 and "columns are hidden" in out
        self.assertGreater(narrow, 10)

    def test_nothing_is_lost(self):
        """The names, times and ratios of the full table are in the narrow one. The full one has the part of the peak."""
        full = piped(SCREENS, os.path.join(NEWER, "transpose_ladder.json"))
        self.assertRegex(full, r"\n3_naive.* 13 % +11 %  0.14x")
        path = os.path.join(RESULTS, "launch.json")
        full, narrow = piped(SCREENS, path), piped(SCREENS, path, COLUMNS="60")
        for time in re.findall(r"[\d.]+ [mun]?s", full):
            self.assertIn(time, narrow)

    def test_columns(self):
        """Without a terminal, COLUMNS is the width; without it or with --wide, all columns are shown."""
        self.assertLessEqual(max(map(len, piped(XBENCH, "list", COLUMNS="70").splitlines())), 70)
        self.assertEqual(piped(XBENCH, "list", "--wide", COLUMNS="70"), piped(XBENCH, "list"))
        command = [XBENCH, "-q", *SHORT, "-n", "2^12", "reduce/8"]
        for out in (piped(*command), piped(*command, "--wide", COLUMNS="60"), on_terminal(60, *command, "--wide")):
            self.assertRegex(out, r"\nvariant {40,}group +time  \+-95 % +GB/s of copy   step cumulative   host time(?: samples)?\n")


class Progress(unittest.TestCase):
    def test_one_line(self):
        """It is erased before the table is printed, and never as wide as the terminal."""
        for columns in WIDTHS:
            out = on_terminal(columns, XBENCH, *SHORT, "-n", "2^12..2^14", "reduce/8")
            pieces = out.split(ERASE)
            shown = [piece for piece in pieces if piece.startswith("[")]
            self.assertGreater(len(shown), 5)
            for piece in shown:
                self.assertNotIn("\n", piece)
                self.assertLess(len(piece), columns)
            self.assertNotIn("%, ", pieces[-1].splitlines()[-1])

    def test_quiet(self):
        self.assertNotIn(ERASE, on_terminal(80, XBENCH, *SHORT, "-q", "-n", "2^12", "reduce/8"))


class Colours(unittest.TestCase):
    def test_option(self):
        command = [XBENCH, "show", "reduce/7"]
        self.assertNotIn("\033", piped(*command))
        self.assertIn("\033", piped(*command, "--color=always"))
        self.assertIn("\033", on_terminal(80, *command))
        self.assertNotIn("\033", on_terminal(80, *command, "--color", "never"))
        self.assertIn("\033", on_terminal(80, *command, "--color=always", NO_COLOR="1"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
