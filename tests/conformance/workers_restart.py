# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:gunicorn
"""What forktax workers predicts of restarting workers, held against pools that do: the same pool under the
same load, watched as it is, and then with workers that are retired. What came of it is by the kernel: the sum
of Pss_Anon of all members, on average over time.

usage: workers_restart.py FORKTAX SAMPLES WITNESS CASE
"""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import check as checks
from workers_look import kernel_sums, read

WORKERS, PAGES, WRITES = 3, 6000, 1200
SECONDS = 8.0


def members_of(master):
    try:
        with open(f"/proc/{master}/task/{master}/children", encoding="ascii") as file:
            return [master, *map(int, file.read().split())]
    except OSError:
        return []


def mean_over_time(course):
    """On a busy machine some moments are missing: each counts until the next one."""
    pairs = list(zip(course, course[1:]))
    return sum(one["bytes"] * (then["ns"] - one["ns"]) for one, then in pairs) / sum(
        then["ns"] - one["ns"] for one, then in pairs)


class Mean(threading.Thread):
    """The mean of Pss_Anon of the pool, in bytes, from its first fork until it is asked to end."""

    def __init__(self, master):
        super().__init__()
        self.master, self.course, self.ended = master, [], threading.Event()
        self.start()

    def run(self):
        while not self.ended.wait(0.1):
            total = 0
            for pid in members_of(self.master):
                try:
                    total += kernel_sums(pid)["Pss_Anon"] * 1024
                except (OSError, KeyError):  # retired meanwhile
                    pass
            self.course.append({"ns": time.monotonic_ns(), "bytes": total})

    def end(self):
        self.ended.set()
        self.join()
        return mean_over_time(self.course)


def watched(forktax, command, use, seconds=SECONDS, **popen):
    """The flow of the pool, from its first fork on, and its mean meanwhile. The command is left running."""
    with tempfile.NamedTemporaryFile() as saved:
        with subprocess.Popen([forktax, "workers", "-q", "--json", "-o", saved.name, "--duration",
                               f"{seconds}s", "--", *command],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **popen) as looking:
            mean = use(looking)
            looking.wait(timeout=checks.PATIENCE_S)
            looking.stdin.close()
        if looking.returncode:
            raise SystemExit(f"forktax workers: {looking.returncode}")
        return json.loads(read(saved.name)), mean


def report(forktax, document):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(document, file)
        file.flush()
        return subprocess.run([forktax, "report", "-v", "-q", file.name], check=True, capture_output=True,
                              text=True).stdout


def forecast_of(check, forktax, flow, document, period):
    """The forecast for about that period, in seconds."""
    forecast = flow["restart"]
    print({name: value for name, value in forecast.items() if name != "periods"})
    for one in forecast["periods"]:
        print(one)
    check.context = "forecast"
    check.equal("workers", (forecast["workers"], forecast["known"]), (WORKERS, WORKERS))
    text = report(forktax, document)
    print(text)
    check.that("Workers restarted, MiB" in text, "no table")
    return min(forecast["periods"], key=lambda one: abs(one["period_ns"] / 1e9 - period))


def holds(check, one, measured, spread):
    """The interval, widened by what pools differ in from run to run."""
    saved = one["saved_bytes"]
    print(f"saved {measured / 2**20:.1f} MiB; predicted {saved['value'] / 2**20:.1f}")
    check.context = f"restarted after {one['period_ns'] / 1e9:.1f} s, saved {measured / 2**20:.1f} MiB"
    check.that(saved["low"] - spread <= measured <= saved["high"] + spread,
               f"predicted {saved['low'] / 2**20:.1f}..{saved['high'] / 2**20:.1f} MiB")


def sample(check, forktax, program):
    """A pool of our own, whose copies come as random writes do: n (1 - exp(-rate * age / n))."""
    def use(pool):
        master = int(pool.stdout.readline())
        mean = Mean(master)
        time.sleep(SECONDS)
        return mean.end()

    command = [program, str(WORKERS), str(PAGES), str(WRITES)]
    document, as_it_is = watched(forktax, [*command, "0"], use)
    flow = document["flow"]
    one = forecast_of(check, forktax, flow, document, SECONDS / 4)
    with subprocess.Popen([*command, str(one["period_ns"] // 10**6)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as pool:
        renewed = use(pool)
        pool.stdin.close()
    # Both pools by the formula, too.
    check.context = "by the formula"
    # (Threads that run when the watch ends may be cut off in a fault: then it is not exact.)
    print(flow["integrity"])
    check.equal("copies that are not listed", flow["integrity"]["lost"] + flow["integrity"]["beyond"], 0)
    pages = {period["period_ns"]: period["copies"] / WORKERS for period in flow["restart"]["periods"]}
    for period, copies in pages.items():
        expected = PAGES * (1 - (1 - 1 / PAGES) ** (WRITES * period / 1e9))
        check.that(abs(copies - expected) <= 0.1 * expected + 60,
                   f"copies in {period / 1e9:.1f} s: {copies:.0f}, not {expected:.0f}")
    check.that(one["saved_bytes"]["low"] > 0.2 * flow["restart"]["held_bytes"],
               f"little is said to be saved: {one}")
    check.that(one["cpu"] and 0 < one["cpu"]["value"] < 0.2, f"cost: {one['cpu']}")
    holds(check, one, as_it_is - renewed, 0.04 * as_it_is)


def late(check, forktax, program):
    """Workers that do nothing at first: what they do later is not said to be spared by new ones."""
    def use(pool):
        pool.stdout.readline()

    document, _ = watched(forktax, [program, str(WORKERS), str(PAGES), "8000", "0",
                                    str(int(600 * SECONDS))], use)
    forecast = document["flow"]["restart"]
    print(forecast)
    check.context = "late"
    check.that(forecast["periods"], "no forecast")
    for one in forecast["periods"]:
        check.that(one["saved_bytes"]["low"] <= 0, f"{one} promises something")


def once(check, forktax, program):
    """All is copied at once: nothing to save, and nothing is advised."""
    def use(pool):
        pool.stdout.readline()

    document, _ = watched(forktax, [program, str(WORKERS), "2000", "400000", "0"], use, SECONDS / 2)
    forecast = document["flow"]["restart"]
    print(forecast)
    check.context = "once"
    check.that(forecast["periods"], "no forecast")
    for one in forecast["periods"]:
        check.that(one["saved_bytes"]["value"] < 0.1 * forecast["held_bytes"], f"{one} saves much")
    check.that("Workers that were restarted" not in report(forktax, document), "it is advised")


def tried(check, forktax, program):
    """The same as a trial: by how the pool grew under its load, and then with workers restarted."""
    with tempfile.TemporaryDirectory(prefix="forktax-restart-") as scratch:
        # Workers begin when the load does, however long the look before it takes on a busy machine.
        go = f"{scratch}/go"
        pool = f"rm -f {go}; sleep 100 | exec {program} {WORKERS} {PAGES} {WRITES} 0 0 {go}"
        done = subprocess.run([forktax, "workers", "--json", "-n", "1", "--restart", "kill -HUP $MASTER", "--load",
                               f"touch {go}; sleep {SECONDS}", "--", "sh", "-c", pool], capture_output=True, text=True,
                              check=False, timeout=checks.PATIENCE_S)
    if done.returncode or done.stderr:
        raise SystemExit(f"forktax workers: {done.returncode} {done.stderr}")
    state = json.loads(done.stdout)
    advice = {one["rule"]: one for one in state["trials"]["advice"]}
    ways = {one["way"]: one["samples"] for one in state["trials"]["ways"]}
    print(report(forktax, state))
    check.context = "W10"
    check.that("restart" in ways and ways["restart"], f"not tried: {list(ways)}")
    predicted = advice["W10"]["predicted_bytes"]
    measured = advice["W10"]["measured"]["bytes"]["value"]
    means = {way: mean_over_time(ways[way][0]["course"]) for way in ("as-is", "restart")}
    check.that(abs(means["as-is"] - means["restart"] - measured) < 1 << 20,
               f"by the course {means}, measured {measured}")
    check.that(measured > 5 << 20, f"saved only {measured}")
    check.that(0.9 * predicted["low"] <= measured <= 1.1 * predicted["high"],
               f"predicted {predicted}, measured {measured}")
    check.that(predicted["high"] < 2 * predicted["low"], f"any number would do: {predicted}")
    apart = 4 * state["trials"]["restart_ns"] / ways["as-is"][0]["load_ns"]
    check.that(0.9 < apart < 1.1, f"{apart} of a load's time is four periods")  # by the first run's


# Each request reads a few of the records.
APP = """\
import random
data = [{"a": i, "b": str(i)} for i in range(120000)]
def app(environ, start):
    at = random.randrange(len(data) - 600)
    total = sum(len(one["b"]) for one in data[at:at + 600])
    start("200 OK", [])
    return [b"%d" % total]
"""
REQUESTS = 75  # a second


def ask(port, seconds):
    """Requests at a steady rate."""
    begin, asked = time.monotonic(), 0
    while time.monotonic() < begin + seconds:
        if asked >= (time.monotonic() - begin) * REQUESTS:
            time.sleep(0.002)
            continue
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as one:
                one.sendall(b"GET / HTTP/1.0\r\n\r\n")
                while one.recv(4096):
                    pass
        except OSError:  # a worker that ends with a connection
            pass
        asked += 1


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def serving(port, log):
    for _ in range(300):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise SystemExit(f"gunicorn does not serve: {read(log)}")


def gunicorn(check, forktax, _program):
    """A real pool: workers that gunicorn retires after some requests, beside those that it does not."""
    if not shutil.which("gunicorn"):
        checks.skip("not installed: gunicorn")
    with tempfile.TemporaryDirectory(prefix="forktax-restart-") as scratch:
        with open(f"{scratch}/app.py", "w", encoding="ascii") as file:
            file.write(APP)
        port = free_port()
        command = ["gunicorn", "--preload", "-w", str(WORKERS), "-b", f"127.0.0.1:{port}", "--log-file",
                   "log", "--pid", "pid", "app:app"]

        def use(_pool):
            serving(port, f"{scratch}/log")
            mean = Mean(int(read(f"{scratch}/pid")))
            ask(port, SECONDS)
            return mean.end()

        document, as_it_is = watched(forktax, command, use, SECONDS + 2, cwd=scratch)
        end(scratch)
        one = forecast_of(check, forktax, document["flow"], document, SECONDS / 4)
        requests = round(REQUESTS / WORKERS * one["period_ns"] / 1e9)
        with subprocess.Popen([*command, "--max-requests", str(requests), "--max-requests-jitter",
                               str(requests // 4)], cwd=scratch) as pool:
            renewed = use(pool)
            end(scratch)
            pool.wait(timeout=checks.PATIENCE_S)
    check.context = "gunicorn"
    check.that(one["saved_bytes"]["value"] > 1 << 20, f"little is said to be saved: {one}")
    holds(check, one, as_it_is - renewed, 0.06 * as_it_is)


def end(scratch):
    """The command outlives forktax."""
    master = int(read(f"{scratch}/pid"))
    try:
        os.kill(master, signal.SIGTERM)
        for _ in range(100):
            os.kill(master, 0)
            time.sleep(0.1)
    except ProcessLookupError:
        pass


CASES = {"sample": sample, "late": late, "once": once, "tried": tried, "gunicorn": gunicorn}


def main():
    forktax, witness, case = sys.argv[1], sys.argv[3], sys.argv[4]
    if os.geteuid():
        checks.skip("needs root")
    check = checks.Check()
    CASES[case](check, forktax, os.path.join(os.path.dirname(witness), "conformance-workerrestart"))
    check.finish()


if __name__ == "__main__":
    main()
