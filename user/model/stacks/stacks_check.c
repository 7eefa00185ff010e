// SPDX-License-Identifier: GPL-2.0-or-later
/* What the call stacks of a run owe to the rows of its anatomy. */
#include "base/text.h"
#include "model/stacks/stacks.h"
#include "model/run/run_check.h"

static char *check_share(const struct stacks *stacks, size_t index)
{
	const struct stack_share *share = &stacks->shares[index], *before = share - 1;

	if (index && (share->row < before->row || (share->row == before->row && share->stack <= before->stack)))
		return text__of("stacks.shares[%zu]: not in the order of rows and stacks", index);
	if (!share->faults)
		return text__of("stacks.shares[%zu]: no faults", index);
	if (share->timed > share->faults || (share->ns && !share->timed))
		return text__of("stacks.shares[%zu]: more faults were timed than it has", index);
	return NULL;
}

/* What the shares of one row, which follow each other from `first` on, may add up to. */
static char *check_row(const struct anatomy *anatomy, size_t first)
{
	const struct stacks *stacks = anatomy->stacks;
	const struct anatomy_row *row = &anatomy->rows[stacks->shares[first].row];
	uint64_t faults = row->faults, timed = row->timed, ns = row->ns; /* what is left of them */

	for (size_t i = first; i < stacks->share_count && stacks->shares[i].row == stacks->shares[first].row; i++) {
		const struct stack_share *share = &stacks->shares[i];

		if (share->faults > faults || share->timed > timed || share->ns > ns)
			return text__of("stacks.shares[%zu]: the stacks of a row have more faults, or more "
					"time, than the row", i);
		faults -= share->faults;
		timed -= share->timed;
		ns -= share->ns;
	}
	return NULL;
}

/* Of the calls of the run, those of the recorded processes: no more of one name than there were. */
static char *check_calls(const struct run *run)
{
	const struct stacks *stacks = run->anatomy->stacks;
	uint64_t left = 0;

	for (size_t i = 0; i < run->table.count; i++)
		left += syscall_row__sum(run->table.rows[i].calls);
	for (size_t i = 0; i < stacks->call_count; i++) {
		if (!stacks->calls[i].calls)
			return text__of("stacks.calls[%zu]: no calls", i);
		if (stacks->calls[i].calls > left && integrity__is_exact(&run->integrity))
			return text__of("stacks.calls[%zu]: more calls than the run has", i);
		left -= stacks->calls[i].calls < left ? stacks->calls[i].calls : left;
	}
	return NULL;
}

char *stacks__contradiction(const struct run *run)
{
	const struct stacks *stacks = run->anatomy->stacks;
	char *found = NULL;

	for (size_t i = 0; stacks && i < stacks->count && !found; i++)
		if (!stacks->list[i].proven || stacks->list[i].proven > stacks->list[i].frame_count)
			found = text__of("stacks.list[%zu]: \"proven\" is not between 1 and the number of its frames",
					 i);
	for (size_t i = 0; stacks && i < stacks->share_count && !found; i++)
		found = check_share(stacks, i);
	for (size_t i = 0; stacks && i < stacks->share_count && !found; i++)
		if (!i || stacks->shares[i].row != stacks->shares[i - 1].row)
			found = check_row(run->anatomy, i);
	return found || !stacks ? found : check_calls(run);
}
