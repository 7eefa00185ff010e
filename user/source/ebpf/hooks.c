// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/hooks.h"

#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* `attached`: "tp_btf/", "iter/". There are thousands. */
static void add_hook(struct hooks *hooks, uint32_t id, const char *attached, const char *name)
{
	struct hook *hook;

	if (strlen(attached) + strlen(name) >= sizeof(hook->section))
		return; /* it is none of ours */
	hooks->list = checked_grow(hooks->list, hooks->count, sizeof(*hooks->list));
	hook = &hooks->list[hooks->count++];
	hook->id = id;
	strcpy(stpcpy(hook->section, attached), name);
}

static bool starts(const char **name, const char *prefix)
{
	size_t length = strlen(prefix);

	if (strncmp(*name, prefix, length))
		return false;
	*name += length;
	return true;
}

/* Where variables that each CPU has lie. */
static void find_places(struct hooks *hooks, const struct btf_type *section)
{
	const struct btf_var_secinfo *variables = (const struct btf_var_secinfo *)(section + 1);
	int found = 0;

	for (uint32_t i = 0; i < BTF_INFO_VLEN(section->info); i++) {
		if (variables[i].type == hooks->run_queues) {
			hooks->run_queues_at = variables[i].offset;
			found++;
		} else if (variables[i].type == hooks->preempt_count) {
			hooks->preempt_count_at = variables[i].offset;
			found++;
		}
	}
	hooks->places_known = found == 2;
}

struct search {
	struct hooks *hooks;
	const struct btf_type *variables; /* of each CPU: a section, before or after these */
};

static void note(void *context, uint32_t id, const struct btf_type *type, const char *name)
{
	struct search *search = context;
	struct hooks *hooks = search->hooks;

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_TYPEDEF:
		if (starts(&name, "btf_trace_"))
			add_hook(hooks, id, "tp_btf/", name);
		break;
	case BTF_KIND_FUNC:
		if (!starts(&name, "bpf_")) /* half of all types are functions */
			break;
		if (starts(&name, "iter_"))
			add_hook(hooks, id, "iter/", name);
		else if (!strcmp(name, "rdonly_cast"))
			hooks->cast = id;
		break;
	case BTF_KIND_VAR:
		if (!strcmp(name, "runqueues"))
			hooks->run_queues = id;
		else if (!strcmp(name, "__preempt_count") || !strcmp(name, "pcpu_hot"))
			hooks->preempt_count = id;
		break;
	case BTF_KIND_DATASEC:
		if (!strcmp(name, ".data..percpu"))
			search->variables = type;
		break;
	case BTF_KIND_STRUCT:
		if (!strcmp(name, "task_struct"))
			hooks->task_type = id;
		else if (!strcmp(name, "vm_area_struct"))
			hooks->vma_type = id;
		break;
	}
}

struct hooks hooks__find(const struct kernel_types *types)
{
	struct hooks hooks = {};
	struct search search = { .hooks = &hooks };

	kernel_types__each(types, 1u << BTF_KIND_TYPEDEF | 1u << BTF_KIND_FUNC |
			   1u << BTF_KIND_STRUCT | 1u << BTF_KIND_VAR |
			   1u << BTF_KIND_DATASEC, note, &search);
	if (search.variables)
		find_places(&hooks, search.variables);
	return hooks;
}

void hooks__free(struct hooks *hooks)
{
	free(hooks->list);
	memset(hooks, 0, sizeof(*hooks));
}

uint32_t hooks__id(const struct hooks *hooks, const char *section)
{
	for (size_t i = 0; i < hooks->count; i++)
		if (!strcmp(hooks->list[i].section, section))
			return hooks->list[i].id;
	return 0;
}
