// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/summary_table.h"

#include <ctype.h>
#include <string.h>

#include "base/number.h"
#include "source/strace/log_line.h"

enum { COLUMN_OTHER, COLUMN_CALLS, COLUMN_ERRORS, COLUMN_NAME };

static const struct {
	const char *heading;
	int column;
} headings[] = {
	{ "% time", COLUMN_OTHER },   { "seconds", COLUMN_OTHER }, { "usecs/call", COLUMN_OTHER },
	{ "shortest", COLUMN_OTHER }, { "longest", COLUMN_OTHER }, { "calls", COLUMN_CALLS },
	{ "errors", COLUMN_ERRORS },  { "syscall", COLUMN_NAME },
};

static const char *skip_heading(const char *at, int *column)
{
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++) {
		size_t length = strlen(headings[i].heading);

		if (!strncmp(at, headings[i].heading, length) && (!at[length] || at[length] == ' ')) {
			*column = headings[i].column;
			return at + length;
		}
	}
	return NULL;
}

/* "% time     seconds  usecs/call     calls    errors syscall" */
static bool read_headings(struct summary_table *table, const char *line)
{
	int columns[SUMMARY_COLUMNS_MOST], count = 0;
	bool has_calls = false, has_name = false, has_errors = false;

	for (const char *at = line + strspn(line, " "); *at; at += strspn(at, " ")) {
		if (count == SUMMARY_COLUMNS_MOST)
			return false;
		at = skip_heading(at, &columns[count]);
		if (!at)
			return false;
		has_calls |= columns[count] == COLUMN_CALLS;
		has_errors |= columns[count] == COLUMN_ERRORS;
		has_name |= columns[count] == COLUMN_NAME;
		count++;
	}
	if (!has_calls || !has_name)
		return false;
	memcpy(table->columns, columns, sizeof(columns));
	table->column_count = count;
	table->has_errors = has_errors;
	table->in_rows = false;
	return true;
}

/* "System call usage summary for 32 bit mode:" */
static bool read_mode(struct summary_table *table, const char *line)
{
	static const char before[] = "System call usage summary for ";
	int abi;

	if (strncmp(line, before, strlen(before)) != 0)
		return false;
	abi = log_line__mode(line + strlen(before));
	table->abi = abi < 0 ? table->abi : (enum abi)abi;
	return true;
}

static bool is_rule(const char *line)
{
	return strstr(line, "------") && !line[strspn(line, " -")];
}

struct row {
	uint64_t calls, errors;
	const char *name;
	size_t name_length;
};

static bool read_count(const char *at, size_t length, uint64_t *count)
{
	char digits[24];

	if (length >= sizeof(digits))
		return false;
	memcpy(digits, at, length);
	digits[length] = '\0';
	return number__whole(digits, 0, UINT64_MAX, count);
}

static bool read_cell(struct row *row, int column, const char *at, size_t length)
{
	switch (column) {
	case COLUMN_CALLS:
		return read_count(at, length, &row->calls);
	case COLUMN_ERRORS:
		return read_count(at, length, &row->errors);
	case COLUMN_NAME:
		row->name = at;
		row->name_length = length;
		return isalnum((unsigned char)*at) || *at == '_';
	default:
		return isdigit((unsigned char)*at);
	}
}

static int count_cells(const char *line)
{
	int count = 0;

	for (line += strspn(line, " "); *line; line += strspn(line, " "), count++)
		line += strcspn(line, " ");
	return count;
}

/* Only the cell of errors may be empty. */
static bool read_row(const struct summary_table *table, const char *line, struct row *row)
{
	int cells = count_cells(line);
	bool lacks_errors = cells == table->column_count - 1;

	*row = (struct row){ 0 };
	if (cells != table->column_count && !lacks_errors)
		return false;
	for (int i = 0; i < table->column_count; i++) {
		size_t length;

		if (lacks_errors && table->columns[i] == COLUMN_ERRORS)
			continue;
		line += strspn(line, " ");
		length = strcspn(line, " ");
		if (!length || !read_cell(row, table->columns[i], line, length))
			return false;
		line += length;
	}
	return true;
}

static void end_table(struct summary_table *table, const struct row *total)
{
	table->is_wrong |= total->calls != table->calls || total->errors != table->errors;
	table->in_rows = false;
	table->column_count = 0;
	table->calls = table->errors = 0;
}

static bool take_row(struct summary_table *table, struct call_kinds *kinds, const char *line)
{
	struct call_kind *kind;
	struct call_sum *sum;
	struct row row;

	if (!read_row(table, line, &row))
		return false;
	if (row.name_length == 5 && !strncmp(row.name, "total", 5)) {
		end_table(table, &row);
		return true;
	}
	kind = call_kinds__find(kinds, row.name, row.name_length, table->abi);
	if (!kind)
		return false;
	sum = kind_counts__of(&table->counts, kind);
	sum->calls += row.calls;
	sum->errors += row.errors;
	table->calls += row.calls;
	table->errors += row.errors;
	return true;
}

bool summary_table__is_heading(const char *line)
{
	struct summary_table table = { 0 };

	return read_headings(&table, line) || read_mode(&table, line);
}

bool summary_table__take(struct summary_table *table, struct call_kinds *kinds, const char *line)
{
	if (read_headings(table, line) || read_mode(table, line))
		return true;
	if (!table->column_count)
		return false;
	if (is_rule(line)) {
		table->was_seen = table->in_rows = true;
		table->lacks_errors |= !table->has_errors;
		return true;
	}
	return table->in_rows && take_row(table, kinds, line);
}

void summary_table__free(struct summary_table *table)
{
	kind_counts__free(&table->counts);
}
