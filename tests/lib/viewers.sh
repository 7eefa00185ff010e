# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Programs of others that exports are for, into build/viewers, where tests/exports and tests/fleet find them. To
# be sourced, in the top of the tree:
#
#	. tests/lib/viewers.sh
#	viewers__speedscope	# 1 MB, from npm
#	viewers__engines	# 46 MB: promtool, Prometheus, node_exporter, VictoriaMetrics, from Debian
#	viewers__schemas	# the schema of profiles, as pprof publishes it, by the Go module proxy
#
# Without npm, or without a network: says so, and goes on.

viewers__speedscope()
{
	local version=1.25.0 to=build/viewers/speedscope
	[ -e "$to/node_modules/speedscope/dist/release/index.html" ] && return 0
	if ! command -v npm >/dev/null; then
		echo "speedscope: no npm: tests that need it are skipped" >&2
		return 0
	fi
	echo "About to install from npm into $to: speedscope@$version"
	mkdir -p "$to"
	if ! npm install --silent --no-audit --no-fund --ignore-scripts --no-save --prefix "$to" \
		"speedscope@$version"
	then
		rm -rf "$to"
		echo "speedscope: that failed: going on without; tests that need it are skipped" >&2
	fi
}

# viewers__unpack PACKAGE PROGRAM...: programs of a package of Debian, which is not installed: no service starts.
viewers__unpack()
{
	local package=$1 to=$PWD/build/viewers scratch
	shift
	[ -x "$to/$1" ] && return 0
	echo "About to take out of Debian's package $package, into $to: $*"
	mkdir -p "$to"
	scratch=$(mktemp -d)
	if ! (cd "$scratch" && apt-get download -qq "$package" && dpkg -x "$package"_*.deb . &&
		cd usr/bin && cp "$@" "$to/") 2>"$scratch/said"
	then
		cat "$scratch/said" >&2
		echo "$package: that failed: going on without; tests that need it are skipped" >&2
	fi
	rm -rf "$scratch"
}

viewers__engines()
{
	viewers__unpack prometheus promtool prometheus
	viewers__unpack prometheus-node-exporter prometheus-node-exporter
	viewers__unpack victoria-metrics victoria-metrics
}

viewers__schemas()
{
	local version=v0.0.0-20261105003125-4bf881d7fb0b to=build/viewers directory
	[ -e "$to/profile.proto" ] && return 0
	if ! command -v go >/dev/null; then
		echo "profile.proto: no go: the test that needs it is skipped" >&2
		return 0
	fi
	mkdir -p "$to"
	directory=$(go mod download -json "github.com/google/pprof@$version" | sed -n 's/.*"Dir": "\(.*\)",/\1/p')
	if [ -z "$directory" ] || ! install -m 644 "$directory/proto/profile.proto" "$to/profile.proto"; then
		echo "profile.proto: that failed: going on without; the test that needs it is skipped" >&2
	fi
}
