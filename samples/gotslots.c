/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Children that are the first to call N functions of libc: linked lazily (`dynamic`), each child
 * has the dynamic linker bind exactly these, whatever the parent has called before. In the other
 * linkages they are bound before main(), or never need to be.
 *
 *	-n N	functions that each child calls (8), at most 12
 *	-p N	other functions that the parent has called before (2), at most 3
 *	-c N	children (5)
 *	-d	each child first writes to .data, on the page where the GOT ends
 *	-f	each child then has a child of its own, which binds nothing, and binds the rest after that
 *
 * What children do besides are raw system calls. The functions are those that neither libc nor
 * the start of a program calls.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

enum { OF_CHILD = 12, OF_PARENT = 3 };

static volatile int data = 1;

static const char *names[OF_CHILD + 1] = {
	"lrand48", "mrand48", "jrand48", "nrand48", "drand48", "erand48",
	"rand", "ldiv", "lldiv", "imaxdiv", "strsep", "strtok",
};

/*
 * The functions of `names`, in their order. No result is kept in memory: the child writes to
 * nothing but its stack before the dynamic linker writes to the GOT, unless -d asks for it.
 */
static void call(long which)
{
	unsigned short state[3] = {1, 2, 3};
	char text[] = "a b", *rest = text;

	switch (which) {
	case 0:
		lrand48();
		break;
	case 1:
		mrand48();
		break;
	case 2:
		jrand48(state);
		break;
	case 3:
		nrand48(state);
		break;
	case 4:
		drand48();
		break;
	case 5:
		erand48(state);
		break;
	case 6:
		rand();
		break;
	case 7:
		__asm__ volatile("" : : "r"(ldiv(7, which).quot));
		break;
	case 8:
		__asm__ volatile("" : : "r"(lldiv(7, which).quot));
		break;
	case 9:
		__asm__ volatile("" : : "r"(imaxdiv(7, which).quot));
		break;
	case 10:
		strsep(&rest, " ");
		break;
	default:
		strtok(text, " ");
	}
}

static void call_in_parent(long which)
{
	unsigned short state[7] = {1, 2, 3, 4, 5, 6, 7};

	if (which == 0)
		srand48(1);
	else if (which == 1)
		seed48(state);
	else
		lcong48(state);
}

static long create(void)
{
	long pid = raw__fork();

	if (pid < 0)
		sample__fail("gotslots: cannot create a child\n");
	return pid;
}

static void create_grandchild(void)
{
	long pid = create();

	if (pid == 0)
		raw__leave(0);
	raw__wait(pid);
}

static void create_child(long calls, int writes, int forks)
{
	long pid = create();

	if (pid == 0) {
		if (writes)
			data = 2;
		for (long i = 0; i < calls; i++) {
			if (forks && i == calls / 2)
				create_grandchild();
			call(i);
		}
		raw__leave(0);
	}
	raw__wait(pid);
}

int main(int argc, char **argv)
{
	int option, expecting = sample__expecting(&argc, &argv), writes = 0, forks = 0;
	long of_child = 8, of_parent = 2, children = 5;

	while ((option = getopt(argc, argv, "n:p:c:df")) != -1) {
		if (option == 'n')
			of_child = sample__number(optarg);
		else if (option == 'p')
			of_parent = sample__number(optarg);
		else if (option == 'c')
			children = sample__number(optarg);
		else if (option == 'd')
			writes = 1;
		else if (option == 'f')
			forks = 1;
		else
			return 2;
	}
	if (of_child > OF_CHILD || of_parent > OF_PARENT)
		sample__end(2, "gotslots: at most 12 functions of the child, 3 of the parent\n");
	if (expecting) {
		names[of_child] = NULL;
		return sample__expect(&(struct expectation){
			.forks = forks ? 2 * children : children,
			.execs = 1,
			.children = {{"fork", children}, {"fork", forks ? children : 0}},
			.bound = names,
		});
	}
	for (long i = 0; i < of_parent; i++)
		call_in_parent(i);
	for (long n = 0; n < children; n++)
		create_child(of_child, writes, forks);
	return 0;
}
