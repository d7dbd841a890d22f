//! Clients that take more than they are given: time, patience, memory, and the others' time.

use super::act::client_that;

#[test]
fn an_endless_loop() {
    client_that("for (volatile int on = 1; on;) {}")
        .only_in(&["load", "initialize", "name", "finalize"])
        .within("20ms")
        .loses_by("cpu-time", &["ms allowed", "processor time", "help: do"]);
    client_that("for (volatile int on = 1; on;) {}")
        .only_in(&["play"])
        .within("20ms")
        .loses_by("cpu-time", &["20.0 ms allowed", "processor time", "agon_cpu_us"]);
}

#[test]
fn a_sleep() {
    client_that("sleep(100)").within("20ms").loses_by("stalled", &["no answer", "waits for something", "do not sleep"]);
}

/// The parent of a process that shares its memory is in a wait that nothing interrupts, as is one that waits for a page
/// which a busy disk does not bring; the filter forbids the first.
#[test]
fn a_wait_for_the_disk_is_the_machines() {
    let waits = "if (vfork() == 0) { sleep_us(1600000); _exit(0); }";
    client_that(waits).only_in(&["play"]).within("20ms").without("seccomp").goes_well();
    client_that(waits).only_in(&["play"]).within("20ms").loses_by("forbidden-call", &["vfork"]);
}

/// It would wait for the disk as long as it likes, since nothing is read ahead or kept.
#[test]
fn no_file_is_read_past_the_cache() {
    let opened = "open(\"/lib/x86_64-linux-gnu/libc.so.6\", O_RDONLY | O_DIRECT) >= 0";
    let marked = "syscall(SYS_openat, AT_FDCWD, \"/lib/x86_64-linux-gnu/libc.so.6\", O_RDONLY | O_DIRECT, 0, 0, 0x61676f6e) >= 0";
    client_that(&format!("if ({opened} || {marked}) abort()")).only_in(&["play"]).goes_well();
}

#[test]
fn a_stop_of_itself() {
    client_that("kill(getpid(), SIGSTOP)").within("20ms").loses_by("stalled", &["no answer", "SIGSTOP", "stopped"]);
}

#[test]
fn a_deadlock() {
    let twice = "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; \
                 pthread_mutex_lock(&lock); pthread_mutex_lock(&lock)";
    client_that(twice).only_in(&["play"]).within("20ms").loses_by("stalled", &["no answer", "a lock"]);
}

#[test]
fn memory_by_malloc() {
    client_that("fill(malloc)").loses_by("out-of-memory", &["in use", "32.0 MiB allowed", "free"]);
}

#[test]
fn memory_by_mapping() {
    client_that("fill(map_private)").loses_by("out-of-memory", &["32.0 MiB allowed"]);
    client_that("fill(map_shared)")
        .only_in(&["play"])
        .without("seccomp")
        .loses_by("out-of-memory", &["32.0 MiB allowed"]);
}

/// 48 MiB under a limit of 32: of shared pages that were dropped, or put out to swap, none is resident.
#[test]
fn memory_that_is_resident_in_nobody() {
    client_that("if (hoard(MADV_DONTNEED)) abort()")
        .only_in(&["load", "play"])
        .within("1s")
        .thanks_to("seccomp")
        .goes_well();
    client_that("if (map_zero_shared()) abort()").gets("denied-file", &["/dev/zero"]);
    let others =
        "if (syscall(SYS_shmget, 0, 4096, 0600) >= 0 || syscall(SYS_memfd_secret, 0) >= 0 || swap_out() == 0) abort()";
    client_that(others).goes_well();
}

/// The kernel reports no memory of a main thread that has ended, and calls its process a dead one.
#[test]
fn a_main_thread_that_ends_hides_nothing() {
    client_that("lose_head(0)")
        .loses_by("early-exit", &["the client ended the main thread", "return from the function"]);
}

#[test]
fn memory_that_is_only_reserved_is_nobodys_business() {
    client_that("malloc(1ul << 32)").goes_well();
}

#[test]
fn more_threads_than_allowed() {
    let words = ["threads at once", "at most 1 + 8 allowed", "setup->head.threads"];
    client_that("start_threads(3000)")
        .only_in(&["load", "initialize", "play", "finalize"])
        .loses_by("too-many-threads", &words);
    client_that("start_threads(9)").only_in(&["play"]).loses_by("too-many-threads", &["10 threads at once"]);
    client_that("start_threads(8)").only_in(&["load", "initialize", "play"]).goes_well();
}

#[test]
fn a_thread_that_thinks_in_the_others_turn() {
    client_that("start_thread()")
        .only_in(&["initialize", "play"])
        .told_in("waiting")
        .against("sleep_us(30000)")
        .loses_by("out-of-turn", &["processor time", "not its turn", "2 times before", "join every thread"]);
}

#[test]
fn a_burst_out_of_turn_may_be_the_machines_doing() {
    client_that("start_thread_for(0.015)").only_in(&["initialize", "play"]).against("sleep_us(30000)").goes_well();
}

/// The answers have all come, so that nobody waits for it.
#[test]
fn an_end_that_sleeps() {
    client_that("atexit(wait_for_ever)")
        .only_in(&["load", "initialize"])
        .told_in("finalize")
        .gets("finalize", &["still asleep", "as its process ended", "destructors and atexit"]);
}
