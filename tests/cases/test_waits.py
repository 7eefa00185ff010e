# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:iproute2
"""For whom or what a command waits: does the first screen name it, with the call, and what the remedy saves?"""
import contextlib
import fcntl
import os
import re
import socket
import statistics
import subprocess
import sys
import threading
import time

import support
from support import Case, needs, needs_root

PYTHON = "/usr/bin/python3"
LINES = 24
ROUNDS = 3
CLIENT = """
import socket, sys
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.connect(("127.0.0.1", int(sys.argv[1])))
for _ in range(3):
    server.send(b"x")
    server.recv(10)
"""
LOOKING = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "x = sum(range(int({work})))"])
while child.poll() is None:
    time.sleep({pause})
"""
# Eight pieces of work, so many of them in each child, which sleeps before it ends.
CHILDREN = """
import os, time
for _ in range(8 // {each}):
    child = os.fork()
    if not child:
        sum(range({each} * 10**5))
        time.sleep(0.06)
        os._exit(0)
    os.waitpid(child, 0)
"""
WAITING = LOOKING.split("while", maxsplit=1)[0] + "child.wait()\n"
LOCKING = "import fcntl\nfile = open('lock', 'w')\nfcntl.flock(file, fcntl.LOCK_EX)\n"
LOOKING_UP = """
import socket
try:
    socket.getaddrinfo("build.internal.example", 80)
except OSError:
    pass
"""
# In its own network: a name server that never answers.
MUTE = """
import socket, subprocess, sys
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 53))
sys.exit(subprocess.run(sys.argv[1:], check=False).returncode)
"""
RESOLVER = "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n"
NAMESPACE = "ip link set lo up && mount --bind resolv.conf /etc/resolv.conf && exec \"$@\""


@contextlib.contextmanager
def server(pause):
    """Answers each datagram after a pause; gives the port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        own.bind(("127.0.0.1", 0))
        own.settimeout(0.05)
        ended = threading.Event()

        def answer():
            while not ended.is_set():
                with contextlib.suppress(TimeoutError):
                    data, client = own.recvfrom(10)
                    time.sleep(pause)
                    own.sendto(data, client)

        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield str(own.getsockname()[1])
        finally:
            ended.set()
            thread.join()


@contextlib.contextmanager
def holder(name):
    """Holds the lock, but for a moment now and then."""
    ended = threading.Event()

    def hold():
        with open(name, "w", encoding="ascii") as file:
            while not ended.wait(0.02):
                fcntl.flock(file, fcntl.LOCK_EX)
                ended.wait(0.3)
                fcntl.flock(file, fcntl.LOCK_UN)

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@needs_root
@needs("python3")
class Waits(Case):
    def write(self, name, text):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def screen(self, saved, error):
        self.assertTrue(os.path.exists(saved), error)
        shown = self.forktax("report", saved, env={**os.environ, "COLUMNS": "80"}).out.decode()
        return re.sub(r"\s+", " ", " ".join(shown.split("\n")[:LINES]))

    def explain(self, *words, **keywords):
        """The first screen, in one line; and the advice on the run, by rule."""
        result = self.forktax("explain", "-n", "3", "--traced-runs", "1", "--json", "-o", "run.json", *words, **keywords)
        self.assertEqual(result.status, 0, result)
        return self.screen("run.json", result), self.advice()

    def advice(self):
        return {advice["rule"]: advice for advice in self.saved().get("run_advice", ())}

    def ns(self, words):
        before = time.monotonic()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        return (time.monotonic() - before) * 1e9

    def saves(self, words, cured):
        """In turns."""
        return statistics.median(self.ns(words) - self.ns(cured) for _ in range(ROUNDS))

    def assert_holds(self, advice, ns):
        """The interval, which begins with 0; half of what is saved is not said too little on a busy machine."""
        said = advice["predicted"]["ns"]
        self.assertEqual(said["low"], 0)
        self.assertGreater(said["high"], ns / 2)

    def test_server_that_answers_late(self):
        client = self.write("client.py", CLIENT)
        with server(0.1) as port, server(0) as quick:
            screen, advice = self.explain(PYTHON, client, port)
            self.assertRegex(screen, r"^python3 waits [0-9.]+ ms of the [0-9.]+ m?s in 3 calls of recvfrom\(\) for "
                                     rf"127\.0\.0\.1:{port}\. Best advice: ask 127\.0\.0\.1:{port} less often")
            self.assert_holds(advice["R18"], self.saves([PYTHON, client, port], [PYTHON, client, quick]))
            self.assertGreater(advice["R18"]["predicted"]["ns"]["high"], 0.28e9)

    @needs("unshare", "ip")
    def test_name_server_that_does_not_answer(self):
        for name, text in (("mute.py", MUTE), ("resolv.conf", RESOLVER), ("lookup.py", LOOKING_UP)):
            self.write(name, text)
        inside = ["unshare", "-mn", "sh", "-c", NAMESPACE, "sh", sys.executable, "mute.py"]
        alone = subprocess.run([*inside, "strace", "-f", "-e", "trace=poll", PYTHON, "lookup.py"], capture_output=True,
                               text=True, check=False).stderr
        timeouts = len(re.findall(r"poll\(\[\{fd=\d+, events=POLLIN\}\], 1, \d+\) += 0 \(Timeout\)", alone))
        if not timeouts:
            self.skipTest("names are not looked up by DNS here, or there are no namespaces")
        result = subprocess.run([*inside, support.FORKTAX, "explain", "-n", "3", "--traced-runs", "1", "--json", "-o", "run.json",
                                 PYTHON, "lookup.py"], capture_output=True, text=True, check=False)
        self.assertRegex(self.screen("run.json", result),
                         rf"^python3 waits [0-9.]+ m?s of the [0-9.]+ s in {timeouts} calls? of poll\(\) for 127\.0\.0\.1:53: "
                         r"nothing comes until the timeout ends\. Best advice: name another server first in /etc/resolv\.conf")

    def test_parent_that_looks_for_its_child(self):
        looking = self.write("looking.py", LOOKING.format(work=1e5, pause=0.4))
        waiting = self.write("waiting.py", WAITING.format(work=1e5))
        screen, advice = self.explain(PYTHON, looking)
        self.assertRegex(screen, r"^python3 sleeps, and looks in between whether a child has ended \(wait4\(\) with WNOHANG\): "
                                 r"up to [0-9.]+ ms of the [0-9.]+ ms, the child had ended already\. "
                                 r"Best advice: Popen\.wait\(\) without a timeout")
        self.assert_holds(advice["R19"], self.saves([PYTHON, looking], [PYTHON, waiting]))
        self.assertLess(advice["R19"]["predicted"]["ns"]["high"], 0.4e9)
        self.assertNotIn("R18", advice)

    def test_child_that_works(self):
        """Looking often costs nothing: the child works."""
        looking = self.write("looking.py", LOOKING.format(work=2e7, pause=0.005))
        self.assertFalse({"R18", "R19"} & set(self.explain(PYTHON, looking)[1]))
        waiting = self.write("waiting.py", WAITING.format(work=2e7))
        self.assertFalse({"R18", "R19"} & set(self.explain(PYTHON, waiting)[1]))

    def test_child_that_has_no_cpu(self):
        """While its parent sleeps and looks, the child waits for a CPU that others have: as long as the kernel says."""
        child = self.write("child.py", "sum(range(4 * 10**6))\nopen('delays', 'a').write(open('/proc/self/schedstat').read())\n")
        looking = self.write("looking.py", LOOKING.replace('"-c", "x = sum(range(int({work})))"', f'"{child}"').format(pause=0.3))
        with contextlib.ExitStack() as stack:
            for _ in range(2 * os.cpu_count()):
                stack.callback(stack.enter_context(subprocess.Popen(["sh", "-c", "while :; do :; done"])).kill)
            result = self.forktax("explain", "--no-try", "--json", "-o", "run.json", PYTHON, looking)
        self.assertEqual(result.status, 0, result)
        ready = sum(row["wall_ns"] for row in self.saved()["bill"]["rows"] if row["kind"] == "ready")
        with open("delays", encoding="ascii") as delays:
            delay = int(delays.read().splitlines()[-1].split()[1])
        self.assertGreater(ready, 0.8 * delay)

    def test_timer(self):
        for pause, calls in ((0.05, 6), (0.3, 1)):
            nap = self.write("nap.py", f"import time\nfor _ in range({calls}):\n    time.sleep({pause})\n")
            screen, advice = self.explain(PYTHON, nap)
            self.assertRegex(screen, rf"^python3 waits [0-9.]+ ms of the [0-9.]+ m?s in {calls} calls? of clock_nanosleep\(\)\. "
                                     r"Best advice: sleep for less, or wait for the event itself")
            self.assert_holds(advice["R18"], 0.3e9)

    def test_children_that_sleep(self):
        each, all_in_one = (self.write(f"{count}.py", CHILDREN.format(each=count)) for count in (1, 8))
        screen, advice = self.explain(PYTHON, each)
        self.assertRegex(screen, r"^8 children of python3 wait [0-9.]+ ms of the [0-9.]+ m?s in 8 calls of clock_nanosleep\(\)\. "
                                 r"Best advice: let each child do more work before it ends")
        self.assert_holds(advice["R18"], self.saves([PYTHON, each], [PYTHON, all_in_one]))

    def test_a_few_children_that_sleep(self):
        screen, advice = self.explain(PYTHON, self.write("few.py", CHILDREN.format(each=4)))
        self.assertRegex(screen, r"2 children of python3 wait [0-9.]+ ms .*Advice|2 children of python3 wait .* Best advice: sleep")
        self.assertNotIn("more work", advice["R18"]["action"])

    def test_lock(self):
        script = self.write("locking.py", LOCKING)
        with holder("lock"):
            # It may come in the moment in which nobody holds it.
            for _ in range(4):
                screen, advice = self.explain(PYTHON, script)
                if "R18" in advice:
                    break
        self.assertRegex(screen, r"^python3 waits [0-9.]+ ms of the [0-9.]+ m?s in 1 call of flock\(\) for the lock of "
                                 r"\S+/lock\. Best advice: hold the lock for less time")

    def test_other_threads_sleep(self):
        """Which thread is on the path is not known: nothing is said of their calls."""
        script = self.write("threads.py", "import threading, time\nother = threading.Thread(target=time.sleep, args=(0.3,))\n"
                                          "other.start()\ntime.sleep(0.2)\nother.join()\n")
        self.assertNotIn("R18", self.explain(PYTHON, script)[1])

    def test_innocent(self):
        for command in (["sleep", "0.2"], ["sh", "-c", "seq 1000 | sort | wc -l"], ["ls", "/"],
                        [PYTHON, "-c", "sum(range(10**6))"]):
            with self.subTest(command):
                self.assertFalse({"R18", "R19"} & set(self.explain(*command)[1]))
