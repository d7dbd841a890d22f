//! A record in which bytes were changed: patches of five bytes, four for the place and one for the value, on a record
//! that was made once.

use crate::scratch;
use agon_record::{Archive, Filter, Record, RecordError, SqliteRecord};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The bytes of a sound record, imported from an export.
static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = scratch::folder("sound");
    let export = include_bytes!("../../corpora/import/two-clients.jsonl");
    let mut store = SqliteRecord::open(&folder).ok();
    if let Some(store) = &mut store {
        let redaction = agon_record::Redaction::new(None, &[], "", "");
        let _ = agon_transfer::import(store, agon_games::GAMES, ("sound", &mut &export[..]), None, &redaction);
    }
    drop(store);
    std::fs::read(record_in(&folder)).unwrap_or_default()
});

fn record_in(folder: &Path) -> PathBuf {
    folder.join("record.sqlite")
}

pub fn run(bytes: &[u8]) {
    let folder = scratch::folder("record");
    let mut record = SOUND.clone();
    for patch in bytes.chunks_exact(5) {
        let at = u32::from_le_bytes([patch[0], patch[1], patch[2], patch[3]]) as usize % record.len().max(1);
        if let Some(byte) = record.get_mut(at) {
            *byte = patch[4];
        }
    }
    if std::fs::write(record_in(&folder), &record).is_err() {
        return;
    }
    if let Err(error) = read_all(&folder) {
        assert!(!error.to_string().is_empty());
    }
    let _ = std::fs::remove_dir_all(&folder);
}

fn read_all(folder: &Path) -> Result<(), RecordError> {
    let store = SqliteRecord::open_existing(folder)?;
    let Some(ladder) = store.newest_ladder()? else { return Ok(()) };
    let _ = (store.entrants(ladder.id)?, store.voids(ladder.id)?, store.stages(ladder.id)?);
    for listed in store.matches(&ladder, &Filter::default())? {
        let _ = store.find(&listed.id)?;
    }
    let members = store.members(ladder.id)?;
    store.each_outcome(ladder.id, &mut |_| {})?;
    let counted = store.each_block(ladder.id, &mut |_| -> Result<(), Stopped> { Ok(()) });
    drop(members);
    counted.map_err(|stopped| stopped.0)
}

/// The record could not be read on.
struct Stopped(RecordError);

impl From<RecordError> for Stopped {
    fn from(error: RecordError) -> Stopped {
        Stopped(error)
    }
}
