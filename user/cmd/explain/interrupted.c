// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/explain/interrupted.h"

#include <signal.h>
#include <unistd.h>

#include "launch/interrupt.h"

static struct sigaction before[INTERRUPT_SIGNALS];
static pid_t speaker; /* not its children, which get the signals of a terminal, too */
static bool has_progress;

/* SA_RESETHAND: the second one is the end. */
static void say(int number)
{
	static const char clear[] = "\r\033[K",
			  message[] = "forktax explain: interrupted before a round was complete\n";

	if (getpid() == speaker) {
		if (has_progress && write(STDERR_FILENO, clear, sizeof(clear) - 1) < 0)
			_exit(128 + number);
		if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
			_exit(128 + number);
	}
	raise(number);
}

void interrupted__say(bool clear)
{
	const struct sigaction handler = { .sa_handler = say, .sa_flags = SA_RESETHAND };

	speaker = getpid();
	has_progress = clear;
	for (int i = 0; i < INTERRUPT_SIGNALS; i++) {
		sigaction(interrupt_signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(interrupt_signals[i], &handler, NULL);
	}
}

void interrupted__end(void)
{
	for (int i = 0; i < INTERRUPT_SIGNALS; i++)
		sigaction(interrupt_signals[i], &before[i], NULL);
}
