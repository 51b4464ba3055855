"""instructions.py ROOT: script/instructions finds the code in data as NVIDIA's driver keeps it."""
import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
import unittest

loader = importlib.machinery.SourceFileLoader("instructions", os.path.join(sys.argv[1], "script/instructions"))
script = importlib.util.module_from_spec(importlib.util.spec_from_loader("instructions", loader))
loader.exec_module(script)


def instruction(op):
    return op.to_bytes(2, "little") + bytes([0x7A]) * 14


CODE = b"".join(instruction(op) for op in [0xB82, 0x981, 0x23C, 0x986, script.EXIT, 0x918, script.BRANCH])


def kept(content):
    packed = subprocess.run(["zstd", "-c", "-q"], input=content, capture_output=True, check=True).stdout
    return b"\x20\0\0\0" * 25 + packed


class Instructions(unittest.TestCase):
    def test_found(self):
        for shift in range(16):
            content = script.CONTENT + bytes(40 + shift) + CODE + bytes(64) + b"names" * 20
            self.assertEqual(script.machine_code(kept(content)), CODE)

    def test_unknown(self):
        for data in b"", b"no code", kept(b"another format"), kept(script.CONTENT + bytes(500)):
            with self.assertRaises(script.Unknown):
                script.machine_code(data)

    def test_names(self):
        listing = b"/*0000*/ LDC R1, c[0x0][0x28] ;\n/*0010*/ @!P0 HMMA.16816.F32 R4, R5 ;\n/*0020*/ NOP ;\n"
        self.assertEqual(script.named(listing), {"LDC": 1, "HMMA": 1})


if __name__ == "__main__":
    if not shutil.which("zstd"):
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
