// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/call_words.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/memory.h"
#include "model/words/x86_arguments.h"
#include "source/strace/call_text.h"
#include "source/strace/log_line.h"

static const struct {
	const char *name;
	uint64_t value;
} symbols[] = {
#define SYMBOL(name) { #name, (uint64_t)(int64_t)(intptr_t)name },
#include "call_symbols.def"
#undef SYMBOL
};

static bool find_symbol(const char *name, size_t length, uint64_t *value)
{
	if (length > 6 && !strncmp(name, "SIGRT_", 6)) {
		*value = FIRST_REAL_TIME + strtoull(name + 6, NULL, 10);
		return true;
	}
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		if (strncmp(symbols[i].name, name, length) != 0 || symbols[i].name[length])
			continue;
		*value = symbols[i].value;
		return true;
	}
	return false;
}

/* What may follow a term: another one, the <path> of -y, a comment, the end. */
static const char *read_term(const char *at, const char *end, uint64_t *value)
{
	const char *word = at;
	char *rest;

	if (at < end && (isdigit((unsigned char)*at) || *at == '-')) {
		errno = 0;
		*value = *at == '-' ? (uint64_t)strtoll(at, &rest, 0) : strtoull(at, &rest, 0);
		return rest == at || rest > end || errno ? NULL : rest;
	}
	while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
		at++;
	return at > word && find_symbol(word, at - word, value) ? at : NULL;
}

bool call_words__number(const char *at, const char *end, uint64_t *number)
{
	*number = 0;
	while (at < end) {
		uint64_t value;

		at = read_term(at, end, &value);
		if (!at)
			return false;
		*number |= value;
		if (at == end || *at == '<' || *at == ' ')
			return true;
		if (*at++ != '|')
			return false;
	}
	return false;
}

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

	if (*at == 'x' && end - at > 2 && isxdigit((unsigned char)at[1]) && isxdigit((unsigned char)at[2])) {
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
