//! The answer on stdout, and further lines on stderr. A reader of the answer such as `head` may have seen enough: then
//! the rest is dropped.
#![allow(clippy::print_stderr)]

use agon_model::visible::{Medium, visible};
use std::fmt::Arguments;
use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether the reader of the answer has seen enough.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// As in the standard library, but without a panic where nobody reads on or the disk is full.
#[macro_export]
macro_rules! print {
    ($($text:tt)*) => { $crate::output::write(format_args!($($text)*)) };
}

/// Prints the same with a newline.
#[macro_export]
macro_rules! println {
    () => { $crate::output::write(format_args!("\n")) };
    ($($text:tt)*) => { $crate::output::write(format_args!("{}\n", format_args!($($text)*))) };
}

/// A line on stderr, whatever is in it made visible.
pub fn say(text: &str) {
    // Where stderr is closed, nobody can be told.
    let _ = writeln!(std::io::stderr(), "{}", visible(text, Medium::Screen));
}

/// Whether somebody still reads the answer: if not, a long list can end.
pub fn is_read() -> bool {
    !CLOSED.load(Relaxed)
}

/// Writes at once, whatever is in it made visible; ends the program where that fails, but for a reader that has gone.
pub fn write(text: Arguments<'_>) {
    write_raw(&visible(&text.to_string(), Medium::Screen));
}

/// Writes a text with colours of ours. Everything in it that others wrote must have been made visible before.
pub fn write_raw(text: &str) {
    if CLOSED.load(Relaxed) {
        return;
    }
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => {}
        // The command still ends with its own status.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => CLOSED.store(true, Relaxed),
        Err(error) => {
            eprintln!("error: writing the answer: {error}; help: free some space, or write it elsewhere");
            std::process::exit(1);
        }
    }
}
