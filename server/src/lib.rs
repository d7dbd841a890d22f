//! The tournament: config, schedule, players, referee, store and reports of the binary `agon`.

pub mod admission;
pub mod clock;
pub mod config;
pub mod player;
pub mod record;
pub mod referee;
pub mod schedule;
pub mod store;
