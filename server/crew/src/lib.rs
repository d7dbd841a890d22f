//! Who plays the blocks of a ladder: threads of this process (`workers`) or other machines (`remote`), behind one cut
//! between them and whoever decides what is played (`conduct`). `live_boards` shows matches that are under way;
//! `machine_speed` says how fast this machine is, `cores` where it plays, `build` which agon this is.

mod build;
mod conduct;
pub mod cores;
mod error;
mod live_boards;
mod machine_speed;
pub mod remote;
pub mod workers;

pub use build::build;
pub use conduct::{BlockOutcome, Coordinator, Crew, Gone, Next, Work, conduct};
pub use error::RunError;
pub use live_boards::{LiveBoard, LiveBoards, Watched};
pub use machine_speed::machine_speed;
