// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/attach_options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

bool parse_seconds(const char *text, uint64_t *ns)
{
	char *end;
	double seconds;

	errno = 0;
	seconds = strtod(text, &end);
	if (errno || end == text || *end || !isfinite(seconds) || seconds <= 0 || seconds > 1e9)
		return false;
	*ns = seconds * 1e9;
	return true;
}

bool parse_pids(const char *list, int32_t **pids, size_t *count)
{
	if (!*list)
		return false;
	while (*list) {
		int32_t *longer;
		char *end;
		long pid;

		errno = 0;
		pid = strtol(list, &end, 10);
		if (errno || end == list || pid <= 0 || pid > INT32_MAX ||
		    (*end && (*end != ',' || !end[1])))
			return false;
		longer = realloc(*pids, (*count + 1) * sizeof(**pids));
		if (!longer)
			return false;
		*pids = longer;
		(*pids)[(*count)++] = pid;
		list = *end ? end + 1 : end;
	}
	return true;
}
