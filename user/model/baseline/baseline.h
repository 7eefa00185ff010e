/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What commands are held to by `forktax check`: counts that the next run must not exceed, and beside
 * them what is needed to say why one does. It is committed, and read in reviews: everything is in an
 * order of its own, and a change of one count is a change of one line.
 *
 * A count of several runs is a range. All texts are owned, and hostile. Paths below the directory that
 * the commands ran in begin with "./", and pids in paths of /proc are "PID".
 */
#ifndef FORKTAX_MODEL_BASELINE_BASELINE_H
#define FORKTAX_MODEL_BASELINE_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/words/dictionary.h"
#include "model/files/files.h"

#define BASELINE_SCHEMA "forktax-check/1"

#define KIND(id, ...) BASELINE_##id,
enum baseline_kind {
#include "model/baseline/baseline_kinds.def"
	BASELINE_KIND_COUNT
};
#undef KIND

struct baseline_kind_words {
	const char *key; /* first: fields.h */
	const char *unit;
	const char *words; /* with one %s */
	bool gates;
};
extern const struct baseline_kind_words baseline_kinds[BASELINE_KIND_COUNT];

/* The group of whole runs, and that of the command itself; every other group is one of children. */
#define OF_RUN	   "run"
#define OF_COMMAND "command"
/* The metric of a group's life. */
#define CHILDREN_OF_GROUP "children"
/* One of the life of a run. */
#define FORKS_WITHOUT_EXEC "forks that never exec"

struct baseline_metric {
	char *of; /* OF_RUN, OF_COMMAND, "fork of sh, exec of make", ... */
	enum baseline_kind kind;
	char *name; /* "openat", "openat ENOENT", "./prog (dynamic-now)", ... */
	uint64_t least, most; /* of all runs */
	uint64_t by_ldso; /* calls of the dynamic linker among the most */
	uint64_t runs; /* that had it; not saved */
};

/* Of what explains metrics. */
struct baseline_occurrences {
	bool vary; /* two runs at least had it, and not all of them alike: how often is not known */
	uint64_t runs; /* that had it; not saved */
};

/* Pages that one actor dirtied in one section, in one kind of fault. */
struct baseline_place {
	char *of;
	enum fault_class class;
	enum actor actor;
	char *object; /* path; NULL: it is in none */
	char *section; /* or kind of place: "heap" */
	uint64_t faults;
	char *pages; /* of the object's file: "0x3-0x5 0x9"; NULL: no object, or too many */
	/* if they vary, there are no faults and no pages */
	struct baseline_occurrences occurrences;
};

/* What was done with one file. */
struct baseline_file {
	char *of;
	char *path;
	uint64_t calls[FILE_USE_COUNT];
	struct baseline_occurrences occurrences; /* if they vary, there are no calls */
};

/* Counts of one command in one place to run. */
struct baseline_context {
	char *arch; /* uname -m */
	char *kernel; /* "6.1": what follows names a build, and its counts are the same */
	char *libc; /* of the machine: "ld-linux-x86-64.so.2 3f5c0a1b" (build id); "none" */
	char *huge_pages; /* "always", "madvise", "never"; "none" */
	char *source; /* "ebpf", "strace" */
	uint64_t runs; /* counted */
	/* All sorted, by the order of their members. */
	struct baseline_metric *metrics;
	size_t metric_count;
	struct baseline_place *places;
	size_t place_count;
	struct baseline_file *files;
	size_t file_count;
};

struct baseline_check {
	char *name; /* unique */
	char **command; /* argv; NULL-terminated in memory */
	size_t command_count;
	char **environment; /* names of variables that it gets besides the usual ones; the same */
	size_t environment_count;
	bool processes; /* metrics are those of processes alone */
	int32_t status; /* the exit status that all runs ended with */
	struct baseline_context *contexts; /* no two of the same place; sorted */
	size_t context_count;
};

struct baseline {
	struct baseline_check *checks; /* by name */
	size_t check_count;
};

struct baseline *baseline__new(void);
void baseline__free(struct baseline *baseline); /* NULL is fine */

/*
 * NULL, or which checks, contexts, metrics, places or files appear twice (to be freed). It must be
 * sorted.
 */
char *baseline__contradiction(const struct baseline *baseline);
void baseline_check__release(struct baseline_check *check);
void baseline_context__release(struct baseline_context *context);
/* Of one that is left out of its list. */
void baseline_metric__release(struct baseline_metric *metric);
void baseline_place__release(struct baseline_place *place);
void baseline_file__release(struct baseline_file *file);

/* What tells one context from another, text by text. */
enum { CONTEXT_PARTS = 5 };
const char *baseline_context__part(const struct baseline_context *context, size_t part);

/* Orders, as of strcmp(). Contexts: by their place to run alone. */
int baseline_metric__compare(const void *left, const void *right);
int baseline_place__compare(const void *left, const void *right);
int baseline_file__compare(const void *left, const void *right);
int baseline_context__compare(const void *left, const void *right);
/* Puts all of it in order. */
void baseline__sort(struct baseline *baseline);

/* The check of that name; NULL: none. */
struct baseline_check *baseline__find(const struct baseline *baseline, const char *name);
/* The context of the same place to run; NULL: none. */
struct baseline_context *baseline_check__context(const struct baseline_check *check,
						 const struct baseline_context *like);
/* The metric of that name; NULL: there is none. This is how the metrics of two contexts are joined. */
const struct baseline_metric *baseline_context__like(const struct baseline_context *context,
						     const struct baseline_metric *metric);
const struct baseline_metric *baseline_context__metric(const struct baseline_context *context, const char *of,
						       enum baseline_kind kind, const char *name);
/* Takes the contents over, in place of those of the same name, or of the same place to run. */
void baseline__put(struct baseline *baseline, struct baseline_check *check);
void baseline_check__put(struct baseline_check *check, struct baseline_context *context);

/* "x86_64, Linux 6.1, ld-linux-x86-64.so.2 3f5c0a1b, huge pages: always, ebpf"; to be freed. */
char *baseline_context__words(const struct baseline_context *context);
/* "openat", "loaded: ./libfoo.so"; to be freed. */
char *baseline_metric__words(const struct baseline_metric *metric);

#endif
