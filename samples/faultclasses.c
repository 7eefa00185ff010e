/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every class of page fault on a known number of pages.
 *
 *	-c CASE	only this case; the names are in the table at the end
 *	-t N	pages (64), at most 512
 *	-d DIR	where the file of the file cases is made, and removed (/var/tmp)
 *
 * Buffers are mapped at their full size whatever -t is, so that runs with different -t differ in
 * nothing but the pages touched: the difference between two counts is exact even where the count
 * itself also holds faults of start-up and libc.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/vfs.h>

#include "sample.h"

enum { MOST = 512 };
#define PAGE SAMPLE_PAGE
#define SIZE (MOST * PAGE)
#define HUGE (PAGE / 8 * PAGE) /* as many as a table of entries has */
enum { WIPEONFORK = 18, POPULATE = 0x8000, HUGETLB = 0x40000, TMPFS_MAGIC = 0x01021994 };

/* linux/userfaultfd.h, which not every libc's compiler finds. */
enum { UFFD_VERSION = 0xaa, UFFD_MISSING = 1, UFFD_DONTWAKE = 1 };
static const unsigned long uffdio_api = 0xc018aa3f, uffdio_register = 0xc020aa00,
			   uffdio_copy = 0xc028aa03, uffdio_unregister = 0x8010aa01;

struct uffd_message {
	unsigned long event, flags, address, more;
};


static long pages = 64;
static const char *directory = "/var/tmp";

static volatile char *map_at(void *address, int flags, int fd)
{
	void *memory = mmap(address, SIZE, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (memory == MAP_FAILED)
		sample__fail("faultclasses: cannot map memory\n");
	madvise(memory, SIZE, MADV_NOHUGEPAGE);
	return memory;
}

static volatile char *map(int flags, int fd)
{
	return map_at(NULL, flags, fd);
}

static volatile char *map_anonymous(void)
{
	return map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static void write_pages(volatile char *memory)
{
	for (long page = 0; page < pages; page++)
		memory[page * PAGE] = 1;
}

static void read_pages(volatile const char *memory)
{
	for (long page = 0; page < pages; page++)
		(void)memory[page * PAGE];
}

/*
 * `work` in a forked child that libc does not know of. The parent writes nothing, not even to its
 * stack, until the child is gone: they must not race for who copies a page and who keeps it.
 */
static void in_child(void (*work)(volatile char *), volatile char *memory)
{
	long pid = raw__fork();

	if (pid > 0)
		raw4(NR_wait4, pid, 0, 0, 0);
	if (pid < 0)
		sample__fail("faultclasses: cannot create a child\n");
	if (pid == 0) {
		if (work)
			work(memory);
		raw__leave(0);
	}
}

/* A file of SIZE bytes, in the page cache, without a name. */
static int make_file(void)
{
	static const char page[SAMPLE_PAGE_MOST] = {1};
	char path[256] = "";
	int fd;

	if (strlen(directory) < 200)
		strcat(strcpy(path, directory), "/forktax-sample-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0 || unlink(path))
		sample__fail("faultclasses: cannot make a file; use -d\n");
	for (int i = 0; i < MOST; i++)
		if (write(fd, page, PAGE) != PAGE)
			sample__fail("faultclasses: cannot fill the file; use -d\n");
	return fd;
}

static void cow_copy(void)
{
	volatile char *memory = map_anonymous();

	write_pages(memory);
	in_child(write_pages, memory);
}

static volatile char *untouched;

/* It dies in user mode: no call comes after its faults. */
static void touch_until_killed(volatile char *memory)
{
	const struct itimerval timer = {.it_value.tv_usec = 200000};

	setitimer(ITIMER_VIRTUAL, &timer, NULL);
	for (long page = 0; page < pages; page++) {
		memory[page * PAGE] = 1;
		(void)untouched[page * PAGE];
	}
	for (;;)
		;
}

static void killed(void)
{
	volatile char *memory = map_anonymous();

	untouched = map_anonymous();
	write_pages(memory);
	in_child(touch_until_killed, memory);
}

static void read_inherited(volatile char *memory)
{
	read_pages(memory);
}

/* A child reads what it has inherited. Fork has made the entries old: a fault where the kernel sets the access flag. */
static void access_flag(void)
{
	volatile char *memory = map_anonymous();

	write_pages(memory);
	in_child(read_inherited, memory);
}

static long minor_faults(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) ? 0 : usage.ru_minflt;
}

/* In a child: how it ends says what it saw. */
static void count_faults_of_reading(volatile char *memory)
{
	long before = minor_faults();

	read_pages(memory);
	raw__leave(minor_faults() - before >= MOST / 2);
}

/* Asked of the kernel's own count, for what is expected. */
static int has_access_flag_faults(void)
{
	const long wanted = pages;
	volatile char *memory = map_anonymous();
	int status;
	long pid;

	pages = MOST;
	write_pages(memory);
	pid = raw__fork();
	if (pid == 0)
		count_faults_of_reading(memory);
	status = raw__wait(pid);
	pages = wanted;
	return status != 0;
}

/* The child is gone before the parent writes: nobody else owns the pages. */
static void cow_reuse(void)
{
	volatile char *memory = map_anonymous();

	write_pages(memory);
	in_child(NULL, memory);
	write_pages(memory);
}

static void read_zeroes(volatile char *memory)
{
	int fd = open("/dev/zero", O_RDONLY);

	if (pages && read(fd, (void *)memory, pages * PAGE) != pages * PAGE)
		raw__leave(1);
}

static void kernel_copy(void)
{
	volatile char *memory = map_anonymous();

	write_pages(memory);
	in_child(read_zeroes, memory);
}

static void file_write(void)
{
	write_pages(map(MAP_PRIVATE, make_file()));
}

static void file_read_write(void)
{
	volatile char *memory = map(MAP_PRIVATE, make_file());

	read_pages(memory);
	write_pages(memory);
}

static void zero_fill(void)
{
	write_pages(map_anonymous());
}

static void zero_page(void)
{
	volatile char *memory = map_anonymous();

	read_pages(memory);
	write_pages(memory);
}

/* It has a file, but its pages are anonymous ones. */
static void dev_zero(void)
{
	volatile char *memory = map(MAP_PRIVATE, open("/dev/zero", O_RDWR));

	read_pages(memory);
	write_pages(memory);
}

/* The memory is an ordinary one again when the last fault goes on. */
static void serve_pages(int fd, volatile char *memory)
{
	static const char page[SAMPLE_PAGE_MOST] __attribute__((aligned(SAMPLE_PAGE_MOST))) = {1};
	volatile struct uffd_message message;

	message.address = page[0]; /* both are touched before the kernel does */
	for (long i = 0; i < pages; i++) {
		if (raw(NR_read, fd, (long)&message, sizeof(message)) != sizeof(message))
			raw__leave(1);
		if (raw(NR_ioctl, fd, (long)uffdio_copy,
			(long)(unsigned long[]){message.address & -PAGE, (long)page, PAGE,
						i + 1 == pages ? UFFD_DONTWAKE : 0, 0}))
			raw__leave(1);
	}
	raw__leave(raw(NR_ioctl, fd, (long)uffdio_unregister,
		       (long)(unsigned long[]){(unsigned long)memory, SIZE}) != 0);
}

/* Pages that another process puts there while the fault waits for it: nobody maps the zero page. */
static void userfault(void)
{
	volatile char *memory = map_anonymous();
	int fd = (int)raw(NR_userfaultfd, O_CLOEXEC, 0, 0);
	long pid;

	if (fd < 0)
		sample__skip("faultclasses: userfaultfd is not allowed here\n");
	if (raw(NR_ioctl, fd, (long)uffdio_api, (long)(unsigned long[]){UFFD_VERSION, 0, 0}) ||
	    raw(NR_ioctl, fd, (long)uffdio_register,
		(long)(unsigned long[]){(unsigned long)memory, SIZE, UFFD_MISSING, 0}))
		sample__fail("faultclasses: cannot use userfaultfd\n");
	pid = raw__fork();
	if (pid == 0)
		serve_pages(fd, memory);
	read_pages(memory);
	raw4(NR_wait4, pid, 0, 0, 0);
}

/* Strings that execve reads from memory that nobody has touched; then that memory is gone. */
static void exec_strings(void)
{
	static char *strings[MOST + 6] = {"faultclasses", "-c", "zero_fill", "-t", "0"};
	static char *environment[] = {NULL};
	char *memory = (char *)map_anonymous();
	long pid;

	for (long i = 0; i < MOST; i++)
		strings[5 + i] = i < pages ? memory + i * PAGE : "";
	pid = raw__fork();
	if (pid == 0) {
		raw(NR_execve, (long)"/proc/self/exe", (long)strings, (long)environment);
		raw__leave(1);
	}
	raw4(NR_wait4, pid, 0, 0, 0);
}

/* Of a pool that the kernel fills on demand; not of this process's count. One of 2 MiB for each page. */
static void huge_pool(void)
{
	char *memory = mmap(NULL, MOST * (long)HUGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | HUGETLB, -1, 0);
	long pid;

	if (memory == MAP_FAILED)
		sample__skip("faultclasses: this kernel has no hugetlbfs\n");
	for (int round = 0; round < 2; round++) {
		pid = round ? raw__fork() : 0;
		for (long i = 0; i < pages && pid == 0; i++)
			((volatile char *)memory)[i * HUGE] = 1;
		if (round && pid == 0)
			raw__leave(0);
	}
	raw4(NR_wait4, pid, 0, 0, 0);
}

static int is_huge_file(void)
{
	static char smaps[1 << 16];
	long length = 0, more;
	int fd = open("/proc/self/smaps", O_RDONLY);

	while ((more = read(fd, smaps + length, sizeof(smaps) - 1 - length)) > 0)
		length += more;
	close(fd);
	return strstr(smaps, "FilePmdMapped:      2048 kB") != NULL;
}

/* A page of a file that is read as one huge page and then written to, which the file system is told. */
static void huge_file(void)
{
	char *around = mmap(NULL, 2 * HUGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	volatile char *memory = around + HUGE - (unsigned long)around % HUGE;
	void *contents = memset((void *)map_anonymous(), 1, SIZE);
	int fd = make_file();

	/* Written in one piece it may be one in the page cache. */
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET) ||
	    write(fd, contents, SIZE) != SIZE || fsync(fd) ||
	    mmap((void *)memory, HUGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
		    MAP_FAILED)
		sample__fail("faultclasses: cannot map the file\n");
	madvise((void *)memory, HUGE, MADV_HUGEPAGE);
	(void)memory[0];
	if (!is_huge_file())
		sample__skip("faultclasses: this file system has no huge pages\n");
	write_pages(memory);
}

static void wipe_on_fork(void)
{
	volatile char *memory = map_anonymous();

	if (madvise((void *)memory, SIZE, WIPEONFORK))
		sample__skip("faultclasses: this kernel has no MADV_WIPEONFORK\n");
	write_pages(memory);
	in_child(write_pages, memory);
}

static void shared_write(void)
{
	volatile char *memory = map(MAP_SHARED, make_file());

	read_pages(memory);
	write_pages(memory);
}

/*
 * Another mapping at the same address, of the same size: what is known of the first one says nothing of
 * it. Its neighbours cannot be joined with it, so that the number of mappings stays the same as well.
 */
static void replaced(void)
{
	char *around = mmap(NULL, SIZE + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	volatile char *memory;
	int fd = make_file();

	if (around == MAP_FAILED)
		sample__fail("faultclasses: cannot map memory\n");
	memory = map_at(around + PAGE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1);
	write_pages(memory);
	in_child(NULL, memory);
	write_pages(memory);
	map_at(around + PAGE, MAP_SHARED | MAP_FIXED, fd);
	read_pages(memory);
	write_pages(memory);
}

static void shared_anonymous(void)
{
	write_pages(map(MAP_SHARED | MAP_ANONYMOUS, -1));
}

static void memfd(void)
{
	int fd = (int)raw(NR_memfd_create, (long)"forktax-sample", 0, 0);

	if (fd < 0 || ftruncate(fd, SIZE))
		sample__fail("faultclasses: cannot make a memfd\n");
	write_pages(map(MAP_SHARED, fd));
}

static void populate(void)
{
	if (pages && mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | POPULATE, -1, 0) == MAP_FAILED)
		sample__fail("faultclasses: cannot map memory\n");
}

/* One aligned huge page: filled by one fault, and split when a child writes to it. */
static void huge(void)
{
	char *memory = mmap(NULL, 2 * HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);

	if (memory == MAP_FAILED)
		sample__fail("faultclasses: cannot map memory\n");
	memory += HUGE - (unsigned long)memory % HUGE;
	if (madvise(memory, HUGE, MADV_HUGEPAGE))
		sample__skip("faultclasses: this kernel has no huge pages\n");
	write_pages(memory);
	in_child(write_pages, memory);
}

/* What a case adds to each class, per page; opt_in: only with -c. */
static const struct fault_case {
	const char *name;
	void (*provoke)(void);
	long forks, execs;
	int on_file, opt_in;
	struct expect_faults adds[3];
} cases[] = {
	{"cow_copy", cow_copy, 1, .adds = {{"cow_copy", 1}, {"zero_fill", 1}}},
	{"cow_reuse", cow_reuse, 1, .adds = {{"cow_reuse", 1}, {"zero_fill", 1}}},
	{"killed", killed, 1, .opt_in = 1, .adds = {{"cow_copy", 1}, {"zero_page", 1}, {"zero_fill", 1}}},
	{"kernel_copy", kernel_copy, 1,
	 .adds = {{"cow_copy", 1}, {"zero_fill", 1}, {"kernel_mode", 1}}},
	{"file_write", file_write, .on_file = 1, .adds = {{"file_cow", 1}}},
	{"file_read_write", file_read_write, .on_file = 1, .adds = {{"file_cow", 1}}},
	{"zero_fill", zero_fill, .adds = {{"zero_fill", 1}}},
	{"zero_page", zero_page, .adds = {{"zero_page", 1}, {"zero_fill", 1}}},
	{"dev_zero", dev_zero, .adds = {{"zero_page", 1}, {"zero_fill", 1}}},
	{"userfault", userfault, 1, .opt_in = 1, .adds = {{"other", 1}}},
	{"exec_strings", exec_strings, 1, 1, .opt_in = 1,
	 .adds = {{"zero_page", 1}, {"kernel_mode", 1}}},
	{"huge_pool", huge_pool, 1, .opt_in = 1, .adds = {{"other", 2}}},
	{"huge_file", huge_file, .on_file = 1, .opt_in = 1, .adds = {{"shared_write", 1, .exact = 1}}},
	{"access_flag", access_flag, 1, .opt_in = 1, .adds = {{"zero_fill", 1}, {"access_flag", 1, .exact = 1}}},
	{"wipe_on_fork", wipe_on_fork, 1, .adds = {{"zero_fill", 2}}},
	{"shared_write", shared_write, .on_file = 1, .adds = {{"shared_write", 1, .exact = 1}}},
	{"replaced", replaced, 1, .on_file = 1,
	 .adds = {{"cow_reuse", 1}, {"zero_fill", 1}, {"shared_write", 1, .exact = 1}}},
	{"shared_anonymous", shared_anonymous, .adds = {{"shmem", 1, .exact = 1}}},
	{"memfd", memfd, .adds = {{"shmem", 1, .exact = 1}}},
	{"populate", populate, .adds = {{"unattributed", 1}}},
	{"huge", huge, 1, .opt_in = 1},
};

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static int is_wanted(const struct fault_case *one, const char *only)
{
	return only ? strcmp(one->name, only) == 0 : !one->opt_in;
}

static void expect_faults(struct expectation *expect, const struct expect_faults *adds)
{
	struct expect_faults *sum = expect->faults;

	while (sum->class && strcmp(sum->class, adds->class) != 0)
		sum++;
	sum->class = adds->class;
	sum->min += adds->min * pages;
	sum->exact = adds->exact;
}

static int expect(const char *only)
{
	struct expectation expect = {.execs = 1};

	for (int i = 0; i < CASES; i++) {
		if (!is_wanted(&cases[i], only))
			continue;
		expect.forks += cases[i].forks;
		expect.execs += cases[i].execs;
		for (int j = 0; j < 3 && cases[i].adds[j].class; j++)
			if (strcmp(cases[i].adds[j].class, "access_flag") != 0 || has_access_flag_faults())
				expect_faults(&expect, &cases[i].adds[j]);
	}
	if (expect.forks)
		expect.children[0] = (struct expect_children){.birth = "fork", .count = expect.forks};
	return sample__expect(&expect);
}

/* Pages of tmpfs are shared memory: what this sample says of files does not hold for them. */
static void check_directory(void)
{
	struct statfs fs;

	if (statfs(directory, &fs))
		sample__fail("faultclasses: no such directory; use -d\n");
	if (fs.f_type == TMPFS_MAGIC)
		sample__skip("faultclasses: the directory is on tmpfs; use -d\n");
}

int main(int argc, char **argv)
{
	int expecting = sample__expecting(&argc, &argv);
	const char *only = NULL;
	int option, found = 0;

	while ((option = getopt(argc, argv, "c:t:d:")) != -1) {
		if (option == 'c')
			only = optarg;
		else if (option == 't')
			pages = sample__number(optarg);
		else if (option == 'd')
			directory = optarg;
		else
			return 2;
	}
	if (pages > MOST)
		sample__end(2, "faultclasses: at most 512 pages\n");
	if (expecting)
		return expect(only);
	for (int i = 0; i < CASES; i++) {
		if (!is_wanted(&cases[i], only))
			continue;
		if (cases[i].on_file)
			check_directory();
		cases[i].provoke();
		found = 1;
	}
	return found ? 0 : 2;
}
