"""action.py XBENCH SOURCE: runs the steps of action.yml as a runner does, on lavapipe: its inputs become environment variables, its shell is
`bash --noprofile --norc -eo pipefail FILE`, and a step that uses another action is left out."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

XBENCH, SOURCE = (os.path.abspath(path) for path in sys.argv[1:3])
QUICK = "--backend vulkan -n 2^12 --min-time 0.01 --max-time 0.05 reduce/9 adjacent/4"


def action():
    with open(os.path.join(SOURCE, "action.yml"), encoding="utf-8") as file:
        return yaml.safe_load(file)


class Action(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="xbench-action-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.work = self.path("workspace")
        os.mkdir(self.work)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run_action(self, expected, base_ref="", **given):
        """The outputs, and the summary in Markdown."""
        inputs = {name: str(i.get("default", "")) for name, i in action()["inputs"].items()}
        inputs["base-ref"] = base_ref  # what github.base_ref is
        inputs.update({name.replace("_", "-"): value for name, value in given.items()})
        for name, about in action()["inputs"].items():
            self.assertTrue(inputs[name] or not about.get("required"), name)
        files = {name: self.path(name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            open(file, "w", encoding="utf-8").close()
        steps = [step for step in action()["runs"]["steps"] if "run" in step]
        self.assertEqual(len(steps), 1)
        for step in steps:
            self.assertEqual(step["shell"], "bash")
            self.assertNotIn("${{", step["run"], "text of a workflow would become shell code")
            environment = {name: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda m: inputs[m[1]], value) for name, value in step["env"].items()}
            script = self.path("step.sh")
            with open(script, "w", encoding="utf-8") as file:
                file.write(step["run"])
            run = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], cwd=self.work, capture_output=True, text=True,
                                 env={**os.environ, **environment, **files, "GITHUB_ACTION_PATH": SOURCE, "RUNNER_TEMP": self.folder})
            self.assertEqual(run.returncode, expected, run.stdout + run.stderr)
        with open(files["GITHUB_OUTPUT"], encoding="utf-8") as file:
            outputs = dict(line.rstrip("\n").split("=", 1) for line in file)
        with open(files["GITHUB_STEP_SUMMARY"], encoding="utf-8") as file:
            return outputs, file.read()

    def change_base(self, change):
        path = os.path.join(self.work, "base.json")
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        change(document)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file)

    def test_stored_base(self):
        """Each exit code of diff is that of the step."""
        given = {"arguments": QUICK, "base": "base.json", "xbench": XBENCH, "min_decided": "0%"}
        outputs, summary = self.run_action(0, **given)
        self.assertEqual(outputs, {"verdict": "no base", "exit-code": "0"})
        self.assertIn("this run is the base", summary)

        def scale(factor):
            def change(document):
                for r in document["results"]:
                    for name in "samples_ns", "host_samples_ns", "ci95_ns":
                        r[name] = r[name] and [v * factor for v in r[name]]
                    for name in "median_ns", "host_ns", "floor_ns", "spread_ns":
                        r[name] = r[name] and r[name] * factor
            return change

        self.change_base(scale(20))
        outputs, summary = self.run_action(0, **given)
        self.assertEqual(outputs, {"verdict": "no regression", "exit-code": "0"})
        self.assertIn("| improvement |", summary)
        with open(os.path.join(self.work, "xbench-gate", "diff.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["exit_code"], 0)
        self.change_base(scale(1 / 1e5))
        outputs, summary = self.run_action(5, **given)
        self.assertEqual(outputs, {"verdict": "regression", "exit-code": "5"})
        self.assertIn("2 regressions;", summary)

        def more_cells(document):
            for r in document["results"]:
                r["dtype"] = "int32"
        self.change_base(more_cells)
        outputs, summary = self.run_action(2, **given)
        self.assertEqual(outputs["verdict"], "not comparable")
        self.assertIn("could not compare", summary)

    def test_undecided(self):
        """A base whose times lie far apart decides nothing."""
        given = {"arguments": QUICK, "base": "base.json", "xbench": XBENCH, "min_decided": "100%"}
        self.run_action(0, **given)

        def spread(document):
            for r in document["results"]:
                r["samples_ns"] = [v * (0.01 if i % 2 else 100) for i, v in enumerate(r["samples_ns"])]
        self.change_base(spread)
        outputs, summary = self.run_action(6, **given)
        self.assertEqual(outputs, {"verdict": "undecided", "exit-code": "6"})
        self.assertIn("2 unclear", summary)

    def clone_with_fake(self, *codes):
        """The workspace becomes a clone of a repository. Returns a program that notes where it ran; `diff` ends with each code in turn."""
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", "init", "-q", "-b", "main", self.work], check=True)
        subprocess.run([*git, "-C", self.work, "commit", "-q", "--allow-empty", "-m", "base"], check=True)
        subprocess.run(["git", "clone", "-q", self.work, self.path("clone")], check=True)
        self.work = self.path("clone")
        with open(self.path("codes"), "w", encoding="utf-8") as file:
            file.writelines(f"{code}\n" for code in codes)
        fake = self.path("fake")
        with open(fake, "w", encoding="utf-8") as file:
            file.write(f"""#!/bin/sh
echo "$PWD" >>{self.path('where')}
[ "$1" = diff ] || exit 0
echo '### xbench diff'
code=$(head -n 1 {self.path('codes')})
sed -i 1d {self.path('codes')}
exit $code
""")
        os.chmod(fake, 0o755)
        return fake

    def places(self):
        with open(self.path("where"), encoding="utf-8") as file:
            return file.read().split()

    def test_branch(self):
        """The base is measured in the tree of the target branch, and a hostile name of a branch stays a name."""
        fake = self.clone_with_fake(0)
        outputs, summary = self.run_action(0, base_ref="main", arguments="pair mine.json", xbench=fake)
        self.assertEqual(outputs["verdict"], "no regression")
        self.assertIn("### xbench diff", summary)
        base, new = self.places()
        self.assertTrue(base.startswith(self.path("xbench-base.")), base)
        self.assertEqual(new, self.work)
        self.assertFalse(os.path.exists(base), "the tree is removed")
        self.run_action(128, base_ref="$(touch pwned);`touch pwned`", arguments="$(touch pwned) * ;touch pwned", xbench=fake)
        self.assertNotIn("pwned", os.listdir(self.work))

    def test_measured_again(self):
        """A regression against a branch is one only if base and program, both measured again, show it, too."""
        for codes, expected, verdict in ((5, 5), 5, "regression"), ((5, 0), 6, "undecided"), ((5, 6), 6, "undecided"), ((5, 1), 1, "a wrong result"):
            with self.subTest(codes):
                self.setUp()
                fake = self.clone_with_fake(*codes)
                outputs, summary = self.run_action(expected, base_ref="main", arguments="reduce", xbench=fake)
                self.assertIn(verdict, outputs["verdict"])
                self.assertEqual(summary.count("### xbench diff"), 2)
                base, new, base_again, new_again = self.places()
                self.assertEqual((new, base, new_again), (self.work, base_again, self.work))

    def test_base_fails(self):
        outputs, summary = self.run_action(2, arguments="reduec", base="base.json", xbench=XBENCH)
        self.assertEqual(outputs, {"verdict": "no base could be measured", "exit-code": "2"})
        self.assertRegex(summary, "could not measure the base\n\n```\n.*did you mean 'reduce'")

    def test_sample_of_false_alarms(self):
        run = subprocess.run([os.path.join(SOURCE, "script", "trial"), "false-alarms", XBENCH, "1", "--", *QUICK.split()], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"false alarms of 1 pairs \(95 %: at most \d+ %\)")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
