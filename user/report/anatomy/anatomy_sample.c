// SPDX-License-Identifier: GPL-2.0-or-later
/* Which children were recorded. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"

static uint64_t processes_of(const struct run *run, uint32_t group)
{
	if (group >= run->group_count)
		return run__roots(run);
	return group__children(&run->groups[group]);
}

static char *rule_of(const struct anatomy *anatomy)
{
	if (!anatomy->every)
		return text__of("the first %" PRIu64, anatomy->full);
	return text__of("the first %" PRIu64 " of each parent program, then 1 of %" PRIu64,
			anatomy->full, anatomy->every);
}

/* NULL if nothing was recorded. */
static char *sentence_of(const struct run *run, uint32_t group)
{
	const struct sample *sample = anatomy__sample(run->anatomy, group);
	uint64_t all = processes_of(run, group);
	const char *noun = group == NO_GROUP ? "process" : "child";
	autofree char *rule = NULL;

	if (!sample || !sample->children)
		return NULL;
	if (sample->children >= all)
		return all == 1 ? text__of("the only %s recorded", noun)
				: text__of("all %" PRIu64 " %s recorded; counts are per %s", all,
					   group == NO_GROUP ? "processes" : "children", noun);
	rule = rule_of(run->anatomy);
	return text__of("%" PRIu64 " of %" PRIu64 " children recorded (%s): counts here are per "
			"recorded child, those of the run are complete",
			sample->children, all, rule);
}

/* By its name: musl has one file for all, which goes by one of these. */
static bool is_musl(const struct anatomy *anatomy, uint32_t object)
{
	const char *path = object < anatomy->object_count ? anatomy->objects[object].path : NULL;
	const char *name = path ? text__file_name(path) : "";

	return !strcmp(name, "libc.so") || !strncmp(name, "ld-musl", 7);
}

static bool runs_musl(const struct anatomy *anatomy, uint32_t group)
{
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (row->group == group && row->actor == ACTOR_LDSO && is_musl(anatomy, row->code.object))
			return true;
	}
	return false;
}

void report__print_sample(const struct run *run, uint32_t group, const struct table_output *output)
{
	autofree char *sentence = sentence_of(run, group);
	autofree char *whose = names__group(run, group, false);
	autofree char *text = text__of("%s: %s%s", whose, sentence ? sentence : "nothing was recorded",
				       runs_musl(run->anatomy, group)
				   ? "; musl's C library and dynamic linker are one file: code of "
					      "both counts as ld.so's"
					    : "");

	putc('\n', output->stream);
	wrap__print(NULL, text, 0, 0, output);
}
