//! Limits of tests: what does not end is killed and told, with what it said, so that nobody waits for ever.

use super::Ran;
use std::io::Read;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How long a program may run, on a busy machine too.
const LIMIT: Duration = Duration::from_secs(600);
/// How long those that hold its output may outlive it.
const REST: Duration = Duration::from_secs(30);

/// Which pipe, and all that came by it.
type Text = (usize, Vec<u8>);

/// Waits until something is so; fails after some minutes, which a busy machine may need.
#[track_caller]
pub fn wait_until(what: &str, mut so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !so() {
        assert!(began.elapsed() < Duration::from_secs(300), "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for the end of a program whose output is in pipes, and reads what it says.
#[track_caller]
pub fn finish(child: Child) -> Ran {
    finish_within(child, LIMIT)
}

/// The same, but not for so long.
#[track_caller]
pub fn finish_within(mut child: Child, limit: Duration) -> Ran {
    drop(child.stdin.take());
    let (sender, receiver) = channel();
    let mut count = 0;
    if let Some(pipe) = child.stdout.take() {
        count += 1;
        read(0, pipe, sender.clone());
    }
    if let Some(pipe) = child.stderr.take() {
        count += 1;
        read(1, pipe, sender.clone());
    }
    let until = Instant::now() + limit;
    let mut texts = [Vec::new(), Vec::new()];
    let is_read = receive(&receiver, &mut count, &mut texts, until);
    let status = if is_read { wait(&mut child, until) } else { None };
    let text = |texts: &[Vec<u8>; 2], pipe: usize| String::from_utf8_lossy(&texts[pipe]).into_owned();
    if let Some(status) = status {
        return Ran { status: status.code(), stdout: text(&texts, 0), stderr: text(&texts, 1) };
    }
    let has_ended = child.try_wait().unwrap().is_some();
    let _ = child.kill();
    receive(&receiver, &mut count, &mut texts, Instant::now() + REST);
    let what = if has_ended { "something that it started holds the output of" } else { "this did not end:" };
    panic!("{what} process {} after {limit:?}; it said:\n{}\n{}", child.id(), text(&texts, 0), text(&texts, 1));
}

fn read(place: usize, mut pipe: impl Read + Send + 'static, sender: Sender<Text>) {
    std::thread::spawn(move || {
        let mut text = Vec::new();
        // What cannot be read was not said.
        let _ = pipe.read_to_end(&mut text);
        let _ = sender.send((place, text));
    });
}

/// Whether all pipes were read to their end in time.
fn receive(receiver: &Receiver<Text>, count: &mut usize, texts: &mut [Vec<u8>; 2], until: Instant) -> bool {
    while *count > 0 {
        match receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok((place, text)) => texts[place] = text,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return false,
        }
        *count -= 1;
    }
    true
}

fn wait(child: &mut Child, until: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait().unwrap() {
            None if Instant::now() < until => std::thread::sleep(Duration::from_millis(1)),
            ended => return ended,
        }
    }
}
