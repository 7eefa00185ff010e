// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/workers/flow_log.h"

#include <stdlib.h>

#include "model/rows/fields.h"

void flow_log__release(struct flow_log *log)
{
	for (size_t i = 0; i < log->code_count; i++) {
		free(log->codes[i].object);
		free(log->codes[i].symbol);
	}
	for (size_t i = 0; i < log->object_count; i++)
		free(log->objects[i].path);
	free(log->objects);
	shape__free(&stacks_shape, log->stacks);
	free(log->codes);
	free(log->processes);
	free(log->copies);
	*log = (struct flow_log){ 0 };
}
