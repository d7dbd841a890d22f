//! The server's pipes: descriptors 3 (requests), 4 (replies) and 5 (log), moved to numbers that the client cannot
//! reach.
#![expect(unsafe_code)]

use crate::line;
use agon_abi::{HEAD, Link, MAX_LINKS, MAX_PAYLOAD, Reply, Request, bytes_of, read};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::mem::MaybeUninit;
use std::os::fd::{FromRawFd, IntoRawFd, RawFd};
use std::path::Path;

/// The lowest descriptor the host keeps for itself: above what `RLIMIT_NOFILE` lets a client reach by `dup2`.
const FIRST_OWN: RawFd = 100;
/// A pipe's usual capacity: a request up to this size arrives in one `read`.
const ROOM: usize = 64 << 10;

/// The exit code of a host whose pipes the client has closed. A client is unlikely to exit with it.
pub const CLOSED: i32 = 113;

/// Both directions of the connection to the server.
pub struct Channel {
    requests: RawFd,
    replies: RawFd,
    room: Room,
    /// The channel reads no more than one request. The next ones follow in a file, or belong to a program.
    exact: bool,
    from_file: bool,
}

/// A request as it lies in the buffer.
pub struct Message<'a> {
    pub head: Request,
    /// The payload, whose links are not applied yet.
    pub payload: &'a mut [u64],
    /// The links, one a word.
    pub links: &'a [u64],
}

/// Reads links as they travel: the low half of a word is the offset of the pointer, the high half that of its target.
pub fn links(words: &[u64]) -> impl Iterator<Item = Link> + use<'_> {
    words.iter().map(|word| Link { at: *word as u32, target: (*word >> 32) as u32 })
}

/// Why the host cannot go on. No server of this version sends such requests.
#[derive(Debug)]
pub enum BadRequest {
    Pipe(io::Error),
    /// The stream ended within a request.
    CutShort,
    /// Payload or links are too long, or the payload is not a whole number of words.
    Size(Request),
    /// Bytes follow the request before it was answered.
    TwoAtOnce,
    /// The request is not of this version, or not expected at this point.
    Unexpected(u32),
    /// A link points outside its payload.
    Link(agon_abi::Broken),
    /// A setup without a head, or an `Expected` that cannot be read.
    Payload,
}

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadRequest::Pipe(error) => write!(f, "the server's pipe failed: {error}"),
            BadRequest::CutShort => write!(f, "the stream of requests ended within a request"),
            BadRequest::Size(head) => write!(f, "a request of {} bytes with {} links", head.payload, head.links),
            BadRequest::TwoAtOnce => write!(f, "a second request before the first was answered"),
            BadRequest::Unexpected(kind) => write!(f, "a request of kind {kind} has no place here"),
            BadRequest::Link(broken) => write!(f, "{:?} points outside its payload", broken.0),
            BadRequest::Payload => write!(f, "a payload that does not fit its request"),
        }
    }
}

impl From<io::Error> for BadRequest {
    fn from(error: io::Error) -> Self {
        BadRequest::Pipe(error)
    }
}

impl Channel {
    /// Moves the three pipes up, sets them to close on exec, and closes every other descriptor except 0, 1 and 2.
    ///
    /// # Errors
    /// Descriptor 3, 4 or 5 is not open.
    pub fn take() -> io::Result<Channel> {
        Channel::of([3, 4, 5], None)
    }

    /// Does the same with pipes that have these numbers: requests, replies, log. The descriptor `kept` stays open as
    /// well.
    ///
    /// # Errors
    /// One of them is not open.
    pub fn of([requests, replies, log]: [RawFd; 3], kept: Option<RawFd>) -> io::Result<Channel> {
        let [requests, replies, log] = [move_up(requests)?, move_up(replies)?, move_up(log)?];
        close_all_but([2, kept.unwrap_or(2), requests, replies, log, RawFd::MAX]);
        // SAFETY: fcntl on an own descriptor touches no memory.
        unsafe { libc::fcntl(log, libc::F_SETFL, libc::O_WRONLY | libc::O_NONBLOCK) };
        line::send_lines_to(log);
        Ok(Channel { requests, replies, room: Room::new(), exact: false, from_file: false })
    }

    /// Reads requests from a file, as a server would have made them, for a debugger. Replies are dropped; the log goes
    /// to standard error.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(requests: &Path) -> io::Result<Channel> {
        let requests = File::open(requests)?.into_raw_fd();
        let replies = File::options().write(true).open("/dev/null")?.into_raw_fd();
        line::send_lines_to(2);
        Ok(Channel { requests, replies, room: Room::new(), exact: true, from_file: true })
    }

    /// From this call on, the channel reads only one request at a time.
    pub fn read_exactly(&mut self) {
        self.exact = true;
    }

    /// Whether the requests come from a file, for a debugger.
    pub fn is_file(&self) -> bool {
        self.from_file
    }

    /// Reads the raw bytes before the first request.
    pub fn beginning(&self) -> impl Read + use<> {
        Beginning(self.requests)
    }

    /// The descriptors of requests and replies.
    pub(crate) fn pipes(&self) -> [RawFd; 2] {
        [self.requests, self.replies]
    }

    /// The next request, `None` when the server has closed the pipe. A short request costs one `read` and no
    /// allocation.
    ///
    /// # Errors
    /// The request is not one that a server of this version sends.
    pub fn receive(&mut self) -> Result<Option<Message<'_>>, BadRequest> {
        self.room.filled = 0;
        if self.fill(HEAD)? == 0 {
            return Ok(None);
        }
        let words = self.room.words(HEAD / 8).first_chunk::<{ HEAD / 8 }>();
        let head: Request = words.and_then(|words| read(bytes_of(words))).ok_or(BadRequest::CutShort)?;
        let (payload, links) = (head.payload as usize, head.links as usize);
        if payload > MAX_PAYLOAD || links > MAX_LINKS || !payload.is_multiple_of(8) {
            return Err(BadRequest::Size(head));
        }
        let whole = HEAD + payload + links * 8;
        self.room.grow_to(whole / 8);
        if self.fill(whole)? > whole {
            return Err(BadRequest::TwoAtOnce);
        }
        let (front, back) = self.room.words(whole / 8).split_at_mut((HEAD + payload) / 8);
        Ok(Some(Message { head, payload: &mut front[HEAD / 8..], links: back }))
    }

    /// Sends a reply in one write.
    ///
    /// # Errors
    /// The server no longer reads.
    pub fn reply(&self, reply: &Reply) -> io::Result<()> {
        let bytes = bytes_of(reply);
        // SAFETY: the pointer and the length are those of a live slice.
        match unsafe { libc::write(self.replies, bytes.as_ptr().cast(), bytes.len()) } {
            HEAD_WRITTEN => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Reads until `need` bytes are there, and takes further bytes that come along. Returns the number of bytes, 0 only
    /// at the end of the stream.
    fn fill(&mut self, need: usize) -> Result<usize, BadRequest> {
        while self.room.filled < need {
            let end = if self.exact { need } else { self.room.words.len() * 8 };
            match self.room.read(self.requests, end) {
                0 if self.room.filled == 0 => return Ok(0),
                0 => return Err(BadRequest::CutShort),
                1.. => {}
                _ if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
                _ => return Err(io::Error::last_os_error().into()),
            }
        }
        Ok(self.room.filled)
    }
}

/// The buffer of a request. It is not zeroed first: most of it is never touched, and each touched page costs a fault.
struct Room {
    words: Box<[MaybeUninit<u64>]>,
    /// The number of bytes read.
    filled: usize,
}

impl Room {
    fn new() -> Room {
        Room { words: Box::new_uninit_slice(ROOM / 8), filled: 0 }
    }

    /// Makes room for this number of words, and keeps the bytes read.
    fn grow_to(&mut self, words: usize) {
        if words > self.words.len() {
            let mut larger = Box::new_uninit_slice(words);
            larger[..self.words.len()].copy_from_slice(&self.words);
            self.words = larger;
        }
    }

    /// Appends to the bytes read, up to byte `end` at most; answers as the system call does.
    fn read(&mut self, descriptor: RawFd, end: usize) -> isize {
        assert!(self.filled <= end && end <= self.words.len() * 8);
        // SAFETY: as just asserted, these bytes lie within the words.
        let got = unsafe {
            let behind = self.words.as_mut_ptr().cast::<u8>().add(self.filled);
            libc::read(descriptor, behind.cast(), end - self.filled)
        };
        self.filled += got.max(0) as usize;
        got
    }

    /// The first words of the bytes read.
    fn words(&mut self, count: usize) -> &mut [u64] {
        assert!(count * 8 <= self.filled);
        // SAFETY: this number of words was read, and any bytes make a word.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), count) }
    }
}

/// Reads a descriptor of a channel before its first request.
struct Beginning(RawFd);

impl Read for Beginning {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        // SAFETY: pointer and length are those of a live slice.
        match unsafe { libc::read(self.0, room.as_mut_ptr().cast(), room.len()) } {
            -1 => Err(io::Error::last_os_error()),
            length => Ok(length as usize),
        }
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        for descriptor in [self.requests, self.replies] {
            // SAFETY: both descriptors are the channel's own.
            unsafe { libc::close(descriptor) };
        }
    }
}

/// Keeps standard output for the caller and gives the client standard error instead, so that neither spoils the other's
/// lines. Lines of the log go to the same output.
///
/// # Errors
/// Standard output or standard error is missing, or standard output is a file, to which nothing can be written later.
pub fn keep_stdout() -> io::Result<File> {
    let kept = move_up(1)?;
    // SAFETY: the descriptor was just made and has no other owner; dup2 touches no memory.
    let (out, copied) = unsafe { (File::from_raw_fd(kept), libc::dup2(2, 1)) };
    match copied {
        _ if out.metadata()?.is_file() => {
            Err(io::Error::other("standard output must be a pipe: the sandbox writes no file"))
        }
        1 => {
            line::send_lines_to(kept);
            Ok(out)
        }
        _ => Err(io::Error::last_os_error()),
    }
}

const HEAD_WRITTEN: isize = HEAD as isize;

/// Moves a descriptor above `FIRST_OWN`. Where the limit is lower, it leaves it in place and sets it to close on exec.
pub(crate) fn move_up(descriptor: RawFd) -> io::Result<RawFd> {
    // SAFETY: fcntl and close touch no memory; the old number is not used again.
    unsafe {
        let moved = libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, FIRST_OWN);
        if moved >= 0 {
            libc::close(descriptor);
            return Ok(moved);
        }
        match libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC) {
            0 => Ok(descriptor),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Closes all descriptors except these.
fn close_all_but<const COUNT: usize>(mut kept: [RawFd; COUNT]) {
    kept.sort_unstable();
    for pair in kept.windows(2).filter(|pair| pair[1] - pair[0] > 1) {
        close_between(pair[0] + 1, pair[1] - 1);
    }
}

fn close_between(first: RawFd, last: RawFd) {
    // SAFETY: nothing in this process owns a descriptor in the range yet.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, last, 0) != 0 {
            for descriptor in first..=last.min(1023) {
                libc::close(descriptor);
            }
        }
    }
}
