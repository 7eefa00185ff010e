/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * replacing ROUNDS: pages of a shared file mapping are read and then written to, without a system call; before
 * the writer makes its next one, another thread has put a private mapping there.
 */
#include <err.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 8, SIZE = PAGES * PAGE };

static volatile int turn; /* of the other thread */
static volatile char *memory;
static int rounds, fd;

static volatile char *map(int flags, int file)
{
	void *mapped = mmap((void *)memory, SIZE, PROT_READ | PROT_WRITE, flags, file, 0);

	if (mapped == MAP_FAILED)
		err(2, "mmap");
	return mapped;
}

static void *replace(void *argument)
{
	for (int i = 0; i < rounds; i++) {
		while (!turn)
			;
		map(MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1);
		turn = 0;
	}
	return argument;
}

int main(int argc, char **argv)
{
	char path[] = "/var/tmp/forktax-replacing-XXXXXX";
	pthread_t thread;

	rounds = argc > 1 ? atoi(argv[1]) : 0;
	fd = mkstemp(path);
	if (fd < 0 || unlink(path) || ftruncate(fd, SIZE))
		err(2, "%s", path);
	memory = map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
	if (pthread_create(&thread, NULL, replace, NULL))
		errx(2, "cannot create a thread");
	for (int i = 0; i < rounds; i++) {
		map(MAP_SHARED | MAP_FIXED, fd);
		msync((void *)memory, SIZE, MS_SYNC); /* clean pages, so that a write is reported */
		for (int page = 0; page < PAGES; page++) {
			(void)memory[page * PAGE];
			memory[page * PAGE] = 1;
		}
		turn = 1;
		while (turn)
			;
	}
	pthread_join(thread, NULL);
	return 0;
}
