"""The program's commands and their options, from its own help."""

import re

from installing import Settings, run


def help_of(command=""):
    return run([Settings.xbench, *command.split(), "--help"])


def commands():
    """The commands in the lines of usage."""
    return re.findall(r"^ +xbench ([a-z]+)\b", help_of(), re.M)


def options(command=""):
    """{'--size': ('-n', 'SIZES'), ...}; '' if there is no short form, or no value. popt prints a blank before the value
    of an option that may be given several times."""
    lines = re.findall(r"^ +(?:(-.), )?(--[a-z0-9-]+)(?:[= ](\S+))?", help_of(command), re.M)
    return {name: (short, value) for short, name, value in lines}
