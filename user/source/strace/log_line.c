// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/log_line.h"

#include <ctype.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "model/words/dictionary.h"

#define SECOND_NS 1000000000ull

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static const char *skip_spaces(const char *at)
{
	while (*at == ' ')
		at++;
	return at;
}

/* Digits that make a positive pid; NULL: none. */
static const char *read_pid(const char *at, int32_t *pid)
{
	const char *start = at;
	int64_t number = 0;

	while (isdigit((unsigned char)*at) && number <= INT32_MAX)
		number = number * 10 + (*at++ - '0');
	if (at == start || number > INT32_MAX || !number || isdigit((unsigned char)*at))
		return NULL;
	*pid = number;
	return at;
}

/* `--decode-pids=comm`: a name in <>, in which strace escapes these two. */
static const char *skip_comm(const char *at)
{
	const char *end = *at == '<' ? strchr(at, '>') : NULL;

	return end ? end + 1 : at;
}

/* "1234 ", "1234<sh> ", "[pid 1234] ", "[pid 1234<sh>] ". */
static const char *read_leader(const char *at, struct log_line *line)
{
	const char *first = skip_spaces(at), *rest;
	bool bracketed = starts(first, "[pid ");
	int32_t pid;

	rest = read_pid(bracketed ? skip_spaces(first + 5) : first, &pid);
	if (!rest)
		return at;
	rest = skip_comm(rest);
	if (bracketed && *rest++ != ']')
		return at;
	if (*rest != ' ')
		return at;
	line->tid = pid;
	line->bracketed = bracketed;
	return skip_spaces(rest);
}

/* Digits; at most 15 of them, which no time has. NULL: none, or too many. */
static const char *read_digits(const char *at, uint64_t *number, int *count)
{
	*number = 0;
	for (*count = 0; isdigit((unsigned char)at[*count]); ++*count) {
		if (*count == 15)
			return NULL;
		*number = *number * 10 + (at[*count] - '0');
	}
	return *count ? at + *count : NULL;
}

/* ".000042" in nanoseconds. */
static const char *read_fraction(const char *at, uint64_t *ns)
{
	uint64_t scale = SECOND_NS / 10;

	*ns = 0;
	if (*at != '.' || !isdigit((unsigned char)at[1]))
		return NULL;
	for (at++; isdigit((unsigned char)*at); at++, scale /= 10)
		*ns += (*at - '0') * scale;
	return at;
}

/* "12:34:56", "12:34:56.000042" */
static const char *read_clock(const char *at, struct log_line *line)
{
	uint64_t part, ns, seconds = 0;
	int digits;
	const char *end;

	for (int i = 0; i < 3; i++) {
		if (i && *at++ != ':')
			return NULL;
		at = read_digits(at, &part, &digits);
		if (!at || digits != 2)
			return NULL;
		seconds = seconds * 60 + part;
	}
	end = read_fraction(at, &ns);
	line->clock = end ? CLOCK_DAY : CLOCK_SECONDS;
	line->time_ns = seconds * SECOND_NS + (end ? ns : 0);
	return end ? end : at;
}

/* "1163434343.000042" by -ttt, "0.000042" by -r. */
static const char *read_seconds(const char *at, struct log_line *line)
{
	uint64_t seconds, ns;
	int digits;

	at = read_digits(at, &seconds, &digits);
	if (!at || digits > 11)
		return NULL;
	at = read_fraction(at, &ns);
	if (!at)
		return NULL;
	/* More than three years cannot be the time since the last line: it is one since 1970. */
	line->clock = seconds > 100000000 ? CLOCK_EPOCH : CLOCK_STEP;
	line->time_ns = seconds * SECOND_NS + ns;
	return at;
}

/* "(+     0.000042) ", what -r adds to an absolute time: nothing new. */
static const char *skip_step(const char *at)
{
	const char *end = starts(at, "(+") ? strchr(at, ')') : NULL;

	return end ? skip_spaces(end + 1) : at;
}

static const char *read_time(const char *at, struct log_line *line)
{
	const char *first = skip_spaces(at), *rest;

	if (!isdigit((unsigned char)*first))
		return at;
	rest = read_clock(first, line);
	if (!rest)
		rest = read_seconds(first, line);
	if (rest && *rest == ' ')
		return skip_step(skip_spaces(rest));
	line->clock = CLOCK_NONE;
	line->time_ns = 0;
	return at;
}

/* "[  59] " (-n) and "[00007f8a12345678] " (-i), in that order. */
static const char *skip_brackets(const char *at)
{
	while (*at == '[') {
		const char *end = at + 1 + strspn(at + 1, " 0123456789abcdefx?");

		if (end[0] != ']' || end[1] != ' ')
			break;
		at = skip_spaces(end + 1);
	}
	return at;
}

static int signal_of(const char *name)
{
	size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	if (length == 6 && starts(name, "SIGIOT"))
		return SIGABRT;
	if (starts(name, "SIGRT_"))
		return FIRST_REAL_TIME + atoi(name + 6);
	for (int signal = 1; signal < SIGRTMIN && length > 3; signal++) {
		const char *abbreviation = sigabbrev_np(signal);

		if (abbreviation && strlen(abbreviation) == length - 3 && !strncmp(abbreviation, name + 3, length - 3))
			return signal;
	}
	return 0;
}

/* "+++ exited with 0 +++", "+++ killed by SIGKILL (core dumped) +++", ... */
static void read_end(const char *text, struct log_line *line)
{
	static const char exited[] = "+++ exited with ", killed[] = "+++ killed by ";
	static const char superseded[] = "+++ superseded by execve in pid ";
	uint64_t status;
	int digits;

	if (starts(text, exited) && read_digits(text + strlen(exited), &status, &digits)) {
		line->kind = LINE_EXITED;
		line->value = status & 0xff;
	} else if (starts(text, killed)) {
		line->kind = LINE_KILLED;
		line->value = signal_of(text + strlen(killed));
	} else if (starts(text, superseded) && read_pid(text + strlen(superseded), &line->value)) {
		line->kind = LINE_SUPERSEDED;
	}
}

static int mode_of(const char *text)
{
	static const struct {
		const char *words;
		int abi;
	} modes[] = { { "64 bit", ABI_NATIVE }, { "32 bit", ABI_COMPAT }, { "x32", ABI_X32 } };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (starts(text, modes[i].words))
			return modes[i].abi;
	return -1;
}

/* "[ Process PID=1 runs in 32 bit mode. ]" */
static bool read_mode(const char *text, struct log_line *line)
{
	static const char process[] = "[ Process PID=", runs[] = " runs in ";

	if (!starts(text, process))
		return false;
	text = read_pid(text + strlen(process), &line->value);
	if (!text || !starts(text, runs))
		return false;
	line->abi = mode_of(text + strlen(runs));
	line->kind = line->abi < 0 ? line->kind : LINE_MODE;
	return line->kind == LINE_MODE;
}

/* "strace: ", "/usr/bin/strace: ": as it was called. */
static const char *skip_program(const char *text)
{
	size_t length = strcspn(text, " (");

	return length > 1 && text[length] == ' ' && text[length - 1] == ':' ? text + length + 1 : text;
}

/*
 * "Process 12 attached", "Process 12 detached", also with more behind it. Until 4.7 without
 * "strace: " before it.
 */
static bool read_message(const char *text, struct log_line *line)
{
	text = skip_program(text);
	if (read_mode(text, line))
		return true;
	if (!starts(text, "Process "))
		return false;
	text = read_pid(text + 8, &line->value);
	if (!text)
		return false;
	if (starts(text, " attached"))
		line->kind = LINE_ATTACHED;
	else if (starts(text, " detached"))
		line->kind = LINE_DETACHED;
	else if (starts(text, " resumed") || starts(text, " suspended"))
		line->kind = LINE_NOTHING;
	return line->kind != LINE_OTHER;
}

/* "<... read resumed>", until 4.5.14 with a blank and the rest behind it. */
static void read_resumed(const char *text, size_t length, struct log_line *line)
{
	static const char resumed[] = " resumed>";
	const char *name = text + 5, *end = name + strcspn(name, " ");

	if (!starts(end, resumed) || end == name)
		return;
	line->kind = LINE_RESUMED;
	line->name = name;
	line->name_length = end - name;
	line->text = end + strlen(resumed);
	line->length = length - (line->text - text);
}

static size_t name_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length ? length : strspn(text, "?");
}

/*
 * Where the name of strace begins before its message. The text of the call ends with a number, NULL
 * or a parenthesis; the first slash after that is part of the name.
 */
static const char *find_program(const char *text, const char *message)
{
	const char *name = message, *slash;

	if (message - text < 2 || memcmp(message - 2, ": ", 2) != 0)
		return message;
	for (name -= 2; name > text && !strchr(" (,=", name[-1]);)
		name--;
	slash = memchr(name, '/', message - name);
	if (slash)
		return slash;
	return message - name > 8 && !memcmp(message - 8, "strace: ", 8) ? message - 8 : name;
}

/* On stderr messages come in the middle of a line: "clone(child_stack=NULLstrace: Process 12 attached" */
static const char *find_message(const char *text, size_t length)
{
	static const char *const ends[] = { " attached", " attached (waiting for parent)", " suspended", " detached" };
	const char *found = NULL;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]) && !found; i++) {
		size_t end = strlen(ends[i]);

		if (length > end && !memcmp(text + length - end, ends[i], end))
			found = memmem(text, length, "Process ", 8);
	}
	return found ? find_program(text, found) : NULL;
}

static void read_call(const char *text, size_t length, struct log_line *line)
{
	size_t name = name_length(text);

	if (!name || text[name] != '(')
		return;
	line->kind = LINE_CALL;
	line->name = text;
	line->name_length = name;
	line->text = text;
	line->length = length;
	line->message = find_message(text, length);
	if (line->message)
		line->length = line->message - text;
}

/* "\33[1;31m": behind it. NULL: it is something else. */
static const char *skip_colour(const char *at)
{
	if (at[0] != '\33' || at[1] != '[')
		return NULL;
	at += 2 + strspn(at + 2, "0123456789;");
	return *at == 'm' ? at + 1 : NULL;
}

size_t log_line__uncolour(char *line, size_t length)
{
	char *to = memchr(line, '\33', length), *end = line + length;

	if (!to)
		return length;
	for (const char *at = to; at < end;) {
		const char *behind = skip_colour(at);

		if (behind)
			at = behind;
		else
			*to++ = *at++;
	}
	*to = '\0';
	return to - line;
}

void log_line__read(struct log_line *line, const char *whole, size_t whole_length)
{
	const char *text;
	size_t length;

	*line = (struct log_line){ .kind = LINE_OTHER };
	if (starts(whole, " > ") || !*whole) {
		line->kind = LINE_NOTHING;
		return;
	}
	text = read_leader(whole, line);
	text = skip_brackets(read_time(text, line));
	length = whole_length - (text - whole);
	if (starts(text, "<... "))
		read_resumed(text, length, line);
	else if (starts(text, "+++ "))
		read_end(text, line);
	else if (starts(text, "--- "))
		line->kind = LINE_SIGNAL;
	else if (!read_message(text, line))
		read_call(text, length, line);
	if (line->kind == LINE_OTHER) {
		line->text = text;
		line->length = length;
	}
}
