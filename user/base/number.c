// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool number__whole(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
	uint64_t value;

	if (!*text || text[strspn(text, "0123456789")])
		return false;
	errno = 0;
	value = strtoull(text, NULL, 10);
	if (errno || value < least || value > most)
		return false;
	*number = value;
	return true;
}

bool number__decimal(const char *text, double *number)
{
	double value;
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return false;
	if (text[strspn(text, "0123456789.eE+-")])
		return false;
	value = strtod(text, &end);
	if (end == text || *end || !isfinite(value))
		return false;
	*number = value;
	return true;
}

int number__decimals(double value)
{
	return fabs(value) >= 100 ? 0 : fabs(value) >= 10 ? 1 : 2;
}

bool number__is_whole(double value, int decimals)
{
	const double scale = pow(10, decimals);

	return value == rint(value) || fmod(rint(value * scale), scale) == 0;
}

struct number_text number__fixed(double value, int decimals)
{
	struct number_text text;

	if (fabs(value) * pow(10, decimals) < 0.5)
		value = 0; /* no "-0" */
	snprintf(text.text, sizeof(text.text), "%.*f", decimals, value);
	return text;
}

struct number_text number__rounded(double value)
{
	const int decimals = number__decimals(value);

	/* "15.0" says no more than "15". */
	return number__fixed(value, number__is_whole(value, decimals) ? 0 : decimals);
}

const char *number__plural(double value, const char *one, const char *many)
{
	return strcmp(number__rounded(value).text, "1") ? many : one;
}
