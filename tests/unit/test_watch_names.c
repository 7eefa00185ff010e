// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of units, and when a watch counts less. */
#include "analysis/watch/watch_budget.h"
#include "source/unit_names.h"

#include <stdlib.h>

#include "unit.h"

#define HEX64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const struct {
	const char *path, *name;
} names[] = {
	{ "/", "/" },
	{ "/system.slice/ssh.service", "ssh.service" },
	{ "/system.slice", "system.slice" },
	{ "/init.scope", "init.scope" },
	{ "/system.slice/system-getty.slice/getty@tty1.service", "getty@tty1.service" },
	{ "/system.slice/docker.service/inner", "docker.service" },
	{ "/system.slice/postgresql-15.service", "postgresql-15.service" },
	{ "/system.slice/sshd@7-10.0.0.1:22-10.0.0.2:40000.service", "sshd@.service" },
	{ "/system.slice/run-u123.service", "run.service" },
	{ "/system.slice/run-p4711-i4712.service", "run.service" },
	{ "/system.slice/run-r0123456789abcdef0123456789abcdef.scope", "run.scope" },
	{ "/user.slice/user-1000.slice", "user-1000.slice" },
	{ "/user.slice/user-1000.slice/session-12.scope", "session" },
	{ "/user.slice/user-1000.slice/session-c2.scope", "session" },
	{ "/user.slice/user-1000.slice/user@1000.service", "user@1000.service" },
	{ "/user.slice/user-1000.slice/user@1000.service/init.scope", "user@1000.service/init.scope" },
	{ "/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-firefox-4711.scope",
	  "user@1000.service/app-gnome-firefox.scope" },
	{ "/system.slice/docker-" HEX64 ".scope", "docker" },
	{ "/docker/" HEX64, "docker" },
	{ "/machine.slice/libpod-" HEX64 ".scope", "libpod" },
	{ "/machine.slice/libpod-conmon-" HEX64 ".scope", "libpod-conmon" },
	{ "/machine.slice/libpod-" HEX64 ".scope/container", "libpod" },
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0a1b2c3d_1111_2222_3333_444455556666.slice/"
	  "cri-containerd-" HEX64 ".scope", "kubepods-burstable" },
	{ "/kubepods.slice/kubepods-pod0a1b2c3d_1111_2222_3333_444455556666.slice/crio-" HEX64 ".scope", "kubepods" },
	{ "/kubepods/besteffort/pod0a1b2c3d-1111-2222-3333-444455556666/" HEX64, "kubepods-besteffort" },
	{ "/system.slice/containerd.service/kubepods-burstable-pod0a.slice:cri-containerd:" HEX64, "kubepods-burstable" },
	{ "/jobs/build", "/jobs/build" },
	{ "/jobs/45988e73be5fc23cfe588158c4e4b59f", "/jobs/*" },
	{ "/jobs/0a1b2c3d-1111-2222-3333-444455556666/x", "/jobs/*/x" },
	{ "/faded-facade-decade", "/faded-facade-decade" },
	{ "//jobs//build/", "/jobs/build" },
	{ "/x.service-not", "/x.service-not" },
	{ "/.service", "/.service" },
};

static void test_names(void **state)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *name = unit_name__of(names[i].path);

		assert_string_equal(name, names[i].name);
		free(name);
	}
}

/* Two samples, a second apart: of 4 CPUs, a call costs a microsecond, a fault 2, a fork 10. */
static struct watch_budget budget_of(double share)
{
	struct watch_budget budget = { .share = share, .cpus = 4, .up_after = 600 };

	for (int level = 0; level < WATCH_LEVELS; level++)
		budget.costs[level][WATCH_COUNTED] = (struct watch_costs){ 1000, 2000, 10000, 0 };
	budget.costs[WATCH_CLASSES][WATCH_CLASSIFIED] = (struct watch_costs){ 1000, 5000, 10000, 300 };
	budget.costs[WATCH_CLASSES][WATCH_PASSED] = (struct watch_costs){ 100, 200, 1000, 0 };
	return budget;
}

static void add_at(struct watch_budget *budget, enum watch_level level, double seconds, uint64_t calls, double own)
{
	struct watch_unit old = { .calls = 5 }, new = { .calls = 5 + calls };
	struct watch_sample before = { .level = level, .units = &old, .unit_count = 1, .own_cpu_seconds = 3 };
	struct watch_sample now = { .level = level, .units = &new, .unit_count = 1, .own_cpu_seconds = 3 + own };

	watch_budget__add(budget, &before, &now, seconds);
}

static void add(struct watch_budget *budget, double seconds, uint64_t calls, double own)
{
	add_at(budget, WATCH_CLASSES, seconds, calls, own);
}

static bool is_exceeded(struct watch_budget *budget, enum watch_level level)
{
	return watch_budget__choose(budget, level) > level;
}

static void test_estimate(void **state)
{
	struct watch_budget budget = budget_of(0.01);
	struct watch_unit old = { .calls = 100, .faults = 10, .forks = 1 };
	struct watch_unit new = { .calls = 1100, .faults = 510, .forks = 101 };
	struct watch_sample before = { .units = &old, .unit_count = 1 }, now = { .units = &new, .unit_count = 1 };

	watch_budget__add(&budget, &before, &now, 1);
	assert_float_equal(now.program_seconds, 0.001 + 0.001 + 0.001, 1e-9);
	assert_float_equal(now.budget, 0.01, 0);
	watch_budget__add(&budget, &now, &before, 1); /* a unit was forgotten: nothing is given back */
	assert_float_equal(before.program_seconds, 0.003, 1e-9);
}

/* Faults cost more in units whose faults get a class, and less where nobody is watched. */
static void test_estimate_of_meetings(void **state)
{
	struct watch_budget budget = budget_of(0.01);
	struct watch_unit old[2] = { { .is_chosen = true }, { 0 } };
	struct watch_unit new[2] = { { .is_chosen = true, .faults = 100, .calls = 10 }, { .faults = 1000, .forks = 1 } };
	struct watch_sample before = { .units = old, .unit_count = 2, .passed = { 5, 6, 7 } };
	struct watch_sample now = { .units = new, .unit_count = 2, .passed = { 1005, 106, 17 } };

	watch_budget__add(&budget, &before, &now, 1);
	assert_float_equal(now.program_seconds, 0.0005 + 0.00001 + 0.002 + 0.00001 + 0.0001 + 0.00002 + 0.00001, 1e-9);
	budget.program_seconds = 0;
	before.level = now.level = WATCH_TOTALS; /* where no fault gets a class, and nothing is known of the others */
	watch_budget__add(&budget, &before, &now, 1);
	assert_float_equal(now.program_seconds, 0.0022 + 0.00001 + 0.00001, 1e-9);
}

/* A copy costs more than another fault: with a profile its call stack is read. */
static void test_estimate_of_copies(void **state)
{
	struct watch_budget budget = budget_of(0.01);
	struct watch_unit old = { .is_chosen = true }, new = { .is_chosen = true, .faults = 100 };
	struct watch_sample before = { .units = &old, .unit_count = 1 }, now = { .units = &new, .unit_count = 1 };

	new.by_birth[BIRTH_FORK][FAULT_COW_COPY] = 40;
	new.by_birth[BIRTH_FORK][FAULT_COW_REUSE] = 10;
	new.by_birth[BIRTH_FORK][FAULT_ZERO_FILL] = 50;
	watch_budget__add(&budget, &before, &now, 1);
	assert_float_equal(now.program_seconds, 0.0005 + 0.000015, 1e-9);
}

static void test_three_in_a_row(void **state)
{
	struct watch_budget budget = budget_of(0.01); /* 40 ms in each second */

	for (int i = 0; i < 2; i++) {
		add(&budget, 1, 30000, 0.011); /* together more */
		assert_false(is_exceeded(&budget, WATCH_CLASSES));
	}
	add(&budget, 1, 30000, 0.009);
	assert_false(is_exceeded(&budget, WATCH_CLASSES)); /* one that was good */
	for (int i = 0; i < 2; i++)
		add(&budget, 1, 50000, 0);
	assert_false(is_exceeded(&budget, WATCH_CLASSES));
	add(&budget, 2, 90000, 0); /* in two seconds */
	assert_true(is_exceeded(&budget, WATCH_CLASSES));
	assert_false(is_exceeded(&budget, WATCH_CLASSES)); /* patient again */
}

static void test_no_less(void **state)
{
	struct watch_budget budget = budget_of(0.01), unlimited = budget_of(0);

	for (int i = 0; i < 5; i++) {
		add(&budget, 1, 1000000, 0);
		add(&unlimited, 1, 1000000, 5);
	}
	assert_false(is_exceeded(&budget, WATCH_FORKS));
	assert_true(is_exceeded(&budget, WATCH_TOTALS));
	assert_false(is_exceeded(&unlimited, WATCH_CLASSES));
}

/* Until the level is another one: how many samples of a minute that took. */
static int minutes_until(struct watch_budget *budget, enum watch_level *level, uint64_t calls)
{
	for (int minutes = 1; minutes < 10000; minutes++) {
		enum watch_level next;

		add_at(budget, *level, 60, calls, 0);
		next = watch_budget__choose(budget, *level);
		if (next != *level) {
			*level = next;
			return minutes;
		}
	}
	return 0;
}

enum { MUCH = 60 * 50000, LITTLE = 60 * 15000 }; /* in a minute; the budget is 60 x 40 ms, half of it 60 x 20000 calls */

static void test_steps_up(void **state)
{
	struct watch_budget budget = budget_of(0.01);
	enum watch_level level = WATCH_CLASSES;

	budget.wanted = WATCH_CLASSES;
	assert_int_equal(minutes_until(&budget, &level, MUCH), 3);
	assert_int_equal(level, WATCH_TOTALS);
	assert_int_equal(minutes_until(&budget, &level, 60 * 25000), 0); /* more than half of the budget, less than all */
	assert_int_equal(minutes_until(&budget, &level, LITTLE), 10);
	assert_int_equal(level, WATCH_CLASSES);
	assert_int_equal(minutes_until(&budget, &level, LITTLE), 0); /* never above what was asked for */
	assert_int_equal(budget.steps_up, 1);
	assert_int_equal(budget.steps_down, 1);
}

/* A busy minute begins the ten minutes again. */
static void test_calm_is_in_a_row(void **state)
{
	struct watch_budget budget = budget_of(0.01);

	for (int minute = 0; minute < 40; minute++) {
		add_at(&budget, WATCH_TOTALS, 60, minute % 9 ? LITTLE : 60 * 30000, 0);
		assert_int_equal(watch_budget__choose(&budget, WATCH_TOTALS), WATCH_TOTALS);
	}
}

/* A step up that does not last makes the next one come later, up to a day. One that lasts makes up for it. */
static void test_waits_longer(void **state)
{
	struct watch_budget budget = budget_of(0.01);
	enum watch_level level = WATCH_TOTALS;
	int expected = 10;

	for (int i = 0; i < 9; i++) {
		assert_int_equal(minutes_until(&budget, &level, LITTLE), expected);
		assert_int_equal(minutes_until(&budget, &level, MUCH), 3);
		expected = expected < 720 ? 2 * expected : 1440;
	}
	assert_int_equal(minutes_until(&budget, &level, LITTLE), 1440);
	for (int minute = 0; minute < 1440; minute++)
		add_at(&budget, WATCH_CLASSES, 60, LITTLE, 0);
	assert_int_equal(minutes_until(&budget, &level, MUCH), 3);
	assert_int_equal(minutes_until(&budget, &level, LITTLE), 10);
}

/* Without a limit the level stays, and a level that was asked for is the most. */
static void test_no_step_up(void **state)
{
	struct watch_budget budget = budget_of(0.01), unlimited = budget_of(0);

	budget.wanted = unlimited.wanted = WATCH_FORKS;
	for (int i = 0; i < 100; i++) {
		add_at(&budget, WATCH_FORKS, 60, 0, 0);
		add_at(&unlimited, WATCH_FORKS, 60, 0, 0);
	}
	assert_int_equal(watch_budget__choose(&budget, WATCH_FORKS), WATCH_FORKS);
	assert_int_equal(watch_budget__choose(&unlimited, WATCH_FORKS), WATCH_FORKS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_estimate),
		cmocka_unit_test(test_estimate_of_meetings),
		cmocka_unit_test(test_estimate_of_copies),
		cmocka_unit_test(test_three_in_a_row),
		cmocka_unit_test(test_no_less),
		cmocka_unit_test(test_steps_up),
		cmocka_unit_test(test_calm_is_in_a_row),
		cmocka_unit_test(test_waits_longer),
		cmocka_unit_test(test_no_step_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
