/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * raceclasses CASE ROUNDS: threads and processes that fault on the same pages at once, or beside somebody who
 * drops, moves, splits, merges or protects them. It does not know which of them wins; it knows what must hold
 * whoever does (raceclasses.py).
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

enum { PAGE = 4096, PAGES = 64, THREADS = 4, SIZE = PAGES * PAGE, HUGE = 2 << 20 };

static volatile char *memory;
static size_t stride = PAGE, count = PAGES;
/* Not in .bss or .data: there threads would race for the page of their own flags, too. */
static struct {
	atomic_int arrived, stop;
	atomic_size_t written, read; /* pages, from the first on */
} *flags;
char data[SIZE] __attribute__((aligned(PAGE))) = { 1 }; /* of the file of the program */

static void *map(size_t size, int protection, int flags, int file)
{
	void *mapped = mmap(NULL, size, protection, flags, file, 0);

	if (mapped == MAP_FAILED)
		err(2, "mmap");
	return mapped;
}

static void *anonymous(size_t size)
{
	void *mapped = map(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	madvise(mapped, size, MADV_NOHUGEPAGE);
	return mapped;
}

static void *aligned_huge(size_t size)
{
	char *mapped = map(size + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	mapped = (char *)(((unsigned long)mapped + HUGE - 1) & ~(HUGE - 1ul));
	madvise(mapped, size, MADV_HUGEPAGE);
	return mapped;
}

static int file_of(size_t size)
{
	char path[] = "./raced-XXXXXX", block[PAGE];
	int fd = mkstemp(path);

	memset(block, 7, sizeof(block));
	if (fd < 0 || unlink(path))
		err(2, "%s", path);
	for (size_t at = 0; at < size; at += PAGE)
		if (write(fd, block, PAGE) != PAGE)
			err(2, "write");
	return fd;
}

/* All threads come to each page together. */
static void meet(size_t page)
{
	atomic_fetch_add(&flags->arrived, 1);
	while ((size_t)atomic_load(&flags->arrived) < THREADS * (page + 1))
		sched_yield();
}

static void *write_together(void *argument)
{
	for (size_t page = 0; page < count; page++) {
		meet(page);
		memory[page * stride + (long)argument] = 1;
	}
	return NULL;
}

static void *read_together(void *argument)
{
	for (size_t page = 0; page < count; page++) {
		meet(page);
		(void)memory[page * stride + (long)argument];
	}
	return NULL;
}

static void *both_together(void *argument)
{
	return (long)argument & 1 ? read_together(argument) : write_together(argument);
}

/* One writes page after page; the others read the page that is next without end. */
static void *read_what_is_copied(void *argument)
{
	for (size_t page; (page = flags->written) < count;) {
		if (argument) {
			for (int i = 0; i < 1000 && page == flags->written; i++)
				(void)memory[page * stride];
			continue;
		}
		usleep(20);
		memory[page * stride] = 1;
		flags->written = page + 1;
	}
	return NULL;
}

/* One reads page after page, and does nothing else; another one writes to each that has been read. */
static void *write_what_was_read(void *argument)
{
	if ((long)argument == 0)
		for (size_t page = 0; page < count; page++) {
			(void)memory[page * stride];
			flags->read = page + 1;
			while (flags->written <= page)
				;
		}
	if ((long)argument == 8)
		for (size_t page = 0; page < count; page++) {
			while (flags->read <= page)
				sched_yield();
			memory[page * stride] = 1;
			flags->written = page + 1;
		}
	return NULL;
}

/* One writes page after page; another one writes to each a little later, from page to page by another delay. */
static void *write_behind(void *argument)
{
	if ((long)argument == 0)
		for (size_t page = 0; page < count; page++) {
			while (flags->read < page)
				;
			flags->written = page + 1;
			memory[page * stride] = 1;
		}
	if ((long)argument == 8)
		for (size_t page = 0; page < count; page++) {
			while (flags->written <= page)
				;
			for (volatile size_t i = 0; i < page * 48; i++)
				;
			memory[page * stride + 8] = 1;
			flags->read = page + 1;
		}
	return NULL;
}

/* The kernel writes, for a system call. */
static void *kernel_together(void *argument)
{
	int zero = open("/dev/zero", O_RDONLY);

	for (size_t page = 0; page < count; page++) {
		meet(page);
		if (read(zero, (char *)memory + page * stride + (long)argument, 1) != 1)
			err(2, "read");
	}
	close(zero);
	return NULL;
}

static void run_threads(void *(*work)(void *))
{
	pthread_t all[THREADS];

	flags->arrived = 0;
	flags->written = flags->read = 0;
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&all[i], NULL, work, (void *)(i * 8)))
			errx(2, "cannot create a thread");
	for (int i = 0; i < THREADS; i++)
		pthread_join(all[i], NULL);
}

static void in_child(void *(*work)(void *))
{
	pid_t pid = fork();

	if (!pid) {
		run_threads(work);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* Somebody who disturbs while `work` goes on. */
static void beside(void *(*disturb)(void *), void *(*work)(void *))
{
	pthread_t thread;

	flags->stop = 0;
	if (pthread_create(&thread, NULL, disturb, NULL))
		errx(2, "cannot create a thread");
	run_threads(work);
	flags->stop = 1;
	pthread_join(thread, NULL);
}

static void *drop(void *unused)
{
	while (!flags->stop)
		madvise((void *)memory, count * stride, MADV_DONTNEED);
	return unused;
}

static void *protect(void *unused)
{
	while (!flags->stop) {
		mprotect((void *)memory, count * stride, PROT_READ);
		mprotect((void *)memory, count * stride, PROT_READ | PROT_WRITE);
	}
	return unused;
}

static void *protect_page_by_page(void *unused)
{
	for (size_t i = 0; !flags->stop; i = (i + 7) % count) {
		mprotect((char *)memory + i * stride, PAGE, PROT_READ);
		mprotect((char *)memory + i * stride, PAGE, PROT_READ | PROT_WRITE);
	}
	return unused;
}

/* What has been moved away leaves an empty mapping behind. */
static void *move_there_and_back(void *unused)
{
	const int how = MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP;
	void *other = anonymous(SIZE);

	while (!flags->stop) {
		if (mremap((void *)memory, SIZE, SIZE, how, other) == MAP_FAILED ||
		    mremap(other, SIZE, SIZE, how, (void *)memory) == MAP_FAILED)
			err(2, "mremap");
		usleep(50);
	}
	return unused;
}

static void *fork_on(void *unused)
{
	while (!flags->stop) {
		pid_t pid = fork();

		if (!pid) {
			for (size_t i = 0; i < count; i += 5)
				memory[i * stride]++;
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	return unused;
}

static void *vfork_on(void *unused)
{
	while (!flags->stop) {
		pid_t pid = vfork();

		if (!pid) {
			for (size_t i = 0; i < count; i += 3)
				memory[i * stride] = 2;
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	return unused;
}

static void *merge(void *unused)
{
	while (!flags->stop) {
		madvise((void *)memory, count * stride, MADV_MERGEABLE);
		madvise((void *)memory, count * stride, MADV_UNMERGEABLE);
	}
	return unused;
}

static void *collapse(void *unused)
{
	while (!flags->stop) {
		madvise((void *)memory, HUGE, MADV_COLLAPSE);
		mprotect((char *)memory + PAGE, PAGE, PROT_READ);
		mprotect((char *)memory + PAGE, PAGE, PROT_READ | PROT_WRITE);
	}
	return unused;
}

static void *clear_soft_dirty(void *unused)
{
	int fd = open("/proc/self/clear_refs", O_WRONLY);

	while (!flags->stop)
		if (write(fd, "4", 1) != 1)
			break;
	close(fd);
	return unused;
}

static void *write_many(void *argument)
{
	for (int i = 0; i < 2000; i++)
		memory[(i * 37 + (long)argument) % count * stride] = 1;
	return NULL;
}

static void *read_and_write_many(void *argument)
{
	for (int i = 0; i < 2000; i++) {
		volatile char *at = memory + (i * 37 + (long)argument) % count * stride;

		if (i & 1)
			(void)*at;
		else
			*at = 1;
	}
	return NULL;
}

/* Cases. */
static void cow(void *(*work)(void *))
{
	memory = anonymous(SIZE);
	memset((void *)memory, 1, SIZE);
	in_child(work);
	munmap((void *)memory, SIZE);
}

static void cow_write(void) { cow(write_together); }
static void cow_kernel(void) { cow(kernel_together); }
static void cow_mixed(void) { cow(both_together); }
static void cow_read(void) { cow(read_what_is_copied); }

static void cow_parent_and_child(void)
{
	pid_t pid;

	memory = anonymous(SIZE);
	memset((void *)memory, 1, SIZE);
	pid = fork();
	run_threads(write_together);
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	munmap((void *)memory, SIZE);
}

static void fill(void)
{
	memory = anonymous(SIZE);
	run_threads(write_together);
	munmap((void *)memory, SIZE);
}

static void fill_mixed(void)
{
	memory = anonymous(SIZE);
	run_threads(both_together);
	munmap((void *)memory, SIZE);
}

static void zero_read(void)
{
	memory = anonymous(SIZE);
	run_threads(read_together);
	munmap((void *)memory, SIZE);
}

static void zero_written(void)
{
	memory = anonymous(SIZE);
	run_threads(write_what_was_read);
	munmap((void *)memory, SIZE);
}

static void zero_write(void)
{
	memory = anonymous(SIZE);
	for (size_t i = 0; i < SIZE; i += PAGE)
		(void)memory[i];
	run_threads(write_together);
	munmap((void *)memory, SIZE);
}

static void of_file(int flags, int reads, void *(*work)(void *))
{
	int fd = file_of(SIZE);

	fsync(fd);
	memory = map(SIZE, PROT_READ | PROT_WRITE, flags, fd);
	if (reads)
		for (size_t i = 0; i < SIZE; i += PAGE)
			(void)memory[i];
	run_threads(work);
	munmap((void *)memory, SIZE);
	close(fd);
}

static void file_cow(void) { of_file(MAP_PRIVATE, 0, write_together); }
static void file_read_cow(void) { of_file(MAP_PRIVATE, 1, write_together); }
static void file_mixed(void) { of_file(MAP_PRIVATE, 0, both_together); }
static void file_shared(void) { of_file(MAP_SHARED, 0, write_together); }
static void file_shared_write(void) { of_file(MAP_SHARED, 1, write_together); }
static void file_read(void) { of_file(MAP_SHARED, 0, read_together); }

static void file_cold(int flags, void *(*work)(void *))
{
	size_t size = 16 << 20;
	int fd = file_of(size);

	fsync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	memory = map(size, PROT_READ | PROT_WRITE, flags, fd);
	stride = size / PAGES;
	run_threads(work);
	stride = PAGE;
	munmap((void *)memory, size);
	close(fd);
}

static void file_cold_write(void) { file_cold(MAP_PRIVATE, write_together); }
static void file_cold_shared(void) { file_cold(MAP_SHARED, write_together); }
static void file_cold_mixed(void) { file_cold(MAP_PRIVATE, both_together); }

static void shmem(int flags, void *(*work)(void *))
{
	int fd = memfd_create("raced", 0);

	if (ftruncate(fd, SIZE))
		err(2, "ftruncate");
	memory = map(SIZE, PROT_READ | PROT_WRITE, flags, fd);
	run_threads(work);
	munmap((void *)memory, SIZE);
	close(fd);
}

static void shmem_shared(void) { shmem(MAP_SHARED, both_together); }
static void shmem_private(void) { shmem(MAP_PRIVATE, write_together); }

static void shmem_huge(void)
{
	int fd = memfd_create("raced", 0);
	char *mapped;

	if (ftruncate(fd, 4 * HUGE))
		err(2, "ftruncate");
	mapped = map(5 * HUGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	memory = (char *)(((unsigned long)mapped + HUGE - 1) & ~(HUGE - 1ul));
	if (mmap((void *)memory, 4 * HUGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
		err(2, "mmap");
	madvise((void *)memory, 4 * HUGE, MADV_HUGEPAGE);
	stride = 4 * HUGE / PAGES;
	run_threads(both_together);
	if (mmap((void *)memory, 4 * HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED)
		err(2, "mmap");
	madvise((void *)memory, 4 * HUGE, MADV_HUGEPAGE);
	run_threads(both_together);
	stride = PAGE;
	munmap(mapped, 5 * HUGE);
	close(fd);
}

static void of_data(void)
{
	memory = data;
	in_child(write_together);
}

static void of_data_behind(void)
{
	memory = data;
	memset(data, 1, SIZE);
	in_child(write_behind);
}

static void dropped(void)
{
	memory = anonymous(SIZE);
	beside(drop, read_and_write_many);
	munmap((void *)memory, SIZE);
}

static void dropped_of_file(void)
{
	int fd = file_of(SIZE);

	memory = map(SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd);
	beside(drop, read_and_write_many);
	munmap((void *)memory, SIZE);
	memory = map(SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
	beside(drop, read_and_write_many);
	munmap((void *)memory, SIZE);
	close(fd);
}

static void dropped_in_child(void)
{
	pid_t pid;

	memory = anonymous(SIZE);
	memset((void *)memory, 1, SIZE);
	pid = fork();
	if (!pid) {
		beside(drop, read_and_write_many);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	munmap((void *)memory, SIZE);
}

static void on_fault(int signal) { (void)signal; sched_yield(); }

static void with_handler(void *(*disturb)(void *), void *(*work)(void *))
{
	signal(SIGSEGV, on_fault);
	memory = anonymous(SIZE);
	memset((void *)memory, 1, SIZE);
	beside(disturb, work);
	munmap((void *)memory, SIZE);
	signal(SIGSEGV, SIG_DFL);
}

static void protected(void) { with_handler(protect, write_many); }
static void protected_pages(void) { with_handler(protect_page_by_page, write_many); }
static void moved(void) { with_handler(move_there_and_back, write_many); }
static void soft_dirty(void) { with_handler(clear_soft_dirty, write_many); }
static void forked(void) { with_handler(fork_on, write_many); }
static void vforked(void) { with_handler(vfork_on, write_many); }

static void merged(void)
{
	memory = anonymous(SIZE);
	memset((void *)memory, 1, SIZE);
	beside(merge, write_many);
	munmap((void *)memory, SIZE);
}

static void huge(void (*then)(void))
{
	memory = aligned_huge(2 * HUGE);
	stride = 2 * HUGE / PAGES;
	then();
	stride = PAGE;
	munmap((void *)memory, 2 * HUGE);
}

static void huge_fill_now(void) { run_threads(both_together); }
static void huge_split_now(void) { run_threads(both_together); in_child(write_together); run_threads(write_together); }
static void huge_drop_now(void) { beside(drop, read_and_write_many); }
static void huge_collapse_now(void) { signal(SIGSEGV, on_fault); beside(collapse, write_many); }
static void huge_fork_now(void) { beside(fork_on, write_many); }
static void huge_fill(void) { huge(huge_fill_now); }
static void huge_split(void) { huge(huge_split_now); }
static void huge_drop(void) { huge(huge_drop_now); }
static void huge_collapse(void) { huge(huge_collapse_now); }
static void huge_fork(void) { huge(huge_fork_now); }

/* Of an overcommitted pool (nr_overcommit_hugepages). */
static void pool(int flags)
{
	memory = mmap(NULL, 2 * HUGE, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	if (memory == MAP_FAILED)
		return;
	stride = HUGE;
	count = 2;
	run_threads(both_together);
	in_child(write_together);
	stride = PAGE;
	count = PAGES;
	munmap((void *)memory, 2 * HUGE);
}
static void pool_private(void) { pool(MAP_PRIVATE); }
static void pool_shared(void) { pool(MAP_SHARED); }

/* Somebody else puts the pages there, or lifts the protection. */
static int answers_by;

static void *answer(void *argument)
{
	int fd = (int)(long)argument;
	char *page = aligned_alloc(PAGE, PAGE);
	struct pollfd wait = { .fd = fd, .events = POLLIN };

	memset(page, 5, PAGE);
	while (!flags->stop) {
		struct uffd_msg message;
		unsigned long at;

		if (poll(&wait, 1, 20) <= 0 || read(fd, &message, sizeof(message)) != sizeof(message))
			continue;
		at = message.arg.pagefault.address & ~(PAGE - 1ul);
		if (message.arg.pagefault.flags & UFFD_PAGEFAULT_FLAG_WP) {
			struct uffdio_writeprotect lift = { { at, PAGE }, 0 };

			ioctl(fd, UFFDIO_WRITEPROTECT, &lift);
		} else if (answers_by++ % 3 == 0) {
			struct uffdio_zeropage zero = { { at, PAGE }, 0, 0 };

			ioctl(fd, UFFDIO_ZEROPAGE, &zero);
		} else {
			struct uffdio_copy copy = { at, (unsigned long)page, PAGE,
				answers_by % 3 == 1 ? UFFDIO_COPY_MODE_WP : 0, 0 };

			ioctl(fd, UFFDIO_COPY, &copy);
		}
		/* An answer that fails (EEXIST: the page is there already) wakes nobody. */
		ioctl(fd, UFFDIO_WAKE, &(struct uffdio_range){ at, PAGE });
	}
	free(page);
	return NULL;
}

static void userfault(void)
{
	struct uffdio_api api = { .api = UFFD_API, .features = UFFD_FEATURE_PAGEFAULT_FLAG_WP };
	struct uffdio_register all = { .mode = UFFDIO_REGISTER_MODE_MISSING | UFFDIO_REGISTER_MODE_WP };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	pthread_t handler;

	if (fd < 0 || ioctl(fd, UFFDIO_API, &api))
		return;
	memory = anonymous(SIZE);
	all.range.start = (unsigned long)memory;
	all.range.len = SIZE;
	if (ioctl(fd, UFFDIO_REGISTER, &all))
		err(2, "UFFDIO_REGISTER");
	flags->stop = 0;
	pthread_create(&handler, NULL, answer, (void *)(long)fd);
	run_threads(both_together);
	run_threads(write_together);
	run_threads(read_and_write_many);
	ioctl(fd, UFFDIO_UNREGISTER, &all.range);
	flags->stop = 1;
	pthread_join(handler, NULL);
	run_threads(write_together);
	munmap((void *)memory, SIZE);
	close(fd);
}

/* Cold pages of a file that goes away from the page cache meanwhile. */
static int cold_file;
static void *forget(void *unused)
{
	while (!flags->stop) {
		madvise((void *)memory, SIZE, 21 /* MADV_PAGEOUT */);
		posix_fadvise(cold_file, 0, 0, POSIX_FADV_DONTNEED);
	}
	return unused;
}
static void forgotten(void)
{
	cold_file = file_of(SIZE);
	fsync(cold_file);
	memory = map(SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE, cold_file);
	beside(forget, read_and_write_many);
	munmap((void *)memory, SIZE);
	memory = map(SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, cold_file);
	beside(forget, read_and_write_many);
	munmap((void *)memory, SIZE);
	close(cold_file);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "cow_write", cow_write }, { "cow_kernel", cow_kernel }, { "cow_mixed", cow_mixed }, { "cow_read", cow_read },
	{ "cow_parent_and_child", cow_parent_and_child }, { "fill", fill }, { "fill_mixed", fill_mixed },
	{ "zero_read", zero_read }, { "zero_write", zero_write }, { "zero_written", zero_written }, { "file_cow", file_cow },
	{ "file_read_cow", file_read_cow }, { "file_mixed", file_mixed }, { "file_shared", file_shared },
	{ "file_shared_write", file_shared_write }, { "file_read", file_read },
	{ "file_cold_write", file_cold_write }, { "file_cold_shared", file_cold_shared },
	{ "file_cold_mixed", file_cold_mixed }, { "shmem_shared", shmem_shared },
	{ "shmem_private", shmem_private }, { "shmem_huge", shmem_huge }, { "of_data", of_data },
	{ "of_data_behind", of_data_behind },
	{ "dropped", dropped }, { "dropped_of_file", dropped_of_file }, { "dropped_in_child", dropped_in_child },
	{ "protected", protected }, { "protected_pages", protected_pages }, { "moved", moved },
	{ "soft_dirty", soft_dirty }, { "forked", forked }, { "vforked", vforked }, { "merged", merged },
	{ "huge_fill", huge_fill }, { "huge_split", huge_split }, { "huge_drop", huge_drop },
	{ "huge_collapse", huge_collapse }, { "huge_fork", huge_fork }, { "pool_private", pool_private },
	{ "pool_shared", pool_shared }, { "userfault", userfault }, { "forgotten", forgotten },
};

static void run_case(void (*run)(void), int rounds)
{
	for (int round = 0; round < rounds; round++) {
		pid_t pid = fork();
		int status;

		if (!pid) {
			run();
			_exit(0);
		}
		waitpid(pid, &status, 0);
		if (status)
			errx(1, "status %x", status);
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 1;

	flags = anonymous(sizeof(*flags));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (argc < 2)
			puts(cases[i].name);
		else if (!strcmp(argv[1], cases[i].name))
			run_case(cases[i].run, rounds);
	}
	return 0;
}
