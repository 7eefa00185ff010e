# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: quick
"""Which path an executable is shown by: as it was executed, the file beside it."""
import os
import re
import shutil
import subprocess
import sys

from support import Case, needs_root


@needs_root
class Names(Case):
    """A program `tool` with more than one name."""

    def setUp(self):
        super().setUp()
        shutil.copy(shutil.which("true"), "tool")
        os.symlink("tool", "link")
        os.link("tool", "hard")
        os.mkdir("below")
        self.here = os.path.realpath(".")

    def executed(self, run):
        """(as executed, the file) of each exec'd image, in order of birth."""
        exes = run["exes"]
        return [(exes[image["exe"]]["path"], exes[image["exe"]]["resolved"])
                for process in run["processes"] if process["parent"]
                for image in process["images"] if image["kind"] == "exec"]

    def test_path_as_executed(self):
        """Whatever was executed before, and however short a life is."""
        here = self.here
        commands = [f"{here}/tool", f"{here}/link", f"{here}/hard", f"{here}/below/../link"]
        for order in (commands, commands[::-1]):
            run = self.trace("sh", "-c", "; ".join(order + order) + "; :", options=["--show=processes"])
            files = {"tool": None, "hard": None, "link": f"{here}/tool"}
            self.assertEqual(self.executed(run),
                             [(path, files[os.path.basename(path)]) for path in order + order])
            self.assertEqual(len([exe for exe in run["exes"] if exe["path"].startswith(here)]), 4)
            self.assertEqual({exe["linkage"][:7] for exe in run["exes"]}, {"dynamic"})

    def test_long_paths(self):
        """As long as execve takes; two that differ in their last letter are two."""
        for length in (300, 1240, 4000):
            with self.subTest(length):
                path = self.here
                while len(path) + 201 < length - 2:
                    path += "/" + "d" * 200
                path += "/" + "e" * (length - len(path) - 3)
                os.makedirs(path)
                for name in ("a", "b"):
                    os.link(f"{self.here}/hard", f"{path}/{name}")
                run = self.trace("sh", "-c", f"{path}/a; {path}/b; {path}/a; :", options=["--show=processes"])
                self.assertEqual([seen for seen, _ in self.executed(run)],
                                 [f"{path}/a", f"{path}/b", f"{path}/a"])
                self.assertEqual(run["integrity"]["nameless"], 0)

    def test_relative_path(self):
        run = self.trace("sh", "-c", "./link; cd below; ../tool; ../tool; :", options=["--show=processes"])
        seen = self.executed(run)
        self.assertEqual([path for path, _ in seen], ["./link", "../tool", "../tool"])
        # Known from outside, whether it still lived when it was looked at or not.
        self.assertEqual(seen[0][1], f"{self.here}/tool")
        self.assertIn(seen[1][1], (f"{self.here}/tool", None))
        self.assertEqual(seen[1], seen[2])

    def test_the_command_itself(self):
        for name in ("./link", f"{self.here}/link"):
            run = self.trace(name)
            self.assertEqual([(exe["path"], exe["resolved"]) for exe in run["exes"]],
                             [(name, f"{self.here}/tool")])

    def test_names_are_rows(self):
        """Two names of one file are two groups, as are two files."""
        run = self.trace("sh", "-c", "./tool; ./tool; ./link; :")
        self.assertEqual([(group["fate"], group["children"]) for group in run["groups"]],
                         [("./tool", 2), ("./link", 1)])
        text = self.forktax("report", "run.json").out.decode()
        self.assertRegex(text, r"(?m)^ +1 .* sh\b.*, vfork, link \(tool\)$")
        self.assertRegex(text, r"(?m)^ +2 .* sh\b.*, vfork, tool$")

    def test_interpreter_of_a_script(self):
        """What is executed then is the interpreter, by the path in its #! line."""
        with open("script", "w", encoding="utf-8") as file:
            file.write(f"#!{self.here}/link\n")
        os.chmod("script", 0o755)
        run = self.trace("./script")
        self.assertEqual([(exe["path"], exe["resolved"]) for exe in run["exes"]],
                         [(f"{self.here}/link", f"{self.here}/tool")])

    def test_by_descriptor(self):
        """The number in /dev/fd/N names nothing: one row, shown by the file."""
        script = "import os, sys\n" \
                 "for i in range(2):\n" \
                 "    file = os.open(sys.argv[1], os.O_RDONLY)\n" \
                 "    os.fork() or os.execve(file, ['x'], {})\n" \
                 "    os.wait()"
        run = self.trace(sys.executable, "-c", script, f"{self.here}/tool")
        found = [exe for exe in run["exes"] if exe["path"].startswith("/dev/fd/")]
        self.assertEqual(len(found), 1, run["exes"])
        self.assertEqual(run["groups"][0]["children"], 2)
        if found[0]["resolved"]:  # else it was gone before it could be looked at
            self.assertEqual(found[0]["resolved"], f"{self.here}/tool")
            self.assertRegex(self.forktax("report", "run.json").out, rb"(?m)^ +2 .* python.*, fork, tool$")

    def test_by_links_of_the_kernel(self):
        """/proc/PID/exe is one name, whatever the process."""
        script = "import os, sys\n" \
                 "for i in range(2):\n" \
                 "    child = os.fork()\n" \
                 "    path = '/proc/%d/exe' % os.getpid()\n" \
                 "    child or os.execv(path, ['python3', '-Sc', 'import time; time.sleep(.3)'])\n" \
                 "    os.wait()"
        run = self.trace(sys.executable, "-c", script)
        found = [exe for exe in run["exes"] if exe["path"].startswith("/proc/")]
        self.assertEqual([exe["resolved"] for exe in found], [os.path.realpath(sys.executable)])
        self.assertEqual(run["groups"][0]["children"], 2)

    def test_attached(self):
        """What the kernel has left on its stack tells how it was executed."""
        os.symlink(shutil.which("sleep"), "rest")
        for name in ("./rest", f"{self.here}/rest"):
            process = subprocess.Popen([name, "60"])
            try:
                result = self.forktax("run", "-q", "--json", "-o", "run.json", "--duration=0.1",
                                      "-p", str(process.pid))
            finally:
                process.kill()
                process.wait()
            self.assertEqual(result, (0, b"", b""))
            self.assertEqual([(exe["path"], exe["resolved"]) for exe in self.saved()["exes"]],
                             [(name, os.path.realpath("rest"))])

    def test_list_of_them(self):
        self.trace("./link")
        for option in ("--show=executables", "--csv"):
            self.assertRegex(self.forktax("report", option, "run.json").out.replace(b",", b" "),
                             b"(?m)^\\./link +%s/tool +dynamic" % self.here.encode())
        self.assertNotIn(b"Executables", self.forktax("report", "-v", "run.json").out)

    def test_many_groups(self):
        """Ten are shown, the others in a line; in a file are all of them."""
        names = [f"./name{i}" for i in range(13)]
        for name in names:
            os.symlink("tool", name)
        run = self.trace("sh", "-c", "; ".join(names) + "; ./name12; :")
        self.assertEqual({group["fate"] for group in run["groups"]}, set(names))
        few = self.forktax("report", "-v", "run.json").out.decode()
        every = self.forktax("report", "--show=groups", "run.json").out.decode()
        rows = re.compile(r"(?m)^ +[12] .* vfork, name")
        self.assertEqual([len(rows.findall(text)) for text in (few, every)], [10, 13])
        self.assertRegex(few, r"\(3 more groups: 3 of 14 children, ")
        self.assertRegex(few, r"(?m)^ +2 .* vfork, name12 \(tool\)\n( +1 .*\n){9}\(3 ")
        self.assertEqual([text.count("System calls per child: ") for text in (few, every)], [1, 13])
