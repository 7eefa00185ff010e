# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Builds a preset of CMakePresets.json; quiet unless that fails. To be sourced.

build__step()
{
	local log=$1
	shift
	if ! "$@" >>"$log" 2>&1; then
		tail -n 40 "$log" >&2
		echo "failed: $* (the whole output: $log)" >&2
		return 1
	fi
}

build__preset()
{
	local preset=$1 log=build/$1.log
	mkdir -p build
	: >"$log"
	echo "Building build/$preset (log: $log)"
	build__step "$log" cmake --preset "$preset" &&
		build__step "$log" cmake --build --preset "$preset" --parallel "$(nproc)"
}
