//! All tests of this client: one program, which is linked once.

mod positions;
mod search;
