// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parts of a thread add up to what the kernel has counted, whenever a hypervisor takes its CPU away: the clock goes
 * on then, and the kernel's sum does not.
 */
#include "unit.h"

#include "../../bpf/tree_accounts.h"

enum { US = 1000, MS = 1000 * US };

struct life {
	struct tree_accounts accounts, child;
	uint64_t now, sum; /* the clock, and the kernel's sum */
};

static struct life begin(void)
{
	struct life life = { .now = 1000 * MS };

	life.accounts.part = TREE_WORK;
	life.accounts.on_ns = life.accounts.part_ns = life.now;
	return life;
}

static void run(struct life *life, uint64_t ns, uint64_t stolen)
{
	life->now += ns + stolen;
	life->sum += ns;
}

static void leave(struct life *life)
{
	account(&life->accounts, life->now);
	correct_slice(&life->accounts, life->sum);
	life->accounts.on_ns = 0;
}

static void enter(struct life *life)
{
	life->now += MS; /* another one has run */
	life->accounts.on_ns = life->now;
}

static void end(struct life *life)
{
	change_part(&life->accounts, TREE_END, life->now);
	leave(life);
	close_accounts(&life->accounts, life->sum);
}

static uint64_t parts_of(const struct tree_accounts *of)
{
	uint64_t sum = 0;

	for (int part = 0; part < TREE_COUNT; part++) {
		assert_true(of->slice[part] <= of->cpu[part]);
		assert_true(of->cpu[part] < 1000000ull * MS); /* not below 0 */
		sum += of->cpu[part];
	}
	return sum;
}

static void assert_agrees(const struct life *life, uint64_t ns)
{
	const int64_t more = parts_of(&life->accounts) + parts_of(&life->child) - life->sum;

	if (more < -(int64_t)ns || more > (int64_t)ns)
		fail_msg("the parts have %lld ns more than the kernel, which has %llu", (long long)more,
			 (unsigned long long)life->sum);
}

static void test_nothing_is_taken_away(void **state)
{
	struct life life = begin();

	(void)state;
	run(&life, 300 * US, 0);
	change_part(&life.accounts, TREE_WAIT, life.now);
	run(&life, 200 * US, 0);
	end(&life);
	assert_agrees(&life, 0);
	assert_int_equal(life.accounts.cpu[TREE_WORK], 300 * US);
	assert_int_equal(life.accounts.cpu[TREE_WAIT], 200 * US);
}

/* A thread loses its CPU in a call that creates another one, and ends soon afterwards. */
static void test_taken_away_in_a_call(void **state)
{
	struct life life = begin();

	(void)state;
	change_part(&life.accounts, TREE_CREATE, life.now);
	run(&life, 900 * US, 3 * MS);
	account(&life.accounts, life.now);
	move_cpu(&life.accounts, TREE_CREATE, TREE_WORK, life.accounts.cpu[TREE_CREATE]);
	life.accounts.part = TREE_WORK;
	run(&life, 100 * US, 0);
	end(&life);
	assert_agrees(&life, 5 * US);
	assert_int_equal(life.accounts.cpu[TREE_CREATE], 0);
}

/* The call's time has gone to the child: its parent has less later, in this slice and in others, down to nothing. */
static void test_taken_away_in_a_fork(void **state)
{
	(void)state;
	for (int rest = 0; rest < 2; rest++) {
		struct life life = begin();

		run(&life, 4 * MS, 0);
		leave(&life);
		enter(&life);
		change_part(&life.accounts, TREE_CREATE, life.now);
		run(&life, 100 * US, 3 * MS);
		account(&life.accounts, life.now);
		give_cpu(&life.accounts, &life.child, TREE_CREATE, life.accounts.cpu[TREE_CREATE]);
		run(&life, 50 * US, 0);
		leave(&life);
		enter(&life);
		run(&life, rest ? 5 * MS : 20 * US, 0);
		end(&life);
		assert_agrees(&life, 20 * US);
		assert_int_equal(life.child.cpu[TREE_CREATE], 3 * MS + 100 * US);
	}
}

/* Only what is not there cannot be taken. */
static void test_everything_was_given(void **state)
{
	struct life life = begin();

	(void)state;
	life.accounts.part = TREE_CREATE;
	run(&life, 100 * US, 3 * MS);
	account(&life.accounts, life.now);
	give_cpu(&life.accounts, &life.child, TREE_CREATE, life.accounts.cpu[TREE_CREATE]);
	run(&life, 10 * US, 0);
	end(&life);
	assert_true(parts_of(&life.accounts) < US);
	assert_agrees(&life, 3 * MS);
}

/* The kernel says since when it runs: each part has what it took. */
static void test_put_on_its_cpu_unseen(void **state)
{
	struct life life = begin();
	uint64_t then;

	(void)state;
	run(&life, 500 * US, 0);
	leave(&life);
	life.now += MS;
	then = life.now;
	run(&life, 200 * US, 0);
	keep_running(&life.accounts, then);
	change_part(&life.accounts, TREE_LDSO, life.now);
	run(&life, 70 * US, 0);
	keep_running(&life.accounts, then); /* it is known now */
	end(&life);
	assert_agrees(&life, 0);
	assert_int_equal(life.accounts.cpu[TREE_WORK], 700 * US);
	assert_int_equal(life.accounts.cpu[TREE_LDSO], 70 * US);
	assert_int_equal(life.accounts.cpu[TREE_END], 0);
}

static void test_not_seen_to_run(void **state)
{
	struct life life = begin();

	(void)state;
	run(&life, 500 * US, 0);
	leave(&life);
	life.sum += 70 * US;
	end(&life);
	assert_agrees(&life, 0);
	assert_int_equal(life.accounts.cpu[TREE_WORK], 500 * US);
	assert_int_equal(life.accounts.cpu[TREE_END], 70 * US);
}

static uint64_t draw(uint64_t below)
{
	static uint64_t seed = 1;

	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (seed >> 33) % below;
}

static void one_event(struct life *life)
{
	struct tree_accounts *of = &life->accounts;

	run(life, draw(200) * US, draw(10) ? 0 : draw(2000) * US);
	switch (draw(4)) {
	case 0:
		change_part(of, draw(TREE_REAP), life->now);
		break;
	case 1:
		account(of, life->now);
		move_cpu(of, of->part, TREE_WORK, draw(of->cpu[of->part] + 1));
		break;
	case 2:
		leave(life);
		enter(life);
		break;
	default:
		account(of, life->now);
		give_cpu(of, &life->child, of->part, draw(of->slice[of->part] / 4 + 1));
	}
}

/* Most of what such lives use is their own, so that there is something to take from. */
static void test_any_life(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct life life = begin();

		run(&life, 40 * MS, 0);
		for (uint64_t events = 1 + draw(40); events; events--)
			one_event(&life);
		end(&life);
		assert_agrees(&life, life.sum / 100);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_is_taken_away), cmocka_unit_test(test_taken_away_in_a_call),
		cmocka_unit_test(test_taken_away_in_a_fork),  cmocka_unit_test(test_everything_was_given),
		cmocka_unit_test(test_put_on_its_cpu_unseen), cmocka_unit_test(test_not_seen_to_run),
		cmocka_unit_test(test_any_life),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
