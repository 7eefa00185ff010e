# SPDX-License-Identifier: GPL-2.0-or-later
"""Large programs that bring processes of their own: databases, containers, editors, compilers."""


def script(name, text, run):
    return f"cat > {name} <<'END'\n{text}END\n{run}\n"


# Parallel workers are processes that the server forks for one query; COPY executes a program.
POSTGRES = """\
chmod 755 $PWD; mkdir db; chown nobody db
as() { setpriv --reuid nobody --clear-groups env PATH=$PATH "$@"; }
as initdb -D $PWD/db -A trust >/dev/null
as pg_ctl -D $PWD/db -w -l $PWD/db/log -o "-p $PORT -k $PWD/db -h 127.0.0.1" start
ask() { as psql -q -h 127.0.0.1 -p $PORT -U nobody postgres "$@" >/dev/null; }
ask -c 'create table t as select generate_series(1,100000) a' -c 'analyze t'
ask -c 'set parallel_setup_cost = 0; set parallel_tuple_cost = 0; set min_parallel_table_scan_size = 0;
  set debug_parallel_query = on; select sum(a) from t; create index on t (a); vacuum (parallel 2) t' ||
  ask -c 'set parallel_setup_cost = 0; set parallel_tuple_cost = 0; set min_parallel_table_scan_size = 0;
    set force_parallel_mode = on; select sum(a) from t; create index on t (a)'
ask -c "copy t from program 'seq 100'"
ask -c 'select pg_terminate_backend(pg_backend_pid())' || true
as pgbench -q -i -h 127.0.0.1 -p $PORT -U nobody postgres
as pgbench -c 4 -j 2 -t 10 -C -h 127.0.0.1 -p $PORT -U nobody postgres
as pg_ctl -D $PWD/db -w -m immediate stop
"""

MARIADB = """\
mkdir db; chmod 755 $PWD
as() { mariadbd --no-defaults --user=root --datadir=$PWD/db --pid-file=$PWD/pid --socket=$PWD/s "$@"; }
as --bootstrap < /dev/null
as --skip-grant-tables --skip-networking &
ask() { mariadb --no-defaults -S $PWD/s -e "$1"; }
until_ok ask 'create database d; create table d.t (a int); insert into d.t values (1), (2)'
for n in 1 2 3 4; do ask 'insert into d.t select a from d.t; select count(*) from d.t; do sleep(0.02)' & all="$all $!"; done
wait $all
server=$(cat pid); kill $server; until_ok gone $server
"""

REDIS = """\
redis-server --port $PORT --bind 127.0.0.1 --save '' --io-threads 3 --io-threads-do-reads yes & server=$!
until_ok redis-cli -p $PORT ping
redis-benchmark -p $PORT -q -n 2000 -c 20 --threads 2 -t set,lpush
redis-cli -p $PORT --pipe < /dev/null || true
kill $server; wait $server || true
"""

DISTCC = """\
printf 'int main(void) { return 0; }\\n' > a.c; cp a.c b.c; cp a.c c.c
chmod 777 .; distccd --daemon --no-detach --allow 127.0.0.1 --listen 127.0.0.1 --port $PORT --user nobody --jobs 3 \\
  --log-stderr --log-level info --enable-tcp-insecure & server=$!
until_ok bash -c "exec 3<>/dev/tcp/127.0.0.1/$PORT"
mkdir d; export DISTCC_HOSTS=127.0.0.1:$PORT DISTCC_DIR=$PWD/d
for n in a b c; do distcc cc -c $n.c & all="$all $!"; done; wait $all
distcc cc -c missing.c || true
kill $server; wait $server || true
"""

DBUS = """\
dbus-run-session -- sh -c 'dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames; dbus-monitor --session & sleep 0.1; kill $!'
"""

# A container: clone with CLONE_PARENT and setns from C, before and beside the threads of Go.
CONTAINER = """\
mkdir -p rootfs/bin rootfs/proc rootfs/dev rootfs/sys rootfs/etc
cp $(command -v busybox) rootfs/bin/busybox; ln -s busybox rootfs/bin/sh
@RUN@ spec
python3 - <<'END'
import json
spec = json.load(open("config.json"))
spec["process"].update(terminal=False, args=["sh", "-c", "busybox ls / | busybox wc -l; (:); busybox sleep 0.2 & wait"])
spec["process"].pop("rlimits", None)
spec["root"]["readonly"] = False
spec["linux"]["namespaces"] = [{"type": kind} for kind in ("pid", "ipc", "uts", "mount")]
spec["linux"].pop("resources", None)
spec["linux"]["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["getppid"], "action": "SCMP_ACT_ERRNO"}]}
json.dump(spec, open("config.json", "w"))
END
@RUN@ --root $PWD/state run one-$PORT </dev/null
@RUN@ --root $PWD/state create two-$PORT </dev/null
@RUN@ --root $PWD/state start two-$PORT
@RUN@ --root $PWD/state exec two-$PORT /bin/busybox true || true
@RUN@ --root $PWD/state list
@RUN@ --root $PWD/state kill two-$PORT KILL || true
sleep 0.1
@RUN@ --root $PWD/state delete -f two-$PORT
"""

R = """\
library(parallel)
print(sum(unlist(mclapply(1:8, function(n) { system(paste("exit", n)); n }, mc.cores = 3))))
one <- mcparallel(Sys.getpid()); mccollect(one)
print(length(system("ls /", intern = TRUE)))
readLines(pipe("echo hello"))
cluster <- makeForkCluster(2); parSapply(cluster, 1:4, function(n) n * 2); stopCluster(cluster)
"""

EMACS = """\
(progn (require 'comint)
  (dotimes (n 3) (call-process "sh" nil t nil "-c" "ls / | wc -l"))
  (shell-command "exit 3")
  (dotimes (n 3) (start-process "one" nil "sh" "-c" "sleep 0.05; echo x"))
  (let ((process-connection-type t)) (start-process "pty" nil "cat"))
  (condition-case nil (call-process "/nonexistent") (error nil))
  (let ((one (make-thread (lambda () (call-process "true"))))) (thread-join one))
  (sleep-for 0.2))
"""

HASKELL = """\
import Control.Concurrent
import Control.Monad
import System.Process
main :: IO ()
main = do
  dones <- forM [1 .. 8 :: Int] $ \\n -> do
    done <- newEmptyMVar
    _ <- forkIO (readProcess "sh" ["-c", "ls / | wc -l"] "" >> putMVar done n)
    return done
  mapM_ takeMVar dones
  system "exit 3" >>= print
"""

MONO = """\
using System; using System.Diagnostics; using System.Threading;
class A { static void Main() {
  var all = new Thread[4];
  for (int n = 0; n < 4; n++) { all[n] = new Thread(() => { var one = Process.Start("/bin/sh", "-c true"); one.WaitForExit(); }); all[n].Start(); }
  foreach (var one in all) one.Join();
  try { Process.Start("/nonexistent"); } catch (Exception) { }
  GC.Collect();
} }
"""

PROLOG = """\
:- use_module(library(process)).
one(N) :- process_create(path(sh), ['-c', 'ls / | wc -l'], [process(Pid)]), process_wait(Pid, S), print(N-S), nl.
main :- forall(between(1, 4, N), one(N)), concurrent_forall(between(1, 4, N), one(N)),
  shell('exit 3', _), catch(process_create('/nonexistent', [], []), _, true),
  fork(Pid), ( Pid == child -> halt ; true ).
"""

RACKET = """\
#lang racket/base
(require racket/system racket/place racket/future)
(for ([n 4]) (system "ls / | wc -l"))
(for-each thread-wait (for/list ([n 4]) (thread (lambda () (system* "/bin/true")))))
(for-each touch (for/list ([n 4]) (future (lambda () (for/sum ([m 1000]) m)))))
(define-values (one out in err) (subprocess #f #f #f "/bin/cat"))
(close-output-port in) (subprocess-wait one)
"""

ANSIBLE = """\
export LC_ALL=C.UTF-8 ANSIBLE_LOCAL_TEMP=$PWD/l ANSIBLE_REMOTE_TEMP=$PWD/r ANSIBLE_HOME=$PWD/h
printf -- '- hosts: all\\n  gather_facts: false\\n  tasks:\\n  - command: "true"\\n  - shell: ls / | wc -l\\n' > p.yml
ansible-playbook -f 3 -c local -i 'a,b,' p.yml
"""

# A jobserver that is shared by makes that make starts, makefiles that are made, and $(shell).
SUBMAKES = """\
mkdir a b c
for d in a b c; do printf 'N := $(shell echo 3)\\nall: x y z\\n\\t@echo $(N)\\nx y z:\\n\\t@sleep 0.01; (:); echo $@ > $@\\n' > $d/Makefile; done
cat > Makefile <<'END'
SUBDIRS := a b c
all: $(SUBDIRS) last
$(SUBDIRS): ; +@$(MAKE) -s -C $@
include made.mk
made.mk: ; @echo 'MADE := 1' > $@
.ONESHELL:
last:
	@test $(MADE) = 1
	false | true
	exec true
END
make -j4; make -j3 -O -B; make -k -j2 nothing || true; make -j4 -B & sleep 0.03; kill -INT $!; wait || true
"""

BMAKE = "printf 'all: a b c\\na b c:\\n\\t@sleep 0.01; ls / | wc -l\\n\\t-false\\nX != echo x\\n' > Makefile; bmake -j3; bmake -B\n"
SCONS = "printf 'int main(void) { return 0; }\\n' > a.c; cp a.c b.c; echo 'Program(\"a.c\"); Program(\"b.c\")' > SConstruct; scons -Q -j3; scons -Q -c\n"
MERCURIAL = """\
export HGRCPATH=; hg init a; cd a; echo 1 > f; hg add f; hg commit -u a -m 1; echo 2 >> f; hg commit -u a -m 2
hg --config extensions.extdiff= extdiff -p diff -c 1 || true
hg serve -d -a 127.0.0.1 -p $PORT --pid-file $PWD/pid -A /dev/null; until_ok hg id http://127.0.0.1:$PORT/; hg clone -q http://127.0.0.1:$PORT/ ../b
kill $(cat pid); until_ok gone $(cat pid)
"""
GIT = """\
git init -q a; cd a; git config user.name a; git config user.email a@example.org; git config uploadpack.allowFilter true
for n in $(seq 6); do seq $((n * 3000)) > f$n; git add .; git commit -qm $n; done
git -c pack.threads=4 repack -q -adf --depth=50 --window=50; git gc -q --prune=now; git multi-pack-index write; git commit-graph write
FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch -f --msg-filter 'sed s/^/x/' HEAD~3..HEAD >/dev/null
git worktree add -q ../w; git -c protocol.file.allow=always submodule add -q $PWD s || true; git grep -q --threads=3 100 || true
git daemon --reuseaddr --export-all --base-path=$PWD/.. --listen=127.0.0.1 --port=$PORT --pid-file=$PWD/../pid & server=$!
until_ok git ls-remote git://127.0.0.1:$PORT/a
git clone -q --depth 2 git://127.0.0.1:$PORT/a ../c & one=$!; git clone -q git://127.0.0.1:$PORT/a ../d; wait $one
kill $server; wait $server || true
"""
SHELLS = """\
cat > a.sh <<'END'
coproc ONE { while read x; do echo got $x; done; }
echo a >&${ONE[1]}; read y <&${ONE[0]}; eval "exec ${ONE[1]}>&-"; wait
diff <(seq 5) <(seq 6) | tee >(wc -l) >(cat) >/dev/null
for n in 1 2 3 4; do sleep 0.0$n & done; wait -n; wait -n; kill %4; wait
set -m; (sleep 0.05; exit 3) & fg %1 2>/dev/null; set +m
trap 'x=$(date)' USR1; kill -USR1 $$; trap 'ls / >/dev/null' EXIT ERR; false
while read x; do : $(echo $x); done < <(seq 5); cat <<< x; (exec -a y /bin/true); (ulimit -v 1000; /bin/ls)
END
bash a.sh; bash -c 'kill -9 $$ & wait' || true
if command -v zsh; then
zsh -f -c 'zmodload zsh/zpty; zpty one "ls /"; zpty -r one x; zpty -d one; coproc cat; print -p a; coproc exit; echo a > >(cat) > >(wc -l); a=(=(echo x)); diff =(seq 3) <(seq 4); (( $+commands[true] )) && true; ( sleep 0.05 & ) ; disown 2>/dev/null; echo b | read x' || true
fi
if command -v fish; then
fish -N -c 'for n in (seq 3); sleep 0.02 &; end; wait; cat (seq 3 | psub); echo (true | false; or echo x); function f --on-process-exit %self; echo; end; begin; echo a; end | while read x; echo $x; end' || true
fi
if command -v ksh93; then ksh93 -c 'cat |& print -p a; read -p x; exec 3<&p 4>&p; exec 4>&-; for n in 1 2 3; do sleep 0.02 & done; wait; x=${ ls /; }; (:)' || true; fi
"""
XARGS = """\
seq 30 | xargs -P 5 -n 2 sh -c 'exit 0' ; seq 6 | xargs -P 3 -n 1 sh -c 'kill -9 $$' || true; seq 3 | xargs -n 1 sh -c 'exit 255' || true
seq 400 | parallel --pipe -N 50 -j3 wc -l; seq 6 | parallel -j2 --halt now,fail=1 'exit {}' || true; seq 4 | parallel --timeout 1 --tag 'sleep 0.0{}'
timeout -k 0.1 0.1 sh -c 'trap "" TERM; sleep 0.5' || true; flock f -c 'flock -n f true || ls /'; setsid -w true; setsid sleep 0.05; nice ionice -c3 true; env -i /bin/true; stdbuf -oL ls / | tail -1; watch -n 0.1 -g 'date +%N' >/dev/null 2>&1 || true
inotifywait -q -t 1 -e create . & sleep 0.2; touch x; wait || true
"""
CLANG = "printf '#include <stdio.h>\\nint main(void) { puts(\"x\"); return 0; }\\n' > a.c; cp a.c b.c; clang -c a.c; clang -flto=thin -O2 -c b.c || true; clang -### a.c 2>/dev/null; clang -save-temps -o a a.c; ./a; clang -fsyntax-only missing.c || true\n"
FORKTAX = "$FORKTAX explain --json -o x -- sh -c '(:); (:); ls / | wc -l' 2>/dev/null || true; $FORKTAX bench fork --rounds=1 -n 2 2>/dev/null || true; $FORKTAX doctor >/dev/null\n"

PROGRAMS = {
    "postgres-parallel": (["initdb", "pg_ctl", "psql", "pgbench"], POSTGRES),
    "mariadb": (["mariadbd", "mariadb"], MARIADB),
    "redis-benchmark": (["redis-server", "redis-benchmark"], REDIS),
    "distcc": (["distccd", "distcc", "cc"], DISTCC),
    "dbus": (["dbus-run-session", "dbus-send"], DBUS),
    "runc": (["runc", "busybox", "python3"], CONTAINER.replace("@RUN@", "runc")),
    "crun": (["crun", "busybox", "python3"], CONTAINER.replace("@RUN@", "crun --cgroup-manager=disabled")),
    "r-parallel": (["Rscript"], script("a.R", R, "Rscript a.R")),
    "emacs": (["emacs"], script("a.el", EMACS, "emacs --batch -Q -l a.el")),
    "haskell": (["ghc"], script("A.hs", HASKELL, "ghc -v0 -threaded -package process A.hs -o a && ./a +RTS -N2")),
    "mono": (["mono", "mcs"], script("a.cs", MONO, "mcs a.cs && mono a.exe")),
    "prolog": (["swipl"], script("a.pl", PROLOG, "swipl -g main -t halt a.pl")),
    "racket": (["racket"], script("a.rkt", RACKET, "racket a.rkt")),
    "ansible": (["ansible-playbook"], ANSIBLE),
    "submakes": (["make"], SUBMAKES),
    "bmake": (["bmake"], BMAKE),
    "scons": (["scons", "cc"], SCONS),
    "mercurial": (["hg"], MERCURIAL),
    "git-daemon": (["git"], GIT),
    "coprocesses": (["bash"], SHELLS),
    "xargs-parallel": (["parallel", "flock"], XARGS),
    "clang": (["clang"], CLANG),
    "forktax-explain": (["sh"], FORKTAX),
}
