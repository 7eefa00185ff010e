// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/lines/lines_advice.h"

#include <math.h>

#include "advice/lines/line_on_path.h"
#include "advice/lines/line_subject.h"
#include "advice/rule.h"
#include "base/autofree.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

/* Rows of one line: its function is part of it, as its children are counted by both. */
struct line_key {
	uint32_t file, function, text, line;
};

static uint32_t number_of(struct texts *texts, const char *text)
{
	return text ? (uint32_t)texts__number(texts, text) + 1 : 0;
}

/* The number of the line that each row belongs to; returns how many lines there are. */
static size_t number_lines(const struct script_lines *lines, size_t *numbers)
{
	struct texts texts = { 0 };
	struct hash hash = { 0 };

	for (size_t i = 0; i < lines->count; i++) {
		const struct script_line *row = &lines->rows[i];
		const struct line_key key = { number_of(&texts, row->file), number_of(&texts, row->function),
					      number_of(&texts, row->text), row->line };

		numbers[i] = hash__number(&hash, &key, sizeof(key));
	}
	texts__release(&texts);
	size_t count = hash.count;
	hash__release(&hash);
	return count;
}

static void ask(struct run *run, const struct fork_breakdowns *breakdowns, const size_t *rows, size_t count)
{
	struct script_lines *lines = run->lines;
	struct line_subject subject;
	const struct rule_question question = {
		.about = ABOUT_LINES,
		.subject = &subject,
		.group = NO_GROUP,
		.least_ns = -INFINITY,
	};

	if (!line_subject__make(&subject, run, rows, count))
		return;
	subject.breakdowns = breakdowns;
	subject.advised = &lines->advice_count;
	subject.advised_before = lines->advice_count;
	rules__ask(&question, &lines->advice, &lines->advice_count);
	for (size_t i = subject.advised_before; i < lines->advice_count; i++)
		line_on_path__weigh(&subject, &lines->advice[i]);
	line_subject__release(&subject);
}

/*
 * What is certain comes before what is at most, and before what the command does not wait for; stable, so that the
 * order of lines stays among equals.
 */
static double weight_of(const struct advice *advice)
{
	const struct estimate *processes = &advice->predicted_processes;

	const bool is_off_path = advice->predicted_ns.known && !(advice->predicted_ns.value > 0);

	return processes->low < processes->value || is_off_path ? processes->value * 1e-9 : processes->value;
}

static void sort(struct script_lines *lines)
{
	for (size_t i = 1; i < lines->advice_count; i++) {
		struct advice moved = lines->advice[i];
		size_t k = i;

		for (; k > 0 && weight_of(&lines->advice[k - 1]) < weight_of(&moved); k--)
			lines->advice[k] = lines->advice[k - 1];
		lines->advice[k] = moved;
	}
}

/* Rows of each line beside each other: where those of line i begin is begins[i]. */
static void ask_of_all(struct run *run, const struct fork_breakdowns *breakdowns, const size_t *numbers, size_t count)
{
	const struct script_lines *lines = run->lines;
	autofree size_t *begins = checked_calloc(count + 2, sizeof(*begins));
	autofree size_t *rows = checked_calloc(lines->count, sizeof(*rows));

	for (size_t i = 0; i < lines->count; i++)
		begins[numbers[i] + 2]++;
	for (size_t i = 2; i < count + 2; i++)
		begins[i] += begins[i - 1];
	for (size_t i = 0; i < lines->count; i++)
		rows[begins[numbers[i] + 1]++] = i;
	for (size_t i = 0; i < count; i++)
		ask(run, breakdowns, rows + begins[i], begins[i + 1] - begins[i]);
}

void lines_advice__find(struct run *run, const struct fork_breakdowns *breakdowns)
{
	struct script_lines *lines = run->lines;
	autofree size_t *numbers = lines ? checked_calloc(lines->count, sizeof(*numbers)) : NULL;

	if (!lines || lines->left_out || !lines->count)
		return;
	ask_of_all(run, breakdowns, numbers, number_lines(lines, numbers));
	sort(lines);
}
