// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindnow/break_even.h"

#include <math.h>
#include <stdbool.h>

const char *const bindnow_pays_keys[PAYS_COUNT] = {
	[PAYS_UNKNOWN] = "unknown",	  [PAYS_NO_DIFFERENCE] = "no_difference",
	[PAYS_ALWAYS] = "always",	  [PAYS_AFTER] = "after",
	[PAYS_AT_LATEST] = "at_latest", [PAYS_NEVER] = "never",
};

/* More than a machine will ever fork: not worth a number. */
#define CHILDREN_MOST 1e9

/* The first number of children after so many that just make up for the start; 0: none. */
static uint64_t after(double number)
{
	number = floor(fmax(number, 0)) + 1;
	return number > CHILDREN_MOST ? 0 : (uint64_t)number;
}

static enum bindnow_pays judge(const struct estimate *start, const struct estimate *saving)
{
	if (!start->bounded || !saving->bounded)
		return PAYS_UNKNOWN;
	if (saving->low > 0) {
		if (start->high <= 0)
			return PAYS_ALWAYS;
		return start->low > 0 ? PAYS_AFTER : PAYS_AT_LATEST;
	}
	if (saving->low == 0 && saving->high == 0 && start->low == 0 && start->high == 0)
		return PAYS_NO_DIFFERENCE;
	return saving->high <= 0 && start->low > 0 ? PAYS_NEVER : PAYS_UNKNOWN;
}

static bool has_number(const struct break_even *even)
{
	return even->pays == PAYS_AFTER || even->pays == PAYS_AT_LATEST;
}

static void set_children(struct break_even *even, double number, double less, double more)
{
	even->children = after(number);
	even->low = after(number - less);
	even->high = after(number + more);
}

struct break_even break_even__of(struct estimate start, struct estimate saving)
{
	struct break_even even = { .start = start, .saving = saving, .pays = judge(&start, &saving) };
	const double number = start.value / saving.value;

	if (has_number(&even))
		set_children(&even, number,
			     hypot(start.value - start.low, number * (saving.high - saving.value)) / saving.value,
			     hypot(start.high - start.value, number * (saving.value - saving.low)) / saving.value);
	return even;
}

static struct estimate saving_of(const struct estimate *start, const struct estimate *whole, double children)
{
	const double value = start->value - whole->value;
	const struct estimate all = {
		.known = start->known && whole->known,
		.bounded = start->bounded && whole->bounded,
		.value = value,
		.low = value - hypot(start->value - start->low, whole->high - whole->value),
		.high = value + hypot(start->high - start->value, whole->value - whole->low),
	};

	return estimate__divide(all, children);
}

struct break_even break_even__of_whole(struct estimate start, struct estimate whole, double children)
{
	const struct estimate saving = saving_of(&start, &whole, children);
	struct break_even even = { .start = start, .saving = saving, .untraced = true, .pays = judge(&start, &saving) };
	const double number = start.value / saving.value;
	const bool is_paid = saving.bounded && whole.high < 0; /* by that many, whatever the start costs */

	if (is_paid && even.pays == PAYS_UNKNOWN)
		even.pays = PAYS_AT_LATEST;
	/* A start that costs more leaves children that save more. */
	if (has_number(&even))
		set_children(&even, number,
			     hypot(number - children * start.low / (start.low - whole.value),
				   number - children * start.value / (start.value - whole.low)),
			     hypot(children * start.high / (start.high - whole.value) - number,
				   children * start.value / (start.value - whole.high) - number));
	if (is_paid && has_number(&even) && (!even.high || (double)even.high > children))
		even.high = (uint64_t)children;
	return even;
}
