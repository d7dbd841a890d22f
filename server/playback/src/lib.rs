//! A match as people look at it: position by position, as lines of text with or without colours, with what its clients
//! logged and how it ended in words; one that is still played; and one position analysed. Pure functions of records.

mod analysis;
mod ending;
mod faults;
mod followed;
mod frame;
mod kinds;
mod picture;
mod playback;
mod values;

pub use analysis::{AnalysedAnswer, Analysis};
pub use ending::{VOID, ending_text, phase_and_ply, seat_text};
pub use followed::{Followed, MatchTimes};
pub use frame::{Pane, Size, View, frame, playback_text, position_text};
pub use kinds::kind_text;
pub use picture::picture;
pub use playback::{Frame, MadeMove, Playback, own_time_text};
pub use values::{Logged, LoggedValues, ValueScale, value_text};
