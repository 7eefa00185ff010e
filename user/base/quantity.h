/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Times, sizes, shares and their ranges, as every screen writes them: with the three digits of
 * number__rounded(), and with the unit that needs no more digits. Texts by value can be arguments
 * of printf. "-": not finite, or UINT64_MAX, which is what is not known.
 */
#ifndef FORKTAX_BASE_QUANTITY_H
#define FORKTAX_BASE_QUANTITY_H

#include "base/number.h"

struct unit {
	double size; /* in ns, or in bytes */
	const char *name;
};
extern const struct unit unit__none, unit__us, unit__s, unit__kib, unit__mib;

struct unit unit__of_time(double ns); /* ns, us, ms, s; of what takes long: min, h, d */
struct unit unit__of_size(double bytes); /* B, KiB, MiB, GiB, TiB */

/* Without its unit, for a column that names it: "12.3", "-0.25"; with a sign: "+12.3", "0". */
struct number_text quantity__in(double value, struct unit unit);
struct number_text quantity__signed(double value, struct unit unit);

struct number_text quantity__time(double ns); /* "12.3 ms" */
/*
 * A time as people type it: a decimal number with a unit as above, with or without a blank between, or m for min; or of
 * seconds. Otherwise false, and nothing is stored.
 */
bool quantity__read_time(const char *text, double *ns);
struct number_text quantity__size(double bytes); /* "8 KiB", "2.56 MiB" */
struct number_text quantity__count(uint64_t count, const char *one, const char *many); /* "1 page", "2 pages" */
struct number_text quantity__percent(double share); /* 0.081: "8.1 %", as columns of % */
/* The same of a part of something; "-" if it is more than the whole: then it is no part of it, but of another count. */
struct number_text quantity__share(double part, double whole);
struct number_text quantity__ratio(double ratio); /* "2.31"; "1.036": near 1 the difference counts */

/*
 * Numbers below each other, which all get as many decimals: those that show three digits of the least that is not
 * whole, but two at most beside a number above 10, and one beside one above 100. Beside one above 10000 two digits
 * of the least do.
 */
struct decimals {
	double least, most; /* without their signs; least 0: all are whole */
	bool are_ratios;
};
void decimals__see(struct decimals *decimals, double number); /* not NAN */
int decimals__of(const struct decimals *decimals);

/* "57 (55..60)"; without bounds if they read alike, or are NAN. To be freed. */
char *quantity__range(double value, double low, double high, struct unit unit);
/* "x 1.036 (1.021..1.052)" without the x. To be freed. */
char *quantity__ratio_range(double value, double low, double high);
/* The same of counts: "28 (27..30)"; "28" if the bounds are alike. To be freed. */
char *quantity__count_range(uint64_t value, uint64_t low, uint64_t high);
/* "55..60"; one number if both read alike. To be freed. */
char *quantity__bounds(double low, double high, struct unit unit);
char *quantity__ratio_bounds(double low, double high);
char *quantity__fixed_bounds(double low, double high, int decimals);
char *quantity__count_bounds(uint64_t low, uint64_t high);

#endif
