# SPDX-License-Identifier: GPL-2.0-or-later
"""Names and arguments made to harm: escape sequences, newlines, invalid UTF-8, none, too much."""
import csv
import io
import os
import re
import shutil

from support import Case, needs, needs_root

HOSTILE = b"x\x1b[31m\x1b]0;owned\x07\n\rforged: exit 0\t\x9b\xff\xc0\xaf\x7f"
CONTROL = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]")


@needs_root
class Names(Case):
    def assert_harmless(self, text):
        self.assertIsNone(CONTROL.search(text), text)
        text.decode("utf-8")

    def every_report(self, *command, options=("--show=processes,tree",)):
        """Traces a command; all that is shown of it is harmless. Returns the saved run."""
        run = self.trace(*command, options=options)
        for form in ([], ["--show=tree"], ["--show=processes"], ["--color=never"], ["--csv"], ["--json"]):
            for locale in ("C", "C.UTF-8"):
                result = self.forktax("report", *form, "run.json", env={**os.environ, "LC_ALL": locale})
                self.assertEqual((result.status, result.err), (0, b""))
                # Lines of CSV end in CR LF.
                out = result.out.replace(b"\r\n", b"\n")
                # JSON need not escape DEL.
                self.assert_harmless(out.replace(b"\x7f", b"") if form == ["--json"] else out)
        result = self.forktax("run", *command)
        self.assert_harmless(result.err)
        return run

    def test_arguments(self):
        run = self.every_report(b"/bin/true", HOSTILE, b"", b"'\"\\", "ü\u202e\u2066".encode())
        self.assertEqual(run["command"][2:4], ["", "'\"\\"])
        self.assertEqual(run["command"][1], HOSTILE.decode("utf-8", "replace"))

    def test_long_argument(self):
        run = self.every_report("true", "x" * 4096, "y" * 100000)
        self.assertEqual([len(word) for word in run["command"]], [4, 4096, 100000])

    def test_path(self):
        shutil.copy("/bin/true", HOSTILE)
        run = self.every_report(b"./" + HOSTILE)
        self.assertTrue(any("owned" in exe["path"] for exe in run["exes"]), run["exes"])

    def test_path_of_a_child(self):
        shutil.copy("/bin/true", HOSTILE)
        self.every_report(b"sh", b"-c", b'"$@"; :', b"sh", b"./" + HOSTILE)

    def test_long_path(self):
        directory = "/".join(["d" * 200] * 15)
        os.makedirs(directory)
        shutil.copy("/bin/true", directory)
        self.every_report(f"{directory}/true")

    @needs("perl")
    def test_comm(self):
        self.every_report(b"perl", b"-e", b"$0 = shift; fork; wait", HOSTILE)

    def test_command_not_found(self):
        result = self.forktax("run", HOSTILE)
        self.assert_fails(result, 127)
        self.assert_fails(self.forktax("run", b"./no/" + HOSTILE), 127)

    def test_output_name(self):
        self.assert_fails(self.forktax("run", "-o", b"no/" + HOSTILE, "true"), 125)

    def test_saved_run_of_that_name(self):
        self.assert_fails(self.forktax("report", HOSTILE), 125)
        with open(HOSTILE, "wb") as file:
            file.write(b"{")
        self.assert_fails(self.forktax("report", HOSTILE), 125)
        self.assert_fails(self.forktax("compare", HOSTILE), 125)

    def test_csv_has_its_cells(self):
        self.trace(b"/bin/true", b'a,b"c\nd')
        result = self.forktax("report", "--csv", "run.json")
        for row in csv.reader(io.StringIO(result.out.decode())):
            self.assertFalse(any("\n" in cell for cell in row))
