// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/diagnose.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/capability.h"
#include "base/memory.h"
#include "base/text.h"
#include "source/ebpf/kernel_types.h"
#include "source/privileges.h"

static char last_warning[512];

static int keep_last(enum libbpf_print_level level, const char *format, va_list arguments)
{
	/* libbpf ends a failure with a summary; the verifier's log before it is for developers. */
	if (level == LIBBPF_WARN && !strstr(format, "BEGIN PROG LOAD LOG"))
		vsnprintf(last_warning, sizeof(last_warning), format, arguments);
	return 0;
}

void diagnose__start(void)
{
	last_warning[0] = '\0';
	if (!getenv("FORKTAX_LIBBPF_LOG")) /* for developers: libbpf prints all */
		libbpf_set_print(keep_last);
}

/* CAP_SYS_ADMIN stands for both. */
static bool has(uint64_t effective, int capability)
{
	return (effective >> capability | effective >> CAP_SYS_ADMIN) & 1;
}

const char *diagnose__missing_privileges(void)
{
	uint64_t effective;
	bool bpf, perfmon;

	if (!capability__effective(&effective))
		return NULL; /* cannot tell: let the kernel decide */
	bpf = has(effective, CAP_BPF);
	perfmon = has(effective, CAP_PERFMON);
	if (bpf && perfmon)
		return NULL;
	return bpf ? "CAP_PERFMON" : perfmon ? "CAP_BPF" : "CAP_BPF and CAP_PERFMON";
}

static const char *known_failure(int err)
{
	switch (-err) {
	case EMFILE:
	case ENFILE:
		return "too few file descriptors to load the tracing programs; raise the limit "
		       "(ulimit -n 256)";
	case ENOMEM:
		return "not enough memory to load the tracing programs; the memory cgroup needs "
		       "about 24 MB free";
	case EFBIG:
		return "the file size limit is too low to load the tracing programs; raise it "
		       "(ulimit -f 1024)";
	case EPERM:
		return "the kernel refuses tracing programs although forktax has the capabilities; "
		       "see forktax doctor (lockdown, seccomp and LSMs can do this)";
	case EACCES:
	case EINVAL:
	case E2BIG:
		return "this kernel's verifier rejects the tracing programs; please report it with "
		       "the output of FORKTAX_LIBBPF_LOG=1 forktax run true";
	default:
		return NULL;
	}
}

char *diagnose__load_failure(int err)
{
	const char *missing = diagnose__missing_privileges(), *known = known_failure(err);
	const char *types = kernel_types__problem();

	if (missing)
		return privileges__lacking(missing);
	if (types)
		return text__of("tracing needs the kernel's type information (BTF): %s", types);
	if (known)
		return checked_strdup(known);
	return text__of("cannot load the tracing programs: %s%s%.*s%s; see forktax doctor",
			strerror(-err), *last_warning ? " (" : "",
			(int)strcspn(last_warning, "\n"), last_warning, *last_warning ? ")" : "");
}
