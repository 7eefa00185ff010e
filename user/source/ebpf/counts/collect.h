/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Moves what the maps of the kernel half hold into the model.
 */
#ifndef FORKTAX_SOURCE_EBPF_COUNTS_COLLECT_H
#define FORKTAX_SOURCE_EBPF_COUNTS_COLLECT_H

#include <stdint.h>

#include "model/run/run.h"

struct forktax_bpf;
struct exe_paths;
struct detail_reader;
struct call_reader;

/* Moves one ended process, with its images, out of the maps and into the run. */
void collect__process(const struct forktax_bpf *skeleton, struct run *run, uint64_t id);

/*
 * Moves everything else, at the end. Executables in processes and groups become indexes of
 * run.exes. `details` NULL: no anatomy; `calls` NULL: no single calls.
 */
void collect__run(const struct forktax_bpf *skeleton, const struct exe_paths *paths,
		  struct detail_reader *details, struct call_reader *calls, struct run *run);

/* The parts of collect__run() that live in files of their own. */
void collect__calls(const struct forktax_bpf *skeleton, struct run *run,
		    const uint32_t *group_positions, uint32_t group_count);
/* Into run.lines. */
void collect__lines(const struct forktax_bpf *skeleton, struct run *run);
/* Into run.tree_times. Waits until ended processes have run for the last time, a second at most. */
void collect__tree(const struct forktax_bpf *skeleton, struct run *run);
/* Into run.bill; once those are collected. */
void collect__bill(const struct forktax_bpf *skeleton, struct run *run);
/* Into run.executions; once the lines are collected, too. */
void collect__executions(const struct forktax_bpf *skeleton, struct run *run);
void collect__groups(const struct forktax_bpf *skeleton, struct run *run,
		     uint32_t **group_positions, uint32_t *group_count);

#endif
