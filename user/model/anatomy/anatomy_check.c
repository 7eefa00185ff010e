// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/run/run_check.h"

/*
 * What is known of the children of each group, and last of the roots. An array: look-ups in the
 * samples would make the time for a hostile file grow with its square.
 */
struct account {
	const struct sample *sample;
	uint64_t child_rows; /* faults in rows of phase child */
};

static size_t place_of(const struct run *run, uint32_t group)
{
	return group == NO_GROUP ? run->group_count : group;
}

static uint64_t faults_of(const struct run *run, uint32_t group)
{
	return group == NO_GROUP ? run->root_faults.total
				 : run->groups[group].inherited.total + run->groups[group].execd.total;
}

static char *check_sample(const struct run *run, const struct sample *sample, size_t index)
{
	const struct group *group = sample->group == NO_GROUP ? NULL : &run->groups[sample->group];

	if (sample->child_faults > sample->faults || sample->child_unattributed > sample->unattributed ||
	    sample->child_missed > sample->missed || sample->child_beyond > sample->beyond)
		return text__of("samples[%zu]: inherited images have more faults than all images", index);
	if (sample->unattributed > sample->faults || sample->missed > sample->faults ||
	    sample->unsampled > sample->faults || sample->beyond > sample->faults)
		return text__of("samples[%zu]: more faults are unattributed, missed or left out "
				"than there are",
			    index);
	if (!run->integrity.exact || run->integrity.losses[LOSS_UNFINISHED])
		return NULL;
	if (group && sample->children > group__children(group))
		return text__of("samples[%zu]: more children were recorded than the group has", index);
	if (sample->faults > faults_of(run, sample->group))
		return text__of("samples[%zu]: recorded images have more faults than all "
				"images", index);
	return NULL;
}

static char *check_samples(const struct run *run, struct account *accounts)
{
	const struct anatomy *anatomy = run->anatomy;
	char *found = NULL;

	for (size_t i = 0; i < anatomy->sample_count && !found; i++) {
		const struct sample *sample = &anatomy->samples[i];
		struct account *account = &accounts[place_of(run, sample->group)];

		if (account->sample)
			found = text__of("samples[%zu]: its group has two samples", i);
		else
			found = check_sample(run, sample, i);
		account->sample = sample;
	}
	return found;
}

static char *check_row(const struct anatomy *anatomy, const struct anatomy_row *row, size_t index,
		       const struct account *account)
{
	if (row->timed > row->faults)
		return text__of("anatomy[%zu]: more faults were timed than it has", index);
	if (row->ns && !row->timed)
		return text__of("anatomy[%zu]: has a duration, but no timed fault", index);
	if (row->timed && !anatomy->durations)
		return text__of("anatomy[%zu]: has timed faults, but the run timed none", index);
	if (row->children > row->faults)
		return text__of("anatomy[%zu]: more children than faults", index);
	if (!account->sample && row->group != NO_GROUP)
		return text__of("anatomy[%zu]: its group has no sample", index);
	if (row->phase == PHASE_CHILD && account->sample && row->children > account->sample->children)
		return text__of("anatomy[%zu]: more children than were recorded", index);
	return NULL;
}

static char *check_rows(const struct run *run, struct account *accounts)
{
	const struct anatomy *anatomy = run->anatomy;
	char *found = NULL;

	for (size_t i = 0; i < anatomy->row_count && !found; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];
		struct account *account = &accounts[place_of(run, row->group)];

		found = check_row(anatomy, row, i, account);
		if (row->phase == PHASE_CHILD)
			account->child_rows += row->faults;
	}
	return found;
}

/* Rows of phase child, and what is not in rows, are child_faults. */
static char *check_child_faults(const struct run *run, const struct account *accounts)
{
	/* As for the classes of a run: who still runs may have had an event that is not counted. */
	bool behind = run__is_attached(run) || run->integrity.losses[LOSS_UNFINISHED];

	if (!run->integrity.exact || run->integrity.losses[LOSS_UNFINISHED])
		return NULL;
	for (size_t i = 0; i <= run->group_count; i++) {
		const struct sample *sample = accounts[i].sample;
		uint64_t parts = accounts[i].child_rows;

		if (sample)
			parts += sample->child_unattributed + sample->child_missed + sample->child_beyond;
		else if (!parts)
			continue;
		if (!sample)
			return text__of("there are faults of children, but no sample of their parents");
		if (parts < sample->child_faults || (parts > sample->child_faults && !behind))
			return text__of("the faults of recorded children of groups[%zu] add up to "
				    "%" PRIu64 ", the total is %" PRIu64,
				    i, parts, sample->child_faults);
	}
	return NULL;
}

static char *check_faults(const struct run *run)
{
	struct account *accounts = checked_calloc(run->group_count + 1, sizeof(*accounts));
	char *found = check_samples(run, accounts);

	if (!found)
		found = check_rows(run, accounts);
	if (!found)
		found = check_child_faults(run, accounts);
	for (size_t i = 0; i < run->anatomy->symbol_count && !found; i++) {
		const struct binding_symbol *symbol = &run->anatomy->symbols[i];
		const struct sample *sample = accounts[symbol->group].sample;

		if (!sample || symbol->children > sample->children)
			found = text__of("symbols[%zu]: more children than were recorded", i);
	}
	free(accounts);
	return found;
}

static bool is_ordered(const struct spread_of *spread)
{
	return spread->min <= spread->median && spread->median <= spread->max &&
	       (spread->max != ABSENT || spread->min == ABSENT);
}

static bool is_ordered_ns(const struct spread_ns *spread)
{
	if (!spread->count)
		return !spread->total;
	return spread->min <= spread->median && spread->median <= spread->p99 && spread->p99 <= spread->max;
}

static char *check_fork_cost(const struct fork_cost *cost, size_t index)
{
	uint64_t parts = 0;

	for (int part = 0; part < PART_COUNT; part++)
		parts += cost->part_ns[part];
	if (parts != cost->typical_ns || parts > cost->whole.total)
		return text__of("fork_cost[%zu]: the parts add up to %" PRIu64 " ns, the whole is %" PRIu64, index,
				parts, cost->typical_ns);
	if (cost->complete > cost->forks || cost->typical > cost->complete || !cost->typical != !cost->complete ||
	    cost->whole.count != cost->complete || cost->call.count > cost->forks)
		return text__of("fork_cost[%zu]: the numbers of forks contradict each other", index);
	if (!is_ordered_ns(&cost->whole) || !is_ordered_ns(&cost->call) || !is_ordered(&cost->vmas) ||
	    !is_ordered(&cost->page_table_bytes) || !is_ordered(&cost->threads))
		return text__of("fork_cost[%zu]: minimum, median and maximum are not in that order", index);
	return NULL;
}

static char *check_layout(const struct layout *layout, size_t index, uint64_t page)
{
	uint64_t end = 0;

	for (size_t i = 0; i < layout->vma_count; i++) {
		const struct layout_vma *vma = &layout->vmas[i];

		if (vma->start < end || vma->end <= vma->start || vma->start % page || vma->end % page)
			return text__of("layouts[%zu].vmas[%zu]: not a range of pages after the "
					"last one",
				    index, i);
		if (vma->pages && strlen(vma->pages) != (vma->end - vma->start) / page)
			return text__of("layouts[%zu].vmas[%zu]: \"pages\" does not have one character "
					"per page",
					index, i);
		if (vma->present != ABSENT && (vma->present > (vma->end - vma->start) / page ||
					       vma->own > vma->present || vma->huge > vma->present))
			return text__of("layouts[%zu].vmas[%zu]: more pages than it can "
					"hold", index, i);
		end = vma->end;
	}
	return NULL;
}

char *anatomy__contradiction(const struct run *run)
{
	const struct anatomy *anatomy = run->anatomy;
	char *found = check_faults(run);

	if (!found)
		found = stacks__contradiction(run);
	for (size_t i = 0; i < anatomy->fork_count && !found; i++)
		found = check_fork_cost(&anatomy->forks[i], i);
	for (size_t i = 0; i < anatomy->layout_count && !found; i++)
		found = check_layout(&anatomy->layouts[i], i, run__page_bytes(run));
	for (size_t i = 0; i < anatomy->binding_count && !found; i++)
		if (anatomy->bindings[i].relro_start > anatomy->bindings[i].relro_end)
			found = text__of("bindings[%zu]: RELRO ends before it starts", i);
	return found;
}
