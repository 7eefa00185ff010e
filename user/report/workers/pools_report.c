// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/workers/pools_report.h"

#include <inttypes.h>

#include "base/autofree.h"
#include "base/number.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/shown.h"
#include "report/workers/workers_report.h"

enum { POOLS_SHOWN = 20 };

struct pool_row {
	uint64_t pid, workers;
	uint64_t pss, copies, identical; /* bytes */
	const char *name;
};

static struct cell bytes_cell(const void *subject, const void *row, int index)
{
	const uint64_t bytes = *(const uint64_t *)((const char *)row + index);

	return cell__worded(cell__count(bytes), quantity__in(bytes, unit__mib));
}

#define BYTES(name, member, called) \
	{ name, COLUMN_COUNT, .cell = bytes_cell, .index = offsetof(struct pool_row, member), .key = called }

static const struct column pool_columns[] = {
	{ "pid", COUNT_OF(struct pool_row, pid) },
	{ "workers", COUNT_OF(struct pool_row, workers) },
	BYTES("PSS", pss, "pss_anon_bytes"),
	BYTES("copies", copies, "extra_bytes"),
	BYTES("identical", identical, "mergeable_bytes"),
	{ "name", TEXT_OF(struct pool_row, name) },
};

static const struct worker *first_of(const struct workers *workers)
{
	return workers->has_master ? &workers->master : &workers->workers[0];
}

static struct table *table_of(const struct pools *pools, const struct report_options *options,
			      const struct table_output *output)
{
	struct table *table = table__new("Pools by identical copies, MiB of anonymous memory");

	TABLE_COLUMNS(table, pool_columns, pools);
	table__rule(table);
	for (size_t i = 0; i < pools->count; i++) {
		const struct workers *workers = pools->list[i];
		const struct workers_copies copies = workers_copies__of(workers);

		table__add(table, &(struct pool_row){
					  .pid = first_of(workers)->pid,
					  .workers = workers->worker_count,
					  .pss = workers_copies__pss(workers),
					  .copies = copies.bytes,
					  .identical = copies.mergeable,
					  .name = first_of(workers)->name,
				  });
	}
	if (table_output__view(output) == VIEW_READING)
		table__limit(table, room__of(options, POOLS_SHOWN, SIZE_MAX).rows, "pools");
	return table;
}

static char *verdict(const struct pools *pools)
{
	const struct workers *worst = pools->list[0];
	const uint64_t mergeable = workers_copies__of(worst).mergeable;
	const struct number_text identical = quantity__size(mergeable);

	if (!mergeable)
		return text__of("%zu %s: no copy of an inherited page is identical to another.", pools->count,
				number__plural(pools->count, "pool", "pools"));
	return text__of("%zu %s; %s (pid %d) wastes most: %s are copies of inherited pages that are identical to "
			"others.", pools->count, number__plural(pools->count, "pool", "pools"),
			first_of(worst)->name, first_of(worst)->pid, identical.text);
}

void pools_report__print(const void *subject, const struct report_options *options, const struct table_output *output)
{
	const struct pools *pools = subject;
	const enum table_view view = table_output__view(output);
	autofree char *command = NULL;

	if (view == VIEW_DATA) {
		table__finish(table_of(pools, options, output), output);
		return;
	}
	wrap__paragraph(NULL, verdict(pools), output);
	table__show(table_of(pools, options, output), output);
	if (pools->left_out)
		wrap__paragraph("Left out:", text__of("%zu that could not be read: %s", pools->left_out, pools->reason),
				output);
	command = text__of("forktax workers -p %d", first_of(pools->list[0])->pid);
	putc('\n', output->stream);
	wrap__paragraph("Next:", text__of("look at one of them:"), output);
	wrap__command(command, 2, output);
}
