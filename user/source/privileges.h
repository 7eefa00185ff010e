/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How to get the privileges that tracing needs: the same words wherever they are missing.
 */
#ifndef FORKTAX_SOURCE_PRIVILEGES_H
#define FORKTAX_SOURCE_PRIVILEGES_H

/* "tracing needs CAP_BPF and CAP_PERFMON; run forktax as root (sudo), or ...", to be freed. */
char *privileges__lacking(const char *missing);

#endif
