/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which maps of the kernel half a run has. Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_USED_MAPS_H
#define FORKTAX_SOURCE_EBPF_USED_MAPS_H

struct forktax_bpf;

/*
 * Leaves out the maps that serve nothing in `there`, bits of enum program_need. To be called before loading. What is
 * left out can be searched all the same: nothing is found.
 */
void used_maps__choose(struct forktax_bpf *skeleton, unsigned int there);

#endif
