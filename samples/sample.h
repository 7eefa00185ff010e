/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What every sample says about itself: with --expect as its first argument it prints what it
 * would do as one JSON object (samples/README.md) and does nothing. No stdio, so that printing
 * does not change what the program is.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <string.h>
#include <unistd.h>

#include "raw.h"

enum { SAMPLE_SKIPPED = 77 };

/* For a count that the sample cannot know: null in its expectation. */
enum { NOT_KNOWN = -1 };

/* What dietlibc does otherwise: _exit() ends one thread, and vfork() is a jump to fork(). */
#ifdef __dietlibc__
#define LIBC_EXIT  "exit"
#define LIBC_VFORK "fork"
#else
#define LIBC_EXIT  "exit_group"
#define LIBC_VFORK "vfork"
#endif

struct expect_calls {
	const char *name;
	long calls, errors, denied;
	long of_root; /* the part of `calls` that the command's own process makes */
	const char *abi; /* NULL: that of this machine */
	int late; /* made after the command's own process has ended */
};

struct expect_errors {
	const char *call; /* of this machine */
	const char *name; /* of the errno */
	long calls; /* that fail so */
};

struct expect_faults {
	const char *class; /* key of probes/faults.def or marks.def, or "unattributed" */
	long min; /* the sample's own pages; start-up and libc may add to it */
	int exact; /* nothing else in the process takes faults of this class */
};

/* Faults on pages in a row at a known place; only what the sample itself provokes. */
struct expect_places {
	const char *phase, *actor, *class; /* keys of phases.def, actors.def, faults.def */
	const char *place; /* key of probes/places.def */
	const char *object; /* "self", "file" or "memfd"; NULL: memory without a file */
	const char *symbol; /* of the program's own variable; NULL: none */
	const char *call; /* system call of a kernel-mode fault */
	long offset; /* of the first page, as places.def counts it, or NOT_KNOWN */
	long count;
};

struct expect_children {
	const char *birth; /* key of probes/births.def */
	long count;
	int status, signal;
};

struct expectation {
	long forks, execs, threads; /* execs: the command's own included */
	int status, signal;
	long unfinished;
	struct expect_calls calls[8];
	struct expect_errors errnos[16]; /* all, of each call that is in it */
	struct expect_faults faults[14];
	struct expect_children children[4];
	struct expect_places places[24];
	const char *const *bound; /* functions that each child is the first to call; NULL: not told */
};

static char sample_text[8192];
static unsigned int sample_length;

static void sample__put(const char *text)
{
	while (*text && sample_length < sizeof(sample_text))
		sample_text[sample_length++] = *text++;
}

/* ,"key":value */
static void sample__put_number(const char *key, long value)
{
	char digits[24];
	char *digit = digits + sizeof(digits) - 1;
	unsigned long rest = value < 0 ? -(unsigned long)value : (unsigned long)value;

	*digit = '\0';
	do {
		*--digit = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (value < 0)
		*--digit = '-';
	sample__put(",\"");
	sample__put(key);
	sample__put("\":");
	sample__put(digit);
}

static void sample__put_calls(const char *key, const struct expect_calls *calls, int late)
{
	const char *comma = "";

	sample__put(",\"");
	sample__put(key);
	sample__put("\":[");
	for (; calls->name; calls++) {
		if (calls->late != late)
			continue;
		sample__put(comma);
		comma = ",";
		sample__put("{\"name\":\"");
		sample__put(calls->name);
		sample__put("\",\"abi\":\"");
		sample__put(calls->abi ? calls->abi : SAMPLE_ABI);
		sample__put("\"");
		sample__put_number("calls", calls->calls);
		if (calls->errors == NOT_KNOWN)
			sample__put(",\"errors\":null");
		else
			sample__put_number("errors", calls->errors);
		sample__put_number("denied", calls->denied);
		sample__put_number("of_root", calls->of_root);
		sample__put("}");
	}
	sample__put("]");
}

static void sample__put_errnos(const struct expect_errors *errors)
{
	const char *comma = "";

	sample__put(",\"errnos\":[");
	for (; errors->call; errors++) {
		sample__put(comma);
		comma = ",";
		sample__put("{\"call\":\"");
		sample__put(errors->call);
		sample__put("\",\"name\":\"");
		sample__put(errors->name);
		sample__put("\"");
		sample__put_number("calls", errors->calls);
		sample__put("}");
	}
	sample__put("]");
}

static void sample__put_faults(const struct expect_faults *faults)
{
	const char *comma = "";

	sample__put(",\"faults\":{");
	for (; faults->class; faults++) {
		sample__put(comma);
		comma = ",";
		sample__put("\"");
		sample__put(faults->class);
		sample__put("\":{\"exact\":");
		sample__put(faults->exact ? "true" : "false");
		sample__put_number("min", faults->min);
		sample__put("}");
	}
	sample__put("}");
}

static void sample__put_children(const struct expect_children *children)
{
	const char *comma = "";

	sample__put(",\"children\":[");
	for (; children->birth; children++) {
		sample__put(comma);
		comma = ",";
		sample__put("{\"birth\":\"");
		sample__put(children->birth);
		sample__put("\"");
		sample__put_number("count", children->count);
		sample__put_number("status", children->status);
		sample__put_number("signal", children->signal);
		sample__put("}");
	}
	sample__put("]");
}

static void sample__put_string(const char *text)
{
	if (!text) {
		sample__put("null");
		return;
	}
	sample__put("\"");
	sample__put(text);
	sample__put("\"");
}

static void sample__put_text(const char *key, const char *text)
{
	sample__put(",\"");
	sample__put(key);
	sample__put("\":");
	sample__put_string(text);
}

static void sample__put_places(const struct expect_places *places)
{
	const char *comma = "";

	sample__put(",\"places\":[");
	for (; places->place; places++) {
		sample__put(comma);
		comma = ",";
		sample__put("{\"place\":");
		sample__put_string(places->place);
		sample__put_text("phase", places->phase);
		sample__put_text("actor", places->actor);
		sample__put_text("class", places->class);
		sample__put_text("object", places->object);
		sample__put_text("symbol", places->symbol);
		sample__put_text("call", places->call);
		if (places->offset == NOT_KNOWN)
			sample__put_text("offset", NULL);
		else
			sample__put_number("offset", places->offset);
		sample__put_number("count", places->count);
		sample__put("}");
	}
	sample__put("]");
}

static void sample__put_bound(const char *const *names)
{
	const char *comma = "";

	sample__put(",\"bound\":[");
	for (; names && *names; names++) {
		sample__put(comma);
		comma = ",";
		sample__put_string(*names);
	}
	sample__put("]");
}

/* Prints the expectation; returns the exit status for main(). */
static inline int sample__expect(const struct expectation *expect)
{
	sample__put("{\"schema\":\"forktax-sample/1\"");
	sample__put_number("processes", 1 + expect->forks);
	sample__put_number("forks", expect->forks);
	sample__put_number("execs", expect->execs);
	sample__put_number("threads", expect->threads);
	sample__put_number("status", expect->status);
	sample__put_number("signal", expect->signal);
	sample__put_number("unfinished", expect->unfinished);
	sample__put_calls("syscalls", expect->calls, 0);
	sample__put_calls("late", expect->calls, 1);
	sample__put_errnos(expect->errnos);
	sample__put_faults(expect->faults);
	sample__put_children(expect->children);
	sample__put_places(expect->places);
	sample__put_bound(expect->bound);
	sample__put("}\n");
	return write(1, sample_text, sample_length) != (ssize_t)sample_length;
}

/* Takes a leading --expect off the arguments; true if there was one. */
static inline int sample__expecting(int *argc, char ***argv)
{
	if (*argc < 2 || strcmp((*argv)[1], "--expect") != 0)
		return 0;
	(*argv)[1] = (*argv)[0];
	(*argc)--;
	(*argv)++;
	return 1;
}

/* True if this is the sample's own second image: `NAME --leaf ...`. */
static inline int sample__is_leaf(int argc, char **argv)
{
	return argc > 1 && strcmp(argv[1], "--leaf") == 0;
}

/* Ends the sample: `message` is one whole line. */
static inline void sample__end(int status, const char *message)
{
	if (write(2, message, strlen(message)) < 0)
		status = 1;
	raw__leave(status);
}

/* The kernel or the privileges here do not allow what this sample is about. */
static inline void sample__skip(const char *message)
{
	sample__end(SAMPLE_SKIPPED, message);
}

static inline void sample__fail(const char *message)
{
	sample__end(1, message);
}

/* When something began, and the CPU time that had been used by then: with -T. */
struct sample_clock {
	long ns, cpu_us;
};

/* By the kernel: some libcs have no vDSO, and all are to agree. Children count once waited for. */
static inline struct sample_clock sample__clock(void)
{
	struct sample_clock clock;
	long now[2] = {0, 0}, usage[18] = {0};

	raw(NR_getrusage, 0, (long)usage, 0);
	clock.cpu_us = (usage[0] + usage[2]) * 1000000 + usage[1] + usage[3];
	raw(NR_getrusage, -1, (long)usage, 0);
	clock.cpu_us += (usage[0] + usage[2]) * 1000000 + usage[1] + usage[3];
	raw(NR_clock_gettime, 1, (long)now, 0);
	clock.ns = now[0] * 1000000000 + now[1];
	return clock;
}

/* Tells on stderr how long the sample's loop took, whatever else runs around it. */
static inline void sample__tell_time(struct sample_clock start)
{
	struct sample_clock end = sample__clock();

	sample__put("{\"schema\":\"forktax-sample-time/1\"");
	sample__put_number("loop_ns", end.ns - start.ns);
	sample__put_number("cpu_ns", (end.cpu_us - start.cpu_us) * 1000);
	sample__put("}\n");
	if (write(2, sample_text, sample_length) < 0)
		raw__leave(1);
}

/* A whole number >= 0 from an option; ends the sample if it is none. */
static inline long sample__number(const char *text)
{
	long value = 0;

	for (; *text; text++) {
		if (*text < '0' || *text > '9' || value > 100000000)
			sample__end(2, "sample: option needs a whole number up to 1000000000\n");
		value = value * 10 + (*text - '0');
	}
	return value;
}

#endif
