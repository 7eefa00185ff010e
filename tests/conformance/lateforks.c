// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lateforks OBJECT WAY: creates children without end, one after the other, in one way. Its forks are slow
 * at the place of slowfork.bpf.c, so that who attaches to it at any moment most likely attaches there.
 */
#include <bpf/libbpf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../samples/sample.h"

enum { STACK = 16 * 1024, NR_vfork = 58, I386_clone = 120, I386_vfork = 190 };

/* struct clone_args as of Linux 5.3. */
struct arguments {
	unsigned long flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
};

static char stack[STACK] __attribute__((aligned(16)));

static void leave(void *nothing)
{
	(void)nothing;
	raw__leave(0);
}

/* Of a child that has the parent's stack: what it does must not return. */
static inline __attribute__((always_inline)) void leave_child(long pid)
{
	if (pid == 0)
		raw__leave(0);
	raw__wait(pid);
}

#ifdef __x86_64__
static inline __attribute__((always_inline)) long int80(long nr, long a, long b)
{
	long result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(nr), "b"(a), "c"(b), "d"(0), "S"(0), "D"(0)
			 : "r8", "r9", "r10", "r11", "memory");
	return result;
}

/* By calls that other machines do not have. */
static bool create_of_machine(const char *way)
{
	if (!strcmp(way, "fork"))
		leave_child(raw(NR_fork, 0, 0, 0));
	else if (!strcmp(way, "vfork"))
		leave_child(raw(NR_vfork, 0, 0, 0));
	else if (!strcmp(way, "int80-vfork"))
		leave_child(int80(I386_vfork, 0, 0));
	else if (!strcmp(way, "int80-clone-vfork"))
		leave_child(int80(I386_clone, FLAG_VM | FLAG_VFORK | SIGNAL_CHILD, 0));
	else
		return false;
	return true;
}
#else
static bool create_of_machine(const char *way)
{
	return false;
}
#endif

static void create(const char *way)
{
	static struct arguments arguments;

	if (create_of_machine(way))
		return;
	if (!strcmp(way, "fork"))
		leave_child(raw__fork());
	else if (!strcmp(way, "clone"))
		raw__wait(raw__start(FLAG_VM | SIGNAL_CHILD, stack, sizeof(stack), leave, NULL));
	else if (!strcmp(way, "clone-vfork"))
		leave_child(raw4(NR_clone, FLAG_VM | FLAG_VFORK | SIGNAL_CHILD, 0, 0, 0));
	else {
		arguments.flags = FLAG_VM | FLAG_VFORK;
		arguments.exit_signal = SIGNAL_CHILD;
		leave_child(raw(NR_clone3, (long)&arguments, sizeof(arguments), 0));
	}
}

/* Stays until the process ends. */
static int slow_down(const char *path)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);
	struct bpf_map *variables;
	unsigned int self = getpid();
	size_t size;

	if (!object)
		return 0;
	variables = bpf_object__find_map_by_name(object, ".bss");
	memcpy((void *)bpf_map__initial_value(variables, &size), &self, sizeof(self));
	return !bpf_object__load(object) &&
	       bpf_program__attach(bpf_object__find_program_by_name(object, "slow_fork"));
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	if (!slow_down(argv[1])) {
		perror(argv[1]);
		return 1;
	}
	puts("ready");
	fflush(stdout);
	for (;;)
		create(argv[2]);
}
