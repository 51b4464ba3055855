"""The program's commands and their options, from its own help."""

import re

from installing import Settings, run


def help_of(command=""):
    """With all options in full."""
    return run([Settings.xbench, *command.split(), "--help", "--wide"])


def commands():
    return re.findall(r"^  ([a-z]+)  ", help_of(), re.M)


def options(command=""):
    """{'--size': ('-n', 'SIZES'), ...}; '' if there is no short form, or no value. The help prints a blank before the value
    of an option that may be given several times."""
    lines = re.findall(r"^ +(?:(-.), )?(--[a-z0-9-]+)(?:[= ](\S+))?", help_of(command), re.M)
    return {name: (short, value) for short, name, value in lines}
