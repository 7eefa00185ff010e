/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Signals: a handler, run many times; a child killed by SIGKILL, one by SIGSEGV; and one stopped in
 * its sleep, which the kernel resumes by restart_syscall.
 */
#include <signal.h>
#include <time.h>

#include "asleep.h"
#include "sample.h"

enum { HANDLED = 50 };

static volatile int handled;

static void handle(int signal)
{
	handled += signal == SIGUSR1;
}

static long child(void (*work)(void))
{
	long pid = raw__fork();

	if (pid < 0)
		sample__fail("signals: cannot create a child\n");
	if (pid == 0) {
		work();
		raw__leave(0);
	}
	return pid;
}

static void wait_for_signal(void)
{
	raw__pause();
}

static void touch_nothing(void)
{
	*(volatile char *)8 = 1;
}

static void sleep_long(void)
{
	struct timespec time = {.tv_sec = 60};

	raw(NR_nanosleep, (long)&time, 0, 0);
}

static int expect(void)
{
	return sample__expect(&(struct expectation){
		.forks = 3,
		.execs = 1,
		.calls = {{"kill", .calls = HANDLED + 4, .of_root = HANDLED + 4},
			  {"rt_sigreturn", .calls = HANDLED, .of_root = HANDLED},
			  {CALL_OF_PAUSE, .calls = 1, .errors = 1}, /* ended by the kill */
			  {"nanosleep", .calls = 1, .errors = 1},
			  {"restart_syscall", .calls = 1, .errors = 1}}, /* as the pause */
		.children = {{"fork", 2, .status = -1, .signal = SIGKILL},
			     {"fork", 1, .status = -1, .signal = SIGSEGV}},
	});
}

int main(int argc, char **argv)
{
	long pid, sleeper;

	if (sample__expecting(&argc, &argv))
		return expect();
	signal(SIGUSR1, handle);
	pid = raw(NR_getpid, 0, 0, 0);
	for (int i = 0; i < HANDLED; i++)
		raw(NR_kill, pid, SIGUSR1, 0);

	pid = child(wait_for_signal);
	sleeper = child(sleep_long);
	raw__wait(child(touch_nothing));
	wait_for_sleep(pid);
	raw(NR_kill, pid, SIGKILL, 0);
	raw__wait(pid);
	wait_for_sleep(sleeper);
	raw(NR_kill, sleeper, SIGSTOP, 0);
	raw4(NR_wait4, sleeper, 0, 0x40000000 | 2 /* WUNTRACED */, 0);
	raw(NR_kill, sleeper, SIGCONT, 0);
	wait_for_sleep(sleeper);
	raw(NR_kill, sleeper, SIGKILL, 0);
	raw__wait(sleeper);
	return handled == HANDLED ? 0 : 1;
}
