"""public.py XBENCH FOLDER [NAME...]: the pairs of public/ with the sources of public repositories, which are no part of this
project. FOLDER has each repository at the commit that public/repositories.json names, as FOLDER/OWNER+REPOSITORY. For each pair one
line says how it ended. The exit code is 1 if one of them is wrong, and 77 if no repository is there."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "public")


def with_sources(text, folder):
    """ "@owner/repository/file" is a file of a repository; None if it is not there."""
    def path(match):
        found = os.path.join(folder, f"{match[1]}+{match[2]}")
        missing.extend([] if os.path.isdir(found) else [found])
        return found
    missing = []
    text = re.sub(r"@([\w.-]+)/([\w.-]+)", path, text)
    return None if missing else text


def attempt(program, name, folder, work):
    with open(os.path.join(HERE, name + ".json"), encoding="utf-8") as file:
        text = with_sources(file.read(), folder)
    if not text:
        return None
    manifest = os.path.join(work, name + ".json")
    with open(manifest, "w", encoding="utf-8") as file:
        file.write(text)
    dxc = os.path.join(HERE, "../../../build/tools/dxc")
    env = {"LP_NATIVE_VECTOR_WIDTH": "512", **os.environ, "PATH": f"{dxc}:{os.environ['PATH']}"} # waves of 16 on lavapipe
    words = [program, "pair", manifest, "--trust-paths", "-q", "--min-time", "0.0005", "--max-time", "0.002"]
    begin = time.monotonic()
    run = subprocess.run(words, capture_output=True, text=True, check=False, env=env)
    if "nothing checks its results" in run.stderr: # one side alone
        run = subprocess.run([*words, "--unchecked"], capture_output=True, text=True, check=False, env=env)
    return run, time.monotonic() - begin


def main():
    program, folder, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(os.path.join(HERE, "repositories.json"), encoding="utf-8") as file:
        names = names or json.load(file)["pairs"]
    tried = wrong = 0
    with tempfile.TemporaryDirectory() as work:
        for name in names:
            result = attempt(program, name, folder, work)
            if not result:
                print(f"{name:18} its sources are not there")
                continue
            tried += 1
            run, seconds = result
            wrong += run.returncode != 0
            sides = [line for line in run.stderr.splitlines() if "skipped:" in line]
            state = "one side ran" if sides else "both sides agree"
            print(f"{name:18} {seconds:5.1f} s  " + (state if not run.returncode else f"exit code {run.returncode}: " +
                                                     (run.stderr.strip().splitlines() or ["?"])[-1]), flush=True)
    return 77 if not tried else 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
