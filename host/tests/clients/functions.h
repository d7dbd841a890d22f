/* Functions of the C library as programs use them; each is tried in a process of its own. What a call answers is of no matter here, only
 * that the program goes on. Included before echo.c, whose PLAY calls `try_function`. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <iconv.h>
#include <ifaddrs.h>
#include <langinfo.h>
#include <locale.h>
#include <malloc.h>
#include <mqueue.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <syslog.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#include <wordexp.h>

static char room[1 << 16] __attribute__((aligned(4096)));
static struct stat about;
static void *nothing(void *given) { return given; }
static int nothing_c11(void *given) { return given != NULL; }
static void *sleeper(void *given) { for (;;) usleep(1000); return given; }
static int seen(const char *path, const struct stat *is, int kind, struct FTW *at) { return 0; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

#define PATH "/tmp/agon-left-behind"
#define FUNCTIONS(TRY)                                                                                                            \
    TRY(printf, printf("x\n")) TRY(fprintf, fprintf(stderr, "x\n")) TRY(puts, puts("x")) TRY(putchar, putchar('\n'))              \
    TRY(fflush, fflush(stdout)) TRY(perror, (errno = ENOENT, perror("x"), 0)) TRY(fopen, fopen("data.txt", "r"))                  \
    TRY(fopen_of_a_folder, fopen("/etc", "r")) TRY(tmpfile, tmpfile()) TRY(remove, remove(PATH))                                  \
    TRY(rename, rename(PATH, PATH "2")) TRY(setvbuf, setvbuf(stdout, NULL, _IOLBF, 0)) TRY(fdopen, fdopen(dup(1), "w"))          \
    TRY(getchar, getchar()) TRY(scanf, scanf("%d", (int *)room)) TRY(freopen, freopen(PATH, "r", stdin))                          \
    TRY(fileno, fileno(stdout)) TRY(ftruncate, ftruncate(1, 0)) TRY(fsync, fsync(1)) TRY(fdatasync, fdatasync(1))                 \
    TRY(sync, (sync(), 0)) TRY(syncfs, syncfs(1)) TRY(fseek, fseek(stdin, 0, SEEK_SET)) TRY(stat, stat("/etc/passwd", &about))    \
    TRY(lstat, lstat("/", &about)) TRY(fstat, fstat(1, &about)) TRY(access, access("/etc/passwd", R_OK))                          \
    TRY(open, open("/etc/passwd", O_RDONLY)) TRY(creat, creat(PATH, 0600)) TRY(mkdir, mkdir(PATH, 0700)) TRY(rmdir, rmdir(PATH))  \
    TRY(unlink, unlink(PATH)) TRY(symlink, symlink("/", PATH)) TRY(link, link("/etc/passwd", PATH))                               \
    TRY(readlink, readlink("/proc/self/exe", room, 99)) TRY(chmod, chmod(PATH, 0600)) TRY(fchmod, fchmod(1, 0600))                \
    TRY(chown, chown(PATH, 0, 0)) TRY(truncate, truncate(PATH, 0)) TRY(utime, utime(PATH, NULL)) TRY(opendir, opendir("/tmp"))    \
    TRY(nftw, nftw("/tmp", seen, 4, 0)) TRY(glob, glob("/tmp/*", 0, NULL, (glob_t *)room)) TRY(getcwd, getcwd(room, 99))          \
    TRY(chdir, chdir("/")) TRY(realpath, realpath("/etc/../etc", room)) TRY(statvfs, statvfs("/", (struct statvfs *)room))        \
    TRY(mkstemp, mkstemp(strcpy(room, PATH "XXXXXX"))) TRY(mkfifo, mkfifo(PATH, 0600)) TRY(flock, flock(1, LOCK_EX | LOCK_NB))    \
    TRY(lockf, lockf(1, F_TLOCK, 0)) TRY(fcntl, fcntl(1, F_GETFL)) TRY(dup, dup(1)) TRY(dup2, dup2(1, 9))                         \
    TRY(pipe, pipe((int *)room)) TRY(pread, pread(0, room, 9, 0)) TRY(lseek, lseek(1, 0, SEEK_CUR))                               \
    TRY(writev, writev(1, &(struct iovec){room, 1}, 1)) TRY(sendfile, sendfile(1, 0, NULL, 9))                                    \
    TRY(splice, splice(0, NULL, 1, NULL, 9, 0)) TRY(isatty, isatty(1)) TRY(ttyname, ttyname(1))                                   \
    TRY(tcgetattr, tcgetattr(1, (struct termios *)room)) TRY(umask, umask(022)) TRY(malloc, malloc(1 << 24))                      \
    TRY(realloc, realloc(calloc(1, 9), 1 << 20)) TRY(posix_memalign, posix_memalign((void **)room, 64, 64))                       \
    TRY(mmap, mmap(NULL, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))                                                            \
    TRY(mmap_to_share, mmap(NULL, 4096, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) TRY(mprotect, mprotect(room, 4096, PROT_READ))     \
    TRY(msync, msync(room, 4096, MS_SYNC)) TRY(madvise, madvise(room, 4096, MADV_WILLNEED)) TRY(mlock, mlock(room, 4096))         \
    TRY(mlockall, mlockall(MCL_CURRENT)) TRY(munlockall, munlockall()) TRY(mincore, mincore(room, 4096, (unsigned char *)room))   \
    TRY(sbrk, sbrk(4096)) TRY(malloc_trim, malloc_trim(0)) TRY(shm_open, shm_open("/agon-left-behind", O_RDWR | O_CREAT, 0600))   \
    TRY(shmget, shmget(IPC_PRIVATE, 4096, 0600)) TRY(memfd_create, memfd_create("x", 0))                                          \
    TRY(pthread_create, ({ pthread_t t; pthread_create(&t, NULL, nothing, NULL); pthread_join(t, NULL); }))                       \
    TRY(pthread_cancel, ({ pthread_t t; pthread_create(&t, NULL, sleeper, NULL); pthread_cancel(t); pthread_join(t, NULL); }))    \
    TRY(pthread_tryjoin_np, ({ pthread_t t; pthread_create(&t, NULL, nothing, NULL); pthread_tryjoin_np(t, NULL); }))             \
    TRY(pthread_timedjoin_np, ({ pthread_t t; struct timespec until = {1, 0}; pthread_create(&t, NULL, sleeper, NULL);            \
                                 pthread_timedjoin_np(t, NULL, &until); }))                                                       \
    TRY(pthread_setname_np, pthread_setname_np(pthread_self(), "x"))                                                              \
    TRY(pthread_getname_np, pthread_getname_np(pthread_self(), room, 99))                                                         \
    TRY(pthread_setaffinity_np, pthread_setaffinity_np(pthread_self(), 128, (cpu_set_t *)memset(room, 255, 128)))                 \
    TRY(pthread_getaffinity_np, pthread_getaffinity_np(pthread_self(), 128, (cpu_set_t *)room))                                   \
    TRY(pthread_setschedparam, pthread_setschedparam(pthread_self(), SCHED_FIFO, &(struct sched_param){1}))                       \
    TRY(pthread_getschedparam, pthread_getschedparam(pthread_self(), (int *)room, (struct sched_param *)(room + 64)))             \
    TRY(pthread_kill, (signal(SIGUSR1, SIG_IGN), pthread_kill(pthread_self(), SIGUSR1)))                                          \
    TRY(pthread_barrier_wait, (pthread_barrier_init((void *)room, NULL, 1), pthread_barrier_wait((void *)room)))                  \
    TRY(pthread_cond_timedwait, ({ static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER; \
                                   pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, &(struct timespec){1, 0}); }))          \
    TRY(pthread_mutex_lock, ({ pthread_mutexattr_t a; pthread_mutexattr_init(&a);                                                 \
                               pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);                                          \
                               pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);                                             \
                               pthread_mutex_init((void *)room, &a); pthread_mutex_lock((void *)room); pthread_mutex_unlock((void *)room); })) \
    TRY(sem_timedwait, (sem_init((sem_t *)room, 1, 0), sem_timedwait((sem_t *)room, &(struct timespec){1, 0})))                   \
    TRY(sem_post, (sem_init((sem_t *)room, 1, 0), sem_post((sem_t *)room)))                                                       \
    TRY(sem_open, sem_open("/agon-left-behind", O_CREAT, 0600, 1))                                                                \
    TRY(thrd_create, ({ thrd_t t; thrd_create(&t, nothing_c11, NULL); thrd_join(t, NULL); })) TRY(time, time(NULL))               \
    TRY(gettimeofday, gettimeofday((struct timeval *)room, NULL)) TRY(clock_gettime, clock_gettime(CLOCK_BOOTTIME, (struct timespec *)room)) \
    TRY(clock_getres, clock_getres(CLOCK_MONOTONIC, (struct timespec *)room)) TRY(clock, clock()) TRY(times, times((struct tms *)room)) \
    TRY(nanosleep, nanosleep(&(struct timespec){0, 1}, NULL)) TRY(usleep, usleep(1)) TRY(localtime, localtime(&(time_t){1}))       \
    TRY(mktime, mktime(gmtime(&(time_t){1}))) TRY(strftime, strftime(room, 99, "%c %Z", gmtime(&(time_t){1})))                    \
    TRY(setitimer, setitimer(ITIMER_VIRTUAL, &(struct itimerval){{0, 0}, {9, 0}}, NULL)) TRY(alarm, (alarm(9), alarm(0)))         \
    TRY(timer_create, timer_create(CLOCK_MONOTONIC, &(struct sigevent){.sigev_notify = SIGEV_NONE}, (timer_t *)room))             \
    TRY(timerfd_create, timerfd_create(CLOCK_MONOTONIC, 0)) TRY(clock_settime, clock_settime(CLOCK_REALTIME, &(struct timespec){1, 0})) \
    TRY(settimeofday, settimeofday(&(struct timeval){1, 0}, NULL)) TRY(adjtime, adjtime(&(struct timeval){0, 1}, NULL))           \
    TRY(getpid, getpid()) TRY(getppid, getppid()) TRY(getpgrp, getpgrp()) TRY(getsid, getsid(0)) TRY(getuid, getuid())            \
    TRY(setuid, setuid(getuid())) TRY(setgid, setgid(getgid())) TRY(setsid, setsid()) TRY(setpgid, setpgid(0, 0))                 \
    TRY(getgroups, getgroups(99, (gid_t *)room)) TRY(getpriority, getpriority(PRIO_PROCESS, 0)) TRY(nice, nice(1))                \
    TRY(setpriority, setpriority(PRIO_PROCESS, 0, 1)) TRY(sched_setaffinity, sched_setaffinity(0, 128, (cpu_set_t *)memset(room, 255, 128))) \
    TRY(sched_getaffinity, sched_getaffinity(0, 128, (cpu_set_t *)room)) TRY(sched_yield, sched_yield())                          \
    TRY(sched_setscheduler, sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0})) TRY(sched_getcpu, sched_getcpu())       \
    TRY(sched_get_priority_max, sched_get_priority_max(SCHED_FIFO)) TRY(getrusage, getrusage(RUSAGE_SELF, (struct rusage *)room)) \
    TRY(getrlimit, getrlimit(RLIMIT_AS, (struct rlimit *)room)) TRY(setrlimit, setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}))    \
    TRY(sysconf, sysconf(_SC_AVPHYS_PAGES)) TRY(get_nprocs, get_nprocs()) TRY(getloadavg, getloadavg((double *)room, 3))          \
    TRY(sysinfo, sysinfo((struct sysinfo *)room)) TRY(uname, uname((struct utsname *)room)) TRY(gethostname, gethostname(room, 99)) \
    TRY(sethostname, sethostname("x", 1)) TRY(prctl, prctl(PR_SET_PDEATHSIG, 0)) TRY(wait, wait(NULL)) TRY(waitpid, waitpid(-1, NULL, WNOHANG)) \
    TRY(getlogin, getlogin()) TRY(getpwuid, getpwuid(getuid())) TRY(getpwnam, getpwnam("root")) TRY(getgrgid, getgrgid(0))        \
    TRY(setenv, setenv("X", "x", 1)) TRY(getrandom, getrandom(room, 9, 0)) TRY(getentropy, getentropy(room, 9)) TRY(acct, acct(NULL)) \
    TRY(signal, signal(SIGINT, SIG_IGN)) TRY(sigaction, sigaction(SIGSYS, &(struct sigaction){.sa_handler = SIG_IGN}, NULL))      \
    TRY(raise, (signal(SIGUSR1, SIG_IGN), raise(SIGUSR1))) TRY(sigprocmask, sigprocmask(SIG_BLOCK, (sigset_t *)room, NULL))       \
    TRY(sigpending, sigpending((sigset_t *)room)) TRY(sigqueue, sigqueue(getpid(), 0, (union sigval){0}))                         \
    TRY(kill_of_itself, kill(getpid(), 0)) TRY(sigaltstack, sigaltstack(NULL, (stack_t *)room))                                   \
    TRY(socketpair, socketpair(AF_UNIX, SOCK_STREAM, 0, (int *)room)) TRY(getaddrinfo, getaddrinfo("localhost", "80", NULL, (void *)room)) \
    TRY(gethostbyname, gethostbyname("localhost")) TRY(getifaddrs, getifaddrs((void *)room)) TRY(if_nametoindex, if_nametoindex("lo")) \
    TRY(syslog, (syslog(LOG_DEBUG, "x"), 0)) TRY(eventfd, eventfd(0, 0)) TRY(epoll_create1, epoll_create1(0)) TRY(inotify_init, inotify_init()) \
    TRY(signalfd, signalfd(-1, (sigset_t *)room, 0)) TRY(poll, poll((struct pollfd *)room, 1, 0)) TRY(select, select(0, NULL, NULL, NULL, (struct timeval *)room)) \
    TRY(msgget, msgget(IPC_PRIVATE, 0600)) TRY(semget, semget(IPC_PRIVATE, 1, 0600)) TRY(mq_open, mq_open("/x", O_RDWR))           \
    TRY(ptrace, ptrace(PTRACE_TRACEME, 0, NULL, NULL)) TRY(process_vm_readv, process_vm_readv(getppid(), NULL, 0, NULL, 0, 0))    \
    TRY(mount, mount("x", "/nowhere", "tmpfs", 0, NULL)) TRY(umount, umount("/nowhere")) TRY(unshare, unshare(CLONE_NEWUSER))     \
    TRY(chroot, chroot("/nowhere")) TRY(dlopen, dlopen("libm.so.6", RTLD_NOW)) TRY(dlopen_of_nothing, dlopen("libnowhere.so", RTLD_NOW)) \
    TRY(backtrace, backtrace((void **)room, 9)) TRY(setlocale, setlocale(LC_ALL, "")) TRY(iconv_open, iconv_open("LATIN1", "UTF-8")) \
    TRY(nl_langinfo, nl_langinfo(CODESET)) TRY(regcomp, regcomp((regex_t *)room, "a*", 0))                                        \
    TRY(qsort, (qsort(room, 1 << 14, 4, compare), 0)) TRY(random, random()) TRY(strerror, strerror(99)) TRY(wordexp, wordexp("~ $X", (wordexp_t *)room, WRDE_NOCMD)) \
    TRY(fork, fork() == 0 ? (_exit(0), 0) : 0) TRY(vfork, vfork() == 0 ? (_exit(0), 0) : 0) TRY(system, system("true"))           \
    TRY(popen, popen("true", "r")) TRY(posix_spawn, posix_spawn(NULL, "/bin/true", NULL, NULL, (char *[]){"true", NULL}, NULL))   \
    TRY(execv, execv("/nowhere", (char *[]){"x", NULL})) TRY(socket, socket(AF_INET, SOCK_STREAM, 0)) TRY(kill, kill(getppid(), 0))

#define NAMED(name, code) #name,
static const char *const function_names[] = {FUNCTIONS(NAMED) NULL};

/* Tries the function with this number; the name is returned where there is one. */
static const char *try_function(uint64_t number, void (*tell)(const char *, const char *)) {
    uint64_t next = 0;
    const char *name = NULL;
    for (uint64_t i = 0; i <= number; i++)
        if ((name = function_names[i]) == NULL) return NULL;
    tell("tries", name);
#define TRY(name, code) if (next++ == number) { (void)(code); }
    FUNCTIONS(TRY)
    return name;
}
