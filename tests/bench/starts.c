// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * starts WHAT N: asks N times for files that are not there (misses), asks N times about the same file
 * (repeats), or reads a file of N bytes byte by byte (bytes).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void miss(int count)
{
	char path[64];

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "/no-such-directory/%d", i);
		if (open(path, O_RDONLY) >= 0)
			exit(1);
	}
}

static void repeat(int count)
{
	struct stat status;

	for (int i = 0; i < count; i++)
		if (stat("/usr/lib", &status))
			exit(1);
}

static void read_bytes(int count)
{
	int file = open("/dev/zero", O_RDONLY);
	char byte;

	for (int i = 0; i < count; i++)
		if (read(file, &byte, 1) != 1)
			exit(1);
}

int main(int argc, char **argv)
{
	const int count = argc > 2 ? atoi(argv[2]) : 0;

	if (argc < 2 || !strcmp(argv[1], "misses"))
		miss(count);
	else if (!strcmp(argv[1], "repeats"))
		repeat(count);
	else
		read_bytes(count);
	return 0;
}
