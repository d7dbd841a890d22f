//! All tests of this client: one program, which is linked once.

mod book;
mod closing;
mod positions;
mod proofs;
