// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/lines/line_sums.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/words/names.h"

/* A line: numbers of its texts (0: none); the parent's executable where the line is not known. */
struct line_key {
	uint32_t file, function, place, text, certainty;
};

struct summing {
	struct line_sums sums;
	struct texts texts;
	struct hash numbers; /* of lines: places in the list */
};

static uint32_t number_of(struct summing *summing, const char *text)
{
	return text ? texts__number(&summing->texts, text) + 1 : 0;
}

/* Commands have no name: those with another text are others. */
static struct line_key key_of(struct summing *summing, const struct script_line *line)
{
	const bool is_known = line->source != SCRIPT_UNKNOWN;

	return (struct line_key){
		.file = line->source == SCRIPT_FILE ? number_of(summing, line->file) : is_known ? UINT32_MAX : 0,
		.function = number_of(summing, line->function),
		.place = is_known ? line->line : line->parent_exe,
		.text = line->source == SCRIPT_COMMANDS ? number_of(summing, line->text) : 0,
		.certainty = line->certainty,
	};
}

static struct line_sum *sum_of(struct summing *summing, const struct script_line *line)
{
	struct line_sums *sums = &summing->sums;
	struct line_key key = key_of(summing, line);
	uint64_t number = hash__number(&summing->numbers, &key, sizeof(key));

	if (number == sums->count) {
		sums->list = checked_grow(sums->list, sums->count, sizeof(*sums->list));
		sums->list[sums->count++] = (struct line_sum){ .line = line };
	}
	return &sums->list[number];
}

static void name_program(struct line_sum *sum, const struct run *run, uint32_t exe)
{
	char *name;

	if (++sum->program_count > PROGRAMS_NAMED)
		return;
	name = names__exe(run, exe, false);
	text__replace(&sum->programs, "%s%s%s", sum->programs ? sum->programs : "", sum->programs ? ", " : "", name);
	free(name);
}

static bool has_line(const struct script_line *line)
{
	return line->source != SCRIPT_UNKNOWN && line->line;
}

static int by_children(const void *left, const void *right)
{
	const struct line_sum *a = left, *b = right;

	if (a->children != b->children)
		return (a->children < b->children) - (a->children > b->children);
	return (a->line > b->line) - (a->line < b->line);
}

static void add_line(struct summing *summing, const struct run *run, const struct script_line *line)
{
	struct line_sum *sum = sum_of(summing, line);
	const uint64_t no_exec = line->exec_target == NO_EXE ? line->children : 0;

	sum->children += line->children;
	sum->no_exec += no_exec;
	sum->life_ms += (double)line->life_ns / 1e6;
	if (line->exec_target != NO_EXE)
		name_program(sum, run, line->exec_target);
	summing->sums.children += line->children;
	summing->sums.no_exec += no_exec;
	summing->sums.unknown += has_line(line) ? 0 : line->children;
}

struct line_sums line_sums__of(const struct run *run)
{
	struct summing summing = { .sums = { .children = run->lines->left_out } };

	for (size_t i = 0; i < run->lines->count; i++)
		add_line(&summing, run, &run->lines->rows[i]);
	if (summing.sums.count)
		qsort(summing.sums.list, summing.sums.count, sizeof(*summing.sums.list), by_children);
	texts__release(&summing.texts);
	hash__release(&summing.numbers);
	return summing.sums;
}

void line_sums__free(struct line_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		free(sums->list[i].programs);
	free(sums->list);
}

bool line_sum__is_known(const struct line_sum *sum)
{
	return has_line(sum->line);
}

const struct line_sum *line_sums__most(const struct line_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		if (line_sum__is_known(&sums->list[i]))
			return &sums->list[i];
	return NULL;
}
