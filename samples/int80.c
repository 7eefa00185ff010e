/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * System calls of the other table: int 0x80 from 64-bit code means the numbers of i386.
 *
 * forktax-sample: arch=x86_64
 */
#include <signal.h>

#include "sample.h"

enum { CALLS = 15, REFUSED = 4, I386_getppid = 64, I386_getpgid = 132 };

static long int80(long nr, long argument)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(nr), "b"(argument)
			 : "r8", "r9", "r10", "r11", "memory");
	return result;
}

static void no_such_gate(int signal)
{
	(void)signal;
	sample__skip("int80: this kernel has no 32-bit system calls\n");
}

int main(int argc, char **argv)
{
	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.execs = 1,
			.calls = {{"getppid", CALLS, .of_root = CALLS, .abi = "i386"},
				  {"getpgid", REFUSED, .errors = REFUSED, .of_root = REFUSED,
				   .abi = "i386"},
				  {"getsid", CALLS, .of_root = CALLS}},
		});
	signal(SIGSEGV, no_such_gate);
	for (int i = 0; i < CALLS; i++)
		int80(I386_getppid, 0);
	for (int i = 0; i < REFUSED; i++)
		int80(I386_getpgid, -1);
	raw__repeat(NR_getsid, 0, CALLS);
	return 0;
}
