/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Page faults at places that are known beforehand: N pages each of .data, .bss, heap, stack, TLS,
 * an anonymous mapping, a file and a memfd; in the command itself, in forked children, and in the
 * parent of one. The children are made by raw calls: libc does nothing in them.
 *
 *	-t N	pages (16), at most 32; of TLS one, unless N is 0
 *	-d DIR	where the file is made, and removed (/var/tmp)
 *	-m	only memory: without the file, where DIR can only be on tmpfs
 *
 * Everything is mapped at its full size whatever -t is, so that two runs differ in nothing but the
 * pages touched.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/vfs.h>

#include "sample.h"

/* Of the kernel that this is built for. */
#ifndef PAGE_BYTES
#define PAGE_BYTES 4096
#endif
enum { PAGE = PAGE_BYTES, MOST = 32, SIZE = MOST * PAGE, GUARD = 4 * PAGE, TMPFS_MAGIC = 0x01021994 };
enum { PRIVATE_AT = 3 * PAGE, SHARED_AT = 40 * PAGE, FIRST_AT = 80 * PAGE, SECOND_AT = 113 * PAGE };
enum { FILE_PAGES = 160, TLS_BYTES = 4096 }; /* so little is near the thread pointer whatever the size of a page is */

static long pages = 16;
static const char *directory = "/var/tmp";
static int memory_only;

static volatile char data_pages[SIZE] __attribute__((aligned(PAGE))) = {1};
static volatile char bss_pages[SIZE] __attribute__((aligned(PAGE)));
#ifndef __dietlibc__ /* which puts TLS on the stack */
static __thread volatile char tls_bytes[TLS_BYTES] __attribute__((aligned(TLS_BYTES)));
#endif

/* By the linker: the program itself, which begins with its ELF header. */
extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));

static void write_pages(volatile char *memory)
{
	for (long page = 0; page < pages; page++)
		memory[page * PAGE] = 1;
}

/* Pages behind each other in a mapping of their own, with nothing near. */
static volatile char *map_alone(void)
{
	char *memory = mmap(NULL, SIZE + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || mprotect(memory + GUARD, SIZE, PROT_READ | PROT_WRITE))
		sample__fail("faultplaces: cannot map memory\n");
	madvise(memory + GUARD, SIZE, MADV_NOHUGEPAGE);
	return memory + GUARD;
}

static volatile char *map_file(int flags, int fd, long offset)
{
	void *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, fd, offset);

	if (memory == MAP_FAILED)
		sample__fail("faultplaces: cannot map a file\n");
	return memory;
}

/* The parent writes nothing, not even to its stack, until the child is gone: see faultclasses.c. */
static void in_child(void (*work)(volatile char *), volatile char *memory)
{
	long pid = raw__fork();

	if (pid > 0)
		raw4(NR_wait4, pid, 0, 0, 0);
	if (pid < 0)
		sample__fail("faultplaces: cannot create a child\n");
	if (pid == 0) {
		work(memory);
		raw__leave(0);
	}
}

static void copy_in_child(volatile char *memory)
{
	write_pages(memory);
	in_child(write_pages, memory);
}

static void data(void)
{
	copy_in_child(data_pages);
}

static void bss(void)
{
	copy_in_child(bss_pages);
}

static void heap(void)
{
	unsigned long start = (raw(NR_brk, 0, 0, 0) + PAGE - 1) & -PAGE;

	if ((unsigned long)raw(NR_brk, start + SIZE, 0, 0) != start + SIZE)
		sample__fail("faultplaces: cannot extend the heap\n");
	copy_in_child((volatile char *)start);
}

static __attribute__((noinline)) void stack(void)
{
	volatile char frame[SIZE] __attribute__((aligned(PAGE)));

	copy_in_child(frame);
}

#ifndef __dietlibc__
static void write_tls(volatile char *bytes)
{
	if (pages)
		*bytes = 1;
}

/* Some libcs clear it before main(), others do not: written here in any case. */
static void tls(void)
{
	*tls_bytes = 1;
	in_child(write_tls, tls_bytes);
}
#endif

static void anonymous(void)
{
	copy_in_child(map_alone());
}

static void fill(void)
{
	in_child(write_pages, map_alone());
}

static int zero_device;

/* With no pages, too, so that two runs read the same variables: where a fork makes entries old, a read is a fault. */
static void read_zeroes(volatile char *memory)
{
	if (raw(NR_read, zero_device, (long)memory, pages * PAGE) != pages * PAGE)
		raw__leave(1);
}

static void kernel(void)
{
	volatile char *memory = map_alone();

	zero_device = open("/dev/zero", O_RDONLY);
	write_pages(memory);
	in_child(read_zeroes, memory);
}

/* The child lives, and so shares the pages, until the pipe is closed. */
static void parent(void)
{
	volatile char *memory = map_alone();
	char nothing;
	int ends[2];
	long pid;

	if (pipe(ends))
		sample__fail("faultplaces: cannot make a pipe\n");
	write_pages(memory);
	pid = raw__fork();
	if (pid < 0)
		sample__fail("faultplaces: cannot create a child\n");
	if (pid == 0) {
		raw(NR_close, ends[1], 0, 0);
		raw(NR_read, ends[0], (long)&nothing, 1);
		raw__leave(0);
	}
	write_pages(memory);
	raw(NR_close, ends[1], 0, 0);
	raw4(NR_wait4, pid, 0, 0, 0);
}

/* A file in the page cache, without a name. */
static int make_file(void)
{
	static const char page[PAGE] = {1};
	char path[256] = "";
	struct statfs fs;
	int fd;

	if (strlen(directory) >= 200 || statfs(directory, &fs))
		sample__fail("faultplaces: no such directory; use -d\n");
	if (fs.f_type == TMPFS_MAGIC) /* its pages are shared memory */
		sample__skip("faultplaces: the directory is on tmpfs; use -d, or -m\n");
	fd = mkstemp(strcat(strcpy(path, directory), "/forktax-sample-XXXXXX"));
	if (fd < 0 || unlink(path))
		sample__fail("faultplaces: cannot make a file; use -d\n");
	for (int i = 0; i < FILE_PAGES; i++)
		if (write(fd, page, PAGE) != PAGE)
			sample__fail("faultplaces: cannot fill the file; use -d\n");
	return fd;
}

/* Two mappings at the same address, one after the other: the number of mappings does not show that. */
static void replaced(int fd)
{
	volatile char *memory = map_alone();

	for (long offset = FIRST_AT; offset <= SECOND_AT; offset += SECOND_AT - FIRST_AT) {
		if (mmap((void *)memory, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
			 offset) == MAP_FAILED)
			sample__fail("faultplaces: cannot map a file\n");
		write_pages(memory);
	}
}

static void file(void)
{
	int fd = make_file();

	in_child(write_pages, map_file(MAP_PRIVATE, fd, PRIVATE_AT));
	in_child(write_pages, map_file(MAP_SHARED, fd, SHARED_AT));
	replaced(fd);
}

static void memfd(void)
{
	int fd = (int)raw(NR_memfd_create, (long)"forktax-sample", 0, 0);

	if (fd < 0 || ftruncate(fd, SIZE))
		sample__fail("faultplaces: cannot make a memfd\n");
	in_child(write_pages, map_file(MAP_SHARED, fd, 0));
}

/* Where an address of the program itself lies in its file, .bss continuing the mapping before. */
static long file_offset(const volatile void *address)
{
	const char *base = (const char *)&__ehdr_start;
	const Elf64_Phdr *header = (const void *)(base + __ehdr_start.e_phoff);
	unsigned long linked_at = 0;
	long offset = NOT_KNOWN;

	for (int i = __ehdr_start.e_phnum - 1; i >= 0; i--)
		if (header[i].p_type == PT_LOAD && !header[i].p_offset)
			linked_at = header[i].p_vaddr;
	linked_at += (const char *)address - base;
	for (int i = 0; i < __ehdr_start.e_phnum; i++)
		if (header[i].p_type == PT_LOAD && linked_at >= header[i].p_vaddr &&
		    linked_at < header[i].p_vaddr + header[i].p_memsz)
			offset = (long)(header[i].p_offset + linked_at - header[i].p_vaddr);
	return offset;
}

static struct expectation expected = {.execs = 1};

static void expect_place(struct expect_places place)
{
	struct expect_places *last = expected.places;

	while (last->place)
		last++;
	*last = place;
}

/* Pages that the command has written before its child did. */
static void expect_copies(struct expect_places place, const char *first_class)
{
	place.actor = "program";
	place.phase = "exec";
	place.class = first_class;
	expect_place(place);
	place.phase = "child";
	place.class = "cow_copy";
	expect_place(place);
	expected.forks++;
}

#ifndef __dietlibc__
static void expect_tls(void)
{
	const unsigned long thread = raw__thread_pointer();
	struct expect_places place = {.phase = "child", .actor = "program", .class = "cow_copy",
				      .place = "tls", .count = pages ? 1 : 0};

	place.offset = (long)tls_bytes - (long)(thread & -PAGE);
	expect_place(place);
	expected.forks++;
}
#endif

static void expect_memory(void)
{
	struct expect_places place = {.place = "anon", .actor = "program", .count = pages};

	expect_copies(place, "zero_fill"); /* anonymous */
	place.phase = "child";
	place.class = "zero_fill";
	expect_place(place); /* fill */
	place.phase = "exec";
	expect_place(place); /* kernel, which then copies: */
	expect_place(place); /* parent, the same: */
	place.class = "cow_copy";
	place.phase = "parent";
	expect_place(place);
	place.phase = "child";
	place.actor = "kernel";
	place.call = "read";
	expect_place(place);
	expected.forks += 3;
}

static void expect_files(void)
{
	struct expect_places place = {
		.phase = "child", .actor = "program", .place = "file", .count = pages};

	place.object = "memfd";
	place.class = "shmem";
	expect_place(place);
	expected.forks++;
	if (memory_only)
		return;
	place.object = "file";
	place.class = "file_cow";
	place.offset = PRIVATE_AT;
	expect_place(place);
	place.class = "file_map"; /* a write at once to a page of a shared file */
	place.offset = SHARED_AT;
	expect_place(place);
	expected.forks += 2;
	place.phase = "exec";
	place.offset = FIRST_AT;
	expect_place(place);
	place.offset = SECOND_AT;
	expect_place(place);
}

static int expect(void)
{
	expect_copies((struct expect_places){.place = "file", .object = "self", .symbol = "data_pages",
					     .offset = file_offset(data_pages), .count = pages},
		      "file_cow");
	expect_copies((struct expect_places){.place = "bss", .object = "self", .symbol = "bss_pages",
					     .offset = file_offset(bss_pages), .count = pages},
		      "zero_fill");
	expect_copies((struct expect_places){.place = "heap", .offset = NOT_KNOWN, .count = pages},
		      "zero_fill");
	expect_copies((struct expect_places){.place = "stack", .offset = NOT_KNOWN, .count = pages},
		      "zero_fill");
#ifndef __dietlibc__
	expect_tls();
#endif
	expect_memory();
	expect_files();
	expected.children[0] = (struct expect_children){.birth = "fork", .count = expected.forks};
	return sample__expect(&expected);
}

int main(int argc, char **argv)
{
	int option, expecting = sample__expecting(&argc, &argv);

	while ((option = getopt(argc, argv, "t:d:m")) != -1) {
		if (option == 't')
			pages = sample__number(optarg);
		else if (option == 'd')
			directory = optarg;
		else if (option == 'm')
			memory_only = 1;
		else
			return 2;
	}
	if (pages > MOST)
		sample__end(2, "faultplaces: at most 32 pages\n");
	if (expecting)
		return expect();
	data();
	bss();
	heap();
	stack();
#ifndef __dietlibc__
	tls();
#endif
	anonymous();
	fill();
	kernel();
	parent();
	memfd();
	if (!memory_only)
		file();
	return 0;
}
