/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Many children alive at once, -n of them (500); all end when the parent lets go of a pipe.
 */
#include "sample.h"

static int gate[2];

static void child(void)
{
	char byte;

	close(gate[1]);
	raw(NR_getppid, 0, 0, 0);
	raw(NR_read, gate[0], (long)&byte, 1);
	raw__leave(0);
}

int main(int argc, char **argv)
{
	int expecting = sample__expecting(&argc, &argv);
	long children = 500;

	if (argc == 3 && strcmp(argv[1], "-n") == 0)
		children = sample__number(argv[2]);
	if (expecting)
		return sample__expect(&(struct expectation){
			.forks = children,
			.execs = 1,
			.calls = {{"getppid", .calls = children}},
			.children = {{"fork", children}},
		});
	if (pipe(gate) < 0)
		sample__fail("manychildren: cannot make a pipe\n");
	for (long i = 0; i < children; i++) {
		long pid = raw__fork();

		if (pid < 0)
			sample__fail("manychildren: cannot create that many\n");
		if (pid == 0)
			child();
	}
	close(gate[1]);
	for (long i = 0; i < children; i++)
		raw__wait(-1);
	return 0;
}
