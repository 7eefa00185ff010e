/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The kernel types that forktax reads, cut down to the fields it uses; those of one machine alone stand in its header,
 * which includes this file (arch.h). CO-RE relocates every access to the running kernel, so order, size and neighbours
 * do not matter here. For each type that is accessed libbpf searches all of the kernel's BTF (0.8 ms): so fields that
 * only some supported kernels have stand beside those that all have, and drift.h asks whether they exist.
 */
#pragma once

#include <linux/types.h>
#include <linux/bpf.h>
#include <stdbool.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct upid { int nr; void *ns; };

struct pid {
	unsigned int level;
	struct upid numbers[8];
};

struct super_block { __u32 s_dev; };

struct inode {
	unsigned short i_mode;
	long long i_size;
	unsigned long i_ino;
	struct super_block *i_sb;
};

struct file { struct inode *f_inode; };

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
	unsigned long *open_fds; /* a bit for each number */
};

struct files_struct { struct fdtable *fdt; };
struct dentry { struct inode *d_inode; };
struct path { struct dentry *dentry; };
struct fs_struct { struct path pwd; };

#define AUXV_WORDS 40

typedef struct { long counter; } atomic_long_t;
typedef struct { int counter; } atomic_t;
typedef struct { void *vdso; } mm_context_t;
struct rw_semaphore { atomic_long_t count; }; /* not with CONFIG_PREEMPT_RT */
struct maple_tree { void *ma_root; };
struct maple_range_64 { unsigned long pivot[15]; void *slot[16]; };
struct maple_arange_64 { unsigned long pivot[9]; void *slot[10]; };

struct mm_struct {
	struct maple_tree mm_mt;
	struct rw_semaphore mmap_lock;
	atomic_t mm_users;
	int map_count;
	unsigned long start_code, end_code, start_data, end_data, start_brk, brk, start_stack;
	unsigned long arg_start, arg_end;
	atomic_long_t pgtables_bytes, pinned_vm; /* the latter in pages */
	mm_context_t context;
	unsigned long saved_auxv[AUXV_WORDS];
	struct file *exe_file;
	void *pgd;
};

/* CONFIG_PER_VMA_LOCK: see mappings_version(). */
struct mm_struct___number { int mm_lock_seq; };

struct mm_struct___seqcount {
	struct {
		unsigned int sequence;
	} mm_lock_seq;
};

struct vm_area_struct {
	unsigned long vm_start, vm_end;
	unsigned long vm_flags;
	unsigned long vm_pgoff;
	const void *vm_ops;
	struct file *vm_file;
	struct mm_struct *vm_mm;
	struct anon_vma *anon_vma;
	unsigned int vm_lock_seq; /* Linux 6.4 */
};

struct signal_struct {
	atomic_t live; /* threads that have not begun to exit */
	int nr_threads;
	int group_exit_code;
	unsigned int flags;
};

struct rq { __u64 clock; };
struct cfs_rq { struct rq *rq; }; /* CONFIG_FAIR_GROUP_SCHED */
struct sched_info { unsigned long long last_arrival; }; /* CONFIG_SCHED_INFO */

struct sched_entity {
	struct cfs_rq *cfs_rq; /* the same */
	__u64 sum_exec_runtime;
	unsigned char sched_delayed; /* Linux 6.12 */
};

struct task_rss_stat {
	int events;
	int count[4];
};

struct task_delay_info { __u32 wpcopy_count; };
struct futex_sched_data { void *robust_list, *compat_robust_list; };
struct seccomp { int mode; };

struct kernfs_node {
	__u64 id;
	const char *name;
};

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
};

struct cgroup_root { int hierarchy_id; }; /* 0: that of version 2 */

struct cgroup {
	struct cgroup_subsys_state self;
	struct kernfs_node *kn;
	struct cgroup_root *root;
};

struct css_set { struct cgroup *dfl_cgrp; }; /* in the hierarchy of version 2 */

struct task_struct {
	struct thread_info thread_info;
	unsigned int flags;
	unsigned int ptrace;
	struct mm_struct *mm;
	struct fs_struct *fs;
	struct files_struct *files;
	int pid, tgid;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	int *clear_child_tid;
	unsigned long nvcsw;
	__u64 start_time;
	unsigned long min_flt, maj_flt;
	int pagefault_disabled;
	char comm[16];
	int exit_code;
	unsigned int __state;
	unsigned int on_rq; /* until Linux 7.x an int: libbpf fits only what has no sign */
	int on_cpu; /* CONFIG_SMP */
	struct signal_struct *signal;
	struct sched_entity se;
	struct sched_info sched_info;
	struct thread_struct thread;
	/* Not of every kernel, see drift.h: */
	struct task_rss_stat rss_stat;
	struct task_delay_info *delays;
	int numa_scan_seq;
	unsigned long numa_faults_locality[3];
	struct futex_sched_data futex;
	void *robust_list, *compat_robust_list;
	struct seccomp seccomp;
	struct css_set *cgroups; /* CONFIG_CGROUPS */
};

struct pcpu_hot { /* Linux 6.2 to 6.14 */
	int preempt_count;
};

struct linux_binprm {
	const char *filename;
	const char *interp;
};

struct seq_file;

#pragma clang attribute pop

/* Interfaces, the same in every kernel: the contexts of iterators. */
struct bpf_iter_meta { struct seq_file *seq; };

struct bpf_iter__task_vma {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
	struct vm_area_struct *vma;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

struct page;

/* Kernel constants that no BTF carries; all are older than the oldest supported kernel. */
#define PF_EXITING	  0x00000004 /* include/linux/sched.h */
#define PF_MEMALLOC	  0x00000800
#define PF_KTHREAD	  0x00200000
#define TASK_INTERRUPTIBLE 0x00000001 /* include/linux/sched.h */
#define TASK_DEAD	  0x00000080
#define CLONE_FILES	  0x00000400 /* include/uapi/linux/sched.h */
#define CLONE_VFORK	  0x00004000
#define PF_IO_WORKER	  0x00000010
#define SIGNAL_GROUP_EXIT 0x00000004 /* include/linux/sched/signal.h */
#define S_IFMT		  0170000 /* include/uapi/linux/stat.h */
#define S_IFREG		  0100000
#define S_IFIFO		  0010000
#define S_IFSOCK	  0140000
#define O_ACCMODE	  3 /* include/uapi/asm-generic/fcntl.h */
#define AT_BASE		  7	     /* include/uapi/linux/auxvec.h */
#define AT_ENTRY	  9
#define GFP_USER_PAGE	  (0x02u | 0x08u) /* __GFP_HIGHMEM | __GFP_MOVABLE, include/linux/gfp_types.h */
#define GFP_ZEROED	  0x100u	  /* __GFP_ZERO */
#define SIGBUS		  7
#define SIGSEGV		  11
#define ENOENT		  2
#define EBUSY		  16
#define EEXIST		  17
