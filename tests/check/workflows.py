#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: all
"""workflows.py FORKTAX [TEST]: what docs/use/howto-ci.md has in its files, done in a clean git tree.

The repository is that of project/. Its workflow, job and hook are those of the document; then the program
is broken on purpose, and what broke it has to be named.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

FORKTAX = None
HERE = os.path.dirname(os.path.abspath(__file__))
DOCUMENT = os.path.join(HERE, "../../docs/use/howto-ci.md")
BLOCK = re.compile(r"^```(?:yaml|sh)\n(.*?)^```$", re.M | re.S)
SUDO = '#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do shift; done\nexec "$@"\n'


def files_of_the_document():
    """Each block that begins with its own name, by that name."""
    with open(DOCUMENT, encoding="utf-8") as file:
        blocks = BLOCK.findall(file.read())
    found = {}
    for block in blocks:
        name = re.search(r"\A(?:#!.*\n)?# (\S+)\n", block)
        if name:
            found[name[1]] = block
    return found


def steps(workflow):
    """The shell lines of each named step of a workflow of GitHub."""
    for step in re.split(r"^      - ", workflow, flags=re.M)[1:]:
        name = re.match(r"name: (.+)", step)
        run = re.search(r"^        run: (?:\|\n((?:          .*\n)+)|(.+)\n)", step, re.M)
        if name and run:
            yield name[1], run[1] or run[2]


def script(job):
    """The lines of `script` of a job of GitLab."""
    return re.findall(r"^    - (.+)$", re.search(r"^  script:\n((?:    .+\n)+)", job, re.M)[1], re.M)


class Workflows(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        if os.geteuid() != 0:
            self.skipTest("needs root")
        self.scratch = tempfile.mkdtemp(prefix="forktax-check-")
        self.addCleanup(shutil.rmtree, self.scratch)
        self.tree = f"{self.scratch}/tree"
        shutil.copytree(f"{HERE}/project", self.tree)
        os.rename(f"{self.tree}/gitignore", f"{self.tree}/.gitignore")
        os.mkdir(f"{self.scratch}/bin")
        self.program("sudo", SUDO)
        self.program("forktax", f'#!/bin/sh\n[ "$1" = check ] && {{ shift; set -- check -n1 "$@"; }}\n'
                                f'exec {FORKTAX} "$@"\n')  # one run: quicker, and enough here
        self.environment = {
            "PATH": f"{self.scratch}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": self.scratch, "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
        }
        self.files = files_of_the_document()
        self.shell("git init -q -b main . && git add . && git commit -qm project && make -s")

    def program(self, name, text):
        with open(f"{self.scratch}/bin/{name}", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(f"{self.scratch}/bin/{name}", 0o755)

    def shell(self, line, status=0, **environment):
        result = subprocess.run(["bash", "-ec", line], cwd=self.tree, check=False, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                env={**self.environment, **environment})
        self.assertEqual(result.returncode, status, (line, result.stdout))
        return " ".join(result.stdout.split())

    def init(self):
        """As the document says, word by word."""
        with open(DOCUMENT, encoding="utf-8") as file:
            lines = re.search(r"^## Make the baseline\n\n((?:    .+\n)+)", file.read(), re.M)[1]
        self.shell(lines)
        self.assertEqual(self.shell("git status --porcelain"), "")

    def replace(self, path, before, after):
        path = f"{self.tree}/{path}"
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(before, text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(before, after, 1))

    def github(self, status=0):
        """The steps of the workflow, as the runner runs them; what they printed, and the summary."""
        printed = []
        with open(f"{self.scratch}/summary", "w", encoding="utf-8"):
            pass
        for name, lines in steps(self.files[".github/workflows/counts.yml"]):
            if name != "Install forktax":
                expected = status if name == "Check" else 0
                printed.append(self.shell(lines, expected, GITHUB_ACTIONS="true",
                                          GITHUB_STEP_SUMMARY=f"{self.scratch}/summary",
                                          GITHUB_RUN_ID="1234567890" * 20))
            if name == "Check" and status:
                break
        with open(f"{self.scratch}/summary", encoding="utf-8") as file:
            return " ".join(printed), " ".join(file.read().split())

    def assert_explained(self, *words):
        """The workflow fails, and says all that, in the log, in annotations and in the summary."""
        self.shell("make -s clean")
        printed, summary = self.github(1)
        for word in words:
            self.assertIn(word, printed)
            self.assertIn(word, summary)
        self.assertIn("::error file=forktax.check.json,title=forktax check%3A ./pool::", printed)
        self.shell("git checkout -q . && make -s clean all")

    # ctest: needs:python3-yaml
    def test_files_are_complete(self):
        self.assertEqual(set(self.files), {".github/workflows/counts.yml", ".gitlab-ci.yml",
                                           ".github/workflows/counts-update.yml", ".git/hooks/pre-push"})
        try:
            import yaml
        except ImportError:
            return
        for name, text in self.files.items():
            if name.endswith(".yml"):
                self.assertTrue(yaml.safe_load(text), name)

    def test_unchanged(self):
        self.init()
        self.shell("make -s clean")
        printed, summary = self.github()
        self.assertNotIn("::error", printed)
        self.assertIn("ok: ./pool", summary)
        self.assertEqual(self.shell("git status --porcelain"), "")

    def test_one_openat_more(self):
        self.init()
        self.replace("pool.c", 'read_file("pool.conf");', 'read_file("pool.conf");\n\tread_file("extra.conf");')
        self.assert_explained("openat", "4, 3 before", "./extra.conf: opened once, never before")

    def test_one_page_more(self):
        self.init()
        self.replace("pool.c", "fill_table(2);", "fill_table(3);")
        self.assert_explained("pages of files copied", ".data of ./pool: 2 by the program, 1 before",
                              "(table)")

    def test_one_library_more(self):
        self.init()
        self.replace("pool.c", "fill_table(2);", "fill_table(2);\n\ttable[0] += answer();")
        self.replace("pool.c", "#define PAGE 4096", "#define PAGE 4096\nint answer(void);")
        self.replace("Makefile", "$(LDLIBS)", "$(LDLIBS) -L. -lanswer")
        self.assert_explained("loaded: ./libanswer.so", "asked for (DT_NEEDED) by ./pool")

    def test_bind_now_lost_by_the_linker(self):
        self.init()
        self.replace("Makefile", "-Wl,-z,now", "-Wl,-z,lazy")
        self.assert_explained("executed: ./pool (dynamic)",
                              "it was linked with -z now, and no longer is",
                              "bound by ld.so: getppid of ./pool", "(getppid@got)")

    def test_bind_now_lost_by_a_script(self):
        """Forktax does not know the variable: its loss shows in the counts."""
        self.replace("Makefile", "-Wl,-z,now", "-Wl,-z,lazy")
        self.shell("git commit -qam lazy && make -s clean all")
        self.init()
        self.replace("start", "LD_BIND_NOW=1 ", "")
        self.shell("make -s")
        printed, _ = self.github(1)
        self.assertIn("::error file=forktax.check.json,title=forktax check%3A ./start::", printed)
        self.assertIn("no child bound anything before: LD_BIND_NOW or -z now was lost", printed)
        self.assertIn("bound by ld.so: getppid of ./pool: 3, 0 before", printed)
        self.assertIn("ok: ./pool", printed)

    def test_bind_now_lost_in_the_environment(self):
        self.replace("Makefile", "-Wl,-z,now", "-Wl,-z,lazy")
        self.shell("git commit -qam lazy && make -s clean all")
        self.environment["LD_BIND_NOW"] = "1"
        self.init()
        del self.environment["LD_BIND_NOW"]
        printed, _ = self.github(1)
        self.assertIn("LD_BIND_NOW=1 in the environment: 0, 1 before", printed)
        self.assertIn("LD_BIND_NOW was lost: it bound this before the fork", printed)

    def test_better_has_to_be_committed(self):
        self.init()
        self.replace("pool.c", "i < 3", "i < 2")
        self.shell("make -s")
        lines = dict(steps(self.files[".github/workflows/counts.yml"]))
        self.assertIn("commit it", self.shell(lines["Check"]))
        self.shell(lines["What became better is committed"], 1)
        self.shell("git commit -qam better")
        self.shell(lines["Check"])
        self.shell(lines["What became better is committed"])
        self.replace("pool.c", "i < 2", "i < 3")
        self.shell("make -s")
        self.shell(lines["Check"], 1)

    def test_bound_at_start_from_now_on(self):
        """That nothing is lost fails nobody, and may be kept."""
        self.replace("Makefile", "-Wl,-z,now", "-Wl,-z,lazy")
        self.shell("git commit -qam lazy && make -s clean all")
        self.init()
        self.replace("Makefile", "-Wl,-z,lazy", "-Wl,-z,now")
        self.shell("make -s clean all")
        self.assertIn("executed: ./pool (dynamic-now): 1, 0 before (better)",
                      self.shell("forktax check --ratchet"))
        self.assertIn("./pool (dynamic-now)", self.shell("cat forktax.check.json"))
        self.assertNotIn("better", self.shell("forktax check"))
        self.shell("git checkout -q Makefile && make -s clean all")
        self.shell("forktax check", 1)

    def test_update(self):
        """A kernel later: not comparable, until its counts replace the others."""
        self.init()
        self.shell("sed -i 's/\"kernel\":\"[^\"]*\"/\"kernel\":\"5.4\"/' forktax.check.json")
        self.assertIn("::warning ", self.github(4)[0])
        lines = dict(steps(self.files[".github/workflows/counts-update.yml"]))
        self.shell(lines["Update"])
        self.shell("git commit -qa --allow-empty -m elsewhere")
        self.github()

    def test_merge(self):
        """Two branches that hold other commands merge by themselves; two counts of one do not."""
        self.init()
        change = "sed -i 's/\"name\":\"openat\",\"min\"/\"name\":\"openat\",\"odd\":{},\"min\"/' " \
                 "forktax.check.json && git commit -qam changed"
        self.shell(f"git checkout -qb one && {change.format(1)} && git checkout -q main && {change.format(2)}")
        self.shell("git merge -q one", 1)
        self.assertIn("begins a merge conflict: resolve it first", self.shell("forktax check", 125))

    @unittest.skipUnless(shutil.which("strace"), "no strace")
    def test_gitlab(self):
        self.init()
        self.shell("forktax check --update --source=strace")
        for line in script(self.files[".gitlab-ci.yml"]):
            self.shell(line)
        self.assertTrue(os.path.exists(f"{self.tree}/forktax.xml"))
        self.replace("pool.c", 'read_file("pool.conf");', 'read_file("pool.conf");\n\tread_file("extra.conf");')
        for line in script(self.files[".gitlab-ci.yml"]):
            printed = self.shell(line, "check" in line)
        self.assertIn("./extra.conf: opened once, never before", printed)
        with open(f"{self.tree}/forktax.xml", encoding="utf-8") as file:
            self.assertIn("./extra.conf: opened once, never before", file.read())

    def test_hook(self):
        self.init()
        path = f"{self.tree}/.git/hooks/pre-push"
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.files[".git/hooks/pre-push"])
        os.chmod(path, 0o755)
        self.shell("git init -q --bare ../remote && git remote add origin ../remote")
        self.shell("git push -q origin main")
        self.replace("pool.c", "i < 3", "i < 4")
        self.shell("git commit -qam broken")
        self.assertIn("children: 4, 3 before", self.shell("git push -q origin main", 1))
        self.assertNotEqual(self.shell("git rev-parse main"),
                            self.shell("git -C ../remote rev-parse main"))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    FORKTAX = os.path.abspath(sys.argv[1])
    result = unittest.main(argv=[sys.argv[0], *[f"Workflows.test_{name}" for name in sys.argv[2:]]],
                           verbosity=2, exit=False).result
    if result.testsRun and len(result.skipped) == result.testsRun:
        sys.exit(77)
    sys.exit(not result.wasSuccessful())
