//! All tests of boards: one program, which is linked once.

mod lines;
mod maps;
mod shapes;
mod texts;
