// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/loader.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HELPERS_MOST 3 /* more would wait for the longest program */

/* A program that is ready for the verifier. */
struct job {
	struct bpf_program *program;
	struct bpf_insn *insns;
	size_t insn_count;
	struct bpf_prog_load_opts opts; /* what they point to belongs to the program */
	bool taken;
	int fd; /* once loaded, or -errno */
};

static struct loader {
	const struct kernel_hook *hooks;
	size_t hook_count;
	pthread_t helpers[HELPERS_MOST];
	int helper_count;
	/* Under the lock: */
	struct job *jobs;
	size_t job_count;
	bool complete; /* no more will come */
	int err; /* the first failure ends it all */
} loader;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/* The longest one first, so that none is left with it at the end. */
static struct job *longest_job(void)
{
	struct job *longest = NULL;

	for (size_t i = 0; i < loader.job_count; i++) {
		struct job *job = &loader.jobs[i];

		if (!job->taken && (!longest || job->insn_count > longest->insn_count))
			longest = job;
	}
	return longest;
}

static struct job *take_job(void)
{
	struct job *job;

	pthread_mutex_lock(&lock);
	while (!(job = longest_job()) && !loader.complete && !loader.err)
		pthread_cond_wait(&changed, &lock);
	if (loader.err)
		job = NULL;
	if (job)
		job->taken = true;
	pthread_mutex_unlock(&lock);
	return job;
}

static void fail(int err)
{
	pthread_mutex_lock(&lock);
	if (!loader.err)
		loader.err = err;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void *load_jobs(void *unused)
{
	struct job *job;

	(void)unused;
	while ((job = take_job())) {
		struct bpf_program *program = job->program;

		job->fd = bpf_prog_load(bpf_program__type(program), bpf_program__name(program), "GPL",
					job->insns, job->insn_count, &job->opts);
		if (job->fd < 0)
			fail(job->fd);
	}
	return NULL;
}

static int usable_cpus(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) ? 1 : CPU_COUNT(&cpus);
}

static void start_helpers(void)
{
	int wanted = usable_cpus() - 1;
	sigset_t all, old;

	if (wanted > HELPERS_MOST)
		wanted = HELPERS_MOST;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	while (loader.helper_count < wanted &&
	       !pthread_create(&loader.helpers[loader.helper_count], NULL, load_jobs, NULL))
		loader.helper_count++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static int find_hook(const char *section)
{
	for (size_t i = 0; i < loader.hook_count; i++)
		if (!strcmp(loader.hooks[i].name, section))
			return loader.hooks[i].id;
	return -ESRCH;
}

static int add_job(struct bpf_program *program, const struct bpf_prog_load_opts *opts)
{
	size_t count = bpf_program__insn_cnt(program);
	struct job job = { .program = program, .insn_count = count, .opts = *opts, .fd = -1 };

	job.insns = malloc(count * sizeof(*job.insns));
	if (!job.insns)
		return -ENOMEM;
	memcpy(job.insns, bpf_program__insns(program), count * sizeof(*job.insns));
	pthread_mutex_lock(&lock);
	loader.jobs[loader.job_count++] = job;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return 0;
}

/* libbpf is about to load the program: from here on it is the placeholder. */
static int prepare(struct bpf_program *program, struct bpf_prog_load_opts *opts, long cookie)
{
	struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int hook = find_hook(bpf_program__section_name(program));

	(void)cookie;
	if (hook < 0)
		return hook;
	opts->attach_btf_id = hook;
	if (!loader.helper_count)
		return 0;
	if (add_job(program, opts))
		return -ENOMEM;
	opts->func_info = opts->line_info = NULL;
	opts->func_info_cnt = opts->line_info_cnt = 0;
	return bpf_program__set_insns(program, nothing, sizeof(nothing) / sizeof(nothing[0]));
}

static int attach(const struct bpf_program *program, long cookie, struct bpf_link **link)
{
	(void)cookie;
	*link = bpf_program__attach_trace(program);
	return *link ? 0 : -errno;
}

int loader__register(void)
{
	LIBBPF_OPTS(libbpf_prog_handler_opts, trace, .prog_prepare_load_fn = prepare,
		    .prog_attach_fn = attach);
	LIBBPF_OPTS(libbpf_prog_handler_opts, iterate, .prog_prepare_load_fn = prepare);
	static bool registered;
	int err;

	if (registered)
		return 0;
	err = libbpf_register_prog_handler("tp_btf+", BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, &trace);
	if (err >= 0)
		err = libbpf_register_prog_handler("iter+", BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER,
						   &iterate);
	registered = err >= 0;
	return registered ? 0 : err;
}

static size_t count_programs(const struct bpf_object *object)
{
	struct bpf_program *program;
	size_t count = 0;

	bpf_object__for_each_program(program, object)
		count++;
	return count;
}

/* Puts the loaded programs where libbpf has their placeholders, or closes them if something failed. */
static void finish_jobs(void)
{
	for (size_t i = 0; i < loader.job_count; i++) {
		struct job *job = &loader.jobs[i];

		if (job->fd >= 0 && !loader.err &&
		    dup3(job->fd, bpf_program__fd(job->program), O_CLOEXEC) < 0)
			loader.err = -errno;
		if (job->fd >= 0)
			close(job->fd);
		free(job->insns);
	}
	free(loader.jobs);
}

int loader__load(struct bpf_object_skeleton *skeleton, const struct kernel_hook *hooks,
		 size_t hook_count)
{
	int err;

	memset(&loader, 0, sizeof(loader));
	loader.hooks = hooks;
	loader.hook_count = hook_count;
	loader.jobs = calloc(count_programs(*skeleton->obj), sizeof(*loader.jobs));
	if (!loader.jobs)
		return -ENOMEM;
	if (!getenv("FORKTAX_LIBBPF_LOG"))
		start_helpers();
	err = bpf_object__load_skeleton(skeleton);
	if (err)
		fail(err);
	pthread_mutex_lock(&lock);
	loader.complete = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	load_jobs(NULL);
	for (int i = 0; i < loader.helper_count; i++)
		pthread_join(loader.helpers[i], NULL);
	finish_jobs();
	return loader.err;
}
