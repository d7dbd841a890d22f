//! Captures what a client prints and logs: it reads the streams as they come, and keeps a capped part with the place in
//! the match.

use super::Thought;
use agon_games::Seat;
use agon_model::{Output, Phase, Stream};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::collections::VecDeque;

/// One stream of one client. Half of what is kept is the beginning; the other half is the end, where a crash would
/// show.
pub struct Capture {
    pipe: OwnedFd,
    stream: Stream,
    half: usize,
    head: Vec<(Phase, u32, Vec<u8>)>,
    head_len: usize,
    tail: VecDeque<u8>,
    dropped: u64,
    dropped_at: Option<(Phase, u32)>,
}

impl Capture {
    /// Captures a non-blocking pipe and keeps `cap` bytes.
    pub fn new(pipe: OwnedFd, stream: Stream, cap: u64) -> Capture {
        let half = usize::try_from(cap / 2).unwrap_or(usize::MAX);
        let (head, tail) = (Vec::new(), VecDeque::new());
        Capture { pipe, stream, half, head, head_len: 0, tail, dropped: 0, dropped_at: None }
    }

    /// The pipe, for waiting on it.
    pub fn pipe(&self) -> &OwnedFd {
        &self.pipe
    }

    /// Reads the bytes that are there, and shows them to `seen`. The number of reads is limited, so that a flood cannot
    /// hold the referee. Returns whether the stream was closed.
    pub fn drain(&mut self, phase: Phase, ply: u32, seen: &mut dyn FnMut(&[u8])) -> bool {
        let mut buffer = [0u8; 16384];
        for _ in 0..4 {
            match rustix::io::read(&self.pipe, &mut buffer) {
                Ok(0) => return true,
                Ok(len) => {
                    seen(&buffer[..len]);
                    self.keep(&buffer[..len], phase, ply);
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return false,
                Err(_) => return true,
            }
        }
        false
    }

    /// Keeps bytes that came another way, as if they had been read.
    pub fn keep(&mut self, bytes: &[u8], phase: Phase, ply: u32) {
        let (first, rest) = bytes.split_at(bytes.len().min(self.half - self.head_len));
        if !first.is_empty() {
            self.head_len += first.len();
            match self.head.last_mut() {
                Some((its_phase, its_ply, text)) if (*its_phase, *its_ply) == (phase, ply) => text.extend(first),
                _ => self.head.push((phase, ply, first.to_vec())),
            }
        }
        let skip = rest.len().saturating_sub(self.half);
        self.tail.extend(&rest[skip..]);
        let excess = self.tail.len().saturating_sub(self.half);
        self.tail.drain(..excess);
        self.dropped += (skip + excess) as u64;
        if self.dropped > 0 {
            self.dropped_at.get_or_insert((phase, ply));
        }
    }

    /// The last line of the kept text that is not empty; a long one is cut.
    pub fn last_line(&self) -> String {
        const MOST: usize = 200;
        let head = self.head.iter().flat_map(|(_, _, bytes)| bytes);
        let all: Vec<u8> = head.chain(&self.tail).copied().collect();
        let lines = all.rsplit(|byte| *byte == b'\n').map(String::from_utf8_lossy);
        let last = lines.map(|line| line.trim().to_owned()).find(|line| !line.is_empty()).unwrap_or_default();
        last.chars().take(MOST).map(|c| if c.is_control() { ' ' } else { c }).collect()
    }

    /// The number of bytes that were not kept.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Where in the match the first dropped byte came.
    pub fn dropped_at(&self) -> Option<(Phase, u32)> {
        self.dropped_at
    }

    /// Takes the kept parts in order. The end is filed under the place where the stream was last read.
    pub fn take_outputs(&mut self, seat: Seat, phase: Phase, ply: u32) -> Vec<Output> {
        let (dropped, stream) = (self.dropped, self.stream);
        let output = |phase, ply, text| Output { seat, phase, ply, stream, text };
        let head = std::mem::take(&mut self.head).into_iter();
        let mut outputs: Vec<Output> =
            head.map(|(phase, ply, bytes)| output(phase, ply, String::from_utf8_lossy(&bytes).into_owned())).collect();
        if !self.tail.is_empty() {
            let tail: Vec<u8> = std::mem::take(&mut self.tail).into();
            let gap = if dropped > 0 { format!("[… {dropped} bytes left out …]\n") } else { String::new() };
            outputs.push(output(phase, ply, gap + &String::from_utf8_lossy(&tail)));
        }
        (self.head_len, self.dropped, self.dropped_at) = (0, 0, None);
        outputs
    }
}

/// The host's own lines in the log, such as `agon.denied<TAB>/etc/passwd`, and why a client declined. They are picked
/// out as they come, so that no flood of the client's own lines displaces them. Of the client's
/// thoughts, the newest is kept.
#[derive(Default)]
pub struct HostLines {
    partial: Vec<u8>,
    lines: Vec<HostLine>,
    thought: Option<(Phase, u32, Thought)>,
}

/// One of these lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostLine {
    /// The key, such as `agon.denied` or `declined`.
    pub key: String,
    /// The value, which the client's own process wrote: believe it only against the client.
    pub value: String,
    /// The phase of the match in which it was read.
    pub phase: Phase,
    /// The ply at which it was read.
    pub ply: u32,
}

impl HostLines {
    const MOST: usize = 64;
    const LONGEST: usize = 2048;

    /// Takes the next bytes of the log.
    pub fn take(&mut self, bytes: &[u8], phase: Phase, ply: u32) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            if self.partial.len() < Self::LONGEST {
                self.partial.extend_from_slice(piece);
            }
            if piece.ends_with(b"\n") {
                self.keep_line(phase, ply);
                self.partial.clear();
            }
        }
    }

    fn keep_line(&mut self, phase: Phase, ply: u32) {
        if [&b"value\t"[..], b"depth\t", b"nodes\t"].iter().any(|key| self.partial.starts_with(key)) {
            let (_, _, mut thought) = self.thought.filter(|(of, at, _)| (*of, *at) == (phase, ply)).unwrap_or((
                phase,
                ply,
                Thought::default(),
            ));
            thought.take(&String::from_utf8_lossy(&self.partial));
            self.thought = Some((phase, ply, thought));
            return;
        }
        let tells = self.partial.starts_with(b"agon.") || self.partial.starts_with(b"declined\t");
        if !tells || self.lines.len() >= Self::MOST {
            return;
        }
        let text = String::from_utf8_lossy(&self.partial);
        if let Some((key, value)) = text.trim_end().split_once('\t') {
            self.lines.push(HostLine { key: key.to_owned(), value: value.to_owned(), phase, ply });
        }
    }

    /// All lines with this key, in order.
    pub fn of<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a HostLine> {
        self.lines.iter().filter(move |line| line.key == key)
    }

    /// The client's thought in this call.
    pub fn thought_in(&self, phase: Phase, ply: u32) -> Thought {
        self.thought.filter(|(of, at, _)| (*of, *at) == (phase, ply)).map(|(_, _, thought)| thought).unwrap_or_default()
    }

    /// The newest value of a key in this call.
    pub fn last_in(&self, key: &str, phase: Phase, ply: u32) -> Option<&str> {
        let is_of = |line: &&HostLine| line.key == key && (line.phase, line.ply) == (phase, ply);
        self.lines.iter().rev().find(is_of).map(|line| line.value.as_str())
    }

    /// The newest value of a key.
    pub fn last(&self, key: &str) -> Option<&str> {
        self.lines.iter().rev().find(|line| line.key == key).map(|line| line.value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::pipe::{PipeFlags, pipe_with};

    fn capture(cap: u64) -> (Capture, OwnedFd) {
        let (reader, writer) = pipe_with(PipeFlags::NONBLOCK).unwrap();
        (Capture::new(reader, Stream::Stdout, cap), writer)
    }

    #[test]
    fn text_keeps_its_ply() {
        let (mut capture, writer) = capture(100);
        for ply in [3, 5] {
            rustix::io::write(&writer, format!("ply {ply}\n").as_bytes()).unwrap();
            assert!(!capture.drain(Phase::Play, ply, &mut |_| ()));
        }
        drop(writer);
        assert!(capture.drain(Phase::Finalize, 6, &mut |_| ()));
        let outputs = capture.take_outputs(1, Phase::Finalize, 6);
        let texts: Vec<_> = outputs.iter().map(|output| (output.ply, output.text.as_str())).collect();
        assert_eq!(texts, [(3, "ply 3\n"), (5, "ply 5\n")]);
    }

    #[test]
    fn a_flood_keeps_its_beginning_and_its_end() {
        let (mut capture, writer) = capture(20);
        for number in 0..1000 {
            rustix::io::write(&writer, format!("{number:09}\n").as_bytes()).unwrap();
            capture.drain(Phase::Play, number, &mut |_| ());
        }
        assert_eq!(capture.dropped(), 9980);
        let outputs = capture.take_outputs(0, Phase::Play, 1000);
        assert_eq!(outputs[0].text, "000000000\n");
        assert_eq!(outputs[1].text, "[… 9980 bytes left out …]\n000000999\n");
    }

    #[test]
    fn host_lines_are_found_among_others_and_across_reads() {
        let mut lines = HostLines::default();
        for piece in ["agon.syscall\tfork (57)\ndepth\t3\nagon.sys", "call\tsocket (41)\nagon.", "denied"] {
            lines.take(piece.as_bytes(), Phase::Play, 2);
        }
        assert_eq!(lines.last("agon.syscall"), Some("socket (41)"));
        assert_eq!(lines.of("agon.syscall").count(), 2);
        assert_eq!(lines.last("agon.denied"), None);
    }
}
