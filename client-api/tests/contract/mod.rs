//! Clients as they are compiled, against the rules of their games: headers, descriptors, whole matches, layouts.

mod built;
mod header;
mod layout;
pub mod loaded;
mod matches;
mod promised;
