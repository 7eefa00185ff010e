/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The whole contract between the kernel half (bpf/) and user space (user/source/): identifiers
 * from the data dictionary, and the keys and values of every shared map.
 */
#pragma once

#include <linux/types.h>

#include "cgroup_names.h"

#ifdef __bpf__
typedef __u64 uint64_t;
#else
#include <stdint.h>
#endif

/* Stands for kernel function bpf_rdonly_cast() until the loader puts its number there. */
#define CAST_CALL 0x7e5f0ca5

#define COUNTER(id, ...) ACTOR_##id,
enum actor {
#include "actors.def"
	ACTOR_COUNT
};
#undef COUNTER

#define COUNTER(id, ...) FAULT_##id,
enum fault_class {
#include "faults.def"
	FAULT_COUNT
};
#undef COUNTER

#define COUNTER(id, ...) BIRTH_##id,
enum birth {
#include "births.def"
	BIRTH_COUNT
};
#undef COUNTER

#define COUNTER(id, ...) LIFE_##id,
enum lifecycle {
#include "lifecycle.def"
	LIFE_COUNT
};
#undef COUNTER

#define COUNTER(id, ...) LOSS_##id,
enum loss {
#include "integrity.def"
	LOSS_COUNT
};
#undef COUNTER

#define COUNTER(id, ...) PHASE_##id,
enum phase {
#include "phases.def"
	PHASE_COUNT
};
#undef COUNTER

#define COUNTER(id, ...) PLACE_##id,
enum place_kind {
#include "places.def"
	PLACE_COUNT
};
#undef COUNTER

#define COUNTER(id, ...) PART_##id,
enum fork_part {
#include "fork_parts.def"
	PART_COUNT
};
#undef COUNTER

#define COUNTER(id, ...) TREE_##id,
enum tree_part {
#include "tree_parts.def"
	TREE_COUNT
};
#undef COUNTER

/* Calling convention of a system call: two processes may mean different calls by one number. */
enum abi { ABI_X86_64, ABI_I386, ABI_X32, ABI_AARCH64, ABI_ARM, ABI_COUNT };

/* Of the machine that this is built for: forktax's own, and that of its 32-bit programs. */
#if defined(__TARGET_ARCH_arm64) || defined(__aarch64__)
#define ABI_NATIVE ABI_AARCH64
#define ABI_COMPAT ABI_ARM
#else
#define ABI_NATIVE ABI_X86_64
#define ABI_COMPAT ABI_I386
#endif

/* How an image came to be. */
enum image_kind { IMAGE_INHERITED, IMAGE_BORROWED, IMAGE_EXEC, IMAGE_ATTACHED, IMAGE_KIND_COUNT };

/* Of a call in a table: all that were made, which is never 0; those that were denied; else 1 + errno, of these. */
enum call_outcome { CALL_MADE = 1, CALL_WAS_DENIED = 1 << 15 };

/* One kind of system call made by one actor. Numbers are hostile input: any 32-bit value. */
struct call_key {
	__s32 nr;
	__u8 abi;
	__u8 actor;
	__u16 outcome; /* enum call_outcome */
};

struct call_counts {
	__u64 calls;
	__u64 time_ns; /* of CALL_MADE */
};

/*
 * Page faults of one image, process or run. `total` is the kernel's own min_flt + maj_flt: `by` adds up to it except
 * for faults that the kernel takes without an event, such as those of MAP_POPULATE and of the argument pages of execve.
 */
struct faults {
	uint64_t total;
	uint64_t by[ACTOR_COUNT][FAULT_COUNT];
	uint64_t major; /* of the total */
	uint64_t page_table_pages;
};

struct image_counts {
	__u64 syscalls;
	__u64 denied;
	struct faults faults;
};

/* Known of every process as one number, and of the children of a group as a distribution. */
enum metric { METRIC_SYSCALLS, METRIC_FAULTS, METRIC_UNATTRIBUTED, METRIC_CLASS,
	      METRIC_COUNT = METRIC_CLASS + FAULT_COUNT };

/* Images of one process that are listed: the last one also has the counts of all that follow. */
enum { IMAGES_MOST = 1024 };

/* Map images: an ended image of a process that is kept. */
struct image_key {
	__u64 process;
	__u64 index;
};

struct image_value {
	__u32 exe;
	__u32 kind;
	struct image_counts counts;
};

#define TASK_NAME 16 /* of the kernel: cut off */

/* Map processes: every live process, and ended ones that user space still has to collect. */
struct process_value {
	__u64 id;
	__u64 parent;
	__u64 start_ns, end_ns; /* CLOCK_MONOTONIC */
	__s32 pid, ppid, ns_pid;
	__s32 exit_code; /* as wait(2) reports it; until the process has ended, that of its leader */
	__u32 exe; /* of the current image */
	__u32 parent_exe;
	__u32 group; /* index of its group_value, 0 until the exec target is known, and for roots */
	__u32 exec_target; /* what it exec'd first, 0: nothing (yet) */
	__u32 live_threads;
	__u32 threads;
	__u32 children;
	__u32 images; /* ended images so far */
	__u32 seeding; /* attaching holds one of live_threads, until all threads are found */
	__u32 over; /* its last thread has summed it up */
	__u8 birth;
	__u8 shares_mm;
	__u8 reparented;
	__u8 kind; /* of the current image */
	__u8 kept; /* stays in the map after its end, for user space to collect */
	__u8 finished;
	__u8 cut; /* a thread has not been counted to its end: the process ends unfinished */
	__u8 wpcopy_known;
	__u8 recorded; /* anatomy level: its images are */
	__u8 has_forked; /* the current image, so that its pages may be shared with a child */
	__s32 birth_pid; /* as its parent sees it: with `parent` the key into map births */
	/* Where the script was that created it, as in struct script_line_key. */
	__u64 source, function;
	__u32 line, function_line;
	__u32 certainty;
	__u32 language;
	__u64 image_ns; /* when the current image began */
	__u64 first_call; /* of the current image, in map process_calls; 0: none */
	__u64 last_child; /* the recorded child that shares pages, if the last one is recorded */
	__u64 unsampled; /* copies of the current image after forks of children that are not */
	__u64 wpcopy;
	struct image_counts image; /* current image: threads that have ended */
	__u64 next_faults[FAULT_COUNT]; /* taken by an execve under way in the image it builds */
	__u64 next_table_pages;
	__u64 sums[METRIC_COUNT]; /* over all ended images */
	__u64 minflt, majflt; /* over all ended images, too */
	__u64 unit; /* these two where units are counted: that of its parent, when it was born */
	char name[TASK_NAME]; /* as of the last execve, its own or its parent's */
};

/* Map groups. Index 0 stands for the roots. */
struct group_key {
	__u32 parent_exe;
	__u32 exec_target; /* 0: never exec'd */
	__u32 birth;
	__u32 zero;
};

struct usual_value {
	__u64 value; /* as in struct dist_key; 0: none yet */
	__u64 children; /* that had it */
};

struct group_value {
	__u32 index;
	__u32 zero;
	__u64 first; /* id of the first process */
	__u64 children;
	__u64 unfinished;
	__u64 sums[METRIC_COUNT]; /* over finished children */
	struct usual_value usual[METRIC_COUNT]; /* of the first child; other values are in map distribution */
	struct image_counts inherited; /* these two: unfinished ones too */
	struct image_counts execd;
};

/* Map calls: system calls by group, and how they ended. */
struct group_call_key {
	struct call_key call;
	__u32 group;
	__u32 zero;
};

/*
 * Map distribution: how many finished children of a group had this value of a metric. Zero is
 * not stored. Values up to DIST_EXACT stand for themselves, larger ones share buckets.
 */
struct dist_key {
	__u32 group;
	__u32 metric;
	__u64 value;
};

/* Above it only the highest 12 bits of a value are kept: it is rounded down by less than 0.05 %. */
#define DIST_EXACT 4095

/*
 * Map exes: executables seen, by file and the name by which it was executed (one file is `sh` and
 * `busybox`); the number is what all other maps refer to.
 */
struct exe_key {
	__u64 ino;
	__u64 name; /* a hash of it, 0: not known */
	__u32 dev; /* s_dev of the kernel: major << 20 | minor */
	__u32 zero;
};

#define EXE_NAME_MAX 4096 /* PATH_MAX: execve takes no longer one */
struct exe_value {
	__u32 index; /* from 1 */
	__u32 pid; /* of the process that ran it first */
	__u32 has_interp;
	__u32 name_length; /* with the NUL; 0: not known, or too long */
	char name[EXE_NAME_MAX]; /* as executed */
};

/* Map latencies: durations of one system call, all actors together. */
#define LATENCY_SUB_BITS 4 /* 16 buckets per power of two: 6.25 % */
#define LATENCY_BUCKETS	 ((40 - LATENCY_SUB_BITS + 1) << LATENCY_SUB_BITS)
struct latency_value {
	__u64 min_ns, max_ns;
	__u64 buckets[LATENCY_BUCKETS];
};

/* Map shells: where a shell keeps what it executes, as distances from mm->start_code, by its executable file. */
struct shell_key {
	__u64 ino;
	__u32 dev; /* as in struct exe_key */
	__u32 zero;
};

enum script_language { LANGUAGE_UNKNOWN, LANGUAGE_BASH, LANGUAGE_PYTHON, LANGUAGE_PERL, LANGUAGE_MAKE, LANGUAGE_ZSH,
		       LANGUAGE_COUNT };

struct bash_layout {
	__u64 line; /* int line_number */
	__u64 error_line; /* int line_number_for_err_trap: that of the last command that is no compound one */
	__u64 trap; /* int running_trap: not 0 in a trap, where the line is that of the trap's text */
	__u64 variables; /* struct var_context *global_variables */
	__u64 depth; /* int variable_context: of functions */
	__u64 function; /* SHELL_VAR *this_shell_function */
	__u64 interactive; /* int interactive_shell: then lines of a function count from its beginning */
	__u64 subshell; /* int subshell_environment */
	__u64 input; /* BASH_INPUT bash_input: what is parsed */
	__u64 commands; /* char *command_execution_string, of -c; 0: not known */
	__u64 command; /* COMMAND *currently_executing_command; 0: not known */
};

/*
 * Where Python is a library, the distances are from where that is loaded. The executable has a word with the address of
 * a function of the library, which leads there.
 */
struct python_layout {
	__u64 word; /* distance from mm->start_code; 0: the executable is Python itself */
	__u64 function; /* in the library */
	__u64 runtime; /* _PyRuntime */
	__u64 code_type, text_type, bytes_type; /* PyCode_Type, PyUnicode_Type, PyBytes_Type */
	/* Offsets in structures of this version. */
	__u32 interpreters; /* _PyRuntimeState: the first of the interpreters */
	__u32 next_interpreter, threads; /* PyInterpreterState */
	__u32 thread_id; /* PyThreadState: pthread_self() */
	__u32 thread_frames; /* PyThreadState: a pointer to a struct that has ... */
	__u32 current_frame; /* ... a pointer to the frame; PYTHON_NO_CFRAME: to the frame itself */
	__u32 code, previous, instruction, owner; /* _PyInterpreterFrame */
	__u32 first_line, instructions; /* PyCodeObject */
	__u32 characters; /* size of PyASCIIObject */
};
#define PYTHON_NO_CFRAME ~0u

struct perl_layout {
	__u64 context; /* PerlInterpreter *PL_current_context, from pthread_self(): negative */
	__u32 statement; /* PerlInterpreter: the one that is executed, PL_curcop */
	__u32 line, file; /* COP */
	__u32 zero;
};

struct make_layout {
	__u64 version; /* char *version_string */
	__u64 children; /* struct child *children: commands of recipes that run */
	__u64 reading_file; /* const floc *reading_file: what make reads or expands */
	__u64 shell_pid; /* pid_t shell_function_pid: the child of $(shell) */
	__u64 directory; /* char *starting_directory, where relative names of makefiles begin */
};

struct zsh_layout {
	__u64 line; /* zlong lineno */
	__u64 frames; /* Funcstack funcstack: functions, files and evals that it is in */
	__u64 file; /* char *scriptfilename */
};

struct shell_value {
	__u32 language; /* enum script_language */
	__u32 zero;
	union {
		struct bash_layout bash;
		struct python_layout python;
		struct perl_layout perl;
		struct make_layout make;
		struct zsh_layout zsh;
	};
};

/* Map opened_files: the file that shells opened to read, by the hash of its name. */
#define OPENED_FILES 4096
struct opened_file {
	__u64 ino; /* 0: not known */
	__u64 size; /* these two: when it was opened first */
	__u64 ns; /* CLOCK_MONOTONIC */
	__u32 dev; /* as in struct exe_key */
	__u32 others; /* the name led to another file, too */
};

/* Python: whether a file is of its own library. Then the line of the caller is wanted. */
enum script_place { SCRIPT_ANYWHERE, SCRIPT_OF_USER, SCRIPT_OF_LIBRARY };

#define SCRIPT_NAME_MAX 1024 /* longer names are not known */
struct script_name {
	struct opened_file file; /* if it is that of a file */
	__u64 place; /* enum script_place */
	char text[SCRIPT_NAME_MAX];
};

/* Map script_commands: those of -c. */
#define SCRIPT_COMMANDS_MAX 4096 /* longer ones are not known */
struct script_commands { char text[SCRIPT_COMMANDS_MAX]; };

/* How well the line is known that created a child. */
enum line_certainty {
	LINE_EXACT,
	LINE_BELOW, /* it is in the text that this line evaluates: of a $( ), say */
	LINE_IN_TRAP, /* it is one of the text of a trap */
	LINE_OF_ENVIRONMENT, /* it is one of a function that came from the environment */
	LINE_UNSURE, /* the interpreter's own number may be that of another line */
	LINE_CERTAINTIES,
};

/* Map script_lines: children by where the script was that created them. */
#define SCRIPT_NO_FILE 1 /* of `source`: the commands come from standard input, or from a -c that is not known */
struct script_line_key {
	__u64 source, function; /* keys into map script_names, or script_commands; 0: not known, or no function */
	__u64 text; /* of a recipe: the key of the line as make has it; 0: not known */
	__u32 line; /* if it is LINE_EXACT or LINE_BELOW */
	__u32 function_line; /* of bash: where the body of the function begins, as bash says; 0: in none */
	__u32 certainty; /* enum line_certainty */
	__u32 language; /* enum script_language */
	__u32 parent_exe, exec_target; /* as in struct group_key */
	__u32 birth;
	__u32 zero;
};

struct script_line_value {
	__u64 children;
	__u64 unfinished; /* of these */
	__u64 ns; /* from their births to their ends; not of unfinished ones */
};

/* Map make_children: those that make has not waited for yet. Their lines are known when it does. */
#define MAKE_CHILDREN 8192
struct make_child_key {
	__u64 process; /* that of make */
	__u64 pid; /* of the child, as make sees it */
};

struct make_child {
	struct script_line_key counted; /* where it was counted when it ended */
	__u64 ns; /* as in struct script_line_value */
	__u64 id; /* of the process */
	__u64 source; /* these three: what make read or expanded when it forked */
	__u32 line, certainty;
	__u32 has_ended;
	__u32 tried_implicit; /* bpf/script_make.h */
};

/* Map tree_rows: the times of a tree of processes, by what the images were. */
struct tree_key {
	__u32 exe;
	__u32 executed; /* 0: images that a fork made of it, of processes that never executed a program */
	__u32 maker; /* what such processes were before they executed `exe`, for that time; 0: of the image itself */
	__u32 zero;
};

#define SHARE_BITS 16 /* shares of the clock (share_accounts.h) are numbers of 2^-SHARE_BITS ns */

struct tree_value {
	__u64 images; /* of first threads: those that have ended */
	__u64 no_entry; /* of these, how many whose first instruction was not seen */
	__u64 reaped; /* how many ended processes a parent was seen to wait for */
	__u64 cpu[TREE_COUNT]; /* of all threads */
	__u64 wall[TREE_COUNT]; /* of first threads */
	__u64 share[TREE_COUNT]; /* of the clock (share_accounts.h), of all threads */
};

/* Map tree_calls: calls that are no part of their own, by program and outcome. */
struct tree_call_key {
	__u32 exe;
	__u32 executed; /* as in struct tree_key */
	__u32 part; /* enum tree_part: in which they were made; TREE_COUNT: no calls, but the sleep of all */
	__s32 nr;
	__u32 abi;
	__u32 error; /* errno; 0: none */
};

struct tree_call_value {
	__u64 calls;
	__u64 cpu, share;
};

/*
 * Map executions: programs that were executed, by their arguments, the program that forked, the directory, and the line
 * of the script if that is known when they begin.
 */
#define EXECUTION_TEXT	 512 /* bytes of the arguments that are kept */
#define EXECUTION_HASHED 4096 /* ... and, of arguments and of output, that are compared */

struct execution_value {
	__u64 hash; /* of the arguments */
	__u64 source; /* these two: as in struct script_line_key; 0: not known */
	__u32 line;
	__u32 exe, parent_exe;
	__u32 mixed; /* not one process alone has written to standard output, or it was no pipe */
	__u64 count;
	__u64 fed; /* how many have read from standard input */
	__u64 input_most; /* bytes there, of one */
	__u64 captured; /* how many have written to a pipe that is not the command's output, or could */
	__u64 output, same; /* how many have written the same to a pipe as the first, and a hash of that; 0: nothing */
	__u64 cpu, share; /* of processes until their end, of forks that made them, and of copies that they made */
	__u64 length; /* of the arguments, each with its NUL */
	char text[EXECUTION_TEXT];
};

/*
 * Ring buffer `path_events`: what the critical path of a command is made of (docs/use/critical-path.md). Threads have
 * numbers, because the kernel uses their addresses and ids again. An event of a thread comes before those of the
 * threads that it has created or woken.
 */
enum path_event_kind {
	PATH_BEGINS, /* the command's first thread */
	PATH_CREATES, /* `thread` creates thread `other` */
	PATH_WAKES, /* `thread` wakes thread `other`, which slept */
	PATH_EXECUTES,
	PATH_ENDS, /* the thread has run for the last time */
	PATH_COMMAND_ENDS, /* and `thread` is its last one */
	PATH_PLACES, /* make has waited for a process: its line, in a struct path_birth with nothing else */
};

/* What a thread waits for, other than for a thread of the tree. */
enum path_wait {
	PATH_WAITS_CPU, /* it could run */
	PATH_WAITS_DEVICE, /* an interrupt has woken it: of a disk, a timer, the network */
	PATH_WAITS_OTHERS, /* a process that is not of the tree, or a thread of the kernel has */
	PATH_WAITS_UNKNOWN, /* it was not seen what has */
	PATH_WAITS
};

struct path_event {
	__u32 kind;
	__u32 exe; /* of the new image, or of the new process: as exe_value.index */
	__u64 ns; /* CLOCK_MONOTONIC */
	__u64 thread, other;
	__u64 waits[PATH_WAITS]; /* of `thread` since its last event, or since it was woken by one of the tree */
	__u64 idle[PATH_WAITS]; /* of these, while no thread of the tree ran */
	__s32 call_nr; /* in which `other` slept; -1: in none, or not known */
	__u32 call_abi;
};

/* Of PATH_BEGINS, PATH_CREATES and PATH_PLACES. */
struct path_birth {
	struct path_event event;
	__u64 process;
	__u64 source, function; /* as in struct process_value: where the script was that created it */
	__s32 pid;
	__u32 line;
	__u32 language; /* enum script_language. The place of a child of make comes by PATH_PLACES, if at all */
	__u32 zero;
};

/* Ring buffer `messages`: doorbells only. What they announce stays in the maps, whether they arrive or not. */
enum message_kind { MESSAGE_EXE, MESSAGE_ENDED, MESSAGE_LEFT, MESSAGE_CGROUP, MESSAGE_ATTACHED };
struct message {
	__u32 kind;
	__u32 pid;
	__u64 id; /* MESSAGE_EXE: index of the executable; MESSAGE_ENDED, MESSAGE_ATTACHED: process */
	__u64 ino; /* these two: of the executable */
	__u64 dev; /* as the kernel encodes it: 20 bits for the minor number */
};

/* MESSAGE_CGROUP: one was created, in `parent`, and matches a pattern. */
#define CGROUP_UNNAMED ~0u
struct cgroup_message {
	__u32 kind;
	__u32 glob; /* index into map cgroup_globs; CGROUP_UNNAMED: names cannot be read, so this one may match */
	__u64 id, parent;
	char name[CGROUP_NAME];
};

/* A pattern for the names of new cgroups in this one: number 0, 1, ... until there is none. */
#define CGROUP_PLACES 1024
struct cgroup_place_key {
	__u64 cgroup;
	__u64 number;
};

/*
 * Ring buffer `details`, filled at the anatomy level only: single events of the recorded processes.
 * A record that finds no room is missing in the anatomy and nowhere else; comparing the records
 * received with the counts of their image shows it.
 */
enum detail_kind {
	DETAIL_FAULT,
	DETAIL_IMAGE,
	DETAIL_FORK,
	DETAIL_FIRST_FORK,
	DETAIL_GOT,
	DETAIL_BEYOND,
};

#define RECORDS_MOST (1 << 18) /* faults of one thread; those beyond are only counted */

struct detail {
	__u32 kind;
	__u32 pid; /* as forktax sees it */
	__u64 process;
};

/* Where an address lies: see places.def for what the offset is. */
struct place_record {
	__u64 ino; /* with dev, of the object; 0: none */
	__u64 offset;
	__u32 dev;
	__u32 kind;
};

struct fault_record {
	struct detail head;
	__u64 address, ip;
	__u64 begin_ns; /* CLOCK_MONOTONIC */
	__u64 duration_ns; /* 0: not known */
	__u64 child; /* PHASE_PARENT: the child created last */
	struct place_record place, code;
	__u32 image; /* of the process, as in struct image_key */
	__s32 call_nr; /* system call under way; -1: none */
	__u8 call_abi;
	__u8 phase, actor, class;
	__u8 is_exec;
	__u8 around_known;
	__u16 around; /* pages mapped */
	__u32 table_pages;
	__u32 group; /* index of its group_value; GROUP_UNKNOWN until the image has ended */
	__u64 stack; /* key into map stacks; 0: none */
};

#define GROUP_UNKNOWN 0xffffffffu

/*
 * Map stacks: a call stack, the innermost frame first, by a hash of where its frames lie. So the stacks
 * of all children of a loop are one, as they are of processes with other addresses.
 */
#define STACK_FRAMES 64
#define RAW_STACKS   (1 << 14) /* addresses of stacks that wait for their places */
enum stack_end {
	STACK_WHOLE, /* no frame says that there is one further out */
	STACK_CUT, /* STACK_FRAMES were kept */
	STACK_ASTRAY, /* no code lies where the next frame should return to */
};

/* Map call_stacks: how many system calls the recorded processes made so. */
struct call_stack_key {
	struct call_key call;
	__u32 exe; /* of the image */
	__u32 zero;
	__u64 stack; /* key into map stacks; 0: none, or lost */
};

/* Map raw_stacks: the addresses of a stack, by their hash. */
struct raw_stack {
	__u64 ips[STACK_FRAMES];
	__u64 top; /* the word that the stack pointer points to; 0: not read */
	__u64 count;
};

struct stack_value {
	__u32 count;
	__u32 end; /* enum stack_end */
	__s32 pid; /* these two: the first that had it */
	__u32 zero;
	__u64 process;
	__u64 ips[STACK_FRAMES]; /* there */
	struct place_record frames[STACK_FRAMES]; /* offset: the address itself, for code of no file */
	/*
	 * The word on top of the stack, if code lies there: where a function without a frame of its own returns
	 * to, which no frame pointer leads to. Else of kind PLACE_UNKNOWN.
	 */
	__u64 top_ip;
	struct place_record top;
};

/* A fault beyond RECORDS_MOST of its thread, only to be counted. */
struct beyond_record {
	struct detail head;
	__u64 child; /* of the process that shares the page; 0: not a consequence of a fork */
};

/* An image has ended: all its fault records came before. */
struct image_record {
	struct detail head;
	__u32 image;
	__u32 group; /* index of its group_value */
	__u32 kind;
	__u32 zero;
	__u64 begin_ns;
	__u64 faults; /* by the kernel's count */
	__u64 classified; /* of these, those that had an event; of those ... */
	__u64 unsampled; /* ... copies after forks of children that are not recorded */
};

/* Map births: recorded children that have not been reaped. */
struct birth_key {
	__u64 parent; /* process */
	__s32 pid; /* of the child, as its parent sees it */
	__u32 zero;
};

/* Times are CLOCK_MONOTONIC, 0 while unknown; see fork_parts.def. */
struct fork_record {
	struct detail head; /* of the child */
	__u64 parent;
	__u64 entered, forked, returned, started, execed, leaving, exited, reaped;
	__u64 page_table_bytes; /* these five: of the parent, at the fork */
	__u64 pinned_pages; /* as VmPin of proc(5) has them */
	__u64 open_files; /* descriptors */
	__u32 vmas;
	__u32 threads;
};

/* The first recorded child of its kind has been created: user space looks at its parent. */
struct first_fork_record {
	struct detail head; /* of the parent */
	__u64 child;
	__u64 ns; /* of its birth */
	__u64 start_code, start_stack; /* of the parent's image, as /proc/PID/stat has them */
};

/*
 * A page with slots, as it was before a child changed it or, with `after`, at the end. Each record has a piece of it:
 * the smallest page that a machine has.
 */
#define GOT_PIECE_SIZE 4096
struct got_record {
	struct detail head;
	__u64 address;
	struct place_record place; /* known `after` only */
	__u32 after;
	__u32 zero;
	__u8 bytes[GOT_PIECE_SIZE];
};

/*
 * Ring buffer `call_events`, filled where single calls are asked for: calls in the order in which they return, and the
 * lives of the processes that make them. What finds no room is counted (calls_lost).
 */
enum call_event_kind { CALL_EVENT_CALL, CALL_EVENT_FORK, CALL_EVENT_END, CALL_EVENT_STACK };

struct call_event_head {
	__u32 kind;
	__s32 tid; /* as forktax sees it */
	__u64 process;
};

struct life_event {
	struct call_event_head head;
	__u64 parent; /* these two: of a new process */
	__u32 shares_files; /* CLONE_FILES */
	__u32 group; /* of one that has ended: index of its group_value */
};

/*
 * The registers and the top of the stack with which the first image of a root enters a call: callers are
 * found in it by call frame information. Comes before the call itself, of the same thread.
 */
#define ENTRY_STACK_PIECES 8 /* each read by itself: the stack may end, or a page of it not be present */
#define ENTRY_PIECE_WORDS  16
#define ENTRY_STACK_WORDS  (ENTRY_STACK_PIECES * ENTRY_PIECE_WORDS)

struct stack_event {
	struct call_event_head head;
	__u64 ip, sp, bp;
	__u64 link; /* the register with the address to return to, if the machine has one */
	__s32 nr; /* of the call */
	__u32 count; /* of the words that could be read */
	__u64 words[ENTRY_STACK_WORDS]; /* from sp on */
};

enum call_end { CALL_RETURNED, CALL_DENIED, CALL_UNRETURNED };
enum call_path { CALL_PATH_NONE, CALL_PATH_WHOLE, CALL_PATH_CUT, CALL_PATH_UNREADABLE };

#define CALL_ARGUMENTS_MOST 6
#define CALL_PATHS_MOST	    2
#define SHORT_PATH	    256 /* a record has room for this much of each path ... */
#define LONG_PATH	    4104 /* ... or, where that does not do, for the longest path and more */

struct call_event {
	struct call_event_head head;
	__u64 begin_ns, end_ns; /* CLOCK_MONOTONIC */
	__s64 result;
	__u64 arguments[CALL_ARGUMENTS_MOST];
	__s32 nr;
	__u8 abi, actor;
	__u8 end; /* enum call_end */
	__u8 zero;
	__u8 path_states[CALL_PATHS_MOST]; /* enum call_path */
	__u16 path_room; /* path i begins so many bytes times i after this struct, and ends with a NUL */
	__u16 kind; /* an element of call_kinds */
	__u16 zeros;
	__s32 pair[2]; /* the new descriptors, if it makes two; -1: not known */
};

/*
 * What is known of a call by its number: which arguments (from 1; 0: none) lead to what, whether it
 * deals with files or descriptors, and whether it may replace the image.
 */
#define CALL_NUMBERS	      600
#define CALL_KIND_PATH(kind)  ((kind) & 7)
#define CALL_KIND_OTHER(kind) ((kind) >> 3 & 7)
#define CALL_KIND_PAIR(kind)  ((kind) >> 6 & 7) /* points to two new descriptors */
#define CALL_KIND_FILES	      0x200
#define CALL_KIND_EXEC	      0x400
#define CALL_KIND_MEMORY      0x800 /* the path is none, but memory of so many bytes as the next argument says ... */
#define CALL_KIND_OF_EIGHT    0x1000 /* ... times eight: of struct pollfd */
#define CALL_MEMORY_MOST      128 /* more is not read */

/*
 * Ring buffer `flow_events`, filled where the flow of a pool is asked for, and map flow_fills: how many
 * pages of new memory a process got by the code at `ip`, or in a call.
 */
enum flow_event_kind { FLOW_COPY, FLOW_ATTACHED, FLOW_BIRTH, FLOW_EXEC, FLOW_END };

struct flow_event {
	__u32 kind;
	__s32 pid; /* as forktax sees it; not of a copy */
	__u64 process;
	__u64 ns; /* CLOCK_MONOTONIC */
	__u64 address; /* of a copy; of a birth: the process that gave it */
	__u64 ip; /* 0: the kernel's; of an exec: the index of the new image */
	__u64 stack; /* of a copy: key into map raw_stacks; 0: none */
	__s32 call_nr; /* system call under way; -1: none */
	__u8 call_abi, actor;
	__u16 borrows; /* of a birth: the child has no memory of its own */
};

struct flow_fill_key {
	__u64 process, ip;
	__s32 call_nr;
	__u8 call_abi, actor;
	__u16 image; /* the last bits of its index */
};

/*
 * Counting by unit (forktax watch), for weeks: all sums are kept by cgroup, and no table grows with time. Map units: by
 * the id of the cgroup's directory; 0: cgroups that found no room.
 */
#define FORK_BOUND(ns, seconds) +1
enum {
	FORK_BUCKETS = 1 /* the last one has no bound */
#include "fork_bounds.def"
};
#undef FORK_BOUND

#define UNIT_OWN 0xffffffffffffffffull /* what forktax starts to measure what counting costs: no unit of a sample */

enum unit_fate { UNIT_ENDED, UNIT_EXECED, UNIT_FATES };

struct unit_value {
	uint64_t forks, execs, ends, calls;
	uint64_t minor_faults, major_faults;
	uint64_t by_birth[BIRTH_COUNT][FAULT_COUNT];
	uint64_t unnamed[BIRTH_COUNT][UNIT_FATES]; /* children that found no room in map unit_children */
	uint64_t ldso_pages; /* copied, or filled with zeros, by the dynamic linker */
	uint64_t fork_calls[FORK_BUCKETS]; /* by time */
	uint64_t fork_ns;
	uint64_t look; /* the number of the look at all tasks that has found ... */
	uint64_t processes; /* ... so many that run */
};

/* How the kernel half treats what forktax starts to measure what counting costs. */
enum unit_trial { TRIAL_NONE, TRIAL_COUNTED, TRIAL_PASSED /* as what is not watched */ };

/* Events of processes that are not watched, by CPU: a line of the cache each. */
enum passed { PASSED_CALLS, PASSED_FAULTS, PASSED_FORKS, PASSED_COUNTS };
#define PASSED_CPUS 64
#define PASSED_LINE 8

#define UNIT_PATH_SLOTS 2048
struct unit_path { char path[256]; };

/* Map unit_children: how many children of a kind a unit had. */
struct unit_child_key {
	__u64 unit; /* of the parent, when it forked */
	char parent[TASK_NAME]; /* as the kernel called it after its last execve */
	__u32 birth;
	__u32 has_execed;
};

/* What iterator list_vmas writes for every mapping. */
struct vma_record {
	__u64 start;
	__u64 has_anon; /* has an anon_vma: fork copies its page tables */
};

/* What find_direct_map is given where user space knows where the map should be: a page that holds its own address. */
struct own_page { __u64 address; };

/* Map recording: how many children of a kind there have been. */
struct recording_key {
	__u32 parent_exe;
	__u32 birth; /* 1: shares the address space */
};
