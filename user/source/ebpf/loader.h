/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loads the programs of an object on several CPUs at once. libbpf prepares them one after the other
 * and gives them to the verifier, which takes most of the time; what it gets from here is a
 * placeholder, and the program itself is loaded by whichever thread is free.
 *
 * Internal to user/source. For one object at a time.
 */
#ifndef FORKTAX_SOURCE_EBPF_LOADER_H
#define FORKTAX_SOURCE_EBPF_LOADER_H

#include <bpf/libbpf.h>

#include "source/ebpf/kernel_types.h"

/* Before the object is opened: libbpf asks then who loads the programs of a section. */
int loader__register(void);

/*
 * Loads the object. `hooks` tells what its programs can be attached to. On one CPU, or if libbpf is
 * to be heard (FORKTAX_LIBBPF_LOG), the programs are loaded by libbpf itself. Returns 0 or -errno.
 */
int loader__load(struct bpf_object_skeleton *skeleton, const struct kernel_hook *hooks,
		 size_t hook_count);

#endif
