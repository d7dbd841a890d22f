//! Blocks played on other machines. On the coordinator's side a board is a crew like the threads of this process
//! (`board_crew`, `joint`), and what it delivers is judged before it counts (`check`), now and then by having others
//! play it again (`audits`), and leaves its logs (`logs`). On the other side a worker process (`join`) claims blocks
//! (`guest`), makes ready what they need (`workshop`), and has its own threads play them (`worker_ladder`); `simulate`
//! stands for thousands of them. `tally` has the numbers for whoever looks on.

mod audits;
mod board_crew;
mod check;
mod guest;
mod identity;
mod join;
mod joint;
mod logs;
mod simulate;
mod spool;
mod tally;
mod terms;
mod worker_ladder;
mod workshop;

pub use audits::Audits;
pub use board_crew::{BoardCrew, Judges};
pub use check::Check;
pub use guest::{Importance, Joining, Stay};
pub use identity::{draw_identity, identity};
pub use join::join;
pub use joint::Joint;
pub use logs::Logs;
pub use simulate::{Figures, OpenLink, Simulation, simulate};
pub use tally::{BoardTally, WorkerTally};
pub use terms::RemoteTerms;
