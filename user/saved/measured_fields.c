// SPDX-License-Identifier: GPL-2.0-or-later
/* Schema forktax-compare/1; docs/schema/schema-compare.md. */
#include "saved/measured.h"

#include <math.h>

#include "analysis/bindnow/bindnow_files.h"
#include "base/text.h"
#include "model/rows/field_rows.h"
#include "model/run/run.h"

static const struct words libc_words = WORDS_OF(elf_libc_keys);
static const struct words linkage_words = WORDS_OF(elf_linkage_keys);
static const struct words relro_words = WORDS_OF(elf_relro_keys);
static const struct words section_words = WORDS_OF(compare_section_keys);
static const struct words way_words = WORDS_OF(bindnow_way_keys);

static const struct measured *measured_of(const struct scope *scope)
{
	return scope__root(scope);
}

static size_t measured_columns(const struct scope *scope)
{
	return measured_of(scope)->column_count;
}

static const void *own_version(const struct scope *scope, union computed *computed)
{
	computed->text = FORKTAX_VERSION;
	return computed;
}

/* Figures. */

static bool is_bounded(const struct scope *scope)
{
	return ((const struct estimate *)scope->self)->bounded;
}

#define S struct estimate
static const struct field estimate_fields[] = {
	MEASURED("value", value),
	MEASURED("low", low, .when = is_bounded),
	MEASURED("high", high, .when = is_bounded),
};
const struct shape estimate_shape = SHAPE_OF(estimate, .note = "a figure with its 95 % interval, which may be null");
#undef S

#define S struct spread
static const struct field spread_fields[] = {
	MEASURED("median", median),
	MEASURED("min", min),
	MEASURED("max", max),
};
static const struct shape spread_shape = SHAPE_OF(spread, .note = "over the traced runs");
#undef S

/* As the value of a computed member. */
static const void *if_known(const struct estimate *estimate)
{
	return estimate->known ? estimate : NULL;
}

#define ESTIMATE(k, function, ...) \
	{ .key = k, .kind = FIELD_OBJECT, .shape = &estimate_shape, .of = function, NULLABLE, \
	  __VA_ARGS__ }

/* What the file of a column states. */

#define S struct elf_library
static const struct field library_fields[] = {
	TEXT("name", name),
	TEXT("path", path, NULLABLE, .note = "null: not found"),
};
static const struct shape library_shape = SHAPE_OF(library);
#undef S

#define S struct elf_facts
static const struct field bind_now_fields[] = {
	BIT("DT_BIND_NOW", bind_now, NOW_BY_TAG),
	BIT("DF_BIND_NOW", bind_now, NOW_BY_FLAGS),
	BIT("DF_1_NOW", bind_now, NOW_BY_FLAGS_1),
};
static const struct shape bind_now_shape = SHAPE_OF(bind_now,
	.note = "which of the three flags for BIND_NOW the file has");

static const struct field file_fields[] = {
	COUNT("size", size, .note = "bytes"),
	COUNT("blocks_kib", blocks, .note = "allocated space, as ls -s shows it"),
	KEY("linkage", linkage, linkage_words),
	KEY("libc", libc, libc_words),
	KEY("relro", relro, relro_words),
	SECTION("bind_now", bind_now_shape),
	INTEGER("bits", bits, 0, 64, .note = "0 if not ELF"),
	INTEGER("type", type, 0, UINT16_MAX, .note = "e_type"),
	INTEGER("machine", machine, 0, UINT16_MAX, .note = "e_machine"),
	BOOL("pie", pie),
	BOOL("stripped", stripped, .note = "no .symtab"),
	BOOL("has_sections", has_sections),
	TEXT("interp", interp, NULLABLE, .note = "the dynamic linker, or what #! names"),
	VALUES("needed", needed, needed_count, text_element, .note = "DT_NEEDED, in order"),
	LIST("libraries", libraries, library_count, library_shape, NULLABLE, OLDER,
	     .flag = offsetof(S, libraries_known),
	     .note = "all that ld.so would load, in its order, without ld.so itself; null: unknown"),
};
static const struct shape file_shape = SHAPE_OF(file, .note = "what the file states");
#undef S

/* What the files of a side of bindnow ask of the dynamic linker. */

#define S struct bindnow_file
static const struct field bound_file_fields[] = {
	TEXT("path", path),
	BOOL("program", is_program, .note = "it is executed; false: a library of an executed file"),
	BOOL("at_start", at_start, .note = "the command loads it when it starts"),
	BOOL("opened", opened, OLDER, .note = "no file asks for it: opened by dlopen(3), or preloaded"),
	KEY("way", way, way_words, .note = "when its functions are bound"),
	COUNT("functions", functions, .note = "of other files, that it binds one by one"),
	TEXT("error", reason, NULLABLE, .note = "why it could not be read"),
};
static const struct shape bound_file_shape = SHAPE_OF(bound_file);
#undef S

#define S struct bindnow_files
static const struct field bound_fields[] = {
	LIST("files", files, count, bound_file_shape, .note = "what the ELF files state"),
	COUNT("files_left_out", left_out, .note = "further executables, which were not read"),
	BOOL("is_secure", is_secure,
	     .note = "the command gains rights when it is executed: ld.so may ignore LD_BIND_NOW"),
};
static const struct shape bound_shape = SHAPE_OF(bound,
	.note = "what the files of the command ask of the dynamic linker");
#undef S

/* Columns. */

static size_t words_of_command(const struct scope *scope)
{
	return text__list_length(((const struct compare_column *)scope->self)->command);
}

static size_t settings_of_column(const struct scope *scope)
{
	return text__list_length(((const struct compare_column *)scope->self)->settings);
}

static bool has_settings(const struct scope *scope)
{
	return ((const struct compare_column *)scope->self)->settings;
}

static size_t column_samples(const struct scope *scope)
{
	return ((const struct compare_column *)scope->self)->sample_count;
}

static const void *column_is_exact(const struct scope *scope, union computed *computed)
{
	computed->flag = compare_column__is_exact(scope->self);
	return computed;
}

#define TIMING(name) \
	static const void *timing_##name(const struct scope *scope, union computed *computed) \
	{ \
		return if_known(&measured_of(scope)->comparison->timings[scope->index].name); \
	}
TIMING(wall)
TIMING(ratio)
TIMING(cpu)
TIMING(cpu_ratio)

static char *column_law(const struct scope *scope)
{
	const struct compare_column *column = scope->self;

	if (column->busy < 0 || column->busy > 1)
		return text__of("\"busy_share\" is outside 0..1");
	if (column->explained_ns < 0)
		return text__of("\"explained_ns\" is not a time");
	for (size_t i = 0; i < column->sample_count; i++) {
		if (column->samples_ns[i] <= 0 || (column->cpu_ns && column->cpu_ns[i] < 0))
			return text__of("\"%s\" lists a value that is not a time",
					column->samples_ns[i] <= 0 ? "samples_ns" : "cpu_samples_ns");
		if (column->others && (column->others[i] < 0 || column->others[i] > 1))
			return text__of("\"others_share\" has a value outside 0..1");
	}
	return NULL;
}

static const struct field time_element = { .kind = FIELD_MEASURED };
static const struct field share_element = { .kind = FIELD_MEASURED, NULLABLE };

#define S struct command_outcome
static const struct field outcome_fields[] = {
	INTEGER("status", status, -1, INT32_MAX, .note = "-1 if a signal ended it"),
	INTEGER("signal", signal, 0, INT32_MAX, .note = "0: none"),
	BOOL("end_varies", varies[OUTCOME_END], .note = "from run to run of this command"),
	COUNT("stdout_bytes", written[0].bytes),
	IDENTITY("stdout_sum", written[0].sum, .note = "FNV-1a of these bytes"),
	BOOL("stdout_varies", varies[OUTCOME_STDOUT]),
	COUNT("stderr_bytes", written[1].bytes),
	IDENTITY("stderr_sum", written[1].sum),
	BOOL("stderr_varies", varies[OUTCOME_STDERR]),
};
static const struct shape outcome_shape = SHAPE_OF(outcome,
	.note = "how the command ended and what it wrote, in a run of its own");
#undef S

#define S struct compare_column
static const struct field column_fields[] = {
	TEXT("label", label, .note = "unique in the comparison"),
	{ .key = "command", .kind = FIELD_LIST, .place = offsetof(S, command),
	  .element = &text_element, .size = sizeof(char *), .length = words_of_command,
	  .note = "argv" },
	{ .key = "settings", .kind = FIELD_LIST, .place = offsetof(S, settings),
	  .element = &text_element, .size = sizeof(char *), .length = settings_of_column, .has = has_settings,
	  .omitted = true, .note = "of the environment: NAME=value, as the command got it" },
	TEXT("path", path, NULLABLE,
	     .note = "of the executable file; null for a column from a saved run"),
	COMPUTED("exact", FIELD_BOOL, column_is_exact,
		 .note = "whether nothing was lost in any of its runs"),
	OBJECT("file", facts, file_shape, .pointer = true, NULLABLE, OLDER),
	TEXT("file_error", facts_reason, NULLABLE, .note = "why the file could not be read"),
	OBJECT("outcome", outcome, outcome_shape, .pointer = true, .omitted = true),
	OBJECT("bound", bound, bound_shape, .pointer = true, .omitted = true),
	VALUES("samples_ns", samples_ns, sample_count, time_element,
	       .note = "wall times of the untraced runs, in the order of the rounds"),
	{ .key = "cpu_samples_ns", .kind = FIELD_LIST, .place = offsetof(S, cpu_ns),
	  .element = &time_element, .size = sizeof(double), .length = column_samples, NULLABLE, OLDER,
	  .law = "the CPU times and wall times of a column are of different runs: \"%s\"",
	  .note = "CPU time of the same runs: of the command and the children that it waited for" },
	{ .key = "others_share", .kind = FIELD_LIST, .place = offsetof(S, others),
	  .element = &share_element, .size = sizeof(double), .length = column_samples, NULLABLE, OLDER,
	  .law = "\"%s\" and the times are of different runs",
	  .note = "of the same runs: the share of the time, 0..1, in which other programs had all "
		  "CPUs; null: the run was too short to tell" },
	MEASURED("busy_share", busy, NULLABLE,
		 .note = "share of the time, 0..1, of all timed rounds together in which other programs had "
			 "all CPUs; null: not known"),
	NUMBER("explained_ns", explained_ns, NULLABLE, .omitted = true,
		 .note = "of a small difference to the baseline, where only a setting or the linkage differs: what the "
			 "faults and look-ups of symbols that differ can take at most"),
	COUNT("measurement", measurement, OLDER,
	      .note = "in which measurement: sample i, and run i, of all columns of one are from its round i"),
	COUNT("seed", seed, OLDER,
	      .note = "of the order in which that measurement ran the columns (FORKTAX_SEED); 0: not known"),
	ESTIMATE("wall_ns", timing_wall, .note = "median of the quiet samples"),
	ESTIMATE("ratio", timing_ratio, .note = "to the baseline, paired by round"),
	ESTIMATE("cpu_ns", timing_cpu),
	ESTIMATE("cpu_ratio", timing_cpu_ratio),
};
static const struct shape column_shape = SHAPE_OF(column, .law = column_law);

static const struct field runs_of_column = {
	.kind = FIELD_LIST, .place = offsetof(S, runs), .count = offsetof(S, run_count),
	.size = sizeof(struct run *), .shape = &run_shape, .pointer = true,
};
#undef S

#define COLUMN_ROWS \
	LIST("columns", columns, column_count, column_shape, .lines = true), \
	{ .key = "runs", .kind = FIELD_LIST, .place = offsetof(S, columns), \
	  .size = sizeof(struct compare_column), .element = &runs_of_column, .borrowed = true, \
	  .lines = true, .length = measured_columns, .law = "\"columns\" and \"%s\" do not match", \
	  .note = "traced runs of each column, as whole saved runs" }

static char *columns_law(const struct measured *measured)
{
	const struct compare_column *columns = measured->columns;

	if (!measured->column_count)
		return text__of("there are no columns");
	/* Of one measurement, sample i of all columns is from round i; those that were saved runs have none. */
	for (size_t i = 1; i < measured->column_count; i++) {
		const struct compare_column *before = &columns[i - 1], *column = &columns[i];

		if (column->measurement == before->measurement && before->sample_count &&
		    column->sample_count && before->sample_count != column->sample_count)
			return text__of("columns have times of different rounds");
	}
	return NULL;
}

/* The comparison. */

static bool has_cell(const struct scope *scope)
{
	return ((const struct compare_row *)scope->self)->cells[scope->index].known;
}

static bool has_ratio(const struct scope *scope)
{
	return ((const struct compare_row *)scope->self)->ratios[scope->index].known;
}

static bool has_ratios(const struct scope *scope)
{
	return ((const struct compare_row *)scope->self)->ratios;
}

static const struct field ratio_element = {
	.kind = FIELD_OBJECT, .shape = &estimate_shape, .has = has_ratio, NULLABLE,
};

static bool is_of_fact(const struct scope *scope)
{
	return ((const struct compare_row *)scope->self)->states;
}

static bool is_in_something(const struct scope *scope)
{
	return ((const struct compare_row *)scope->self)->of;
}

static const struct words move_words = WORDS_OF(compare_move_keys);
static const struct field move_element = { .kind = FIELD_KEY, .words = &move_words };
static const struct field state_element = { .kind = FIELD_TEXT, NULLABLE };

static const struct field cell_element = {
	.kind = FIELD_OBJECT, .shape = &spread_shape, .has = has_cell, NULLABLE,
};

#define S struct compare_row
static const struct field compare_row_fields[] = {
	KEY("section", section, section_words),
	TEXT("key", key),
	{ .key = "cells", .kind = FIELD_LIST, .place = offsetof(S, cells),
	  .element = &cell_element, .size = sizeof(struct spread), .length = measured_columns,
	  .note = "one per column" },
	{ .key = "ratios", .kind = FIELD_LIST, .place = offsetof(S, ratios),
	  .element = &ratio_element, .size = sizeof(struct estimate), .length = measured_columns,
	  .when = has_ratios, .omitted = true,
	  .note = "of times: to the baseline, paired by round; null: unknown" },
	{ .key = "moved", .kind = FIELD_LIST, .place = offsetof(S, moves),
	  .element = &move_element, .size = sizeof(enum compare_move), .length = measured_columns, OLDER,
	  .note = "one per column: does it differ significantly from the baseline?" },
	TEXT("of", of, .when = is_in_something, .omitted = true, .note = "of things: what it is in"),
	{ .key = "states", .kind = FIELD_LIST, .place = offsetof(S, states),
	  .element = &state_element, .size = sizeof(char *), .length = measured_columns,
	  .when = is_of_fact, .omitted = true,
	  .note = "of things: one per column, its state there" },
};
static const struct shape compare_row_shape = SHAPE_OF(compare_row);
#undef S

static const void *compare_rows(const struct scope *scope, union computed *computed)
{
	return &measured_of(scope)->comparison->rows;
}

static size_t compare_row_count(const struct scope *scope)
{
	return measured_of(scope)->comparison->row_count;
}

static const void *deciding_clock(const struct scope *scope, union computed *computed)
{
	computed->text = measured_of(scope)->comparison->by_cpu ? "cpu" : "wall";
	return computed;
}

static char *comparison_law(const struct scope *scope)
{
	const struct measured *measured = scope->self;
	char *wrong = columns_law(measured);

	if (!wrong && measured->baseline >= measured->column_count)
		wrong = text__of("\"baseline\" is %zu, not in 0..%zu", measured->baseline, measured->column_count - 1);
	return wrong;
}

#define S struct measured
static const struct field comparison_fields[] = {
	COMPUTED("version", FIELD_TEXT, own_version, .note = "of the forktax that wrote it"),
	COUNT("baseline", baseline, .note = "index of the column with which times are compared"),
	COMPUTED("clock", FIELD_TEXT, deciding_clock, OLDER,
		 .note = "whose ratios say which column is faster: cpu or wall"),
	{ .key = "rows", .kind = FIELD_LIST, .shape = &compare_row_shape,
	  .size = sizeof(struct compare_row), .of = compare_rows, .length = compare_row_count,
	  .lines = true, .note = "the figures" },
	COLUMN_ROWS,
};
const struct shape comparison_shape = SHAPE_OF(comparison, .law = comparison_law,
	.document = "forktax-compare/1",
	.note = "A saved comparison of forktax, schema forktax-compare/1 (explained in "
		"schema-compare.md)");
#undef S
