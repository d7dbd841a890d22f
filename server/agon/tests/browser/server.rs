//! A server of the program that a test asks, as a browser or as no browser does.

use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long a server may take for whatever it is told or asked.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server of the program, which ends with this.
pub struct Running {
    process: Child,
    /// `http://127.0.0.1:PORT/`, with its token if it has one.
    pub link: String,
    lines: Receiver<String>,
}

impl Running {
    /// Starts a command and waits until it says what to open, on stdout or stderr.
    pub fn start(mut command: Command) -> Running {
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (send, receive) = channel();
        let outputs: [Box<dyn Read + Send>; 2] =
            [Box::new(process.stdout.take().unwrap()), Box::new(process.stderr.take().unwrap())];
        for output in outputs {
            let send = send.clone();
            // It reads on to the end, so that the process never waits for it.
            std::thread::spawn(move || {
                BufReader::new(output).lines().map_while(Result::ok).for_each(|line| drop(send.send(line)))
            });
        }
        let mut server = Running { process, link: String::new(), lines: receive };
        server.link = server.next_link();
        server
    }

    /// The next address that it tells.
    pub fn next_link(&self) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("no address is told");
            if let Some(link) = line.split_whitespace().find(|word| word.starts_with("http://")) {
                return link.to_owned();
            }
        }
    }

    pub fn port(&self) -> u16 {
        let rest = self.link.strip_prefix("http://").unwrap().split('/').next().unwrap();
        rest.rsplit(':').next().unwrap().parse().unwrap()
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// A connection on which nothing is waited for without end.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port())).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends these bytes and reads what comes until the connection is closed.
    pub fn ask(&self, request: &str) -> String {
        let mut stream = self.connect();
        // Where the server has seen enough it closes while more is written.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Asks for a page as a browser does.
    pub fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.process), signal).unwrap();
    }

    /// How it ends by itself.
    #[track_caller]
    pub fn end(mut self) -> Option<i32> {
        ended_within(&mut self.process, PATIENCE).expect("the server was told to end, and goes on").code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        end_now(&mut self.process);
    }
}

/// How a process ends; `None` where it has not after so long.
fn ended_within(process: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let begun = Instant::now();
    loop {
        match process.try_wait().unwrap() {
            None if begun.elapsed() < limit => std::thread::sleep(Duration::from_millis(10)),
            status => return status,
        }
    }
}

/// Ends a process. What hangs in the kernel is left there: whoever waited for it would hang as well.
pub fn end_now(process: &mut Child) {
    let _ = process.kill();
    let _ = ended_within(process, Duration::from_secs(10));
}

/// The status of an answer.
pub fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}
