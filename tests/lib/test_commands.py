#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: brings:chromium brings:cpio brings:curl brings:libbz2-dev
"""test_commands.py [CLASS[.METHOD]]: samples/run, tests/run and what they share, as an ordinary user, in a copy
of their files. sudo, apt-get, cmake, ctest and what else installs or builds are programs of the test, which note how
they were called.
"""
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
NOBODY = 65534
# All that the commands may use beside the programs below: so there is no sudo unless a test makes one.
TOOLS = ("awk basename bash cat chown cmp cp cut date dirname env grep head id ls mkdir mktemp nproc paste "
         "readlink realpath rm sed sh sort tail tee tr true uname wc").split()

NOTES = '#!/bin/bash\necho "${0##*/} $*" >>"$NOTES"\n'
FAKES = {
    # Already there, but for the names in the file `missing`.
    "dpkg-query": '#!/bin/bash\ngrep -qsx -- "${@: -1}" missing || printf installed\n',
    "apt-get": NOTES + ': >missing\n',
    "apt-cache": "#!/bin/bash\n",
    "npm": NOTES + "exit 1\n",
    "python3": NOTES + "exit 1\n",
    "cmake": NOTES + """
case "$*" in
*--build*) for n in 1 50 100; do printf '[%3d%%] Building C object x.o\\n' $n; done ;;
esac
mkdir -p build/release/user build/release/samples/dynamic
printf '#!/bin/bash\\necho "forktax $*" >>"$NOTES"; echo table\\n' >build/release/user/forktax
cp build/release/user/forktax build/release/samples/dynamic/true
cp build/release/user/forktax build/release/samples/dynamic/forkloop
chmod +x build/release/user/forktax build/release/samples/dynamic/*
""",
    "ctest": NOTES + """
case "$*" in
*--show-only*) cat needs 2>/dev/null; exit 0 ;;
*-N*) echo "Total Tests: 1"; exit 0 ;;
esac
echo "unit.one 61.5 2.25" >>"$FORKTAX_TIMES"
echo "    Start 1: unit.one"
echo "1/1 Test #1: unit.one .....   Passed    0.01 sec"
echo
echo "100% tests passed, 0 tests failed out of 1"
echo
echo "Total Test time (real) =   0.01 sec"
""",
}
REFUSES = NOTES + 'echo "sudo: a password is required" >&2\nexit 1\n'
ALLOWS = NOTES + 'while [[ $1 == -* ]]; do shift; done\nexec "$@"\n'
# Asks for a password: on a terminal it gets one.
ASKS = NOTES + '[[ $1 != -n ]] || exit 1\n[ -t 0 ] || exit 1\nexec "$@"\n'


class Commands(unittest.TestCase):
    def setUp(self):
        self.tree = tempfile.mkdtemp(prefix="forktax-commands-")
        self.addCleanup(shutil.rmtree, self.tree)
        os.mkdir(f"{self.tree}/bin")
        for name in [*(f"tests/{name}" for name in os.listdir(f"{ROOT}/tests") if name.endswith(".txt")),
                     "tests/run", "samples/run", ".packaging/static/libsmartcols"]:
            os.makedirs(os.path.dirname(f"{self.tree}/{name}"), exist_ok=True)
            shutil.copy(f"{ROOT}/{name}", f"{self.tree}/{name}")
        shutil.copytree(f"{ROOT}/tests/lib", f"{self.tree}/tests/lib")
        self.program(".packaging/static/libsmartcols", NOTES)
        for name in TOOLS:
            os.symlink(shutil.which(name), f"{self.tree}/bin/{name}")
        for name, text in FAKES.items():
            self.program(f"bin/{name}", text)
        self.program("bin/chmod", f'#!/bin/bash\nexec {shutil.which("chmod")} "$@"\n')
        if os.geteuid() == 0:
            for directory, _, names in os.walk(self.tree):
                for name in [".", *names]:
                    os.chown(f"{directory}/{name}", NOBODY, NOBODY, follow_symlinks=False)

    def program(self, name, text):
        with open(f"{self.tree}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(f"{self.tree}/{name}", 0o755)

    def need(self, *names):
        """The tests that ctest chooses need these."""
        with open(f"{self.tree}/needs", "w", encoding="utf-8") as file:
            file.write("".join(f'          "needs:{name}",\n' for name in names))

    def misses(self, *packages):
        with open(f"{self.tree}/missing", "w", encoding="utf-8") as file:
            file.write("".join(name + "\n" for name in packages))
        os.chmod(f"{self.tree}/missing", 0o666)

    def execute(self, *command, terminal=False):
        """(exit status, what it printed); on a terminal or without."""
        ordinary = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        inside, outside = pty.openpty() if terminal else (None, subprocess.PIPE)
        with subprocess.Popen(command, cwd=self.tree, stdin=outside if terminal else subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=outside if terminal else subprocess.STDOUT,
                              env={"PATH": f"{self.tree}/bin", "NOTES": f"{self.tree}/notes", "HOME": self.tree,
                                   "TMPDIR": self.tree}, **ordinary) as process:
            said = process.communicate(timeout=120)[0].decode()
        if terminal:
            os.close(outside)
            try:
                said += os.read(inside, 1 << 16).decode()
            except OSError:
                pass  # nothing was said there
            os.close(inside)
        return process.returncode, said

    def notes(self):
        try:
            with open(f"{self.tree}/notes", encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def fine(self, *command, **how):
        status, said = self.execute(*command, **how)
        self.assertEqual(status, 0, said)
        return said

    def find(self, **how):
        return self.fine("bash", "-c", 'set -eu; . tests/lib/root.sh; root__find; echo "<${as_root[*]}|$no_root>"',
                         **how)

    def test_without_sudo_there_is_no_root(self):
        self.assertIn("<|not root, and sudo is not installed>", self.find())

    def test_sudo_that_refuses_is_as_none(self):
        self.program("bin/sudo", REFUSES)
        self.assertEqual(self.find(), "<|not root, and sudo refuses>\n")
        self.assertEqual(self.notes(), "sudo -n true\n")

    def test_sudo_that_allows_is_used(self):
        self.program("bin/sudo", ALLOWS)
        self.assertEqual(self.find(), "<sudo|>\n")

    def test_sudo_may_ask_on_a_terminal_only(self):
        self.program("bin/sudo", ASKS)
        self.assertEqual(self.find(), "<|not root, and sudo refuses>\n")
        said = self.find(terminal=True)
        self.assertIn("<sudo|>", said)
        self.assertIn("sudo asks for a password", said)

    def test_no_password_on_a_terminal_goes_on_without(self):
        self.program("bin/sudo", REFUSES)
        self.assertIn("<|not root, and sudo refuses>", self.find(terminal=True))

    def test_ctrl_c_at_the_password_goes_on_without(self):
        self.program("bin/sudo", NOTES + '[[ $1 == -n ]] || kill -INT $PPID $$\nexit 1\n')
        self.assertIn("<|not root, and sudo refuses>", self.find(terminal=True))

    def test_samples_run_where_sudo_refuses(self):
        self.program("bin/sudo", REFUSES)
        said = self.fine("samples/run")
        self.assertEqual(re.findall("^sudo.*", self.notes(), re.M), ["sudo -n true"])
        self.assertIn("forktax compare build/release/samples/dynamic/true", self.notes())
        # Nothing but paths and the line to paste is wider than a terminal.
        for line in said.splitlines():
            self.assertTrue(len(line) <= 80 or self.tree in line, line)
        # What it is about to do stands first; why there is no root, and what root would add, is said.
        self.assertRegex(said.splitlines()[0], "^samples/run ")
        self.assertIn("not root, and sudo refuses", said)
        self.assertIn("With root", said)
        self.assertIn("PATH=", said.partition("--- Summary")[2])

    def test_samples_run_where_sudo_allows(self):
        self.program("bin/sudo", ALLOWS)
        said = self.fine("samples/run")
        self.assertIn("sudo build/release/user/forktax compare", self.notes())
        self.assertNotIn("With root", said)
        self.assertIn("alias forktax=", said.partition("--- Summary")[2])

    def test_samples_run_of_a_build_that_is_there(self):
        self.program("bin/sudo", REFUSES)
        self.fine("samples/run")
        os.rename(f"{self.tree}/build/release", f"{self.tree}/other")
        before = self.notes()
        self.misses("clang")
        said = self.fine("samples/run", "other")
        more = self.notes()[len(before):]
        self.assertNotIn("cmake", more)
        self.assertNotIn("apt-get", said)
        self.assertIn(f"forktax compare {self.tree}/other/samples/dynamic/true", more)
        self.assertIn(f"cd {self.tree}/other; PATH={self.tree}/other/user:", said)
        self.assertFalse(os.path.exists(f"{self.tree}/build/release"))
        status, said = self.execute("samples/run", "nowhere")
        self.assertEqual((status, said), (2, "samples/run: there is no nowhere; leave it out to build\n"))

    def test_the_build_shows_how_far_it_is(self):
        said = self.fine("samples/run")
        self.assertRegex(said, r"(?m)^ +50 % +\d+ s$")
        self.assertRegex(said, r"(?m)^ +100 % +\d+ s$")

    def test_a_build_that_fails_shows_the_end_of_its_log(self):
        self.program("bin/cmake", '#!/bin/bash\necho "x.c:1: error: no such thing"\nexit 1\n')
        status, said = self.execute("samples/run")
        self.assertEqual(status, 1)
        self.assertIn("x.c:1: error: no such thing", said)
        self.assertIn("failed: cmake --preset release (the whole output: build/release.log)", said)
        # Whatever the options of the shell that has sourced it.
        self.assertEqual(self.execute("bash", "-c", ". tests/lib/build.sh; build__preset release")[0], 1)

    def test_what_root_has_to_install_is_named(self):
        for sudo in (None, REFUSES):
            for command in ("samples/run", "tests/run"):
                self.misses("clang", "scdoc", "musl-dev")
                if sudo:
                    self.program("bin/sudo", sudo)
                status, said = self.execute(command)
                self.assertEqual(status, 1, said)
                self.assertIn("apt-get install --no-install-recommends clang scdoc\n", said)
                self.assertNotIn("apt-get", self.notes())
                self.assertNotIn("cmake", self.notes())

    def test_packages_that_can_be_done_without_stop_nobody(self):
        self.program("bin/sudo", REFUSES)
        self.misses("musl-dev")
        self.assertIn("going on without musl-dev", self.fine("samples/run"))

    def test_packages_are_installed_where_sudo_allows(self):
        self.program("bin/sudo", ALLOWS)
        self.misses("clang")
        self.assertIn("About to install", self.fine("samples/run"))
        self.assertRegex(self.notes(), "(?m)^apt-get install .* clang$")

    def run_tests(self, *arguments):
        said = self.fine("tests/run", *arguments)
        self.assertRegex(said, r"(?s)100% tests passed, .*\n\nTotal Test time \(real\) = +0.01 sec\n$")
        return said, re.findall("(?m)^ctest (.*)", self.notes())[-1]

    def test_tests_run_where_sudo_refuses(self):
        self.program("bin/sudo", REFUSES)
        said, _ = self.run_tests()
        self.assertIn("not root, and sudo refuses", said)
        self.assertEqual(re.findall("^sudo.*", self.notes(), re.M), ["sudo -n true"])

    def test_tests_run_leaves_out_what_only_all_runs(self):
        said, arguments = self.run_tests()
        self.assertIn("-LE ^all$", arguments)
        self.assertIn("tests/run --all", said)

    def test_tests_run_installs_what_the_chosen_tests_need(self):
        self.program("bin/sudo", ALLOWS)
        self.misses("cpio", "chromium", "python3-venv")
        self.need("cpio", "curl")
        self.run_tests()
        self.assertRegex(self.notes(), "(?m)^apt-get install .* cpio$")
        # Asked for with the same choice, of what is configured; then it is configured again, with what was installed.
        shown = [line for line in self.notes().splitlines() if re.match("ctest|cmake|apt-get install", line)]
        self.assertEqual(shown[:4], ["cmake --preset release",
                                     "ctest --test-dir build/release -LE ^all$ --show-only=json-v1",
                                     "apt-get install -q -y --no-install-recommends cpio", "cmake --preset release"])
        for name in ("chromium", "npm", "libsmartcols", "python3 -m venv", "preset asan"):
            self.assertNotIn(name, self.notes())

    def test_tests_run_makes_what_the_chosen_tests_need(self):
        for name, made in (("python", "python3 -m venv"), ("viewers", "npm"), ("libsmartcols", "libsmartcols"),
                           ("asan", "cmake --build --preset asan")):
            with self.subTest(name):
                self.assertNotIn(made, self.notes())
                self.need(f"build/{name}")
                self.run_tests("-R", "one")
                self.assertIn(made, self.notes())
        self.need("build/unheard-of")
        status, said = self.execute("tests/run")
        self.assertEqual((status, said.splitlines()[-1]),
                         (1, "tests/run: nobody knows how to make build/unheard-of, which a test needs"))

    def test_tests_run_lists(self):
        for which in ((), ("--all",), ("--quick",)):
            said = self.fine("tests/run", *which, "-N")
            self.assertIn("cmake --build", self.notes())
            self.assertTrue(said.endswith("\nTotal Tests: 1\n"), said)
        self.assertIn("ctest --test-dir build/release -LE ^all$ -N", self.notes())

    def test_tests_run_says_what_it_took(self):
        said, _ = self.run_tests()
        self.assertRegex(said, r"(?s)The run took \d+ min \d+ s, and 1 min \d+ s of CPU: 0 min \d+ s to install and "
                               r"build, 1 min 3 s for the tests[.] Most of it:\n   63[.]8 s  unit[.]one\n\n100% tests")

    def test_tests_run_all_leaves_nothing_out(self):
        _, arguments = self.run_tests("--all")
        for option in ("-E", "-R", "-L", "-LE"):
            self.assertNotIn(option, arguments.split())

    def test_tests_run_quick_installs_nothing(self):
        self.program("bin/sudo", ALLOWS)
        self.misses("clang", "chromium")
        self.need("chromium", "build/python")
        said, arguments = self.run_tests("--quick")
        self.assertIn("-L ^quick$", arguments)
        self.assertNotIn("venv", self.notes())
        self.assertNotIn("apt-get", self.notes())
        self.assertNotIn("preset asan", self.notes())
        self.assertIn("tests/run", said)

    def test_arguments_of_ctest_choose_among_all_tests(self):
        _, arguments = self.run_tests("-L", "unit")
        self.assertTrue(arguments.endswith("-L unit"), arguments)
        self.assertNotIn("-LE", arguments.split())

    def test_continuous_integration_runs_all(self):
        with open(f"{ROOT}/.ci/run", encoding="utf-8") as file:
            self.assertIn('tests/run" --all "$@"', file.read())


if __name__ == "__main__":
    unittest.main()
