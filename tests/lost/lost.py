"""lost.py PROGRAM SCHEMA BACKEND [STARTER]: a device that is lost in the middle of a run, by a kernel that does not end in time or, with
CUDA, by one that writes to address 0. What was measured before is saved, one line a cell says what happened, and the next run
works. PROGRAM is lost, which STARTER starts."""
import json
import os
import subprocess
import sys
import tempfile

import patience

PROGRAM, SCHEMA, BACKEND = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
STARTER = sys.argv[4:]
QUICK = f"-q --backend {BACKEND} --dtype int32 --placements 1 --min-time 0.001 --max-time 0.01".split()


def run(folder, *arguments):
    done = subprocess.run([*STARTER, PROGRAM, *QUICK, *arguments], cwd=folder, capture_output=True, text=True, timeout=patience.S)
    print(f"$ lost {' '.join(arguments)}\n{done.stdout}{done.stderr}exit code {done.returncode}\n", flush=True)
    return done


def lose(folder, variant, words):
    """Sizes 1024 (right), 2048 (the device is lost) and 4096 (not begun)."""
    done = run(folder, "--wait-limit", "1", "-n", "1024,2048,4096", "--json", f"{variant}.json", "lost/works", f"lost/{variant}")
    assert done.returncode == 4, done.returncode
    with open(os.path.join(folder, f"{variant}.json"), encoding="utf-8") as file:
        document = json.load(file)
    own = {(r["size"], r["variant"].partition("_")[2]): r for r in document["results"] if r["benchmark"] == "lost"}
    assert set(own) == {(size, name) for size in (1024, 2048) for name in ("works", variant)}, list(own)
    assert all(own[1024, name]["outcome"] == "ok" for name in ("works", variant))
    failed = own[2048, variant]
    assert failed["outcome"] == "failed" and any(word in failed["error"] for word in words), failed["error"]
    assert not [name for name in os.listdir(folder) if ".part-" in name]
    try:
        from jsonschema import Draft202012Validator
        with open(SCHEMA, encoding="utf-8") as file:
            Draft202012Validator(json.load(file)).validate(document)
    except ImportError:  # on a machine that has only the programs
        pass
    after = run(folder, "-n", "1024", "lost/works")
    assert after.returncode == 0, after.returncode


def main():
    with tempfile.TemporaryDirectory() as folder:
        if run(folder, "lost/works").returncode == 3 and BACKEND not in os.environ.get("XB_REQUIRE", ""):
            return 77
        lose(folder, "endless", ["time limit", "did not complete", "within"])
        if BACKEND == "cuda":
            lose(folder, "faults", ["CUDA_ERROR_ILLEGAL_ADDRESS", "illegal"])
    print("what was measured is saved, and the next run works")
    return 0


if __name__ == "__main__":
    sys.exit(main())
