"""dxil.py NAME=VALUE...: compiles every shader for Direct3D 12: with DXC, for cs_6_0, with warnings as errors, and with DXC's
validation, unless the build did so with the same flags. Cooperative matrices are not in Direct3D 12; halves and products of bytes are in later shader models. Skipped without
DXC, unless XB_REQUIRE names dxc."""
import glob
import os
import re
import sys

from sources import benchmarks, read, skip_without_dxc, tools


def ladders(root):
    """(path, entry, defines) of each row and element type of the benchmarks' tables, with one group size in turn: it changes no
    declarations. With XB_ALL_TESTS, with each of them."""
    for name, table in benchmarks(root):
        kinds = re.search(r"^XB_BENCHMARK\(\w+, \d+, ([\w ]+), ([\d ]+),", table, re.M)
        for number, variant, more in re.findall(r"^XB_VARIANT\((\d+), (\w+), KERNEL,(.*)", table, re.M):
            if 'ONLY("cuda"' in more:
                continue
            text = read(root, f"shaders/{name}/{number}_{variant}.hlsl")
            if re.search("coopMatMulAdd|TENSOR_BFLOAT16|<half, 2>|DOT_OPERATIONS", text):
                continue
            blocks = kinds[2].split()
            for i, dtype in enumerate(kinds[1].split()):
                only = re.search(r"^// dxil: (\d+)", text, re.M)  # other groups need what Direct3D 12 lacks
                blocks = [only[1]] if only else blocks
                for block in blocks if os.environ.get("XB_ALL_TESTS") else [blocks[(int(number) + i) % len(blocks)]]:
                    yield (os.path.join(root, f"shaders/{name}/{number}_{variant}.hlsl"), name,
                           (f"XB_{dtype.upper()}=1", f"BLOCK={block}"))


def cases(root):
    table = read(root, "bench/guide/guide.def")
    for case, entries in re.findall(r"^XB_GUIDE\((\w+), ([\w: ]+),", table, re.M):
        for entry in entries.split():
            if not entry.startswith("cuda:"):
                yield os.path.join(root, f"shaders/guide/{case}.hlsl"), entry.rpartition(":")[2], ()


def main():
    code, _ = tools(sys.argv[1:])
    skip_without_dxc(code)
    everything = [*ladders(code.root), *cases(code.root)]
    everything += [(path, "main", ()) for path in glob.glob(os.path.join(code.root, "tests/shaders/*.hlsl"))]
    everything += [(code.probe_files[name], name, ()) for name in code.hlsl_probes if name]
    bad, built = 0, 0
    for path, entry, defines in everything:
        if code.built(path, entry, defines, "dxil"):
            built += 1
            continue
        good, messages = code.compile_dxil(path, entry, defines, os.devnull)
        # 48 KiB of shared memory: only this entry point is invalid in Direct3D 12.
        too_much = entry == "k48" and not good and "exceeded 32768" in messages
        if not too_much and (not good or messages):
            bad += 1
            print(f"{os.path.relpath(path, code.root)}: {entry} {' '.join(defines)}: {messages}")
    print(f"{len(everything)} entry points for Direct3D 12 (cs_6_0), {built} of them compiled by the build: {bad} bad")
    return 1 if bad or len(everything) < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
