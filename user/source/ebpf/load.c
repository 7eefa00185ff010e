// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/load.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/arch.h"
#include "forktax.skel.h"
#include "source/ebpf/hooks.h"
#include "source/ebpf/loader.h"

#define DESCRIPTORS_LEAST 50 /* maps, programs and their links */
#define EXCERPT_MOST (1 << 20) /* bytes; it has some ten thousand */

/* What loading needs of the running kernel. */
struct kernel {
	struct kernel_types types;
	struct drift drift;
	struct hooks hooks;
	int excerpt; /* of the types, as a file descriptor ... */
	char path[32]; /* ... and as a path for libbpf; empty: it has none */
};

/* When descriptors run out, libbpf concludes that the kernel lacks features. */
static int check_descriptors(int fd)
{
	int last = fcntl(fd, F_DUPFD_CLOEXEC, DESCRIPTORS_LEAST - 1);

	if (last < 0)
		return -EMFILE;
	close(last);
	return 0;
}

/* All false if the BTF could not be read. */
static struct drift look_for_drift(const struct kernel_types *types, const struct hooks *hooks)
{
	const uint32_t ends = hooks__id(hooks, "tp_btf/sched_process_exit");

	return (struct drift){
		.preemptible = kernel_types__know(types, "class_srcu_fast_notrace_t"),
		.tells_locks = hooks__id(hooks, "tp_btf/mmap_lock_released"),
		.tells_exits_late = kernel_types__arguments(types, ends) == 1,
		.tells_extents = hooks__id(hooks, "tp_btf/mm_filemap_map_pages"),
		.counts_disabling = kernel_types__know(types, "local_interrupt_disable_state"),
	};
}

/* A file that grows beyond its limit (ulimit -f) would end forktax by SIGXFSZ. */
static bool may_write_excerpt(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur >= EXCERPT_MOST;
}

/*
 * Without /proc there is no path to the excerpt, and where files have to be small no excerpt: libbpf then
 * reads all of the kernel's types.
 */
static int look_at_kernel(struct kernel *kernel)
{
	char path[sizeof(kernel->path)];

	kernel->types = kernel_types__open();
	kernel->hooks = hooks__find(&kernel->types);
	kernel->drift = look_for_drift(&kernel->types, &kernel->hooks);
	kernel->excerpt = memfd_create("kernel types", MFD_CLOEXEC);
	if (kernel->excerpt < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", kernel->excerpt);
	if (may_write_excerpt() && !access(path, R_OK))
		strcpy(kernel->path, path);
	return check_descriptors(kernel->excerpt);
}

static void forget_kernel(struct kernel *kernel)
{
	kernel_types__close(&kernel->types);
	hooks__free(&kernel->hooks);
	if (kernel->excerpt >= 0)
		close(kernel->excerpt);
}

/* libbpf relocates the programs by the excerpt; after that, the whole BTF is not needed. */
static int write_excerpt(struct kernel *kernel, const struct forktax_bpf *skeleton)
{
	int err;

	if (!kernel->types.data || !kernel->path[0])
		return 0;
	err = excerpt__write(&kernel->types, bpf_object__btf(skeleton->obj), kernel->excerpt);
	kernel_types__close(&kernel->types);
	return err;
}

/*
 * Which bits of preempt_count say that the CPU is in an interrupt: NMI_MASK, HARDIRQ_MASK and SOFTIRQ_OFFSET of
 * include/linux/preempt.h. Commit "preempt: Introduce HARDIRQ_DISABLE_BITS", in Linux 7.3, moved the first two. 0: the
 * count cannot be read, or the kernel does not list its variables, and so does not say which bits.
 */
static uint32_t interrupt_bits(const struct kernel *kernel, bool may_probe)
{
	const struct hooks *hooks = &kernel->hooks;
	bool is_known = ARCH_COUNTS_INTERRUPTS_IN_TASK ? hooks->run_queues : hooks->places_known && may_probe;

	if (!is_known)
		return 0;
	return kernel->drift.counts_disabling ? 0x1f000100 : 0x00ff0100;
}

static int try_load(struct forktax_bpf **skeleton, struct kernel *kernel,
		    load__configure *configure, const void *context, bool may_probe)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = kernel->path[0] ? kernel->path : NULL);
	int err;

	*skeleton = forktax_bpf__open_opts(&opts);
	if (!*skeleton)
		return -errno;
	(*skeleton)->rodata->may_cast = kernel->hooks.cast;
	(*skeleton)->rodata->task_type = kernel->hooks.task_type;
	(*skeleton)->rodata->vma_type = kernel->hooks.vma_type;
	(*skeleton)->rodata->interrupt_bits = interrupt_bits(kernel, may_probe);
	(*skeleton)->rodata->preempt_count_at =
		(int64_t)kernel->hooks.preempt_count_at - (int64_t)kernel->hooks.run_queues_at;
	configure(*skeleton, context, &kernel->drift, may_probe);
	err = write_excerpt(kernel, *skeleton);
	if (!err)
		err = loader__load((*skeleton)->skeleton, &kernel->hooks);
	if (!err)
		return 0;
	forktax_bpf__destroy(*skeleton);
	*skeleton = NULL;
	return err;
}

/*
 * A kernel locked down for confidentiality refuses bpf_probe_read_kernel. Names, lines of scripts and page tables alone
 * need it, so the second try does without it.
 */
int load__skeleton(struct forktax_bpf **skeleton, load__configure *configure, const void *context)
{
	struct kernel kernel = {};
	int err = look_at_kernel(&kernel);

	*skeleton = NULL;
	if (!err)
		err = loader__register();
	if (!err)
		err = try_load(skeleton, &kernel, configure, context, true);
	if ((err == -EINVAL || err == -EPERM || err == -EACCES) &&
	    loader__probe_helper(BPF_FUNC_probe_read_kernel) != 1)
		err = try_load(skeleton, &kernel, configure, context, false);
	forget_kernel(&kernel);
	return err;
}
