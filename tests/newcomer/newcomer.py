"""newcomer.py SOURCE PAGE...: follows pages of docs/ literally, in a copy of the source tree, so that they stay correct.

The first line of a fenced block has its kind:
    LANGUAGE PATH                a file with this content
    LANGUAGE PATH behind TEXT    is inserted after the line of PATH that begins with TEXT
    sh                           commands that must succeed, one per line
    sh fails                     the same, but the last command must fail
    sh where TOOL                runs only if the tool is installed
    text                         expected output of the last commands, line by line; spaces count as one, `...` is any text
Indented blocks are not run."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = shutil.ignore_patterns("build*", ".git")
SKIPPED = 77


def fail(page, what):
    sys.exit(f"FAILED: {os.path.basename(page)}: {what}")


def run(command, folder):
    began = time.monotonic()
    done = subprocess.run(["bash", "-c", command], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(f"{time.monotonic() - began:6.1f} s  {command}", flush=True)
    return done


def run_commands(page, text, folder, succeeds):
    output = ""
    commands = text.strip().split("\n")
    for i, command in enumerate(commands):
        done = run(command, folder)
        output += done.stdout
        expected = succeeds or i + 1 < len(commands)
        if (done.returncode == 0) != expected:
            fail(page, f"'{command}' {'failed' if expected else 'succeeded'}, exit {done.returncode}:\n{done.stdout}")
    return output


def expect(page, text, output):
    output = " ".join(output.split())
    for line in text.strip().split("\n"):
        pattern = ".*".join(re.escape(part) for part in " ".join(line.split()).split("..."))
        if not re.search(pattern, output):
            fail(page, f"the output lacks '{line}':\n{output}")


def write(page, where, text, folder):
    path, _, behind = where.partition(" behind ")
    path = os.path.join(folder, path)
    print(f"          {where}", flush=True)
    if not behind:
        if os.path.exists(path):
            fail(page, f"{where} exists already")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return
    if not os.path.exists(path):
        fail(page, f"{where}: there is no such file")
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    at = [i for i, line in enumerate(lines) if line.startswith(behind)]
    if len(at) != 1:
        fail(page, f"{where}: {len(at)} lines begin so, expected one")
    lines.insert(at[0] + 1, text)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)


def follow(page, folder):
    with open(page, encoding="utf-8") as file:
        blocks = FENCE.findall(file.read())
    output, commands = None, 0
    for info, text in blocks:
        kind, _, rest = info.partition(" ")
        if kind == "sh":
            tool = rest.removeprefix("where ") if rest.startswith("where ") else None
            if rest not in ("", "fails") and not tool:
                fail(page, f"unknown kind of block '{info}'")
            if tool and not shutil.which(tool):
                print(f"          (no {tool})", flush=True)
                continue
            output = run_commands(page, text, folder, rest != "fails")
            commands += 1
        elif kind == "text" and output is not None:
            expect(page, text, output)
        elif rest:
            write(page, rest, text, folder)
        else:
            fail(page, f"unknown kind of block '{info}'")
    if not commands:
        fail(page, "it has no commands")


def main():
    source, pages = sys.argv[1], sys.argv[2:]
    if subprocess.run([os.environ["XBENCH"], "list", "devices", "--backend", "vulkan"],
                      stdout=subprocess.DEVNULL).returncode == 3 and "vulkan" not in os.environ.get("XB_REQUIRE", ""):
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory(prefix="xbench-newcomer-") as folder:
        tree = os.path.join(folder, "xbench")
        shutil.copytree(source, tree, ignore=LEFT_OUT)
        for page in pages:
            follow(page, tree)


main()
