// SPDX-License-Identifier: GPL-2.0-or-later
/* The one file that knows every source. */
#include "source/ebpf/ebpf.h"
#include "source/source.h"
#include "source/trace.h"

const struct source *const sources[] = { &source_ebpf, NULL };

enum trace_result trace__run(const struct trace_request *request, struct run **run, char **message)
{
	return trace__by(sources[0], request, run, message);
}

const char *trace__missing_privileges(void)
{
	return sources[0]->missing_privileges();
}
