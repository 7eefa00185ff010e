# SPDX-License-Identifier: GPL-2.0-or-later
"""Reports on a terminal; parts of a report, by --show."""
import os

from support import Case, Terminal

HERE = os.path.dirname(os.path.abspath(__file__))
RUN = os.path.join(HERE, "../golden/forks.json")


class Terminals(Case):
    def on_terminal(self, rows, *arguments, stream="stdout", status=0):
        """What a terminal of so many rows shows."""
        ended, shown = Terminal(*arguments, rows=rows, streams=(stream,)).rest()
        self.assertEqual(ended, status, shown)
        return shown.replace(b"\r\n", b"\n")

    def test_longer_than_the_terminal(self):
        """The head has scrolled away: it stands again at the end."""
        whole = self.on_terminal(500, "report", RUN)
        self.assertEqual(whole.count(whole.splitlines()[0]), 1)
        self.assertEqual(self.on_terminal(10, "report", RUN), whole + b"\n" + whole.split(b"\n\n")[0] + b"\n")
        self.assertIn(b"\033[", whole)

    def test_one_page_stays_one(self):
        """On 24 lines the head has scrolled away, but a page and its head would be more than a page."""
        whole = self.on_terminal(24, "report", os.path.join(HERE, "../golden/anatomy.json"))
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

    def test_data_on_the_terminal_of_stderr(self):
        """`run --json true > file` would leave the file empty."""
        for option in ("--json", "--csv"):
            shown = self.on_terminal(25, "run", option, "--source=strace", "true", stream="stderr",
                                     status=2)
            self.assertIn(b"give -o FILE, or -o - for stdout", b" ".join(shown.split()))
            self.on_terminal(25, "run", option, "-o-", "--source=strace", "true", stream="stderr")
        self.on_terminal(25, "report", "--json", RUN)


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
