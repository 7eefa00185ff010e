// SPDX-License-Identifier: GPL-2.0-or-later
/* R27: what libraries do around each fork (pthread_atfork), as far as call stacks name it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "analysis/forks/stack_sums.h"
#include "base/autofree.h"
#include "base/text.h"

enum { NAMED = 3 };
static const double SHARE_LEAST = 0.05;

/* The function that one of the C library's callers of handlers has called; NULL: none has. */
static const struct frame *handler_of(const struct stacks *stacks, const struct call_stack *stack)
{
	static const char *const callers[] = { "__run_prefork_handlers", "__run_postfork_handlers",
					       "__run_fork_handlers", "__fork_handler" /* musl */, NULL };

	for (size_t i = 1; i < stack->frame_count; i++)
		if (text__is_any(stacks->frames[stack->frames[i]].place.symbol, callers))
			return &stacks->frames[stack->frames[i - 1]];
	return NULL;
}

/* "je_prefork() of libjemalloc.so.2"; to be freed. */
static char *name_of(const struct run *run, const struct frame *handler)
{
	const uint32_t object = handler->place.object;
	const char *path = object < run->anatomy->object_count ? run->anatomy->objects[object].path : NULL;

	return text__of("%s%s%s", handler->place.symbol ? handler->place.symbol : "a function",
			handler->place.symbol ? "() of " : " of ", path ? text__file_name(path) : "the program");
}

struct handlers {
	double ns, faults; /* of all children of the group, as traced */
	struct name_list names;
};

static void add_phase(struct handlers *handlers, const struct run *run, uint32_t group, enum phase phase)
{
	const struct anatomy *anatomy = run->anatomy;
	const struct sample *sample = anatomy__sample(anatomy, group);
	struct stack_sums sums = stack_sums__of(anatomy, group, phase);
	const double times = sample && sample->children ? (double)group__children(&run->groups[group]) /
							  (double)sample->children : 0;

	for (size_t i = 0; i < sums.count; i++) {
		const struct frame *handler = handler_of(anatomy->stacks, &anatomy->stacks->list[sums.list[i].stack]);
		autofree char *name = handler ? name_of(run, handler) : NULL;

		if (!handler)
			continue;
		handlers->ns += times * sums.list[i].ns;
		handlers->faults += times * sums.list[i].faults;
		if (!handlers->names.text || !strstr(handlers->names.text, name))
			name_list__add(&handlers->names, name);
	}
	stack_sums__free(&sums);
}

/* Of all forks of a program. */
static struct handlers handlers_of(const struct run_subject *subject, uint32_t exe)
{
	const struct run *run = subject->run;
	struct handlers handlers = { .names = { .most = NAMED } };

	for (uint32_t i = 0; run->anatomy && run->anatomy->stacks && i < run->group_count; i++) {
		if (run->groups[i].parent_exe != exe)
			continue;
		add_phase(&handlers, run, i, PHASE_CHILD);
		add_phase(&handlers, run, i, PHASE_PARENT);
	}
	return handlers;
}

double r27_handlers__ns(const struct run_subject *subject, uint32_t exe)
{
	struct handlers handlers = handlers_of(subject, exe);
	const struct bill_row *forks = run_subject__row(subject, BILL_FORK, exe, true);

	free(name_list__finish(&handlers.names));
	return forks ? fmin(handlers.ns * subject->scale.factor, run_subject__wall(subject, forks)) : 0;
}

/* The forks that have most of it; NULL: none has much. */
static const struct bill_row *find_forks(const struct run_subject *subject, double *ns)
{
	const struct bill *bill = subject->run->bill;
	const struct bill_row *most = NULL;

	*ns = 0;
	for (size_t i = 0; i < bill->count; i++) {
		const double one = bill->rows[i].kind == BILL_FORK ? r27_handlers__ns(subject, bill->rows[i].exe) : 0;

		if (one > *ns) {
			most = &bill->rows[i];
			*ns = one;
		}
	}
	return *ns >= SHARE_LEAST * run_subject__busy(subject) ? most : NULL;
}

bool rule__r27_handlers(const struct run_subject *subject, struct advice *advice)
{
	double ns;
	const struct bill_row *forks = find_forks(subject, &ns);
	autofree char *names = NULL, *share = NULL;
	struct handlers handlers;

	if (!forks)
		return false;
	handlers = handlers_of(subject, forks->exe);
	names = name_list__finish(&handlers.names);
	share = run_subject__share(subject, ns);
	advice->evidence = text__of("Handlers around each fork of %s (pthread_atfork) take %.0f page faults: %s. These "
				    "faults take %s.", run_subject__name(subject, forks->exe),
				    handlers.faults / (double)forks->count, names, share);
	advice->action = text__of("let these handlers do less, or leave out the library that they are of; "
				  "posix_spawn() and vfork() run none");
	advice->predicted_ns = estimate__of(ns);
	estimate__widen(&advice->predicted_ns, ns / 2, run_subject__wall(subject, forks));
	return true;
}
