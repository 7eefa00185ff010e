// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which thread a line is of. A new one may appear before the call that creates it returns, and
 * several such calls may be under way: then its lines wait until one of them returns.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "source/strace/log_state.h"

bool log_tasks__may_make(const struct live_task *task)
{
	return task->call.kind && task->call.kind->role == CALL_FORK && !task->call.has_child;
}

/* Its flags are known: strace prints them when the call begins, unless a message came between. */
static bool says_what_it_makes(const struct live_task *maker)
{
	return strcmp(maker->call.kind->name, "clone") || strstr(maker->call.text, "flags=");
}

/* By name, or as a number (-X raw). */
static bool has_flag(const struct open_call *call, const char *name, uint64_t flag)
{
	const char *flags = strstr(call->text, "flags=");

	return strstr(call->text, name) || (flags && strtoull(flags + 6, NULL, 0) & flag);
}

static bool makes_thread(const struct live_task *maker)
{
	return has_flag(&maker->call, "CLONE_THREAD", CLONE_THREAD);
}

/*
 * The thread that must have created an unknown one. NULL: none, or not known yet
 * (`is_open`).
 */
static struct live_task *find_maker(struct strace_log *log, bool *is_open)
{
	struct live_task *maker = life__first(&log->life, LIST_MAKERS, log_tasks__may_make, NULL), *other;

	*is_open = false;
	if (!maker)
		return NULL;
	other = life__first(&log->life, LIST_MAKERS, log_tasks__may_make, maker);
	if (says_what_it_makes(maker) && (!other || (makes_thread(maker) && makes_thread(other) &&
						     other->process == maker->process)))
		return maker;
	*is_open = !log->must_guess;
	log->guesses += log->must_guess;
	return log->must_guess ? maker : NULL;
}

static struct birth_facts birth_of(const struct open_call *call)
{
	bool is_call = !strcmp(call->kind->name, "vfork");
	bool is_vfork = is_call || has_flag(call, "CLONE_VFORK", CLONE_VFORK);
	bool shares = is_call || has_flag(call, "CLONE_VM", CLONE_VM);

	return (struct birth_facts){
		.birth = !shares ? BIRTH_FORK : is_vfork ? BIRTH_VFORK : BIRTH_CLONE,
		.shares_mm = shares,
		.shares_files = has_flag(call, "CLONE_FILES", CLONE_FILES),
		.reparented = has_flag(call, "CLONE_PARENT|", CLONE_PARENT) ||
			      has_flag(call, "CLONE_PARENT,", CLONE_PARENT),
	};
}

/* False: there are too many, and this one is not counted. */
static bool has_room(struct strace_log *log)
{
	const bool has = log->life.tasks.count < LIVE_MOST;

	log->beyond += !has;
	return has;
}

/* NULL: it found no room. */
static struct live_task *make_child(struct strace_log *log, struct live_task *maker, int32_t tid)
{
	const struct birth_facts facts = birth_of(&maker->call);
	struct live_task *child = NULL;

	maker->call.has_child = true;
	if (has_room(log))
		child = makes_thread(maker) ? life__thread(&log->life, maker->process, tid)
					    : life__child(&log->life, maker->process, tid, &facts, log->now);
	if (maker->lingers)
		life__leave(&log->life, maker);
	return child;
}

static struct live_task *make_root(struct strace_log *log, const struct log_line *line, int32_t tid)
{
	bool executes = line->kind == LINE_CALL && log_line__is_execve(line);

	if (!has_room(log))
		return NULL;
	log->commands += executes;
	if (log->commands == 2 && executes)
		run__note(log->run, "line %llu begins another command: the log has several, and they are "
				    "counted together", (unsigned long long)log->number);
	return life__root(&log->life, tid, executes, log->now);
}

static bool is_unseen(const struct live_task *task)
{
	return !task->process->was_seen;
}

/*
 * In a pid namespace of its own a process gets another number from clone than strace shows: it is the
 * only one that was created and has not appeared. NULL: there is none, or several.
 */
static struct live_task *find_unseen(struct strace_log *log, int32_t tid)
{
	struct live_task *task = life__first(&log->life, LIST_UNSEEN, is_unseen, NULL);

	if (!task || life__first(&log->life, LIST_UNSEEN, is_unseen, task))
		return NULL;
	task->process->is.ns_pid = task->tid;
	life__rename(&log->life, task, tid);
	return task;
}

static bool is_announced(const struct strace_log *log, int32_t tid)
{
	for (size_t i = 0; i < log->announced_count && i < ANNOUNCED_MOST; i++)
		if (log->announced[i] == tid)
			return true;
	return log->announced_count > ANNOUNCED_MOST;
}

/*
 * Is the new id that of the thread which was `alone`? It has made a call before; and strace
 * prints "attached" for all others first, unless it was run with -q.
 */
static bool is_known(const struct strace_log *log, const struct live_task *alone, const struct log_line *line)
{
	return alone && (line->kind == LINE_RESUMED || (log->says_attached && !is_announced(log, line->tid)));
}

/* Neither an end nor a call that was never entered makes a thread one of those that are counted. */
static bool tells_of_nobody(const struct log_line *line)
{
	return log_line__is_end(line) || log_line__is_nameless(line);
}

/* A thread id that was not there before. NULL: the line waits, or says nothing. */
static struct live_task *meet(struct strace_log *log, const struct log_line *line, int32_t tid, bool *waits)
{
	/* Lines of the only process had no pid before there was a second one. */
	struct live_task *alone = line->tid ? life__find(&log->life, 0) : NULL, *maker;
	bool is_open = false;

	maker = is_known(log, alone, line) ? NULL : find_maker(log, &is_open);
	if (alone && maker && maker->tid > tid) /* a child is younger than who made it */
		maker = NULL;
	if (maker)
		return make_child(log, maker, tid);
	if (alone && (is_known(log, alone, line) || !is_open)) {
		life__rename(&log->life, alone, tid);
		return alone;
	}
	if (is_open) {
		*waits = true;
		return NULL;
	}
	if (tells_of_nobody(line))
		return NULL;
	alone = find_unseen(log, tid);
	return alone ? alone : make_root(log, line, tid);
}

static bool goes_on(const struct live_task *task)
{
	return task->seen && !task->process->exits && !task->lingers;
}

static void see(struct strace_log *log, struct live_task *task)
{
	task->seen = true;
	life__list(&log->life, task, LIST_SEEN);
}

/*
 * The thread of a line without a pid: it is, or was, the only one that strace follows. Others may have
 * been created, whose first stop strace has not seen yet.
 */
static struct live_task *find_alone(struct strace_log *log)
{
	struct live_task *task = life__find(&log->life, 0);

	if (!task)
		task = life__only(&log->life);
	if (task && task->lingers)
		return NULL;
	if (!task && log->life.tasks.count) {
		task = life__first(&log->life, LIST_SEEN, goes_on, NULL);
		if (task && life__first(&log->life, LIST_SEEN, goes_on, task))
			task = NULL;
		return task;
	}
	return task;
}

/*
 * It has called exit_group, and the log does not say of anything that it ends. Another thread of the
 * process may still begin a call.
 */
static bool is_gone(const struct strace_log *log, const struct live_task *task, const struct log_line *line)
{
	return task->exits && !log->has_ends && line->kind == LINE_CALL;
}

struct live_task *log_tasks__of(struct strace_log *log, const struct log_line *line, bool *waits)
{
	const int32_t tid = line->tid;
	struct live_task *task = tid ? life__find(&log->life, tid) : find_alone(log);

	*waits = !log->is_released && held_lines__first(&log->held, tid);
	if (*waits)
		return NULL;
	if (task && is_gone(log, task, line)) {
		life__leave(&log->life, task);
		task = NULL;
	}
	if (!task && tid)
		task = meet(log, line, tid, waits);
	else if (!task && !log->life.tasks.count && !tells_of_nobody(line))
		task = make_root(log, line, 0); /* else the line does not say which thread made it */
	if (task) {
		see(log, task);
		task->process->was_seen = true;
	}
	return task;
}

void log_tasks__attached(struct strace_log *log, const struct log_line *line, int32_t tid)
{
	struct live_task *maker, *task = life__find(&log->life, tid);
	bool is_open = false;

	log->says_attached = true;
	maker = task ? NULL : find_maker(log, &is_open);
	if (maker)
		task = make_child(log, maker, tid);
	else if (!task && !is_open)
		task = make_root(log, line, tid);
	if (task)
		see(log, task);
	else if (log->announced_count++ < ANNOUNCED_MOST)
		log->announced[log->announced_count - 1] = tid;
}

void log_tasks__created(struct strace_log *log, struct live_task *maker, int32_t tid)
{
	bool is_new = !maker->call.has_child && !life__find(&log->life, tid);

	maker->call.has_child = true;
	if (is_new)
		make_child(log, maker, tid);
}
