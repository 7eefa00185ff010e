/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * shortage PROCS PAGES: joins a memory cgroup by its cgroup.procs and writes to so many untouched pages,
 * each once and never again. Where the cgroup has less memory, the fault that asks for a page must first
 * take others away.
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

int main(int argc, char **argv)
{
	long pages = argc == 3 ? atol(argv[2]) : 0;
	volatile char *memory;
	int fd;

	if (argc != 3)
		errx(2, "usage: shortage PROCS PAGES");
	fd = open(argv[1], O_WRONLY);
	if (fd < 0 || write(fd, "0", 1) != 1)
		err(2, "%s", argv[1]);
	memory = mmap(NULL, (pages + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		err(2, "mmap");
	madvise((void *)memory, (pages + 1) * PAGE, MADV_NOHUGEPAGE);
	for (long page = 0; page < pages; page++)
		memory[page * PAGE] = 1;
	return 0;
}
