// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/file_entries.h"

#include "base/memory.h"
#include "source/calls/path_table.h"

struct file_entry_key {
	uint64_t owner, object;
};

struct file_entry *file_entries__get(struct file_entries *entries, struct file_entry **list,
				     uint64_t owner, uint32_t object)
{
	const struct file_entry_key key = { owner, object };
	const union hash_value *known = hash__find(&entries->by_key, &key, sizeof(key));
	struct file_entry *entry;

	if (known)
		return known->pointer;
	if (entries->by_key.count >= ENTRIES_MOST && object != OBJECT_OTHERS)
		return file_entries__get(entries, list, owner, OBJECT_OTHERS);
	entry = checked_calloc(1, sizeof(*entry));
	*entry = (struct file_entry){ .owner = owner, .object = object, .sibling = *list };
	hash__get(&entries->by_key, &key, sizeof(key))->pointer = *list = entry;
	return entry;
}

void file_entry__add_error(struct file_entry *entry, int32_t number, uint64_t calls)
{
	file_errors__add(&entry->errors, &entry->error_count, number, calls);
}

static void add_entry(struct file_entry *sum, const struct file_entry *more)
{
	for (int use = 0; use < FILE_USE_COUNT; use++) {
		file_counts__add(&sum->uses[use], &more->uses[use]);
		file_counts__add(&sum->by_ldso[use], &more->by_ldso[use]);
	}
	sum->openers += more->openers;
	sum->opened_ns += more->opened_ns;
	for (size_t i = 0; i < more->error_count; i++)
		file_entry__add_error(sum, more->errors[i].number, more->errors[i].calls);
}

static void remove_entry(struct file_entries *entries, struct file_entry *entry)
{
	const struct file_entry_key key = { entry->owner, entry->object };

	hash__remove(&entries->by_key, &key, sizeof(key));
	free(entry->errors);
	free(entry);
}

void file_entries__move(struct file_entries *entries, struct file_entry **list,
			struct file_entry **to_list, uint64_t to)
{
	struct file_entry *next;

	for (struct file_entry *entry = *list; entry; entry = next) {
		struct file_entry moved = *entry;

		next = entry->sibling;
		entry->errors = NULL;
		remove_entry(entries, entry); /* first: it makes room for the other */
		add_entry(file_entries__get(entries, to_list, to, moved.object), &moved);
		free(moved.errors);
	}
	*list = NULL;
}

void file_entries__release(struct file_entries *entries)
{
	const union hash_value *value;

	for (size_t at = 0; (value = hash__next(&entries->by_key, &at));) {
		struct file_entry *entry = value->pointer;

		free(entry->errors);
		free(entry);
	}
	hash__release(&entries->by_key);
}
