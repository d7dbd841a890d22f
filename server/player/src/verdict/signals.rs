//! The signals that end a client: their names, their meanings, and advice to its author.

/// Each signal with its name, its meaning and advice.
const SIGNALS: [(i32, &str, &str, &str); 21] = [
    (libc::SIGSEGV, "SIGSEGV", "an access to memory it does not have", MEMORY),
    (libc::SIGBUS, "SIGBUS", "an access to memory that is not there", MEMORY),
    (libc::SIGABRT, "SIGABRT", "an abort", ABORT),
    (libc::SIGFPE, "SIGFPE", "an arithmetic fault such as a division by zero", "test the divisor before / and %"),
    (libc::SIGILL, "SIGILL", "an instruction this processor does not know", ILLEGAL),
    (libc::SIGTRAP, "SIGTRAP", "a trap", "remove breakpoints and traps (__builtin_trap, raise) from the library"),
    (libc::SIGXFSZ, "SIGXFSZ", "a file grew, and no file may", "a client has no files: keep everything in memory"),
    (libc::SIGXCPU, "SIGXCPU", "the processor time that the server's shell allows a process", ULIMIT),
    (
        libc::SIGKILL,
        "SIGKILL",
        "sent by itself or by a machine out of memory",
        "bound your tables by setup->head.memory, and run fewer jobs on a small machine",
    ),
    (libc::SIGTERM, "SIGTERM", "a request to end", OWN),
    (libc::SIGHUP, "SIGHUP", "a terminal that was closed", OWN),
    (libc::SIGINT, "SIGINT", "an interrupt", OWN),
    (libc::SIGQUIT, "SIGQUIT", "a request to quit", OWN),
    (
        libc::SIGPIPE,
        "SIGPIPE",
        "a write to a pipe that nobody reads",
        "leave SIGPIPE ignored, and look at what write returns",
    ),
    (libc::SIGALRM, "SIGALRM", "a timer that rang with nobody to hear it", TIMER),
    (libc::SIGVTALRM, "SIGVTALRM", "a timer of processor time that rang with nobody to hear it", TIMER),
    (libc::SIGPROF, "SIGPROF", "a profiler's timer that rang with nobody to hear it", TIMER),
    (libc::SIGUSR1, "SIGUSR1", "a signal of its own", OWN),
    (libc::SIGUSR2, "SIGUSR2", "a signal of its own", OWN),
    (libc::SIGSYS, "SIGSYS", "a signal of its own", OWN),
    (libc::SIGSTKFLT, "SIGSTKFLT", "a signal of its own", OWN),
];

const MEMORY: &str =
    "look for an index outside its array and for a pointer that is NULL or was freed; gcc -g -Wall -Wextra finds some";
const ABORT: &str = "its last words on stderr usually name the cause (agon show prints them); in C++, catch exceptions before the \
                     function returns; agon check --valgrind FILE names a line that damages memory";
const ILLEGAL: &str = "return a value on every path of a function, and build without -march=native";
const ULIMIT: &str = "raise ulimit -t where agon is started, or set it to unlimited: agon's own clocks judge";
const TIMER: &str = "set a handler before the timer, or ask agon_cpu_us() instead";
const OWN: &str = "send no such signal, or handle it";
const STACK: &str = "give the recursion an end, and keep large arrays off the stack (static, or malloc)";

/// The name and meaning of a signal.
pub fn words(signal: i32) -> (String, &'static str) {
    match find(signal) {
        Some((_, name, meaning, _)) => ((*name).to_owned(), meaning),
        None => (format!("signal {signal}"), "which ended the process"),
    }
}

/// Advice about a signal, given the host's words on the place.
pub(super) fn help(signal: i32, detail: &str) -> &'static str {
    if detail.contains("stack overflow") {
        return STACK;
    }
    find(signal).map_or(OWN, |found| found.3)
}

fn find(signal: i32) -> Option<&'static (i32, &'static str, &'static str, &'static str)> {
    SIGNALS.iter().find(|known| known.0 == signal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_signal_that_ends_a_process_is_told() {
        // Signals that stop, go on or are ignored end no process; 29 to 31 come from devices and the sandbox.
        let harmless = [
            libc::SIGCHLD,
            libc::SIGCONT,
            libc::SIGSTOP,
            libc::SIGTSTP,
            libc::SIGTTIN,
            libc::SIGTTOU,
            libc::SIGURG,
            libc::SIGWINCH,
        ];
        for signal in (1..29).filter(|signal| !harmless.contains(signal)) {
            assert!(words(signal).0.starts_with("SIG") && !help(signal, "").is_empty(), "{signal}");
        }
        assert_eq!(words(40).0, "signal 40");
        assert_eq!(help(libc::SIGSEGV, "stack overflow: recursion"), STACK);
    }
}
