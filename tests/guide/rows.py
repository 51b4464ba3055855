"""The rows of the porting guide: docs/guide/*.rows, INI files with a section a row."""
import configparser
import glob
import os
import re

STATUSES = ("exact", "weaker", "emulate", "none")
SPAN = re.compile(r"``([^`]+)``|`([^`]+)`")
WORD = re.compile(r"#?[A-Za-z_]\w*(?:::\w+)*|[<>&|%]+|0x\w+")
API = re.compile(r"[A-Za-z_](?=[\w:]*[_A-Z0-9:])[\w:]+|0x\w+")


class Row(dict):
    """A row, or a trap: its fields; missing ones are ''."""

    def __missing__(self, key):
        return ""

    @property
    def trap(self):
        return "wrong" in self

    @property
    def name(self):
        return self["wrong"] or self["cuda"]


def spans(text):
    return [cited or checked for cited, checked in SPAN.findall(text)]


def words(text, loose):
    """The words of an index: spans that are one word; in longer spans those of an API that are called; and in the list `loose`
    those that look like an API's. bench/guide/rows.c has the same rules."""
    found = set()
    for span in spans(text) + spans(loose):
        if WORD.fullmatch(span) or API.fullmatch(span):
            found.add(span)
        else:
            found.update(word for word, after in re.findall(rf"(?<!\w)({API.pattern})(.?)", span)
                         if after in ("(", "<") or word.startswith("__") or "::" in word)
    found.update(word for word in re.split(r"[\s,]+", SPAN.sub("", loose)) if API.fullmatch(word))
    return {word for word in found if (len(word) > 1 or word == "%") and not re.match("[a-z]_", word)} - {"args", "old"}


def cuda_words(row):
    return words(row["cuda"] + row["wrong"], row["words"]) | set(spans(row["ptx"]))


def other_words(row):
    fields = " ".join(row[key] for key in ("hlsl", "vulkan", "d3d12", "compilers", "here"))
    extensions = set(re.findall(r"\bVK_[A-Z]+_\w+", fields))
    compiled = {re.match(r"(?:BuiltIn )?([\w.]*)", span)[1] for key in ("spirv", "dxil") for span in spans(row[key])}
    return words(fields, row["also"]) | extensions | {word for word in compiled if API.fullmatch(word.replace("dx.op.", "dx_op_"))}


def chapters(root):
    """[(file's stem, title, True if host code, {id: Row})], in reading order."""
    found = []
    for path in sorted(glob.glob(os.path.join(root, "docs/guide/[0-9]*.rows"))):
        parser = configparser.ConfigParser(interpolation=None, delimiters=(":",), comment_prefixes=("# ",))
        parser.optionxform = str
        parser.read(path, encoding="utf-8")
        head = parser["chapter"]
        rows = {name: Row(parser[name]) for name in parser.sections() if name != "chapter"}
        found.append((os.path.splitext(os.path.basename(path))[0], head["title"], "host" in head, rows))
    return found


def sources(root):
    """{key: (title, address)} of the documents."""
    parser = configparser.ConfigParser(interpolation=None, delimiters=(":",), comment_prefixes=("# ",))
    parser.read(os.path.join(root, "docs/guide/sources.rows"), encoding="utf-8")
    return {key: tuple(part.strip() for part in value.rsplit("|", 1)) for key, value in parser["sources"].items()}
