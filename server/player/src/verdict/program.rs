//! The faults of programs, in words for people who wrote no library.

use super::{Death, Moment, Trouble, signals};
use crate::capture::HostLines;
use agon_host::program::NOT_STARTED;
use agon_model::{Fault, FaultKind, Phase};

/// The program closed its standard input or output.
pub const CLOSED: &str = "closed its standard input or output";

/// Describes how it ended.
pub fn end_words(death: Death, lines: &HostLines) -> String {
    match death {
        Death::Exit(NOT_STARTED) => {
            format!("did not start: {}", lines.last("agon.load").unwrap_or("no reason is known"))
        }
        Death::Exit(status) => format!("ended with status {status}"),
        Death::Signal(signal) => {
            let (name, meaning) = signals::words(signal);
            format!("was ended by {name}, {meaning}")
        }
    }
}

/// It has ended, or cannot be reached any more.
pub fn ended(moment: Moment, what: &str, last_words: &str) -> Trouble {
    let help = match last_words {
        "" if what.ends_with("status 0") => {
            "remove exit (in Python sys.exit, quit); read lines from stdin until it ends, and answer each".to_owned()
        }
        "" => "read lines from stdin until it ends, and answer each; write what goes wrong to stderr".to_owned(),
        _ => advice(last_words).to_owned(),
    };
    let kind = if what == CLOSED { FaultKind::Protocol } else { FaultKind::EarlyExit };
    moment.fault(kind, format!("the program {what}, {}{}; help: {help}", moment.words(), quoted(last_words)))
}

/// The meaning of a last line of stderr, by words that interpreters use.
const ADVICE: [(&[&str], &str); 3] = [
    (
        &["ModuleNotFoundError", "Cannot find module", "ImportError"],
        "a program has its own file and what is installed with its interpreter: make one file of several (python3 -m \
         zipapp), and ask the operator of the ladder for other modules",
    ),
    (
        &["FileNotFoundError", "No such file", "ENOENT", "Permission denied", "EACCES"],
        "a program reads no file but its own, and writes none: put the data into it",
    ),
    (&["Operation not permitted", "EPERM"], "a program has no other processes and no network: compute in this one"),
];

fn advice(last_words: &str) -> &'static str {
    let found = ADVICE.iter().find(|(signs, _)| signs.iter().any(|sign| last_words.contains(sign)));
    found.map_or("fix the error that it wrote to stderr", |(_, help)| help)
}

/// The same fault with advice for the author of a program: most messages advise authors of libraries.
pub fn advised(fault: Fault) -> Fault {
    let help = match (fault.kind, fault.phase) {
        (FaultKind::CpuTime | FaultKind::WallTime, Phase::Play) => {
            "end each loop, and read your clock (in Python time.process_time()) while you search: answer before \
             turn.head.cpu_left_us. In Python, faulthandler.dump_traceback_later(0.5) prints the line where it is"
        }
        (FaultKind::CpuTime | FaultKind::WallTime, _) => {
            "do less before the first answer, to which the start of the interpreter and all imports count"
        }
        (FaultKind::Stalled, _) => {
            "answer each question by one line, and flush it (in Python print(line, flush=True)); read nothing else (in \
             Python input()), and never sleep or wait"
        }
        (FaultKind::OutOfMemory, _) => "keep less from turn to turn, or bound your tables by setup.head.memory",
        (FaultKind::TooManyThreads, _) => {
            "start as many threads as setup.head.threads says, and join them before the answer"
        }
        (FaultKind::OutOfTurn, _) => "compute only between a question and its answer: join every thread before it",
        _ => return fault,
    };
    let what = fault.message.split("; help: ").next().unwrap_or_default();
    Fault { message: format!("{what}; help: {help}"), ..fault }
}

/// A line of the program is not an answer; `why` ends with what to do.
pub fn misspoke(moment: Moment, why: &str, last_words: &str) -> Trouble {
    let (what, help) = why.rsplit_once("; help: ").unwrap_or((why, ""));
    let message = format!("the program wrote {what}, {}{}; help: {help}", moment.words(), quoted(last_words));
    moment.fault(FaultKind::Protocol, message)
}

fn quoted(last_words: &str) -> String {
    if last_words.is_empty() { String::new() } else { format!("; its last line on stderr: {last_words}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_sandbox_refused_is_told_as_such() {
        for (line, word) in [
            ("FileNotFoundError: [Errno 2] No such file or directory: 'book.txt'", "put the data into it"),
            ("ModuleNotFoundError: No module named 'numpy'", "zipapp"),
            ("Error: EPERM: operation not permitted, fork", "no other processes"),
            ("IndexError: list index out of range", "fix the error that it wrote"),
        ] {
            assert!(advice(line).contains(word), "{line}: {}", advice(line));
        }
    }

    #[test]
    fn a_program_that_leaves_without_a_word_is_told_what_may_have_ended_it() {
        let moment = Moment { phase: Phase::Play, ply: 3 };
        for (status, words, help) in [(0, "", "sys.exit"), (1, "", "stderr"), (0, "NameError: x", "fix the error")] {
            let what = end_words(Death::Exit(status), &HostLines::default());
            let Trouble::Fault(fault) = ended(moment, &what, words) else { panic!("it is the program's fault") };
            assert!(fault.message.rsplit_once("help: ").unwrap().1.contains(help), "{}", fault.message);
        }
    }

    #[test]
    fn programs_are_advised_in_their_own_words() {
        let advice = |kind, phase| {
            let fault = Moment { phase, ply: 3 }.blame(kind, "what was seen; help: setup->head, agon_cpu_us()");
            advised(fault).message
        };
        let of_libraries = ["->", "agon_cpu_us", "function", "cc "];
        for (kind, phase, word) in [
            (FaultKind::CpuTime, Phase::Play, "turn.head.cpu_left_us"),
            (FaultKind::WallTime, Phase::Initialize, "imports"),
            (FaultKind::Stalled, Phase::Play, "flush"),
            (FaultKind::OutOfMemory, Phase::Play, "setup.head.memory"),
            (FaultKind::TooManyThreads, Phase::Play, "setup.head.threads"),
            (FaultKind::OutOfTurn, Phase::Waiting, "join"),
        ] {
            let message = advice(kind, phase);
            assert!(message.starts_with("what was seen; help: ") && message.contains(word), "{message}");
            assert!(of_libraries.iter().all(|word| !message.contains(word)), "{message}");
        }
    }
}
