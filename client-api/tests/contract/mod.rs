//! Clients as they are compiled, against the rules of their games: headers, descriptors, whole matches, layouts.
#![allow(clippy::unwrap_used)] // a test that cannot go on fails

mod built;
mod header;
mod layout;
mod loaded;
mod matches;
mod promised;
