// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/unexplained.h"

#include <math.h>
#include <string.h>

#include "analysis/explained.h"
#include "base/text.h"

/* Code and data that lie elsewhere made so much difference in measured programs. */
static const double layout_most = 0.03;

struct sides {
	const struct compare_column *own, *base;
};

static struct sides sides_of(const struct comparison *comparison, size_t column)
{
	return (struct sides){ &comparison->columns[column], &comparison->columns[comparison->baseline] };
}

static bool have_one_path(const struct sides *sides)
{
	return sides->own->path && sides->base->path && !strcmp(sides->own->path, sides->base->path);
}

/* The same program, built to be linked otherwise. */
static bool differ_in_linkage(const struct sides *sides)
{
	const struct elf_facts *own = sides->own->facts, *base = sides->base->facts;

	return own && base && (own->linkage != base->linkage || own->bind_now != base->bind_now) &&
	       !strcmp(text__file_name(sides->own->path), text__file_name(sides->base->path));
}

static bool have_equal_arguments(const struct sides *sides)
{
	char **own = sides->own->command + 1, **base = sides->base->command + 1;

	for (; *own && *base && !strcmp(*own, *base); own++)
		base++;
	return !*own && !*base;
}

static bool is_one_program(const struct sides *sides)
{
	return sides->own != sides->base && sides->own->measurement == sides->base->measurement &&
	       have_equal_arguments(sides) &&
	       (have_one_path(sides) ? sides->own->settings || sides->base->settings : differ_in_linkage(sides));
}

static bool only_faults_differ(const struct comparison *comparison, size_t column)
{
	bool known = false;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if ((row->section == SECTION_SYSCALLS || row->section == SECTION_ERRORS) &&
		    row->moves[column] != MOVE_NONE)
			return false;
		known |= row->section == SECTION_FAULTS && row->moves[column] != MOVE_UNKNOWN;
	}
	return known;
}

bool unexplained__is_asked(const struct comparison *comparison, size_t column)
{
	const struct estimate *ratio = comparison__ratio(comparison, column);
	const struct sides sides = sides_of(comparison, column);

	return estimate__shows(ratio, 1) > SHOWN_NOTHING && fabs(ratio->value - 1) < layout_most &&
	       is_one_program(&sides) && only_faults_differ(comparison, column) &&
	       compare_column__is_exact(sides.own) && compare_column__is_exact(sides.base);
}

static bool sets_ld_so(char *const *settings)
{
	for (; settings && *settings; settings++)
		if (!strncmp(*settings, "LD_", strlen("LD_")))
			return true;
	return false;
}

bool unexplained__may_bind_otherwise(const struct comparison *comparison, size_t column)
{
	const struct sides sides = sides_of(comparison, column);

	return !have_one_path(&sides) || sets_ld_so(sides.own->settings) || sets_ld_so(sides.base->settings);
}

double unexplained__faults(const struct comparison *comparison, size_t column)
{
	double faults = 0;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];
		const struct spread *own = &row->cells[column], *base = &row->cells[comparison->baseline];

		if (row->section == SECTION_FAULTS)
			faults += fmax(own->max - base->min, base->max - own->min);
	}
	return faults;
}

bool comparison__is_unexplained(const struct comparison *comparison, size_t column)
{
	struct estimate difference;

	if (isnan(comparison->columns[column].explained_ns) || !unexplained__is_asked(comparison, column))
		return false;
	difference = comparison__difference(comparison, column);
	return explained__is_exceeded(&difference, comparison->columns[column].explained_ns);
}

enum shown comparison__shows(const struct comparison *comparison, size_t column)
{
	if (comparison__is_unexplained(comparison, column))
		return SHOWN_NOTHING;
	return estimate__shows(comparison__ratio(comparison, column), 1);
}
