//! Blocks played on other machines. On the coordinator's side a board is a crew like the threads of this process
//! (`board_crew`, `joint`), and what it delivers is judged before it counts (`check`) and leaves
//! its logs (`logs`). On the other side a worker process
//! (`join`) claims blocks (`guest`), makes ready what they need (`workshop`), and has its own threads play them
//! (`sitting`).

mod board_crew;
mod check;
mod guest;
mod join;
mod joint;
mod logs;
mod sitting;
mod spool;
mod terms;
mod workshop;

pub use board_crew::BoardCrew;
pub use check::Check;
pub use guest::{Joining, Stay};
pub use join::join;
pub use joint::Joint;
pub use logs::Logs;
pub use terms::RemoteTerms;
