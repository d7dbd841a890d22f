//! People at a board, in the terminal or in a browser, and matches and positions looked at in the terminal.

#[macro_use]
extern crate agon_command;

pub mod analyse;
pub mod play;
pub mod replay;
