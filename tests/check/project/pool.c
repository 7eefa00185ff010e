// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads its configuration, writes to a table, and has three children that do nothing. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096

static char table[16 * PAGE] = { 1 };

static void read_file(const char *path)
{
	char byte;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || read(fd, &byte, 1) < 0)
		exit(1);
	close(fd);
}

static void fill_table(int pages)
{
	for (int i = 0; i < pages; i++)
		table[i * PAGE]++;
}

static void child(void)
{
	if (getppid() < 0)
		abort();
	_exit(0);
}

int main(void)
{
	read_file("pool.conf");
	fill_table(2);
	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();

		if (!pid)
			child();
		waitpid(pid, NULL, 0);
	}
	return 0;
}
