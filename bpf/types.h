/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The kernel types that forktax reads, cut down to the fields it uses. CO-RE relocates every access
 * to the running kernel, so order, size and neighbours do not matter here. For each type that is
 * accessed libbpf searches all of the kernel's BTF (0.8 ms): so fields that only some supported
 * kernels have stand beside those that all have, and drift.h asks whether they exist.
 */
#ifndef FORKTAX_TYPES_H
#define FORKTAX_TYPES_H

#include <linux/types.h>
#include <linux/bpf.h>
#include <stdbool.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info {
	__u32 status;
};

struct upid {
	int nr;
	void *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[8];
};

struct super_block {
	__u32 s_dev;
};

struct inode {
	unsigned short i_mode;
	long long i_size;
	unsigned long i_ino;
	struct super_block *i_sb;
};

struct file {
	struct inode *f_inode;
};

struct fdtable {
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

#define AUXV_WORDS 40

typedef struct {
	long counter;
} atomic_long_t;

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	void *vdso;
} mm_context_t;

struct mm_struct {
	atomic_t mm_users;
	int map_count;
	unsigned long start_code, end_code, start_data, end_data, start_brk, brk, start_stack;
	atomic_long_t pgtables_bytes;
	mm_context_t context;
	unsigned long saved_auxv[AUXV_WORDS];
	struct file *exe_file;
	void *pgd;
};

/* CONFIG_PER_VMA_LOCK: see mappings_version(). */
struct mm_struct___number {
	int mm_lock_seq;
};

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

struct desc_struct {
	unsigned short base0;
	unsigned short base1: 8;
	unsigned short base2: 8;
};

struct thread_struct {
	struct desc_struct tls_array[3];
	unsigned long fsbase;
	unsigned long cr2;
	unsigned long trap_nr;
};

struct signal_struct {
	atomic_t live; /* threads that have not begun to exit */
	int nr_threads;
	int group_exit_code;
	unsigned int flags;
};

struct cfs_rq {
	struct rq *rq; /* CONFIG_FAIR_GROUP_SCHED */
};

struct sched_entity {
	struct cfs_rq *cfs_rq; /* the same */
	__u64 sum_exec_runtime;
	unsigned char sched_delayed; /* Linux 6.12 */
};

struct task_rss_stat {
	int events;
	int count[4];
};

struct task_delay_info {
	__u32 wpcopy_count;
};

struct futex_sched_data {
	void *robust_list, *compat_robust_list;
};

struct seccomp {
	int mode;
};

struct kernfs_node {
	__u64 id;
	const char *name;
};

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
};

struct cgroup_root {
	int hierarchy_id; /* 0: that of version 2 */
};

struct cgroup {
	struct cgroup_subsys_state self;
	struct kernfs_node *kn;
	struct cgroup_root *root;
};

struct css_set {
	struct cgroup *dfl_cgrp; /* in the hierarchy of version 2 */
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int flags;
	unsigned int ptrace;
	struct mm_struct *mm;
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
	struct signal_struct *signal;
	struct sched_entity se;
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

/* Interfaces, the same in every kernel: what ptrace(2) shows of x86-64, and the contexts of iterators. */
struct pt_regs {
	unsigned long general[15]; /* r15 r14 r13 r12 bp bx r11 r10 r9 r8 ax cx dx si di */
	unsigned long orig_ax;
	unsigned long ip, cs, flags, sp;
};

struct bpf_iter_meta {
	struct seq_file *seq;
};

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
#define USER32_CS	  0x23	     /* __USER32_CS, arch/x86/include/asm/segment.h */
#define TS_COMPAT	  0x0002     /* arch/x86/include/asm/thread_info.h */
#define S_IFMT		  0170000 /* include/uapi/linux/stat.h */
#define S_IFREG		  0100000
#define O_ACCMODE	  3 /* include/uapi/asm-generic/fcntl.h */
#define X32_SYSCALL_BIT	  0x40000000 /* arch/x86/include/uapi/asm/unistd.h */
#define AT_BASE		  7	     /* include/uapi/linux/auxvec.h */
#define AT_ENTRY	  9
#define VM_WRITE	  0x00000002UL /* include/linux/mm.h */
#define VM_EXEC		  0x00000004UL
#define VM_SHARED	  0x00000008UL
#define VM_GROWSDOWN	  0x00000100UL
#define VM_UFFD_MISSING	  0x00000200UL
#define VM_PFNMAP	  0x00000400UL
#define VM_UFFD_WP	  0x00001000UL
#define VM_IO		  0x00004000UL
#define VM_HUGETLB	  0x00400000UL
#define VM_MIXEDMAP	  0x10000000UL
#define TRAP_PAGE_FAULT	  14 /* arch/x86/include/asm/trapnr.h */
#define FAULT_PRESENT	  0x1 /* x86 page-fault error code */
#define FAULT_WRITE	  0x2
#define FAULT_USER	  0x4
#define FAULT_FILLED	  0x08 /* not what it means to the kernel: a page was zeroed for it */
#define FAULT_FETCH	  0x10
#define FAULT_FOUND	  0x80 /* none of the kernel's: the page was there already */
#define PAGE_SIZE	  4096
#define GFP_USER_PAGE	  (0x02u | 0x08u) /* __GFP_HIGHMEM | __GFP_MOVABLE, include/linux/gfp_types.h */
#define GFP_ZEROED	  0x100u	  /* __GFP_ZERO */
#define MM_FILEPAGES	  0 /* include/linux/mm_types_task.h */
#define MM_ANONPAGES	  1
#define MM_SWAPENTS	  2
#define MM_SHMEMPAGES	  3
#define SIGBUS		  7
#define SIGSEGV		  11
#define ENOENT		  2
#define EBUSY		  16
#define EEXIST		  17

#endif
