// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One run under ptrace, stopped by a breakpoint in a debug register, up to main(); then it is
 * killed.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/interrupt.h"
#include "bench/startup_parts.h"
#include "model/checked.h"

enum {
	START_LENGTH = 256, /* bytes of _start, at most: what it calls lies outside */
	START_STEPS = 64, /* instructions of it, at most */
	BREAK_EXECUTION = 1, /* debug register 7: the first breakpoint, on execution */
};

static int wrong(char **reason, const char *what)
{
	if (asprintf(reason, "%s: %s", what, strerror(errno)) < 0)
		err(125, "cannot report an error");
	return -1;
}

/* In the child. */
static void become(const struct startup_command *command)
{
	int null = open("/dev/null", O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0 ||
	    personality(ADDR_NO_RANDOMIZE) < 0 || ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
		_exit(127);
	execve(command->path, command->argv, command->environment ? command->environment : environ);
	_exit(127);
}

/* Until it stops; false: it has ended, and is not reaped. */
static bool stops(pid_t pid)
{
	siginfo_t info;

	while (waitid(P_PID, pid, &info, WSTOPPED | WEXITED | WNOWAIT) < 0) {
		if (errno != EINTR)
			return false;
	}
	return info.si_code == CLD_TRAPPED && info.si_status == SIGTRAP;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	interrupt__spare();
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static bool run_to(pid_t pid, uint64_t address)
{
	const size_t registers = offsetof(struct user, u_debugreg);

	return ptrace(PTRACE_POKEUSER, pid, registers, address) == 0 &&
	       ptrace(PTRACE_POKEUSER, pid, registers + 7 * sizeof(long), BREAK_EXECUTION) == 0 &&
	       ptrace(PTRACE_CONT, pid, NULL, NULL) == 0 && stops(pid);
}

/* What the kernel told the image about itself. */
static uint64_t auxiliary(pid_t pid, uint64_t type)
{
	char path[64];
	Elf64_auxv_t entry;
	uint64_t value = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/auxv", (int)pid);
	file = fopen(path, "re");
	while (file && !value && fread(&entry, sizeof(entry), 1, file) == 1) {
		if (entry.a_type == type)
			value = entry.a_un.a_val;
	}
	if (file)
		fclose(file);
	return value;
}

/*
 * glibc's _start hands main to what it calls, in the first argument. Only looked for where there is
 * no symbol: other libcs do otherwise, and then the breakpoint on what is no main is never met.
 */
static uint64_t main_of_start(pid_t pid, uint64_t entry)
{
	struct user_regs_struct registers;

	for (int i = 0; i < START_STEPS; i++) {
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) < 0 || !stops(pid) ||
		    ptrace(PTRACE_GETREGS, pid, NULL, &registers) < 0)
			return 0;
		if (registers.rip - entry >= START_LENGTH)
			return registers.rdi;
	}
	return 0;
}

static void learn(pid_t pid, const struct startup_command *command, struct startup_marks *marks)
{
	uint64_t entry = auxiliary(pid, AT_ENTRY), distance;
	struct user_regs_struct registers;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &registers) < 0)
		return;
	marks->first = registers.rip;
	if (!entry || (entry != registers.rip && !run_to(pid, entry)))
		return;
	marks->entry = entry != marks->first ? entry : 0;
	distance = startup_main__distance(command->path);
	marks->main = distance ? entry + distance : main_of_start(pid, entry);
	if (!marks->main || !run_to(pid, marks->main) ||
	    ptrace(PTRACE_GETREGS, pid, NULL, &registers) < 0 || registers.rip != marks->main) {
		marks->main = 0;
		return;
	}
	errno = 0;
	marks->returned = ptrace(PTRACE_PEEKDATA, pid, registers.rsp, NULL);
	if (errno)
		marks->returned = 0;
}

int startup_marks__learn(const struct startup_command *command, struct startup_marks *marks,
			 char **reason)
{
	const char *what = "cannot run the command under ptrace";
	pid_t pid = fork();

	*marks = (struct startup_marks){ 0 };
	if (pid < 0)
		return wrong(reason, "fork");
	if (pid == 0)
		become(command);
	interrupt__expose(pid); /* the engine will notice that it was ended */
	if (stops(pid)) {
		what = "cannot read registers";
		learn(pid, command, marks);
	}
	end(pid);
	errno = EPERM;
	return marks->first ? 0 : wrong(reason, what);
}
