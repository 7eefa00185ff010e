// SPDX-License-Identifier: GPL-2.0-or-later
/* A16: where the CPU leaves the access flag to the kernel, a child takes a fault for each page that it reads. */
#include "advice/rules.h"
#include "advice/saving.h"
#include "base/quantity.h"

/* Every child reads some pages: its code, its stack. */
enum { FAULTS_LEAST = 8 };

static bool is_read(const struct subject *subject, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD && row->class == FAULT_ACCESS_FLAG;
}

/* A huge page has one entry, and so one flag. Pages of files are not in huge ones, as a rule. */
static bool may_be_huge(const struct subject *subject, const struct anatomy_row *row)
{
	return is_read(subject, row) && (row->place.kind == PLACE_HEAP || row->place.kind == PLACE_ANON);
}

bool rule__a16_access_flag(const struct subject *subject, struct advice *advice)
{
	const bool execs = subject->group->exec_target != NO_EXE;
	struct saving all = { 0 }, memory = { 0 };
	const struct saving *saving = execs ? &all : &memory;

	saving__add_all(&all, subject, is_read);
	if (all.faults < FAULTS_LEAST || subject->group->birth == BIRTH_VFORK)
		return false;
	saving__add_all(&memory, subject, may_be_huge);
	advice->evidence = text__of(
		"A child reads %s pages that fork() left to it, and takes a fault for each, though none is copied: "
		"this CPU leaves the access flag of page-table entries to the kernel, and fork() clears the "
		"child's. %s of these pages are of the heap or other memory without a file. The child pays.",
		number__rounded(all.faults).text, number__rounded(memory.faults).text);
	advice->action = execs
		? text__of("Start programs by posix_spawn() or vfork(): the child uses the parent's entries, whose "
			   "flags are set.")
		: text__of("Put large memory into huge pages (madvise(MADV_HUGEPAGE)): the child takes one fault for "
			   "each of %s. Or let children read less of it.",
			   quantity__size(copied__huge_bytes(subject->run)).text);
	saving__predict(saving, advice);
	/* How much of it can go depends on how the memory lies. */
	estimate__widen(&advice->predicted_faults, 0, saving->faults);
	if (advice->predicted_ns.known)
		estimate__widen(&advice->predicted_ns, 0, saving->high);
	return true;
}
