// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/held_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool held_lines__has(const struct held_lines *held, int32_t tid)
{
	for (size_t i = 0; i < held->count; i++)
		if (held->lines[i].tid == tid)
			return true;
	return false;
}

void held_lines__add(struct held_lines *held, const struct held_line *line)
{
	struct held_line *copy;

	held->lines = checked_grow(held->lines, held->count, sizeof(*held->lines));
	copy = &held->lines[held->count++];
	*copy = *line;
	copy->text = checked(strndup(line->text, line->length));
	held->bytes += line->length;
}

bool held_lines__take(struct held_lines *held, int32_t tid, struct held_line *line)
{
	for (size_t i = 0; i < held->count; i++) {
		if (tid && held->lines[i].tid != tid)
			continue;
		*line = held->lines[i];
		held->bytes -= line->length;
		held->count--;
		memmove(&held->lines[i], &held->lines[i + 1],
			(held->count - i) * sizeof(*held->lines));
		return true;
	}
	return false;
}

void held_lines__free(struct held_lines *held)
{
	for (size_t i = 0; i < held->count; i++)
		free(held->lines[i].text);
	free(held->lines);
}
