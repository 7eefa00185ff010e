/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One process that executes itself, -n times (10): each image makes a call of its own.
 */
#include "sample.h"

extern char **environ;

static void next(char *name, long left)
{
	char digits[24];
	char *digit = digits + sizeof(digits) - 1;
	char *const argv[] = {name, "--leaf", NULL, NULL};
	char **number = (char **)&argv[2];

	*digit = '\0';
	do {
		*--digit = (char)('0' + left % 10);
		left /= 10;
	} while (left);
	*number = digit;
	raw(NR_execve, (long)"/proc/self/exe", (long)argv, (long)environ);
	sample__fail("execchain: cannot execute /proc/self/exe\n");
}

int main(int argc, char **argv)
{
	int expecting = sample__expecting(&argc, &argv);
	long left = 10;

	if (argc == 3)
		left = sample__number(argv[2]);
	if (expecting)
		return sample__expect(&(struct expectation){
			.execs = 1 + left,
			.calls = {{"execve", .calls = 1 + left, .of_root = 1 + left},
				  {"getppid", .calls = 1 + left, .of_root = 1 + left}},
		});
	raw(NR_getppid, 0, 0, 0);
	if (left > 0)
		next(argv[0], left - 1);
	return 0;
}
