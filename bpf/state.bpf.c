// SPDX-License-Identifier: GPL-2.0-only
/* The one definition of every global variable (declared in maps.h). */
#include "maps.h"

const volatile bool classes = false;
const volatile bool timed = false;
const volatile bool keep_all = false;
const volatile bool may_probe = false;
const volatile bool preemptible = false;
const volatile bool may_cast = false;
const volatile __u32 task_type = 0, vma_type = 0;
const volatile __u64 memory_end = 0, zero_frame = 0;
const volatile bool watches_cgroups = false;
const volatile bool watches_all = false;
const volatile bool by_unit = false;
const volatile bool forks_alone = false;
const volatile bool chooses_classes = false;
const volatile bool sees_exit_mm = false;
const volatile bool several_nodes = false;
const volatile bool anatomy = false;
const volatile bool stacks_wanted = false;
const volatile __u64 record_full = 1;
const volatile __u64 record_every = 1;
const volatile __u64 details_wakeup = 0;
const volatile bool records_files = false;
const volatile bool records_starts = false;
const volatile __u64 start_calls_most = 0;
const volatile __u64 entry_stacks_most = 0;
const volatile __u64 call_events_wakeup = 0;
const volatile __u16 call_kinds[ABI_COUNT][CALL_NUMBERS] = {};
const volatile bool flow = false;
const volatile __u64 flow_wakeup = 0;
const volatile bool lines_wanted = false;

__u64 lines_left_out;
__u64 flow_lost, flow_unattributed;
__u64 kinds_open;
__u64 stacks_lost, calls_unstacked;
__u64 got_reads, got_ns;
__u64 calls_lost, start_calls, entry_stacks, details_lost;
__u64 direct_map;
bool timing;
bool armed;
bool stopped;
bool releasing;
bool patient;
__u64 attached_processes, left_out;
__u32 exits_watched;
bool gate_closed;
bool second_pass;
__u64 joiners, uncounted_calls;
__u32 trial;
__u64 passed[PASSED_CPUS][PASSED_LINE];
__u64 moves, look, units_full;
__u32 tracer_level;
__u64 tracer_namespace;
__s32 tracer_tgid;
__u64 losses[LOSS_COUNT];
__u64 life[LIFE_COUNT];
__u64 ended;
__u64 collected;
__u64 leaving;
__u32 last_exe, last_group, last_latency;
__u64 root_start_ns, root_end_ns;

char LICENSE[] SEC("license") = "GPL";
