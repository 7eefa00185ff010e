// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/run/file_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static int by_name(const void *left, const void *right)
{
	const struct file_row *a = left, *b = right;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->path && b->path ? strcmp(a->path, b->path) : 0;
}

static int descending(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int by_calls(const void *left, const void *right)
{
	int order = descending(file_row__calls(left), file_row__calls(right));

	return order ? order : by_name(left, right);
}

static int errors_by_calls(const void *left, const void *right)
{
	const struct file_error *a = left, *b = right;
	int order = descending(a->calls, b->calls);

	return order ? order : a->number - b->number;
}

static void sort_rows(struct file_list *list, int (*order)(const void *, const void *))
{
	if (list->count)
		qsort(list->rows, list->count, sizeof(*list->rows), order);
}

static struct file_row copy_of(const struct file_row *row)
{
	struct file_row copy = *row;

	copy.errors = checked_calloc(row->error_count, sizeof(*copy.errors));
	if (row->error_count)
		memcpy(copy.errors, row->errors, row->error_count * sizeof(*copy.errors));
	return copy;
}

static void add_row(struct file_row *sum, const struct file_row *more)
{
	for (int use = 0; use < FILE_USE_COUNT; use++) {
		file_counts__add(&sum->uses[use], &more->uses[use]);
		file_counts__add(&sum->by_ldso[use], &more->by_ldso[use]);
	}
	for (size_t i = 0; i < more->error_count; i++)
		file_errors__add(&sum->errors, &sum->error_count, more->errors[i].number, more->errors[i].calls);
}

/* Adds up neighbours of one name. */
static void merge(struct file_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (kept && !by_name(&list->rows[kept - 1], &list->rows[i])) {
			add_row(&list->rows[kept - 1], &list->rows[i]);
			free(list->rows[i].errors);
		} else {
			list->rows[kept++] = list->rows[i];
		}
	}
	list->count = kept;
	for (size_t i = 0; i < kept; i++)
		qsort(list->rows[i].errors, list->rows[i].error_count, sizeof(*list->rows[i].errors), errors_by_calls);
}

struct file_list file_list__all(const struct files *files)
{
	struct file_list list = { .rows = checked_calloc(files->row_count, sizeof(*list.rows)) };

	for (size_t i = 0; i < files->row_count; i++)
		list.rows[list.count++] = copy_of(&files->rows[i]);
	return list;
}

struct file_list file_list__of_run(const struct files *files)
{
	struct file_list list = file_list__all(files);

	sort_rows(&list, by_name);
	merge(&list);
	sort_rows(&list, by_calls);
	return list;
}

struct file_list file_list__of_group(const struct files *files, uint32_t group)
{
	struct file_list list = { .rows = checked_calloc(files->row_count, sizeof(*list.rows)) };

	for (size_t i = 0; i < files->row_count; i++)
		if (files->rows[i].group == group)
			list.rows[list.count++] = copy_of(&files->rows[i]);
	sort_rows(&list, by_name);
	merge(&list); /* of several processes */
	sort_rows(&list, by_calls);
	return list;
}

struct file_list file_list__of_process(const struct files *files, size_t first)
{
	struct file_list list = { .rows = checked_calloc(files->row_count - first, sizeof(*list.rows)) };

	for (size_t i = first; i < files->row_count; i++) {
		if (files->rows[i].process != files->rows[first].process)
			break;
		list.rows[list.count++] = copy_of(&files->rows[i]);
	}
	sort_rows(&list, by_calls);
	return list;
}

void file_list__free(struct file_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->rows[i].errors);
	free(list->rows);
}
