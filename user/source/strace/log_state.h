/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is known while a log is read, and the parts of reading it.
 */
#ifndef FORKTAX_SOURCE_STRACE_LOG_STATE_H
#define FORKTAX_SOURCE_STRACE_LOG_STATE_H

#include "source/strace/held_lines.h"
#include "source/strace/kind_counts.h"
#include "source/strace/life.h"
#include "source/strace/log_bill.h"
#include "source/strace/log_clock.h"
#include "source/strace/log_line.h"

enum { ANNOUNCED_MOST = 64 };

struct strace_log {
	struct run *run;
	struct life life;
	struct call_kinds kinds;
	struct log_clock clock;
	struct log_bill bill;
	struct held_lines held;
	int32_t *ready; /* owned; threads that have appeared while lines of them wait */
	size_t ready_count;
	char *line; /* the beginning of a line whose end has not come */
	size_t length, room;
	bool too_long;
	uint64_t number; /* of the line */
	uint64_t now; /* its time, since the first one */
	uint64_t latest; /* the latest such time */
	uint64_t torn_line; /* the last one that ended in the middle of a call */
	bool is_released; /* the line has waited */
	bool must_guess; /* lines that wait cannot wait any longer */
	uint64_t guesses; /* threads whose creator was guessed */
	uint64_t beyond; /* lines of threads that found no room, or that create one */
	bool says_attached; /* the log says of threads that strace follows them now ... */
	int32_t announced[ANNOUNCED_MOST]; /* ... but of these it was not known who made them */
	size_t announced_count;
	bool has_ends; /* the log says of processes that they end */
	bool shows_paths; /* of descriptors: -y */
	const char *text; /* of the line that is being read */
	size_t text_length;
	bool in_table; /* of strace -C, whose calls stand in the log already */
	uint64_t events, calls, unread, first_unread, headless, commands;
};

/*
 * The thread that a line is of. NULL: it waits until its process is known, or is of none; `waits`
 * tells.
 */
struct live_task *log_tasks__of(struct strace_log *log, const struct log_line *line, bool *waits);
/* A thread that strace says it follows now. */
void log_tasks__attached(struct strace_log *log, const struct log_line *line, int32_t tid);
/* Is it in a call that creates a child which has not appeared? */
bool log_tasks__may_make(const struct live_task *task);
/* The call of `maker` has created `tid`. */
void log_tasks__created(struct strace_log *log, struct live_task *maker, int32_t tid);

/* One event of a line. False: it cannot be read. */
bool log_events__take(struct strace_log *log, const struct log_line *line);
/* For struct life. */
void log_events__gone(void *log, struct live_task *task);
void log_events__appeared(void *log, int32_t tid);
/* Lines that still wait have to be somebody's. */
void log_events__release_all(struct strace_log *log);

#endif
