// SPDX-License-Identifier: GPL-2.0-or-later
/* Children that write to inherited memory in two ways, for docs/use/stacks.md. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 32 };
static char *table;

static __attribute__((noinline)) void renew(int page)
{
	table[page * PAGE]++;
}

static __attribute__((noinline)) void count_requests(void)
{
	for (int page = 0; page < PAGES / 4; page++)
		renew(page);
}

static __attribute__((noinline)) void clear_cache(void)
{
	memset(table + PAGES / 2 * PAGE, 0, PAGES / 2 * PAGE);
}

static __attribute__((noinline)) void serve(void)
{
	count_requests();
	clear_cache();
}

int main(void)
{
	table = aligned_alloc(PAGE, PAGES * PAGE);
	memset(table, 1, PAGES * PAGE);
	for (int i = 0; i < 20; i++) {
		if (!fork()) {
			serve();
			_exit(0);
		}
		wait(NULL);
	}
	return 0;
}
