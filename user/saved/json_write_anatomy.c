// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the faults are: sampling, objects, rows, layouts. */
#include "saved/json_write.h"

void json__add_object(struct json_object *in, const struct anatomy *anatomy, const char *key,
		      const char *index_key, uint32_t object)
{
	bool known = object < anatomy->object_count;

	json__add(in, key, known ? json__text(anatomy->objects[object].path) : NULL);
	json__add(in, index_key, json__index(object));
}

static struct json_object *sample(const struct sample *sample)
{
	struct json_object *object = json__object();

	json__add(object, "group", json__index(sample->group));
	json__add(object, "children", json__count(sample->children));
	json__add(object, "faults", json__count(sample->faults));
	json__add(object, "unattributed", json__count(sample->unattributed));
	json__add(object, "missed", json__count(sample->missed));
	json__add(object, "unsampled", json__count(sample->unsampled));
	json__add(object, "beyond", json__count(sample->beyond));
	json__add(object, "child_faults", json__count(sample->child_faults));
	json__add(object, "child_unattributed", json__count(sample->child_unattributed));
	json__add(object, "child_missed", json__count(sample->child_missed));
	json__add(object, "child_beyond", json__count(sample->child_beyond));
	json__add(object, "parent_beyond", json__count(sample->parent_beyond));
	json__add(object, "unseen_pages", json__count(sample->unseen_pages));
	json__add(object, "generations", json__generations(sample->generations));
	return object;
}

struct json_object *json__sampling(const struct anatomy *anatomy)
{
	struct json_object *object = json__object();
	struct json_object *samples = json__array();

	json__add(object, "full", json__count(anatomy->full));
	json__add(object, "every", json__count(anatomy->every));
	json__add(object, "durations", json__bool(anatomy->durations));
	json__add(object, "got_reads", json__count(anatomy->got_reads));
	json__add(object, "got_ns", json__count(anatomy->got_ns));
	for (size_t i = 0; i < anatomy->sample_count; i++)
		json__append(samples, sample(&anatomy->samples[i]));
	json__add(object, "samples", samples);
	return object;
}

struct json_object *json__anatomy_object(const struct run *run, size_t index)
{
	const struct object *file = &run->anatomy->objects[index];
	struct json_object *object = json__object();

	json__add(object, "path", json__text(file->path));
	/* Identities, not counts: all 64 bits may be in use. */
	json__add(object, "dev", json_object_new_uint64(file->dev));
	json__add(object, "ino", json_object_new_uint64(file->ino));
	json__add(object, "changed", json__bool(file->changed));
	return object;
}

/* The keys of a place: those of what was accessed, and those of the code. */
struct place_keys {
	const char *kind, *object, *index, *offset, *varies, *section, *symbol, *symbol_offset;
};

static const struct place_keys accessed = {
	.kind = "place",	.object = "object",   .index = "object_index",
	.offset = "offset",	.varies = "varies",   .section = "section",
	.symbol = "symbol",	.symbol_offset = "symbol_offset",
};

static const struct place_keys code = {
	.kind = "ip_place",	.object = "ip_object",	 .index = "ip_object_index",
	.offset = "ip_offset",	.varies = "ip_varies",	 .section = "ip_section",
	.symbol = "ip_symbol",	.symbol_offset = "ip_symbol_offset",
};

static void add_place(struct json_object *in, const struct anatomy *anatomy,
		      const struct place_keys *keys, const struct place *place)
{
	json__add(in, keys->kind, json__text(place_counters[place->kind].key));
	json__add_object(in, anatomy, keys->object, keys->index, place->object);
	json__add(in, keys->offset, json__integer((int64_t)place->offset));
	json__add(in, keys->varies, json__bool(place->varies));
	json__add(in, keys->section, json__text(place->section));
	json__add(in, keys->symbol, json__text(place->symbol));
	json__add(in, keys->symbol_offset,
		  place->symbol ? json__count(place->symbol_offset) : NULL);
}

static void add_counts(struct json_object *in, const struct anatomy *anatomy,
		       const struct anatomy_row *row)
{
	double ns = anatomy_row__ns(row);

	json__add(in, "per_child", json__number(anatomy__per_child(anatomy, row)));
	json__add(in, "ns", row->timed ? json__integer((int64_t)(ns + 0.5)) : NULL);
	json__add(in, "faults", json__count(row->faults));
	json__add(in, "children", json__count(row->children));
	json__add(in, "timed", json__count(row->timed));
	json__add(in, "timed_ns", json__count(row->ns));
	json__add(in, "around", json__count(row->around));
	json__add(in, "table_pages", json__count(row->table_pages));
	json__add(in, "since_ns", json__count(row->since_ns));
}

struct json_object *json__anatomy_row(const struct run *run, size_t index)
{
	const struct anatomy_row *row = &run->anatomy->rows[index];
	struct json_object *object = json__object();

	json__add(object, "group", json__index(row->group));
	json__add(object, "phase", json__text(phase_counters[row->phase].key));
	json__add(object, "actor", json__text(actor_counters[row->actor].key));
	json__add(object, "class", json__text(fault_counters[row->class].key));
	add_place(object, run->anatomy, &accessed, &row->place);
	add_place(object, run->anatomy, &code, &row->code);
	json__add(object, "call", json__text(row->call));
	json__add(object, "is_exec", json__bool(row->is_exec));
	add_counts(object, run->anatomy, row);
	return object;
}

/* As in /proc/PID/maps. */
static struct json_object *permissions(const struct layout_vma *vma)
{
	const char text[] = { vma->read ? 'r' : '-', vma->write ? 'w' : '-', vma->exec ? 'x' : '-',
			      vma->shared ? 's' : 'p', '\0' };

	return json__text(text);
}

static struct json_object *vma(const struct anatomy *anatomy, const struct layout_vma *vma)
{
	struct json_object *object = json__object();

	/* Addresses: all 64 bits may be in use. */
	json__add(object, "start", json_object_new_uint64(vma->start));
	json__add(object, "end", json_object_new_uint64(vma->end));
	json__add(object, "permissions", permissions(vma));
	json__add(object, "place", json__text(place_counters[vma->kind].key));
	json__add_object(object, anatomy, "object", "object_index", vma->object);
	json__add(object, "offset", json_object_new_uint64(vma->offset));
	json__add(object, "anon", vma->anon_known ? json__bool(vma->anon) : NULL);
	json__add(object, "pages", json__text(vma->pages));
	json__add(object, "present", json__count(vma->present));
	json__add(object, "own", json__count(vma->own));
	json__add(object, "huge", json__count(vma->huge));
	json__add(object, "kept_out", json__bool(vma->kept_out));
	return object;
}

struct json_object *json__layout(const struct run *run, size_t index)
{
	const struct layout *layout = &run->anatomy->layouts[index];
	struct json_object *object = json__object();
	struct json_object *vmas = json__array();

	json__add(object, "group", json__index(layout->group));
	json__add(object, "parent",
		  layout->exe < run->exe_count ? json__text(run->exes[layout->exe].path) : NULL);
	json__add(object, "parent_exe", json__index(layout->exe));
	json__add(object, "recorded", json__bool(layout->recorded));
	for (size_t i = 0; i < layout->vma_count; i++)
		json__append(vmas, vma(run->anatomy, &layout->vmas[i]));
	json__add(object, "vmas", vmas);
	return object;
}
