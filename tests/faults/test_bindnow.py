# SPDX-License-Identifier: GPL-2.0-or-later
"""bindnow with commands that fail, that have nothing to bind, or that ld.so treats with care."""
import json
import os
import re
import shutil
import signal
import subprocess

import support
from support import NOBODY, Case, needs, needs_root

QUICK = ["-n1", "--traced-runs=3"]


class Usage(Case):
    def usage_error(self, *arguments):
        result = self.forktax("bindnow", *arguments)
        self.assert_fails(result, 2)
        self.assertEqual(result.out, b"")
        self.assert_not_run()
        return result

    def test_wrong_options(self):
        for arguments in ([], ["--"], ["-q"], ["-n0", "touch", "ran"], ["-nx", "touch", "ran"],
                          ["--traced-runs=-1", "touch", "ran"], ["-n"], ["-Z", "touch", "ran"],
                          ["--baseline=1", "touch", "ran"], ["--json", "--csv", "touch", "ran"],
                          ["--no-time", "--traced-runs=0", "touch", "ran"],
                          ["--fro\x1b[31m\nb", "touch", "ran"]):
            with self.subTest(arguments):
                self.usage_error(*arguments)

    def test_help(self):
        result = self.forktax("bindnow", "--help")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertIn(b"--traced-runs", result.out)

    def test_missing_command(self):
        self.assert_fails(self.forktax("bindnow", "no-such-command\x1b"), 127, "not found")
        self.assert_fails(self.forktax("bindnow", "/"), 126, "directory")
        with open("text", "w", encoding="utf-8") as file:
            file.write("no program")
        self.assert_fails(self.forktax("bindnow", "./text"), 126, "./text")

    def test_bad_output(self):
        result = self.forktax("bindnow", "-o", "missing/report", "touch", "ran")
        self.assert_fails(result, 125, "missing")
        self.assert_not_run()


@needs_root
class Bindnow(Case):
    def measure(self, *command, options=(), status=0, **popen):
        """(what is saved, what is printed, on one line)"""
        result = self.forktax("bindnow", *QUICK, "--json", "-o", "saved.json", *options, "--",
                              *command, **popen)
        self.assertEqual((result.status, result.err), (status, b""))
        shown = self.forktax("report", "saved.json")
        self.assertEqual((shown.status, shown.err), (0, b""))
        return self.saved("saved.json"), " ".join(shown.out.decode().split())

    def files(self, saved):
        return saved["columns"][0]["bound"]["files"]

    def faults_of_ld_so(self, saved):
        """Of all children of the first group: as it is, with LD_BIND_NOW=1."""
        return [sum(runs[0]["groups"][0]["inherited"]["by_actor"].get("ld.so", {}).values()) for runs in saved["runs"]]

    def test_lazy(self):
        """Every child of the loop binds _exit: with LD_BIND_NOW none does."""
        saved, _ = self.measure(self.sample("forkloop"), "-n", "20")
        self.assertEqual(saved["schema"], "forktax-compare/1")
        self.assertEqual([column.get("settings") for column in saved["columns"]], [None, ["LD_BIND_NOW=1"]])
        self.assertEqual(*[column["outcome"] for column in saved["columns"]])
        lazy, now = self.faults_of_ld_so(saved)
        self.assertGreaterEqual(lazy, 5 * 20)
        self.assertEqual(now, 0)
        self.assertGreater(self.files(saved)[0]["functions"], 10)
        self.assertEqual(self.files(saved)[0]["way"], "lazy")
        again = self.forktax("report", "--json", "saved.json")
        with open("saved.json", "rb") as file:
            self.assertEqual(again.out, file.read())

    def test_bound_already(self):
        saved, shown = self.measure(self.sample("forkloop", "now"), "-n", "5", options=["-n6"])
        self.assertRegex(shown, r"is linked with -z now already: only \d+ functions of libc.so.6 are left to a first call")
        self.assertNotIn("link with -z now", shown)
        self.assertEqual(self.files(saved)[0]["way"], "now")
        self.assertEqual(self.faults_of_ld_so(saved), [0, 0])

    def test_static(self):
        for linkage in ("static", "static-pie"):
            with self.subTest(linkage):
                saved, shown = self.measure(self.sample("forkloop", linkage), "-n", "5")
                self.assertEqual([file["way"] for file in self.files(saved)], ["static"])
                self.assertIn("nothing to bind, the command is static", shown)
                self.assertNotIn("In time:", shown)

    def test_musl(self):
        _, shown = self.measure(self.sample("forkloop", "musl-dyn"), "-n", "5")
        self.assertIn("musl binds everything at start", shown)

    def test_never_forks(self):
        _, shown = self.measure(self.sample("true"))
        self.assertIn("it never forks", shown)
        self.assertNotIn("In time:", shown)

    def test_script(self):
        """What counts is what runs it."""
        with open("script", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n(exit 0)\n(exit 0)\n")
        os.chmod("script", 0o755)
        for options in ((), ["--traced-runs=0"]):
            saved, _ = self.measure("./script", options=options)
            self.assertEqual(os.path.realpath(self.files(saved)[0]["path"]),
                             os.path.realpath("/bin/sh"))
            self.assertTrue(self.files(saved)[0]["at_start"])

    def test_failing_command(self):
        for options in (QUICK, ["--no-time", "--traced-runs=1"]):
            result = self.forktax("bindnow", *options, "sh", "-c", "exit 7")
            self.assert_fails(result, 125, "status 7")
            self.assertEqual(result.out, b"")
        result = self.forktax("bindnow", *QUICK, "sh", "-c", "kill -KILL $$")
        self.assert_fails(result, 125, "signal 9")
        saved, _ = self.measure("sh", "-c", "exit 7", options=["-i"])
        self.assertEqual(saved["runs"][0][0]["exit"]["status"], 7)

    def test_missing_interpreter(self):
        with open("script", "w", encoding="utf-8") as file:
            file.write("#!/no/such/interpreter\n")
        os.chmod("script", 0o755)
        for options in (QUICK, ["--no-time", "--traced-runs=1"]):
            result = self.forktax("bindnow", *options, "./script")
            self.assertIn(result.status, (126, 127))
            self.assert_one_line(result.err, "./script")

    def test_output_does_not_show(self):
        result = self.forktax("bindnow", *QUICK, "sh", "-c", "echo MARK; echo MARK >&2")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertNotIn(b"\nMARK", result.out)
        result = self.forktax("bindnow", *QUICK, "--show-output", "-o", "report", "echo", "MARK")
        # 2 of 1 warm-up, 1 timed, 3 traced; what others disturbed is run again
        self.assertGreaterEqual(result.out.count(b"MARK\n"), 10)
        self.assertEqual(result.out.replace(b"MARK\n", b""), b"")

    def test_interrupted(self):
        """The rounds that are complete are shown; no command is left."""
        script = "echo >> runs; [ $(wc -l < runs) -lt 14 ] || { touch ready; exec sleep 60; }"
        process = self.start("bindnow", "-n9", "--json", "-o", "saved.json", "sh", "-c", script)
        self.assertTrue(support.wait_until(lambda: os.path.exists("ready")))
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assert_fails(result, -signal.SIGINT, "0 of 7 traced")
        rounds = int(re.search(rb"(\d) of 9 timed rounds", result.err).group(1))
        self.assertIn(rounds, range(1, 6))
        self.assertEqual([len(column["samples_ns"]) for column in self.saved("saved.json")["columns"]],
                         [rounds, rounds])
        self.assertEqual(self.forktax("report", "saved.json").status, 0)

    def test_environment(self):
        """Each side has its own, whatever ours is."""
        script = "echo ${LD_BIND_NOW:-none} >>seen"
        for ours in ({}, {"LD_BIND_NOW": "1"}, {"LD_BIND_NOW": ""}):
            with self.subTest(ours):
                environment = {key: value for key, value in os.environ.items()
                               if key != "LD_BIND_NOW"}
                saved, shown = self.measure("sh", "-c", script, env={**environment, **ours})
                with open("seen", encoding="utf-8") as file:
                    seen = file.read().split()
                self.assertEqual(sorted(seen), ["1"] * 6 + ["none"] * 6)
                was_set = bool(ours.get("LD_BIND_NOW"))
                self.assertEqual(saved["columns"][0].get("settings"), ["LD_BIND_NOW="] if was_set else None)
                self.assertEqual("was set already" in shown, was_set)
                os.unlink("seen")

    def test_not_the_same(self):
        _, shown = self.measure("sh", "-c", "echo $LD_BIND_NOW")
        self.assertIn("They did not do the same", shown)
        self.assertNotIn("They did not", self.measure("sh", "-c", "echo same")[1])

    def test_also_a_comparison(self):
        """What somebody compares so by hand is a comparison, and so is what compare takes from here."""
        sample = self.sample("forkloop")
        result = self.forktax("compare", *QUICK, "--json", "-o", "by-hand.json", sample, f"LD_BIND_NOW=1 {sample}")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertNotIn(b"for this command", self.forktax("report", "by-hand.json").out)
        self.measure(sample)
        result = self.forktax("compare", "--show=times", "saved.json")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertNotIn(b"for this command", result.out)
        result = self.forktax("compare", "saved.json", "by-hand.json")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertIn(b"by-hand.json", result.out)

    def test_set_user_id(self):
        shutil.copy(self.sample("forkloop"), "forkloop")
        os.chown("forkloop", NOBODY, -1)
        os.chmod("forkloop", 0o4755)
        saved, shown = self.measure("./forkloop", "-n", "5")
        self.assertTrue(saved["columns"][0]["bound"]["is_secure"])
        self.assertIn("gains rights", shown)
        self.assertIn("the kernel ignores --no-aslr", shown)

    def test_layout_of_set_user_id(self):
        """A random layout all the same, as every other run shows."""
        if os.statvfs(".").f_flag & os.ST_NOSUID:
            self.skipTest("set-user-id is off for this file system")
        shutil.copy("/bin/true", "id")
        os.chown("id", NOBODY, -1)
        os.chmod("id", 0o4755)
        for command, options in (("run", ()), ("compare", ("-n1", "--traced-runs=1")),
                                 ("explain", ("--startup", "--no-try", "--no-time"))):
            for program, warning in (("./id", "forktax {}: warning: the kernel ignores --no-aslr for ./id, which gains rights "
                                              "when it is executed (set-user-ID or the like)\n"), ("/bin/true", "")):
                result = self.forktax(command, "--no-aslr", "-o", "saved", "--json", *options, program)
                self.assertEqual((result.status, result.err.decode()), (0, warning.format(command)))

    def test_hostile_name(self):
        name = "a\x1b[31m\n\u202eb"
        shutil.copy(self.sample("true"), name)
        _, shown = self.measure(f"./{name}")
        self.assertNotIn("\x1b", shown)
        self.assertNotIn("\u202e", shown)

    @needs("setpriv")
    def test_without_privileges(self):
        shutil.copy(support.FORKTAX, "forktax")
        user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "./forktax",
                "bindnow", "-n3"]
        result = subprocess.run([*user, "true"], capture_output=True, check=False)
        if b"setpriv" in result.stderr:
            self.skipTest("nobody cannot execute a file in the directory for temporary files")
        self.assert_fails(support.Result(result.returncode, result.stdout, result.stderr), 125,
                          "needs CAP_BPF", "--traced-runs 0")
        start = subprocess.run([*user[:-2], "compare", "--startup", "true", "true"], capture_output=True,
                               check=False)
        self.assertEqual(start.returncode, 125)
        self.assertIn(b"needs CAP_BPF", start.stderr)
        self.assertNotIn(b"--traced-runs", start.stderr) # a start needs them
        result = subprocess.run([*user, "--traced-runs=0", "true"], capture_output=True,
                                check=False)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assertIn(b"wall time", result.stdout)

    def refused(self, change, *words):
        saved = self.saved("saved.json")
        change(saved)
        with open("bad.json", "w", encoding="utf-8") as file:
            json.dump(saved, file)
        result = self.forktax("report", "bad.json")
        self.assert_fails(result, 125, "bad.json", *words)
        self.assertEqual(result.out, b"")

    def plain(self, change):
        """It is a comparison, but no longer of bindnow."""
        saved = self.saved("saved.json")
        change(saved)
        with open("other.json", "w", encoding="utf-8") as file:
            json.dump(saved, file)
        result = self.forktax("report", "other.json")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertNotIn(b"for this command", result.out)

    def test_damaged(self):
        saved, _ = self.measure(self.sample("forkloop"), "-n", "3")

        def set_to(*path):
            def change(saved):
                *keys, last, value = path
                for key in keys:
                    saved = saved[key]
                saved[last] = value
            return change

        self.refused(set_to("columns", saved["columns"][:1]), "do not match")
        self.refused(set_to("runs", 0, 0, {}))
        for path in (("files", 3), ("files", [3]), ("files", 0, "path", None),
                     ("files", 0, "way", "fast"), ("files", 0, "functions", None),
                     ("files", 0, "functions", -1),
                     ("is_secure", None), ("files_left_out", "x")):
            with self.subTest(path):
                self.refused(set_to("columns", 0, "bound", *path))
        for path in (("columns", 1, "settings", []), ("columns", 1, "settings", ["LD_BIND_NOW=2"]),
                     ("columns", 1, "command", ["false"]), ("columns", 0, "settings", ["A=b"]), ("baseline", 1)):
            with self.subTest(path):
                self.plain(set_to(*path))
        self.plain(lambda saved: [saved[key].pop() for key in ("columns", "runs")])
        self.plain(lambda saved: saved["runs"][1].pop())
        with open("saved.json", "rb") as file:
            text = file.read()
        for length in range(50, len(text) - 3, len(text) // 9):
            with open("bad.json", "wb") as file:
                file.write(text[:length])
            self.assert_fails(self.forktax("report", "bad.json"), 125, "cut off")
