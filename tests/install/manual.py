"""manual.py: docs/man/xbench.1 is valid mdoc, and has exactly the commands and options of the program."""

import os
import re
import unittest

import help
from installing import Settings, main, run

EVERY_COMMAND_HAS = {"--color", "--wide", "--help", "--usage"}  # described only once


def page():
    return os.path.join(Settings.source, "docs", "man", "xbench.1")


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
        self.assertEqual(sections, set(help.commands()), "'.Ss xbench COMMAND' in docs/man/xbench.1, and xbench --help")
        with open(page(), encoding="utf-8") as file:
            synopsis = file.read().partition(".Sh SYNOPSIS")[2].partition(".Sh")[0]
        self.assertEqual(set(re.findall(r"^\.Nm\n\.Cm ([a-z]+)$", synopsis, re.M)), set(help.commands()),
                         "SYNOPSIS in docs/man/xbench.1, and xbench --help")

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
            self.assertEqual(found.get(command), names, f"options of 'xbench {command}' in docs/man/xbench.1 (first) and "
                                                        f"in its --help (second)")


if __name__ == "__main__":
    main()
