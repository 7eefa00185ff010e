// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/call_reading.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/words/errno_names.h"
#include "model/files/file_calls.h"
#include "source/strace/call_words.h"

/* A name that no kernel here has is the last number that an error can have. */
static int64_t errno_of(const char *name, size_t length)
{
	int number = errno_number(name, length);

	return number ? number : ERRNO_MOST;
}

static void fill_result(struct call_record *record, const struct call_text *call)
{
	record->returned = call->end == ENDING_RETURNED;
	record->result = call->result;
	if (call->failed && call->error)
		record->result = -errno_of(call->error, call->error_length);
}

/* "[3, 4]", "[3<pipe:[11]>, 4<pipe:[11]>]" */
static bool read_pair(const char *at, const char *end, int32_t pair[2])
{
	for (int i = 0; i < 2; i++) {
		const char *stop = at < end ? call_text__argument_end(at + 1, end) : NULL;
		uint64_t number;

		/* The bracket that closes the pair belongs to no argument. */
		if (i && !stop)
			stop = end - 1;
		if (!stop || stop > end || !call_words__number(at + 1 + strspn(at + 1, " "), stop, &number))
			return false;
		pair[i] = (int32_t)number;
		at = stop;
	}
	return true;
}

static void fill_path(struct call_record *record, int path, const char *at, const char *end)
{
	bool is_cut = false;

	record->paths[path] = call_words__string(at, end, &is_cut);
	if (record->paths[path])
		record->path_states[path] = is_cut ? PATH_CUT : PATH_WHOLE;
	else
		record->path_states[path] = *at == 'N' ? PATH_NONE : PATH_UNREADABLE;
}

/* By -yy a socket is called "TCP:[127.0.0.1:1->127.0.0.1:2]", and elsewhere "socket:[4711]". */
static char *plain_name(char *name)
{
	static const char deleted[] = " (deleted)";
	size_t length = strlen(name), protocol = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-v");

	if (protocol && !strncmp(name + protocol, ":[", 2)) {
		free(name);
		return checked_strdup("socket:");
	}
	if (length > strlen(deleted) && !strcmp(name + length - strlen(deleted), deleted))
		name[length - strlen(deleted)] = '\0';
	return name;
}

/* What -y puts behind a descriptor: "3</etc/passwd>", to be freed. NULL: there is none. */
static char *path_behind(const char *at, const char *end)
{
	const char *open = memchr(at, '<', end - at), *close = open ? memrchr(open, '>', end - open) : NULL;
	char *quoted, *path;
	bool is_cut;

	/*
	 * What was deleted has that in parentheses, behind it or at its end; and before <unfinished ...>
	 * there was a space.
	 */
	if (!close || (close + 1 < end && close[1] != '(' && close[1] != ' '))
		return NULL;
	/* The path of a device has its numbers behind it, "</dev/tty<char 5:0>>". */
	quoted = checked_calloc(close - open + 3, 1);
	*quoted = '"';
	memcpy(quoted + 1, open + 1, close - open - 1);
	quoted[strcspn(quoted, "<")] = '\0'; /* those of the path itself are escaped */
	path = call_words__string(quoted, quoted + strlen(quoted), &is_cut);
	free(quoted);
	return path ? plain_name(path) : NULL;
}

/* Is argument `number` (from 1) a descriptor whose file matters? Pids have a name behind them, too. */
static bool is_descriptor(const struct file_call *kind, int number)
{
	return number == kind->descriptor || number == kind->directory || number == kind->other_directory ||
	       number == kind->written || number == kind->replaced;
}

static void fill_descriptor(struct call_record *record, int number, const char *at, const char *end)
{
	bool is_open = record->result != -EBADF;

	record->leads_to[number - 1] = path_behind(at, end);
	if (!record->leads_to[number - 1] && !is_open)
		record->not_open |= 1u << (number - 1);
}

/* `number`: from 1. */
static void fill_argument(struct call_record *record, const struct file_call *kind, int number,
			  const char *at, const char *end)
{
	if (kind && kind->path == number)
		fill_path(record, 0, at, end);
	else if (kind && kind->other == number)
		fill_path(record, 1, at, end);
	else if (kind && kind->pair == number)
		record->pair_known = *at == '[' && read_pair(at, end, record->pair);
	else if (call_words__number(at, end, &record->arguments[number - 1]))
		record->known |= 1u << (number - 1);
	if (kind && is_descriptor(kind, number))
		fill_descriptor(record, number, at, end);
}

void call_reading__fill(struct call_record *record, const struct call_text *call)
{
	const struct file_call *kind = file_call__find(record->name);
	const char *at = call->arguments, *end = at + call->length;

	fill_result(record, call);
	if (call->result_text)
		record->result_leads_to = path_behind(call->result_text, call->result_end);
	for (int number = 1; number <= CALL_ARGUMENTS && at < end; number++) {
		const char *stop;

		at = call_text__argument_value(at, end);
		stop = at < end ? call_text__argument_end(at, end) : NULL;
		if (!stop)
			return;
		fill_argument(record, kind, number, at, stop);
		at = stop + 1;
	}
}

void call_reading__release(struct call_record *record)
{
	for (int i = 0; i < CALL_PATHS; i++)
		free((char *)record->paths[i]);
	for (int i = 0; i < CALL_ARGUMENTS; i++)
		free((char *)record->leads_to[i]);
	free((char *)record->result_leads_to);
}
