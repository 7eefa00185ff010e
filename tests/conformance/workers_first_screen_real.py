# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:gunicorn needs:ruby needs:uwsgi-plugin-python3
"""The same of real servers and runtimes, whose remedies are their own options.

usage: workers_first_screen_real.py FORKTAX SAMPLES WITNESS CASE
"""
import os
import re
import subprocess
import sys

import check as checks
from workers_first_screen import Pool, compare, main
from workers_look import look

APPLICATION = """\
import random
%s
def application(environ, start):
    global data
    data = data or [random.Random(n).randbytes(3000) for n in range(8000)]
    start("200 OK", [("Content-Type", "text/plain")])
    return [b"%%d" %% len(data)]
"""
FORK_SERVER = """\
import multiprocessing, os, sys, time
if __name__ == "__main__":
    multiprocessing.set_start_method("forkserver")
    if sys.argv[1] == "preload":
        multiprocessing.set_forkserver_preload(["application"])
    import job
    gate = multiprocessing.Semaphore(0)
    ready = multiprocessing.Semaphore(0)
    workers = [multiprocessing.Process(target=job.work, args=(ready, gate)) for _ in range(4)]
    for one in workers:
        one.start()
    for one in workers:
        ready.acquire()
    print(os.getpid(), flush=True)
    sys.stdin.read()
    for one in workers:
        gate.release()
"""
JOB = """\
def work(ready, gate):
    import application
    application.application({}, lambda *_: None)
    ready.release()
    gate.acquire()
"""
RUBY = """\
data = Array.new(200_000) { |n| { a: n.to_s, b: [n.to_s] } }
GC.start if ARGV[0] == "start"
done, tell = IO.pipe
gate, opened = IO.pipe
4.times do
  fork do
    opened.close
    GC.start
    tell.write(".")
    gate.read
    exit!
  end
end
4.times { done.read(1) }
puts $$
$stdout.flush
$stdin.read
"""

# Each worker allocates something else first: so no page that it fills is the same in another one.
RUBY_LOADS = """\
def load_application
  $own = Array.new(Process.pid % 977 + 1) { "x" * 100 }
  %w[json date bigdecimal zlib psych ripper strscan digest openssl].each { |name| require name }
  $data = Array.new(60_000) { |n| "entry number #{n} " + "x" * 400 }
end
load_application if ARGV[0] == "before"
done, tell = IO.pipe
gate, opened = IO.pipe
4.times do
  fork do
    opened.close
    load_application unless ARGV[0] == "before"
    tell.write(".")
    gate.read
    exit!
  end
end
4.times { done.read(1) }
puts $$
$stdout.flush
$stdin.read
"""


def needed(*programs):
    for one in programs:
        if subprocess.run(["sh", "-c", f"command -v {one}"], stdout=subprocess.DEVNULL, check=False).returncode:
            checks.skip(f"{one} is missing")


def gunicorn(check, forktax):
    """--preload loads what the module loads; an application that loads at its first request has to do that in the module."""
    needed("gunicorn")
    files = {"application.py": APPLICATION % "data = [random.Random(n).randbytes(3000) for n in range(8000)]"}
    command = ["gunicorn", "-w", "4", "-b", "127.0.0.1:8786", "application"]
    compare(check, forktax, Pool(command, files, 8786), Pool([*command, "--preload"], files, 8786),
            ["Best advice: Let the master do, before it forks", "gunicorn --preload"])


def uwsgi(check, forktax):
    needed("uwsgi")
    if not os.path.exists("/usr/lib/uwsgi/plugins/python3_plugin.so"):
        checks.skip("the plugin python3 of uwsgi is missing")
    command = ["uwsgi", "--plugin", "python3", "--http-socket", "127.0.0.1:8787", "--master", "--processes", "4", "--wsgi-file",
               "application.py"]
    lazy = {"application.py": APPLICATION % "data = None"}
    early = {"application.py": APPLICATION % "data = [random.Random(n).randbytes(3000) for n in range(8000)]"}
    compare(check, forktax, Pool(command, lazy, 8787), Pool(command, early, 8787),
            ["Best advice: Let the master do, before it forks", "uwsgi without lazy-apps, and imports at the top"])
    compare(check, forktax, Pool([*command, "--lazy-apps"], early, 8787), Pool(command, early, 8787), ["uwsgi without lazy-apps"])


def fork_server(check, forktax):
    files = {"server.py": FORK_SERVER, "job.py": JOB, "application.py":
             APPLICATION % "data = [random.Random(n).randbytes(3000) for n in range(8000)]"}
    compare(check, forktax, Pool([sys.executable, "server.py", "lazy"], files),
            Pool([sys.executable, "server.py", "preload"], files),
            ["Best advice: Let the master do, before it forks", "multiprocessing.set_forkserver_preload"])


def ruby(check, forktax):
    """The collector of Ruby; the line of its advice, too."""
    needed("ruby")
    files = {"pool.rb": RUBY}
    words, state = compare(check, forktax, Pool(["ruby", "pool.rb", "none"], files), Pool(["ruby", "pool.rb", "start"], files),
                           ["Best advice: Let the master run GC.start and GC.compact once, when all is loaded", "ages of Ruby's objects"], least=0.6)
    line = {one["rule"]: one for one in state["advice"]}["W8"]["by_hand"].replace("COMMAND", "ruby pool.rb none")
    before = state["pool"]["cross_check"]["pss_anon_bytes"]
    with Pool(["sh", "-c", line], files) as pool:
        check.that(pool.bytes() < 0.82 * before, f"{pool.bytes()} bytes by its line, of {before}: {words}")


def ruby_loads(check, forktax):
    """Each worker loads the application, whose memory has other contents in each: the libraries tell."""
    needed("ruby")
    files = {"pool.rb": RUBY_LOADS}
    _, state = compare(check, forktax, Pool(["ruby", "pool.rb", "after"], files), Pool(["ruby", "pool.rb", "before"], files),
                       ["Best advice: Let the master do, before it forks, what each worker does first"], least=0.6)
    evidence = {one["rule"]: one["evidence"] for one in state["advice"]}["W5"]
    loaded = int(re.search(r"Each of 4 workers has loaded (\d+) libraries since its fork", evidence)[1])
    check.that(loaded >= 9, evidence)
    with Pool(["ruby", "pool.rb", "before"], files) as pool:
        rules = {one["rule"]: one["evidence"] for one in look(forktax, pool.pid)["advice"]}
    check.that("libraries" not in rules.get("W5", ""), f"advice {rules}")


main({"gunicorn": gunicorn, "uwsgi": uwsgi, "fork-server": fork_server, "ruby": ruby,
      "ruby-loads": ruby_loads})
