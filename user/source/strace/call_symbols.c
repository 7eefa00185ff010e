// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers and symbols: call_words__number(). */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "model/words/x86_arguments.h"
#include "source/strace/call_words.h"
#include "source/strace/log_line.h"

static const struct {
	const char *name;
	uint64_t value;
} symbols[] = {
#define SYMBOL(name) { #name, (uint64_t)(int64_t)(intptr_t)name },
#include "call_symbols.def"
#undef SYMBOL
};

static bool find_symbol(const char *name, size_t length, uint64_t *value)
{
	if (length > 6 && !strncmp(name, "SIGRT_", 6)) {
		*value = FIRST_REAL_TIME + strtoull(name + 6, NULL, 10);
		return true;
	}
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		if (strncmp(symbols[i].name, name, length) != 0 || symbols[i].name[length])
			continue;
		*value = symbols[i].value;
		return true;
	}
	return false;
}

/* What may follow a term: another one, the <path> of -y, a comment, the end. */
static const char *read_term(const char *at, const char *end, uint64_t *value)
{
	const char *word = at;
	char *rest;

	if (at < end && (isdigit((unsigned char)*at) || *at == '-')) {
		errno = 0;
		*value = *at == '-' ? (uint64_t)strtoll(at, &rest, 0) : strtoull(at, &rest, 0);
		return rest == at || rest > end || errno ? NULL : rest;
	}
	while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
		at++;
	return at > word && find_symbol(word, at - word, value) ? at : NULL;
}

bool call_words__number(const char *at, const char *end, uint64_t *number)
{
	*number = 0;
	while (at < end) {
		uint64_t value;

		at = read_term(at, end, &value);
		if (!at)
			return false;
		*number |= value;
		if (at == end || *at == '<' || *at == ' ')
			return true;
		if (*at++ != '|')
			return false;
	}
	return false;
}
