//! `--notify COMMAND`: runs a shell command when a client was benched, a block was void, or the run has ended or
//! failed.

use agon_command::output::say;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The events that are reported, by their names in `AGON_EVENT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// A client plays no more.
    Benched,
    /// A block was void, or the run failed.
    Trouble,
    /// The run is over, or was stopped.
    Ended,
}

impl Occasion {
    fn name(self) -> &'static str {
        match self {
            Occasion::Benched => "benched",
            Occasion::Trouble => "trouble",
            Occasion::Ended => "ended",
        }
    }
}

/// The time that commands have after the end of the run.
const COMMAND_PATIENCE: Duration = Duration::from_secs(20);
/// The most reports of trouble: a night of it is a few messages, not a thousand.
const MOST_TROUBLE: usize = 5;

/// The command and those that still run.
#[derive(Default)]
pub struct Notify {
    command: Option<String>,
    running: Vec<Child>,
    troubles: usize,
}

impl Notify {
    /// Without a command nothing is reported.
    pub fn new(command: Option<&str>) -> Notify {
        Notify { command: command.map(str::to_owned), ..Notify::default() }
    }

    /// Starts the command with `AGON_EVENT`, `AGON_LADDER` and `AGON_MESSAGE`, and does not wait for it.
    pub fn tell(&mut self, occasion: Occasion, ladder: &str, message: &str) {
        let Some(command) = &self.command else { return };
        if occasion == Occasion::Trouble {
            self.troubles += 1;
            if self.troubles > MOST_TROUBLE {
                return;
            }
        }
        self.running.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).stdin(Stdio::null()).stdout(Stdio::null());
        // What a client is called or has said may stand in it: it is data for the command, never a part of it.
        let message = message.replace('\0', "\u{fffd}");
        shell.env("AGON_EVENT", occasion.name()).env("AGON_LADDER", ladder).env("AGON_MESSAGE", message);
        match shell.spawn() {
            Ok(child) => self.running.push(child),
            Err(error) => say(&format!("--notify: sh cannot be started: {error}")),
        }
    }

    /// Waits for commands that still run, but not for ever; says of each that failed.
    pub fn finish(mut self) {
        let until = Instant::now() + COMMAND_PATIENCE;
        for mut child in std::mem::take(&mut self.running) {
            loop {
                match child.try_wait() {
                    Ok(Some(status)) if status.success() => break,
                    Ok(Some(status)) => {
                        say(&format!("--notify: the command ended with {status}"));
                        break;
                    }
                    Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(20)),
                    Ok(None) => {
                        say("--notify: the command still runs, and is not waited for");
                        break;
                    }
                    Err(_) => break,
                }
            }
        }
    }
}
