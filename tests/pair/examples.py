"""examples.py XBENCH SCHEMA ROOT CC: the examples are right, by their references in C, and their manifests fit the schema."""

import glob
import json
import os
import shutil
import subprocess
import sys
import unittest

import jsonschema
import pairs
import results

FUNCTIONS = {"saxpy/saxpy": "saxpy", "stencil/stencil": "stencil", "particles/particles": "move", "dot/dot": "dot_partial",
             "reduction/reduction": "reduction", "tiles/tiles": "square", "sobel/sobel": "sobel"}
SIZES = {"stencil/stencil": ["1x1", "7x33", "61x67"], "sobel/sobel": ["1x1", "7x33", "61x67"], "dot/dot": ["2", "1022"]}


class Examples(pairs.Case):
    def build(self, folder):
        """The reference as a shared object."""
        with open(os.path.join(pairs.ROOT, "bench/pair/reference.h"), encoding="utf-8") as file:
            self.write("xbench_reference.h", file.read())
        library = self.path(f"{folder}.so")
        subprocess.run([sys.argv[4], "-shared", "-fPIC", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{self.folder}",
                        os.path.join(pairs.EXAMPLES, folder, "reference.c"), "-o", library, "-lm"], check=True)
        return library

    def test_right(self):
        for name, function in FUNCTIONS.items():
            folder = name.split("/")[0]
            library = self.build(folder)
            for size in SIZES.get(name, ["1", "127", "1000"]):
                with self.subTest(example=name, size=size):
                    self.pair(f"{pairs.EXAMPLES}/{name}.json --backend vulkan --reference {library}:{function} -n {size} "
                              f"--json r.json")
                    self.assertEqual(len(self.own("r.json")), 2 if name == "tiles/tiles" else 1)
                    for result in self.own("r.json"):
                        self.assertEqual((result["outcome"], result["verified"]), ("ok", True))
                        self.assertGreaterEqual(result["rechecked_runs"], 2)

    def test_languages(self):
        """GLSL against HLSL: the same by the defaults, without a reference."""
        self.pair(f"{pairs.EXAMPLES}/saxpy/saxpy.comp {pairs.EXAMPLES}/saxpy/saxpy.hlsl --entry saxpy --in x --inout y "
                  "--arg a=0.5f -n 1000 --json r.json --margin 50%")
        self.assertEqual([(r["variant"], r["outcome"], r["verified"]) for r in self.own("r.json")],
                         [("2_saxpy_hlsl", "ok", True), ("1_saxpy_comp", "ok", True)])

    def test_own_headers(self):
        """The example of the library, in another folder: xb/abi.h is found, and its macros suit the compiler, without --flag."""
        for name in ("saxpy.hlsl", "saxpy_args.h"):
            shutil.copy(os.path.join(pairs.ROOT, "examples/saxpy", name), self.path(name))
        self.pair("saxpy.hlsl saxpy.hlsl --in x --inout y --arg n --arg a=0.5f -n 1000 --margin 50%")

    def test_schema(self):
        with open(os.path.join(pairs.ROOT, "docs/pair.schema.json"), encoding="utf-8") as file:
            schema = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        for name in FUNCTIONS:
            with open(os.path.join(pairs.EXAMPLES, name + ".json"), encoding="utf-8") as file:
                jsonschema.Draft202012Validator(schema).validate(json.load(file))
        for path in glob.glob(os.path.join(pairs.ROOT, "tests/pair/public/*.json")):
            with open(path, encoding="utf-8") as file:
                if not path.endswith("repositories.json"):
                    jsonschema.Draft202012Validator(schema).validate(json.load(file))


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    results.main()
