//! The rules of each game. They are pure: they know no player, clock, file or process.
//!
//! A game is one module that implements [`Rules`], one C header, and one line in [`GAMES`]. Its users hold [`AnyGame`],
//! [`PreparedSetting`] and [`AnyState`] and name no game.
#![warn(missing_docs)]

pub mod amazons;
mod any;
mod chance;
mod data_file;
mod export;
mod facts;
mod fields;
pub mod grundy;
mod language;
pub mod mastermind;
pub mod mix;
mod options;
mod people;
mod result_table;
mod rules;
mod scene;
pub mod six_qui_prend;
mod speeds;
mod study;
pub mod tirs_croises;
mod turn_order;
mod varied;

pub use any::{AnyGame, AnyState, Game, MoveBytes, PreparedSetting};
pub use chance::{Opening, Rng, Seed, below, rng_from, seed_of, shuffle};
pub use data_file::{DataFile, FilePlan, Reader, Writing};
pub use export::{Export, Recorded};
pub use facts::{
    Facts, LaterField, Meant, OptionFact, Picture, ReadFile, ShortWord, Shorthand, Starter, Tells, Tool, Worth,
};
pub use fields::{Field, Fields};
pub use language::{Language, Said};
pub use options::{BadOption, Options};
pub use people::{Explained, InWords, Level};
pub use result_table::ResultTable;
pub use rules::{Absent, Illegal, Rules, Scores, Seat, Seats};
pub use scene::{Cell, Item, Overlay, Panel, Piece, Scene, Stroke, Tint};
pub use speeds::{Reference, Speed, Work};
pub use study::Study;
pub use turn_order::cyclic_orders;
pub use varied::Varied;

/// Every game that agon plays.
pub const GAMES: &[&dyn AnyGame] = &[
    &Game::<amazons::Amazons>::ENTRY,
    &Game::<six_qui_prend::SixQuiPrend>::ENTRY,
    &Game::<mastermind::Mastermind>::ENTRY,
    &Game::<grundy::Grundy>::ENTRY,
    &Game::<tirs_croises::TirsCroises>::ENTRY,
];
