"""links.py ROOT: every link of the documents to a file of the repository, and to a heading or an anchor in it, leads somewhere;
the pages that script/guide-pages makes are up to date; first pages are short and leave out no page; no row of the guide is too long."""
import glob
import os
import re
import subprocess
import sys

FIRST_PAGES = {"docs/performance/README.md": 120}  # name: lines at most
VISIBLE = 400
LINK = re.compile(r"(?<!!)\[[^\]\[]*\]\(([^)\s]+)\)")


def prose(text):
    """Without code, whose brackets are no links."""
    return re.sub(r"(`+).+?\1", "", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))


def anchors(path):
    """The names in a page that a link may end with: of headings, as GitHub makes them, and of <a id="...">."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = set(re.findall(r'<a id="([^"]+)"', text))
    for heading in re.findall(r"^#+ (.*)", text, re.M):
        found.add(re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-"))
    return found


def long_rows(root):
    """How many rows of the guide's tables have more visible characters than a phone shows at once."""
    bad = 0
    for path in glob.glob(os.path.join(root, "docs/guide/*.md")):
        with open(path, encoding="utf-8") as file:
            rows = [line for line in file if line.startswith("|")]
        for row in rows:
            seen = " ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)|</?(?:a|br)\b[^>]*>|[`|]", r"\1", row).split())
            if len(seen) > VISIBLE:
                bad += 1
                print(f"{os.path.relpath(path, root)}: a row of {len(seen)} characters, at most {VISIBLE}: {seen[:60]}...")
    return bad


def first_pages(root):
    """How many folders have a first page that is too long, or that leaves out a page of its folder."""
    bad = 0
    for name, lines in FIRST_PAGES.items():
        with open(os.path.join(root, name), encoding="utf-8") as file:
            text = file.read()
        folder = os.path.dirname(os.path.join(root, name))
        left_out = [page for page in os.listdir(folder)
                    if page.endswith(".md") and f"]({page}" not in text and page != os.path.basename(name)]
        if text.count("\n") > lines or left_out:
            bad += 1
            print(f"{name}: {text.count(chr(10))} lines of at most {lines}; leaves out {left_out or 'nothing'}")
    return bad


def main():
    root = os.path.abspath(sys.argv[1])
    pages = [os.path.join(root, "README.md"), *sorted(glob.glob(os.path.join(root, "docs/**/*.md"), recursive=True)),
             *glob.glob(os.path.join(root, "bench/results/*/tuning/*.md"))]
    known, links, bad = {}, 0, 0
    for page in pages:
        with open(page, encoding="utf-8") as file:
            targets = LINK.findall(prose(file.read()))
        for target in targets:
            if re.match(r"\w+:", target):
                continue
            links += 1
            path, _, name = target.partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(path):
                why = "there is no such file"
            elif name and name not in known.setdefault(path, anchors(path)):
                why = "the page has no such anchor"
            else:
                continue
            bad += 1
            print(f"{os.path.relpath(page, root)}: {target}: {why}")
    print(f"{links} links in {len(pages)} pages, {bad} bad")
    stale = subprocess.run([sys.executable, "-B", os.path.join(root, "script/guide-pages"), root], check=False).returncode
    return 1 if bad or stale or first_pages(root) or long_rows(root) or links < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
