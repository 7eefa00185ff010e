/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The anatomy of a start: the first image of the command, call by call and phase by phase, from its
 * execve to its end. Part of a run (run.start, NULL unless asked for), and saved with it.
 *
 * The source fills calls, faults and totals; who started the command adds the marks; analysis
 * (analysis/start) makes phases, reasons and searches of them. All times are nanoseconds since the
 * entry of the command's execve, as traced. Texts are hostile.
 */
#ifndef FORKTAX_MODEL_START_START_H
#define FORKTAX_MODEL_START_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/rows/absent.h"
#include "model/advice/advised.h"
#include "model/files/call_record.h"
#include "model/words/dictionary.h"
#include "model/estimate.h"
#include "relocation_kind.h"

/* More calls than these are only counted: the first ones, and the last ones before the end. */
enum { START_FIRST_CALLS = 1 << 14, START_LAST_CALLS = 256 };
/* A source need not tell of more than these. */
enum { START_CALLS_MOST = 1 << 18 };

#define REASON(id, ...) REASON_##id,
enum start_reason {
	REASON_UNKNOWN, /* nothing is guessed */
#include "model/start/start_reasons.def"
	REASON_COUNT
};
#undef REASON
extern const char *const start_reason_keys[REASON_COUNT]; /* "unknown", "exec", ... */
extern const char *const start_reason_words[REASON_COUNT]; /* with at most one %s */

struct start_call {
	char *name;
	enum abi abi;
	enum actor actor; /* ACTOR_COUNT: not known */
	int32_t tid;
	uint64_t begin_ns;
	uint64_t ns; /* ABSENT: it never returned */
	bool returned;
	bool denied; /* by seccomp */
	uint64_t result; /* as the register had it: -errno, descriptor, address; 0 without a return */
	uint64_t arguments[CALL_ARGUMENTS];
	bool known[CALL_ARGUMENTS];
	char *path; /* NULL: the call has none, or it could not be read */
	bool path_cut; /* only its beginning is known */
	/* By analysis. */
	enum start_phase phase;
	enum start_reason reason;
	bool by_shape; /* so looks a call with this reason; whose code made it is not known */
	char *subject; /* of the reason; NULL: none */
	struct call_entry_stack *stack; /* not saved; NULL: not known, or analysis is through */
	bool before_program; /* not saved: the actor is not known, but nobody but ld.so can have made it */
};

/* The errno it failed with; 0: it did not. */
int32_t start_call__errno(const struct start_call *call);

/* What happened in one phase. */
struct start_sum {
	uint64_t ns; /* ABSENT: this start has no such phase */
	uint64_t calls, errors;
	uint64_t denied; /* by seccomp; not among the calls */
	uint64_t faults[ACTOR_COUNT][FAULT_COUNT];
	uint64_t fault_ns[ACTOR_COUNT]; /* how long they took; faults without a duration have 0 */
	uint64_t timed[ACTOR_COUNT]; /* faults with a duration */
};

uint64_t start_sum__faults(const struct start_sum *sum);
/* The same of one actor. */
uint64_t start_sum__faults_by(const struct start_sum *sum, enum actor actor);
/* Pages that became the process's own: copied or filled. */
uint64_t start_sum__dirtied(const struct start_sum *sum);

/* When the image reached these; ABSENT: never, or not known. */
struct start_marks {
	uint64_t first; /* its first instruction, of ld.so or of the program */
	uint64_t entry; /* the program's; `first`, if there is no ld.so */
	uint64_t main, returned; /* main(), and what it returns to */
	uint64_t exit; /* exit_group, or the execve of something else */
	uint64_t end;
};

/* One file that ld.so searched for, maybe in several directories. */
struct start_search {
	char *name; /* as wanted: without a directory, unless it has one itself */
	char *found; /* path; NULL: nowhere */
	uint64_t tries; /* calls, the successful one included */
	uint64_t failed; /* of these */
	uint64_t ns; /* of these calls */
};

enum { START_FILES_MOST = 4096 }; /* groups of files: of further ones nothing is known */

/*
 * Files of one suffix in one directory that the program opened, or had ld.so open (dlopen). A file's time ends where
 * the next one is opened; what takes more than 10 ms between two calls counts as 10 ms. Not saved.
 */
struct start_files {
	char *directory; /* "" of files without one */
	char *suffix; /* ".rb"; "" */
	bool for_script; /* opened after the command's script */
	uint64_t opened;
	uint64_t directories; /* of these, opened as such */
	uint64_t missing; /* opens that failed: they are not there, or cannot be read */
	uint64_t first_ns, last_ns; /* from the first open to the end of the last file's time */
	uint64_t ns; /* of all of them */
	char *biggest; /* the file of which most was read; NULL: nothing was read */
	uint64_t most_bytes, most_ns; /* of that file */
	char *again; /* the file that was opened most often; NULL: none has been closed */
	uint64_t again_opened, again_bytes, again_ns; /* of that file, all times together */
};

enum start_role { START_IS_PROGRAM, START_IS_LIBRARY, START_IS_LDSO, START_ROLE_COUNT };
extern const char *const start_role_keys[START_ROLE_COUNT]; /* "program", "library", "ld_so" */

/*
 * An object that ld.so linked before the program's entry: in the order in which it looks for symbols.
 * By analysis, from its file; ABSENT, or NO_OBJECT: not known.
 */
struct start_object {
	char *path; /* by which it was opened */
	enum start_role role;
	uint32_t object; /* the same in anatomy.objects; NO_OBJECT: no fault fell on it */
	/* Index of the object without which it would not be there, the nearest one; NO_OBJECT: none. */
	uint32_t through;
	uint64_t needed_by; /* how many of these ask for it (DT_NEEDED); 0: it was preloaded */
	uint64_t bound_to; /* symbols of the others that lead here, called or not; of each object once */
	uint64_t calls, ns; /* of ld.so, to open, map and protect it */
	uint64_t relocations[RELOC_KIND_COUNT];
	bool is_lazy; /* its JUMP_SLOTs wait for their first call */
};

/* Parts of a start. */
enum start_part {
	START_PART_KERNEL, /* execve to the first instruction */
	START_PART_LDSO, /* to the program's entry */
	START_PART_LIBC, /* to main() */
	START_PART_MAIN, /* to its return */
	START_PART_END, /* until the parent notices */
	START_PART_COUNT
};
extern const char *const start_part_keys[START_PART_COUNT];

/* A single fault, until it is put into a phase. Not saved. */
struct start_fault {
	uint64_t begin_ns, ns; /* 0: no duration */
	uint8_t actor, class;
};

struct start {
	struct start_marks marks;
	struct start_sum phases[START_PHASE_COUNT];
	struct start_call *calls; /* by begin */
	size_t call_count;
	uint64_t left_out, left_out_errors; /* calls beyond the limits: between the first and the last */
	uint64_t beyond; /* calls after START_CALLS_MOST: in no phase, and who knows how many failed */
	uint64_t missed; /* calls that were lost on the way; then nothing here is complete */
	uint64_t image_faults; /* of the image, by the kernel's count; by analysis, as is the next */
	uint64_t unplaced; /* of these, those in no phase: without an event, lost, or not recorded */
	struct start_search *searches;
	size_t search_count;
	struct start_files *files; /* in the order of the first open */
	size_t file_count;
	struct start_object *objects;
	size_t object_count; /* 0: it has no ld.so, or they are not known */
	double untraced[START_PART_COUNT]; /* medians of untraced runs, ns; NAN: not known */
	struct advice *advice; /* in the order of the rules */
	size_t advice_count;
	char *unmarked; /* why marks are missing; NULL: none is */
	/* Not saved: CLOCK_MONOTONIC of the execve; an address in ld.so and one in the program (0: ?). */
	uint64_t origin_ns, ldso_address, program_address;
	struct start_fault *fault_list; /* until analysis has summed them up */
	size_t fault_count;
};

struct start *start__new(void);
void start__free(struct start *start); /* with its run, unless that has lost it before */

void start__forget_files(struct start *start); /* what is not saved */

uint64_t start__calls(const struct start *start); /* all, in a phase or not */

#endif
