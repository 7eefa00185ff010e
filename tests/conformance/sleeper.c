/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sleeper SECONDS: sleeps so long. For tests that give it names of their own, which sleep(1) of busybox does not bear.
 */
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 0;
	struct timespec left = { .tv_sec = (time_t)seconds };

	left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
	return nanosleep(&left, NULL) ? 1 : 0;
}
