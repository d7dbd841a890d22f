//! Lines at the foot of a terminal that the next ones replace, such as a bar that grows.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of characters of a bar.
const LENGTH: u64 = 32;

/// The lines that are shown. Only one thread at a time writes to the terminal.
static LINES: Mutex<Lines> = Mutex::new(Lines { shown: Vec::new() });

/// The foot of the terminal on stderr.
pub struct Foot(());

impl Foot {
    /// An empty foot; `None` if stderr is not a terminal.
    pub fn of_terminal() -> Option<Foot> {
        std::io::stderr().is_terminal().then_some(Foot(()))
    }

    /// Replaces the lines, as far as the terminal has room for them.
    pub fn show(&mut self, text: &str) {
        let size = rustix::termios::tcgetwinsize(std::io::stderr()).ok().filter(|size| size.ws_col > 0);
        let (columns, rows) = size.map_or((80, 24), |size| (size.ws_col, size.ws_row));
        let mut lines = lock();
        let away = lines.take_away();
        lines.shown = cut(text, columns.into(), usize::from(rows).saturating_sub(1).max(1));
        write(&(away + &lines.picture()));
    }

    /// Takes the lines away.
    pub fn clear(&mut self) {
        let mut lines = lock();
        write(&lines.take_away());
        lines.shown.clear();
    }
}

impl Drop for Foot {
    /// An error that follows then has a line of its own.
    fn drop(&mut self) {
        self.clear();
    }
}

/// Writes something else to the terminal above the lines, if there are any.
pub fn step_aside(say: impl FnOnce()) {
    let lines = lock();
    write(&lines.take_away());
    say();
    write(&lines.picture());
}

fn lock() -> MutexGuard<'static, Lines> {
    LINES.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Default)]
struct Lines {
    shown: Vec<String>,
}

impl Lines {
    /// The codes that delete all lines, from the last one up to the first.
    fn take_away(&self) -> String {
        match self.shown.len() {
            0 => String::new(),
            1 => "\r\x1b[J".to_owned(),
            lines => format!("\r\x1b[{}A\x1b[J", lines - 1),
        }
    }

    /// The lines themselves. The terminal must not wrap those whose characters take two columns.
    fn picture(&self) -> String {
        if self.shown.is_empty() { String::new() } else { format!("\x1b[?7l{}\x1b[?7h", self.shown.join("\n")) }
    }
}

/// A bar for this part of the whole.
pub fn bar(done: u64, all: u64) -> String {
    let full = done.min(all) * LENGTH / all.max(1);
    (0..LENGTH).map(|place| if place < full { '█' } else { '░' }).collect()
}

fn cut(text: &str, columns: usize, rows: usize) -> Vec<String> {
    text.lines().take(rows).map(|line| line.chars().take(columns).collect()).collect()
}

fn write(text: &str) {
    let mut stderr = std::io::stderr().lock();
    // Where stderr is closed, nobody can be told.
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_grows_from_empty_to_full() {
        let full = |done, all| bar(done, all).chars().filter(|c| *c == '█').count();
        assert_eq!(
            [(0, 9), (1, 2), (8, 9), (9, 9), (10, 9), (0, 0)].map(|(done, all)| full(done, all)),
            [0, 16, 28, 32, 32, 0]
        );
        assert_eq!(bar(1, 3).chars().count(), 32);
    }

    #[test]
    fn lines_are_cut_to_the_terminal_and_deleted_from_the_first_on() {
        let shown = cut("bär and more\nsecond\nthird", 3, 2);
        assert_eq!(shown, ["bär", "sec"]);
        assert_eq!(Lines { shown }.take_away(), "\r\x1b[1A\x1b[J");
        assert_eq!(Lines { shown: cut("one", 9, 9) }.take_away(), "\r\x1b[J");
        assert_eq!(Lines::default().take_away() + &Lines::default().picture(), "", "nothing was shown");
    }
}
