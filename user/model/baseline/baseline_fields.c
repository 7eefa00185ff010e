// SPDX-License-Identifier: GPL-2.0-or-later
/* Schema forktax-check/1; docs/schema/schema-check.md. */
#include "model/baseline/baseline.h"

#include "base/text.h"
#include "model/rows/field_rows.h"
#include "model/run/run_fields.h"

#define KIND(id, key, unit, words, gates) [BASELINE_##id] = { key, unit, words, gates },
const struct baseline_kind_words baseline_kinds[BASELINE_KIND_COUNT] = {
#include "model/baseline/baseline_kinds.def"
};
#undef KIND

static const struct words kind_words = WORDS_OF(baseline_kinds);
static const struct words use_words = WORDS_OF(file_use_keys);
static const struct field use_count = { .kind = FIELD_COUNT, .omitted = true };

#define S struct baseline_metric
static char *metric_law(const struct scope *scope)
{
	const struct baseline_metric *metric = scope->self;

	if (metric->least > metric->most)
		return text__of("the range of \"%s\" of %s ends before it begins", metric->name, metric->of);
	if (metric->by_ldso > metric->most)
		return text__of("ld.so has more calls of \"%s\" than the command", metric->name);
	return NULL;
}

static const struct field metric_fields[] = {
	TEXT("of", of, .note = "\"run\": of all processes together; \"command\": of the first one; else "
			       "of a group of its descendants"),
	KEY("kind", kind, kind_words),
	TEXT("name", name),
	COUNT("min", least, .note = "over all runs"),
	COUNT("max", most),
	COUNT("ld.so", by_ldso, .omitted = true, .note = "calls of the dynamic linker among them"),
};
static const struct shape metric_shape = SHAPE_OF(metric, .law = metric_law);
#undef S

void baseline_metric__release(struct baseline_metric *metric)
{
	shape__release(&metric_shape, metric);
}

#define S struct baseline_place
static const struct field place_fields[] = {
	TEXT("of", of),
	KEY("class", class, class_words),
	KEY("by", actor, actor_words, .note = "the code that caused the faults"),
	TEXT("object", object, NULLABLE, .omitted = true),
	TEXT("section", section, .note = "of the object; without an object, the kind of memory"),
	COUNT("faults", faults),
	TEXT("pages", pages, NULLABLE, .omitted = true, .note = "page numbers in the object's file, or in its mapping"),
	BOOL("varies", occurrences.vary, .omitted = true,
	     .note = "it differed between the runs: faults and pages are left out"),
};
static const struct shape place_shape = SHAPE_OF(place);
#undef S

void baseline_place__release(struct baseline_place *place)
{
	shape__release(&place_shape, place);
}

#define S struct baseline_file
static const struct field file_fields[] = {
	TEXT("of", of),
	TEXT("path", path),
	MAP("calls", calls, use_words, use_count, .closed = true, .note = "by use"),
	BOOL("varies", occurrences.vary, .omitted = true, .note = "it differed between the runs: calls are left out"),
};
static const struct shape file_shape = SHAPE_OF(file);
#undef S

void baseline_file__release(struct baseline_file *file)
{
	shape__release(&file_shape, file);
}

#define S struct baseline_context
static const struct field context_fields[] = {
	TEXT("arch", arch, .note = "uname -m; with the size of pages, unless that is 4 KiB"),
	TEXT("kernel", kernel, .note = "version and patch level"),
	TEXT("libc", libc, .note = "the dynamic linker of the machine, and the start of its build ID"),
	TEXT("huge_pages", huge_pages, .note = "always, madvise or never"),
	TEXT("source", source, .note = "ebpf or strace"),
	COUNT("runs", runs, .note = "number of counted runs"),
	LIST("metrics", metrics, metric_count, metric_shape, .lines = true),
	LIST("places", places, place_count, place_shape, .lines = true,
	     .note = "pages that became private: they explain metrics, and never fail a check"),
	LIST("files", files, file_count, file_shape, .lines = true,
	     .note = "calls by file: they explain metrics, and never fail a check"),
};
const struct shape baseline_context_shape = SHAPE_OF(context, .note = "counts of one kernel and machine");
#undef S

#define S struct baseline_check
static const struct field check_fields[] = {
	TEXT("name", name),
	VALUES("command", command, command_count, text_element),
	VALUES("environment", environment, environment_count, text_element, .omitted = true,
	       .note = "names of the variables that the command gets in addition to the usual ones"),
	BOOL("processes", processes, .omitted = true,
	     .note = "--processes: only processes, programs and lines of scripts are held"),
	INTEGER("status", status, 0, 255, .note = "exit status"),
	LIST("contexts", contexts, context_count, baseline_context_shape, .lines = true),
};
const struct shape baseline_check_shape = SHAPE_OF(check);
#undef S

static void sort_baseline(void *baseline)
{
	baseline__sort(baseline);
}

static char *baseline_law(const struct scope *scope)
{
	return baseline__contradiction(scope->self);
}

#define S struct baseline
static const struct field baseline_fields[] = {
	LIST("checks", checks, check_count, baseline_check_shape, .lines = true),
};
const struct shape baseline_shape = SHAPE_OF(baseline, .document = BASELINE_SCHEMA,
	.complete = sort_baseline, .law = baseline_law,
	.note = "A baseline of forktax check, schema forktax-check/1 (explained in "
		"schema-check.md)");
#undef S
