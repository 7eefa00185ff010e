// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/names/flow_writers.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "elf/mapping.h"
#include "elf/symbols.h"
#include "model/words/syscall_names.h"
#include "resolve/names/file_identity.h"
#include "resolve/names/flow_stacks.h"

static void name_symbol(struct flow_writer *writer, const struct flow_code *code)
{
	struct elf_file *file;
	const char *symbol = NULL;
	uint64_t address, distance;

	if (file_identity__of(code->object, code->dev, code->ino) == FILE_HAS_CHANGED)
		return;
	file = elf_file__open(code->object);
	if (file->opened == ELF_OPENED &&
	    elf_mapping__address(&file->object, code->offset, ELF_READ | ELF_EXEC, &address))
		symbol = elf_symbols__symbol(elf_symbols__of(file), address, &distance);
	writer->symbol = symbol ? checked_strdup(symbol) : NULL;
	elf_file__close(file);
}

static void name_writer(struct flow_writer *writer, const struct flow_code *code)
{
	const char *call = code->call_nr < 0 ? NULL : syscall_name(code->call_abi, code->call_nr);

	writer->actor = code->actor;
	writer->call = call ? checked_strdup(call) : NULL;
	writer->offset = code->actor == ACTOR_KERNEL ? ABSENT : code->object ? code->offset : code->ip;
	if (code->symbol)
		writer->symbol = checked_strdup(code->symbol);
	if (!code->object)
		return;
	writer->object = checked_strdup(code->object);
	name_symbol(writer, code);
}

static int by_text(const char *left, const char *right)
{
	return left && right ? strcmp(left, right) : !!left - !!right;
}

/* Writers that are the same for a reader follow each other. */
static int by_identity(const void *left, const void *right)
{
	const struct flow_writer *a = left, *b = right;
	int order = (int)a->actor - (int)b->actor;

	order = order ? order : by_text(a->call, b->call);
	order = order ? order : by_text(a->object, b->object);
	order = order ? order : by_text(a->symbol, b->symbol);
	if (order || a->symbol || a->offset == b->offset)
		return order;
	return a->offset < b->offset ? -1 : 1;
}

static int by_weight(const void *left, const void *right)
{
	const struct flow_writer *a = left, *b = right;

	if (a->copies != b->copies)
		return a->copies > b->copies ? -1 : 1;
	if (a->filled != b->filled)
		return a->filled > b->filled ? -1 : 1;
	return by_identity(left, right);
}

/* Sorts them, and tells the copies the new numbers. `code` of a writer is its old number meanwhile. */
static void sort(struct workers_flow *flow, uint32_t *numbers, int (*order)(const void *left, const void *right))
{
	for (size_t i = 0; i < flow->writer_count; i++)
		flow->writers[i].code = i;
	if (flow->writer_count)
		qsort(flow->writers, flow->writer_count, sizeof(*flow->writers), order);
	for (size_t i = 0; i < flow->writer_count; i++)
		numbers[flow->writers[i].code] = i;
	for (size_t i = 0; i < flow->copy_count; i++)
		flow->copies[i].writer = numbers[flow->copies[i].writer];
}

static void merge(struct workers_flow *flow, uint32_t *numbers)
{
	size_t kept = 0;

	for (size_t i = 0; i < flow->writer_count; i++) {
		struct flow_writer *writer = &flow->writers[i];

		if (!kept || by_identity(&flow->writers[kept - 1], writer)) {
			flow->writers[kept++] = *writer;
		} else {
			flow_stacks__join(&flow->writers[kept - 1], writer);
			flow->writers[kept - 1].copies += writer->copies;
			flow->writers[kept - 1].filled += writer->filled;
			free(writer->object);
			free(writer->symbol);
			free(writer->call);
		}
		numbers[i] = kept - 1;
	}
	for (size_t i = 0; i < flow->copy_count; i++)
		flow->copies[i].writer = numbers[flow->copies[i].writer];
	flow->writer_count = kept;
}

static int by_number(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static void count_members(struct workers_flow *flow)
{
	uint64_t *pairs = checked_calloc(flow->copy_count, sizeof(*pairs)); /* writer and member */

	for (size_t i = 0; i < flow->copy_count; i++)
		pairs[i] = (uint64_t)flow->copies[i].writer << 32 | flow->copies[i].member;
	qsort(pairs, flow->copy_count, sizeof(*pairs), by_number);
	for (size_t i = 0; i < flow->copy_count; i++)
		if (!i || pairs[i] != pairs[i - 1])
			flow->writers[pairs[i] >> 32].members++;
	free(pairs);
}

void flow_writers__name(struct workers_flow *flow, struct flow_log *log)
{
	uint32_t *numbers = checked_calloc(flow->writer_count, sizeof(*numbers));

	flow_stacks__resolve(log);
	for (size_t i = 0; i < flow->writer_count; i++) {
		const struct flow_code *code = &log->codes[flow->writers[i].code];

		name_writer(&flow->writers[i], code);
		if (code->stack != FLOW_NONE)
			flow_stacks__take(&flow->writers[i], log, code->stack);
	}
	sort(flow, numbers, by_identity);
	merge(flow, numbers);
	for (size_t i = 0; i < flow->writer_count; i++)
		flow_stacks__settle(&flow->writers[i]);
	sort(flow, numbers, by_weight);
	count_members(flow);
	free(numbers);
}
