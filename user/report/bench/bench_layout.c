// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/bench/bench_layout.h"

const struct bench_layout *bench_layout__of(enum bench_kind kind)
{
	static const struct bench_layout *const layouts[BENCH_KIND_COUNT] = {
		[BENCH_FORK] = &bench_fork_layout,
		[BENCH_SPAWN] = &bench_spawn_layout,
		[BENCH_STARTUP] = &bench_startup_layout,
		[BENCH_SERVE] = &bench_serve_layout,
	};

	return layouts[kind];
}
