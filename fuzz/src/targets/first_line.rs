//! The first line of a script, which says what runs it.

use crate::scratch;
use agon_player::program::{Interpreter, is_program, why_library};

pub fn run(bytes: &[u8]) {
    let file = scratch::folder("first-line").join("client.py");
    if std::fs::write(&file, bytes).is_err() {
        return;
    }
    let _ = (is_program(&file), why_library(&file).is_ok());
    match Interpreter::of(&file, &[]) {
        Ok(program) => drop(program.interpreter()),
        Err(why) => assert!(!why.is_empty(), "a refusal without a reason"),
    }
}
