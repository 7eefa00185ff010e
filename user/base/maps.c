// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/maps.h"

#include <inttypes.h>
#include <stdlib.h>
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

bool mapping__parse(struct mapping *mapping, char *line)
{
	unsigned int major, minor;
	char rights[5];
	int name = 0;

	*mapping = (struct mapping){ 0 };
	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &mapping->start,
		   &mapping->end, rights, &mapping->offset, &major, &minor, &mapping->ino, &name) < 7 ||
	    !name || strlen(rights) < 4 || mapping->end <= mapping->start)
		return false;
	mapping->dev = major << 20 | minor;
	mapping->read = rights[0] == 'r';
	mapping->write = rights[1] == 'w';
	mapping->exec = rights[2] == 'x';
	mapping->shared = rights[3] == 's';
	restore_breaks(line + name);
	mapping->name = line + name;
	return true;
}

bool maps__next(struct maps *maps, struct mapping *mapping)
{
	while (maps->file && getline(&maps->line, &maps->size, maps->file) > 0)
		if (mapping__parse(mapping, maps->line))
			return true;
	maps__close(maps);
	return false;
}

void maps__close(struct maps *maps)
{
	if (maps->file)
		fclose(maps->file);
	free(maps->line);
	*maps = (struct maps){ 0 };
}
