//! One match, from two files to a result: admission, the requests to clients, the players of a worker, the referee and
//! the log.

pub mod admission;
pub mod encoding;
pub mod journal;
pub mod player_pool;
pub mod referee;
