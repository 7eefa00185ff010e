/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One value of a table. It knows its kind, so that people and programs each get it in their own
 * form. Texts may hold any bytes: renderers make them safe. A table owns the cells put into it.
 */
#ifndef FORKTAX_FORMAT_CELL_H
#define FORKTAX_FORMAT_CELL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/quantity.h"

enum cell_kind {
	CELL_BLANK, /* does not apply here */
	CELL_ABSENT, /* not known, not counted: "-" */
	CELL_TEXT,
	CELL_COUNT,
	CELL_NUMBER,
	CELL_ESTIMATE, /* a number with its interval, or with extremes */
};

enum {
	DECIMALS_ALL = -1, /* as many as a double has */
	DECIMALS_UNLESS_WHOLE = -2, /* two, or none where all of the column are whole */
};

/* How people read a number that has as many decimals as all others of its column. */
enum cell_form {
	FORM_ALONE, /* not so: it reads as `text`, or has `decimals` */
	FORM_VALUE, /* "12.3" */
	FORM_SIGNED, /* "+12.3" */
	FORM_RANGE, /* "12.3 (11.9..13.0)", or without bounds */
	FORM_BOUNDS, /* "11.9..13.0" */
};

struct cell {
	enum cell_kind kind;
	enum cell_form form;
	double scale; /* of such a number: the size of its unit */
	const char *before, *after; /* what it reads beside it; NULL: nothing */
	bool is_ratio;
	char *text; /* what people read; NULL: the same as programs */
	char *data; /* of a text: what programs read; NULL: `text` */
	uint64_t count;
	double value, low, high; /* low and high: NAN if there are none */
	int decimals; /* of the value */
};

struct cell cell__blank(void);
struct cell cell__absent(void);
struct cell cell__text(const char *text); /* a copy; NULL or "": blank */
/* The following take ownership of their texts. */
struct cell cell__own(char *text);
struct cell cell__names(char *text, char *data); /* short for people, whole for programs */
struct cell cell__count(uint64_t count); /* ABSENT (UINT64_MAX): not known */
struct cell cell__count_unless_zero(uint64_t count); /* 0: blank */
struct cell cell__number(double value, int decimals); /* NAN: not known */
/* Programs get all digits, and the bounds unless these are NAN. Value NAN: not known. */
struct cell cell__estimate(double value, double low, double high);
/* People read `text` instead. */
struct cell cell__said(struct cell cell, char *text);
/* The same, of what is known. */
struct cell cell__worded(struct cell cell, struct number_text words);
/* People read the number, if it is known, in that unit and with the decimals of its column. */
struct cell cell__in(struct cell cell, enum cell_form form, struct unit unit);
/* The same of a ratio, with texts around it that outlive the cell: "x 1.036*". */
struct cell cell__as_ratio(struct cell cell, enum cell_form form, const char *before, const char *after);
void cell__free(struct cell *cell); /* its contents */
bool cell__is_known(const struct cell *cell); /* neither blank nor absent */
bool cell__is_zero(const struct cell *cell); /* of a number: it and its bounds, if it has any */

void cell__see(const struct cell *cell, struct decimals *decimals); /* what of it needs decimals of the column */

/* What people and what programs read; to be freed. Programs read an estimate as three fields. */
char *cell__reading(const struct cell *cell, int decimals); /* of the column */
enum cell_field { CELL_VALUE, CELL_LOW, CELL_HIGH, CELL_FIELD_COUNT };
char *cell__data(const struct cell *cell, enum cell_field field);

#endif
