/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loads the programs of an object on several CPUs at once. libbpf would pass them to the verifier
 * one by one, which takes most of the time. Instead it gets a placeholder for each, and whichever
 * thread is free loads the program itself. A placeholder is attached to nothing in particular, so
 * libbpf need not read the kernel's BTF.
 *
 * Internal to user/source. For one object at a time.
 */
#ifndef FORKTAX_SOURCE_EBPF_LOADER_H
#define FORKTAX_SOURCE_EBPF_LOADER_H

#include <bpf/libbpf.h>

#include "source/ebpf/hooks.h"

/*
 * To be called before the object is opened: that is when libbpf asks who loads the programs of a
 * section.
 */
int loader__register(void);

/*
 * Does the kernel know, and allow us, this helper? 1, 0 or -errno. Tracing programs cannot be probed without a target;
 * tracepoint programs have the same helpers. The verifier looks at the helper before it looks at the arguments, which
 * are missing.
 */
int loader__probe_helper(enum bpf_func_id helper);

/* Loads the object. Returns 0 or -errno. */
int loader__load(struct bpf_object_skeleton *skeleton, const struct hooks *hooks);

#endif
