// SPDX-License-Identifier: GPL-2.0-or-later
/* Whole logs of strace as runs. */
#include "unit.h"

#include <errno.h>
#include <sys/mman.h>

#include "model/run/run_check.h"
#include "base/memory.h"
#include "model/words/syscall_names.h"
#include "source/calls/call_stream.h"
#include "source/strace/strace_log.h"

/* The log, fed in pieces of at most this many bytes, as a run. */
static struct run *read_in_pieces(const char *text, size_t length, size_t piece, unsigned int uses)
{
	struct run *run = run__new();
	struct strace_log *log;
	size_t taken;

	run->all_processes = true;
	log = strace_log__new(run, uses);
	for (; length; text += taken, length -= taken) {
		taken = length < piece ? length : piece;
		strace_log__feed(log, text, taken);
	}
	strace_log__finish(log);
	strace_log__free(log);
	return run;
}

/* A run whose parts agree, whether it came in one piece or byte by byte. */
static struct run *run_of(const char *text)
{
	struct run *run = read_in_pieces(text, strlen(text), SIZE_MAX, 0);
	struct run *again = read_in_pieces(text, strlen(text), 1, 0);
	char *wrong = run__contradiction(run);

	if (wrong)
		fail_msg("%s", wrong);
	assert_int_equal(syscall_table__calls(&run->table), syscall_table__calls(&again->table));
	assert_memory_equal(run->totals, again->totals, sizeof(run->totals));
	run__free(again);
	return run;
}

static uint64_t calls(const struct run *run, const char *name)
{
	const struct syscall_row *row = syscall_table__find(&run->table, name, ABI_NATIVE);

	return row ? syscall_row__sum(row->calls) : 0;
}

static uint64_t errors(const struct run *run, const char *name)
{
	const struct syscall_row *row = syscall_table__find(&run->table, name, ABI_NATIVE);

	return row ? syscall_row__sum(row->errors) : 0;
}

static const struct process *process_of(const struct run *run, int32_t pid)
{
	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].pid == pid)
			return &run->processes[i];
	fail_msg("no process %d", pid);
	return NULL;
}

static void assert_life(const struct run *run, uint64_t processes, uint64_t forks, uint64_t execs,
			uint64_t threads)
{
	assert_int_equal(run->totals[LIFE_PROCESSES], processes);
	assert_int_equal(run->totals[LIFE_FORKS], forks);
	assert_int_equal(run->totals[LIFE_EXECS], execs);
	assert_int_equal(run->totals[LIFE_THREADS], threads);
}

#define BEGIN "10 execve(\"/bin/a\", [\"a\", \"-x\"], 0x7f /* 3 vars */) = 0\n"
#define END "10 exit_group(0) = ?\n10 +++ exited with 0 +++\n"

static void test_command(void **state)
{
	struct run *run = run_of("execve(\"/bin/a\", [\"a\", \"-x\"], 0x7f /* 3 vars */) = 0 <0.000100>\n"
				 "open(\"/x\", O_RDONLY) = -1 ENOENT (No such file or directory) <0.000003>\n"
				 "open(\"/y\", O_RDONLY) = 3 <0.000005>\n"
				 "exit_group(7) = ?\n"
				 "+++ exited with 7 +++\n");
	const struct syscall_row *row = syscall_table__find(&run->table, "open", ABI_NATIVE);

	assert_true(run->integrity.exact);
	assert_life(run, 1, 0, 1, 0);
	assert_int_equal(run->status, 7);
	assert_int_equal(run->command_count, 2);
	assert_string_equal(run->command[1], "-x");
	assert_int_equal(calls(run, "open"), 2);
	assert_int_equal(errors(run, "open"), 1);
	assert_true(run->timed);
	assert_int_equal(row->min_ns, 3000);
	assert_int_equal(row->max_ns, 5000);
	assert_int_equal(row->p99_ns, 5000);
	assert_int_equal(row->time_ns[ACTOR_UNKNOWN], 8000);
	assert_string_equal(run->exes[run->processes[0].images[0].exe].path, "/bin/a");
	assert_int_equal(run->processes[0].images[0].syscalls, 4);
	assert_false(run__has(run, HAS_CLOCK));
	assert_false(run__has(run, HAS_FAULTS));
	run__free(run);
}

static void test_vfork_child_comes_first(void **state)
{
	struct run *run = run_of(BEGIN "10 vfork( <unfinished ...>\n"
				 "11 execve(\"/bin/b\", [\"b\"], 0x7f /* 3 vars */ <unfinished ...>\n"
				 "10 <... vfork resumed>) = 11\n"
				 "11 <... execve resumed>) = 0\n"
				 "11 exit_group(3) = ?\n"
				 "11 +++ exited with 3 +++\n" END);
	const struct process *child = process_of(run, 11);

	assert_life(run, 2, 1, 2, 0);
	assert_true(run->integrity.exact);
	assert_int_equal(child->birth, BIRTH_VFORK);
	assert_true(child->shares_mm);
	assert_int_equal(child->parent, 1);
	assert_int_equal(child->ppid, 10);
	assert_int_equal(child->status, 3);
	assert_int_equal(child->image_count, 2);
	assert_int_equal(child->images[0].kind, IMAGE_BORROWED);
	assert_int_equal(child->images[0].syscalls, 1);
	assert_int_equal(run->group_count, 1);
	assert_string_equal(run->exes[run->groups[0].exec_target].path, "/bin/b");
	assert_int_equal(run->groups[0].of[METRIC_SYSCALLS].total, 2);
	assert_int_equal(run->status, 0);
	run__free(run);
}

/* Two forks under way at once: which child is whose shows when they return. */
static void test_ambiguous_children(void **state)
{
	struct run *run = run_of(BEGIN "10 fork() = 11\n"
				 "10 clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>\n"
				 "11 clone(child_stack=NULL, flags=CLONE_VM|CLONE_VFORK|SIGCHLD <unfinished ...>\n"
				 "13 getpid() = 13\n"
				 "12 getuid() = 0\n"
				 "13 exit_group(0) = ?\n13 +++ exited with 0 +++\n"
				 "10 <... clone resumed>) = 12\n"
				 "11 <... clone resumed>) = 13\n"
				 "12 exit_group(0) = ?\n12 +++ exited with 0 +++\n"
				 "11 exit_group(0) = ?\n11 +++ exited with 0 +++\n" END);

	assert_life(run, 4, 3, 1, 0);
	assert_int_equal(process_of(run, 12)->ppid, 10);
	assert_int_equal(process_of(run, 12)->birth, BIRTH_FORK);
	assert_int_equal(process_of(run, 13)->ppid, 11);
	assert_int_equal(process_of(run, 13)->birth, BIRTH_VFORK);
	assert_int_equal(process__syscalls(process_of(run, 13)), 2);
	assert_true(run->integrity.exact);
	run__free(run);
}

#define THREAD "clone3({flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD, exit_signal=0}"

static void test_thread_executes(void **state)
{
	struct run *run = run_of(BEGIN "10 " THREAD " <unfinished ...>\n"
				 "11 getpid() = 10\n"
				 "10 <... clone3 resumed> => {parent_tid=[11]}, 88) = 11\n"
				 "10 pause( <unfinished ...>\n"
				 "11 execve(\"/bin/b\", [\"b\"], 0x7f /* 3 vars */ <unfinished ...>\n"
				 "10 <... pause resumed>) = ?\n"
				 "10 +++ superseded by execve in pid 11 +++\n"
				 "10 <... execve resumed>) = 0\n"
				 "10 getuid() = 0\n" END);
	const struct process *process = process_of(run, 10);

	assert_life(run, 1, 0, 2, 1);
	assert_int_equal(process->threads, 2);
	assert_int_equal(process->image_count, 2);
	assert_int_equal(process->images[0].syscalls, 5);
	assert_int_equal(process->images[1].syscalls, 2);
	assert_true(run->integrity.exact);
	run__free(run);
}

/* With its line not ended, in any of the ways that strace writes it. */
static void test_thread_executes_in_one_line(void **state)
{
	static const char *const lines[] = {
		"11 execve(\"/bin/b\", [\"b\"], NULL <pid changed to 10 ...>\n",
		"11 execve(\"/bin/b\", [\"b\"], 0x7f /* 3 vars */) <pid changed to 10 ...>\n",
		"11 execve(\"/bin/b\",  <unfinished ...>\n10 getpid() = 10\n"
		"11 <... execve resumed>[\"b\"], NULL <pid changed to 10 ...>\n",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char text[1024];
		struct run *run;

		snprintf(text, sizeof(text), "%s10 %s => {parent_tid=[11]}, 88) = 11\n%s"
			 "10 +++ superseded by execve in pid 11 +++\n10 <... execve resumed>) = 0\n%s",
			 BEGIN, THREAD, lines[i], END);
		run = run_of(text);
		assert_true(run->integrity.exact);
		assert_life(run, 1, 0, 2, 1);
		assert_int_equal(calls(run, "execve"), 2);
		assert_int_equal(run->table.count, calls(run, "getpid") ? 4 : 3);
		assert_string_equal(run->exes[1].path, "/bin/b");
		run__free(run);
	}
}

/* Until 2012 strace said nothing of it: the leader's name is simply another's. */
static void test_thread_executes_silently(void **state)
{
	struct run *run = run_of(BEGIN "10 clone(flags=CLONE_VM|CLONE_THREAD) = 11\n"
				 "10 pause( <unfinished ...>\n"
				 "11 execve(\"/bin/b\", [\"b\"], [/* 3 vars */] <unfinished ...>\n"
				 "10 <... execve resumed> ) = 0\n" END);

	assert_life(run, 1, 0, 2, 1);
	assert_int_equal(process_of(run, 10)->image_count, 2);
	run__free(run);
}

static void test_leader_ends_first(void **state)
{
	struct run *run = run_of(BEGIN "10 " THREAD " => {parent_tid=[11]}, 88) = 11\n"
				 "10 exit(0) = ?\n"
				 "11 exit(0) = ?\n"
				 "11 +++ exited with 0 +++\n"
				 "10 +++ exited with 5 +++\n");

	assert_int_equal(run->status, 5); /* the leader's counts */
	assert_true(run->processes[0].finished);
	run__free(run);
}

/* On stderr the first process has no pid until there is a second one. */
static void test_stderr(void **state)
{
	struct run *run = run_of("execve(\"/bin/a\", [\"a\"], 0x7f /* 3 vars */) = 0\n"
				 "clone(child_stack=NULL, flags=SIGCHLDstrace: Process 11 attached\n"
				 "[pid 11] getuid() = 0\n"
				 "[pid 10] <... clone resumed>, child_tidptr=0x7f) = 11\n"
				 "[pid 11] exit_group(1) = ?\n"
				 "[pid 11] +++ exited with 1 +++\n"
				 "getpid() = 10\n"
				 "exit_group(0) = ?\n"
				 "+++ exited with 0 +++\n");

	assert_life(run, 2, 1, 1, 0);
	assert_int_equal(process_of(run, 11)->status, 1);
	assert_int_equal(process__syscalls(process_of(run, 10)), 4);
	assert_true(run->integrity.exact);
	run__free(run);
}

/* strace 4.5 of 2006: no ends, messages within lines. */
static void test_of_2006(void **state)
{
	struct run *run = run_of(
		"execve(\"/bin/sh\", [\"sh\", \"-c\", \"true\"], [/* 20 vars */]) = 0\n"
		"uname({sys=\"Linux\", node=\"x\", ...})    = 0\n"
		"old_mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0xb7f01000\n"
		"clone(Process 11 attached (waiting for parent)\n"
		"Process 11 resumed (parent 10 ready)\n"
		"child_stack=0, flags=CLONE_CHILD_SETTID|SIGCHLD, child_tidptr=0xb7e8) = 11\n"
		"[pid    10] waitpid(-1, Process 10 suspended\n"
		" <unfinished ...>\n"
		"[pid    11] SYS_299(0, 0) = -1 ENOSYS (Function not implemented)\n"
		"[pid    11] exit_group(2) = ?\n"
		"Process 10 resumed\n"
		"Process 11 detached\n"
		"<... waitpid resumed> [WIFEXITED(s) && WEXITSTATUS(s) == 2], 0) = 11\n"
		"--- SIGCHLD (Child exited) @ 0 (0) ---\n"
		"sigreturn() = ? (mask now [])\n"
		"exit_group(0) = ?\n");

	assert_life(run, 2, 1, 1, 0);
	assert_int_equal(run->status, 0);
	assert_int_equal(process_of(run, 11)->status, 2);
	assert_int_equal(process_of(run, 11)->ppid, 10);
	assert_int_equal(calls(run, "waitpid"), 1);
	assert_int_equal(errors(run, "unknown(299)"), 1);
	assert_int_equal(run->integrity.losses[LOSS_UNKNOWN_SYSCALLS], 1);
	assert_true(run->integrity.exact);
	run__free(run);
}

/* The flags come after the child. */
static void test_torn_clone(void **state)
{
	struct run *run = run_of("execve(\"/bin/a\", [\"a\"], [/* 3 vars */]) = 0\n"
				 "clone(Process 11 attached\n"
				 "[pid 11] getpid() = 11\n"
				 "child_stack=0, flags=CLONE_VM|CLONE_VFORK|SIGCHLD) = 11\n"
				 "[pid 11] exit_group(1) = ?\n"
				 "Process 11 detached\n"
				 "exit_group(0) = ?\n");

	assert_int_equal(process_of(run, 11)->birth, BIRTH_VFORK);
	assert_int_equal(process__syscalls(process_of(run, 11)), 2);
	assert_true(run->integrity.exact);
	run__free(run);
}

/* On stderr, of several threads: each rest is of the line that was cut last. */
static void test_torn_clones(void **state)
{
	struct run *run = run_of("execve(\"/bin/a\", [\"a\"], 0x7f /* 3 vars */) = 0\n"
				 "clone(child_stack=NULL, flags=SIGCHLDstrace: Process 11 attached\n"
				 " <unfinished ...>\n"
				 "[pid 11] clone(child_stack=NULL, flags=SIGCHLDstrace: Process 12 attached\n"
				 " <unfinished ...>\n"
				 "[pid 12] clone(child_stack=NULL, flags=SIGCHLDstrace: Process 13 attached\n"
				 ") = 13\n"
				 "[pid 13] getppid() = 12\n"
				 "[pid 10] <... clone resumed>) = 11\n"
				 "[pid 11] <... clone resumed>) = 12\n");

	assert_int_equal(run->integrity.note_count, 0);
	assert_int_equal(calls(run, "clone"), 3);
	assert_int_equal(errors(run, "clone"), 0);
	assert_int_equal(run->totals[LIFE_FORKS], 3);
	run__free(run);
}

/* strace has not seen the thread yet that a call has returned: a line without a pid is not its own. */
static void test_line_before_the_first_stop(void **state)
{
	struct run *run = run_of("execve(\"/bin/a\", [\"a\"], 0x7f /* 3 vars */) = 0\n"
				 "clone(child_stack=0x7f, flags=CLONE_VM|CLONE_THREAD) = 9\n"
				 "strace: Process 9 attached\n"
				 "[pid 10] clone(child_stack=0x7f, flags=CLONE_VM|CLONE_THREAD) = 11\n"
				 "[pid 9] exit(0) = ?\n[pid 9] +++ exited with 0 +++\n"
				 "futex(0x7f, FUTEX_WAITstrace: Process 11 attached\n"
				 " <unfinished ...>\n"
				 "[pid 11] getppid() = 1\n"
				 "[pid 11] exit(0) = ?\n[pid 11] +++ exited with 0 +++\n"
				 "<... futex resumed>) = 0\n"
				 "exit_group(0) = ?\n+++ exited with 0 +++\n");

	assert_int_equal(run->integrity.note_count, 0);
	assert_true(run->integrity.exact);
	assert_life(run, 1, 0, 1, 2);
	assert_int_equal(calls(run, "futex"), 1);
	run__free(run);
}

/* While a child makes one of its own, the first process appears by its pid: it is none of these. */
static void test_first_pid_of_the_command(void **state)
{
	for (int is_quiet = 0; is_quiet < 2; is_quiet++) {
		const int pid = is_quiet ? 10 : 50; /* numbers may have begun again */
		char text[1024];
		struct run *run;

		snprintf(text, sizeof(text),
			 "execve(\"/bin/a\", [\"a\"], 0x7f /* 3 vars */) = 0\n"
			 "fork() = 11\n%s"
			 "[pid 11] fork( <unfinished ...>\n"
			 "[pid %d] wait4(11,  <unfinished ...>\n"
			 "[pid 11] <... fork resumed>) = 12\n"
			 "[pid 12] exit_group(0) = ?\n[pid 12] +++ exited with 0 +++\n"
			 "[pid 11] exit_group(0) = ?\n[pid 11] +++ exited with 0 +++\n"
			 "<... wait4 resumed>NULL, 0, NULL) = 11\n"
			 "exit_group(0) = ?\n+++ exited with 0 +++\n",
			 is_quiet ? "" : "strace: Process 11 attached\n", pid);
		run = run_of(text);
		assert_true(run->integrity.exact);
		assert_int_equal(run->integrity.note_count, 0);
		assert_life(run, 3, 2, 1, 0);
		assert_int_equal(process__syscalls(process_of(run, pid)), 4);
		assert_int_equal(process_of(run, 12)->ppid, 11);
		run__free(run);
	}
}

static void test_attached(void **state)
{
	struct run *run = run_of("7 <... read resumed>\"\", 1) = 0\n"
				 "7 read(0, \"\", 1) = 0\n"
				 "7 restart_syscall(<... resuming interrupted nanosleep ...>) = 0\n"
				 "7 read(0,  <detached ...>\n");

	assert_false(run->integrity.exact);
	assert_int_equal(run->integrity.losses[LOSS_UNFINISHED], 1);
	assert_int_equal(calls(run, "read"), 2);
	assert_int_equal(calls(run, "restart_syscall"), 1);
	assert_int_equal(run->attached_count, 1);
	assert_int_equal(run->attached[0], 7);
	assert_int_equal(run->integrity.note_count, 1);
	assert_int_equal(process_of(run, 7)->birth, BIRTH_ATTACHED);
	run__free(run);
}

static const struct call_errno *errno_of(const struct run *run, const char *name, size_t i)
{
	const struct syscall_row *row = syscall_table__find(&run->table, name, ABI_NATIVE);

	assert_true(row && i < row->errno_count);
	return &row->errnos[i];
}

static void test_errors_by_errno(void **state)
{
	struct run *run = run_of(BEGIN "10 open(\"/a\", 0) = -1 EACCES (Permission denied)\n"
				 "10 open(\"/b\", 0) = -1 ENOENT (No such file or directory)\n"
				 "10 open(\"/c\", 0) = -1 ENOENT (No such file or directory)\n"
				 "10 wait4(-1, NULL, 0, NULL) = ? ERESTARTSYS (To be restarted)\n"
				 "10 ioctl(0, 1) = -1 (errno 600)\n"
				 "10 fork() = 11\n11 open(\"/a\", 0) = -1 EACCES (Permission denied)\n"
				 "11 read(0,  <unfinished ...>\n11 +++ killed by SIGKILL +++\n" END);

	assert_true(run->outcomes);
	assert_string_equal(errno_of(run, "open", 0)->name, "EACCES");
	assert_int_equal(errno_of(run, "open", 0)->calls[ACTOR_UNKNOWN], 2);
	assert_string_equal(errno_of(run, "open", 1)->name, "ENOENT");
	assert_string_equal(errno_of(run, "wait4", 0)->name, "ERESTARTSYS");
	assert_string_equal(errno_of(run, "ioctl", 0)->name, "errno 600");
	assert_int_equal(run->groups[0].table.count, 2);
	assert_int_equal(syscall_table__find(&run->table, "exit_group", ABI_NATIVE)->unfinished[ACTOR_UNKNOWN],
			 1);
	assert_int_equal(syscall_table__find(&run->table, "read", ABI_NATIVE)->unfinished[ACTOR_UNKNOWN], 1);
	run__free(run);
}

/* -N, which strace has since 7.0. */
static void test_argument_names(void **state)
{
	struct run *run = run_of("10 execve(pathname=\"/bin/a\", argv=[\"a\", \"-x\"], envp=0x7f /* 3 vars */) = 0\n"
				 "10 vfork( <unfinished ...>\n"
				 "11 exit_group(error_code=5) = ?\n"
				 "10 <... vfork resumed>) = 11\n"
				 "10 wait4(pid=-1, wstatus=[{WIFEXITED(s) && WEXITSTATUS(s) == 5}], options=0, rusage=NULL) = 11\n"
				 "10 exit_group(error_code=7) = ?\n");

	assert_true(run->integrity.exact);
	assert_life(run, 2, 1, 1, 0);
	assert_int_equal(run->command_count, 2);
	assert_string_equal(run->command[1], "-x");
	assert_int_equal(run->status, 7);
	assert_int_equal(process_of(run, 11)->status, 5);
	run__free(run);
}

/* --color, which strace has since 7.0: only what the event begins with has none before it. */
static void test_colours(void **state)
{
	struct run *run = run_of(
		"10 \33[33mexecve\33[0m(\33[35m\"/bin/a\"\33[0m, \33[35m\33[0m[\33[35m\"a\"\33[0m]\33[35m\33[0m, "
		"\33[35m0x7f\33[36m /* 3 vars\33[36m */\33[35m\33[0m\33[0m)\33[0m \33[0m=\33[0m\33[0m \33[32m0\33[0m\n"
		"10 \33[33mopen\33[0m(\33[35m\"/x\"\33[0m, \33[35m\33[34mO_RDONLY\33[35m\33[0m\33[0m)\33[0m \33[0m=\33[0m\33[0m "
		"\33[32m-1\33[0m \33[31mENOENT\33[0m \33[31m(No such file or directory)\33[0m \33[32m\33[0m<\33[35m0.000002\33[0m>"
		"\33[35m\33[0m\33[0m\n"
		"10 \33[33mexit_group\33[0m(\33[35m3\33[0m\33[0m)\33[0m \33[0m=\33[0m\33[0m \33[32m?\33[0m\33[0m\n"
		"10 +++ exited with 3 +++\33[0m\n");

	assert_true(run->integrity.exact);
	assert_int_equal(syscall_table__calls(&run->table), 3);
	assert_int_equal(errors(run, "open"), 1);
	assert_true(run->timed);
	assert_int_equal(run->status, 3);
	assert_string_equal(run->command[0], "a");
	run__free(run);
}

/* -X raw: flags are numbers, and so say whether it is a thread that a call makes. */
static void test_raw_flags(void **state)
{
	struct run *run = run_of(BEGIN
				 "10 clone(child_stack=0x7f01, flags=0x50f00) = 11\n"
				 "11 getppid() = 9\n11 pause() = ?\n"
				 "10 clone(child_stack=NULL, flags=0x1200011, child_tidptr=0x7f02) = 12\n"
				 "12 exit_group(0) = ?\n"
				 "12 +++ exited with 0 +++\n"
				 "10 clone3({flags=0x4100, exit_signal=0x11, stack=0x7f01, stack_size=0x9000}, 88) = 13\n"
				 "13 exit_group(0) = ?\n"
				 "13 +++ exited with 0 +++\n"
				 "10 exit_group(0) = ?\n"
				 "11 +++ exited with 0 +++\n"
				 "10 +++ exited with 0 +++\n");

	assert_true(run->integrity.exact);
	assert_life(run, 3, 2, 1, 1);
	assert_int_equal(process_of(run, 12)->birth, BIRTH_FORK);
	assert_int_equal(process_of(run, 13)->birth, BIRTH_VFORK);
	run__free(run);
}

/* Nothing has ended yet, but a thread has begun to end all of them. */
static void test_call_beside_exit_group(void **state)
{
	struct run *run = run_of(BEGIN
				 "10 clone(child_stack=0x7f01, flags=CLONE_VM|CLONE_THREAD) = 11\n"
				 "11 exit_group(3 <unfinished ...>\n"
				 "10 madvise(0x7f02, 8192, MADV_DONTNEED <unfinished ...>\n"
				 "11 <... exit_group resumed>) = ?\n"
				 "10 <... madvise resumed>) = ?\n"
				 "11 +++ exited with 3 +++\n"
				 "10 +++ exited with 3 +++\n");

	assert_true(run->integrity.exact);
	assert_life(run, 1, 0, 1, 1);
	assert_int_equal(syscall_table__calls(&run->root_table), 4);
	assert_int_equal(run->status, 3);
	run__free(run);
}

static void test_killed(void **state)
{
	struct run *run = run_of(BEGIN "10 read(0,  <unfinished ...>) = ?\n"
				 "10 \?\?\?\?( <unfinished ...>\n"
				 "10 +++ killed by SIGKILL +++\n");

	assert_int_equal(run->signal, 9);
	assert_int_equal(run->status, -1);
	assert_int_equal(syscall_table__calls(&run->table), 2);
	assert_true(run->integrity.exact);
	run__free(run);
}

static uint64_t unfinished(const struct run *run, const char *name)
{
	const struct syscall_row *row = syscall_table__find(&run->table, name, ABI_NATIVE);

	return row ? syscall_row__sum(row->unfinished) : 0;
}

/*
 * What strace 6.1 writes of threads that are killed while it asks for their call: it shows what it had read
 * for another thread.
 */
static void test_killed_while_strace_asked(void **state)
{
	static const struct {
		const char *last; /* of process 11 */
		const char *name;
		uint64_t calls, errors, unfinished, unsure;
	} rows[] = {
		{ "11 read(0, \"\", 1) = -1 (errno 18446744073709551554)\n", "read", 1, 0, 1, 1 },
		{ "11 read(0,  <unfinished ...>\n10 getpid() = 10\n"
		  "11 <... read resumed>\"\", 1) = -1 (errno 18446744073709551603)\n", "read", 1, 0, 1, 1 },
		{ "11 read(0, \"\", 1) = -1 (errno 4096)\n", "read", 1, 0, 1, 1 },
		{ "11 read(0, \"\", 1) = -1 (errno 4095)\n--- SIGTERM ---\n", "read", 1, 1, 0, 1 },
		{ "11 read(0, \"\", 1) = -1 ENOENT (No such file or directory)\n", "read", 1, 1, 0, 1 },
		{ "11 read(0, \"\", 1) = -1 EINTR (Interrupted)\n11 --- SIGTERM {si_signo=SIGTERM} ---\n", "read",
		  1, 1, 0, 0 },
		{ "11 kill(11, SIGKILL <unfinished ...>\n", "kill", 1, 0, 1, 1 },
		{ "11 read(0,  <unfinished ...>) = ?\n", "read", 1, 0, 1, 0 },
		{ "11 read(0) = ? <unavailable>\n", "read", 1, 0, 1, 0 },
		{ "11 syscall_0xfffffffffffffffe(0x1, 0xe7 <unfinished ...>\n", "unknown(-2)", 0, 0, 0, 1 },
		{ "11 syscall_0x2af2(0x1, 0xe7 <unfinished ...>\n", "unknown(10994)", 0, 0, 0, 1 },
		{ "11 syscall_0x453(0x1, 0xe7 <unfinished ...>\n", "unknown(1107)", 0, 0, 0, 1 },
		{ "11 syscall_0xfffffffffffffffe(0x1, 0xe7 <unfinished ...>) = ?\n", "unknown(-2)", 0, 0, 0, 0 },
		{ "11 syscall_0x2af2(0x1, 0xe7 <unfinished ...>) = ?\n", "unknown(10994)", 0, 0, 0, 0 },
		{ "11 syscall_0x1f3(0 <unfinished ...>) = ?\n", "unknown(499)", 1, 0, 1, 0 },
		{ "11 syscall_0x400001f3(0 <unfinished ...>) = ?\n", "unknown(1073742323)", 1, 0, 1, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[1024];
		struct run *run;

		snprintf(text, sizeof(text), "%s10 fork() = 11\n%s11 +++ killed by SIGKILL +++\n%s", BEGIN,
			 rows[i].last, END);
		run = run_of(text);
		if (calls(run, rows[i].name) != rows[i].calls ||
		    errors(run, rows[i].name) != rows[i].errors ||
		    unfinished(run, rows[i].name) != rows[i].unfinished ||
		    run->integrity.losses[LOSS_UNSURE_CALLS] != rows[i].unsure)
			fail_msg("%s", rows[i].last);
		assert_int_equal(run->integrity.exact, !rows[i].unsure);
		run__free(run);
	}
}

/* A program may well ask for a number that no call has: the kernel answers. */
static void test_calls_that_do_not_exist(void **state)
{
	struct run *run = run_of(BEGIN "10 syscall_0xfffffffffffffffe(0) = -1 ENOSYS (Function not implemented)\n"
				 "10 syscall_0xffffffffffffffff(0) = -1 ENOSYS (Function not implemented)\n" END);

	assert_true(run->integrity.exact);
	assert_int_equal(errors(run, "unknown(-2)"), 1);
	assert_int_equal(errors(run, "unknown(-1)"), 1);
	assert_int_equal(run->integrity.losses[LOSS_UNKNOWN_SYSCALLS], 2);
	run__free(run);
}

/* The kernel has created the child, but nobody is left to whom vfork() returns. */
static void check_killed_in_vfork(const char *end)
{
	char text[1024];
	struct run *run;

	snprintf(text, sizeof(text), "%s10 fork() = 11\n11 vfork( <unfinished ...>\n%s"
				     "11 +++ killed by SIGKILL +++\n12 getpid() = 12\n"
				     "12 exit_group(0) = ?\n12 +++ exited with 0 +++\n%s", BEGIN, end, END);
	run = run_of(text);

	assert_life(run, 3, 2, 1, 0);
	assert_int_equal(process_of(run, 12)->birth, BIRTH_VFORK);
	assert_int_equal(process_of(run, 12)->ppid, 11);
	assert_int_equal(process_of(run, 11)->children, 1);
	assert_int_equal(process_of(run, 11)->signal, 9);
	assert_int_equal(run->integrity.exact, *end != 0);
	run__free(run);
}

static void test_killed_in_vfork(void **state)
{
	check_killed_in_vfork("");
	check_killed_in_vfork("11 <... vfork resumed> <unfinished ...>) = ?\n");
}

static void test_other_pid_namespace(void **state)
{
	struct run *run = run_of(BEGIN "10 clone(child_stack=NULL, flags=CLONE_NEWPID|SIGCHLD) = 2\n"
				 "31 getpid() = 2\n31 +++ exited with 0 +++\n" END);

	assert_life(run, 2, 1, 1, 0);
	assert_int_equal(process_of(run, 31)->ns_pid, 2);
	assert_int_equal(process_of(run, 31)->ppid, 10);
	run__free(run);
}

static void test_modes(void **state)
{
	struct run *run = run_of(BEGIN "10 [ Process PID=10 runs in 32 bit mode. ]\n10 getpid() = 10\n"
				 "10 fork() = 11\n11 getpid() = 11\n11 +++ exited with 0 +++\n" END);
	const struct syscall_row *row = syscall_table__find(&run->table, "getpid", ABI_COMPAT);

	assert_int_equal(syscall_row__sum(row->calls), 2);
	assert_int_equal(calls(run, "execve"), 1);
	run__free(run);
}

static void test_times(void **state)
{
	struct run *run = run_of("10 1000000000.500000 execve(\"/bin/a\", [\"a\"], 0x7f) = 0\n"
				 "10 1000000000.600000 fork() = 11\n"
				 "11 1000000000.700000 getpid() = 11\n"
				 "11 1000000000.900000 +++ exited with 0 +++\n"
				 "10 1000000001.000000 +++ exited with 0 +++\n");

	assert_true(run__has(run, HAS_CLOCK));
	assert_int_equal(run->started, 1000000000500000000);
	assert_int_equal(run->wall_ns, 500000000);
	assert_int_equal(process_of(run, 11)->start_ns, 100000000);
	assert_int_equal(process_of(run, 11)->end_ns, 400000000);
	assert_false(run->timed);
	run__free(run);
}

static void assert_note(const struct run *run, const char *note)
{
	for (size_t i = 0; i < run->integrity.note_count; i++)
		if (strstr(run->integrity.notes[i], note))
			return;
	fail_msg("no note says: %s", note);
}

static void test_unreadable(void **state)
{
	struct run *run = run_of(BEGIN "hello, world\n10 getpid() = 10\n10 getuid(\n" END);

	assert_false(run->integrity.exact);
	assert_note(run, "2 of 6 lines could not be read, the first is line 2");
	assert_int_equal(syscall_table__calls(&run->table), 4);
	run__free(run);
}

static void test_line_in_two(void **state)
{
	struct run *run = run_of(BEGIN "10 open(\"/x\",\n O_RDONLY) = -1 ENOENT (No such file)\n" END);

	assert_true(run->integrity.exact);
	assert_int_equal(errors(run, "open"), 1);
	run__free(run);
}

static void test_cut_off(void **state)
{
	struct run *run = run_of(BEGIN "10 getpid() = 10\n10 open(\"/et");

	assert_false(run->integrity.exact);
	assert_note(run, "the first is line 3");
	assert_int_equal(run->integrity.losses[LOSS_UNFINISHED], 1);
	run__free(run);
}

static void test_nul(void **state)
{
	static const char text[] = BEGIN "10 get\0pid() = 10\n" END;
	struct run *run = read_in_pieces(text, sizeof(text) - 1, 7, 0);

	assert_false(run->integrity.exact);
	assert_note(run, "1 of 4 lines could not be read, the first is line 2");
	run__free(run);
}

static void test_two_runs(void **state)
{
	struct run *run = run_of(BEGIN END "20 execve(\"/bin/b\", [\"b\"], 0x7f) = 0\n"
				 "20 +++ exited with 9 +++\n");

	assert_life(run, 2, 0, 2, 0);
	assert_note(run, "line 4 begins another command");
	assert_int_equal(run->status, 0);
	assert_string_equal(run->command[0], "a");
	run__free(run);
}

static void test_pid_again(void **state)
{
	struct run *run = run_of(BEGIN "10 fork() = 11\n11 +++ exited with 1 +++\n"
				 "10 fork() = 11\n11 +++ exited with 2 +++\n" END);

	assert_life(run, 3, 2, 1, 0);
	assert_int_equal(run->groups[0].children, 2);
	run__free(run);
}

/* Created, but never followed. */
static void test_not_followed(void **state)
{
	struct run *run = run_of("execve(\"/bin/a\", [\"a\"], 0x7f) = 0\n"
				 "fork() = 11\nwait4(-1, NULL, 0, NULL) = 11\n"
				 "exit_group(0) = ?\n+++ exited with 0 +++\n");

	assert_life(run, 1, 1, 1, 0);
	assert_true(run->integrity.exact);
	assert_note(run, "1 process was created but not traced (strace -f follows it)");
	assert_int_equal(run->group_count, 0);
	run__free(run);
}

/* strace -e trace=file: nobody has called exit_group, and yet exited. */
static void test_filtered(void **state)
{
	struct run *run = run_of(BEGIN "10 +++ exited with 0 +++\n");

	assert_int_equal(run->status, 0);
	assert_false(run->integrity.exact);
	assert_non_null(strstr(run->integrity.notes[0], "1 process exited without"));
	assert_int_equal(run->integrity.losses[LOSS_UNSURE_CALLS], 0);
	run__free(run);
}

/* Without an execve the log covers the time from its first line to its last. */
static void test_time_of_attached(void **state)
{
	struct run *run = run_of("10 12:00:00.000100 close(3) = 0 <0.000020>\n"
				 "11 12:00:00.000900 close(3) = 0 <0.000010>\n"
				 "10 12:00:00.000800 close(4) = 0 <0.000010>\n");

	assert_int_equal(run->attached_count, 2);
	assert_int_equal(run->wall_ns, 800000);
	run__free(run);
}

/* Who exits after a result was killed by another thread's exit; with only some calls in the log nobody knows. */
static void test_unsure_only_in_a_whole_log(void **state)
{
	static const char *const ends[] = { "10 exit_group(0) = ?\n", "" };

	for (size_t i = 0; i < 2; i++) {
		char text[1024];
		struct run *run;

		snprintf(text, sizeof(text),
			 BEGIN "10 clone(flags=CLONE_VM|CLONE_THREAD) = 11\n"
			       "11 openat(AT_FDCWD, \"a\", O_RDONLY) = 3\n%s"
			       "11 +++ exited with 0 +++\n10 +++ exited with 0 +++\n", ends[i]);
		run = run_of(text);
		assert_int_equal(run->integrity.losses[LOSS_UNSURE_CALLS], !i);
		assert_false(run->integrity.exact);
		run__free(run);
	}
}

/* Nobody is left whose line it could be. */
static void test_line_after_the_end(void **state)
{
	struct run *run = run_of("execve(\"/bin/a\", [\"a\"], 0x7f /* 3 vars */) = 0\n"
				 "fork( <unfinished ...>\n+++ killed by SIGKILL +++\nfork() = 12\n");

	assert_false(run->integrity.exact);
	assert_int_equal(run->signal, 9);
	run__free(run);
}

/* Children are distinguished by what they execute, and by how they were made. */
static void test_groups_of_a_parent(void **state)
{
	static const char *const children[] = { "fork", "b", "fork", "c", "vfork", "b", "fork", "b" };
	char text[2048] = BEGIN;
	struct run *run;

	for (int i = 0; i < 4; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "10 %s() = %d\n%d execve(\"/bin/%s\", [\"x\"], 0x7f /* 3 vars */) = 0\n"
			 "%d exit_group(0) = ?\n%d +++ exited with 0 +++\n", children[2 * i], 20 + i,
			 20 + i, children[2 * i + 1], 20 + i, 20 + i);
	run = run_of(strcat(text, END));
	assert_int_equal(run->group_count, 3);
	assert_int_equal(run->groups[0].children, 2);
	assert_int_equal(run->exe_count, 3);
	run__free(run);
}

static struct run *files_of(const char *text)
{
	return read_in_pieces(text, strlen(text), SIZE_MAX, CALLS_FOR_FILES);
}

static const struct file_row *file(const struct run *run, const char *path)
{
	for (size_t i = 0; i < run->files->row_count; i++)
		if (run->files->rows[i].path && !strcmp(run->files->rows[i].path, path))
			return &run->files->rows[i];
	fail_msg("no row of %s", path);
	return NULL;
}

static uint64_t bytes_read(const struct run *run, const char *path)
{
	return file(run, path)->uses[FILE_READ].bytes;
}

static void test_files_of_roots(void **state)
{
	struct run *run = files_of(BEGIN "10 openat(AT_FDCWD, \"/x\", O_RDONLY) = 3\n" END);

	assert_int_equal(run->files->row_count, 2); /* and the program itself */
	assert_int_equal(run->files->rows[0].group, NO_GROUP);
	assert_int_equal(run->files->rows[1].group, NO_GROUP);
	run__free(run);
}

/* strace -y -e trace=openat,read: nobody says that a descriptor was closed, but its path does. */
static void test_files_of_lines_with_paths(void **state)
{
	struct run *run = files_of(
		BEGIN "10 openat(AT_FDCWD</home>, \"/link\", O_RDONLY) = 3</target>\n"
		      "10 read(3</target>, \"\", 10) = 1\n"
		      "10 read(3</other>, \"\", 10) = 2\n"
		      "10 read(3</gone (deleted)>, \"\", 10) = 4\n"
		      "10 read(3</gone>(deleted), \"\", 10) = 8\n"
		      "10 read(3, 0x7f0000000000, 10) = -1 EBADF (Bad file descriptor)\n"
		      "10 read(4<TCP:[127.0.0.1:1->127.0.0.1:2]>, \"\", 32) = 16\n"
		      "10 read(5<TCP:[9]>, \"\", 32) = 32\n"
		      "10 open(\"x\", O_RDONLY) = 3</home/x>\n"
		      "10 openat(AT_FDCWD</tmp>, \"y\", O_RDONLY) = 3</tmp/y>\n"
		      "10 dup2(3</third>, 7</fourth>) = 7</third>\n"
		      "10 read(7</third>, \"\", 100) = 64\n" END);

	assert_int_equal(bytes_read(run, "/link"), 1);
	assert_int_equal(bytes_read(run, "/other"), 2);
	assert_int_equal(bytes_read(run, "/gone"), 12);
	assert_int_equal(file(run, "3")->uses[FILE_READ].errors, 1);
	assert_int_equal(bytes_read(run, "socket:"), 48);
	assert_int_equal(bytes_read(run, "/third"), 64);
	file(run, "/home/x");
	file(run, "/tmp/y");
	run__free(run);
}

/* A number is free before the close of what it led to returns; and what is read is known at the begin. */
static void test_files_of_threads_that_race(void **state)
{
	struct run *run = files_of(
		BEGIN "10 clone(child_stack=0x7f00, flags=CLONE_VM|CLONE_FILES|CLONE_THREAD) = 11\n"
		      "10 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
		      "11 read(3,  <unfinished ...>\n"
		      "10 close(3 <unfinished ...>\n"
		      "11 <... read resumed>\"\", 10) = 1\n"
		      "11 openat(AT_FDCWD, \"/b\", O_RDONLY) = 3\n"
		      "10 <... close resumed>) = 0\n"
		      "11 read(3, \"\", 10) = 2\n"
		      "10 read(3,  <unfinished ...>\n"
		      "11 dup2(0, 3) = 3\n"
		      "11 close(3) = -1 EINTR (Interrupted system call)\n"
		      "11 openat(AT_FDCWD, \"/c\", O_RDONLY) = 3\n"
		      "10 <... read resumed>\"\", 10) = 4\n"
		      "11 read(3, \"\", 10) = 8\n" END);

	assert_int_equal(bytes_read(run, "/a"), 1);
	assert_int_equal(bytes_read(run, "/b"), 2);
	assert_int_equal(bytes_read(run, "3"), 4); /* it has changed twice since */
	assert_int_equal(bytes_read(run, "/c"), 8);
	run__free(run);
}

static struct run *start_of(const char *text)
{
	return read_in_pieces(text, strlen(text), SIZE_MAX, CALLS_FOR_START);
}

#define STARTED "10 1000000000.000000 execve(\"/bin/a\", [\"a\"], 0x7f /* 3 vars */) = 0 <0.000100>\n"
#define AND_ENDED "10 1000000000.004000 exit_group(0) = ?\n10 1000000000.004500 +++ exited with 0 +++\n"

static void test_start(void **state)
{
	struct run *run = start_of(
		STARTED "10 1000000000.001000 mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_WHATEVER, -1, 0) "
		"= 0x7f0000000000 <0.000010>\n"
		"10 1000000000.001500 rt_sigaction(SIGRT_2, NULL, NULL, 8) = 0 <0.000010>\n"
		"10 1000000000.002000 vfork() = 11 <0.000500>\n"
		"11 1000000000.002100 getpid() = 11 <0.000001>\n"
		"11 1000000000.002200 exit_group(1) = ?\n11 1000000000.002300 +++ exited with 1 +++\n"
		"10 1000000000.003000 openat(AT_FDCWD</>, \"/x\", O_RDONLY) = -1 ENOENT (No such file) <0.000020>\n"
		AND_ENDED);
	const struct start *start = run->start;

	assert_non_null(start);
	assert_int_equal(start->call_count, 6); /* not those of the child */
	assert_string_equal(start->calls[1].name, "mmap");
	assert_int_equal(start->calls[1].begin_ns, 1000000);
	assert_int_equal(start->calls[1].ns, 10000);
	assert_true(start->calls[1].known[2]);
	assert_int_equal(start->calls[1].arguments[2], PROT_READ | PROT_WRITE);
	assert_false(start->calls[1].known[3]); /* not 0 */
	assert_int_equal(start->calls[1].result, 0x7f0000000000);
	assert_int_equal(start->calls[1].actor, ACTOR_COUNT);
	assert_int_equal(start->calls[2].arguments[0], 34); /* libc's own signals are 32 and 33 */
	assert_string_equal(start->calls[4].path, "/x");
	assert_int_equal(start_call__errno(&start->calls[4]), ENOENT);
	assert_int_equal(start->calls[5].ns, ABSENT);
	assert_int_equal(start->call_count, run->processes[0].images[0].syscalls);
	assert_true(run->integrity.exact);
	run__free(run);
}

static void test_no_start(void **state)
{
	static const char *const texts[] = {
		BEGIN END, /* no times */
		"10 1000000000.000000 getpid() = 10 <0.000100>\n" AND_ENDED, /* attached */
		"10 1000000000.000000 execve(\"/bin/a\", [\"a\"], 0x7f /* 3 vars */) = 0\n" AND_ENDED, /* no -T */
		"    calls    errors syscall\n--------- --------- -------\n        2         1 open\n"
		"--------- --------- -------\n        2         1 total\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct run *run = start_of(texts[i]);

		assert_null(run->start);
		assert_note(run, i == 1 || i == 3 ? "the log does not show the whole start: it does not "
						    "begin with the execve of a command (record it with strace -f "
						    "-ttt -T -v -s 256 -y)"
						  : "the log does not show the whole start: it has no times "
						    "(record it with strace -f -ttt -T -v -s 256 -y)");
		run__free(run);
	}
}

static const char table[] = "% time     seconds  usecs/call     calls    errors syscall\n"
			    "------ ----------- ----------- --------- --------- ----------------\n"
			    " 80.00    0.000020           2        10         3 openat\n"
			    " 20.00    0.000005           1         5           read\n"
			    "------ ----------- ----------- --------- --------- ----------------\n"
			    "100.00    0.000025           1        15         3 total\n";

/* -C: the calls stand in the log already. */
static void test_table_after_trace(void **state)
{
	char text[1024];
	struct run *run;

	for (int more = 0; more < 2; more++) {
		snprintf(text, sizeof(text), "%s%sSystem call usage summary for 32 bit mode:\n%s%s", BEGIN, END, table,
			 more ? "said by the program\n" : "");
		run = run_of(text);
		assert_int_equal(syscall_table__calls(&run->table), 2);
		assert_int_equal(run->integrity.exact, !more);
		assert_life(run, 1, 0, 1, 0);
		run__free(run);
	}
}

/* Whatever the pieces of a long text: nothing is kept of what has ended. */
static void test_long_line(void **state)
{
	size_t size = (17 << 20) + 100;
	char *text = malloc(size);
	struct run *run;

	memset(text, 'x', size);
	memcpy(text, "10 write(1, \"", 13);
	memcpy(text + size - 20, "\", 9) = 9\n" END, 10);
	text[size - 1] = '\n';
	run = read_in_pieces(text, size, 1 << 16, 0);
	assert_false(run->integrity.exact);
	run__free(run);
	free(text);
}

static uint64_t bill_ns(const struct run *run, enum bill_kind kind, const char *call)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < run->bill->count; i++) {
		const struct bill_row *row = &run->bill->rows[i];

		if (row->kind == kind && (!call || !strcmp(syscall_name(row->call_abi, row->call_nr), call)))
			sum += row->wall_ns;
	}
	return sum;
}

/* The clock of a log belongs to who is outside of calls that wait, in halves where that are two; else to who returns. */
static void test_bill(void **state)
{
	static const char text[] = "1 1700000010.000000 execve(\"/bin/a\", [\"a\"], []) = 0 <0.001000>\n"
				   "1 1700000010.002000 fork() = 2 <0.001000>\n"
				   "2 1700000010.004000 nanosleep({0, 2000000}, NULL <unfinished ...>\n"
				   "1 1700000010.006000 wait4(-1 <unfinished ...>\n"
				   "2 1700000010.014000 <... nanosleep resumed>) = 0 <0.010000>\n"
				   "2 1700000010.016000 close(7) = -1 EBADF (Bad file descriptor) <0.004000>\n"
				   "2 1700000010.024000 exit_group(0) = ?\n2 1700000010.025000 +++ exited with 0 +++\n"
				   "1 1700000010.026000 <... wait4 resumed>, NULL) = 2 <0.020000>\n"
				   "1 1700000010.027000 read(0, \"\", 1) = 0 <0.000050>\n"
				   "1 1700000010.028000 exit_group(0) = ?\n1 1700000010.030000 +++ exited with 0 +++\n";
	struct run *run = run_of(text);

	(void)state;
	assert_non_null(run->bill);
	assert_int_equal(run->bill->wall_ns, 30000000);
	assert_int_equal(bill__wall(run->bill), 30000000);
	assert_int_equal(bill_ns(run, BILL_ASLEEP, "nanosleep"), 8000000); /* while its parent waits, too */
	assert_int_equal(bill_ns(run, BILL_ASLEEP, "wait4"), 1000000); /* from its child's end on */
	assert_int_equal(bill_ns(run, BILL_CALL, "close"), 4000000);
	assert_int_equal(bill_ns(run, BILL_CALL, "read"), 50000); /* too short to be a wait */
	assert_int_equal(bill_ns(run, BILL_CODE, NULL), 30000000 - 8000000 - 1000000 - 5050000 - 1000000 - 3000000);
	run__free(run);
	run = run_of("1 1700000010.000000 execve(\"/bin/a\", [\"a\"], []) = 0\n1 1700000010.002000 +++ exited with 0 +++\n");
	assert_null(run->bill);
	run__free(run);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_vfork_child_comes_first),
		cmocka_unit_test(test_ambiguous_children),
		cmocka_unit_test(test_thread_executes),
		cmocka_unit_test(test_thread_executes_in_one_line),
		cmocka_unit_test(test_thread_executes_silently),
		cmocka_unit_test(test_leader_ends_first),
		cmocka_unit_test(test_stderr),
		cmocka_unit_test(test_of_2006),
		cmocka_unit_test(test_torn_clone),
		cmocka_unit_test(test_attached),
		cmocka_unit_test(test_errors_by_errno),
		cmocka_unit_test(test_argument_names),
		cmocka_unit_test(test_torn_clones),
		cmocka_unit_test(test_line_before_the_first_stop),
		cmocka_unit_test(test_first_pid_of_the_command),
		cmocka_unit_test(test_colours),
		cmocka_unit_test(test_raw_flags),
		cmocka_unit_test(test_call_beside_exit_group),
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_killed_while_strace_asked),
		cmocka_unit_test(test_calls_that_do_not_exist),
		cmocka_unit_test(test_killed_in_vfork),
		cmocka_unit_test(test_other_pid_namespace),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_line_in_two),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_nul),
		cmocka_unit_test(test_two_runs),
		cmocka_unit_test(test_pid_again),
		cmocka_unit_test(test_not_followed),
		cmocka_unit_test(test_filtered),
		cmocka_unit_test(test_time_of_attached),
		cmocka_unit_test(test_unsure_only_in_a_whole_log),
		cmocka_unit_test(test_line_after_the_end),
		cmocka_unit_test(test_groups_of_a_parent),
		cmocka_unit_test(test_files_of_roots),
		cmocka_unit_test(test_start),
		cmocka_unit_test(test_no_start),
		cmocka_unit_test(test_files_of_lines_with_paths),
		cmocka_unit_test(test_files_of_threads_that_race),
		cmocka_unit_test(test_table_after_trace),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_bill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
