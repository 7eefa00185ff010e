/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a program prints, kept to tell its last words if it fails.
 */
#ifndef FORKTAX_MEASURE_POOL_POOL_LOG_H
#define FORKTAX_MEASURE_POOL_POOL_LOG_H

/* A descriptor for its stdout and stderr, closed on exec; -1 with errno. To be closed. */
int pool_log__open(void);
/* Forgets what is there if it is much. */
void pool_log__trim(int fd);
/* The last line that says something, to be freed; "" if there is none. */
char *pool_log__last_line(int fd);

#endif
