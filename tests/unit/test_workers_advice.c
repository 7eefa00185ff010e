// SPDX-License-Identifier: GPL-2.0-or-later
/* Every rule for a pool: speaks when its evidence is there, and is silent without. */
#include "advice_said.h"

#include "advice/workers/workers_advice.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "model/rows/fields.h"

enum { MIB = 1 << 20, MIB_PAGES = MIB / PAGE_BYTES_OLD };
enum { LARGE_MIB_PAGES = MIB / LARGE_PAGE };

/* Two workers; 100 MiB in all, so that 2 MiB are worth a word. */
static struct workers *new_pool(const char *file)
{
	struct workers *workers = workers__new();

	workers->machine.page_bytes = PAGE_BYTES_OLD;
	workers->cross_check.pss_anon_bytes = workers->cross_check.counted_bytes = 100 * MIB;
	workers->workers = checked_calloc(2, sizeof(*workers->workers));
	workers->worker_count = 2;
	workers->mappings = checked_calloc(1, sizeof(*workers->mappings));
	workers->mapping_count = 1;
	workers->mappings[0].name = checked_strdup(file);
	return workers;
}

static struct worker_pages *pages(struct workers *workers)
{
	return &workers->workers[1].pages;
}

/* A watch over it: a master, and two workers that were born meanwhile. */
static struct workers_flow *watch_of(struct workers *workers)
{
	struct workers_flow *flow = checked_calloc(1, sizeof(*flow));

	flow->page_bytes = workers->machine.page_bytes;
	flow->members = checked_calloc(3, sizeof(*flow->members));
	flow->member_count = 3;
	flow->members[0].born_ns = ABSENT;
	return workers->flow = flow;
}

static const struct advice *advice_of(struct workers *workers, const char *rule)
{
	for (size_t i = 0; i < workers->advice_count; i++)
		shape__release(&pool_advice_shape, &workers->advice[i]);
	free(workers->advice);
	workers->advice = NULL;
	workers->advice_count = 0;
	workers_advice__find(workers);
	return ADVICE_OF(workers, rule);
}

static void says(struct workers *workers, const char *rule, const char *evidence, double low,
		 double high)
{
	const struct advice *advice = advice_of(workers, rule);

	assert_says(advice, evidence);
	assert_true(advice->not_for && advice->by_hand && !advice->tried);
	assert_int_equal(advice->predicted_bytes.known, high > 0);
	if (advice->predicted_bytes.low != low * MIB || advice->predicted_bytes.high != high * MIB)
		fail_msg("%s predicts %g..%g", rule, advice->predicted_bytes.low / MIB,
			 advice->predicted_bytes.high / MIB);
}

static void is_silent(struct workers *workers, const char *rule)
{
	const struct advice *advice = advice_of(workers, rule);

	if (advice)
		fail_msg("%s: %s", rule, advice->evidence);
	workers__free(workers);
}

static void test_identical(void **state)
{
	struct workers *workers = new_pool("/usr/bin/x");

	workers->extra_bytes = 9 * MIB;
	workers->mergeable_bytes = 2 * MIB;
	says(workers, "W1", "cost 9 MiB beyond one page per address, and 2 MiB", 2, 2);
	workers->at_least = true;
	says(workers, "W1", "at least 2 MiB", 2, 2);
	workers->mergeable_bytes--;
	is_silent(workers, "W1");
}

/* Merging asks for no origin: where everything was copied nothing shows one. */
static void test_of_unknown_origin(void **state)
{
	struct workers *workers = new_pool("/usr/bin/x");

	workers->perhaps_extra_bytes = 9 * MIB;
	workers->perhaps_mergeable_bytes = 8 * MIB;
	says(workers, "W1", "So are 8 MiB more; whether these are copies is unknown.", 8, 8);
	workers->extra_bytes = 3 * MIB;
	workers->mergeable_bytes = 1 * MIB;
	says(workers, "W1", "cost 3 MiB beyond one page per address, and 1 MiB of that", 9, 9);
	workers__free(workers);
}

/* What one worker has copied, and what it still shares, MiB. */
static void set_objects(struct workers *workers, uint64_t plain, uint64_t collected, uint64_t kept_plain, uint64_t kept)
{
	const uint64_t in_mib = MIB / workers->machine.page_bytes;

	pages(workers)->plain_objects = plain * in_mib;
	pages(workers)->collected_objects = collected * in_mib;
	pages(workers)->kept_plain = kept_plain * in_mib;
	pages(workers)->kept_objects = kept * in_mib;
}

/* The collector writes to all that it knows, and to nothing else. */
static void test_objects_of_collector(void **state)
{
	struct workers *workers = new_pool("/usr/bin/python3.12");

	set_objects(workers, 0, 4, 2, 0);
	says(workers, "W2", "has written to 4 MiB of their copies", 0, 4);
	assert_null(advice_of(workers, "W3"));
	pages(workers)->kept_objects = MIB_PAGES / 4;
	assert_non_null(advice_of(workers, "W2"));
	pages(workers)->kept_objects++; /* it has not been at these */
	assert_null(advice_of(workers, "W2"));
	set_objects(workers, 0, 4, 2, 2);
	says(workers, "W3", "4 MiB of the workers' copies hold objects of Python", 0, 4);
	pages(workers)->kept_plain++; /* less than half was used: the program's code */
	assert_null(advice_of(workers, "W3"));
	set_objects(workers, 0, 64, 8, 2); /* of a large heap some look as if they were still shared */
	says(workers, "W2", "has written to 64 MiB", 0, 64);
	pages(workers)->kept_objects++;
	assert_null(advice_of(workers, "W2"));
	set_objects(workers, 0, 4, 0, 0);
	says(workers, "W2", "has written to 4 MiB", 0, 4);
	set_objects(workers, 0, 1, 0, 0); /* too little to say so */
	is_silent(workers, "W2");
}

/* Of objects that it does not write to, three quarters were used: so were as many of the others. */
static void test_objects_that_were_used(void **state)
{
	struct workers *workers = new_pool("/usr/bin/python3.12");

	set_objects(workers, 6, 8, 2, 0);
	says(workers, "W2", "has written to 2 MiB of their copies", 0, 2);
	says(workers, "W3", "12 MiB of the workers' copies", 0, 12);
	set_objects(workers, 3, 4, 3, 0);
	says(workers, "W3", "5 MiB of the workers' copies", 0, 5);
	pages(workers)->kept_plain++;
	assert_null(advice_of(workers, "W3"));
	set_objects(workers, 6, 8, 0, 0);
	assert_null(advice_of(workers, "W2"));
	says(workers, "W3", "14 MiB of the workers' copies", 0, 14);
	workers->machine.page_bytes = LARGE_PAGE;
	set_objects(workers, 6, 8, 2, 0);
	says(workers, "W3", "12 MiB of the workers' copies", 0, 12);
	pages(workers)->kept_objects = LARGE_MIB_PAGES / 4 + 1;
	says(workers, "W3", "14 MiB of the workers' copies", 0, 14);
	pages(workers)->kept_plain = ABSENT; /* of an older file */
	is_silent(workers, "W3");
}

static void test_repeated(void **state)
{
	struct workers *workers = new_pool("/usr/bin/x");
	struct workers_flow *flow = watch_of(workers);

	flow->copy_count = 2 * MIB_PAGES;
	flow->copies = checked_calloc(flow->copy_count, sizeof(*flow->copies));
	for (uint32_t i = 0; i < flow->copy_count; i++)
		flow->copies[i] = (struct flow_copy){ .member = 1 + i % 2, .address = (uint64_t)(i / 2) * PAGE_BYTES_OLD };
	says(workers, "W5", "Each of 2 workers that were born while the pool was watched copied the same 1 MiB", 0, 2);
	flow->copies[1].ns = 1000000001; /* too late to be the same */
	assert_null(advice_of(workers, "W5"));
	flow->copies[1].ns = 0;
	flow->members[1].born_ns = flow->members[2].born_ns = ABSENT;
	is_silent(workers, "W5");
}

static void has_action(struct workers *workers, const char *master, const char *words)
{
	free(workers->master.name);
	workers->master.name = checked_strdup(master);
	assert_non_null(strstr(advice_of(workers, "W5")->action, words));
}

static void test_ages(void **state)
{
	struct workers *workers = new_pool("/usr/lib/x86_64-linux-gnu/libruby-3.1.so.3.1");

	workers->extra_bytes = 5 * MIB;
	pages(workers)->unshared.few_words = pages(workers)->unshared.different = MIB_PAGES;
	pages(workers)->changed_words = 1000;
	pages(workers)->age_words = 100;
	says(workers, "W8", "In 2 MiB of their copies 10.0 % of the words that changed", 0, 5);
	pages(workers)->new = 4 * MIB_PAGES;
	says(workers, "W8", "the garbage collector ran in the workers", 0, 5);
	pages(workers)->new++; /* most was loaded after the fork */
	assert_null(advice_of(workers, "W8"));
	pages(workers)->new = 0;
	pages(workers)->age_words--;
	assert_null(advice_of(workers, "W8"));
	pages(workers)->changed_words = 100 * 1000; /* of buffers that were filled anew, but each page has one by age */
	pages(workers)->age_words = 2 * MIB_PAGES;
	says(workers, "W8", "In 2 MiB of their copies 0.5 % of the words that changed", 0, 5);
	pages(workers)->age_words--;
	assert_null(advice_of(workers, "W8"));
	pages(workers)->age_words++;
	pages(workers)->unshared.few_words--;
	is_silent(workers, "W8");
	workers = new_pool("/usr/bin/perl");
	pages(workers)->unshared.different = 9 * MIB_PAGES;
	pages(workers)->changed_words = pages(workers)->age_words = 100;
	is_silent(workers, "W8");
}

static void test_filled_alike(void **state)
{
	struct workers *workers = new_pool("/usr/bin/x");

	workers->has_master = true;
	workers->repeated_bytes = 2 * MIB;
	says(workers, "W5", "2 MiB of new memory of workers hold what another worker has at the same address", 0, 2);
	has_action(workers, "server", "compile templates.");
	has_action(workers, "uwsgi", "(uwsgi without lazy-apps");
	has_action(workers, "gunicorn", "(gunicorn --preload)");
	has_action(workers, "starman master", "(starman --preload-app)");
	has_action(workers, "python3.11", "set_forkserver_preload()");
	says(workers, "W1", "New memory of workers holds 2 MiB that others have, too", 2, 2);
	workers->repeated_bytes--;
	is_silent(workers, "W5");
	workers = new_pool("/usr/lib/apache2/modules/libphp8.2.so");
	workers->repeated_bytes = 9 * MIB;
	is_silent(workers, "W5");
}

/* A pool of two workers, each with so many libraries of its own, and new memory. */
static struct workers *pool_with_libraries(size_t libraries)
{
	struct workers *workers = new_pool("/usr/bin/puma");

	workers->has_master = true;
	workers->mappings = realloc(workers->mappings, (libraries + 1) * sizeof(*workers->mappings));
	for (size_t i = 1; i <= libraries; i++)
		workers->mappings[i] = (struct pool_mapping){ .start = i << 20, .name = text__of("/usr/lib/part%zu.so", i) };
	workers->mapping_count = libraries + 1;
	for (int i = 0; i < 2; i++) {
		struct worker *worker = &workers->workers[i];

		worker->pages.new = (2 + (size_t)i) * MIB_PAGES;
		worker->mappings = checked_calloc(libraries, sizeof(*worker->mappings));
		worker->mapping_count = libraries;
		for (uint32_t k = 0; k < libraries; k++)
			worker->mappings[k] = (struct worker_mapping){ k + 1, { .file_private = 1 } };
	}
	return workers;
}

static void test_loaded(void **state)
{
	struct workers *workers = pool_with_libraries(5);

	says(workers, "W5", "Each of 2 workers has loaded 5 libraries since its fork, such as part5.so, and has 2 MiB of new", 0, 2);
	has_action(workers, "puma", "(puma --preload");
	has_action(workers, "unicorn", "(preload_app true");
	workers->extra_bytes = MIB;
	says(workers, "W5", "has loaded 5 libraries", 0, 3);
	workers->cross_check.counted_bytes = 99 * MIB;
	says(workers, "W5", "has loaded 5 libraries", 0, 3);
	workers->cross_check.counted_bytes--; /* they work, each at something else */
	assert_null(advice_of(workers, "W5"));
	workers->cross_check.counted_bytes = ABSENT;
	says(workers, "W5", "has loaded 5 libraries", 0, 3);
	workers->repeated_bytes = 3 * MIB;
	says(workers, "W5", "or more. 3 MiB of new memory of workers hold", 0, 3);
	workers->repeated_bytes = 3 * MIB + 1; /* that is more, and certain */
	assert_null(strstr(advice_of(workers, "W5")->evidence, "libraries"));
	workers->repeated_bytes = 0;
	workers->extra_bytes = 0;
	workers->workers[0].mappings[0].pages.shared = 1; /* the master had it */
	assert_null(advice_of(workers, "W5"));
	workers->workers[0].mappings[0].pages = (struct worker_pages){ .unshared.few_words = 1, .file_private = 1 };
	assert_null(advice_of(workers, "W5"));
	workers->workers[0].mappings[0].pages = (struct worker_pages){ 0 }; /* only the other worker has loaded it */
	assert_null(advice_of(workers, "W5"));
	workers->workers[0].mappings[0].pages.file_private = 1;
	workers->workers[0].pages.new = 2 * MIB_PAGES - 1; /* less than 2 % of the pool */
	assert_null(advice_of(workers, "W5"));
	workers->workers[0].pages.new = 2 * MIB_PAGES;
	free(workers->mappings[1].name);
	workers->mappings[1].name = checked_strdup("/usr/lib/libnss_sss.so.2");
	is_silent(workers, "W5");
	is_silent(pool_with_libraries(4), "W5");
}

static void test_master(void **state)
{
	struct workers *workers = new_pool("/usr/bin/x");
	struct workers_flow *flow;

	assert_null(advice_of(workers, "W6"));
	flow = watch_of(workers);
	flow->members[0].copies = 2 * MIB_PAGES;
	says(workers, "W6", "the master itself copied 2 MiB", 0, 2);
	flow->orphans = true;
	assert_null(advice_of(workers, "W6"));
	flow->orphans = false;
	flow->members[0].copies--;
	is_silent(workers, "W6");
}

/* Each says how to try it: a line that starts the pool. */
static void test_by_hand(void **state)
{
	struct workers *workers = new_pool("/usr/bin/python3.11");

	workers->extra_bytes = workers->mergeable_bytes = 7 * MIB;
	set_objects(workers, 0, 2, 0, 0);
	advice_of(workers, "W2");
	assert_int_equal(workers->advice_count, 2);
	for (size_t i = 0; i < workers->advice_count; i++)
		assert_non_null(strstr(workers->advice[i].by_hand, " COMMAND"));
	assert_non_null(strstr(advice_of(workers, "W2")->by_hand, "gc.freeze"));
	assert_non_null(strstr(advice_of(workers, "W2")->not_for, "A master that goes on and forks again leaks"));
	workers__free(workers);
}

/* Of small pools a fiftieth is too little: it takes a megabyte. */
static void test_small_pools(void **state)
{
	struct workers *workers = new_pool("/usr/bin/x");

	workers->cross_check.pss_anon_bytes = 10 * MIB;
	workers->mergeable_bytes = MIB;
	assert_non_null(advice_of(workers, "W1"));
	workers->mergeable_bytes--;
	is_silent(workers, "W1");
}

/* A mapping is a file if its name is a path. */
static void test_names_that_are_no_files(void **state)
{
	struct workers *workers = new_pool("libruby");

	pages(workers)->unshared.different = 9 * MIB_PAGES;
	pages(workers)->changed_words = pages(workers)->age_words = 100;
	is_silent(workers, "W8");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_of_unknown_origin),
		cmocka_unit_test(test_identical),
		cmocka_unit_test(test_objects_of_collector),
		cmocka_unit_test(test_objects_that_were_used),
		cmocka_unit_test(test_filled_alike),
		cmocka_unit_test(test_ages),
		cmocka_unit_test(test_repeated),
		cmocka_unit_test(test_loaded),
		cmocka_unit_test(test_master),
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_small_pools),
		cmocka_unit_test(test_names_that_are_no_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
