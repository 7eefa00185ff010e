# SPDX-License-Identifier: GPL-2.0-or-later
"""Progress is one line, whatever the width: a line that wraps could not be replaced by the next."""
import fcntl
import os
import pty
import struct
import subprocess
import termios

import support
from support import Case

LONG = "printf " + "abc" * 20


class Progress(Case):
    def shown_at(self, columns):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        environment.update(TERM="xterm", LC_ALL="C.UTF-8")
        child = subprocess.Popen([support.FORKTAX, "compare", "-n3", "--traced-runs=0", LONG, LONG + "d"],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave,
                                 env=environment)
        os.close(slave)
        shown = b""
        while True:
            try:
                more = os.read(master, 65536)
            except OSError:  # EIO: nobody has the terminal open any more
                break
            shown += more
        os.close(master)
        self.assertEqual(child.wait(), 0, shown)
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
