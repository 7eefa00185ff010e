/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * io_uring: each child has the kernel's workers read a file into memory that it never touches itself.
 * What they fault in belongs to the process.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include "sample.h"

enum { PAGE = 4096, PAGES = 16, CHILDREN = 3 };
enum { NR_io_uring_setup = 425, NR_io_uring_enter = 426, GETEVENTS = 1, READ = 22, ASYNC = 16 };
enum { OFFSET_OF_RING = 0, OFFSET_OF_REQUESTS = 0x10000000 };

/* As of Linux 5.6: struct io_uring_params, and struct io_uring_sqe as far as it is used. */
struct parameters {
	unsigned int entries, completions, unused[8];
	struct {
		unsigned int head, tail, mask, entries, flags, dropped, array, rest[3];
	} ring;
	unsigned int completion_ring[10];
};

struct request {
	unsigned char code, flags;
	unsigned short priority;
	int fd;
	unsigned long offset, address;
	unsigned int length, rest[9];
};

static void *map(int fd, long size, long offset)
{
	int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED | MAP_POPULATE;
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, offset);

	if (memory == MAP_FAILED)
		sample__fail("iouring: cannot map memory\n");
	return memory;
}

static void read_by_workers(int fd)
{
	struct parameters parameters = {0};
	int ring = (int)raw(NR_io_uring_setup, PAGES, (long)&parameters, 0);
	char *control = map(ring, parameters.ring.array + PAGES * sizeof(int), OFFSET_OF_RING);
	struct request *requests = map(ring, PAGES * sizeof(*requests), OFFSET_OF_REQUESTS);
	unsigned int *order = (unsigned int *)(control + parameters.ring.array);
	char *memory = map(-1, PAGES * PAGE, 0);

	madvise(memory, PAGES * PAGE, MADV_NOHUGEPAGE);
	for (unsigned int i = 0; i < PAGES; i++) {
		requests[i] = (struct request){.code = READ, .flags = ASYNC, .fd = fd, .length = PAGE,
					       .address = (unsigned long)memory + i * PAGE};
		order[i] = i;
	}
	__atomic_store_n((unsigned int *)(control + parameters.ring.tail), PAGES, __ATOMIC_RELEASE);
	raw4(NR_io_uring_enter, ring, PAGES, PAGES, GETEVENTS);
}

int main(int argc, char **argv)
{
	struct parameters probe = {0};
	int fd;

	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = CHILDREN,
			.execs = 1,
			.calls = {{"io_uring_setup", CHILDREN + 1, .of_root = 1},
				  {"io_uring_enter", CHILDREN}},
			.faults = {{"zero_fill", CHILDREN * PAGES}, {"kernel_mode", CHILDREN * PAGES}},
			.children = {{"fork", CHILDREN}},
		});
	if (raw(NR_io_uring_setup, 1, (long)&probe, 0) < 0)
		sample__skip("iouring: not in this kernel, or not allowed\n");
	fd = open("/proc/self/exe", O_RDONLY);
	for (int i = 0; i < CHILDREN; i++) {
		long pid = raw__fork();

		if (pid == 0) {
			read_by_workers(fd);
			raw__leave(0);
		}
		raw__wait(pid);
	}
	return 0;
}
