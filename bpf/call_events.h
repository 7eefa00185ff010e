/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Single system calls as records in a ring buffer: of every counted process those that deal with
 * files, of the first image of roots all. A path is read when the call returns: the kernel has just
 * read it, so that its page is there. What execve was given is gone by then, and kept from its entry.
 */
#pragma once

#include "maps.h"

RING(call_events, 4096);

/* An execve under way, by the address of its task. */
struct exec_note {
	struct call_event call;
	char path[LONG_PATH];
	__u32 done; /* it has replaced the image ... */
	__u32 of_start; /* ... which was the first one of a root */
};
HASH_MAP(exec_notes, __u64, struct exec_note, 1 << 12);

static __always_inline bool wants_files(void)
{
	return records_files && (!calls_vary || files_wanted);
}

static __always_inline bool wants_start(void)
{
	return records_starts && (!calls_vary || starts_wanted);
}

static __always_inline bool records_calls(void)
{
	return wants_files() || wants_start();
}

#define call_events_flags() ring_flags(&call_events, call_events_wakeup)

static __always_inline __u16 call_kind(const struct call_key *key)
{
	__u32 nr = call_number(key);

	return key->abi < ABI_COUNT && nr < CALL_NUMBERS ? call_kinds[key->abi][nr] : 0;
}

static __always_inline bool is_in_start(const struct task_value *value)
{
	struct process_value *process = find_process(value->process);

	return process && !process->images && is_root(process);
}

/* Is its call one of the first so many there? */
static __always_inline bool is_of_start(const struct task_value *value)
{
	return is_in_start(value) && __sync_fetch_and_add(&start_calls, 1) < start_calls_most;
}

static __always_inline void read_arguments(struct call_event *call)
{
	const struct pt_regs *regs = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());

	if (call->abi == ABI_COMPAT) {
#pragma unroll
		for (int i = 0; i < CALL_ARGUMENTS_MOST; i++)
			call->arguments[i] = argument_of(regs, true, i);
		return;
	}
#pragma unroll
	for (int i = 0; i < CALL_ARGUMENTS_MOST; i++)
		call->arguments[i] = argument_of(regs, false, i);
}

/*
 * Argument `number`, from 1; 0: none. (Not an index: the verifier of Linux 6.1 forgets its bounds when
 * one is subtracted.)
 */
static __always_inline __u64 argument(const struct call_event *call, __u32 number)
{
	__u64 value = 0;

#pragma unroll
	for (__u32 i = 0; i < CALL_ARGUMENTS_MOST; i++)
		if (number == i + 1)
			value = call->arguments[i];
	return value;
}

/* The two descriptors that pipe or socketpair has stored. */
static __always_inline void read_pair(struct call_event *call)
{
	__u32 number = CALL_KIND_PAIR(call->kind);

	call->pair[0] = call->pair[1] = -1;
	if (number && !call->result)
		bpf_probe_read_user(call->pair, sizeof(call->pair), (void *)argument(call, number));
}

static __always_inline void describe_call(struct call_event *call, const struct task_value *value,
					  long result, __u32 end)
{
	struct pid *pid = plain(bpf_get_current_task_btf())->thread_pid;

	call->head = (struct call_event_head){ CALL_EVENT_CALL, pid ? pid_at(pid, tracer_level) : 0, value->process };
	call->end_ns = bpf_ktime_get_ns();
	call->begin_ns = end == CALL_DENIED ? call->end_ns : value->entered_ns;
	call->result = result;
	call->nr = value->entered_key.nr;
	call->abi = value->entered_key.abi;
	call->actor = value->entered_key.actor;
	call->end = end;
	call->kind = call_kind(&value->entered_key);
	call->path_states[0] = call->path_states[1] = CALL_PATH_NONE;
	call->path_room = 0;
	call->zero = 0;
	call->zeros = 0;
	read_arguments(call);
	read_pair(call);
}

/* A struct sockaddr, or what poll waits for. */
static __always_inline bool read_memory(struct call_event *call, __u32 number, char *memory, __u64 address)
{
	__u64 bytes = argument(call, number + 1);

	if (call->kind & CALL_KIND_OF_EIGHT)
		bytes = bytes < CALL_MEMORY_MOST ? bytes * 8 : CALL_MEMORY_MOST;
	if (bytes > CALL_MEMORY_MOST)
		bytes = CALL_MEMORY_MOST;
	call->path_states[0] = bpf_probe_read_user(memory, bytes, (void *)address) ? CALL_PATH_UNREADABLE :
										      CALL_PATH_WHOLE;
	return false;
}

/*
 * Reads the path that argument `number` (from 1; 0: none) points to. Returns whether it fills the
 * room, and so may go on.
 */
static __always_inline bool read_path(struct call_event *call, __u32 i, __u32 number, char *path, __u32 room)
{
	__u64 address = argument(call, number);
	long length;

	path[0] = 0;
	if (!address)
		return false;
	if (call->kind & CALL_KIND_MEMORY)
		return read_memory(call, number, path, address);
	length = bpf_probe_read_user_str(path, room, (void *)address);
	if (length < 0)
		path[0] = 0;
	call->path_states[i] = length < 0 ? CALL_PATH_UNREADABLE : length >= room ? CALL_PATH_CUT : CALL_PATH_WHOLE;
	return length >= room;
}

__weak int send_long_call(struct task_value *value, long result, __u32 end);

/* With more room if a path goes on. The number of paths and the bytes for each are constants, and so is the size. */
static __always_inline int send_call(struct task_value *value, long result, __u32 end, __u32 paths, __u32 bytes)
{
	struct call_event *event;
	bool goes_on = false;
	char *path;

	if (!records_calls() || !value)
		return 0;
	event = reserve(&call_events, sizeof(*event) + paths * bytes, calls_lost);
	if (!event)
		return 0;
	describe_call(event, value, result, end);
	event->path_room = bytes;
	path = (char *)(event + 1);
	if (paths)
		goes_on = read_path(event, 0, CALL_KIND_PATH(event->kind), path, bytes);
	if (paths > 1)
		goes_on |= read_path(event, 1, CALL_KIND_OTHER(event->kind), path + bytes, bytes);
	if (!goes_on || bytes == LONG_PATH) {
		bpf_ringbuf_submit(event, call_events_flags());
		return 0;
	}
	bpf_ringbuf_discard(event, BPF_RB_NO_WAKEUP);
	return send_long_call(value, result, end);
}

#define CALL_SENDER(name, paths, bytes)                                                            \
	__weak int name(struct task_value *value, long result, __u32 end)                          \
	{                                                                                          \
		return send_call(value, result, end, paths, bytes);                                \
	}

CALL_SENDER(send_long_call, CALL_PATHS_MOST, LONG_PATH)
CALL_SENDER(send_two_paths, CALL_PATHS_MOST, SHORT_PATH)
CALL_SENDER(send_one_path, 1, SHORT_PATH)
CALL_SENDER(send_plain_call, 0, 0)

__weak int note_exec(struct task_value *value)
{
	struct exec_note *note;
	__u64 key;

	if (!records_calls() || !value)
		return 0;
	key = value->address;
	note = create(&exec_notes, &key);
	if (!note) {
		__sync_fetch_and_add(&calls_lost, 1);
		return 0;
	}
	describe_call(&note->call, value, 0, CALL_RETURNED);
	note->of_start = wants_start() && is_in_start(value);
	if (may_probe)
		return 0; /* keep_exec_path() reads it from the kernel: it need not be in memory yet */
	read_path(&note->call, 0, CALL_KIND_PATH(note->call.kind), note->path, LONG_PATH);
	return 0;
}

/* An execve has succeeded: its path, as it was given. */
static __always_inline void keep_exec_path(struct linux_binprm *bprm)
{
	__u64 key = (__u64)bpf_get_current_task_btf();
	struct exec_note *note = bpf_map_lookup_elem(&exec_notes, &key);
	long length;

	if (!note)
		return;
	note->done = 1;
	if (!may_probe)
		return;
	length = bpf_probe_read_kernel_str(note->path, sizeof(note->path), bprm->filename);
	note->call.path_states[0] = length < 0 ? CALL_PATH_UNREADABLE : CALL_PATH_WHOLE;
}

/* Sends an execve that has succeeded, if it is wanted. False: it has not. */
static __always_inline bool send_exec(struct task_value *value, bool wanted)
{
	__u64 key = value->address;
	struct exec_note *note = bpf_map_lookup_elem(&exec_notes, &key);
	bool done;

	if (!note)
		return false;
	done = note->done;
	if (done && (wanted || note->of_start)) {
		note->call.end_ns = bpf_ktime_get_ns();
		note->call.path_room = LONG_PATH;
		output(&call_events, note, sizeof(note->call) + LONG_PATH, call_events_flags(), calls_lost);
	}
	bpf_map_delete_elem(&exec_notes, &key);
	return done;
}

/* With more than half of the ring waiting, there is room for calls alone. */
static __always_inline bool calls_have_room(void)
{
	return bpf_ringbuf_query(&call_events, BPF_RB_AVAIL_DATA) <
	       bpf_ringbuf_query(&call_events, BPF_RB_RING_SIZE) / 2;
}

static __always_inline bool read_piece(struct stack_event *event, __u32 piece)
{
	__u64 *words = &event->words[piece * ENTRY_PIECE_WORDS];
	const __u64 size = ENTRY_PIECE_WORDS * sizeof(*words);

	if (bpf_probe_read_user(words, size, (void *)(event->sp + piece * size)))
		return false;
	event->count += ENTRY_PIECE_WORDS;
	return true;
}

/* A call that the current thread enters, of 64-bit code. */
__weak int send_entry_stack(struct task_value *value)
{
	const struct pt_regs *regs = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	struct pid *pid = plain(bpf_get_current_task_btf())->thread_pid;
	struct stack_event *event;
	bool more = true;

	if (!may_probe || !value || !regs || value->entered_key.abi != ABI_NATIVE || !is_in_start(value) ||
	    !calls_have_room() || __sync_fetch_and_add(&entry_stacks, 1) >= entry_stacks_most)
		return 0;
	event = bpf_ringbuf_reserve(&call_events, sizeof(*event), 0);
	if (!event)
		return 0;
	event->head = (struct call_event_head){ CALL_EVENT_STACK, pid ? pid_at(pid, tracer_level) : 0, value->process };
	event->ip = ip_of(regs);
	event->sp = sp_of(regs);
	event->bp = fp_of(regs);
	event->link = link_of(regs);
	event->nr = value->entered_key.nr;
	event->count = 0;
#pragma unroll
	for (__u32 piece = 0; piece < ENTRY_STACK_PIECES; piece++)
		more = more && read_piece(event, piece);
	bpf_ringbuf_submit(event, call_events_flags());
	return 0;
}

/* The call that the current thread is in has ended. */
__weak int record_call(struct task_value *value, long result, __u32 end)
{
	bool wanted;
	__u16 kind;

	if (!records_calls() || !value)
		return 0;
	kind = call_kind(&value->entered_key);
	wanted = wants_start() && is_of_start(value);
	wanted |= wants_files() && kind & CALL_KIND_FILES;
	if (kind & CALL_KIND_EXEC && end != CALL_DENIED && send_exec(value, wanted))
		return 0;
	if (!wanted)
		return 0;
	if (CALL_KIND_OTHER(kind))
		return send_two_paths(value, result, end);
	if (CALL_KIND_PATH(kind))
		return send_one_path(value, result, end);
	return send_plain_call(value, result, end);
}

static __always_inline void send_life(struct life_event *event)
{
	output(&call_events, event, sizeof(*event), call_events_flags(), calls_lost);
}

static __always_inline void record_fork(__u64 child, const struct task_value *maker)
{
	struct life_event event = {
		.head = { .kind = CALL_EVENT_FORK, .process = child },
		.parent = maker->process,
		.shares_files = maker->shares_files,
	};

	send_life(&event);
}

/* All threads of a process have ended, and its group is known. */
__weak int record_process_end(__u64 process, __u32 group)
{
	struct life_event event = {
		.head = { .kind = CALL_EVENT_END, .process = process },
		.group = group,
	};

	if (records_calls())
		send_life(&event);
	return 0;
}
