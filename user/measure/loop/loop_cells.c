// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/loop/loop_cells.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/text.h"
#include "measure/machine.h"
#include "measure/sizes.h"

void line__add(struct line *line, const char *word)
{
	if (line->count < LINE_WORDS_MAX)
		line->words[line->count++] = checked_strdup(word);
}

void line__add_number(struct line *line, const char *option, uint64_t number)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, number);
	line__add(line, option);
	line__add(line, digits);
}

void line__free(struct line *line)
{
	for (size_t i = 0; i < line->count; i++)
		free(line->words[i]);
	*line = (struct line){ .count = 0 };
}

void loop_cell__refuse(struct bench_cell *cell, char *reason, char *remedy)
{
	bench_cell__set_state(cell, BENCH_UNAVAILABLE, reason, remedy);
	free(reason);
	free(remedy);
}

char *loop_cell__find(struct bench_cell *cell, const char *directory, enum linkage_id linkage, const char *name)
{
	char *reason, *remedy, *path = loops__find(directory, linkage, name, &reason, &remedy);

	if (!path)
		loop_cell__refuse(cell, reason, remedy);
	return path;
}

bool loop_cell__fits(struct bench_cell *cell, uint64_t bytes)
{
	uint64_t available = machine__available_memory();
	char *wanted;

	if (!available || bytes < available - available / 8)
		return true;
	wanted = sizes__text(bytes);
	loop_cell__refuse(cell,
			  text__of("this needs %s of memory, but %" PRIu64 "M are available", wanted, available >> 20),
			  NULL);
	free(wanted);
	return false;
}

int loop_cell__ask(const struct child_request *request, struct child_result *result, char **reason)
{
	struct interrupt interrupt;
	int status, signal;

	interrupt__begin(&interrupt);
	status = child__run(request, &interrupt, result, reason);
	signal = interrupt__came(&interrupt);
	interrupt__end(&interrupt);
	if (signal)
		raise(signal);
	return status;
}

void loop_cell__plan(struct bench_plan *plan, uint32_t row, uint32_t column, const struct loop_program *program)
{
	struct bench_cell *cell = bench__cell(plan->bench, row, column);

	cell->command = loop_program__command(program, 0);
	bench_plan__set_task(plan, row, column, loop_task__new(program));
}
