/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The cheapest system call there is, -n times: what tracing one call costs. With -T it tells on
 * stderr how long that took.
 */
#include "sample.h"

int main(int argc, char **argv)
{
	int expecting = sample__expecting(&argc, &argv);
	struct sample_clock start;
	long calls = 100000;
	int option, timed = 0;

	while ((option = getopt(argc, argv, "n:T")) != -1) {
		if (option == 'n')
			calls = sample__number(optarg);
		else if (option == 'T')
			timed = 1;
		else
			return 2;
	}
	if (expecting)
		return sample__expect(&(struct expectation){
			.execs = 1,
			.calls = {{"getppid", .calls = calls, .of_root = calls}},
		});
	if (timed)
		start = sample__clock();
	raw__repeat(NR_getppid, 0, calls);
	if (timed)
		sample__tell_time(start);
	return 0;
}
