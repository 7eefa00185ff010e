// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * LD_PRELOAD: the program that TEST_DEAF names does nothing, as if its events were lost.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static const struct bpf_insn nothing[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
	{ .code = BPF_JMP | BPF_EXIT },
};

static long load_nothing(union bpf_attr *attr, long size)
{
	attr->insns = (uintptr_t)nothing;
	attr->insn_cnt = 2;
	attr->func_info_cnt = attr->line_info_cnt = attr->core_relo_cnt = 0;
	attr->func_info = attr->line_info = attr->core_relos = 0;
	attr->fd_array = 0;
	return ((long (*)(long, ...))dlsym(RTLD_NEXT, "syscall"))(SYS_bpf, BPF_PROG_LOAD, attr, size);
}

long syscall(long number, ...)
{
	const char *deaf = getenv("TEST_DEAF");
	long arguments[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_bpf && arguments[0] == BPF_PROG_LOAD && deaf) {
		union bpf_attr *attr = (union bpf_attr *)arguments[1];

		if (!strncmp(attr->prog_name, deaf, BPF_OBJ_NAME_LEN - 1))
			return load_nothing(attr, arguments[2]);
	}
	return ((long (*)(long, ...))dlsym(RTLD_NEXT, "syscall"))(number, arguments[0], arguments[1], arguments[2],
								  arguments[3], arguments[4], arguments[5]);
}
