"""The tables of a document."""
import re

SPAN = re.compile(r"`([^`]+)`")


def cells(line):
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def tables(text):
    """(heading, header cells, [(line number, cells)]) of each table."""
    heading, found, rows = "", [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if not line.startswith("|"):
            rows = None
        elif rows is None:
            rows = []
            found.append((heading, cells(line), rows))
        elif not re.fullmatch(r"[|\- ]+", line):
            rows.append((number, cells(line)))
    return found


def spans(cell):
    """(kind: '', 'DXC', 'Slang' or 'glslc VERSION', span) of each quotation in a cell; these words precede their quotations."""
    listed = re.compile(r"\b(DXC|Slang|glslc [\d.]+) ((?:`[^`]+`(?:, | and )?)+)")
    for kind, quotations in listed.findall(cell):
        for span in SPAN.findall(quotations):
            yield kind, span
    for span in SPAN.findall(listed.sub("", cell)):
        yield "", span


def keys(cell):
    """The documents named in brackets, outside quotations and links."""
    return re.findall(r"\[([a-z]\w*)\](?!\()", re.sub(r"(`+).+?\1", "", cell))


def says(text, span):
    """True if `text` has `span` as whole words, with any spacing."""
    words = re.findall(r"\w+|[^\w\s]", span)
    pattern = r"\s*".join(re.escape(word) for word in words)
    before = r"(?<!\w)" if re.match(r"\w", words[0]) else ""
    after = r"(?!\w)" if re.match(r"\w", words[-1]) else ""
    return re.search(before + pattern + after, text) is not None


def says_in_a_line(text, span):
    """The same within one line, where blanks between words count."""
    before = r"(?<!\w)" if re.match(r"\w", span) else ""
    after = r"(?!\w)" if re.search(r"\w$", span) else ""
    return re.search(before + re.escape(span) + after, text) is not None
