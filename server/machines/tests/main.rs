//! The tests of records on PostgreSQL and of workers, a module a subject: `cargo test -p agon-machines SUBJECT::`.
#![allow(clippy::unwrap_used, clippy::too_many_lines, clippy::print_stdout, clippy::print_stderr)] // as in all tests

mod audits;
#[path = "../../agon/tests/browser/mod.rs"]
#[allow(dead_code, unused_imports)] // these tests use a part of it
mod browser;
#[path = "../../agon/tests/builder/mod.rs"]
#[allow(dead_code, unused_imports)] // these tests use a part of it
mod builder;
mod cluster;
mod elsewhere;
mod exchange;
mod exchange_cost;
mod fake_servers;
mod forged;
mod greedy;
mod hands;
#[path = "../../agon/tests/held.rs"]
#[allow(dead_code)] // these tests use a part of it
mod held;
mod https;
mod https_hoards;
mod https_many;
mod kept;
mod machine_speed;
mod memory;
mod metrics;
mod new_database;
mod open;
mod opened;
mod own_time;
mod packs;
mod pages_over_tls;
mod partial;
mod postgres;
mod power_cut;
mod reach_of_bytes;
mod record_trait;
mod scale;
#[path = "../examples/simulate/workers.rs"]
#[allow(dead_code)] // these tests use a part of it
mod simulated;
mod starting;
#[path = "../../agon/tests/talker.rs"]
mod talker;
mod weaker;
mod workers;
mod workers_page;
