// SPDX-License-Identifier: GPL-2.0-or-later
/* A2: what a static program does not have: a dynamic linker, and mappings of libraries. */
#include <math.h>
#include <string.h>

#include "advice/interpreters.h"
#include "advice/rules.h"
#include "advice/tally.h"

/* Fewer mappings than this are as few as those of static programs. */
enum { VMAS_FEW = 15 };

static bool is_binding(const struct matter *matter, const struct anatomy_row *row)
{
	return fork_bill__is_binding(matter->anatomy, row);
}

/* The linker's code and what it binds with, and the linker's own data and text. */
static bool is_of_linker(const struct matter *matter, const struct anatomy_row *row)
{
	bool has_object = row->place.kind == PLACE_FILE || row->place.kind == PLACE_BSS;

	return row->phase == PHASE_CHILD &&
	       (fork_bill__is_binding(matter->anatomy, row) ||
		(has_object && row->place.object == matter->linker));
}

/* What a library has that a static program has in fewer pages of its own, if at all. */
static bool is_of_library(const struct matter *matter, const struct anatomy_row *row)
{
	bool has_object = row->place.kind == PLACE_FILE || row->place.kind == PLACE_BSS;

	return row->phase == PHASE_CHILD &&
	       (is_of_linker(matter, row) || row->place.kind == PLACE_TLS ||
		(has_object && row->place.object != matter->program));
}

/*
 * A dynamic program has the thread's own data in a mapping by itself, often over two pages; a static
 * one has it on one, in its heap.
 */
static const struct anatomy_row *second_tls_page(const struct matter *matter)
{
	const struct anatomy_row *first = NULL;

	for (size_t i = 0; i < matter->anatomy->row_count; i++) {
		const struct anatomy_row *row = &matter->anatomy->rows[i];

		if (row->group != matter->index || row->phase != PHASE_CHILD ||
		    row->place.kind != PLACE_TLS || 2 * row->children <= matter->sample->children)
			continue;
		if (first && first->place.offset / GOT_PAGE != row->place.offset / GOT_PAGE)
			return row;
		first = row;
	}
	return NULL;
}

/* Mappings of libraries: those that fork copies page tables of, and the others. */
static double library_vmas(const struct matter *matter, bool anon)
{
	double vmas = 0;

	for (size_t i = 0; matter->layout && i < matter->layout->vma_count; i++) {
		const struct layout_vma *vma = &matter->layout->vmas[i];

		if (vma->object != NO_OBJECT && vma->object != matter->program && vma->anon_known &&
		    vma->anon == anon)
			vmas++;
	}
	return vmas;
}

static void add_mappings(struct tally *tally, const struct matter *matter)
{
	tally__add_cost(tally, matter, COST_VMA, library_vmas(matter, true));
	if (matter->anatomy->costs[COST_MAPPING].known)
		tally__add_cost(tally, matter, COST_MAPPING, library_vmas(matter, false));
	tally__add_binding_code(tally, matter);
}

/*
 * At least what binds; at most all that is in libraries. What a static program has of their data in
 * its own, only that program can show.
 */
static void predict(const struct tally *tally, const struct matter *matter, struct advice *advice)
{
	struct tally most = { 0 }, least = { 0 };

	tally__add_all(&most, matter, is_of_library);
	add_mappings(&most, matter);
	tally__add_all(&least, matter, is_binding);
	tally__add_binding_code(&least, matter);
	tally__predict(tally, advice);
	figure__widen(&advice->predicted_faults, least.faults, most.faults);
	if (advice->predicted_ns.known)
		figure__widen(&advice->predicted_ns, least.low, most.high);
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
	double vmas = library_vmas(matter, true);
	const struct anatomy_row *tls;
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
	tls = second_tls_page(matter);
	if (tls)
		tally__add(&tally, matter, tls);
	add_mappings(&tally, matter);
	predict(&tally, matter, advice);
	return true;
}
