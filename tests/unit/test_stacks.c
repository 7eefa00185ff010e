// SPDX-License-Identifier: GPL-2.0-or-later
/* Call stacks: code before addresses to return to, merging, and maps of code of no file. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "elf_tools.h"

#include "base/text.h"
#include "elf/elf_machine.h"
#include "model/rows/fields.h"
#include "model/stacks/stacks.h"
#include "resolve/names/stack_names.h"
#include "source/ebpf/stacks/perf_map.h"

/* A file that consists of these bytes, 8 others before them, as code of that machine. */
static bool follows_call(const char *bytes, size_t size, int machine)
{
	char path[] = "/tmp/forktax-code-XXXXXX";
	struct elf_object object = { .fd = mkstemp(path), .header.e_machine = machine };
	bool result;

	assert_true(object.fd >= 0);
	assert_int_equal(write(object.fd, "\x90\x90\x90\x90\x90\x90\x90\x90", 8), 8);
	assert_int_equal(write(object.fd, bytes, size), size);
	fstat(object.fd, &object.stat);
	result = elf_code__follows_call(&object, 8 + size);
	close(object.fd);
	unlink(path);
	return result;
}

#define CODE(bytes) bytes, sizeof(bytes) - 1, EM_X86_64

static void calls_are_recognised(void **state)
{
	assert_true(follows_call(CODE("\xe8\x01\x02\x03\x04"))); /* call 0x4030201 */
	assert_true(follows_call(CODE("\xff\xd0"))); /* call *%rax */
	assert_true(follows_call(CODE("\x41\xff\xd4"))); /* call *%r12 */
	assert_true(follows_call(CODE("\xff\x10"))); /* call *(%rax) */
	assert_true(follows_call(CODE("\xff\x53\x18"))); /* call *0x18(%rbx) */
	assert_true(follows_call(CODE("\xff\x14\xc2"))); /* call *(%rdx,%rax,8) */
	assert_true(follows_call(CODE("\xff\x54\x24\x08"))); /* call *8(%rsp) */
	assert_true(follows_call(CODE("\xff\x15\x01\x02\x03\x04"))); /* call *0x4030201(%rip) */
	assert_true(follows_call(CODE("\xff\x90\x01\x02\x03\x04"))); /* call *0x4030201(%rax) */
	assert_true(follows_call(CODE("\xff\x94\xc2\x01\x02\x03\x04"))); /* call *0x4030201(%rdx,%rax,8) */
}

#define CODE_ARM64(bytes) bytes, sizeof(bytes) - 1, EM_AARCH64

static void calls_of_arm64_are_recognised(void **state)
{
	assert_true(follows_call(CODE_ARM64("\x01\x02\x00\x94"))); /* bl */
	assert_true(follows_call(CODE_ARM64("\xff\xff\xff\x97"))); /* bl backwards */
	assert_true(follows_call(CODE_ARM64("\x20\x02\x3f\xd6"))); /* blr x17 */
	assert_true(follows_call(CODE_ARM64("\x1f\x08\x3f\xd6"))); /* blraaz x0 */
	assert_true(follows_call(CODE_ARM64("\x3f\x0c\x3f\xd6"))); /* blrabz x1 */
	assert_true(follows_call(CODE_ARM64("\x01\x08\x3f\xd7"))); /* blraa x0, x1 */
	assert_false(follows_call(CODE_ARM64("\x01\x02\x00\x14"))); /* b */
	assert_false(follows_call(CODE_ARM64("\x20\x02\x1f\xd6"))); /* br x17 */
	assert_false(follows_call(CODE_ARM64("\xc0\x03\x5f\xd6"))); /* ret */
	assert_false(follows_call(CODE_ARM64("\x1f\x20\x03\xd5"))); /* nop */
	assert_false(follows_call(CODE_ARM64("\x01\x02\x00\x94\x1f\x20\x03\xd5"))); /* behind a call */
}

static void other_instructions_are_not(void **state)
{
	assert_false(follows_call(CODE("\x90\x90\x90")));
	assert_false(follows_call(CODE("\xe9\x01\x02\x03\x04"))); /* jmp */
	assert_false(follows_call(CODE("\xe8\x01\x02\x03\x04\x90"))); /* one byte behind a call */
	assert_false(follows_call(CODE("\xff\xe0"))); /* jmp *%rax */
	assert_false(follows_call(CODE("\xff\x30"))); /* push (%rax) */
	assert_false(follows_call(CODE("\xff\x50"))); /* call *disp8(%rax) lacks its last byte */
	assert_false(follows_call(CODE("\xff\x25\x01\x02\x03\x04"))); /* jmp *0x4030201(%rip) */
}

static void what_cannot_be_told_is_believed(void **state)
{
	assert_true(follows_call("\x90\x90\x90\x90", 4, EM_RISCV));
}

static struct perf_map map_of(const char *text)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], text, strlen(text)), strlen(text));
	close(ends[1]);
	return perf_map__parse(ends[0], &(struct untrusted_budget){});
}

static const char *name_at(const struct perf_map *map, uint64_t address)
{
	const struct perf_map_entry *entry = perf_map__find(map, address);

	return entry ? entry->name : "";
}

static void maps_of_code_are_read(void **state)
{
	struct perf_map map = map_of("2000 10 second\n1000 20 first one\n1000 8 first again\n");

	assert_int_equal(map.count, 3);
	assert_string_equal(name_at(&map, 0xfff), "");
	assert_string_equal(name_at(&map, 0x1000), "first again"); /* written last */
	assert_string_equal(name_at(&map, 0x1008), "first one");
	assert_string_equal(name_at(&map, 0x101f), "first one");
	assert_string_equal(name_at(&map, 0x1020), "");
	assert_string_equal(name_at(&map, 0x200f), "second");
	assert_string_equal(name_at(&map, 0x2010), "");
	perf_map__release(&map);
}

static void hostile_lines_are_left_out(void **state)
{
	struct perf_map map = map_of("no map\n1000\n1000 10\n1000 10 \n1000 0 empty\n"
				     "ffffffffffffffff 2 round the end\n1000 10 good\nzz 10 word\n3000 10 last");

	assert_int_equal(map.count, 2);
	assert_string_equal(name_at(&map, 0x1001), "good");
	assert_string_equal(name_at(&map, 0x3001), "last");
	perf_map__release(&map);
}

/* A FIFO, a link and somebody else's file in /tmp. */
static void maps_of_others_are_not_read(void **state)
{
	pid_t child = fork();
	struct perf_map map;
	char *path;

	if (!child) {
		pause();
		_exit(0);
	}
	path = text__of("/tmp/perf-%d.map", child);
	assert_int_equal(mkfifo(path, 0600), 0);
	map = perf_map__read(child, &(struct untrusted_budget){}); /* and does not wait */
	assert_int_equal(map.count, 0);
	unlink(path);
	assert_int_equal(symlink("/proc/self/maps", path), 0);
	map = perf_map__read(child, &(struct untrusted_budget){});
	assert_int_equal(map.count, 0);
	unlink(path);
	if (!geteuid()) {
		FILE *file = fopen(path, "w");

		fputs("1000 10 mine\n", file);
		fclose(file);
		map = perf_map__read(child, &(struct untrusted_budget){});
		assert_int_equal(map.count, 1);
		perf_map__release(&map);
		assert_int_equal(chown(path, 12345, 12345), 0);
		map = perf_map__read(child, &(struct untrusted_budget){});
		assert_int_equal(map.count, 0);
		unlink(path);
	}
	free(path);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static uint32_t *numbers(uint32_t first, uint32_t second)
{
	uint32_t *list = calloc(2, sizeof(*list));

	list[0] = first;
	list[1] = second;
	return list;
}

/* Stacks 0 and 2 are alike; frame 1 belongs to none. */
static void equal_stacks_become_one(void **state)
{
	struct stacks *stacks = calloc(1, sizeof(*stacks));

	stacks->frames = calloc(4, sizeof(*stacks->frames));
	stacks->frame_count = 4;
	for (int i = 0; i < 4; i++)
		stacks->frames[i].place.symbol = text__of("f%d", i);
	stacks->list = calloc(3, sizeof(*stacks->list));
	stacks->count = 3;
	stacks->list[0] = (struct call_stack){ numbers(0, 2), 2, 2, STOP_ASTRAY, UINT32_MAX };
	stacks->list[1] = (struct call_stack){ numbers(0, 3), 2, 2, STOP_ASTRAY, UINT32_MAX };
	stacks->list[2] = (struct call_stack){ numbers(0, 2), 2, 2, STOP_ASTRAY, UINT32_MAX };
	stacks->shares = calloc(4, sizeof(*stacks->shares));
	stacks->share_count = 4;
	stacks->shares[0] = (struct stack_share){ 0, 0, 5, 4, 40 };
	stacks->shares[1] = (struct stack_share){ 0, 1, 1, 0, 0 };
	stacks->shares[2] = (struct stack_share){ 0, 2, 7, 6, 60 };
	stacks->shares[3] = (struct stack_share){ 1, 2, 3, 3, 30 };
	stacks->calls = calloc(3, sizeof(*stacks->calls));
	stacks->call_count = 3;
	stacks->calls[0] = (struct stack_call){ text__of("read"), 0, 0, 4 };
	stacks->calls[1] = (struct stack_call){ text__of("read"), 0, 2, 5 };
	stacks->calls[2] = (struct stack_call){ text__of("read"), 0, NO_STACK, 20 };
	stacks__merge(stacks);
	assert_int_equal(stacks->call_count, 2);
	assert_int_equal(stacks->calls[0].stack, NO_STACK);
	assert_int_equal(stacks->calls[1].calls, 9);
	assert_string_equal(stacks->frames[stacks->list[stacks->calls[1].stack].frames[1]].place.symbol, "f2");
	assert_int_equal(stacks->count, 2);
	assert_int_equal(stacks->frame_count, 3);
	assert_int_equal(stacks->share_count, 3);
	assert_string_equal(stacks->frames[1].place.symbol, "f2");
	for (size_t i = 0; i < stacks->share_count; i++) {
		const struct stack_share *share = &stacks->shares[i];
		const struct call_stack *stack = &stacks->list[share->stack];
		const char *outer = stacks->frames[stack->frames[1]].place.symbol;

		assert_string_equal(outer, share->faults == 1 ? "f3" : "f2");
		if (!share->row && share->faults != 1) {
			assert_int_equal(share->faults, 12);
			assert_int_equal(share->timed, 10);
			assert_int_equal(share->ns, 100);
		}
	}
	shape__free(&stacks_shape, stacks);
}

/* One frame less, another end, less that is proven, another program: not the same. */
static void unequal_stacks_stay(void **state)
{
	struct stacks *stacks = calloc(1, sizeof(*stacks));

	stacks->frames = calloc(2, sizeof(*stacks->frames));
	stacks->frame_count = 2;
	stacks->list = calloc(4, sizeof(*stacks->list));
	stacks->count = 4;
	stacks->list[0] = (struct call_stack){ numbers(0, 1), 2, 2, STOP_ASTRAY, UINT32_MAX };
	stacks->list[1] = (struct call_stack){ numbers(0, 1), 2, 2, STOP_WHOLE, UINT32_MAX };
	stacks->list[2] = (struct call_stack){ numbers(0, 1), 2, 1, STOP_ASTRAY, UINT32_MAX };
	stacks->list[3] = (struct call_stack){ numbers(0, 1), 1, 1, STOP_ASTRAY, UINT32_MAX };
	stacks->shares = calloc(1, sizeof(*stacks->shares));
	stacks->calls = calloc(2, sizeof(*stacks->calls));
	stacks->call_count = 2;
	stacks->calls[0] = (struct stack_call){ text__of("read"), 0, 0, 4 };
	stacks->calls[1] = (struct stack_call){ text__of("read"), 1, 0, 4 };
	stacks__merge(stacks);
	assert_int_equal(stacks->count, 4);
	assert_int_equal(stacks->list[0].frame_count, 1);
	assert_int_equal(stacks->call_count, 2);
	shape__free(&stacks_shape, stacks);
}

/* Faults without a time are taken for as long as the others: of the stack, or else of the row. */
static void times_of_stacks(void **state)
{
	const struct anatomy_row row = { .faults = 10, .timed = 5, .ns = 500 }, untimed = { 0 };
	const struct stack_share some = { .faults = 4, .timed = 2, .ns = 60 }, none = { .faults = 4 };

	assert_true(stack_share__ns(&some, &row) == 120);
	assert_true(stack_share__ns(&none, &row) == 400);
	assert_true(stack_share__ns(&none, &untimed) == 0);
}

/* Functions with every kind of frame, each of which calls, and what it would return to. */
static const char functions[] =
	"#ifdef NO_EH_FRAME\n__asm__(\".cfi_sections .debug_frame\");\n#endif\n"
	"#define FUNCTION(name, cfi, body, end) __asm__(\".globl \" #name \"\\n.type \" #name \", @function\\n\" \\\n"
	"	#name \":\\n\" cfi \"nop\\ncall *%rax\\n.globl in_\" #name \"\\nin_\" #name \":\\n\" body end \\\n"
	"	\".size \" #name \", . - \" #name \"\\n\");\n"
	"#define START \".cfi_startproc\\n\"\n"
	"#define END \".cfi_endproc\\n\"\n"
	"FUNCTION(by_pointer, START \".cfi_def_cfa 6, 16\\n\", \"nop\\nret\\n\", END)\n"
	"FUNCTION(on_top, START, \"nop\\nret\\n\", END)\n"
	"FUNCTION(moved, START \".cfi_def_cfa 7, 24\\n\", \"nop\\nret\\n\", END)\n"
	"FUNCTION(bent, START \".cfi_def_cfa 6, 24\\n\", \"nop\\nret\\n\", END)\n"
	"FUNCTION(outermost, START \".cfi_def_cfa 6, 16\\n.cfi_undefined 16\\n\", \"nop\\nret\\n\", END)\n"
	"FUNCTION(untold, \"\", \"nop\\nret\\n\", \"\")\n"
	"FUNCTION(start_thread, \"\", \"nop\\nret\\n\", \"\")\n"
	/* Its call is the last thing it does: what follows is another function. */
	"FUNCTION(ending, START \".cfi_def_cfa 6, 16\\n\", \"\", END)\n"
	"FUNCTION(after, START \".cfi_undefined 16\\n\", \"nop\\nret\\n\", END)\n";

struct code {
	const char *function; /* NULL: none */
	/* At its begin; behind its call; or a byte further, where no call is before. */
	enum { LEAF, CALLER, ASTRAY } where;
};

struct believed {
	struct code frames[4]; /* the innermost first */
	struct code top; /* of the stack */
	enum stack_stop stop;
	/* Expected. */
	size_t count, proven;
	enum stack_stop end;
};

static uint64_t offset_of(void *library, struct code code)
{
	char *name = text__of("%s%s", code.where == LEAF ? "" : "in_", code.function);
	void *symbol = dlsym(library, name);
	Dl_info info;

	assert_non_null(symbol);
	assert_true(dladdr(symbol, &info));
	free(name);
	return (uint64_t)((char *)symbol - (char *)info.dli_fbase) + (code.where == ASTRAY);
}

static struct stacks *resolve(void *library, const char *path, const struct believed *believed, bool changed)
{
	struct stacks *stacks = calloc(1, sizeof(*stacks));
	const struct object object = { .path = (char *)path, .changed = changed };
	struct call_stack *stack;

	stacks->frames = calloc(5, sizeof(*stacks->frames));
	stacks->list = stack = calloc(1, sizeof(*stacks->list));
	stacks->count = 1;
	*stack = (struct call_stack){ .frames = calloc(4, sizeof(*stack->frames)), .stop = believed->stop,
				      .top = UINT32_MAX };
	for (int i = 0; i < 5; i++) {
		const struct code code = i < 4 ? believed->frames[i] : believed->top;

		if (!code.function)
			continue;
		stacks->frames[stacks->frame_count].place = (struct place){
			.kind = PLACE_FILE, .offset = offset_of(library, code),
		};
		if (i < 4)
			stack->frames[stack->frame_count++] = stacks->frame_count;
		else
			stack->top = stacks->frame_count;
		stacks->frame_count++;
	}
	stacks__resolve(stacks, &object, 1);
	return stacks;
}

static void are_believed(const struct believed *cases, size_t count, const char *compiler)
{
	char *path = path_of("functions.so");
	struct stacks *stacks;
	void *library;

	if (!build_source("functions.so", compiler, functions))
		skip();
	elf_files__forget(); /* it may have been another one */
	library = dlopen(path, RTLD_NOW);
	assert_non_null(library);
	for (size_t i = 0; i < count; i++) {
		stacks = resolve(library, path, &cases[i], false);
		if (stacks->list[0].frame_count != cases[i].count || stacks->list[0].proven != cases[i].proven ||
		    stacks->list[0].stop != cases[i].end)
			fail_msg("case %zu: %zu frames, %d proven, %s", i, stacks->list[0].frame_count,
				 (int)stacks->list[0].proven, stack_stop_keys[stacks->list[0].stop]);
		if (i + 1 == count) {
			const struct place *place = &stacks->frames[stacks->list[0].frames[1]].place;

			assert_string_equal(place->symbol, "ending");
			assert_int_equal(place->symbol_offset, 3); /* behind nop and call */
		}
		shape__free(&stacks_shape, stacks);
	}
	stacks = resolve(library, path, &cases[0], true); /* it is not the file that ran */
	assert_null(stacks->frames[0].place.symbol);
	assert_int_equal(stacks->list[0].proven, 1);
	shape__free(&stacks_shape, stacks);
	dlclose(library);
}

/* How far each chain of frames can be believed, and how much of that is proven. */
static void chains_are_believed_as_far_as_files_say(void **state)
{
	static const struct believed cases[] = {
		{ { { "by_pointer", LEAF }, { "by_pointer", CALLER }, { "by_pointer", CALLER } }, { NULL, 0 }, STOP_CUT, 3, 3, STOP_CUT },
		{ { { "on_top", LEAF }, { "by_pointer", CALLER } }, { "by_pointer", CALLER }, STOP_CUT, 3, 3, STOP_CUT },
		{ { { "on_top", LEAF }, { "by_pointer", CALLER } }, { "by_pointer", ASTRAY }, STOP_CUT, 1, 1, STOP_ASTRAY },
		{ { { "on_top", LEAF }, { "by_pointer", CALLER } }, { NULL, 0 }, STOP_CUT, 1, 1, STOP_ASTRAY },
		{ { { "moved", LEAF }, { "by_pointer", CALLER } }, { "by_pointer", CALLER }, STOP_CUT, 1, 1, STOP_ASTRAY },
		{ { { "bent", LEAF }, { "by_pointer", CALLER } }, { "by_pointer", CALLER }, STOP_CUT, 1, 1, STOP_ASTRAY },
		{ { { "untold", LEAF }, { "by_pointer", CALLER } }, { NULL, 0 }, STOP_CUT, 2, 1, STOP_CUT },
		{ { { "by_pointer", LEAF }, { "untold", CALLER }, { "by_pointer", CALLER } }, { NULL, 0 }, STOP_CUT, 3, 2, STOP_CUT },
		{ { { "by_pointer", LEAF }, { "by_pointer", ASTRAY }, { "by_pointer", CALLER } }, { NULL, 0 }, STOP_CUT, 1, 1,
		  STOP_ASTRAY },
		{ { { "by_pointer", LEAF }, { "outermost", CALLER }, { "by_pointer", CALLER } }, { NULL, 0 }, STOP_CUT, 2, 2, STOP_WHOLE },
		{ { { "by_pointer", LEAF }, { "untold", CALLER } }, { NULL, 0 }, STOP_WHOLE, 2, 2, STOP_ASTRAY },
		{ { { "by_pointer", LEAF }, { "start_thread", CALLER } }, { NULL, 0 }, STOP_ASTRAY, 2, 2, STOP_WHOLE },
		{ { { "by_pointer", LEAF }, { "ending", CALLER }, { "by_pointer", CALLER } }, { NULL, 0 }, STOP_CUT, 3, 3, STOP_CUT },
	};
	const size_t count = sizeof(cases) / sizeof(cases[0]);

	are_believed(cases, count, "gcc -shared -nostdlib");
	are_believed(cases, count, "gcc -shared -nostdlib -DNO_EH_FRAME"); /* as those of Go */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_recognised),
		cmocka_unit_test(calls_of_arm64_are_recognised),
		cmocka_unit_test(other_instructions_are_not),
		cmocka_unit_test(what_cannot_be_told_is_believed),
		cmocka_unit_test(maps_of_code_are_read),
		cmocka_unit_test(hostile_lines_are_left_out),
		cmocka_unit_test(maps_of_others_are_not_read),
		cmocka_unit_test(equal_stacks_become_one),
		cmocka_unit_test(unequal_stacks_stay),
		cmocka_unit_test(times_of_stacks),
		cmocka_unit_test(chains_are_believed_as_far_as_files_say),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_files);
}
