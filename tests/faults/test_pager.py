# SPDX-License-Identifier: GPL-2.0-or-later
"""Reports that are longer than the terminal go through a pager; parts of a report, by --show."""
import os

from support import Case, Terminal

HERE = os.path.dirname(os.path.abspath(__file__))
RUN = os.path.join(HERE, "../golden/forks.json")


class Pager(Case):
    def on_terminal(self, rows, *arguments, stream="stdout", status=0, pager=None, **variables):
        """What a terminal of so many rows shows; the pager of the tests marks what goes through it."""
        if pager is not None:
            variables["PAGER"] = pager
        ended, shown = Terminal(*arguments, rows=rows, streams=(stream,), **variables).rest()
        self.assertEqual(ended, status, shown)
        return shown.replace(b"\r\n", b"\n")

    def test_longer_than_the_terminal(self):
        shown = self.on_terminal(10, "report", RUN, pager="echo PAGED; cat")
        self.assertTrue(shown.startswith(b"PAGED\n"), shown)
        direct = self.on_terminal(10, "report", "--no-pager", RUN)
        # Where there is no pager, the head has scrolled away: it stands again at the end.
        self.assertEqual(direct, shown[6:] + b"\n" + shown[6:].split(b"\n\n")[0] + b"\n")
        # Colours are the terminal's, although the pager reads from a pipe.
        self.assertIn(b"\033[", shown)

    def test_one_page_stays_one(self):
        """On 24 lines the head has scrolled away, but a page and its head would be more than a page."""
        whole = self.on_terminal(24, "report", "--no-pager", os.path.join(HERE, "../golden/anatomy.json"))
        self.assertLessEqual(whole.count(b"\n"), 40, whole)
        self.assertEqual(whole.count(whole.splitlines()[0]), 1)

    def test_one_screen_with_a_warning(self):
        """Tables have fewer rows, and the picture fewer bars, before the answer is longer than a screen."""
        for name, most in (("anatomy", 40), ("compare/moved", 40), ("stacks", 40), ("bench/spawn", 37), ("tree", 37),
                           ("machine", 37), ("bench/spawn-sizes", 37), ("start", 37), ("files", 40),
                           ("files-processes", 40), ("doctor/user", 40)):
            with self.subTest(name):
                report = self.forktax("report", os.path.join(HERE, f"../golden/{name}.json"))
                self.assertLessEqual(report.out.count(b"\n"), most, report.out)
        # --top says how many rows; the bars are one picture.
        self.assertNotIn(b"other parts",
                         self.forktax("report", "--top=2", os.path.join(HERE, "../golden/anatomy.json")).out)

    def test_fits_the_terminal(self):
        direct = self.on_terminal(500, "report", "--no-pager", RUN)
        self.assertEqual(direct.count(direct.splitlines()[0]), 1)
        self.assertNotIn(b"PAGED", self.on_terminal(500, "report", RUN, pager="echo PAGED; cat"))

    def test_report_on_stderr(self):
        shown = self.on_terminal(5, "run", "--source=strace", "true", pager="echo PAGED; cat",
                                 stream="stderr")
        self.assertIn(b"PAGED\n", shown)
        self.assertIn(b"true: exit 0", shown)

    def test_data_on_the_terminal_of_stderr(self):
        """`run --json true > file` would leave the file empty."""
        for option in ("--json", "--csv"):
            shown = self.on_terminal(25, "run", option, "--source=strace", "true", stream="stderr",
                                     status=2)
            self.assertIn(b"give -o FILE, or -o - for stdout", b" ".join(shown.split()))
            self.on_terminal(25, "run", option, "-o-", "--source=strace", "true", stream="stderr")
        self.on_terminal(25, "report", "--json", RUN)

    def test_none_wanted(self):
        direct = self.on_terminal(10, "report", "--no-pager", RUN)
        for pager in ("", "cat"):
            self.assertEqual(self.on_terminal(10, "report", RUN, pager=pager), direct)
        self.assertNotIn(b"PAGED", self.on_terminal(10, "report", RUN, pager="echo PAGED; cat", TERM="dumb"))

    def test_missing_pager_loses_nothing(self):
        shown = self.on_terminal(10, "report", RUN, pager="no-such-pager 2>/dev/null")
        self.assertEqual(shown, self.on_terminal(10, "report", "--no-pager", RUN))

    def test_reader_who_quits_early(self):
        shown = self.on_terminal(10, "report", "-v", RUN, pager="head -n 1")
        self.assertEqual(len(shown.splitlines()), 1, shown)

    def test_not_a_terminal(self):
        result = self.forktax("report", RUN, env={**os.environ, "TERM": "xterm", "PAGER": "echo PAGED; cat"})
        self.assertEqual(result.status, 0)
        self.assertNotIn(b"PAGED", result.out)


class Sections(Case):
    def test_only_those_named(self):
        out = self.forktax("report", "--show=faults", RUN).out
        self.assertIn(b"Page faults\n", out)
        self.assertNotIn(b"System calls", out)
        both = self.forktax("report", "--show=faults", "--show=calls", RUN).out
        self.assertEqual(both, self.forktax("report", "--show=calls,faults", RUN).out)
        self.assertIn(b"System calls", both)

    def test_of_data(self):
        out = self.forktax("report", "--csv", "--show=faults", RUN).out
        self.assertIn(b"# Page faults", out)
        self.assertNotIn(b"# System calls", out)

    def test_wrong_names(self):
        for name in ("nothing", "", "calls,"):
            result = self.forktax("report", f"--show={name}", RUN)
            self.assert_fails(result, 2, "calls, ")

    def test_of_another_document(self):
        bench = os.path.join(HERE, "../golden/bench/fork.json")
        self.assert_fails(self.forktax("report", "--show=faults", bench), 2, "none of the sections")
