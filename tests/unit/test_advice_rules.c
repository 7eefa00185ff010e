// SPDX-License-Identifier: GPL-2.0-or-later
/* Every rule: speaks when its evidence is there, and is silent without. */
#include "advice_run.h"

#include <math.h>

#include "advice/rules.h"
#include "advice/saving.h"
#include "analysis/forks/copied.h"
#include "base/memory.h"
#include "model/rows/fields.h"
#include "model/run/run_fields.h"
#include "resolve/exit_needs.h"

/* As the run is now: what was advised before is forgotten. */
static const struct advice *advice_of(struct run *run, const char *rule)
{
	struct anatomy *anatomy = run->anatomy;

	while (anatomy->advice_count)
		shape__release(&advice_shape, &anatomy->advice[--anatomy->advice_count]);
	exit_needs__find(run);
	advise(run);
	return ADVICE_OF(anatomy, rule);
}

/* What the rule says by itself, before what a fork costs limits it; NULL: nothing. Valid until the next one. */
static const struct advice *ruled(struct run *run, fork_rule_fn *rule)
{
	static struct advice advice;
	struct fork_breakdown breakdown;
	struct subject subject;

	shape__release(&advice_shape, &advice);
	advice = (struct advice){ 0 };
	assert_true(fork_breakdown__make(run, 0, &breakdown));
	subject__make(&subject, run, &breakdown);
	return rule(&subject, &advice) ? &advice : NULL;
}

/* What calibrated costs say of copying the parent's memory, whichever rule asks. */
static struct saving copying_of(struct run *run)
{
	const struct copied memory = copied__memory(run, 0);
	struct saving saving = { 0 };
	struct fork_breakdown breakdown;
	struct subject subject;

	assert_true(fork_breakdown__make(run, 0, &breakdown));
	subject__make(&subject, run, &breakdown);
	saving__add_copying(&saving, &subject, &memory);
	return saving;
}

static void assert_near(double value, double wanted)
{
	if (value < wanted - 0.5 || value > wanted + 0.5)
		fail_msg("%g is not %g", value, wanted);
}

static void assert_silent(struct run *run, const char *rule)
{
	assert_null(advice_of(run, rule));
	run__free(run);
}

static struct binding_symbol *add_symbol(struct run *run, uint64_t children)
{
	return MADE_SYMBOL(run, .object = PROGRAM, .symbol = strdup("_exit"), .provider = LIBC, .children = children);
}

/* Three faults one after the other, 1 us each and 1 us apart: 1 us apart is what tracing takes. */
static struct run *binding_run(void)
{
	struct run *run = new_run();

	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP);
	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP);
	add_row(run, ACTOR_LDSO, FAULT_COW_COPY);
	return run;
}

static void test_a1(void **state)
{
	struct run *run = binding_run();
	const struct advice *advice;

	add_symbol(run, RECORDED);
	advice = advice_of(run, "A1");
	assert_says(advice, "bound _exit again in 10 of 10 recorded children");
	assert_says(advice, "1 of them a copy");
	assert_near(advice->predicted_faults.value, 3);
	assert_near(advice->predicted_ns.value, 3000 + 1000); /* and to look up one symbol */
	assert_near(advice->predicted_ns.low, 2700);
	assert_string_equal(advice__way(advice), "LD_BIND_NOW=1");
	run__free(run);
	/* To call a function once, so that it is bound, may do harm: kill(), unlink(). */
	run = binding_run();
	free(add_symbol(run, RECORDED)->symbol);
	run->anatomy->symbols[0].symbol = strdup("unlink");
	assert_null(strstr(advice_of(run, "A1")->action, "call"));
	run__free(run);
	assert_silent(binding_run(), "A1"); /* no symbol, no lazy object: code of the linker */
}

/* What ld.so does to load a library is not bound at start either. */
static void test_a1_of_children_that_load(void **state)
{
	struct run *run = binding_run();
	const struct advice *advice;

	add_symbol(run, RECORDED);
	add_row(run, ACTOR_LDSO, FAULT_COW_COPY)->code.symbol = strdup("_dl_map_object_from_fd");
	add_row(run, ACTOR_LDSO, FAULT_FILE_COW)->place.object = LIBC; /* not in the parent */
	add_vma(run, PROGRAM, PLACE_FILE, "a");
	advice = advice_of(run, "A1");
	assert_says(advice, "3 of the 5 faults of a fork");
	assert_says(advice, "Children also load libraries");
	assert_near(advice->predicted_faults.value, 3);
	assert_true(advice->predicted_faults.bounded && advice->predicted_faults.low == 0);
	assert_true(advice->predicted_ns.low == 0);
	run->anatomy->rows[4].children = 0; /* every second child loads; it is that all the same */
	run->anatomy->rows[4].faults = run->anatomy->rows[4].timed = 0;
	run->anatomy->rows[3].faults = run->anatomy->rows[3].timed = RECORDED / 2;
	assert_says(advice_of(run, "A1"), "Children also load libraries");
	run->anatomy->rows[3].faults = run->anatomy->rows[3].timed = RECORDED / 2 - 1;
	assert_null(strstr(advice_of(run, "A1")->evidence, "Children also load libraries"));
	run__free(run);
}

/* Thread-local data of a library, in memory that ld.so allocates: no function was bound for that. */
static void test_a1_of_thread_local_data(void **state)
{
	struct run *run = binding_run();
	struct anatomy_row *row;

	add_symbol(run, RECORDED);
	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP)->code.symbol = strdup("__tls_get_addr");
	row = add_row(run, ACTOR_LDSO, FAULT_ZERO_FILL);
	row->code.symbol = strdup("memset");
	row->place = (struct place){ .kind = PLACE_HEAP, .object = NO_OBJECT };
	assert_says(advice_of(run, "A1"), "3 of the 5 faults of a fork");
	run__free(run);
}

/* dlsym() looks up as binding does: at most all of it goes. */
static void test_a1_of_dlsym(void **state)
{
	for (int by_code = 0; by_code < 2; by_code++) {
		struct run *run = binding_run();
		const struct advice *advice;

		free(add_symbol(run, RECORDED)->symbol);
		run->anatomy->symbols[0].symbol = strdup(by_code ? "write" : "dlsym");
		if (by_code)
			add_row(run, ACTOR_PROGRAM, FAULT_FILE_MAP)->code.symbol = strdup("do_sym");
		advice = advice_of(run, "A1");
		assert_says(advice, "Children also look up symbols themselves (dlsym)");
		assert_near(advice->predicted_faults.low, 0);
		assert_near(advice->predicted_ns.low, 0);
		run__free(run);
	}
}

/* What takes longer than the shortest time between faults is code. */
static void test_a1_code_between_faults(void **state)
{
	struct run *run = binding_run();
	const struct advice *advice;

	add_symbol(run, RECORDED);
	run->anatomy->rows[2].since_ns += RECORDED * 5000;
	advice = advice_of(run, "A1");
	assert_near(advice->predicted_ns.high, 3300 + 5000);
	run__free(run);
}

/* exit() writes to the page of the slot as well, where .bss begins: then that copy stays. */
static void test_a1_of_children_that_exit(void **state)
{
	enum { PAGES = 5 };
	struct run *run;
	struct layout_vma *vma;
	const struct advice *advice;

	for (int last = 0; last < 2; last++) {
		run = binding_run();
		free(add_symbol(run, RECORDED)->symbol);
		run->anatomy->symbols[0].symbol = strdup("exit");
		add_row(run, ACTOR_PROGRAM, FAULT_FILE_MAP)->code.symbol = strdup("exit");
		vma = add_vma(run, PROGRAM, PLACE_FILE, "aaaaa");
		vma->end = (uint64_t)(PAGES - 1 + !last) * GOT_PIECE; /* the slot is on the fourth page */
		advice = advice_of(run, "A1");
		assert_near(advice->predicted_faults.value, last ? 2 : 3);
		assert_int_equal(strstr(advice->evidence, "exit() would take 1 more then") != NULL,
				 last);
		run__free(run);
	}
}

static void test_a1_few_children(void **state)
{
	struct run *run = new_run();

	add_symbol(run, RECORDED / 2);
	assert_silent(run, "A1");
}

static void test_a2(void **state)
{
	struct run *run = new_run();
	const struct advice *advice;

	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP);
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->place.object = LINKER;
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);
	add_vma(run, LIBC, PLACE_FILE, "a");
	add_vma(run, PROGRAM, PLACE_FILE, "a");
	advice = advice_of(run, "A2");
	assert_says(advice, "1 of the 3 faults of a fork are for ld-linux-x86-64.so.2");
	assert_near(advice->predicted_ns.value, 2000); /* a copy, and a mapping of a library */
	assert_null(advice__way(advice));
	assert_non_null(strstr(advice->tried, "compare"));
	run__free(run);
}

/* A static program loads nothing as it runs. */
static void test_a2_of_who_loads_modules(void **state)
{
	struct run *run = new_run();

	free(run->exes[0].path);
	free(run->anatomy->objects[PROGRAM].path);
	run->exes[0].path = strdup("/usr/bin/perl");
	run->anatomy->objects[PROGRAM].path = strdup("/usr/bin/perl");
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->place.object = LINKER;
	assert_silent(run, "A2");
	run = new_run();
	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP);
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->place.object = LINKER;
	add_vma(run, LIBC, PLACE_FILE, "a");
	MADE_BINDING(run, .object = LIBC, .opened = true);
	assert_silent(run, "A2");
}

static void test_a2_musl(void **state)
{
	static const char *const names[] = { "/lib/ld-musl-x86_64.so.1", "/usr/lib/musl/libc.so" };

	for (int i = 0; i < 2; i++) {
		struct run *run = new_run();

		free(run->anatomy->objects[LINKER].path);
		run->anatomy->objects[LINKER].path = strdup(names[i]);
		add_row(run, ACTOR_LDSO, FAULT_FILE_MAP)->place.object = LINKER;
		assert_silent(run, "A2");
	}
}

static struct run *exit_run(const char *symbol, uint32_t exec_target)
{
	struct run *run = new_run();

	for (int i = 0; i < 3; i++)
		add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->code.symbol = strdup(symbol);
	run->groups[0].exec_target = exec_target;
	/* Nothing but these faults, and what tracing takes between them. */
	run->anatomy->forks[0].part_ns[PART_RUN] = RECORDED * 7000;
	return run;
}

static void test_a3(void **state)
{
	/* Py_FinalizeEx() itself takes no fault where SIGINT is ignored, as in the background of a script. */
	static const char *const symbols[] = { "__run_exit_handlers", "_PyModule_ClearDict" };

	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		struct run *run = exit_run(symbols[i], NO_EXE);
		const struct advice *advice = advice_of(run, "A3");

		assert_says(advice, "3 of the 3 faults");
		assert_near(advice->predicted_ns.value, 3000);
		run__free(run);
	}
	assert_silent(exit_run("__run_exit_handlers", 1), "A3"); /* it ended as another program */
	assert_silent(exit_run("main", NO_EXE), "A3");
}

/* fflush(NULL) and dlclose() run such code, too; and who binds _exit() calls it. */
static void test_a3_of_what_others_run(void **state)
{
	static const char *const symbols[] = { "_IO_flush_all_lockp", "_dl_call_fini", "__cxa_finalize" };

	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		struct run *run = exit_run(symbols[i], NO_EXE);
		const struct advice *advice = advice_of(run, "A3");

		assert_says(advice, "That is likely exit()");
		assert_string_equal(advice->title, "children likely run exit handlers");
		assert_near(advice->predicted_faults.low, 0);
		assert_near(advice->predicted_ns.low, 0);
		add_symbol(run, RECORDED); /* _exit */
		assert_silent(run, "A3");
	}
}

/* posix_spawn, between warm caches and cold ones. */
enum { SPAWN_NS = 1000 + 50 };
/* The smallest fork has mapped its code, and its parent has copied a page: of other forks that is in rows. */
enum { SMALLEST_FAULTS_NS = 1000 + 1000 };

static void test_a4(void **state)
{
	struct run *run = new_run();
	const struct advice *advice;

	run->groups[0].exec_target = 1;
	run->anatomy->costs[COST_FORK].value = 5000;
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);
	add_vma(run, NO_OBJECT, PLACE_HEAP, "aa.a");
	advice = ruled(run, rule__a04_fork_exec);
	assert_says(advice, "10 children were forked to execute another program; until then each "
			    "took 1");
	assert_says(advice, "entries of 3 pages");
	/*
	 * The fault, fork less vfork, of ten mappings those that the smallest fork does not have,
	 * three pages, and what posix_spawn does itself.
	 */
	assert_near(advice->predicted_ns.value, 1000 + 4000 - SMALLEST_FAULTS_NS + 5000 + 3000 - SPAWN_NS);
	assert_near(advice->predicted_faults.value, 0); /* of its child's stack */
	assert_near(advice->predicted_faults.high, 1);
	run__free(run);
	run = new_run();
	run->groups[0].exec_target = 1;
	run->groups[0].children = run->anatomy->samples[0].children = 1;
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);
	run->anatomy->samples[0].unattributed = 1; /* after the exec */
	assert_says(ruled(run, rule__a04_fork_exec), "1 child was forked to execute another program; until then "
				       "it took 10 faults");
	run__free(run);
	run = new_run();
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);
	assert_silent(run, "A4");
}

static struct layout_vma *add_large(struct run *run, uint64_t pages, uint64_t huge)
{
	struct layout_vma *vma = add_vma(run, NO_OBJECT, PLACE_ANON, NULL);

	vma->present = vma->own = pages;
	vma->huge = huge;
	return vma;
}

/* Memory that is too large for a page map is counted; a huge page is one table, and no page. */
static void test_a4_of_large_parents(void **state)
{
	static const struct {
		uint64_t pages, huge;
		bool kept_out;
		double ns;
	} cases[] = {
		{ 6000, 0, false, 6000 * 100 },
		/* More than caches hold: pages by the middle of warm and cold, mappings by the cold end. */
		{ 16384, 0, false, 16384 * 125 + 500 },
		{ 16384, 16384, false, 32 * 1000 },
		{ 16384, 0, true, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run *run = new_run();
		const struct advice *advice;

		run->groups[0].exec_target = 1;
		run->anatomy->costs[COST_FORK].value = 5000;
		run->anatomy->costs[COST_FORK_PAGE] = (struct estimate){ true, true, 100, 90, 150 };
		run->anatomy->costs[COST_FORK_UNCACHED].known = false;
		add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);
		add_large(run, cases[i].pages, cases[i].huge)->kept_out = cases[i].kept_out;
		advice = ruled(run, rule__a04_fork_exec);
		assert_near(advice->predicted_ns.value, 1000 + 4000 - SMALLEST_FAULTS_NS + 5000 - SPAWN_NS + cases[i].ns);
		run__free(run);
	}
}

/* Where the parent was gone before it could be looked at, that is said by the interval. */
static void test_a4_without_layout(void **state)
{
	struct run *run = new_run();
	const struct advice *advice;

	run->groups[0].exec_target = 1;
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);
	run->anatomy->forks[0].page_table_bytes = (struct spread_of){ 1 << 20, 1 << 20, 1 << 20 };
	advice = ruled(run, rule__a04_fork_exec);
	assert_true(advice->predicted_ns.low < 15000);
	assert_true(advice->predicted_ns.high > (1 << 17) * 1100.0);
	run__free(run);
}

static struct run *heap_exec_run(struct spread_of page_table_bytes)
{
	struct run *run = new_run();

	run->groups[0].exec_target = 1;
	run->anatomy->forks[0].page_table_bytes = page_table_bytes;
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);
	add_vma(run, NO_OBJECT, PLACE_HEAP, "aa");
	return run;
}

/* A parent that grows: its page tables tell of the pages that the first fork has not had. */
static void test_a4_of_growing_parents(void **state)
{
	struct run *run = heap_exec_run((struct spread_of){ 40960, 40960, 40960 });
	double before = ruled(run, rule__a04_fork_exec)->predicted_ns.value;
	const struct advice *advice;

	run__free(run);
	run = heap_exec_run((struct spread_of){ 40960, 40960 + 8000, 40960 + 16000 });
	advice = ruled(run, rule__a04_fork_exec);
	assert_near(advice->predicted_ns.value, before + 1000 * 1000);
	assert_true(advice->predicted_ns.low <= before && advice->predicted_ns.high > 2000 * 1100.0);
	run__free(run);
}

/* Faults of the parent beyond those that are recorded one by one are faults all the same. */
static void test_a4_counts_what_was_not_recorded(void **state)
{
	struct run *run = new_run();

	run->groups[0].exec_target = 1;
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);
	run->anatomy->samples[0].parent_beyond = RECORDED * 1000;
	assert_near(ruled(run, rule__a04_fork_exec)->predicted_faults.high, 1001);
	run__free(run);
}

static struct run *spawn_run(uint64_t calls, uint64_t before_exec)
{
	struct run *run = new_run();

	run->groups[0].birth = BIRTH_VFORK;
	run->groups[0].exec_target = 1;
	made_calls(&run->groups[0].table, "rt_sigaction", calls * RECORDED);
	MADE_PROCESS(run, .kind = IMAGE_BORROWED, .syscalls = before_exec);
	return run;
}

static void test_a5(void **state)
{
	struct run *run = spawn_run(122, 130);
	const struct advice *advice = ruled(run, rule__a05_spawn_signals);

	assert_says(advice, "122 rt_sigaction calls");
	assert_near(advice->predicted_ns.value, 122000);
	assert_true(advice->predicted_faults.high == 1); /* of the stack that vfork() has no need for */
	run__free(run);
	assert_silent(spawn_run(122, 5), "A5"); /* made by the program that was executed */
	assert_silent(spawn_run(8, 130), "A5");
	run = spawn_run(60, 60);
	assert_says(ruled(run, rule__a05_spawn_signals), "60 rt_sigaction calls");
	run__free(run);
	assert_silent(spawn_run(59, 60), "A5");
	assert_silent(spawn_run(60, 59), "A5");
}

/* The calls of the whole run: who made the children that share memory. */
static void add_total(struct run *run, const char *name, uint64_t calls)
{
	struct syscall_row *row;

	run->table.rows = checked_grow(run->table.rows, run->table.count, sizeof(*row));
	row = &run->table.rows[run->table.count++];
	*row = (struct syscall_row){ .name = strdup(name) };
	row->calls[ACTOR_PROGRAM] = calls;
}

/* vfork() is not posix_spawn: what resets the signals of its children is the program (Python's subprocess does). */
static void test_a5_of_vfork(void **state)
{
	static const char *const makers[] = { "clone3", "vfork" };

	for (int i = 0; i < 2; i++) {
		struct run *run = spawn_run(122, 130);
		const struct advice *advice;

		add_total(run, makers[i], RECORDED);
		advice = advice_of(run, "A5");
		assert_true(!strstr(advice->title, "posix_spawn"));
		assert_true(!strstr(advice->action, "in its vfork() child") == !i);
		run__free(run);
	}
}

/* Of which calls were made before the execve the numbers tell as much as they must. */
static void test_a5_before_the_exec(void **state)
{
	struct run *run = spawn_run(122, 130);
	struct process *first = &run->processes[0];

	first->images = checked_grow(first->images, 1, sizeof(*first->images));
	first->images[1] = (struct image){ .kind = IMAGE_EXEC, .syscalls = 32 };
	first->image_count = 2;
	assert_says(advice_of(run, "A5"), "at least 90 of them before its execve"); /* 130 of 162; 40 are others */
	run__free(run);
	run = spawn_run(122, 130);
	first = &run->processes[0];
	first->images = checked_grow(first->images, 1, sizeof(*first->images));
	first->images[1] = (struct image){ .kind = IMAGE_EXEC, .syscalls = 200 };
	first->image_count = 2;
	assert_says(advice_of(run, "A5"), "122 rt_sigaction calls, before its execve or after it; before it 130 calls of any kind");
	run__free(run);
}

static struct run *large_run(double bytes)
{
	struct run *run = new_run();

	add_large(run, (uint64_t)bytes / GOT_PIECE, 0);
	run->anatomy->costs[COST_FORK_PAGE] = (struct estimate){ true, true, 2, 2, 2 };
	run->anatomy->costs[COST_FORK_UNCACHED].known = false;
	return run;
}

/*
 * Memory of 256 MiB, 128 spans of a page table, that is written here and there: fork copies a table for
 * each span, of which 8 are for what any process has, and as many as its pages need side by side are
 * in the price of a page.
 */
static void test_page_tables_of_sparse_memory(void **state)
{
	static const struct {
		uint64_t pages, huge, kernel_tables;
		double tables; /* beyond those that are in the price of a page */
	} cases[] = {
		{ 4096, 0, 200, 128 - 8 },
		{ 4097, 0, 200, 128 - 9 },
		{ 65536, 0, 200, 0 },
		{ 4096, 0, 8 + 128, 128 - 8 },
		{ 4096, 0, 8 + 100, 100 - 8 },
		{ 4096, 0, 8 + 8, 0 }, /* side by side */
		{ 4096, 0, 10, 0 },
		{ 4096 + 64 * 512, 64 * 512, 200, 64 - 8 },
		{ 4096 + 64 * 512, 64 * 512, 8 + 64 + 60, 60 - 8 },
		{ 4096, 0, 0, 0 }, /* not known */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run *run = large_run(0);
		struct layout_vma *vma = add_large(run, cases[i].pages, cases[i].huge);
		uint64_t bytes = cases[i].kernel_tables ? cases[i].kernel_tables * 4096 : ABSENT;
		double small = (double)(cases[i].pages - cases[i].huge);

		vma->end = vma->start + (256 << 20);
		run->anatomy->costs[COST_FORK_TABLE] =
			(struct estimate){ true, true, 3000, 3000, 3000 };
		run->anatomy->forks[0].page_table_bytes = (struct spread_of){ bytes, bytes, bytes };
		assert_near(copying_of(run).ns,
			    2 * small + 1000 * (double)cases[i].huge / 512 +
				    3000 * cases[i].tables);
		run__free(run);
	}
}

/*
 * The more memory fork walks through, 80 bytes a page, the less of it is in any cache: 209,716 pages
 * are a quarter of 64 MiB. How much of a shared cache there is nobody knows: by then all may be gone.
 */
static void test_pages_beyond_the_caches(void **state)
{
	static const struct {
		uint64_t pages;
		double uncached, value, high; /* of a page */
	} cases[] = {
		{ 8192, 350, 100, 150 },
		{ 20972, 350, 130.63, 175 },
		{ 209716, 350, 181.25, 400 },
		{ 419431, 350, 237.5, 400 },
		{ 1048576, 350, 350, 400 },
		{ 1048576, 120, 125, 150 }, /* by noise */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double pages = (double)cases[i].pages;
		struct run *run = large_run(pages * GOT_PIECE);
		struct estimate *costs = run->anatomy->costs;
		struct saving saving;

		costs[COST_FORK_PAGE] = (struct estimate){ true, true, 100, 90, 150 };
		costs[COST_FORK_UNCACHED] =
			(struct estimate){ true, true, cases[i].uncached, 80, 400 };
		saving = copying_of(run);
		assert_near(saving.low, 90 * pages);
		assert_near(100 * saving.ns / pages, 100 * cases[i].value);
		assert_near(100 * saving.high / pages, 100 * cases[i].high);
		run__free(run);
	}
}

/* A child that executes nothing may read all of its parent's memory, for which it takes no fault. */
static void test_memory_is_kept_out_of_no_child_that_may_read_it(void **state)
{
	struct run *run = large_run(1024 * 1048576.0);

	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);
	advice_of(run, "A7");
	for (size_t i = 0; i < run->anatomy->advice_count; i++)
		assert_null(strstr(run->anatomy->advice[i].action, "MADV_DONTFORK"));
	/* Of those that execute something at once it is said, and what it breaks. */
	run->groups[0].exec_target = 1;
	assert_non_null(strstr(ruled(run, rule__a04_fork_exec)->action, "MADV_DONTFORK"));
	assert_non_null(strstr(ruled(run, rule__a04_fork_exec)->action, "is killed by SIGSEGV"));
	/* Not if they do more before, */
	MADE_PROCESS(run, .kind = IMAGE_INHERITED, .syscalls = 41);
	assert_null(strstr(ruled(run, rule__a04_fork_exec)->action, "MADV_DONTFORK"));
	run->processes[0].images[0].syscalls = 40;
	assert_non_null(strstr(ruled(run, rule__a04_fork_exec)->action, "MADV_DONTFORK"));
	/* ... nor if the program has other children, which would not have that memory either. */
	MADE_GROUP(run, .exec_target = NO_EXE, .birth = BIRTH_FORK, .children = 1);
	assert_null(strstr(ruled(run, rule__a04_fork_exec)->action, "MADV_DONTFORK"));
	run__free(run);
	run = large_run(8 * 1048576.0);
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);
	run->groups[0].exec_target = 1;
	assert_null(strstr(ruled(run, rule__a04_fork_exec)->action, "MADV_DONTFORK"));
	run__free(run);
}

/* Where the call takes far longer than all that it copies, as with pinned pages, costs say nothing of a saving. */
static void test_no_figure_where_costs_do_not_hold(void **state)
{
	struct run *run = large_run(256 * 1048576.0);
	struct fork_cost *fork = &run->anatomy->forks[0];
	const double longest = copied__longest_call(run, 0);

	assert_near(longest, 1100 + 65536 * 2 + 20 * 1100 + 1100);
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);
	run->groups[0].exec_target = 1;
	for (int beyond = 0; beyond < 2; beyond++) {
		fork->call.min = (uint64_t)(2 * longest) + (beyond ? 10 : -10);
		assert_int_equal(ruled(run, rule__a04_fork_exec)->predicted_ns.known, !beyond);
		assert_int_equal(!strstr(ruled(run, rule__a04_fork_exec)->evidence, "is not known"), !beyond);
		assert_int_equal(ruled(run, rule__a07_huge_pages)->predicted_ns.known, !beyond);
		assert_int_equal(!strstr(ruled(run, rule__a07_huge_pages)->evidence, "is not known"), !beyond);
	}
	/* What cannot be said of a call is not said: without the parent's mappings, or without costs. */
	run->anatomy->costs[COST_FORK_CALL].known = false;
	assert_true(isnan(copied__longest_call(run, 0)));
	assert_false(copied__is_beyond(run, 0));
	run__free(run);
}

/* Its later forks have more page tables than the first, whose mappings are known. */
static void test_a_parent_that_grows_is_not_beyond_its_costs(void **state)
{
	struct run *run = large_run(256 * 1048576.0);
	const double before = copied__longest_call(run, 0);

	run->anatomy->forks[0].page_table_bytes = (struct spread_of){ 40960, 40960 + 8000, 40960 + 8000 };
	assert_near(copied__longest_call(run, 0), before + 1000 * 2);
	run__free(run);
}

static void test_a7(void **state)
{
	struct run *run = large_run(256 * 1048576.0);
	const struct advice *advice = advice_of(run, "A7");

	assert_says(advice, "256 MiB");
	assert_non_null(advice__way(advice));
	run__free(run);
	run = large_run(256 * 1048576.0);
	run->anatomy->layouts[0].vmas[0].huge = run->anatomy->layouts[0].vmas[0].own;
	assert_silent(run, "A7");
}

static struct run *large_run_of_large_pages(double pages)
{
	struct run *run = large_run(pages * GOT_PIECE);

	run->machine.page_bytes = LARGE_PAGE;
	return run;
}

/* 256 MiB, which eight huge pages hold. */
static void test_a7_of_larger_pages(void **state)
{
	struct run *run = large_run_of_large_pages(16384);
	const struct advice *advice = ruled(run, rule__a07_huge_pages);

	assert_says(advice, "The parent has 256 MiB in small pages");
	assert_non_null(strstr(advice->action, "still copies 16 KiB at a time"));
	assert_near(advice->predicted_ns.value, 2 * 16384 - 1000 * 16384 / 2048);
	run__free(run);
	assert_silent(large_run_of_large_pages(16383), "A7");
}

/* 32 page tables cover 1 GiB; in place of one of them there is a huge page. */
static void test_page_tables_of_larger_pages(void **state)
{
	static const struct {
		uint64_t pages, huge, kernel_tables;
		double tables;
	} cases[] = { { 4096, 0, 200, 32 - 2 }, { 4096 + 2048, 2048, 200, 31 - 2 }, { 4096, 0, 8 + 20, 20 - 2 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run *run = large_run_of_large_pages(0);
		const uint64_t bytes = cases[i].kernel_tables * LARGE_PAGE;
		struct layout_vma *vma = add_large(run, cases[i].pages, cases[i].huge);

		vma->end = vma->start + (1 << 30);
		run->anatomy->costs[COST_FORK_TABLE] = (struct estimate){ true, true, 3000, 3000, 3000 };
		run->anatomy->forks[0].page_table_bytes = (struct spread_of){ bytes, bytes, bytes };
		assert_near(copying_of(run).ns,
			    2 * 4096 + 1000 * (double)cases[i].huge / 2048 + 3000 * cases[i].tables);
		run__free(run);
	}
}

static void test_a8(void **state)
{
	struct run *run = new_run();
	const struct advice *advice;

	add_vma(run, LIBC, PLACE_FILE, "aa");
	add_vma(run, LIBC, PLACE_FILE, "ff")->anon = false; /* a mapping, but no tables */
	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP)->place.object = LIBC; /* it looked for a symbol there */
	MADE_BINDING(run, .object = LIBC);
	advice = advice_of(run, "A8");
	assert_says(advice, "1 of the loaded libraries, or waits for its first call to one: libc.so.6");
	assert_near(advice->predicted_ns.value, 3000 + 1000 + 1000);
	assert_near(advice->predicted_faults.value, 1);
	assert_true(advice->predicted_faults.bounded && advice->predicted_faults.low == 0);
	run__free(run);
	run = new_run();
	add_vma(run, LIBC, PLACE_FILE, "aa");
	MADE_BINDING(run, .object = LIBC, .bound_to = ABSENT); /* not known: nothing to be said */
	assert_silent(run, "A8");
	run = new_run();
	add_vma(run, LIBC, PLACE_FILE, "aa");
	MADE_BINDING(run, .object = LIBC, .awaited = true); /* children may be the first that call it */
	assert_silent(run, "A8");
	run = new_run();
	add_vma(run, LIBC, PLACE_FILE, "aa");
	MADE_BINDING(run, .object = LIBC, .opened = true); /* by who asks for its symbols itself */
	assert_silent(run, "A8");
}

static void add_kernel_row(struct run *run, enum phase phase, uint64_t offset)
{
	struct anatomy_row *row = add_row(run, ACTOR_KERNEL, phase == PHASE_PARENT ? FAULT_COW_REUSE
										   : FAULT_COW_COPY);

	row->phase = phase;
	row->place = (struct place){ .kind = PLACE_TLS, .object = NO_OBJECT, .offset = offset };
}

static void test_a9(void **state)
{
	struct run *run = new_run();
	const struct advice *advice;

	add_kernel_row(run, PHASE_CHILD, 0xa10); /* the thread id */
	add_kernel_row(run, PHASE_CHILD, 0x1068);
	add_kernel_row(run, PHASE_PARENT, 0x1068);
	advice = advice_of(run, "A9");
	assert_says(advice, "2 faults for a fork");
	assert_near(advice->predicted_faults.value, 2);
	run__free(run);
}

static void test_a9_in_one_page(void **state)
{
	struct run *run = new_run();

	set_costs(run->anatomy);
	run->anatomy->costs[COST_REUSE].value = 3000; /* else it is not worth saying */
	add_kernel_row(run, PHASE_CHILD, 0x10);
	add_kernel_row(run, PHASE_PARENT, 0x68);
	assert_near(advice_of(run, "A9")->predicted_faults.value, 1);
	run__free(run);
	run = new_run();
	add_kernel_row(run, PHASE_CHILD, 0x10); /* musl: the parent has no rseq */
	assert_silent(run, "A9");
}

static void test_a9_of_larger_pages(void **state)
{
	struct run *run = new_run();

	run->machine.page_bytes = LARGE_PAGE;
	run->anatomy->costs[COST_REUSE].value = 3000; /* else it is not worth saying */
	add_kernel_row(run, PHASE_CHILD, 0xa10);
	add_kernel_row(run, PHASE_CHILD, 0x4068);
	add_kernel_row(run, PHASE_PARENT, 0x5068); /* the page of the second one, not of the first */
	assert_near(advice_of(run, "A9")->predicted_faults.value, 2);
	run->anatomy->rows[2].place.offset = 0x3068;
	run->anatomy->rows[1].place.offset = 0x1068; /* all in one: without rseq it is copied all the same */
	assert_near(advice_of(run, "A9")->predicted_faults.value, 1);
	run__free(run);
}

/* What the kernel writes there in a system call is its result, such as the status of wait4. */
static void test_a9_of_other_writes(void **state)
{
	struct run *run = new_run();

	add_kernel_row(run, PHASE_CHILD, 0xa10);
	add_kernel_row(run, PHASE_CHILD, 0x1068);
	add_kernel_row(run, PHASE_PARENT, 0x1068);
	run->anatomy->rows[2].call = strdup("wait4");
	assert_silent(run, "A9");
}

static struct run *server_run(uint64_t accepted)
{
	struct run *run = new_run();

	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);
	made_calls(&run->root_table, "accept4", accepted);
	MADE_PROCESS(run, .kind = IMAGE_EXEC)->children = RECORDED;
	return run;
}

static void test_a10(void **state)
{
	struct run *run = server_run(RECORDED);
	const struct advice *advice;
	double overhead, by_costs;

	run->anatomy->costs[COST_FORK] = estimate__of(5000);
	advice = advice_of(run, "A10");
	by_costs = 5000 + 1000 - SMALLEST_FAULTS_NS;
	assert_says(advice, "accepted 10 connections and forked 10 children");
	overhead = advice->predicted_ns.high;
	assert_near(advice->predicted_ns.value, (by_costs + overhead) / 2);
	run->anatomy->costs[COST_FORK].known = false;
	assert_near(advice_of(run, "A10")->predicted_ns.value, overhead);
	run__free(run);
	assert_silent(server_run(1), "A10");
}

static struct run *heap_run(const char *program, int copies, const char *symbol)
{
	struct run *run = new_run();

	free(run->anatomy->objects[PROGRAM].path);
	run->anatomy->objects[PROGRAM].path = strdup(program);
	for (int i = 0; i < copies; i++) {
		struct anatomy_row *row = add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);

		row->place = (struct place){ .kind = PLACE_HEAP, .object = NO_OBJECT };
		row->code.symbol = symbol ? strdup(symbol) : NULL;
	}
	return run;
}

static void test_a11(void **state)
{
	struct run *run = heap_run("/usr/lib/libpython3.11.so.1.0", 60, NULL);

	assert_says(advice_of(run, "A11"), "copies 60 pages");
	assert_non_null(strstr(ADVICE_OF(run->anatomy, "A11")->action, "gc.freeze"));
	run__free(run);
	run = heap_run("/usr/bin/python3.11", 50, NULL);
	assert_says(advice_of(run, "A11"), "copies 50 pages");
	run__free(run);
	assert_silent(heap_run("/usr/bin/python3.11", 49, NULL), "A11");
	assert_silent(heap_run("/bin/prog", 60, NULL), "A11");
	assert_silent(heap_run("/bin/perlin", 60, NULL), "A11");
}

static void test_a12(void **state)
{
	struct run *run = heap_run("/bin/prog", 5, "_int_free");
	const struct advice *advice = advice_of(run, "A12");

	assert_says(advice, "copy 5 pages of the heap");
	assert_null(advice__way(advice)); /* one thread, one arena */
	assert_non_null(advice->tried);
	run__free(run);
	run = heap_run("/bin/prog", 5, "_int_free");
	run->anatomy->forks[0].threads = (struct spread_of){ 4, 4, 4 };
	assert_non_null(advice__way(advice_of(run, "A12")));
	run__free(run);
	assert_silent(heap_run("/bin/prog", 5, "work"), "A12");
}

/* Who only allocates frees nothing; and what is not glibc's has no malloc_trim(). */
static void test_a12_says_what_helps(void **state)
{
	struct run *run = heap_run("/bin/prog", 5, "_int_malloc");
	const struct advice *advice = advice_of(run, "A12");

	assert_non_null(strstr(advice->action, "Allocate before the fork what children need. malloc_trim(0)"));
	assert_null(strstr(advice->action, "_exit()"));
	run__free(run);
	run = heap_run("/bin/prog", 5, "free");
	free(run->anatomy->objects[LIBC].path);
	run->anatomy->objects[LIBC].path = strdup("/usr/lib/libjemalloc.so.2");
	for (size_t i = 0; i < run->anatomy->row_count; i++)
		run->anatomy->rows[i].code.object = LIBC;
	run->anatomy->forks[0].threads = (struct spread_of){ 4, 4, 4 };
	advice = advice_of(run, "A12");
	assert_null(strstr(advice->action, "malloc_trim"));
	assert_non_null(strstr(advice->action, "end by _exit()"));
	assert_null(advice__way(advice));
	run__free(run);
}

static struct run *threads_run(uint64_t call_ns)
{
	struct run *run = new_run();

	run->groups[0].exec_target = 1;
	run->anatomy->forks[0].threads = (struct spread_of){ 8, 8, 8 };
	run->anatomy->forks[0].call.median = run->anatomy->forks[0].call.max = call_ns;
	return run;
}

static void test_a13(void **state)
{
	struct run *run = threads_run(3000000);
	const struct advice *advice = advice_of(run, "A13");

	assert_says(advice, "8 threads when it forks, and fork() takes 3 ms");
	assert_false(advice->predicted_ns.known); /* nobody measured who waited */
	assert_non_null(strstr(advice->action, "posix_spawn"));
	run->groups[0].exec_target = NO_EXE; /* these may need the memory, which a helper's children do not have */
	assert_silent(run, "A13");
	run = threads_run(1000000);
	assert_says(advice_of(run, "A13"), "takes 1 ms");
	run__free(run);
	assert_silent(threads_run(999999), "A13");
}

static struct run *text_run(int windows)
{
	struct run *run = new_run();

	for (int i = 0; i < windows; i++)
		add_row(run, ACTOR_PROGRAM, FAULT_FILE_MAP)->is_exec = true;
	return run;
}

static void test_a14(void **state)
{
	struct run *run = text_run(6);
	const struct advice *advice = advice_of(run, "A14");

	assert_says(advice, "in 6 places of prog");
	assert_near(advice->predicted_faults.value, 5);
	assert_near(advice->predicted_faults.low, 0);
	run__free(run);
	run = text_run(5);
	assert_says(advice_of(run, "A14"), "in 5 places of prog");
	run__free(run);
	assert_silent(text_run(4), "A14");
	run = text_run(6);
	for (size_t i = 0; i < run->anatomy->row_count; i++)
		run->anatomy->rows[i].place.object = LIBC; /* nobody links that again */
	assert_silent(run, "A14");
}

static void test_a15(void **state)
{
	struct run *run = new_run();
	const struct advice *advice;

	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->table_pages = 5 * RECORDED;
	advice = advice_of(run, "A15");
	assert_says(advice, "allocate 5 page-table pages");
	assert_near(advice->predicted_ns.value, 3000);
	run__free(run);
	run = new_run();
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->table_pages = 2 * RECORDED;
	assert_silent(run, "A15");
}

/* Children that read so many pages of the heap and two of a file, on a CPU without hardware access flag. */
static struct run *reading_run(uint64_t pages, uint32_t exec_target)
{
	struct run *run = new_run();
	struct anatomy_row *row = add_row(run, ACTOR_PROGRAM, FAULT_ACCESS_FLAG);

	row->faults = row->timed = 2 * RECORDED;
	row = add_row(run, ACTOR_PROGRAM, FAULT_ACCESS_FLAG);
	row->place.kind = PLACE_HEAP;
	row->place.object = NO_OBJECT;
	row->faults = row->timed = pages * RECORDED;
	row->ns = pages * RECORDED * 1000;
	run->groups[0].exec_target = exec_target;
	return run;
}

static void test_a16(void **state)
{
	struct run *run = reading_run(100, NO_EXE);
	const struct advice *advice = advice_of(run, "A16");

	assert_says(advice, "reads 102 pages");
	assert_says(advice, "100 of these pages are of the heap");
	assert_non_null(strstr(advice->action, "MADV_HUGEPAGE"));
	assert_near(advice->predicted_faults.high, 100);
	assert_near(advice->predicted_ns.low, 0);
	assert_near(advice->predicted_ns.high, 100000);
	run->machine.page_bytes = GOT_PIECE;
	assert_non_null(strstr(advice_of(run, "A16")->action, "one fault for each of 2 MiB"));
	run->machine.page_bytes = LARGE_PAGE;
	assert_non_null(strstr(advice_of(run, "A16")->action, "one fault for each of 32 MiB"));
	run__free(run);
	run = reading_run(100, 1);
	advice = advice_of(run, "A16");
	assert_non_null(advice);
	assert_non_null(strstr(advice->action, "posix_spawn() or vfork()"));
	assert_near(advice->predicted_faults.high, 102);
	run__free(run);
	assert_silent(reading_run(5, NO_EXE), "A16");
	run = reading_run(100, NO_EXE);
	run->anatomy->rows[0].class = run->anatomy->rows[1].class = FAULT_ZERO_PAGE; /* no such CPU */
	assert_silent(run, "A16");
}

/* Thresholds, and what each term of a prediction adds. */

/* One lazy object with so many slots that wait. */
static void add_slots(struct run *run, uint64_t unbound, bool lazy)
{
	add_vma(run, PROGRAM, PLACE_FILE, "a");
	MADE_BINDING(run, .object = PROGRAM, .lazy = lazy, .slots_unbound = unbound, .bound_to = 1);
}

/* Ten forks that save 9 us each, or 5 us more for each other symbol at every start. */
static struct run *waiting_run(uint64_t unbound, bool lazy)
{
	struct run *run = binding_run();

	add_symbol(run, RECORDED);
	run->anatomy->costs[COST_SYMBOL].known = false;
	run->anatomy->rows[2].since_ns += RECORDED * 5000;
	add_slots(run, unbound, lazy);
	return run;
}

static void test_a1_pays_off(void **state)
{
	struct run *run = waiting_run(10, true);

	assert_says(advice_of(run, "A1"), "With binding at start, ld.so would look up 9 more symbols");
	run__free(run);
	assert_silent(waiting_run(100, true), "A1");
	run = waiting_run(100, false); /* bound at start already */
	assert_null(strstr(advice_of(run, "A1")->evidence, "With binding at start"));
	run__free(run);
	run = waiting_run(ABSENT, true); /* not known */
	assert_null(strstr(advice_of(run, "A1")->evidence, "With binding at start"));
	run__free(run);
}

static struct run *vmas_run(uint64_t vmas)
{
	struct run *run = new_run();

	run->anatomy->forks[0].vmas = (struct spread_of){ vmas, vmas, vmas };
	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP);
	for (int i = 0; i < 3; i++)
		add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->place.object = LINKER;
	return run;
}

static void test_a2_at_its_edges(void **state)
{
	struct run *run = vmas_run(16);
	const struct advice *advice;
	double faults;

	assert_says(advice_of(run, "A2"), "Each fork copies 16 mappings");
	run__free(run);
	assert_silent(vmas_run(15), "A2");
	run = vmas_run(16);
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->place.object = LIBC;
	advice = advice_of(run, "A2");
	faults = advice->predicted_faults.value;
	assert_near(advice->predicted_faults.low, 0); /* no binding */
	assert_near(advice->predicted_faults.high, faults + 1); /* data of the library may go, too */
	for (int i = 0; i < 2; i++)
		add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->place =
			(struct place){ .kind = PLACE_TLS, .object = NO_OBJECT, .offset = i * GOT_PIECE };
	advice = advice_of(run, "A2");
	assert_near(advice->predicted_faults.value, faults + 1); /* one page of two */
	assert_near(advice->predicted_faults.high, faults + 1 + 2);
	run__free(run);
}

/* What the child computes from exit() on may be saved, or half of it. */
static void test_a3_computing(void **state)
{
	struct run *run = exit_run("__run_exit_handlers", NO_EXE);
	const struct advice *advice;

	run->anatomy->forks[0].part_ns[PART_RUN] += RECORDED * 5000; /* 1 us of them before exit() */
	advice = advice_of(run, "A3");
	assert_near(advice->predicted_ns.value, 3000 + 4000 / 2);
	assert_near(advice->predicted_ns.low, 2700);
	assert_near(advice->predicted_ns.high, 3300 + 4000);
	run__free(run);
}

/* A handler computes before it faults: exit() has begun when ld.so has written where it is. */
static void test_a3_computing_before_a_fault(void **state)
{
	struct run *run = new_run();
	struct anatomy_row *row = add_row(run, ACTOR_LDSO, FAULT_COW_COPY);
	const struct advice *advice;

	row->place.symbol = strdup("exit@got");
	row = add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);
	row->code.symbol = strdup("__run_exit_handlers");
	row->since_ns = RECORDED * 50000;
	for (int i = 0; i < 2; i++)
		add_row(run, ACTOR_KERNEL, FAULT_COW_COPY); /* 1 us apart: what tracing takes */
	run->anatomy->forks[0].part_ns[PART_RUN] = RECORDED * 52000; /* it begins 2 us after the fork */
	advice = advice_of(run, "A3");
	assert_true(advice->predicted_ns.high > 40000);
	free(run->anatomy->rows[0].place.symbol);
	run->anatomy->rows[0].place.symbol = strdup("puts@got");
	advice = advice_of(run, "A3");
	assert_true(!advice || advice->predicted_ns.high < 5000);
	run__free(run);
}

/* After exit() has begun, whatever each child does is of it; what some do may be. */
static void test_a3_what_follows(void **state)
{
	static const struct {
		enum actor actor;
		uint64_t children;
		double faults, high;
	} cases[] = {
		{ ACTOR_PROGRAM, RECORDED, 4, 4 },
		{ ACTOR_PROGRAM, RECORDED - 1, 3, 4 },
		{ ACTOR_KERNEL, RECORDED, 3, 4 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run *run = exit_run("__run_exit_handlers", NO_EXE);
		struct anatomy_row *row = add_row(run, cases[i].actor, FAULT_COW_COPY);
		const struct advice *advice;

		row->children = cases[i].children;
		advice = advice_of(run, "A3");
		assert_near(advice->predicted_faults.value, cases[i].faults);
		assert_near(advice->predicted_faults.high, cases[i].high);
		run__free(run);
	}
}

/* A child that had not come to exit() when watching ended, and so lacks all that the others do from there on. */
static void test_a3_of_who_still_runs(void **state)
{
	for (uint64_t unfinished = 0; unfinished < 2; unfinished++) {
		struct run *run = exit_run("__run_exit_handlers", NO_EXE);

		add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY); /* after exit() has begun */
		run->groups[0].children -= unfinished;
		run->groups[0].unfinished = unfinished;
		for (size_t i = 0; i < run->anatomy->row_count; i++) {
			run->anatomy->rows[i].children = RECORDED - 1;
			run->anatomy->rows[i].faults = RECORDED - 1;
		}
		run->anatomy->rows[3].children += unfinished; /* it had been there before, too */
		assert_near(advice_of(run, "A3")->predicted_faults.value,
			    (unfinished ? 4.0 : 3.0) * (RECORDED - 1) / RECORDED);
		run__free(run);
	}
}

/* The first function of those that are known is where exit() begins, wherever it is listed. */
static void test_a3_begins_with_the_earliest(void **state)
{
	struct run *run = exit_run("_fini", NO_EXE);
	struct anatomy_row *between = add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);

	free(run->anatomy->rows[2].code.symbol);
	run->anatomy->rows[2].code.symbol = strdup("exit");
	between->since_ns = run->anatomy->rows[0].since_ns + 1;
	assert_near(advice_of(run, "A3")->predicted_faults.value, 4);
	run__free(run);
}

/* Who binds exit() will bind _exit(), by three tables that may lie elsewhere. */
static void test_a3_of_who_binds_exit(void **state)
{
	struct run *run = exit_run("__run_exit_handlers", NO_EXE);
	const struct advice *advice;

	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->code.symbol = strdup("_fini");
	assert_near(advice_of(run, "A3")->predicted_faults.low, 4);
	free(add_symbol(run, RECORDED)->symbol);
	run->anatomy->symbols[0].symbol = strdup("exit");
	advice = advice_of(run, "A3");
	assert_near(advice->predicted_faults.low, 1);
	assert_near(advice->predicted_faults.high, 7);
	run__free(run);
}

/* Interpreters run code of their own before: all of a child may be its end. */
static void test_a3_of_interpreters(void **state)
{
	double high = 0;

	for (int i = 0; i < 2; i++) {
		struct run *run = exit_run("__run_exit_handlers", NO_EXE);
		const struct advice *advice;

		if (i) {
			free(run->exes[0].path);
			free(run->anatomy->objects[PROGRAM].path);
			run->exes[0].path = strdup("/usr/bin/perl");
			run->anatomy->objects[PROGRAM].path = strdup("/usr/bin/perl");
		}
		add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->since_ns = 1; /* before exit() */
		run->anatomy->rows[3].ns = RECORDED;
		run->anatomy->forks[0].part_ns[PART_RUN] = RECORDED * 20000;
		advice = advice_of(run, "A3");
		assert_near(advice->predicted_faults.value, 3);
		assert_near(advice->predicted_faults.high, 3 + i);
		/* Of 20 us up to the end it took 2 to begin with exit(), and the rest are 3 or 4 faults. */
		if (i)
			assert_true(advice->predicted_ns.high > high + 1100);
		high = advice->predicted_ns.high;
		run__free(run);
	}
}

static struct run *exec_run(void)
{
	struct run *run = new_run();

	run->groups[0].exec_target = 1;
	run->anatomy->costs[COST_FORK] = estimate__of(5000);
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);
	add_vma(run, NO_OBJECT, PLACE_HEAP, "aa");
	return run;
}

static void test_a4_terms(void **state)
{
	struct run *run = exec_run();
	const struct advice *advice;
	struct anatomy_row *row;
	double value, high;

	run->anatomy->costs[COST_REUSE] = estimate__of(500);
	advice = ruled(run, rule__a04_fork_exec);
	value = advice->predicted_ns.value;
	high = advice->predicted_ns.high;
	run->groups[0].birth = BIRTH_VFORK;
	assert_null(ruled(run, rule__a04_fork_exec));
	run->groups[0].birth = BIRTH_FORK;
	/* Of a fault that was not recorded it is not known what it was: as the others, or any. */
	run->anatomy->samples[0].child_unattributed = RECORDED;
	assert_near(ruled(run, rule__a04_fork_exec)->predicted_ns.value, value + 1000);
	run->anatomy->samples[0].child_missed = RECORDED;
	assert_near(ruled(run, rule__a04_fork_exec)->predicted_faults.high, 3);
	run->anatomy->samples[0].child_unattributed = run->anatomy->samples[0].child_missed = 0;
	/* What its parent takes because of it. */
	row = add_row(run, ACTOR_PROGRAM, FAULT_COW_REUSE);
	row->phase = PHASE_PARENT;
	assert_near(ruled(run, rule__a04_fork_exec)->predicted_ns.value, value + 500);
	/* What it computes between its faults may be saved: of 11 us, 3 are faults and 3 tracing. */
	row->phase = PHASE_CHILD;
	row->class = FAULT_COW_COPY;
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->since_ns += RECORDED * 7000;
	assert_near(ruled(run, rule__a04_fork_exec)->predicted_ns.high, high + 2 * 1100 + 5000);
	/* By noise a cost may lie outside of its interval: a prediction does not. */
	run->anatomy->costs[COST_FORK] = (struct estimate){ true, true, 50000, 900, 1100 };
	advice = ruled(run, rule__a04_fork_exec);
	assert_true(advice->predicted_ns.high > advice->predicted_ns.value);
	run__free(run);
}

/* By which the call exceeds a smallest fork, once more for undoing it. */
static void test_a4_of_parents_that_were_not_seen(void **state)
{
	struct run *run = new_run();
	double value;

	run->groups[0].exec_target = 1;
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);
	run->anatomy->forks[0].page_table_bytes = (struct spread_of){ ABSENT, ABSENT, ABSENT };
	value = ruled(run, rule__a04_fork_exec)->predicted_ns.value;
	run->anatomy->forks[0].page_table_bytes = (struct spread_of){ 1 << 20, 1 << 20, 1 << 20 };
	assert_near(ruled(run, rule__a04_fork_exec)->predicted_ns.value, value + 2 * (40000 - 1000));
	run__free(run);
}

static void test_a5_of_others(void **state)
{
	struct run *run = spawn_run(122, 130);

	run->anatomy->costs[COST_SPAWN].high = 200000; /* all that posix_spawn does beyond vfork */
	assert_near(ruled(run, rule__a05_spawn_signals)->predicted_ns.high, 200000);
	run__free(run);
	run = spawn_run(122, 130);
	run->groups[0].birth = BIRTH_FORK;
	assert_silent(run, "A5");
	run = spawn_run(122, 130);
	run->processes[0].images[0].kind = IMAGE_EXEC;
	assert_silent(run, "A5");
}

/* Fork copies nothing of memory that is shared, or kept out of children. */
static void test_what_is_not_copied(void **state)
{
	struct run *run = large_run(100 * 1048576.0);

	assert_near(copying_of(run).ns, 2 * 25600);
	run->anatomy->layouts[0].vmas[0].shared = true;
	assert_near(copying_of(run).ns, 0);
	run->anatomy->layouts[0].vmas[0].shared = false;
	run->anatomy->layouts[0].vmas[0].kept_out = true;
	assert_near(copying_of(run).ns, 0);
	run__free(run);
}

static void test_a7_at_its_edges(void **state)
{
	struct run *run = large_run(256 * 1048576.0);
	const struct advice *advice = ruled(run, rule__a07_huge_pages);

	/* 65,536 entries less, and 128 huge pages more. */
	assert_near(advice->predicted_ns.value, 2 * 65536 - 128 * 1000);
	assert_near(advice->predicted_ns.low, 0);
	run->groups[0].birth = BIRTH_VFORK;
	assert_null(ruled(run, rule__a07_huge_pages));
	run__free(run);
	assert_silent(large_run(256 * 1048576.0 - GOT_PIECE), "A7");
	run = large_run(256 * 1048576.0);
	free(run->anatomy->objects[LIBC].path);
	run->anatomy->objects[LIBC].path = strdup("/lib/ld-musl-x86_64.so.1");
	assert_non_null(strstr(ruled(run, rule__a07_huge_pages)->tried, "only glibc has the setting"));
	run__free(run);
}

static struct run *unused_run(uint32_t object, uint64_t data_to)
{
	struct run *run = new_run();

	add_vma(run, object, PLACE_FILE, "aa");
	for (int i = 0; i < 5; i++)
		add_row(run, ACTOR_LDSO, FAULT_FILE_MAP)->place.object = object;
	MADE_BINDING(run, .object = object, .data_to = data_to);
	return run;
}

static void test_a8_at_its_edges(void **state)
{
	struct run *run = unused_run(LIBC, 0);
	const struct advice *advice = advice_of(run, "A8");

	assert_near(advice->predicted_faults.low, 2); /* three may come elsewhere */
	assert_near(advice->predicted_faults.high, 8);
	run__free(run);
	assert_silent(unused_run(LIBC, 1), "A8");
	assert_silent(unused_run(PROGRAM, 0), "A8");
	assert_silent(unused_run(LINKER, 0), "A8");
}

static void test_a9_at_its_edges(void **state)
{
	struct run *run = new_run();
	double high;

	add_kernel_row(run, PHASE_CHILD, 0xa10);
	add_kernel_row(run, PHASE_CHILD, 0x1068);
	add_kernel_row(run, PHASE_PARENT, 0x1068);
	high = advice_of(run, "A9")->predicted_ns.high;
	run->anatomy->costs[COST_SYSCALL].known = false; /* else child and parent take one less each */
	assert_near(advice_of(run, "A9")->predicted_ns.high, high - 2 * 1100);
	run->anatomy->rows[2].children = RECORDED / 2; /* of every second child only */
	assert_silent(run, "A9");
}

/* Calls that found no connection are none, and ten children for a thousand are not one each. */
static void test_a10_counts_connections(void **state)
{
	struct run *run = server_run(RECORDED);

	run->root_table.rows[0].errors[ACTOR_PROGRAM] = RECORDED - 1;
	assert_silent(run, "A10");
	run = server_run(RECORDED);
	run->processes[0].children = 1; /* which forked the others: no connection of theirs is known */
	assert_silent(run, "A10");
	assert_silent(server_run(2 * RECORDED + 1), "A10");
	run = server_run(2 * RECORDED);
	assert_non_null(advice_of(run, "A10"));
	run__free(run);
}

static void test_a10_at_its_edges(void **state)
{
	struct run *run = server_run(RECORDED / 2);
	struct fork_cost *fork = &run->anatomy->forks[0];

	assert_says(advice_of(run, "A10"), "accepted 5 connections");
	free(run->root_table.rows[0].name);
	run->root_table.rows[0].name = strdup("accept");
	assert_non_null(advice_of(run, "A10"));
	fork->part_ns[PART_RUN] = RECORDED * 601000; /* ten times 60 us, and the fault */
	fork->typical_ns = RECORDED * 661000;
	assert_non_null(advice_of(run, "A10"));
	fork->part_ns[PART_RUN] = RECORDED * 641000; /* to make a child is a small part of its life */
	fork->typical_ns = RECORDED * 701000;
	assert_silent(run, "A10");
	assert_silent(server_run(RECORDED / 2 - 1), "A10");
	run = server_run(RECORDED);
	run->groups[0].exec_target = 1;
	assert_silent(run, "A10");
	run = server_run(RECORDED);
	run->groups[0].children = RECORDED - 1;
	run->anatomy->forks[0].forks = RECORDED - 1;
	assert_silent(run, "A10");
}

/* At least nothing, as the child's own writes stay; at most all of its work. */
static void test_a11_a12_are_upper_bounds(void **state)
{
	static const char *const programs[] = { "/usr/bin/python3.11", "/bin/prog" };

	for (int i = 0; i < 2; i++) {
		struct run *run = heap_run(programs[i], 55, "free");
		const struct advice *advice;

		run->anatomy->forks[0].part_ns[PART_RUN] = RECORDED * 1000000;
		run->anatomy->forks[0].typical_ns = RECORDED * 1060000;
		advice = advice_of(run, i ? "A12" : "A11");
		assert_near(advice->predicted_ns.low, 0);
		assert_true(advice->predicted_ns.high > 900000);
		run__free(run);
	}
}

static void test_a12_at_its_edges(void **state)
{
	struct run *run = heap_run("/bin/prog", 2, "free");

	run->anatomy->costs[COST_COPY].value = 4000; /* worth saying */
	run->anatomy->rows[0].class = FAULT_ZERO_FILL; /* new memory is no copy */
	assert_says(advice_of(run, "A12"), "copy 1 page of");
	run->anatomy->forks[0].threads = (struct spread_of){ 1, 1, 2 };
	assert_non_null(advice__way(advice_of(run, "A12")));
	run->anatomy->rows[1].faults = RECORDED - 1;
	assert_silent(run, "A12");
}

static void test_a13_at_its_edges(void **state)
{
	for (uint64_t threads = 1; threads < 3; threads++) {
		struct run *run = threads_run(3000000);

		run->anatomy->forks[0].threads = (struct spread_of){ threads, threads, threads };
		assert_int_equal(advice_of(run, "A13") != NULL, threads == 2);
		run->groups[0].birth = BIRTH_VFORK;
		assert_silent(run, "A13");
	}
}

/* Fetches of code alone, and none of ld.so's; at best one place of six is left. */
static void test_a14_at_its_edges(void **state)
{
	struct run *run = text_run(6);

	assert_near(advice_of(run, "A14")->predicted_ns.high, 6600 * 5 / 6.0);
	run->anatomy->rows[0].is_exec = false;
	run->anatomy->rows[1].class = FAULT_FILE_COW;
	assert_silent(run, "A14");
	run = text_run(6);
	for (size_t i = 0; i < run->anatomy->row_count; i++) {
		run->anatomy->rows[i].place.object = run->anatomy->rows[i].code.object = LINKER;
		run->anatomy->rows[i].actor = ACTOR_LDSO;
	}
	assert_silent(run, "A14");
}

/* 12 MiB of new memory fill six tables: nothing could lie closer. */
static void test_a15_of_new_memory(void **state)
{
	struct run *run = new_run();
	struct anatomy_row *row = add_row(run, ACTOR_PROGRAM, FAULT_ZERO_FILL);

	row->faults = row->timed = RECORDED * 6 * 512;
	row->table_pages = RECORDED * 8;
	run->anatomy->forks[0].part_ns[PART_RUN] = RECORDED * 4000000;
	assert_silent(run, "A15");
}

/* 48 MiB of new memory fill one and a half of the tables. */
static void test_a15_of_larger_pages(void **state)
{
	struct run *run = new_run();
	struct anatomy_row *row = add_row(run, ACTOR_PROGRAM, FAULT_ZERO_FILL);
	const struct advice *advice;

	run->machine.page_bytes = LARGE_PAGE;
	row->faults = row->timed = RECORDED * 6 * 512;
	row->table_pages = RECORDED * 8;
	run->anatomy->forks[0].part_ns[PART_RUN] = RECORDED * 4000000;
	advice = advice_of(run, "A15");
	assert_says(advice, "allocate 8 page-table pages, for address ranges (of 32 MiB or more)");
	assert_near(advice->predicted_ns.value, 1000 * (8 - 2 - 1));
	row->faults = row->timed = RECORDED * 6 * 2048;
	assert_silent(run, "A15");
	run = new_run();
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->table_pages = 5 * RECORDED;
	assert_says(advice_of(run, "A15"), "for address ranges (of 2 MiB or more)");
	run__free(run);
}

static void test_a15_at_its_edges(void **state)
{
	struct run *run = new_run();
	struct anatomy_row *row = add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY);

	row->table_pages = 26;
	run->anatomy->costs[COST_PAGE_TABLE].value = 4000; /* worth saying */
	assert_says(advice_of(run, "A15"), "allocate 2.60 page-table pages");
	/* Also the fault itself may go: 1.1 us, and 2.6 tables. */
	assert_near(advice_of(run, "A15")->predicted_ns.high, 1100 + 2.6 * 1100);
	row->table_pages = 25;
	assert_silent(run, "A15");
}

/* Of a fault that some children take it is not known how many will; of one that hardly any takes, it is. */
static void test_what_varies(void **state)
{
	static const struct {
		uint64_t children;
		bool varies;
	} cases[] = { { 1, false }, { 2, true }, { 18, true }, { 19, false }, { 20, false } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run *run = exit_run("__run_exit_handlers", NO_EXE);
		struct saving saving = { 0 };
		struct fork_breakdown breakdown;
		struct subject subject;

		run->anatomy->samples[0].children = 20;
		run->anatomy->rows[0].children = cases[i].children;
		assert_true(fork_breakdown__make(run, 0, &breakdown));
		subject__make(&subject, run, &breakdown);
		saving__add(&saving, &subject, &run->anatomy->rows[0]);
		assert_int_equal(saving.varying > 0, cases[i].varies);
		run__free(run);
	}
}

/* Between one page and the 16 that were calibrated; its page tables come on top. */
static void test_cost_of_mapping(void **state)
{
	static const struct {
		double pages, ns;
		uint64_t page_bytes;
	} cases[] = { { 1, 1000, GOT_PIECE },	 { 2, 1100, GOT_PIECE },  { 8.5, 1750, GOT_PIECE },
		      { 16, 2500, GOT_PIECE },	 { 32, 2500, GOT_PIECE }, { 1, 1000, LARGE_PAGE },
		      { 2.5, 1750, LARGE_PAGE }, { 4, 2500, LARGE_PAGE }, { 16, 2500, LARGE_PAGE },
		      { 1, 1000, 65536 } };
	struct run *run = exit_run("__run_exit_handlers", NO_EXE);
	struct anatomy_row *row = &run->anatomy->rows[0];
	struct fork_breakdown breakdown;
	struct subject subject;

	row->class = FAULT_FILE_MAP;
	run->anatomy->costs[COST_MAP_AROUND] = estimate__of(2500);
	assert_true(fork_breakdown__make(run, 0, &breakdown));
	subject__make(&subject, run, &breakdown);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct saving saving = { 0 };

		run->machine.page_bytes = cases[i].page_bytes;
		row->around = (uint64_t)(cases[i].pages * RECORDED);
		row->table_pages = i ? 0 : RECORDED / 2;
		saving__add(&saving, &subject, row);
		assert_near(saving.ns, cases[i].ns + (i ? 0 : 500));
	}
	run__free(run);
}

/* What it takes ld.so to look up symbols: by their number, by what was traced, or by both. */
static void test_cost_of_binding(void **state)
{
	struct run *run = waiting_run(1, true);
	struct saving known = { 0 }, unknown = { 0 }, none = { 0 };
	struct fork_breakdown breakdown;
	struct subject subject;

	assert_true(fork_breakdown__make(run, 0, &breakdown));
	subject__make(&subject, run, &breakdown);
	saving__add_binding_code(&unknown, &subject);
	assert_near(unknown.ns, 5000);
	assert_near(unknown.low, 5000);
	run->anatomy->costs[COST_SYMBOL] = (struct estimate){ true, true, 1000, 900, 1100 };
	saving__add_binding_code(&known, &subject);
	assert_near(known.ns, 1000);
	assert_near(known.low, 0);
	assert_near(known.high, 5000);
	run->anatomy->symbols[0].children = RECORDED / 2; /* not in more than half of the children */
	saving__add_binding_code(&none, &subject);
	assert_near(none.ns, 5000);
	assert_near(none.low, 0);
	run__free(run);
}

/* The parent's layout is that of another group with the same parent, its object that of the same inode. */
static void test_subjects(void **state)
{
	struct run *run = exec_run();
	struct fork_breakdown breakdown;
	struct subject subject;

	run->anatomy->layouts[0].group = 7;
	free(run->exes[0].path);
	run->exes[0].path = strdup("/renamed/prog");
	run->exes[0].ino = 100 + LIBC;
	assert_true(fork_breakdown__make(run, 0, &breakdown));
	subject__make(&subject, run, &breakdown);
	assert_ptr_equal(subject.layout, &run->anatomy->layouts[0]);
	assert_int_equal(subject.program, LIBC);
	run->anatomy->layouts[0].exe = 1;
	run->exes[0].ino = 7;
	subject__make(&subject, run, &breakdown);
	assert_null(subject.layout);
	assert_int_equal(subject.program, NO_OBJECT);
	run__free(run);
}

/* Beyond 256 mappings none is in the caches of the last fork. */
static void test_mappings_beyond_the_caches(void **state)
{
	for (int more = 0; more < 2; more++) {
		struct run *run = new_run();
		struct anatomy *anatomy = run->anatomy;
		struct fork_breakdown breakdown;
		struct subject subject;

		add_vma(run, NO_OBJECT, PLACE_HEAP, "a");
		free(anatomy->layouts[0].vmas[0].pages);
		free(anatomy->layouts[0].vmas);
		anatomy->layouts[0].vmas = calloc(257, sizeof(*anatomy->layouts[0].vmas));
		anatomy->layouts[0].vma_count = 0;
		for (int i = 0; i < 256 + more; i++)
			add_vma(run, NO_OBJECT, PLACE_HEAP, "a");
		anatomy->forks[0].call.count = 0;
		assert_true(fork_breakdown__make(run, 0, &breakdown));
		subject__make(&subject, run, &breakdown);
		assert_near(copied__cost(run, 0, COST_VMA).value, more ? 1100 : 1000);
		/* As a call took twice as long as calibrated, so may each of them. */
		anatomy->forks[0].call.count = RECORDED;
		anatomy->forks[0].call.median = 1000 + 2 * 2 * (256 + more) * 1000;
		assert_near(copied__cost(run, 0, COST_VMA).high, more ? 2000 : 1100);
		run__free(run);
	}
}

/* Mean times are in the order of each child only where each took the fault once. */
static void test_tracing_gap(void **state)
{
	struct run *run = exit_run("main", NO_EXE);
	struct fork_breakdown breakdown;
	struct subject subject;

	run->anatomy->rows[2].since_ns -= RECORDED * 500;
	assert_true(fork_breakdown__make(run, 0, &breakdown));
	subject__make(&subject, run, &breakdown);
	assert_near(subject__tracing_gap(&subject), 500);
	run->anatomy->rows[2].faults = run->anatomy->rows[2].timed = 2 * RECORDED; /* each of them twice */
	run->anatomy->rows[2].since_ns *= 2;
	assert_near(subject__tracing_gap(&subject), 1000);
	run__free(run);
}

/* The smallest fork is one without its fault for code, and without one that copies, or takes over. */
static void test_smallest_fork(void **state)
{
	struct run *run = exit_run("main", NO_EXE);
	struct saving saving = { 0 };
	struct fork_breakdown breakdown;
	struct subject subject;

	run->anatomy->costs[COST_FORK] = estimate__of(50000);
	run->anatomy->costs[COST_MAP_AROUND] = estimate__of(2500);
	run->anatomy->costs[COST_COPY] = estimate__of(3000);
	run->anatomy->costs[COST_REUSE] = estimate__of(1000);
	assert_true(fork_breakdown__make(run, 0, &breakdown));
	subject__make(&subject, run, &breakdown);
	saving__add_smallest_fork(&saving, &subject);
	assert_near(saving.ns, 50000 - 2500 - 2000);
	assert_near(saving.low, 50000 - 2500 - 3000);
	assert_near(saving.high, 50000 - 2500 - 1000);
	run__free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a1),
		cmocka_unit_test(test_a1_code_between_faults),
		cmocka_unit_test(test_a1_of_children_that_exit),
		cmocka_unit_test(test_a1_few_children),
		cmocka_unit_test(test_a1_of_children_that_load), cmocka_unit_test(test_a2),
		cmocka_unit_test(test_a2_of_who_loads_modules), cmocka_unit_test(test_a2_musl),
		cmocka_unit_test(test_a1_of_thread_local_data),
		cmocka_unit_test(test_a1_of_dlsym),
		cmocka_unit_test(test_a3_computing_before_a_fault),
		cmocka_unit_test(test_a3),
		cmocka_unit_test(test_a3_of_what_others_run),
		cmocka_unit_test(test_a4),
		cmocka_unit_test(test_a4_of_large_parents),
		cmocka_unit_test(test_page_tables_of_sparse_memory),
		cmocka_unit_test(test_page_tables_of_larger_pages),
		cmocka_unit_test(test_pages_beyond_the_caches),
		cmocka_unit_test(test_a4_without_layout),
		cmocka_unit_test(test_a4_of_growing_parents),
		cmocka_unit_test(test_a4_counts_what_was_not_recorded),
		cmocka_unit_test(test_a5),
		cmocka_unit_test(test_a5_of_vfork),
		cmocka_unit_test(test_a5_before_the_exec),
		cmocka_unit_test(test_memory_is_kept_out_of_no_child_that_may_read_it),
		cmocka_unit_test(test_no_figure_where_costs_do_not_hold),
		cmocka_unit_test(test_a_parent_that_grows_is_not_beyond_its_costs),
		cmocka_unit_test(test_a7),
		cmocka_unit_test(test_a7_of_larger_pages),
		cmocka_unit_test(test_a8),
		cmocka_unit_test(test_a9),
		cmocka_unit_test(test_a9_of_other_writes),
		cmocka_unit_test(test_a9_of_larger_pages),
		cmocka_unit_test(test_a9_in_one_page),
		cmocka_unit_test(test_a10),
		cmocka_unit_test(test_a10_counts_connections),
		cmocka_unit_test(test_a11),
		cmocka_unit_test(test_a12),
		cmocka_unit_test(test_a12_says_what_helps),
		cmocka_unit_test(test_a13),
		cmocka_unit_test(test_a14),
		cmocka_unit_test(test_a15),
		cmocka_unit_test(test_a16),
		cmocka_unit_test(test_a15_of_new_memory),
		cmocka_unit_test(test_a15_of_larger_pages),
		cmocka_unit_test(test_a1_pays_off),
		cmocka_unit_test(test_a2_at_its_edges),
		cmocka_unit_test(test_a3_computing),
		cmocka_unit_test(test_a3_what_follows),
		cmocka_unit_test(test_a3_begins_with_the_earliest),
		cmocka_unit_test(test_a3_of_who_still_runs),
		cmocka_unit_test(test_a3_of_who_binds_exit),
		cmocka_unit_test(test_a3_of_interpreters),
		cmocka_unit_test(test_a4_terms),
		cmocka_unit_test(test_a4_of_parents_that_were_not_seen),
		cmocka_unit_test(test_a5_of_others),
		cmocka_unit_test(test_what_is_not_copied),
		cmocka_unit_test(test_a7_at_its_edges),
		cmocka_unit_test(test_a8_at_its_edges),
		cmocka_unit_test(test_a9_at_its_edges),
		cmocka_unit_test(test_a10_at_its_edges),
		cmocka_unit_test(test_a11_a12_are_upper_bounds),
		cmocka_unit_test(test_a12_at_its_edges),
		cmocka_unit_test(test_a13_at_its_edges),
		cmocka_unit_test(test_a14_at_its_edges),
		cmocka_unit_test(test_a15_at_its_edges),
		cmocka_unit_test(test_what_varies),
		cmocka_unit_test(test_cost_of_mapping),
		cmocka_unit_test(test_cost_of_binding),
		cmocka_unit_test(test_subjects),
		cmocka_unit_test(test_tracing_gap),
		cmocka_unit_test(test_smallest_fork),
		cmocka_unit_test(test_mappings_beyond_the_caches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
