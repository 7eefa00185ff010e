/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Numbers as people type them, and as they read them. What is typed has to be a
 * number as a whole: no blanks, no sign, no hex, no "1e3abc"; what strtoul() and strtod() tolerate
 * is a typing error here.
 */
#ifndef FORKTAX_BASE_NUMBER_H
#define FORKTAX_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal digits, a number in least..most. Otherwise false, and nothing is stored. */
bool number__whole(const char *text, uint64_t least, uint64_t most, uint64_t *number);
/* Decimal, finite, >= 0. Otherwise false, and nothing is stored. */
bool number__decimal(const char *text, double *number);

/*
 * A finite number with three digits, or all digits if it is whole: "9", "1.95", "-28.1", "826".
 * Returned by value, so that number__rounded(x).text can be an argument of printf.
 */
struct number_text {
	char text[320]; /* the largest double has 309 digits; room for a sign and a unit */
};
struct number_text number__rounded(double value);
/* For numbers that stand together: the decimals of one of them, and whether another needs any. */
int number__decimals(double value);
bool number__is_whole(double value, int decimals);
struct number_text number__fixed(double value, int decimals); /* never "-0.0" */
/* The noun that goes with the rounded number: "1 page", "1.95 pages". */
const char *number__plural(double value, const char *one, const char *many);

#endif
