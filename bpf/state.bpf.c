// SPDX-License-Identifier: GPL-2.0-only
/* The one definition of every global variable (declared in maps.h). */
#include "maps.h"

const volatile bool timed = false;
const volatile bool keep_all = false;
const volatile bool may_probe = false;
const volatile bool preemptible = false;
const volatile bool may_cast = false;
const volatile bool sees_exit_mm = false;
const volatile bool anatomy = false;
const volatile __u64 record_full = 1;
const volatile __u64 record_every = 1;
const volatile __u64 details_wakeup = 0;

__u64 kinds_open;
__u64 got_reads, got_ns;
bool timing;
bool armed;
bool stopped;
bool releasing;
bool patient;
__u64 left_out;
bool gate_closed;
__u32 tracer_level;
__u64 losses[LOSS_COUNT];
__u64 life[LIFE_COUNT];
__u64 ended;
__u64 collected;
__u64 leaving;
__u32 last_exe, last_group;
__u64 root_start_ns, root_end_ns;

char LICENSE[] SEC("license") = "GPL";
