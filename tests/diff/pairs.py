"""pairs.py XBENCH MINUTES SLOWER ARGS...: compares one program with itself again and again, and counts regressions and decided cells.
With SLOWER 1 all regressions are false. With 3, the base's times are divided by 3, so each cell is a regression.

Not a test: what it counts depends on what else the machine does. docs/internals/method.md has its figures. A pair is one run of
'xbench ARGS' for the base and 'xbench diff BASE --again -- ARGS'. The second one is also judged by its first run alone.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

XBENCH, MINUTES, SLOWER, ARGS = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]


def run(*words):
    return subprocess.run([XBENCH, *words], capture_output=True, text=True, check=False)


def plant(path):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    for result in document["results"]:
        result["samples_ns"] = [ns / SLOWER for ns in result["samples_ns"]]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)


def main():
    sums = {"cells": 0, "decided": 0, "regressions": 0, "by one run: decided": 0, "by one run: regressions": 0}
    end, pairs, with_regression, seconds, loads = time.monotonic() + 60 * MINUTES, 0, 0, [], []
    with tempfile.TemporaryDirectory(prefix="xbench-pairs-") as folder:
        base, new, out = (os.path.join(folder, name) for name in ("base.json", "new.json", "diff.json"))
        while time.monotonic() < end:
            began = time.monotonic()
            run(*ARGS, "--quiet", "--json", base)
            plant(base)
            done = run("diff", base, "--json", out, "--again", "--", *ARGS, "--quiet", "--json", new)
            seconds.append(time.monotonic() - began)
            loads.append(os.getloadavg()[0])
            if done.returncode not in (0, 5):
                sys.exit(f"exit code {done.returncode}: {done.stdout}{done.stderr}")
            for prefix in ("", "by one run: "):
                if prefix:
                    run("diff", base, new, "--json", out)
                with open(out, encoding="utf-8") as file:
                    diff = json.load(file)
                sums[prefix + "decided"] += diff["decided"]
                sums[prefix + "regressions"] += diff["counts"]["regression"]
            sums["cells"] += diff["timed"]
            pairs += 1
            with_regression += done.returncode == 5
            print(f"{pairs} pairs, {with_regression} with a regression; cells: {sums}; load {loads[-1]:.1f}", flush=True)
    print(f"seconds a pair: {min(seconds):.0f} to {max(seconds):.0f}; load {min(loads):.1f} to {max(loads):.1f}")


main()
