/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The mappings of a process, as /proc/PID/maps lists them (proc(5)).
 */
#ifndef FORKTAX_BASE_MAPS_H
#define FORKTAX_BASE_MAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct mapping {
	uint64_t start, end;
	uint64_t offset; /* in the file, bytes */
	uint64_t ino; /* 0: anonymous */
	uint32_t dev; /* as the kernel packs it */
	bool read, write, exec, shared;
	/* A file's path, which may end with " (deleted)"; a name in brackets; else "". In the line that it is from. */
	const char *name;
};

/* Parses a line in place. False: it is no mapping, as all other lines of smaps. */
bool mapping__parse(struct mapping *mapping, char *line);

/* Going through a file, maps or smaps; NULL has no mappings. All else is zero before the first. */
struct maps {
	FILE *file;
	char *line;
	size_t size;
};

/* False: there are no more; the file is closed then. The name is there until the next one. */
bool maps__next(struct maps *maps, struct mapping *mapping);
/* For those who stop before. */
void maps__close(struct maps *maps);

#endif
