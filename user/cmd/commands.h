/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One function per subcommand; each lives in the file of its name. argv[0] is the subcommand.
 * The return value is the exit status (docs/forktax.1.scd, EXIT STATUS).
 */
#ifndef FORKTAX_CMD_COMMANDS_H
#define FORKTAX_CMD_COMMANDS_H

enum { EXIT_USAGE = 2, EXIT_INEXACT = 3, EXIT_FORKTAX = 125, EXIT_REFUSED = 126, EXIT_MISSING = 127 };

int cmd_run(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_bindnow(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_doctor(int argc, char **argv);

#endif
