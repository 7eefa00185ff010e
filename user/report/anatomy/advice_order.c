// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/anatomy/advice_order.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/anatomy.h"
#include "model/start.h"

bool advice__is_measured(const struct advice *advice)
{
	return advice->measured_ns.known || advice->measured_faults.known;
}

/* What cannot be compared comes behind what can. */
static double value_of(const struct estimate *figure)
{
	return figure->known ? figure->value : -INFINITY;
}

static int descending(double a, double b)
{
	return (a < b) - (a > b);
}

/* With an interval that holds 0, nobody knows that it saves time, whatever faults it saves. */
static bool has_failed(const struct advice *advice)
{
	const struct estimate *ns = &advice->measured_ns;

	return advice__saved_nothing(advice) || (ns->known && ns->bounded && ns->low <= 0);
}

/* 0: measured to help, 1: not tried, 2: its trial showed no saving. */
static int rank_of(const struct advice *advice)
{
	return has_failed(advice) ? 2 : !advice__is_measured(advice);
}

/* Advice of several groups: by what it saves in all. */
struct weighed {
	const struct advice *advice;
	double children;
	size_t place; /* as saved: for equals */
};

static int compare(const void *left, const void *right)
{
	const struct weighed *a = left, *b = right;
	const struct advice *x = a->advice, *y = b->advice;
	const bool measured = rank_of(x) != 1;
	int order = rank_of(x) - rank_of(y);

	if (!order)
		order = descending(a->children * value_of(measured ? &x->measured_ns : &x->predicted_ns),
				   b->children * value_of(measured ? &y->measured_ns : &y->predicted_ns));
	if (!order && measured)
		order = descending(value_of(&x->measured_faults), value_of(&y->measured_faults));
	return order ? order : (a->place > b->place) - (a->place < b->place);
}

static double children_of(const struct run *run, const struct advice *advice)
{
	double children = advice->group < run->group_count
				  ? (double)group__children(&run->groups[advice->group])
				  : 1;

	return fmax(children, 1);
}

static struct advice_order order_of(const struct run *run, const struct advice *advice, size_t count)
{
	struct advice_order order = { .count = count };
	struct weighed *weighed = checked_calloc(count, sizeof(*weighed));

	order.list = checked_calloc(count, sizeof(*order.list));
	for (size_t i = 0; i < count; i++)
		weighed[i] = (struct weighed){ &advice[i], children_of(run, &advice[i]), i };
	if (count)
		qsort(weighed, count, sizeof(*weighed), compare);
	for (size_t i = 0; i < count; i++) {
		order.list[i] = weighed[i].advice;
		order.useful += rank_of(order.list[i]) != 2;
	}
	free(weighed);
	return order;
}

struct advice_order advice_order__of_forks(const struct run *run)
{
	return order_of(run, run->anatomy->advice, run->anatomy->advice_count);
}

struct advice_order advice_order__of_start(const struct run *run)
{
	return order_of(run, run->start->advice, run->start->advice_count);
}

void advice_order__free(struct advice_order *order)
{
	free(order->list);
}
