// SPDX-License-Identifier: GPL-2.0-or-later
/* Every rule for a pool: speaks when its evidence is there, and is silent without. */
#include "advice_said.h"

#include "advice/workers/workers_advice.h"
#include "base/memory.h"
#include "base/page.h"

enum { MIB = 1 << 20, MIB_PAGES = MIB / PAGE_BYTES_OLD };
enum { LARGE_MIB_PAGES = MIB / LARGE_PAGE };

/* Two workers; 100 MiB in all, so that 2 MiB are worth a word. */
static struct workers *new_pool(const char *file)
{
	struct workers *workers = workers__new();
	struct pool_trial *trial;

	workers->machine.page_bytes = PAGE_BYTES_OLD;
	workers->cross_check.pss_anon_bytes = 100 * MIB;
	workers->workers = checked_calloc(2, sizeof(*workers->workers));
	workers->worker_count = 2;
	workers->mappings = checked_calloc(1, sizeof(*workers->mappings));
	workers->mapping_count = 1;
	workers->mappings[0].name = checked_strdup(file);
	workers->trials = checked_calloc(1, sizeof(*workers->trials));
	workers->trials->list = checked_calloc(8, sizeof(*workers->trials->list));
	workers->trials->count = 1;
	trial = &workers->trials->list[0];
	trial->samples = checked_calloc(8, sizeof(*trial->samples));
	trial->sample_count = 1;
	trial->samples[0] = (struct pool_sample){
		.loaded = { .pss_anon_bytes = 100 * MIB, .copied_by_master_bytes = ABSENT },
		.ready = { .workers = 2 },
		.ksmd_ns = ABSENT,
		.end_faults = ABSENT,
	};
	return workers;
}

static struct worker_pages *pages(struct workers *workers)
{
	return &workers->workers[1].pages;
}

static struct pool_sample *sample(struct workers *workers)
{
	return &workers->trials->list[0].samples[0];
}

/* `rounds` runs that way, each of which left so many MiB. */
static struct pool_trial *add_trial(struct workers *workers, enum pool_way way, size_t rounds,
				    uint64_t mib)
{
	struct pool_trials *trials = workers->trials;
	struct pool_trial *trial = &trials->list[trials->count++];

	*trial = (struct pool_trial){ .way = way, .sample_count = rounds };
	trial->samples = checked_calloc(rounds, sizeof(*trial->samples));
	for (size_t i = 0; i < rounds; i++) {
		trial->samples[i] = *sample(workers);
		trial->samples[i].loaded.pss_anon_bytes = mib * MIB;
		trials->list[0].samples[i] = *sample(workers);
	}
	trials->list[0].sample_count = rounds ? rounds : 1;
	return trial;
}

static const struct advice *advice_of(struct workers *workers, const char *rule)
{
	workers_advice__find(workers);
	return ADVICE_OF(workers->trials, rule);
}

static void says(struct workers *workers, const char *rule, const char *evidence, double low,
		 double high)
{
	const struct advice *advice = advice_of(workers, rule);

	assert_says(advice, evidence);
	assert_true(advice->not_for && advice->tried);
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
	workers->perhaps_extra_bytes = workers->perhaps_mergeable_bytes = ABSENT; /* of an older file */
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
	workers = new_pool("/usr/bin/python3.11");
	workers->perhaps_extra_bytes = 9 * MIB;
	pages(workers)->perhaps.identical = MIB_PAGES;
	pages(workers)->perhaps.few_words = MIB_PAGES;
	says(workers, "W2", "2 MiB of their copies", 0, 9);
	workers__free(workers);
	workers = new_pool("/usr/bin/ruby3.1");
	workers->perhaps_extra_bytes = 9 * MIB;
	pages(workers)->perhaps.different = 3 * MIB_PAGES;
	says(workers, "W4", "3 MiB of their copies", 0, 3);
	workers__free(workers);
	workers = new_pool("/lib/libc.so.6");
	pages(workers)->perhaps.few_words = 2 * MIB_PAGES;
	says(workers, "W7", "In 2 MiB", 0, 2);
	workers__free(workers);
}

static void test_collector(void **state)
{
	struct workers *workers = new_pool("/usr/bin/python3.11");

	workers->extra_bytes = 7 * MIB;
	pages(workers)->unshared.identical = MIB_PAGES;
	pages(workers)->unshared.few_words = MIB_PAGES;
	says(workers, "W2", "2 MiB of their copies", 0, 7);
	pages(workers)->unshared.few_words--;
	is_silent(workers, "W2");
	workers = new_pool("/usr/bin/perl");
	pages(workers)->unshared.identical = 9 * MIB_PAGES;
	is_silent(workers, "W2");
	workers = new_pool("/usr/lib/libpython3.12.so.1.0");
	pages(workers)->unshared.identical = 9 * MIB_PAGES;
	workers->extra_bytes = MIB;
	says(workers, "W2", "do not show which of them it was", 0, 1);
	workers__free(workers);
}

/* Known only when freezing was tried, and saved less than half of what copies cost. */
static void test_counts(void **state)
{
	struct workers *workers = new_pool("/usr/bin/python3.11");

	workers->extra_bytes = 40 * MIB;
	assert_null(advice_of(workers, "W3"));
	add_trial(workers, POOL_FREEZE, 2, 80);
	says(workers, "W3", "cost 40 MiB, and gc.freeze() before each fork saved 20 MiB", 0, 0);
	workers->extra_bytes = 39 * MIB;
	is_silent(workers, "W3");
}

static void test_ages(void **state)
{
	struct workers *workers = new_pool("/usr/lib/x86_64-linux-gnu/libruby-3.1.so.3.1");

	workers->extra_bytes = 5 * MIB;
	pages(workers)->unshared.different = 3 * MIB_PAGES;
	pages(workers)->changed_words = 100;
	pages(workers)->age_words = 25;
	says(workers, "W4", "3 MiB of their copies differ from the master's page; of the words that "
			    "changed 25 %", 0, 3);
	workers->extra_bytes = 2 * MIB;
	says(workers, "W4", "3 MiB", 0, 2);
	assert_null(strstr(advice_of(workers, "W4")->evidence, "new memory"));
	pages(workers)->new = 4 * MIB_PAGES; /* compaction may save of that, too */
	says(workers, "W4", "They also have 4 MiB of new memory", 0, 6);
	pages(workers)->unshared.different = 2 * MIB_PAGES - 1;
	is_silent(workers, "W4");
}

/* Of what a remedy inside the program has saved it is said of what kind it was; of merging it is not. */
static void test_kinds_saved(void **state)
{
	struct workers *workers = new_pool("/usr/bin/ruby3.1");
	struct pool_trial *trial;

	sample(workers)->loaded.extra_bytes = 30 * MIB;
	sample(workers)->loaded.new_bytes = 50 * MIB;
	workers->mergeable_bytes = workers->extra_bytes = 30 * MIB;
	pages(workers)->unshared.different = 30 * MIB_PAGES;
	trial = add_trial(workers, POOL_COMPACT, 3, 60);
	for (size_t i = 0; i < 3; i++) {
		trial->samples[i].loaded.extra_bytes = 19 * MIB;
		trial->samples[i].loaded.new_bytes = 22 * MIB;
	}
	add_trial(workers, POOL_MERGE, 3, 60);
	assert_non_null(strstr(advice_of(workers, "W4")->tried,
			       ". Of what it saved 11 MiB were copies, 28 MiB new memory of the workers, and "
			       "1 MiB other memory"));
	assert_null(strstr(advice_of(workers, "W1")->tried, "Of what it saved"));
	for (size_t i = 0; i < 3; i++)
		trial->samples[i].loaded.pss_anon_bytes = 99 * MIB;
	assert_non_null(strstr(advice_of(workers, "W4")->tried, "it saved nothing here"));
	assert_null(strstr(advice_of(workers, "W4")->tried, "Of what it saved"));
	workers__free(workers);
}

/* The trial freezes before each fork, and says what that costs whoever forks again. */
static void test_risk_of_freezing(void **state)
{
	struct workers *workers = new_pool("/usr/bin/python3.11");

	workers->extra_bytes = 7 * MIB;
	pages(workers)->unshared.identical = 2 * MIB_PAGES;
	assert_non_null(strstr(advice_of(workers, "W2")->not_for,
			       "In a master that goes on and forks again this leaks"));
	workers__free(workers);
}

static void test_repeated(void **state)
{
	struct workers *workers = new_pool("/usr/bin/x");
	struct pool_memory *ready = &sample(workers)->ready;

	ready->least_new_bytes = MIB / 2;
	ready->least_unshared_bytes = MIB / 2;
	says(workers, "W5", "each of 2 workers had at least 512 KiB of new memory", 0, 1);
	ready->least_new_bytes--;
	assert_null(advice_of(workers, "W5"));
	ready->least_unknown_origin_bytes = MIB;
	says(workers, "W5", "For 1 MiB more it is unknown which of them it is.", 0,
	     2 - 1.0 / MIB);
	workers__free(workers);
	workers = new_pool("/usr/bin/x");
	sample(workers)->ready.workers = 1;
	sample(workers)->ready.least_new_bytes = 50 * MIB;
	is_silent(workers, "W5");
}

static void test_master(void **state)
{
	struct workers *workers = new_pool("/usr/bin/x");

	assert_null(advice_of(workers, "W6"));
	sample(workers)->loaded.copied_by_master_bytes = 2 * MIB;
	says(workers, "W6", "the master itself copied 2 MiB", 0, 2);
	sample(workers)->loaded.copied_by_master_bytes--;
	is_silent(workers, "W6");
}

static void test_allocator(void **state)
{
	struct workers *workers = new_pool("/lib/libc.so.6");

	pages(workers)->unshared.few_words = 2 * MIB_PAGES;
	pages(workers)->changed_words = 100;
	pages(workers)->count_words = 30;
	pages(workers)->age_words = 20;
	says(workers, "W7", "In 2 MiB", 0, 2);
	pages(workers)->age_words++;
	is_silent(workers, "W7");
	workers = new_pool("/lib/ld-musl-x86_64.so.1");
	pages(workers)->unshared.few_words = 2 * MIB_PAGES;
	is_silent(workers, "W7");
}

static void test_exit(void **state)
{
	struct workers *workers = new_pool("/usr/bin/x");

	sample(workers)->end_faults = 2 * MIB_PAGES;
	says(workers, "W8", "512 minor faults: 2 MiB", 0, 0);
	sample(workers)->end_faults--;
	assert_null(advice_of(workers, "W8"));
	sample(workers)->end_faults = ABSENT;
	is_silent(workers, "W8");
}

/* Of arm64 with pages of 16 KiB: a quarter as many pages are as much memory, and a page has four times as many words. */
static struct workers *new_pool_of_large_pages(const char *file)
{
	struct workers *workers = new_pool(file);

	workers->machine.page_bytes = LARGE_PAGE;
	workers->extra_bytes = 9 * MIB;
	return workers;
}

static void test_larger_pages(void **state)
{
	struct workers *workers = new_pool_of_large_pages("/lib/libc.so.6");

	pages(workers)->unshared.few_words = LARGE_MIB_PAGES;
	pages(workers)->perhaps.few_words = LARGE_MIB_PAGES;
	says(workers, "W7", "In 2 MiB of the workers' copies only 1 to 8 of 2048 words differ", 0, 2);
	pages(workers)->perhaps.few_words--;
	is_silent(workers, "W7");
	workers = new_pool("/lib/libc.so.6");
	pages(workers)->unshared.few_words = 2 * MIB_PAGES;
	says(workers, "W7", "only 1 to 8 of 512 words differ", 0, 2);
	workers__free(workers);
	workers = new_pool_of_large_pages("/usr/bin/python3.11");
	pages(workers)->unshared.identical = pages(workers)->unshared.few_words = LARGE_MIB_PAGES;
	says(workers, "W2", "2 MiB of their copies", 0, 9);
	pages(workers)->unshared.few_words--;
	is_silent(workers, "W2");
	workers = new_pool_of_large_pages("/usr/bin/ruby3.1");
	pages(workers)->unshared.different = 3 * LARGE_MIB_PAGES;
	pages(workers)->new = 4 * LARGE_MIB_PAGES;
	says(workers, "W4", "They also have 4 MiB of new memory", 0, 3 + 4);
	pages(workers)->unshared.different = 2 * LARGE_MIB_PAGES - 1;
	is_silent(workers, "W4");
	workers = new_pool_of_large_pages("/usr/bin/x");
	sample(workers)->end_faults = 2 * LARGE_MIB_PAGES;
	says(workers, "W8", "128 minor faults: 2 MiB", 0, 0);
	sample(workers)->end_faults--;
	is_silent(workers, "W8");
}

static void test_growth(void **state)
{
	struct workers *workers = new_pool("/usr/bin/x");

	sample(workers)->ready.new_bytes = 5 * MIB;
	sample(workers)->loaded.new_bytes = 8 * MIB;
	sample(workers)->loaded.unshared_bytes = 2 * MIB;
	says(workers, "W9", "grew by 3 MiB, and their copies by 2 MiB: 60.0 % of", 0, 0);
	sample(workers)->loaded.unshared_bytes = 3 * MIB;
	says(workers, "W9", "50.0 % of", 0, 0);
	sample(workers)->ready.unshared_bytes = 4 * MIB;
	says(workers, "W9", "copies by -1 MiB: 100.0 % of", 0, 0);
	sample(workers)->ready.unshared_bytes = 0;
	sample(workers)->loaded.new_bytes = 7 * MIB - 1;
	is_silent(workers, "W9");
}

/* A load of 8 s: the pool grows from 20 MiB by so many each second, until `until`. */
static void set_course(struct workers *workers, double per_second, double from, double until)
{
	struct pool_sample *of = sample(workers);

	workers->trials->restart_ns = 2000000000;
	of->load_ns = 8000000000;
	of->ready.pss_anon_bytes = 20 * MIB;
	of->ready.swap_pss_bytes = 0;
	free(of->course);
	of->course_count = 81;
	of->course = checked_calloc(of->course_count, sizeof(*of->course));
	for (size_t i = 0; i < of->course_count; i++) {
		const double seconds = i / 10.0, grown = seconds > until ? until : seconds;

		of->course[i].ns = i * 100000000;
		of->course[i].bytes = (20 + (grown > from ? grown - from : 0) * per_second) * MIB;
	}
}

static bool is_about(double bytes, double mib)
{
	return bytes > (mib - 0.6) * MIB && bytes < (mib + 0.6) * MIB;
}

static void test_restarting(void **state)
{
	struct workers *workers = new_pool("/usr/bin/x");
	const struct advice *advice;

	assert_null(advice_of(workers, "W10")); /* nothing is known of the load's course */
	set_course(workers, 4, 0, 8); /* 16 MiB more on average; 4 more in 2 s */
	advice = advice_of(workers, "W10");
	assert_non_null(advice);
	assert_non_null(strstr(advice->evidence, "35.8 MiB on average: 20 MiB at first, 52 MiB at the end. In "
						 "the 2 s in which it grew most, it had 4 MiB more"));
	assert_true(is_about(advice->predicted_bytes.value, 12));
	assert_false(advice->predicted_bytes.bounded);
	sample(workers)->ready.extra_bytes = 3 * MIB; /* new ones may do without that */
	advice = advice_of(workers, "W10");
	assert_true(advice->predicted_bytes.bounded && is_about(advice->predicted_bytes.low, 12) &&
		    is_about(advice->predicted_bytes.high, 15));
	sample(workers)->ready.perhaps_extra_bytes = 2 * MIB;
	assert_true(is_about(advice_of(workers, "W10")->predicted_bytes.high, 17));
	sample(workers)->ready.pss_anon_bytes = 16 * MIB; /* what was copied until the load began, too */
	assert_true(is_about(advice_of(workers, "W10")->predicted_bytes.high, 21));
	sample(workers)->ready.pss_anon_bytes = 20 * MIB;
	sample(workers)->ready.extra_bytes = sample(workers)->ready.perhaps_extra_bytes = 0;
	sample(workers)->end_faults = 8 * MIB_PAGES; /* for a second of two */
	advice = advice_of(workers, "W10");
	assert_non_null(strstr(advice->evidence, "Workers that end touch up to 8 MiB (W8)"));
	assert_true(is_about(advice->predicted_bytes.low, 8) && is_about(advice->predicted_bytes.high, 12));
	workers->machine.page_bytes = LARGE_PAGE;
	sample(workers)->end_faults = 8 * LARGE_MIB_PAGES;
	advice = advice_of(workers, "W10");
	assert_non_null(strstr(advice->evidence, "Workers that end touch up to 8 MiB (W8)"));
	assert_true(is_about(advice->predicted_bytes.low, 8) && is_about(advice->predicted_bytes.high, 12));
	sample(workers)->end_faults = ABSENT;
	set_course(workers, 16, 2, 4); /* not from the beginning on: who knows what new ones do */
	advice = advice_of(workers, "W10");
	assert_non_null(advice);
	assert_true(is_about(advice->predicted_bytes.value, 4));
	assert_true(advice->predicted_bytes.bounded && !advice->predicted_bytes.low);
	assert_true(is_about(advice->predicted_bytes.high, 20));
	set_course(workers, 8, 4, 6); /* or they have as much at once */
	assert_null(advice_of(workers, "W10"));
	set_course(workers, 100, 0, 0.1); /* at once */
	assert_null(advice_of(workers, "W10"));
	set_course(workers, 0.6, 0, 8); /* 1.8 of 100 MiB */
	is_silent(workers, "W10");
}

static void tried(struct workers *workers, const char *expected)
{
	const struct advice *advice = advice_of(workers, "W1");

	if (!advice || strcmp(advice->tried, expected))
		fail_msg("\"%s\"", advice ? advice->tried : "silent");
}

/* What was measured is said, also that it was nothing, worse, or could not be done. */
static void test_tried(void **state)
{
	struct workers *workers = new_pool("/usr/bin/x");
	struct pool_trial *trial;

	workers->mergeable_bytes = 30 * MIB;
	tried(workers, "no: --no-try was given");
	trial = add_trial(workers, POOL_MERGE, 3, 60);
	trial->samples[1].loaded.pss_anon_bytes = 50 * MIB;
	trial->samples[1].cpu_ns = trial->samples[0].cpu_ns = trial->samples[2].cpu_ns = 5;
	trial->samples[0].ksmd_ns = trial->samples[1].ksmd_ns = trial->samples[2].ksmd_ns = 2;
	trial->samples[0].load_ns = trial->samples[1].load_ns = trial->samples[2].load_ns = 11;
	tried(workers, "3 runs, alternating with the pool as it is");
	assert_true(advice_of(workers, "W1")->measured_bytes.value == 40.0 * MIB);
	assert_true(advice_of(workers, "W1")->measured_cpu_ns.value == -7);
	assert_true(advice_of(workers, "W1")->measured_load_ns.value == -11);
	for (int i = 0; i < 3; i++)
		trial->samples[i].loaded.pss_anon_bytes = 98 * MIB + 1;
	tried(workers, "3 runs, alternating with the pool as it is: it saved nothing here");
	trial->samples[1].unfinished = true;
	tried(workers, "3 runs, alternating with the pool as it is; the kernel was still merging pages when the pool was "
		       "measured, so it may save more (--wait)");
	trial->samples[1].unfinished = false;
	for (int i = 0; i < 3; i++)
		trial->samples[i].loaded.pss_anon_bytes = 102 * MIB;
	tried(workers, "3 runs, alternating with the pool as it is: it made things worse");
	trial->samples[2].unfinished = true;
	tried(workers, "3 runs, alternating with the pool as it is: it made things worse; the kernel was "
		       "still merging pages when the pool was measured, so it may save more (--wait)");
	trial->failure = checked_strdup("the load failed");
	trial->sample_count = 1;
	tried(workers, "1 run, alternating with the pool as it is: it made things worse; then no more: the "
		       "load failed");
	trial->sample_count = 0;
	tried(workers, "no: the load failed");
	workers__free(workers);
}

/* Half is the edge; and what costs little needs no advice, whatever freezing saved. */
static void test_counts_at_their_edges(void **state)
{
	struct workers *workers = new_pool("/usr/bin/python3.11");

	add_trial(workers, POOL_FREEZE, 2, 80);
	workers->extra_bytes = 40 * MIB - 2;
	is_silent(workers, "W3");
	workers = new_pool("/usr/bin/python3.11");
	add_trial(workers, POOL_FREEZE, 2, 100);
	workers->extra_bytes = 2 * MIB;
	assert_non_null(advice_of(workers, "W3"));
	workers->extra_bytes--;
	is_silent(workers, "W3");
}

/* Of small pools a fiftieth is too little: it takes a megabyte. */
static void test_small_pools(void **state)
{
	struct workers *workers = new_pool("/usr/bin/x");

	sample(workers)->loaded.pss_anon_bytes = 10 * MIB;
	workers->mergeable_bytes = MIB;
	assert_non_null(advice_of(workers, "W1"));
	workers->mergeable_bytes--;
	is_silent(workers, "W1");
}

/* A mapping is a file if its name is a path. */
static void test_names_that_are_no_files(void **state)
{
	struct workers *workers = new_pool("python3.11");

	pages(workers)->unshared.identical = 9 * MIB_PAGES;
	is_silent(workers, "W2");
}

static void test_restarting_at_its_edges(void **state)
{
	struct workers *workers = new_pool("/usr/bin/x");
	struct pool_sample *of = sample(workers);
	const struct advice *advice;
	struct pool_trial *trial;

	/* Faster by three tenths than at the beginning: what new ones would do is not known. */
	set_course(workers, 20, 0, 8);
	for (size_t i = 40; i < of->course_count; i++)
		of->course[i].bytes += (i - 40) / 10.0 * 6 * MIB;
	advice = advice_of(workers, "W10");
	assert_true(advice->predicted_bytes.bounded && !advice->predicted_bytes.low);
	/* Who lives for half a second only ends all of the time, and not for longer than that. */
	set_course(workers, 4, 0, 8);
	workers->trials->restart_ns = 500000000;
	of->end_faults = 8 * MIB_PAGES;
	advice = advice_of(workers, "W10");
	assert_true(is_about(advice->predicted_bytes.value - advice->predicted_bytes.low, 8));
	of->end_faults = ABSENT;
	/* What was tried is compared by means over time. */
	trial = add_trial(workers, POOL_RESTART, 1, 100);
	trial->samples[0].course = checked_calloc(of->course_count, sizeof(*of->course));
	for (size_t i = 0; i < of->course_count; i++) {
		trial->samples[0].course[i] = of->course[i];
		trial->samples[0].course[i].bytes /= 2;
	}
	assert_true(is_about(advice_of(workers, "W10")->measured_bytes.value, 35.8 / 2));
	/* Seven moments are no course. */
	set_course(workers, 400, 0, 8);
	workers->trials->restart_ns = 100000000;
	of->course_count = 8;
	assert_non_null(advice_of(workers, "W10"));
	of->course_count = 7;
	is_silent(workers, "W10");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_of_unknown_origin), cmocka_unit_test(test_kinds_saved),
		cmocka_unit_test(test_risk_of_freezing),
		cmocka_unit_test(test_identical), cmocka_unit_test(test_collector),
		cmocka_unit_test(test_counts),	  cmocka_unit_test(test_ages),
		cmocka_unit_test(test_repeated),  cmocka_unit_test(test_allocator),
		cmocka_unit_test(test_master),
		cmocka_unit_test(test_exit),	  cmocka_unit_test(test_growth),
		cmocka_unit_test(test_larger_pages),
		cmocka_unit_test(test_tried),	  cmocka_unit_test(test_restarting),
		cmocka_unit_test(test_counts_at_their_edges),
		cmocka_unit_test(test_small_pools),
		cmocka_unit_test(test_names_that_are_no_files),
		cmocka_unit_test(test_restarting_at_its_edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
