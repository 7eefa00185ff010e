/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Clocks of the kernel as one number. clock__now_ns() is that of all durations: never set, and the same in every
 * process.
 */
#ifndef FORKTAX_BASE_CLOCK_H
#define FORKTAX_BASE_CLOCK_H

#include <time.h>

static inline double clock__ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static inline double clock__now_ns(void)
{
	return clock__ns(CLOCK_MONOTONIC);
}

static inline double clock__now_s(void)
{
	return clock__now_ns() / 1e9;
}

#endif
