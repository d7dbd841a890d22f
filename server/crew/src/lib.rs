//! Plays the blocks of a ladder: on threads of this process (`threads`) or on other machines (`remote`), behind one
//! interface to the coordinator (`conduct`). `watched` shows matches under way, `machine_speed` measures this
//! machine, `cores` chooses its cores, and `build` names this agon.

mod build;
mod conduct;
pub mod cores;
mod machine_speed;
pub mod remote;
pub mod threads;
mod watched;

pub use build::build;
pub use conduct::{BlockOutcome, BlockSource, Coordinator, Crew, Next, PeerEnded, conduct};
pub use machine_speed::machine_speed;
pub use watched::Watched;
