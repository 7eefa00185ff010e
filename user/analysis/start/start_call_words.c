// SPDX-License-Identifier: GPL-2.0-or-later
/* A call with its arguments, in the words of strace as far as call_arguments.def has them. */
#include <fcntl.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/start/start_groups.h"
#include "base/autofree.h"
#include "base/text.h"
#include "model/words/x86_arguments.h"

enum { WHOLE_ARGUMENT = -1, ANY_COMMAND = -1, KERNEL_SIGRTMIN = 32 };

static const struct described_call {
	const char *name;
	int64_t command; /* what the second argument has to be */
	const char *kinds;
} calls[] = {
#define CALL(name, kinds) { #name, ANY_COMMAND, kinds },
#define COMMAND(name, value, kinds) { #name, value, kinds },
#define WHOLE(set, name)
#define PART(set, mask, name)
#define BIT(set, name)
#define BIT_BY(set, name, x86, arm)
#include "analysis/start/call_arguments.def"
#undef CALL
#undef COMMAND
#undef WHOLE
#undef PART
#undef BIT
#undef BIT_BY
};

/* A name of a set: the value is the same on all machines, or not. */
static const struct argument_name {
	const char *set, *name;
	uint32_t mask, on_x86, on_arm; /* mask 0: the bits of the value */
} names[] = {
#define CALL(name, kinds)
#define COMMAND(name, value, kinds)
#define WHOLE(set, name) { #set, #name, (uint32_t)WHOLE_ARGUMENT, (uint32_t)(name), (uint32_t)(name) },
#define PART(set, mask, name) { #set, #name, mask, name, name },
#define BIT(set, name) { #set, #name, 0, name, name },
#define BIT_BY(set, name, x86, arm) { #set, #name, 0, x86, arm },
#include "analysis/start/call_arguments.def"
};

static const char *kinds_of(const struct start_call *call)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(calls[i].name, call->name) &&
		    (calls[i].command == ANY_COMMAND || (uint32_t)call->arguments[1] == (uint32_t)calls[i].command))
			return calls[i].kinds;
	return NULL;
}

/* Zero without a name is a zero; what has none of a set is hexadecimal, but for a descriptor. */
static char *named(const char *set, uint32_t argument, enum abi abi)
{
	const bool is_arm = abi == ABI_AARCH64 || abi == ABI_ARM;
	uint32_t rest = argument;
	char *text = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const uint32_t value = is_arm ? names[i].on_arm : names[i].on_x86;
		const uint32_t mask = names[i].mask ? names[i].mask : value;

		if (strcmp(names[i].set, set) || !mask || (rest & mask) != value)
			continue;
		text__replace(&text, "%s%s%s", text ? text : "", text ? "|" : "", names[i].name);
		rest &= ~mask;
		if (mask == (uint32_t)WHOLE_ARGUMENT)
			break;
	}
	if (!text)
		return !strcmp(set, "dirfd") ? text__of("%" PRId32, argument) :
					       text__of(argument ? "0x%x" : "0", argument);
	if (rest)
		text__replace(&text, "%s|0x%x", text, rest);
	return text;
}

static char *address(uint64_t value)
{
	return value ? text__of("0x%" PRIx64, value) : text__of("NULL");
}

static char *signal_words(uint64_t number)
{
	const char *name = number < NSIG ? sigabbrev_np((int)number) : NULL;

	if (number == SIGIO) /* not SIGPOLL, as the C library calls it */
		return text__of("SIGIO");
	if (name)
		return text__of("SIG%s", name);
	return number > KERNEL_SIGRTMIN ? text__of("SIGRT_%" PRIu64, number - KERNEL_SIGRTMIN) :
	       number ? text__of("SIGRTMIN") : text__of("0");
}

/* NULL: the call does not have it. */
static char *argument_words(const struct start_call *call, const char *kind, int index)
{
	const uint64_t value = call->arguments[index];

	if (!strcmp(kind, "path") && call->path)
		return text__of("\"%s%s\"", call->path, call->path_cut ? "..." : "");
	if (!strcmp(kind, "mode") && !(call->arguments[index - 1] & O_CREAT))
		return NULL;
	if (!call->known[index])
		return text__of("?");
	if (!strcmp(kind, "path") || !strcmp(kind, "address"))
		return address(value);
	if (!strcmp(kind, "int"))
		return text__of("%" PRId32, (int32_t)value);
	if (!strcmp(kind, "long"))
		return text__of("%" PRId64, (int64_t)value);
	if (!strcmp(kind, "number"))
		return text__of("%" PRIu64, value);
	if (!strcmp(kind, "hex"))
		return text__of(value ? "0x%" PRIx64 : "0", value);
	if (!strcmp(kind, "octal") || !strcmp(kind, "mode"))
		return text__of("%#" PRIo64, value);
	if (!strcmp(kind, "signal"))
		return signal_words(value);
	return named(kind, value, call->abi);
}

/* How many arguments other calls have; those that are not here either may have six. */
static const char *const by_arguments[CALL_ARGUMENTS] = {
	" pause sync munlockall restart_syscall ",
	" chdir fchdir unlink rmdir chroot pipe fsync fdatasync times alarm epoll_create epoll_create1 getpgid "
	"getsid setuid setgid time syncfs mlockall ",
	" rename mkdir link symlink chmod fchmod truncate ftruncate listen shutdown nanosleep getrusage "
	"gettimeofday settimeofday setrlimit kill tkill clock_gettime clock_getres creat utime setpgid "
	"setreuid setregid getgroups setgroups flock memfd_create eventfd2 timerfd_create timerfd_gettime "
	"getpriority mlock munlock inotify_rm_watch sched_getparam umount2 ",
	" readv writev dup3 accept bind getdents mincore chown fchown lchown tgkill poll sched_setaffinity "
	"mkdirat unlinkat symlinkat getcpu sendmsg recvmsg setresuid getresuid setresgid getresgid bpf "
	"finit_module close_range msync mknod setpriority sched_setscheduler sched_setattr inotify_add_watch "
	"pidfd_open ",
	" pwrite64 rt_sigtimedwait sendfile socketpair renameat fchmodat utimensat accept4 ppoll "
	"clock_nanosleep epoll_ctl epoll_wait reboot ptrace openat2 pidfd_send_signal signalfd4 "
	"timerfd_settime sched_getattr getxattr ",
	" clone prctl mount waitid preadv pwritev setsockopt getsockopt select execveat linkat renameat2 "
	"fchownat getitimer name_to_handle_at process_mrelease ",
};

static int argument_count(const char *name)
{
	autofree char *word = text__of(" %s ", name);
	int count = 0;

	while (count < CALL_ARGUMENTS && !strstr(by_arguments[count], word))
		count++;
	return count;
}

/* Of their arguments nothing is known: numbers, and the path. */
static char *bare_words(const struct start_call *call)
{
	const int count = argument_count(call->name);
	char *text;

	if (call->path && *call->path)
		return text__of("%s(\"%s%s\")", call->name, call->path, call->path_cut ? "..." : "");
	text = text__of("%s(", call->name);
	for (int i = 0; i < count; i++) {
		const uint64_t value = call->arguments[i];
		autofree char *word = !call->known[i] ? text__of("?") :
						       text__of(value < 0x10000 ? "%" PRIu64 : "0x%" PRIx64, value);

		text__replace(&text, "%s%s%s", text, i ? ", " : "", word);
	}
	text__replace(&text, "%s)", text);
	return text;
}

char *start_call__words(const struct start_call *call)
{
	const char *kinds = kinds_of(call);
	autofree char *list = kinds ? text__of("%s", kinds) : NULL;
	char *rest = list, *kind, *text;

	if (!kinds)
		return bare_words(call);
	text = text__of("%s(", call->name);
	for (int i = 0; (kind = strsep(&rest, " ")); i++) {
		autofree char *word = *kind ? argument_words(call, kind, i) : NULL;

		if (word)
			text__replace(&text, "%s%s%s", text, i ? ", " : "", word);
	}
	text__replace(&text, "%s)", text);
	return text;
}
