// SPDX-License-Identifier: GPL-2.0-or-later
/* The book's own figures. */
#include <math.h>
#include <string.h>

#include "measure/spawn/spawn.h"

static const char source[] =
	"Kerrisk, The Linux Programming Interface (2010), table 28-3, quoted from memory and rounded: "
	"not compared with the book";

enum { BOOK_SIZES = 3, BOOK_OPERATIONS = 100000 };

static const double megabytes[BOOK_SIZES] = { 1.7, 2.7, 11.7 };

/* Seconds that 100,000 operations took. */
static const struct book_row {
	enum spawn_method method;
	double seconds[BOOK_SIZES];
} book[] = {
	{ SPAWN_FORK, { 22.3, 26.4, 126.9 } },
	{ SPAWN_VFORK, { 3.5, 3.5, 3.5 } },
	{ SPAWN_CLONE, { 3.0, 3.0, 2.9 } },
	{ SPAWN_FORK_EXEC, { 136, 146, 261 } },
	{ SPAWN_VFORK_EXEC, { 107, 108, 108 } },
};

static int row_named(const struct bench *bench, const char *name)
{
	for (size_t row = 0; row < bench->row_count; row++) {
		if (!strcmp(bench->rows[row].name, name))
			return row;
	}
	return -1;
}

static void add_book_row(struct bench *bench, const struct sweep *sizes, const struct book_row *then)
{
	int row = row_named(bench, spawn_methods[then->method].name);

	for (size_t column = 0; row >= 0 && column < sizes->count; column++) {
		for (int i = 0; i < BOOK_SIZES; i++) {
			if (fabs(sizes->points[column] - megabytes[i] * (1 << 20)) < 4096)
				bench__add_history(bench, row, column, BENCH_METRIC_TIME,
						   then->seconds[i] * 1e9 / BOOK_OPERATIONS,
						   source);
		}
	}
}

void bench_spawn__add_history(struct bench *bench, const struct spawn_settings *settings)
{
	if (settings->untouched || settings->huge)
		return;
	for (size_t i = 0; i < sizeof(book) / sizeof(book[0]); i++)
		add_book_row(bench, &settings->sizes, &book[i]);
}
