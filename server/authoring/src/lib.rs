//! The commands of authors, a file each: they begin a client, inspect it, try it, debug it and put it in place.
#![allow(clippy::print_stderr)]

#[macro_use]
extern crate agon_command;

pub mod add;
pub mod build;
pub mod check;
pub mod explain;
pub mod header;
pub mod new;
mod placed;
pub mod rerun;
mod stack;
mod trial;
