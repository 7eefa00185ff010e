// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/strace_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "source/strace/log_state.h"

/* What -s makes longer, no memory should hold. */
enum { LINE_MOST = 16 << 20 };

struct strace_log *strace_log__new(struct run *run, unsigned int uses)
{
	struct strace_log *log = checked_calloc(1, sizeof(*log));

	(void)uses;
	log->run = run;
	log->now = ABSENT;
	run->wall_ns = ABSENT;
	life__init(&log->life, run);
	return log;
}

void strace_log__free(struct strace_log *log)
{
	if (!log)
		return;
	life__free(&log->life);
	call_kinds__free(&log->kinds);
	held_lines__free(&log->held);
	free(log->line);
	free(log);
}

void strace_log__set_pid(struct strace_log *log, int32_t pid)
{
	log->file_pid = pid;
}

uint64_t strace_log__events(const struct strace_log *log)
{
	return log->events;
}

uint64_t strace_log__live(const struct strace_log *log)
{
	return log->life.task_count;
}

static void cannot_read(struct strace_log *log)
{
	log->torn_line = log->number;
	if (!log->unread++)
		log->first_unread = log->number;
}

static void take_line(struct strace_log *log, const char *text, size_t length)
{
	struct log_line line;

	log->number++;
	log->text = text;
	log->text_length = length;
	if (memchr(text, '\0', length)) {
		cannot_read(log);
		return;
	}
	log_line__read(&line, text, length);
	log->now = log_clock__read(&log->clock, &line);
	if (!log_events__take(log, &line))
		cannot_read(log);
}

static void keep(struct strace_log *log, const char *bytes, size_t size)
{
	if (log->length + size > LINE_MOST) {
		log->too_long = true;
		return;
	}
	if (log->length + size + 1 > log->room) {
		log->room = 2 * (log->length + size + 1);
		log->line = checked(realloc(log->line, log->room));
	}
	memcpy(log->line + log->length, bytes, size);
	log->length += size;
	log->line[log->length] = '\0';
}

static void end_line(struct strace_log *log)
{
	if (log->too_long) {
		log->number++;
		cannot_read(log);
	} else {
		take_line(log, log->line, log->length);
	}
	log->length = 0;
	log->too_long = false;
}

void strace_log__feed(struct strace_log *log, const char *bytes, size_t size)
{
	while (size) {
		const char *end = memchr(bytes, '\n', size);
		size_t length = end ? (size_t)(end - bytes) : size;

		keep(log, bytes, length);
		if (!end)
			return;
		end_line(log);
		bytes += length + 1;
		size -= length + 1;
	}
}

static void release_held(struct strace_log *log)
{
	struct held_line held;

	while (held_lines__take(&log->held, 0, &held)) {
		log->number = held.number;
		log_events__retake(log, &held);
	}
}

static void add_notes(const struct strace_log *log)
{
	if (log->unread) {
		run__note(log->run, "%llu of %llu lines could not be read, the first is line %llu",
			  (unsigned long long)log->unread, (unsigned long long)log->number,
			  (unsigned long long)log->first_unread);
		log->run->integrity.exact = false;
	}
	if (log->headless)
		run__note(log->run, "%llu calls had begun before the log does: they are not counted",
			  (unsigned long long)log->headless);
}

void strace_log__finish(struct strace_log *log)
{
	uint64_t lines;

	if (log->length || log->too_long)
		end_line(log);
	lines = log->number;
	log->at_end = true;
	release_held(log);
	log->number = lines;
	life__finish(&log->life, &log->kinds);
	add_notes(log);
	log->run->integrity.exact = log->run->integrity.exact && integrity__is_exact(&log->run->integrity);
	if (log->clock.kind == CLOCK_EPOCH)
		log->run->started = log->clock.first_ns;
}
