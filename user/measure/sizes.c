// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/sizes.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

static const char suffixes[] = "KMGT";

/* The factor of a suffix; 0: no suffix. */
static double factor_of(const char *suffix)
{
	const char *found;

	if (!*suffix)
		return 1;
	found = strchr(suffixes, *suffix >= 'a' ? *suffix - 'a' + 'A' : *suffix);
	if (!found || suffix[1])
		return 0;
	return ldexp(1, 10 * (found - suffixes + 1));
}

int sizes__one(const char *text, uint64_t max, uint64_t *bytes, char **reason)
{
	size_t digits = strspn(text, "0123456789.");
	autofree char *limit = sizes__text(max);
	char *end;
	double value = digits && *text != '.' ? strtod(text, &end) : -1;

	value = value >= 0 && end == text + digits ? value * factor_of(end) : -1;
	/* A wrong suffix has made it 0. */
	if (value > 0 || (value == 0 && strspn(text, "0") == strlen(text))) {
		if (value <= (double)max) {
			*bytes = value;
			return 0;
		}
	}
	return error__set(reason, "must be a size such as 4096, 512K, 1.7M or 1G, at most %s", limit);
}

char *sizes__text(uint64_t bytes)
{
	int power = 0;

	while (power < 4 && bytes && bytes % 1024 == 0) {
		bytes /= 1024;
		power++;
	}
	if (!power)
		return text__of("%" PRIu64, bytes);
	return text__of("%" PRIu64 "%c", bytes, suffixes[power - 1]);
}

static int add(struct sizes *sizes, uint64_t bytes, char **reason)
{
	if (sizes->count == SIZES_MAX)
		return error__set(reason, "more than %d sizes", SIZES_MAX);
	if (sizes->count && bytes <= sizes->bytes[sizes->count - 1])
		return error__set(reason, "its sizes must ascend");
	sizes->bytes[sizes->count++] = bytes;
	return 0;
}

int sizes__parse(const char *text, uint64_t max, struct sizes *sizes, char **reason)
{
	autofree char *copy = checked_strdup(text);
	char *rest = copy, *word;
	uint64_t bytes;

	*sizes = (struct sizes){ 0 };
	while ((word = strsep(&rest, ",")))
		if (sizes__one(word, max, &bytes, reason) || add(sizes, bytes, reason))
			return -1;
	return 0;
}
