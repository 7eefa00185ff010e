# SPDX-License-Identifier: GPL-2.0-or-later
"""Small programs that end, execute and fork at the worst moments."""

HEAD = """\
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static char page[1 << 20];
static unsigned state = 1;
static unsigned some(unsigned most) { state = state * 1103515245 + 12345; return (state >> 16) % most; }
static void idle(unsigned turns) { for (volatile unsigned i = 0; i < turns; i++); }
"""


def program(text, run="./a", options=""):
    return f"cat > a.c <<'END'\n{HEAD}{text}END\ncc -O1 -w {options} -o a a.c -pthread\n{run}\n"


KILLED_IN_EXEC = """\
int main(void)
{
	for (int i = 0; i < 300; i++) {
		pid_t pid = fork();
		if (!pid) { execl("/bin/sh", "sh", "-c", "/bin/true; exec /bin/true", (char *)0); _exit(1); }
		usleep(some(3000));
		kill(pid, SIGKILL);
		waitpid(pid, 0, 0);
	}
	return 0;
}
"""

KILLED_IN_FORK = """\
static void *fork_on(void *unused) { while (1) { pid_t pid = fork(); if (!pid) _exit(0); if (pid > 0) waitpid(pid, 0, 0); } }
int main(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (int i = 0; i < 60; i++) {
		pid_t pid = fork();
		if (!pid) {
			pthread_t all[3];
			for (int n = 0; n < 3; n++) pthread_create(&all[n], 0, fork_on, 0);
			fork_on(0);
		}
		usleep(500 + some(3000));
		kill(pid, i % 2 ? SIGKILL : SIGTERM);
		while (wait(0) > 0);
	}
	return 0;
}
"""

THREAD_RACES = """\
static void *end(void *unused) { return 0; }
static void *create(void *unused) { pthread_t one; while (1) { if (!pthread_create(&one, 0, end, 0)) pthread_detach(one); page[some(1 << 20)] = 1; } }
static void *leave(void *how) { usleep(some(4000)); if (!strcmp(how, "exec")) execl("/bin/true", "true", (char *)0); if (!strcmp(how, "exit")) _exit(3); if (!strcmp(how, "bad")) *(volatile char *)8 = 1; raise(SIGKILL); return 0; }
int main(void)
{
	const char *how[] = { "exit", "kill", "bad", "exit", "kill" };
	for (int i = 0; i < 60; i++) {
		if (!fork()) {
			pthread_t one;
			struct rlimit none = { 0, 0 };
			setrlimit(RLIMIT_CORE, &none);
			state = i + 1;
			for (int n = 0; n < 4; n++) pthread_create(&one, 0, create, 0);
			pthread_create(&one, 0, leave, (void *)how[i % 5]);
			if (i % 3 == 0) pthread_exit(0);
			create(0);
		}
		wait(0);
	}
	return 0;
}
"""

VFORK_KILLS = """\
static char stack[1 << 16];
static int child(void *unused) { for (int i = 0; i < 1 << 18; i += 4096) page[i]++; usleep(some(2000)); execl("/bin/true", "true", (char *)0); _exit(1); }
int main(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (int i = 0; i < 100; i++) {
		pid_t pid = fork();
		if (!pid) { if (i % 2) { if (!vfork()) { child(0); } } else { clone(child, stack + sizeof(stack), CLONE_VM | SIGCHLD, 0); usleep(some(2000)); } _exit(0); }
		usleep(some(3000));
		kill(pid, SIGKILL);
		while (wait(0) > 0);
	}
	return 0;
}
"""

TSYNC = """\
#include <linux/filter.h>
#include <linux/seccomp.h>
static volatile int go;
static void *work(void *unused)
{
	while (!go) syscall(SYS_getpgid, 0);
	for (int n = 0; n < 20; n++) syscall(SYS_getppid);
	return 0;
}
int main(void)
{
	struct sock_filter f[] = { {0x20, 0, 0, 0}, {0x15, 0, 1, SYS_getppid}, {6, 0, 0, 0x50000 | EPERM}, {6, 0, 0, 0x7fff0000} };
	struct sock_fprog p = { 4, f };
	pthread_t all[4];
	for (int n = 0; n < 4; n++) pthread_create(&all[n], 0, work, 0);
	usleep(2000);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	syscall(SYS_seccomp, 1, 1, &p);
	go = 1;
	for (int n = 0; n < 4; n++) pthread_join(all[n], 0);
	if (!fork()) { work(0); _exit(0); }
	wait(0);
	return 0;
}
"""

ATTACHED = """\
int main(void)
{
	for (int i = 0; i < 20; i++) {
		pid_t pid = fork();
		if (!pid) { while (1) { syscall(SYS_getppid); page[some(1 << 20)] = 1; } }
		usleep(some(2000));
		for (int n = 0; n < 5; n++) {
			if (ptrace(PTRACE_ATTACH, pid, 0, 0)) break;
			waitpid(pid, 0, __WALL);
			for (int m = 0; m < 6; m++) { ptrace(m % 2 ? PTRACE_SYSCALL : PTRACE_SINGLESTEP, pid, 0, 0); waitpid(pid, 0, __WALL); }
			long word = ptrace(PTRACE_PEEKDATA, pid, page + 4096 * n, 0);
			ptrace(PTRACE_POKEDATA, pid, page + 4096 * n + 500000, word);
			ptrace(PTRACE_DETACH, pid, 0, 0);
			usleep(some(500));
		}
		kill(pid, SIGKILL);
		waitpid(pid, 0, 0);
	}
	return 0;
}
"""

SYSEMU = """\
#include <sys/user.h>
int main(void)
{
	pid_t pid = fork();
	if (!pid) { ptrace(PTRACE_TRACEME, 0, 0, 0); raise(SIGSTOP); for (int i = 0; i < 50; i++) syscall(SYS_getppid); _exit(0); }
	waitpid(pid, 0, 0);
	for (int i = 0; i < 30; i++) {
		struct user_regs_struct regs;
		ptrace(i % 3 ? PTRACE_SYSCALL : PTRACE_SYSEMU, pid, 0, 0); waitpid(pid, 0, 0);
		ptrace(PTRACE_GETREGS, pid, 0, &regs);
		if (i % 5 == 1) { regs.orig_rax = i % 2 ? -1 : SYS_getpgid; ptrace(PTRACE_SETREGS, pid, 0, &regs); }
	}
	ptrace(PTRACE_DETACH, pid, 0, 0);
	waitpid(pid, 0, 0);
	pid = fork();
	if (!pid) { ptrace(PTRACE_TRACEME, 0, 0, 0); execl("/bin/true", "true", (char *)0); }
	waitpid(pid, 0, 0); ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_EXITKILL | PTRACE_O_TRACEEXIT | PTRACE_O_TRACESYSGOOD);
	for (int i = 0, status; i < 400 && ptrace(PTRACE_SYSCALL, pid, 0, 0) == 0 && waitpid(pid, &status, 0) == pid && !WIFEXITED(status); i++);
	return 0;
}
"""

MAJOR = """\
int main(int argc, char **argv)
{
	for (int round = 0; round < 4; round++) {
		int file = open("data", O_RDWR);
		fdatasync(file);
		posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
		char *map = mmap(0, 4 << 20, PROT_READ | PROT_WRITE, round % 2 ? MAP_SHARED : MAP_PRIVATE, file, 0);
		madvise(map, 4 << 20, MADV_RANDOM);
		if (!fork()) { for (int i = 0; i < 4 << 20; i += 65536) map[i]++; write(1, map + 4096 * 100, 1); _exit(0); }
		for (int i = 0; i < 4 << 20; i += 40960) if (round < 3) page[0] += map[i]; else map[i]++;
		wait(0);
		munmap(map, 4 << 20);
		close(file);
		file = open("true", O_RDONLY);
		posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
		close(file);
		if (!fork()) execl("./true", "true", (char *)0);
		wait(0);
	}
	return 0;
}
"""

MEMORY = """\
int main(void)
{
	size_t size = 4 << 20;
	char *a = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(a, size, MADV_NOHUGEPAGE);
	for (int round = 0; round < 3; round++) {
		memset(a, round, size);
		madvise(a, size / 2, 8 /* FREE */); madvise(a, size / 4, 20 /* COLD */); madvise(a, size / 4, 21 /* PAGEOUT */);
		madvise(a + size / 2, size / 4, 22 /* POPULATE_READ */); madvise(a + size / 2, size / 4, 23); madvise(a, 2 << 20, 25 /* COLLAPSE */);
		madvise(a, size, 12 /* MERGEABLE */);
		if (!fork()) {
			for (size_t i = 0; i < size; i += 4096) a[i]++;
			mprotect(a, size / 2, PROT_READ); mprotect(a, size / 2, PROT_READ | PROT_WRITE);
			for (size_t i = 0; i < size; i += 4096) a[i]++;
			madvise(a, size, MADV_DONTNEED);
			for (size_t i = 0; i < size; i += 4096) page[0] += a[i];
			for (size_t i = 0; i < size; i += 4096) a[i]++;
			char *b = mremap(a, size, size * 2, MREMAP_MAYMOVE);
			for (size_t i = 0; i < size * 2; i += 4096) b[i]++;
			_exit(0);
		}
		for (size_t i = 0; i < size; i += 8192) a[i]++;
		wait(0);
	}
	int zero = open("/proc/self/mem", O_RDWR);
	for (int i = 0; i < 100; i++) pwrite(zero, "x", 1, (off_t)(a + i * 4096));
	char *grow = mmap(0, 8 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(grow, 8 << 20);
	grow = mmap(grow + (6 << 20), 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_FIXED, -1, 0);
	grow[0] = 1;
	for (int i = 1; i < 50; i++) grow[-i * 1000] = 1;
	mlock2(a, size, MLOCK_ONFAULT); memset(a, 1, size);
	return 0;
}
"""

ROBUST = """\
static pthread_mutex_t *lock;
static void *hold(void *unused) { pthread_mutex_lock(lock + 10000 + some(64)); if (unused) pause(); return 0; }
int main(void)
{
	pthread_mutexattr_t robust;
	pthread_t one;
	lock = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_init(&robust);
	pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
	for (int i = 0; i < 20000; i++) pthread_mutex_init(lock + i, &robust);
	for (int i = 0; i < 40; i++) {
		if (!fork()) {
			for (int n = 0; n < 20; n++) pthread_mutex_lock(lock + 300 * n);
			for (int n = 0; n < 3; n++) { state = n + i; pthread_create(&one, 0, hold, i % 2 ? lock : 0); }
			if (!fork()) { for (int n = 0; n < 10; n++) pthread_mutex_lock(lock + 300 * n + 7); _exit(0); }
			wait(0);
			if (!fork()) { munmap(lock, 1 << 19); _exit(0); }
			wait(0);
			_exit(0);
		}
		wait(0);
	}
	return 0;
}
"""

VSYSCALL = """\
#include <sys/time.h>
int main(void)
{
	long (*get)(struct timeval *, void *) = (void *)0xffffffffff600000;
	struct timeval now;
	for (int i = 0; i < 3; i++) {
		if (!fork()) {
			for (int n = 0; n < 50; n++) { get(&now, 0); page[n * 4096]++; get((void *)(page + (n + 100) * 4096), 0); }
			_exit(0);
		}
		wait(0);
	}
	if (!fork()) { get((void *)8, 0); _exit(0); }
	wait(0);
	return 0;
}
"""

DISPATCH = """\
#include <ucontext.h>
static volatile char block;
static void hit(int number, siginfo_t *info, void *context)
{
	block = 0;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX] = info->si_syscall;
	page[some(1 << 20)]++;
}
int main(void)
{
	struct sigaction act = { .sa_sigaction = hit, .sa_flags = SA_SIGINFO };
	sigaction(SIGSYS, &act, 0);
	if (prctl(59, 1, 0, 0, &block)) return 0;
	for (int i = 0; i < 50; i++) {
		syscall(SYS_getppid);
		block = 1;
		syscall(i % 2 ? SYS_getppid : 5000 + i);
		if (i % 10 == 0) { if (!fork()) { prctl(59, 1, 0, 0, &block); block = 1; syscall(SYS_getppid); _exit(0); } wait(0); }
	}
	return 0;
}
"""

NOTIFY = """\
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
int main(void)
{
	struct sock_filter f[] = { {0x20, 0, 0, 0}, {0x15, 0, 1, SYS_getppid}, {6, 0, 0, 0x7fc00000}, {6, 0, 0, 0x7fff0000} };
	struct sock_fprog p = { 4, f };
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	int listener = syscall(SYS_seccomp, 1, 1 << 3, &p);
	for (int i = 0; i < 20; i++) {
		pid_t pid = fork();
		if (!pid) { for (int n = 0; n < 4; n++) { syscall(SYS_getpgid, 0); syscall(SYS_getppid); } _exit(0); }
		for (int n = 0; n < 4; n++) {
			struct seccomp_notif ask = { 0 };
			struct seccomp_notif_resp answer = { 0 };
			if (i == 7 && n == 2) { kill(pid, SIGKILL); break; }
			if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &ask)) break;
			answer.id = ask.id;
			if (n % 2) answer.flags = 1; else answer.val = n;
			if (n == 2) { answer.error = -EPERM; answer.val = 0; }
			ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
		}
		waitpid(pid, 0, 0);
	}
	return 0;
}
"""

LIVE = """\
int main(void)
{
	static pid_t all[3000];
	for (int i = 0; i < 3000; i++) if (!(all[i] = fork())) { page[4096 * (i % 256)] = 1; pause(); }
	for (int i = 0; i < 3000; i++) if (all[i] > 0) kill(all[i], i % 2 ? SIGTERM : SIGKILL);
	while (wait(0) > 0);
	return 0;
}
"""

NESTED = """\
static char stack[4][1 << 16];
static int deeper(void *at)
{
	long n = (long)at;
	page[n * 4096]++;
	if (n < 3) { pid_t pid = clone(deeper, stack[n + 1] + (1 << 16), (n % 2 ? CLONE_VFORK | CLONE_VM : CLONE_VM) | SIGCHLD, (void *)(n + 1)); waitpid(pid, 0, __WALL); }
	else if (!fork()) { page[n * 8192]++; execl("/bin/true", "true", (char *)0); }
	_exit(n);
}
int main(void)
{
	for (int i = 0; i < 30; i++) { pid_t pid = clone(deeper, stack[0] + (1 << 16), (i % 3 ? CLONE_VM : 0) | (i % 2 ? CLONE_VFORK : 0) | SIGCHLD, 0); waitpid(pid, 0, __WALL); while (waitpid(-1, 0, __WALL) > 0); }
	return 0;
}
"""

MANY = "for n in $(seq 3000); do (:); done\n"
CHAIN = "cat > chain <<'END'\n#!/bin/sh\n[ $1 -gt 0 ] || exit 0\nexec ./chain $(($1 - 1))\nEND\nchmod +x chain; ./chain 60; perl -e '$n = shift; exec $^X, $0, $n - 1 if $n' 20 || true\n"
STRACE_ATTACH = """\
(while :; do (:); done) & one=$!
perl -e 'while (1) { getppid(); select(undef, undef, undef, 0.001) }' & two=$!
python3 -c 'import threading, time
for n in range(8): threading.Thread(target=lambda: [time.sleep(0.001) for _ in range(600)]).start()' & three=$!
for n in 1 2 3; do for pid in $one $two $three; do timeout 0.2 strace -f -qq -o /dev/null -p $pid || true; done; done
timeout 5 gdb -q -batch -p $two -ex 'call (int)getpid()' -ex detach >/dev/null 2>&1 || true
kill -9 $one $two; wait || true
"""
STOPS = """\
perl -e 'while (1) { select(undef, undef, undef, 0.01) }' & one=$!
sleep 5 & two=$!
python3 -c 'import select, time
for n in range(40): select.poll().poll(20)' & three=$!
for n in 1 2 3 4 5 6 7 8; do kill -STOP $one $two $three; sleep 0.01; kill -CONT $one $two $three; sleep 0.01; done
kill $one $two; wait || true
"""

PROGRAMS = {
    "killed-in-exec": (["cc"], program(KILLED_IN_EXEC)),
    "killed-in-fork": (["cc"], program(KILLED_IN_FORK)),
    "thread-races": (["cc"], program(THREAD_RACES)),
    "vfork-kills": (["cc"], program(VFORK_KILLS)),
    "seccomp-of-threads": (["cc"], program(TSYNC)),
    "ptrace-attach": (["cc"], program(ATTACHED)),
    "ptrace-sysemu": (["cc"], program(SYSEMU)),
    "major-faults": (["cc"], program(MAJOR, "head -c 4194304 /dev/urandom > data; cp /bin/true true; sync true; ./a | wc -c")),
    "madvise": (["cc"], program(MEMORY)),
    "robust-mutexes": (["cc"], program(ROBUST)),
    "vsyscall": (["cc"], program(VSYSCALL)),
    "syscall-user-dispatch": (["cc"], program(DISPATCH)),
    "seccomp-notify": (["cc"], program(NOTIFY)),
    "3000-alive": (["cc"], program(LIVE)),
    "nested-clones": (["cc"], program(NESTED)),
    "3000-forks": (["bash"], MANY),
    "exec-chain": (["perl"], CHAIN),
    "strace-attach": (["strace", "gdb", "perl"], STRACE_ATTACH),
    "stop-continue": (["perl"], STOPS),
}
