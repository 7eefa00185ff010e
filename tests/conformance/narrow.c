/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * narrow [PROGRAM]: a 32-bit program without a libc, so that a compiler is all it takes
 * (-m32 -nostdlib). Each of CHILDREN children writes PAGES pages of .data and of .bss and one of what
 * the thread pointer leads to, and calls getppid; the last one then executes PROGRAM, if there is one.
 */
enum { PAGE = 4096, PAGES = 4, CHILDREN = 3 };
enum { NR_exit_group = 252, NR_clone = 120, NR_execve = 11, NR_wait4 = 114, NR_getppid = 64,
       NR_mmap2 = 192, NR_mprotect = 125, NR_set_thread_area = 243, SIGNAL_CHILD = 17 };

struct segment {
	unsigned int entry, base, limit, flags;
};

static volatile char data_pages[PAGES * PAGE] __attribute__((aligned(4096))) = {1};
static volatile char bss_pages[PAGES * PAGE] __attribute__((aligned(4096)));

static long call(long nr, long a, long b, long c)
{
	long result;

	/* mmap2 takes six arguments: no special flags, no file. */
	__asm__ volatile("pushl %%ebp\n\t"
			 "xorl %%ebp, %%ebp\n\t"
			 "int $0x80\n\t"
			 "popl %%ebp"
			 : "=a"(result)
			 : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(0x22), "D"(-1)
			 : "memory");
	return result;
}

static long forked(void)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(NR_clone), "b"(SIGNAL_CHILD), "c"(0), "d"(0), "S"(0), "D"(0)
			 : "memory");
	return result;
}

static void write_pages(void)
{
	for (int i = 0; i < PAGES; i++)
		data_pages[i * PAGE] = bss_pages[i * PAGE] = 2;
	__asm__ volatile("movl $2, %gs:0");
	call(NR_getppid, 0, 0, 0);
}

/* One page in a mapping of its own, as far from others as static TLS may be. */
static void make_thread_pointer(void)
{
	char *memory = (char *)call(NR_mmap2, 0, 16 * PAGE, 0);
	struct segment segment = {.entry = -1u, .limit = 0xfffff, .flags = 0x51};

	segment.base = (unsigned int)memory + 8 * PAGE;
	call(NR_mprotect, (long)segment.base, PAGE, 3);
	call(NR_set_thread_area, (long)&segment, 0, 0);
	__asm__ volatile("movw %w0, %%gs" : : "r"(segment.entry * 8 + 3));
}

__attribute__((used)) static void work(char **arguments)
{
	char *const none[] = {0};

	make_thread_pointer();
	write_pages();
	for (int i = 0; i < CHILDREN; i++) {
		long pid = forked();

		if (pid == 0) {
			write_pages();
			if (i == CHILDREN - 1 && arguments[1])
				call(NR_execve, (long)arguments[1], (long)(arguments + 1), (long)none);
			call(NR_exit_group, 0, 0, 0);
		}
		call(NR_wait4, pid, 0, 0);
	}
	call(NR_exit_group, 0, 0, 0);
}

__asm__(".globl _start\n"
	"_start:\n\t"
	"leal 4(%esp), %eax\n\t"
	"andl $-16, %esp\n\t"
	"subl $12, %esp\n\t"
	"pushl %eax\n\t"
	"call work\n\t"
	"hlt");
