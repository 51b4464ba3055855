"""Shared by the tests of pairs: sources, and running `xbench pair`."""

import array
import os
import struct
import sys

import results

ROOT = os.path.abspath(sys.argv[3])
EXAMPLES = os.path.join(ROOT, "examples", "pairs")
QUICK = "-q --min-time 0.0005 --max-time 0.002"

HEAD = """struct Arguments { uint n; float a; };
[[vk::push_constant]] ConstantBuffer<Arguments> args;
[[vk::binding(0, 0)]] StructuredBuffer<float> x : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<float> y : register(u0);
"""
SAXPY = HEAD + """
[numthreads(64, 1, 1)] void saxpy(uint3 id : SV_DispatchThreadID)
{
  const uint i = id.x;
  if (i < args.n) { BODY }
}
"""


def saxpy(body="y[i] = args.a * x[i] + y[i];"):
    return SAXPY.replace("BODY", body)


def npy(values, code="<f4", shape=None):
    """The bytes of an .npy file."""
    head = f"{{'descr': '{code}', 'fortran_order': False, 'shape': {shape or (len(values),)}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + array.array(
        {"<f4": "f", "<f8": "d", "<i4": "i", "<u4": "I"}[code], values).tobytes()


def read_npy(path):
    """Type and values of a file with one number in an element."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    head = eval(data[10:10 + length])  # pylint: disable=eval-used
    return head["descr"], list(array.array({"<f4": "f", "<f8": "d", "<i4": "i"}[head["descr"]], data[10 + length:]))


class Case(results.Case):
    def write(self, name, text):
        mode = {"mode": "wb"} if isinstance(text, bytes) else {"mode": "w", "encoding": "utf-8"}
        with open(self.path(name), **mode) as file:
            file.write(text)
        return name

    def pair(self, arguments, exit_code=0, **how):
        return self.run_to_end(f"pair {QUICK} {arguments}", exit_code, **how)

    def own(self, name):
        """The results of a document that are no yardsticks."""
        return [r for r in self.check(self.load(name))["results"] if not r["yardstick"]]
