/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One line of a log of strace: what stands before the event (pid, time), and which event it is.
 * The formats are those of strace 4.5 (2006) to 7.2, from its manual and its output.
 */
#ifndef FORKTAX_SOURCE_STRACE_LOG_LINE_H
#define FORKTAX_SOURCE_STRACE_LOG_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum line_kind {
	LINE_OTHER, /* not understood */
	LINE_NOTHING, /* says nothing that is counted: a frame of a stack (-k), a message */
	LINE_SIGNAL, /* one arrives, or stops the thread: so the call before has ended */
	LINE_CALL, /* `text` begins with its name */
	LINE_RESUMED, /* `name` is that of the call; `text` goes on with its arguments */
	LINE_EXITED, /* `value`: exit status */
	LINE_KILLED, /* `value`: signal; 0: unknown to this system */
	LINE_SUPERSEDED, /* by an execve of thread `value` */
	LINE_ATTACHED, /* to process `value` */
	LINE_DETACHED, /* from process `value` */
	LINE_MODE, /* process `value` (0: the line's own) runs by calling convention `abi` */
};

enum line_clock {
	CLOCK_NONE,
	CLOCK_EPOCH,   /* -ttt: since the epoch */
	CLOCK_DAY,     /* -tt: since midnight */
	CLOCK_SECONDS, /* -t: since midnight, in whole seconds */
	CLOCK_STEP,    /* -r: since the line before */
};

enum { FIRST_REAL_TIME = 32 }; /* SIGRT_0: as the kernel counts, not libc */

struct log_line {
	enum line_kind kind;
	int32_t tid; /* 0: not given */
	bool bracketed; /* "[pid 12]": other lines may have none, of the process that was alone then */
	enum line_clock clock;
	uint64_t time_ns;
	int32_t value;
	int abi;
	/* The text within the line that was read. */
	const char *text;
	size_t length;
	const char *name;
	size_t name_length;
	/*
	 * A message of strace in the middle of a line on stderr: `text` ends before it. It begins
	 * here, NULL: there is none.
	 */
	const char *message;
};

static inline bool log_line__is_execve(const struct log_line *line)
{
	return (line->kind == LINE_CALL || line->kind == LINE_RESUMED) && line->name_length >= 6 &&
	       !strncmp(line->name, "execve", 6);
}

/* Of a call at whose begin the thread was killed: strace could not read which ("???", until 6.0 "????"). */
static inline bool log_line__is_nameless(const struct log_line *line)
{
	return (line->kind == LINE_CALL || line->kind == LINE_RESUMED) && *line->name == '?';
}

/* Of a thread. */
static inline bool log_line__is_end(const struct log_line *line)
{
	return line->kind == LINE_EXITED || line->kind == LINE_KILLED || line->kind == LINE_SUPERSEDED;
}

/*
 * Takes out what --color (7.0) has put into a line, and returns its new length. strace itself writes
 * no other escape sequences: those in strings are escaped.
 */
size_t log_line__uncolour(char *line, size_t length);

/* `line` ends with a NUL instead of its newline, and has no other NUL. */
void log_line__read(struct log_line *read, const char *line, size_t length);

#endif
