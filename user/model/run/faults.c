// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/run/run.h"

uint64_t faults__class(const struct faults *faults, enum fault_class class)
{
	uint64_t sum = 0;

	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		sum += faults->by[actor][class];
	return sum;
}

uint64_t faults__actor(const struct faults *faults, enum actor actor)
{
	uint64_t sum = 0;

	for (int class = 0; class < FAULT_COUNT; class++)
		sum += faults->by[actor][class];
	return sum;
}

uint64_t faults__classified(const struct faults *faults)
{
	uint64_t sum = 0;

	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		sum += faults__actor(faults, actor);
	return sum;
}

/*
 * Never negative: the kernel adds to its own counter a moment after the event, so an unfinished
 * process may show more classified faults than faults.
 */
uint64_t faults__unattributed(const struct faults *faults)
{
	uint64_t classified = faults__classified(faults);

	return faults->total > classified ? faults->total - classified : 0;
}

uint64_t faults__mark(const struct faults *faults, enum mark mark)
{
	switch (mark) {
	case MARK_MAJOR:
		return faults->major;
	case MARK_KERNEL_MODE:
		return faults__actor(faults, ACTOR_KERNEL);
	case MARK_PAGE_TABLE_PAGES:
		return faults->page_table_pages;
	case MARK_COUNT:
		break;
	}
	return ABSENT;
}

void faults__add(struct faults *sum, const struct faults *more)
{
	sum->total += more->total;
	sum->major += more->major;
	sum->page_table_pages += more->page_table_pages;
	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		for (int class = 0; class < FAULT_COUNT; class++)
			sum->by[actor][class] += more->by[actor][class];
}

bool fault_class__copies(enum fault_class class)
{
	return class == FAULT_COW_COPY || class == FAULT_FILE_COW;
}

bool fault_class__dirties(enum fault_class class)
{
	return fault_class__copies(class) || class == FAULT_ZERO_FILL;
}
