// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/call_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/rows/absent.h"

/* After the opening quote; behind the closing one. NULL: there is none. */
static const char *skip_string(const char *at, const char *end)
{
	for (; at < end; at++) {
		if (*at == '\\')
			at++;
		else if (*at == '"')
			return at + 1;
	}
	return NULL;
}

/* "127.0.0.1:1->[::1]:2", "12->13"; but a path may end in a hyphen, "3</etc/passwd->". */
static bool is_arrow(const char *at, const char *end)
{
	return at[-1] == '-' && at + 1 < end && (isdigit((unsigned char)at[1]) || at[1] == '[');
}

/*
 * What -y and -yy put behind a descriptor: "3</tmp/a>", "4<TCP:[127.0.0.1:1->127.0.0.1:2]>",
 * "1</dev/pts/0<char 136:0>>", "5<UNIX-STREAM:[12->13, "/run/a"]>". strace escapes <, > and " in paths.
 * `at` is behind the first <; the result behind the last >. NULL: there is none.
 */
static const char *skip_descriptor(const char *at, const char *end)
{
	int depth = 1;

	for (; at < end; at++) {
		if (*at == '\\')
			at++;
		else if (*at == '<')
			depth++;
		else if (*at == '>' && !is_arrow(at, end) && !--depth)
			return at + 1;
	}
	return NULL;
}

static bool is_descriptor(const char *at, const char *begin)
{
	/* A shift is none: "1<<CAP_CHOWN". AT_FDCWD</tmp> is one. */
	return at > begin && (isdigit((unsigned char)at[-1]) || at[-1] == 'D') && at[1] != '<';
}

const char *call_text__argument_end(const char *at, const char *end)
{
	const char *begin = at;
	int depth = 0;

	while (at && at < end) {
		switch (*at) {
		case '"':
			at = skip_string(at + 1, end);
			continue;
		case '(':
		case '[':
		case '{':
			depth++;
			break;
		case ')':
			if (!depth)
				return at;
			depth--;
			break;
		case ']':
		case '}':
			if (!depth)
				return NULL;
			depth--;
			break;
		case ',':
			if (!depth)
				return at;
			break;
		case '<':
			if (is_descriptor(at, begin)) {
				at = skip_descriptor(at + 1, end);
				continue;
			}
			break;
		}
		at++;
	}
	return depth ? NULL : at;
}

const char *call_text__argument_value(const char *at, const char *end)
{
	const char *name;

	while (at < end && *at == ' ')
		at++;
	name = at;
	while (at < end && (islower((unsigned char)*at) || isdigit((unsigned char)*at) || *at == '_'))
		at++;
	return at > name && at < end && *at == '=' ? at + 1 : name;
}

/* The parenthesis that ends the arguments. NULL: none, or what they hold is no longer whole. */
static const char *arguments_end(const char *at, const char *end)
{
	for (;;) {
		at = call_text__argument_end(at, end);
		if (!at || at == end)
			return NULL;
		if (*at == ')')
			return at;
		at++;
	}
}

/* A process that is killed while strace prints a structure: "read(0, {abc <unfinished ...>) = ?" */
static const char *end_of_killed(const char *text, const char *end)
{
	const char *at = end - 1;

	if (at <= text || *at != '?')
		return NULL;
	while (at > text && (at[-1] == ' ' || at[-1] == '='))
		at--;
	return at > text && at[-1] == ')' ? at - 1 : NULL;
}

/* " <0.000042>" at the very end, of -T. Returns where the rest ends. */
static const char *read_time(const char *text, const char *end, uint64_t *time_ns)
{
	const char *at = end - 1;
	uint64_t seconds = 0, fraction = 0, unit = 1000000000;

	if (end - text < 4 || *at != '>')
		return end;
	while (at > text && (isdigit((unsigned char)at[-1]) || at[-1] == '.'))
		at--;
	if (at == end - 1 || at - text < 2 || at[-1] != '<' || at[-2] != ' ')
		return end;
	end = at - 2;
	while (isdigit((unsigned char)*at))
		seconds = seconds * 10 + (*at++ - '0');
	if (*at == '.')
		for (at++; isdigit((unsigned char)*at) && unit > 1; at++) {
			fraction = fraction * 10 + (*at - '0');
			unit /= 10;
		}
	*time_ns = seconds * 1000000000 + fraction * unit;
	return end;
}

static size_t error_length(const char *at)
{
	return *at == 'E' ? strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") : 0;
}

/*
 * "ENOENT (No such file or directory)", "(errno 524)"; anything else is no error. A larger number than
 * errors have (see call_text.h) says nothing of how the call ended.
 */
static void read_error(const char *at, struct call_text *call)
{
	size_t length = error_length(at);
	uint64_t number;

	if (length > 1) {
		call->failed = true;
		call->error = at;
		call->error_length = length;
	} else if (!strncmp(at, "(errno ", 7)) {
		number = strtoull(at + 7, NULL, 10);
		call->failed = number && number <= ERRNO_MOST;
		if (call->failed)
			call->result = -(int64_t)number;
		else
			call->end = ENDING_UNKNOWN;
	}
}

/* What follows the equals sign. */
static void read_result(const char *at, const char *end, struct call_text *call)
{
	char *rest;

	at += strspn(at, " ");
	if (at >= end)
		return;
	call->end = ENDING_RETURNED;
	if (*at == '?') {
		at += 1 + strspn(at + 1, " ");
		if (!strncmp(at, "(mask now", 9))
			return; /* sigreturn, whose result is that of the call it returns to */
		read_error(at, call);
		if (!call->failed)
			call->end = ENDING_NO_RETURN;
		return;
	}
	errno = 0;
	call->result = *at == '-' ? strtoll(at, &rest, 0) : (int64_t)strtoull(at, &rest, 0);
	if (rest == at || errno) {
		call->end = ENDING_TORN;
		return;
	}
	call->result_end = *rest == '<' ? skip_descriptor(rest + 1, end) : NULL;
	call->result_text = call->result_end ? at : NULL;
	if (call->result == -1 && *rest == ' ')
		read_error(rest + 1, call);
	call->has_result = call->end == ENDING_RETURNED;
}

static bool ends_with(const char *text, const char *end, const char *with)
{
	size_t length = strlen(with);

	return (size_t)(end - text) >= length && !memcmp(end - length, with, length);
}

/* "execve("/bin/true", ["true"], NULL <pid changed to 12 ...>": it returns in the name of thread 12. */
static bool read_changed_pid(const char *text, const char *end, struct call_text *call)
{
	static const char changed[] = "<pid changed to ";
	const char *at = memrchr(text, '<', end - text);

	if (!ends_with(text, end, " ...>") || !at || strncmp(at, changed, strlen(changed)) != 0)
		return false;
	while (at > text && (at[-1] == ' ' || at[-1] == ')'))
		at--;
	call->end = ENDING_UNFINISHED;
	call->length = at - text;
	return true;
}

static bool read_open_end(const char *text, const char *end, struct call_text *call)
{
	static const char unfinished[] = "<unfinished ...>", detached[] = "<detached ...>";

	while (end > text && end[-1] == ' ')
		end--;
	if (read_changed_pid(text, end, call))
		return true;
	if (ends_with(text, end, unfinished))
		call->end = ENDING_UNFINISHED;
	else if (ends_with(text, end, detached))
		call->end = ENDING_DETACHED;
	else
		return false;
	call->length = end - text - strlen(call->end == ENDING_UNFINISHED ? unfinished : detached);
	return true;
}

void call_text__read(struct call_text *call, const char *text, size_t length)
{
	const char *end = text + length, *close;

	*call = (struct call_text){ .end = ENDING_TORN, .time_ns = ABSENT };
	call->arguments = memchr(text, '(', length);
	if (!call->arguments)
		return;
	call->arguments++;
	call->length = end - call->arguments;
	if (read_open_end(call->arguments, end, call))
		return;
	end = read_time(call->arguments, end, &call->time_ns);
	close = arguments_end(call->arguments, end);
	if (!close || close + 1 >= end || close[1 + strspn(close + 1, " ")] != '=')
		close = end_of_killed(call->arguments - 1, end);
	if (!close)
		return;
	call->length = close - call->arguments;
	read_result(close + 1 + strspn(close + 1, " ") + 1, end, call);
}
