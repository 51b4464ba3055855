"""The documents as a site of plain files: pages, a style, and a search over the porting guide's rows and all sections."""
import glob
import html
import json
import os
import re
import sys

try:
    import markdown
except ImportError:
    sys.exit("guide-pages: the module markdown was not found: install python3-markdown, and use Debian's python3")

import rows as guide

DOORS = "| who are you? |"  # the table of the README with which the site begins
USERS = "## For users"  # the list of docs/README.md that follows it
STYLE = """
body { margin: 0 auto; padding: 0 1em 4em; max-width: 70em; font: 16px/1.5 sans-serif; color: #222; background: #fff; }
header { position: sticky; top: 0; padding: .5em 0; background: #fff; border-bottom: 1px solid #ccc; }
header input { box-sizing: border-box; width: 100%; padding: .4em; font: inherit; }
#found { max-height: 60vh; margin: 0; padding: 0; overflow: auto; list-style: none; }
#found li { padding: .3em 0; border-bottom: 1px solid #eee; }
#found small { color: #555; }
[id] { scroll-margin-top: 4em; }
:target, tr:has(:target) { background: #fff6cc; }
code, pre { font: .9em/1.4 monospace; overflow-wrap: anywhere; }
pre { padding: .5em; overflow: auto; background: #f4f4f4; }
pre code { font: inherit; }
p, li, td { overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .3em .5em; text-align: left; vertical-align: top; border: 1px solid #ccc; }
@media (max-width: 600px) {
  thead { display: none; }
  table, tbody, tr, td { display: block; width: auto; }
  tr { margin: 0 0 .8em; border: 1px solid #ccc; }
  td { border: 0; }
  td:empty { display: none; }
  td::before { content: attr(data-label); display: block; font-size: .75em; color: #555; }
}
@media (prefers-color-scheme: dark) {
  body, header { color: #ddd; background: #181818; }
  a { color: #8bf; } pre { background: #242424; } :target, tr:has(:target) { background: #443c10; }
}
"""
SEARCH = """
// Shows the entries that contain all words: first those with the words in their title or their page's name. The address may
// contain the words: #q=WORDS.
const box = document.getElementById("box"), found = document.getElementById("found");
function show() {
  const words = box.value.toLowerCase().split(/\\s+/).filter(word => word);
  const ranked = [];
  for (const entry of words.length ? ENTRIES : []) {
    const title = entry[0].toLowerCase(), text = title + " " + entry[2].toLowerCase(), name = entry[1].replace(/\\.html.*|^.*\\//g, "");
    if (words.every(word => text.includes(word)))
      ranked.push([words.reduce((sum, word) => sum + (name === word ? 2 : name.includes(word)) + title.includes(word), 0), entry]);
  }
  ranked.sort((a, b) => b[0] - a[0]);
  found.replaceChildren(...ranked.slice(0, 40).map(([, entry]) => {
    const item = document.createElement("li"), link = document.createElement("a"), where = document.createElement("small");
    link.textContent = entry[0];
    link.href = ROOT + entry[1];
    link.onclick = () => found.replaceChildren();
    where.textContent = " " + entry[3];
    item.append(link, where);
    return item;
  }));
  if (words.length && !ranked.length)
    found.textContent = "nothing has all of these words";
}
box.addEventListener("input", show);
const asked = decodeURIComponent(location.hash).match(/^#q=(.*)/);
if (asked) {
  box.value = asked[1];
  show();
}
"""


def address_of(name):
    return name.removesuffix(".md") + ".html"


def without_marks(text):
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("`", "")


def slug(heading):
    """The name of a heading's anchor, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-")


def prepared(text):
    """Without comments. The library needs a blank line before a list, 4 blanks inside it, and nothing behind the ``` above code."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.S | re.M)
    for i, part in enumerate(parts):
        if part.startswith("```"):
            parts[i] = "```\n" + part.partition("\n")[2]
        else:
            part = re.sub(r"<!--.*?-->\n?", "", part, flags=re.S)
            part = re.sub(r"^ {2,3}(?=\S)", "    ", part, flags=re.M)
            parts[i] = re.sub(r"^((?![-*] | |\d+\. ).+\n)(?=[-*] |\d+\. )", r"\1\n", part, flags=re.M)
    return "".join(parts)


class Tree(markdown.treeprocessors.Treeprocessor):
    """Headings get anchors, links the addresses of the site, and cells the head of their column, for where columns become one."""

    def __init__(self, md, target):
        super().__init__(md)
        self.target, self.headings, self.texts = target, [], []

    def run(self, root):
        for element in root:
            if re.fullmatch("h[1-6]", element.tag) or not self.texts:
                self.texts.append("")
            self.texts[-1] += " " + "".join(f"{text} " for text in element.itertext())
        for element in root.iter():
            if re.fullmatch("h[1-6]", element.tag):
                text = "".join(element.itertext())
                element.set("id", slug(text))
                self.headings.append((slug(text), text))
            elif element.tag == "a" and "href" in element.attrib:
                address = self.target(element.attrib.pop("href"))
                element.tag = "a" if address else "span"
                element.attrib.update({"href": address} if address else {})
            elif element.tag == "table":
                heads = ["".join(head.itertext()) for head in element.iter("th")]
                for row in element.iter("tr"):
                    for name, cell in zip(heads, row.findall("td")):
                        cell.set("data-label", name)
                for code in element.iter("code"):
                    code.text = markdown.util.AtomicString(code.text.replace(r"\|", "|"))


def html_of(text, target):
    """(HTML of a document, its headings, the text of each section); `target` maps the address of a link to that of the site, or to None: the text alone."""
    md = markdown.Markdown(extensions=["tables", "fenced_code", "sane_lists"])
    md.inlinePatterns.deregister("reference")  # [a] [b] are two links
    tree = Tree(md, target)
    md.treeprocessors.register(tree, "site", 0)
    return md.convert(prepared(text)), tree.headings, tree.texts


def entries_of_rows(chapters):
    """Title, address, words, chapter of each row."""
    for stem, title, _, rows in chapters:
        for key, row in rows.items():
            words = sorted(guide.cuda_words(row) | guide.other_words(row)) + [key, *(row[f] for f in ("hlsl", "does", "words", "also"))]
            yield without_marks(row.name), f"guide/{stem}.html#{key}", without_marks(" ".join(words)), title


def page_of(text, up, title):
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title><link rel="stylesheet" href="{up}style.css"></head><body>
<header><a href="{up}index.html">xbench</a> · <a href="{up}README.html">all pages</a> · <a href="{up}porting-guide.html">From CUDA to HLSL</a> ·
<a href="{up}porting-index.html">index</a>
<input id="box" type="search" placeholder="search: __shfl_sync, a barrier, vkCmdDispatch" aria-label="search"><ul id="found"></ul></header>
<main>
{text}
</main>
<script>const ROOT = "{up}";</script><script src="{up}entries.js"></script><script src="{up}search.js"></script></body></html>
"""


class Site:
    def __init__(self, root, folder, chapters, guide_page, made):
        self.root, self.docs, self.folder, self.chapters = root, os.path.join(root, "docs"), folder, chapters
        self.guide_page, self.made = guide_page, made
        self.names = [os.path.relpath(path, self.docs) for path in glob.glob(os.path.join(self.docs, "**/*.md"), recursive=True)] + [*made]
        self.entries = list(entries_of_rows(chapters))

    def target(self, name, link):
        """Pages have theirs, other files of the repository none."""
        path, mark, anchor = link.partition("#")
        if re.match(r"\w+:", link) or not path:
            return link
        found = os.path.normpath(os.path.join(os.path.dirname(name), path))
        found = "guide/documents.md" if found == "guide/sources.rows" else found
        if found not in self.names:
            return None
        return os.path.relpath(address_of(found), os.path.dirname(name)) + mark + anchor

    def save(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.docs, name), encoding="utf-8") as file:
            return file.read()

    def text_of(self, name):
        return self.made[name] if name in self.made else self.guide_page(self.read(name)) if name.startswith("guide/") else self.read(name)

    def first_page(self):
        """The README's first paragraph and its doors, and the list of pages for users."""
        readme = self.read("../README.md")
        doors = readme[readme.index(DOORS):].partition("\n\n")[0].replace("](docs/", "](")
        users = self.read("README.md").partition(USERS + "\n")[2].partition("\n## ")[0]
        text, _, _ = html_of(f"{readme.partition('    ')[0]}{doors}\n\n## All pages for users\n{users}", lambda link: self.target("README.md", link))
        return page_of(text, "", "xbench")

    def write(self):
        for name in sorted(self.names):
            body, headings, texts = html_of(self.text_of(name), lambda link, name=name: self.target(name, link))
            title = headings[0][1] if headings else name
            self.save(address_of(name), page_of(body, "../" * name.count("/"), title))
            if name in self.made or name.startswith("guide/0") or name.startswith("guide/1"):  # the rows are entries of their own
                texts = [""] * len(headings)
            if name not in self.made:
                self.entries += [(heading, f"{address_of(name)}#{anchor}", " ".join(sorted({title, name, *text.lower().split()})), title)
                                 for (anchor, heading), text in zip(headings, texts)]
        self.save("index.html", self.first_page())
        self.save("style.css", STYLE.lstrip())
        self.save("search.js", SEARCH.lstrip())
        self.save("entries.js", "const ENTRIES = " + json.dumps(self.entries, ensure_ascii=False, indent=0) + ";\n")
        print(f"{self.folder}: {len(self.names)} pages, {len(self.entries)} entries of the search")
        return 0


def write(root, folder, chapters, guide_page, made):
    return Site(root, os.path.abspath(folder), chapters, guide_page, made).write()
