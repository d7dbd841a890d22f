//! Clients as they are compiled, against the rules of their games: headers, descriptors, whole matches, layouts.

mod built;
mod header;
#[cfg(feature = "layout")]
mod layout;
mod loaded;
mod matches;
