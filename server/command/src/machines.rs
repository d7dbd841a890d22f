//! The database of this program. `agon` has none: where a command needs one, `agon-machines` goes on in its place. That is
//! the same program with a database.

use crate::Failure;
use crate::programs::{find, how_to_get};
use agon_record::database::Database;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// The program that has a database.
const PROGRAM: &str = "agon-machines";

static DATABASE: OnceLock<&dyn Database> = OnceLock::new();

/// Gives this program a database, once.
pub fn offer(database: &'static dyn Database) {
    // A second one would be the same.
    let _ = DATABASE.set(database);
}

/// The database of this program, for the command or the thing that needs it. A program without one becomes
/// `agon-machines` here and begins anew, so a command asks before it does anything.
///
/// # Errors
/// That program is not there: the line that builds it.
pub fn database(needed_by: &str) -> Result<&'static dyn Database, Failure> {
    if let Some(database) = DATABASE.get() {
        return Ok(*database);
    }
    let missing = |folder: &Path| {
        let folder = folder.display();
        let help = how_to_get(&format!("cargo build --release -p {PROGRAM} builds it"));
        format!("{needed_by} needs {PROGRAM}, which is not in {folder}; help: {help}")
    };
    let program = find(PROGRAM, missing)?;
    // A link to this program would become itself for ever.
    if is_this_program(&program) {
        let what = format!("{} is agon itself", program.display());
        let help = format!("help: cargo build --release -p {PROGRAM} builds the program that {needed_by} needs");
        return Err(Failure::trouble(format!("{what}; {help}")));
    }
    let mut words = std::env::args_os();
    let mut command = Command::new(&program);
    words.next().into_iter().for_each(|name| {
        command.arg0(name);
    });
    let why = command.args(words).exec();
    Err(Failure::trouble(format!("{}: {why}", program.display())))
}

fn is_this_program(program: &Path) -> bool {
    let own = std::env::current_exe().and_then(|own| own.canonicalize());
    own.is_ok_and(|own| program.canonicalize().is_ok_and(|found| found == own))
}
