// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/cell.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"

struct cell cell__blank(void)
{
	return (struct cell){ .kind = CELL_BLANK };
}

struct cell cell__absent(void)
{
	return (struct cell){ .kind = CELL_ABSENT };
}

struct cell cell__own(char *text)
{
	return (struct cell){ .kind = CELL_TEXT, .text = text };
}

struct cell cell__text(const char *text)
{
	return text ? cell__own(checked_strdup(text)) : cell__blank();
}

struct cell cell__names(char *text, char *data)
{
	return (struct cell){ .kind = CELL_TEXT, .text = text, .data = data };
}

struct cell cell__count(uint64_t count)
{
	if (count == UINT64_MAX)
		return cell__absent();
	return (struct cell){ .kind = CELL_COUNT, .count = count };
}

struct cell cell__count_unless_zero(uint64_t count)
{
	return count ? cell__count(count) : cell__blank();
}

struct cell cell__number(double value, int decimals)
{
	if (isnan(value))
		return cell__absent();
	return (struct cell){ .kind = CELL_NUMBER, .value = value, .decimals = decimals };
}

struct cell cell__estimate(double value, double low, double high)
{
	return (struct cell){ CELL_ESTIMATE, .value = value, .low = low, .high = high, .decimals = DECIMALS_ALL };
}

struct cell cell__said(struct cell cell, char *text)
{
	cell.text = text;
	return cell;
}

struct cell cell__worded(struct cell cell, struct number_text words)
{
	return cell__is_known(&cell) ? cell__said(cell, text__of("%s", words.text)) : cell;
}

struct cell cell__in(struct cell cell, enum cell_form form, struct unit unit)
{
	if (!cell__is_known(&cell))
		return cell;
	cell.form = form;
	cell.scale = unit.size;
	return cell;
}

struct cell cell__as_ratio(struct cell cell, enum cell_form form, const char *before, const char *after)
{
	cell = cell__in(cell, form, unit__none);
	cell.before = before;
	cell.after = after;
	cell.is_ratio = true;
	return cell;
}

void cell__free(struct cell *cell)
{
	free(cell->text);
	free(cell->data);
}

bool cell__is_known(const struct cell *cell)
{
	if (cell->kind == CELL_TEXT)
		return *cell->text;
	return cell->kind >= CELL_COUNT && !(cell->kind == CELL_ESTIMATE && isnan(cell->value));
}

bool cell__is_zero(const struct cell *cell)
{
	if (cell->kind == CELL_COUNT)
		return !cell->count;
	if (cell->kind == CELL_ESTIMATE && (cell->low < 0 || cell->high > 0))
		return false;
	return cell->kind >= CELL_NUMBER && cell->value == 0;
}

static char *written(double value, int decimals)
{
	if (isnan(value))
		return text__of("%s", "");
	if (decimals == DECIMALS_ALL)
		return text__of("%.15g", value);
	return text__of("%s", number__fixed(value, decimals).text);
}

static double number_of(const struct cell *cell)
{
	return (cell->kind == CELL_COUNT ? (double)cell->count : cell->value) / cell->scale;
}

static bool has_bounds(const struct cell *cell)
{
	return cell->kind == CELL_ESTIMATE && !isnan(cell->low) && !isnan(cell->high);
}

/* The decimals of a range are those of its value. */
void cell__see(const struct cell *cell, struct decimals *decimals)
{
	if (cell->form == FORM_ALONE)
		return;
	decimals->are_ratios |= cell->is_ratio;
	if (cell->form != FORM_BOUNDS)
		decimals__see(decimals, number_of(cell));
	if (cell->form == FORM_BOUNDS && has_bounds(cell)) {
		decimals__see(decimals, cell->low / cell->scale);
		decimals__see(decimals, cell->high / cell->scale);
	}
}

/* To be freed. */
static char *number_text(const struct cell *cell, int decimals)
{
	const struct number_text number = number__fixed(number_of(cell), decimals);
	autofree char *bounds =
		has_bounds(cell) ? quantity__fixed_bounds(cell->low / cell->scale, cell->high / cell->scale, decimals)
				 : NULL;

	if (cell->form == FORM_BOUNDS)
		return text__of("%s", bounds ? bounds : "-");
	if (cell->form == FORM_RANGE && bounds && strstr(bounds, ".."))
		return text__of("%s (%s)", number.text, bounds);
	return text__of("%s%s", cell->form == FORM_SIGNED && strtod(number.text, NULL) > 0 ? "+" : "", number.text);
}

char *cell__reading(const struct cell *cell, int decimals)
{
	if (cell->text)
		return checked_strdup(cell->text);
	if (cell->form != FORM_ALONE) {
		autofree char *number = number_text(cell, decimals);

		return text__of("%s%s%s", cell->before ? cell->before : "", number, cell->after ? cell->after : "");
	}
	if (cell->kind == CELL_ESTIMATE)
		return quantity__range(cell->value, cell->low, cell->high, unit__none);
	return cell__data(cell, CELL_VALUE);
}

static char *value_data(const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_ABSENT:
		return text__of("-");
	case CELL_TEXT:
		return checked_strdup(cell->data ? cell->data : cell->text);
	case CELL_COUNT:
		return text__of("%" PRIu64, cell->count);
	case CELL_NUMBER:
	case CELL_ESTIMATE:
		return written(cell->value, cell->decimals);
	default:
		return text__of("%s", "");
	}
}

char *cell__data(const struct cell *cell, enum cell_field field)
{
	if (field == CELL_VALUE)
		return value_data(cell);
	if (cell->kind != CELL_ESTIMATE)
		return text__of("%s", "");
	return written(field == CELL_LOW ? cell->low : cell->high, DECIMALS_ALL);
}
