// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/capabilities.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "source/ebpf/capability_tries.h"
#include "source/ebpf/diagnose.h"

typedef enum capability_state state;

state capability__because(char *why, size_t size, const char *reason)
{
	snprintf(why, size, "%s", reason);
	return CAPABILITY_MISSING;
}

static state probed(int answer, char *why, size_t size)
{
	if (answer > 0)
		return CAPABILITY_THERE;
	return capability__because(why, size, answer ? strerror(-answer) : "the kernel does not know it");
}

static state try_privileges(char *why, size_t size)
{
	const char *missing = diagnose__missing_privileges();

	if (!missing)
		return CAPABILITY_THERE;
	snprintf(why, size, "%s missing", missing);
	return CAPABILITY_MISSING;
}

/* A kernel without the type information has no tracepoint that a program could name. */
state capability__find_types(const char *const *names, char *why, size_t size)
{
	struct btf *btf = btf__load_vmlinux_btf();

	if (!btf)
		return capability__because(why, size, strerror(errno));
	for (; *names; names++) {
		if (btf__find_by_name(btf, *names) > 0)
			continue;
		snprintf(why, size, "%s is not in the kernel's BTF", *names);
		btf__free(btf);
		return CAPABILITY_MISSING;
	}
	btf__free(btf);
	return CAPABILITY_THERE;
}

static state try_btf(char *why, size_t size)
{
	static const char *const names[] = { "task_struct", NULL };

	return capability__find_types(names, why, size);
}

static state try_call_tracepoints(char *why, size_t size)
{
	static const char *const names[] = { "btf_trace_sys_enter", "btf_trace_sys_exit",
					     "btf_trace_sched_process_fork",
					     "btf_trace_task_newtask",
					     "btf_trace_sched_process_exec",
					     "btf_trace_sched_process_exit", NULL };

	return capability__find_types(names, why, size);
}

static state try_fault_tracepoints(char *why, size_t size)
{
	static const char *const names[] = { "btf_trace_page_fault_user",
					     "btf_trace_page_fault_kernel",
					     "btf_trace_mm_page_alloc", "btf_trace_rss_stat", NULL };

	return capability__find_types(names, why, size);
}

static state try_task_storage(char *why, size_t size)
{
	return probed(libbpf_probe_bpf_map_type(BPF_MAP_TYPE_TASK_STORAGE, NULL), why, size);
}

static state try_ring_buffer(char *why, size_t size)
{
	return probed(libbpf_probe_bpf_map_type(BPF_MAP_TYPE_RINGBUF, NULL), why, size);
}

state capability__try_helper(int helper, char *why, size_t size)
{
	/* Tracing programs cannot be probed without a target; tracepoint programs have the same. */
	return probed(libbpf_probe_bpf_helper(BPF_PROG_TYPE_TRACEPOINT, helper, NULL), why, size);
}

static state try_find_vma(char *why, size_t size)
{
	return capability__try_helper(BPF_FUNC_find_vma, why, size);
}

static state try_loop(char *why, size_t size)
{
	return capability__try_helper(BPF_FUNC_loop, why, size);
}

static state try_names(char *why, size_t size)
{
	return capability__try_helper(BPF_FUNC_probe_read_kernel_str, why, size);
}

static state try_pidfd(char *why, size_t size)
{
	int fd = syscall(SYS_pidfd_open, getpid(), 0);

	if (fd < 0)
		return capability__because(why, size, strerror(errno));
	close(fd);
	return CAPABILITY_THERE;
}

static state try_membarrier(char *why, size_t size)
{
	int known = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);

	if (known >= 0 && known & MEMBARRIER_CMD_GLOBAL)
		return CAPABILITY_THERE;
	return capability__because(why, size, known < 0 ? strerror(errno) : "no MEMBARRIER_CMD_GLOBAL");
}

static state try_no_aslr(char *why, size_t size)
{
	int old = personality(0xffffffff);

	if (old < 0 || personality(old | ADDR_NO_RANDOMIZE) < 0)
		return capability__because(why, size, strerror(errno));
	personality(old);
	return CAPABILITY_THERE;
}

static state try_delay_accounting(char *why, size_t size)
{
	FILE *file = fopen("/proc/sys/kernel/task_delayacct", "re");
	int on = 0;

	if (!file)
		return capability__because(why, size, "CONFIG_TASK_DELAY_ACCT is not built in");
	if (fscanf(file, "%d", &on) != 1)
		on = 0;
	fclose(file);
	return on ? CAPABILITY_THERE : capability__because(why, size, "kernel.task_delayacct is 0");
}

static const struct capability capabilities[] = {
	{ "privileges", true, try_privileges, "nothing can be traced",
	  "run as root, or: setcap cap_bpf,cap_perfmon+ep forktax" },
	{ "kernel types (BTF)", true, try_btf, "nothing can be traced",
	  "a kernel with CONFIG_DEBUG_INFO_BTF=y, and /sys mounted" },
	{ "task storage", true, try_task_storage, "nothing can be traced", "Linux 5.13" },
	{ "ring buffer", true, try_ring_buffer, "nothing can be traced", "Linux 5.8" },
	{ "bpf_loop", true, try_loop, "nothing can be traced", "Linux 5.17" },
	{ "pidfd_open", true, try_pidfd, "no command can be marked", "Linux 5.3" },
	{ "syscall and process tracepoints", true, try_call_tracepoints, "nothing can be traced",
	  "CONFIG_FTRACE_SYSCALLS=y" },
	{ "page-fault tracepoints", false, try_fault_tracepoints,
	  "faults in total only (--faults=totals)", "an x86-64 kernel" },
	{ "bpf_find_vma", false, try_find_vma,
	  "COW reuse, shared write and zero page cannot be told apart", "Linux 5.17" },
	{ "file names from the kernel", false, try_names,
	  "executables of very short processes may have no name",
	  "lockdown below confidentiality" },
	{ "membarrier", false, try_membarrier,
	  "counts of processes that outlive the tracing may miss their last events",
	  "CONFIG_MEMBARRIER=y, no nohz_full" },
	{ "address layout (--no-aslr)", false, try_no_aslr,
	  "fault counts vary with the layout from run to run", "allow personality(2)" },
	{ "delay accounting", false, try_delay_accounting,
	  "no second witness of COW copies (wpcopy)", "sysctl kernel.task_delayacct=1" },
	{ "fault durations", false, capability__try_durations,
	  "--anatomy and explain: faults have no duration",
	  "CAP_PERFMON, or allow perf_event_open(2)" },
	{ "names of mapped files", false, capability__try_mmap_records,
	  "--anatomy and explain: files of short processes may have no name",
	  "CAP_PERFMON, or allow perf_event_open(2)" },
	{ "pages that a fault maps", false, capability__try_extents,
	  "--anatomy and explain: the number of pages mapped is not known", "Linux 6.12" },
	{ "memory of traced processes", false, capability__try_user_memory,
	  "--anatomy, explain and bindnow: of symbols bound in children only the first of a page",
	  "lockdown below confidentiality" },
	{ "memory of own children", false, capability__try_child_memory,
	  "--anatomy, explain and bindnow: no page maps, no bindings of the parent",
	  "/proc mounted; CAP_SYS_PTRACE for programs of others" },
	{ "tracing, tried on `true`", true, NULL, "nothing can be traced",
	  "see the lines above" },
};

const struct capability *capabilities__list(size_t *count)
{
	diagnose__start();
	*count = sizeof(capabilities) / sizeof(capabilities[0]);
	return capabilities;
}
