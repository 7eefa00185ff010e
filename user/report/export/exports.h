/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A run in the forms of other tools (docs/use/exports.md). Each is a row of exports.def and a function in
 * a file of its own; all are made of what a saved run holds.
 */
#ifndef FORKTAX_REPORT_EXPORT_EXPORTS_H
#define FORKTAX_REPORT_EXPORT_EXPORTS_H

#include <stdio.h>

#include "model/run/run.h"

enum export_form {
#define EXPORT(id, name, suits, binary) EXPORT_##id,
#include "report/export/exports.def"
#undef EXPORT
	EXPORT_COUNT
};

/* Why this run cannot be had in that form, as a phrase; NULL: it can. */
const char *export__refuses(enum export_form form, const struct run *run);
/* What is written is no text. */
bool export__is_binary(enum export_form form);
/* For a run that it does not refuse. A failure is noted in the stream. */
void export__write(enum export_form form, const struct run *run, FILE *stream);

#endif
