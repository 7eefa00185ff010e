/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Printing a bindnow measurement the way its options ask for.
 */
#ifndef FORKTAX_CMD_BINDNOW_OUTPUT_H
#define FORKTAX_CMD_BINDNOW_OUTPUT_H

struct bindnow;
struct report_options;

/*
 * Prints it to options->path or stdout. Returns 0, EXIT_INEXACT if options->strict finds fault, or
 * EXIT_FORKTAX after a complaint.
 */
int print_bindnow(const char *name, const struct bindnow *bindnow,
		  const struct report_options *options);

#endif
