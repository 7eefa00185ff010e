// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/shown.h"

/* Sums over all recorded processes. */
struct sums {
	uint64_t total, unattributed, missed, unsampled, beyond;
	uint64_t rows[PHASE_COUNT];
	uint64_t placed; /* of those in children: the place is known */
	int64_t rest; /* of the total: not explained */
};

static struct sums sums_of(const struct anatomy *anatomy)
{
	struct sums sums = { 0 };

	for (size_t i = 0; i < anatomy->sample_count; i++) {
		sums.total += anatomy->samples[i].faults;
		sums.unattributed += anatomy->samples[i].unattributed;
		sums.missed += anatomy->samples[i].missed;
		sums.unsampled += anatomy->samples[i].unsampled;
		sums.beyond += anatomy->samples[i].beyond;
	}
	sums.rest = sums.total - sums.unattributed - sums.missed - sums.unsampled - sums.beyond;
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		sums.rows[row->phase] += row->faults;
		sums.rest -= row->faults;
		if (row->phase == PHASE_CHILD && row->place.kind != PLACE_UNKNOWN)
			sums.placed += row->faults;
	}
	return sums;
}

struct balance_line {
	double faults; /* the rest may be negative */
	const char *of;
};

static const struct column balance_columns[] = {
	{ "faults", NUMBER_OF(struct balance_line, faults) },
	{ "of", TEXT_OF(struct balance_line, of) },
};

struct table *report__anatomy_balance(const struct run *run, const struct report_options *options)
{
	const struct sums sums = sums_of(run->anatomy);
	const struct {
		struct balance_line line;
		bool unless_zero;
	} lines[] = {
		{ { sums.unattributed, "unattributed: faults without an event" }, false },
		{ { sums.unsampled, words__why_unsampled }, true },
		{ { sums.beyond, words__why_beyond }, true },
		{ { sums.missed, words__why_missed }, false },
		{ { sums.rest, "not explained" }, true },
	};
	struct table *table = table__new("Cross-check: faults of all recorded processes");

	TABLE_COLUMNS(table, balance_columns, NULL);
	table__rule(table);
	for (int phase = 0; phase < PHASE_COUNT; phase++)
		table__add(table, &(struct balance_line){ sums.rows[phase], phase_counters[phase].header });
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (!lines[i].unless_zero || lines[i].line.faults != 0)
			table__add(table, &lines[i].line);
	table__rule(table);
	table__add(table, &(struct balance_line){ sums.total, "total, the kernel's own count" });
	return table;
}

/* " + 12 REASON"; "" for no faults. */
static char *addend(uint64_t faults, const char *reason)
{
	return faults ? text__of(" + %" PRIu64 " %s", faults, reason) : text__of("%s", "");
}

void report__print_anatomy_balance(const struct run *run, const struct report_options *options,
				   const struct table_output *output)
{
	struct sums sums = sums_of(run->anatomy);
	autofree char *unsampled = addend(sums.unsampled, "after forks of children outside of the sample");
	autofree char *beyond = addend(sums.beyond, "beyond what is recorded of one thread");
	autofree char *text = text__of("%" PRIu64 " faults of all recorded processes by the kernel's own count "
				       "= %" PRIu64 " %s + %" PRIu64 " in children + %" PRIu64 " in parents + %" PRIu64
				       " unattributed%s%s + %" PRIu64 " missed + %" PRId64
				       " not explained. Of those in children, %" PRIu64 " fell into a known place.",
				       sums.total, sums.rows[PHASE_EXEC],
			      run__is_attached(run) ? "after exec, or not for a fork" : "after exec",
			      sums.rows[PHASE_CHILD], sums.rows[PHASE_PARENT], sums.unattributed,
				       unsampled, beyond, sums.missed, sums.rest, sums.placed);

	putc('\n', output->stream);
	wrap__title("Cross-check: faults of all recorded processes", output);
	wrap__print(NULL, text, 0, 2, output);
}

/* Only if there is a gap: the answer has no other cross-checks. */
void report__print_anatomy_gap(const struct run *run, const struct report_options *options,
			       const struct table_output *output)
{
	const struct sums sums = sums_of(run->anatomy);
	autofree char *text = NULL;

	if (!sums.rest || !report__is_brief(options))
		return;
	text = text__of("The recorded faults do not add up: %" PRId64 " of %" PRIu64
			" are in no table (--show=integrity).", sums.rest, sums.total);
	putc('\n', output->stream);
	wrap__print(NULL, text, 0, 0, output);
}
