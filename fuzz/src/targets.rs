//! One file a target.

pub mod archive;
pub mod elf;
pub mod first_line;
pub mod host_replies;
pub mod host_requests;
pub mod http;
pub mod import;
pub mod ladder;
pub mod map;
pub mod matrix_market;
pub mod moves;
pub mod options;
pub mod record;
pub mod words;
