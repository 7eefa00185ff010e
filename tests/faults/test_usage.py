# SPDX-License-Identifier: GPL-2.0-or-later
"""Command lines that make no sense: one line, exit status 2, nothing runs."""
from support import Case


class Usage(Case):
    def usage_error(self, *arguments):
        result = self.forktax(*arguments)
        with self.subTest(arguments):
            self.assert_fails(result, 2)
            self.assertEqual(result.out, b"")
            self.assert_not_run()
        return result

    def test_unknown_command(self):
        self.usage_error("frobnicate")
        self.assertIn(b'"report"', self.usage_error("reprot").err)

    def test_hostile_unknown_command(self):
        self.usage_error("ru\x1b")
        self.usage_error(b"r\xff\nn")

    def test_nothing_at_all(self):
        result = self.forktax()
        self.assertEqual((result.status, result.out), (2, b""))
        self.assertTrue(result.err.startswith(b"usage: forktax"))

    def test_no_command(self):
        for arguments in (["run"], ["run", "--"], ["run", "-q"], ["compare"], ["report"]):
            self.usage_error(*arguments)

    def test_unknown_option(self):
        for command in ("run", "compare", "report", "doctor"):
            self.usage_error(command, "--frobnicate", "touch", "ran")
            self.usage_error(command, "-Z", "touch", "ran")

    def test_hostile_option(self):
        for command in ("run", "compare", "report", "doctor"):
            self.usage_error(command, "--fro\x1b[31m\nb", "touch", "ran")
            self.usage_error(command, "-\x1b", "touch", "ran")

    def test_option_without_its_value(self):
        for option in ("-o", "-p", "-u", "-S", "-e", "--duration", "--faults"):
            self.usage_error("run", option)

    def test_bad_values(self):
        for option in ("--duration=0", "--duration=-1", "--duration=nan", "--duration=1s",
                       "--faults=most", "--follow-daemons=x", "-Sfoo", "-e/(", "-enosuchcall",
                       "--color=pink"):
            self.usage_error("run", option, "touch", "ran")

    def test_bad_process_ids(self):
        for pid in ("abc", "-1", "0", "99999999999", "1,x", "", ",", "1,", " 1x", "1 2"):
            self.usage_error("run", "-p", pid)

    def test_ready_descriptor(self):
        for descriptor in ("x", "-1", "0", "9", "", "1x"):
            for command in ("run", "explain"):
                self.usage_error(command, f"--ready-fd={descriptor}", "-p", "1")
        self.usage_error("run", "--ready-fd=1", "touch", "ran")
        self.usage_error("explain", "--ready-fd=1", "touch", "ran")

    def test_command_and_process(self):
        self.usage_error("run", "-p", "1", "touch", "ran")

    def test_formats_that_exclude_each_other(self):
        self.usage_error("run", "--json", "--csv", "touch", "ran")

    def test_repeated_options(self):
        result = self.forktax("run", "-q", "-q", "-o", "first", "-o", "second", "true")
        self.assertEqual(result.status, 0, result)
