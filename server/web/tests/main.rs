//! All tests of the pages: one program, which is linked once.

mod kinds;
mod pages;
mod statements;
