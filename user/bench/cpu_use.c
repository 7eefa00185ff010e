// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/cpu_use.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench/clock.h"

/* Of the idle time: what is shorter cannot be judged by it. */
enum { STEPS_LEAST = 5 };

double cpu_use__of(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1e9 +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1e3;
}

static double used_by(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return cpu_use__of(&usage);
}

/* The line "cpuN user nice system idle iowait ...", in clock ticks. */
static double idle_of(int cpu)
{
	unsigned long long idle, waiting;
	double result = NAN;
	char line[512];
	FILE *file = cpu < 0 ? NULL : fopen("/proc/stat", "re");
	int number;

	while (file && isnan(result) && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "cpu%d %*u %*u %*u %llu %llu", &number, &idle, &waiting) == 3 &&
		    number == cpu)
			result = (double)(idle + waiting) * 1e9 / (double)sysconf(_SC_CLK_TCK);
	}
	if (file)
		fclose(file);
	return result;
}

struct cpu_use cpu_use__now(int cpu)
{
	return (struct cpu_use){
		.wall = clock__now_ns(),
		.own = used_by(RUSAGE_SELF) + used_by(RUSAGE_CHILDREN),
		.idle = idle_of(cpu),
	};
}

double cpu_use__others(const struct cpu_use *before, const struct cpu_use *after)
{
	const double step = 1e9 / (double)sysconf(_SC_CLK_TCK);
	double wall = after->wall - before->wall, idle = after->idle - before->idle;
	double known = after->own - before->own + idle + (idle > 0 ? step : 0);

	if (isnan(known) || wall < STEPS_LEAST * step)
		return NAN;
	return fmax(0, 1 - known / wall);
}
