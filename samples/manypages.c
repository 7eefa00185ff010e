/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Writes -n pages (450) of .bss in a row without a system call in between: in the command itself,
 * and in each of 3 children. More faults than forktax can let wait for their places.
 */
#include "sample.h"

enum { PAGE = 4096, MOST = 450 /* no huge page */, CHILDREN = 3 };

static volatile char bss_pages[MOST * PAGE] __attribute__((aligned(PAGE)));

static void write_pages(long pages, char what)
{
	for (long page = 0; page < pages; page++)
		bss_pages[page * PAGE] = what;
}

int main(int argc, char **argv)
{
	int expecting = sample__expecting(&argc, &argv);
	long pages = 450;

	if (argc == 3 && strcmp(argv[1], "-n") == 0)
		pages = sample__number(argv[2]);
	if (pages > MOST)
		sample__fail("manypages: at most 450 pages\n");
	if (expecting)
		return sample__expect(&(struct expectation){
			.forks = CHILDREN,
			.execs = 1,
			.faults = {{"zero_fill", pages}, {"cow_copy", CHILDREN * pages}},
			.children = {{"fork", CHILDREN}},
		});
	write_pages(pages, 1);
	for (int i = 0; i < CHILDREN; i++) {
		long pid = raw__fork();

		if (pid < 0)
			sample__fail("manypages: cannot fork\n");
		if (pid == 0) {
			write_pages(pages, 2);
			raw__leave(0);
		}
		raw__wait(pid);
	}
	return 0;
}
