//! Runs a tournament, from the files of its clients to its last match. `entrants` and `prepared` admit clients;
//! `pairing`, `schedule` and `rounds` draw meetings; `pass` chooses the next block; `controller` sets clients aside and
//! ends the run. `run` connects them, and lets a crew play (`agon-crew`).

mod ad_hoc;
mod changes;
mod claimed_game;
mod closing;
mod compatibility;
mod controller;
mod difference;
mod disk_estimate;
mod enough;
mod entrants;
mod event;
mod participants;
mod pass;
mod plan;
mod prepared;
mod rehearsal;
mod requests;
mod retry;
mod rounds;
mod run;
pub mod schedule;
mod source;
mod stops;
mod suspensions;
mod turn_order;
mod watch;

pub use ad_hoc::{AdHocMatch, Asked};
pub use claimed_game::claimed_game;
pub use difference::{Divergence, compare};
pub use disk_estimate::{DiskEstimate, free_space};
pub use enough::StopRule;
pub use event::{Beginning, Ended, RunEvent};
pub use plan::{Plan, plan};
pub use prepared::{Prepared, rules_name};
pub use rehearsal::rehearse;
pub use requests::requests;
pub use run::{Remote, Running, run};
