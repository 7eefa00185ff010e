/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A run made by hand: /bin/prog forks children, of which ten were recorded. The rest is up to
 * the test.
 */
#ifndef FORKTAX_ADVICE_RUN_H
#define FORKTAX_ADVICE_RUN_H

#include "advice_said.h"

#include "advice/advice.h"
#include "made.h"

enum { RECORDED = 10, PROGRAM = 0, LIBC = 1, LINKER = 2, OBJECTS = 3, ROWS_MOST = 64 };

/* 1 us each, but where the test says otherwise. */
static inline void set_costs(struct anatomy *anatomy)
{
	for (int cost = 0; cost < COST_COUNT; cost++)
		anatomy->costs[cost] = (struct estimate){ true, true, 1000, 900, 1100 };
}

static inline void add_objects(struct run *run)
{
	static const char *const paths[OBJECTS] = { "/bin/prog", "/lib/libc.so.6",
						    "/lib/ld-linux-x86-64.so.2" };

	for (int i = 0; i < OBJECTS; i++)
		MADE_OBJECT(run, .path = strdup(paths[i]), .ino = 100 + i);
}

/* A fork takes 100 us, 40 of them in the call. */
static inline void add_fork_cost(struct run *run)
{
	MADE_FORK(run, .forks = RECORDED, .complete = RECORDED, .typical = RECORDED, .typical_ns = RECORDED * 100000,
		  .whole = { RECORDED, RECORDED * 100000, 100000, 100000, 100000, 100000 },
		  .call = { RECORDED, RECORDED * 40000, 40000, 40000, 40000, 40000 },
		  .part_ns = { [PART_COPY] = RECORDED * 40000, [PART_RUN] = RECORDED * 40000,
			       [PART_REAP] = RECORDED * 20000 },
		  .vmas = { 20, 20, 20 }, .page_table_bytes = { 40960, 40960, 40960 }, .threads = { 1, 1, 1 },
		  .vmas_anon = 10, .rss_bytes = 1 << 20);
}

static inline struct run *new_run(void)
{
	struct run *run = made_run(WITH_ANATOMY);
	struct anatomy *anatomy = run->anatomy;

	run->wall_ns = RECORDED * 200000;
	run->totals[LIFE_FORKS] = RECORDED;
	MADE_EXE(run, .path = strdup("/bin/prog"));
	MADE_EXE(run, .path = strdup("/bin/true"));
	MADE_GROUP(run, .exec_target = NO_EXE, .birth = BIRTH_FORK, .children = RECORDED);
	MADE_SAMPLE(run, .children = RECORDED);
	anatomy->rows = calloc(ROWS_MOST, sizeof(*anatomy->rows));
	add_objects(run);
	add_fork_cost(run);
	set_costs(anatomy);
	return run;
}

/* A fault that each recorded child took once, for 1 us, 2 us after the one before it. */
static inline struct anatomy_row *add_row(struct run *run, enum actor actor, enum fault_class class)
{
	struct anatomy *anatomy = run->anatomy;
	struct anatomy_row *row = &anatomy->rows[anatomy->row_count++];

	*row = (struct anatomy_row){
		.phase = PHASE_CHILD,
		.actor = actor,
		.class = class,
		.place = { .kind = PLACE_FILE, .object = PROGRAM,
			   .offset = GOT_PIECE * anatomy->row_count },
		.code = { .kind = PLACE_FILE, .object = actor == ACTOR_LDSO ? LINKER : PROGRAM },
		.faults = RECORDED,
		.children = RECORDED,
		.timed = RECORDED,
		.ns = RECORDED * 1000,
		.around = class == FAULT_FILE_MAP ? RECORDED : 0,
		.since_ns = RECORDED * 2000 * anatomy->row_count,
	};
	anatomy->samples[0].faults += RECORDED;
	anatomy->samples[0].child_faults += RECORDED;
	return row;
}

static inline void advise(struct run *run)
{
	struct fork_breakdowns breakdowns = fork_breakdowns__of(run);

	advice__find(run, &breakdowns);
	fork_breakdowns__free(&breakdowns);
}

/* One mapping of the parent, with one character for each page. */
static inline struct layout_vma *add_vma(struct run *run, uint32_t object, enum place_kind kind,
					 const char *pages)
{
	struct anatomy *anatomy = run->anatomy;
	struct layout *layout;
	struct layout_vma *vma;

	if (!anatomy->layout_count)
		MADE_LAYOUT(run, .vmas = calloc(ROWS_MOST, sizeof(struct layout_vma)));
	layout = &anatomy->layouts[0];
	vma = &layout->vmas[layout->vma_count++];
	*vma = (struct layout_vma){
		.object = object,
		.kind = kind,
		.read = true,
		.write = true,
		.anon_known = true,
		.anon = true,
		.pages = pages ? strdup(pages) : NULL,
		.present = ABSENT,
		.own = ABSENT,
		.huge = ABSENT,
	};
	return vma;
}

#endif
