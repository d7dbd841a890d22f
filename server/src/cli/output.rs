//! The answer on stdout. Whoever reads it may have seen enough, as `head` has: then nothing is left to say.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

/// As in the standard library, but without a panic where nobody reads on or the disk is full.
macro_rules! print {
    ($($text:tt)*) => { $crate::cli::output::write(format_args!($($text)*)) };
}

/// Likewise, with a newline.
macro_rules! println {
    () => { $crate::cli::output::write(format_args!("\n")) };
    ($($text:tt)*) => { $crate::cli::output::write(format_args!("{}\n", format_args!($($text)*))) };
}

/// Writes at once; ends the program where that fails.
pub fn write(text: Arguments<'_>) {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_fmt(text).and_then(|()| stdout.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            eprintln!("error: writing the answer: {error}; help: free some space, or write it elsewhere");
            std::process::exit(1);
        }
    }
}
