/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The memory that a server has beside what it needs: caches, modules, interpreters.
 */
#include <stddef.h>
#include <sys/mman.h>

#include "server.h"

enum { PAGE = 4096 };

void server__carry(const struct server *server)
{
	volatile char *memory;

	if (!server->resident)
		return;
	memory = mmap(NULL, server->resident, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	if (memory == MAP_FAILED)
		children__fail("cannot have the memory of -r");
	for (unsigned long i = 0; i < server->resident; i += PAGE)
		memory[i] = 1;
}
