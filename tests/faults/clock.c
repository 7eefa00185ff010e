/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Clocks that jump, for one process (LD_PRELOAD): file $TEST_CLOCK has how many seconds the clock of the day, and the clock that is
 * never set, are ahead of those of the machine, and how many times as long a thread takes: "-3600 0 1". Nobody else's clock is
 * touched.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time)
{
	const int result = (int)syscall(SYS_clock_gettime, clock, time);
	const char *path = getenv("TEST_CLOCK");
	char text[64] = { 0 };
	long ahead = 0, never_set = 0, slower = 1;
	long long taken;
	int file;

	if (result || !path || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_THREAD_CPUTIME_ID))
		return result;
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return result;
	if (read(file, text, sizeof(text) - 1) > 0)
		sscanf(text, "%ld %ld %ld", &ahead, &never_set, &slower);
	close(file);
	if (clock == CLOCK_THREAD_CPUTIME_ID) {
		taken = (time->tv_sec * 1000000000ll + time->tv_nsec) * slower;
		*time = (struct timespec){ taken / 1000000000, taken % 1000000000 };
		return 0;
	}
	time->tv_sec += clock == CLOCK_REALTIME ? ahead : never_set;
	return 0;
}
