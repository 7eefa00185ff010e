// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/ebpf.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "forktax.skel.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "launch/gate.h"
#include "source/calls/call_stream.h"
#include "source/cgroups.h"
#include "source/ebpf/access_flag.h"
#include "source/ebpf/anatomy/detail_reader.h"
#include "source/ebpf/attach.h"
#include "source/ebpf/calls/call_reader.h"
#include "source/ebpf/capabilities.h"
#include "source/ebpf/counts/collect.h"
#include "source/ebpf/counts/exe_paths.h"
#include "source/ebpf/diagnose.h"
#include "source/ebpf/flow/flow_reader.h"
#include "source/ebpf/lines/shell_table.h"
#include "source/ebpf/load.h"
#include "source/ebpf/used_maps.h"
#include "source/ebpf/page_tables.h"
#include "source/ebpf/path/path_reader.h"
#include "source/ebpf/programs.h"
#include "source/ebpf/reuse.h"
#include "source/ebpf/tracing.h"
#include "source/ebpf/units/units.h"
#include "source/ebpf/watch_cgroups.h"

/* What it has mapped and open, for names. It has gone on meanwhile, so what it has open holds from now on. */
static void look_at_attached(struct tracing *tracing, const struct message *message)
{
	const uint64_t now = clock__now_ns();

	if (tracing->details)
		detail_reader__attach(tracing->details, message->pid);
	if (tracing->calls)
		call_reader__look_at(tracing->calls, message->id, message->pid, now);
}

static int on_message(void *context, void *data, size_t size)
{
	struct tracing *tracing = context;
	const struct message *message = data;

	if (size < sizeof(*message))
		return 0;
	if (message->kind == MESSAGE_EXE && tracing__asks(tracing, ABILITY_LINES))
		shell_table__add(tracing->skeleton, tracing->request, message);
	if (message->kind == MESSAGE_CGROUP && size >= sizeof(struct cgroup_message))
		tracing__take_cgroup(tracing, data);
	else if (message->kind == MESSAGE_EXE)
		exe_paths__look_up(tracing->paths, message, tracing__asks(tracing, ABILITY_ATTACH));
	else if (message->kind == MESSAGE_ENDED && tracing__asks(tracing, ABILITY_ALL_PROCESSES))
		collect__process(tracing->skeleton, tracing->run, message->id);
	else if (message->kind == MESSAGE_LEFT)
		tracing->members_left = true;
	else if (message->kind == MESSAGE_ATTACHED)
		look_at_attached(tracing, message);
	return 0;
}

/* What single calls are wanted for: bits of enum call_use. */
static unsigned int call_uses(uint32_t abilities)
{
	return (abilities & 1u << ABILITY_FILES ? CALLS_FOR_FILES : 0) |
	       (abilities & 1u << ABILITY_WAITS ? CALLS_FOR_WAITS : 0) |
	       (abilities & 1u << ABILITY_START ? CALLS_FOR_START : 0);
}

/* Those that are loaded: also for later runs, unless each loads its own (reuse.h). */
static unsigned int call_uses_there(const struct tracing *tracing, const struct drift *drift)
{
	return call_uses(tracing->request->abilities | (drift->preemptible ? 0 : tracing->request->later));
}

static unsigned int needs_there(const struct tracing *tracing, const struct drift *drift, bool may_read_tables)
{
	return (tracing__asks(tracing, ABILITY_FAULT_CLASSES) ? FOR_CLASSES : 0) |
	       (tracing__asks(tracing, ABILITY_ANATOMY) ? FOR_ANATOMY : 0) |
	       (tracing__asks(tracing, ABILITY_ATTACH) ? FOR_ATTACHING : 0) |
	       (tracing__asks(tracing, ABILITY_CGROUPS) ? FOR_CGROUPS : 0) |
	       (tracing__asks(tracing, ABILITY_CGROUPS) && tracing->request->cgroups->root ? FOR_NEW_CGROUPS : 0) |
	       (tracing__asks(tracing, ABILITY_CGROUPS) || tracing__asks(tracing, ABILITY_UNITS) ? FOR_NEWBORN : 0) |
	       (tracing__asks(tracing, ABILITY_UNITS) ? FOR_UNITS : FOR_GROUPS) |
	       (tracing__asks(tracing, ABILITY_TREE) ? FOR_TREE : 0) |
	       (tracing__asks(tracing, ABILITY_PATH) ? FOR_PATH | FOR_WAKES : 0) |
	       (tracing__asks(tracing, ABILITY_TREE) && tracing__asks(tracing, ABILITY_ATTACH) ? FOR_WAKES : 0) |
	       (tracing__asks(tracing, ABILITY_CALL_TIMES) ? FOR_TIMES : 0) |
	       (tracing__asks(tracing, ABILITY_STACKS) ? FOR_STACKS : 0) |
	       (tracing__asks(tracing, ABILITY_FLOW) ? FOR_FLOW : 0) |
	       (tracing__asks(tracing, ABILITY_LINES) ? FOR_LINES : 0) |
	       (call_uses_there(tracing, drift) ? FOR_SINGLE_CALLS : 0) |
	       (drift->preemptible ? ON_PREEMPTIBLE : 0) | (may_read_tables ? ON_PAGE_TABLES : 0) |
	       (drift->tells_exits_late ? ON_LATE_EXITS : ON_EARLY_EXITS) | (drift->tells_extents ? ON_EXTENTS : 0) |
	       (drift->tells_locks ? ON_LOCKS : 0);
}

/* The kernel's list of nodes is "0" if there is one. If it cannot be read, there may be several. */
static bool has_several_nodes(void)
{
	FILE *list = fopen("/sys/devices/system/node/online", "re");
	char next = 0;
	bool one;

	if (!list)
		return true;
	one = fscanf(list, "%*d%c", &next) == 1 && next == '\n';
	fclose(list);
	return !one;
}

/* Is the end of exit_mm() an event after that of the exit? */
static bool sees_exits_end(const struct drift *drift)
{
	return drift->tells_locks && !drift->tells_exits_late;
}

static void configure(struct forktax_bpf *skeleton, const void *context, const struct drift *drift, bool may_probe)
{
	const struct tracing *tracing = context;
	bool anatomy = tracing__asks(tracing, ABILITY_ANATOMY);
	unsigned int there;

	skeleton->rodata->classes = tracing__asks(tracing, ABILITY_FAULT_CLASSES) || anatomy;
	skeleton->rodata->timed = tracing__asks(tracing, ABILITY_CALL_TIMES);
	skeleton->rodata->keep_all = tracing__asks(tracing, ABILITY_ALL_PROCESSES);
	skeleton->rodata->may_probe = may_probe;
	skeleton->rodata->page_size = page_bytes;
	skeleton->rodata->lacks_access_flag = access_flag__is_lacking();
	skeleton->rodata->lines_wanted = tracing__asks(tracing, ABILITY_LINES);
	skeleton->rodata->tree_wanted = tracing__asks(tracing, ABILITY_TREE);
	skeleton->rodata->watches_cgroups = tracing__asks(tracing, ABILITY_CGROUPS);
	skeleton->rodata->watches_all = tracing->request->whole_machine;
	if (tracing__asks(tracing, ABILITY_CGROUPS))
		tracing__configure_cgroups(tracing, skeleton);
	skeleton->rodata->by_unit = tracing__asks(tracing, ABILITY_UNITS);
	skeleton->rodata->preemptible = drift->preemptible;
	skeleton->rodata->sees_exit_mm = sees_exits_end(drift);
	skeleton->rodata->several_nodes = has_several_nodes();
	skeleton->rodata->anatomy = anatomy;
	skeleton->rodata->stacks_wanted = tracing__asks(tracing, ABILITY_STACKS);
	skeleton->rodata->record_full = ANATOMY_FULL;
	skeleton->rodata->record_every = ANATOMY_EVERY;
	skeleton->rodata->details_wakeup = ANATOMY_RING / 4;
	there = needs_there(tracing, drift, may_probe && page_tables__configure(skeleton));
	skeleton->rodata->attaches = there & (FOR_ATTACHING | FOR_CGROUPS | FOR_UNITS);
	/* What is attached to may be a thread without memory; and a program that is preempted may miss the event. */
	skeleton->rodata->ends_later = sees_exits_end(drift) && !drift->preemptible && !skeleton->rodata->attaches;
	programs__choose(skeleton, there);
	used_maps__choose(skeleton, there);
	if (anatomy)
		bpf_map__set_max_entries(skeleton->maps.details, ANATOMY_RING);
	if (skeleton->rodata->stacks_wanted)
		bpf_map__set_max_entries(skeleton->maps.raw_stacks, RAW_STACKS);
	if (skeleton->rodata->lines_wanted) {
		bpf_map__set_max_entries(skeleton->maps.opened_files, OPENED_FILES);
		bpf_map__set_max_entries(skeleton->maps.make_children, MAKE_CHILDREN);
	}
	skeleton->rodata->calls_vary = tracing->request->later;
	if (call_uses_there(tracing, drift))
		call_reader__configure(skeleton, call_uses_there(tracing, drift));
	if (tracing__asks(tracing, ABILITY_FLOW))
		flow_reader__configure(skeleton);
	if (tracing__asks(tracing, ABILITY_PATH))
		path_reader__configure(skeleton);
	if (skeleton->rodata->by_unit)
		bpf_map__set_max_entries(skeleton->maps.unit_paths, UNIT_PATH_SLOTS);
}

/* Roots share one group, number 0, which the programs expect to find. */
static int create_root_group(struct forktax_bpf *skeleton)
{
	struct group_key key = { .birth = BIRTH_ROOT };
	struct group_value value = {};

	return bpf_map__update_elem(skeleton->maps.groups, &key, sizeof(key), &value, sizeof(value), BPF_ANY);
}

static int follow_messages(struct tracing *tracing)
{
	const struct forktax_bpf *skeleton = tracing->skeleton;

	tracing->ring = ring_buffer__new(bpf_map__fd(skeleton->maps.messages), on_message, tracing, NULL);
	if (!tracing->ring)
		return -errno;
	if (call_uses(tracing->request->abilities)) {
		int err;

		tracing->calls = call_reader__open(tracing->skeleton, tracing->run,
						   call_uses(tracing->request->abilities));
		err = ring_buffer__add(tracing->ring, bpf_map__fd(skeleton->maps.call_events), call_reader__take,
				       tracing->calls);
		if (err)
			return err;
	}
	if (tracing__asks(tracing, ABILITY_FLOW)) {
		int err;

		tracing->flow = flow_reader__open(tracing->skeleton, tracing->request->flow);
		err = ring_buffer__add(tracing->ring, bpf_map__fd(skeleton->maps.flow_events),
				       flow_reader__take, tracing->flow);
		if (err)
			return err;
	}
	if (tracing__asks(tracing, ABILITY_PATH)) {
		int err;

		tracing->path = path_reader__open(tracing->skeleton);
		err = ring_buffer__add(tracing->ring, bpf_map__fd(skeleton->maps.path_events),
				       path_reader__take, tracing->path);
		if (err)
			return err;
	}
	if (!tracing__asks(tracing, ABILITY_ANATOMY))
		return 0;
	tracing->details = detail_reader__open(tracing->skeleton, tracing->run);
	return ring_buffer__add(tracing->ring, bpf_map__fd(skeleton->maps.details),
				detail_reader__take, tracing->details);
}

static void close_tracing(struct tracing *tracing)
{
	ring_buffer__free(tracing->ring);
	detail_reader__close(tracing->details);
	call_reader__close(tracing->calls);
	flow_reader__close(tracing->flow);
	fault_events__stop(&tracing->faults);
	path_reader__close(tracing->path);
	if (tracing->is_finished)
		reuse__give(tracing->skeleton, tracing->request);
	else
		forktax_bpf__destroy(tracing->skeleton);
	exe_paths__free(tracing->paths);
	free(tracing->cgroups.unnamed);
	free(tracing);
}

static struct tracing *open_tracing(const struct source_request *request, struct run *run, char **message)
{
	struct tracing *tracing;
	int err;

	tracing = checked_calloc(1, sizeof(*tracing));
	tracing->request = request;
	tracing->run = run;
	tracing->paths = exe_paths__new();
	diagnose__start();
	tracing->skeleton = reuse__take(request);
	err = tracing->skeleton ? 0 : load__skeleton(&tracing->skeleton, configure, tracing);
	if (!err)
		err = create_root_group(tracing->skeleton);
	if (!err && tracing__asks(tracing, ABILITY_LINES))
		shell_table__begin(tracing->skeleton, request);
	if (!err)
		err = units__create_other(tracing->skeleton);
	if (!err)
		page_tables__find(tracing->skeleton);
	if (!err)
		err = forktax_bpf__attach(tracing->skeleton);
	if (!err && programs__fault_begin(tracing->skeleton))
		err = fault_events__start(&tracing->faults, programs__fault_begin(tracing->skeleton), FAULT_BEGINS);
	if (!err)
		err = follow_messages(tracing);
	if (!err)
		return tracing;
	*message = diagnose__load_failure(err);
	close_tracing(tracing);
	errno = -err;
	return NULL;
}

/* Marks the task that waits at the gate: counting starts with its execve. */
static int trace_command(struct tracing *tracing, const struct gate *gate, char **message)
{
	uint32_t marked = 1;
	int err;

	if (tracing->calls) /* the command will be the first process */
		call_reader__look_at(tracing->calls, 1, gate->pid, 0);
	tracing->skeleton->bss->gate_closed = true;
	err = bpf_map__update_elem(tracing->skeleton->maps.gate, &gate->pidfd, sizeof(gate->pidfd),
				   &marked, sizeof(marked), BPF_NOEXIST);
	if (!err)
		tracing->skeleton->bss->armed = true;
	return err;
}

static int event_fd(const struct tracing *tracing)
{
	return ring_buffer__epoll_fd(tracing->ring);
}

static void consume_rings(struct tracing *tracing)
{
	ring_buffer__consume(tracing->ring);
	if (tracing->details)
		detail_reader__consume(tracing->details);
	if (tracing__find_cgroups(tracing))
		tracing__mark_members(tracing);
	tracing__follow_members(tracing);
}

/* Ends first: of a child that is born and ends between these two lines the birth is counted, never the end alone. */
static uint64_t count_live(const struct tracing *tracing)
{
	const struct forktax_bpf__bss *bss = tracing->skeleton->bss;
	const uint64_t ended = __atomic_load_n(&bss->ended, __ATOMIC_ACQUIRE);

	return __atomic_load_n(&bss->life[LIFE_PROCESSES], __ATOMIC_RELAXED) - ended;
}

/*
 * Exits that are under way or were missed are handled when the kernel frees the task, and a thread
 * that is just about to stop counting can be collected only afterwards: so this tries for a second.
 */
static void collect_running(const struct tracing *tracing)
{
	const volatile struct forktax_bpf__bss *bss = tracing->skeleton->bss;

	for (int i = 0; i <= 100; i++) {
		if (i)
			usleep(10000);
		if (tracing__iterate(tracing->skeleton->progs.collect) < 0) {
			run__note(tracing->run, "cannot collect the counts of running processes: %s", strerror(errno));
			return;
		}
		if (count_live(tracing) <= bss->collected)
			return;
	}
}

static void stop_counting(struct tracing *tracing)
{
	if (!tracing->skeleton->bss->armed)
		return;
	tracing->skeleton->bss->stopped = true;
	tracing->skeleton->bss->armed = false;
	tracing->skeleton->bss->tree_stop_ns = tracing->skeleton->bss->tree_begun_ns ? clock__now_ns() : 0;
	if (tracing->flow)
		flow_reader__end(tracing->flow);
	if (count_live(tracing) || tracing->skeleton->bss->tree_stop_ns) {
		/* Programs that saw it armed may still run: wait for an RCU grace period. */
		syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
		if (tracing->skeleton->bss->tree_stop_ns)
			tracing__iterate(tracing->skeleton->progs.end_window);
		collect_running(tracing);
	}
	consume_rings(tracing);
}

static void collect_all_counts(struct tracing *tracing)
{
	collect__run(tracing->skeleton, tracing->paths, tracing->details, tracing->calls, tracing->run);
	if (tracing->flow)
		flow_reader__finish(tracing->flow);
	if (tracing->path)
		path_reader__finish(tracing->path, tracing->run);
	tracing__note_uncounted(tracing);
	tracing->is_finished = count_live(tracing) == tracing->skeleton->bss->collected;
}

/* The source supports everything; open() reports what this kernel refuses. */
static const char *ebpf_cannot(enum ability ability)
{
	return NULL;
}

/* The one that is linked, which may be newer than that of the build. */
static const char *ebpf_library(void)
{
	static char text[64];

	snprintf(text, sizeof(text), "libbpf %" PRIu32 ".%" PRIu32, libbpf_major_version(), libbpf_minor_version());
	return text;
}

const struct source source_ebpf = {
	.name = "ebpf",
	.title = "eBPF",
	.cannot = ebpf_cannot,
	.library = ebpf_library,
	.missing_privileges = diagnose__missing_privileges,
	.capabilities = capabilities__list,
	.open = open_tracing,
	.close = close_tracing,
	.trace_command = trace_command,
	.trace_pids = tracing__attach,
	.event_fd = event_fd,
	.consume = consume_rings,
	.live = count_live,
	.stop = stop_counting,
	.read_units = units__read,
	.take_unit = units__take,
	.take_kind = units__take_kind,
	.set_trial = units__set_trial,
	.unit_path = units__path,
	.finish = collect_all_counts,
};
