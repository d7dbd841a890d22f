//! All tests of the client contract: one program, which is linked once.

mod api;
mod border;
mod contract;
mod evaluation;
