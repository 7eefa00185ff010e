// SPDX-License-Identifier: GPL-2.0-or-later
int answer(void);

int answer(void)
{
	return 42;
}
