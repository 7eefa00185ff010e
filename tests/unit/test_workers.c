// SPDX-License-Identifier: GPL-2.0-or-later
/* Pools of workers: what a saved one must hold, and the parts of reading one that need no process. */
#include "unit.h"

#include <unistd.h>

#include "base/memory.h"
#include "pool/page_scan.h"
#include "pool/pool_maps.h"
#include "pool/remapped_frames.h"
#include "run_text.h"

/* Reads the document with the first `from` replaced. Returns why it is refused; NULL: it is not. */
static char *read_with(const char *path, const char *from, const char *to, struct saved *what)
{
	const struct damage damage = { from, to, NULL };
	char *text = slurp(path), *changed = with_damage(text, text, &damage);
	char *reason = read_document(changed, strlen(changed), what);

	free(changed);
	free(text);
	return reason;
}

static char *reason_in(const char *path, const char *from, const char *to)
{
	struct saved what;
	char *reason = read_with(path, from, to, &what);

	saved__free(&what);
	return reason;
}

static char *reason_with(const char *from, const char *to)
{
	return reason_in(GOLDEN "/workers/pool.json", from, to);
}

static void refuses_in(const char *path, const char *from, const char *to, const char *expected)
{
	const struct damage damage = { from, to, expected };

	refuse_damages(path, "", &damage, 1);
}

static void refuses(const char *from, const char *to, const char *expected)
{
	refuses_in(GOLDEN "/workers/pool.json", from, to, expected);
}

static void test_laws_of_a_flow(void **state)
{
	const char *path = GOLDEN "/workers/flow.json";

	assert_null(reason_in(path, "\"beyond\":0", "\"beyond\":1"));
	refuses_in(path, "\"copies\":8,\"filled", "\"copies\":9,\"filled", "is not the number of listed copies");
	refuses_in(path, "\"copies\":4,\"filled", "\"copies\":5,\"filled", "of a writer is not the number");
	refuses_in(path, "\"last_owner\":2", "\"last_owner\":3", "do not add up from start to end");
	refuses_in(path, "\"shared_after\":640", "\"shared_after\":641", "do not add up from start to end");
	refuses_in(path, "\"given_back_bytes\":192512", "\"given_back_bytes\":172032",
		   "of the flow contradicts their counts");
	refuses_in(path, "\"copies\":[", "\"copies\":[{\"member\":0,\"writer\":0,\"page\":0,"
		   "\"ns\":99999999999},", "not in order of time");
	refuses_in(path, "{\"member\":1,", "{\"member\":7,", "member");
}

static struct flow_copy copy_of(uint32_t member, uint64_t page, uint64_t ms)
{
	return (struct flow_copy){ .member = member, .address = page * 4096, .ns = ms * 1000000 };
}

/* A master, a worker that was there before, two born since, and another one. */
static struct workers_flow flow_of(struct flow_member members[5])
{
	for (int i = 0; i < 5; i++)
		members[i] = (struct flow_member){ .born_ns = ABSENT, .ended_ns = ABSENT,
						   .shared_before = 4 };
	members[2].born_ns = 100000000;
	members[3].born_ns = 200000000;
	return (struct workers_flow){ .members = members, .member_count = 4, .events_exact = true };
}

static void test_half_life(void **state)
{
	struct flow_member members[5];
	struct workers_flow flow = flow_of(members);
	struct flow_copy copies[] = { copy_of(1, 1, 10), copy_of(1, 2, 30), copy_of(1, 3, 40),
				      copy_of(2, 1, 120), copy_of(3, 1, 210), copy_of(3, 2, 250) };

	flow.copies = copies;
	flow.copy_count = 6;
	workers_flow__find_half_lives(&flow);
	assert_int_equal(members[1].half_life_ns, 30000000);
	assert_true(members[2].half_life_ns == ABSENT);
	assert_int_equal(members[3].half_life_ns, 50000000); /* of its own life */
	members[1].shared_before = 5; /* the third of them */
	workers_flow__find_half_lives(&flow);
	assert_int_equal(members[1].half_life_ns, 40000000);
	members[1].shared_before = ABSENT;
	members[3].shared_before = 0;
	workers_flow__find_half_lives(&flow);
	assert_true(members[1].half_life_ns == ABSENT);
	assert_true(members[3].half_life_ns == ABSENT);
}

/* By every worker that was born since, within a second of its life. */
static void test_common_pages(void **state)
{
	struct flow_member members[5];
	struct workers_flow flow = flow_of(members);
	struct flow_copy copies[] = {
		copy_of(1, 1, 10),  copy_of(2, 1, 150), copy_of(2, 2, 151),  copy_of(2, 2, 152),
		copy_of(3, 1, 300), copy_of(2, 3, 400), copy_of(3, 3, 1201), copy_of(3, 4, 1200),
		copy_of(2, 4, 1100),
	};
	size_t count, *common;

	flow.copies = copies;
	flow.copy_count = sizeof(copies) / sizeof(copies[0]);
	common = workers_flow__common(&flow, &count);
	assert_int_equal(count, 2);
	assert_int_equal(copies[common[0]].address, 4096);
	assert_int_equal(copies[common[1]].address, 4 * 4096);
	free(common);
	flow.member_count = 5;
	members[4].born_ns = 900000000; /* has copied nothing */
	assert_null(workers_flow__common(&flow, &count));
	members[4].executed = true; /* nor is it a worker */
	free(workers_flow__common(&flow, &count));
	assert_int_equal(count, 2);
	members[3].executed = true;
	assert_null(workers_flow__common(&flow, &count));
	members[3].executed = false;
	flow.member_count = 3; /* one alone has nothing in common */
	flow.copy_count = 4;
	assert_null(workers_flow__common(&flow, &count));
	assert_int_equal(count, 0);
}

static void test_who_is_a_worker(void **state)
{
	struct flow_member members[5];
	struct workers_flow flow = flow_of(members);

	assert_int_equal(workers_flow__workers(&flow), 3);
	assert_false(workers_flow__is_worker(&flow, 0));
	members[2].executed = true;
	assert_false(workers_flow__is_worker(&flow, 2));
	assert_int_equal(workers_flow__workers(&flow), 2);
	flow.orphans = true;
	assert_true(workers_flow__is_worker(&flow, 0));
	assert_int_equal(workers_flow__workers(&flow), 3);
}

/* With and without a master. */
static void test_pids_of_members(void **state)
{
	struct worker list[] = { { .pid = 7 }, { .pid = 8 } };
	struct workers workers = { .has_master = true, .master.pid = 5, .workers = list, .worker_count = 2 };

	assert_int_equal(workers__member_count(&workers), 3);
	assert_int_equal(workers__member_pid(&workers, 0), 5);
	assert_int_equal(workers__member_pid(&workers, 2), 8);
	workers.has_master = false;
	assert_int_equal(workers__member_count(&workers), 2);
	assert_int_equal(workers__member_pid(&workers, 0), 7);
	assert_int_equal(workers__member_pid(&workers, 1), 8);
	workers.witness = WITNESS_FRAMES;
	workers.cross_check.matches = true;
	assert_false(workers__is_exact(&workers));
	workers.has_master = true;
	assert_true(workers__is_exact(&workers));
}

static void test_laws_of_unknown_origin(void **state)
{
	const char *path = GOLDEN "/workers/copied.json";

	refuses_in(path, "\"unknown_origin\":{\"identical\":512,", "\"unknown_origin\":{\"identical\":511,",
		   "of unknown origin of process");
	refuses_in(path, "\"unknown_origin_mergeable_bytes\":6", "\"unknown_origin_mergeable_bytes\":96",
		   "possibly mergeable bytes exceed");
	assert_null(reason_in(path, "\"at_least\":false", "\"at_least\":true"));
}

static void test_cross_check_of_a_flow(void **state)
{
	struct flow_member members[5];
	struct workers_flow flow = flow_of(members);
	bool known;

	flow.cross_check = (struct flow_cross_check){ 100000, 115000, 12288, 8192, 4096, false };
	assert_int_equal(workers_flow__gap(&flow, &known), 1384);
	assert_true(known && workers_flow__cross_check_matches(&flow));
	flow.cross_check.after_bytes -= 4096;
	assert_false(workers_flow__cross_check_matches(&flow));
	flow.cross_check.after_bytes += 4096 + 5500;
	assert_false(workers_flow__cross_check_matches(&flow));
	flow.cross_check.after_bytes = ABSENT;
	assert_false(workers_flow__cross_check_matches(&flow));
	assert_true(workers_flow__is_exact(&flow));
	flow.lost = 1;
	assert_false(workers_flow__is_exact(&flow));
	flow.lost = 0;
	flow.unattributed = 1;
	assert_false(workers_flow__is_exact(&flow));
	flow.unattributed = 0;
	flow.stacks_lost = 1;
	assert_false(workers_flow__is_exact(&flow));
}

static void test_laws(void **state)
{
	assert_null(reason_with("\"born\":0", "\"born\":1"));
	refuses("\"inherited_pages\":", "\"inherited_pages\":1", "is not the sum of what is shared");
	refuses("\"private_pages\":60,", "\"private_pages\":61,", "are not the sum of their parts");
	refuses("\"assumed_pages\":", "\"assumed_pages\":1", "not the sum of proven and assumed");
	refuses("\"remapped_pages\":16,", "\"remapped_pages\":99999,", "more moved or merged pages");
	refuses("\"count_words\":", "\"count_words\":99999", "more hints than changed words");
	refuses("\"dropped_pages\":", "\"dropped_pages\":1", "are not the sum of its mappings");
	refuses("\"mergeable_bytes\":", "\"mergeable_bytes\":9", "\"mergeable_bytes\" exceeds");
	refuses("\"matches\":true", "\"matches\":false", "of \"cross_check\" contradicts");
	refuses("\"counted_bytes\":", "\"counted_bytes\":1", "not the sum of the counts");
	refuses("\"mapping\":", "\"mapping\":9", "mapping");
	refuses_in(GOLDEN "/workers/reading.json", "\"repeated_pages\":", "\"repeated_pages\":9", "more repeated pages than new");
	refuses_in(GOLDEN "/workers/reading.json", "\"plain_object_pages\":", "\"plain_object_pages\":9", "more pages with objects");
}

static void test_sums(void **state)
{
	struct worker_pages sum = { 0 };
	const struct worker_pages one = { .shared = 7, .merged = 2, .unshared = { 1, 2, 3, 4, 5 },
					  .huge = 3 };

	worker_pages__add(&sum, &one);
	worker_pages__add(&sum, &one);
	assert_int_equal(worker_pages__unshared(&sum), 30);
	assert_int_equal(worker_pages__inherited(&sum), 40);
	assert_int_equal(sum.huge, 6);
}

/* What exists once, and what a worker costs, make up all. */
static void test_cost(void **state)
{
	struct worker two[] = {
		{ .rss_file_bytes = 50, .rss_shmem_bytes = 7, .pages = {
			.own = 100, .unshared = { 10, 20, 30 }, .unknown_origin = 20, .perhaps = { 8, 12 }, .new = 15,
			.file_private = 5, .repeated = 12, .unknown = 4 } },
		{ .rss_file_bytes = 60, .rss_shmem_bytes = 6, .pages = { .own = 100, .unshared = { 100 } } },
	};
	struct workers workers = { .workers = two, .worker_count = 2, .machine = { .page_bytes = 1000 } };
	struct workers_cost cost;

	workers.cross_check = (struct workers_cross_check){ .pss_anon_bytes = 500000, .pss_file_bytes = 40, .pss_shmem_bytes = 9 };
	cost = workers__cost(&workers);
	assert_int_equal(cost.same, (10 + 8 + 100) * 500);
	assert_int_equal(cost.changed, (20 + 30 + 12) * 500);
	assert_int_equal(cost.repeated, 12 * 500);
	assert_int_equal(cost.new, 8 * 500);
	assert_int_equal(cost.unknown, 4 * 500);
	assert_int_equal(workers_cost__each(&cost), 100000);
	assert_int_equal(workers_cost__once(&cost), 500000 - 200000 + 40 + 9);
	assert_false(cost.is_estimate);
	workers.cross_check = (struct workers_cross_check){ ABSENT, 150000, ABSENT, ABSENT, .readings = 1 };
	two[0].pages.perhaps.identical = two[0].pages.repeated = ABSENT; /* of an older file */
	cost = workers__cost(&workers);
	assert_int_equal(cost.anon, 0); /* never less */
	assert_int_equal(cost.shmem, 7);
	assert_int_equal(cost.files, 60);
	assert_true(cost.is_estimate);
	assert_int_equal(cost.same, 110 * 500);
	assert_int_equal(cost.new, 20 * 500);
	assert_int_equal(workers_cost__each(&cost), 100000);
}

/* Frames are shared only if two members have them, whether each is alone at its address or not. */
static void test_remapped_frames(void **state)
{
	struct remapped_frames remapped = { 0 };

	remapped_frames__add(&remapped, 30, 0);
	remapped_frames__add(&remapped, 10, 1);
	remapped_frames__add(&remapped, 30, 2);
	remapped_frames__add(&remapped, 20, 1);
	remapped_frames__add(&remapped, 20, 1); /* twice in one process */
	remapped_frames__sort(&remapped);
	assert_int_equal(remapped.count, 3);
	assert_true(remapped_frames__is_shared(&remapped, 30));
	assert_false(remapped_frames__is_shared(&remapped, 20));
	remapped_frames__see(&remapped, 10, 1);
	assert_false(remapped_frames__is_shared(&remapped, 10));
	remapped_frames__see(&remapped, 10, 4);
	remapped_frames__see(&remapped, 11, 4);
	assert_true(remapped_frames__is_shared(&remapped, 10));
	assert_false(remapped_frames__is_shared(&remapped, 11));
	remapped_frames__release(&remapped);
	assert_false(remapped_frames__is_shared(&remapped, 10));
}

static void test_windows(void **state)
{
	struct window_runs runs = { 0 };

	window_runs__add(&runs, 3, 3);
	window_runs__add(&runs, 3, 5); /* of the next mapping, in the same window */
	window_runs__add(&runs, 6, 6);
	window_runs__add(&runs, 4, 4);
	window_runs__add(&runs, 9, 9);
	assert_int_equal(runs.count, 2);
	assert_int_equal(runs.list[0].first, 3);
	assert_int_equal(runs.list[0].last, 6);
	assert_int_equal(runs.list[1].first, 9);
	free(runs.list);
}

static void test_backing(void **state)
{
	const struct pool_vma anonymous = { .start = 0x10000 }, grown = { .start = 0x8000 };
	const struct pool_vma file = { .start = 0x10000, .offset = 0x2000, .inode = 7, .device = 1 };
	struct pool_vma other = { .start = 0x11000, .offset = 0x3000, .inode = 7, .device = 1 };

	assert_true(pool_vma__has_backing_of(&anonymous, &grown));
	assert_false(pool_vma__has_backing_of(&anonymous, &file));
	assert_true(pool_vma__has_backing_of(&file, &other));
	other.offset = 0;
	assert_false(pool_vma__has_backing_of(&file, &other));
	other = file;
	other.device = 2;
	assert_false(pool_vma__has_backing_of(&file, &other));
}

/* Our own mappings: no kernel's, no shared ones. */
static void test_own_maps(void **state)
{
	struct texts names = { 0 };
	struct pool_maps maps = { 0 };
	bool has_stack = false;

	assert_true(pool_maps__read(&maps, getpid(), &names));
	for (size_t i = 0; i < maps.count; i++) {
		const char *name = names.list[maps.list[i].name];

		assert_true(maps.list[i].start < maps.list[i].end);
		assert_true(!i || maps.list[i - 1].end <= maps.list[i].start);
		assert_false(!strncmp(name, "[v", 2));
		has_stack |= !strcmp(name, "[stack]");
	}
	assert_true(has_stack);
	assert_false(pool_maps__read(&maps, INT32_MAX, &names));
	free(maps.list);
	texts__release(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_laws),	cmocka_unit_test(test_sums), cmocka_unit_test(test_cost),
		cmocka_unit_test(test_laws_of_a_flow), cmocka_unit_test(test_half_life),
		cmocka_unit_test(test_who_is_a_worker), cmocka_unit_test(test_pids_of_members),
		cmocka_unit_test(test_laws_of_unknown_origin),
		cmocka_unit_test(test_common_pages), cmocka_unit_test(test_cross_check_of_a_flow),
		cmocka_unit_test(test_remapped_frames), cmocka_unit_test(test_windows),
		cmocka_unit_test(test_backing),
		cmocka_unit_test(test_own_maps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
