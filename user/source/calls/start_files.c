// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/start_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

/* From the end of one call to that of the next: what takes longer is work, or waiting, not for the file. */
static const uint64_t FILE_STEP_NS_MOST = 10000000;

/* Of one path, all times that it was opened. */
struct path_sum {
	uint64_t opened, bytes, ns;
};

struct start_files_log {
	struct start *start;
	char *const *command;
	bool has_script; /* it was opened */
	size_t current; /* index of the group of the file that was opened last; START_FILES_MOST: none */
	char *path; /* of that file; owned */
	size_t number; /* of its path, in `sums` */
	int64_t descriptor;
	uint64_t bytes, ns; /* read from it; since it was opened */
	uint64_t until_ns; /* the end of the call before */
	struct hash numbers; /* of paths, in `sums` */
	struct path_sum *sums; /* owned */
	size_t sum_count;
};

struct start_files_log *start_files_log__new(struct start *start, char *const *command)
{
	struct start_files_log *log = checked_calloc(1, sizeof(*log));

	log->start = start;
	log->command = command;
	log->current = START_FILES_MOST;
	return log;
}

/* The path is opened once more. Returns its number in `sums`. */
static size_t count_open(struct start_files_log *log, const char *path)
{
	const size_t number = hash__number(&log->numbers, path, strlen(path));

	if (number == log->sum_count) {
		log->sums = checked_grow(log->sums, log->sum_count, sizeof(*log->sums));
		log->sums[log->sum_count++] = (struct path_sum){ 0 };
	}
	log->sums[number].opened++;
	return number;
}

static void add_again(struct start_files_log *log, struct start_files *group)
{
	struct path_sum *sum = &log->sums[log->number];

	sum->bytes += log->bytes;
	sum->ns += log->ns;
	if (sum->opened < group->again_opened)
		return;
	if (text__compare(group->again, log->path) != 0) {
		free(group->again);
		group->again = text__copy(log->path);
	}
	group->again_opened = sum->opened;
	group->again_bytes = sum->bytes;
	group->again_ns = sum->ns;
}

void start_files_log__finish(struct start_files_log *log)
{
	struct start_files *group = log->current < START_FILES_MOST ? &log->start->files[log->current] : NULL;

	if (group && log->bytes > group->most_bytes) {
		group->most_bytes = log->bytes;
		group->most_ns = log->ns;
		free(group->biggest);
		group->biggest = text__copy(log->path);
	}
	if (group)
		add_again(log, group);
	free(log->path);
	log->path = NULL;
	log->current = START_FILES_MOST;
	log->bytes = log->ns = 0;
}

void start_files_log__free(struct start_files_log *log)
{
	if (!log)
		return;
	hash__release(&log->numbers);
	free(log->sums);
	free(log->path);
	free(log);
}

/* ld.so opens what the program is linked to, and from the program's first own file on what dlopen() asks for. */
static bool is_open(const struct start_files_log *log, const struct call_record *call)
{
	static const char *const names[] = { "open", "openat", "openat2", NULL };

	return text__is_any(call->name, names) && call->returned && call->paths[0] &&
	       call->path_states[0] == PATH_WHOLE && (call->actor != ACTOR_LDSO || log->sum_count);
}

/* The path is an argument, or ends in it: python makes that of its script absolute. */
static bool is_script(const struct start_files_log *log, const char *path)
{
	for (char *const *word = log->command; word && *word; word++) {
		const size_t length = strlen(path), size = strlen(*word);
		const bool ends = length > size && path[length - size - 1] == '/' && word != log->command;

		if (!strcmp(path, *word) || (size && ends && !strcmp(path + length - size, *word)))
			return true;
	}
	return false;
}

/* ".py" of "name.py"; "": it has none. */
static const char *suffix_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot > name ? dot : "";
}

static size_t directory_length(const char *path)
{
	const char *name = text__file_name(path);

	return name > path + 1 ? (size_t)(name - path - 1) : 0;
}

/*
 * The group of the file; START_FILES_MOST: there is no room for it. What Python keeps of a package is in a directory of
 * its own, NAME.dist-info or NAME.egg-info: such directories are alike, as files are.
 */
static size_t group_of(struct start_files_log *log, const char *path)
{
	autofree char *parent = text__of("%.*s", (int)directory_length(path), path);
	const char *whole = strstr(suffix_of(text__file_name(parent)), "-info") ? parent : path;
	const char *suffix = suffix_of(text__file_name(whole));
	const size_t length = directory_length(whole);
	struct start *start = log->start;

	for (size_t i = start->file_count; i-- > 0;) {
		const struct start_files *group = &start->files[i];

		if (group->for_script == log->has_script && !strncmp(group->directory, path, length) &&
		    !group->directory[length] && !strcmp(group->suffix, suffix))
			return i;
	}
	if (start->file_count == START_FILES_MOST)
		return START_FILES_MOST;
	start->files = checked_grow(start->files, start->file_count, sizeof(*start->files));
	start->files[start->file_count] = (struct start_files){
		.directory = text__of("%.*s", (int)length, path),
		.suffix = text__copy(suffix),
		.for_script = log->has_script,
	};
	return start->file_count++;
}

/* It is not there, or cannot be read. */
static void note_missing(struct start_files_log *log, const struct call_record *call)
{
	const bool is_missing = call->result == -ENOENT || call->result == -EACCES || call->result == -ENOTDIR;
	const size_t group = is_missing ? group_of(log, call->paths[0]) : START_FILES_MOST;

	if (group < START_FILES_MOST)
		log->start->files[group].missing++;
}

/* openat2() has its flags in memory. */
static bool is_directory(const struct call_record *call)
{
	const int flags = !strcmp(call->name, "openat") ? 2 : 1;

	return strcmp(call->name, "openat2") != 0 && call->known >> flags & 1 && call->arguments[flags] & O_DIRECTORY;
}

enum { SCRIPT_OPENS = 2 }; /* to run it; python looks first whether it is an archive */

static void open_file(struct start_files_log *log, const struct call_record *call)
{
	const char *path = call->paths[0];
	struct start_files *group;

	start_files_log__finish(log);
	log->number = count_open(log, path);
	if (is_script(log, path)) {
		log->has_script = true;
		if (log->sums[log->number].opened <= SCRIPT_OPENS)
			return;
	}
	log->current = group_of(log, path);
	if (log->current == START_FILES_MOST)
		return;
	log->path = text__copy(path);
	log->descriptor = call->result;
	group = &log->start->files[log->current];
	if (!group->opened++)
		group->first_ns = call->begin_ns;
	group->directories += is_directory(call);
}

static bool reads(const struct start_files_log *log, const struct call_record *call)
{
	static const char *const names[] = { "read", "pread64", NULL };

	return text__is_any(call->name, names) && call->returned && call->result > 0 && call->known & 1 &&
	       (int64_t)call->arguments[0] == log->descriptor;
}

void start_files_log__call(struct start_files_log *log, const struct call_record *call)
{
	const uint64_t end = call->returned ? call->end_ns : call->begin_ns;
	const uint64_t step = end != ABSENT && end > log->until_ns ? end - log->until_ns : 0;

	if (is_open(log, call))
		(call->result >= 0 ? open_file : note_missing)(log, call);
	if (log->current < START_FILES_MOST) {
		struct start_files *group = &log->start->files[log->current];
		const uint64_t ns = step < FILE_STEP_NS_MOST ? step : FILE_STEP_NS_MOST;

		group->ns += ns;
		group->last_ns = log->until_ns + step;
		log->ns += ns;
		log->bytes += reads(log, call) ? (uint64_t)call->result : 0;
	}
	log->until_ns += step;
}
