/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A signal that ends forktax before anything was measured is not silent.
 */
#ifndef FORKTAX_CMD_EXPLAIN_INTERRUPTED_H
#define FORKTAX_CMD_EXPLAIN_INTERRUPTED_H

#include <stdbool.h>

/* From now on they say so, and then end this process as they would; `clear`: a line of progress first. */
void interrupted__say(bool clear);
void interrupted__end(void); /* as before */

#endif
