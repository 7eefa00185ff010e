// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/page.h"

#include <unistd.h>

int64_t page_bytes = PAGE_BYTES_OLD;

/* Before main(): code that rounds to pages needs no other beginning. */
__attribute__((constructor)) static void begin(void)
{
	page_bytes = sysconf(_SC_PAGESIZE);
}

bool page__is_possible(uint64_t bytes)
{
	return bytes >= 4096 && bytes <= 65536 && !(bytes & (bytes - 1));
}
