//! Keeps facts about this machine and its user out of exports and pages.

use crate::output::say;
use crate::token::draw_token;
use crate::{Failure, atomic_file};
use agon_record::Redaction;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Collects the facts about this machine and its user that must not be published, and the clients' names where these
/// are anonymous.
///
/// # Errors
/// The secret behind the numbers of anonymous clients cannot be read.
pub fn redaction(anonymous: bool, record: &Path) -> Result<Redaction, Failure> {
    let secret = anonymous.then(|| secret(record)).transpose()?;
    let variable = |name: &str| std::env::var(name).ok();
    let absolute = |path: &Path| path.canonicalize().ok().map(|path| path.to_string_lossy().into_owned());
    let folders: Vec<String> = [absolute(record), absolute(Path::new(".")), variable("HOME"), variable("TMPDIR")]
        .into_iter()
        .flatten()
        .filter(|folder| folder.matches('/').count() > 1)
        .collect();
    let user = variable("USER").or_else(|| variable("LOGNAME")).unwrap_or_default();
    let system = rustix::system::uname();
    Ok(Redaction::new(secret.as_deref(), &folders, &user, &system.nodename().to_string_lossy()))
}

/// The file, in the folder of the record, from which the numbers of anonymous clients are drawn. It is part of no
/// output: with it and the names of all clients, anybody can tell who is who.
const SECRET: &str = "anonymous.secret";

/// The secret of a record, made when it is first needed. Where it cannot be kept, the numbers hold for this run alone.
fn secret(record: &Path) -> Result<String, Failure> {
    let file = record.join(SECRET);
    match fs::read_to_string(&file) {
        Ok(text) if text.trim().len() >= 32 => return Ok(text),
        Ok(_) => {
            let help = "help: remove it, and anonymous clients get other numbers";
            return Err(Failure::trouble(format!("{}: it is cut short; {help}", file.display())));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => {
            let help = "help: make it readable, or remove it, and anonymous clients get other numbers";
            return Err(Failure::trouble(format!("{}: {error}; {help}", file.display())));
        }
    }
    let drawn = draw_token()?;
    let partial = atomic_file::partial(&file);
    let write = || {
        let mut out = File::options().write(true).create(true).truncate(true).mode(0o600).open(&partial)?;
        out.write_all(drawn.as_bytes())?;
        out.sync_all()?;
        fs::rename(&partial, &file)
    };
    if let Err(error) = write() {
        let what = "anonymous clients have other numbers in the next output";
        say(&format!("warning: {}: {error}; {what}", file.display()));
    }
    Ok(drawn)
}
