# SPDX-License-Identifier: GPL-2.0-or-later
"""Signals to forktax, from a terminal or from a program, and its own sudden death."""
import os
import pty
import signal
import time

from support import (PAUSE, Case, children, descendants, has_pending, ignore_children, is_alive,
                     needs, needs_root, programs_of, sleeps_in, stat, wait_until)
import support

# Writes `ready`, waits for the signal that it is sent, and says so.
TELL = "$SIG{$ARGV[0]} = sub { print STDOUT qq(got $ARGV[0]\\n); exit 5 }; open F, '>ready'; " \
       "close F; sleep 30"
LIVE_UNTIL_END = "until [ -e end ]; do sleep 0.1; done"
IGNORE_INT = f"trap '' INT; touch ready; {LIVE_UNTIL_END}; touch ended"
# Ends with the number of SIGINTs that came, a second after the first one.
COUNT_INT = "$SIG{INT} = sub { $n++ }; open F, '>ready'; close F; " \
            "select(undef, undef, undef, 0.1) until $n; " \
            "$end = time + 2; select(undef, undef, undef, 0.1) while time < $end; exit $n"
TRIES = 5


class Signals(Case):
    def start_ready(self, *command, **popen):
        process = self.start("run", "--json", "-o", "run.json", *command, **popen)
        self.assertTrue(wait_until(lambda: os.path.exists("ready")), "the command does not begin")
        return process

    @staticmethod
    def end_command():
        os.close(os.open("end", os.O_CREAT))

    def at_the_gate(self, send):
        """The result of a forktax that is sent something while it loads its programs. It may have
        been too quick for us; then the command has run, and it is tried again."""
        for _ in range(TRIES):
            process = self.start("run", "touch", "ran")
            self.assertTrue(wait_until(lambda: children(process.pid)))
            send(process)
            result = self.finish(process)
            self.assertTrue(wait_until(self._everything_ended))
            if not os.path.exists("ran"):
                return result
            os.unlink("ran")
        self.fail(f"the command has run, {TRIES} times: {result}")


@needs_root
@needs("perl")
class Sent(Signals):
    def passed_on(self, number):
        process = self.start_ready("perl", "-e", TELL, number.name[3:])
        process.send_signal(number)
        result = self.finish(process)
        self.assertEqual(result, (5, b"got %s\n" % number.name[3:].encode(), b""))
        self.assertEqual(self.saved()["exit"], {"status": 5, "signal": None})

    def test_sigterm_is_passed_on(self):
        self.passed_on(signal.SIGTERM)

    def test_sigint_is_passed_on(self):
        self.passed_on(signal.SIGINT)

    def test_sighup_is_passed_on(self):
        self.passed_on(signal.SIGHUP)

    def test_sent_twice(self):
        """As timeout(1) does: to its child, and then to the process group."""
        for gap in (0, 0.001, 0.004, 0.01, 0.03, 0.06):
            with self.subTest(gap=gap):
                process = self.start_ready("sh", "-c", "touch ready; exec sleep 30", start_new_session=True)
                process.send_signal(signal.SIGTERM)
                time.sleep(gap)
                os.killpg(process.pid, signal.SIGTERM)
                self.assertEqual(self.finish(process).status, -signal.SIGTERM)
                self.assertEqual(self.saved()["exit"], {"status": None, "signal": signal.SIGTERM})
                os.unlink("run.json")
                os.unlink("ready")

    def test_sigterm_while_loading(self):
        result = self.at_the_gate(lambda process: process.terminate())
        self.assertEqual(result.status, -signal.SIGTERM)

    def test_command_that_ignores_it_and_a_second_one(self):
        process = self.start_ready("sh", "-c", IGNORE_INT)
        command, = children(process.pid)
        process.send_signal(signal.SIGINT)
        self.assertTrue(wait_until(lambda: not has_pending(process.pid, signal.SIGINT)))
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.wait_alone(process), -signal.SIGINT)
        self.assertTrue(is_alive(command))
        self.assertIn("before the command", " ".join(self.saved()["integrity"]["notes"]))
        self.end_command()
        self.assertTrue(wait_until(lambda: os.path.exists("ended")), "the command did not live on")

    def test_background_job_that_ignores_sigint(self):
        process = self.start_ready("sh", "-c", f"touch ready; {LIVE_UNTIL_END}; exit 4",
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        for _ in range(3):
            process.send_signal(signal.SIGINT)
            time.sleep(0.05)
        self.end_command()
        self.assertEqual(self.finish(process).status, 4)

    def test_dispositions_and_masks_are_inherited(self):
        def prepare():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])

        plain = self.shell("grep -E 'Sig(Blk|Ign)' /proc/self/status", preexec_fn=prepare)
        traced = self.shell("$FORKTAX run -o /dev/null grep -E 'Sig(Blk|Ign)' /proc/self/status",
                            preexec_fn=prepare)
        self.assertEqual(traced, plain)

    def test_ignored_sigchld(self):
        """It waits for the command all the same, which may wait for its own children."""
        script = "grep SigIgn /proc/self/status; sh -c 'exit 3'; exit $?"
        plain = self.shell(script)
        traced = self.forktax("run", "-o", "/dev/null", "sh", "-c", script,
                              preexec_fn=ignore_children)
        self.assertEqual(traced, plain)

    def test_stopped_and_continued(self):
        process = self.start_ready("sh", "-c", f"touch ready; {LIVE_UNTIL_END}; exit 4")
        command, = children(process.pid)
        os.kill(command, signal.SIGSTOP)
        time.sleep(0.2)
        self.assertIsNone(process.poll())
        os.kill(command, signal.SIGCONT)
        self.end_command()
        self.assertEqual(self.finish(process).status, 4)


@needs_root
class Terminal(Signals):
    def on_terminal(self, *command):
        pid, terminal = pty.fork()
        if not pid:
            os.execv(support.FORKTAX, ["forktax", "run", "--json", "-o", "run.json", *command])
        self.addCleanup(os.close, terminal)
        self.assertTrue(wait_until(lambda: os.path.exists("ready")), "the command does not begin")
        return pid, terminal

    def status(self, pid):
        found = wait_until(lambda: os.waitpid(pid, os.WNOHANG)[1:] if not is_alive(pid) else None)
        self.assertIsNotNone(found, "forktax does not end")
        return os.waitstatus_to_exitcode(found[0])

    def test_ctrl_c_once(self):
        pid, terminal = self.on_terminal("sh", "-c", "touch ready; exec sleep 30")
        os.write(terminal, b"\x03")
        self.assertEqual(self.status(pid), -signal.SIGINT)
        run = self.saved()
        self.assertEqual(run["exit"], {"status": None, "signal": signal.SIGINT})
        self.assertTrue(run["integrity"]["exact"])

    @needs("perl")
    def test_ctrl_c_arrives_once(self):
        pid, terminal = self.on_terminal("perl", "-e", COUNT_INT)
        os.write(terminal, b"\x03")
        self.assertEqual(self.status(pid), 1)

    def test_ctrl_c_twice(self):
        pid, terminal = self.on_terminal("sh", "-c", IGNORE_INT)
        command, = children(pid)
        for _ in range(2):
            os.write(terminal, b"\x03")
            time.sleep(0.2)
            self.assertTrue(wait_until(lambda: not has_pending(pid, signal.SIGINT)))
        # The session's leader ends, and with it the terminal of the command.
        self.assertEqual(self.status(pid), -signal.SIGINT)
        self.assertEqual(self.saved()["exit"], {"status": None, "signal": None})
        wait_until(lambda: not is_alive(command))


@needs_root
class Killed(Signals):
    def test_while_the_command_runs(self):
        process = self.start_ready("sh", "-c", f"touch ready; {LIVE_UNTIL_END}; touch ended")
        programs = programs_of(process.pid)
        command, = children(process.pid)
        process.kill()
        self.wait_alone(process)
        self.assert_unloaded(programs)
        self.assertTrue(is_alive(command))
        self.end_command()
        self.assertTrue(wait_until(lambda: os.path.exists("ended")), "the command did not live on")
        self.assertFalse(os.path.exists("run.json"))

    def test_while_loading(self):
        self.at_the_gate(lambda process: process.kill())

    @needs("strace")
    def test_while_it_tries_the_memory_of_a_child(self):
        """No child waits for ever that forktax has forked, but not yet heard of."""
        process = self.start("doctor", prefix=["strace", "-qq", "-o", "log", "-e", "trace=clone",
                                               "-e", "inject=clone:delay_exit=3000000:when=1"])

        def parent():
            return next((stat(pid)[1] for pid in descendants(process.pid)
                         if sleeps_in(pid, PAUSE) and stat(pid)), None)
        forktax = wait_until(parent)
        self.assertTrue(forktax, "no child was forked")
        os.kill(forktax, signal.SIGKILL)
        self.assertEqual(self.wait_alone(process), -signal.SIGKILL)

    def test_nothing_stays_attached(self):
        process = self.start_ready("sh", "-c", f"touch ready; {LIVE_UNTIL_END}")
        programs = programs_of(process.pid)
        self.end_command()
        self.assertEqual(self.finish(process).status, 0)
        self.assert_unloaded(programs)
