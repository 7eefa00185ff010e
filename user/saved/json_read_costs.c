// SPDX-License-Identifier: GPL-2.0-or-later
/* What forks cost, what was bound where, and what follows: fork_cost, bindings, symbols, advice. */
#include "saved/json_read.h"

/* An index that must be there. */
static uint32_t needed_index(struct reader *reader, struct json_object *in, const char *key,
			     size_t limit)
{
	return reader__integer(reader, in, key, 0, (int64_t)limit - 1);
}

static void read_spread_ns(struct reader *reader, struct json_object *in, const char *key,
			   struct spread_ns *spread)
{
	struct json_object *object = reader__object(reader, in, key);

	spread->count = reader__count(reader, object, "count");
	spread->total = reader__count(reader, object, "total");
	if (!spread->count)
		return;
	spread->min = reader__count(reader, object, "min");
	spread->median = reader__count(reader, object, "median");
	spread->p99 = reader__count(reader, object, "p99");
	spread->max = reader__count(reader, object, "max");
}

static void read_spread_of(struct reader *reader, struct json_object *in, const char *key,
			   struct spread_of *spread)
{
	struct json_object *object = reader__object(reader, in, key);

	spread->min = reader__count_or_absent(reader, object, "min");
	spread->median = reader__count_or_absent(reader, object, "median");
	spread->max = reader__count_or_absent(reader, object, "max");
}

void reader__fork_cost(struct reader *reader, struct json_object *in, struct run *run, size_t index)
{
	struct fork_cost *cost = &run->anatomy->forks[index];
	struct json_object *parts;

	cost->group = needed_index(reader, in, "group", run->group_count);
	cost->forks = reader__count(reader, in, "forks");
	cost->complete = reader__count(reader, in, "complete");
	cost->typical = reader__count(reader, in, "typical");
	cost->typical_ns = reader__count(reader, in, "typical_ns");
	parts = reader__object(reader, in, "part_ns");
	for (int part = 0; part < PART_COUNT; part++)
		cost->part_ns[part] =
			reader__dictionary_count(reader, parts, part_counters[part].key);
	read_spread_ns(reader, in, "whole_ns", &cost->whole);
	read_spread_ns(reader, in, "call_ns", &cost->call);
	read_spread_of(reader, in, "vmas", &cost->vmas);
	read_spread_of(reader, in, "page_table_bytes", &cost->page_table_bytes);
	read_spread_of(reader, in, "threads", &cost->threads);
	cost->vmas_anon = reader__count_or_absent(reader, in, "vmas_anon");
	cost->rss_bytes = reader__count_or_absent(reader, in, "rss_bytes");
}

static void read_relro(struct reader *reader, struct json_object *in,
		       struct binding_object *binding)
{
	struct json_object *relro;

	if (reader__is_null(in, "relro"))
		return;
	relro = reader__object(reader, in, "relro");
	binding->relro_start = reader__identity(reader, relro, "start");
	binding->relro_end = reader__identity(reader, relro, "end");
}

void reader__binding(struct reader *reader, struct json_object *in, struct run *run, size_t index)
{
	struct binding_object *binding = &run->anatomy->bindings[index];
	struct json_object *relocations;

	binding->object = needed_index(reader, in, "object_index", run->anatomy->object_count);
	binding->layout = needed_index(reader, in, "layout", run->anatomy->layout_count);
	relocations = reader__object(reader, in, "relocations");
	for (int kind = 0; kind < RELOC_KIND_COUNT; kind++)
		binding->relocations[kind] =
			reader__count_or_absent(reader, relocations, relocation_keys[kind]);
	binding->lazy = reader__bool(reader, in, "lazy");
	if (json_object_object_get_ex(in, "opened", NULL)) /* not in runs saved by older versions */
		binding->opened = reader__bool(reader, in, "opened");
	read_relro(reader, in, binding);
	binding->startup_pages = reader__count_or_absent(reader, in, "startup_pages");
	binding->child_pages = reader__count_or_absent(reader, in, "child_pages");
	binding->slots_bound = reader__count_or_absent(reader, in, "slots_bound");
	binding->slots_unbound = reader__count_or_absent(reader, in, "slots_unbound");
	binding->bound_to = reader__count_or_absent(reader, in, "bound_to");
	binding->data_to = reader__count_or_absent(reader, in, "data_to");
}

void reader__generations(struct reader *reader, struct json_object *in, uint64_t children,
			 uint64_t generations[GENERATION_COUNT])
{
	struct json_object *object;

	generations[GENERATION_UNKNOWN] = children;
	if (!json_object_object_get_ex(in, "generations", NULL)) /* saved by an older version */
		return;
	object = reader__object(reader, in, "generations");
	for (int i = 0; i < GENERATION_COUNT; i++)
		generations[i] = reader__count(reader, object, generation_keys[i]);
}

void reader__binding_symbol(struct reader *reader, struct json_object *in, struct run *run,
			    size_t index)
{
	struct binding_symbol *symbol = &run->anatomy->symbols[index];
	size_t objects = run->anatomy->object_count;

	symbol->group = needed_index(reader, in, "group", run->group_count);
	symbol->symbol = reader__text(reader, in, "symbol");
	symbol->object = needed_index(reader, in, "object_index", objects);
	symbol->slot = reader__identity(reader, in, "slot");
	symbol->provider = reader__index(reader, in, "provider_index", objects, NO_OBJECT);
	symbol->children = reader__count(reader, in, "children");
	reader__generations(reader, in, symbol->children, symbol->generations);
	symbol->method = reader__key(reader, in, "method", binding_method_keys,
				     BINDING_METHOD_COUNT);
}

static void read_figure(struct reader *reader, struct json_object *in, const char *key,
			struct figure *figure)
{
	struct json_object *object;

	if (reader__is_null(in, key))
		return;
	object = reader__object(reader, in, key);
	figure->known = true;
	figure->value = figure->low = figure->high = reader__number(reader, object, "value");
	figure->bounded = !reader__is_null(object, "low") || !reader__is_null(object, "high");
	if (!figure->bounded)
		return;
	figure->low = reader__number(reader, object, "low");
	figure->high = reader__number(reader, object, "high");
	if (!(figure->low <= figure->value && figure->value <= figure->high))
		reader__fail(reader, "the value of \"%s\" lies outside its interval", key);
}

/* A cost that the file does not have is one that was calibrated later in history: not known. */
void reader__costs(struct reader *reader, struct json_object *root, struct anatomy *anatomy)
{
	struct json_object *costs = reader__object(reader, root, "costs");

	for (int cost = 0; costs && cost < COST_COUNT; cost++)
		if (json_object_object_get_ex(costs, cost_keys[cost], NULL))
			read_figure(reader, costs, cost_keys[cost], &anatomy->costs[cost]);
}

static void read_saving(struct reader *reader, struct json_object *in, const char *key,
			struct figure *faults, struct figure *ns)
{
	struct json_object *object = reader__object(reader, in, key);

	read_figure(reader, object, "faults", faults);
	read_figure(reader, object, "ns", ns);
}

void reader__advice(struct reader *reader, struct json_object *in, struct run *run, size_t index)
{
	struct advice *advice = &run->anatomy->advice[index];

	advice->rule = reader__needed_text(reader, in, "rule");
	advice->title = reader__needed_text(reader, in, "title");
	advice->group = reader__index(reader, in, "group", run->group_count, NO_GROUP);
	advice->evidence = reader__needed_text(reader, in, "evidence");
	advice->action = reader__needed_text(reader, in, "action");
	read_saving(reader, in, "predicted", &advice->predicted_faults, &advice->predicted_ns);
	read_saving(reader, in, "measured", &advice->measured_faults, &advice->measured_ns);
	advice->tried = reader__text(reader, in, "tried");
	read_figure(reader, in, "share", &advice->share);
	if (advice->share.value < 0 || advice->share.value > 1)
		reader__fail(reader, "\"share\" is not in 0..1");
}

static void read_sides(struct reader *reader, struct json_object *in, const char *key,
		       struct figure figures[2])
{
	struct json_object *object = reader__object(reader, in, key);

	read_figure(reader, object, "command", &figures[0]);
	read_figure(reader, object, "other", &figures[1]);
}

static void read_against_row(struct reader *reader, struct json_object *in, struct run *run,
			     size_t index)
{
	struct against_row *row = &run->anatomy->against->rows[index];

	row->line = reader__needed_text(reader, in, "line");
	read_sides(reader, in, "faults", row->faults);
	read_sides(reader, in, "ns", row->ns);
}

void reader__against(struct reader *reader, struct json_object *root, struct run *run)
{
	struct against *against;
	struct json_object *in;

	if (!json_object_object_get_ex(root, "against", NULL))
		return; /* not asked */
	in = reader__object(reader, root, "against");
	against = against__new();
	run->anatomy->against = against;
	against->path = reader__needed_text(reader, in, "path");
	against->group = needed_index(reader, in, "group", run->group_count);
	read_saving(reader, in, "saved", &against->faults, &against->ns);
	against->rows = reader__list(reader, in, "rows", sizeof(*against->rows),
				     &against->row_count);
	reader__elements(reader, in, "rows", run, read_against_row);
}
