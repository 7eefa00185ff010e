// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/file_set.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/untrusted.h"
#include "source/strace/log_clock.h"
#include "source/strace/log_line.h"
#include "source/strace/strace_log.h"

enum {
	PIECE = 8192, /* bytes that are read of a file at once */
	LONGEST = 16 << 20, /* line: the rest of a longer one is passed on in pieces */
};

/* A file that is open only while it is being read: there may be more than open files are allowed. */
struct part {
	char *path; /* owned */
	int32_t pid;
	char *bytes; /* owned; what was read and not yet passed on, from `begin` to `end` */
	size_t begin, end, room;
	uint64_t offset; /* in the file, of `end` */
	uint64_t line; /* number of the line at `begin` */
	uint64_t time_ns; /* of that line, or of the last one before it that has a time */
	uint64_t days_ns; /* midnights before it, as far as times of day tell */
	bool at_end; /* of the file */
};

struct file_set {
	struct part *parts; /* by pid */
	size_t count;
	enum line_clock clock;
	struct part **heap; /* those with lines left: by time, then by pid */
	size_t heap_count;
};

/* NAME of NAME.PID, to be freed; NULL: it does not end so. */
static char *stem_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (!dot || !dot[1] || strspn(dot + 1, "0123456789") != strlen(dot + 1))
		return NULL;
	return checked(strndup(path, dot - path));
}

static int by_pid(const void *left, const void *right)
{
	const struct part *a = left, *b = right;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

/* A path in which no character means anything to glob(3). */
static char *pattern_of(const char *stem)
{
	char *pattern = checked_calloc(2 * strlen(stem) + 8, 1), *to = pattern;

	for (; *stem; stem++) {
		if (strchr("*?[\\", *stem))
			*to++ = '\\';
		*to++ = *stem;
	}
	strcpy(to, ".[0-9]*");
	return pattern;
}

/* Who may write to the directory may have put anything beside the log. */
static bool is_file(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode);
}

static void list_parts(struct file_set *set, const char *stem)
{
	autofree char *pattern = pattern_of(stem);
	glob_t found = { 0 };

	if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++) {
			const char *digits = found.gl_pathv[i] + strlen(stem) + 1;
			long pid = strtol(digits, NULL, 10);

			if (strspn(digits, "0123456789") != strlen(digits) || pid < 1 ||
			    pid > INT32_MAX || !is_file(found.gl_pathv[i]))
				continue;
			set->parts = checked_grow(set->parts, set->count, sizeof(*set->parts));
			set->parts[set->count++] = (struct part){
				.path = checked_strdup(found.gl_pathv[i]), .pid = (int32_t)pid,
			};
		}
	}
	globfree(&found);
	if (set->count)
		qsort(set->parts, set->count, sizeof(*set->parts), by_pid);
}

struct file_set *file_set__find(const char *path)
{
	struct file_set *set = checked_calloc(1, sizeof(*set));
	autofree char *stem = stem_of(path);

	if (stem && access(path, F_OK) == 0)
		list_parts(set, stem);
	else if (access(path, F_OK))
		list_parts(set, path);
	if (set->count)
		return set;
	file_set__free(set);
	return NULL;
}

const char *file_set__first(const struct file_set *set)
{
	return set->parts[0].path;
}

void file_set__free(struct file_set *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->count; i++) {
		free(set->parts[i].path);
		free(set->parts[i].bytes);
	}
	free(set->parts);
	free(set->heap);
	free(set);
}

/* Reads on behind what is there. 0, or -errno. */
static int fill(struct part *part)
{
	struct stat status;
	ssize_t size;
	int fd;

	if (part->begin) {
		memmove(part->bytes, part->bytes + part->begin, part->end - part->begin);
		part->end -= part->begin;
		part->begin = 0;
	}
	if (part->end + PIECE + 1 > part->room) {
		part->room = 2 * (part->end + PIECE) + 1;
		part->bytes = checked(realloc(part->bytes, part->room));
	}
	fd = untrusted__open(part->path, 0, &status);
	size = fd < 0 ? -1 : pread(fd, part->bytes + part->end, PIECE, (off_t)part->offset);
	if (size < 0)
		size = -errno;
	if (fd >= 0)
		close(fd);
	if (size < 0)
		return (int)size;
	part->at_end = !size;
	part->end += size;
	part->offset += size;
	return 0;
}

/* Where the line at `begin` ends; at the file's end or for want of memory without a newline. */
static int find_line(struct part *part, char **newline)
{
	int error = 0;

	for (;;) {
		*newline = part->begin < part->end ? memchr(part->bytes + part->begin, '\n', part->end - part->begin)
						   : NULL;
		if (error || *newline || part->at_end || part->end - part->begin > LONGEST)
			return error;
		error = fill(part);
	}
}

/* The time of day of a line, plus one day for each midnight that earlier lines have passed. */
static uint64_t unrolled(struct part *part, uint64_t time_ns)
{
	if (log_clock__is_next_day(part->time_ns, time_ns + part->days_ns))
		part->days_ns += DAY_NS;
	return time_ns + part->days_ns;
}

/* Finds the next line and its time. 0, or -errno. */
static int look(struct part *part, enum line_clock *clock)
{
	struct log_line line;
	char *newline;
	int error = find_line(part, &newline);

	if (error || part->begin == part->end)
		return error;
	if (newline)
		*newline = '\0';
	else
		part->bytes[part->end] = '\0';
	log_line__read(&line, part->bytes + part->begin, strlen(part->bytes + part->begin));
	if (newline)
		*newline = '\n';
	if (line.clock == CLOCK_DAY || line.clock == CLOCK_SECONDS)
		line.time_ns = unrolled(part, line.time_ns);
	if (line.clock != CLOCK_NONE)
		part->time_ns = line.time_ns;
	if (*clock == CLOCK_NONE)
		*clock = line.clock;
	return 0;
}

static bool is_before(const struct part *a, const struct part *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->pid < b->pid;
}

/* Moves the part at this place down to where it belongs. */
static void sift(struct file_set *set, size_t at)
{
	struct part *moved = set->heap[at];

	for (size_t child; (child = 2 * at + 1) < set->heap_count; at = child) {
		if (child + 1 < set->heap_count && is_before(set->heap[child + 1], set->heap[child]))
			child++;
		if (!is_before(set->heap[child], moved))
			break;
		set->heap[at] = set->heap[child];
	}
	set->heap[at] = moved;
}

/* Passes the line at `begin` on. 0, or -errno. */
static int pass(struct part *part, struct strace_log *log)
{
	char *newline;
	size_t size;
	int error = find_line(part, &newline);

	if (error)
		return error;
	size = newline ? (size_t)(newline + 1 - (part->bytes + part->begin)) : part->end - part->begin;
	strace_log__set_file(log, part->pid, part->line);
	strace_log__feed(log, part->bytes + part->begin, size);
	part->begin += size;
	part->line++;
	/* The last line of a file may be cut off; it must not go on in that of another one. */
	if (!newline && part->at_end)
		strace_log__feed(log, "\n", 1);
	return 0;
}

static int by_time(const void *left, const void *right)
{
	const struct part *a = *(struct part *const *)left, *b = *(struct part *const *)right;

	return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

/*
 * Files of a log that passes midnight begin late in one day, and early in the next one: the longest time
 * in which none began lies before the first. Returns whether it does.
 */
static bool find_midnight(struct file_set *set)
{
	struct part **parts = set->heap;
	size_t count = set->heap_count, first = 0;
	uint64_t longest;

	qsort(parts, count, sizeof(struct part *), by_time);
	longest = parts[0]->time_ns + DAY_NS - parts[count - 1]->time_ns;
	for (size_t i = 1; i < count; i++) {
		if (parts[i]->time_ns - parts[i - 1]->time_ns <= longest)
			continue;
		longest = parts[i]->time_ns - parts[i - 1]->time_ns;
		first = i;
	}
	for (size_t i = 0; i < first; i++) {
		parts[i]->days_ns = DAY_NS;
		parts[i]->time_ns += DAY_NS;
	}
	return first > 0;
}

static int read_in_turn(struct file_set *set, struct strace_log *log)
{
	int error = 0;

	for (size_t i = 0; i < set->count && !error; i++) {
		struct part *part = &set->parts[i];

		while (!error && !(part->at_end && part->begin == part->end))
			error = part->begin == part->end ? fill(part) : pass(part, log);
		free(part->bytes);
		part->bytes = NULL;
	}
	return error;
}

static int read_by_time(struct file_set *set, struct strace_log *log)
{
	int error = 0;

	for (size_t i = set->heap_count / 2; i-- > 0;)
		sift(set, i);
	while (set->heap_count && !error) {
		struct part *part = set->heap[0];

		error = pass(part, log);
		if (!error)
			error = look(part, &set->clock);
		if (part->begin == part->end) {
			free(part->bytes);
			part->bytes = NULL;
			set->heap[0] = set->heap[--set->heap_count];
		}
		if (set->heap_count)
			sift(set, 0);
	}
	return error;
}

int file_set__read(struct file_set *set, struct strace_log *log)
{
	int error = 0;

	set->heap = checked_calloc(set->count, sizeof(struct part *));
	for (size_t i = 0; i < set->count && !error; i++) {
		error = look(&set->parts[i], &set->clock);
		if (set->parts[i].begin < set->parts[i].end)
			set->heap[set->heap_count++] = &set->parts[i];
	}
	if (error)
		return error;
	if (set->clock == CLOCK_NONE || set->clock == CLOCK_STEP)
		return read_in_turn(set, log);
	if (set->heap_count && set->clock != CLOCK_EPOCH && find_midnight(set))
		strace_log__passes_midnight(log);
	return read_by_time(set, log);
}
