// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/loader.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "forktax.h"
#include "source/ebpf/dead_code.h"

#define HELPERS_MOST 3 /* more would wait for the longest program */

/* A program that is ready for the verifier. */
struct job {
	struct bpf_program *program;
	enum bpf_prog_type type;
	struct program_code code; /* ours: libbpf frees its own where it fails to load the object */
	struct bpf_prog_load_opts opts;
	bool taken;
	int fd; /* once loaded, or -errno */
};

static struct loader {
	const struct hooks *hooks;
	struct bpf_map *constants; /* libbpf creates it before it loads programs */
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

/* Longest first, so that no thread begins with it at the end. */
static struct job *longest_job(void)
{
	struct job *longest = NULL;

	for (size_t i = 0; i < loader.job_count; i++) {
		struct job *job = &loader.jobs[i];

		if (!job->taken && (!longest || job->code.insn_count > longest->code.insn_count))
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

static int load_job(const struct job *job, const struct bpf_prog_load_opts *opts)
{
	return bpf_prog_load(job->type, bpf_program__name(job->program), "GPL", job->code.insns,
			     job->code.insn_count, opts);
}

/* For developers: prints why the verifier rejects a program. */
static void explain(const struct job *job)
{
	static char log[1 << 20];
	struct bpf_prog_load_opts opts = job->opts;

	opts.log_buf = log;
	opts.log_size = sizeof(log);
	opts.log_level = 1;
	load_job(job, &opts);
	fprintf(stderr, "%s: %s\n%s", bpf_program__name(job->program), strerror(-job->fd), log);
}

static void drop_dead_code(struct job *job)
{
	struct constants constants = { .map = bpf_map__fd(loader.constants) };

	constants.data = bpf_map__initial_value(loader.constants, &constants.size);
	dead_code__drop(&job->code, &constants);
	job->opts.func_info_cnt = job->code.function_count;
	job->opts.line_info_cnt = job->code.line_count;
}

static void *load_jobs(void *unused)
{
	struct job *job;

	(void)unused;
	while ((job = take_job())) {
		drop_dead_code(job);
		job->fd = load_job(job, &job->opts);
		if (job->fd >= 0)
			continue;
		if (getenv("FORKTAX_LIBBPF_LOG"))
			explain(job);
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

/* Programs call a kernel function by a number that only the running kernel knows. */
static void fill_in_calls(struct bpf_insn *insns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (insns[i].code != (BPF_JMP | BPF_CALL) || insns[i].src_reg ||
		    insns[i].imm != CAST_CALL || !loader.hooks->cast)
			continue;
		insns[i].src_reg = BPF_PSEUDO_KFUNC_CALL;
		insns[i].imm = loader.hooks->cast;
	}
}

/* To be freed; NULL: out of memory. */
static void *copied(const void *from, size_t size)
{
	void *copy = malloc(size ? size : 1);

	if (copy && size)
		memcpy(copy, from, size);
	return copy;
}

static void free_job(struct job *job)
{
	free(job->code.insns);
	free(job->code.functions);
	free(job->code.lines);
}

static bool copy_code(struct program_code *code, const struct bpf_program *program,
		      const struct bpf_prog_load_opts *opts)
{
	code->insn_count = bpf_program__insn_cnt(program);
	code->function_count = opts->func_info_cnt;
	code->line_count = opts->line_info_cnt;
	code->insns = copied(bpf_program__insns(program), code->insn_count * sizeof(*code->insns));
	code->functions = copied(opts->func_info, code->function_count * sizeof(*code->functions));
	code->lines = copied(opts->line_info, code->line_count * sizeof(*code->lines));
	return code->insns && code->functions && code->lines;
}

static int add_job(struct bpf_program *program, enum bpf_prog_type type, const struct bpf_prog_load_opts *opts)
{
	struct job job = { .program = program, .type = type, .opts = *opts, .fd = -1 };

	if (type == BPF_PROG_TYPE_TRACING) {
		job.opts.attach_btf_id = hooks__id(loader.hooks, bpf_program__section_name(program));
		if (!job.opts.attach_btf_id)
			return -ESRCH;
	}
	if (!copy_code(&job.code, program, opts)) {
		free_job(&job);
		return -ENOMEM;
	}
	job.opts.func_info = job.code.functions;
	job.opts.line_info = job.code.lines;
	fill_in_calls(job.code.insns, job.code.insn_count);
	pthread_mutex_lock(&lock);
	loader.jobs[loader.job_count++] = job;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return 0;
}

/* libbpf is about to load a program of this type: from here on it has the placeholder. */
static int prepare(struct bpf_program *program, struct bpf_prog_load_opts *opts, long type)
{
	struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int err = add_job(program, type, opts);

	if (err)
		return err;
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
	LIBBPF_OPTS(libbpf_prog_handler_opts, trace, .cookie = BPF_PROG_TYPE_TRACING,
		    .prog_prepare_load_fn = prepare, .prog_attach_fn = attach);
	LIBBPF_OPTS(libbpf_prog_handler_opts, iterate, .cookie = BPF_PROG_TYPE_TRACING,
		    .prog_prepare_load_fn = prepare);
	LIBBPF_OPTS(libbpf_prog_handler_opts, sample, .cookie = BPF_PROG_TYPE_PERF_EVENT,
		    .prog_prepare_load_fn = prepare);
	const struct {
		const char *sections;
		enum bpf_attach_type attached;
		const struct libbpf_prog_handler_opts *opts;
	} handlers[] = {
		{ "tp_btf+", BPF_TRACE_RAW_TP, &trace },
		{ "iter+", BPF_TRACE_ITER, &iterate },
		{ "perf_event", 0, &sample },
	};
	static bool registered;
	int err;

	for (size_t i = 0; !registered && i < sizeof(handlers) / sizeof(handlers[0]); i++) {
		err = libbpf_register_prog_handler(handlers[i].sections, BPF_PROG_TYPE_RAW_TRACEPOINT,
						   handlers[i].attached, handlers[i].opts);
		if (err < 0)
			return err;
	}
	registered = true;
	return 0;
}

static size_t count_programs(const struct bpf_object *object)
{
	struct bpf_program *program;
	size_t count = 0;

	bpf_object__for_each_program(program, object) count++;
	return count;
}

/* Puts the loaded programs where libbpf has their placeholders, or closes them if something failed. */
static void finish_jobs(void)
{
	for (size_t i = 0; i < loader.job_count; i++) {
		struct job *job = &loader.jobs[i];

		if (job->fd >= 0 && !loader.err && dup3(job->fd, bpf_program__fd(job->program), O_CLOEXEC) < 0)
			loader.err = -errno;
		if (job->fd >= 0)
			close(job->fd);
		free_job(job);
	}
	free(loader.jobs);
}

static void no_more_jobs(void)
{
	pthread_mutex_lock(&lock);
	loader.complete = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

/* check_helper_call() in kernel/bpf/verifier.c. libbpf 1.1 does not know the last one, which Linux 7.2 says. */
static bool refuses_helper(const char *log)
{
	return strstr(log, "invalid func ") || strstr(log, "unknown func ") || strstr(log, "cannot use helper ");
}

int loader__probe_helper(enum bpf_func_id helper)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_JMP | BPF_CALL, .imm = helper },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	char log[4096] = "";
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .log_buf = log, .log_size = sizeof(log), .log_level = 1);
	int fd = bpf_prog_load(BPF_PROG_TYPE_TRACEPOINT, NULL, "GPL", insns, sizeof(insns) / sizeof(insns[0]), &opts);

	if (fd >= 0) {
		close(fd);
		return 1;
	}
	return *log ? !refuses_helper(log) : fd;
}

int loader__load(struct bpf_object_skeleton *skeleton, const struct hooks *hooks)
{
	int err;

	memset(&loader, 0, sizeof(loader));
	loader.hooks = hooks;
	loader.constants = bpf_object__find_map_by_name(*skeleton->obj, ".rodata");
	loader.jobs = calloc(count_programs(*skeleton->obj), sizeof(*loader.jobs));
	if (!loader.jobs || !loader.constants)
		return -ENOMEM;
	start_helpers();
	err = bpf_object__load_skeleton(skeleton);
	if (err)
		fail(err);
	no_more_jobs();
	load_jobs(NULL);
	for (int i = 0; i < loader.helper_count; i++)
		pthread_join(loader.helpers[i], NULL);
	finish_jobs();
	return loader.err;
}
