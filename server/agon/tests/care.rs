//! The record is cared for: exported and imported, cleaned, backed up, and made to forget.

mod backup;
mod clean;
mod damaged;
mod forget;
mod formats;
mod old;
mod read_only;
mod room;
mod transfer;
