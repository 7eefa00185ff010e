// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/log_clock.h"

#define DAY_NS (24 * 3600 * 1000000000ull)

/* Does a time of day come after a midnight, as the one before it was `before`? */
static bool is_next_day(uint64_t before, uint64_t time_ns)
{
	return time_ns + DAY_NS / 2 < before;
}

static uint64_t elapsed(struct log_clock *clock, const struct log_line *line)
{
	if (clock->kind == CLOCK_STEP)
		return clock->now_ns + line->time_ns;
	if (clock->kind == CLOCK_DAY && is_next_day(clock->last_ns, line->time_ns))
		clock->days_ns += DAY_NS;
	clock->last_ns = line->time_ns;
	if (line->time_ns + clock->days_ns < clock->first_ns)
		return 0;
	return line->time_ns + clock->days_ns - clock->first_ns;
}

uint64_t log_clock__read(struct log_clock *clock, const struct log_line *line)
{
	uint64_t now;

	if (line->clock == CLOCK_NONE || line->clock == CLOCK_SECONDS)
		return clock->now_ns;
	if (clock->kind == CLOCK_NONE) {
		clock->kind = line->clock;
		clock->first_ns = clock->last_ns = line->time_ns;
		return 0;
	}
	if (line->clock != clock->kind)
		return clock->now_ns; /* other lines are of another run */
	now = elapsed(clock, line);
	if (now > clock->now_ns)
		clock->now_ns = now;
	return clock->now_ns;
}
