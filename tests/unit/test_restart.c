// SPDX-License-Identifier: GPL-2.0-or-later
/* What is predicted of restarted workers: by copies whose ages are known. */
#include "unit.h"

#include <math.h>

#include "analysis/workers/restart.h"
#include "base/page.h"

enum { MS = 1000000, MIB = 1 << 20, COPIES_MOST = 8192 };

static struct flow_copy copies[COPIES_MOST];
static struct flow_member members[4];

/* A master and workers born at once, all watched for so long. */
static struct workers_flow flow_of(size_t workers, uint64_t ms)
{
	struct workers_flow flow = { .page_bytes = 4096, .members = members, .member_count = workers + 1, .copies = copies,
				     .duration_ns = ms * MS, .cross_check.after_bytes = ABSENT };

	for (size_t i = 0; i <= workers; i++)
		members[i] = (struct flow_member){ .born_ns = i ? 0 : ABSENT, .ended_ns = ABSENT,
						   .shared_before = 5000, .shared_after = ABSENT };
	return flow;
}

static void copy(struct workers_flow *flow, uint32_t member, uint64_t ms)
{
	assert_true(flow->copy_count < COPIES_MOST);
	copies[flow->copy_count] = (struct flow_copy){ .member = member, .ns = ms * MS,
						       .address = flow->copy_count * page_bytes };
	flow->copy_count++;
	members[member].copies++;
}

/* So many at a steady rate. */
static void spread(struct workers_flow *flow, uint32_t member, uint64_t from, uint64_t to, size_t count)
{
	for (size_t i = 0; i < count; i++)
		copy(flow, member, from + (to - from) * i / count);
}

static void is_near(double got, double expected)
{
	if (fabs(got - expected) > 0.01 * fabs(expected) + 1)
		fail_msg("%g, not %g", got, expected);
}

static void release(struct workers_flow *flow)
{
	free(flow->restart.list);
}

/* 1024 copies in 8 s, at a steady rate: half of that on average; of new ones after 4 s a quarter. */
static void test_steady(void **state)
{
	struct workers_flow flow = flow_of(2, 8000);
	const struct flow_restart *half;

	spread(&flow, 1, 0, 8000, 1024);
	spread(&flow, 2, 0, 8000, 1024);
	restart__predict(&flow);
	assert_int_equal(flow.restart.workers, 2);
	assert_int_equal(flow.restart.known, 2);
	assert_int_equal(flow.restart.count, 4); /* 4 s, 2, 1, 0.5 */
	half = &flow.restart.list[0];
	assert_int_equal(half->period_ns, 4000ull * MS);
	is_near(flow.restart.held_bytes, 4.0 * MIB);
	is_near(flow.restart.end_bytes, 8.0 * MIB);
	is_near(half->held_bytes.value, 2.0 * MIB);
	is_near(half->saved_bytes.value, 2.0 * MIB);
	is_near(half->copies, 1024);
	is_near(flow.restart.list[1].saved_bytes.value, 3.0 * MIB);
	assert_true(restart__is_worth(&flow));
	assert_ptr_equal(restart__best(&flow), &flow.restart.list[3]); /* forks cost nothing yet */
	release(&flow);
}

static void test_costs(void **state)
{
	struct workers_flow flow = flow_of(1, 8000);
	const struct estimate fork = { true, true, 4000 * 1000, 1000 * 1000, 9000 * 1000 };
	const struct estimate copy_ns = { true, true, 1000, 500, 2000 };

	spread(&flow, 1, 0, 8000, 4096);
	restart__predict(&flow);
	restart__add_costs(&flow, fork, copy_ns);
	/* In 4 s a fork of 4 ms and 2,048 copies of 1 us. */
	is_near(flow.restart.list[0].cpu.value * 1e6, (4000 + 2048) / 4.0);
	is_near(flow.restart.list[0].cpu.low * 1e6, (1000 + 1024) / 4.0);
	is_near(flow.restart.list[0].cpu.high * 1e6, (9000 + 4096) / 4.0);
	/* In 0.5 s 4 ms and 256 us: 0.85 % of a CPU. */
	assert_ptr_equal(restart__best(&flow), &flow.restart.list[3]);
	restart__add_costs(&flow, estimate__of(8e6), copy_ns); /* more than 1 % by now */
	assert_ptr_equal(restart__best(&flow), &flow.restart.list[2]);
	release(&flow);
}

/* What is copied at once is copied by each new one at once. */
static void test_at_once(void **state)
{
	struct workers_flow flow = flow_of(1, 8000);

	spread(&flow, 1, 0, 8, 4000);
	restart__predict(&flow);
	assert_int_equal(flow.restart.count, 4);
	for (size_t i = 0; i < flow.restart.count; i++)
		assert_true(fabs(flow.restart.list[i].saved_bytes.value) < 0.01 * flow.restart.held_bytes);
	assert_false(restart__is_worth(&flow));
	assert_null(restart__best(&flow));
	release(&flow);
}

/* A load that begins late: new workers do not begin with its pause, and nothing is promised. */
static void test_late(void **state)
{
	struct workers_flow flow = flow_of(1, 8000);
	const struct flow_restart *quarter;

	spread(&flow, 1, 4000, 6000, 2000);
	restart__predict(&flow);
	quarter = &flow.restart.list[1];
	is_near(quarter->held_bytes.value, 1000.0 * page_bytes);
	/* As it was: rising for 2 of 8 s, all of it for 2 more. */
	is_near(flow.restart.held_bytes, (0.25 * 1000 + 0.25 * 2000) * page_bytes);
	assert_true(quarter->saved_bytes.low <= 0);
	is_near(quarter->saved_bytes.high, flow.restart.held_bytes);
	release(&flow);
}

/* Who differs makes the interval; what a worker has given back since is no saving. */
static void test_interval(void **state)
{
	struct workers_flow flow = flow_of(2, 8000);
	const struct flow_restart *half = NULL;

	spread(&flow, 1, 0, 8000, 1024);
	spread(&flow, 2, 0, 8000, 3072);
	restart__predict(&flow);
	half = &flow.restart.list[0];
	is_near(half->saved_bytes.value, 4.0 * MIB);
	/* 2 and 6 MiB; and for half of the time they may be as old as 4 s, or new. */
	is_near(half->saved_bytes.low, 1.0 * MIB);
	is_near(half->saved_bytes.high, 9.0 * MIB);
	release(&flow);
	members[1].shared_after = 1000;
	members[1].copied = 512; /* the other half of its copies is gone */
	restart__predict(&flow);
	is_near(flow.restart.list[0].saved_bytes.low, 0.5 * MIB);
	release(&flow);
}

/* What all copied in their first second, new ones have from their births on, whatever comes later. */
static void test_repeated(void **state)
{
	struct workers_flow flow = flow_of(2, 8000);

	for (uint32_t member = 1; member <= 2; member++)
		for (size_t page = 0; page < 256; page++) {
			copy(&flow, member, 1);
			copies[flow.copy_count - 1].address = page * page_bytes;
		}
	spread(&flow, 1, 4000, 6000, 1000);
	spread(&flow, 2, 4000, 6000, 1000);
	restart__predict(&flow);
	is_near(flow.restart.list[1].held_bytes.value, 2 * (256 + 500.0) * page_bytes);
	release(&flow);
}

/* One that ended shows what the end of each copies: for a second of two. */
static void test_ending(void **state)
{
	struct workers_flow flow = flow_of(2, 8000);

	members[2].ended_ns = 1000ull * MS;
	spread(&flow, 1, 0, 8000, 1024);
	restart__predict(&flow);
	/* 1.5 MiB; for a quarter of the time they are 2 s old, and have 0.5 more. */
	is_near(flow.restart.list[1].saved_bytes.low, 1.375 * MIB);
	release(&flow);
	members[2].last_second = 512;
	restart__predict(&flow);
	is_near(flow.restart.list[1].saved_bytes.low, 0.375 * MIB);
	release(&flow);
}

/* Those that were there before count as the others; those that ended soon do not. */
static void test_who(void **state)
{
	struct workers_flow flow = flow_of(3, 8000);

	members[2].born_ns = ABSENT;
	members[3].ended_ns = 3000ull * MS;
	spread(&flow, 1, 0, 8000, 1024);
	restart__predict(&flow);
	assert_int_equal(flow.restart.workers, 2);
	assert_int_equal(flow.restart.known, 1);
	is_near(flow.restart.list[0].saved_bytes.value, 2.0 * MIB);
	release(&flow);
	members[1].born_ns = ABSENT;
	restart__predict(&flow);
	assert_int_equal(flow.restart.count, 0);
	assert_true(flow.restart.lived_ns == ABSENT);
	assert_false(restart__is_worth(&flow));
	members[1].born_ns = 0;
	flow.lost = 1; /* copies are missing in the curve */
	restart__predict(&flow);
	assert_int_equal(flow.restart.count, 0);
}

static void test_fork_cost(void **state)
{
	struct estimate costs[COST_COUNT] = { 0 };

	assert_false(restart__fork_ns(costs, 512, 4096).known);
	costs[COST_FORK] = estimate__of(50000);
	costs[COST_FORK_PAGE] = estimate__of(10);
	costs[COST_FORK_TABLE] = estimate__of(300);
	costs[COST_FORK_UNCACHED] = estimate__of(40);
	assert_true(restart__fork_ns(costs, 1024, 4096).known);
	is_near(restart__fork_ns(costs, 1024, 4096).value, 50000 + 10240 + 600);
	is_near(restart__fork_ns(costs, 1024, 4096).high, 50000 + 40960 + 600);
	is_near(restart__fork_ns(costs, 1024, 4096).low, 50000 + 10240 + 600);
	is_near(restart__fork_ns(costs, 4096, 16384).value, 50000 + 40960 + 600);
}

/* Who is born later is as old as it is; the shortest life says for how long all were seen. */
static void test_births(void **state)
{
	struct workers_flow flow = flow_of(2, 10000);

	members[1].born_ns = 2000ull * MS;
	spread(&flow, 1, 2000, 10000, 1024);
	members[2].born_ns = 1000ull * MS;
	spread(&flow, 2, 1000, 10000, 1152);
	restart__predict(&flow);
	assert_true(flow.restart.lived_ns == 8000ull * MS);
	is_near(flow.restart.list[0].saved_bytes.value, 2.0 * MIB);
	release(&flow);
}

/* Half of the time, a quarter, ...: five periods, none shorter than half a second. */
static void test_periods(void **state)
{
	struct workers_flow flow = flow_of(1, 64000);

	spread(&flow, 1, 0, 64000, 1024);
	restart__predict(&flow);
	assert_int_equal(flow.restart.count, 5);
	assert_true(flow.restart.list[4].period_ns == 2000ull * MS);
	release(&flow);
	flow = flow_of(1, 999);
	spread(&flow, 1, 0, 999, 1024);
	restart__predict(&flow); /* too short a time to say anything */
	assert_int_equal(flow.restart.count, 0);
	assert_true(!flow.restart.held_bytes && !flow.restart.end_bytes);
	flow = flow_of(1, 8000);
	spread(&flow, 1, 0, 8000, 1024);
	flow.beyond = 1; /* more copies than were kept */
	restart__predict(&flow);
	assert_int_equal(flow.restart.count, 0);
}

/* A fiftieth of the pool's memory: 3.75 MiB are saved at most. */
static void test_worth(void **state)
{
	struct workers_flow flow = flow_of(2, 8000);

	spread(&flow, 1, 0, 8000, 1024);
	spread(&flow, 2, 0, 8000, 1024);
	restart__predict(&flow);
	flow.cross_check.after_bytes = 180ull * MIB;
	assert_true(restart__is_worth(&flow));
	assert_ptr_equal(restart__best(&flow), &flow.restart.list[3]);
	flow.cross_check.after_bytes = 190ull * MIB;
	assert_false(restart__is_worth(&flow));
	assert_null(restart__best(&flow));
	release(&flow);
}

/* Copies may come faster by a tenth than after the birth: by more, and what is saved may be nothing. */
static void test_faster_than_at_birth(void **state)
{
	for (int faster = 0; faster < 2; faster++) {
		struct workers_flow flow = flow_of(1, 8000);

		spread(&flow, 1, 0, 4000, 1000);
		spread(&flow, 1, 4000, 8000, faster ? 1300 : 1050);
		restart__predict(&flow);
		assert_int_equal(flow.restart.list[2].saved_bytes.low > 0, !faster);
		release(&flow);
	}
}

/* Of one worker alone, what it copies at a steady rate is nothing that each would copy at once. */
static void test_one_that_is_steady(void **state)
{
	struct workers_flow flow = flow_of(1, 8000);

	spread(&flow, 1, 0, 8000, 1024);
	restart__predict(&flow);
	/* 1 MiB, and for half of the time they may be new. */
	is_near(flow.restart.list[0].saved_bytes.high, 1.5 * MIB);
	release(&flow);
	flow = flow_of(1, 8000);
	spread(&flow, 1, 0, 1, 256); /* but beyond that rate it is */
	spread(&flow, 1, 4000, 6000, 1000);
	restart__predict(&flow);
	is_near(flow.restart.list[1].held_bytes.value, (256 + 500.0) * page_bytes);
	release(&flow);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steady),	 cmocka_unit_test(test_costs),
		cmocka_unit_test(test_at_once),	 cmocka_unit_test(test_late),
		cmocka_unit_test(test_interval), cmocka_unit_test(test_who),
		cmocka_unit_test(test_fork_cost), cmocka_unit_test(test_ending),
		cmocka_unit_test(test_repeated),
		cmocka_unit_test(test_births),
		cmocka_unit_test(test_periods),
		cmocka_unit_test(test_worth),
		cmocka_unit_test(test_faster_than_at_birth),
		cmocka_unit_test(test_one_that_is_steady),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
