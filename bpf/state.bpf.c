// SPDX-License-Identifier: GPL-2.0-only
/* The one definition of every global variable (declared in maps.h). */
#include "maps.h"

const volatile bool classes = false;
const volatile bool timed = false;
const volatile bool keep_all = false;
const volatile bool may_probe = false;
const volatile bool preemptible = false;
const volatile bool may_cast = false;
const volatile __u32 interrupt_bits = 0;
const volatile __s64 preempt_count_at = 0;
const volatile __u32 task_type = 0, vma_type = 0;
const volatile __u64 page_size = 4096;
const volatile __u32 page_shift = 12, table_shift = 39;
const volatile bool lacks_access_flag = false;
const volatile __u64 map_offset = 0;
const volatile __u64 memory_end = 0, zero_frame = 0;
const volatile bool watches_cgroups = false;
const volatile bool watches_all = false;
const volatile bool by_unit = false;
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
const volatile bool tree_wanted = false;
const volatile bool path_wanted = false;
const volatile __u64 path_wakeup = 0;

__u64 lines_left_out;
__u64 tree_ns, tree_ending, tree_threads_left, tree_left_out;
__u64 path_threads_left, path_last_thread, path_lost;
__u64 sched_clock_behind;
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
/* Aligned, so that no CPU writes to a line that all others read at each call. */
__u64 passed[PASSED_CPUS][PASSED_LINE] __attribute__((aligned(PASSED_LINE * sizeof(__u64))));
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
