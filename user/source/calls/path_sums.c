// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/path_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"

enum { STEPS_ROOM = 4 * PATH_STEPS_MOST };

static void add_parts(uint64_t sum[PATH_PARTS], const uint64_t ns[PATH_PARTS])
{
	for (int part = 0; part < PATH_PARTS; part++)
		sum[part] += ns[part];
}

void path_stretch__begin(struct path_stretch *stretch, uint64_t ns)
{
	stretch->begin_ns = stretch->end_ns = ns;
	memset(stretch->ns, 0, sizeof(stretch->ns));
	memset(stretch->idle_ns, 0, sizeof(stretch->idle_ns));
	stretch->call_nr = -1;
	stretch->call_abi = 0;
}

void path_stretch__extend(struct path_stretch *stretch, const struct path_stretch *more)
{
	stretch->end_ns = more->end_ns;
	add_parts(stretch->ns, more->ns);
	add_parts(stretch->idle_ns, more->idle_ns);
}

bool path_stretch__clamp(struct path_stretch *stretch, uint64_t end_ns)
{
	uint64_t beyond;

	if (stretch->begin_ns >= end_ns)
		return false;
	if (stretch->end_ns <= end_ns)
		return true;
	beyond = stretch->end_ns - end_ns;
	stretch->end_ns = end_ns;
	for (int part = 0; part < PATH_PARTS; part++) {
		const uint64_t ns = stretch->ns[part] < beyond ? stretch->ns[part] : beyond;

		stretch->ns[part] -= ns;
		beyond -= ns;
	}
	return true;
}

/* A line of a file counts for all that is below, commands only where there is none. */
static struct path_fold_line line_below(const struct path_fold_line *above, struct path_fold_line own)
{
	const bool is_known = own.number != UINT32_MAX;

	return is_known && (own.is_file || !above || above->number == UINT32_MAX || !above->is_file) ? own :
	       above ? *above : own;
}

static void set_place(struct path_sums *sums, uint32_t number, struct path_place place)
{
	if (number == UINT32_MAX)
		return;
	while (sums->place_count <= number) {
		sums->places = checked_grow(sums->places, sums->place_count, sizeof(*sums->places));
		sums->places[sums->place_count] = (struct path_place){ .number = sums->place_count };
		sums->place_count++;
	}
	sums->places[number] = place;
}

void path_sums__place(struct path_sums *sums, uint32_t number, struct path_fold_line line)
{
	if (number < sums->place_count && line.number != UINT32_MAX)
		set_place(sums, number, (struct path_place){ .number = line.number });
}

/* UINT32_MAX: no line is known. */
static uint32_t place_of(const struct path_sums *sums, uint32_t number)
{
	while (number < sums->place_count && sums->places[number].number != number)
		number = sums->places[number].number;
	return number;
}

/* The list of a process that was created by that line, below those of its parent. */
static uint32_t lines_with(struct path_sums *sums, uint32_t number, uint32_t above)
{
	uint32_t at = above;

	if (number == UINT32_MAX)
		return above;
	while (at != UINT32_MAX && sums->lines_above[at].number != number)
		at = sums->lines_above[at].next;
	if (at != UINT32_MAX)
		return above;
	sums->lines_above = checked_grow(sums->lines_above, sums->line_above_count, sizeof(*sums->lines_above));
	sums->lines_above[sums->line_above_count] = (struct path_line_above){ number, above };
	return sums->line_above_count++;
}

uint32_t path_sums__process(struct path_sums *sums, const struct path_birth *birth, const struct path_stretch *creator,
			    struct path_fold_line line)
{
	const struct path_process *parent = creator ? &sums->processes[creator->process] : NULL;
	uint32_t above;

	if (parent && parent->id == birth->process)
		return creator->process;
	if (line.comes)
		set_place(sums, line.number,
			  (struct path_place){ parent ? parent->line.number : UINT32_MAX, .is_of_parent = true });
	line = line_below(parent ? &parent->line : NULL, line);
	above = lines_with(sums, line.number, parent ? parent->above : UINT32_MAX);
	sums->processes = checked_grow(sums->processes, sums->process_count, sizeof(*sums->processes));
	sums->processes[sums->process_count] = (struct path_process){ birth->process, birth->pid, line, above };
	return sums->process_count++;
}

static struct path_program *program_of(struct path_sums *sums, const struct path_stretch *stretch)
{
	const uint32_t key[2] = { stretch->exe, stretch->executed };
	const uint64_t number = hash__number(&sums->program_numbers, key, sizeof(key));

	if (number == sums->program_count) {
		sums->programs = checked_grow(sums->programs, number, sizeof(*sums->programs));
		sums->programs[sums->program_count++] =
			(struct path_program){ .exe = stretch->exe, .executed = stretch->executed };
	}
	return &sums->programs[number];
}

/* NULL: no line is known. */
static struct path_line *line_of(struct path_sums *sums, uint32_t number)
{
	if (number == UINT32_MAX)
		return NULL;
	while (sums->line_count <= number) {
		sums->lines = checked_grow(sums->lines, sums->line_count, sizeof(*sums->lines));
		sums->lines[sums->line_count++] = (struct path_line){ 0 };
	}
	return &sums->lines[number];
}

static int by_length(const void *left, const void *right)
{
	const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a < b) - (a > b);
}

/* Only the longest, and the last, which may go on. */
static void leave_out_short_steps(struct path_sums *sums, size_t kept)
{
	uint64_t *lengths, least;
	size_t left = 0, equal = 0;

	if (sums->step_count <= kept)
		return;
	lengths = checked_calloc(sums->step_count, sizeof(*lengths));
	for (size_t i = 0; i < sums->step_count; i++)
		lengths[i] = path__sum(sums->steps[i].ns);
	qsort(lengths, sums->step_count, sizeof(*lengths), by_length);
	least = lengths[kept - 1];
	for (size_t i = kept; i-- && lengths[i] == least;)
		equal++; /* so many of the shortest that are kept */
	free(lengths);
	for (size_t i = 0; i < sums->step_count; i++) {
		const uint64_t ns = path__sum(sums->steps[i].ns);

		if (ns > least || (ns == least && equal && equal--) || i + 1 == sums->step_count) {
			sums->steps[left++] = sums->steps[i];
			continue;
		}
		sums->steps_left_out++;
		sums->left_out_ns += ns;
	}
	sums->step_count = left;
}

/* The array keeps its room: checked_grow() goes by the count. */
static struct path_step *new_step(struct path_sums *sums)
{
	if (!sums->steps)
		sums->steps = checked_calloc(STEPS_ROOM, sizeof(*sums->steps));
	if (sums->step_count == STEPS_ROOM)
		leave_out_short_steps(sums, PATH_STEPS_MOST);
	return &sums->steps[sums->step_count++];
}

static bool continues(const struct path_sums *sums, const struct path_stretch *stretch)
{
	const struct path_step *last = sums->step_count ? &sums->steps[sums->step_count - 1] : NULL;

	return last && last->process == sums->processes[stretch->process].id && last->exe == stretch->exe &&
	       last->executed == stretch->executed;
}

static void add_above(struct path_sums *sums, uint32_t above, uint64_t ns)
{
	for (uint32_t at = above; at != UINT32_MAX; at = sums->lines_above[at].next) {
		struct path_line *line = line_of(sums, sums->lines_above[at].number);

		line->total_ns += ns;
		line->outer_ns += sums->lines_above[at].next == UINT32_MAX ? ns : 0;
	}
}

/* While the path sleeps, another thread of the tree may have no CPU: that is what the command waits for then. */
static void add_idle(struct path_sums *sums, const struct path_stretch *stretch)
{
	const uint64_t ready = ready_time__between(&sums->ready, stretch->begin_ns, stretch->end_ns);
	const uint64_t own = stretch->idle_ns[PATH_PART_READY];
	uint64_t more = ready > own ? ready - own : 0;

	add_parts(sums->idle_ns, stretch->idle_ns);
	for (int part = PATH_PART_DEVICE; part < PATH_PARTS; part++) {
		const uint64_t ns = stretch->idle_ns[part] < more ? stretch->idle_ns[part] : more;

		sums->idle_ns[part] -= ns;
		sums->idle_ns[PATH_PART_READY] += ns;
		more -= ns;
	}
}

void path_sums__add(struct path_sums *sums, const struct path_stretch *stretch)
{
	const struct path_process *process = &sums->processes[stretch->process];
	struct path_program *program = program_of(sums, stretch);
	const bool is_new = !continues(sums, stretch);
	struct path_step *step = is_new ? new_step(sums) : &sums->steps[sums->step_count - 1];
	struct path_line *line;

	if (is_new)
		*step = (struct path_step){
			.process = process->id,
			.pid = process->pid,
			.exe = stretch->exe,
			.executed = stretch->executed,
			.link = stretch->link,
			.call_nr = stretch->call_nr,
			.call_abi = stretch->call_abi,
			.line = process->line.number,
			.begin_ns = stretch->begin_ns,
		};
	step->end_ns = stretch->end_ns;
	add_parts(step->ns, stretch->ns);
	add_parts(program->ns, stretch->ns);
	add_idle(sums, stretch);
	program->steps += is_new;
	add_above(sums, process->above, path__sum(stretch->ns));
	line = line_of(sums, process->line.number);
	if (!line)
		return;
	add_parts(line->ns, stretch->ns);
	line->steps += is_new;
}

static int by_program_time(const void *left, const void *right)
{
	const uint64_t a = path__sum(((const struct path_program *)left)->ns);
	const uint64_t b = path__sum(((const struct path_program *)right)->ns);

	return (a < b) - (a > b);
}

struct numbered_line {
	struct path_line line;
	uint32_t number;
};

static int by_line_time(const void *left, const void *right)
{
	const struct numbered_line *a = left, *b = right;
	const uint64_t a_ns = path__sum(a->line.ns), b_ns = path__sum(b->line.ns);

	if (a_ns != b_ns)
		return (a_ns < b_ns) - (a_ns > b_ns);
	return (a->number > b->number) - (a->number < b->number);
}

/* The lines that are on the path, the longest first; steps get their new numbers. */
static void order_lines(const struct path_sums *sums, struct critical_path *path)
{
	const size_t count = path->line_count;
	autofree struct numbered_line *numbered = checked_calloc(count, sizeof(*numbered));
	autofree uint32_t *positions = checked_calloc(count, sizeof(*positions));

	for (size_t i = 0; i < count; i++)
		numbered[i] = (struct numbered_line){ path->lines[i], i };
	for (size_t i = 0; i < count && i < sums->line_count; i++) {
		const uint32_t place = place_of(sums, i);

		if (place == UINT32_MAX)
			continue;
		numbered[place].line.steps += sums->lines[i].steps;
		add_parts(numbered[place].line.ns, sums->lines[i].ns);
		if (i >= sums->place_count || !sums->places[i].is_of_parent)
			numbered[place].line.total_ns += sums->lines[i].total_ns;
		numbered[place].line.outer_ns += sums->lines[i].outer_ns;
	}
	if (count)
		qsort(numbered, count, sizeof(*numbered), by_line_time);
	path->line_count = 0;
	for (size_t i = 0; i < count; i++) {
		path->lines[i] = numbered[i].line;
		positions[numbered[i].number] = i;
		if (numbered[i].line.steps || numbered[i].line.total_ns) {
			path->line_count++;
			continue;
		}
		free(numbered[i].line.file);
		free(numbered[i].line.function);
	}
	for (size_t i = 0; i < path->step_count; i++) {
		const uint32_t place = place_of(sums, path->steps[i].line);

		path->steps[i].line = place == UINT32_MAX ? UINT32_MAX : positions[place];
	}
}

void path_sums__finish(struct path_sums *sums, uint64_t origin, struct critical_path *path)
{
	leave_out_short_steps(sums, PATH_STEPS_MOST);
	path->steps = sums->steps;
	path->step_count = sums->step_count;
	path->programs = sums->programs;
	path->program_count = sums->program_count;
	path->steps_left_out = sums->steps_left_out;
	path->left_out_ns = sums->left_out_ns;
	sums->steps = NULL;
	sums->programs = NULL;
	for (size_t i = 0; i < path->step_count; i++) {
		path->steps[i].begin_ns -= origin;
		path->steps[i].end_ns -= origin;
	}
	if (path->program_count)
		qsort(path->programs, path->program_count, sizeof(*path->programs), by_program_time);
	order_lines(sums, path);
}

void path_sums__release(struct path_sums *sums)
{
	ready_time__release(&sums->ready);
	free(sums->processes);
	hash__release(&sums->program_numbers);
	free(sums->programs);
	free(sums->lines);
	free(sums->lines_above);
	free(sums->places);
	free(sums->steps);
}
