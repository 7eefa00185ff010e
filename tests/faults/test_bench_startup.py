# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: all
"""forktax bench startup: commands and libraries that cannot be; its parts; Ctrl-C."""
import os
import signal
import subprocess

import support
from bench_case import QUICK, Bench


class Startup(Bench):
    kind = "startup"

    def test_usage(self):
        for value in ("-1", "x", "", "901"):
            self.refuses("--libraries", value, words=("--libraries",))
        for value in ("-1", "1", "257", "16385"):
            self.refuses("--relocations", value, words=("--relocations",))
        for value in ("libraries", "size=1", "relocations=1..5", "libraries=1..1000"):
            self.refuses("--sweep", value, words=("--sweep",))
        for value in ("a;b", "'x", "$(touch ran)", "", " "):
            self.refuses(value)
        self.refuses("true", "true", words=("another row has that name",))
        self.refuses("static", words=("another row has that name",))
        self.assert_fails(self.bench("/nowhere/x"), 127, "/nowhere/x")
        self.assert_fails(self.bench("/etc/passwd"), 126, "/etc/passwd")

    def test_commands_that_fail(self):
        cells = self.measured("false", "sh -c 'kill -9 $$'", "true", status=125)
        self.assertEqual(cells["false", ""]["state"], "failed")
        self.assertIn("killed by a signal", cells["sh -c 'kill -9 $$'", ""]["reason"])
        self.assertEqual(cells["true", ""]["state"], "measured")
        cells = self.measured("-i", "false")
        self.assertEqual(cells["false", ""]["state"], "measured")

    def test_output_of_commands_is_nobodys(self):
        """Not even if it looks like a result."""
        cells = self.measured("echo forktax-loop operations=1 elapsed_ns=1")
        self.assertEqual({cell["state"] for (row, _), cell in cells.items() if row[0] == "e"},
                         {"measured"})

    def test_libraries_are_removed(self):
        os.mkdir("tmp")
        environment = dict(os.environ, TMPDIR=os.path.abspath("tmp"))
        cells = self.measured("--libraries=3", "--relocations=256", env=environment)
        self.assertEqual(cells["dynamic", ""]["state"], "measured")
        self.assertIn("static program", cells["static", ""]["reason"])
        self.assertEqual(os.listdir("tmp"), [])

    @support.needs("strace")
    def test_interrupt_before_the_measurement(self):
        """No library is left that was copied for a plan."""
        os.mkdir("tmp")
        process = self.start("bench", "startup", "--rounds=1", "--libraries=2",
                             env=dict(os.environ, TMPDIR=os.path.abspath("tmp")),
                             prefix=["strace", "-qq", "-o", "log", "-e", "trace=sendfile",
                                     "-e", "inject=sendfile:delay_enter=500000:when=1"])
        self.assertTrue(support.wait_until(lambda: os.listdir("tmp")))
        forktax, = support.children(process.pid)
        os.kill(forktax, signal.SIGTERM)
        self.assertEqual(self.finish(process).status, -signal.SIGTERM)
        self.assertEqual(os.listdir("tmp"), [])

    def test_no_room_for_libraries(self):
        environment = dict(os.environ, TMPDIR="/nowhere")
        cells = self.bench(*QUICK, "--libraries=3", env=environment)
        self.assert_fails(cells, 125, "/nowhere/forktax-")

    def test_interrupt(self):
        """Neither the command nor a library is left."""
        os.mkdir("tmp")
        script = self.script("hangs", "#!/bin/sh\ntouch started\nexec sleep 300\n")
        process = self.start("bench", "startup", "--rounds=3", script,
                             env=dict(os.environ, TMPDIR=os.path.abspath("tmp")))
        self.assertTrue(support.wait_until(lambda: os.path.exists("started")))
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).status, -signal.SIGINT)
        self.assertEqual(os.listdir("tmp"), [])


@support.needs_root
class Parts(Bench):
    """The parts of a start add up to what it takes without them."""
    kind = "startup"

    def loops(self):
        """A directory with nothing but what runs other commands."""
        os.makedirs("loops/dynamic")
        os.symlink(self.sample("startloop"), "loops/dynamic/startloop")
        return os.path.abspath("loops")

    @support.needs("strace")
    def test_calls_are_those_of_strace(self):
        result = self.bench("--rounds=3", "--min-time=0.001", "--json", "-o", "bench.json")
        self.assertEqual(result.status, 0, result)
        saved = self.saved("bench.json")
        counted = {saved["rows"][cell["row"]]["name"]: cell["per_op"].get("syscalls")
                   for cell in saved["cells"] if cell["state"] == "measured"}
        for row, linkage in (("dynamic", "dynamic"), ("-z now", "now"), ("static", "static"),
                             ("static-pie", "static-pie"), ("dietlibc", "diet"), ("musl", "musl")):
            if row not in counted:
                continue
            subprocess.run(["strace", "-o", "log", self.sample("true", linkage)], check=True)
            with open("log", encoding="ascii") as log:
                calls = sum(not line.startswith("+++") for line in log)
            self.assertEqual((row, counted[row]), (row, calls))

    def test_interrupted_while_it_is_taken_apart(self):
        """By a signal to forktax alone: the command that runs just then is ended."""
        # Quick in the warm-up, the round, and the traced run; where its main() is, is no whole run.
        script = self.script("slow", "#!/bin/sh\necho >>runs\n"
                             "[ $(wc -l <runs) -le 3 ] || exec sleep 300\n")
        process = self.start("bench", "startup", "--rounds=1", "-n1", script)
        self.assertTrue(support.wait_until(
            lambda: os.path.exists("runs") and os.path.getsize("runs") > 3))
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.finish(process).status, -signal.SIGTERM)

    @support.needs("strace")
    def test_interrupted_before_it_waits(self):
        """The signal comes when the command runs, and forktax does not yet wait for its end."""
        script = self.script("slow", "#!/bin/sh\nread -r parent </proc/$PPID/comm\n"
                             "[ $parent != forktax ] || { echo $PPID >hangs; exec sleep 300; }\n")
        process = self.start("bench", "startup", "--rounds=1", "-n1", "--loops", self.loops(), script,
                             prefix=["strace", "-qq", "-o", "log", "-e", "trace=vfork",
                                     "-e", "inject=vfork:delay_exit=500000"])
        self.assertTrue(support.wait_until(
            lambda: os.path.exists("hangs") and os.path.getsize("hangs")))
        with open("hangs", encoding="ascii") as file:
            os.kill(int(file.read()), signal.SIGTERM)
        self.assertEqual(self.finish(process).status, -signal.SIGTERM)

    @support.needs("strace")
    def test_trap_that_is_nobodys(self):
        """A busy virtual machine once ended forktax by a breakpoint that the kernel did not know."""
        result = self.bench("--rounds=1", "-n1", "--loops", self.loops(), "/bin/true", prefix=(
            "strace", "-qq", "-o", "log", "-e", "trace=perf_event_open",
            "-e", "inject=perf_event_open:signal=SIGTRAP"))
        with open("log", encoding="utf-8") as log:
            self.assertIn("--- SIGTRAP", log.read())
        self.assertEqual(result.status, 0, result)

    def test_parts(self):
        result = self.bench("--rounds=5", "--min-time=0.02", "--json", "-o", "bench.json")
        self.assertEqual(result.status, 0, result)
        saved = self.saved("bench.json")
        if saved["warnings"] and "not divided into phases" in " ".join(saved["warnings"]):
            self.skipTest("no debug registers")
        for cell in saved["cells"]:
            if cell["state"] != "measured":
                continue
            parts = {key: cell["per_op"].get(key) for key in
                     ("kernel_exec_ns", "ld_so_ns", "libc_start_ns", "main_ns", "end_ns")}
            with self.subTest(row=saved["rows"][cell["row"]]["name"], parts=parts):
                self.assertNotIn(None, [value for key, value in parts.items() if key != "ld_so_ns"])
                # CPU time, as wall time holds what else a busy machine does: the order of magnitude.
                least = min(cell["metrics"]["cpu_ns_per_op"])
                self.assertGreater(sum(filter(None, parts.values())), least / 3)
