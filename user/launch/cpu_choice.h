/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The CPU that a bench runs on. It is pinned by default: parent and child then take turns on one
 * CPU, as on the machines of the old tables, and no migration disturbs a round.
 */
#ifndef FORKTAX_LAUNCH_CPU_CHOICE_H
#define FORKTAX_LAUNCH_CPU_CHOICE_H

enum { CPU_ANY = -1 };

/* The last CPU that we may use (the first ones serve most interrupts); CPU_ANY: unknown. */
int cpu_choice__default(void);
/* Pins this process and all it starts; CPU_ANY pins nothing. Returns 0, or -1 with errno. */
int cpu_choice__pin(int cpu);

#endif
