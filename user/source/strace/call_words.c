// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/call_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "source/strace/call_text.h"

static int hex_digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : (c | 32) - 'a' + 10;
}

/* "\x7f", "\n", "\177", "\0": behind the backslash. Returns what follows. */
static const char *unescape(const char *at, const char *end, char *byte)
{
	static const char letters[] = "abtnvfr", bytes[] = "\a\b\t\n\v\f\r";
	const char *letter = strchr(letters, *at);
	unsigned int number = 0;

	if (*at == 'x' && end - at > 2 && isxdigit((unsigned char)at[1]) &&
	    isxdigit((unsigned char)at[2])) {
		*byte = (char)(hex_digit(at[1]) << 4 | hex_digit(at[2]));
		return at + 3;
	}
	if (*at >= '0' && *at <= '7') {
		for (int i = 0; i < 3 && at < end && *at >= '0' && *at <= '7'; i++)
			number = number * 8 + (*at++ - '0');
		*byte = (char)number;
		return at;
	}
	*byte = letter && *letter ? bytes[letter - letters] : *at;
	return at + 1;
}

char *call_words__string(const char *at, const char *end, bool *is_cut)
{
	char *text, *to;

	if (at >= end || *at != '"')
		return NULL;
	text = to = checked_calloc(end - at + 1, 1);
	for (at++; at < end && *at != '"';) {
		if (*at == '\\' && at + 1 < end)
			at = unescape(at + 1, end, to++);
		else
			*to++ = *at++;
	}
	*is_cut = at >= end || (end - at > 3 && !strncmp(at + 1, "...", 3));
	return text;
}

static char *element(const char *at, const char *end)
{
	bool is_cut;
	char *text = call_words__string(at, end, &is_cut);

	if (!text)
		return strndup(at, end - at); /* "..." for the rest, or an address */
	if (is_cut) {
		text = checked(realloc(text, strlen(text) + 4));
		strcat(text, "...");
	}
	return text;
}

char **call_words__strings(const char *at, const char *end, size_t *count)
{
	char **list = checked_calloc(1, sizeof(char *));

	*count = 0;
	if (at >= end || *at != '[') {
		free(list);
		return NULL;
	}
	for (at++; at < end && *at != ']';) {
		const char *stop = at;

		/* What ends an argument ends an element; and the bracket that closes the array. */
		if (*at == '"') {
			for (stop++; stop < end && *stop != '"'; stop++)
				stop += *stop == '\\';
		}
		stop += strcspn(stop, ",]");
		if (stop > end)
			stop = end;
		list = checked(reallocarray(list, *count + 2, sizeof(char *)));
		list[*count] = checked(element(at, stop));
		list[++*count] = NULL;
		at = stop + strspn(stop, ", ");
	}
	return list;
}
