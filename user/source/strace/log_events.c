// SPDX-License-Identifier: GPL-2.0-or-later
/* What the events of a log change: calls begin and return, processes are created, execute and end. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/words/errno_names.h"
#include "source/calls/wait_log.h"
#include "source/strace/call_reading.h"
#include "source/strace/call_text.h"
#include "source/strace/call_words.h"
#include "source/strace/log_state.h"

/* So much is kept of the text with which a call began. */
enum { OPEN_MOST = 1 << 16 };

static void keep_text(struct open_call *call, const char *text, size_t length)
{
	if (call->length + length + 1 > call->room) {
		call->room = 2 * (call->length + length + 1);
		call->text = checked(realloc(call->text, call->room));
	}
	memcpy(call->text + call->length, text, length);
	call->length += length;
	call->text[call->length] = '\0';
}

static void keep_begin(struct open_call *call, const char *text, size_t length)
{
	keep_text(call, text, length < OPEN_MOST ? length : OPEN_MOST);
}

static void close_call(struct open_call *call)
{
	call->kind = NULL;
	call->length = 0;
	call->is_torn = call->has_child = call->is_over = false;
	/* Most calls are whole lines; memory for one that was not need not stay with each thread. */
	if (call->room > 4096) {
		free(call->text);
		call->text = NULL;
		call->room = 0;
	}
}

/* `more` is 1; or -1, for what turns out to be none. */
static void count_call(struct strace_log *log, struct live_process *process, const struct call_kind *kind, int more)
{
	struct process *is = &process->is;

	kind_counts__of(life__counts(&log->life, process), kind)->calls += more;
	process->calls += more;
	log->calls += more;
	is->images[is->image_count - 1].syscalls += more; /* the last one has those of the left-out ones, too */
	if (kind->is_numbered)
		log->run->integrity.losses[LOSS_UNKNOWN_SYSCALLS] += more;
}

static void take_exec(struct strace_log *log, struct live_task *task, const struct call_text *call)
{
	const char *end = call->arguments + call->length, *path = call->arguments;
	char *text;
	bool is_cut = false;

	path = memchr(path, '"', end - path);
	text = path ? call_words__string(path, end, &is_cut) : NULL;
	if (task->process->is.parent == 0 && !log->run->command && path) {
		const char *list = call_text__argument_end(path, end);

		if (list && list < end)
			log->run->command = call_words__strings(call_text__argument_value(list + 1, end),
								end, &log->run->command_count);
		log->life.command = task->process->is.id;
	}
	life__exec(&log->life, task, text && *text && !is_cut ? text : NULL);
	free(text);
}

/* Does the log say in this call, with -y, what descriptors lead to? */
static bool shows_paths(const struct call_record *record)
{
	bool does = record->result_leads_to != NULL;

	for (int i = 0; i < CALL_ARGUMENTS; i++)
		does |= record->leads_to[i] != NULL;
	return does;
}

/* Passes this call on to the stream of single calls. */
static void pass_on(struct strace_log *log, struct live_task *task, const struct call_text *call)
{
	const struct open_call *open = &task->call;
	struct call_record record = {
		.process = task->process->is.id,
		.tid = task->tid,
		.nr = open->kind->nr,
		.name = open->kind->name,
		.abi = open->kind->abi,
		.actor = ACTOR_COUNT,
		.begin_ns = log->clock.kind == CLOCK_NONE ? ABSENT : open->begin_ns,
		.end_ns = ABSENT,
		.time_ns = call->time_ns,
		/* strace stops one thread at a time: the kernel does what a call does between these two lines. */
		.entered = open->line,
		.left = log->number,
	};

	if (!log->life.stream || !call_stream__wants(log->life.stream, record.process))
		return;
	if (call->time_ns != ABSENT && record.begin_ns != ABSENT)
		record.end_ns = record.begin_ns + call->time_ns;
	call_reading__fill(&record, call);
	log->shows_paths |= shows_paths(&record);
	if (!log->shows_paths)
		record.not_open = 0;
	call_stream__call(log->life.stream, &record);
	call_reading__release(&record);
}

static void lose_call(struct strace_log *log, struct live_task *task)
{
	struct call_text call;

	/* The kernel refuses such a number at once; so who shows no result has shown something else. */
	if (task->call.kind->is_impossible) {
		count_call(log, task->process, task->call.kind, -1);
		return;
	}
	kind_counts__of(life__counts(&log->life, task->process), task->call.kind)->unfinished++;
	log_bill__begin(&log->bill, task, true);
	if (!log->life.stream)
		return;
	call_text__read(&call, task->call.text, task->call.length);
	pass_on(log, task, &call);
}

void log_events__gone(void *context, struct live_task *task)
{
	struct strace_log *log = context;

	if (task->call.kind)
		lose_call(log, task);
	log_bill__end(&log->bill, task, log->now);
}

static void count_error(struct strace_log *log, struct kind_counts *counts, struct call_kind *kind,
			const struct call_text *call)
{
	char number[40];

	if (call->error) {
		kind_counts__add_error(counts, &log->kinds, kind, call->error, call->error_length);
		return;
	}
	snprintf(number, sizeof(number), "errno %" PRId64, -call->result);
	kind_counts__add_error(counts, &log->kinds, kind, number, strlen(number));
}

static void take_return(struct strace_log *log, struct live_task *task, struct call_kind *kind,
			const struct call_text *call)
{
	struct kind_counts *counts = life__counts(&log->life, task->process);
	bool good;

	if (kind->is_impossible && call->end != ENDING_RETURNED) {
		lose_call(log, task);
		return;
	}
	pass_on(log, task, call);
	log->bill.is_unknown |= call->end == ENDING_RETURNED && call->time_ns == ABSENT;
	log_bill__begin(&log->bill, task, call->time_ns >= WAIT_NS_LEAST);
	task->unsure = call->end == ENDING_RETURNED || call->end == ENDING_UNKNOWN;
	if (call->end != ENDING_RETURNED) {
		kind_counts__of(counts, kind)->unfinished++;
		return;
	}
	if (call->failed)
		count_error(log, counts, kind, call);
	if (call->time_ns != ABSENT) {
		log->run->timed = true;
		kind_counts__of(counts, kind)->time_ns += call->time_ns;
		durations__add(&kind->durations, call->time_ns);
	}
	good = !call->failed && call->has_result;
	if (good && kind->role == CALL_EXEC && call->result == 0)
		take_exec(log, task, call);
	else if (good && kind->role == CALL_FORK && call->result > 0 && call->result <= INT32_MAX)
		log_tasks__created(log, task, call->result);
	log_bill__return(&log->bill, task, task->call.begin_ns + call->time_ns, /* exec is the new program's */
			 call->error ? errno_number(call->error, call->error_length) : 0);
}

static void note_exit(struct live_task *task, const struct call_kind *kind, const struct call_text *call, uint64_t now)
{
	struct live_process *process = task->process;
	const char *status;

	process->called_exit |= kind->role == CALL_EXIT || kind->role == CALL_THREAD_EXIT;
	if (kind->role != CALL_EXIT && (kind->role != CALL_THREAD_EXIT || process->live_threads > 1))
		return;
	process->exits = task->exits = true;
	status = call_text__argument_value(call->arguments, call->arguments + call->length);
	process->called_status = strtol(status, NULL, 0) & 0xff;
	process->called_ns = now;
}

static bool begin_call(struct strace_log *log, struct live_task *task, const struct log_line *line,
		       struct call_text *call)
{
	struct call_kind *kind;

	if (task->call.kind)
		lose_call(log, task);
	close_call(&task->call);
	task->unsure = false;
	call_text__read(call, line->text, line->length);
	if (log_line__is_nameless(line))
		return true; /* the kernel never entered it */
	kind = call_kinds__find(&log->kinds, line->name, line->name_length, task->abi);
	if (!kind)
		return false;
	count_call(log, task->process, kind, 1);
	note_exit(task, kind, call, log->now);
	if (kind->role == CALL_FORK)
		life__list(&log->life, task, LIST_MAKERS);
	if (kind->role == CALL_EXEC)
		life__list(&log->life, task, LIST_EXECS);
	task->call.kind = kind;
	task->call.begin_ns = log->now;
	task->call.line = log->number;
	if (call->end == ENDING_TORN || call->end == ENDING_UNFINISHED || kind->role == CALL_FORK)
		keep_begin(&task->call, line->text, call->arguments + call->length - line->text);
	return true;
}

/* Killed before it returned: the child that it has created may still appear. */
static bool may_have_made(const struct call_kind *kind, const struct call_text *call)
{
	return kind->role == CALL_FORK && call->end == ENDING_NO_RETURN;
}

static bool take_call(struct strace_log *log, struct live_task *task, const struct log_line *line)
{
	struct call_kind *kind;
	struct call_text call;

	if (!begin_call(log, task, line, &call))
		return false;
	kind = task->call.kind;
	if (!kind)
		return true;
	if (call.end == ENDING_UNFINISHED) {
		log_bill__begin(&log->bill, task, true);
		return true;
	}
	task->call.is_over = may_have_made(kind, &call);
	if (task->call.is_over)
		return true;
	task->call.is_torn = call.end == ENDING_TORN;
	if (task->call.is_torn) {
		life__list(&log->life, task, LIST_TORN);
		return line->message;
	}
	take_return(log, task, kind, &call);
	close_call(&task->call);
	return true;
}

static bool waits_in_execve(const struct live_task *task)
{
	return task->call.kind && task->call.kind->role == CALL_EXEC;
}

/* An execve of another thread than the leader returns in the leader's name. */
static struct live_task *take_over(struct strace_log *log, struct live_task *leader, int32_t tid)
{
	struct live_task *task = tid ? life__find(&log->life, tid)
				     : life__first_other(leader, LIST_EXECS, waits_in_execve);
	int32_t leader_tid = leader->tid;

	if (!task || task == leader || task->process != leader->process)
		return leader;
	life__drop(&log->life, leader);
	life__rename(&log->life, task, leader_tid);
	return task;
}

/* The rest of a call whose beginning is kept. False: with it, too, the call has no end. */
static bool go_on(struct strace_log *log, struct live_task *task, const char *text, size_t length)
{
	struct open_call *open = &task->call;
	struct call_kind *kind = open->kind;
	size_t before = open->length;
	struct call_text call;

	keep_text(open, text, length);
	call_text__read(&call, open->text, open->length);
	if (call.end == ENDING_TORN || call.end == ENDING_UNFINISHED) {
		open->length = before;
		open->text[before] = '\0';
		/* The rest of the next line that is cut in two is another call's. */
		open->is_torn &= call.end == ENDING_TORN;
		return call.end == ENDING_UNFINISHED;
	}
	open->is_over = may_have_made(kind, &call);
	if (open->is_over)
		return true;
	take_return(log, task, kind, &call);
	close_call(open);
	return true;
}

static bool is_of(const struct call_kind *kind, const struct log_line *line)
{
	return kind && (kind->is_numbered || (!strncmp(kind->name, line->name, line->name_length) &&
					   !kind->name[line->name_length]));
}

static bool take_resumed(struct strace_log *log, struct live_task *task, const struct log_line *line)
{
	if (log_line__is_execve(line) && !is_of(task->call.kind, line))
		task = take_over(log, task, 0);
	if (is_of(task->call.kind, line))
		return go_on(log, task, line->text, line->length);
	log->headless += !log_line__is_nameless(line);
	return true;
}

/*
 * The last that the log has of a thread is the begin of a call, without the "= ?" of one that never
 * returned; or a result. If it was killed (by SIGKILL, or by an exit or execve of another thread) before
 * strace asked the kernel for that call (PTRACE_GET_SYSCALL_INFO), the kernel tells of none, and strace
 * shows what it had read before, for whatever thread.
 */
static bool ends_unsure(const struct live_task *task)
{
	return task->unsure || (task->call.kind && !task->call.is_over);
}

/* A number without a name that strace shows there is some result, most often a pid: no call. */
static void take_back(struct strace_log *log, struct live_task *task)
{
	if (!task->call.kind || task->call.is_over || !task->call.kind->is_numbered)
		return;
	count_call(log, task->process, task->call.kind, -1);
	close_call(&task->call);
}

static void end_task(struct strace_log *log, struct live_task *task, const struct log_line *line)
{
	bool is_killed = line->kind == LINE_KILLED, may_make = log_tasks__may_make(task);

	log->has_ends = true;
	/* Without the call that ended it, the log has only some calls: its last line says nothing of the last one. */
	if (is_killed || task->process->called_exit)
		log->run->integrity.losses[LOSS_UNSURE_CALLS] += ends_unsure(task);
	take_back(log, task);
	task->lingers = may_make;
	life__exit(&log->life, task, is_killed ? -1 : line->value, is_killed ? line->value : 0, log->now);
	if (may_make)
		life__linger(&log->life, task);
}

static bool take_event(struct strace_log *log, struct live_task *task, const struct log_line *line)
{
	switch (line->kind) {
	case LINE_CALL:
		return take_call(log, task, line);
	case LINE_RESUMED:
		return take_resumed(log, task, line);
	case LINE_EXITED:
	case LINE_KILLED:
		end_task(log, task, line);
		return true;
	case LINE_SUPERSEDED:
		take_over(log, task, line->value);
		return true;
	default:
		return false;
	}
}

static void set_mode(struct strace_log *log, const struct log_line *line)
{
	struct live_task *task = life__find(&log->life, line->value);

	if (!task)
		task = life__find(&log->life, 0);
	if (task)
		task->abi = task->process->abi = line->abi;
}

/* The second half of a line that was cut in two, by a message of strace or in any other way. */
static bool is_torn(const struct live_task *task)
{
	return task->call.is_torn && !task->lingers;
}

static bool take_rest(struct strace_log *log, const struct log_line *line)
{
	struct live_task *task = life__first(&log->life, LIST_TORN, is_torn, NULL);

	if (!task || line->tid || !task->call.kind || !go_on(log, task, line->text, line->length))
		return false;
	log->unread -= log->torn_line + 1 == log->number;
	return true;
}

static void take_message(struct strace_log *log, const char *message)
{
	struct log_line line;

	log_line__read(&line, message, strlen(message));
	if (line.kind == LINE_ATTACHED)
		log_tasks__attached(log, &line, line.value);
}

static bool hold(struct strace_log *log, const struct log_line *line)
{
	const struct held_line held = {
		.tid = line->tid,
		.number = log->number,
		.time_ns = log->now,
		.text = (char *)log->text,
		.length = log->text_length,
	};

	held_lines__add(&log->held, &held);
	return true;
}

static bool take_of_task(struct strace_log *log, const struct log_line *line)
{
	bool waits;
	struct live_task *task = log_tasks__of(log, line, &waits);

	if (waits)
		return hold(log, line);
	if (!task)
		return log_line__is_end(line) || log_line__is_nameless(line);
	return take_event(log, task, line);
}

static void take_signal(struct strace_log *log, const struct log_line *line)
{
	struct live_task *task = line->tid ? life__find(&log->life, line->tid) : life__only(&log->life);

	if (task)
		task->unsure = false;
}

/* The headings of strace -C's table. */
static bool begins_table(const char *text)
{
	return !strncmp(text, "% time ", 7) || !strncmp(text, "System call usage summary for ", 30);
}

/* A row, the total or a rule: a word at most, and figures. */
static bool is_row(const char *text)
{
	int words = 0;

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		words += !strspn(text, "-.0123456789");
		text += strcspn(text, " ");
	}
	return words <= 1;
}

static bool take_line(struct strace_log *log, const struct log_line *line)
{
	bool good = true;

	switch (line->kind) {
	case LINE_NOTHING:
		return true;
	case LINE_SIGNAL:
		take_signal(log, line);
		return true;
	case LINE_OTHER:
		log->in_table |= begins_table(log->text);
		return begins_table(log->text) || (log->in_table && is_row(log->text)) || take_rest(log, line);
	case LINE_MODE:
		set_mode(log, line);
		break;
	case LINE_ATTACHED:
		log_tasks__attached(log, line, line->value);
		break;
	case LINE_DETACHED:
		if (life__find(&log->life, line->value))
			life__leave(&log->life, life__find(&log->life, line->value));
		break;
	default:
		good = take_of_task(log, line);
		if (line->message)
			take_message(log, line->message);
		break;
	}
	log->events += good;
	return good;
}

static void release(struct strace_log *log, int32_t tid)
{
	uint64_t now = log->now, number = log->number;
	struct log_line line;
	struct held_line held;

	log->is_released = true;
	while (held_lines__take(&log->held, tid, &held)) {
		log->now = held.time_ns;
		log->number = held.number;
		log->text = held.text;
		log_line__read(&line, held.text, held.length);
		take_line(log, &line);
		free(held.text);
	}
	log->is_released = false;
	log->now = now;
	log->number = number;
}

void log_events__appeared(void *context, int32_t tid)
{
	struct strace_log *log = context;

	if (!held_lines__first(&log->held, tid))
		return;
	log->ready = checked_grow(log->ready, log->ready_count, sizeof(*log->ready));
	log->ready[log->ready_count++] = tid;
}

/* A thread whose lines wait, and whose creator has become known: that whose lines began to wait first. 0: none. */
static int32_t next_ready(struct strace_log *log)
{
	uint64_t least = UINT64_MAX;
	int32_t found = 0;
	size_t left = 0;

	for (size_t i = 0; i < log->ready_count; i++) {
		const int32_t tid = log->ready[i];
		const uint64_t first = life__find(&log->life, tid) ? held_lines__first(&log->held, tid) : 0;

		if (first && first < least) {
			least = first;
			found = tid;
		}
		if (first)
			log->ready[left++] = tid;
	}
	log->ready_count = left;
	return found;
}

void log_events__release_all(struct strace_log *log)
{
	log->must_guess = true;
	release(log, 0);
	log->must_guess = false;
}

bool log_events__take(struct strace_log *log, const struct log_line *line)
{
	bool good = take_line(log, line);
	int32_t tid;

	while (log->ready_count && (tid = next_ready(log)))
		release(log, tid);
	if (log->held.bytes > HELD_MOST || log->held.count > HELD_LINES_MOST)
		log_events__release_all(log);
	return good;
}
