// SPDX-License-Identifier: GPL-2.0-or-later
/* A slot that waits leads to its own PLT: which object it is for, its name says. */
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "elf/linking.h"
#include "resolve/bindings/bindings_parts.h"

void awaited__add(struct awaited_list *awaited, uint32_t object, const char *symbol)
{
	if (!symbol)
		return;
	awaited->list = checked_grow(awaited->list, awaited->count, sizeof(*awaited->list));
	awaited->list[awaited->count++] = (struct awaited){ checked_strdup(symbol), object };
}

static int by_symbol(const void *left, const void *right)
{
	return strcmp(((const struct awaited *)left)->symbol, ((const struct awaited *)right)->symbol);
}

void awaited__sort(struct awaited_list *awaited)
{
	if (awaited->count)
		qsort(awaited->list, awaited->count, sizeof(*awaited->list), by_symbol);
}

static bool is_before(const void *list, size_t index, const void *symbol)
{
	return strcmp(((const struct awaited *)list)[index].symbol, symbol) < 0;
}

static bool is_for(const struct awaited_list *awaited, uint32_t object, const struct elf_definition *definition)
{
	const struct awaited *at = awaited->list + bisect(awaited->list, awaited->count, is_before, definition->name);

	for (; at < awaited->list + awaited->count && !strcmp(at->symbol, definition->name); at++)
		if (at->object != object && !definition->is_stub)
			return true;
	return false;
}

bool awaited__has(const struct awaited_list *awaited, const struct anatomy *anatomy, uint32_t object)
{
	struct elf_file *file = elf_file__open(anatomy->objects[object].path);
	char *reason = NULL;
	struct elf_linking *linking = file->opened == ELF_OPENED ? elf_linking__read(&file->object, &reason) : NULL;
	bool found = !linking; /* who knows? */

	for (size_t i = 0; linking && i < linking->definition_count && !found; i++)
		found = is_for(awaited, object, &linking->definitions[i]);
	elf_linking__free(linking);
	free(reason);
	elf_file__close(file);
	return found;
}

void awaited__release(struct awaited_list *awaited)
{
	for (size_t i = 0; i < awaited->count; i++)
		free(awaited->list[i].symbol);
	free(awaited->list);
}
