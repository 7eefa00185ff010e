/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A traced run: everything that a live report shows and a saved run holds. Plain data, filled
 * by a source (user/source), completed by analysis (user/analysis), read by reports (user/report).
 *
 * Counts are unsigned and exact unless `integrity.exact` is false. Times are nanoseconds of
 * CLOCK_MONOTONIC differences, except `started` (nanoseconds since the epoch, UTC).
 * Strings are owned by the run, NUL-terminated, and may hold any bytes (arguments and paths are
 * hostile text): the code that prints them makes them safe. A NULL string is "not known".
 */
#ifndef FORKTAX_MODEL_RUN_RUN_H
#define FORKTAX_MODEL_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/machine_kind.h"
#include "model/rows/absent.h"
#include "model/anatomy/anatomy.h"
#include "model/words/dictionary.h"
#include "model/files/files.h"
#include "model/lines/script_lines.h"
#include "model/start/start.h"
#include "model/tree/bill.h"
#include "model/tree/critical_path.h"
#include "model/tree/executions.h"
#include "model/tree/tree_times.h"

#define RUN_SCHEMA "forktax/1"

/* Sums over struct faults, which the programs in the kernel fill (bpf/forktax.h). */
uint64_t faults__class(const struct faults *faults, enum fault_class class);
uint64_t faults__actor(const struct faults *faults, enum actor actor);
uint64_t faults__classified(const struct faults *faults);
uint64_t faults__unattributed(const struct faults *faults);
uint64_t faults__mark(const struct faults *faults, enum mark mark);
void faults__add(struct faults *sum, const struct faults *more);

/* Calls that failed for one reason. */
struct call_errno {
	char *name; /* "ENOENT"; "errno 600" where the number has no name */
	uint64_t calls[ACTOR_COUNT];
};

/* One system call, split by actor (the kernel makes no system calls: ACTOR_KERNEL stays 0). */
struct syscall_row {
	char *name; /* "unknown(NR)" where the table has no name */
	enum abi abi;
	int32_t nr;
	uint64_t calls[ACTOR_COUNT];
	uint64_t errors[ACTOR_COUNT];
	uint64_t denied[ACTOR_COUNT];
	uint64_t time_ns[ACTOR_COUNT]; /* meaningful if run.timed */
	uint64_t min_ns, max_ns, p99_ns; /* ABSENT if not timed, or if no call returned */
	/* Calls that never returned: exit_group; if run.outcomes, as errnos: call_errors.h. */
	uint64_t unfinished[ACTOR_COUNT];
	struct call_errno *errnos; /* add up to `errors`; by calls, descending, then by name */
	size_t errno_count;
};

uint64_t syscall_row__sum(const uint64_t by_actor[ACTOR_COUNT]);

/* Rows are sorted by calls, descending, then by name and calling convention. */
struct syscall_table {
	struct syscall_row *rows;
	size_t count;
};

uint64_t syscall_table__calls(const struct syscall_table *table);
uint64_t syscall_table__errors(const struct syscall_table *table);
uint64_t syscall_table__denied(const struct syscall_table *table);
/* In that order: every source ends with it. */
void syscall_table__sort(struct syscall_table *table);
/* The row of that name and calling convention, or NULL. */
const struct syscall_row *syscall_table__find(const struct syscall_table *table, const char *name, enum abi abi);

/*
 * An executable file that some image ran, and how it was executed: one file by two names is two of
 * these (`sh` and `busybox`).
 */
struct exe {
	/*
	 * As executed: what execve was given, or what the #! line of a script says; may be relative.
	 * For attached images, or if that is not known, as /proc named the file. NULL if it was gone
	 * before that could be read.
	 */
	char *path;
	char *resolved; /* of the file itself, without links; NULL: the same, or not known */
	char *linkage; /* "dynamic", "dynamic-now", "static", "static-pie", ...; see user/elf; NULL */
	uint64_t dev, ino; /* of the file; ino 0: not known, and has_interp says nothing */
	bool has_interp; /* a dynamic linker was mapped (AT_BASE) */
};

const char *exe__file(const struct exe *exe); /* the path to open; NULL: not known */
/*
 * The path whose last part names it for people: as executed, unless that is one of the kernel's own
 * links (/proc/self/exe, /dev/fd/3), which name nothing. NULL: not known.
 */
const char *exe__name(const struct exe *exe);
/* Would a reader call both the same program? They may be of different runs, and rebuilt between. */
bool exe__is_same(const struct exe *exe, const struct exe *other);
/* May they be, as one's name as executed is unknown: in older runs, and of attached processes? */
bool exe__may_be_same(const struct exe *exe, const struct exe *other);

/* "inherited", "borrowed", "exec", "attached" */
extern const char *const image_kind_keys[IMAGE_KIND_COUNT];

/* One address space of a process. */
struct image {
	uint32_t exe; /* index into run.exes: for inherited and borrowed images that of the parent */
	enum image_kind kind;
	uint64_t syscalls, denied;
	struct faults faults;
};

struct process {
	uint64_t id; /* unique in the run, in order of birth, from 1 */
	uint64_t parent; /* id of the process that created it; 0 for roots */
	int32_t pid, ppid; /* as seen from forktax's own pid namespace; ppid 0 if not known */
	int32_t ns_pid; /* as the process sees itself in its innermost pid namespace */
	enum birth birth;
	bool shares_mm; /* born with CLONE_VM */
	bool reparented; /* born with CLONE_PARENT: ppid is not the creator */
	bool finished; /* false: still running when counting stopped */
	int32_t status; /* exit status 0..255, or -1 if killed or unfinished */
	int32_t signal; /* signal that killed it, 0 if none */
	uint32_t threads; /* threads it ever had, the first included */
	uint32_t children; /* processes it created */
	uint64_t start_ns, end_ns; /* since the start of the run; end_ns ABSENT if unfinished */
	uint64_t minflt, majflt; /* the kernel's own, since counting of this process started */
	uint64_t wpcopy; /* delay accounting's copies, an independent witness; ABSENT if off */
	uint32_t group; /* index into run.groups; NO_GROUP for roots */
	struct image *images;
	size_t image_count;
	uint64_t images_left_out; /* images that followed but are not listed: the last one has their counts */
};

uint64_t process__syscalls(const struct process *process);
void process__faults(const struct process *process, struct faults *sum);

/* How a count is distributed over the children of a group. */
struct distribution {
	uint64_t total, min, median, max;
	bool rounded; /* median and extremes lie above 4095 and are rounded down, by less than 0.05 % */
};

/* Children that share parent image, way of birth and exec target. */
struct group {
	uint32_t parent_exe; /* index into run.exes */
	uint32_t exec_target; /* what the child exec'd first, NO_EXE if it never did */
	enum birth birth;
	uint64_t children; /* finished ones: all distributions are over these */
	uint64_t unfinished;
	struct distribution of[METRIC_COUNT]; /* over all images of the child; see enum metric */
	/* Sums over all children of the group, unfinished ones included. */
	struct faults inherited; /* before the first exec (or all, if none) */
	struct faults execd; /* after it */
	struct syscall_table table;
};

/* Finished or not. */
static inline uint64_t group__children(const struct group *group)
{
	return group->children + group->unfinished;
}

struct integrity {
	bool exact;
	uint64_t losses[LOSS_COUNT];
	char **notes; /* doubts first */
	size_t note_count;
	size_t doubts; /* since the run was created or its notes were forgotten; not saved */
};

/*
 * What not every source can see, or was asked for. Where a run does not see something, the members
 * that it names mean nothing: no report shows them, and a saved run has null for them.
 */
enum run_data {
	HAS_FAULTS, /* run.faults: total and major */
	HAS_PROCESS_FAULTS, /* the same of roots, groups and images; minflt, majflt */
	HAS_FAULT_CLASSES, /* all else of these; process faults are then seen, too */
	HAS_ACTORS, /* whose code made a call; if not seen, all calls stand under ACTOR_UNKNOWN */
	HAS_DENIED, /* calls that seccomp answered, apart from the others; actors are seen, too */
	HAS_CLOCK, /* run.wall_ns, and when processes began and ended */
	HAS_COUNT
};
enum { ACTOR_UNKNOWN = ACTOR_PROGRAM };

/* Of a saved run's `origins`. */
enum origin { ORIGIN_COUNTED, ORIGIN_NOT_COUNTED, ORIGIN_NOT_SUPPORTED, ORIGIN_COUNT };

struct run {
	char **command; /* argv, NULL-terminated; empty when attached */
	size_t command_count;
	int32_t *attached; /* the pids given with -p */
	size_t attached_count;
	char **cgroups; /* the paths of those watched */
	size_t cgroup_count;
	uint64_t unnamed_cgroups; /* further ones, whose paths were not kept */
	bool whole_machine; /* all processes were watched */
	char *source; /* "ebpf", "strace", ... */
	char *kernel; /* uname -r */
	struct machine machine;
	char *version; /* of forktax */
	uint64_t started; /* ns since the epoch; ABSENT: not known */
	uint64_t wall_ns; /* from the command's execve to the end of its process; or attached time */
	int32_t status; /* of the command; -1 if killed or attached */
	int32_t signal; /* that killed the command; 0 */
	int32_t stopped_by; /* signal that ended the tracing before the command; 0; not saved */
	char *fallback_reason; /* why the best source was not taken; NULL: it was; not saved */
	int32_t asked_by; /* signal that asked forktax itself to stop meanwhile; 0; not saved */
	bool timed; /* --time */
	bool outcomes; /* of calls: errors are known by errno, and which calls never returned */
	enum origin origins[HAS_COUNT]; /* what the source could see, and was asked for */
	struct integrity integrity;
	uint64_t totals[LIFE_COUNT];
	struct faults faults; /* of the whole run */
	struct faults root_faults; /* the part of processes without a group (roots) */
	struct syscall_table table; /* of the whole run */
	struct syscall_table root_table; /* the part of roots */
	struct exe *exes;
	size_t exe_count;
	struct group *groups; /* sorted by children, descending */
	size_t group_count;
	struct process *processes; /* roots, then by id; every one if all_processes, else the first */
	size_t process_count; /* of each group */
	bool all_processes; /* --show=processes or --show=tree */
	struct anatomy *anatomy; /* owned; NULL unless the anatomy level was asked for */
	struct files *files; /* owned; NULL unless asked for */
	struct script_lines *lines; /* owned; NULL unless asked for */
	struct tree_times *tree_times; /* owned; NULL unless asked for */
	struct bill *bill; /* owned; these two with tree_times */
	struct executions *executions; /* owned */
	struct critical_path *critical_path; /* owned; NULL: not asked for, or not known */
	struct start *start; /* owned; NULL unless asked for */
	struct advice *advice; /* on the run as a whole, in the order of the rules; of `explain` */
	size_t advice_count;
};

/* Bytes of a page of the run: where it does not say, of this machine. */
uint64_t run__page_bytes(const struct run *run);
/* The number of the page of the run that holds this offset of a file or mapping. */
uint64_t run__page_at(const struct run *run, uint64_t offset);
/* The process with this id: processes are not sorted by it; NULL: it is not listed. */
const struct process *run__process(const struct run *run, uint64_t id);
/* The first image of the first process: the program that was started. NULL: none is listed. */
const struct image *run__first_image(const struct run *run);
const struct exe *run__first_exe(const struct run *run); /* of that image; NULL: not known */
/*
 * The memory of the group's parents as it lay at their first fork, or that of other parents with their
 * executable; NULL: not known.
 */
const struct layout *run__parent_layout(const struct run *run, uint32_t group);
/* How many processes nobody in the run created; ABSENT: not known. */
uint64_t run__roots(const struct run *run);
/* How many children finished, of all groups. */
uint64_t run__children(const struct run *run);

/* Did it count processes that were running already, instead of a command? */
bool run__is_attached(const struct run *run);

/* A run with nothing in it; never fails (allocation failure ends the program). */
struct run *run__new(void);
/* Was this counted? The one question to ask before anything that an enum run_data names is used. */
bool run__has(const struct run *run, enum run_data data);
/* Was this counted of groups? */
bool run__counts(const struct run *run, enum metric metric);
void run__free(struct run *run); /* NULL is fine */
/* Into the order that run.processes has: every source ends with it. */
void run__sort_processes(struct run *run);
void run__note(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A note that says why the run is not exact where no loss does: it stands before the others. */
void run__doubt(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Whoever reads notes while it runs, for weeks, forgets those that were read. */
void run__forget_notes(struct run *run);
/* Was something lost that should have been counted, so that sums may be short of their total? */
bool integrity__has_gaps(const struct integrity *integrity);
/* Was nothing lost, and every process counted to its end? */
bool integrity__is_exact(const struct integrity *integrity);
/* Is it no gap that processes outlive the counting? True if forktax attached to them: it counts as long as asked. */
bool run__may_leave_running(const struct run *run);
/* As integrity__is_exact(), but for processes that may live on. */
bool run__is_exact(const struct run *run);

#endif
