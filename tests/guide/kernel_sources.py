"""kernel_sources.py ROOT: each kernel and each shader begins with a comment that has one line `// Source: `. It names one of the five
documents and the slide or section, a paper with its year, or says that the code is ours. Twins name the same documents."""
import glob
import os
import re
import sys

DOCUMENTS = ("Optimizing CUDA", "DirectCompute", "Performance (Memory) Optimization", "CS 677", "CUDA C++ Best Practices Guide")
PLACE = re.compile(r"slides? '|sections? \d+(\.\d+)+|Reduction #\d|matrix transpose study: ")


def source_of(path):
    """The text behind `Source:`, to the end of the comment or to a line that begins another sentence."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    head = []
    for line in lines:
        if not line.startswith("//"):
            break
        head.append(line[2:].strip())
    found = [i for i, line in enumerate(head) if line.startswith("Source: ")]
    if len(found) != 1:
        return None
    text = head[found[0]][len("Source: "):]
    for line in head[found[0] + 1:]:
        if text.endswith("."):
            break
        text += " " + line
    return text


def documents_of(text):
    return {document for document in DOCUMENTS if document in text}


def check(text):
    if text is None:
        return "the comment at its top has not one line 'Source: '"
    if text.startswith("ours;") or re.search(r", (19|20)\d\d; ours otherwise", text):
        return None
    if not documents_of(text):
        return f"'{text}' names none of the documents, and does not say 'ours'"
    return None if PLACE.search(text) else f"'{text}' names no slide and no section"


def main():
    root = sys.argv[1]
    kernels = sorted(glob.glob(os.path.join(root, "kernels/*/*.cu")))
    shaders = sorted(glob.glob(os.path.join(root, "shaders/*/*.hlsl")))
    bad = [f"{path}: {why}" for path in kernels + shaders if (why := check(source_of(path)))]
    for path in kernels:
        twin = path.replace("/kernels/", "/shaders/")[:-2] + "hlsl"
        if not bad and os.path.exists(twin) and not documents_of(source_of(twin)) <= documents_of(source_of(path)):
            bad.append(f"{twin}: names other documents than its kernel")
    print("\n".join(bad + [f"{len(kernels)} kernels, {len(shaders)} shaders, {len(bad)} bad"]))
    return 1 if bad or len(kernels) < 200 or len(shaders) < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
