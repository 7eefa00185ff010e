// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/cgroup_globs.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"

/* The length of "[...]"; 0: it is not closed, so it stands for itself. "]" may be the first one in it. */
static size_t bracket_length(const char *text)
{
	size_t length = 1;

	length += text[length] == '!' || text[length] == '^';
	length += text[length] == ']';
	while (text[length] && text[length] != ']') {
		const char kind = text[length] == '[' ? text[length + 1] : 0;
		const char end[] = { kind, ']', 0 };
		const char *close = kind && strchr(":.=", kind) ? strstr(text + length + 2, end) : NULL;

		length = close ? (size_t)(close + 2 - text) : length + 1;
	}
	return text[length] ? length + 1 : 0;
}

/* Bytes beyond ASCII match what is not in brackets: a character of several bytes is no single one there. */
static void take_bracket(struct cgroup_token *token, const char *text, size_t length)
{
	autofree char *bracket = checked(strndup(text, length));

	for (unsigned int byte = 1; byte < 256; byte++) {
		const char name[] = { (char)byte, 0 };
		const bool matches = byte < 128 ? !fnmatch(bracket, name, FNM_NOESCAPE)
						: text[1] == '!' || text[1] == '^';

		token->set[byte / 8] |= matches << byte % 8;
	}
}

/* Returns how many characters it has taken. */
static size_t take_token(struct cgroup_token *token, const char *text)
{
	const unsigned char byte = *text;
	const size_t bracket = byte == '[' ? bracket_length(text) : 0;

	if (byte == '*')
		token->is_star = 1;
	else if (byte == '?')
		memset(token->set, 0xff, sizeof(token->set));
	else if (bracket)
		take_bracket(token, text, bracket);
	else
		token->set[byte / 8] |= 1 << byte % 8;
	return bracket ? bracket : 1;
}

static bool add_name(struct cgroup_globs *globs, const char *name)
{
	struct cgroup_glob *glob;

	globs->list = checked_grow(globs->list, globs->count, sizeof(*globs->list));
	glob = &globs->list[globs->count++];
	memset(glob, 0, sizeof(*glob));
	glob->hides_dots = *name != '.';
	while (*name && glob->length < CGROUP_NAME - 1)
		name += take_token(&glob->tokens[glob->length++], name);
	return !*name;
}

bool cgroup_globs__add(struct cgroup_globs *globs, const char *pattern)
{
	autofree char *copy = checked_strdup(pattern);
	const size_t before = globs->count;
	char *rest = copy, *name;
	bool fits = true;

	while (fits && (name = strsep(&rest, "/"))) {
		if (!strcmp(name, ".."))
			globs->count -= globs->count > before;
		else if (*name && strcmp(name, "."))
			fits = add_name(globs, name);
	}
	if (globs->count > before)
		globs->list[globs->count - 1].is_last = 1;
	return fits;
}

bool cgroup_glob__matches(const struct cgroup_glob *glob, const char *name)
{
	struct cgroup_match match = { 0 };

	if ((*name == '.' && glob->hides_dots) || strlen(name) >= CGROUP_NAME)
		return false;
	while (!match.is_over)
		cgroup_match__step(&match, glob, name);
	return match.matches;
}
