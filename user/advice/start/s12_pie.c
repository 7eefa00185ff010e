// SPDX-License-Identifier: GPL-2.0-or-later
/* S12: a position-independent program writes to its data before it runs. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "advice/start/start_saving.h"
#include "analysis/start/object_faults.h"
#include "base/text.h"

struct before_main {
	const struct start_object *program;
	double entry, main; /* ns since the image began; if the first is not known, there is no bound */
};

/*
 * ld.so relocates the program; one without ld.so relocates itself, before main(). Later ld.so binds functions
 * and loads others, of a program at a fixed address, too.
 */
static bool is_before_main(const struct anatomy_row *row, const void *context)
{
	const struct before_main *before = context;

	return start_object__has_row(before->program, row) &&
	       ((row->actor == ACTOR_LDSO && anatomy_row__since(row) < before->entry) ||
		(row->actor == ACTOR_PROGRAM && anatomy_row__since(row) < before->main));
}

static bool is_relocation(const struct anatomy_row *row, const void *context)
{
	return row->class == FAULT_FILE_COW && is_before_main(row, context);
}

static bool reads_table(const struct anatomy_row *row, const void *context)
{
	return start_row__reads_relocations(row) && is_before_main(row, context);
}

bool rule__s12_pie(const struct start_subject *subject, struct advice *advice)
{
	const struct start *start = subject->start;
	const struct start_object *program = start->object_count ? &start->objects[0] : NULL;
	struct saving saving = { 0 };
	struct before_main before;
	uint64_t relative;
	double copied;

	if (!program || program->object == NO_OBJECT || program->relocations[RELOC_RELATIVE] == ABSENT)
		return false;
	relative = program->relocations[RELOC_RELATIVE] + program->relocations[RELOC_RELR];
	before = (struct before_main){ program, start->marks.entry == ABSENT ? INFINITY : (double)start->marks.entry,
				       start->marks.main == ABSENT ? 0 : (double)start->marks.main };
	start_saving__add_faults(&saving, subject, is_relocation, &before);
	/* A program at a fixed address has hardly any, but still writes to some pages. */
	copied = saving.faults;
	if (!relative || copied < 1)
		return false;
	start_saving__add_faults(&saving, subject, reads_table, &before);
	advice->evidence =
		text__of("The program is position-independent (PIE): %" PRIu64 " words in its data are "
			 "relocated at each start, before main(), and %.0f pages of it copied for that. Faults "
			 "on the tables that say which words these are: %.0f.",
			 relative, copied, saving.faults - copied);
	advice->action = text__of("If its addresses need not be random, compile it with -fno-pie and link it with "
				  "-no-pie: then ld relocates it once. Addresses of libraries, stack and heap stay "
				  "random. Do not do this for programs that read untrusted input.");
	start_saving__widen_by_layout(&saving);
	start_saving__widen_by_relative(&saving, start, relative);
	start_saving__predict(&saving, subject, advice);
	/* It may write to any of these pages later, and its other layout may cost some more. */
	estimate__widen(&advice->predicted_ns, 0, 0);
	estimate__widen(&advice->predicted_faults, -saving.varying, 0);
	return true;
}
