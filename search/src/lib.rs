//! The common parts of searching clients of Amazons: positions on any graph, their evaluation by lanes if the board
//! fits a grid, the exact end of the game, a hash table and a plan for the time.
//!
//! Nothing here knows a clock or a client. Unsafe code is in `avx2.rs` and its folder, and nowhere else.

mod any_graph;
#[cfg_attr(not(target_arch = "x86_64"), path = "no_avx2.rs")]
mod avx2;
mod board_tables;
mod book;
mod book_file;
mod cells;
mod census;
mod children;
mod choice;
mod compact;
mod endgame;
mod evaluator;
mod filling;
mod flood;
mod gains;
mod graph;
mod grid;
mod judge;
mod lanes;
mod levels;
mod network;
mod part;
mod plan;
mod position;
mod processor;
mod prove;
mod realms;
mod region;
mod regions;
mod room;
mod seat;
mod sets;
mod settling;
mod strength;
mod symmetry;
mod terms;
mod transposition_table;
mod tunnels;
mod value;

pub use board_tables::BoardTables;
pub use book::{Book, BookMove};
pub use book_file::{BadBook, BookFile, Row};
pub use census::{Census, INPUTS};
pub use children::{Child, Sieve, Slide};
pub use choice::Lanes;
pub use endgame::Filling;
pub use evaluator::{Evaluator, Path, Value};
pub use gains::Gains;
pub use judge::{CERTAIN, Judge, SearchLimits, WON};
pub use network::{HIDDEN, Network, ONE};
pub use plan::{Left, TimePlan};
pub use position::{Move, Position};
pub use prove::{Proven, Prover};
pub use regions::{Regions, winner};
pub use room::Room;
pub use seat::{Search, Seat, SeatTerms, Services};
pub use strength::{Early, Level};
pub use symmetry::{CanonicalPosition, Symmetries};
pub use terms::TerritoryTerms;
pub use transposition_table::{Bound, Entry, TranspositionTable, ValueCache};
pub use value::{Features, Heuristic, Knot, VERTEX, Weights};
