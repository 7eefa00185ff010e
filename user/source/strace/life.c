// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/life.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/untrusted.h"

void life__init(struct life *life, struct run *run)
{
	*life = (struct life){ .run = run };
}

struct live_task *life__find(const struct life *life, int32_t tid)
{
	const union hash_value *found = hash__find(&life->tasks, &tid, sizeof(tid));

	return found ? found->pointer : NULL;
}

static void put(struct life *life, struct live_task *task)
{
	hash__get(&life->tasks, &task->tid, sizeof(task->tid))->pointer = task;
	life->appeared(life->context, task->tid);
}

static void take_out(struct life *life, const struct live_task *task)
{
	hash__remove(&life->tasks, &task->tid, sizeof(task->tid));
}

void life__rename(struct life *life, struct live_task *task, int32_t tid)
{
	take_out(life, task);
	if (task->process->is.pid == task->tid)
		task->process->is.pid = tid;
	if (!task->process->is.ns_pid)
		task->process->is.ns_pid = tid;
	task->tid = tid;
	put(life, task);
}

static struct task_list *list_of(struct life *life, struct live_task *task, int list)
{
	return list < LISTS_OF_LIFE ? &life->lists[list] : &task->process->lists[list - LISTS_OF_LIFE];
}

void life__list(struct life *life, struct live_task *task, int list)
{
	task_list__add(list_of(life, task, list), &task->links[list], task);
}

struct live_task *life__first(struct life *life, enum life_list list,
			      bool (*is_of_kind)(const struct live_task *task), const struct live_task *except)
{
	return task_list__first(&life->lists[list], is_of_kind, except);
}

struct live_task *life__first_other(struct live_task *task, enum process_list list,
				    bool (*is_of_kind)(const struct live_task *task))
{
	return task_list__first(&task->process->lists[list - LISTS_OF_LIFE], is_of_kind, task);
}

static bool is_any(const struct live_task *task)
{
	return task;
}

struct live_task *life__only(struct life *life)
{
	return life->tasks.count == 1 ? life__first(life, LIST_ALL, is_any, NULL) : NULL;
}

/* Births. */

static uint32_t find_exe(struct life *life, const char *path)
{
	struct run *run = life->run;
	const char *key = path ? path : ""; /* not known */
	const union hash_value *known = hash__find(&life->exes, key, strlen(key));
	struct exe *exe;

	if (known)
		return known->number;
	run->exes = checked_grow(run->exes, run->exe_count, sizeof(*run->exes));
	exe = &run->exes[run->exe_count++];
	*exe = (struct exe){ .path = path ? checked_strdup(path) : NULL };
	return hash__number(&life->exes, path ? exe->path : key, strlen(key));
}

static void begin_image(struct live_process *process, uint32_t exe, enum image_kind kind)
{
	struct process *is = &process->is;

	process->exe = exe;
	if (is->image_count == IMAGES_MOST) {
		is->images_left_out++;
		return;
	}
	is->images = checked_grow(is->images, is->image_count, sizeof(*is->images));
	is->images[is->image_count++] = (struct image){ .exe = exe, .kind = kind };
}

static struct live_task *new_task(struct life *life, struct live_process *process, int32_t tid, enum abi abi)
{
	struct live_task *task = checked_calloc(1, sizeof(*task));

	*task = (struct live_task){ .tid = tid, .process = process, .abi = abi };
	process->live_threads++;
	process->is.threads++;
	life__list(life, task, LIST_ALL);
	life__list(life, task, LIST_SIBLINGS);
	if (!process->was_seen)
		life__list(life, task, LIST_UNSEEN);
	put(life, task);
	return task;
}

static struct live_process *new_process(struct life *life, int32_t pid, enum birth birth, uint64_t time_ns)
{
	struct live_process *process = checked_calloc(1, sizeof(*process));

	process->is = (struct process){
		.id = ++life->last_id,
		.pid = pid,
		.ns_pid = pid,
		.birth = birth,
		.status = -1,
		.start_ns = time_ns,
		.end_ns = ABSENT,
		.minflt = ABSENT,
		.majflt = ABSENT,
		.wpcopy = ABSENT,
		.group = NO_GROUP,
	};
	process->exec_target = process->parent_exe = NO_EXE;
	process->exit_status = process->called_status = -1;
	life->run->totals[LIFE_PROCESSES]++;
	return process;
}

struct live_task *life__root(struct life *life, int32_t tid, bool executes, uint64_t time_ns)
{
	struct live_process *process = new_process(life, tid, executes ? BIRTH_ROOT : BIRTH_ATTACHED, time_ns);

	process->kept = true;
	process->knows_exec_target = true;
	process->abi = ABI_NATIVE;
	begin_image(process, executes ? NO_EXE : find_exe(life, NULL), executes ? IMAGE_EXEC : IMAGE_ATTACHED);
	return new_task(life, process, tid, ABI_NATIVE);
}

struct live_task *life__child(struct life *life, struct live_process *parent, int32_t tid,
			      const struct birth_facts *facts, uint64_t time_ns)
{
	struct live_process *process = new_process(life, tid, facts->birth, time_ns);

	process->is.parent = parent->is.id;
	process->is.ppid = facts->reparented ? parent->is.ppid : parent->is.pid;
	process->is.shares_mm = facts->shares_mm;
	process->is.reparented = facts->reparented;
	process->parent_exe = parent->exe;
	process->abi = parent->abi;
	parent->is.children++;
	life->run->totals[LIFE_FORKS]++;
	if (life->stream)
		call_stream__fork(life->stream, parent->is.id, process->is.id, facts->shares_files);
	begin_image(process, parent->exe, facts->shares_mm ? IMAGE_BORROWED : IMAGE_INHERITED);
	return new_task(life, process, tid, parent->abi);
}

struct live_task *life__thread(struct life *life, struct live_process *process, int32_t tid)
{
	life->run->totals[LIFE_THREADS]++;
	return new_task(life, process, tid, process->abi);
}

/* Groups. */

static struct life_group *find_group(struct life *life, const struct live_process *process)
{
	const uint32_t key[] = { process->parent_exe, process->exec_target, process->is.birth };
	const size_t number = hash__number(&life->group_numbers, key, sizeof(key));
	struct life_group *group;

	if (number < life->group_count)
		return &life->groups[number];
	life->groups = checked_grow(life->groups, life->group_count, sizeof(*life->groups));
	group = &life->groups[life->group_count++];
	*group = (struct life_group){
		.is = {
			.parent_exe = process->parent_exe,
			.exec_target = process->exec_target,
			.birth = process->is.birth,
		},
		.first = process->is.id,
	};
	return group;
}

/* Its first image has ended: by what it became, or by nothing, it belongs to a group. */
static void settle(struct life *life, struct live_process *process, uint32_t exec_target)
{
	struct life_group *group;

	if (process->knows_exec_target)
		return;
	process->knows_exec_target = true;
	process->exec_target = exec_target;
	group = find_group(life, process);
	process->is.group = group - life->groups;
	process->kept = group->first == process->is.id || life->run->all_processes;
	kind_counts__add(&group->counts, &process->early);
	kind_counts__free(&process->early);
}

struct kind_counts *life__counts(struct life *life, struct live_process *process)
{
	if (!process->knows_exec_target)
		return &process->early;
	if (process->is.group == NO_GROUP)
		return &life->roots;
	return &life->groups[process->is.group].counts;
}

static void free_task(struct life *life, struct live_task *task)
{
	life->gone(life->context, task);
	take_out(life, task);
	for (int list = 0; list < TASK_LISTS; list++)
		task_list__remove(list_of(life, task, list), &task->links[list]);
	task->process->live_threads--;
	free(task->call.text);
	free(task);
}

enum { SCRIPTS_NESTED = 5 }; /* the kernel executes no more, one by the other */

/* A process that executes a script has the executable, and so the name, of its interpreter. */
static uint32_t find_executed(struct life *life, const char *path)
{
	autofree char *file = path && life->is_here ? checked_strdup(path) : NULL;

	for (int i = 0; i < SCRIPTS_NESTED && file; i++) {
		char *interpreter = untrusted__interpreter(file);

		if (!interpreter)
			return find_exe(life, file);
		free(file);
		file = interpreter;
	}
	return find_exe(life, file ? file : path);
}

void life__exec(struct life *life, struct live_task *task, const char *path)
{
	struct live_process *process = task->process;
	uint32_t exe = find_executed(life, path);
	struct live_task *sibling;

	while ((sibling = life__first_other(task, LIST_SIBLINGS, is_any)))
		free_task(life, sibling);
	life->run->totals[LIFE_EXECS]++;
	if (life->stream)
		call_stream__exec(life->stream, process->is.id);
	settle(life, process, exe);
	if (process->exe == NO_EXE) { /* the command's own execve */
		process->is.images[0].exe = process->exe = exe;
		return;
	}
	begin_image(process, exe, IMAGE_EXEC);
}

/* Ends. */

static void add_to_group(struct life *life, struct live_process *process)
{
	struct life_group *group = &life->groups[process->is.group];

	if (!process->is.finished) {
		group->is.unfinished++;
		return;
	}
	group->is.children++;
	group->total += process->calls;
	histogram__add(&group->calls, process->calls, 1);
}

static void end_run(struct run *run, const struct process *command)
{
	run->status = command->status;
	run->signal = command->signal;
	if (command->end_ns != ABSENT)
		run->wall_ns = command->end_ns - command->start_ns;
}

static void end_process(struct life *life, struct live_process *process)
{
	struct run *run = life->run;

	settle(life, process, NO_EXE);
	if (process->is.group != NO_GROUP)
		add_to_group(life, process);
	if (!process->is.finished)
		run->integrity.losses[LOSS_UNFINISHED]++;
	if (life->stream)
		call_stream__exit(life->stream, process->is.id,
				     process->is.group == NO_GROUP ? 0 : process->is.group + 1);
	if (process->is.id == life->command)
		end_run(run, &process->is);
	if (process->kept) {
		run->processes = checked_grow(run->processes, run->process_count, sizeof(*run->processes));
		run->processes[run->process_count++] = process->is;
	} else {
		free(process->is.images);
	}
	free(process);
}

static void set_end(struct live_process *process, int32_t status, int32_t signal, uint64_t time_ns)
{
	process->is.finished = true;
	process->is.status = signal ? -1 : status;
	process->is.signal = signal;
	process->is.end_ns = time_ns;
}

static void end_thread(struct life *life, struct live_task *task)
{
	struct live_process *process = task->process;

	free_task(life, task);
	if (process->live_threads)
		return;
	life->without_exit += process->exit_status >= 0 && !process->exit_signal && !process->called_exit;
	set_end(process, process->exit_status, process->exit_signal, process->ended_ns);
	end_process(life, process);
}

void life__exit(struct life *life, struct live_task *task, int32_t status, int32_t signal, uint64_t time_ns)
{
	struct live_process *process = task->process;

	/* A process has the exit status of its leader. If the leader ends first, strace prints its end last. */
	if (task->tid == process->is.pid || !process->has_status) {
		process->has_status = true;
		process->exit_status = status;
		process->exit_signal = signal;
	}
	process->ended_ns = time_ns;
	if (!task->lingers)
		end_thread(life, task);
}

void life__linger(struct life *life, struct live_task *task)
{
	take_out(life, task);
	task->lingers = true;
	task->tid = -(int32_t)++life->lingering;
	put(life, task);
}

void life__drop(struct life *life, struct live_task *task)
{
	free_task(life, task);
}

/* Somebody created it, and it was not followed. */
static void forget(struct life *life, struct live_process *process)
{
	life->not_followed++;
	life->run->totals[LIFE_PROCESSES]--;
	if (life->stream)
		call_stream__exit(life->stream, process->is.id, 0);
	kind_counts__free(&process->early);
	free(process->is.images);
	free(process);
}

void life__leave(struct life *life, struct live_task *task)
{
	struct live_process *process = task->process;

	if (task->lingers) {
		end_thread(life, task);
		return;
	}
	free_task(life, task);
	if (process->live_threads)
		return;
	if (!process->was_seen) {
		forget(life, process);
		return;
	}
	if (process->exits)
		set_end(process, process->called_status, 0, process->called_ns);
	end_process(life, process);
}

void life__leave_all(struct life *life)
{
	const union hash_value *task;

	for (size_t at = 0; (task = hash__next(&life->tasks, &at)); at--)
		life__leave(life, task->pointer);
}
