// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/machine.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/text.h"
#include "launch/cpu_choice.h"

enum { LINE = 256 };

/* Reads the first line of a file, without its newline. */
static bool read_line(const char *path, char line[LINE])
{
	FILE *stream = fopen(path, "re");
	bool got = stream && fgets(line, LINE, stream);

	if (stream)
		fclose(stream);
	if (got)
		line[strcspn(line, "\n")] = '\0';
	return got;
}

/* Finds the value of a line "KEY : VALUE". */
static bool find_value(const char *path, const char *key, char value[LINE])
{
	FILE *stream = fopen(path, "re");
	char line[4096]; /* lines of flags are long */
	bool found = false;

	while (stream && !found && fgets(line, sizeof(line), stream)) {
		const char *colon = strchr(line, ':');

		if (strncmp(line, key, strlen(key)) != 0 || !colon ||
		    line[strlen(key) + strspn(line + strlen(key), " \t")] != ':')
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		snprintf(value, LINE, "%.*s", (int)strcspn(colon, "\n"), colon);
		found = true;
	}
	if (stream)
		fclose(stream);
	return found;
}

static void add_fact(struct bench *bench, const char *name, bool known, const char *value)
{
	bench_notes__add(&bench->facts, name, known ? value : NULL);
}

static void note_line(struct bench *bench, const char *name, const char *path)
{
	char line[LINE];

	add_fact(bench, name, read_line(path, line), line);
}

static void note_kernel(struct bench *bench)
{
	struct utsname name;
	char text[LINE * 2] = "";
	bool known = uname(&name) == 0;

	if (known)
		snprintf(text, sizeof(text), "%s %s", name.release, name.machine);
	add_fact(bench, "kernel", known, text);
}

static void note_cpus(struct bench *bench, int cpu)
{
	char text[LINE];

	add_fact(bench, "CPU model", find_value("/proc/cpuinfo", "model name", text), text);
	snprintf(text, sizeof(text), "%ld", sysconf(_SC_NPROCESSORS_ONLN));
	add_fact(bench, "CPUs", true, text);
	snprintf(text, sizeof(text), "%d", cpu);
	add_fact(bench, "pinned to CPU", true, cpu == CPU_ANY ? "no" : text);
}

/* Of the CPU we use. */
static void note_frequency(struct bench *bench, int cpu)
{
	char path[LINE], text[LINE];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor",
		 cpu == CPU_ANY ? 0 : cpu);
	if (!read_line(path, text)) {
		add_fact(bench, "governor", false, NULL);
		return;
	}
	add_fact(bench, "governor", true, text);
	if (strcmp(text, "performance") != 0)
		bench__warn(bench,
			    "The frequency of the CPU may change meanwhile (governor %s); "
			    "\"cpupower frequency-set -g performance\" keeps it.",
			    text);
}

/* The CPU flag of a hypervisor, and the vendor of the machine. CPUs of arm64 have no such flag. */
static void note_virtualisation(struct bench *bench)
{
	FILE *stream = fopen("/proc/cpuinfo", "re");
	char line[4096], product[LINE];
	bool is_guest = false, is_known = false;

	while (stream && !is_known && fgets(line, sizeof(line), stream)) {
		is_known = !strncmp(line, "flags", 5);
		is_guest = is_known && strstr(line, " hypervisor");
	}
	if (stream)
		fclose(stream);
	if (!is_known)
		add_fact(bench, "virtual machine", false, NULL);
	else if (!is_guest)
		add_fact(bench, "virtual machine", true, "no");
	else if (read_line("/sys/class/dmi/id/sys_vendor", product) && *product)
		add_fact(bench, "virtual machine", true, product);
	else
		add_fact(bench, "virtual machine", true, "yes");
}

static void note_load(struct bench *bench)
{
	char line[LINE];
	bool known = read_line("/proc/loadavg", line);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (known) /* "0.42 0.40 0.38 1/210 4321": the averages alone */
		line[text__words_end(line, 3)] = '\0';
	add_fact(bench, "load", known, line);
	if (known && cpus > 0 && strtod(line, NULL) > 0.5 * cpus)
		bench__warn(bench,
			    "The machine was busy before the measurement began (load %.2f on "
			    "%ld CPUs).", strtod(line, NULL), cpus);
}

/* Notes the word in brackets: "always [madvise] never". */
static void note_choice(struct bench *bench, const char *name, const char *path)
{
	char line[LINE], *open, *close;

	if (!read_line(path, line) || !(open = strchr(line, '[')) || !(close = strchr(open, ']'))) {
		add_fact(bench, name, false, NULL);
		return;
	}
	*close = '\0';
	add_fact(bench, name, true, open + 1);
}

void machine__note(struct bench *bench, int cpu)
{
	note_cpus(bench, cpu);
	note_frequency(bench, cpu);
	note_virtualisation(bench);
	note_kernel(bench);
	note_line(bench, "clock source", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	note_choice(bench, "transparent huge pages", "/sys/kernel/mm/transparent_hugepage/enabled");
	note_load(bench);
}

uint64_t machine__available_memory(void)
{
	char value[LINE];

	if (!find_value("/proc/meminfo", "MemAvailable", value))
		return 0;
	return strtoull(value, NULL, 10) * 1024;
}
