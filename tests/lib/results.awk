# SPDX-License-Identifier: GPL-2.0-or-later
#
# Reads `ctest --verbose --repeat until-pass:2` and keeps of it what matters: the result lines, and
# below them the output of what was skipped or failed (ctest tells why a test was skipped only in
# its verbose output). Right before the summary of ctest it repeats the end of the output of the
# first tests that failed, since often only the end of a log is kept, and names those that passed
# at the second try. Then it says how long the run took, and which tests took most of the CPU: `began` is when it began,
# in seconds since 1970, `built` what the shell says of its children until ctest began, and `times` the file of launch.c.

BEGIN { most_tests = 3; most_lines = 60; most_columns = 400 }

/^ *[0-9]+: (Test command|Working Directory|Test timeout|Environment variable| PATH=path_list_prepend)/ { next }

/^ *[0-9]+: / {
	test = $1 + 0
	output[test] = output[test] $0 "\n"
	next
}

/^ *([0-9]+\/[0-9]+ )?Test +#[0-9]+: / {
	print
	match($0, /#[0-9]+/)
	take_result(substr($0, RSTART + 1, RLENGTH - 1) + 0)
	fflush()
	next
}

/^(Could not|Unable to) find executable/ { print }

/tests passed, .* tests? failed/ {
	tell_end()
	summary = 1
}

summary

END {
	if (!summary)
		tell_end()
}

function take_result(test)
{
	if (!/   Passed /)
		printf "%s", output[test]
	if (/\*\*\*Skipped|Not Run \(Disabled\)/) {
		delete output[test]
		return
	}
	if (/   Passed /) {
		passed[test] = 1
	} else {
		if (!(test in failure))
			order[++failures] = test
		result[test] = $0
		name[test] = substr($0, index($0, "#" test ": ") + length("#" test ": "))
		sub(/ .*/, "", name[test])
		failure[test] = output[test]
	}
	delete output[test]
}

# The last lines of a text, each cut where it gets too long to be read.
function tell_tail(text, most, lines, count, i)
{
	count = split(text, lines, "\n") - 1
	if (count > most)
		print "(" count - most " lines more are above)"
	for (i = count > most ? count - most + 1 : 1; i <= count; i++)
		print substr(lines[i], 1, most_columns)
}

function tell_tests(when, title, printed, names, i, test)
{
	for (i = 1; i <= failures; i++) {
		test = order[i]
		if ((test in passed) != when)
			continue
		if (!printed++)
			print "\n" title
		names = names " " name[test]
		print result[test]
		if (printed <= most_tests)
			tell_tail(failure[test], when ? most_lines / 3 : most_lines)
	}
	return printed ? printed ":" names : "none"
}

function tell_end(late)
{
	late = tell_tests(1, "Passed, but only at the second try; the first one said:")
	tell_tests(0, "Failed; the last try said:")
	print "\nPassed at the second try only: " late
	if (times)
		tell_times()
}

# 1m2.345s
function seconds(text, parts)
{
	split(text, parts, /[ms]/)
	return parts[1] * 60 + parts[2]
}

function minutes(s)
{
	return sprintf("%d min %d s", int(s / 60), s % 60)
}

# The ten tests that took most of the CPU, dearest first; one that was tried twice counts twice.
function tell_times(line, parts, spent, sum, before, i, test, dearest)
{
	while ((getline line < times) > 0) {
		split(line, parts)
		spent[parts[1]] += parts[2] + parts[3]
		sum += parts[2] + parts[3]
	}
	split(built, parts)
	before = seconds(parts[1]) + seconds(parts[2])
	print "\nThe run took " minutes(systime() - began) ", and " minutes(before + sum) " of CPU: " minutes(before) \
		" to install and build, " minutes(sum) " for the tests. Most of it:"
	for (i = 0; i < 10; i++) {
		dearest = ""
		for (test in spent)
			if (dearest == "" || spent[test] > spent[dearest])
				dearest = test
		if (dearest == "")
			break
		printf "%7.1f s  %s\n", spent[dearest], dearest
		delete spent[dearest]
	}
	print ""
}
