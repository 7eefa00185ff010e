/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What lives while a log is read: threads by their id, the processes that they belong to, and the
 * groups of the processes that have ended.
 */
#ifndef FORKTAX_SOURCE_STRACE_LIFE_H
#define FORKTAX_SOURCE_STRACE_LIFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "model/run/run.h"
#include "source/calls/call_stream.h"
#include "source/calls/durations.h"
#include "source/strace/kind_counts.h"
#include "source/strace/task_list.h"

/* Threads among which one of a kind is looked for, perhaps for each line: of all, and of a process. */
enum life_list { LIST_ALL, LIST_SEEN, LIST_UNSEEN, LIST_MAKERS, LIST_TORN, LISTS_OF_LIFE };
enum process_list { LIST_SIBLINGS = LISTS_OF_LIFE, LIST_EXECS, TASK_LISTS };

/* No more threads live at once, as in the kernel half: each takes a kilobyte. */
enum { LIVE_MOST = 1 << 16 };

/* A process that has not ended. */
struct live_process {
	struct process is; /* what the run will say of it; group: position in life.groups */
	uint32_t exe; /* of its current image */
	uint32_t parent_exe;
	uint32_t exec_target;
	uint32_t live_threads;
	struct task_list lists[TASK_LISTS - LISTS_OF_LIFE];
	bool knows_exec_target;
	bool was_seen; /* the log has a line of it */
	bool kept; /* becomes a part of the run when it ends */
	bool has_status; /* a thread has ended, with this status or signal: */
	int32_t exit_status, exit_signal;
	uint64_t ended_ns;
	bool called_exit; /* a thread has, in either way */
	bool exits; /* it has called exit_group: with this status, then */
	int32_t called_status;
	uint64_t called_ns;
	enum abi abi; /* of its threads to be */
	uint64_t calls; /* over all images */
	struct kind_counts early; /* until its group is known */
};

/* A call that has begun. */
struct open_call {
	struct call_kind *kind; /* NULL: none, or one whose beginning the log does not have */
	char *text; /* from its name on; owned */
	size_t length, room;
	uint64_t begin_ns, line; /* when, and in which line, it began */
	bool is_torn; /* by a message in the middle of its line */
	bool has_child; /* the child that it creates has appeared */
	bool is_over; /* the thread was killed in it: only the child may still appear */
};

struct live_task {
	int32_t tid; /* 0: not known yet */
	struct live_process *process;
	enum abi abi;
	bool seen; /* strace follows it already: the log has a line of it, or says so */
	bool exits; /* it has made the call that ends its process */
	bool lingers; /* it has ended, but a child of it may still appear */
	bool unsure; /* if it makes no other call, the outcome of its last one is not certain */
	struct open_call call;
	uint32_t number; /* these four: of log_bill.h; 0: it has none yet */
	uint64_t edge_ns;
	const struct call_kind *in_call; /* NULL: none */
	bool waits;
	struct task_link links[TASK_LISTS];
};

struct life_group {
	struct group is; /* its distributions and tables are filled at the end */
	struct kind_counts counts;
	struct histogram calls; /* of its finished children */
	uint64_t total;
	uint64_t first; /* id of the first process */
};

struct life {
	struct run *run;
	struct hash tasks; /* struct live_task by tid; owned */
	struct task_list lists[LISTS_OF_LIFE];
	struct life_group *groups; /* owned */
	size_t group_count;
	bool is_here; /* the processes run here and now, so scripts that they execute can be read */
	struct hash exes, group_numbers; /* positions in run.exes by path, in groups by what makes one */
	struct kind_counts roots;
	/* A thread is gone; its call under way never returned. */
	void (*gone)(void *context, struct live_task *task);
	/* A thread has this id from now on. */
	void (*appeared)(void *context, int32_t tid);
	void *context;
	struct call_stream *stream; /* NULL: single calls are not asked for */
	uint64_t last_id;
	uint64_t lingering; /* threads that ever did */
	uint64_t without_exit; /* processes that have exited without a call of it in the log */
	uint64_t not_followed; /* processes that were created, but never seen */
	uint64_t command; /* id of the process whose end is that of the run; 0: none */
};

struct birth_facts {
	enum birth birth;
	bool shares_mm, shares_files, reparented;
};

void life__init(struct life *life, struct run *run);
void life__free(struct life *life);

/* NULL: no such thread. */
struct live_task *life__find(const struct life *life, int32_t tid);
void life__rename(struct life *life, struct live_task *task, int32_t tid);
/* The only thread that lives; NULL: there is none, or several. */
struct live_task *life__only(struct life *life);
/* The thread may be one of that kind from now on; of enum life_list or enum process_list. */
void life__list(struct life *life, struct live_task *task, int list);
/* The first thread that was listed, and still is of the kind, other than `except`; NULL: none. */
struct live_task *life__first(struct life *life, enum life_list list,
			      bool (*is_of_kind)(const struct live_task *task), const struct live_task *except);
/* The same among the threads of the process of `task`, without it. */
struct live_task *life__first_other(struct live_task *task, enum process_list list,
				    bool (*is_of_kind)(const struct live_task *task));

/* Nobody in the log has created it. `executes`: its first call is its execve. */
struct live_task *life__root(struct life *life, int32_t tid, bool executes, uint64_t time_ns);
struct live_task *life__child(struct life *life, struct live_process *parent, int32_t tid,
			      const struct birth_facts *facts, uint64_t time_ns);
struct live_task *life__thread(struct life *life, struct live_process *process, int32_t tid);

/* Where calls of this process are counted now. */
struct kind_counts *life__counts(struct life *life, struct live_process *process);
/* `task` has executed `path` (NULL: not known); the other threads of its process are gone. */
void life__exec(struct life *life, struct live_task *task, const char *path);
/* A thread has ended; with the last one of its process that, too. Status -1: not known. */
void life__exit(struct life *life, struct live_task *task, int32_t status, int32_t signal, uint64_t time_ns);
/*
 * The thread ends in a call that may have created a child which has not appeared: it stays, without its
 * id, until life__leave(). After life__exit() of a thread whose `lingers` is set.
 */
void life__linger(struct life *life, struct live_task *task);
/* The leader whose place another thread's execve takes: that one lives on. */
void life__drop(struct life *life, struct live_task *task);
/* It is not seen any longer. */
void life__leave(struct life *life, struct live_task *task);

void life__leave_all(struct life *life);

/* Ends everything, and moves processes, groups and tables into the run. */
void life__finish(struct life *life, struct call_kinds *kinds);

#endif
