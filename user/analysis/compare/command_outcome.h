/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a command does, as far as others see it: how it ends, and what it writes to stdout and stderr.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_COMMAND_OUTCOME_H
#define FORKTAX_ANALYSIS_COMPARE_COMMAND_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum outcome_part { OUTCOME_END, OUTCOME_STDOUT, OUTCOME_STDERR, OUTCOME_PARTS };

struct output_sum {
	uint64_t bytes, sum; /* sum: of the bytes (base/checksum.h) */
};

struct command_outcome {
	int status, signal; /* the first run; status: -1 if a signal ended it */
	struct output_sum written[2]; /* to stdout and stderr */
	bool varies[OUTCOME_PARTS]; /* from run to run of this command */
};

/* Does this part of the first runs differ? */
bool command_outcome__part_differs(const struct command_outcome *one, const struct command_outcome *other,
				   enum outcome_part part);
/* Does it, and has not been seen to vary by itself? */
bool command_outcome__part_always_differs(const struct command_outcome *one, const struct command_outcome *other,
					  enum outcome_part part);
/* Is there such a part? */
bool command_outcome__differs(const struct command_outcome *one, const struct command_outcome *other);
/* One more run of the same command: what differs, varies. */
void command_outcome__note_differences(struct command_outcome *first, const struct command_outcome *again);

#endif
