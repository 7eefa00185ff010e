// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/start/start_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* A sum does not distinguish the segments of a library. */
static const char *brief_words(enum start_reason reason)
{
	switch (reason) {
	case REASON_SEGMENT_ALL:
	case REASON_SEGMENT_CODE:
	case REASON_SEGMENT_CONST:
	case REASON_SEGMENT_DATA:
		return "segment of %s";
	default:
		return start_reason_words[reason];
	}
}

static struct start_group *find_group(struct start_groups *groups, const struct start_call *call)
{
	struct start_group *group;

	for (size_t i = 0; i < groups->count; i++)
		if (groups->groups[i].phase == call->phase && !strcmp(groups->groups[i].name, call->name))
			return &groups->groups[i];
	groups->groups = checked_grow(groups->groups, groups->count, sizeof(*groups->groups));
	group = &groups->groups[groups->count++];
	*group = (struct start_group){ .phase = call->phase, .name = call->name };
	return group;
}

static struct start_use *find_use(struct start_group *group, const char *words, bool by_shape)
{
	for (size_t i = 0; i < group->use_count; i++)
		if (!strcmp(group->uses[i].words, words) && group->uses[i].by_shape == by_shape)
			return &group->uses[i];
	group->uses = checked_grow(group->uses, group->use_count, sizeof(*group->uses));
	group->uses[group->use_count] = (struct start_use){ .words = words, .by_shape = by_shape };
	return &group->uses[group->use_count++];
}

static void add_subject(struct start_use *use, const char *name)
{
	for (size_t i = 0; i < use->subject_count; i++) {
		if (!strcmp(use->subjects[i].name, name)) {
			use->subjects[i].calls++;
			return;
		}
	}
	use->subjects = checked_grow(use->subjects, use->subject_count, sizeof(*use->subjects));
	use->subjects[use->subject_count++] = (struct use_subject){ name, 1 };
}

struct start_groups start_groups__of(const struct start *start)
{
	struct start_groups groups = { 0 };

	for (size_t i = 0; i < start->call_count; i++) {
		const struct start_call *call = &start->calls[i];
		struct start_group *group = find_group(&groups, call);
		struct start_use *use = find_use(group, brief_words(call->reason), call->by_shape);

		group->calls++;
		group->errors += start_call__errno(call) != 0;
		use->errors += start_call__errno(call) != 0;
		use->calls++;
		if (call->subject)
			add_subject(use, call->subject);
	}
	return groups;
}

void start_groups__free(struct start_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++) {
		for (size_t k = 0; k < groups->groups[i].use_count; k++)
			free(groups->groups[i].uses[k].subjects);
		free(groups->groups[i].uses);
	}
	free(groups->groups);
	*groups = (struct start_groups){ 0 };
}

uint64_t start__unexplained(const struct start *start)
{
	uint64_t count = 0;

	for (size_t i = 0; i < start->call_count; i++)
		count += start->calls[i].reason == REASON_UNKNOWN;
	return count;
}

char *start_call__why(const struct start_call *call)
{
	const char *words = start_reason_words[call->reason], *place = strstr(words, "%s");

	const char *const doubt = call->by_shape ? START_DOUBT : "";

	if (!place)
		return text__of("%s%s", doubt, words);
	return text__of("%s%.*s%s%s", doubt, (int)(place - words), words, call->subject ? call->subject : "?",
			place + strlen("%s"));
}
