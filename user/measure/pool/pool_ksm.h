/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Same-page merging of the machine (/sys/kernel/mm/ksm), switched on for a while and restored.
 */
#ifndef FORKTAX_MEASURE_POOL_POOL_KSM_H
#define FORKTAX_MEASURE_POOL_POOL_KSM_H

#include <stdbool.h>
#include <stdint.h>

struct interrupt; /* interrupt.h */

/* As it was. */
struct pool_ksm {
	int64_t run, pages_to_scan, sleep_millisecs, smart_scan; /* -1: this kernel does not have it */
	bool had_merged; /* pages were merged already: they stay so */
	int lock; /* descriptor: no other forktax changes them meanwhile */
};

/* NULL: it can be used; else why not, to be freed. Changes nothing. */
char *pool_ksm__refusal(void);
/* Waits while another forktax is at it. 0, or -1 and a reason (to be freed): it took too long. */
int pool_ksm__remember(struct pool_ksm *ksm, struct interrupt *interrupt, char **reason);
/* Switches it on, to look at PAGES_A_SECOND pages a second at least. 0, or -1 and a reason. */
int pool_ksm__begin(const struct pool_ksm *ksm, char **reason);
enum pool_ksm_end {
	KSM_RESTS, /* more looks at all memory have merged nothing more */
	KSM_TOO_LONG, /* it goes on: ksmd gets little of the CPUs, or pages change all the time */
	KSM_SWITCHED_OFF, /* by somebody else */
};
/* Waits until it rests, or a signal comes; `most_ns` nanoseconds at most. */
enum pool_ksm_end pool_ksm__wait(struct interrupt *interrupt, double most_ns);
/* ksmd stops; what is merged stays merged. */
void pool_ksm__pause(void);
/* Restores everything. Only system calls and stdio: also for a child of a crashed forktax. */
void pool_ksm__restore(const struct pool_ksm *ksm);
void pool_ksm__release(struct pool_ksm *ksm); /* another forktax may change them again */
/* CPU time of the kernel's thread, ns; ABSENT: not known. */
uint64_t pool_ksm__cpu_ns(void);

#endif
