// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/bench_tables.h"

void bench_plot__print(const struct bench_analysis *analysis, const struct table_output *output)
{
}
