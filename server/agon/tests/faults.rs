//! Whatever a client does, the match ends in a result with a cause, and its author is told what to do about it.

mod act;
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
