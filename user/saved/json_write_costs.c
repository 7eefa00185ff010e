// SPDX-License-Identifier: GPL-2.0-or-later
/* What forks cost, what was bound where, and what follows: fork_cost, bindings, symbols, advice. */
#include <math.h>

#include "saved/json_write.h"

/* Without a fork there is no shortest one either. */
static struct json_object *spread_ns(const struct spread_ns *spread)
{
	struct json_object *object = json__object();
	bool known = spread->count > 0;

	json__add(object, "count", json__count(spread->count));
	json__add(object, "total", json__count(spread->total));
	json__add(object, "min", known ? json__count(spread->min) : NULL);
	json__add(object, "median", known ? json__count(spread->median) : NULL);
	json__add(object, "p99", known ? json__count(spread->p99) : NULL);
	json__add(object, "max", known ? json__count(spread->max) : NULL);
	return object;
}

static struct json_object *spread_of(const struct spread_of *spread)
{
	struct json_object *object = json__object();

	json__add(object, "min", json__count(spread->min));
	json__add(object, "median", json__count(spread->median));
	json__add(object, "max", json__count(spread->max));
	return object;
}

struct json_object *json__fork_cost(const struct run *run, size_t index)
{
	const struct fork_cost *cost = &run->anatomy->forks[index];
	struct json_object *object = json__object();
	struct json_object *parts = json__object();

	json__add(object, "group", json__index(cost->group));
	json__add(object, "forks", json__count(cost->forks));
	json__add(object, "complete", json__count(cost->complete));
	json__add(object, "typical", json__count(cost->typical));
	json__add(object, "typical_ns", json__count(cost->typical_ns));
	for (int part = 0; part < PART_COUNT; part++)
		json__add(parts, part_counters[part].key, json__count(cost->part_ns[part]));
	json__add(object, "part_ns", parts);
	json__add(object, "whole_ns", spread_ns(&cost->whole));
	json__add(object, "call_ns", spread_ns(&cost->call));
	json__add(object, "vmas", spread_of(&cost->vmas));
	json__add(object, "page_table_bytes", spread_of(&cost->page_table_bytes));
	json__add(object, "threads", spread_of(&cost->threads));
	json__add(object, "vmas_anon", json__count(cost->vmas_anon));
	json__add(object, "rss_bytes", json__count(cost->rss_bytes));
	return object;
}

static struct json_object *relro(const struct binding_object *binding)
{
	struct json_object *object;

	if (!binding->relro_start && !binding->relro_end)
		return NULL;
	object = json__object();
	json__add(object, "start", json_object_new_uint64(binding->relro_start));
	json__add(object, "end", json_object_new_uint64(binding->relro_end));
	return object;
}

struct json_object *json__binding(const struct run *run, size_t index)
{
	const struct binding_object *binding = &run->anatomy->bindings[index];
	struct json_object *object = json__object();
	struct json_object *relocations = json__object();

	json__add_object(object, run->anatomy, "object", "object_index", binding->object);
	json__add(object, "layout", json__index(binding->layout));
	for (int kind = 0; kind < RELOC_KIND_COUNT; kind++)
		json__add(relocations, relocation_keys[kind],
			  json__count(binding->relocations[kind]));
	json__add(object, "relocations", relocations);
	json__add(object, "lazy", json__bool(binding->lazy));
	json__add(object, "opened", json__bool(binding->opened));
	json__add(object, "relro", relro(binding));
	json__add(object, "startup_pages", json__count(binding->startup_pages));
	json__add(object, "child_pages", json__count(binding->child_pages));
	json__add(object, "slots_bound", json__count(binding->slots_bound));
	json__add(object, "slots_unbound", json__count(binding->slots_unbound));
	json__add(object, "bound_to", json__count(binding->bound_to));
	json__add(object, "data_to", json__count(binding->data_to));
	return object;
}

struct json_object *json__generations(const uint64_t generations[GENERATION_COUNT])
{
	struct json_object *object = json__object();

	for (int i = 0; i < GENERATION_COUNT; i++)
		json__add(object, generation_keys[i], json__count(generations[i]));
	return object;
}

struct json_object *json__binding_symbol(const struct run *run, size_t index)
{
	const struct binding_symbol *symbol = &run->anatomy->symbols[index];
	struct json_object *object = json__object();

	json__add(object, "group", json__index(symbol->group));
	json__add(object, "symbol", json__text(symbol->symbol));
	json__add_object(object, run->anatomy, "object", "object_index", symbol->object);
	json__add(object, "slot", json_object_new_uint64(symbol->slot));
	json__add_object(object, run->anatomy, "provider", "provider_index", symbol->provider);
	json__add(object, "children", json__count(symbol->children));
	json__add(object, "generations", json__generations(symbol->generations));
	json__add(object, "method", json__text(binding_method_keys[symbol->method]));
	return object;
}

static struct json_object *figure(const struct figure *figure)
{
	struct json_object *object;

	if (!figure->known || !isfinite(figure->value))
		return NULL;
	object = json__object();
	json__add(object, "value", json__number(figure->value));
	json__add(object, "low", figure->bounded ? json__number(figure->low) : NULL);
	json__add(object, "high", figure->bounded ? json__number(figure->high) : NULL);
	return object;
}

struct json_object *json__costs(const struct anatomy *anatomy)
{
	struct json_object *object = json__object();

	for (int cost = 0; cost < COST_COUNT; cost++)
		json__add(object, cost_keys[cost], figure(&anatomy->costs[cost]));
	return object;
}

static struct json_object *saving(const struct figure *faults, const struct figure *ns)
{
	struct json_object *object = json__object();

	json__add(object, "faults", figure(faults));
	json__add(object, "ns", figure(ns));
	return object;
}

struct json_object *json__advice(const struct run *run, size_t index)
{
	const struct advice *advice = &run->anatomy->advice[index];
	struct json_object *object = json__object();

	json__add(object, "rule", json__text(advice->rule));
	json__add(object, "title", json__text(advice->title));
	json__add(object, "group", json__index(advice->group));
	json__add(object, "evidence", json__text(advice->evidence));
	json__add(object, "action", json__text(advice->action));
	json__add(object, "predicted", saving(&advice->predicted_faults, &advice->predicted_ns));
	json__add(object, "measured", saving(&advice->measured_faults, &advice->measured_ns));
	json__add(object, "tried", json__text(advice->tried));
	json__add(object, "share", figure(&advice->share));
	return object;
}

/* One of each side: {"command": ..., "other": ...}. */
static struct json_object *sides(const struct figure figures[2])
{
	struct json_object *object = json__object();

	json__add(object, "command", figure(&figures[0]));
	json__add(object, "other", figure(&figures[1]));
	return object;
}

struct json_object *json__against(const struct anatomy *anatomy)
{
	const struct against *against = anatomy->against;
	struct json_object *object = json__object(), *rows = json__array();

	json__add(object, "path", json__text(against->path));
	json__add(object, "group", json__index(against->group));
	json__add(object, "saved", saving(&against->faults, &against->ns));
	for (size_t i = 0; i < against->row_count; i++) {
		struct json_object *row = json__object();

		json__add(row, "line", json__text(against->rows[i].line));
		json__add(row, "faults", sides(against->rows[i].faults));
		json__add(row, "ns", sides(against->rows[i].ns));
		json__append(rows, row);
	}
	json__add(object, "rows", rows);
	return object;
}
