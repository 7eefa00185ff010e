# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the report goes, and what if it cannot: closed, full, not writable, no file at all."""
import json
import os
import shutil
import signal
import subprocess
import threading

from support import NOBODY, Case, children, needs, needs_root, wait_until
import support


@needs_root
class Streams(Case):
    def test_stdin_and_stdout_belong_to_the_command(self):
        data = bytes(range(256)) * 1000
        result = self.forktax("run", "cat", data=data)
        self.assertEqual((result.status, result.out), (0, data))
        self.assertTrue(result.err.startswith(b"cat: exit 0"))

    def test_nothing_but_the_report_on_stderr(self):
        result = self.forktax("run", "-o", "report", "sh", "-c", "echo out; echo err >&2")
        self.assertEqual(result, (0, b"out\n", b"err\n"))

    def test_closed_stdin(self):
        result = self.shell("$FORKTAX run -o report cat <&-")
        self.assertEqual(result.status, 1)
        self.assertIn(b"Bad file descriptor", result.err)

    def test_closed_stdout(self):
        # As untraced: the command finds it closed, and nothing of forktax in its place.
        result = self.shell("$FORKTAX run -o report sh -c 'ls -l /proc/self/fd/ >&2; echo x' >&-")
        self.assertNotEqual(result.status, 0)
        self.assertNotIn(b" 1 -> /dev/null", result.err)
        self.assertNotIn(b"bpf", result.err)
        self.assertTrue(os.path.exists("report"))

    def test_closed_stdout_of_report(self):
        self.trace("true")
        for command in ("report run.json", "report --json run.json", "compare run.json", "doctor",
                        "--help", "run --help", "--version"):
            with self.subTest(command):
                self.assert_fails(self.shell(f"$FORKTAX {command} >&-"), 125)

    def test_closed_stdout_before_it_runs(self):
        """Who would read the report? Measuring takes seconds."""
        for command in ("explain touch ran", "compare 'touch ran'", "bindnow touch ran"):
            self.assert_fails(self.shell(f"$FORKTAX {command} >&-"), 125,
                              "cannot write the report: standard output is closed; -o FILE writes it to a file")
        self.assert_not_run()

    def test_closed_stderr(self):
        result = self.shell("$FORKTAX run touch ran 2>&-")
        self.assertEqual((result.status, result.out), (125, b""))
        result = self.shell("$FORKTAX run -o report sh -c 'echo out' 2>&-")
        self.assertEqual((result.status, result.out), (0, b"out\n"))
        with open("report", "rb") as file:
            self.assertTrue(file.read().startswith(b"sh -c 'echo out': exit 0"))

    def test_everything_closed(self):
        self.assertEqual(self.shell("$FORKTAX run -o report true <&- >&- 2>&-").status, 0)
        self.assertEqual(self.shell("$FORKTAX run sh -c 'exit 3' <&- >&- 2>&-").status, 125)

    def test_no_descriptor_of_ours_in_the_command(self):
        result = self.forktax("run", "-o", "report", "ls", "/proc/self/fd")
        self.assertEqual(result.out.split(), [b"0", b"1", b"2", b"3"])

    def test_full_stderr(self):
        with open("/dev/full", "wb") as full:
            self.assertEqual(self.forktax("run", "true", stderr=full).status, 125)

    def test_full_stdout(self):
        self.trace("true")
        with open("/dev/full", "wb") as full:
            for command in (["report", "run.json"], ["report", "--json", "run.json"],
                            ["compare", "run.json"], ["doctor"], ["--help"], ["run", "--help"],
                            ["compare", "--help"], ["report", "--help"], ["--version"]):
                with self.subTest(command):
                    self.assert_fails(self.forktax(*command, stdout=full), 125)

    def test_reader_that_has_gone(self):
        self.trace("true")
        for command in ("report run.json", "run --json true"):
            script = f"{{ $FORKTAX {command} 2>&1; echo $? >status; }} | true"
            for _ in range(3):
                self.shell(script)
                with open("status", encoding="utf-8") as file:
                    self.assertIn(int(file.read()), (0, 125, 141))  # 0: it was faster than `true`


@needs_root
class Files(Case):
    def refused(self, path, *words, **popen):
        before = sorted(os.listdir("."))
        for command in (["run", "-o", path, "touch", "ran"],
                        ["compare", "-n1", "-o", path, "touch ran"]):
            self.assert_fails(self.forktax(*command, **popen), 125, *words)
            self.assert_not_run()
        self.assertEqual(sorted(os.listdir(".")), before)

    def test_missing_directory(self):
        self.refused("no/such/report", "no/such/report", "No such file")

    def test_directory(self):
        self.refused(self.scratch, "directory")

    def test_below_a_file(self):
        open("file", "wb").close()
        self.refused("file/report")

    def test_empty_name(self):
        self.assert_fails(self.forktax("run", "-o", "", "touch", "ran"), 2, "must be the name of a file")
        self.assert_not_run()

    def test_deleted_directory(self):
        os.mkdir("gone")
        os.chdir("gone")
        os.rmdir("../gone")
        self.assert_fails(self.forktax("run", "-o", "report", "touch", "../ran"), 125)
        self.assert_not_run("../ran")
        os.chdir("..")

    @needs("chattr")
    def test_immutable_directory(self):
        os.mkdir("fixed")
        self.addCleanup(subprocess.run, ["chattr", "-i", "fixed"], cwd=self.scratch, check=False,
                        stderr=subprocess.DEVNULL)
        if subprocess.run(["chattr", "+i", "fixed"], capture_output=True, check=False).returncode:
            self.skipTest("this file system knows no immutable files")
        self.refused("fixed/report", "fixed/report")

    @needs("setpriv")
    def test_no_permission(self):
        shutil.copy(support.FORKTAX, "forktax")
        os.chmod("forktax", 0o755)
        os.mkdir("private", 0o700)
        result = self.shell(f"setpriv --reuid={NOBODY} --clear-groups ./forktax run "
                            "-o private/report touch ran")
        self.assert_fails(result, 125, "private/report", "Permission denied")
        self.assert_not_run()

    @needs("unshare")
    def test_read_only_file_system(self):
        os.mkdir("disk")
        result = self.shell("unshare -m --propagation=private sh -c 'mount -t tmpfs -o ro none disk "
                            "&& $FORKTAX run -o disk/report touch ran'")
        self.assert_fails(result, 125, "disk/report", "Read-only")
        self.assert_not_run()

    @needs("unshare")
    def test_full_disk(self):
        os.mkdir("disk")
        for old in ("", "echo old >disk/report;"):
            result = self.shell(
                "unshare -m --propagation=private sh -c 'mount -t tmpfs -o size=8k none disk || exit; "
                f"{old} $FORKTAX run --json -o disk/report true; s=$?; ls -A disk; "
                "cat disk/* 2>/dev/null; exit $s'")
            self.assert_fails(result, 125, "disk/report", "No space")
            self.assertEqual(result.out, b"report\nold\n" if old else b"")

    def test_full_device(self):
        self.assert_fails(self.forktax("run", "-o", "/dev/full", "true"), 125, "/dev/full",
                          "No space")

    def test_file_is_replaced_whole_or_not_at_all(self):
        with open("report", "w", encoding="utf-8") as file:
            file.write("old")
        os.chmod("report", 0o640)
        os.symlink("report", "link")
        result = self.forktax("run", "-o", "link", "cat", "report")
        self.assertEqual((result.status, result.out, result.err), (0, b"old", b""))
        self.assertEqual(os.stat("report").st_mode & 0o777, 0o640)
        self.assertTrue(os.path.islink("link"))
        self.assertEqual(sorted(os.listdir(".")), ["link", "report"])

    @needs("strace")
    def test_signal_while_it_is_written(self):
        """No file is left but the report, whole."""
        self.trace("true")
        process = self.start("report", "--json", "-o", "again.json", "run.json",
                             prefix=["strace", "-qq", "-o", "log", "-e", "trace=fchmod",
                                     "-e", "inject=fchmod:delay_enter=500000"])
        self.assertTrue(wait_until(lambda: any(name.startswith(".") for name in os.listdir("."))))
        forktax, = children(process.pid)
        os.kill(forktax, signal.SIGTERM)
        self.assertEqual(self.finish(process).status, -signal.SIGTERM)
        self.assertEqual(sorted(os.listdir(".")), ["again.json", "log", "run.json"])
        with open("run.json", "rb") as once, open("again.json", "rb") as again:
            self.assertEqual(once.read(), again.read())

    def test_failed_command_makes_no_file(self):
        self.assertEqual(self.forktax("run", "-o", "report", "no-such-command").status, 127)
        self.assertEqual(os.listdir("."), [])

    def test_fifo(self):
        os.mkfifo("fifo")
        read = []
        reader = threading.Thread(target=lambda: read.append(open("fifo", "rb").read()))
        reader.start()
        self.assertEqual(self.forktax("run", "-o", "fifo", "true"), (0, b"", b""))
        reader.join()
        self.assertTrue(read[0].startswith(b"true: exit 0"))

    def test_dev_stdout(self):
        for name in ("-", "/dev/stdout", "/proc/self/fd/1", "/dev/fd/1"):
            with self.subTest(name):
                result = self.forktax("run", "-o", name, "echo", "hello")
                self.assertEqual((result.status, result.err), (0, b""))
                self.assertTrue(result.out.startswith(b"hello\necho hello: exit 0"), result.out)
        self.assertEqual(os.listdir("."), [])

    def test_dash_is_stdout_everywhere(self):
        """No file of that name, whichever command has the option."""
        self.trace("true")
        for command in (["report", "run.json"], ["compare", "run.json"],
                        ["bindnow", "--traced-runs=0", "-n1", "true"],
                        ["bench", "fork", "--rounds=1", "-n1"]):
            with self.subTest(command):
                result = self.forktax(*command[:1 + (command[0] == "bench")], "-o", "-", "--json",
                                      *command[1 + (command[0] == "bench"):])
                self.assertEqual((result.status, result.err), (0, b""))
                self.assertTrue(json.loads(result.out)["schema"].startswith("forktax"))
        self.assertEqual(os.listdir("."), ["run.json"])
        self.assert_fails(self.shell("$FORKTAX report -o - run.json >&-"), 125, "stdout")

    def test_dev_stdout_is_a_file(self):
        for redirection in (">", ">>"):
            with self.subTest(redirection):
                self.shell(f"$FORKTAX run -o /dev/stdout echo hello {redirection}file")
                with open("file", "rb") as file:
                    lines = file.read().split(b"\n")
                self.assertEqual(lines[0], b"hello")
                self.assertIn(b"echo hello: exit 0", lines[1])
                os.unlink("file")
