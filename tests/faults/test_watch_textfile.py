# SPDX-License-Identifier: GPL-2.0-or-later
"""The textfile of a watch: it is replaced as a whole, or stays, and the message says why."""
import os
import subprocess

from support import Case, needs_root
import support

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden/watch")


class Textfile(Case):
    def setUp(self):
        super().setUp()
        self.program = os.path.join(os.path.dirname(support.SAMPLES), "tests/unit/watch-textfile")
        if not os.path.exists(self.program):
            self.skipTest("watch-textfile is not built (cmocka)")

    def write(self, path="x.prom", before="", **popen):
        """Writes a textfile, after a script that prepares where it goes: (status, stderr)."""
        script = f'{before} "$1" {path} {GOLDEN}/classes.json; status=$?; ls -A {os.path.dirname(path) or "."} >left; exit $status'
        result = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", self.program] if before
                                else ["sh", "-c", script, "sh", self.program], capture_output=True, check=False, **popen)
        self.assertEqual(result.stdout, b"")
        return result.returncode, result.stderr.decode()

    def left(self):
        with open("left", encoding="utf-8") as file:
            return file.read().split()

    def test_is_replaced(self):
        with open("x.prom", "w", encoding="utf-8") as file:
            file.write("old\n" * 10000)
        os.chmod("x.prom", 0o600)
        inode = os.stat("x.prom").st_ino
        self.assertEqual(self.write(), (0, ""))
        self.assertEqual(self.left(), ["left", "x.prom"])
        self.assertNotEqual(os.stat("x.prom").st_ino, inode)  # who reads the old one reads it to its end
        self.assertEqual(os.stat("x.prom").st_mode & 0o777, 0o600)
        with open("x.prom", encoding="utf-8") as file, open(f"{GOLDEN}/classes.prom", encoding="utf-8") as golden:
            written, wanted = file.read().splitlines(), golden.read().splitlines()
        self.assertEqual(written[:-1], wanted[:-1])
        self.assertIn(f'kernel="{os.uname().release}"', written[-1])

    def test_is_synced_before_it_is_renamed(self):
        """After a crash of the machine there is the old file or the new one."""
        calls = self.calls_of("fsync,rename,renameat,renameat2")
        self.assertEqual([call.split("(")[0] for call in calls], ["fsync", "rename"], calls)

    def calls_of(self, names):
        if not support.shutil.which("strace"):
            self.skipTest("no strace")
        subprocess.run(["strace", "-o", "calls", "-e", f"trace={names}", self.program, "x.prom",
                        f"{GOLDEN}/classes.json"], check=True)
        with open("calls", encoding="utf-8") as file:
            return [line for line in file if not line.startswith("+++")]

    def test_several_lines_are_refused(self):
        """A file of samples is no document; the message says what to do."""
        with open("two.jsonl", "wb") as two:
            for name in ("totals", "classes"):
                with open(f"{GOLDEN}/{name}.json", "rb") as one:
                    two.write(one.read())
        self.assert_fails(self.forktax("report", "two.jsonl"), 125, "two.jsonl", "tail -n 1")
        last = self.shell("tail -n 1 two.jsonl | $FORKTAX report -")
        self.assertEqual((last.status, last.err), (0, b""))
        self.assertIn(b"nginx.service forked most: 1000 forks", last.out)

    @needs_root
    def test_full_disk(self):
        os.mkdir("disk")
        status, said = self.write("disk/x.prom", "mount -t tmpfs -o size=8k none disk && echo old >disk/x.prom &&"
                                  " cp disk/x.prom disk/copy &&")
        self.assertEqual(status, 1)
        self.assertIn("cannot write disk/x.prom: No space left on device", said)
        self.assertEqual(self.left(), ["copy", "x.prom"])

    @needs_root
    def test_old_one_stays_on_a_full_disk(self):
        os.mkdir("disk")
        self.write("disk/x.prom", "mount -t tmpfs -o size=8k none disk && echo old >disk/x.prom && trap 'cat disk/x.prom >kept' EXIT;")
        with open("kept", encoding="utf-8") as file:
            self.assertEqual(file.read(), "old\n")

    @needs_root
    def test_read_only_directory(self):
        os.mkdir("disk")
        status, said = self.write("disk/x.prom", "mount -t tmpfs none disk && echo old >disk/x.prom && mount -o remount,ro disk;")
        self.assertEqual(status, 1)
        self.assertRegex(said, r"cannot write disk/x\.prom: .*Read-only file system")
        self.assertEqual(self.left(), ["x.prom"])

    def test_directory_that_is_gone(self):
        status, said = self.write("gone/x.prom")
        self.assertEqual(status, 1)
        self.assertIn("cannot write gone/x.prom: cannot create a file beside it: No such file or directory", said)

    def test_directory_that_may_not_be_written(self):
        os.mkdir("closed", 0o555)
        status, said = self.write("closed/x.prom", **({"user": support.NOBODY} if os.geteuid() == 0 else {}))
        self.assertEqual(status, 1)
        self.assertRegex(said, r"cannot write closed/x\.prom: .*Permission denied")
