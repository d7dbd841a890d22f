//! A program in place of a library: the host gives it the server's pipes as its standard input and output, and its own
//! process, sandbox included. Whatever is written there are lines, docs/guides/programs.md.

use crate::channel::{self, Channel};
use std::ffi::{CString, OsStr, OsString, c_char};
use std::fs::File;
use std::io;
use std::os::fd::{IntoRawFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::ptr;

/// How a host ends that could not become the program.
pub const NOT_STARTED: i32 = 114;

/// All of a program's environment: nothing of the server's, and nothing that differs from match to match.
const ENVIRONMENT: [&str; 7] = [
    "PATH=/usr/local/bin:/usr/bin:/bin",
    "HOME=/nonexistent",
    "LANG=C.UTF-8",
    "PYTHONDONTWRITEBYTECODE=1",
    "PYTHONHASHSEED=0",
    "PYTHONUNBUFFERED=1",
    "OPENSSL_CONF=/dev/null", // which node reads at its start
];

/// What runs a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The executable file.
    pub interpreter: PathBuf,
    /// What stands before the file on its command line.
    pub words: Vec<OsString>,
}

/// A program whose interpreter is open. The sandbox lets the process become what this descriptor leads to and nothing
/// else: the number is above all that a client can have, and is closed when the program begins, so that there is no
/// second start.
#[derive(Debug)]
pub struct Start {
    /// The executable file.
    pub interpreter: PathBuf,
    /// Its descriptor.
    pub descriptor: RawFd,
}

impl Program {
    /// Opens the interpreter, before the sandbox closes.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(&self) -> io::Result<Start> {
        let opened = File::options().read(true).custom_flags(libc::O_PATH).open(&self.interpreter)?;
        let descriptor = channel::move_up(opened.into_raw_fd())?;
        Ok(Start { interpreter: self.interpreter.clone(), descriptor })
    }

    /// Becomes the program; returns only where that fails.
    pub fn run(&self, start: &Start, channel: &Channel, file: &Path) -> io::Error {
        let texts = [self.interpreter.as_os_str()].into_iter().chain(self.words.iter().map(OsString::as_os_str));
        match texts.chain([file.as_os_str()]).map(text).collect::<io::Result<Vec<CString>>>() {
            Ok(words) => execute(start, &words, channel),
            Err(error) => error,
        }
    }
}

fn text(word: &OsStr) -> io::Result<CString> {
    Ok(CString::new(word.as_bytes())?)
}

fn execute(start: &Start, words: &[CString], channel: &Channel) -> io::Error {
    let environment: Vec<CString> = ENVIRONMENT.iter().filter_map(|text| CString::new(*text).ok()).collect();
    let list = |texts: &[CString]| -> Vec<*const c_char> {
        texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect()
    };
    let (arguments, variables) = (list(words), list(&environment));
    let [requests, replies] = channel.pipes();
    // SAFETY: the descriptors are the host's own; both lists end with NULL and lead to texts that live until the call
    // returns, which it does only where it fails.
    unsafe {
        if libc::dup2(requests, 0) < 0 || libc::dup2(replies, 1) < 0 {
            return io::Error::last_os_error();
        }
        let (arguments, variables) = (arguments.as_ptr(), variables.as_ptr());
        libc::syscall(libc::SYS_execveat, start.descriptor, c"".as_ptr(), arguments, variables, libc::AT_EMPTY_PATH);
    }
    io::Error::last_os_error()
}
