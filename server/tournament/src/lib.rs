//! A tournament, from the files of its clients to its last match: who takes part (`entrants`, `prepared`), who meets
//! whom (`pairing`, `schedule`, `rounds`), what is played next (`pass`), who plays it (`crew`, `workers`), and who is
//! set aside and when it ends (`controller`). `run` connects them; `remote` is for blocks that other machines play.

mod ad_hoc;
mod changes;
mod closing;
mod compatibility;
mod controller;
mod crew;
mod difference;
mod disk_estimate;
mod enough;
mod entrants;
mod error;
mod event;
pub mod pairing;
mod participants;
mod pass;
mod plan;
mod prepared;
mod rehearsal;
mod remote;
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
pub mod workers;

pub use ad_hoc::{AdHocMatch, Asked};
pub use difference::{Difference, compare};
pub use disk_estimate::{DiskEstimate, free_space};
pub use enough::StopRule;
pub use error::RunError;
pub use event::{Beginning, Ended, RunEvent};
pub use plan::{Plan, plan};
pub use prepared::{Prepared, find_game, rules_name};
pub use rehearsal::rehearse;
pub use remote::{Joining, Stay, join};
pub use requests::requests;
pub use run::{Running, run};
