// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/start/start_scope.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "base/text.h"
#include "elf/file.h"
#include "elf/linking.h"

/* A name that some object defines. */
struct offer {
	const struct elf_definition *definition;
	size_t object;
};

struct scope_of_start {
	struct start *start;
	size_t count; /* of objects */
	struct elf_linking **linkings; /* one for each */
	bool *needs; /* count * count: row needs column */
	struct offer *offers; /* by name, then by object */
	size_t offer_count;
};

static bool read_linkings(struct scope_of_start *scope)
{
	bool good = true;

	for (size_t i = 0; i < scope->count && good; i++) {
		struct elf_file *file = elf_file__open(scope->start->objects[i].path);
		char *reason = NULL;

		if (file->opened == ELF_OPENED)
			scope->linkings[i] = elf_linking__read(&file->object, &reason);
		good = scope->linkings[i];
		free(reason);
		elf_file__close(file);
	}
	return good;
}

/* As ld.so knows it: by the name of its file, or by the one that it gives itself. */
static bool is_named(const struct scope_of_start *scope, size_t object, const char *name)
{
	const char *path = scope->start->objects[object].path;
	const char *soname = scope->linkings[object]->soname;

	return !strcmp(path, name) || !strcmp(text__file_name(path), name) || (soname && !strcmp(soname, name));
}

static void find_needs(struct scope_of_start *scope)
{
	for (size_t i = 0; i < scope->count; i++)
		for (char **name = scope->linkings[i]->needed; *name; name++)
			for (size_t k = 1; k < scope->count; k++)
				if (k != i && is_named(scope, k, *name))
					scope->needs[i * scope->count + k] = true;
	for (size_t k = 1; k < scope->count; k++) {
		scope->start->objects[k].needed_by = 0;
		for (size_t i = 0; i < scope->count; i++)
			scope->start->objects[k].needed_by += scope->needs[i * scope->count + k];
	}
}

/* Marks all that is loaded, if `without` is not. Preloaded objects are there without being asked for. */
static void reach(const struct scope_of_start *scope, size_t without, bool *reached)
{
	bool more = true;

	for (size_t i = 0; i < scope->count; i++)
		reached[i] = i != without && (!i || !scope->start->objects[i].needed_by);
	while (more) {
		more = false;
		for (size_t i = 0; i < scope->count * scope->count; i++) {
			const size_t from = i / scope->count, to = i % scope->count;

			if (!scope->needs[i] || !reached[from] || reached[to] || to == without)
				continue;
			reached[to] = more = true;
		}
	}
}

/* The nearest is the last: what an object comes through was loaded before it, one behind the other. */
static void find_ways(struct scope_of_start *scope)
{
	bool *reached = checked_calloc(scope->count, sizeof(*reached));

	for (size_t without = 1; without < scope->count; without++) {
		reach(scope, without, reached);
		for (size_t i = without + 1; i < scope->count; i++)
			if (!reached[i] && scope->start->objects[i].role == START_IS_LIBRARY)
				scope->start->objects[i].through = (uint32_t)without;
	}
	free(reached);
}

static int by_name(const void *left, const void *right)
{
	const struct offer *a = left, *b = right;
	const int order = strcmp(a->definition->name, b->definition->name);

	return order ? order : (a->object > b->object) - (a->object < b->object);
}

static void list_offers(struct scope_of_start *scope)
{
	size_t count = 0;

	for (size_t i = 0; i < scope->count; i++)
		count += scope->linkings[i]->definition_count;
	scope->offers = checked_calloc(count, sizeof(*scope->offers));
	for (size_t i = 0; i < scope->count; i++)
		for (size_t k = 0; k < scope->linkings[i]->definition_count; k++)
			scope->offers[scope->offer_count++] = (struct offer){ &scope->linkings[i]->definitions[k], i };
	qsort(scope->offers, scope->offer_count, sizeof(*scope->offers), by_name);
}

static bool is_before(const void *offers, size_t index, const void *name)
{
	return strcmp(((const struct offer *)offers)[index].definition->name, name) < 0;
}

/* The object that the reference of object `from`, or its call, is bound to; count: none. */
static size_t bind(const struct scope_of_start *scope, const struct elf_reference *reference, size_t from, bool call)
{
	size_t found = scope->count;

	for (size_t i = bisect(scope->offers, scope->offer_count, is_before, reference->name);
	     i < scope->offer_count && !strcmp(scope->offers[i].definition->name, reference->name); i++) {
		const struct offer *offer = &scope->offers[i];

		if (!elf_definition__meets(offer->definition, reference, call) ||
		    (reference->copies && offer->object == from))
			continue;
		if (offer->object == from && scope->linkings[from]->is_symbolic)
			return from;
		if (found == scope->count)
			found = offer->object;
	}
	return found;
}

static void add_binding(struct scope_of_start *scope, size_t from, size_t to)
{
	if (to < scope->count && to != from)
		scope->start->objects[to].bound_to++;
}

static void count_bindings(struct scope_of_start *scope)
{
	for (size_t i = 0; i < scope->count; i++)
		scope->start->objects[i].bound_to = 0;
	for (size_t i = 0; i < scope->count; i++) {
		const struct elf_linking *linking = scope->linkings[i];

		for (size_t k = 0; k < linking->reference_count; k++) {
			const struct elf_reference *reference = &linking->references[k];
			const size_t called = reference->calls ? bind(scope, reference, i, true) : i;
			const size_t taken = reference->takes ? bind(scope, reference, i, false) : i;

			add_binding(scope, i, called);
			if (taken != called)
				add_binding(scope, i, taken);
		}
	}
}

void start_scope__find(struct start *start)
{
	struct scope_of_start scope = { .start = start, .count = start->object_count };

	scope.linkings = checked_calloc(scope.count, sizeof(struct elf_linking *));
	scope.needs = checked_calloc(scope.count * scope.count, sizeof(*scope.needs));
	if (read_linkings(&scope)) {
		find_needs(&scope);
		find_ways(&scope);
		list_offers(&scope);
		count_bindings(&scope);
	}
	for (size_t i = 0; i < scope.count; i++)
		elf_linking__free(scope.linkings[i]);
	free(scope.linkings);
	free(scope.needs);
	free(scope.offers);
}
