// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of units, and what a watch costs. */
#include "analysis/watch/watch_cost.h"
#include "source/unit_names.h"

#include <stdlib.h>

#include "unit.h"

#define UUID "0a1b2c3d-1111-2222-3333-444455556666"
#define HEX64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const struct {
	const char *path, *name;
} names[] = {
	{ "/", "/" },
	{ "/system.slice/ssh.service", "ssh.service" },
	{ "/system.slice", "system.slice" },
	{ "/init.scope", "init.scope" },
	{ "/system.slice/system-getty.slice/getty@tty1.service", "getty@tty1.service" },
	{ "/system.slice/docker.service/inner", "docker.service" },
	{ "/system.slice/postgresql-15.service", "postgresql-15.service" },
	{ "/system.slice/sshd@7-10.0.0.1:22-10.0.0.2:40000.service", "sshd@.service" },
	{ "/system.slice/run-u123.service", "run.service" },
	{ "/system.slice/run-p4711-i4712.service", "run.service" },
	{ "/system.slice/run-r0123456789abcdef0123456789abcdef.scope", "run.scope" },
	{ "/user.slice/user-1000.slice", "user-1000.slice" },
	{ "/user.slice/user-1000.slice/session-12.scope", "session" },
	{ "/user.slice/user-1000.slice/session-c2.scope", "session" },
	{ "/user.slice/user-1000.slice/user@1000.service", "user@1000.service" },
	{ "/user.slice/user-1000.slice/user@1000.service/init.scope", "user@1000.service/init.scope" },
	{ "/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-firefox-4711.scope",
	  "user@1000.service/app-gnome-firefox.scope" },
	{ "/user.slice/user-1234567.slice", "user-1234567.slice" },
	/* One of many, or of many days. */
	{ "/system.slice/job-" UUID ".service", "job.service" },
	{ "/system.slice/job@" UUID ".service", "job@.service" },
	{ "/system.slice/" UUID ".service", "*.service" },
	{ "/system.slice/a\\x2d0a1b2c3d\\x2d1111\\x2d2222\\x2d3333\\x2d444455556666.service", "a.service" },
	{ "/user.slice/user-1000.slice/user@1000.service/app.slice/snap.firefox.firefox-" UUID ".scope",
	  "user@1000.service/snap.firefox.firefox.scope" },
	{ "/user.slice/user-1000.slice/user@1000.service/app.slice/vte-spawn-" UUID ".scope",
	  "user@1000.service/vte-spawn.scope" },
	{ "/nomad.slice/share.slice/" UUID ".web.scope", "web.scope" },
	{ "/nomad/" UUID "/web", "/nomad/*/web" },
	{ "/system.slice/slurmstepd.scope/job_4711/step_0/user/task_0", "slurmstepd.scope" },
	{ "/slurm/uid_1000/job_4711/step_0/task_12", "/slurm/uid_1000/job/step/task" },
	{ "/system.slice/backup-20261129T0900.service", "backup.service" },
	{ "/system.slice/backup-2026-11-29.service", "backup.service" },
	{ "/system.slice/backup-2026-11-29T09:00:07Z-full.service", "backup-full.service" },
	{ "/system.slice/backup-20261129_090007.service", "backup.service" },
	{ "/system.slice/build-1795658400.service", "build.service" },
	{ "/system.slice/job-17.service", "job.service" },
	{ "/batch/17/x", "/batch/*/x" },
	/* A version, a port, a year are part of a name. */
	{ "/system.slice/redis-6379.service", "redis-6379.service" },
	{ "/system.slice/minecraft-25565.service", "minecraft-25565.service" },
	{ "/system.slice/report-2026.service", "report-2026.service" },
	{ "/system.slice/python3.11-worker_2.service", "python3.11-worker_2.service" },
	/* Containers. */
	{ "/system.slice/docker-" HEX64 ".scope", "docker-0123456789ab" },
	{ "/docker/" HEX64, "docker-0123456789ab" },
	{ "/docker/" HEX64 "/system.slice/nginx.service", "docker-0123456789ab/nginx.service" },
	{ "/docker/buildkit/" HEX64, "/docker/buildkit/*" },
	{ "/machine.slice/libpod-" HEX64 ".scope", "libpod-0123456789ab" },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" HEX64 ".scope/container",
	  "user@1000.service/libpod-0123456789ab" },
	{ "/system.slice/nerdctl-" HEX64 ".scope", "nerdctl-0123456789ab" },
	{ "/machine.slice/systemd-nspawn@web.service/payload/system.slice/nginx.service",
	  "systemd-nspawn@web.service/nginx.service" },
	{ "/lxc.payload.web/system.slice/nginx.service", "lxc.payload.web/nginx.service" },
	{ "/lxc.payload.web", "lxc.payload.web" },
	{ "/machine.slice/libpod-conmon-" HEX64 ".scope", "libpod-conmon" },
	{ "/machine.slice/libpod-" HEX64 ".scope/container", "libpod-0123456789ab" },
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0a1b2c3d_1111_2222_3333_444455556666.slice/"
	  "cri-containerd-" HEX64 ".scope", "pod-" UUID },
	{ "/kubepods.slice/kubepods-pod0a1b2c3d_1111_2222_3333_444455556666.slice/crio-" HEX64 ".scope", "pod-" UUID },
	{ "/kubepods/besteffort/pod0a1b2c3d-1111-2222-3333-444455556666/" HEX64, "pod-" UUID },
	{ "/kubepods.slice/kubepods-pod0123456789abcdef0123456789abcdef.slice/crio-" HEX64 ".scope",
	  "pod-0123456789abcdef0123456789abcdef" },
	{ "/kubepods.slice/kubepods-besteffort.slice", "kubepods-besteffort" },
	{ "/system.slice/containerd.service/kubepods-burstable-pod0a.slice:cri-containerd:" HEX64, "kubepods-burstable" },
	{ "/jobs/build", "/jobs/build" },
	{ "/jobs/45988e73be5fc23cfe588158c4e4b59f", "/jobs/*" },
	{ "/jobs/0a1b2c3d-1111-2222-3333-444455556666/x", "/jobs/*/x" },
	{ "/faded-facade-decade", "/faded-facade-decade" },
	{ "//jobs//build/", "/jobs/build" },
	{ "/x.service-not", "/x.service-not" },
	{ "/.service", "/.service" },
};

static void test_names(void **state)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *name = unit_name__of(names[i].path);

		assert_string_equal(name, names[i].name);
		free(name);
	}
}

/* Nanoseconds of a call, a fault, a fork, and what a write adds to a fault. */
static const struct watch_costs costs[WATCH_MEETINGS] = {
	[WATCH_COUNTED] = { 1000, 5000, 10000, 300 },
	[WATCH_PASSED] = { 100, 200, 1000, 0 },
};

static void test_cost(void **state)
{
	struct watch_unit old = { .calls = 100, .faults = 10, .forks = 1 };
	struct watch_unit new = { .calls = 1100, .faults = 510, .forks = 101 };
	struct watch_sample before = { .units = &old, .unit_count = 1 }, now = { .units = &new, .unit_count = 1 };

	assert_float_equal(watch_cost__seconds(costs, &before, &now), 0.001 + 0.0025 + 0.001, 1e-9);
	assert_float_equal(watch_cost__seconds(costs, NULL, &before), 0.0001 + 0.00005 + 0.00001, 1e-9);
	/* A unit was forgotten: nothing is given back. */
	assert_float_equal(watch_cost__seconds(costs, &now, &before), 0, 0);
}

/* Events of who is not watched cost less. */
static void test_cost_of_meetings(void **state)
{
	struct watch_sample before = { .passed = { 5, 6, 7 } }, now = { .passed = { 1005, 106, 17 } };

	assert_float_equal(watch_cost__seconds(costs, &before, &now), 0.0001 + 0.00002 + 0.00001, 1e-9);
}

/* A copy costs more than another fault. */
static void test_cost_of_copies(void **state)
{
	struct watch_unit old = { 0 }, new = { .faults = 100 };
	struct watch_sample before = { .units = &old, .unit_count = 1 }, now = { .units = &new, .unit_count = 1 };

	new.by_birth[BIRTH_FORK][FAULT_COW_COPY] = 40;
	new.by_birth[BIRTH_FORK][FAULT_COW_REUSE] = 10;
	new.by_birth[BIRTH_FORK][FAULT_ZERO_FILL] = 50;
	assert_float_equal(watch_cost__seconds(costs, &before, &now), 0.0005 + 0.000015, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_cost),
		cmocka_unit_test(test_cost_of_meetings),
		cmocka_unit_test(test_cost_of_copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
