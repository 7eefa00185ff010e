# SPDX-License-Identifier: GPL-2.0-or-later
"""Baselines that are damaged, of another place or no longer met, and what `forktax check` says of them."""
import csv
import json
import os
import platform
import re
import shutil
import signal
import stat as modes
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree as xml

from support import Case, needs, needs_root, wait_until

FILE = "forktax.check.json"


class CheckCase(Case):
    def script(self, name, *lines):
        """An executable script of sh."""
        with open(name, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write("\n".join(["#!/bin/sh", *lines]) + "\n")
        os.chmod(name, 0o755)

    def init(self, *words):
        result = self.forktax("check", "--init", "-n1", *words)
        self.assertEqual((result.status, result.err), (0, b""), result)
        return self.baseline()

    def check(self, *words, **options):
        return self.forktax("check", "-n1", *words, **options)

    @staticmethod
    def baseline():
        with open(FILE, encoding="utf-8") as file:
            return json.load(file)

    @staticmethod
    def write(baseline):
        with open(FILE, "w", encoding="utf-8") as file:
            json.dump(baseline, file)

    @staticmethod
    def metrics(baseline, number=0):
        return {(row["of"], row["name"]): (row["min"], row["max"])
                for row in baseline["checks"][number]["contexts"][0]["metrics"]}

    def assert_regressed(self, result, *words):
        self.assertEqual((result.status, result.err), (1, b""), result)
        text = " ".join(result.out.decode().split())
        for word in words:
            self.assertIn(word, text)


@needs_root
class Baselines(CheckCase):
    """What a baseline is, and what is none. None of these runs the command."""

    def setUp(self):
        super().setUp()
        self.script("command", "touch ran")
        self.init("./command")
        os.unlink("ran")

    def refused(self, status, *words):
        self.assert_fails(self.forktax("check"), status, *words)
        self.assert_not_run()
        return True

    def test_no_baseline(self):
        os.unlink(FILE)
        self.refused(2, "there is no baseline forktax.check.json", "--init")

    def test_damaged(self):
        """A text of the file, what stands there instead, and what forktax says of it; None: of the whole file."""
        with open(FILE, encoding="utf-8") as file:
            text = file.read()
        for before, after, *words in (
                (None, "", "empty"),
                (None, text[:len(text) // 2], "cut off"),
                ("forktax-check/1", "forktax-check/2", "another version"),
                ('"kind":"calls"', '"kind":"temperature"', '"kind"', "does not know"),
                ('"opened":', '"eaten":', "does not know"),
                ('"min":1,"max":1', '"min":2,"max":1', "ends before it begins"),
                ('"command":["./command"]', '"command":[]', "there is no command")):
            with self.subTest(after), open(FILE, "w", encoding="utf-8") as file:
                self.assertIn(before or text, text)
                print(text.replace(before or text, after, 1), end="", file=file, flush=True)
                self.refused(125, *words)

    def test_twice(self):
        """As a careless merge leaves it: a line, a name, a context."""
        baseline = self.baseline()
        checks, context = baseline["checks"], baseline["checks"][0]["contexts"][0]
        for rows, more, words in ((context["metrics"], dict(context["metrics"][0], max=99), context["metrics"][0]["name"]),
                                  (checks, checks[0], "the name ./command appears twice"),
                                  (checks[0]["contexts"], context, "a context appears twice")):
            rows.append(more)
            self.write(baseline)
            self.refused(125, "appears twice", words)
            rows.pop()

    def test_directory(self):
        os.rename(FILE, "kept")
        os.mkdir(FILE)
        self.refused(125, "forktax.check.json", "directory")

    def test_unreadable_link(self):
        os.unlink(FILE)
        os.symlink(FILE, FILE)
        self.refused(125, "symbolic links")

    def test_something_else_that_was_saved(self):
        self.forktax("run", "--json", "-o", FILE, "true")
        self.refused(125, "is not a baseline", "--init")

    def test_merge_conflict(self):
        with open(FILE, encoding="utf-8") as file:
            lines = file.read().splitlines()
        lines[6:7] = ["<<<<<<< HEAD", lines[6], "=======", lines[6].replace("1", "2"), ">>>>>>> topic"]
        with open(FILE, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        self.refused(125, "line 7 begins a merge conflict")
        kept = open(FILE, encoding="utf-8").read()
        for words in (["--update"], ["--ratchet"], ["--init", "true"]):
            self.assert_fails(self.forktax("check", *words), 125, "merge conflict")
        self.assertEqual(open(FILE, encoding="utf-8").read(), kept)

    def test_order_does_not_matter(self):
        """Whoever merges by hand need not sort."""
        baseline = self.baseline()
        for rows in ("metrics", "places", "files"):
            baseline["checks"][0]["contexts"][0][rows].reverse()
        self.write(baseline)
        self.assertEqual(self.check().status, 0)

    def test_no_checks(self):
        self.write({"schema": "forktax-check/1", "checks": []})
        self.refused(2, "contains no commands", "--init")

    def test_unknown_name(self):
        for words in ([], ["--update"], ["--ratchet"]):
            self.assert_fails(self.forktax("check", *words, "commando"), 2,
                              'no check named "commando" (it has: ./command)')
        self.assert_not_run()

    def test_command_that_is_gone(self):
        os.unlink("command")
        self.refused(127, "./command: command not found")

    def test_command_that_cannot_be_executed(self):
        os.chmod("command", 0o644)
        self.refused(126, "./command: not executable")

    def test_places_that_cannot_be_written(self):
        os.mkdir("directory")
        for words in (["--junit=directory"], ["--junit=none/file"], ["--junit=/proc/no"], ["-o", "none/file"]):
            result = self.forktax("check", *words)
            self.assert_fails(result, 125, words[-1].split("=")[-1])
        self.assert_not_run()
        for words in (["--init", "-f", "none/file", "true"], ["--init", "-f", "directory", "true"]):
            self.assert_fails(self.forktax("check", *words), 125, words[2])

    def test_disk_full(self):
        kept = open(FILE, encoding="utf-8").read()
        self.assert_fails(self.check("--junit=/dev/full"), 125, "/dev/full")
        self.assert_fails(self.forktax("check", "-n1", "--init", "-f", "/dev/full", "true"), 125)
        self.assertEqual(open(FILE, encoding="utf-8").read(), kept)


@needs_root
class Commands(CheckCase):
    def test_usage(self):
        for words, expected in (
                (["--init"], "give commands"),
                (["--init", "--", "-x"], "options come before the commands"),
                (["--init", "--name=a", "true", "false"], "--name is for one command"),
                (["--init", "--name=", "true"], "must not be empty"),
                (["--init", "a 'b"], "quote is not closed"),
                (["--init", "a | b"], "needs a shell"),
                (["--init", "--update"], "exclude each other"),
                (["--shell"], "--shell goes with --init"),
                (["-n0"], "-n 0")):
            self.assert_fails(self.forktax("check", *words), 2, expected)
        self.assertFalse(os.path.exists(FILE))

    def test_one_name_once(self):
        self.init("true")
        self.assert_fails(self.forktax("check", "--init", "true"), 2, "--update 'true'")

    def test_several_commands(self):
        self.init("true", "sh -c 'exit 0'")
        self.init("--name", "piped", "--shell", "test -e . || echo a | cat")
        self.assertEqual([check["name"] for check in self.baseline()["checks"]],
                         ["piped", "sh -c 'exit 0'", "true"])
        result = self.check("true", "piped")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertEqual([line.split(b" ")[:2] for line in result.out.splitlines() if line.startswith(b"ok")],
                         [[b"ok:", b"piped"], [b"ok:", b"true"]])

    def test_two_runs_write_the_same(self):
        """Nothing in a baseline is of its time: a second one differs in nothing."""
        def repeatable(baseline):
            context = baseline["checks"][0]["contexts"][0]
            context["metrics"] = [row for row in context["metrics"] if row["kind"] != "cached"]
            return baseline

        first = repeatable(self.init("true"))
        os.unlink(FILE)
        self.assertEqual(repeatable(self.init("true")), first)
        self.assertEqual(self.forktax("check", "--update", "-n1").status, 0)
        self.assertEqual(repeatable(self.baseline()), first)

    def test_update_of_what_did_not_move(self):
        """A range that holds both: it cannot go to and fro from one commit to the next."""
        baseline = self.init("true")
        for row in baseline["checks"][0]["contexts"][0]["metrics"]:
            if row["kind"] == "cached" or row["name"] == "read":
                row["min"], row["max"] = 0, 50
        self.write(baseline)
        self.assertEqual(self.forktax("check", "--update", "-n1").status, 0)
        self.assertEqual(self.baseline(), baseline)

    def test_failing_command(self):
        self.script("command", "exit $(cat status)")
        for status in ("3", "0"):
            with open("status", "w", encoding="utf-8") as file:
                file.write(status)
            if status == "3":
                self.assert_fails(self.forktax("check", "--init", "./command"), 125, "status 3", "-i")
                self.assertFalse(os.path.exists(FILE))
                self.init("-i", "./command")
                self.assertEqual(self.check().status, 0)
            else:
                self.assert_regressed(self.check(), "it ended with status 0 instead of 3")

    def test_killed_command(self):
        self.script("command", "kill -9 $$")
        self.init("-i", "./command")
        self.assertEqual(self.baseline()["checks"][0]["status"], 137)

    def test_what_is_left_behind(self):
        """A process that goes on is not counted to its end: nothing to be held to, or to be judged by."""
        self.script("command", "[ ! -e linger ] || (trap '' HUP; exec sleep 60) &")
        self.init("./command")
        open("linger", "w", encoding="utf-8").close()
        result = self.check()
        self.assertEqual(result.status, 3, result)
        self.assertIn(b"not exact: ./command (run 1 left processes behind", result.out)
        kept = open(FILE, encoding="utf-8").read()
        self.assert_fails(self.forktax("check", "--update", "-n1"), 3, "the baseline stays")
        self.assertEqual(open(FILE, encoding="utf-8").read(), kept)

    def test_interrupted(self):
        process = self.start("check", "--init", "--shell", "touch ready; exec sleep 60",
                             start_new_session=True)
        self.assertTrue(wait_until(lambda: os.path.exists("ready")))
        time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(self.finish(process).status, -signal.SIGINT)
        self.assertFalse(os.path.exists(FILE))

    def test_no_more_to_see(self):
        """A command finds neither ignored signals nor files, and not the whole environment."""
        self.script("command", "grep SigIgn /proc/self/status > seen", "ls /proc/self/fd >> seen",
                    "env | sed 's/=.*//' | sort >> seen")
        with open("/dev/null", encoding="utf-8") as held:
            os.set_inheritable(held.fileno(), True)
            result = self.forktax("check", "--init", "-n1", "--env=KEPT", "./command", close_fds=False,
                                  env={**os.environ, "KEPT": "1", "LOST": "2"},
                                  preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.assertEqual((result.status, result.err), (0, b""), result)
        with open("seen", encoding="utf-8") as file:
            seen = file.read().split()
        self.assertEqual(seen[:2], ["SigIgn:", "0000000000000000"])
        self.assertEqual(seen[2:6], ["0", "1", "2", "3"])  # 3: ls has opened the directory
        self.assertIn("KEPT", seen)
        self.assertNotIn("LOST", seen)
        self.assertEqual(self.baseline()["checks"][0]["environment"], ["KEPT"])


POOL = """#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();
		if (!child) {
			getppid();
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	return 0;
}
"""


TOOL = """#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
	%s
}
"""


@needs_root
@needs("gcc")
class Reasons(CheckCase):
    """What is said of the cause: each sentence where it holds, and where it would not."""

    def build(self, name, source, *words, compiler="gcc"):
        with open(f"{name}.c", "w", encoding="utf-8") as file:
            file.write(source)
        self.assertEqual(os.spawnvp(os.P_WAIT, compiler.split()[0],
                                    [*compiler.split(), "-o", f"{name}.new", f"{name}.c", *words]), 0)
        os.rename(f"{name}.new", name)

    def text(self, *words):
        result = self.check(*(words or ["--all"]))
        self.assertEqual(result.err, b"", result)
        return " ".join(result.out.decode().split())

    def test_new_kind_of_process(self):
        """One cause is one finding, in every form; --all has what it consists of."""
        self.script("command", "exit 0")
        self.init("./command")
        self.script("command", "/bin/true; exit 0")
        text = self.text("-q", "--junit=junit.xml", "--github=always")
        self.assertEqual(text.count("of sh, exec of true"), 2, text)  # and once for GitHub
        self.assertRegex(text, r"new kind of process: vfork of sh, exec of true: 1 process, \d+ system calls")
        self.assertNotIn("executed: ", text)
        with open("junit.xml", encoding="utf-8") as file:
            junit = file.read()
        self.assertEqual(junit.count("exec of true"), 1)
        self.assertEqual(int(re.search(r'failures="(\d+)"', junit)[1]), junit.count("<failure"))
        self.assertEqual(int(re.search(r'tests="(\d+)"', junit)[1]), junit.count("<testcase"))
        self.assertGreater(self.text().count("of sh, exec of true"), 10)

    def test_system(self):
        """What a program calls to create a new kind of process is part of that finding; what it does besides is not."""
        for more, failures in (("", 1), ("getppid();", 2), ("for (int i = 0; i < 9; i++) mmap(0, 1, 1, 34, -1, 0);", 2)):
            with self.subTest(more):
                self.build("tool", TOOL % "return 0;")
                self.init("./tool")
                self.build("tool", TOOL % f'{more} return system("true");')
                text = self.text("-q", "--junit=junit.xml", "--github=always")
                self.assertRegex(text, r"new kind of process: vfork of tool, exec of sh: 1 process, \d+ system calls, "
                                       r"\d+ page faults \(--all lists them\) - to create them and wait for "
                                       r"them, command does more: 1 clone3,")
                self.assertEqual(text.count("::error"), failures, text)
                self.assertIn(f"from {failures} cause", text)
                self.assertEqual("command: mmap: " in text, "mmap" in more, text)
                with open("junit.xml", encoding="utf-8") as file:
                    self.assertEqual(file.read().count("<failure"), failures)
                self.assertIn("command: rt_sigaction: 4, 0 before", self.text())
                os.unlink(FILE)

    def test_popen(self):
        """What is read of the new process is part of that finding; what is read besides is not."""
        popen = "FILE *f = popen(\"echo 1\", \"r\"); char line[9]; while (fgets(line, 9, f)); return pclose(f);"
        other = "int fd = open(\"/dev/null\", 0); char c; read(fd, &c, 1); close(fd); "
        for more, causes, joined in (("", "1 cause", "1 newfstatat, 2 read, 1 of the new pages filled"),
                                     (other, "4 causes", "1 newfstatat, 1 of the new pages filled")):
            with self.subTest(more):
                begin = TOOL.replace("%s", 'puts("it has a heap already"); %s')
                self.build("tool", "#include <fcntl.h>\n#include <stdio.h>\n" + begin % "return 0;")
                self.init("./tool")
                self.build("tool", "#include <fcntl.h>\n#include <stdio.h>\n" + begin % (more + popen))
                text = self.text("-q")
                os.unlink(FILE)
                self.assertIn(f"from {causes})", text)
                self.assertRegex(text, f"with pipes, command does more: {joined}( command: |$)")

    def test_new_kinds_below(self):
        """What a new kind of process creates is part of it; and so are pages that its parent now shares with it."""
        self.build("tool", TOOL % "return 0;")
        self.init("./tool")
        self.build("tool", TOOL % 'return system("ls | wc -l > /dev/null");')
        text = self.text("-q")
        self.assertIn("from 1 cause)", text)
        self.assertIn("new kind of process: vfork of tool, exec of sh: 1 process", text)
        self.assertIn("they create others of a new kind: fork of sh, exec of wc: 1", text)
        self.build("tool", TOOL % 'if (!fork()) execl("/bin/true", "true", NULL); return 0;')
        self.assertRegex(self.text("-q"), r"command does more: 1 clone, .*\d+ pages written after a fork")

    def relinked(self, *words, **options):
        """What is said of a program that was linked with -z now, and then as `words` say."""
        self.build("pool", POOL, "-Wl,-z,now")
        self.init("./pool")
        self.build("pool", POOL, *words, **options)
        return self.text()

    def test_bound_lazily(self):
        text = self.relinked("-Wl,-z,lazy")
        self.assertIn("run: executed: ./pool (dynamic): 1, 0 before - it was linked with -z now, and no "
                      "longer is: each function is bound at its first call, by children again", text)
        self.assertIn("getppid of ./pool: 3, 0 before - -z now was lost", text)

    def assert_no_image_is_worse(self, text):
        self.assertNotIn("it was linked", text)
        self.assertNotIn("lazily", text)
        for row in re.findall(r"executed: \S+ \([^)]*\): \d, \d before( \(better\))?", text):
            self.assertTrue(row, text)
        self.assertEqual(text.count("executed: "), 2, text)

    def test_static(self):
        for words in (["-static"], ["-static-pie"]):
            with self.subTest(words):
                self.assert_no_image_is_worse(self.relinked(*words))
                os.unlink(FILE)

    def test_bound_at_start_without_being_asked(self):
        """-fno-plt leaves no slot that could wait."""
        self.assert_no_image_is_worse(self.relinked("-fno-plt", "-Wl,-z,lazy"))

    @needs("musl-gcc")
    def test_musl(self):
        """Of which ld.so is the C library: it is unknown whose calls these are."""
        text = self.relinked(compiler="musl-gcc")
        self.assert_no_image_is_worse(text)
        self.assertIn("rt_sigprocmask", text)
        self.assertNotIn("ld.so made", text)

    def test_what_failed(self):
        """A file that was not found was not opened, and a search is no reading of many files."""
        self.script("command", "exit 0")
        self.init("./command")
        for name in ("a", "b", "c"):
            os.mkdir(name)
            with open(f"{name}/same", "w", encoding="utf-8") as file:
                file.write("x\n")
        self.script("command", "cat ./none 2>/dev/null", "cat a/same b/same c/same",
                    "PATH=/no1:/no2:/no3:/usr/bin exec env true")
        text = self.text()
        self.assertIn("./none: opened once, never before (failed)", text)
        self.assertIn("same: opened in 3 directories, ./a/same among them", text)
        self.assertRegex(text, r"true: searched in 4 directories, \S+/true among them")

    def test_calls_that_share_files(self):
        """What is done with a file is counted for all calls that do it."""
        self.script("command", "exit 0")
        self.init("./command")
        self.script("command", "exec /bin/true")
        self.assertIn("command: access: 2, 1 before - by file, these calls are counted together with those of "
                      "newfstatat:", self.text())

    @needs("diet")
    def test_dietlibc(self):
        self.assert_no_image_is_worse(self.relinked(compiler="diet gcc"))

    def test_from_static_pie_to_static(self):
        self.build("pool", POOL, "-static-pie")
        self.init("./pool")
        self.build("pool", POOL, "-static")
        self.assert_no_image_is_worse(self.text())

    def test_another_program_lost_it(self):
        """What one program lost is no reason of what children of another bind."""
        self.build("one", POOL, "-Wl,-z,now")
        self.build("other", POOL.replace("getppid();", ""), "-Wl,-z,lazy")
        self.script("command", "./one", "./other")
        self.init("./command")
        self.build("one", POOL, "-Wl,-z,lazy")
        self.build("other", POOL, "-Wl,-z,lazy")
        text = self.text()
        self.assertIn("fork of one, no exec: bound by ld.so: getppid of ./one: 3, 0 before - -z now was lost",
                      text)
        self.assertIn("fork of other, no exec: bound by ld.so: getppid of ./other: 3, 0 before - "
                      "the parent had not called it from there when it forked", text)

    def test_who_asks_for_a_library(self):
        """Each image loads what its own objects ask for."""
        self.script("command", "exit 0")
        self.init("./command")
        self.build("libm1.so", "int one(void) { return 0; }\n", "-shared", "-fPIC")
        self.build("own", "int one(void); int main(void) { return one(); }\n", "-Wl,--no-as-needed", "-L.",
                   "-l:libm1.so", "-Wl,-rpath,$ORIGIN")
        self.script("command", "/bin/true", "./own")
        text = self.text()
        self.assertIn("exec of true: loaded: /lib/x86_64-linux-gnu/libc.so.6: 1, 0 before - "
                      "asked for (DT_NEEDED) by /bin/true ", text)
        self.assertIn("exec of own: loaded: /lib/x86_64-linux-gnu/libc.so.6: 1, 0 before - "
                      "asked for (DT_NEEDED) by ./own", text)
        self.assertIn("exec of own: loaded: ./libm1.so: 1, 0 before - asked for (DT_NEEDED) by ./own ", text)

    def test_library_behind_a_link(self):
        """DT_NEEDED names the link, or the name that the library gives itself."""
        self.build("libreal.so.1.2", "int one(void) { return 0; }\n", "-shared", "-fPIC",
                   "-Wl,-soname,liblink.so.1")
        os.symlink("libreal.so.1.2", "liblink.so.1")
        self.build("prog", "int main(void) { return 0; }\n")
        self.init("./prog")
        self.build("prog", "int one(void); int main(void) { return one(); }\n", "-L.",
                   "-l:libreal.so.1.2", "-Wl,-rpath,$ORIGIN")
        self.assertIn("asked for (DT_NEEDED) by ./prog", self.text())

    def test_library_that_nobody_asks_for(self):
        self.build("libplug.so", "int one(void) { return 0; }\n", "-shared", "-fPIC")
        self.build("prog", "int main(void) { return 0; }\n")
        self.init("./prog")
        self.build("prog", "#include <dlfcn.h>\nint main(void) { return !dlopen(\"./libplug.so\", RTLD_NOW); }\n")
        self.assertIn("loaded: ./libplug.so: 1, 0 before - no file that is known to have run there asks for it "
                      "(DT_NEEDED): it may come by dlopen(3) or LD_PRELOAD", self.text())

    def test_what_differs_is_not_called_the_same(self):
        """Two programs, two calls and the children of two groups are each their own."""
        self.script("command", "exit 0")
        self.init("./command")
        self.script("command", "/bin/true", "/usr/bin/env true")
        text = self.text()
        self.assertNotIn('they are those of "/', text)
        self.assertNotIn('they are those of "arch_prctl"', text)
        self.assertNotIn('they are those of "access ENOENT"', text)
        self.assertNotIn("children: 1, 0 before - vfork", text)
        self.assertIn("executed: /usr/bin/env (dynamic): 1, 0 before - it was not executed before", text)

    def test_what_varied_before(self):
        """What the runs of the baseline did not have alike is no nothing."""
        self.script("command", 'read n < count; echo $((n + 1)) > count', "echo 1 > odd",
                    '[ $((n % 2)) = 0 ] || read x < odd', "exit 0")
        with open("count", "w", encoding="utf-8") as file:
            file.write("0\n")
        result = self.forktax("check", "--init", "-n2", "./command")
        self.assertEqual((result.status, result.err), (0, b""), result)
        self.script("command", "echo 1 > odd", *["read x < odd"] * 4, "exit 0")
        text = self.text()
        self.assertIn("command: read: 10, 4..6 before", text)
        self.assertNotIn("./odd", text)


@needs_root
@needs("bash")
class Scripts(CheckCase):
    """A script that is changed: a line is known by its file and text."""

    LINES = ["f() { x=$(printf '%s' \"$1\"); }", "a=$(cat /etc/hostname)", "f a; f b", "/bin/true; /bin/true"]

    def setUp(self):
        super().setUp()
        self.write_script(*self.LINES)
        self.init("--processes", "bash build.sh")

    @staticmethod
    def write_script(*lines):
        with open("build.sh", "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

    def assert_held(self):
        result = self.check()
        self.assertEqual((result.status, result.err), (0, b""), result)
        self.assertNotIn(b"before", result.out)

    def test_what_is_held(self):
        self.assertEqual(self.metrics(self.baseline()), {
            ("run", "build.sh: f() { x=$(printf '%s' \"$1\"); }"): (2, 2),
            ("run", "build.sh: a=$(cat /etc/hostname)"): (1, 1),
            ("run", "build.sh: /bin/true; /bin/true"): (2, 2),
            ("run", "cat"): (1, 1), ("run", "true"): (2, 2), ("run", "forks that never exec"): (2, 2),
            ("run", "processes"): (6, 6), ("run", "execs"): (4, 4),
            ("fork of bash, exec of cat", "children"): (1, 1), ("fork of bash, exec of true", "children"): (2, 2),
            ("fork of bash, no exec", "children"): (2, 2),
        })
        self.assert_held()

    def test_lines_above_and_moved_and_edited(self):
        self.write_script("# a comment", "", "y=1", self.LINES[0], *reversed(self.LINES[1:]))
        self.assert_held()
        self.write_script(self.LINES[0], "a=$(cat /etc/passwd)", *self.LINES[2:])
        self.assert_held()

    def test_line_that_forks_more(self):
        self.write_script(*self.LINES[:2], "f a; f b; f c", self.LINES[3])
        self.assert_regressed(self.check(), "run: forks by build.sh: f() { x=$(printf '%s' \"$1\"); }: 3, 2 before",
                              "build.sh:1 in f(): 3 forks, which never execute a program",
                              "run: forks that never exec: 3, 2 before")

    def test_new_line(self):
        self.write_script(*self.LINES, "", "for i in 1 2 3; do sed p /dev/null; done")
        result = self.check()
        self.assert_regressed(result, "run: forks by build.sh: for i in 1 2 3; do sed p /dev/null; done: 3, 0 before",
                              "build.sh:6: 3 forks, which execute sed", "new kind of process: fork of bash, exec of sed")
        self.assertNotIn(b"run: processes of sed", result.out)  # part of the new kind

    def test_program_of_a_known_kind(self):
        self.write_script(*self.LINES, "/bin/true")
        self.assert_regressed(self.check(), "run: processes of true: 3, 2 before",
                              "run: forks by build.sh: /bin/true: 1, 0 before", "build.sh:5: 1 fork, which executes true")

    def test_edited_and_forks_more(self):
        self.write_script(self.LINES[0], "a=$(cat /etc/hostname | cat)", *self.LINES[2:])
        self.assert_regressed(self.check(), "build.sh: a=$(cat /etc/hostname | cat): 3, 0 before",
                              "lines that are new fork 3 times, lines that are gone forked 1 time")

    def test_ratchet_of_lines(self):
        self.write_script(self.LINES[0], "a=$(</etc/hostname)", *self.LINES[2:])
        result = self.check("--ratchet")
        self.assertEqual((result.status, result.err), (0, b""), result)
        self.assertNotIn(("run", "cat"), self.metrics(self.baseline()))
        self.write_script(*self.LINES)
        self.assert_regressed(self.check(), "build.sh: a=$(cat /etc/hostname): 1, 0 before")


# Of which lines are known (docs/use/scripts.md); these run as the command, by their real paths.
PYTHON = os.path.realpath(sys.executable)
HAS_PYTHON = platform.machine() == "x86_64" and (3, 11) <= sys.version_info < (3, 14)
PERL_5_36 = "exit !($^V =~ /^v5\\.36\\./)"


def answers(*command):
    """Does that program exist, and end with status 0?"""
    return bool(shutil.which(command[0])) and not subprocess.run(command, capture_output=True, check=False).returncode


@needs_root
class OtherScripts(CheckCase):
    """Lines of Python, perl and make are held as those of bash, and a complaint names where they are."""

    def hold(self, name, before, after, command, *words):
        with open(name, "w", encoding="utf-8") as file:
            file.write(before)
        self.init("--processes", command)
        held = self.check()
        self.assertEqual((held.status, held.err), (0, b""), held)
        with open(name, "w", encoding="utf-8") as file:
            file.write("# A line above changes nothing.\n" + before)
        held = self.check()
        self.assertEqual((held.status, held.err), (0, b""), held)
        with open(name, "w", encoding="utf-8") as file:
            file.write(after)
        self.assert_regressed(self.check(), *words)
        with open(f"old-{name}", "w", encoding="utf-8") as file:
            file.write(before)
        result = self.forktax("compare", "--no-time", command.replace(name, f"old-{name}"), command)
        self.assertEqual((result.status, result.err), (0, b""), result)
        return " ".join(result.out.decode().split())

    @unittest.skipUnless(HAS_PYTHON, "the layout of this Python is not known")
    def test_python(self):
        body = "def call(n):\n    for _ in range(n):\n        subprocess.run(['/bin/true'])\n"
        text = self.hold("a.py", f"import subprocess\n{body}call(2)\n", f"import subprocess\n{body}call(5)\n",
                         f"{PYTHON} a.py", "run: forks by ./a.py: subprocess.run(['/bin/true']): 5, 2 before",
                         "a.py:4 in call(): 5 forks, which execute true")
        self.assertIn("a.py these lines fork more: \"subprocess.run(['/bin/true'])\" (5 instead of 2).", text)

    @unittest.skipUnless(answers("perl", "-e", PERL_5_36), "no perl 5.36 is installed")
    def test_perl(self):
        text = self.hold("a.pl", "system('/bin/true');\n", "system('/bin/true');\n\nsystem('/bin/true', $_) for 1..3;\n",
                         "perl a.pl", "run: forks by a.pl: system('/bin/true', $_) for 1..3;: 3, 0 before",
                         "a.pl:3: 3 forks, which execute true")
        self.assertIn("perl a.pl these lines fork more: \"system('/bin/true', $_) for 1..3;\" (3 instead of 0).", text)

    @unittest.skipUnless(answers("sh", "-c", "make --version | grep -Eq '^GNU Make 4[.](3|4[.]1)$'"),
                         "no GNU make 4.3 or 4.4.1 is installed")
    def test_make(self):
        text = self.hold("a.mk", "all:\n\t/bin/true\n", "all: one\n\t/bin/true\none:\n\t/bin/true 1\n\t/bin/true 2\n",
                         "make -s -f a.mk", "run: forks by ./a.mk: /bin/true 1: 1, 0 before",
                         "a.mk:5 of target one: 1 fork, which executes true")
        self.assertIn("make -s -f a.mk these lines fork more: \"/bin/true 1\" (1 instead of 0), "
                      "\"/bin/true 2\" (1 instead of 0).", text)


@needs_root
class Judgements(CheckCase):
    def command(self, *lines):
        self.script("command", *lines)

    def test_more_and_less(self):
        self.command("/bin/true; /bin/true")
        self.init("./command")
        self.command("/bin/true; /bin/true; /bin/true")
        self.assert_regressed(self.check(), "run: processes: 4, 3 before",
                              "exec of true: children: 3, 2 before")
        self.command("/bin/true")
        result = self.check()
        self.assertEqual((result.status, result.err), (0, b""), result)
        self.assertIn(b"processes: 2, 3 before (better)", result.out)

    def test_ratchet(self):
        """What is better is kept, and nothing else: not what is worse, nor what has only moved."""
        self.command("/bin/true; /bin/true")
        before = self.metrics(self.init("./command"))
        kept = open(FILE, encoding="utf-8").read()
        self.command("/bin/true; /bin/true; /bin/true")
        self.assertEqual(self.check("--ratchet").status, 1)
        self.assertEqual(open(FILE, encoding="utf-8").read(), kept)
        self.command("/bin/true")
        result = self.check("--ratchet")
        self.assertEqual((result.status, result.err), (0, b""), result)
        self.assertIn(b"commit it", result.out)
        after = self.metrics(self.baseline())
        self.assertEqual(after["run", "processes"], (2, 2))
        for key, (least, most) in after.items():
            self.assertLessEqual((least, most), before[key], key)
        self.assertEqual(self.check().status, 0)
        self.command("/bin/true; /bin/true")
        self.assertEqual(self.check("--ratchet").status, 1)
        self.command("/bin/true")
        result = self.check("--ratchet")
        self.assertIn(b"is unchanged", result.out)

    def test_update(self):
        self.command("/bin/true")
        self.init("./command", "true")
        others = self.baseline()["checks"][1]
        self.command("/bin/true; /bin/true")
        result = self.forktax("check", "--update", "-n1", "./command")
        self.assertEqual((result.status, result.err), (0, b""), result)
        self.assertIn(b"processes: 3, 2 before", result.out)
        self.assertEqual(self.check().status, 0)
        self.assertEqual(self.baseline()["checks"][1], others)
        result = self.forktax("check", "--update", "-n1", "--json", "./command")
        self.assertEqual(json.loads(result.out)["schema"], "forktax-check/1")

    def test_another_place(self):
        """Counts of another kernel are no standard; both can stand side by side."""
        baseline = self.init("true")
        here = dict(baseline["checks"][0]["contexts"][0])
        for key, value in (("kernel", "5.4"), ("libc", "libc.so 00000000"), ("arch", "riscv64"),
                           ("huge_pages", "never" if here["huge_pages"] != "never" else "always")):
            with self.subTest(key=key):
                baseline["checks"][0]["contexts"] = [{**here, key: value}]
                self.write(baseline)
                result = self.check()
                self.assertEqual((result.status, result.err), (4, b""), result)
                text = " ".join(result.out.decode().split())
                self.assertIn("not comparable", text)
                self.assertIn(f"{here[key]} instead of {value}", text)
                self.assertIn("all metrics are as there", text)
        self.assertEqual(self.forktax("check", "--update", "-n1").status, 0)
        self.assertEqual(len(self.baseline()["checks"][0]["contexts"]), 2)
        self.assertEqual(self.check().status, 0)
        self.assertEqual(self.forktax("check", "--update", "--drop-others", "-n1").status, 0)
        left, = self.baseline()["checks"][0]["contexts"]
        self.assertEqual(left["kernel"], here["kernel"])

    def test_the_worst_decides(self):
        baseline = self.init("true", "sh -c 'exit 0'")
        baseline["checks"][0]["contexts"][0]["kernel"] = "5.4"
        self.write(baseline)
        self.assertEqual(self.check().status, 4)
        self.assertEqual(self.check("true").status, 0)
        for row in baseline["checks"][1]["contexts"][0]["metrics"]:
            if row["name"] == "openat":
                row["min"], row["max"], row["ld.so"] = 1, 1, 1
        self.write(baseline)
        self.assert_regressed(self.check(), "openat: 2, 1 before", "not comparable")

    def test_what_the_page_cache_decides(self):
        """It fails nobody, and is shown beside what does."""
        baseline = self.init("true")
        for row in baseline["checks"][0]["contexts"][0]["metrics"]:
            if row["kind"] in ("cached", "scheduled"):
                row["min"] = row["max"] = 1
        self.write(baseline)
        self.assertEqual(self.check().status, 0)

    @needs("strace", "setpriv")
    def test_without_privileges(self):
        """Counted by strace without being asked to; and eBPF is not promised."""
        nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        self.command("cat /dev/null")
        for words, status in ((["--init"], 0), ([], 0)):
            operands = ["./command"] if words else []
            result = self.finish(self.start("check", "-n1", *words, *operands, prefix=nobody))
            self.assertEqual((result.status, result.err), (status, b""), result)
        self.assertEqual(self.baseline()["checks"][0]["contexts"][0]["source"], "strace")
        result = self.finish(self.start("check", "--source=ebpf", prefix=nobody))
        self.assert_fails(result, 125, "CAP_", "--source=strace")

    @needs("strace")
    def test_strace(self):
        """What anybody can count: calls and files; of faults only their number, which fails nobody."""
        self.command("cat one >/dev/null")
        for name in ("one", "two"):
            open(name, "w", encoding="utf-8").close()
        self.init("--source=strace", "./command")
        self.assertEqual(self.check("--source=strace").status, 0)
        self.command("cat one two >/dev/null")
        self.assert_regressed(self.check("--source=strace"), "openat: 4, 3 before",
                              "./two: opened once, never before")

    @needs("strace", "python3", "bash", "dash")
    def test_other_source(self):
        """Both sources name the same process the same, so an unchanged command passes, and a change is seen."""
        self.script("nested", "/bin/true; :")
        for name, lines in {"bash": ["#!/bin/bash", "x=$(/bin/true); date; :"],
                            "env": ["#!/usr/bin/env bash", "python3 -c pass; :"],
                            "of-script": ["#!./nested"],
                            "linked": ["#!./my-shell", "exec /bin/true"],
                            "python": ["#!/usr/bin/python3", "import subprocess, threading",
                                       "thread = threading.Thread(target=int); thread.start(); thread.join()",
                                       "open('/proc/self/comm', 'w').write('renamed')",
                                       "subprocess.run(['/bin/true'])"],
                            "chain": ["#!/bin/sh", "exec env -i bash -c 'exec /bin/true'"]}.items():
            with open(name, "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
            os.chmod(name, 0o755)
        os.symlink(shutil.which("dash"), "my-shell")
        commands = ["./bash", "./env", "./of-script", "./linked", "./python", "./chain", "bash -c '/bin/true; :'"]
        for one, other in (("ebpf", "strace"), ("strace", "ebpf")):
            if os.path.exists(FILE):
                os.unlink(FILE)
            self.init(f"--source={one}", *commands)
            result = self.check(f"--source={other}")
            self.assertEqual((result.status, result.err), (0, b""), result)
            text = " ".join(result.out.decode().split())
            self.assertEqual(text.count(f"counted by {other} instead of {one}:"), len(commands), text)
        with open("bash", "a", encoding="utf-8") as file:
            file.write("/bin/true; :\n")
        result = self.check("--source=ebpf")
        self.assertEqual(result.status, 4, result)
        self.assertRegex(" ".join(result.out.decode().split()), "not comparable: ./bash .*fork of bash, exec of true")


@needs_root
class Outputs(CheckCase):
    """What the programs of continuous integration read."""
    NAME = "</x>&\"%\n\x1b[31m,:' `|`"

    def setUp(self):
        super().setUp()
        with open("one", "w", encoding="utf-8"):
            pass
        self.script("command", "cat one >/dev/null")
        self.init("--name", self.NAME, "./command")
        with open(self.NAME.replace("/", "_"), "w", encoding="utf-8"):
            pass
        self.script("command", "cat one [!a-zA-Z]* >/dev/null")

    def run_all(self, *words, **environment):
        result = self.check("--junit=junit.xml", *words, env={**os.environ, "LC_ALL": "C.UTF-8", **environment})
        self.assertEqual(result.status, 1, result)
        return result

    def test_junit(self):
        self.run_all("--github=never")
        suites = xml.parse("junit.xml").getroot()
        self.assertEqual(suites.tag, "testsuites")
        suite, = suites
        cases = suite.findall("testcase")
        failed = [case for case in cases if case.find("failure") is not None]
        self.assertEqual(suite.get("tests"), str(len(cases)))
        self.assertEqual(suite.get("failures"), str(len(failed)))
        self.assertEqual((suite.get("errors"), suite.get("skipped")), ("0", "0"))
        self.assertIn('</x>&"%', suite.get("name"))
        names = [case.get("name") for case in cases]
        self.assertEqual(len(names), len(set(names)))
        opened, = [case for case in failed if case.get("name").endswith("exec of cat: openat")]
        self.assertEqual(opened.find("failure").get("message"), "4, 3 before")
        self.assertIn('<_x>&"%', opened.find("failure").text)

    def test_github(self):
        """Annotations are lines that the runner decodes again; the summary of other steps stays."""
        with open("summary", "w", encoding="utf-8") as file:
            file.write("before\n")
        result = self.run_all(GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY="summary")
        lines = [line for line in result.out.decode().split("\n") if line.startswith("::")]
        self.assertTrue(lines)
        decoded = []
        for line in lines:
            found = re.fullmatch(r"::error file=([^,:]*),title=([^,:]*)::(.*)", line)
            self.assertTrue(found, line)
            for code, character in (("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
                found = [part.replace(code, character) for part in
                         (found if isinstance(found, list) else found.groups())]
            decoded.append(found)
        self.assertTrue(all(file == FILE for file, _, _ in decoded), decoded)
        self.assertTrue(all('</x>&"%' in title for _, title, _ in decoded), decoded)
        self.assertTrue(any("openat: 4, 3 before\n" in message for _, _, message in decoded), decoded)
        self.assertNotIn("\x1b", result.out.decode())
        with open("summary", encoding="utf-8") as file:
            summary = file.read()
        self.assertTrue(summary.startswith("before\n### forktax check\n"))
        self.assertIn("openat", summary)
        # All of it is a block of code: no name is markup.
        self.assertTrue(all(line.startswith("    ") for line in summary.split("\n")[3:] if line), summary)

    def test_github_with_data_on_stdout(self):
        result = self.run_all("--json", "--github=always", GITHUB_STEP_SUMMARY="")
        json.loads(result.out)
        self.assertIn(b"::error ", result.err)

    def test_nobody_asked_github(self):
        for environment in ({"GITHUB_ACTIONS": ""}, {"GITHUB_ACTIONS": "false"}):
            result = self.run_all(**environment, GITHUB_STEP_SUMMARY="summary")
            self.assertNotIn(b"::error", result.out)
            self.assertFalse(os.path.exists("summary"))

    def test_summary_that_cannot_be_written(self):
        result = self.check("--github=always", env={**os.environ, "GITHUB_STEP_SUMMARY": "none/file"})
        self.assert_fails(result, 125, "GITHUB_STEP_SUMMARY", "none/file")

    def test_every_format(self):
        for option, expected in (("--csv", b"before_min"), ("--json", b"forktax-check/1")):
            result = self.run_all("--github=never", option)
            self.assertIn(expected, result.out, option)
            self.assertNotIn(b"\x1b", result.out)
        self.run_all("--github=never", "--html", "-o", "page.html")
        with open("page.html", "rb") as file:
            self.assertIn(b"openat", file.read())

    def test_in_a_table_a_reason_is_one_cell(self):
        result = self.run_all("--github=never", "--csv")
        titles = [at for at, line in enumerate(result.out.decode().splitlines()) if line.startswith("# ")]
        self.assertTrue(titles, result.out)
        opened, = [row for row in csv.DictReader(result.out.decode().splitlines()[titles[0] + 1:])
                   if row["metric"] == "openat" and "cat" in row["of"]]
        self.assertEqual((opened["before_max"], opened["now_max"], opened["result"]), ("3", "4", "worse"))
        self.assertIn("opened once, never before", opened["why"])

    def test_the_file_itself(self):
        """A metric a line, and nobody's time: what a review can read."""
        with open(FILE, encoding="utf-8") as file:
            lines = file.read().splitlines()
        rows = [line for line in lines if '"kind"' in line]
        self.assertTrue(all(line.count('"kind"') == 1 for line in rows))
        self.assertEqual(modes.S_IMODE(os.stat(FILE).st_mode) & 0o111, 0)
        self.assertNotIn("ns", {word for line in rows for word in re.findall(r"\w+_ns\b|\bns\b", line)})

