// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/cpu_use.h"

#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "launch/cpu_choice.h"

/* Of the idle time: shorter intervals cannot be judged. */
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

/* Does it count? With CPU_ANY all do that we may use. */
static bool is_meant(int cpu, int wanted, const cpu_set_t *usable)
{
	return wanted == CPU_ANY ? cpu < CPU_SETSIZE && CPU_ISSET(cpu, usable) : cpu == wanted;
}

/* Adds up the lines "cpuN user nice system idle iowait ...", in clock ticks. */
static void add_idle(struct cpu_use *use, int wanted)
{
	const double step = 1e9 / (double)sysconf(_SC_CLK_TCK);
	FILE *file = fopen("/proc/stat", "re");
	unsigned long long idle, waiting;
	cpu_set_t usable;
	char line[512];
	int cpu;

	CPU_ZERO(&usable);
	if (wanted == CPU_ANY && sched_getaffinity(0, sizeof(usable), &usable))
		CPU_ZERO(&usable);
	while (file && fgets(line, sizeof(line), file) && !strncmp(line, "cpu", 3)) {
		if (sscanf(line, "cpu%d %*u %*u %*u %llu %llu", &cpu, &idle, &waiting) != 3 ||
		    !is_meant(cpu, wanted, &usable))
			continue;
		use->idle += (double)(idle + waiting) * step;
		use->cpus++;
	}
	if (file)
		fclose(file);
}

struct cpu_use cpu_use__now(int cpu)
{
	struct cpu_use use = {
		.wall = clock__now_ns(),
		.own = used_by(RUSAGE_SELF) + used_by(RUSAGE_CHILDREN),
	};

	add_idle(&use, cpu);
	return use;
}

double cpu_use__others(const struct cpu_use *before, const struct cpu_use *after)
{
	const double step = 1e9 / (double)sysconf(_SC_CLK_TCK);
	double wall = after->wall - before->wall, idle = after->idle - before->idle;
	double known = after->own - before->own + idle + (idle > 0 ? after->cpus * step : 0);

	if (!before->cpus || before->cpus != after->cpus || wall < STEPS_LEAST * step)
		return NAN;
	return fmax(0, 1 - known / wall);
}
