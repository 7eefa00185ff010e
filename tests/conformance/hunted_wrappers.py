# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs around programs: preloads, wrappers, sandboxes, supervisors, terminals, fuzzers, sanitizers, drivers of builds."""

WORK = "ls / | wc -l; (:); true | cat"

PRELOADS = f"""\
faketime '2020-01-01 00:00:00' sh -c '{WORK}; date +%Y'
faketime -f '+1d x10' sh -c 'sleep 0.5; {WORK}'
eatmydata sh -c '{WORK}; echo x > a; sync a'
stdbuf -oL sh -c '{WORK}'
fakechroot fakeroot sh -c '{WORK}; touch b; chown 1:1 b; stat -c %u b'
"""
PROOT = f"""\
export PROOT_NO_SECCOMP=1
proot -0 sh -c '{WORK}'
unset PROOT_NO_SECCOMP
proot -b /usr:/usr2 -w / sh -c '{WORK}; ls /usr2 | wc -l; timeout 0.2 sleep 5; cat < /etc/hosts | sort | head -1' || true
"""
CHAIN = f"""\
nice -n1 ionice -c3 chrt --other 0 taskset 1 prlimit --nofile=100 setarch -R setpriv --no-new-privs --ambient-caps=-all \\
  env -i PATH=$PATH timeout 20 nohup setsid -w unshare -m unshare -p --fork --mount-proc unshare -u unshare -i sh -c '{WORK}'
x=sh; for n in $(seq 12); do x="unshare -pf $x"; done
$x -c '{WORK}; exit 0'
unshare -Ur unshare -n unshare -C unshare -T --fork sh -c '{WORK}'
"""
INITS = """\
dumb-init sh -c '(sleep 0.1 &); (sleep 0.2 &); ls / | wc -l'
dumb-init -c -v sh -c 'kill -TERM $PPID; sleep 5' || true
catatonit -g -- sh -c '(sleep 0.1 &); true' || true
unshare -pf catatonit -- sh -c '(sleep 0.1 &); sleep 0.2; true'
gosu nobody sh -c 'id -u; (:)'
"""
S6 = """\
mkdir -p scan/a/log scan/b
printf '#!/bin/sh\\nsleep 0.05; exec echo x\\n' > scan/a/run; printf '#!/bin/sh\\nexit 0\\n' > scan/a/finish
printf '#!/bin/sh\\nexec s6-log n3 ./log\\n' > scan/a/log/run
printf '#!/bin/execlineb -P\\nforeground { s6-sleep -m 30 } pipeline { ls / } wc -l\\n' > scan/b/run
chmod +x scan/*/run scan/a/finish scan/a/log/run
sed -i "s,/bin/execlineb,$(command -v execlineb)," scan/b/run
s6-svscan scan & svscan=$!
until_ok test -e scan/b/supervise/status; sleep 0.5
s6-svc -d scan/a; s6-svc -t scan/b; s6-svstat scan/b; s6-svscanctl -t scan
wait $svscan
execlineb -c 'forx n { 1 2 3 } importas n n foreground { echo $n } true'
"""
DAEMONTOOLS = """\
mkdir -p scan/a
printf '#!/bin/sh\\necho x; exec sleep 0.1\\n' > scan/a/run; chmod +x scan/a/run
svscan scan & svscan=$!
sleep 0.6; svc -u scan/a; svstat scan/a
kill $svscan; svc -dx scan/a; sleep 1; wait
echo y | multilog t ./log; setuidgid nobody true; softlimit -o 20 sh -c 'ls / | wc -l'
"""
DETACHERS = """\
dtach -n $PWD/socket sh -c 'ls / | wc -l; sleep 0.3'
until_ok test -e socket
daemonize -c $PWD -p $PWD/one.pid -o $PWD/out /bin/sh -c 'ls / | wc -l; sleep 0.2'
daemon --respawn --limit=2 --name=x --pidfiles=$PWD -- sh -c 'sleep 0.1' || true
sleep 0.7; daemon --name=x --pidfiles=$PWD --stop || true
start-stop-daemon --start --background --make-pidfile --pidfile $PWD/s.pid --exec /bin/sleep -- 5
until_ok test -s s.pid; start-stop-daemon --stop --pidfile $PWD/s.pid --retry 2
ls a* 2>/dev/null | entr -n true || true
sleep 0.3
"""
TERMINALS = """\
export TERM=xterm HOME=$PWD
asciinema rec -q -c 'sh -c "ls / | wc -l; (:)"' a.cast || true
script -qc 'rlwrap -a cat' /dev/null </dev/null | cat
script -qc 'ls / | wc -l; bash -ic "true | cat; exit 0"' /dev/null </dev/null | cat
"""
REPTYR = """\
sleep 3 & sleeping=$!
script -qc "reptyr -L true; reptyr -s $sleeping" /dev/null </dev/null | cat
kill $sleeping || true
"""
XTERM = """\
Xvfb -displayfd 3 -nolisten tcp -screen 0 640x480x8 3> number & server=$!
until_ok test -s number
DISPLAY=:$(cat number) xterm -e sh -c 'ls / | wc -l; (:); sleep 0.2'
DISPLAY=:$(cat number) timeout 5 xterm -hold -e true & xterm=$!
sleep 0.7; kill $xterm; wait $xterm
kill $server; wait $server || true
"""
EDITORS = """\
export HOME=$PWD TERM=dumb
nvim --headless -u NONE -i NONE +'call jobwait([jobstart(["sh","-c","ls / | wc -l"]), jobstart("exit 2")])' +'echo system("true")' +'call jobstop(termopen("cat"))' +'qa!'
kak -n -ui dummy -e 'evaluate-commands %sh{ ls / | wc -l >/dev/null }; nop %sh{ { sleep 0.1; } >/dev/null 2>&1 </dev/null & }; write a; kill!' || true
"""
LXC = f"""\
lxc-unshare -s 'MOUNT|PID|UTSNAME|IPC' -- sh -c '{WORK}' || true
lxc-execute -P $PWD -n x -l ERROR -s lxc.cgroup.relative=1 -- sh -c '{WORK}' || true
lxc-usernsexec -m b:0:0:1 -- sh -c '{WORK}' || true
"""
BUILDAH = """\
mkdir root; cp $(command -v busybox) root/sh
export BUILDAH_ISOLATION=chroot HOME=$PWD
own="--root $PWD/storage --runroot $PWD/run --storage-driver vfs"
one=$(buildah $own from scratch) && buildah $own copy -q $one root/sh /bin/sh && buildah $own run $one /bin/sh -c 'echo $$; (:)' || true
buildah $own rm -a || true
"""
# Its processes are threads of the host, and its address spaces are changed from outside.
USER_MODE_LINUX = """\
cat > init.c <<'END'
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 20; i++) {
		pid_t pid = fork();
		if (!pid) _exit(i);
		waitpid(pid, 0, 0);
	}
	sync();
	reboot(RB_POWER_OFF);
	return 0;
}
END
mkdir root; cc -static -O1 init.c -o root/init
timeout -k 5 60 linux.uml mem=64M rootfstype=hostfs rootflags=$PWD/root rw init=/init con=null con0=null,fd:1 quiet uml_dir=$PWD || true
"""
FUZZED = r"""
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
	char line[64] = "";
	if (read(0, line, sizeof(line) - 1) < 0) return 1;
	if (line[0] == 'a' && line[1] == 'b') abort();
	if (line[0] == 'x') return system("true");
	return line[2] == 'c';
}
"""
AFL = f"""\
export AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1
cat > a.c <<'END'
{FUZZED}END
afl-cc -O1 a.c -o a; mkdir in; echo zz > in/one
timeout 60 afl-fuzz -E 1500 -i in -o out -- ./a || true
AFL_NO_FORKSRV=1 timeout 60 afl-fuzz -E 200 -i in -o out2 -- ./a || true
"""
LIBFUZZER = """\
cat > a.c <<'END'
#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { if (size > 3 && data[0] == 'a' && data[1] == 'b') abort(); return 0; }
END
clang -g -O1 -fsanitize=fuzzer a.c -o a
./a -fork=2 -max_total_time=2 -ignore_crashes=1 || true
./a -jobs=3 -workers=2 -runs=2000 || true
"""
SANITIZED = r"""
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int shared;
static void *work(void *argument) { shared++; if (system("true")) abort(); return argument; }
int main(void)
{
	pthread_t all[3];
	void *lost = malloc(100);
	for (int i = 0; i < 3; i++) pthread_create(&all[i], 0, work, 0);
	for (int i = 0; i < 3; i++) pthread_join(all[i], 0);
	for (int i = 0; i < 5; i++) {
		pid_t pid = fork();
		if (!pid) { lost = malloc(1000); lost = 0; exit(i); }
		waitpid(pid, 0, 0);
	}
	lost = 0;
	return lost != 0;
}
"""
# The leak checker stops all threads from a process that shares their memory (CLONE_VM, CLONE_UNTRACED, ptrace).
SANITIZERS = f"""\
cat > a.c <<'END'
{SANITIZED}END
for one in address undefined leak thread; do cc -g -O1 -fsanitize=$one -pthread a.c -o $one && ./$one || true; done
"""
LATENCIES = """\
hackbench -g 1 -f 4 -l 10; hackbench -T -g 1 -f 4 -l 10; hackbench -p -g 1 -f 3 -l 10
cyclictest -q -t 4 -l 50 -i 1000 || true
sysbench threads --threads=8 --time=0 --events=50 run; sysbench mutex --threads=4 run; sysbench memory --threads=2 --memory-total-size=32M run
"""
LOGROTATE = """\
for n in 1 2 3; do echo $n > $n.log; done
printf '%s/*.log {\\nsu root root\\nrotate 2\\ncompress\\nsharedscripts\\npostrotate\\nls / | wc -l\\nendscript\\n}\\n' $PWD > rotate.conf
chmod 644 rotate.conf; logrotate -f -s $PWD/state rotate.conf; logrotate -f -s $PWD/state rotate.conf
mkdir parts; printf '#!/bin/sh\\ntrue | cat\\n' > parts/one; cp parts/one parts/two; chmod +x parts/*; run-parts --report parts
"""
INTERCEPTED_BUILDS = """\
for n in 1 2 3 4; do echo "int f$n(void) { return $n; }" > $n.c; done
printf 'all: 1.o 2.o 3.o 4.o\\n%%.o: %%.c\\n\\tcc -c $< -o $@\\n' > Makefile
bear -- make -s -j3; rm *.o
cppcheck -q -j 3 . ; icecc cc -c 1.c -o 1.o || true
"""
TUP = """\
tup init; printf ': foreach *.c |> cc -c %%f -o %%o |> %%B.o\\n' > Tupfile
for n in 1 2 3; do echo "int f$n(void) { return $n; }" > $n.c; done
tup -j3 || true
umount -l .tup/mnt || true
"""
SNAKEMAKE = """\
cat > Snakefile <<'END'
rule all:
    input: ["a", "b", "c"]
rule one:
    output: "{name}"
    wildcard_constraints: name="[abc]"
    shell: "ls / | wc -l > {output}"
END
HOME=$PWD XDG_CACHE_HOME=$PWD snakemake -q -j3
"""
RPMBUILD = """\
cat > x.spec <<'END'
Name: x
Version: 1
Release: 1
Summary: x
License: x
%description
x
%prep
ls / | wc -l
%build
echo 'int main(void) { return 0; }' > x.c; cc x.c -o x
%install
mkdir -p %{buildroot}/usr/bin; cp x %{buildroot}/usr/bin
%files
/usr/bin/x
END
HOME=$PWD rpmbuild -bb --nodeps --define "_topdir $PWD" --define "_dbpath $PWD/db" x.spec >/dev/null
"""
BORG = """\
export HOME=$PWD BORG_BASE_DIR=$PWD BORG_PASSPHRASE=x
mkdir data; for n in 1 2 3; do head -c 100000 /dev/urandom > data/$n; done
borg init -e repokey-blake2 repo; borg create repo::a data; borg list repo::a | wc -l; borg extract -n repo::a; borg prune --keep-last 1 repo
"""
FOSSIL = """\
export HOME=$PWD USER=x
fossil init -A x r.fossil >/dev/null; mkdir w; cd w; fossil open -f ../r.fossil >/dev/null; echo x > a; fossil add a; fossil commit -m x --no-warnings >/dev/null
fossil server --localhost --port $PORT --max-latency 5 ../r.fossil & server=$!
until_ok curl -sf http://127.0.0.1:$PORT/
for n in 1 2 3; do curl -s http://127.0.0.1:$PORT/timeline >/dev/null; done
fossil sync http://127.0.0.1:$PORT/ || true
kill $server; wait $server || true
"""
ARM64 = f"""\
cat > a.c <<'END'
{SANITIZED}END
aarch64-linux-gnu-gcc -static -O1 -pthread a.c -o a && qemu-aarch64-static ./a
qemu-aarch64-static -one-insn-per-tb ./a 2>/dev/null || qemu-aarch64-static -singlestep ./a
"""
INT80 = """\
cat > a.c <<'END'
#define _GNU_SOURCE
#include <sys/mman.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static long call(long number, long a, long b, long c)
{
	long result;
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory", "r8", "r9", "r10", "r11");
	return result;
}
int main(int count, char **arguments)
{
	char *low = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	unsigned *vector = (unsigned *)(low + 1024);
	if (count > 1) return call(20, 0, 0, 0) < 0; /* getpid */
	for (int i = 0; i < 8; i++) {
		long pid = call(2, 0, 0, 0); /* fork */
		if (!pid) {
			if (i % 2) call(1, i, 0, 0); /* exit */
			readlink("/proc/self/exe", low, 1000);
			memcpy(low + 1000, "x", 2);
			vector[0] = vector[1] = (unsigned)(long)(low + 1000); vector[2] = 0;
			call(11, (long)low, (long)vector, 0); /* execve */
			_exit(9);
		}
		waitpid((int)pid, 0, 0); /* by its 64-bit number: the witness knows who waits by that */
		call(3, -1, 0, 0); call(999, 0, 0, 0); getppid();
	}
	return 0;
}
END
cc -O1 a.c -o a && ./a
"""
TRACED_TWICE = """\
strace -f -o one strace -f -o two sh -c 'ls / | wc -l; (:)' || true
strace -D -f -o three sh -c 'ls / | wc -l'
strace -f -b execve -o four sh -c 'ls / | wc -l'
strace -f --seccomp-bpf -e trace=execve,clone -o five sh -c 'ls / | wc -l'
timeout 1 strace -c -f sh -c 'while :; do (:); done' 2>/dev/null || true
"""
GDB_MANY = f"""\
cat > a.c <<'END'
{SANITIZED}END
cc -g -pthread a.c -o a
gdb -q -nx -batch -ex 'set detach-on-fork off' -ex 'set schedule-multiple on' -ex 'set follow-fork-mode parent' -ex 'catch exec' -ex run -ex 'info inferiors' -ex continue -ex continue -ex 'kill inferiors 1 2' ./a || true
gdb -q -nx -batch -ex 'set non-stop on' -ex 'break work' -ex 'run &' -ex 'shell sleep 0.5' -ex 'info threads' -ex 'kill' ./a || true
gdb -q -nx -batch -ex 'break main' -ex run -ex 'call (int)system("true")' -ex 'checkpoint' -ex 'restart 1' -ex kill ./a || true
"""
CELERY = """\
printf 'from celery import Celery\\nimport subprocess\\napp = Celery("a", broker="memory://", backend="cache+memory://")\\n@app.task\\ndef f(n): return subprocess.run(["true"]).returncode\\n' > a.py
export HOME=$PWD
timeout -s TERM 8 celery -A a worker -c 3 -l ERROR --without-gossip --without-mingle & worker=$!
sleep 6; kill $worker; wait || true
"""

PROGRAMS = {
    "preloads": (["faketime", "eatmydata", "fakechroot", "fakeroot"], PRELOADS),
    "proot": (["proot"], PROOT),
    "chain-of-wrappers": (["setpriv", "chrt", "unshare"], CHAIN),
    "small-inits": (["dumb-init", "catatonit", "gosu"], INITS),
    "s6": (["s6-svscan", "execlineb"], S6),
    "daemontools": (["svscan"], DAEMONTOOLS),
    "detachers": (["dtach", "daemonize", "daemon", "entr"], DETACHERS),
    "terminals": (["asciinema", "rlwrap"], TERMINALS),
    "reptyr": (["reptyr"], REPTYR),
    "xterm": (["Xvfb", "xterm"], XTERM),
    "nvim-kakoune": (["nvim", "kak"], EDITORS),
    "lxc": (["lxc-execute"], LXC),
    "buildah": (["buildah", "busybox"], BUILDAH),
    "user-mode-linux": (["linux.uml", "cc"], USER_MODE_LINUX),
    "afl": (["afl-fuzz"], AFL),
    "libfuzzer": (["clang"], LIBFUZZER),
    "sanitizers": (["cc"], SANITIZERS),
    "latencies": (["hackbench", "sysbench"], LATENCIES),
    "logrotate": (["logrotate"], LOGROTATE),
    "bear": (["bear", "cppcheck", "icecc"], INTERCEPTED_BUILDS),
    "tup": (["tup"], TUP),
    "snakemake": (["snakemake"], SNAKEMAKE),
    "rpmbuild": (["rpmbuild", "cc"], RPMBUILD),
    "borg": (["borg"], BORG),
    "fossil": (["fossil", "curl"], FOSSIL),
    "arm64": (["qemu-aarch64-static", "aarch64-linux-gnu-gcc"], ARM64),
    "int80": (["cc"], INT80),
    "strace-of-strace": (["strace"], TRACED_TWICE),
    "gdb-many": (["gdb", "cc"], GDB_MANY),
    "celery": (["celery"], CELERY),
}
