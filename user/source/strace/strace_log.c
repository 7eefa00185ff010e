// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/strace_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quantity.h"
#include "source/strace/log_state.h"

/* Limits a line, which `-s` can make very long. */
enum { LINE_MOST = 16 << 20 };

struct strace_log *strace_log__new(struct run *run, unsigned int uses)
{
	struct strace_log *log = checked_calloc(1, sizeof(*log));

	log->run = run;
	run->started = ABSENT;
	for (int data = 0; data < HAS_COUNT; data++)
		run->origins[data] = ORIGIN_NOT_SUPPORTED;
	life__init(&log->life, run);
	log->life.gone = log_events__gone;
	log->life.appeared = log_events__appeared;
	log->life.context = log;
	log->life.stream = uses ? call_stream__new(run, uses) : NULL;
	return log;
}

void strace_log__is_here(struct strace_log *log)
{
	log->life.is_here = true;
	log->bill.is_unknown = true; /* nobody asks */
}

void strace_log__free(struct strace_log *log)
{
	if (!log)
		return;
	life__free(&log->life);
	call_stream__free(log->life.stream);
	call_kinds__free(&log->kinds);
	held_lines__free(&log->held);
	log_bill__free(&log->bill);
	free(log->ready);
	free(log->line);
	free(log);
}

void strace_log__look_at(struct strace_log *log, int32_t pid)
{
	if (log->life.stream)
		call_stream__look_at(log->life.stream, log->life.last_id + 1, pid, 0);
}

uint64_t strace_log__events(const struct strace_log *log)
{
	return log->events;
}

bool strace_log__is_one(const struct strace_log *log)
{
	return log->events > log->unread / 100;
}

uint64_t strace_log__live(const struct strace_log *log)
{
	return log->life.tasks.count;
}

static void cannot_read(struct strace_log *log)
{
	log->torn_line = log->number;
	if (!log->unread++)
		log->first_unread = log->number;
}

static void take_line(struct strace_log *log, char *text, size_t length)
{
	struct log_line line;

	length = log_line__uncolour(text, length);
	log->number++;
	log->text = text;
	log->text_length = length;
	if (memchr(text, '\0', length)) {
		cannot_read(log);
		return;
	}
	log_line__read(&line, text, length);
	if (line.kind == LINE_OTHER) /* not of strace: no usable time */
		line.clock = CLOCK_NONE;
	log->now = log_clock__read(&log->clock, &line);
	if (log->now > log->latest)
		log->latest = log->now;
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

/* The last doubt stands first. */
static void add_notes(const struct strace_log *log)
{
	const struct life *life = &log->life;

	if (life->not_followed)
		run__note(log->run, "%s created but not traced (strace -f follows %s)",
			  quantity__count(life->not_followed, "process was", "processes were").text,
			  number__plural((double)life->not_followed, "it", "them"));
	if (log->headless)
		run__note(log->run, "%s began before the log, and %s not counted",
			  quantity__count(log->headless, "call", "calls").text,
			  number__plural((double)log->headless, "is", "are"));
	if (log->guesses)
		run__doubt(log->run, "the log does not say which process created %" PRIu64 " of the processes",
			   log->guesses);
	if (log->beyond)
		run__doubt(log->run, "more than %d threads live at once, and the others are not counted", LIVE_MOST);
	if (life->without_exit)
		run__doubt(log->run, "the log has only some of the calls (strace -P or -e trace=...): %s without "
				     "exit_group in it",
			   quantity__count(life->without_exit, "process exited", "processes exited").text);
	if (log->unread)
		run__doubt(log->run, "%" PRIu64 " of %" PRIu64 " lines could not be read, the first is line %"
			   PRIu64, log->unread, log->number, log->first_unread);
}

static void describe_clock(const struct strace_log *log)
{
	struct run *run = log->run;

	if (log->clock.kind == CLOCK_EPOCH)
		run->started = log->clock.first_ns;
	if (log->clock.kind != CLOCK_NONE)
		run->origins[HAS_CLOCK] = ORIGIN_COUNTED;
	else
		run->wall_ns = 0;
	if (run->attached_count)
		run->wall_ns = log->latest;
}

/* A process without an execve in the log was attached. */
static void list_attached(struct run *run)
{
	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];

		if (process->birth != BIRTH_ATTACHED || !process->pid)
			continue;
		run->attached = checked_grow(run->attached, run->attached_count, sizeof(*run->attached));
		run->attached[run->attached_count++] = process->pid;
	}
}

static void finish_trace(struct strace_log *log)
{
	struct run *run = log->run;

	life__finish(&log->life, &log->kinds);
	run->outcomes = true;
	if (!run->command)
		list_attached(run);
	describe_clock(log);
	if (log->clock.kind != CLOCK_NONE)
		run->bill = log_bill__finish(&log->bill, log->latest);
	if (!run__is_exact(run))
		run->integrity.exact = false;
}

/* Does the list of the start have all calls that were counted? */
static bool has_all_calls(const struct run *run)
{
	uint64_t reported = run->start->call_count + run->start->left_out;

	return reported >= START_CALLS_MOST || reported == run->processes[0].images[0].syscalls;
}

/* Why the log cannot explain the start; NULL: it can. */
static const char *start_lacks(const struct strace_log *log)
{
	const struct run *run = log->run;
	const struct start_call *first = run->start->call_count ? run->start->calls : NULL;

	if (first && (!run__has(run, HAS_CLOCK) || !run->timed))
		return "it has no times";
	if (!first || strcmp(first->name, "execve") != 0 || first->begin_ns || first->result)
		return "it does not begin with the execve of a command";
	return has_all_calls(run) ? NULL : "it is damaged";
}

static void finish_start(struct strace_log *log)
{
	struct run *run = log->run;
	const char *lacks = run->start ? start_lacks(log) : NULL;

	if (run->start)
		run->start->unmarked = checked_strdup("strace does not show when main() begins");
	if (!lacks)
		return;
	run__note(run, "the log does not show the whole start: %s (record it with strace -f -ttt -T -v "
		       "-s 256 -y)", lacks);
	start__free(run->start);
	run->start = NULL;
}

void strace_log__finish(struct strace_log *log)
{
	if (log->length || log->too_long)
		end_line(log);
	log_events__release_all(log);
	finish_trace(log);
	finish_start(log);
	if (!log->run->command)
		log->run->command = checked_calloc(1, sizeof(char *));
	add_notes(log);
}
