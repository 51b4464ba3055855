"""What the program itself says it takes: its commands, and the options of each."""

import re

from installing import Settings, run


def help_of(command=""):
    return run([Settings.xbench, *command.split(), "--help"])


def commands():
    """Those of the lines of usage."""
    return re.findall(r"^ +xbench ([a-z]+)\b", help_of(), re.M)


def options(command=""):
    """{'--size': ('-n', 'SIZES'), ...}; '' where there is no short form, or no value. popt shows an
    option that may be given several times with a blank before its value."""
    lines = re.findall(r"^ +(?:(-.), )?(--[a-z0-9-]+)(?:[= ](\S+))?", help_of(command), re.M)
    return {name: (short, value) for short, name, value in lines}
