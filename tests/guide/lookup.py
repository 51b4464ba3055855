"""lookup.py ROOT XBENCH: `xbench guide WORD` finds the rows that a word leads to, for some words of each side;
`xbench guide --scan` lists all rows that a word of theirs leads to, and the words that no row has."""
import json
import os
import re
import subprocess
import sys
import tempfile

import rows as guide
from sources import read

SOME = 25


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.returncode, result.stdout


def index_of(root, words_of):
    """{word: the rows that it leads to}"""
    found = {}
    for _, _, _, rows in guide.chapters(root):
        for key, row in rows.items():
            for word in words_of(row):
                found.setdefault(word, set()).add(key)
    return found


def words_of_scans(root):
    """(The names that rows list for a scan, the rows that have one.)"""
    words, rows = [], set()
    for _, _, _, chapter in guide.chapters(root):
        for key, row in chapter.items():
            names = [name for name in row["scan"].split(", ") if re.fullmatch(r"[A-Za-z_]\w*(?:::\w+)*", name)]
            words += [name for name in names if name not in words]
            rows |= {key} if names else set()
    return words, rows


def count_bad_places(xbench):
    """A folder, several paths, the standard input; a binary file and an empty folder are refused."""
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "below"))
        os.makedirs(os.path.join(folder, "empty"))
        for name, text in (("below/a.cu", "__syncwarp();\n"), ("b.h", "__device__ int x;\n"), ("c.h", "int x;\n"), ("d.txt", "__device__\n"),
                           ("e.bin", "a\0b")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        a_cu = os.path.join(folder, "below/a.cu")
        for paths, code, expected in (((folder,), 0, (r"b\.h, 1 lines", r"a\.cu, 1 lines: 1 rows")), ((a_cu, a_cu), 0, (r"(a\.cu, 1 lines[\s\S]*){2}",)),
                                      (("-",), 0, ("syncwarp", "standard input, 1 lines: 1 rows")),
                                      ((os.path.join(folder, "e.bin"),), 2, (r"e\.bin: is not text",)),
                                      ((os.path.join(folder, "empty"),), 2, ("the folder has no source",))):
            result = subprocess.run([xbench, "guide", "--scan", *paths], capture_output=True, text=True, check=False, input="__syncwarp();\n")
            said = result.stdout + result.stderr
            if result.returncode != code or any(not re.search(word, said) for word in expected) or "c.h" in said or "d.txt" in said:
                print(f"--scan {' '.join(paths)}: exit code {result.returncode}: {said}")
                bad += 1
    return bad


def count_bad_answers(xbench):
    """A quoted phrase is looked up by its words; what no row has is said so, with the rows that are near and no list of cases; a scan lists
    no row beside the right one."""
    bad = 0
    phrases = {"row major": r"^matrix-order: ", "virtual function": r"^recursion: ", "memory barrier": r"^threadfence: ",
               "vkGetSemaphoreWin32HandleKHR": r"^shared-semaphore: ", "cuGraphInstantiateWithParams": r"^graphs: ",
               "communicate between blocks": r"^message-passing: ", "limit the registers": r"^occupancy-bound: ",
               "VK_EXT_mesh_shader": r"no row has 'VK_EXT_mesh_shader'",
               "quux zork frobs kernel": r"no row has 'quux zork frobs kernel': the nearest are [a-z-]+, ",
               "quux frobnicate": r"guide: no row has 'quux frobnicate'; docs/porting-guide\.md lists the chapters, 'xbench guide --list' the cases\n$"}
    for phrase, expected in phrases.items():
        result = subprocess.run([xbench, "guide", phrase], capture_output=True, text=True, check=False)
        said = result.stdout + result.stderr
        if not re.search(expected, said) or result.returncode != (2 if "no row has" in said else 0) or "unknown case" in said:
            print(f"xbench guide '{phrase}': exit code {result.returncode}: {said[:300]}")
            bad += 1
    source = "__global__ void k(int *x)\n{\n  cudaGridDependencySynchronize();\n#pragma unroll 4\n  for (;;);\n#pragma unroll 1\n  for (;;);\n}\n"
    result = subprocess.run([xbench, "guide", "--scan", "-", "--json", "/dev/stdout"], capture_output=True, text=True, check=False, input=source)
    found = {row["row"]: [what["lines"] for what in row["found"]] for row in json.loads(result.stdout)["files"][0]["rows"]}
    if "device-launch" in found or (found.get("unroll"), found.get("no-unroll")) != ([[4]], [[6]]) or "programmatic-launch" not in found:
        print(f"--scan of a dependent launch and two loops: {found}")
        bad += 1
    return bad


def main():
    root, xbench = sys.argv[1:]
    cuda, other = index_of(root, guide.cuda_words), index_of(root, guide.other_words)
    cases = set(re.findall(r"^XB_GUIDE\((\w+),", read(root, "bench/guide/guide.def"), re.M))
    bad = 0
    for index in (cuda, other):
        for word in sorted(index)[::max(len(index) // SOME, 1)]:
            if word in cases:
                continue
            code, text = run(xbench, "guide", word)
            missing = index[word] - set(re.findall(r"docs/guide/\w+\.md#([\w-]+)\)", text))
            if code or missing:
                print(f"xbench guide {word}: exit code {code}, without {missing or 'nothing'}")
                bad += 1
    bad += count_bad_places(xbench) + count_bad_answers(xbench)
    words, wanted = words_of_scans(root)
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "all.cu")
        with open(source, "w", encoding="utf-8") as file:
            file.write("// __syncwarp in a comment\n__global__ void all()\n{\n")
            file.write("".join(f"  {word} \"__syncwarp\";\n" for word in words))
            file.write("  cudaOfNoRow();\n" + "".join(f"  name{i}();\n" for i in range(20000)) + "}\n")
        code, text = run(xbench, "guide", "--scan", source, "--json", "/dev/stdout")
    [scanned] = json.loads(text)["files"] if text else [{"rows": [], "unknown": []}]
    found = {row["row"]: row["found"] for row in scanned["rows"]}
    if code or wanted - found.keys():
        print(f"--scan: exit code {code}, without {wanted - found.keys()}")
        bad += 1
    lines = {line for what in found.get("syncwarp", ()) if what["what"] == "__syncwarp" for line in what["lines"]}
    if lines != {words.index("__syncwarp") + 4}:
        print(f"--scan: __syncwarp is in lines {lines}: in a comment or a text it does not count")
        bad += 1
    if "cudaOfNoRow" not in [what["what"] for what in scanned["unknown"]]:
        print("--scan does not say that no row has cudaOfNoRow")
        bad += 1
    print(f"{len(cuda)} and {len(other)} words; a source with {len(words)} of them has {len(found)} rows and traps: {bad} bad")
    return 1 if bad or len(words) < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
