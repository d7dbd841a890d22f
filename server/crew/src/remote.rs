//! Plays blocks on other machines. On the coordinator's side, an exchange is a crew like the threads of this process
//! (`exchange_crew`, `joint`). Its deliveries are judged before they count (`check`), others play some of them again
//! (`audits`), and they leave their logs (`logs`). On the other side, a worker process (`join`) claims blocks
//! (`session`), prepares what they need (`workshop`), and its own threads play them (`worker_ladder`). `tally`
//! has the numbers for watchers.

mod audits;
mod check;
mod exchange_crew;
mod identity;
mod join;
mod joint;
mod logs;
mod session;
mod spool;
mod tally;
mod terms;
mod worker_ladder;
mod workshop;

pub use audits::Audits;
pub use check::Check;
pub use exchange_crew::{ExchangeCrew, Judges, WorkerExchange};
pub use identity::{draw_identity, identity};
pub use join::join;
pub use joint::Joint;
pub use logs::Logs;
pub use session::{AWAY, Importance, JoinOptions, Presence, Stay, is_short, jitter, wants};
pub use tally::{ExchangeTally, WorkerTally};
pub use terms::RemoteTerms;
pub use workshop::{NotReady, read_terms};
