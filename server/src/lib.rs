//! The tournament: config, schedule, players, referee, store and reports of the binary `agon`.

pub mod admission;
pub mod attack;
pub mod bench;
pub mod cli;
pub mod clock;
pub mod config;
pub mod journal;
pub mod pairing;
pub mod player;
pub mod question;
pub mod record;
pub mod referee;
pub mod report;
pub mod roster;
pub mod run;
pub mod schedule;
pub mod store;
pub mod transfer;
pub mod visible;
pub mod workers;
