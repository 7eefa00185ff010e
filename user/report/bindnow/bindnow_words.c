// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/bindnow/bindnow_words.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/text.h"
#include "report/words.h"

char *bindnow_words__difference(const struct estimate *estimate, bool is_time)
{
	const struct unit unit = is_time ? unit__of_time(estimate->value) : unit__none;
	autofree char *text = words__estimate(estimate, unit);
	const bool is_more = estimate->known && *quantity__signed(estimate->value, unit).text == '+';
	const bool has_unit = is_time && estimate->known;

	return text__of("%s%s%s%s", is_more ? "+" : "", text, has_unit ? " " : "", has_unit ? unit.name : "");
}

static char *ordinal(uint64_t number)
{
	static const char *const endings[] = { "th", "st", "nd", "rd" };
	uint64_t last = number % 10;
	bool teen = number % 100 / 10 == 1;

	if (!number)
		return text__of("any");
	return text__of("%" PRIu64 "%s", number, endings[teen || last > 3 ? 0 : last]);
}

static char *pays_after(const struct break_even *even)
{
	autofree char *value = ordinal(even->children), *low = ordinal(even->low);
	autofree char *high = even->high ? ordinal(even->high) : text__of("never");

	return even->low == even->high ? text__of("pays off from the %s child on", value)
				       : text__of("pays off from the %s child on (%s to %s)", value, low, high);
}

static char *pays_at_latest(const struct break_even *even)
{
	autofree char *high = ordinal(even->high);

	if (!even->high)
		return text__of("pays off, but from which child on is unknown");
	return text__of("pays off from the %s child on%s, because no higher cost of the start is shown", high,
			even->high > 1 ? " at the latest" : "");
}

static char *pays_unknown(const struct break_even *even)
{
	if (!even->start.known || !even->saving.known)
		return text__of("not measured");
	if (!even->start.bounded || !even->saving.bounded)
		return text__of("no break-even, because it needs %d traced runs", STATS_INTERVAL_MIN);
	return text__of("from which child on it pays off is not shown, because the interval of %s holds 0",
			even->saving.low <= 0 && even->saving.high >= 0 ? "the children" : "the start");
}

static char *pays(const struct break_even *even)
{
	switch (even->pays) {
	case PAYS_NO_DIFFERENCE:
		return text__of("costs nothing and saves nothing");
	case PAYS_ALWAYS:
		return text__of("pays off from the 1st child on, because the start costs no more");
	case PAYS_AFTER:
		return pays_after(even);
	case PAYS_AT_LATEST:
		return pays_at_latest(even);
	case PAYS_NEVER:
		return text__of("never pays off, because children save nothing");
	default:
		return pays_unknown(even);
	}
}

char *bindnow_words__break_even(const struct break_even *even, bool is_time)
{
	const struct estimate change = estimate__negate(even->saving);
	autofree char *result = NULL, *start = NULL, *child = NULL;

	if (!even->start.known || !even->saving.known)
		return pays(even);
	result = pays(even);
	start = bindnow_words__difference(&even->start, is_time);
	child = bindnow_words__difference(&change, is_time);
	return text__of("%s. Difference: start %s%s, each child %s%s", result, start, is_time ? " (traced)" : "", child,
			!is_time ? "" : even->untraced ? " (untraced)" : " (traced)");
}
