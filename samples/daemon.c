/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A daemon: fork, setsid, fork again; it makes its first calls while the command still runs, and
 * its last ones -l milliseconds (300) after the command has ended.
 */
#include <time.h>

#include "sample.h"

enum { EARLY = 10, LATE = 20 };

static int ready[2];

static void serve(long milliseconds)
{
	struct timespec life = {milliseconds / 1000, milliseconds % 1000 * 1000000};

	raw__repeat(NR_getpgid, 0, EARLY);
	close(ready[0]);
	close(ready[1]);
	raw(NR_nanosleep, (long)&life, 0, 0);
	raw__repeat(NR_getsid, 0, LATE);
	raw__leave(0);
}

/* The session leader leaves at once, so that its child belongs to init. */
static void leader(long milliseconds)
{
	long pid;

	raw(NR_setsid, 0, 0, 0);
	pid = raw__fork();
	if (pid < 0)
		sample__fail("daemon: cannot create a child\n");
	if (pid == 0)
		serve(milliseconds);
	raw__leave(0);
}

int main(int argc, char **argv)
{
	int expecting = sample__expecting(&argc, &argv);
	long milliseconds = 300;
	char byte;
	long pid;

	if (argc == 3 && strcmp(argv[1], "-l") == 0)
		milliseconds = sample__number(argv[2]);
	if (expecting)
		return sample__expect(&(struct expectation){
			.forks = 2,
			.execs = 1,
			.unfinished = 1,
			.calls = {{"getpgid", .calls = EARLY},
				  {"setsid", .calls = 1},
				  {"getsid", .calls = LATE, .late = 1},
				  {"exit_group", .calls = 1, .late = 1}},
			.children = {{"fork", 2}},
		});
	if (pipe(ready) < 0)
		sample__fail("daemon: cannot make a pipe\n");
	pid = raw__fork();
	if (pid < 0)
		sample__fail("daemon: cannot create a child\n");
	if (pid == 0)
		leader(milliseconds);
	raw__wait(pid);
	/* End of file: the daemon has made its first calls and let go of the pipe. */
	close(ready[1]);
	return raw(NR_read, ready[0], (long)&byte, 1) != 0;
}
