"""completion.py: runs the completions of bash, zsh and fish as the shells do. They must offer exactly the commands, options,
benchmarks and devices that the program has."""

import os
import pty
import re
import select
import shutil
import signal
import sys
import tempfile
import time
import unittest

import help
from installing import Settings, main, run
import patience

ASK_BASH = '''
source "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
_xbench "$1" "${@: -1}" "${@: -2:1}"
for reply in "${COMPREPLY[@]}"; do printf '%s\\n' "$reply"; done
'''


def script(name):
    return os.path.join(Settings.source, "bench", "completion", name)


def names(lines):
    return {line.split("\t")[0] for line in lines.splitlines()}


class Shell:
    """The tests for each shell; `ask` returns the set of words that are offered for the last word of a line."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="xbench-completion-")
        self.addCleanup(shutil.rmtree, self.folder)
        for name in "one.json", "two words.json", "other":
            open(os.path.join(self.folder, name), "w", encoding="utf-8").close()

    def ask(self, line):
        raise NotImplementedError

    def benchmarks(self):
        found = set(re.findall(r"^(\w+): ", run([Settings.xbench, "list", "benchmarks"]), re.M))
        self.assertIn("reduce", found)
        return found

    def test_commands_and_benchmarks(self):
        self.assertEqual(self.ask("xbench "), self.benchmarks() | set(help.commands()))
        variants = {f"copy/{name}" for name in re.findall(r"^  copy/\d+ +(\w+) ", run([Settings.xbench, "list", "copy"]), re.M)}
        self.assertIn("copy/float4", variants)
        self.assertEqual(self.ask("xbench copy/"), variants)
        self.assertEqual(self.ask("xbench compare reduce/s"), {"reduce/sequential", "reduce/single_pass"})
        cases = names(re.sub(" .*", "", run([Settings.xbench, "guide", "--list"]), flags=re.M))
        self.assertIn("wave", cases)
        self.assertEqual(self.ask("xbench guide "), cases)
        self.assertEqual(self.ask("xbench guide wave at"), {"atomics"})
        self.assertEqual(self.ask("xbench list "), {"capabilities", "devices", "benchmarks", "sources"} | self.benchmarks())

    def test_options(self):
        """Checks the options of every command in the help."""
        for command in [""] + help.commands():
            self.assertEqual(self.ask(f"xbench {command} --" if command else "xbench --"), set(help.options(command)))

    def test_values(self):
        for command in [""] + help.commands():
            for name, (short, value) in help.options(command).items():
                line = f"xbench {command} " if command else "xbench "
                if re.fullmatch(r"[a-z0-9]+(\|[a-z0-9]+)+", value):
                    self.assertEqual(self.ask(f"{line}{name} "), set(value.split("|")))
                    if short:
                        self.assertEqual(self.ask(f"{line}{short} "), set(value.split("|")))
                elif value == "FILE":
                    self.assertEqual(self.ask(f"{line}{name} o"), {"one.json", "other"})
        self.assertEqual(self.ask("xbench --dtype "), {"float32", "int32"})
        self.assertEqual(self.ask("xbench --size "), set())
        self.assertEqual(self.ask("xbench compare --against transpose/pa"), {"transpose/padded"})
        listed = run([Settings.xbench, "list", "benchmarks"])
        axes = set(re.findall(r"^  --at (\w+=)", listed, re.M))
        self.assertIn("offset=", axes)
        self.assertEqual(self.ask("xbench --at "), axes)

    def test_devices(self):
        listed = run([Settings.xbench, "list", "devices"], expected=None)
        devices = set(re.findall(r"^  (\d+)  ", listed, re.M)) | set(re.findall(r"^     uuid ([0-9a-f-]+),", listed, re.M))
        self.assertEqual(self.ask("xbench -d "), devices)


class Bash(Shell, unittest.TestCase):
    def ask(self, line):
        words = re.sub("=", " = ", line).split(" ")  # as readline splits it
        words[0] = Settings.xbench
        return names(run(["bash", "-c", ASK_BASH, "bash", script("xbench.bash"), *words], cwd=self.folder))

    def test_equals_sign(self):
        self.assertEqual(self.ask("xbench --cache=h"), {"hot"})
        self.assertEqual(self.ask("xbench --at=off"), {"offset="})
        self.assertEqual(self.ask("xbench --at offset="), set())
        self.assertEqual(self.ask("xbench --json=on"), {"one.json"})

    def test_file_names(self):
        self.assertEqual(self.ask("xbench --json tw"), {"two words.json"})

    def test_no_program(self):
        run(["bash", "-c", ASK_BASH, "bash", script("xbench.bash"), "/etc/passwd/none/xbench", "-"], expected=None)


class Fish(Shell, unittest.TestCase):
    def setUp(self):
        if not Settings.fish:
            self.fail("fish was not found: install it (Debian: apt-get install fish)")
        super().setUp()
        os.environ.update(HOME=self.folder, PATH=os.path.dirname(Settings.xbench) + ":" + os.environ["PATH"])

    def ask(self, line):
        return names(run([Settings.fish, "--no-config", "-c", "source $argv[1]; complete -C $argv[2]",
                          script("xbench.fish"), line], cwd=self.folder))

    def test_equals_sign(self):
        self.assertEqual(self.ask("xbench --cache=h"), {"--cache=hot"})
        self.assertEqual(self.ask("xbench --at=off"), {"--at=offset="})
        self.assertEqual(self.ask("xbench compare --against=transpose/pa"), {"--against=transpose/padded"})
        self.assertEqual(self.ask("xbench --json=on"), {"--json=one.json"})


class Zsh(unittest.TestCase):
    """Only an interactive zsh completes, so the test gives it a terminal and waits for its output."""

    LINES = (("xbench --ba", "--backend "), ("xbench -b v", "vulkan "), ("xbench --cache=c", "--cache=cold "),
             ("xbench lis", "list "), ("xbench list de", "devices "), ("xbench guide wa", "wave "), ("xbench --json=on", "--json=one.json "),
             ("xbench compare --against transpose/pa", "transpose/padded "), ("xbench -t f", "float32 "),
             ("xbench --at off", "offset="), ("xbench --at=off", "--at=offset="))

    def setUp(self):
        if not Settings.zsh:
            self.fail("zsh was not found: install it (Debian: apt-get install zsh)")
        self.folder = tempfile.mkdtemp(prefix="xbench-completion-")
        self.addCleanup(shutil.rmtree, self.folder)
        open(os.path.join(self.folder, "one.json"), "w", encoding="utf-8").close()
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(self.folder)
            os.execve(Settings.zsh, ["zsh", "-f", "-i"],
                      {"TERM": "dumb", "HOME": self.folder, "COLUMNS": "200", "LINES": "200",
                       "PATH": os.path.dirname(Settings.xbench) + ":" + os.environ["PATH"]})
        self.addCleanup(self.end)

    def end(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.terminal)

    def type(self, text, until):
        os.write(self.terminal, text.encode())
        seen, limit = "", time.monotonic() + patience.S
        while until not in seen:
            ready, _, _ = select.select([self.terminal], [], [], limit - time.monotonic())
            if not ready:
                self.fail(f"typed {text!r}, waited for {until!r}, saw {seen!r}")
            seen += os.read(self.terminal, 65536).decode(errors="replace")
        return seen

    def test_syntax(self):
        run([Settings.zsh, "-n", script("_xbench")])

    def test_completes(self):
        self.start()
        for line, completed in self.LINES:
            self.type(line + "\t", completed)
            self.type("\x15\n", "ready> ")

    def test_options(self):
        """All options are listed, with their help."""
        self.start()
        for command in [""] + help.commands():
            self.type(f"xbench {command} --" if command else "xbench --", "--")
            # zsh does not show a list if more input is waiting.
            seen = self.type("\t", max(help.options(command))) + self.type("\x15print list''ed\n", "listed")
            self.assertEqual(set(re.findall(r"^(--\S+)  \S", seen, re.M)), set(help.options(command)))

    def start(self):
        self.type(f"fpath=({os.path.dirname(script('_xbench'))} $fpath); autoload -U compinit; compinit -u -D; "
                  "PS1='re''ady> '; unsetopt beep\n", "ready> ")


if __name__ == "__main__":
    sys.exit(main())
