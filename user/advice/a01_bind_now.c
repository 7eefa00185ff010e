// SPDX-License-Identifier: GPL-2.0-or-later
/* A1: symbols that the dynamic linker binds in child after child. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice/at_exit.h"
#include "advice/rules.h"
#include "advice/tally.h"
#include "analysis/forks/exit_code.h"

/* What the symbols of the group amount to. */
struct bound {
	size_t symbols; /* bound in more than half of the recorded children */
	uint64_t least, most; /* children that bound one of them */
	double stay, may_stay; /* faults of binding that exit() takes if binding does not; per child */
	bool loads; /* children load objects: looking up what these need is like binding, and stays */
	bool ends; /* one of them ends the program or the image: nobody calls it before a fork */
	char *names;
};

static bool is_end(const char *symbol)
{
	static const char *const names[] = {
		"_exit",  "_Exit",  "exit",   "quick_exit", "abort",  "execl",	"execle",
		"execlp", "execv",  "execve", "execveat",   "execvp", "execvpe", "fexecve",
	};

	for (size_t i = 0; symbol && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(symbol, names[i]))
			return true;
	return false;
}

static bool is_loading(const struct matter *matter, const struct anatomy_row *row)
{
	return fork_bill__is_loading(matter->anatomy, row);
}

static bool loads_objects(const struct matter *matter)
{
	struct tally tally = { 0 };

	tally__add_all(&tally, matter, is_loading);
	return tally.faults >= 0.5;
}

static struct bound find_symbols(const struct matter *matter)
{
	const struct anatomy *anatomy = matter->anatomy;
	struct bound bound = { .least = UINT64_MAX, .loads = loads_objects(matter) };
	struct names names = { 0 };

	for (size_t i = 0; i < anatomy->symbol_count; i++) {
		const struct binding_symbol *symbol = &anatomy->symbols[i];

		if (symbol->group != matter->index || 2 * symbol->children <= matter->sample->children)
			continue;
		bound.symbols++;
		bound.least = symbol->children < bound.least ? symbol->children : bound.least;
		bound.most = symbol->children > bound.most ? symbol->children : bound.most;
		bound.ends |= is_end(symbol->symbol);
		names__add(&names, symbol->symbol ? symbol->symbol : "(no name)");
	}
	bound.names = names__finish(&names);
	return bound;
}

static bool is_binding(const struct matter *matter, const struct anatomy_row *row)
{
	return fork_bill__is_binding(matter->anatomy, row);
}

/*
 * The faults by calibrated costs, which hold no tracing and the teardown of what was mapped, and
 * what ld.so computes between them. Without those that a child which leaves by exit() takes later
 * if binding does not take them before.
 */
static struct tally predict(const struct matter *matter, struct bound *bound)
{
	const struct anatomy *anatomy = matter->anatomy;
	bool by_exit = at_exit__begin(matter);
	struct tally tally = { 0 };

	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];
		enum exit_needs needs = EXIT_NEEDS_NOT;

		if (row->group != matter->index || !is_binding(matter, row))
			continue;
		if (by_exit)
			needs = exit_code__needs(anatomy, matter->layout, row);
		if (needs == EXIT_NEEDS)
			bound->stay += anatomy__per_child(anatomy, row);
		else
			tally__add(&tally, matter, row);
		if (needs == EXIT_MAY_NEED)
			bound->may_stay += anatomy__per_child(anatomy, row);
	}
	tally__add_binding_code(&tally, matter);
	if (bound->loads || bound->may_stay >= tally.faults)
		tally.low = 0;
	else if (bound->may_stay > 0)
		tally.low *= 1 - bound->may_stay / tally.faults;
	return tally;
}

/* Slots that wait for their first call when the parent forks; all of them are bound by NOW. */
static double waiting_slots(const struct matter *matter)
{
	const struct anatomy *anatomy = matter->anatomy;
	double slots = 0;

	for (size_t i = 0; i < anatomy->binding_count; i++) {
		const struct binding_object *binding = &anatomy->bindings[i];

		if (&anatomy->layouts[binding->layout] == matter->layout && binding->lazy &&
		    binding->slots_unbound != ABSENT)
			slots += (double)binding->slots_unbound;
	}
	return slots;
}

/*
 * Binding the others at start costs at least what ld.so computes for a symbol here, each time the
 * program is started: not worth it for who starts often and forks little.
 */
static bool pays_off(const struct matter *matter, const struct bound *bound,
		     const struct tally *tally, double waiting)
{
	double symbols = fmax(1, (double)bound->symbols);
	double more = fmax(0, waiting - symbols);

	if (tally->unknown)
		return true;
	return matter->children * tally->ns > more * matter__binding_code(matter) / symbols;
}

static char *evidence(const struct matter *matter, const struct bound *bound,
		      const struct tally *tally, double waiting)
{
	const struct fork_bill *bill = &matter->bill;
	const char *loading = bound->loads ? " Children also load libraries (dlopen), which "
					      "stays, and is in part among these."
					    : "";
	char *result, *who, *time, *start, *stay;

	who = bound->symbols ? text("ld.so bound %s again in %llu of %llu recorded children",
				    bound->names, (unsigned long long)bound->least,
				    (unsigned long long)matter->sample->children)
			     : text("ld.so bound symbols again in %llu recorded children (which ones "
				    "is not known)",
				    (unsigned long long)matter->sample->children);
	time = bill->span > 0 && matter->fork_ns > 0
		       ? text("; %.1f us, tracing included, of the %.1f us of a fork",
			      bill->span / 1e3, matter->fork_ns / 1e3)
		       : text("%s", "");
	start = waiting > (double)bound->symbols
			? text(" Bound at start, %.0f more symbols would be looked up each time "
			       "that the program starts.",
			       waiting - (double)bound->symbols)
			: text("%s", "");
	stay = bound->stay > 0 ? text(" (%.*f more would be taken by exit() then)", COUNT(bound->stay))
			       : text("%s", "");
	result = text("%s: %.*f of the %.*f faults of a fork%s, %.*f of them %s%s. The child "
		      "pays.%s%s",
		      who,
		      COUNT(tally->faults), COUNT(bill->faults), stay, COUNT(tally->copies),
		      noun_for(tally->copies, "a copy", "copies"), time, loading, start);
	free(who);
	free(time);
	free(start);
	free(stay);
	return result;
}

static char *action(const struct matter *matter, const struct bound *bound)
{
	const char *program = matter__object(matter, matter->program);
	const char *call = "";

	if (bound->symbols == 1 && !bound->ends)
		call = ", or let it call that function once before it forks";
	else if (bound->symbols && !bound->ends)
		call = ", or let it call these functions once before it forks";
	return text("Link %s with -Wl,-z,now, or start it with LD_BIND_NOW=1 in its environment%s.",
		    program, call);
}

bool rule__a01_bind_now(const struct matter *matter, struct advice *advice)
{
	struct bound bound = find_symbols(matter);
	struct tally tally = predict(matter, &bound);
	double waiting = waiting_slots(matter);
	bool worth_it = (bound.symbols || tally.faults >= 0.5) &&
			pays_off(matter, &bound, &tally, waiting);

	if (worth_it) {
		advice->evidence = evidence(matter, &bound, &tally, waiting);
		advice->action = action(matter, &bound);
		tally__predict(&tally, advice);
		figure__widen(&advice->predicted_faults,
			      bound.loads ? 0 : fmax(0, tally.faults - bound.may_stay),
			      tally.faults);
	}
	free(bound.names);
	return worth_it;
}
