/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Functions of libc that nothing else here calls, so that the first call of each binds it. They
 * write nowhere but to `room`, make no system call, and are no IFUNCs. By assembler names: the
 * compiler must not know them, and each is to be called through its own PLT entry.
 */
#ifndef SAMPLE_CALLS_H
#define SAMPLE_CALLS_H

enum { CALLS_MAX = 48, CALLS_ROOM = 256 };

#define CALLS_OF_NUMBERS(X)                                                                        \
	X(isalnum) X(isalpha) X(isblank) X(iscntrl) X(isdigit) X(isgraph) X(islower) X(isprint)    \
	X(ispunct) X(isspace) X(isupper) X(isxdigit) X(toupper) X(tolower) X(isascii) X(iswcntrl) \
	X(abs) X(labs) X(llabs) X(imaxabs) X(htonl) X(htons) X(ntohl) X(ntohs) X(ffs) X(iswalpha)  \
	X(iswdigit) X(iswspace) X(iswupper) X(towupper)
#define CALLS_OF_TEXTS(X)                                                                          \
	X(atoi) X(atol) X(atoll) X(strtol) X(strtoul) X(strtoll) X(strtoull) X(strtoimax)          \
	X(strtoumax) X(inet_addr)
#define CALLS_OF_ROOM(X)                                                                           \
	X(sigemptyset) X(sigfillset) X(cfmakeraw) X(cfgetospeed) X(cfgetispeed) X(cfsetospeed)     \
	X(cfsetispeed) X(sigisemptyset)

#define DECLARE(name) extern long calls__##name(long, long, long) __asm__(#name);
CALLS_OF_NUMBERS(DECLARE)
CALLS_OF_TEXTS(DECLARE)
CALLS_OF_ROOM(DECLARE)
#undef DECLARE

/* The first `count` of them. */
static void calls__make(long count)
{
	char room[CALLS_ROOM];

	memset(room, 0, sizeof(room));
#define CALL(name, argument)                                                                       \
	if (count-- <= 0)                                                                          \
		return;                                                                            \
	calls__##name((long)(argument), 0, 10);
#define WITH_NUMBER(name) CALL(name, 'a')
#define WITH_TEXT(name)	  CALL(name, "12")
#define WITH_ROOM(name)	  CALL(name, room)
	CALLS_OF_NUMBERS(WITH_NUMBER)
	CALLS_OF_TEXTS(WITH_TEXT)
	CALLS_OF_ROOM(WITH_ROOM)
#undef WITH_ROOM
#undef WITH_TEXT
#undef WITH_NUMBER
#undef CALL
}

#endif
