// SPDX-License-Identifier: GPL-2.0-or-later
/* A2: what a static program does not have: a dynamic linker, and mappings of libraries. */
#include <string.h>

#include "advice/interpreters.h"
#include "advice/rules.h"
#include "advice/tally.h"

/* Fewer mappings than this are as few as those of static programs. */
enum { VMAS_FEW = 15 };

/* The linker's code and what it binds with, and the linker's own data and text. */
static bool is_of_linker(const struct matter *matter, const struct anatomy_row *row)
{
	bool has_object = row->place.kind == PLACE_FILE || row->place.kind == PLACE_BSS;

	return row->phase == PHASE_CHILD &&
	       (fork_bill__is_binding(matter->anatomy, row) ||
		(has_object && row->place.object == matter->linker));
}

/* Mappings of libraries that fork copies page tables of; 0 where that is not known. */
static double library_vmas(const struct matter *matter)
{
	double vmas = 0;

	for (size_t i = 0; matter->layout && i < matter->layout->vma_count; i++) {
		const struct layout_vma *vma = &matter->layout->vmas[i];

		if (vma->object != NO_OBJECT && vma->object != matter->program && vma->anon_known &&
		    vma->anon)
			vmas++;
	}
	return vmas;
}

/* musl's linker is its libc (libc.so, or ld-musl-...): what belongs to which cannot be told. */
static bool has_own_linker(const struct matter *matter)
{
	const char *name = matter__object(matter, matter->linker);

	return matter->linker != NO_OBJECT && matter->linker != matter->program &&
	       !strncmp(name, "ld", 2) && strncmp(name, "ld-musl", 7);
}

/* What loads modules as it runs cannot be static. */
static bool loads_modules(const struct matter *matter)
{
	return matter__opens_objects(matter) ||
	       (matter->program != NO_OBJECT &&
		interpreter__named(matter__object(matter, matter->program)));
}

bool rule__a02_static(const struct matter *matter, struct advice *advice)
{
	const struct fork_cost *fork = matter->fork;
	double vmas = library_vmas(matter);
	struct tally tally = { 0 };

	if (!has_own_linker(matter) || loads_modules(matter))
		return false;
	tally__add_all(&tally, matter, is_of_linker);
	if (tally.faults < 0.5 || !fork || fork->vmas.median == ABSENT ||
	    fork->vmas.median <= VMAS_FEW)
		return false;
	advice->evidence =
		text("%.*f of the %.*f faults of a fork are for %s or in its code, %.*f of them "
		     "%s (what A1 names is among them); at each fork, %llu mappings are copied, "
		     "and %.0f of those with page tables belong to libraries. Child and parent pay.",
		     COUNT(tally.faults), COUNT(matter->bill.faults),
		     matter__object(matter, matter->linker),
		     COUNT(tally.copies), noun_for(tally.copies, "a copy", "copies"),
		     (unsigned long long)fork->vmas.median, vmas);
	advice->action = text("Link %s statically (-static, or -static-pie), or against a smaller C "
			      "library, if it never loads modules or name services (dlopen).",
			      matter__object(matter, matter->program));
	tally__add_cost(&tally, matter, COST_VMA, vmas);
	tally__add_ns(&tally, matter__binding_code(matter));
	tally__predict(&tally, advice);
	/* At least what binds: a static program has part of the linker's data in its own. */
	advice->predicted_faults.bounded = true;
	advice->predicted_faults.low = matter->bill.lines[BILL_BINDING].faults;
	return true;
}
