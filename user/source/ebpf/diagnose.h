/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why the kernel half could not be loaded, in words for people.
 */
#ifndef FORKTAX_SOURCE_EBPF_DIAGNOSE_H
#define FORKTAX_SOURCE_EBPF_DIAGNOSE_H

/* Takes libbpf's messages in charge: nothing is printed, the last ones are kept. */
void diagnose__start(void);

/* What failed, why, what to do next, for a negative errno of libbpf. To be freed. */
char *diagnose__load_failure(int err);

/* Of CAP_BPF and CAP_PERFMON (or CAP_SYS_ADMIN), the names of those missing (static); NULL: none is. */
const char *diagnose__missing_privileges(void);

#endif
