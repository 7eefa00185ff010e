// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/lines/script_lines.h"

#include <string.h>

const char *const script_source_keys[SCRIPT_SOURCES] = {
	[SCRIPT_FILE] = "file",
	[SCRIPT_COMMANDS] = "commands",
	[SCRIPT_UNKNOWN] = "unknown",
};

static bool is_same_text(const char *text, const char *other)
{
	return text && other ? !strcmp(text, other) : text == other;
}

bool script_line__is_same(const struct script_line *line, const struct script_line *other)
{
	return line->source == other->source && line->line == other->line &&
	       (line->source != SCRIPT_UNKNOWN || line->parent_exe == other->parent_exe) &&
	       is_same_text(line->file, other->file) && is_same_text(line->function, other->function);
}
