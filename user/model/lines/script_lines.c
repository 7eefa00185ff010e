// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/lines/script_lines.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

enum { LONGEST_LINE = 1024 }; /* bytes */

const char *const script_source_keys[SCRIPT_SOURCES] = {
	[SCRIPT_FILE] = "file",
	[SCRIPT_COMMANDS] = "commands",
	[SCRIPT_UNKNOWN] = "unknown",
};

const char *const script_language_keys[LANGUAGE_COUNT] = {
	[LANGUAGE_UNKNOWN] = "unknown",
	[LANGUAGE_BASH] = "bash",
	[LANGUAGE_PYTHON] = "python",
	[LANGUAGE_PERL] = "perl",
	[LANGUAGE_MAKE] = "make",
	[LANGUAGE_ZSH] = "zsh",
};

const char *const script_text_keys[SCRIPT_TEXTS] = {
	[SCRIPT_TEXT_UNREAD] = "not read",
	[SCRIPT_TEXT_READ] = "read",
	[SCRIPT_TEXT_UNSEEN] = "unseen",
	[SCRIPT_TEXT_SEVERAL] = "several files",
	[SCRIPT_TEXT_GONE] = "gone",
	[SCRIPT_TEXT_CHANGED] = "changed",
	[SCRIPT_TEXT_TOO_LONG] = "too long",
};

const char *const line_certainty_keys[LINE_CERTAINTIES] = {
	[LINE_EXACT] = "exact",
	[LINE_BELOW] = "below",
	[LINE_IN_TRAP] = "in a trap",
	[LINE_OF_ENVIRONMENT] = "of the environment",
	[LINE_UNSURE] = "unsure",
};

bool script_line__is_exact(const struct script_line *line)
{
	return line->source != SCRIPT_UNKNOWN && line->certainty == LINE_EXACT;
}

bool script_lines__has_known(const struct script_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		if (lines->rows[i].source != SCRIPT_UNKNOWN)
			return true;
	return false;
}

static bool is_same(const struct script_line *one, const struct script_line *other)
{
	return one->line == other->line && one->certainty == other->certainty && one->source == other->source &&
	       !text__compare(one->file, other->file) &&
	       (one->source == SCRIPT_FILE || !text__compare(one->text, other->text));
}

bool script_lines__are_several(const struct script_lines *lines)
{
	const struct script_line *first = NULL;

	for (size_t i = 0; i < lines->count; i++) {
		const struct script_line *line = &lines->rows[i];

		if (line->source == SCRIPT_UNKNOWN)
			continue;
		if (!first)
			first = line;
		else if (!is_same(first, line))
			return true;
	}
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

char *script_place__text(const char *file, uint32_t line)
{
	return line ? text__of("%s:%" PRIu32, file, line) : text__of("%s, in a trap", file);
}

/* With the function, or the target, that it is in. */
static char *in_function(char *place, const struct script_line *line)
{
	if (line->function && line->language == LANGUAGE_MAKE)
		text__replace(&place, "%s of target %s", place, line->function);
	else if (line->function)
		text__replace(&place, "%s in %s()", place, line->function);
	return place;
}

/* Of commands that -c has told bash it keeps the text. */
static char *line_within(const struct script_line *line)
{
	if (line->source == SCRIPT_COMMANDS && line->text)
		return text__of("line %" PRIu32 " of -c", line->line);
	return text__of("%s:%" PRIu32, line->source == SCRIPT_FILE ? line->file : "(no file)", line->line);
}

char *script_line__place(const struct script_line *line)
{
	const char *file = line->source == SCRIPT_FILE ? line->file : "(no file)";
	char *place;

	switch (line->certainty) {
	case LINE_BELOW:
		place = line_within(line);
		text__replace(&place, "below %s", place);
		return in_function(place, line);
	case LINE_IN_TRAP:
		return in_function(text__of("%s, in a trap", file), line);
	case LINE_OF_ENVIRONMENT:
		return text__of("%s() of the environment", line->function ? line->function : "function");
	case LINE_UNSURE:
		return in_function(text__of("%s, line not known", file), line);
	default:
		return in_function(line_within(line), line);
	}
}

/* Cuts between characters: the first byte of one is 0xxxxxxx or 11xxxxxx. */
static char *beginning(const char *text, size_t length, size_t most)
{
	size_t end = most;

	if (length <= most)
		return text__of("%.*s", (int)length, text);
	while (end && (text[end] & 0xc0) == 0x80)
		end--;
	return text__of("%.*s...", (int)end, text);
}

char *script_line__beginning(const char *text, size_t most)
{
	return beginning(text, strlen(text), most);
}

char *script_line__cut(const char *line, size_t length)
{
	while (length && is_blank(line[length - 1]))
		length--;
	while (length && is_blank(*line)) {
		line++;
		length--;
	}
	return beginning(line, length, LONGEST_LINE);
}
