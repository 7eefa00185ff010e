// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/advice/advice_order.h"

#include <math.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "model/anatomy/anatomy.h"
#include "model/start/start.h"

static const struct advice_about about_forks = {
	.rows_title = "Advice: saved per fork, best first; savings do not add up",
	.groups_title = "Advice: saved per fork, the best for all forks first; savings do not add up",
	.text_title = "Advice: what it saves per child and fork (interval)",
	.counted = "fault",
	.by_groups = true,
	.per = "fork",
	.saving = "time",
	.section = "advice",
};
static const struct advice_about about_start = {
	.rows_title = "Advice: saved per start, best first; savings do not add up",
	.text_title = "Advice: what it saves per start (interval)",
	.counted = "call",
	.per = "start",
	.saving = "time",
	.section = "advice",
};
static const struct advice_about about_run = {
	.rows_title = "Advice: saved of the run, best first; savings do not add up",
	.text_title = "Advice: what it saves of the run (interval)",
	.counted = "time",
	.of_run = true,
	.per = "run",
	.saving = "time",
	.section = "advice",
};
static const struct advice_about about_pool = {
	.rows_title = "Advice: saved of the pool's anonymous memory, not tried; savings do not add up",
	.text_title = "Advice: what it may save of the pool's anonymous memory",
	.counted = "page",
	.saving = "memory",
	.section = "advice",
};

bool advice__is_measured(const struct advice *advice)
{
	return advice->measured_ns.known || advice->measured_faults.known;
}

bool advice__lacks_quiet_runs(const struct advice *advice)
{
	return advice->measured_ns.known && estimate__shows(&advice->measured_ns, 0) == SHOWN_UNKNOWN;
}

const struct estimate *advice__saving(const struct advice *advice)
{
	if (!advice->measured_ns.known || (advice__lacks_quiet_runs(advice) && advice->predicted_ns.known))
		return &advice->predicted_ns;
	return &advice->measured_ns;
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

/* Advice of several groups: by what it saves in all. */
struct weighed {
	const struct advice *advice;
	double children;
	bool measured, failed; /* failed: its trial showed no saving */
	size_t place; /* as saved: for equals */
};

/*
 * With an interval that holds 0, or without one, nobody knows that it saves time, whatever faults it saves. Where no
 * time was measured, the faults decide.
 */
static bool has_failed(const struct advice *advice)
{
	const struct estimate *faults = &advice->measured_faults;
	const enum shown time = estimate__shows(&advice->measured_ns, 0);

	if (!advice->measured_ns.known && faults->known)
		return faults->value <= 0 || estimate__shows(faults, 0) == SHOWN_NOTHING;
	if (advice__lacks_quiet_runs(advice))
		return !advice->predicted_ns.known;
	return time == SHOWN_NOTHING || time == SHOWN_LESS;
}

double advice_order__bytes(const struct advice *advice)
{
	return advice->predicted_bytes.bounded ? advice->predicted_bytes.high : advice->predicted_bytes.high / 2;
}

static double saving_of(const struct weighed *one)
{
	const struct advice *advice = one->advice;

	if (advice->predicted_bytes.known)
		return advice_order__bytes(advice);
	return one->children * value_of(advice__saving(advice));
}

static int compare(const void *left, const void *right)
{
	const struct weighed *a = left, *b = right;
	int order = a->failed - b->failed;

	if (!order)
		order = descending(saving_of(a), saving_of(b));
	if (!order)
		order = b->measured - a->measured;
	if (!order)
		order = descending(value_of(&a->advice->measured_faults), value_of(&b->advice->measured_faults));
	return order ? order : (a->place > b->place) - (a->place < b->place);
}

double advice_order__times(const struct advice_order *order, const struct advice *advice)
{
	const struct run *run = order->run;
	double children = run && !order->about->of_run && advice->group < run->group_count
				  ? (double)group__children(&run->groups[advice->group])
				  : 1;

	return fmax(children, 1);
}

static void put_in_order(struct advice_order *order, const struct advice *advice)
{
	autofree struct weighed *weighed = checked_calloc(order->count, sizeof(*weighed));

	order->list = checked_calloc(order->count, sizeof(*order->list));
	for (size_t i = 0; i < order->count; i++)
		weighed[i] = (struct weighed){ &advice[i], advice_order__times(order, &advice[i]),
					       advice__is_measured(&advice[i]), has_failed(&advice[i]), i };
	if (order->count)
		qsort(weighed, order->count, sizeof(*weighed), compare);
	for (size_t i = 0; i < order->count; i++) {
		order->list[i] = weighed[i].advice;
		order->useful += !weighed[i].failed;
	}
}

bool advice_order__has_groups(const struct advice_order *order)
{
	for (size_t i = 1; i < order->count; i++)
		if (order->list[i]->group != order->list[0]->group)
			return true;
	return false;
}

const char *advice_order__title(const struct advice_order *order)
{
	const struct advice_about *about = order->about;

	return about->groups_title && advice_order__has_groups(order) ? about->groups_title : about->rows_title;
}

struct advice_order advice_order__of_forks(const struct run *run)
{
	struct advice_order order = { &about_forks, run, .count = run->anatomy->advice_count };

	put_in_order(&order, run->anatomy->advice);
	return order;
}

struct advice_order advice_order__of_start(const struct run *run)
{
	struct advice_order order = { &about_start, run, .count = run->start->advice_count };

	put_in_order(&order, run->start->advice);
	return order;
}

struct advice_order advice_order__of_run(const struct run *run)
{
	struct advice_order order = { &about_run, run, .count = run->advice_count };

	put_in_order(&order, run->advice);
	return order;
}

struct advice_order advice_order__of_pool(const struct workers *workers)
{
	struct advice_order order = { &about_pool, NULL, .count = workers->advice_count };

	put_in_order(&order, workers->advice);
	return order;
}

void advice_order__free(struct advice_order *order)
{
	free(order->list);
}
