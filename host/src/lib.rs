//! Opens one client and calls it: `agon-host` runs this code behind a pipe, and a caller may run it in its own process.
//! Unsafe code lives in `library`, `client`, `data`, `services`, `name`, `channel`, `line`, `registers`, `crash`,
//! `fork_server`, `program`, `main` and `sandbox`.
#![allow(unexpected_cfgs)] // `sandbox_mutants`, which nothing but tools/mutants sets

pub mod build;
pub mod channel;
pub mod crash;
pub mod fork_server;
pub mod guard;
pub mod line;
pub mod packet;
pub mod program;
pub mod sandbox;
pub mod serve;
pub mod settings;

mod client;
mod data;
mod library;
mod name;
mod registers;
mod services;

pub use client::Client;
pub use data::Data;
pub use library::{Library, OpenError};
pub use name::PlayerName;
