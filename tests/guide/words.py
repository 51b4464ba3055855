"""words.py NAME=VALUE...: compares the words of HLSL that the shaders use with the list in docs/guide/rows.md, both ways."""
import glob
import os
import re
import sys

from evidence import without_comments
from sources import read
from tables import SPAN, tables

# Words of the language itself, which are in every version of HLSL.
LANGUAGE = {"if", "for", "while", "return", "switch", "sizeof", "defined"}
TYPE = r"(?:bool|int|uint|float|T)[1-4]?"
OBJECTS = r"\b(\w*(?:Buffer|Texture\w*))\s*(?:<|\s\w)"


def words_of(text):
    """Attributes, semantics, resources, modifiers, and functions that are called but not defined here."""
    text = without_comments(text)
    defined = set(re.findall(r"^#define (\w+)", text, re.M))
    defined |= set(re.findall(r"^(?:\[\[.*\]\] )?\w+ (\w+)\(", text, re.M)) | set(re.findall(r"^typedef .*?(\w+);", text, re.M))
    code = re.sub(r"^#(?!define).*$", "", text, flags=re.M)
    found = set(re.findall(r"^\s*\[(\w+)[^\[\]]*\]", code, re.M)) | set(re.findall(r"\[\[(vk::\w+)", code))
    found |= set(re.findall(r":\s*(SV_\w+)", code))
    found |= set(re.findall(OBJECTS, code))
    found |= set(re.findall(r"\b(globallycoherent|groupshared|precise|volatile|row_major)\b", code))
    called = set(re.findall(r"(?<![:\w])([A-Za-z_]\w*)\s*\(", code))
    return found | {word for word in called - defined - LANGUAGE if not re.fullmatch(TYPE, word) and
                    not word.startswith("register") and not re.fullmatch(r"[A-Z0-9_]+", word) and word not in found}


def main():
    values = dict(word.split("=", 1) for word in sys.argv[1:])
    root = values["root"]
    headers = glob.glob(os.path.join(root, "core/include/xb/abi.h")) + glob.glob(os.path.join(root, "bench/**/*_args.h"), recursive=True)
    shaders = sorted(glob.glob(os.path.join(root, "shaders/*/*.hlsl")) + glob.glob(os.path.join(root, "tests/shaders/*.hlsl")))
    listed = {span for heading, header, rows in tables(read(root, "docs/guide/rows.md"))
              if header[-1] == "what they rest on" for _, row in rows for span in SPAN.findall(row[0])}
    used, bad = set(), 0
    for path in shaders + headers:
        beside = sorted(glob.glob(os.path.join(os.path.dirname(path), "*.h"))) if path in shaders else [] # what the folder's shaders include
        words = words_of("".join(read(file) for file in [*beside, path]))
        if path in headers: # shared by C and HLSL: only the lines of HLSL
            words = {word for word in words if word.startswith("vk::") or word.endswith("Buffer")}
        used |= words
        for word in sorted(words - listed):
            print(f"{os.path.relpath(path, root)} uses {word}, which docs/guide/rows.md does not list")
            bad += 1
    for word in sorted(listed - used):
        print(f"docs/guide/rows.md lists {word}, which no shader uses")
        bad += 1
    print(f"{len(shaders)} shaders use {len(used)} words of HLSL beyond the language itself, {len(listed)} are listed: {bad} bad")
    return 1 if bad or len(shaders) < 30 or len(used) < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
