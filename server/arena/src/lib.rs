//! One match, from two files to a result: who is admitted, what a client is asked and may take, its process seen from
//! outside, the referee and the log.

pub mod admission;
pub mod client_files;
pub mod clock;
pub mod encoding;
pub mod journal;
pub mod player;
pub mod player_pool;
pub mod referee;
