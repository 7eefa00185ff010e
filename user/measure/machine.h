/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What times on this machine depend on: model and number of CPUs, frequency governor, load,
 * virtualisation, transparent huge pages, kernel, clock source.
 */
#ifndef FORKTAX_MEASURE_MACHINE_H
#define FORKTAX_MEASURE_MACHINE_H

#include <stdint.h>

#include "model/bench/bench.h"

/* Adds bench->facts, and warns about what makes times unsteady. */
void machine__note(struct bench *bench, int cpu);
/* Bytes available without swapping (MemAvailable); 0: unknown. */
uint64_t machine__available_memory(void);

#endif
