/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Touches memory while its own stack is sampled, as profilers do: an interrupt follows the frame
 * pointer in the middle of faults. It leads to a page that is not there, so the interrupt has a
 * fault of its own, which is dropped. The faults that it interrupts stay what they are.
 */
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "sample.h"

enum { PAGE = 4096, PAGES = 2048, ROUNDS = 20, EVERY_NS = 200000 };
enum { SOFTWARE = 1, CPU_CLOCK = 0, CALLCHAIN = 1 << 5 };
enum { EXCLUDE_CALLCHAIN_KERNEL = 1 << 21 };

/* The first version of struct perf_event_attr; not every libc brings the headers of the kernel. */
struct sampling {
	unsigned int type, size;
	unsigned long config, period, sample, read_format, flags;
	unsigned int wakeup, breakpoint;
	unsigned long address;
};

static int start_sampling(void)
{
	struct sampling sampling = {
		.type = SOFTWARE,
		.size = sizeof(sampling),
		.config = CPU_CLOCK,
		.period = EVERY_NS,
		.sample = CALLCHAIN,
		.flags = EXCLUDE_CALLCHAIN_KERNEL,
	};

	return (int)raw4(NR_perf_event_open, (long)&sampling, 0, -1, -1);
}

/* Writes all pages with a frame pointer that leads nowhere. */
static void touch(volatile char *memory, const char *nowhere)
{
	volatile char *end = memory + PAGES * PAGE;

	raw__touch_without_frame(memory, end, PAGE, nowhere);
}

int main(int argc, char **argv)
{
	char *memory;

	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.execs = 1,
			.faults = {{"zero_fill", ROUNDS * PAGES}},
		});
	if (start_sampling() < 0)
		sample__skip("profiled: this kernel or these privileges allow no sampling\n");
	memory = mmap(NULL, (PAGES + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	if (memory == MAP_FAILED)
		sample__fail("profiled: no memory\n");
	madvise(memory, (PAGES + 1) * PAGE, MADV_NOHUGEPAGE);
	for (int round = 0; round < ROUNDS; round++) {
		touch(memory, memory + PAGES * PAGE);
		madvise(memory, PAGES * PAGE, MADV_DONTNEED);
	}
	return 0;
}
