/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why the kernel half could not be loaded, in words for people.
 */
#ifndef FORKTAX_SOURCE_EBPF_DIAGNOSE_H
#define FORKTAX_SOURCE_EBPF_DIAGNOSE_H

/* Takes over libbpf's messages: nothing is printed, the last warning is kept. */
void diagnose__start(void);

/* For a negative errno of libbpf: what failed, why, and what to do next. To be freed. */
char *diagnose__load_failure(int err);

/* Which of CAP_BPF and CAP_PERFMON are missing (CAP_SYS_ADMIN covers both; static). NULL: none. */
const char *diagnose__missing_privileges(void);

#endif
