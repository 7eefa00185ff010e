/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a loop program tells `forktax bench` (docs/use/howto-bench-program.md), without stdio.
 */
#ifndef SAMPLE_LOOP_H
#define SAMPLE_LOOP_H

#include "sample.h"

struct loop_clock {
	long ns, own_ns, children_ns;
};

static long loop__read(long clock)
{
	long now[2] = {0, 0};

	raw(NR_clock_gettime, clock, (long)now, 0);
	return now[0] * 1000000000 + now[1];
}

/* By the kernel, as sample__clock(): all libcs are to agree. */
static inline struct loop_clock loop__clock(void)
{
	struct loop_clock clock;
	long usage[18] = {0};

	raw(NR_getrusage, -1, (long)usage, 0);
	clock.children_ns = ((usage[0] + usage[2]) * 1000000 + usage[1] + usage[3]) * 1000;
	clock.own_ns = loop__read(2); /* CLOCK_PROCESS_CPUTIME_ID */
	clock.ns = loop__read(1); /* CLOCK_MONOTONIC */
	return clock;
}

/* " key=value" */
static inline void loop__put(const char *key, long value)
{
	char digits[24];
	char *digit = digits + sizeof(digits) - 1;

	*digit = '\0';
	do {
		*--digit = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	sample__put(" ");
	sample__put(key);
	sample__put("=");
	sample__put(digit);
}

/* The line on stdout: so many operations in between; with one more figure, unless NULL. */
static inline void loop__tell_between(struct loop_clock start, struct loop_clock end,
				      long operations, const char *key, long value)
{
	sample__put("forktax-loop");
	loop__put("operations", operations);
	loop__put("elapsed_ns", end.ns - start.ns);
	loop__put("own_cpu_ns", end.own_ns - start.own_ns);
	loop__put("children_cpu_ns", end.children_ns - start.children_ns);
	if (key)
		loop__put(key, value);
	sample__put("\n");
	if (write(1, sample_text, sample_length) < 0)
		raw__leave(1);
}

/* The same, from `start` to now. */
static inline void loop__tell_more(struct loop_clock start, long operations, const char *key,
				   long value)
{
	loop__tell_between(start, loop__clock(), operations, key, value);
}

static inline void loop__tell(struct loop_clock start, long operations)
{
	loop__tell_more(start, operations, NULL, 0);
}

#endif
