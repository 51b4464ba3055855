"""operations.py TABLE MODULE HEADER: makes of operations.txt the module, and the results that its test expects."""
import re
import sys

CONSTANTS = "@constants"
AS_WORD = {"%bool": "OpSelect %uint {} %u1 %u0", "%float": "OpBitcast %uint {}"}


def main():
    table, module, header = sys.argv[1:]
    lines, results = [], []
    with open(table, encoding="utf-8") as file:
        for line in file.read().splitlines():
            found = re.match(r"(0x[0-9a-f]+) = ([^;]+)(; (.*))?$", line)
            if not found:
                lines.append(line)
                continue
            at, value = len(results), found[2].strip()
            results.append(f'{{"{found[4] or value}", {found[1]}}},')
            if not value.startswith("%"):
                lines.append(f"%r{at} = {value}")
                value, kind = f"%r{at}", value.split()[1]
                if kind in AS_WORD:
                    lines.append(f"%w{at} = {AS_WORD[kind].format(value)}")
                    value = f"%w{at}"
            lines += [f"%p{at} = OpInBoundsAccessChain %word %out %u0 %u{at}", f"OpStore %p{at} {value}"]
    numbers = sorted({int(number) for number in re.findall(r"%u(\d+)\b", "\n".join(lines))})
    at = lines.index(CONSTANTS)
    lines[at:at + 1] = [f"%u{number} = OpConstant %uint {number}" for number in numbers]
    for path, text in ((module, lines), (header, results)):
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(text) + "\n")


main()
