// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/quantity.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

const struct unit unit__none = { 1, "" }, unit__us = { 1e3, "us" }, unit__s = { 1e9, "s" };
const struct unit unit__kib = { 0x1p10, "KiB" }, unit__mib = { 0x1p20, "MiB" };

/* A unit, and the least that is written in it: 999.6 us would read "1000 us". */
struct choice {
	struct unit unit;
	double from;
};

static struct unit chosen(const struct choice *choices, size_t count, double value)
{
	while (count > 1 && !(fabs(value) >= choices[count - 1].from))
		count--;
	return choices[count - 1].unit;
}

static const struct choice times[] = {
	{ { 1, "ns" }, 0 },	     { { 1e3, "us" }, 999.5 },
	{ { 1e6, "ms" }, 999.5e3 },  { { 1e9, "s" }, 999.5e6 },
	{ { 60e9, "min" }, 999.5e9 }, { { 3600e9, "h" }, 2 * 3600e9 },
	{ { 86400e9, "d" }, 2 * 86400e9 },
};
enum { TIMES = sizeof(times) / sizeof(times[0]) };

struct unit unit__of_time(double ns)
{
	return chosen(times, TIMES, ns);
}

/* 0: there is none of that name. */
static double size_of_time(const char *name)
{
	for (size_t i = 0; i < TIMES; i++)
		if (!strcmp(name, times[i].unit.name))
			return times[i].unit.size;
	return !*name ? 1e9 : !strcmp(name, "m") ? 60e9 : 0;
}

bool quantity__read_time(const char *text, double *ns)
{
	const size_t length = strspn(text, "0123456789.eE+-");
	const double size = size_of_time(text + length + strspn(text + length, " "));
	char number[64];
	double value;

	if (!size || length >= sizeof(number))
		return false;
	snprintf(number, sizeof(number), "%.*s", (int)length, text);
	if (!number__decimal(number, &value))
		return false;
	*ns = value * size;
	return true;
}

struct unit unit__of_size(double bytes)
{
	static const struct choice choices[] = {
		{ { 1, "B" }, 0 },
		{ { 0x1p10, "KiB" }, 0.9995 * 0x1p10 },
		{ { 0x1p20, "MiB" }, 0.9995 * 0x1p20 },
		{ { 0x1p30, "GiB" }, 0.9995 * 0x1p30 },
		{ { 0x1p40, "TiB" }, 0.9995 * 0x1p40 },
	};

	return chosen(choices, sizeof(choices) / sizeof(choices[0]), bytes);
}

static bool is_known(double value)
{
	return isfinite(value) && value < (double)UINT64_MAX;
}

static const struct number_text unknown = { "-" };

struct number_text quantity__in(double value, struct unit unit)
{
	return is_known(value) ? number__rounded(value / unit.size) : unknown;
}

struct number_text quantity__signed(double value, struct unit unit)
{
	struct number_text number = quantity__in(value, unit);

	if (!is_known(value) || value <= 0 || !strcmp(number.text, "0"))
		return number;
	memmove(number.text + 1, number.text, strlen(number.text) + 1);
	*number.text = '+';
	return number;
}

static struct number_text with_name(struct number_text number, const char *name)
{
	const size_t length = strlen(number.text);

	if (strcmp(number.text, unknown.text))
		snprintf(number.text + length, sizeof(number.text) - length, " %s", name);
	return number;
}

static struct number_text with_unit(double value, struct unit unit)
{
	return with_name(quantity__in(value, unit), unit.name);
}

struct number_text quantity__time(double ns)
{
	return with_unit(ns, unit__of_time(ns));
}

struct number_text quantity__size(double bytes)
{
	return with_unit(bytes, unit__of_size(bytes));
}

struct number_text quantity__count(uint64_t count, const char *one, const char *many)
{
	struct number_text text;

	snprintf(text.text, sizeof(text.text), "%" PRIu64 " %s", count, count == 1 ? one : many);
	return text;
}

struct number_text quantity__percent(double share)
{
	return with_name(is_known(share) ? number__fixed(100 * share, 1) : unknown, "%");
}

struct number_text quantity__share(double part, double whole)
{
	static const double rounded = 1.0005;

	return quantity__percent(whole > 0 && part <= rounded * whole ? part / whole : NAN);
}

static int ratio_decimals(double ratio)
{
	return fabs(ratio) < 1.2 ? 3 : number__decimals(ratio);
}

struct number_text quantity__ratio(double ratio)
{
	return number__fixed(ratio, ratio_decimals(ratio));
}

static char *joined(const struct number_text *value, const struct number_text *low, const struct number_text *high)
{
	return strcmp(low->text, high->text) ? text__of("%s (%s..%s)", value->text, low->text, high->text)
					     : text__of("%s", value->text);
}

/* Those that stand in a range: with the decimals of `value`, or all of them without. */
static int common_decimals(double value, double low, double high)
{
	const int decimals = number__decimals(value);

	return number__is_whole(value, decimals) && number__is_whole(low, decimals) &&
			       number__is_whole(high, decimals) ? 0 : decimals;
}

void decimals__see(struct decimals *decimals, double number)
{
	const double size = fabs(number);
	const bool is_whole = number__is_whole(number, number__decimals(number));

	decimals->most = fmax(decimals->most, size);
	if (size > 0 && (decimals->are_ratios || !is_whole)) /* "4.00 times" is no count */
		decimals->least = decimals->least > 0 ? fmin(decimals->least, size) : size;
}

int decimals__of(const struct decimals *decimals)
{
	const bool is_wide = decimals->most >= 1e4 && decimals->least >= 10;
	const int most = is_wide ? 0 : decimals->most >= 100 ? 1 : decimals->most >= 10 ? 2 : 3;
	const int wanted = decimals->are_ratios ? ratio_decimals(decimals->least) : number__decimals(decimals->least);

	if (!decimals->least)
		return 0;
	return wanted < most ? wanted : most;
}

char *quantity__range(double value, double low, double high, struct unit unit)
{
	const int decimals = common_decimals(value / unit.size, low / unit.size, high / unit.size);
	struct number_text from, to, middle;

	if (!isfinite(low) || !isfinite(high))
		return text__of("%s", quantity__in(value, unit).text);
	middle = number__fixed(value / unit.size, decimals);
	from = number__fixed(low / unit.size, decimals);
	to = number__fixed(high / unit.size, decimals);
	return joined(&middle, &from, &to);
}

char *quantity__ratio_range(double value, double low, double high)
{
	const int decimals = ratio_decimals(value);
	const struct number_text middle = quantity__ratio(value);
	const struct number_text from = number__fixed(low, decimals), to = number__fixed(high, decimals);

	return isnan(low) || isnan(high) ? text__of("%s", middle.text) : joined(&middle, &from, &to);
}

char *quantity__count_range(uint64_t value, uint64_t low, uint64_t high)
{
	return low == high ? text__of("%" PRIu64, value)
			   : text__of("%" PRIu64 " (%" PRIu64 "..%" PRIu64 ")", value, low, high);
}

char *quantity__fixed_bounds(double low, double high, int decimals)
{
	const struct number_text from = number__fixed(low, decimals), to = number__fixed(high, decimals);

	return strcmp(from.text, to.text) ? text__of("%s..%s", from.text, to.text) : text__of("%s", to.text);
}

static bool read_alike(double low, double high, int decimals)
{
	return !strcmp(number__fixed(low, decimals).text, number__fixed(high, decimals).text);
}

/* With the decimals of `high`; where both then read alike, with those of `low`: "99.6..100.0". */
char *quantity__bounds(double low, double high, struct unit unit)
{
	int decimals;

	low /= unit.size;
	high /= unit.size;
	decimals = common_decimals(high, low, high);
	if (read_alike(low, high, decimals))
		decimals = common_decimals(low, low, high);
	return quantity__fixed_bounds(low, high, decimals);
}

char *quantity__ratio_bounds(double low, double high)
{
	return quantity__fixed_bounds(low, high, ratio_decimals(low));
}

char *quantity__count_bounds(uint64_t low, uint64_t high)
{
	return low == high ? text__of("%" PRIu64, high) : text__of("%" PRIu64 "..%" PRIu64, low, high);
}
