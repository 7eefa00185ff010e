// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/series.h"

#include <math.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/run/others.h"

struct series series__by_cpu(const struct series *wall, const double *cpu_ns)
{
	return (struct series){ .values = cpu_ns, .rounds = wall->rounds };
}

/* Marks what disturbed the series; returns how many rounds are marked then. */
static size_t mark_disturbed(const struct series *series, bool *marks, size_t rounds)
{
	const double limit = others__limit(series->others, series->rounds);
	size_t count = 0;

	for (size_t i = 0; i < rounds; i++) {
		marks[i] |= series->others && i < series->rounds && series->others[i] > limit;
		count += marks[i];
	}
	return count;
}

size_t series__disturbed(const struct series *series, const struct series *other)
{
	autofree bool *marks = checked_calloc(series->rounds, sizeof(*marks));
	size_t count = mark_disturbed(series, marks, series->rounds);

	if (other)
		count = mark_disturbed(other, marks, series->rounds);
	return count;
}

/* Do enough undisturbed rounds remain for an interval, or was none disturbed? */
static bool is_enough(size_t disturbed, size_t rounds)
{
	return !disturbed || rounds - disturbed >= STATS_INTERVAL_MIN;
}

/* The rounds that are used: known on both sides and, if enough are quiet, disturbed on neither. */
struct choice {
	double *values[2]; /* to be freed */
	size_t count;
	bool is_quiet;
};

/* Takes the same rounds of both; b may be a. */
static struct choice choose(const struct series *a, const struct series *b)
{
	autofree bool *marks = checked_calloc(a->rounds, sizeof(*marks));
	struct choice choice = { .count = 0 };
	size_t disturbed;

	mark_disturbed(a, marks, a->rounds);
	disturbed = mark_disturbed(b, marks, a->rounds);
	choice.is_quiet = is_enough(disturbed, a->rounds);
	for (int side = 0; side < 2; side++)
		choice.values[side] = checked_calloc(a->rounds, sizeof(double));
	for (size_t i = 0; a->values && b->values && i < a->rounds; i++) {
		if ((choice.is_quiet && marks[i]) || isnan(a->values[i]) || isnan(b->values[i]))
			continue;
		choice.values[0][choice.count] = a->values[i];
		choice.values[1][choice.count++] = b->values[i];
	}
	return choice;
}

static void release(struct choice *choice)
{
	free(choice->values[0]);
	free(choice->values[1]);
}

double *series__values(const struct series *series, size_t *count)
{
	struct choice choice = choose(series, series);

	free(choice.values[1]);
	*count = choice.count;
	return choice.values[0];
}

struct estimate series__median(const struct series *series)
{
	struct choice choice = choose(series, series);
	struct estimate estimate = stats__median_estimate(choice.values[0], choice.count);

	estimate.bounded &= choice.is_quiet;
	release(&choice);
	return estimate;
}

typedef struct estimate compare_fn(const double *a, size_t n, const double *b, size_t m, enum pairing pairing);

static struct estimate compare_rounds(const struct series *a, const struct series *b, compare_fn *compare)
{
	struct choice choice;
	struct estimate estimate;

	if (a->rounds != b->rounds)
		return (struct estimate){ .known = false };
	choice = choose(a, b);
	estimate = compare(choice.values[0], choice.count, choice.values[1], choice.count, PAIRED);
	estimate.bounded &= choice.is_quiet;
	release(&choice);
	return estimate;
}

static struct estimate compare_apart(const struct series *a, const struct series *b, compare_fn *compare)
{
	struct choice left = choose(a, a), right = choose(b, b);
	struct estimate estimate = compare(left.values[0], left.count, right.values[0], right.count, UNPAIRED);

	estimate.bounded &= left.is_quiet && right.is_quiet;
	release(&left);
	release(&right);
	return estimate;
}

struct estimate series__ratio(const struct series *top, const struct series *bottom, enum pairing pairing)
{
	return pairing == PAIRED ? compare_rounds(top, bottom, faster_half__ratio)
				 : compare_apart(top, bottom, faster_half__ratio);
}

struct estimate series__difference(const struct series *left, const struct series *right, enum pairing pairing)
{
	return pairing == PAIRED ? compare_rounds(left, right, faster_half__difference)
				 : compare_apart(left, right, faster_half__difference);
}

void disturbance__add(struct disturbance *disturbance, const struct series *series)
{
	size_t disturbed = series__disturbed(series, NULL);

	if (!series->values)
		return;
	disturbance->all += series->rounds;
	disturbance->disturbed += disturbed;
	disturbance->is_unbounded |= !is_enough(disturbed, series->rounds);
}

/* Of single rounds; for those that take less than 50 ms it is unknown. */
static char *rounds_words(const struct disturbance *disturbance)
{
	if (!disturbance->disturbed)
		return checked_strdup("");
	if (disturbance->is_unbounded)
		return text__of("Other programs had the CPU during %zu of %zu measurements: where "
				"fewer than %d quiet ones are left, all are used, and there is no interval.",
				disturbance->disturbed, disturbance->all, STATS_INTERVAL_MIN);
	return text__of("Other programs had the CPU during %zu of %zu measurements; these are left "
			"out of medians and intervals.",
			disturbance->disturbed, disturbance->all);
}

/* Less than this is the machine's own work. */
static const double busy_least = 0.1;

char *disturbance__words(const struct disturbance *disturbance)
{
	const bool is_busy = disturbance->busy >= busy_least;
	autofree char *rounds = rounds_words(disturbance);

	if (!is_busy)
		return *rounds ? checked_strdup(rounds) : NULL;
	return text__of("Other programs, or what commands have left running, used the CPUs for %.0f %% of the timed "
			"rounds; measure again on a quiet machine.%s%s", 100 * disturbance->busy,
			*rounds ? " " : "", rounds);
}
