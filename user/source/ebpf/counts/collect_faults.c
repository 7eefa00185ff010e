// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "source/ebpf/counts/collect.h"

void collect__faults(const struct fault_counts *counts, struct faults *faults)
{
	memcpy(faults->by, counts->by, sizeof(faults->by));
	faults->total = counts->minflt + counts->majflt;
	faults->major = counts->majflt;
	faults->page_table_pages = counts->page_table_pages;
}
