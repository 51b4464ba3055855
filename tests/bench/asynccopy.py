"""asynccopy.py FOLDER: the kernels of asynccopy/ in FOLDER have asynchronous copies where their rows say so, and nowhere
else. Skipped without cuobjdump (CUDA toolkit, or nvidia-cuda-cuobjdump of PyPI), and without machine code for sm_90."""
import collections
import os
import re
import shutil
import subprocess
import sys
import unittest

FOLDER = sys.argv[1]
# Entry points, and the instructions that copy to shared memory: STS from a register, LDGSTS past the registers, UBLKCP in bulk.
EXPECTED = {
    "1_words": {"asynccopy": {"STS"}, "asynccopy_async": {"LDGSTS"}},
    "3_pairs": {"asynccopy": {"STS"}, "asynccopy_async": {"LDGSTS"}},
    "5_vectors": {"asynccopy": {"STS"}, "asynccopy_async": {"LDGSTS"}},
    "7_registers": {"asynccopy": {"STS"}},
    "8_two_tiles": {"asynccopy": {"STS"}, "asynccopy_async": {"LDGSTS"}, "asynccopy_bulk": {"UBLKCP"}},
}
EXPECTED |= {f"{row[2:]}_{kib}k": EXPECTED[row] for row in ("1_words", "3_pairs", "5_vectors") for kib in (32, 48)}


def copies(source):
    listing = subprocess.run(["cuobjdump", "-sass", "-arch", "sm_90", os.path.join(FOLDER, source + ".fatbin")],
                             capture_output=True, text=True).stdout
    found, entry = collections.defaultdict(set), None
    for line in listing.splitlines():
        name = re.search(r"Function : (\w+)_float32_\d+", line)
        entry = name[1] if name else entry
        word = re.search(r"\b(STS|LDGSTS|UBLKCP)\b", line)
        if word:
            found[entry].add(word[1])
    return dict(found)


class AsyncCopy(unittest.TestCase):
    def test_instructions(self):
        for source, expected in EXPECTED.items():
            with self.subTest(source):
                self.assertEqual(copies(source), expected)


if __name__ == "__main__":
    if not shutil.which("cuobjdump") or not os.path.exists(os.path.join(FOLDER, "1_words.fatbin")) or not copies("1_words"):
        print("skipped: no cuobjdump, or no kernels for sm_90")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
