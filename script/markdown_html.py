"""Markdown, as the documents use it, to HTML: headings, paragraphs, lists, tables, code, emphasis, links, anchors."""
import html
import re

FENCE = re.compile(r"```(\w*).*")
ITEM = re.compile(r"( *)([-*]|\d+\.) +(.*)")
HEADING = re.compile(r"(#+) (.*)")
DEFINITION = re.compile(r"^\[(\w+)\]: (\S+)\n?", re.M)
KEPT = re.compile(r'&lt;(br|a id=&quot;[\w-]+&quot;|/a)&gt;')


def slug(heading):
    """The name of a heading's anchor, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-")


def without_comments(text):
    """Code may have comments of its own."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.S | re.M)
    return "".join(part if part.startswith("```") else re.sub(r"<!--.*?-->\n?", "", part, flags=re.S) for part in parts)


def cells(line):
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]


class Page:
    """One document; `target` maps the address of a link to that of the site, or to None: the text alone."""

    def __init__(self, text, target):
        text = without_comments(text)
        self.defined = dict(DEFINITION.findall(text))
        self.target = target
        self.headings = []
        self.html = "\n".join(self.blocks(DEFINITION.sub("", text).split("\n")))

    # ---- Inside a block

    def link(self, text, address):
        target = self.target(address)
        return text if target is None else f'<a href="{html.escape(target)}">{text}</a>'

    def inline(self, text):
        code = []

        def keep(match):
            code.append(f"<code>{html.escape(match[2].strip())}</code>")
            return f"\0{len(code) - 1}\0"
        text = re.sub(r"(`+)(.+?)\1", keep, text, flags=re.S)
        text = KEPT.sub(lambda m: html.unescape(m[0]), html.escape(text))
        text = re.sub(r"!\[([^\]]*)\]\([^)]*\)", "", text)
        text = re.sub(r"\[([^\[\]]+)\]\(([^)\s]+)\)", lambda m: self.link(m[1], html.unescape(m[2])), text)
        text = re.sub(r"\[(\w+)\]", lambda m: self.link(m[1], self.defined[m[1]]) if m[1] in self.defined else m[0], text)
        text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text, flags=re.S)
        text = re.sub(r"(?<![\w*])\*(?=\S)(.+?)(?<=\S)\*(?![\w*])", r"<em>\1</em>", text, flags=re.S)
        return re.sub("\0(\\d+)\0", lambda m: code[int(m[1])], text)

    # ---- Blocks

    def blocks(self, lines):
        at = 0
        while at < len(lines):
            line = lines[at]
            if not line.strip():
                at += 1
            elif FENCE.fullmatch(line):
                end = next((i for i in range(at + 1, len(lines)) if lines[i] == "```"), len(lines))
                yield f"<pre>{html.escape(chr(10).join(lines[at + 1:end]))}</pre>"
                at = end + 1
            elif line.startswith("    "):
                end = next((i for i in range(at, len(lines)) if lines[i].strip() and not lines[i].startswith("    ")), len(lines))
                yield f"<pre>{html.escape(chr(10).join(code[4:] for code in lines[at:end]).rstrip())}</pre>"
                at = end
            elif HEADING.fullmatch(line):
                yield self.heading(*HEADING.fullmatch(line).groups())
                at += 1
            elif line.startswith("|"):
                end = next((i for i in range(at, len(lines)) if not lines[i].startswith("|")), len(lines))
                yield self.table([cells(row) for row in lines[at:end]])
                at = end
            elif ITEM.fullmatch(line):
                at, text = self.list(lines, at)
                yield text
            else:
                end = next((i for i in range(at + 1, len(lines)) if not lines[i].strip() or lines[i][0] in "|#" or
                            ITEM.fullmatch(lines[i]) or FENCE.fullmatch(lines[i])), len(lines))
                yield f"<p>{self.inline(chr(10).join(lines[at:end]))}</p>"
                at = end

    def heading(self, marks, text):
        self.headings.append((slug(text), text.replace("`", "")))
        return f'<h{len(marks)} id="{slug(text)}">{self.inline(text)}</h{len(marks)}>'

    def table(self, rows):
        """Each cell has its column's head, for where columns become one."""
        head, body = rows[0], rows[2:]
        text = "<table><thead><tr>" + "".join(f"<th>{self.inline(cell)}</th>" for cell in head) + "</tr></thead><tbody>\n"
        for row in body:
            labelled = ((html.escape(name.replace("`", ""), quote=True), cell) for name, cell in zip(head, row))
            text += "<tr>" + "".join(f'<td data-label="{name}">{self.inline(cell)}</td>' for name, cell in labelled) + "</tr>\n"
        return text + "</tbody></table>"

    def list(self, lines, at):
        """(the line behind the list, its HTML)"""
        indent, mark, _ = ITEM.fullmatch(lines[at]).groups()
        items = []
        while at < len(lines):
            item = ITEM.fullmatch(lines[at])
            if item and item[1] == indent:
                items.append([item[3]])
            elif items and (lines[at].startswith(indent + "  ") or
                            (not lines[at].strip() and at + 1 < len(lines) and lines[at + 1].startswith(indent + "  "))):
                items[-1].append(re.sub(f"^{indent} {{1,3}}", "", lines[at]))
            else:
                break
            at += 1
        kind = "ul" if mark in "-*" else "ol"
        return at, f"<{kind}>" + "".join(f"<li>{self.item(item)}</li>\n" for item in items) + f"</{kind}>"

    def item(self, lines):
        plain = next((i for i, line in enumerate(lines[1:], 1) if not line.strip() or ITEM.fullmatch(line)), len(lines))
        return "\n".join([self.inline("\n".join(lines[:plain])), *self.blocks(lines[plain:])])
