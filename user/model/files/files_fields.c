// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of the files of a run (schema forktax/1), and what it owes to its calls. */
#include <inttypes.h>

#include "base/text.h"
#include "model/files/file_calls.h"
#include "model/run/run_check.h"
#include "model/run/run_fields.h"

/* Calls of the run that use files in this way; each is in one row. */
static uint64_t calls_of_run(const struct run *run, enum file_use use)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < run->table.count; i++) {
		const struct syscall_row *row = &run->table.rows[i];
		const struct file_call *call = row->name ? file_call__find(row->name) : NULL;

		if (call && (call->use == use || (use == FILE_WRITTEN && call->written)))
			sum += syscall_row__sum(row->calls);
	}
	return sum;
}

char *files__contradiction(const struct run *run)
{
	/* Of calls for two paths both are changed; and a mapping may be one of no file. */
	static const enum file_use uses[] = { FILE_LOOKED_AT, FILE_OPENED, FILE_READ, FILE_WRITTEN, FILE_EXECUTED };

	if (!run->files || run->files->missed || !integrity__is_exact(&run->integrity))
		return NULL;
	for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
		uint64_t calls = calls_of_run(run, uses[i]), files = files__calls(run->files, uses[i]);

		if (calls != files)
			return text__of("files were %s in %" PRIu64 " calls, but the run has %" PRIu64 " such calls",
					file_use_keys[uses[i]], files, calls);
	}
	return NULL;
}

static const char *const searcher_keys[] = {
#define COUNTER(id, key, ...) key,
#include "actors.def"
#undef COUNTER
	"unknown",
};
_Static_assert(sizeof(searcher_keys) / sizeof(searcher_keys[0]) == ACTOR_COUNT + 1, "the last is not known");

static const struct words use_words = WORDS_OF(file_use_keys);
static const struct words kind_words = WORDS_OF(file_kind_keys);
static const struct words searcher_words = WORDS_OF(searcher_keys);

static char *counts_law(const struct scope *scope)
{
	const struct file_counts *counts = scope->self;

	return counts->errors > counts->calls ? text__of("%s: more errors than calls", scope->key) : NULL;
}

#define S struct file_counts
static const struct field file_counts_fields[] = {
	COUNT("calls", calls),
	COUNT("errors", errors),
	COUNT("bytes", bytes),
};
static const struct shape file_counts_shape = SHAPE_OF(file_counts, .law = counts_law,
	.note = "calls that used a file in one way; bytes: read, written or mapped");
static const struct field use_counts = {
	.kind = FIELD_OBJECT, .shape = &file_counts_shape, .omitted = true,
};
#undef S

#define S struct file_error
static const struct field file_error_fields[] = {
	INTEGER("errno", number, 1, 4095),
	COUNT("calls", calls),
};
static const struct shape file_error_shape = SHAPE_OF(file_error);
#undef S

static const struct files *files_of(const struct scope *scope)
{
	return ((const struct run *)scope__root(scope))->files;
}

static bool tells_actors(const struct scope *scope)
{
	return files_of(scope)->by_actor;
}

/* What the dynamic linker did is a part of what was done. */
static bool is_part(const struct file_row *row)
{
	for (int use = 0; use < FILE_USE_COUNT; use++)
		if (!file_counts__are_part(&row->by_ldso[use], &row->uses[use]))
			return false;
	return true;
}

static char *row_law(const struct scope *scope)
{
	const struct file_row *row = scope->self;
	uint64_t errors = 0;

	for (size_t i = 0; i < row->error_count; i++)
		errors += row->errors[i].calls;
	if (errors != file_row__errors(row))
		return text__of("errors by errno do not add up to the errors of the uses of a file");
	if (!is_part(row))
		return text__of("the dynamic linker has more uses of a file than the whole process");
	return (row->kind == FILE_NAMED || row->kind == FILE_DESCRIPTOR) == !!row->path
		       ? NULL
		       : text__of("\"path\" and \"kind\" of a file contradict each other");
}

#define S struct file_row
static const struct field file_row_fields[] = {
	TEXT("path", path, NULLABLE, .note = "for a descriptor, its number"),
	KEY("kind", kind, kind_words),
	INDEX("group", group, run__groups, NULLABLE, .note = "index into groups; null: the roots"),
	COUNT("process", process, .omitted = true,
	      .note = "id; left out: the sum of those processes of the group that have no rows of "
		      "their own"),
	MAP("uses", uses, use_words, use_counts, .closed = true, .note = "uses that did not occur are left out"),
	MAP("by_ldso", by_ldso, use_words, use_counts, .closed = true, .when = tells_actors,
	    .note = "of these, uses by the dynamic linker"),
	LIST("errors", errors, error_count, file_error_shape),
};
static const struct shape file_row_shape = SHAPE_OF(file_row, .law = row_law,
	.note = "what the processes of one group, or one process, did with one file");
#undef S

#define S struct file_search
static const struct field file_search_fields[] = {
	TEXT("name", name),
	TEXT("first", first, .note = "the path that was tried first"),
	TEXT("found", found, NULLABLE, .note = "path; null: nowhere"),
	INDEX("group", group, run__groups, NULLABLE, .note = "index into groups; null: the roots"),
	KEY("actor", actor, searcher_words),
	COUNT("failures", failures, .note = "misses: paths that did not exist, each time"),
	COUNT("times", times),
};
static const struct shape file_search_shape = SHAPE_OF(file_search,
	.note = "a name that was searched for in several directories");
#undef S

#define S struct files
static const struct field files_fields[] = {
	BOOL("by_actor", by_actor),
	COUNT("missed", missed, .note = "calls that could not be recorded"),
	COUNT("paths_left_out", paths_left_out, .note = "calls for paths of kind others"),
	COUNT("searches_left_out", searches_left_out),
	COUNT("processes_left_out", processes_left_out, .omitted = true,
	      .note = "processes whose files are counted only in their group"),
	LIST("rows", rows, row_count, file_row_shape, .lines = true),
	LIST("searches", searches, search_count, file_search_shape, .lines = true),
	{ .kind = FIELD_MEMORY, .place = offsetof(S, waits) },
};
const struct shape files_shape = SHAPE_OF(files,
	.note = "files that were searched for, opened, read, written, mapped or executed");
#undef S
