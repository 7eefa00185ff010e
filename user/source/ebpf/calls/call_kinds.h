/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_SOURCE_EBPF_CALLS_CALL_KINDS_H
#define FORKTAX_SOURCE_EBPF_CALLS_CALL_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/words/dictionary.h"

/* An element of call_kinds (bpf/maps.h). `all`: of calls that only hold a descriptor, too. */
uint16_t call_kind__of(enum abi abi, int32_t nr, bool all);

#endif
