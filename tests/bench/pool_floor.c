/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The floor for a look at a pool: reads the page maps of these processes, and once each page that one of them alone
 * has mapped (/proc/PID/mem). Prints the bytes of these pages, and the CPU time in ns.
 *
 *	pool_floor PID...
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, PIECE = 64 };

#define PRESENT	  (1ull << 63)
#define OF_FILE	  (1ull << 61)
#define EXCLUSIVE (1ull << 56)

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static int open_of(const char *pid, const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/%s", pid, name);
	fd = open(path, O_RDONLY);
	if (fd < 0) {
		perror(path);
		exit(1);
	}
	return fd;
}

/* Up to PIECE pages. Returns how many are the process's own. */
static uint64_t read_piece(int pagemap, int memory, uint64_t first, uint64_t count)
{
	static char buffer[PIECE * PAGE];
	uint64_t entries[PIECE], own = 0, length;

	if (pread(pagemap, entries, count * 8, first * 8) != (ssize_t)count * 8)
		return 0;
	for (uint64_t i = 0; i < count; i += length + 1) {
		for (length = 0; i + length < count; length++)
			if ((entries[i + length] & (PRESENT | OF_FILE | EXCLUSIVE)) != (PRESENT | EXCLUSIVE))
				break;
		if (length && pread(memory, buffer, length * PAGE, (first + i) * PAGE) == (ssize_t)length * PAGE)
			own += length;
	}
	return own;
}

static uint64_t read_process(const char *pid)
{
	int pagemap = open_of(pid, "pagemap"), memory = open_of(pid, "mem");
	FILE *maps = fdopen(open_of(pid, "maps"), "r");
	uint64_t start, end, own = 0;
	char line[8192], rights[8];

	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &start, &end, rights) != 3 || rights[3] != 'p')
			continue;
		for (uint64_t at = start / PAGE; at < end / PAGE; at += PIECE)
			own += read_piece(pagemap, memory, at, end / PAGE - at < PIECE ? end / PAGE - at : PIECE);
	}
	fclose(maps);
	close(pagemap);
	close(memory);
	return own;
}

int main(int argc, char **argv)
{
	uint64_t begin = now(), own = 0;

	for (int i = 1; i < argc; i++)
		own += read_process(argv[i]);
	printf("%" PRIu64 " %" PRIu64 "\n", own * PAGE, now() - begin);
	return 0;
}
