// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/anatomy/mapping_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The kernel writes a line break in a path as \012. */
static void restore_breaks(char *path)
{
	char *end = path;

	for (; *path; path++) {
		bool is_break = !strncmp(path, "\\012", 4);

		*end++ = is_break ? '\n' : *path;
		path += is_break ? 3 : 0;
	}
	*end = '\0';
}

const char *mapping_record__parse(struct mapping_record *mapping, char *line)
{
	unsigned int major, minor;
	char rights[5];
	int path = 0;

	*mapping = (struct mapping_record){ 0 };
	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n",
		   &mapping->start, &mapping->end, rights, &mapping->offset, &major, &minor,
		   &mapping->ino, &path) < 7 ||
	    !path || strlen(rights) < 4 || mapping->end <= mapping->start)
		return NULL;
	mapping->dev = major << 20 | minor;
	mapping->read = rights[0] == 'r';
	mapping->write = rights[1] == 'w';
	mapping->exec = rights[2] == 'x';
	mapping->shared = rights[3] == 's';
	restore_breaks(line + path);
	return line + path;
}
