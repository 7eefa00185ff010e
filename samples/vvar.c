/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The data page of the vDSO, which no count of resident pages knows: 7 children read it, each for
 * the first time. The command itself never does.
 */
#include "sample.h"

enum { CHILDREN = 7, FOUND_NONE = 0 };

/* The first address of a line of /proc/self/maps that ends in `name`, read character by character. */
static unsigned long find_mapping(const char *name)
{
	unsigned long start = 0;
	long matched = 0, in_start = 1, fd = raw__open("/proc/self/maps");
	char next;

	while (raw(NR_read, fd, (long)&next, 1) == 1) {
		matched = next == name[matched] ? matched + 1 : 0;
		if (!name[matched])
			return start;
		if (next == '\n') {
			start = 0;
			in_start = 1;
		} else if (next == '-') {
			in_start = 0;
		} else if (in_start) {
			start = start * 16 + (next <= '9' ? next - '0' : next - 'a' + 10);
		}
	}
	return FOUND_NONE;
}

int main(int argc, char **argv)
{
	unsigned long data;

	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = CHILDREN,
			.execs = 1,
			.faults = {{"pfn_map", CHILDREN}, {"other", 0, .exact = 1}},
			.children = {{"fork", CHILDREN}},
		});
	data = find_mapping("[vvar]");
	if (data == FOUND_NONE)
		sample__skip("vvar: this kernel maps no [vvar]\n");
	for (int i = 0; i < CHILDREN; i++) {
		long pid = raw__fork();

		if (pid == 0) {
			(void)*(volatile int *)data;
			raw__leave(0);
		}
		raw__wait(pid);
	}
	return 0;
}
