//! The record keeps what was played, whatever happens: kills, full disks, second servers, changed settings, signals,
//! sick hosts.

mod changes;
mod disk;
mod kill;
mod logs;
mod signals;
mod void;
