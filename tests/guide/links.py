"""links.py ROOT: every link of the documents to a file of the repository, and to a heading or an anchor in it, leads somewhere;
and the pages that script/guide-pages makes are up to date."""
import glob
import os
import re
import subprocess
import sys

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


def main():
    root = os.path.abspath(sys.argv[1])
    pages = [os.path.join(root, "README.md"), *sorted(glob.glob(os.path.join(root, "docs/*.md")))]
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
    return 1 if bad or stale or links < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
