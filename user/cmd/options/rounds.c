// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/options/sets.h"

#include "cmd/commands.h"
#include "cmd/options/types.h"
#include "source/source.h"

#define ROUNDS(member) FIELD(struct rounds, member)

const struct option_row rounds_rows[] = {
	OPTION('n', "runs", "N", &option_count, ROUNDS(timed),
	       "make N timed runs of each, without tracing (default 10)", .commands = FOR_COMPARE | FOR_BINDNOW,
	       .least = 1, .most = ROUNDS_MAX, .one_of = "timed"),
	OPTION('n', "runs", "N", &option_count, ROUNDS(timed),
	       "make N timed runs of each variant, without tracing (default: 6 to 40, as many as fit in "
	       "15 s)",
	       .commands = FOR_EXPLAIN, .least = 1, .most = ROUNDS_MAX, .one_of = "timed"),
	OPTION('n', "runs", "N", &option_count, ROUNDS(traced),
	       "count N runs of each command, after one that is not counted (default 3; 5 with "
	       "--init and --update)",
	       .commands = FOR_CHECK, .least = 1, .most = ROUNDS_MAX),
	OPTION(0, "no-time", NULL, &option_off, ROUNDS(timed), "skip the timed runs",
	       .commands = FOR_COMPARE | FOR_BINDNOW | FOR_EXPLAIN, .one_of = "timed"),
	OPTION(0, "traced-runs", "N", &option_count, ROUNDS(traced),
	       "make N traced runs of each (default 4; 10 with --startup); 0 needs no privileges",
	       .commands = FOR_COMPARE,
	       .most = ROUNDS_MAX),
	OPTION(0, "traced-runs", "N", &option_count, ROUNDS(traced),
	       "make N traced runs of each (default 7); 0 needs no privileges", .commands = FOR_BINDNOW,
	       .most = ROUNDS_MAX),
	OPTION(0, "traced-runs", "N", &option_count, ROUNDS(traced), "make N traced runs of each (default 6)",
	       .commands = FOR_EXPLAIN, .most = ROUNDS_MAX),
	OPTION(0, "source", "SOURCE", &option_word, ROUNDS(source),
	       "trace by ebpf, by strace, or auto (default: ebpf if permitted)",
	       .commands = FOR_COMPARE | FOR_CHECK, .words = source_words),
	OPTION(0, "source", "SOURCE", &option_word, ROUNDS(source),
	       "trace by ebpf, by strace (explains a startup only), or auto (default: ebpf if "
	       "permitted, else strace for --startup)",
	       .commands = FOR_EXPLAIN, .words = source_words),
	OPTION(0, "no-aslr", NULL, &option_flag, ROUNDS(no_aslr), "disable address space layout randomization (ASLR)",
	       .commands = FOR_COMPARE | FOR_BINDNOW),
	OPTION(0, "no-aslr", NULL, &option_flag, ROUNDS(no_aslr),
	       "disable ASLR in timed runs, too; traced runs always disable it",
	       .commands = FOR_EXPLAIN),
	OPTION(0, "show-output", NULL, &option_flag, ROUNDS(show_output),
	       "keep the command's standard streams instead of /dev/null"),
	OPTION('i', "ignore-failure", NULL, &option_flag, ROUNDS(ignore_failure), "continue when the command fails",
	       .commands = FOR_COMPARE | FOR_BINDNOW | FOR_EXPLAIN),
	OPTION('i', "ignore-failure", NULL, &option_flag, ROUNDS(ignore_failure),
	       "accept a command that fails; it must then always fail with the same status",
	       .commands = FOR_CHECK),
	{ 0 },
};

int rounds__check(const struct rounds *rounds)
{
	if (rounds->timed || rounds->traced)
		return 0;
	return print_error(rounds->name, EXIT_USAGE, "--no-time and --traced-runs 0 leave nothing to do");
}
