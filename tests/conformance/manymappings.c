// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * manymappings N: faults of which only the mapping tells the class, each in a mapping of its own, without a system call
 * in between. N writes to pages that a child shared and has given back, and N reads of memory that nobody has touched.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, page = sysconf(_SC_PAGESIZE);
	volatile char *memory = mmap(NULL, 2 * count * page + page, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || madvise((void *)memory, 2 * count * page + page, MADV_NOHUGEPAGE))
		return 1;
	for (size_t i = 0; i < count; i++) {
		memory[2 * i * page] = 1;
		if (mprotect((char *)memory + (2 * i + 1) * page, page, PROT_READ))
			return 1;
	}
	if (!fork())
		_exit(0);
	wait(NULL);
	for (size_t i = 0; i < count; i++) {
		memory[2 * i * page] = 2;
		(void)memory[(2 * i + 1) * page];
	}
	return 0;
}
