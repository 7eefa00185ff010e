// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/interrupt.h"

#include <errno.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

const int interrupt_signals[INTERRUPT_SIGNALS] = { SIGINT, SIGTERM, SIGHUP };

static volatile sig_atomic_t first;
static volatile sig_atomic_t to_be_killed = -1; /* pidfd */
static struct interrupt outer; /* the outermost */
static int depth; /* of nesting */

static void note(int signal)
{
	int error = errno;

	if (!first)
		first = signal;
	if (to_be_killed >= 0)
		syscall(SYS_pidfd_send_signal, to_be_killed, SIGKILL, NULL, 0);
	errno = error;
}

void interrupt__begin(struct interrupt *interrupt)
{
	const struct sigaction noting = { .sa_handler = note };

	if (depth++) {
		*interrupt = outer;
		return;
	}
	first = 0;
	sigemptyset(&interrupt->taken);
	for (int i = 0; i < INTERRUPT_SIGNALS; i++) {
		sigaction(interrupt_signals[i], NULL, &interrupt->before[i]);
		if (interrupt->before[i].sa_handler != SIG_IGN)
			sigaddset(&interrupt->taken, interrupt_signals[i]);
	}
	sigprocmask(SIG_BLOCK, &interrupt->taken, &interrupt->mask);
	for (int i = 0; i < INTERRUPT_SIGNALS; i++) {
		if (sigismember(&interrupt->taken, interrupt_signals[i]) == 1)
			sigaction(interrupt_signals[i], &noting, NULL);
	}
	interrupt->fd = signalfd(-1, &interrupt->taken, SFD_CLOEXEC | SFD_NONBLOCK);
	outer = *interrupt;
}

int interrupt__came(struct interrupt *interrupt)
{
	struct signalfd_siginfo info;

	while (interrupt->fd >= 0 && read(interrupt->fd, &info, sizeof(info)) == sizeof(info))
		note(info.ssi_signo);
	return first;
}

void interrupt__forget(struct interrupt *interrupt)
{
	interrupt__came(interrupt);
	first = 0;
}

bool interrupt__ended(struct interrupt *interrupt, int asked_by, int ended_by)
{
	int signal = asked_by ? asked_by : ended_by;

	if (asked_by || sigismember(&interrupt->taken, signal) == 1)
		note(signal);
	return interrupt__came(interrupt);
}

void interrupt__kill_on_signal(struct interrupt *interrupt, pid_t pid)
{
	to_be_killed = syscall(SYS_pidfd_open, pid, 0);
	if (to_be_killed < 0 || interrupt__came(interrupt))
		kill(pid, SIGKILL);
	sigprocmask(SIG_UNBLOCK, &interrupt->taken, NULL);
}

void interrupt__kill_nobody(struct interrupt *interrupt)
{
	sigprocmask(SIG_BLOCK, &interrupt->taken, NULL);
	if (to_be_killed >= 0)
		close(to_be_killed);
	to_be_killed = -1;
}

void interrupt__end(struct interrupt *interrupt)
{
	if (--depth)
		return;
	interrupt__came(interrupt); /* a pending signal must not act now */
	for (int i = 0; i < INTERRUPT_SIGNALS; i++)
		sigaction(interrupt_signals[i], &interrupt->before[i], NULL);
	if (interrupt->fd >= 0)
		close(interrupt->fd);
	sigprocmask(SIG_SETMASK, &interrupt->mask, NULL);
}
