//! A program in a terminal of its own: what is typed, and what it shows.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running program and its terminal.
pub struct Terminal {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    seen: String,
}

impl Terminal {
    /// Starts the program; input, output and errors are the terminal.
    pub fn start(command: &mut Command, columns: u16, rows: u16) -> Terminal {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
        let theirs = || File::options().read(true).write(true).open(&name).unwrap();
        tcsetwinsize(&ours, Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        command.stdin(theirs()).stdout(theirs()).stderr(theirs()).env("NO_COLOR", "1").env("TERM", "xterm");
        let child = command.spawn().unwrap();
        let keyboard = File::from(ours);
        let mut picture = keyboard.try_clone().unwrap();
        let (sender, screen) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The terminal fails when the program has closed it.
            while let Ok(length @ 1..) = picture.read(&mut bytes) {
                let _ = sender.send(bytes[..length].to_vec());
            }
        });
        Terminal { child, keyboard, screen, seen: String::new() }
    }

    /// Types, after which only what comes later is waited for.
    pub fn send(&mut self, keys: &str) {
        self.seen.clear();
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until this was shown since the last keys; returns everything shown since then.
    #[track_caller]
    pub fn wait_for(&mut self, text: &str) -> &str {
        self.wait_for_any(&[text])
    }

    /// The same for one of several texts.
    #[track_caller]
    pub fn wait_for_any(&mut self, texts: &[&str]) -> &str {
        let until = Instant::now() + PATIENCE;
        while !texts.iter().any(|text| self.seen.contains(text)) {
            match self.screen.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.seen += &String::from_utf8_lossy(&bytes),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("{texts:?} was not shown, but\n{}", self.seen.replace('\x1b', "ESC"))
                }
            }
        }
        &self.seen
    }

    /// Tells the program to end.
    pub fn terminate(&self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    }

    /// Waits for the end of the program; its status.
    pub fn end(mut self) -> Option<i32> {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait().unwrap() {
                Some(status) => return status.code(),
                None => assert!(Instant::now() < until, "it does not end; it shows\n{}", self.seen),
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
