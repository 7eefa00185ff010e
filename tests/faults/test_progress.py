# SPDX-License-Identifier: GPL-2.0-or-later
"""Progress is one line, whatever the width: a line that wraps could not be replaced by the next."""
from support import Case, Terminal

LONG = "printf " + "abc" * 20


class Progress(Case):
    def shown_at(self, columns):
        status, shown = Terminal("compare", "-n3", "--traced-runs=0", LONG, LONG + "d", columns=columns,
                                 streams=("stderr",), LC_ALL="C.UTF-8").rest()
        self.assertEqual(status, 0, shown)
        return shown.decode()

    def test_never_wider_than_the_terminal(self):
        for columns in (60, 78, 79, 80, 81):
            with self.subTest(columns):
                shown = self.shown_at(columns)
                self.assertNotIn("\n", shown)
                lines = [line.replace("\033[K", "") for line in shown.split("\r")]
                self.assertLess(max(map(len, lines)), columns)
                self.assertGreater(max(map(len, lines)), columns - 3)  # it uses what there is
                self.assertTrue(any("round 3 of 3" in line for line in lines), lines)
