/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Waiting for another process or thread to go to sleep.
 */
#ifndef SAMPLES_ASLEEP_H
#define SAMPLES_ASLEEP_H

#include <string.h>

#include "raw.h"

static inline char state_of(long pid)
{
	char path[] = "/proc///////////stat", text[64] = "", *end; /* more slashes than a pid has digits */
	long fd;

	for (char *digit = path + strlen(path) - strlen("/stat"); pid; pid /= 10)
		*--digit = '0' + pid % 10;
	fd = raw__open(path);
	raw(NR_read, fd, (long)text, sizeof(text) - 1);
	raw(NR_close, fd, 0, 0);
	end = strchr(text, ')');
	return end ? end[2] : 0;
}

/*
 * Of a child, or a thread, that sleeps nowhere but in the call that is to be ended. How long it takes
 * to get there nobody knows.
 */
static inline void wait_for_sleep(long pid)
{
	while (state_of(pid) != 'S')
		raw(NR_sched_yield, 0, 0, 0);
}

#endif
