"""cases.py XBENCH GUIDE_DEF BACKEND [STARTER]: runs every case of `xbench guide` that has a row, and compares its output with its
document and its exit code. STARTER starts the program. On d3d12 it also compares what holds with docs/guide/vkd3d."""
import json
import os
import re
import subprocess
import sys
import tempfile

import rows as guide

SKIPPED = 77
FAULTS = {"SwiftShader": {"atomics"}}  # cases that fail by a mistake of the driver: tests/vulkan/faults


def held(document, root):
    """The references of the guide's rows, as in `guide:groups=ids of threads`, whose assertions hold."""
    lines = {case["case"]: [line["text"] for line in case["lines"] if line["kind"] == "holds"] for case in document["cases"]}
    found = set()
    for _, _, _, rows in guide.chapters(root):
        for row in rows.values():
            for reference, case, words in re.findall(r"`(guide:(\w+)=([^`]*))`", row["by"]):
                if any(words in text for text in lines[case]):
                    found.add(reference)
    return sorted(found)


def compare_with_page(document, root):
    """Returns 1 if docs/guide/vkd3d does not say what this version of vkd3d did."""
    version = re.search(r"vkd3d \S+", document["devices"][0]["api_version"])[0]
    now = "\n".join([version, *held(document, root)]) + "\n"
    with open(os.path.join(root, "docs/guide/vkd3d"), encoding="utf-8") as file:
        if file.read() == now:
            return 0
    print(f"docs/guide/vkd3d is not what ran; it would be:\n{now}then run script/guide-pages --write")
    return 1


def main():
    xbench, table, backend, *starter = sys.argv[1:]
    rows = re.findall(r"^XB_GUIDE\((\w+), ", open(table, encoding="utf-8").read(), re.M)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "guide.json")
        run = subprocess.run([*starter, xbench, "guide", "--backend", backend, "--json", path], capture_output=True, text=True,
                             check=False)
        if run.returncode == 3 and backend not in os.environ.get("XB_REQUIRE", "").split(","):
            print("skipped:", run.stderr.strip())
            return SKIPPED
        print(run.stdout, run.stderr)
        if not os.path.exists(path):
            return 1
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    device = document["devices"][0]["name"]
    faults = next((cases for driver, cases in FAULTS.items() if driver in device), set())
    wrong = int((run.returncode != 0) != bool(faults))
    shown = {case["case"]: case["lines"] for case in document["cases"]}
    if list(shown) != rows:
        print(f"guide.def has {rows}, what ran is {list(shown)}")
        wrong = 1
    for name, lines in shown.items():
        kinds = [line["kind"] for line in lines if line["api"] == backend]
        if kinds.count("holds") < 1 or ("fails" in kinds) != (name in faults):
            print(f"{name}: nothing was asserted on {backend}, or other cases fail than those that are known: {kinds}")
            wrong = 1
        wrong |= any(line["text"] not in run.stdout for line in lines)
    if backend == "d3d12":
        wrong |= compare_with_page(document, os.path.join(os.path.dirname(table), "../.."))
    return wrong


if __name__ == "__main__":
    sys.exit(main())
