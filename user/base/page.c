// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/page.h"

#include <unistd.h>

int64_t page_bytes = PAGE_BYTES_OLD;

uint64_t page__of_machine(void)
{
	return sysconf(_SC_PAGESIZE);
}

/* Before main(): code that rounds to pages needs no other beginning. */
__attribute__((constructor)) static void begin(void)
{
	page_bytes = page__of_machine();
}

void page__use(uint64_t bytes)
{
	page_bytes = bytes;
}

bool page__is_tried(void)
{
	return page__of_machine() == 4096 || page__of_machine() == 16384;
}

bool page__is_possible(uint64_t bytes)
{
	return bytes >= 4096 && bytes <= 65536 && !(bytes & (bytes - 1));
}
