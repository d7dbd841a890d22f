//! The program's own log: warnings and errors to stderr, more by -v or AGON_LOG, everything as JSON to a file.

use agon_command::{Failure, paint};
use std::io::{self, Write};
use std::path::Path;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Where events go, each by one write: further lines of a message are indented and marks of direction are written out, so
/// that no client's or stranger's text looks like an event.
struct Indented<W>(W);

impl<W: Write> Write for Indented<W> {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let (text, end) = text.strip_suffix('\n').map_or((&*text, ""), |text| (text, "\n"));
        // The escape is the formatter's own, of a colour: it writes out those of messages.
        let is_control = |c: char| c.is_control() && !matches!(c, '\t' | '\u{1b}');
        let is_mark = |c: char| {
            is_control(c)
                || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        let mut shown = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '\n' | '\u{2028}' | '\u{2029}' => shown += "\n      ",
                c if is_mark(c) => shown.extend(c.escape_unicode()),
                c => shown.push(c),
            }
        }
        self.0.write_all((shown + end).as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Begins it; to be called once.
///
/// # Errors
/// The file cannot be made, or AGON_LOG is no filter.
pub fn begin(verbose: u8, file: Option<&Path>) -> Result<(), Failure> {
    let level = match verbose {
        0 => LevelFilter::WARN,
        1 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let filter = match std::env::var("AGON_LOG") {
        Ok(text) => text.parse::<Targets>().map_err(|error| {
            let help = "help: write a level, or modules with levels: agon_arena::referee=debug,warn";
            Failure::usage(format!("AGON_LOG is \"{text}\": {error}; {help}"))
        })?,
        Err(_) => Targets::new().with_default(level),
    };
    let screen = tracing_subscriber::fmt::layer().with_writer(|| Indented(io::stderr()));
    let screen = screen.without_time().with_target(false);
    let screen = screen.with_ansi(paint::may_colour(&io::stderr()));
    let json = match file {
        None => None,
        Some(path) => {
            let file = std::fs::File::create(path)
                .map_err(|error| Failure::trouble(format!("--log-json {}: {error}", path.display())))?;
            let layer = tracing_subscriber::fmt::layer().json().with_span_events(FmtSpan::CLOSE);
            Some(layer.with_writer(std::sync::Mutex::new(file)))
        }
    };
    tracing_subscriber::registry().with(filter).with(screen).with(json).init();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cannot_look_like_two() {
        let mut screen = Vec::new();
        Indented(&mut screen).write_all(" WARN eve\n WARN all is lost\r\u{202e}x\n".as_bytes()).unwrap();
        assert_eq!(String::from_utf8(screen).unwrap(), " WARN eve\n       WARN all is lost\\u{d}\\u{202e}x\n");
    }
}
