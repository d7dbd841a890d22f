//! The record is cared for: exported and imported, cleaned, backed up, and made to forget.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

#[path = "care/backup.rs"]
mod backup;
mod builder;
#[path = "care/clean.rs"]
mod clean;
#[path = "care/damaged.rs"]
mod damaged;
#[path = "care/forget.rs"]
mod forget;
#[path = "care/formats.rs"]
mod formats;
#[path = "record/held.rs"]
#[allow(dead_code)]
mod held;
#[path = "care/old.rs"]
mod old;
#[path = "care/read_only.rs"]
mod read_only;
#[path = "care/room.rs"]
mod room;
#[path = "care/talker.rs"]
mod talker;
#[path = "care/transfer.rs"]
mod transfer;
