// SPDX-License-Identifier: GPL-2.0-or-later
/* Sums by unit: who has a name of its own where there are more units than names, and that nothing is lost by it. */
#include "source/unit_table.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/watch/watch.h"
#include "unit.h"

enum { CGROUPS_MOST = 1000 };

/* Cgroups 1, 2, ...: /a1.service, /a2.service, ...; what the kernel half has counted of each, and how many run there. */
struct machine {
	struct unit_table table;
	struct unit_count units[CGROUPS_MOST + 1];
	struct unit_kind kinds[CGROUPS_MOST + 1];
	bool is_removed[CGROUPS_MOST + 1];
	size_t count;
	char path[32];
	double now;
};

static const char *find_path(void *context, uint64_t cgroup)
{
	struct machine *machine = context;

	if (machine->is_removed[cgroup])
		return NULL;
	snprintf(machine->path, sizeof(machine->path), "/a%u.service", (unsigned int)cgroup);
	return machine->path;
}

static char *find_old_path(void *context, uint64_t cgroup)
{
	return NULL;
}

static bool take_unit(void *context, uint64_t cgroup, struct unit_value *value)
{
	struct machine *machine = context;

	*value = machine->units[cgroup].value;
	machine->units[cgroup] = (struct unit_count){ 0 };
	return true;
}

static bool take_kind(void *context, const struct unit_child_key *key, uint64_t *children)
{
	struct machine *machine = context;

	*children = machine->kinds[key->unit].children;
	machine->kinds[key->unit] = (struct unit_kind){ 0 };
	return true;
}

/* Each fork is of a shell, and its child ends. */
static void fork_in(struct machine *machine, uint64_t cgroup, uint64_t forks, uint64_t running)
{
	struct unit_kind *kind = &machine->kinds[cgroup];

	machine->count = cgroup > machine->count ? cgroup : machine->count;
	machine->units[cgroup].cgroup = kind->key.unit = cgroup;
	machine->units[cgroup].value.forks += forks;
	machine->units[cgroup].value.processes = running;
	machine->units[cgroup].value.look = 1;
	memcpy(kind->key.parent, "sh", 3);
	kind->key.birth = BIRTH_FORK;
	kind->children += forks;
}

/* What the maps of the kernel half hold, in a reading; the last sample of the table. */
static struct watch_sample *look(struct machine *machine)
{
	struct watch_sample *sample = checked_calloc(1, sizeof(*sample));
	struct unit_reading reading = { .look = 1 };
	struct unit_counter counter = {
		.reading = &reading,
		.time = ++machine->now,
		.now = machine->now,
		.may_forget = true,
		.path = find_path,
		.old_path = find_old_path,
		.take_unit = take_unit,
		.take_kind = take_kind,
		.context = machine,
	};

	reading.units = checked_calloc(machine->count + 1, sizeof(*reading.units));
	reading.kinds = checked_calloc(machine->count + 1, sizeof(*reading.kinds));
	for (size_t id = 1; id <= machine->count; id++) {
		if (machine->units[id].cgroup)
			reading.units[reading.unit_count++] = machine->units[id];
		if (machine->kinds[id].children)
			reading.kinds[reading.kind_count++] = machine->kinds[id];
	}
	unit_table__take_in(&machine->table, &counter);
	unit_reading__release(&reading);
	unit_table__copy(&machine->table, sample);
	return sample;
}

static const struct watch_unit *find(const struct watch_sample *sample, const char *name)
{
	for (size_t i = 0; i < sample->unit_count; i++)
		if (!strcmp(sample->units[i].name, name))
			return &sample->units[i];
	return NULL;
}

static uint64_t children_of(const struct watch_unit *unit)
{
	uint64_t children = 0;

	for (size_t i = 0; i < unit->group_count; i++)
		children += unit->groups[i].children;
	return children;
}

/* Looks, and checks what has to be true always. `listed`: forks of units that are listed. */
static struct watch_sample *checked_look(struct machine *machine, uint64_t listed, uint64_t forks)
{
	struct watch_sample *sample = look(machine);
	uint64_t sum = 0;

	assert_true(sample->unit_count <= UNIT_NAMES_MOST + 1);
	for (size_t i = 0; i < sample->unit_count; i++) {
		assert_int_equal(children_of(&sample->units[i]), sample->units[i].forks);
		sum += sample->units[i].forks;
	}
	assert_int_equal(sum, listed);
	assert_int_equal(sample->host.forks, forks);
	return sample;
}

static struct machine *new_machine(void)
{
	return checked_calloc(1, sizeof(struct machine));
}

static void release(struct machine *machine, struct watch_sample *sample)
{
	watch_sample__free(sample);
	unit_table__release(&machine->table);
	free(machine);
}

/* Jobs that have ended have all names. A service that starts then takes the one of the job that ended first. */
static void test_running_before_idle(void **state)
{
	struct machine *machine = new_machine();
	struct watch_sample *sample;

	fork_in(machine, 1, 3, 0);
	watch_sample__free(checked_look(machine, 3, 3));
	for (size_t id = 2; id <= UNIT_NAMES_MOST; id++)
		fork_in(machine, id, 3, 0);
	watch_sample__free(checked_look(machine, 600, 600));
	fork_in(machine, 300, 5, 1);
	sample = checked_look(machine, 605, 605);
	assert_int_equal(find(sample, "a300.service")->forks, 5);
	assert_int_equal(find(sample, "other")->forks, 3);
	assert_null(find(sample, "a1.service"));
	assert_non_null(find(sample, "a2.service"));
	assert_int_equal(sample->units_merged, 1);
	release(machine, sample);
}

/* One that has ended before anybody looked takes no name from another: else names would change with each look. */
static void test_idle_take_no_names(void **state)
{
	struct machine *machine = new_machine();
	struct watch_sample *sample;

	for (size_t id = 1; id <= UNIT_NAMES_MOST; id++)
		fork_in(machine, id, 1, 0);
	watch_sample__free(checked_look(machine, 200, 200));
	for (size_t id = 201; id <= 500; id++)
		fork_in(machine, id, 1, 0);
	sample = checked_look(machine, 500, 500);
	assert_non_null(find(sample, "a1.service"));
	assert_int_equal(find(sample, "other")->forks, 300);
	assert_int_equal(sample->units_merged, 300);
	release(machine, sample);
}

/* Where all run, one more is in "other", until another one has no process. What it has counted there stays there. */
static void test_moves_out_of_other(void **state)
{
	struct machine *machine = new_machine();
	struct watch_sample *sample;

	for (size_t id = 1; id <= UNIT_NAMES_MOST + 1; id++)
		fork_in(machine, id, 2, 1);
	sample = checked_look(machine, 402, 402);
	assert_int_equal(find(sample, "other")->forks, 2);
	assert_int_equal(find(sample, "other")->processes, 1);
	watch_sample__free(sample);
	for (size_t id = 1; id <= UNIT_NAMES_MOST + 1; id++)
		fork_in(machine, id, 1, id != 7);
	sample = checked_look(machine, 603, 603);
	assert_null(find(sample, "a7.service"));
	assert_int_equal(find(sample, "other")->forks, 3 + 3);
	assert_int_equal(find(sample, "other")->processes, 0);
	watch_sample__free(sample);
	for (size_t id = 1; id <= UNIT_NAMES_MOST + 1; id++)
		fork_in(machine, id, 1, id != 7);
	sample = checked_look(machine, 804, 804);
	for (size_t id = 1; id <= UNIT_NAMES_MOST + 1; id++) {
		char name[32];

		snprintf(name, sizeof(name), "a%zu.service", id);
		if (id == 7)
			assert_null(find(sample, name));
		else if (find(sample, name)->forks != 4)
			assert_int_equal(find(sample, name)->forks, 1); /* the one that came out of "other" */
	}
	release(machine, sample);
}

/* A unit that is gone leaves after an hour; the sums of the host keep what it has counted. */
static void test_host_keeps_all(void **state)
{
	struct machine *machine = new_machine();
	struct watch_sample *sample;

	fork_in(machine, 1, 4, 1);
	fork_in(machine, 2, 5, 1);
	watch_sample__free(checked_look(machine, 9, 9));
	machine->is_removed[2] = true;
	for (int i = 0; i < 3; i++)
		watch_sample__free(checked_look(machine, 9, 9));
	machine->now += UNIT_KEEP_SECONDS;
	sample = checked_look(machine, 4, 9);
	assert_null(find(sample, "a2.service"));
	release(machine, sample);
}

static void assert_said(const uint64_t *lost, uint64_t *said, const char *expected)
{
	char *text = unit_losses__say(lost, said);

	if (expected)
		assert_non_null(strstr(text ? text : "", expected));
	else
		assert_null(text);
	free(text);
}

/* Each kind once, and again when it has doubled. */
static void test_losses_are_said(void **state)
{
	uint64_t lost[UNIT_LOSSES] = { 0 }, said[UNIT_LOSSES] = { 0 };

	assert_said(lost, said, NULL);
	lost[LOST_MISSES] = 1;
	lost[LOST_UPDATES] = 5;
	assert_int_equal(unit_losses__sum(lost), 6);
	assert_said(lost, said, "5 updates were refused");
	assert_said(lost, said, "1 event at most was not counted");
	assert_said(lost, said, NULL);
	lost[LOST_UPDATES] = 9;
	assert_said(lost, said, NULL);
	lost[LOST_UPDATES] = 10;
	lost[LOST_THREADS] = 1;
	lost[LOST_CALLS] = 2;
	assert_said(lost, said, "1 thread is not counted");
	assert_said(lost, said, "10 updates were refused");
	assert_said(lost, said, "2 calls were not counted");
	assert_said(lost, said, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_running_before_idle),
		cmocka_unit_test(test_idle_take_no_names),
		cmocka_unit_test(test_moves_out_of_other),
		cmocka_unit_test(test_host_keeps_all),
		cmocka_unit_test(test_losses_are_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
