// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/at_exit.h"

#include <math.h>
#include <string.h>

#include "analysis/forks/fork_breakdown.h"

/*
 * Names of glibc, and of the handlers that most often take long: those of interpreters with what they
 * call, as the first function may find all its pages mapped. Without symbols nothing is known.
 */
static bool is_of_exit(const char *symbol)
{
	static const char *const names[] = {
		"exit",
		"__run_exit_handlers",
		"__exit_funcs",
		"_IO_cleanup",
		"_IO_unbuffer_all",
		"__libc_atexit",
		"__libc_exit_fini",
		"_dl_fini",
		"OPENSSL_cleanup",
		"Py_FinalizeEx",
		"PyInterpreterState_Clear",
		"_PyModule_Clear",
		"_PyModule_ClearDict",
		"perl_destruct",
		"perl_free",
		"Perl_sv_clean_all",
		"Perl_sv_clean_objs",
		"ruby_cleanup",
		"ruby_finalize",
		NULL,
	};

	return text__is_any(symbol, names);
}

/* What dlclose(), fflush(NULL) or the end of a thread run, too. */
static bool is_shared(const char *symbol)
{
	static const char *const names[] = {
		"_IO_flush_all",	 "_IO_flush_all_lockp", "__cxa_finalize",
		"__do_global_dtors_aux", "_fini",		"__call_tls_dtors",
		"deregister_tm_clones",	 NULL,
	};

	return fork_breakdown__runs_destructors(symbol) || text__is_any(symbol, names);
}

static bool binds(const struct subject *subject, const char *name)
{
	for (size_t i = 0; i < subject->anatomy->symbol_count; i++) {
		const struct binding_symbol *symbol = &subject->anatomy->symbols[i];

		if (symbol->group == subject->index && symbol->symbol && !strcmp(symbol->symbol, name) &&
		    subject__is_most(subject, symbol->children))
			return true;
	}
	return false;
}

bool at_exit__binds(const struct subject *subject)
{
	return binds(subject, "exit");
}

/* The C library's exit() does not bind it. */
static bool ends_at_once(const struct subject *subject)
{
	return !at_exit__binds(subject) && (binds(subject, "_exit") || binds(subject, "_Exit"));
}

bool at_exit__is_sure(const struct subject *subject)
{
	for (size_t i = 0; i < subject->anatomy->row_count; i++) {
		const struct anatomy_row *row = &subject->anatomy->rows[i];

		if (at_exit__is(subject, row) && is_of_exit(row->code.symbol))
			return true;
	}
	return at_exit__binds(subject);
}

bool at_exit__is(const struct subject *subject, const struct anatomy_row *row)
{
	return row->group == subject->index && row->phase == PHASE_CHILD && row->faults &&
	       (is_of_exit(row->code.symbol) || is_shared(row->code.symbol)) && !ends_at_once(subject);
}

const struct anatomy_row *at_exit__begin(const struct subject *subject)
{
	const struct anatomy_row *begin = NULL;

	for (size_t i = 0; i < subject->anatomy->row_count; i++) {
		const struct anatomy_row *row = &subject->anatomy->rows[i];

		if (at_exit__is(subject, row) && subject__is_all_that_ended(subject, row->children) &&
		    (!begin || anatomy_row__since(row) < anatomy_row__since(begin)))
			begin = row;
	}
	return begin;
}

bool at_exit__is_after(const struct subject *subject, const struct anatomy_row *row, const struct anatomy_row *begin)
{
	return begin && row->group == subject->index && row->phase == PHASE_CHILD && row->faults &&
	       row->actor != ACTOR_KERNEL && row->children >= begin->children &&
	       anatomy_row__since(row) > anatomy_row__since(begin);
}

double at_exit__since(const struct subject *subject, const struct anatomy_row *begin)
{
	double since = begin ? anatomy_row__since(begin) : INFINITY;

	for (size_t i = 0; i < subject->anatomy->row_count; i++) {
		const struct anatomy_row *row = &subject->anatomy->rows[i];

		if (row->group == subject->index && row->phase == PHASE_CHILD && row->faults &&
		    row->actor == ACTOR_LDSO && subject__is_all_that_ended(subject, row->children) &&
		    row->place.symbol && !strcmp(row->place.symbol, "exit@got"))
			since = fmin(since, anatomy_row__since(row));
	}
	return since;
}

double at_exit__code(const struct subject *subject, double since, const struct saving *saving)
{
	const struct fork_cost *fork = subject->fork;
	double end;

	if (!fork || !fork->typical)
		return 0;
	end = (double)(fork->part_ns[PART_START] + fork->part_ns[PART_RUN]) / (double)fork->typical;
	return fmax(0, end - since - saving->measured_ns - saving->faults * subject__tracing_gap(subject));
}
