/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Paths of mapped files by their identity (device and inode, as the kernel has them). Short-lived
 * processes are gone before anybody could read their maps, so the kernel's own records of every
 * mmap are followed (PERF_RECORD_MMAP2, perf_event_open(2)).
 */
#ifndef FORKTAX_SOURCE_EBPF_ANATOMY_OBJECT_NAMES_H
#define FORKTAX_SOURCE_EBPF_ANATOMY_OBJECT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/ebpf/anatomy/mapping_record.h"

struct object_names;

/*
 * Starts to follow. `map_fd`: a BPF_MAP_TYPE_PERF_EVENT_ARRAY. Never NULL: where the kernel refuses the
 * records, only what object_names__add() adds is known.
 */
struct object_names *object_names__new(int map_fd);
void object_names__free(struct object_names *names);

/* Takes in what the kernel has reported meanwhile. */
void object_names__consume(struct object_names *names);

/* How many of its reports the kernel had to drop: the machine mapped files faster than they were read. */
uint64_t object_names__lost(const struct object_names *names);

/*
 * `dev` as the kernel packs it: major << 20 | minor. `path` is as forktax sees it: it replaces one
 * that the kernel has reported, which begins at the root of the process (chroot, container). The
 * first one added stays.
 */
void object_names__add(struct object_names *names, uint32_t dev, uint64_t ino, const char *path);
const char *object_names__find(const struct object_names *names, uint32_t dev, uint64_t ino);

/*
 * The file that process `pid` had mapped at `address` (by the kernel's latest records alone,
 * without what it inherited). Faults show a file of overlayfs by the inode below, everything else
 * by that of the overlay. Returns its path, or NULL; stores its identity.
 */
const char *object_names__at(const struct object_names *names, int32_t pid, uint64_t address,
			     uint32_t *dev, uint64_t *ino);

/*
 * The kernel's reports of the mappings of a process from its last execve to the moment `until`
 * (CLOCK_MONOTONIC, ns), in the order of time; none if it has executed nothing since its fork.
 * munmap(2) is not reported. Returns how many; `*mappings` is the caller's to free, NULL if there
 * are none.
 */
size_t object_names__mappings(const struct object_names *names, int32_t pid, uint64_t until,
			      struct mapping_record **mappings);

/* Adds what /proc/PID/maps names. */
void object_names__read_maps(struct object_names *names, int32_t pid);

#endif
