/* Looks for a text in a process's own memory: its heap, its stack and all that lies within 64 MiB of its libraries. The text is given
 * with every byte changed by 1, so that it does not find what it was asked. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096L

/* The kernel reads the page before it refuses what it is asked. */
static int is_mapped(uintptr_t page) {
    return syscall(SYS_rt_sigprocmask, -1, page, 0, 8) == -1 && errno != EFAULT;
}

static int page_has(uintptr_t page, const char *changed, size_t length) {
    size_t room = is_mapped(page + PAGE) ? PAGE : PAGE - length;
    for (const char *at = (const char *)page; at < (const char *)page + room; ++at) {
        size_t same = 0;
        while (same < length && at[same] == (char)(changed[same] ^ 1)) ++same;
        if (same == length) return 1;
    }
    return 0;
}

static int between(uintptr_t first, uintptr_t last, const char *changed) {
    for (uintptr_t page = first & -PAGE; page < last; page += PAGE)
        if (is_mapped(page) && page_has(page, changed, strlen(changed))) return 1;
    return 0;
}

static int memory_has(const char *changed) {
    uintptr_t stack = (uintptr_t)&stack, heap = (uintptr_t)sbrk(0), libraries = (uintptr_t)&strlen;
    uintptr_t near = 64L << 20, above = 8L << 20;
    return between(stack - above, stack + above, changed) || between(heap - above, heap, changed) ||
           between(libraries - near, libraries + near, changed);
}
