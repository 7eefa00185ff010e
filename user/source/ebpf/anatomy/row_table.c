// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/anatomy/row_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/page.h"
#include "model/run/run.h"
#include "model/words/syscall_names.h"

enum { ROWS_MOST = 1 << 16 };
enum { SHIFT_MOST = 1 << 10 }; /* pages; segments are aligned to 2 MiB at most */

/* Compared as bytes: no padding, all of it set. */
struct row_key {
	uint64_t ino, page, code_ino, code_page;
	int64_t shift; /* see shift_of() */
	uint32_t group, dev, code_dev;
	int32_t call;
	uint32_t call_abi;
	uint8_t phase, actor, class, is_exec;
	uint32_t place, code;
};

struct row_entry {
	struct row_key key;
	struct anatomy_row row;
	uint32_t number; /* in the order of addition */
	bool around_known;
};

/* Memory without a file has no pages that are the same in every process. */
static bool has_pages(uint32_t kind)
{
	return kind != PLACE_HEAP && kind != PLACE_ANON && kind != PLACE_UNKNOWN;
}

static bool is_write_to_file(const struct fault_record *fault)
{
	return fault->place.kind == PLACE_FILE &&
	       (fault->class == FAULT_COW_COPY || fault->class == FAULT_COW_REUSE || fault->class == FAULT_FILE_COW);
}

/*
 * Some linkers let two writable segments share a page of the file, which is then in memory twice:
 * two pages, two rows. Addresses differ from run to run, but the distance of two segments does not:
 * this is by how many pages the file is shifted against where the image first wrote to it.
 */
static int64_t shift_of(struct row_image *image, const struct fault_record *fault)
{
	const struct place_record *place = &fault->place;
	uint64_t base = fault->address - place->offset;
	int64_t shift;

	if (!is_write_to_file(fault))
		return 0;
	for (size_t i = 0; i < image->write_count; i++) {
		const struct first_write *first = &image->writes[i];

		if (first->ino != place->ino || first->dev != place->dev)
			continue;
		shift = (int64_t)(base - first->base) / (int64_t)page_bytes;
		/* Mappings that are not of one object lie anywhere. */
		return shift < -SHIFT_MOST || shift > SHIFT_MOST ? SHIFT_MOST + 1 : shift;
	}
	image->writes = checked_grow(image->writes, image->write_count, sizeof(*image->writes));
	image->writes[image->write_count++] = (struct first_write){ place->ino, place->dev, base };
	return 0;
}

static struct row_key make_key(uint32_t group, const struct fault_record *fault, int64_t shift)
{
	struct row_key key;

	memset(&key, 0, sizeof(key));
	key.group = group;
	key.shift = shift;
	key.phase = fault->phase;
	key.actor = fault->actor;
	key.class = fault->class;
	key.is_exec = fault->is_exec;
	key.place = fault->place.kind;
	key.ino = fault->place.ino;
	key.dev = fault->place.dev;
	if (has_pages(fault->place.kind))
		key.page = page__begin(fault->place.offset);
	key.call = -1;
	if (fault->actor == ACTOR_KERNEL) {
		key.call = fault->call_nr;
		key.call_abi = fault->call_nr < 0 ? 0 : fault->call_abi;
		return key;
	}
	key.code = fault->code.kind;
	key.code_ino = fault->code.ino;
	key.code_dev = fault->code.dev;
	if (has_pages(fault->code.kind))
		key.code_page = page__begin(fault->code.offset);
	return key;
}

/*
 * The place of an address of process `pid`. Only a mapping of the file itself can tell the file's
 * path.
 */
static struct place make_place(const struct place_record *record, struct object_table *objects,
			       int32_t pid, uint64_t address)
{
	return (struct place){
		.kind = record->kind < PLACE_COUNT ? record->kind : PLACE_UNKNOWN,
		.object = record->ino ? object_table__number(objects, record->dev, record->ino,
							     record->kind == PLACE_FILE ? pid : 0, address)
				      : NO_OBJECT,
		.offset = record->offset,
	};
}

static char *call_name(const struct fault_record *fault)
{
	const char *name = fault->call_nr < 0 || fault->call_abi >= ABI_COUNT
				   ? NULL
				   : syscall_name(fault->call_abi, fault->call_nr);

	return name && fault->actor == ACTOR_KERNEL ? strdup(name) : NULL;
}

static struct row_entry *find_row(struct row_table *table, const struct row_key *key)
{
	const union hash_value *found = hash__find(&table->by_key, key, sizeof(*key));

	return found ? found->pointer : NULL;
}

static struct row_entry *add_row(struct row_table *table, struct object_table *objects, uint32_t group,
				 const struct fault_record *fault, const struct row_key *key)
{
	struct row_entry *entry = checked_calloc(1, sizeof(*entry));

	entry->key = *key;
	entry->number = table->count;
	entry->row = (struct anatomy_row){
		.group = group,
		.phase = fault->phase,
		.actor = fault->actor,
		.class = fault->class,
		.place = make_place(&fault->place, objects, fault->head.pid, fault->address),
		.code = make_place(&fault->code, objects, fault->head.pid, fault->ip),
		.call = call_name(fault),
		.is_exec = fault->is_exec,
	};
	hash__get(&table->by_key, &entry->key, sizeof(entry->key))->pointer = entry;
	table->entries = checked_grow(table->entries, table->count, sizeof(struct row_entry *));
	table->entries[table->count++] = entry;
	return entry;
}

/* The row of such faults at unknown places. There are few of these rows, so they need no limit. */
static struct row_entry *without_place(struct row_table *table, struct object_table *objects,
				       uint32_t group, const struct fault_record *fault)
{
	struct fault_record placeless = *fault;
	struct row_entry *entry;
	struct row_key key;

	placeless.place = placeless.code = (struct place_record){ .kind = PLACE_UNKNOWN };
	key = make_key(group, &placeless, 0);
	entry = find_row(table, &key);
	return entry ? entry : add_row(table, objects, group, &placeless, &key);
}

bool row_table__add(struct row_table *table, struct object_table *objects, struct row_image *image, uint32_t group,
		    const struct fault_record *fault, uint64_t since_ns, uint32_t *number)
{
	struct row_key key = make_key(group, fault, shift_of(image, fault));
	struct row_entry *entry = find_row(table, &key);
	bool has_room = entry || table->count < ROWS_MOST;
	const size_t seen = image->seen.count;
	struct anatomy_row *row;

	if (!entry)
		entry = has_room ? add_row(table, objects, group, fault, &key)
				 : without_place(table, objects, group, fault);
	*number = entry->number;
	row = &entry->row;
	row->faults++;
	row->children += hash__number(&image->seen, &entry->number, sizeof(entry->number)) == seen;
	row->timed += fault->duration_ns != 0;
	row->ns += fault->duration_ns;
	row->since_ns += since_ns;
	row->table_pages += fault->table_pages;
	row->around += fault->around;
	entry->around_known |= fault->around_known;
	row->place.varies |= row->place.offset != fault->place.offset;
	row->code.varies |= row->code.offset != fault->code.offset;
	return has_room;
}

void row_image__release(struct row_image *image)
{
	hash__release(&image->seen);
	free(image->writes);
	*image = (struct row_image){ 0 };
}

static int by_order(const void *left, const void *right)
{
	const struct anatomy_row *a = &(*(struct row_entry *const *)left)->row;
	const struct anatomy_row *b = &(*(struct row_entry *const *)right)->row;
	double since_a = (double)a->since_ns / a->faults, since_b = (double)b->since_ns / b->faults;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->phase != b->phase)
		return a->phase < b->phase ? -1 : 1;
	return since_a < since_b ? -1 : since_a > since_b;
}

struct anatomy_row *row_table__rows(struct row_table *table, const uint32_t *positions,
				    uint32_t group_count, uint32_t **order)
{
	struct anatomy_row *rows = checked_calloc(table->count, sizeof(*rows));

	*order = checked_calloc(table->count, sizeof(**order));
	for (size_t i = 0; i < table->count; i++) {
		struct row_entry *entry = table->entries[i];

		entry->row.group = entry->key.group < group_count ? positions[entry->key.group] : NO_GROUP;
		if (!entry->around_known)
			entry->row.around = ABSENT;
	}
	if (table->count)
		qsort(table->entries, table->count, sizeof(*table->entries), by_order);
	for (size_t i = 0; i < table->count; i++) {
		rows[i] = table->entries[i]->row;
		table->entries[i]->row.call = NULL; /* handed over */
		(*order)[table->entries[i]->number] = i;
	}
	return rows;
}

void row_table__release(struct row_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		free(table->entries[i]->row.call);
		free(table->entries[i]);
	}
	hash__release(&table->by_key);
	free(table->entries);
}
