// SPDX-License-Identifier: GPL-2.0-or-later
/* Which children were recorded. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/words.h"

static uint64_t processes_of(const struct run *run, uint32_t group)
{
	if (group >= run->group_count)
		return run->totals[LIFE_PROCESSES] - run->totals[LIFE_FORKS];
	return run->groups[group].children + run->groups[group].unfinished;
}

static char *rule_of(const struct anatomy *anatomy)
{
	if (!anatomy->every)
		return words("the first %" PRIu64, anatomy->full);
	return words("the first %" PRIu64 " of each parent program, then 1 of %" PRIu64,
		     anatomy->full, anatomy->every);
}

/* NULL: nothing of it was recorded. */
static char *sentence_of(const struct run *run, uint32_t group)
{
	const struct sample *sample = anatomy__sample(run->anatomy, group);
	uint64_t all = processes_of(run, group);
	const char *noun = group == NO_GROUP ? "process" : "child";
	char *rule, *text;

	if (!sample || !sample->children)
		return NULL;
	if (sample->children >= all)
		return all == 1 ? words("the only %s recorded", noun)
				: words("all %" PRIu64 " %s recorded; counts are per %s", all,
					group == NO_GROUP ? "processes" : "children", noun);
	rule = rule_of(run->anatomy);
	text = words("%" PRIu64 " of %" PRIu64 " children recorded (%s): counts here are per "
		     "recorded child, those of the run are complete",
		     sample->children, all, rule);
	free(rule);
	return text;
}

/* By the names that musl's only file has. */
static bool is_musl(const struct anatomy *anatomy, uint32_t object)
{
	const char *path = object < anatomy->object_count ? anatomy->objects[object].path : NULL;
	const char *name = path ? words__last_part(path) : "";

	return !strcmp(name, "libc.so") || !strncmp(name, "ld-musl", 7);
}

static bool runs_musl(const struct anatomy *anatomy, uint32_t group)
{
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (row->group == group && row->actor == ACTOR_LDSO &&
		    is_musl(anatomy, row->code.object))
			return true;
	}
	return false;
}

void report__print_sample(const struct run *run, uint32_t group,
			  const struct table_output *output)
{
	char *sentence = sentence_of(run, group);
	char *whose = words__group(run, group, false);
	char *text = words("%s: %s%s", whose, sentence ? sentence : "nothing was recorded",
			   runs_musl(run->anatomy, group)
				   ? "; musl's C library and dynamic linker are one file: code of "
				     "both is ld.so's here"
				   : "");

	putc('\n', output->stream);
	wrap__print(NULL, text, 0, 0, output);
	free(sentence);
	free(whose);
	free(text);
}

static void add_line(struct table *table, const struct run *run, const struct sample *sample,
		     bool full)
{
	char *group = words__group(run, sample->group, full);

	table__row(table);
	table__count(table, sample->children);
	table__count(table, processes_of(run, sample->group));
	table__count(table, sample->faults);
	table__count(table, sample->unattributed);
	table__count(table, sample->missed);
	table__count(table, sample->unsampled);
	table__count(table, sample->beyond);
	table__text(table, group);
	free(group);
}

struct table *report__samples(const struct run *run, const struct report_options *options)
{
	const struct anatomy *anatomy = run->anatomy;
	char *rule = rule_of(anatomy);
	char *title = words("Anatomy: recorded processes (%s)", rule);
	struct table *table = table__new(title);

	table__column(table, "recorded", ALIGN_RIGHT);
	table__column(table, "processes", ALIGN_RIGHT);
	table__column(table, "faults", ALIGN_RIGHT);
	table__column(table, "unattributed", ALIGN_RIGHT);
	table__column(table, "missed", ALIGN_RIGHT);
	table__column(table, "outside sample", ALIGN_RIGHT);
	table__column(table, "beyond limit", ALIGN_RIGHT);
	table__column(table, "of", ALIGN_LEFT);
	table__rule(table);
	for (size_t i = 0; i < anatomy->sample_count; i++)
		add_line(table, run, &anatomy->samples[i], options->csv);
	free(rule);
	free(title);
	return table;
}
