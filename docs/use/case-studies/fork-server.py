#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""fork-server.py MODULE: a fork server of multiprocessing that loads MODULE before it forks, and four
processes from it that need the records of web.py. At SIGUSR1 each of them collects garbage once, as
idle workers do sooner or later.
"""
import gc
import multiprocessing
import os
import signal
import sys
import time

if __name__ != "__main__":
    import web


def wait_and_collect():
    import web
    signal.sigwait([signal.SIGUSR1])
    gc.collect()
    with open(f"/proc/{os.getpid()}/comm", "w", encoding="ascii") as file:
        file.write(f"has {len(web.records)}")
    signal.pause()


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    own = os.path.dirname(os.path.realpath(__file__))  # the fork server does not get our sys.path
    os.environ["PYTHONPATH"] = f"{own}:{os.environ.get('PYTHONPATH', '')}"
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([sys.argv[1]])
    processes = [context.Process(target=wait_and_collect, daemon=True) for _ in range(4)]
    for process in processes:
        process.start()
    with open("fork-server.pids", "w", encoding="ascii") as file:
        file.write(" ".join(str(process.pid) for process in processes))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    while True:
        time.sleep(1)
