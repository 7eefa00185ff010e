// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads that race for descriptors, in a model of the kernel's table: what is said of a descriptor is
 * what it really led to, or nothing.
 */
#include "unit.h"

#include "source/calls/descriptors.h"
#include "source/calls/path_table.h"

enum { THREADS = 5, NUMBERS = 8, FREE = 0, STEPS = 200000 };

enum kind { OPEN, CLOSE, DUP_TO, READ, KINDS };

struct thread {
	enum { IDLE, ENTERED, TAKEN, DONE } state;
	enum kind kind;
	int number, to;
	bool worked;
	uint32_t object; /* that the call opens, or that it really used */
	uint64_t entered;
};

struct kernel {
	uint32_t objects[NUMBERS]; /* FREE */
	bool taken[NUMBERS]; /* by an open that has not installed its file yet */
	uint32_t next;
	/* The program knows which numbers are open, and which of them are in use. */
	bool is_careless; /* it closes these, too */
	bool owned[NUMBERS];
	int users[NUMBERS];
	struct thread threads[THREADS];
	struct descriptor_budget budget;
	struct descriptors *table;
	uint64_t clock, known, unknown;
};

static bool may_close(const struct kernel *kernel, int number)
{
	return kernel->owned[number] && (kernel->is_careless || !kernel->users[number]);
}

static bool may_begin(const struct kernel *kernel, const struct thread *thread)
{
	if (thread->kind == CLOSE)
		return may_close(kernel, thread->number);
	if (thread->kind == DUP_TO)
		return kernel->owned[thread->number] && may_close(kernel, thread->to) &&
		       thread->to != thread->number;
	return thread->kind == OPEN || kernel->owned[thread->number];
}

/* The lowest number that is free, reserved first. */
static void take(struct kernel *kernel, struct thread *thread)
{
	thread->state = DONE;
	for (int i = 0; i < NUMBERS; i++) {
		if (kernel->objects[i] != FREE || kernel->taken[i])
			continue;
		kernel->taken[i] = true;
		thread->number = i;
		thread->state = TAKEN;
		return;
	}
}

static void act(struct kernel *kernel, struct thread *thread)
{
	uint32_t *object = &kernel->objects[thread->number];

	if (thread->kind == OPEN && thread->state == ENTERED) {
		take(kernel, thread);
		return;
	}
	thread->state = DONE;
	thread->worked = thread->kind == OPEN || *object != FREE;
	if (thread->kind == OPEN) {
		*object = thread->object = kernel->next++;
		kernel->taken[thread->number] = false;
	}
	if (!thread->worked)
		return;
	thread->object = *object;
	if (thread->kind == CLOSE)
		*object = FREE;
	if (thread->kind == DUP_TO && kernel->taken[thread->to])
		thread->worked = false; /* EBUSY */
	else if (thread->kind == DUP_TO)
		kernel->objects[thread->to] = *object;
}

static void enter(struct kernel *kernel, struct thread *thread)
{
	thread->kind = rand() % KINDS;
	thread->number = rand() % NUMBERS;
	thread->to = rand() % NUMBERS;
	thread->entered = kernel->clock;
	thread->worked = false;
	if (!may_begin(kernel, thread))
		return;
	thread->state = ENTERED;
	if (thread->kind == OPEN)
		return;
	kernel->users[thread->number]++;
	if (thread->kind == CLOSE)
		kernel->owned[thread->number] = false;
	if (thread->kind == DUP_TO)
		kernel->owned[thread->to] = false;
	/* The kernel looks for the file first, and may then sleep for long. */
	if (thread->kind == READ || (thread->kind == DUP_TO && kernel->is_careless))
		act(kernel, thread);
}

static uint32_t object_of(struct kernel *kernel, const struct thread *thread, struct span call)
{
	uint32_t object = descriptors__get(kernel->table, thread->number, call, true);

	if (object != OBJECT_UNKNOWN)
		assert_int_equal(object, thread->object);
	kernel->known += object != OBJECT_UNKNOWN;
	kernel->unknown += object == OBJECT_UNKNOWN;
	return object;
}

static void leave(struct kernel *kernel, struct thread *thread)
{
	const struct span call = { thread->entered, kernel->clock };
	struct opened opened = { .object = thread->object };

	thread->state = IDLE;
	if (thread->kind != OPEN)
		kernel->users[thread->number]--;
	if (!thread->worked)
		return;
	switch (thread->kind) {
	case OPEN:
		descriptors__open(kernel->table, thread->number, opened, call);
		kernel->owned[thread->number] = true;
		break;
	case CLOSE:
		descriptors__close(kernel->table, thread->number, call);
		break;
	case DUP_TO:
		opened.object = object_of(kernel, thread, call);
		descriptors__open(kernel->table, thread->to, opened, call);
		kernel->owned[thread->to] = true;
		break;
	default:
		object_of(kernel, thread, call);
		break;
	}
}

static void step(struct kernel *kernel)
{
	struct thread *thread = &kernel->threads[rand() % THREADS];

	kernel->clock++;
	if (thread->state == IDLE)
		enter(kernel, thread);
	else if (thread->state == DONE)
		leave(kernel, thread);
	else
		act(kernel, thread);
}

static void race(struct kernel *kernel, bool is_careless)
{
	*kernel = (struct kernel){ .next = OBJECTS_FIRST, .is_careless = is_careless, .clock = 1 };
	kernel->table = descriptors__new(&kernel->budget);
	srand(4711);
	for (int i = 0; i < STEPS; i++)
		step(kernel);
	descriptors__drop(kernel->table);
	assert_int_equal(kernel->budget.used, 0);
	assert_true(kernel->known > 10000);
}

static void test_all_is_known(void **state)
{
	struct kernel kernel;

	race(&kernel, false);
	assert_int_equal(kernel.unknown, 0);
}

/* Threads sleep in calls whose files others close: what cannot be known is not said. */
static void test_what_is_closed_while_it_is_used(void **state)
{
	struct kernel kernel;

	race(&kernel, true);
	assert_true(kernel.unknown > 0);
	assert_true(kernel.unknown < kernel.known / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_is_known),
		cmocka_unit_test(test_what_is_closed_while_it_is_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
