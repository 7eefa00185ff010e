/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What stands in a run for what is not there.
 */
#ifndef FORKTAX_MODEL_ABSENT_H
#define FORKTAX_MODEL_ABSENT_H

#include <stdint.h>

/* A count that was not taken, for a value that is allowed to be absent. Saved as null. */
#define ABSENT UINT64_MAX

/* Instead of an index into run.exes, run.groups (of roots), run.anatomy.objects. */
#define NO_EXE	  UINT32_MAX
#define NO_GROUP  UINT32_MAX
#define NO_OBJECT UINT32_MAX

#endif
