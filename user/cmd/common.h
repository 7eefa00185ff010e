/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the commands share: complaining, and how they end.
 */
#ifndef FORKTAX_CMD_COMMON_H
#define FORKTAX_CMD_COMMON_H

/*
 * Says on one line of stderr what failed ("forktax NAME: ..."), made safe for a terminal: names
 * and the contents of files are not trusted. NULL: forktax itself. Returns `status`.
 */
int complain(const char *name, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Our own death tells our parent what ended the command, or us. Returns if that does not kill. */
int die_like(int signal);

/* Everything written to stdout has arrived: 0, else EXIT_FORKTAX after a complaint. */
int finish_stdout(const char *name);

#endif
