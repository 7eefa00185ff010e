// SPDX-License-Identifier: GPL-2.0-or-later
/* A child reads pages that nobody has touched while another of its threads changes their mapping without a pause. */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 20000, PAGE = 4096 };
static volatile char *region;
static atomic_bool done;

static void *change(void *unused)
{
	char *last = (char *)region + (PAGES - 1L) * PAGE;

	while (!done) {
		mprotect(last, PAGE, PROT_READ);
		mprotect(last, PAGE, PROT_READ | PROT_WRITE);
	}
	return unused;
}

static void read_pages(void)
{
	pthread_t changer;

	pthread_create(&changer, NULL, change, NULL);
	for (long i = 0; i < PAGES - 1; i++) {
		(void)region[i * PAGE];
		if (i % 5 == 0)
			getppid(); /* here mappings are asked for */
	}
	done = 1;
	pthread_join(changer, NULL);
}

int main(void)
{
	region = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise((void *)region, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
	if (!fork()) {
		read_pages();
		_exit(0);
	}
	wait(NULL);
	return 0;
}
