// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * As births.c, of C++: the parent has a map of words, and its children look through it and leave by
 * _exit(), or with -x by exit(), which destroys what is global. -w N: children count N words more.
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "births.h"

static std::map<std::string, long> words;

static double time_one(bool by_exit, long more)
{
	auto begin = std::chrono::steady_clock::now();
	pid_t pid = fork();

	if (pid == 0) {
		for (long i = 0; i < more; i++)
			words[std::to_string(i)]++;
		if (by_exit)
			exit(0);
		_exit(0);
	}
	waitpid(pid, nullptr, 0);
	return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin)
		.count();
}

int main(int argc, char **argv)
{
	long count = 100, more = 0;
	bool by_exit = false;
	std::vector<double> times;
	double sum = 0;

	for (int option; (option = getopt(argc, argv, "n:xw:")) != -1;) {
		if (option == 'n')
			count = atol(optarg);
		else if (option == 'w')
			more = atol(optarg);
		else
			by_exit = true;
	}
	for (long i = 0; i < 200; i++)
		words[std::to_string(i)] = i;
	times.reserve(count);
	long faults = births__faults();
	for (long i = 0; i < count; i++)
		times.push_back(time_one(by_exit, more));
	faults = births__faults() - faults;
	for (double time : times)
		sum += time;
	std::sort(times.begin(), times.end());
	printf("births %ld median %.0f mean %.0f faults %ld\n", count, times[times.size() / 2],
	       sum / count, faults);
	fflush(stdout);
	_exit(0);
}
