"""ten_minutes.py ROOT XBENCH [--write]: the README's commands print what stands there, and docs/first-ten-minutes.md shows what the commands print. In a new folder each file of the page is
written and each line after `$ ` is run; --write puts the output into the page. Otherwise the output has to have the lines of the
page, where numbers, verdicts and the remarks that depend on how busy a machine is do not count; and a line that was changed is found."""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

import patience

BLOCK = re.compile(r"^```(\S*)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
# What differs from run to run and from machine to machine. Remarks depend on how busy a machine is.
REMARK = (r"not settled|placed once|time limit|interval from 0|one placement|interrupted|emulated|outliers: [\d of]+|autocorrelated [\d.]+|overhead \d+ %|"
          r"faster than a copy: from cache\?|contents restored: [\d.]+ \w+ taken off")
WHOLE = [
    (re.compile(r"^(vulkan|cuda on cpu) (?:\d|on).*(?:\n    .*)*", re.M), r"\1, a device"),
    (re.compile(r"^all rows.*\n|^xbench: diff: \d.*\n", re.M), ""),
    (re.compile(r"(?<=\]\n)    \S.*\n", re.M), ""),  # why diff decided nothing
    (re.compile(r"^\d+ cells: .*(?:\n    .*)*", re.M), "# cells: VERDICTS"),
    (re.compile(r"^\d+ cells? may be slower .*\n(?:    .*\n)*", re.M), ""),
    (re.compile(r"\b[0-9a-f]{12}\b(?:, modified)?|\d{4}-\d\d-\d\dT[\d:]+Z"), "#"),
    (re.compile(rf"(?:{REMARK})(?:, |; |$)", re.M), ""),
    (re.compile(r"\b(?:faster|slower|same|unclear|unchanged|improvement|regression)\b(?! bits)"), "VERDICT"),
    (re.compile(r"(?:\+-)? *-?\d[\d.,]*(?: (?:ns|us|ms|s)\b)?"), ""),
    (re.compile(r"^\((?:the interval is wider|differs, but maybe by less) than the margin\)$", re.M), ""),  # on a busy machine
    (re.compile(r"; *samples each|(?<=time) samples$", re.M), ""),  # a column, or in the head if all have equally many
]


def shapes(text):
    """The lines that are more than numbers, without what differs."""
    for pattern, instead in WHOLE:
        text = pattern.sub(instead, text)
    return [" ".join(line.split()) for line in text.splitlines() if re.search(r"[a-z]{3}", line)]


def run(command, folder, xbench, width):
    environment = {**os.environ, "PATH": os.path.dirname(xbench) + ":" + os.environ["PATH"], "COLUMNS": width, "NO_COLOR": "1",
                   "XDG_CACHE_HOME": os.path.join(folder, "cache")}
    environment.pop("XB_NO_EMULATION", None)  # the page has a pair on the emulation
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=patience.S, check=False)
    return done.returncode, done.stdout


def commands_of(block):
    """(command, output) of each command in a block."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def follow(text, folder, xbench):
    """(the page with the output of now, what is wrong with the page)"""
    wrong = []
    width = (re.search(r"COLUMNS=(\d+)", text) or ["", "110"])[1]  # as the page tells its reader

    def block(match):
        language, name, content = match.groups()
        if name:
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(content)
        if language != "console":
            return match[0]
        made = ""
        for command, expected in commands_of(content):
            code, said = run(command, folder, xbench, width)
            allowed = (0, 5) if command.startswith("xbench diff") else (0,)
            if code not in allowed:
                wrong.append(f"$ {command}: exit code {code}\n{said}")
            before, now = shapes(expected), shapes(said)
            if command.startswith("xbench diff"):  # the worst verdict stands first
                before, now = sorted(before), sorted(now)
            if before != now:
                lines = difflib.unified_diff(before, now, "the page", "now", lineterm="", n=0)
                wrong.append(f"$ {command}: prints something else than the page has\n" + "\n".join(lines))
            made += f"$ {command}\n" + "".join(line.rstrip() + "\n" for line in said.splitlines())
        return f"```console\n{made}```"
    return BLOCK.sub(block, text), wrong


def main():
    root, xbench = sys.argv[1], os.path.abspath(sys.argv[2])
    path = os.path.join(root, "docs/first-ten-minutes.md")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if subprocess.run([xbench, "list", "devices", "--backend", "vulkan"], stdout=subprocess.DEVNULL, check=False).returncode == 3:
        print("skipped: Vulkan is not here")
        return 1 if "vulkan" in os.environ.get("XB_REQUIRE", "").split(",") else 77
    with tempfile.TemporaryDirectory() as folder:
        now, wrong = follow(text, folder, xbench)
        shutil.copytree(os.path.join(root, "examples"), os.path.join(folder, "examples"))
        with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
            readme = file.read()
        now_readme, wrong_there = follow(readme, folder, xbench)
    if "--write" in sys.argv:
        for name, page in ((path, now), (os.path.join(root, "README.md"), now_readme)):
            with open(name, "w", encoding="utf-8") as file:
                file.write(page)
        return 0
    wrong += wrong_there
    if readme.count("\n$ xbench ") < 2 or shapes(readme.replace("Unnoticed on", "Seen on")) == shapes(readme):
        wrong.append("README.md: it has less than two commands, or a changed line is not found")
    blocks = [content for language, _, content in BLOCK.findall(text) if language == "console"]
    changed = blocks[0].replace("GB/s", "GB/h") if blocks else ""
    if len(blocks) < 6 or shapes(changed) == shapes(blocks[0]):
        wrong.append(f"{len(blocks)} blocks of commands, or a changed line is not found")
    print("\n".join(wrong) or f"{sum(len(commands_of(block)) for block in blocks)} commands print what the page has")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
