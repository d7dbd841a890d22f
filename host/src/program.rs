//! A client that is a program instead of a library. The host gives it the server's pipes as standard input and output,
//! and its own process with its sandbox. docs/guides/programs.md describes the lines that travel.
#![expect(unsafe_code)]

use crate::channel::{self, Channel};
use std::ffi::{CString, OsStr, OsString, c_char};
use std::fs::File;
use std::io;
use std::os::fd::{IntoRawFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::ptr;

/// Exit code of a host that could not become the program.
pub const NOT_STARTED: i32 = 114;

/// The whole environment of a program: nothing of the server's, and nothing that differs from match to match.
const ENVIRONMENT: [&str; 7] = [
    "PATH=/usr/local/bin:/usr/bin:/bin",
    "HOME=/nonexistent",
    "LANG=C.UTF-8",
    "PYTHONDONTWRITEBYTECODE=1",
    "PYTHONHASHSEED=0",
    "PYTHONUNBUFFERED=1",
    "OPENSSL_CONF=/dev/null", // which node reads at its start
];

/// The interpreter of a file, and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The path of the executable file.
    pub interpreter: PathBuf,
    /// The arguments before the file on its command line.
    pub words: Vec<OsString>,
}

/// A program whose interpreter is open. The sandbox lets the process become only the file behind this descriptor. Its
/// number is above all that a client can have, and it closes when the program begins, so there is no second start.
#[derive(Debug)]
pub struct OpenProgram {
    pub interpreter: PathBuf,
    /// The descriptor of the open interpreter.
    pub descriptor: RawFd,
}

impl Program {
    /// Opens the interpreter before the sandbox closes.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(&self) -> io::Result<OpenProgram> {
        let opened = File::options().read(true).custom_flags(libc::O_PATH).open(&self.interpreter)?;
        let descriptor = channel::move_up(opened.into_raw_fd())?;
        Ok(OpenProgram { interpreter: self.interpreter.clone(), descriptor })
    }

    /// Becomes the program; returns only if that fails.
    pub fn run(&self, start: &OpenProgram, channel: &Channel, file: &Path) -> io::Error {
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

fn execute(start: &OpenProgram, words: &[CString], channel: &Channel) -> io::Error {
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
