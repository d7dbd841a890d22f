//! Whatever a client does, the match ends in a result with a cause, and its author is told what to do about it.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod act;
#[path = "../builder/mod.rs"]
mod builder;
mod channel;
mod crash;
mod escapes;
mod forbidden;
mod ladder;
mod limits;
mod loading;
mod moves;
mod names;
mod notices;
mod secrets;
mod vandal;
