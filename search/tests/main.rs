//! All tests of the search: one program, which is linked once.

mod boards;
mod kernel;
mod kit;
