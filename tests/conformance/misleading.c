// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * misleading: calls of the same shape, some made by the C library for itself, others by the program. Each
 * begins with a mark: a path that is asked for.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

/* Not from <linux/futex.h>, which musl-gcc does not find. */
#define WAKE_PRIVATE (1 | 128)

#define MARK(name) access("/mark/" name, F_OK)

static const char cache[] = "/etc/ld.so.cache";
static char page[3 * 4096];
static unsigned int word;
static void *volatile kept; /* so that no compiler leaves an allocation out */

static char *own_page(void)
{
	return (char *)(((unsigned long)page + 4095) & -4096ul);
}

/* Of no name that an object exports. */
static __attribute__((noinline)) void *nothing(void *argument)
{
	return argument;
}

static void done_once(void)
{
	syscall(SYS_futex, &word, WAKE_PRIVATE, 0x7fffffff); /* not the C library's */
}

/* Runs before main(), as the C library's own code does. */
__attribute__((constructor)) static void construct(void)
{
	MARK("constructor-read-only");
	mprotect(own_page(), 4096, PROT_READ);
	mprotect(own_page(), 4096, PROT_READ | PROT_WRITE);
	MARK("end");
}

static void random_bytes(void)
{
	char bytes[8];

	MARK("own-random");
	syscall(SYS_getrandom, bytes, 8, 1);
	MARK("malloc");
	kept = malloc(100);
	MARK("own-random-later");
	syscall(SYS_getrandom, bytes, 8, 1);
}

static void heap(void)
{
	MARK("own-heap");
	sbrk(8192);
	MARK("malloc-heap");
	for (int i = 0; i < 4; i++)
		kept = malloc(100000);
	MARK("end");
}

static void wake(void)
{
	static pthread_once_t control = PTHREAD_ONCE_INIT;
	pthread_barrier_t barrier;

	MARK("own-wake");
	syscall(SYS_futex, &word, WAKE_PRIVATE, 0x7fffffff);
	MARK("barrier");
	pthread_barrier_init(&barrier, NULL, 1);
	pthread_barrier_wait(&barrier);
	MARK("once");
	pthread_once(&control, done_once);
	MARK("end");
}

static void descriptors(void)
{
	struct termios settings;
	struct stat status;

	MARK("own-fstat");
	fstat(0, &status);
	MARK("own-terminal");
	tcgetattr(0, &settings);
	MARK("raw-terminal");
	ioctl(0, TCGETS, &settings);
	MARK("isatty");
	isatty(0);
	MARK("stdio");
	putchar('x');
	fflush(stdout);
	MARK("not-open");
	close(77);
	MARK("range");
	syscall(SYS_close_range, 500, 600, 4);
	MARK("end");
}

static void memory(void)
{
	char *memory;

	MARK("own-stack");
	memory = mmap(NULL, 21 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	MARK("own-advice");
	madvise(memory, 4096, MADV_DONTNEED);
	MARK("own-move");
	memory = mremap(memory, 21 << 20, 20 << 20, MREMAP_MAYMOVE);
	MARK("own-grows");
	mprotect(own_page(), 4096, PROT_READ | PROT_WRITE | PROT_GROWSDOWN);
	MARK("own-read-only");
	mprotect(own_page(), 4096, PROT_READ);
	MARK("end");
}

/* The files of ld.so, in the hands of the program. */
static void files(void)
{
	char bytes[64], *mapped;
	int file;

	MARK("own-preload");
	access("/etc/ld.so.preload", R_OK);
	MARK("own-cache");
	file = open(cache, O_RDONLY);
	mapped = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
	munmap(mapped, 4096);
	close(file);
	MARK("own-library");
	file = open("/proc/self/exe", O_RDONLY);
	if (read(file, bytes, sizeof(bytes)) < 0 || pread(file, bytes, sizeof(bytes), 64) < 0)
		exit(1);
	mapped = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
	munmap(mapped, 4096);
	close(file);
	MARK("end");
}

static void thread(void)
{
	pthread_t thread;

	MARK("thread");
	if (!pthread_create(&thread, NULL, nothing, NULL))
		pthread_join(thread, NULL);
	MARK("end");
}

/* Not for itself: none of these is opened so by another function of the C library here. */
static const char *const looked_into[] = {
	"/etc/nsswitch.conf", "/etc/passwd", "/usr/lib/locale/none/LC_CTYPE", "/usr/share/locale/locale.alias",
	"/usr/lib/x86_64-linux-gnu/gconv/gconv-modules", "/etc/localtime",
};

int main(void)
{
	random_bytes();
	heap();
	wake();
	descriptors();
	memory();
	files();
	thread();
	/* In main() itself, which is the program's in a static one, too. */
	MARK("own-fopen");
	for (size_t i = 0; i < sizeof(looked_into) / sizeof(looked_into[0]); i++) {
		FILE *stream = fopen(looked_into[i], "re");

		if (stream)
			kept = fgets(page, 64, stream);
		if (stream)
			fclose(stream);
	}
	MARK("own-terminfo");
	access("/lib/terminfo/x/xterm", R_OK);
	MARK("end");
	return 0;
}
