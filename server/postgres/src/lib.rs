//! The record on PostgreSQL, for ladders that several machines play and read. It keeps what the record on disk keeps,
//! in the same forms, so that a match has the same id, bytes and digest in both.

mod blocks;
mod connection;
mod entrants;
mod matches;
mod record;
mod schema;

pub use connection::{PostgresRecord, is_url};
