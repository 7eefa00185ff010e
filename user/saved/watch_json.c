// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/watch_json.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "saved/saved.h"

char *watch_json__line(const struct watch_sample *sample)
{
	char *line;
	size_t size;
	FILE *stream = checked(open_memstream(&line, &size));

	saved__write_watch_sample(sample, stream);
	fclose(stream);
	line[strcspn(line, "\n")] = '\0';
	return line;
}
