// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_process.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/procfs.h"

/* PF_FORKNOEXEC, PF_EXITING and PF_KTHREAD of sched.h */
enum { FORKED = 0x40, EXITING = 0x4, KERNEL_THREAD = 0x00200000 };

/* Reads at most size - 1 bytes, and ends them with NUL. Returns their number, or -errno. */
static ssize_t read_file(pid_t pid, const char *name, char *text, size_t size)
{
	int fd = procfs__open_fd(pid, name, O_RDONLY);
	ssize_t length, error;

	if (fd < 0)
		return -errno;
	length = read(fd, text, size - 1);
	error = errno;
	close(fd);
	text[length > 0 ? length : 0] = '\0';
	return length < 0 ? -error : length;
}

/* What threads have of their own. */
static bool read_thread(struct pool_process *process, const char *rest)
{
	unsigned int flags;

	if (!rest || sscanf(rest, " %c %*d %*d %*d %*d %*d %u", &process->state, &flags) != 2)
		return false;
	process->kernel = flags & KERNEL_THREAD;
	process->exiting = flags & EXITING;
	process->forked = flags & FORKED;
	return true;
}

bool pool_process__read(struct pool_process *process, pid_t pid)
{
	char text[1024], *rest = procfs__stat(pid, text, sizeof(text));
	const char *name = rest ? strchr(text, '(') : NULL;
	int parent;
	pid_t thread;

	if (!name)
		return false;
	*process = (struct pool_process){ .pid = pid };
	snprintf(process->name, sizeof(process->name), "%.*s", (int)(rest - 1 - name - 1), name + 1);
	/* From field 3 on (proc(5)); 22 is the start. */
	if (sscanf(rest, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
			     "%*d %" SCNu64, &parent, &process->started) != 2)
		return false;
	process->parent = parent;
	if (!read_thread(process, rest))
		return false;
	if (process->state != 'Z' && !process->exiting)
		return true;
	thread = procfs__thread(pid);
	return thread == pid || read_thread(process, procfs__stat(thread, text, sizeof(text)));
}

/* Whatever signal ends it: the kernel makes each of its threads a SIGKILL of it. */
bool pool_process__is_ending(pid_t pid)
{
	struct pool_process process;
	uint64_t pending = 0;
	char text[4096];
	const char *line;

	if (!pool_process__read(&process, pid) || process.exiting || process.state == 'Z')
		return true;
	if (read_file(pid, "status", text, sizeof(text)) <= 0)
		return true;
	line = strstr(text, "\nSigPnd:");
	return line && sscanf(line, "\nSigPnd: %" SCNx64, &pending) == 1 && pending >> (SIGKILL - 1) & 1;
}

pid_t pool_process__of_thread(pid_t tid)
{
	char text[4096];
	const char *line;
	int pid = 0;

	if (read_file(tid, "status", text, sizeof(text)) <= 0)
		return 0;
	line = strstr(text, "\nTgid:");
	return line && sscanf(line, "\nTgid: %d", &pid) == 1 ? pid : 0;
}

uint64_t pool_process__age(const struct pool_process *process)
{
	uint64_t ticks = sysconf(_SC_CLK_TCK), started;
	struct timespec now;
	uint64_t ns;

	clock_gettime(CLOCK_BOOTTIME, &now);
	ns = now.tv_sec * 1000000000ull + now.tv_nsec;
	started = process->started * (1000000000 / ticks);
	return ns > started ? ns - started : 0;
}

/* Where the vector says that the random bytes are; words are of 4 bytes in 32-bit processes. */
static uint64_t random_address(const unsigned char *vector, size_t size, size_t word)
{
	for (size_t at = 0; at + 2 * word <= size; at += 2 * word) {
		uint64_t key = 0, value = 0;

		memcpy(&key, vector + at, word);
		memcpy(&value, vector + at + word, word);
		if (key == AT_RANDOM)
			return value;
	}
	return 0;
}

static bool read_random(pid_t pid, uint64_t address, unsigned char *bytes)
{
	int fd = procfs__open_fd(pid, "mem", O_RDONLY);
	bool good = fd >= 0 && pread(fd, bytes, 16, address) == 16;

	if (fd >= 0)
		close(fd);
	return good;
}

int identity__read(struct identity *identity, pid_t pid)
{
	ssize_t size = read_file(pid, "auxv", (char *)identity->bytes, IDENTITY_MOST);
	uint64_t address;

	identity->size = 0;
	if (size == -ENOENT)
		return -ESRCH;
	if (size <= 0)
		return size ? size : -ESRCH;
	address = random_address(identity->bytes, size, 8);
	if (!address)
		address = random_address(identity->bytes, size, 4);
	identity->size = size;
	if (address && read_random(pid, address, identity->bytes + size))
		identity->size += 16;
	return 0;
}

bool identity__is_same(const struct identity *left, const struct identity *right)
{
	return left->size && left->size == right->size && !memcmp(left->bytes, right->bytes, left->size);
}
