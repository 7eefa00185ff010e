// SPDX-License-Identifier: GPL-2.0-or-later
/* What the files of a run owe to its calls. */
#include <inttypes.h>

#include "base/text.h"
#include "model/files/file_calls.h"
#include "model/run/run_check.h"

/* Calls of the run that use files in this way; each is in one row. */
static uint64_t calls_of_run(const struct run *run, enum file_use use)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < run->table.count; i++) {
		const struct syscall_row *row = &run->table.rows[i];
		const struct file_call *call = row->name ? file_call__find(row->name) : NULL;

		if (call && (call->use == use || (use == FILE_WRITTEN && call->written)))
			sum += syscall_row__sum(row->calls);
	}
	return sum;
}

char *files__contradiction(const struct run *run)
{
	/* Of calls for two paths both are changed; and a mapping may be one of no file. */
	static const enum file_use uses[] = { FILE_LOOKED_AT, FILE_OPENED, FILE_READ, FILE_WRITTEN,
					      FILE_EXECUTED };

	if (!run->files || run->files->missed || !integrity__is_exact(&run->integrity))
		return NULL;
	for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
		uint64_t calls = calls_of_run(run, uses[i]), files = files__calls(run->files, uses[i]);

		if (calls != files)
			return text__of("files were %s in %" PRIu64 " calls, but the run has %" PRIu64
					" such calls",
					file_use_keys[uses[i]], files, calls);
	}
	return NULL;
}
