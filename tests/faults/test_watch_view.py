# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:tmux
"""The live view of a watch on a terminal: tmux is the terminal, saved samples are what it shows."""
import os
import signal
import subprocess

from support import Case, Terminal, needs, wait_until
import support

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden/watch")
SAMPLES = [f"{GOLDEN}/classes.json", f"{GOLDEN}/classes-later.json"]


def replay():
    return os.path.join(os.path.dirname(support.SAMPLES), "tests/unit/watch-replay")


@needs("tmux")
class View(Case):
    def setUp(self):
        super().setUp()
        self.servers = 0  # each on a socket of its own: one that is about to end still answers
        if not os.path.exists(replay()):
            self.skipTest("watch-replay is not built (cmocka)")

    def socket(self):
        return f"{self.scratch}/tmux{self.servers}"

    def tmux(self, *words):
        return subprocess.run(["tmux", "-f", "/dev/null", "-S", self.socket(), *words], check=True,
                              capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout.decode()

    def open(self, columns=80, rows=24, samples=SAMPLES, milliseconds=1):
        """A shell in a terminal of that size, which runs the view; what it prints then is at the end of the screen."""
        self.servers += 1
        view = " ".join([replay(), str(milliseconds), *samples])
        self.tmux("new-session", "-d", "-x", str(columns), "-y", str(rows),
                  f"echo before; stty -a >before; TZ=UTC {view}; echo ended with $?; stty -a >after; read line")

    def tearDown(self):
        subprocess.run(["tmux", "-S", self.socket(), "kill-server"], check=False, capture_output=True)
        super().tearDown()

    def lines(self, *options):
        return self.tmux("capture-pane", "-p", *options).splitlines()

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def until(self, condition):
        """Waits for lines of the screen that fulfil a condition, and returns them."""
        self.assertTrue(wait_until(lambda: condition(self.lines()), 20), "\n".join(self.lines()))
        return self.lines()

    def row(self, number):
        """The name in a row of the table, once it is drawn."""
        return self.lines()[5 + number].split()[0]

    def golden(self, name):
        with open(f"{GOLDEN}/{name}", encoding="utf-8") as file:
            return [line.removesuffix(" marked").removesuffix("|").rstrip() for line in file.read().splitlines()]

    def shown(self, name):
        wanted = self.golden(name)
        return self.until(lambda lines: [line.rstrip() for line in lines] == wanted)

    def test_screen_is_the_frame(self):
        self.open()
        self.shown("units-80x24.txt")
        self.keys("d")
        self.shown("unit-80x24.txt")
        self.keys("Escape")
        self.shown("units-80x24.txt")
        self.keys("h")
        self.shown("help-80x24.txt")
        self.keys("h")
        self.shown("units-80x24.txt")

    def test_sorting_and_selecting(self):
        self.open()
        self.shown("units-80x24.txt")
        self.keys("e")
        self.until(lambda lines: lines[5].startswith(">cron.service"))
        self.keys("r")
        self.until(lambda lines: lines[9].startswith(" cron"))
        self.keys("r", ">")
        self.until(lambda lines: "▼MiB/s" in lines[4] and lines[5].startswith(">nginx"))
        self.keys("Down")
        self.until(lambda lines: lines[6].startswith(">cron"))
        marked = [line for line in self.lines("-e") if line.startswith("\x1b[7m")]
        self.assertEqual(len(marked), 1)
        self.assertIn(">cron.service", marked[0])
        self.keys("Enter")
        self.until(lambda lines: lines[0].startswith("cron.service forks") and "sh " in "".join(lines))
        self.keys("Left")
        self.until(lambda lines: lines[6].startswith(">cron"))

    def test_pausing(self):
        self.open(milliseconds=1500)
        self.until(lambda lines: "Counting" in lines[0])
        self.keys("p")
        self.until(lambda lines: lines[1].find("PAUSED at 03:00:00") > 0)
        wait_until(lambda: False, 2)  # the next sample has come, and is not shown
        self.assertIn("PAUSED at 03:00:00", self.lines()[1])
        self.keys("e")  # keys work all the same
        self.until(lambda lines: "▼" in lines[4])
        self.keys("p")
        self.until(lambda lines: "PAUSED" not in lines[1])

    def test_resizing(self):
        self.open()
        self.shown("units-80x24.txt")
        self.tmux("resize-window", "-x", "60", "-y", "10")
        self.shown("units-60x10.txt")
        self.keys("d")
        self.shown("unit-60x10.txt")
        self.keys("d")
        self.tmux("resize-window", "-x", "80", "-y", "24")
        self.shown("units-80x24.txt")

    def assert_restored(self):
        lines = self.until(lambda lines: any(line.startswith("ended") for line in lines))
        self.assertEqual(lines[0], "before")  # the screen is the one from before
        self.assertEqual(lines[1], "ended with 0")
        wait_until(lambda: os.path.exists("after") and os.path.getsize("after"))
        with open("before", encoding="utf-8") as before, open("after", encoding="utf-8") as after:
            self.assertEqual(before.read(), after.read())
        self.assertEqual(self.tmux("display-message", "-p", "#{cursor_flag} #{alternate_on} #{wrap_flag}"), "1 0 1\n")

    def test_quitting(self):
        self.open()
        self.shown("units-80x24.txt")
        self.assertEqual(self.tmux("display-message", "-p", "#{cursor_flag} #{alternate_on}"), "0 1\n")
        self.keys("q")
        self.assert_restored()

    def test_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number):
                self.open()
                self.shown("units-80x24.txt")
                pane = int(self.tmux("display-message", "-p", "#{pane_pid}"))
                [view] = support.children(pane)
                os.kill(view, number)
                self.assert_restored()
                self.tmux("kill-server")
                os.unlink("after")

    def test_ctrl_c(self):
        self.open()
        self.shown("units-80x24.txt")
        self.keys("C-z")  # does nothing: the view would stop with the terminal in its hands
        self.keys("e")
        self.until(lambda lines: lines[5].startswith(">cron"))
        self.keys("C-c")
        self.until(lambda lines: "ended" in "".join(lines) or lines[0] == "before")

    def test_terminal_that_goes_away(self):
        self.open()
        self.shown("units-80x24.txt")
        pane = int(self.tmux("display-message", "-p", "#{pane_pid}"))
        [view] = support.children(pane)
        self.tmux("kill-session")
        self.assertTrue(wait_until(lambda: not support.is_alive(view), 10))


class Streams(Case):
    def test_one_write_a_frame(self):
        """Nothing is cleared, and a screen is drawn by one write: so nothing flickers."""
        if not os.path.exists(replay()) or not support.shutil.which("strace"):
            self.skipTest("no strace, or watch-replay is not built")
        saved, support.FORKTAX = support.FORKTAX, "strace"
        self.addCleanup(setattr, support, "FORKTAX", saved)
        terminal = Terminal("-o", "calls", "-s", "9999", "-e", "trace=write", replay(), "1", *SAMPLES, LC_ALL="C.UTF-8")
        terminal.read_until(b"nginx.service forks most")
        terminal.type(b"r")
        terminal.read_until("▲".encode())
        terminal.resize(20, 70)
        os.kill(support.children(terminal.process.pid)[0], signal.SIGWINCH)
        terminal.read_until("▲".encode())
        terminal.type(b"q")
        self.assertEqual(terminal.rest()[0], 0)
        with open("calls", encoding="utf-8") as file:
            writes = [line for line in file if line.startswith("write(1,")]
        frames = [line for line in writes if line.startswith('write(1, "\\33[H')]
        self.assertGreaterEqual(len(frames), 4)  # two samples, a key, another size
        self.assertEqual(len(writes), len(frames) + 2)  # and the beginning and the end
        self.assertFalse([line for line in frames if "\\33[2J" in line or "\\33[J" in line.split("\\r\\n")[0]])

    def test_no_terminal(self):
        if not os.path.exists(replay()):
            self.skipTest("watch-replay is not built (cmocka)")
        result = subprocess.run([replay(), "1", *SAMPLES], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.assertEqual((result.returncode, result.stdout), (1, b""))
        self.assertIn(b"stdout is not a terminal", result.stderr)
