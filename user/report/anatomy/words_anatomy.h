/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How reports word the anatomy of a run (model/anatomy/anatomy.h). All results are to be freed. `full`:
 * whole paths, for machines.
 */
#ifndef FORKTAX_REPORT_ANATOMY_WORDS_ANATOMY_H
#define FORKTAX_REPORT_ANATOMY_WORDS_ANATOMY_H

#include "model/words/names.h"
#include "model/run/run.h"
#include "model/stacks/stacks.h"

/*
 * "libc.so.6 .bss __fork_generation", "prog .got.plt _exit@got", "heap +0x2a0"; with "..." if other
 * places of the page faulted, too.
 */
char *words__place(const struct run *run, const struct place *place);
/* Whose code it was: "fork+0x56", "in clone"; "" if the target says it already. */
char *words__code(const struct run *run, const struct anatomy_row *row);
/* The same of the faults of a row that have this stack: other code of the page may have taken the others. */
char *words__code_in(const struct run *run, const struct anatomy_row *row, const struct call_stack *stack);
/*
 * A frame of a call stack: "PyObject_Free+0x1d (libpython3.11.so.1.0)"; of no file: what the process calls it. One
 * that is not proven begins with "? ", as in the kernel's own stack traces.
 */
char *words__frame(const struct run *run, const struct call_stack *stack, size_t depth);

/* Why faults that the kernel has counted are in no row. */
extern const char words__why_missed[], words__why_beyond[], words__why_unsampled[];

#endif
