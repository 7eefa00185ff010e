# SPDX-License-Identifier: GPL-2.0-or-later
"""What the kernel does to processes: namespaces, tracers, set-id programs, deaths, failing execs,
signals, threads."""


def compiled(text, run, options=""):
    return f"cat > a.c <<'END'\n{text}END\ncc -O1 -w {options} -o a a.c -pthread\n{run}\n"


UNSHARE = """\
unshare --user --map-root-user --pid --fork --mount-proc sh -c 'for n in 1 2 3 4 5; do (ls /proc >/dev/null) & done; wait; ps -e | wc -l; sh -c "sleep 5 & sleep 5 & exit 0"'
unshare --net --ipc --uts --mount --pid --fork --kill-child sh -c 'hostname x; unshare --pid --fork sh -c "echo \\$\\$; (:)"; true'
unshare --pid sh -c 'for n in 1 2 3; do true; /bin/true; done' || true
"""

BWRAP = """\
bwrap --ro-bind / / --proc /proc --dev /dev --unshare-all --die-with-parent sh -c 'ls / | wc -l; (sleep 0.05 &) ; ps ax | wc -l'
bwrap --ro-bind / / --unshare-pid --as-pid-1 sh -c '(:); ls /proc/self >/dev/null'
bwrap --ro-bind / / --cap-drop ALL /bin/true
"""

CHROOT = """\
mkdir -p root/bin; cp $(command -v busybox) root/bin/; for name in sh ls cat true sleep; do ln -s busybox root/bin/$name; done
chroot root /bin/sh -c 'ls / | cat; true & wait; nosuch'
unshare --mount --root=$PWD/root --fork --pid /bin/busybox sh -c 'for n in 1 2 3; do ls >/dev/null & done; wait'
"""

STRACE = "strace -f -o log sh -c 'ls / | wc -l; (:); nosuch'; strace -c -f -o log sh -c 'true; /bin/true'; strace -f -e inject=getppid:retval=5 -o log python3 -c 'import os; os.getppid()'; strace -e trace=none -f -o log sh -c '(:)'\n"
PTRACE = "strace -f -e inject=getuid:error=EPERM:when=1+2 -e inject=write:delay_enter=100 -o log sh -c 'id; id -u | cat; exit 0'; strace --seccomp-bpf -f -e trace=openat -o log sh -c 'ls / >/dev/null; (:)'; true\n"
GDB = """\
printf '#include <stdio.h>\\n#include <unistd.h>\\nint f(int n){return n*2;}\\nint main(){ for(int i=0;i<5;i++) printf("%%d\\\\n", f(i)); if(!fork()) _exit(f(1)); return 0;}\\n' > a.c
cc -g -O0 -o a a.c
gdb -q -batch -ex 'break f' -ex 'run' -ex 'bt' -ex 'watch n' -ex 'continue' -ex 'delete' -ex 'call f(3)' -ex 'set detach-on-fork off' -ex 'continue' ./a || true
gdb -q -batch -ex 'catch fork' -ex 'run' -ex 'kill' ./a || true
"""
LTRACE = "ltrace -f -o log sh -c 'ls / >/dev/null; (:)'; ltrace -S -o log /bin/true; true\n"
PERF = "perf stat -o log -e page-faults,context-switches sh -c 'ls / | wc -l; (:)'; perf record -q -e cpu-clock -F 2000 -g -o data sh -c 'ls -R /usr/share/doc >/dev/null; (:)' || true; perf trace -o log -s sh -c 'ls / >/dev/null' || true\n"
VALGRIND = "valgrind -q --trace-children=yes sh -c '(:); exit 0'; valgrind -q --tool=none ls / >/dev/null\n"

SUDO = """\
printf 'Defaults !lecture\\n' > sudoers; su -s /bin/sh nobody -c 'id -u; (ls /root | cat); exit 0'
su - root -c 'true'
if command -v sudo; then sudo -n -u nobody sh -c 'id -u; (:)'; sudo -n true; fi
runuser -u nobody -- ls / >/dev/null
setpriv --reuid nobody --clear-groups --no-new-privs sh -c 'ping -c 1 127.0.0.1; su root -c id; mount; true' </dev/null
"""
MOUNT = "unshare --mount sh -c 'mkdir m; mount -t tmpfs none m; echo a > m/a; mount --bind m m; umount m; umount -l m'; mount >/dev/null; setpriv --reuid nobody --clear-groups umount /proc || true; findmnt >/dev/null || true\n"

OOM = """\
for base in /sys/fs/cgroup/memory /sys/fs/cgroup /sys/fs/cgroup/unified; do
  group=$base/forktax-$$
  mkdir $group 2>/dev/null || continue
  if [ -e $group/memory.limit_in_bytes ]; then echo 24M > $group/memory.limit_in_bytes; break; fi
  if [ -e $group/memory.max ]; then echo 24M > $group/memory.max; break; fi
  rmdir $group; group=
done
[ -n "$group" ] || { echo "no memory cgroup"; exit 77; }
sh -c "echo \\$\\$ > $group/cgroup.procs; (ls / | wc -l); python3 -c 'import os
for n in range(3):
    if not os.fork(): break
a = [bytearray(1 << 20) for _ in range(100)]'; true; (:)"
perl -e 'open F, ">", "'$group'/cgroup.procs"; print F $$; close F; $a = "x" x (1 << 28); ' || true
until_ok rmdir $group
"""

KILLED = """\
(ls -lR / >/dev/null 2>&1) & one=$!
python3 -c 'while True: pass' & two=$!
(while :; do (:); done) & three=$!
sleep 0.15
kill -STOP $two; kill -CONT $two; kill -KILL $one $two $three
wait
timeout -s KILL 0.05 sh -c 'while :; do (:); done' || true
timeout 0.05 sleep 10 || true
python3 -c 'import os, threading, signal, time
for n in range(20): threading.Thread(target=time.sleep, args=(10,), daemon=True).start()
time.sleep(0.05)
os.kill(os.getpid(), signal.SIGKILL)' || true
prlimit --cpu=1 python3 -c 'while True: pass' || true
python3 -c 'import os; os.abort()' || true
perl -e 'sub f { f() } f()' & deep=$!; sleep 0.05; kill -KILL $deep; wait || true
"""
CORE = """\
ulimit -c unlimited; cat /proc/sys/kernel/core_pattern
python3 -c 'import ctypes; ctypes.string_at(0)' || true
python3 -c 'import ctypes, threading, time
for n in range(10): threading.Thread(target=time.sleep, args=(10,), daemon=True).start()
ctypes.string_at(0)' || true
sh -c 'kill -ABRT $$' || true; sh -c 'kill -BUS $$' || true; rm -f core*
"""
FAILING = """\
printf '#!/nonexistent\\n' > bad; printf 'not a program' > text; printf '\\177ELF' > cut; chmod +x bad text cut
printf '#!/bin/sh\\necho script\\n' > good; chmod +x good; mkdir dir; cp /bin/true data
perl -e 'for ("./bad", "./text", "./cut", "./dir", "./data", "/nonexistent", "/etc/passwd/x", "") { exec { $_ } "x"; }' || true
perl -e 'for my $n (1 .. 5) { if (!fork) { exec { "./cut" } "x"; exec { "./bad" } "x"; exec { "/bin/sh" } "sh", "-c", "exit $n" } wait }'
perl -e 'exec "true", "x" x 3000000' || true
prlimit --stack=100000 perl -e 'exec "true", ("x" x 100000) x 5' || true
prlimit --as=4000000 ls / || true
prlimit --as=1000000 /bin/true || true
prlimit --data=1000 /bin/true || true
prlimit --nproc=1 setpriv --reuid nobody --clear-groups sh -c '(:); true' || true
head -c 3000 /bin/ls > cut2; chmod +x cut2; ./cut2 || true
head -c 20000 /bin/ls > cut3; chmod +x cut3; ./cut3 || true
LD_PRELOAD=/nonexistent.so /bin/true; env -i LD_LIBRARY_PATH=. /bin/true
cp /bin/sleep busy; ./busy 0.2 & (echo x > busy) || true; wait; ./good
perl -e 'if (!fork) { if (fork) { exec "true" } exec "./good"; } wait; sleep 1'
"""
STORM = """\
import os, signal, time
hits = 0
def hit(*_):
    global hits
    hits += 1
for each in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGPROF, signal.SIGRTMIN): signal.signal(each, hit)
me = os.getpid()
kids = []
for n in range(4):
    pid = os.fork()
    if not pid:
        for m in range(500):
            os.kill(me, (signal.SIGUSR1, signal.SIGUSR2, signal.SIGRTMIN)[m % 3])
        os._exit(0)
    kids.append(pid)
signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
for n in range(30):
    pid = os.fork()
    if not pid: os._exit(0)
    os.waitpid(pid, 0)
end = time.monotonic() + 0.3
while time.monotonic() < end: sum(range(100))
signal.setitimer(signal.ITIMER_PROF, 0); signal.setitimer(signal.ITIMER_REAL, 0)
for pid in kids: os.waitpid(pid, 0)
for n in range(20):
    pid = os.fork()
    if not pid:
        while True: os.fork() and os._exit(0) if False else time.sleep(1)
    os.kill(pid, signal.SIGKILL); os.waitpid(pid, 0)
"""

THREADS = """\
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static char page[1 << 20];
static void *work(void *at) { for (int i = 0; i < 4096; i += 64) page[i] = 1; if (at) pause(); return 0; }
int main(int argc, char **argv)
{
	pthread_t all[300];
	for (int i = 0; i < 300; i++) pthread_create(&all[i], 0, work, 0);
	for (int i = 0; i < 300; i++) pthread_join(all[i], 0);
	for (int i = 0; i < 200; i++) pthread_create(&all[i], 0, work, &all[i]);
	if (!fork()) { for (int i = 0; i < 1 << 20; i += 4096) page[i] = 2; _exit(0); }
	wait(0);
	for (int i = 0; i < 100; i++) { pthread_cancel(all[i]); pthread_join(all[i], 0); }
	if (argc > 1) { execl("/bin/true", "true", (char *)0); }
	if (argc < 1) raise(SIGKILL);
	return 0;
}
"""
THREADS_DIE = THREADS.replace("argc < 1", "argc == 1")
EXEC_THREAD = THREADS.replace("return 0; }\nint", """return 0; }
static void *run(void *at) { execl("/bin/sh", "sh", "-c", "ls / | wc -l; (:)", (char *)0); return 0; }
int""").replace("if (argc > 1)", "pthread_create(&all[0], 0, run, 0); pause(); if (argc > 1)")

SECCOMP = """\
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static void filter(int nr, int what)
{
	struct sock_filter f[] = { {0x20, 0, 0, 0}, {0x15, 0, 1, nr}, {6, 0, 0, what}, {6, 0, 0, 0x7fff0000} };
	struct sock_fprog p = { 4, f };
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, 2, &p);
}
int main(void)
{
	int what[] = { 0x00050000 | EPERM, 0x00030000, 0x80000000, 0, 0x7ffc0000 };
	for (int i = 0; i < 5; i++) {
		if (!fork()) { filter(SYS_getppid, what[i]); for (int n = 0; n < 7; n++) syscall(SYS_getppid); if (!fork()) { syscall(SYS_getppid); _exit(1); } wait(0); _exit(0); }
		wait(0);
	}
	if (!fork()) { filter(SYS_execve, 0x00050000 | EPERM); execl("/bin/true", "true", (char *)0); _exit(2); }
	wait(0);
	return 0;
}
"""
CLONES = """\
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/mman.h>
#include <unistd.h>
static char stack[1 << 16], page[1 << 20];
static int child(void *unused) { for (int i = 0; i < 1 << 20; i += 4096) page[i]++; getppid(); _exit(3); }
static int parent(void *unused) { clone(child, stack + 30000, CLONE_PARENT | SIGCHLD, 0); _exit(0); }
int main(void)
{
	int status, flags[] = { SIGCHLD, CLONE_VM | SIGCHLD, CLONE_VM | CLONE_VFORK | SIGCHLD, CLONE_VFORK | SIGCHLD,
		CLONE_FILES | CLONE_FS | SIGCHLD, CLONE_IO | SIGCHLD, CLONE_VM | CLONE_SIGHAND | SIGCHLD, CLONE_NEWPID | SIGCHLD,
		CLONE_NEWUSER | CLONE_NEWPID | SIGCHLD, 0, SIGUSR1, CLONE_UNTRACED | SIGCHLD };
	signal(SIGUSR1, SIG_IGN);
	for (int round = 0; round < 5; round++)
		for (unsigned i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
			pid_t pid = clone(child, stack + sizeof(stack), flags[i], 0);
			waitpid(pid, &status, __WALL);
		}
	for (int i = 0; i < 5; i++) { clone(parent, stack + sizeof(stack), SIGCHLD, 0); while (wait(0) > 0); }
	signal(SIGCHLD, SIG_IGN);
	for (int i = 0; i < 20; i++) if (!fork()) { for (int n = 0; n < 1 << 20; n += 4096) page[n]++; _exit(0); }
	while (wait(0) > 0);
	for (int i = 0; i < 50; i++) { pid_t pid = fork(); if (!pid) { while (1) getppid(); } kill(pid, SIGKILL); }
	while (wait(0) > 0);
	return 0;
}
"""
BADCALLS = """\
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
static sigjmp_buf back;
static void hit(int number) { siglongjmp(back, 1); }
int main(void)
{
	char *bad = mmap(0, 1 << 16, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *good = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int file = open("/etc/passwd", 0), pipes[2], zero = open("/dev/zero", 0);
	pipe(pipes);
	for (int i = 0; i < 20; i++) {
		read(file, bad, 10); write(pipes[1], bad, 10); open(bad, 0); stat(0, (void *)bad); syscall(SYS_futex, bad, 0, 1, 0);
		syscall(SYS_futex, good + i * 4096, 1, 1); read(zero, good + 65536 * (i % 8) + 60000, 8192); read(zero, bad - 4096, 8192);
		write(pipes[1], good + 500000 + i * 4096, 3); read(pipes[0], good + 700000 + i * 4096, 3);
		struct iovec in = { bad, 10 }, out = { good, 10 }; writev(pipes[1], &in, 1); process_vm_readv(getpid(), &out, 1, &in, 1, 0);
		syscall(-1); syscall(600 + i); syscall(0x40000000 + i);
	}
	struct sigaction act = { .sa_handler = hit, .sa_flags = SA_NODEFER };
	sigaction(SIGSEGV, &act, 0); sigaction(SIGBUS, &act, 0);
	for (volatile int i = 0; i < 50; i++) if (!sigsetjmp(back, 0)) bad[i * 1000 % 65536] = 1;
	int cut = open("cut", O_RDWR | O_CREAT, 0600); ftruncate(cut, 4096);
	char *map = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, cut, 0);
	map[0] = 1; for (volatile int i = 0; i < 10; i++) if (!sigsetjmp(back, 0)) map[4096] = 1;
	read(zero, map + 4090, 20);
	struct sigaction normal = { .sa_handler = SIG_DFL };
	sigaction(SIGSEGV, &normal, 0);
	if (!fork()) *(volatile char *)bad = 1;
	if (!fork()) { munmap(good, 1 << 20); *(volatile char *)good = 1; }
	while (wait(0) > 0);
	return 0;
}
"""
HUGE = """\
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	size_t size = 32 << 20;
	char *a = aligned_alloc(2 << 20, size);
	madvise(a, size, MADV_HUGEPAGE); memset(a, 1, size);
	for (int i = 0; i < 3; i++) if (!fork()) { memset(a + (i << 20), 2, 3 << 20); madvise(a, 4 << 20, MADV_DONTNEED); a[0] = 1; _exit(0); }
	memset(a, 3, size); while (wait(0) > 0);
	char *m = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!fork()) { memset(m, 1, size); mlock(m, 1 << 20); _exit(0); }
	wait(0); memset(m, 2, size); mremap(m, size, size * 2, MREMAP_MAYMOVE); mlockall(MCL_CURRENT | MCL_FUTURE);
	malloc(1 << 20); munlockall();
	return 0;
}
"""
IO_URING = "fio --name=a --filename=$PWD/f --size=4m --ioengine=io_uring --rw=randwrite --numjobs=2 --iodepth=8 --minimal >/dev/null\nfio --name=a --filename=$PWD/f --size=2m --ioengine=io_uring --rw=randread --force_async=1 --hipri=0 --thread --minimal >/dev/null\n"

COMPAT = """\
cat > a.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
static char page[1 << 16];
int main(int argc, char **argv)
{
	for (int i = 0; i < 5; i++) { if (!fork()) { for (int n = 0; n < 1 << 16; n += 4096) page[n]++; exit(i); } wait(0); }
	if (argc > 1) execl("/bin/sh", "sh", "-c", "ls / | wc -l", (char *)0);
	system("true"); return 0;
}
END
cc -m32 -o a a.c 2>/dev/null || cc -m32 -static -o a a.c || exit 77
./a; ./a exec; (./a & ./a & wait)
"""

STRESS = {name: f"stress-ng --{name} 2 --{name}-ops {ops} --temp-path . --timeout 20 -q {more}\n" for name, ops, more in (
    ("clone", 50, ""), ("vfork", 50, ""), ("exec", 20, ""), ("zombie", 50, ""),
    ("daemon", 10, ""), ("kill", 200, ""), ("sigsegv", 50, ""), ("switch", 500, ""), ("mmapfork", 2, ""),
    ("vm-segv", 5, ""), ("pthread", 20, ""), ("userfaultfd", 200, "--userfaultfd-bytes 1m"), ("mlock", 20, ""),
    ("madvise", 2, ""), ("mremap", 5, "--mremap-bytes 2m"), ("pkey", 20, ""), ("seccomp", 20, ""), ("session", 20, ""),
    ("sigabrt", 20, ""), ("sigchld", 50, ""), ("sigfd", 50, ""), ("sigtrap", 50, ""), ("bad-altstack", 10, ""),
    ("ptrace", 50, ""), ("rseq", 1000, ""), ("membarrier", 20, ""), ("stack", 2, "--stack-fill"), ("stackmmap", 2, ""),
    ("vforkmany", 20, "--vforkmany-vm"), ("wait", 50, ""), ("mprotect", 50, ""), ("msyncmany", 20, ""), ("shm", 5, "--shm-bytes 2m"),
    ("bad-ioctl", 50, ""), ("enosys", 20, ""), ("sysbadaddr", 50, ""), ("longjmp", 500, ""), ("sigsuspend", 50, ""),
    ("tee", 50, ""), ("vm-splice", 50, ""), ("memfd", 5, "--memfd-bytes 4m"), ("nanosleep", 20, ""), ("resources", 2, ""),
    ("brk", 500, ""), ("fault", 100, ""), ("mincore", 100, ""), ("remap", 20, ""), ("sigrt", 50, ""), ("affinity", 50, ""), ("prefetch", 1, ""),
    ("nice", 20, ""), ("schedpolicy", 50, ""), ("dekker", 1000, ""), ("forkheavy", 20, ""), ("fork", 20, "--fork-vm"), ("spawn", 20, ""),
    ("context", 500, ""), ("mutex", 500, ""), ("futex", 500, ""), ("aio", 50, ""), ("io-uring", 20, ""), ("pipe", 500, ""), ("hrtimers", 1000, ""), ("set", 50, ""),
)}

PROGRAMS = {
    "unshare-namespaces": (["unshare", "ps"], UNSHARE),
    "bubblewrap": (["bwrap", "ps"], BWRAP),
    "chroot-busybox": (["busybox", "chroot"], CHROOT),
    "strace": (["strace"], STRACE),
    "strace-inject": (["strace"], PTRACE),
    "gdb": (["gdb", "cc"], GDB),
    "ltrace": (["ltrace"], LTRACE),
    "perf": (["perf"], PERF),
    "valgrind": (["valgrind"], VALGRIND),
    "su-sudo": (["su", "runuser"], SUDO),
    "mount-umount": (["mount"], MOUNT),
    "oom-in-cgroup": (["python3", "perl"], OOM),
    "killed": (["python3", "perl", "timeout"], KILLED),
    "core-dumps": (["python3"], CORE),
    "failing-execs": (["perl", "prlimit"], FAILING),
    "signal-storm": (["python3"], "cat > s.py <<'END'\n" + STORM + "END\npython3 s.py\n"),
    "hundreds-of-threads": (["cc"], compiled(THREADS, "./a; ./a exec")),
    "threads-killed": (["cc"], compiled(THREADS_DIE, "./a || true")),
    "exec-of-thread": (["cc"], compiled(EXEC_THREAD, "./a")),
    "seccomp-filters": (["cc"], compiled(SECCOMP, "./a")),
    "clone-flags": (["cc"], compiled(CLONES, "./a")),
    "bad-addresses": (["cc"], compiled(BADCALLS, "./a")),
    "huge-pages": (["cc"], compiled(HUGE, "./a")),
    "io-uring": (["fio"], IO_URING),
    "32-bit": (["cc"], COMPAT),
    **{f"stress-{name}": (["stress-ng"], text) for name, text in STRESS.items()},
}
