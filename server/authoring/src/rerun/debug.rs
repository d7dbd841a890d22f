//! A client in a debugger's hands: which layers of the sandbox stay around it, and the question where one does not.

use super::Failure;
use std::ffi::OsString;
use std::io::{BufRead, IsTerminal, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Debugger {
    /// It looks from outside, so that the sandbox holds. What the host's handler answers is nothing to stop at.
    Gdb,
    /// It runs the client's code itself, in one process with it, and reads files and maps memory as no client may.
    Valgrind,
}

impl Debugger {
    fn words(self) -> &'static [&'static str] {
        match self {
            Debugger::Gdb => &["gdb", "-q", "-ex", "handle SIGSYS nostop noprint pass", "--args"],
            Debugger::Valgrind => &["valgrind", "--leak-check=full"],
        }
    }

    /// Layers that it cannot work with.
    fn without(self) -> &'static [&'static str] {
        match self {
            Debugger::Gdb => &[],
            Debugger::Valgrind => &["landlock", "seccomp"],
        }
    }
}

/// Starts it on a host with these words, or says how where there is no terminal; asks before a client is let out of a
/// layer.
pub(super) fn start(debugger: &Debugger, trust: bool, host: &Path, words: Vec<PathBuf>) -> Result<u8, Failure> {
    let sandbox: Vec<&str> = match trust {
        true => vec!["--sandbox", "off"],
        false => debugger.without().iter().flat_map(|layer| ["--without", *layer]).collect(),
    };
    let line: Vec<OsString> = (debugger.words().iter().map(OsString::from))
        .chain([host.as_os_str().to_owned()])
        .chain(sandbox.iter().map(OsString::from))
        .chain(words.into_iter().map(PathBuf::into_os_string))
        .collect();
    let quoted: Vec<String> = line.iter().map(|word| quote(&word.to_string_lossy())).collect();
    println!("{}", quoted.join(" "));
    let at_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if !trust && !sandbox.is_empty() {
        let layers = debugger.without().join(" and ");
        eprintln!(
            "caution: under {} the client runs without {layers}: it can read and write your files and use the network as you can",
            debugger.words()[0]
        );
        if at_terminal && !is_wanted() {
            return Ok(0);
        }
    }
    if !at_terminal {
        return Ok(0);
    }
    // The debugger takes the place of this program, and with it the terminal and its signals.
    let error = Command::new(&line[0]).args(&line[1..]).exec();
    Err(Failure::new(1, format!("{} does not start: {error}; help: install it", debugger.words()[0])))
}

/// Whether the answer at the terminal is yes.
fn is_wanted() -> bool {
    eprint!("start it? [y/N] ");
    let _ = std::io::stderr().flush();
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}

/// As a shell takes it.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@%,~".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}
