// SPDX-License-Identifier: GPL-2.0-or-later
/* A2: what a static program does not have: a dynamic linker, and mappings of libraries. */
#include <math.h>
#include <string.h>

#include "advice/interpreters.h"
#include "advice/rules.h"
#include "advice/saving.h"

/* Fewer mappings than this are as few as those of static programs. */
enum { VMAS_FEW = 15 };

/* Binding, and the linker's own data and text. */
static bool is_of_linker(const struct subject *subject, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD && (subject__is_binding(subject, row) ||
					     (place__has_object(&row->place) && row->place.object == subject->linker));
}

/* Is it a fault that only libraries cause? A static program has the same data on fewer pages, or does not have it. */
static bool is_of_library(const struct subject *subject, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD && (is_of_linker(subject, row) || row->place.kind == PLACE_TLS ||
					     (place__has_object(&row->place) && row->place.object != subject->program));
}

/*
 * A dynamic program keeps thread-local data in a mapping of its own, often on two pages; a static
 * program on one page of its heap.
 */
static const struct anatomy_row *second_tls_page(const struct subject *subject)
{
	const struct anatomy_row *first = NULL;

	for (size_t i = 0; i < subject->anatomy->row_count; i++) {
		const struct anatomy_row *row = &subject->anatomy->rows[i];

		if (row->group != subject->index || row->phase != PHASE_CHILD ||
		    row->place.kind != PLACE_TLS || !subject__is_most(subject, row->children))
			continue;
		if (first && !subject__is_same_page(subject, &first->place, &row->place))
			return row;
		first = row;
	}
	return NULL;
}

/* How many mappings of libraries fork copies page tables of, or (`anon` false) does not. */
static double library_vmas(const struct subject *subject, bool anon)
{
	double vmas = 0;

	for (size_t i = 0; subject->layout && i < subject->layout->vma_count; i++) {
		const struct layout_vma *vma = &subject->layout->vmas[i];

		if (vma->object != NO_OBJECT && vma->object != subject->program && vma->anon_known && vma->anon == anon)
			vmas++;
	}
	return vmas;
}

static void add_mappings(struct saving *saving, const struct subject *subject)
{
	saving__add_cost(saving, subject, COST_VMA, library_vmas(subject, true));
	if (subject->anatomy->costs[COST_MAPPING].known)
		saving__add_cost(saving, subject, COST_MAPPING, library_vmas(subject, false));
	saving__add_binding_code(saving, subject);
}

/*
 * At least the binding; at most all that is in libraries. How much of their data a static program
 * has among its own, only that program can show.
 */
static void predict(const struct saving *saving, const struct subject *subject, struct advice *advice)
{
	struct saving most = { 0 }, least = { 0 };

	saving__add_all(&most, subject, is_of_library);
	add_mappings(&most, subject);
	saving__add_all(&least, subject, subject__is_binding);
	saving__add_binding_code(&least, subject);
	saving__predict(saving, advice);
	estimate__widen(&advice->predicted_faults, least.faults, most.faults);
	if (advice->predicted_ns.known)
		estimate__widen(&advice->predicted_ns, least.low, most.high);
}

/* Not musl: its linker is its libc (libc.so, ld-musl-...), so their faults cannot be distinguished. */
static bool has_own_linker(const struct subject *subject)
{
	const char *name = subject__object(subject, subject->linker);

	return subject->linker != NO_OBJECT && subject->linker != subject->program &&
	       !strncmp(name, "ld", 2) && strncmp(name, "ld-musl", 7);
}

/* A program that loads modules as it runs cannot be static. */
static bool loads_modules(const struct subject *subject)
{
	return subject__opens_objects(subject) ||
	       (subject->program != NO_OBJECT && interpreter__named(subject__object(subject, subject->program)));
}

bool rule__a02_static(const struct subject *subject, struct advice *advice)
{
	const struct fork_cost *fork = subject->fork;
	double vmas = library_vmas(subject, true);
	const struct anatomy_row *tls;
	struct saving saving = { 0 };

	if (!has_own_linker(subject) || loads_modules(subject))
		return false;
	saving__add_all(&saving, subject, is_of_linker);
	if (saving.faults < 0.5 || !fork || fork->vmas.median == ABSENT || fork->vmas.median <= VMAS_FEW)
		return false;
	advice->evidence = text__of(
		"%s of the %s faults of a fork are for %s or in its code, %s of them "
		"%s (those of A1 are included). Each fork copies %llu mappings, "
		"and %.0f of those with page tables belong to libraries. Child and parent pay.",
		number__rounded(saving.faults).text, number__rounded(subject->breakdown->faults).text,
		subject__object(subject, subject->linker), number__rounded(saving.copies).text,
		number__plural(saving.copies, "a copy", "copies"), (unsigned long long)fork->vmas.median, vmas);
	advice->action = text__of("Link %s statically (-static, or -static-pie), or against a smaller C "
				  "library, unless it loads modules or name services (dlopen).",
				  subject__object(subject, subject->program));
	tls = second_tls_page(subject);
	if (tls)
		saving__add(&saving, subject, tls);
	add_mappings(&saving, subject);
	predict(&saving, subject, advice);
	return true;
}
