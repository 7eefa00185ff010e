/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A process that forks as cheaply as a process can: of all that forktax has mapped it holds this
 * executable, the stack, the page of the thread pointer and what is shared, as a static program
 * does. So the cost of its forks is that of fork, not of the libraries that forktax happens to use.
 */
#ifndef FORKTAX_CALIBRATE_SLIM_H
#define FORKTAX_CALIBRATE_SLIM_H

#include <stdbool.h>

/*
 * Keeps the rest out of all children from now on; a child made then is slim. There is no C library
 * in it: it may use raw.h, and functions and data of this executable. False: the mappings could not
 * be read. For a process of its own, as there is no way back.
 */
bool slim__down(void);

#endif
