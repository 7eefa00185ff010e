/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Numbers that are in no table: negative, large, the largest, and one with the bit of x32. Each is
 * refused with ENOSYS (on a kernel without x32), and each is a call.
 */
#include "sample.h"

enum { CALLS = 10, X32 = 0x40000000 };

/* What forktax calls a number that has the bit. */
#ifdef __x86_64__
#define WITH_X32 "getppid"
#define ABI_OF_X32 "x32"
#else
#define WITH_X32 "unknown(1073741997)"
#define ABI_OF_X32 SAMPLE_ABI
#endif

int main(int argc, char **argv)
{
	static const long numbers[] = {-5, 600, 9999, 0x7fffffff, X32 | NR_getppid};

	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.execs = 1,
			.calls = {{"unknown(-5)", CALLS, .errors = CALLS, .of_root = CALLS},
				  {"unknown(600)", CALLS, .errors = CALLS, .of_root = CALLS},
				  {"unknown(9999)", CALLS, .errors = CALLS, .of_root = CALLS},
				  {"unknown(2147483647)", CALLS, .errors = CALLS,
				   .of_root = CALLS, .abi = ABI_OF_X32}, /* the bit is set in it */
				  {WITH_X32, CALLS, .errors = CALLS, .of_root = CALLS,
				   .abi = ABI_OF_X32}},
		});
	for (unsigned long i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		raw__repeat(numbers[i], 0, CALLS);
	return 0;
}
