// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>

#include "base/text.h"
#include "model/run/call_errors.h"
#include "model/run/run_check.h"

static char *unequal(const char *what, uint64_t parts, uint64_t total)
{
	return text__of("%s of roots and groups add up to %" PRIu64 ", the total is %" PRIu64, what, parts, total);
}

static char *check_calls(const struct run *run)
{
	static const struct {
		const char *what;
		uint64_t (*of)(const struct syscall_table *table);
	} sums[] = {
		{ "calls", syscall_table__calls },
		{ "errors", syscall_table__errors },
		{ "denied calls", syscall_table__denied },
	};

	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		uint64_t total = sums[i].of(&run->table), parts = sums[i].of(&run->root_table);

		for (size_t k = 0; k < run->group_count; k++)
			parts += sums[i].of(&run->groups[k].table);
		if (parts != total)
			return unequal(sums[i].what, parts, total);
	}
	return NULL;
}

static char *check_errnos(const struct syscall_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct syscall_row *row = &table->rows[i];

		for (int actor = 0; actor < ACTOR_COUNT; actor++)
			if (syscall_row__explained(row, actor) != row->errors[actor])
				return text__of("the errnos of %s do not add up to its errors", row->name);
	}
	return NULL;
}

static char *check_all_errnos(const struct run *run)
{
	char *line = check_errnos(&run->table);

	if (!line)
		line = check_errnos(&run->root_table);
	for (size_t i = 0; i < run->group_count && !line; i++)
		line = check_errnos(&run->groups[i].table);
	return line;
}

static char *check_faults(const struct run *run)
{
	struct faults sum = run->root_faults;

	for (size_t i = 0; i < run->group_count; i++) {
		faults__add(&sum, &run->groups[i].inherited);
		faults__add(&sum, &run->groups[i].execd);
	}
	if (sum.total != run->faults.total)
		return unequal("faults", sum.total, run->faults.total);
	for (int class = 0; class < FAULT_COUNT; class++)
		if (faults__class(&sum, class) != faults__class(&run->faults, class))
			return unequal(fault_counters[class].key, faults__class(&sum, class),
				       faults__class(&run->faults, class));
	return NULL;
}

/* Holds of running processes, too: a thread's classes end where its counter is read. */
static char *check_classes(const struct run *run)
{
	uint64_t classified = faults__classified(&run->faults);

	if (classified <= run->faults.total)
		return NULL;
	return text__of("%" PRIu64 " faults have a class, but there were only %" PRIu64, classified, run->faults.total);
}

/* The command's first image has the calls and faults of its start, which were counted apart. */
static char *check_start(const struct run *run)
{
	const struct start *start = run->start;
	const struct image *image = run__first_image(run);

	if (!image || start->missed)
		return NULL;
	if (start__calls(start) != image->syscalls)
		return text__of("the start has %" PRIu64 " calls, the command's first image %" PRIu64,
				start__calls(start), image->syscalls);
	if (start->image_faults != image->faults.total)
		return text__of("the start has %" PRIu64 " faults, the command's first image %" PRIu64,
				start->image_faults, image->faults.total);
	return NULL;
}

/* Not exact for a reason that only a note gives: processes that were never seen to end. */
static bool is_short(const struct run *run)
{
	return !run->integrity.exact && integrity__is_exact(&run->integrity);
}

char *run__contradiction(const struct run *run)
{
	char *line = NULL;

	if (run->integrity.exact && !run__is_exact(run))
		return text__of("marked exact, although events were lost, calls were uncertain, or "
				"processes were not counted to their end");
	if (run->anatomy)
		line = anatomy__contradiction(run);
	/* With losses the parts may be short of the whole; the report says so. */
	if (line || integrity__has_gaps(&run->integrity) || is_short(run))
		return line;
	line = check_calls(run);
	if (!line && run->outcomes)
		line = check_all_errnos(run);
	if (!line && run__has(run, HAS_PROCESS_FAULTS))
		line = check_faults(run);
	if (!line && run__has(run, HAS_FAULT_CLASSES))
		line = check_classes(run);
	if (!line && run->start)
		line = check_start(run);
	return line ? line : files__contradiction(run);
}
