//! The pages of a record in a browser, made when they are asked for: who may ask, what is sent, private pages of
//! teams, and what they hand in.

#[macro_use]
extern crate agon_command;

pub mod address;
mod answer;
mod awaited;
mod board_offer;
pub mod boards;
mod bodies;
pub mod content;
pub mod encryption;
pub mod feed;
mod follow;
pub mod gate;
mod hang_up;
pub mod http;
mod making;
mod match_filter;
mod pages;
mod permits;
pub mod published;
mod quota;
mod rates;
pub mod serve;
mod streams;
mod submissions;
pub mod team_links;
pub mod test_result;
mod uploads;
pub mod viewer;
pub mod worker_gate;
mod workers_page;
