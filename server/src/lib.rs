//! The tournament: config, schedule, players, referee, store and reports of the binary `agon`.

pub mod config;
pub mod record;
