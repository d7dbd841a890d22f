//! A program's answers: one line to each question, read as it comes.

use super::{CallTime, Host, Reply};
use crate::Trouble;
use crate::speech::{LONGEST_LINE, ProgramAnswer, Speech, line_excerpt};
use crate::verdict::{self, Moment};
use agon_abi::{Blob, Request, RequestKind};
use agon_model::Limits;
use rustix::io::Errno;

/// A program's side of the conversation.
pub struct Talk {
    pub speech: Speech,
    /// The beginning of an unfinished line.
    pub line: Vec<u8>,
    /// Its answer to its setup.
    pub setup: ProgramAnswer,
}

impl Host {
    /// From the hello on, the client is a program, which talks in lines.
    pub fn speak(&mut self, speech: Speech) {
        self.talk = Some(Talk { speech, line: Vec::new(), setup: ProgramAnswer::default() });
    }

    /// The name that a program gave, in the form in which a host reports one.
    pub fn told_name(&self) -> Option<&(i32, Vec<u8>)> {
        self.talk.as_ref().map(|talk| &talk.setup.name)
    }

    /// Lets the host become the program once it has reported its layers; no reply comes.
    ///
    /// # Errors
    /// The host has ended.
    pub fn let_go(&mut self, moment: Moment) -> Result<(), Trouble> {
        self.sequence += 1;
        let mut request = Vec::new();
        Request::write(self.sequence, RequestKind::Open, &Blob::new(), &mut request);
        // These few bytes fit a pipe that was read empty.
        match self.requests.as_ref().map(|requests| rustix::io::write(requests, &request)) {
            Some(Ok(length)) if length == request.len() => Ok(()),
            _ => Err(self.gone(moment)),
        }
    }

    /// Takes the line that answers, once it is whole.
    pub(super) fn take_line(&mut self, moment: Moment, limits: &Limits) -> Result<Option<(Reply, CallTime)>, Trouble> {
        let mut bytes = [0u8; 16 << 10];
        let length = match rustix::io::read(&self.replies, &mut bytes) {
            Ok(0) => return Err(self.gone(moment)),
            Ok(length) => length,
            Err(Errno::AGAIN | Errno::INTR) => return Ok(None),
            Err(error) => return Err(Trouble::Void(format!("reading a line failed: {error}"))),
        };
        let wall = self.call.began.elapsed();
        let cpu = self.clock.read().unwrap_or(self.call.cpu_began);
        let Some(talk) = &mut self.talk else { return Ok(None) };
        talk.line.extend_from_slice(&bytes[..length]);
        let Some(end) = talk.line.iter().position(|byte| *byte == b'\n') else {
            let is_endless = talk.line.len() > LONGEST_LINE;
            return if is_endless { Err(self.endless(moment)) } else { Ok(None) };
        };
        let line = std::mem::take(&mut talk.line);
        let answer = talk.speech.answer(self.call.kind, &line[..end]);
        self.mark = (cpu, self.call.began + wall);
        match answer {
            Ok(_) if end + 1 < line.len() => Err(self.unsolicited(&line[end + 1..], moment)),
            Ok(said) => {
                let reply = said.reply(self.sequence, self.call.kind);
                self.lines.take(said.log.as_bytes(), moment.phase, moment.ply);
                self.captures[2].keep(said.log.as_bytes(), moment.phase, moment.ply);
                if let Some(why) = &said.declined {
                    self.lines.take(
                        format!("declined\t{}\n", why.replace('\n', " ")).as_bytes(),
                        moment.phase,
                        moment.ply,
                    );
                }
                if let Some(talk) = self.talk.as_mut().filter(|_| said.mv.is_empty()) {
                    talk.setup = said;
                }
                Ok(Some((reply, self.end_call(wall, cpu, moment, limits)?)))
            }
            Err(why) => Err(self.blame_line(moment, &why)),
        }
    }

    fn endless(&mut self, moment: Moment) -> Trouble {
        let most = LONGEST_LINE >> 10;
        self.blame_line(moment, &format!("a line of more than {most} KiB; help: end each answer with a line break"))
    }

    /// Blames bytes that answer nothing.
    pub(super) fn unsolicited(&mut self, bytes: &[u8], moment: Moment) -> Trouble {
        let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let help = "print one line for each question, and everything else to stderr";
        self.blame_line(moment, &format!("a line that nobody asked for: {}; help: {help}", line_excerpt(line)))
    }

    fn blame_line(&mut self, moment: Moment, why: &str) -> Trouble {
        self.kill();
        self.drain_all(moment.phase, moment.ply);
        verdict::program::misspoke(moment, why, &self.last_words())
    }

    /// Blames a program that ended, or closed the stream for its answers.
    pub(super) fn blame_program(&mut self, moment: Moment, what: &str) -> Trouble {
        self.drain_all(moment.phase, moment.ply);
        verdict::program::ended(moment, what, &self.last_words())
    }

    fn last_words(&self) -> String {
        self.captures[1].last_line()
    }
}
