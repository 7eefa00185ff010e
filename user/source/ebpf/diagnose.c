// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/diagnose.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BTF_FILE "/sys/kernel/btf/vmlinux"

static char last_words[512];

static int keep_last(enum libbpf_print_level level, const char *format, va_list arguments)
{
	/* libbpf ends a failure with a summary; the verifier's log before it is not for people. */
	if (level == LIBBPF_WARN && !strstr(format, "BEGIN PROG LOAD LOG"))
		vsnprintf(last_words, sizeof(last_words), format, arguments);
	return 0;
}

void diagnose__start(void)
{
	last_words[0] = '\0';
	if (getenv("FORKTAX_LIBBPF_LOG"))
		return; /* for developers: leave libbpf its voice */
	libbpf_set_print(keep_last);
}

static bool has(const struct __user_cap_data_struct *data, int capability)
{
	return data[capability / 32].effective & (1u << capability % 32);
}

bool diagnose__has_capabilities(const char **missing)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};
	bool bpf, perfmon;

	if (syscall(SYS_capget, &header, data))
		return true; /* cannot tell: let the kernel decide */
	bpf = has(data, CAP_BPF) || has(data, CAP_SYS_ADMIN);
	perfmon = has(data, CAP_PERFMON) || has(data, CAP_SYS_ADMIN);
	*missing = bpf ? "CAP_PERFMON" : perfmon ? "CAP_BPF" : "CAP_BPF and CAP_PERFMON";
	return bpf && perfmon;
}

static char *say(const char *what, const char *next)
{
	char *text;

	return asprintf(&text, "%s; %s", what, next) < 0 ? NULL : text;
}

char *diagnose__load_failure(int err)
{
	const char *missing;
	char *reason, *text;

	if (!diagnose__has_capabilities(&missing)) {
		if (asprintf(&reason, "tracing needs %s", missing) < 0)
			return NULL;
		text = say(reason, "run forktax as root (sudo), or give it "
				   "cap_bpf,cap_perfmon with setcap");
		free(reason);
		return text;
	}
	if (access(BTF_FILE, R_OK))
		return say("the kernel's type information, " BTF_FILE ", cannot be read",
			   "a kernel with CONFIG_DEBUG_INFO_BTF and a mounted /sys are needed");
	if (err == -EMFILE || err == -ENFILE)
		return say("too few file descriptors to load the tracing programs",
			   "raise the limit (ulimit -n 256)");
	if (err == -ENOMEM)
		return say("not enough memory to load the tracing programs",
			   "the memory cgroup needs about 24 MB free");
	if (err == -EPERM)
		return say("the kernel refuses tracing programs although the capabilities are there",
			   "see forktax doctor (lockdown, seccomp and LSMs can do this)");
	if (err == -EACCES || err == -EINVAL || err == -E2BIG)
		return say("this kernel's verifier rejects the tracing programs",
			   "please report it with the output of FORKTAX_LIBBPF_LOG=1 forktax run true");
	if (asprintf(&text, "the tracing programs could not be loaded: %s (%.*s); see forktax doctor",
		     strerror(-err), (int)strcspn(last_words, "\n"), last_words) < 0)
		return NULL;
	return text;
}
