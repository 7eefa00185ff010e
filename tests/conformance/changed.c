/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Programs that differ in one thing, which `forktax compare` has to find by name. Children write to two
 * pages of .data and call one function first. Built once as it stands, and with
 *
 *	CHANGED_PAGE	a page between the two, which they write to as well
 *	CHANGED_SYMBOL	a call of mrand48(3), in children alone
 *
 * and once with one library more (CMakeLists.txt).
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, CHILDREN = 10 };

volatile char page_first[PAGE] __attribute__((aligned(PAGE))) = { 1 };
#ifdef CHANGED_PAGE
volatile char page_between[PAGE] __attribute__((aligned(PAGE))) = { 1 };
#endif
volatile char page_last[PAGE] __attribute__((aligned(PAGE))) = { 1 };

/* What the parent has made its own, children copy: a page of a file would be another class. */
__attribute__((noinline)) static void write_to_pages(char value)
{
	page_first[0] = page_last[0] = value;
#ifdef CHANGED_PAGE
	page_between[0] = value;
#endif
}

static void child(void)
{
	write_to_pages(3);
	lrand48();
#ifdef CHANGED_SYMBOL
	mrand48();
#endif
	_exit(0);
}

int main(void)
{
	write_to_pages(2);
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = fork();

		if (pid == 0)
			child();
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			return 1;
	}
	return 0;
}
