//! The lines of an export, taken into a record that is empty.

use crate::scratch;
use agon_games::GAMES;
use agon_record::{Redaction, SqliteRecord};
use agon_transfer::{TransferError, import};

pub fn run(bytes: &[u8]) {
    let folder = scratch::folder("import");
    let Ok(mut store) = SqliteRecord::open(&folder) else { return };
    let redaction = Redaction::new(None, &[], "", "");
    let taken = import(&mut store, GAMES, ("fuzz.jsonl", &mut &bytes[..]), None, &redaction);
    drop(store);
    match taken {
        // The next one begins with an empty record again.
        Ok(_) => drop(std::fs::remove_dir_all(&folder)),
        Err(error) => assert!(!matches!(error, TransferError::Io(_)), "{error:?}"),
    }
}
