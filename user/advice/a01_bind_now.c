// SPDX-License-Identifier: GPL-2.0-or-later
/* A1: symbols that the dynamic linker binds in child after child. */
#include <math.h>
#include <stdlib.h>

#include "advice/at_exit.h"
#include "advice/rules.h"
#include "advice/saving.h"
#include "base/autofree.h"
#include "base/quantity.h"

/* The symbols that children of the group bind. */
struct symbols_bound {
	size_t symbols; /* bound in more than half of the recorded children */
	uint64_t least, most; /* children that bound each */
	double stay, may_stay; /* faults of binding that exit() would take instead; per child */
	bool loads; /* children load objects: looking up their symbols resembles binding, and stays */
	bool asks; /* children call dlsym(), which looks up as binding does */
	char *names;
};

static bool is_loading(const struct subject *subject, const struct anatomy_row *row)
{
	return fork_breakdown__is_loading(subject->anatomy, row);
}

static bool loads_objects(const struct subject *subject)
{
	struct saving saving = { 0 };

	saving__add_all(&saving, subject, is_loading);
	return saving.faults >= 0.5;
}

static bool is_asking(const char *symbol)
{
	static const char *const names[] = { "dlsym", "dlvsym", "do_sym", "_dl_sym", "_dl_vsym", NULL };

	return text__is_any(symbol, names);
}

/* By the code that faults, where it was bound before. */
static bool asks_for_symbols(const struct subject *subject)
{
	for (size_t i = 0; i < subject->anatomy->row_count; i++) {
		const struct anatomy_row *row = &subject->anatomy->rows[i];

		if (row->group == subject->index && row->phase == PHASE_CHILD &&
		    subject__is_most(subject, row->children) && is_asking(row->code.symbol))
			return true;
	}
	return false;
}

static struct symbols_bound find_symbols(const struct subject *subject)
{
	const struct anatomy *anatomy = subject->anatomy;
	struct symbols_bound bound = { .least = UINT64_MAX, .loads = loads_objects(subject),
			       .asks = asks_for_symbols(subject) };
	struct name_list names = { .most = NAMES_MOST };

	for (size_t i = 0; i < anatomy->symbol_count; i++) {
		const struct binding_symbol *symbol = &anatomy->symbols[i];

		if (symbol->group != subject->index || !subject__is_most(subject, symbol->children))
			continue;
		bound.symbols++;
		bound.least = symbol->children < bound.least ? symbol->children : bound.least;
		bound.most = symbol->children > bound.most ? symbol->children : bound.most;
		bound.asks |= is_asking(symbol->symbol);
		name_list__add(&names, symbol->symbol ? symbol->symbol : "(no name)");
	}
	bound.names = name_list__finish(&names);
	return bound;
}

/*
 * The faults by calibrated costs, which include teardown but no tracing, and what ld.so computes
 * between them. Leaves out faults that exit() takes later if binding does not take them first.
 */
static struct saving predict(const struct subject *subject, struct symbols_bound *bound)
{
	const struct anatomy *anatomy = subject->anatomy;
	bool by_exit = at_exit__begin(subject), sure = at_exit__is_sure(subject);
	struct saving saving = { 0 };

	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];
		enum exit_needs needs = EXIT_NEEDS_NOT;

		if (row->group != subject->index || !subject__is_binding(subject, row))
			continue;
		if (by_exit)
			needs = row->exit_needs == EXIT_NEEDS && !sure ? EXIT_MAY_NEED : row->exit_needs;
		if (needs == EXIT_NEEDS)
			bound->stay += anatomy__per_child(anatomy, row);
		else
			saving__add(&saving, subject, row);
		if (needs == EXIT_MAY_NEED)
			bound->may_stay += anatomy__per_child(anatomy, row);
	}
	saving__add_binding_code(&saving, subject);
	if (bound->loads || bound->asks || bound->may_stay >= saving.faults)
		saving.low = 0;
	else if (bound->may_stay > 0)
		saving.low *= 1 - bound->may_stay / saving.faults;
	return saving;
}

/* Slots that wait for their first call when the parent forks: BIND_NOW binds all of them. */
static double waiting_slots(const struct subject *subject)
{
	const struct anatomy *anatomy = subject->anatomy;
	double slots = 0;

	for (size_t i = 0; i < anatomy->binding_count; i++) {
		const struct binding_object *binding = &anatomy->bindings[i];

		if (subject__has(subject, binding) && binding->lazy && binding->slots_unbound != ABSENT)
			slots += (double)binding->slots_unbound;
	}
	return slots;
}

/*
 * Each start would bind the other slots, too, and each costs at least what ld.so computes for a
 * symbol here: not worth it for a program that starts often and forks little.
 */
static bool pays_off(const struct subject *subject, const struct symbols_bound *bound,
		     const struct saving *saving, double waiting)
{
	double symbols = fmax(1, (double)bound->symbols);
	double more = fmax(0, waiting - symbols);

	if (saving->unknown)
		return true;
	return subject->children * saving->ns > more * subject__binding_code(subject) / symbols;
}

static char *evidence(const struct subject *subject, const struct symbols_bound *bound,
		      const struct saving *saving, double waiting)
{
	const struct fork_breakdown *breakdown = subject->breakdown;
	const struct breakdown_entry *binding = &breakdown->lines[BREAKDOWN_BINDING];
	const char *loading = bound->loads ? " Children also load libraries (dlopen): those "
					      "faults stay, and some of them are included."
			      : bound->asks ? " Children also look up symbols themselves (dlsym): what that "
					      "needs stays, and is included."
					    : "";
	autofree char *who = NULL, *time = NULL, *start = NULL, *stay = NULL;

	who = bound->symbols ? text__of("ld.so bound %s again in %llu of %llu recorded children", bound->names,
					(unsigned long long)bound->least, (unsigned long long)subject->sample->children)
			     : text__of("ld.so bound symbols again in %llu recorded children (which ones "
					"is unknown)",
					(unsigned long long)subject->sample->children);
	time = binding->known && breakdown->complete
		       ? text__of("; %s, tracing included, of the %s of a fork",
				  quantity__time(binding->ns + breakdown->lines[BREAKDOWN_BINDING_CODE].ns).text,
				  quantity__time(breakdown->whole).text)
		       : text__of("%s", "");
	start = waiting > (double)bound->symbols
			? text__of(" With binding at start, ld.so would look up %.0f more symbols each "
				   "time that the program starts.",
				   waiting - (double)bound->symbols)
			: text__of("%s", "");
	stay = bound->stay > 0 ? text__of(" (exit() would take %s more then)", number__rounded(bound->stay).text)
			       : text__of("%s", "");
	return text__of("%s: %s of the %s faults of a fork%s, %s of them %s%s. The child "
			"pays.%s%s",
			who, number__rounded(saving->faults).text, number__rounded(breakdown->faults).text, stay,
			number__rounded(saving->copies).text, number__plural(saving->copies, "a copy", "copies"),
			time, loading, start);
}

bool rule__a01_bind_now(const struct subject *subject, struct advice *advice)
{
	struct symbols_bound bound = find_symbols(subject);
	struct saving saving = predict(subject, &bound);
	double waiting = waiting_slots(subject);
	bool worth_it = (bound.symbols || saving.faults >= 0.5) && pays_off(subject, &bound, &saving, waiting);

	if (worth_it) {
		advice->evidence = evidence(subject, &bound, &saving, waiting);
		advice->action = text__of("Link %s with -Wl,-z,now, or start it with LD_BIND_NOW=1 in its environment.",
					  subject__object(subject, subject->program));
		saving__predict(&saving, advice);
		estimate__widen(&advice->predicted_faults,
				bound.loads || bound.asks ? 0 : fmax(0, saving.faults - bound.may_stay), saving.faults);
	}
	free(bound.names);
	return worth_it;
}
