// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The processes of a run on a clock, as a trace of Perfetto (perfetto_trace.proto; docs/reference/
 * synthetic-track-event.md there): a track for each process under that of its parent, with one slice
 * from birth to end, an arrow from the fork to it, and counters of what lives and what was copied; and a track with the
 * steps of the critical path, each with an arrow from its process.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "report/export/exports.h"
#include "report/export/protobuf.h"
#include "report/tree/critical_path_report.h"
#include "report/words.h"

enum { TRACE_PACKET = 1 };
enum { PACKET_TIME = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11, PACKET_TRACK = 60 };
enum { TRACK_ID = 1, TRACK_NAME = 2, TRACK_PARENT = 5, TRACK_COUNTER = 8 };
enum { EVENT_NOTE = 4, EVENT_TYPE = 9, EVENT_TRACK = 11, EVENT_NAME = 23, EVENT_VALUE = 30,
       EVENT_FLOW = 47, EVENT_FLOW_END = 48 };
enum { NOTE_UNSIGNED = 3, NOTE_TEXT = 6, NOTE_NAME = 10 };
enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3, COUNTER = 4 };
enum { SEQUENCE = 1 };

/* Tracks: processes have their ids; these come before and behind. */
#define RUN_TRACK    1
#define ALIVE_TRACK  2
#define COPIES_TRACK 3
#define PATH_TRACK   4
#define FIRST_TRACK  16
#define FIRST_STEP   (1ull << 40) /* arrows to steps of the critical path; those of forks have the ids of processes */

static uint64_t track_of(uint64_t process)
{
	return FIRST_TRACK + process;
}

static void add_packet(struct proto *trace, struct proto *packet)
{
	proto__number(packet, PACKET_SEQUENCE, SEQUENCE);
	proto__part(trace, TRACE_PACKET, packet);
}

static void add_track(struct proto *trace, uint64_t id, uint64_t parent, const char *name,
		      bool is_counter)
{
	struct proto packet = { 0 }, track = { 0 }, counter = { 0 };

	proto__number(&track, TRACK_ID, id);
	proto__text(&track, TRACK_NAME, name);
	if (parent)
		proto__number(&track, TRACK_PARENT, parent);
	if (is_counter)
		proto__part(&track, TRACK_COUNTER, &counter);
	proto__part(&packet, PACKET_TRACK, &track);
	add_packet(trace, &packet);
}

static void add_event(struct proto *trace, uint64_t ns, struct proto *event, uint64_t track,
		      unsigned int type)
{
	struct proto packet = { 0 };

	proto__number(event, EVENT_TYPE, type);
	proto__number(event, EVENT_TRACK, track);
	proto__number(&packet, PACKET_TIME, ns);
	proto__part(&packet, PACKET_EVENT, event);
	add_packet(trace, &packet);
}

static void note_number(struct proto *event, const char *name, uint64_t number)
{
	struct proto note = { 0 };

	proto__text(&note, NOTE_NAME, name);
	proto__number(&note, NOTE_UNSIGNED, number);
	proto__part(event, EVENT_NOTE, &note);
}

static void note_part(struct proto *event, const char *part, uint64_t ns)
{
	autofree char *name = text__of("%s, ns", part);

	note_number(event, name, ns);
}

static void note_text(struct proto *event, const char *name, char *text)
{
	struct proto note = { 0 };

	proto__text(&note, NOTE_NAME, name);
	proto__text(&note, NOTE_TEXT, text);
	proto__part(event, EVENT_NOTE, &note);
	free(text);
}

static uint64_t end_of(const struct run *run, const struct process *process)
{
	return process->end_ns == ABSENT ? run->wall_ns : process->end_ns;
}

static void note_counts(struct proto *event, const struct run *run, const struct process *process)
{
	struct faults faults = { 0 };

	note_number(event, "pid", process->pid);
	note_text(event, "end", words__exit(process->status, process->signal, process->finished));
	note_number(event, "syscalls", process__syscalls(process));
	note_number(event, "threads", process->threads);
	note_number(event, "children", process->children);
	if (!run__has(run, HAS_FAULT_CLASSES))
		return;
	process__faults(process, &faults);
	note_number(event, "page faults", faults.total);
	for (int class = 0; class < FAULT_COUNT; class++)
		if (faults__class(&faults, class))
			note_number(event, fault_counters[class].header, faults__class(&faults, class));
}

/* The arrow leaves the parent's slice where the child's begins. */
static void add_process(struct proto *trace, const struct run *run, const struct process *process)
{
	autofree char *name = words__images(run, process, false);
	autofree char *title = text__of("%s [%" PRId32 "]", name, process->pid);
	struct proto begin = { 0 }, end = { 0 }, fork = { 0 };

	add_track(trace, track_of(process->id), process->parent ? track_of(process->parent) : RUN_TRACK,
		  title, false);
	if (process->parent) {
		proto__text(&fork, EVENT_NAME, birth_counters[process->birth].key);
		proto__fixed64(&fork, EVENT_FLOW, process->id);
		add_event(trace, process->start_ns, &fork, track_of(process->parent), INSTANT);
		proto__fixed64(&begin, EVENT_FLOW_END, process->id);
	}
	proto__text(&begin, EVENT_NAME, name);
	note_counts(&begin, run, process);
	add_event(trace, process->start_ns, &begin, track_of(process->id), SLICE_BEGIN);
	add_event(trace, end_of(run, process), &end, track_of(process->id), SLICE_END);
}

/* A process begins or ends: what it changes. */
struct step {
	uint64_t ns;
	int64_t alive;
	uint64_t copies;
};

static int compare_steps(const void *left, const void *right)
{
	const struct step *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns < b->ns ? -1 : 1;
	return (a->alive < b->alive) - (a->alive > b->alive); /* births first */
}

static void add_value(struct proto *trace, uint64_t ns, uint64_t track, uint64_t value)
{
	struct proto event = { 0 };

	proto__number(&event, EVENT_VALUE, value);
	add_event(trace, ns, &event, track, COUNTER);
}

static struct step *steps_of(const struct run *run)
{
	struct step *steps = checked_calloc(2 * run->process_count, sizeof(*steps));

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];
		struct faults faults = { 0 };

		process__faults(process, &faults);
		steps[2 * i] = (struct step){ process->start_ns, 1, 0 };
		steps[2 * i + 1] = (struct step){ end_of(run, process), -1,
						  process->end_ns == ABSENT
							  ? 0
							  : faults__class(&faults, FAULT_COW_COPY) };
	}
	qsort(steps, 2 * run->process_count, sizeof(*steps), compare_steps);
	return steps;
}

/* What a process copied is known when it has ended. */
static void add_counters(struct proto *trace, const struct run *run)
{
	const bool has_classes = run__has(run, HAS_FAULT_CLASSES);
	autofree struct step *steps = steps_of(run);
	uint64_t alive = 0, copies = 0;

	add_track(trace, ALIVE_TRACK, RUN_TRACK, "processes alive", true);
	if (has_classes)
		add_track(trace, COPIES_TRACK, RUN_TRACK, "COW copies of ended processes", true);
	for (size_t i = 0; i < 2 * run->process_count; i++) {
		alive += steps[i].alive;
		copies += steps[i].copies;
		add_value(trace, steps[i].ns, ALIVE_TRACK, alive);
		if (has_classes && steps[i].copies)
			add_value(trace, steps[i].ns, COPIES_TRACK, copies);
	}
}

static void add_step(struct proto *trace, const struct run *run, const struct path_step *step, uint64_t arrow)
{
	autofree char *name = report__path_program(run, step->exe, step->executed);
	struct proto leave = { 0 }, begin = { 0 }, end = { 0 };

	proto__text(&leave, EVENT_NAME, "critical path");
	proto__fixed64(&leave, EVENT_FLOW, arrow);
	add_event(trace, step->begin_ns, &leave, track_of(step->process), INSTANT);
	proto__fixed64(&begin, EVENT_FLOW_END, arrow);
	proto__text(&begin, EVENT_NAME, name);
	note_number(&begin, "pid", step->pid);
	if (step->line != UINT32_MAX)
		note_text(&begin, "line", report__path_place(&run->critical_path->lines[step->line]));
	for (int part = 0; part < PATH_PARTS; part++)
		if (step->ns[part])
			note_part(&begin, path_part_words[part], step->ns[part]);
	add_event(trace, step->begin_ns, &begin, PATH_TRACK, SLICE_BEGIN);
	add_event(trace, step->end_ns, &end, PATH_TRACK, SLICE_END);
}

static void add_path(struct proto *trace, const struct run *run)
{
	const struct critical_path *path = run->critical_path;

	if (!path)
		return;
	add_track(trace, PATH_TRACK, RUN_TRACK, "critical path", false);
	for (size_t i = 0; i < path->step_count; i++)
		add_step(trace, run, &path->steps[i], FIRST_STEP + i);
}

void export__perfetto(const struct run *run, FILE *stream)
{
	autofree char *command = run->command_count ? words__command(run->command) : NULL;
	struct proto trace = { 0 };

	add_track(&trace, RUN_TRACK, 0, command ? command : "running processes", false);
	for (size_t i = 0; i < run->process_count; i++)
		add_process(&trace, run, &run->processes[i]);
	add_counters(&trace, run);
	add_path(&trace, run);
	fwrite(trace.bytes, 1, trace.size, stream);
	proto__free(&trace);
}
