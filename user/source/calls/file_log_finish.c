// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "source/calls/file_log.h"
#include "source/calls/file_log_state.h"

static struct group_files *group_of(struct file_log *log, uint32_t number)
{
	while (log->group_count <= number) {
		log->groups = checked_grow(log->groups, log->group_count, sizeof(*log->groups));
		log->groups[log->group_count++] = (struct group_files){ 0 };
	}
	return &log->groups[number];
}

/* Half of the room is left to those that live, and to groups. */
enum { KEPT_MOST = ENTRIES_MOST / 2 };

/* Keeps the rows of a process as its own. False: there is no room for them. */
static bool keep(struct file_log *log, struct stream_process *process, uint32_t group)
{
	size_t count = 0;

	for (const struct file_entry *at = process->files; at; at = at->sibling)
		count++;
	if (count > KEPT_MOST - log->kept) {
		log->processes_left_out++;
		return false;
	}
	log->kept += count;
	log->processes = checked_grow(log->processes, log->process_count, sizeof(*log->processes));
	log->processes[log->process_count++] = (struct process_files){ process->id, group, process->files };
	process->files = NULL;
	return true;
}

void file_log__exit(struct file_log *log, struct stream_process *process, uint32_t group)
{
	struct group_files *to = group_of(log, group);

	file_searches__end(&log->searches, process);
	file_searches__move(&log->searches, &process->found, &to->searches);
	if (!log->by_process || !process->files || !keep(log, process, group))
		file_entries__move(&log->entries, &process->files, &to->files, owner_of_group(group));
}

static int by_calls(const void *left, const void *right)
{
	const struct file_error *a = left, *b = right;

	if (a->calls != b->calls)
		return a->calls < b->calls ? 1 : -1;
	return a->number - b->number;
}

/* In run.groups, of a group by its number. */
static uint32_t position_of(uint32_t number, const uint32_t *positions, uint32_t count)
{
	return number < count ? positions[number] : NO_GROUP;
}

static void add_row(const struct file_log *log, struct files *files, uint32_t group,
		    uint64_t process, struct file_entry *entry)
{
	const char *text = path_table__text(log->paths, entry->object);
	struct file_row *row;

	files->rows = checked_grow(files->rows, files->row_count, sizeof(*files->rows));
	row = &files->rows[files->row_count++];
	*row = (struct file_row){
		.path = text ? checked_strdup(text) : NULL,
		.kind = path_table__kind(log->paths, entry->object),
		.group = group,
		.process = process,
		.openers = entry->openers,
		.opened_ns = entry->opened_ns,
		.errors = entry->errors,
		.error_count = entry->error_count,
	};
	entry->errors = NULL;
	entry->error_count = 0;
	memcpy(row->uses, entry->uses, sizeof(row->uses));
	memcpy(row->by_ldso, entry->by_ldso, sizeof(row->by_ldso));
	if (row->error_count)
		qsort(row->errors, row->error_count, sizeof(*row->errors), by_calls);
	if (row->kind == FILE_OTHERS)
		files->paths_left_out += file_row__calls(row);
}

static void add_search(const struct file_log *log, struct files *files, uint32_t group,
		       const struct search_entry *entry)
{
	const char *first = path_table__text(log->paths, entry->first);
	const char *found = entry->found ? path_table__text(log->paths, entry->found) : NULL;

	files->searches = checked_grow(files->searches, files->search_count, sizeof(*files->searches));
	files->searches[files->search_count++] = (struct file_search){
		.name = checked_strdup(text__file_name(first)),
		.first = checked_strdup(first),
		.found = found ? checked_strdup(found) : NULL,
		.group = group,
		.actor = entry->actor,
		.failures = entry->failures,
		.times = entry->times,
	};
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int rows_in_order(const void *left, const void *right)
{
	const struct file_row *a = left, *b = right;
	int order = compare(a->group, b->group);

	if (!order)
		order = compare(a->process, b->process);
	if (!order)
		order = -compare(file_row__calls(a), file_row__calls(b));
	if (!order)
		order = compare(a->kind, b->kind);
	return order || !a->path ? order : strcmp(a->path, b->path);
}

static int searches_in_order(const void *left, const void *right)
{
	const struct file_search *a = left, *b = right;
	int order = compare(a->group, b->group);

	if (!order)
		order = -compare(a->failures * a->times, b->failures * b->times);
	return order ? order : strcmp(a->first, b->first);
}

static void add_processes(const struct file_log *log, struct files *files, const uint32_t *positions, uint32_t count)
{
	for (size_t i = 0; i < log->process_count; i++) {
		const struct process_files *process = &log->processes[i];

		for (struct file_entry *at = process->files; at; at = at->sibling)
			add_row(log, files, position_of(process->group, positions, count), process->process, at);
	}
	files->processes_left_out = log->processes_left_out;
}

struct files *file_log__finish(struct file_log *log, const uint32_t *positions, uint32_t count)
{
	struct files *files = checked_calloc(1, sizeof(*files));

	add_processes(log, files, positions, count);
	for (uint32_t i = 0; i < log->group_count; i++) {
		uint32_t group = position_of(i, positions, count);

		for (struct file_entry *at = log->groups[i].files; at; at = at->sibling)
			add_row(log, files, group, 0, at);
		for (struct search_entry *at = log->groups[i].searches; at; at = at->sibling)
			add_search(log, files, group, at);
	}
	files->by_actor = !log->actors_unknown;
	files->searches_left_out = log->searches.left_out;
	if (files->row_count)
		qsort(files->rows, files->row_count, sizeof(*files->rows), rows_in_order);
	if (files->search_count)
		qsort(files->searches, files->search_count, sizeof(*files->searches), searches_in_order);
	return files;
}
