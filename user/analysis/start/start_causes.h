/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why a start takes its time: its system calls added up by what they are for, and its page faults by what
 * was touched. A call's time holds the faults that the kernel takes in it: those are in no other cause.
 */
#ifndef FORKTAX_ANALYSIS_START_START_CAUSES_H
#define FORKTAX_ANALYSIS_START_START_CAUSES_H

#include "model/run/run.h"

enum start_cause_kind {
	/* Calls. */
	START_BY_EXEC,	    /* the kernel's exec */
	START_BY_LIBRARIES, /* ld.so finds libraries and maps them */
	START_BY_LOCALE,    /* locales and character sets */
	START_BY_NAMES,	    /* users, groups, hosts */
	START_BY_MEMORY,    /* new memory, and memory given back */
	START_BY_SIGNALS,   /* signal actions and masks */
	START_BY_FILES,	    /* other files; `count` of them */
	START_BY_CHILDREN,  /* processes and threads made, and waited for */
	START_BY_CALLS,	    /* all other calls */
	/* Faults in user mode. */
	START_BY_LDSO,	    /* of code of ld.so */
	START_BY_FILLS,	    /* the program's first writes to new memory */
	START_BY_COPIES,    /* the program's writes to data of `object`: pages of the file are copied */
	START_BY_MAPS,	    /* code and constants of `object` are mapped */
	START_BY_FAULTS,    /* all other faults */
};

struct start_cause {
	enum start_cause_kind kind;
	uint32_t object;   /* NO_OBJECT: it has none */
	const char *named; /* a file, of START_BY_FILES; NULL */
	uint64_t count;	   /* of different files */
	double calls, faults, ns; /* ns: of calls, those of the first thread; of faults, all */
};

struct start_causes {
	struct start_cause *list; /* the most expensive first */
	size_t count;
};

struct start_causes start_causes__of(const struct run *run);
void start_causes__free(struct start_causes *causes);

#endif
