"""site.py ROOT [CHROMIUM]: the site that script/guide-pages writes has no link that leads nowhere, loads nothing from elsewhere, and its
search knows each row of the guide and each page for users, which is one link from the first page; no list, table, code, link or emphasis is left as Markdown; a link that was broken is found. With
CHROMIUM a browser opens the pages as files: at 400 px nothing is wider than the window and columns become one, at 1000 px they stand side
by side; and the search finds rows."""
import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse

import patience
import rows as guide

WIDE, NARROW = 1000, 400
HARNESS = """<!doctype html><meta charset="utf-8"><pre id="said"></pre><script>
const said = document.getElementById("said");
function open(address, width, look) {
  const frame = document.createElement("iframe");
  frame.style.cssText = `width: ${width}px; height: 800px; border: 0`;
  frame.onload = () => said.textContent += look(frame.contentWindow, frame.contentDocument) + "\\n";
  frame.src = address;
  document.body.append(frame);
}
for (const width of %s)
  for (const page of %s)
    open(page, width, (view, inside) => {
      const cell = inside.querySelector("td");
      return `${width} ${page} ${inside.documentElement.scrollWidth} ${cell ? view.getComputedStyle(cell).display : "none"}`;
    });
for (const words of %s)
  open("index.html#q=" + encodeURIComponent(words), 400, (view, inside) => {
    const links = [...inside.querySelectorAll("#found a")].map(link => link.getAttribute("href"));
    return `search ${words}: ${links.length ? links.join(" ") : inside.getElementById("found").textContent}`;
  });
</script>
"""
FIRST = ("gating", "scaling")  # a page's own name leads to it
SEARCHES = {"shfl_sync width": "guide/05_waves.html#shuffle", "xyzzy": "nothing has all of these words",
            "what a dispatch costs": "performance/dispatch.html#what-a-dispatch-costs", "gating": "gating.html#",
            "scaling": "scaling.html", "mpirun": "scaling.html#", "manifest saxpy": "pairs.html#", "spills gfx1100": "isa.html#"}


MARKDOWN = re.compile(r"```|\*\*|\]\(|\n(?:[-*|]|\d+\.) .*")


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.links, self.loaded, self.titles = set(), [], [], 0
        self.code, self.left = 0, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.names.add(values.get("id"))
        self.titles += tag == "h1"
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag in ("link", "script", "img"):
            self.loaded.append(values.get("href") or values.get("src") or "")
        self.code += tag in ("code", "pre")

    def handle_endtag(self, tag):
        self.code -= tag in ("code", "pre")

    def handle_data(self, data):
        self.left += MARKDOWN.findall(data) if not self.code else [data] if r"\|" in data else []


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def pages_of(folder):
    return sorted(os.path.relpath(os.path.join(below, name), folder) for below, _, names in os.walk(folder)
                  for name in names if name.endswith(".html"))


def wrong_in(root, folder, chapters):
    """What is wrong with the site, a line each."""
    pages = {name: Links(read(os.path.join(folder, name))) for name in pages_of(folder)}

    def leads(page, link):
        path, _, name = urllib.parse.unquote(link).partition("#")
        found = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        return found in pages and (not name or name in pages[found].names)
    wrong = [f"{page}: {link} leads nowhere" for page, parsed in pages.items()
             for link in parsed.links if not re.match(r"\w+:", link) and not leads(page, link)]
    wrong += [f"{page}: loads {name}" for page, parsed in pages.items() for name in parsed.loaded if re.match(r"\w+:|//", name)]
    wrong += [f"{page}: not converted: {text.strip()}" for page, parsed in pages.items() for text in parsed.left]
    wrong += [f"{page}: {parsed.titles} titles" for page, parsed in pages.items() if parsed.titles != 1]
    entries = json.loads(read(os.path.join(folder, "entries.js")).removeprefix("const ENTRIES = ").rstrip(";\n"))
    addresses = {address for _, address, _, _ in entries}
    wrong += [f"entries.js: {address} leads nowhere" for address in sorted(addresses) if not leads("index.html", address)]
    users = re.findall(r"\]\(([^)#]+)\.md", read(os.path.join(root, "docs/README.md")).partition("## For users")[2].partition("\n## ")[0])
    wrong += [f"index.html does not link to {page}" for page in users if f"{page}.html" not in pages["index.html"].links]
    wrong += [f"entries.js lacks {page}" for page in users if not any(address.startswith(f"{page}.html#") for address in addresses)]
    wrong += [f"docs/README.md lists {len(users)} pages for users"] if len(users) < 20 else []
    wrong += [f"entries.js lacks {key}" for stem, _, _, rows in chapters for key in rows if f"guide/{stem}.html#{key}" not in addresses]
    return wrong


def shown(chromium, address):
    """The page's text after its scripts have run."""
    with tempfile.TemporaryDirectory() as profile:
        command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", f"--user-data-dir={profile}",
                   "--virtual-time-budget=20000", "--dump-dom", address]
        return subprocess.run(command, capture_output=True, text=True, timeout=patience.S, check=True).stdout


def wrong_in_browser(chromium, folder):
    pages = [page for page in pages_of(folder) if page.startswith(("guide/", "index", "porting-guide", "porting-sym", "questions"))]
    harness = os.path.join(folder, "harness.html")
    with open(harness, "w", encoding="utf-8") as file:
        file.write(HARNESS % ([NARROW, WIDE], json.dumps(pages), json.dumps(list(SEARCHES))))
    said = shown(chromium, "file://" + harness)
    seen = re.findall(r"^(?:.*>)?(\d+) (\S+) (\d+) ([\w-]+)$", said, re.M)
    wrong = [f"{page}: {inside} px wide in {width} px" for width, page, inside, _ in seen if int(inside) > int(width)]
    wrong += [f"{page}: cells are '{display}' in {width} px" for width, page, _, display in seen
              if display not in ("none", "block" if int(width) == NARROW else "table-cell")]
    wrong += [f"{len(seen)} of {2 * len(pages)} pages were seen"] if len(seen) != 2 * len(pages) else []
    wrong += [f"the search for '{words}' lacks {expected}" for words, expected in SEARCHES.items()
              if not re.search(rf"^(?:.*>)?search {words}: .*{re.escape(expected)}", said, re.M)]
    wrong += [f"the search for '{word}' does not begin with {word}.html" for word in FIRST
              if not re.search(rf"^(?:.*>)?search {word}: {word}\.html", said, re.M)]
    print(f"{len(pages)} pages at {NARROW} and {WIDE} px, {len(SEARCHES)} searches")
    return wrong


def main():
    root, chromium = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    chapters = guide.chapters(root)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-B", os.path.join(root, "script/guide-pages"), "--site", folder, root], check=True)
        if chromium:
            wrong = wrong_in_browser(chromium, folder)
        else:
            wrong = wrong_in(root, folder, chapters)
            path = os.path.join(folder, "guide/05_waves.html")
            text = read(path).replace('id="shuffle"', 'id="shovel"')
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            if not any("#shuffle leads nowhere" in line for line in wrong_in(root, folder, chapters)):
                wrong.append("a link that leads nowhere was not found")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
