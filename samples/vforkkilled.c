/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A vfork child whose parent is killed before the child runs for the first time: it is a vfork
 * child all the same. All on one CPU: who kills and who is killed have a priority that the child has
 * not, so it waits until both have done their part.
 */
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "sample.h"

enum { ROUNDS = 5, CALLS = 5, SIGNAL_KILL = 9 };
enum { SET_CHILD_SUBREAPER = 36 };
enum { FIFO = 1, RESET_ON_FORK = 0x40000000, PARENT_SETTID = 0x100000 };

static void stay_on_one_cpu(void)
{
	unsigned long cpus[128] = {0};

	raw(NR_sched_getaffinity, 0, sizeof(cpus), (long)cpus);
	for (int i = 0; i < 128; i++)
		if (cpus[i]) {
			unsigned long first = cpus[i] & -cpus[i];

			memset(cpus, 0, sizeof(cpus));
			cpus[i] = first;
		}
	raw(NR_sched_setaffinity, 0, sizeof(cpus), (long)cpus);
}

static void take_priority(int priority)
{
	if (raw(NR_sched_setscheduler, 0, FIFO | RESET_ON_FORK, (long)&priority))
		sample__skip("vforkkilled: real-time priority is not allowed here\n");
}

/* Never leaves vfork; its child borrows the stack, too. */
static void be_killed(const int *pipes, volatile int *born)
{
	take_priority(2);
	raw(NR_write, pipes[1], (long)"", 1);
	if (raw4(NR_clone, FLAG_VM | FLAG_VFORK | PARENT_SETTID | SIGNAL_CHILD, 0, (long)born, 0))
		raw__leave(1);
	raw__repeat(NR_getppid, 0, CALLS);
	raw__leave(0);
}

static void one_round(const int *pipes, volatile int *born)
{
	const long millisecond[2] = {0, 1000000};
	char byte;
	long pid;

	*born = 0;
	pid = raw__fork();
	if (pid == 0)
		be_killed(pipes, born);
	raw(NR_read, pipes[0], (long)&byte, 1);
	while (!*born) /* only if a tracer stops the parent on its way */
		raw(NR_nanosleep, (long)millisecond, 0, 0);
	raw(NR_kill, pid, SIGNAL_KILL, 0);
	raw__wait(pid);
	raw__wait(-1);
}

int main(int argc, char **argv)
{
	int pipes[2];
	int *born;

	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = 2 * ROUNDS,
			.execs = 1,
			.calls = {{"getppid", .calls = ROUNDS * CALLS}},
			.children = {{"fork", ROUNDS, .status = -1, .signal = SIGNAL_KILL},
				     {"vfork", ROUNDS}},
		});
	stay_on_one_cpu();
	take_priority(1);
	born = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (born == MAP_FAILED || raw__pipe(pipes))
		sample__fail("vforkkilled: no memory or no pipe\n");
	raw4(NR_prctl, SET_CHILD_SUBREAPER, 1, 0, 0);
	for (int i = 0; i < ROUNDS; i++)
		one_round(pipes, born);
	return 0;
}
