// SPDX-License-Identifier: GPL-2.0-or-later
/* Files, and names that were searched for in many places. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/column.h"
#include "model/words/errno_names.h"
#include "report/cells.h"
#include "report/run/file_list.h"
#include "report/run/run_report.h"
#include "report/words.h"

enum { FILES_USUAL = 10, FILES_BESIDE_LINES = 4, FILES_SHOWN = 20 };
enum { SEARCHES_USUAL = 2, SEARCHES_SHOWN = 10 };

static struct cell file_errors(const void *subject, const void *row, int index)
{
	const struct file_row *file = row;
	char *text = NULL;

	for (size_t i = 0; i < file->error_count; i++) {
		const char *name = errno_name(file->errors[i].number);
		autofree char *number = name ? NULL : text__of("errno %d", file->errors[i].number);

		text__replace(&text, "%s%s%" PRIu64 " %s", text ? text : "", text ? ", " : "",
			      file->errors[i].calls, name ? name : number);
	}
	return text ? cell__own(text) : cell__blank();
}

static struct cell file_calls(const void *subject, const void *row, int index)
{
	return cell__count(file_row__calls(row));
}

static struct cell file_ldso(const void *subject, const void *row, int index)
{
	const struct run *run = subject;
	uint64_t sum = 0;

	if (!run->files->by_actor)
		return cell__absent();
	for (int use = 0; use < FILE_USE_COUNT; use++)
		sum += ((const struct file_row *)row)->by_ldso[use].calls;
	return cell__count_unless_zero(sum);
}

static struct cell file_use(const void *subject, const void *row, int use)
{
	return cell__count_unless_zero(((const struct file_row *)row)->uses[use].calls);
}

static struct cell file_bytes(const void *subject, const void *row, int use)
{
	return cell__count_unless_zero(((const struct file_row *)row)->uses[use].bytes);
}

/* People do not read a path of 4000 characters; its ends tell most. */
static struct cell readable(const char *path)
{
	enum { BEGIN = 80, END = 60 };
	size_t length = strlen(path);

	if (!length)
		return cell__text("\"\"");
	if (length <= BEGIN + END + 40)
		return cell__text(path);
	return cell__names(text__of("%.*s...%s", BEGIN, path, path + length - END), checked_strdup(path));
}

static struct cell file_path(const void *subject, const void *row, int index)
{
	const struct file_row *file = row;

	switch (file->kind) {
	case FILE_DESCRIPTOR:
		return cell__own(text__of("(descriptor %s: what it leads to is not known)", file->path));
	case FILE_UNREADABLE:
		return cell__text("(a path that could not be read)");
	case FILE_OTHERS:
		return cell__text("(other paths)");
	default:
		return readable(file->path ? file->path : "?");
	}
}

static struct cell file_process(const void *subject, const void *row, int index)
{
	return cell__count_unless_zero(((const struct file_row *)row)->process);
}

#define USE(header, which, least) \
	{ header, COLUMN_COUNT, .cell = file_use, .index = which, IF_ANY, .data_always = true, .spare = least }
#define BYTES(header, which, least) \
	{ header, COLUMN_COUNT, .cell = file_bytes, .index = which, IF_ANY, .data_always = true, .spare = least }

static const struct column file_columns[] = {
	{ "of", GROUP_OF(struct file_row, group), .view = VIEW_DATA },
	{ "process", COLUMN_COUNT, .cell = file_process, .view = VIEW_DATA, IF_ANY },
	{ "calls", COLUMN_COUNT, .cell = file_calls },
	{ "ld.so", COLUMN_COUNT, .cell = file_ldso, IF_ANY, .data_always = true },
	USE("stat", FILE_LOOKED_AT, 1),
	USE("opened", FILE_OPENED, 0),
	USE("read", FILE_READ, 3),
	BYTES("bytes read", FILE_READ, 6),
	USE("written", FILE_WRITTEN, 4),
	BYTES("bytes written", FILE_WRITTEN, 7),
	USE("mapped", FILE_MAPPED, 5),
	BYTES("bytes mapped", FILE_MAPPED, 8),
	USE("executed", FILE_EXECUTED, 2),
	USE("changed", FILE_CHANGED, 2),
	{ "errors", COLUMN_TEXT, .cell = file_errors, IF_ANY, .data_always = true },
	{ "file", COLUMN_TEXT, .cell = file_path },
};

static bool has_processes(const struct files *files)
{
	bool has = false;

	for (size_t i = 0; i < files->row_count && !has; i++)
		has = files->rows[i].process;
	return has;
}

/* How many of these a reader gets, who asks for all or not. */
static struct room room_for(const struct report_options *options, struct room unless_all)
{
	struct room room = options->files == FILES_ALL ? room__of(options, SIZE_MAX, SIZE_MAX) : unless_all;

	room.others = room__hint(options, ": --files=all");
	return room;
}

static struct room room_for_files(const struct run *run, const struct report_options *options)
{
	return room_for(options, room__of(options, run->lines ? FILES_BESIDE_LINES : FILES_USUAL, FILES_SHOWN));
}

/* The answer about files, or lines of scripts, leaves groups out, unless they are asked for. */
bool section__unless_files(const struct run *run, const struct report_options *options)
{
	return !(run->files || run->lines) || options->files == FILES_ALL || options->verbose ||
	       options->show[SHOW_GROUPS] || options->formats[TABLE_HTML];
}

/* The answer about files has no table of system calls, unless that was asked for, too. */
bool section__unless_about_files(const struct run *run, const struct report_options *options)
{
	const bool asked = run->timed || options->filter;

	return !run->files || !report__is_brief(options) || asked;
}

/* Frees the list. */
static void show(const struct run *run, struct file_list list, const char *title, struct room room,
		 const struct table_output *output)
{
	struct table *table = table__titled(room__title(&room, title, list.count), checked_strdup("Files"));

	TABLE_COLUMNS(table, file_columns, run);
	table__rule(table);
	for (size_t i = 0; i < list.count && i < room.rows; i++)
		table__add(table, &list.rows[i]);
	table__show(table, output);
	file_list__free(&list);
}

/* A table without rows is not shown. */
static void show_groups(const struct run *run, const struct report_options *options, const struct table_output *output)
{
	for (uint32_t i = 0; i <= run->group_count; i++) {
		const uint32_t group = i < run->group_count ? i : NO_GROUP;
		autofree char *name = names__group(run, group, false), *title = text__of("Files of %s", name);

		show(run, file_list__of_group(run->files, group), title, room_for_files(run, options), output);
	}
}

static char *title_of_process(const struct run *run, uint64_t id)
{
	const struct process *process = run__process(run, id);
	char *title = text__of("Files of process %" PRIu64, id);
	autofree char *images = process ? words__images(run, process, false) : NULL;

	if (images)
		text__replace(&title, "%s: %s", title, images);
	return title;
}

static void show_processes(const struct run *run, const struct report_options *options,
			   const struct table_output *output)
{
	const struct files *files = run->files;

	if (!has_processes(files))
		fputs("\nFiles of single processes were not kept: that takes run --files --show=files,processes.\n",
		      output->stream);
	for (size_t i = 0; i < files->row_count; i++) {
		autofree char *title = NULL;

		if (!files->rows[i].process || (i && files->rows[i].process == files->rows[i - 1].process))
			continue;
		title = title_of_process(run, files->rows[i].process);
		show(run, file_list__of_process(files, i), title, room_for_files(run, options), output);
	}
}

/* People read sums over all groups first, and the groups' own only if they ask for all. */
void report__files(const struct run *run, const struct report_options *options, const struct table_output *output)
{
	if (table_output__view(output) == VIEW_DATA) {
		show(run, file_list__all(run->files), "Files", (struct room){ SIZE_MAX, "" }, output);
		return;
	}
	show(run, file_list__of_run(run->files), "Files", room_for_files(run, options), output);
	if (options->files == FILES_ALL && run->group_count)
		show_groups(run, options, output);
	if (options->show[SHOW_PROCESSES])
		show_processes(run, options, output);
}

static struct cell search_actor(const void *subject, const void *row, int index)
{
	enum actor actor = ((const struct file_search *)row)->actor;

	return actor < ACTOR_COUNT ? cell__text(actor_counters[actor].header) : cell__absent();
}

static struct cell search_first(const void *subject, const void *row, int index)
{
	return readable(((const struct file_search *)row)->first);
}

static struct cell search_found(const void *subject, const void *row, int index)
{
	const struct file_search *search = row;

	return search->found ? readable(search->found) : cell__names(checked_strdup("nowhere"), checked_strdup(""));
}

static const struct column search_columns[] = {
	{ "of", GROUP_OF(struct file_search, group), .view = VIEW_DATA },
	{ "misses", COUNT_OF(struct file_search, failures) },
	{ "times", COUNT_OF(struct file_search, times), .spare = 2 },
	{ "by", COLUMN_TEXT, .cell = search_actor, .spare = 1, IF_ANY, .data_always = true },
	{ "name", TEXT_OF(struct file_search, name), .spare = 3 }, /* the path ends with it */
	{ "first path tried", COLUMN_TEXT, .cell = search_first },
	{ "found", COLUMN_TEXT, .cell = search_found },
};

static int most_failures_first(const void *left, const void *right)
{
	const struct file_search *a = *(const struct file_search *const *)left;
	const struct file_search *b = *(const struct file_search *const *)right;
	uint64_t a_sum = a->failures * a->times, b_sum = b->failures * b->times;

	if (a_sum != b_sum)
		return a_sum < b_sum ? 1 : -1;
	return (a > b) - (a < b);
}

struct table *report__searches(const struct run *run, const struct report_options *options)
{
	const struct files *files = run->files;
	const struct room room = room_for(options, room__of(options, SEARCHES_USUAL, SEARCHES_SHOWN));
	autofree const struct file_search **order = checked_calloc(files->search_count, sizeof(*order));
	struct table *table = table__titled(room__title(&room, "Searches", files->search_count),
					    checked_strdup("Searches"));

	TABLE_COLUMNS(table, search_columns, run);
	table__rule(table);
	for (size_t i = 0; i < files->search_count; i++)
		order[i] = &files->searches[i];
	if (files->search_count)
		qsort(order, files->search_count, sizeof(*order), most_failures_first);
	for (size_t i = 0; i < files->search_count; i++)
		table__add_for(table, i < room.rows ? VIEW_BOTH : VIEW_DATA, order[i]);
	return table;
}
