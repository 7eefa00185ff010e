/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Values in a run that mean "not there".
 */
#ifndef FORKTAX_MODEL_ROWS_ABSENT_H
#define FORKTAX_MODEL_ROWS_ABSENT_H

#include <stdint.h>

/* A count that was not taken, where a value may be absent. Saved as null. */
#define ABSENT UINT64_MAX

/* No index into run.exes, run.groups (for roots), run.anatomy.objects. */
#define NO_EXE	  UINT32_MAX
#define NO_GROUP  UINT32_MAX
#define NO_OBJECT UINT32_MAX

#endif
