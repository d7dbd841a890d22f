//! `agon-host --build FOLDER [--also PATH]... [--tools PATH]... [--user NUMBER] [--processes NUMBER] -- COMMAND
//! WORD...`: goes into the folder and the sandbox of a build, and becomes the command. Nothing is built outside of it.

use crate::sandbox::building::{self, Bounds};
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

/// Threads that its user may have, where nothing else is said.
const PROCESSES: u64 = 200;

/// Becomes the command that the words behind `--build` name; comes back only with what went wrong.
pub fn become_build(words: impl IntoIterator<Item = OsString>) -> String {
    let Some((bounds, command)) = read(words) else {
        let words = "[--also PATH]... [--tools PATH]... [--user NUMBER] [--processes NUMBER]";
        return format!("usage: --build FOLDER {words} -- COMMAND WORD...");
    };
    if let Err(error) = std::env::set_current_dir(&bounds.folder) {
        return format!("{}: {error}", bounds.folder.display());
    }
    if let Err(why) = building::enter(&bounds) {
        return format!("no sandbox, so nothing is built: {why}");
    }
    let error = Command::new(&command[0]).args(&command[1..]).exec();
    format!("{}: {error}", command[0].display())
}

fn read(words: impl IntoIterator<Item = OsString>) -> Option<(Bounds, Vec<OsString>)> {
    let mut words = words.into_iter();
    let folder = words.next().map(PathBuf::from)?;
    let mut bounds = Bounds { folder, also: Vec::new(), tools: Vec::new(), user: None, processes: PROCESSES };
    loop {
        let word = words.next()?;
        match word.to_str() {
            Some("--also") => bounds.also.push(words.next().map(PathBuf::from)?),
            Some("--tools") => bounds.tools.push(words.next().map(PathBuf::from)?),
            Some("--user") => bounds.user = Some(words.next()?.to_str()?.parse().ok()?),
            Some("--processes") => bounds.processes = words.next()?.to_str()?.parse().ok()?,
            Some("--") => break,
            _ => return None,
        }
    }
    let command: Vec<OsString> = words.collect();
    (!command.is_empty()).then_some((bounds, command))
}
