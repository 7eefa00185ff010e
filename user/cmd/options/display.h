/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The options by which the reader of a report chooses what to see, and how: values go to a
 * struct report_options.
 */
#ifndef FORKTAX_CMD_OPTIONS_DISPLAY_H
#define FORKTAX_CMD_OPTIONS_DISPLAY_H

#include "cmd/options/row.h"
#include "report/options.h"

extern const struct option_row display_rows[];

void report_options__free(struct report_options *options); /* its contents */

#endif
