/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loads the programs of an object on several CPUs at once. libbpf prepares them one after the other
 * and gives them to the verifier, which takes most of the time; what it gets from here is a
 * placeholder, and the program itself is loaded by whichever thread is free. As a placeholder is
 * attached to nothing in particular, libbpf has no need to read the kernel's BTF.
 *
 * Internal to user/source. For one object at a time.
 */
#ifndef FORKTAX_SOURCE_EBPF_LOADER_H
#define FORKTAX_SOURCE_EBPF_LOADER_H

#include <bpf/libbpf.h>

#include "source/ebpf/hooks.h"

/* Before the object is opened: libbpf asks then who loads the programs of a section. */
int loader__register(void);

/* Loads the object. Returns 0 or -errno. */
int loader__load(struct bpf_object_skeleton *skeleton, const struct hooks *hooks);

#endif
