// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each event is handled once, whatever programs the kernel skips for it, unless it skips all of those that
 * would do: every life of a thread of so many events, with every choice of skipped programs.
 */
#include "unit.h"

#include "../../bpf/understudies.h"

enum { RANKS = 3, FORERUNNERS = 2, LONGEST = 4 };

/* An exit that is `passed` is one that no program looks at; one that is `denied` has no entry. */
enum kind { ENTER, EXIT, PASSED, DENIED, EXEC };

struct life {
	struct task_value value;
	enum kind kinds[LONGEST];
	long lost, twice; /* events */
	long missed; /* by all: what the kernel's counters tell */
};

static int is_exit(enum kind kind)
{
	return kind == EXIT || kind == PASSED || kind == DENIED;
}

static enum event event_of(enum kind kind)
{
	return kind == ENTER ? EVENT_SYS_ENTER : kind == EXEC ? EVENT_EXEC : EVENT_SYS_EXIT;
}

/* `skipped`: a bit for each rank, then one for each forerunner. */
static void pass(struct life *life, enum kind kind, unsigned int skipped)
{
	unsigned int all = (1 << RANKS) - 1, both = (1 << FORERUNNERS) - 1;
	int handled = 0;

	if ((skipped & all) == all)
		life->missed++;
	if (is_exit(kind)) {
		if (skipped >> RANKS == both)
			life->missed++;
		else
			forget_handled(&life->value);
	}
	for (int rank = 0; rank < RANKS && kind != PASSED; rank++)
		if (!(skipped >> rank & 1))
			handled += takes_event(&life->value, event_of(kind), rank);
	if (kind == PASSED)
		return;
	if (!(skipped & 1))
		assert_int_equal(handled, 1);
	life->lost += !handled;
	life->twice += handled > 1;
}

/* What may follow: a call is entered, may execute something, and returns; or it is denied. */
static int may_follow(enum kind before, enum kind next)
{
	switch (next) {
	case ENTER:
	case DENIED:
		return is_exit(before);
	case EXEC:
		return before == ENTER;
	default:
		return before == ENTER || before == EXEC;
	}
}

static long lives;

static void live(struct life life, int age)
{
	assert_int_equal(life.twice, 0);
	assert_true(life.lost <= life.missed);
	lives++;
	if (age == LONGEST)
		return;
	for (enum kind kind = ENTER; kind <= EXEC; kind++) {
		unsigned int programs = RANKS + (is_exit(kind) ? FORERUNNERS : 0);

		if (age ? !may_follow(life.kinds[age - 1], kind) : kind == EXEC)
			continue;
		for (unsigned int skipped = 0; skipped < 1u << programs; skipped++) {
			struct life next = life;

			next.kinds[age] = kind;
			pass(&next, kind, skipped);
			live(next, age + 1);
		}
	}
}

static void every_event_is_handled_once(void **state)
{
	static const struct life none;

	(void)state;
	live(none, 0);
	assert_true(lives > 1000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_event_is_handled_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
