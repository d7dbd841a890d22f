//! The record on PostgreSQL, for ladders that several machines play and read. It keeps the same data as the record on
//! disk, in the same forms: a match has the same id, bytes and digest in both.

mod address;
mod archive;
mod binding;
mod blocks;
mod certificate;
mod check;
mod cluster;
mod connection;
mod database;
mod entrants;
mod exchange;
mod forget;
mod guarded;
mod https;
mod import;
mod link;
mod login;
mod matches;
mod packs;
mod record;
mod role_upkeep;
mod roster;
mod schema;
mod shrink;
mod stored_matches;
mod tls;
mod web_address;

pub use connection::PostgresRecord;
pub use database::Postgres;
pub use exchange::PostgresExchange;
pub use https::HttpsLink;
pub use link::PostgresLink;
pub use tls::Certified;
