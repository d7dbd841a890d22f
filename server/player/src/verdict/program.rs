//! The faults of programs, in words for people who wrote no library.

use super::{Death, Moment, Trouble, signals};
use crate::capture::HostLines;
use agon_host::program::NOT_STARTED;
use agon_model::FaultKind;

/// It closed its standard input or output.
pub const CLOSED: &str = "closed its standard input or output";

/// How it ended.
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

/// It is gone, or cannot be spoken to any more.
pub fn ended(place: Moment, what: &str, last_words: &str) -> Trouble {
    let help = match last_words {
        "" => "read lines from stdin until it ends, and answer each; write what goes wrong to stderr".to_owned(),
        _ => "agon show has all that it wrote to stderr".to_owned(),
    };
    let kind = if what == CLOSED { FaultKind::Protocol } else { FaultKind::EarlyExit };
    place.fault(kind, format!("the program {what}, {}{}; help: {help}", place.words(), quoted(last_words)))
}

/// A line of it is no answer; `why` ends with what to do.
pub fn misspoke(place: Moment, why: &str, last_words: &str) -> Trouble {
    let (what, help) = why.rsplit_once("; help: ").unwrap_or((why, ""));
    let message = format!("the program wrote {what}, {}{}; help: {help}", place.words(), quoted(last_words));
    place.fault(FaultKind::Protocol, message)
}

fn quoted(last_words: &str) -> String {
    if last_words.is_empty() { String::new() } else { format!("; its last line on stderr: {last_words}") }
}
