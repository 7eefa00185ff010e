// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One run under ptrace, stopped by breakpoints in debug registers, up to main(); then it is killed.
 */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arch.h"
#include "base/text.h"
#include "elf/object.h"
#include "launch/interrupt.h"
#include "measure/startup/startup_parts.h"

enum {
	START_LENGTH = 256, /* bytes of _start, at most; what it calls lies beyond */
	START_STEPS = 64, /* instructions of it, at most */
	LOWEST_CODE = 1 << 16, /* vm.mmap_min_addr */
};

/* In the child. */
static _Noreturn void execute_traced(const struct launch *launch, pid_t parent)
{
	if (!launch__prepare(launch, parent) && ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
		launch__execute(launch);
	_exit(127);
}

struct tracee {
	pid_t pid;
	bool has_ended; /* its pid may have been reused */
	struct interrupt *interrupt;
};

/* Waits for the expected stop; false: it has ended, or stopped for another reason. */
static bool stops(struct tracee *tracee)
{
	int status = 0;

	interrupt__kill_on_signal(tracee->interrupt, tracee->pid);
	while (waitpid(tracee->pid, &status, 0) < 0 && errno == EINTR)
		;
	interrupt__kill_nobody(tracee->interrupt);
	tracee->has_ended = !WIFSTOPPED(status);
	return WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP;
}

static bool run_to(struct tracee *tracee, uint64_t address)
{
	return arch__set_breakpoint(tracee->pid, address) &&
	       ptrace(PTRACE_CONT, tracee->pid, NULL, NULL) == 0 && stops(tracee);
}

/* As /proc shows it. */
union auxiliary_entry {
	Elf64_auxv_t of_64;
	Elf32_auxv_t of_32[2];
};

/* An entry of the auxiliary vector of the image; 0: none. */
static uint64_t auxiliary(pid_t pid, uint64_t type)
{
	char path[64];
	union auxiliary_entry entry;
	uint64_t value = 0;
	bool is_64 = false, is_first = true;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/auxv", (int)pid);
	file = fopen(path, "re");
	while (file && !value && fread(&entry, sizeof(entry), 1, file) == 1) {
		if (is_first) /* else it is type and value of a 32-bit program: none has the value 0 there */
			is_64 = entry.of_64.a_type <= UINT32_MAX;
		is_first = false;
		if (is_64 && entry.of_64.a_type == type)
			value = entry.of_64.a_un.a_val;
		for (int i = 0; !is_64 && i < 2; i++)
			if (entry.of_32[i].a_type == type)
				value = entry.of_32[i].a_un.a_val;
	}
	if (file)
		fclose(file);
	return value;
}

/* May it be code of the same program? Where the libc is not glibc, it may be a number, or a pointer to the stack. */
static bool is_near(uint64_t address, uint64_t entry)
{
	return address >= LOWEST_CODE && address - entry + (1ull << 31) < 1ull << 32;
}

/*
 * glibc's _start passes main as the first argument of the function it calls. Used only if there is no
 * symbol. Other libcs differ: what is found there is not main, and its breakpoint is never hit.
 */
static uint64_t main_of_start(struct tracee *tracee, uint64_t entry)
{
	const pid_t pid = tracee->pid;
	struct arch_registers registers;

	for (int i = 0; i < START_STEPS; i++) {
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) < 0 || !stops(tracee) ||
		    !arch__read_registers(pid, &registers))
			return 0;
		if (registers.ip - entry >= START_LENGTH)
			return is_near(registers.argument, entry) ? registers.argument : 0;
	}
	return 0;
}

static uint64_t find_main(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	GElf_Sym symbol;

	for (size_t i = 0; data && i < count && gelf_getsym(data, i, &symbol); i++) {
		const char *name;

		if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF)
			continue;
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name && !strcmp(name, "main"))
			return symbol.st_value;
	}
	return 0;
}

/* How far behind the entry (before it: modulo 2^64) main is by the symbol table; 0: not there. */
static uint64_t distance_to_main(const char *path)
{
	struct elf_object object;
	Elf_Scn *section = NULL;
	uint64_t address = 0;
	char *reason = NULL;

	if (elf_object__open(&object, path, &reason) != ELF_OPENED) {
		free(reason);
		return 0;
	}
	while (!address && (section = elf_nextscn(object.elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
			address = find_main(object.elf, section, &header);
	}
	/* Relative to the entry, so that it does not matter where the program is loaded. */
	if (address)
		address -= object.header.e_entry;
	elf_object__close(&object);
	return address;
}

static void learn(struct tracee *tracee, const struct startup_command *command, struct startup_marks *marks)
{
	const pid_t pid = tracee->pid;
	uint64_t entry = auxiliary(pid, AT_ENTRY), distance;
	struct arch_registers registers;

	if (!arch__read_registers(pid, &registers))
		return;
	marks->first = registers.ip;
	if (!entry || (entry != registers.ip && !run_to(tracee, entry)))
		return;
	marks->entry = entry != marks->first ? entry : 0;
	distance = distance_to_main(command->path);
	marks->main = distance ? entry + distance : main_of_start(tracee, entry);
	if (!marks->main || !run_to(tracee, marks->main) ||
	    !arch__read_registers(pid, &registers) || registers.ip != marks->main) {
		marks->main = 0;
		return;
	}
	marks->returned = registers.return_address;
}

int startup_marks__learn(const struct startup_command *command, struct interrupt *interrupt,
			 struct startup_marks *marks, char **reason)
{
	const struct launch launch = startup_command__launch(command, interrupt);
	pid_t parent = getpid();
	struct tracee tracee = { .pid = fork(), .interrupt = interrupt };

	*marks = (struct startup_marks){ 0 };
	if (tracee.pid < 0)
		return error__set(reason, "fork: %s", strerror(errno));
	if (tracee.pid == 0)
		execute_traced(&launch, parent);
	if (stops(&tracee))
		learn(&tracee, command, marks);
	if (!tracee.has_ended) {
		kill(tracee.pid, SIGKILL);
		launch__reap(tracee.pid);
	}
	return marks->first ? 0 : error__set(reason, "cannot run the command under ptrace: %s", strerror(EPERM));
}
