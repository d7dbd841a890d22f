//! What people and their programs read: standings, lists of matches, one match explained, logs. Pure functions of
//! records: the same record gives the same text.

mod analysis;
mod bayeselo;
mod clients;
mod crosstable;
mod elo;
mod export;
mod followers;
mod frame;
mod live;
mod log;
mod matches;
mod own_table;
mod picture;
mod playback;
mod rating_input;
mod ratings;
mod show;
mod sprt;
mod standings;
mod status;
mod table;
mod warning;
mod workers;

pub use analysis::{Analysis, Said};
pub use bayeselo::BayesTable;
pub use clients::Clients;
pub use crosstable::Crosstable;
pub use elo::EloReport;
pub use export::export;
pub use followers::Followers;
pub use frame::{Pane, Size, View, frame, playback_text};
pub use live::Live;
pub use log::log_lines;
pub use matches::MatchList;
pub use own_table::own_table;
pub use picture::{Charset, Ink, TextLine, picture};
pub use playback::{Frame, Logged, Made, Playback};
pub use rating_input::RatingInput;
pub use ratings::RatingTable;
pub use show::{show, show_json};
pub use sprt::{SprtReport, sprt_line};
pub use standings::{SortKey, Standings, ToldFault, Versus};
pub use table::Form;
pub use workers::Workers;
