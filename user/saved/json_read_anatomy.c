// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the faults are: sampling, objects, rows; and the rest of the anatomy by way of others. */
#include "saved/json_read.h"

static void read_sample(struct reader *reader, struct json_object *in, struct run *run,
			size_t index)
{
	struct sample *sample = &run->anatomy->samples[index];

	sample->group = reader__index(reader, in, "group", run->group_count, NO_GROUP);
	sample->children = reader__count(reader, in, "children");
	sample->faults = reader__count(reader, in, "faults");
	sample->unattributed = reader__count(reader, in, "unattributed");
	sample->missed = reader__count(reader, in, "missed");
	sample->unsampled = reader__dictionary_count(reader, in, "unsampled");
	sample->beyond = reader__dictionary_count(reader, in, "beyond");
	sample->child_faults = reader__count(reader, in, "child_faults");
	sample->child_unattributed = reader__count(reader, in, "child_unattributed");
	sample->child_missed = reader__count(reader, in, "child_missed");
	sample->child_beyond = reader__dictionary_count(reader, in, "child_beyond");
	sample->parent_beyond = reader__dictionary_count(reader, in, "parent_beyond");
	sample->unseen_pages = ABSENT; /* runs saved by older versions do not tell */
	if (json_object_object_get_ex(in, "unseen_pages", NULL))
		sample->unseen_pages = reader__count_or_absent(reader, in, "unseen_pages");
	reader__generations(reader, in, sample->group == NO_GROUP ? 0 : sample->children,
			    sample->generations);
}

static void read_sampling(struct reader *reader, struct json_object *root, struct run *run)
{
	struct json_object *sampling = reader__object(reader, root, "sampling");
	struct anatomy *anatomy = run->anatomy;

	anatomy->full = reader__count(reader, sampling, "full");
	anatomy->every = reader__count(reader, sampling, "every");
	anatomy->durations = reader__bool(reader, sampling, "durations");
	anatomy->got_reads = reader__dictionary_count(reader, sampling, "got_reads");
	anatomy->got_ns = reader__dictionary_count(reader, sampling, "got_ns");
	anatomy->samples = reader__list(reader, sampling, "samples", sizeof(*anatomy->samples),
					&anatomy->sample_count);
	reader__elements(reader, sampling, "samples", run, read_sample);
}

static void read_object(struct reader *reader, struct json_object *in, struct run *run,
			size_t index)
{
	struct object *object = &run->anatomy->objects[index];

	object->path = reader__text(reader, in, "path");
	object->dev = reader__identity(reader, in, "dev");
	object->ino = reader__identity(reader, in, "ino");
	object->changed = reader__bool(reader, in, "changed");
}

/* The part of a place that analysis may have found. */
static void read_name(struct reader *reader, struct json_object *in, const char *section,
		      const char *symbol, const char *offset, struct place *place)
{
	place->section = reader__text(reader, in, section);
	place->symbol = reader__text(reader, in, symbol);
	if (place->symbol)
		place->symbol_offset = reader__count(reader, in, offset);
}

static uint64_t read_offset(struct reader *reader, struct json_object *in, const char *key)
{
	/* The extremes are what numbers out of range saturate to. */
	return reader__integer(reader, in, key, INT64_MIN + 1, INT64_MAX - 1);
}

static void read_place(struct reader *reader, struct json_object *in, const struct run *run,
		       struct place *place)
{
	place->kind = reader__counter(reader, in, "place", place_counters, PLACE_COUNT);
	place->object = reader__index(reader, in, "object_index", run->anatomy->object_count,
				      NO_OBJECT);
	place->offset = read_offset(reader, in, "offset");
	place->varies = reader__bool(reader, in, "varies");
	read_name(reader, in, "section", "symbol", "symbol_offset", place);
}

static void read_code(struct reader *reader, struct json_object *in, const struct run *run,
		      struct place *code)
{
	code->kind = reader__counter(reader, in, "ip_place", place_counters, PLACE_COUNT);
	code->object = reader__index(reader, in, "ip_object_index", run->anatomy->object_count,
				     NO_OBJECT);
	code->offset = read_offset(reader, in, "ip_offset");
	code->varies = reader__bool(reader, in, "ip_varies");
	read_name(reader, in, "ip_section", "ip_symbol", "ip_symbol_offset", code);
}

/* The keys per_child and ns are figures for people, made from the counts. */
static void read_row(struct reader *reader, struct json_object *in, struct run *run, size_t index)
{
	struct anatomy_row *row = &run->anatomy->rows[index];

	row->group = reader__index(reader, in, "group", run->group_count, NO_GROUP);
	row->phase = reader__counter(reader, in, "phase", phase_counters, PHASE_COUNT);
	row->actor = reader__counter(reader, in, "actor", actor_counters, ACTOR_COUNT);
	row->class = reader__counter(reader, in, "class", fault_counters, FAULT_COUNT);
	read_place(reader, in, run, &row->place);
	read_code(reader, in, run, &row->code);
	row->call = reader__text(reader, in, "call");
	row->is_exec = reader__bool(reader, in, "is_exec");
	row->faults = reader__count(reader, in, "faults");
	row->children = reader__count(reader, in, "children");
	row->timed = reader__count(reader, in, "timed");
	row->ns = reader__count(reader, in, "timed_ns");
	row->around = reader__count_or_absent(reader, in, "around");
	row->table_pages = reader__count(reader, in, "table_pages");
	row->since_ns = reader__count(reader, in, "since_ns");
}

static void read_places(struct reader *reader, struct json_object *root, struct run *run)
{
	struct anatomy *anatomy = run->anatomy;

	anatomy->objects = reader__list(reader, root, "objects", sizeof(*anatomy->objects),
					&anatomy->object_count);
	reader__elements(reader, root, "objects", run, read_object);
	anatomy->rows = reader__list(reader, root, "anatomy", sizeof(*anatomy->rows),
				     &anatomy->row_count);
	reader__elements(reader, root, "anatomy", run, read_row);
}

static void read_findings(struct reader *reader, struct json_object *root, struct run *run)
{
	struct anatomy *anatomy = run->anatomy;

	anatomy->forks = reader__list(reader, root, "fork_cost", sizeof(*anatomy->forks),
				      &anatomy->fork_count);
	reader__elements(reader, root, "fork_cost", run, reader__fork_cost);
	anatomy->layouts = reader__list(reader, root, "layouts", sizeof(*anatomy->layouts),
					&anatomy->layout_count);
	reader__elements(reader, root, "layouts", run, reader__layout);
	anatomy->bindings = reader__list(reader, root, "bindings", sizeof(*anatomy->bindings),
					 &anatomy->binding_count);
	reader__elements(reader, root, "bindings", run, reader__binding);
	anatomy->symbols = reader__list(reader, root, "symbols", sizeof(*anatomy->symbols),
					&anatomy->symbol_count);
	reader__elements(reader, root, "symbols", run, reader__binding_symbol);
	reader__costs(reader, root, anatomy);
	anatomy->advice = reader__list(reader, root, "advice", sizeof(*anatomy->advice),
				       &anatomy->advice_count);
	reader__elements(reader, root, "advice", run, reader__advice);
	reader__against(reader, root, run);
	anatomy->verdict = reader__text(reader, root, "verdict");
}

void reader__anatomy(struct reader *reader, struct json_object *root, struct run *run)
{
	if (!json_object_object_get_ex(root, "anatomy", NULL) || reader__is_null(root, "anatomy"))
		return; /* not recorded, or saved before there was one */
	run->anatomy = anatomy__new();
	read_sampling(reader, root, run);
	read_places(reader, root, run);
	read_findings(reader, root, run);
}
