// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/capabilities.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arch.h"
#include "base/capability.h"
#include "base/procfs.h"
#include "launch/launch.h"
#include "source/ebpf/diagnose.h"
#include "source/ebpf/kernel_types.h"
#include "source/ebpf/loader.h"

typedef enum capability_state state;

static state missing(char *why, size_t size, const char *reason)
{
	snprintf(why, size, "%s", reason);
	return CAPABILITY_MISSING;
}

static state probed(int answer, char *why, size_t size)
{
	if (answer > 0)
		return CAPABILITY_THERE;
	return missing(why, size, answer ? strerror(-answer) : "the kernel does not know it");
}

static state try_privileges(const void *subject, char *why, size_t size)
{
	const char *lacking = diagnose__missing_privileges();

	if (!lacking)
		return CAPABILITY_THERE;
	snprintf(why, size, "%s missing", lacking);
	return CAPABILITY_MISSING;
}

/* Where bpf(2) is refused as such, its answers say nothing of what the kernel knows. */
static bool may_ask(char *why, size_t size)
{
	int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, NULL, 4, 4, 1, NULL), error = errno;
	uint64_t effective;

	if (map >= 0)
		close(map);
	if (map >= 0 || error != EPERM)
		return true;
	if (capability__effective(&effective) && !((effective >> CAP_BPF | effective >> CAP_SYS_ADMIN) & 1))
		snprintf(why, size, "cannot be asked without CAP_BPF");
	else
		snprintf(why, size, "bpf(2) is refused: by a seccomp filter, or a security module");
	return false;
}

/* A program can name a tracepoint only if the kernel's BTF has its type. */
#define TYPES(...) (const char *const[]) { __VA_ARGS__, NULL }

static state try_types(const void *subject, char *why, size_t size)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int error = errno;
	const char *reason = btf ? NULL : kernel_types__problem();

	if (!btf)
		return missing(why, size, reason ? reason : strerror(error));
	for (const char *const *names = subject; *names; names++) {
		if (btf__find_by_name(btf, *names) > 0)
			continue;
		snprintf(why, size, "%s is not in the kernel's BTF", *names);
		btf__free(btf);
		return CAPABILITY_MISSING;
	}
	btf__free(btf);
	return CAPABILITY_THERE;
}

#define MAP(type) &(const enum bpf_map_type){ BPF_MAP_TYPE_##type }

static state try_map(const void *subject, char *why, size_t size)
{
	if (!may_ask(why, size))
		return CAPABILITY_UNTRIED;
	return probed(libbpf_probe_bpf_map_type(*(const enum bpf_map_type *)subject, NULL), why, size);
}

#define HELPER(name) &(const enum bpf_func_id){ BPF_FUNC_##name }

static state try_helper(const void *subject, char *why, size_t size)
{
	if (!may_ask(why, size))
		return CAPABILITY_UNTRIED;
	return probed(loader__probe_helper(*(const enum bpf_func_id *)subject), why, size);
}

static state try_pidfd(const void *subject, char *why, size_t size)
{
	int fd = syscall(SYS_pidfd_open, getpid(), 0);

	if (fd < 0)
		return missing(why, size, strerror(errno));
	close(fd);
	return CAPABILITY_THERE;
}

static state try_membarrier(const void *subject, char *why, size_t size)
{
	int known = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);

	if (known >= 0 && known & MEMBARRIER_CMD_GLOBAL)
		return CAPABILITY_THERE;
	return missing(why, size, known < 0 ? strerror(errno) : "no MEMBARRIER_CMD_GLOBAL");
}

static state try_no_aslr(const void *subject, char *why, size_t size)
{
	int old = personality(0xffffffff);

	if (old < 0 || personality(old | ADDR_NO_RANDOMIZE) < 0)
		return missing(why, size, strerror(errno));
	personality(old);
	return CAPABILITY_THERE;
}

static state try_delay_accounting(const void *subject, char *why, size_t size)
{
	FILE *file = fopen("/proc/sys/kernel/task_delayacct", "re");
	int on = 0;

	if (!file)
		return missing(why, size, procfs__is_there() ? "CONFIG_TASK_DELAY_ACCT is not built in"
							     : "/proc is not mounted");
	if (fscanf(file, "%d", &on) != 1)
		on = 0;
	fclose(file);
	return on ? CAPABILITY_THERE : missing(why, size, "kernel.task_delayacct is 0");
}

#define SOFTWARE_EVENT(...)                                                                        \
	&(const struct perf_event_attr) {                                                          \
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(struct perf_event_attr), __VA_ARGS__    \
	}

/* On CPU 0, which always exists, and for all processes, as the anatomy needs it. */
static state try_event(const void *subject, char *why, size_t size)
{
	int fd = syscall(SYS_perf_event_open, subject, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return missing(why, size, strerror(errno));
	close(fd);
	return CAPABILITY_THERE;
}

static int open_both(pid_t pid)
{
	static const char *const names[] = { "mem", "pagemap" };

	for (int i = 0; i < 2; i++) {
		int fd = procfs__open_fd(pid, names[i], O_RDONLY);

		if (fd < 0)
			return errno;
		close(fd);
	}
	return 0;
}

static state try_child_memory(const void *subject, char *why, size_t size)
{
	pid_t child = launch__fork();
	int error;

	if (child < 0)
		return missing(why, size, strerror(errno));
	if (!child) {
		for (;;)
			pause();
	}
	error = open_both(child);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	if (error && !procfs__is_there())
		return missing(why, size, "/proc is not mounted");
	return error ? missing(why, size, strerror(error)) : CAPABILITY_THERE;
}

static state try_proc(const void *subject, char *why, size_t size)
{
	return procfs__is_there() ? CAPABILITY_THERE : missing(why, size, "it is not mounted");
}

static state try_null(const void *subject, char *why, size_t size)
{
	return access("/dev/null", R_OK | W_OK) ? missing(why, size, strerror(errno)) : CAPABILITY_THERE;
}

static const struct capability capabilities[] = {
	{ "privileges", true, try_privileges, NULL, "nothing can be traced by eBPF",
	  "run forktax as root, or give it these capabilities",
	  "sudo setcap cap_bpf,cap_perfmon+ep FORKTAX" },
	{ "kernel types (BTF)", true, try_types, TYPES("task_struct"), "nothing can be traced by eBPF",
	  "it needs a kernel with CONFIG_DEBUG_INFO_BTF=y, and /sys mounted", NULL },
	{ "task storage", true, try_map, MAP(TASK_STORAGE), "nothing can be traced by eBPF", "it needs Linux 5.13",
	  NULL },
	{ "ring buffer", true, try_map, MAP(RINGBUF), "nothing can be traced by eBPF", "it needs Linux 5.8", NULL },
	{ "bpf_loop", true, try_helper, HELPER(loop), "nothing can be traced by eBPF", "it needs Linux 5.17", NULL },
	{ "pidfd_open", true, try_pidfd, NULL, "no command can be marked", "it needs Linux 5.3", NULL },
	{ "syscall and process tracepoints", true, try_types,
	  TYPES("btf_trace_sys_enter", "btf_trace_sys_exit", "btf_trace_sched_process_fork", "btf_trace_task_newtask",
		"btf_trace_sched_process_exec", "btf_trace_sched_process_exit"),
	  "nothing can be traced by eBPF", "it needs a kernel with CONFIG_FTRACE_SYSCALLS=y", NULL },
#if ARCH_HAS_FAULT_TRACEPOINTS
	{ "page-fault tracepoints", false, try_types,
	  TYPES("btf_trace_page_fault_user", "btf_trace_page_fault_kernel",
		"btf_trace_mm_page_alloc", "btf_trace_rss_stat"),
	  "faults in total only (--faults=totals)", "it needs a kernel with these tracepoints", NULL },
#else
	{ "page tracepoints", false, try_types, TYPES("btf_trace_mm_page_alloc", "btf_trace_rss_stat"),
	  "faults in total only (--faults=totals)", "it needs a kernel with these tracepoints", NULL },
	{ "page-fault events", false, try_event,
	  SOFTWARE_EVENT(.config = PERF_COUNT_SW_PAGE_FAULTS, .sample_period = 1),
	  "faults in total only (--faults=totals)", "it needs a kernel with CONFIG_PERF_EVENTS=y", NULL },
#endif
	{ "bpf_find_vma", false, try_helper, HELPER(find_vma),
	  "COW reuse, shared write and zero page cannot be distinguished", "it needs Linux 5.17", NULL },
	{ "file names from the kernel", false, try_helper, HELPER(probe_read_kernel_str),
	  "executables of very short processes may have no name",
	  "boot with lockdown below confidentiality", NULL },
	{ "membarrier", false, try_membarrier, NULL,
	  "counts of processes that outlive the tracing may miss their last events",
	  "it needs a kernel with CONFIG_MEMBARRIER=y, and no nohz_full", NULL },
	{ "address layout (--no-aslr)", false, try_no_aslr, NULL,
	  "fault counts vary with the layout from run to run", "allow personality(2)", NULL },
	{ "delay accounting", false, try_delay_accounting, NULL,
	  "COW copies are not cross-checked with delay accounting (wpcopy)",
	  "switch delay accounting on", "sudo sysctl kernel.task_delayacct=1" },
	{ "fault durations", false, try_event,
	  SOFTWARE_EVENT(.config = PERF_COUNT_SW_PAGE_FAULTS_MIN, .sample_period = 1),
	  "--anatomy and explain: faults have no duration",
	  "give forktax CAP_PERFMON, or allow perf_event_open(2)", NULL },
	{ "names of mapped files", false, try_event,
	  SOFTWARE_EVENT(.config = PERF_COUNT_SW_DUMMY, .mmap = 1, .mmap_data = 1, .mmap2 = 1),
	  "--anatomy and explain: files of short processes may have no name",
	  "give forktax CAP_PERFMON, or allow perf_event_open(2)", NULL },
	{ "pages that a fault maps", false, try_types, TYPES("btf_trace_mm_filemap_map_pages"),
	  "--anatomy and explain: the number of pages mapped is not known", "it needs Linux 6.12", NULL },
	{ "memory of traced processes", false, try_helper, HELPER(probe_read_user),
	  "--anatomy, explain and bindnow: of symbols bound in children only the first of a page",
	  "boot with lockdown below confidentiality", NULL },
	{ "memory of own children", false, try_child_memory, NULL,
	  "--anatomy, explain and bindnow: no page maps, no bindings of the parent",
	  "mount /proc; programs of other users need CAP_SYS_PTRACE", NULL },
	{ "/proc", false, try_proc, NULL,
	  "no -p and no workers; no layout and no names of what has been mapped",
	  "mount it", "mount -t proc proc /proc" },
	{ "/dev/null", false, try_null, NULL,
	  "compare, explain, bindnow and bench can start no command", "mount a /dev, or make it",
	  "mknod -m 666 /dev/null c 1 3" },
	{ "a trace of `true`", true, NULL, NULL, "nothing can be traced by eBPF",
	  "see what else is missing", NULL },
};

const struct capability *capabilities__list(size_t *count)
{
	diagnose__start();
	*count = sizeof(capabilities) / sizeof(capabilities[0]);
	return capabilities;
}
