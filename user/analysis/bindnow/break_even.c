// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindnow/break_even.h"

#include <math.h>

const char *const bindnow_pays_keys[PAYS_COUNT] = {
	[PAYS_UNKNOWN] = "unknown",	  [PAYS_NO_DIFFERENCE] = "no_difference",
	[PAYS_ALWAYS] = "always",	  [PAYS_AFTER] = "after",
	[PAYS_AT_LATEST] = "at_latest", [PAYS_NEVER] = "never",
};

/* More than a machine will ever fork: not worth a number. */
#define CHILDREN_MOST 1e9

/* The first number of children whose savings exceed the extra cost of the start; 0: none. */
static uint64_t children(double start, double saving)
{
	double number;

	if (saving <= 0)
		return 0;
	number = floor(fmax(start, 0) / saving) + 1;
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

struct break_even break_even__of(struct estimate start, struct estimate saving)
{
	struct break_even result = { .start = start, .saving = saving };

	result.pays = judge(&start, &saving);
	if (result.pays != PAYS_AFTER && result.pays != PAYS_AT_LATEST)
		return result;
	result.children = children(start.value, saving.value);
	result.low = children(start.low, saving.high);
	result.high = children(start.high, saving.low);
	return result;
}
