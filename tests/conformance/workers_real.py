# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:gunicorn needs:ruby needs:curl needs:apache2-utils
"""forktax workers on pools of real programs under load, with the kernel's sums as the other witness.

usage: workers_real.py FORKTAX SAMPLES WITNESS POOL [flow]

With "flow" the pool is watched while it is under load: events, page maps and smaps must agree.
"""
import glob
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

import check as checks
from workers_look import PAGE, compare_with_kernel, flat, kernel_sums, look, read

# Each script prints the pid of the master, waits for a line, prints "done" when its load is done, and ends
# the pool with its stdin.
PRELUDE = """\
set -u
until_ok() { for n in $(seq 300); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done; exit 1; }
# load_by COMMAND...: all that a pool does from its start on; the master is ended by signal $end.
end=TERM
load_by() {
  echo $master; read go
  "$@" || exit 1
  sleep 0.5; echo done; read line
  kill -$end $master; wait
}
# serve REQUESTS [PATH]: the same of a server of HTTP.
requests() { ab -n $1 -c 3 http://127.0.0.1:$PORT/$2 >/dev/null 2>&1 || :; }
serve() {
  until_ok curl -sf http://127.0.0.1:$PORT/${2-}
  load_by requests $1 "${2-}"
}
"""

GUNICORN = """\
cat > app.py <<'END'
data = [{"a": i, "b": str(i)} for i in range(60000)]
def app(environ, start):
    total = sum(len(one["b"]) for one in data)
    start("200 OK", [])
    return [b"%d" % total]
END
gunicorn --preload -w 3 -b 127.0.0.1:$PORT app:app 2>log & master=$!
serve 60
"""

MULTIPROCESSING = """\
cat > pool.py <<'END'
import multiprocessing, os, sys
data = [{"a": i, "b": str(i)} for i in range(100000)]
def sample(n):
    return sum(len(one["b"]) for one in data[n * 10000:(n + 1) * 10000])
multiprocessing.set_start_method("fork")
with multiprocessing.Pool(2) as pool:
    print(os.getpid(), flush=True)
    sys.stdin.readline()
    pool.map(sample, range(10))
    print("done", flush=True)
    sys.stdin.readline()
END
exec python3 pool.py
"""

RUBY = """\
cat > pool.rb <<'END'
data = Array.new(200_000) { |i| "string number #{i} that is long enough" }
$stdout.sync = true
puts Process.pid
$stdin.gets
readers = 3.times.map do
  reader, writer = IO.pipe
  fork { GC.start; writer.puts data.sum(&:size); sleep }
  reader.gets
end
puts "done"
$stdin.gets
Process.kill("KILL", 0)
END
exec setsid -w ruby pool.rb
"""

PUMA = """\
cat > config.ru <<'END'
data = Array.new(200_000) { |i| "string number #{i} that is long enough" }
run lambda { |env|
  total = data.sum(&:size) + Array.new(20_000) { |i| "x#{i}" }.join.size
  [200, { "content-type" => "text/plain" }, [total.to_s]]
}
END
puma -q -w 3 --preload -b tcp://127.0.0.1:$PORT config.ru >log 2>&1 & master=$!
serve 300
"""

# Each request fills some MiB, and asks for it by FastCGI.
PHP_FPM = """\
cat > grow.php <<'END'
<?php $rows = []; for ($i = 0; $i < 60000; $i++) $rows[] = ["a" => $i, "b" => (string)$i];
echo count($rows);
END
cat > ask.py <<'END'
import socket, struct, sys
def record(kind, data):
    return struct.pack("!BBHHBB", 1, kind, 1, len(data), 0, 0) + data
def pair(name, value):
    return bytes([len(name), len(value)]) + name.encode() + value.encode()
for _ in range(60):
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as one:
        params = (pair("SCRIPT_FILENAME", sys.argv[2]) + pair("REQUEST_METHOD", "GET"))
        one.sendall(record(1, struct.pack("!HB5x", 1, 0)) + record(4, params) + record(4, b"") +
                    record(5, b""))
        answer = b""
        while part := one.recv(4096):
            answer += part
        assert b"60000" in answer, answer
END
cat > fpm.conf <<END
[global]
error_log = $PWD/log
[www]
user = root
listen = 127.0.0.1:$PORT
pm = static
pm.max_children = 3
END
$(ls /usr/sbin/php-fpm* | head -n 1) -R -F -y fpm.conf & master=$!
until_ok bash -c "exec 3<>/dev/tcp/127.0.0.1/$PORT"
load_by python3 ask.py $PORT $PWD/grow.php
"""

# The child that saves takes its time.
REDIS = """\
redis-server --port $PORT --bind 127.0.0.1 --save '' --dir . --rdb-key-save-delay 1000 --logfile log &
master=$!
cli() { redis-cli -p $PORT "$@"; }
until_ok cli ping
cli eval 'for n = 1, 50000 do redis.call("set", "key" .. n, string.rep("x", 1000)) end' 0 >/dev/null
save() {
  cli bgsave >/dev/null; sleep 0.5
  cli eval 'for n = 1, 50000, 50 do redis.call("setrange", "key" .. n, 5, "y") end' 0 >/dev/null
}
end=KILL
load_by save
"""

POSTGRES = """\
chmod 755 $PWD; mkdir db; chown nobody db
as() { setpriv --reuid nobody --clear-groups env PATH=$PATH "$@"; }
as initdb -D $PWD/db -A trust >/dev/null 2>&1
as pg_ctl -D $PWD/db -w -l $PWD/db/log -o "-p $PORT -k $PWD/db -h 127.0.0.1" start >/dev/null
sql() { as psql -h 127.0.0.1 -p $PORT -U nobody postgres >/dev/null; }
echo 'create table t as select generate_series(1, 100000) as n;' | sql
for backend in 1 2 3; do
  echo "update t set n = n + 1 where n % 10 = $backend; select count(*), sum(n) from t;
select pg_sleep(60);" | sql &
done
sleep 3; head -n 1 db/postmaster.pid; read go; echo done; read line
as pg_ctl -D $PWD/db -w -m immediate stop >/dev/null
wait
"""


def unshared(counts):
    return sum(counts[name] for name in ("identical", "few_words", "different", "unstable"))


def mostly_identical(check, _state, total):
    """Reference counts of CPython: the bytes are as they were before and after."""
    check.that(unshared(total) > 1000, f"{unshared(total)} pages are not shared any more")
    check.that(total["identical"] > 0.5 * unshared(total), f"identical: {total}")
    check.that(total["shared"] > 0, "nothing is shared")


def mostly_different(check, _state, total):
    """Marks of Ruby's collector stay in its objects."""
    check.that(unshared(total) > 1000, f"{unshared(total)} pages are not shared any more")
    check.that(total["different"] > 0.5 * unshared(total), f"different: {total}")
    check.that(total["age_words"] > 0.1 * total["changed_words"], f"no ages of objects: {total}")


def changed(check, _state, total):
    """The same under load, where also what a request has made is swept."""
    check.that(unshared(total) > 1000, f"{unshared(total)} pages are not shared any more")
    check.that(total["few_words"] + total["different"] > 0.5 * unshared(total), f"the same: {total}")
    check.that(total["new"] > 0, "requests made nothing")


def saving(check, state, total):
    """What the master writes while its child saves; nothing else is copied."""
    check.equal("children that save", len(state["workers"]), 1)
    check.that(1000 <= unshared(total) < total["shared"], f"copies: {total}")
    check.that(total["few_words"] >= 900, f"one byte each in 1000 values: {total}")


def few_anonymous(check, state, total):
    """What backends have in common is the shared buffers, which are no anonymous memory."""
    reconciled = state["pool"]["cross_check"]
    check.that(reconciled["pss_shmem_bytes"] > 4 << 20, f"no shared buffers beside: {reconciled}")
    check.that(total["shared"] + unshared(total) < 20000, f"shared buffers are counted: {total}")


def new_memory(check, state, total):
    """The heap of requests is made after the fork: growth that is no matter of sharing."""
    check.that(total["shared"] > 100, f"nothing is shared: {total}")
    check.that(all(flat(one)["new"] > 0 for one in state["workers"]), "a worker was not asked")
    check.that(total["new"] > 3 * unshared(total), f"copies, not new memory: {total}")


POOLS = {
    "gunicorn": (["gunicorn", "curl", "ab"], GUNICORN, 3, mostly_identical),
    "multiprocessing": (["python3"], MULTIPROCESSING, 2, mostly_identical),
    "ruby": (["ruby"], RUBY, 3, mostly_different),
    "puma": (["puma", "curl", "ab"], PUMA, 3, changed),
    "php-fpm": (["php", "python3"], PHP_FPM, 3, new_memory),
    "redis-bgsave": (["redis-server", "redis-cli"], REDIS, 1, saving),
    "postgres": (["initdb", "pg_ctl", "psql", "setpriv"], POSTGRES, 4, few_anonymous),
}


def missing_of(programs):
    """Those that are not installed."""
    os.environ["PATH"] = ":".join([os.environ["PATH"], "/usr/sbin", *glob.glob("/usr/lib/postgresql/*/bin")])
    return [one for one in programs if not shutil.which(one)]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def settled(forktax, master):
    """Such pools have timers: a few looks may meet one of them at work."""
    for _ in range(5):
        state = look(forktax, master)
        if state["integrity"]["exact"]:
            break
    return state


def begin(pool):
    line = pool.stdout.readline()
    if not line.strip().isdigit():
        raise SystemExit(f"the pool did not start: {line!r}")
    return int(line)


def put_load_on(pool):
    pool.stdin.write("go\n")
    pool.stdin.flush()
    if pool.stdout.readline() != "done\n":
        raise SystemExit("the pool ended under its load")


def start(script, scratch):
    environment = {**os.environ, "PORT": str(free_port())}
    return subprocess.Popen(["bash", "-c", PRELUDE + script], cwd=scratch, env=environment,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def watch(forktax, pool, master, path):
    """The pool under load, watched from before to after."""
    ready, reported = os.pipe()
    with subprocess.Popen([forktax, "workers", "-q", "-p", str(master), "--duration", "1h",
                           f"--ready-fd={reported}", "--json", "-o", path], pass_fds=[reported]) as looking:
        os.close(reported)
        if os.read(ready, 6) != b"ready\n":
            raise SystemExit("forktax did not begin")
        os.close(ready)
        put_load_on(pool)
        looking.send_signal(signal.SIGINT)
        looking.wait(timeout=checks.PATIENCE_S)
    if looking.returncode:
        raise SystemExit(f"forktax workers: {looking.returncode}")
    return json.loads(read(path))


def follow(check, forktax, script, least, by_master):
    with tempfile.TemporaryDirectory(prefix="forktax-workers-") as scratch, \
            start(script, scratch) as pool:
        document = watch(forktax, pool, begin(pool), os.path.join(scratch, "flow.json"))
        pids = [document["master"]["pid"], *(one["pid"] for one in document["workers"])]
        sums = sum(kernel_sums(pid)["Pss_Anon"] for pid in pids) * 1024
        pool.stdin.close()
    flow = document["flow"]
    members = {one["pid"]: one for one in flow["members"]}
    print(flow["cross_check"], [one for one in flow["writers"] if one["copies"] > 50])
    check.context = "flow"
    check.that(flow["integrity"]["exact"], f"not exact: {flow['integrity']}")
    check.that(len(flow["members"]) > least, f"{len(flow['members'])} members")
    copies = flow["members"][0]["copies"] if by_master else \
        sum(one["copies"] for one in flow["members"][1:])
    check.that(copies > 900, f"{copies} copies")
    for one in [document["master"], *document["workers"]]:
        check.context = f"process {one['pid']} {members[one['pid']]}"
        reported = members[one["pid"]]
        check.that(abs(reported["shared_after"] - one["shared_pages"]) <= 16,
                   f"shared at the end, by frames: {one['shared_pages']}")
        check.that(reported["unexplained"] <= 16 + reported["copied"] // 100, "pages without a copy")
        check.that(reported["copied"] <= reported["copies"], "more pages copied than copies")
    reconciled = flow["cross_check"]
    gap = sum(reconciled[name] for name in ("before_bytes", "copied_bytes", "filled_bytes")) - \
        reconciled["given_back_bytes"] - reconciled["after_bytes"]
    check.context = f"cross-check {reconciled}"
    check.that(abs(gap) <= 16 * PAGE + reconciled["copied_bytes"] // 200, f"gap of {gap}")
    check.that(abs(reconciled["after_bytes"] - sums) <= 64 * PAGE, f"Pss_Anon by smaps is {sums}")


def run(check, forktax, script, least, judge):
    with tempfile.TemporaryDirectory(prefix="forktax-workers-") as scratch, \
            start(script, scratch) as pool:
        master = begin(pool)
        put_load_on(pool)
        state = settled(forktax, master)
        # A timer may tick between that and this.
        compare_with_kernel(check, state, exact=False)
        pool.stdin.close()
    check.context = "pool"
    check.that(state["integrity"]["exact"], f"not exact: {state['integrity']} {state['pool']}")
    check.that(len(state["workers"]) >= least, f"{len(state['workers'])} workers")
    total = {}
    for worker in state["workers"]:
        for name, value in flat(worker).items():
            total[name] = total.get(name, 0) + (value or 0)
    print({name: value for name, value in total.items() if value}, state["pool"])
    judge(check, state, total)


def main():
    forktax, name = sys.argv[1], sys.argv[4]
    programs, script, least, judge = POOLS[name]
    missing = missing_of(programs)
    if missing:
        checks.skip(f"not installed: {' '.join(missing)}")
    if name == "php-fpm" and not [one for one in os.listdir("/usr/sbin") if "php-fpm" in one]:
        checks.skip("not installed: php-fpm")
    if os.geteuid():
        checks.skip("needs root")
    check = checks.Check()
    if sys.argv[5:] == ["flow"]:
        follow(check, forktax, script, least, name == "redis-bgsave")
    else:
        run(check, forktax, script, least, judge)
    check.finish()


if __name__ == "__main__":
    main()
