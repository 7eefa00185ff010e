/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The times of a log, whichever option of strace wrote them, as nanoseconds since its first line.
 */
#ifndef FORKTAX_SOURCE_STRACE_LOG_CLOCK_H
#define FORKTAX_SOURCE_STRACE_LOG_CLOCK_H

#include <stdint.h>

#include "source/strace/log_line.h"

struct log_clock {
	enum line_clock kind; /* of the lines; CLOCK_NONE: none had a time so far */
	uint64_t first_ns; /* as it stands in the first line with a time */
	uint64_t last_ns; /* of the line before, as it stands there */
	uint64_t days_ns; /* midnights that passed */
	uint64_t now_ns;
};

/*
 * The time of a line since the first; that of the line before, if it has none or whole seconds only.
 * Never less than that: clocks may be set back.
 */
uint64_t log_clock__read(struct log_clock *clock, const struct log_line *line);

#endif
