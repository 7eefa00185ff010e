// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/options/sets.h"

#include "cmd/commands.h"
#include "cmd/options/types.h"
#include "source/source.h"

#define ROUNDS(member) FIELD(struct rounds, member)

const struct option_row rounds_rows[] = {
	OPTION('n', "runs", "N", &option_count, ROUNDS(timed),
	       "timed, untraced runs of each (default 10)", .commands = FOR_COMPARE | FOR_BINDNOW,
	       .least = 1, .most = ROUNDS_MAX),
	OPTION('n', "runs", "N", &option_count, ROUNDS(timed),
	       "timed, untraced runs of each thing that is tried (default: 6 to 40, as many as 15 s "
	       "allow)",
	       .commands = FOR_EXPLAIN, .least = 1, .most = ROUNDS_MAX),
	OPTION('n', "runs", "N", &option_count, ROUNDS(traced),
	       "counted runs of each command (default 3; 5 for --init and --update); one more comes "
	       "before them",
	       .commands = FOR_CHECK, .least = 1, .most = ROUNDS_MAX),
	OPTION(0, "no-time", NULL, &option_off, ROUNDS(timed), "none of them",
	       .commands = FOR_COMPARE | FOR_BINDNOW | FOR_EXPLAIN),
	OPTION(0, "traced-runs", "N", &option_count, ROUNDS(traced),
	       "traced runs of each (default 3; 10 with --startup); 0 needs no privileges",
	       .commands = FOR_COMPARE,
	       .most = ROUNDS_MAX),
	OPTION(0, "traced-runs", "N", &option_count, ROUNDS(traced),
	       "traced runs of each (default 7); 0 needs no privileges", .commands = FOR_BINDNOW,
	       .most = ROUNDS_MAX),
	OPTION(0, "traced-runs", "N", &option_count, ROUNDS(traced), "traced runs of each (default 6)",
	       .commands = FOR_EXPLAIN, .most = ROUNDS_MAX),
	OPTION(0, "source", "SOURCE", &option_word, ROUNDS(source),
	       "of traced runs: ebpf, strace, or auto (default): the first that may be used",
	       .words = source_words),
	OPTION(0, "no-aslr", NULL, &option_flag, ROUNDS(no_aslr),
	       "run without address space randomization", .commands = FOR_COMPARE | FOR_BINDNOW),
	OPTION(0, "no-aslr", NULL, &option_flag, ROUNDS(no_aslr),
	       "fix the memory layout of timed runs, too; that of traced ones always is",
	       .commands = FOR_EXPLAIN),
	OPTION(0, "show-output", NULL, &option_flag, ROUNDS(show_output),
	       "leave the command its standard streams; otherwise /dev/null"),
	OPTION('i', "ignore-failure", NULL, &option_flag, ROUNDS(ignore_failure),
	       "go on when the command fails", .commands = FOR_COMPARE | FOR_BINDNOW | FOR_EXPLAIN),
	OPTION('i', "ignore-failure", NULL, &option_flag, ROUNDS(ignore_failure),
	       "take a command that fails into the baseline: it has to fail so ever after",
	       .commands = FOR_CHECK),
	{ 0 },
};

int rounds__check(const struct rounds *rounds)
{
	if (rounds->timed || rounds->traced)
		return 0;
	return complain(rounds->name, EXIT_USAGE,
			"--no-time and --traced-runs 0 leave nothing to do");
}
