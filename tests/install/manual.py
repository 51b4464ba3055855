"""manual.py: bench/man/xbench.1 is valid mdoc, and has exactly the commands and options of the program. Each command's help begins
with its purpose, which docs/using.md repeats, and has two examples, whose options the command takes."""

import os
import re
import unittest

import help
from installing import Settings, main, run

EVERY_COMMAND_HAS = {"--color", "--wide", "--help", "--usage"}  # described only once


def page():
    return os.path.join(Settings.source, "bench", "man", "xbench.1")


def described():
    """{'': {'--size': '-n', ...}, 'diff': {...}}: the options in the section OPTIONS, and those below the heading of
    each command."""
    found, where = {"": {}}, None
    with open(page(), encoding="utf-8") as file:
        for line in file:
            if line.startswith(".Sh"):
                where = "" if line.split()[1] == "OPTIONS" else None
            elif line.startswith(".Ss xbench "):
                where = line.split()[2]
                found[where] = {}
            elif where is not None and line.startswith(".It Fl"):
                option = re.match(r"\.It Fl (?:(?:\\&)?(\S) , )?(?:Fl )?(-[a-z0-9-]+)", line)
                found[where]["-" + option.group(2)] = "-" + option.group(1) if option.group(1) else ""
    return found


class Manual(unittest.TestCase):
    maxDiff = None

    def test_lint(self):
        run([Settings.mandoc, "-T", "lint", "-W", "warning", page()])

    def test_commands(self):
        sections = set(described()) - {""}
        self.assertEqual(sections, set(help.commands()), "'.Ss xbench COMMAND' in bench/man/xbench.1, and xbench --help")
        with open(page(), encoding="utf-8") as file:
            synopsis = file.read().partition(".Sh SYNOPSIS")[2].partition(".Sh")[0]
        self.assertEqual(set(re.findall(r"^\.Nm\n\.Cm ([a-z]+)$", synopsis, re.M)), set(help.commands()),
                         "SYNOPSIS in bench/man/xbench.1, and xbench --help")

    def test_options(self):
        """The options of a command are below its heading, but those that it has of a run are in OPTIONS."""
        shared = help.options()
        wanted = {"": {name: short for name, (short, _) in shared.items()}}
        for command in help.commands():
            own = help.options(command)
            if set(shared) <= set(own) or command == "scale":  # which takes some of them only
                own = {name: own[name] for name in own if name not in shared}
            own = {name: own[name][0] for name in own if name not in EVERY_COMMAND_HAS}
            wanted[command] = own
        found = described()
        for command, names in wanted.items():
            self.assertEqual(found.get(command), names, f"options of 'xbench {command}' in bench/man/xbench.1 (first) and "
                                                        f"in its --help (second)")


class Help(unittest.TestCase):
    def test_purpose(self):
        with open(os.path.join(Settings.source, "docs", "using.md"), encoding="utf-8") as file:
            rows = dict(re.findall(r"^\| `xbench (\S+)[^|]*(?:\\\|[^|]*)*` \| (.*?)(?: \(\[.*)? \|$", file.read().partition("| command |")[2].partition("\n\n")[0], re.M))
        for command in help.commands():
            purpose = run([Settings.xbench, command, "--help"]).partition("\n")[0]
            self.assertEqual(purpose, f"xbench {command}: {rows.get(command)}", "the help (first), and docs/using.md (second)")
            self.assertIn(f"  {command:9}  {rows[command]}\n", run([Settings.xbench, "--help"]))

    def test_examples(self):
        benchmarks = set(re.findall(r"^  (\w+) +\d+  ", run([Settings.xbench, "list"]), re.M))
        for command in help.commands():
            text, known = run([Settings.xbench, command, "--help"]), help.options(command)
            examples = text.partition("\nExamples:\n")[2].partition("\n\n")[0].splitlines()
            self.assertEqual(len(examples), 2, text)
            for example in examples:
                self.assertRegex(example, rf"^  xbench {command}\b")
                words = example.partition(" -- ")[0].split()
                for word in words:
                    if re.fullmatch(r"\w+/\w+", word):
                        self.assertIn(word.partition("/")[0], benchmarks, example)
                    if word.startswith("-"):
                        self.assertTrue(word in known or word in {short for short, _ in known.values()}, f"{example}: {word}")
                self.assertNotIn("--help", words)


if __name__ == "__main__":
    main()
