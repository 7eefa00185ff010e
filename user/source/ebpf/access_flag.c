// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/access_flag.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arch.h"

enum { PAGES = 64 };

static long minor_faults(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) ? 0 : usage.ru_minflt;
}

/* In the child: how it ends says whether at least each second page took a fault. */
static void read_pages(const volatile char *memory, size_t page)
{
	long before = minor_faults();

	for (int i = 0; i < PAGES; i++)
		(void)memory[i * page];
	_exit(minor_faults() - before >= PAGES / 2);
}

bool access_flag__is_lacking(void)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	int status = 0;
	char *memory;
	pid_t child;

	if (!ARCH_MAY_LACK_ACCESS_FLAG)
		return false;
	memory = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return false;
	for (int i = 0; i < PAGES; i++)
		memory[i * page] = 1;
	child = fork();
	if (!child)
		read_pages(memory, page);
	if (child > 0)
		waitpid(child, &status, 0);
	munmap(memory, PAGES * page);
	return child > 0 && WIFEXITED(status) && WEXITSTATUS(status);
}
