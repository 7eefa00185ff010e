// SPDX-License-Identifier: GPL-2.0-or-later
/* The excerpt of the kernel's BTF beside the whole, as libbpf reads both. */
#include <bpf/btf.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "source/ebpf/hooks.h"
#include "unit.h"

static struct btf *kernel;
static struct kernel_types types;

static int read_kernel(void **state)
{
	(void)state;
	types = kernel_types__open();
	kernel = btf__load_vmlinux_btf();
	return 0;
}

static int forget_kernel(void **state)
{
	(void)state;
	kernel_types__close(&types);
	btf__free(kernel);
	return 0;
}

static void need_kernel(void)
{
	if (kernel)
		return;
	print_message("this kernel has no BTF\n");
	skip();
}

/* An object that names these structures. */
static struct btf *naming(const char *const *names)
{
	struct btf *btf = btf__new_empty();

	for (; *names; names++)
		assert_true(btf__add_struct(btf, *names, 0) > 0);
	return btf;
}

static struct btf *excerpt_of(const struct btf *wanted)
{
	int fd = memfd_create("excerpt", 0);
	char path[40];
	struct btf *btf;

	assert_int_equal(excerpt__write(&types, wanted, fd), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	btf = btf__parse_raw(path);
	assert_non_null(btf);
	close(fd);
	return btf;
}

static const char *name_of(const struct btf *btf, uint32_t offset)
{
	return btf__name_by_offset(btf, offset);
}

/* Sizes, places and names of members, and what those are that are in place. */
static void same(const struct btf *left, uint32_t left_id, const struct btf *right, uint32_t right_id)
{
	const struct btf_type *one = btf__type_by_id(left, left_id);
	const struct btf_type *other = btf__type_by_id(right, right_id);

	assert_int_equal(btf_kind(one), btf_kind(other));
	assert_string_equal(name_of(left, one->name_off), name_of(right, other->name_off));
	if (btf_is_mod(one) || btf_is_typedef(one) || btf_is_type_tag(one)) {
		same(left, one->type, right, other->type);
	} else if (btf_is_array(one)) {
		assert_int_equal(btf_array(one)->nelems, btf_array(other)->nelems);
		same(left, btf_array(one)->type, right, btf_array(other)->type);
	} else if (btf_is_composite(one)) {
		assert_int_equal(one->size, other->size);
		assert_int_equal(btf_vlen(one), btf_vlen(other));
		for (int i = 0; i < btf_vlen(one); i++) {
			assert_int_equal(btf_member_bit_offset(one, i), btf_member_bit_offset(other, i));
			assert_int_equal(btf_member_bitfield_size(one, i),
					 btf_member_bitfield_size(other, i));
			assert_string_equal(name_of(left, btf_members(one)[i].name_off),
					    name_of(right, btf_members(other)[i].name_off));
			same(left, btf_members(one)[i].type, right, btf_members(other)[i].type);
		}
	} else if (!btf_is_ptr(one)) {
		assert_int_equal(one->size, other->size);
	}
}

static void structures_are_as_in_the_kernel(void **state)
{
	static const char *const names[] = { "task_struct", "vm_area_struct", "inode",
					     "is_in_no_kernel", NULL };
	struct btf *wanted, *excerpt;

	(void)state;
	need_kernel();
	wanted = naming(names);
	excerpt = excerpt_of(wanted);
	for (int i = 0; i < 3; i++) {
		int id = btf__find_by_name_kind(excerpt, names[i], BTF_KIND_STRUCT);

		assert_true(id > 0);
		same(kernel, btf__find_by_name_kind(kernel, names[i], BTF_KIND_STRUCT), excerpt, id);
	}
	assert_true(btf__find_by_name(excerpt, names[3]) < 0);
	assert_true(btf__type_cnt(excerpt) < btf__type_cnt(kernel) / 10);
	btf__free(excerpt);
	btf__free(wanted);
}

static void numbers_are_those_of_the_kernel(void **state)
{
	struct hooks hooks;

	(void)state;
	need_kernel();
	hooks = hooks__find(&types);
	assert_int_equal(hooks__id(&hooks, "tp_btf/sched_process_fork"),
			 btf__find_by_name_kind(kernel, "btf_trace_sched_process_fork",
						BTF_KIND_TYPEDEF));
	assert_int_equal(hooks__id(&hooks, "iter/task"),
			 btf__find_by_name_kind(kernel, "bpf_iter_task", BTF_KIND_FUNC));
	assert_int_equal(hooks.task_type,
			 btf__find_by_name_kind(kernel, "task_struct", BTF_KIND_STRUCT));
	assert_int_equal(hooks.vma_type,
			 btf__find_by_name_kind(kernel, "vm_area_struct", BTF_KIND_STRUCT));
	assert_int_equal(hooks__id(&hooks, "tp_btf/no_such_tracepoint"), 0);
	hooks__free(&hooks);
}

static unsigned int arguments_of(const char *name)
{
	return kernel_types__arguments(&types, btf__find_by_name(kernel, name));
}

static void tracepoints_have_their_arguments(void **state)
{
	(void)state;
	need_kernel();
	assert_int_equal(arguments_of("btf_trace_sys_enter"), 2);
	assert_int_equal(arguments_of("btf_trace_sched_process_exec"), 3);
	assert_int_equal(arguments_of("u64"), 0);
	assert_int_equal(kernel_types__arguments(&types, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(structures_are_as_in_the_kernel),
		cmocka_unit_test(numbers_are_those_of_the_kernel),
		cmocka_unit_test(tracepoints_have_their_arguments),
	};

	return cmocka_run_group_tests(tests, read_kernel, forget_kernel);
}
