# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Builds a preset of CMakePresets.json. Shows how far it is, and the end of the log if it fails. To be sourced.

# Of the output of make, the percentages: on a terminal in place, else one line for each tenth.
build__progress()
{
	local line percent shown=-1 began=$SECONDS
	while IFS= read -r line; do
		[[ $line =~ ^\[\ *([0-9]+)%\] ]] || continue
		percent=${BASH_REMATCH[1]}
		if [ -t 1 ] && [ "$percent" -ne $shown ]; then
			printf '\r  %3d %% %4d s' "$percent" $((SECONDS - began))
			shown=$percent
		elif [ $((percent / 10)) -gt $((shown / 10)) ] || [ $shown -lt 0 ]; then
			printf '  %3d %% %4d s\n' "$percent" $((SECONDS - began))
			shown=$percent
		fi
	done
	if [ -t 1 ] && [ $shown -ge 0 ]; then
		echo
	fi
}

build__step()
{
	local log=$1
	shift
	# The status is that of the command: with pipefail, the only part that can fail.
	if ! (set -o pipefail; "$@" 2>&1 | tee -a "$log" | build__progress); then
		tail -n 40 "$log" >&2
		echo "failed: $* (the whole output: $log)" >&2
		return 1
	fi
}

# build__log NAME: makes an empty one for this preset.
build__log()
{
	log=build/$1.log
	mkdir -p build
	: >"$log"
}

build__configure()
{
	local log
	build__log "$1"
	build__step "$log" cmake --preset "$1"
}

build__preset()
{
	local log
	build__log "$1"
	echo "Building build/$1 (log: $log)"
	build__step "$log" cmake --preset "$1" && build__step "$log" cmake --build --preset "$1" --parallel "$(nproc)"
}
