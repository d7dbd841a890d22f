//! The record keeps what was played, whatever happens: kills, full disks, second servers, changed settings, signals,
//! sick hosts.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod builder;
#[path = "record/changes.rs"]
mod changes;
#[path = "record/disk.rs"]
mod disk;
#[path = "record/held.rs"]
mod held;
#[path = "record/kill.rs"]
mod kill;
#[path = "record/logs.rs"]
mod logs;
#[path = "record/signals.rs"]
mod signals;
#[path = "record/void.rs"]
mod void;
