// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/interrupt.h"

#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const int signals[INTERRUPT_SIGNALS] = { SIGINT, SIGTERM, SIGHUP };

static volatile sig_atomic_t first;
static volatile sig_atomic_t exposed; /* process id, 0: none */

static void note(int signal)
{
	if (!first)
		first = signal;
}

static void handle(int signal)
{
	int error = errno;

	note(signal);
	if (exposed)
		kill(exposed, SIGKILL);
	errno = error;
}

void interrupt__expose(pid_t child)
{
	exposed = child;
	if (first)
		kill(child, SIGKILL);
}

void interrupt__spare(void)
{
	exposed = 0;
}

void interrupt__begin(struct interrupt *interrupt)
{
	const struct sigaction noting = { .sa_handler = handle };

	first = 0;
	sigemptyset(&interrupt->taken);
	for (int i = 0; i < INTERRUPT_SIGNALS; i++) {
		sigaction(signals[i], NULL, &interrupt->before[i]);
		if (interrupt->before[i].sa_handler != SIG_IGN)
			sigaddset(&interrupt->taken, signals[i]);
	}
	sigprocmask(SIG_BLOCK, &interrupt->taken, &interrupt->mask);
	for (int i = 0; i < INTERRUPT_SIGNALS; i++) {
		if (sigismember(&interrupt->taken, signals[i]) == 1)
			sigaction(signals[i], &noting, NULL);
	}
	interrupt->fd = signalfd(-1, &interrupt->taken, SFD_CLOEXEC | SFD_NONBLOCK);
}

int interrupt__came(struct interrupt *interrupt)
{
	struct signalfd_siginfo info;

	while (interrupt->fd >= 0 && read(interrupt->fd, &info, sizeof(info)) == sizeof(info))
		note(info.ssi_signo);
	return first;
}

void interrupt__pause(struct interrupt *interrupt)
{
	sigprocmask(SIG_SETMASK, &interrupt->mask, NULL);
}

void interrupt__resume(struct interrupt *interrupt)
{
	sigprocmask(SIG_BLOCK, &interrupt->taken, NULL);
}

void interrupt__end(struct interrupt *interrupt)
{
	interrupt__came(interrupt); /* what is pending must not act now */
	for (int i = 0; i < INTERRUPT_SIGNALS; i++)
		sigaction(signals[i], &interrupt->before[i], NULL);
	if (interrupt->fd >= 0)
		close(interrupt->fd);
	sigprocmask(SIG_SETMASK, &interrupt->mask, NULL);
}
