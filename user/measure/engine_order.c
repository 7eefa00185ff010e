// SPDX-License-Identifier: GPL-2.0-or-later
/* In which order the cells of a round are measured. */
#include "measure/engine_parts.h"

#include <stdlib.h>
#include <sys/random.h>

#include "base/memory.h"

void engine__set_seed(struct engine *engine)
{
	const char *asked = getenv("FORKTAX_SEED");
	uint32_t seed = asked ? (uint32_t)strtoul(asked, NULL, 0) : engine->request->seed;

	if (!seed && getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		seed = 1;
	engine->random[0] = 0x330e;
	engine->random[1] = (unsigned short)seed;
	engine->random[2] = (unsigned short)(seed >> 16);
	engine->plan->seed = seed;
}

static void swap(size_t *one, size_t *other)
{
	const size_t kept = *one;

	*one = *other;
	*other = kept;
}

static void shuffle(size_t *cells, size_t count, unsigned short random[3])
{
	for (size_t i = count; i > 1; i--)
		swap(&cells[i - 1], &cells[(size_t)(erand48(random) * (double)i)]);
}

static void reverse(size_t *cells, size_t count)
{
	for (size_t i = 0; i < count / 2; i++)
		swap(&cells[i], &cells[count - 1 - i]);
}

void engine__begin_orders(struct engine *engine)
{
	engine->turns_back = false;
}

const size_t *engine__next_order(struct engine *engine)
{
	const size_t count = engine->plan->bench->cell_count;

	if (!engine->order) {
		engine->order = checked_calloc(count, sizeof(*engine->order));
		for (size_t i = 0; i < count; i++)
			engine->order[i] = i;
	}
	if (engine->turns_back)
		reverse(engine->order, count);
	else
		shuffle(engine->order, count, engine->random);
	engine->turns_back = !engine->turns_back;
	return engine->order;
}
