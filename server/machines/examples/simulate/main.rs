//! Measures an exchange with simulated workers, which claim, wait and deliver matches of random moves:
//! `cargo run --release -p agon-machines --example simulate -- URL --workers 1000`. Packages do not have it, since what
//! it delivers is forged.
#![allow(clippy::print_stdout)]

mod workers;

use agon_postgres::Postgres;
use agon_record::database::Database;
use clap::Parser;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use workers::{Simulation, simulate};

#[derive(Parser)]
struct Args {
    /// The address in an invitation.
    url: String,
    /// The number of workers.
    #[arg(long, default_value_t = 1)]
    workers: usize,
    /// How long each waits for a block, seconds.
    #[arg(long, default_value_t = 20.0)]
    block: f64,
    /// The number of connections that they share.
    #[arg(long, default_value_t = 16)]
    connections: usize,
    /// The name of the workers, before their numbers.
    #[arg(long, default_value = "simulated")]
    name: String,
    /// Ends after this many seconds without blocks.
    #[arg(long, default_value_t = 60.0)]
    idle: f64,
}

fn main() -> Result<(), agon_record::RunError> {
    let args = Args::parse();
    let block = Duration::from_secs_f64(args.block);
    let simulation = Simulation {
        workers: args.workers,
        connections: args.connections.clamp(1, args.workers.max(1)),
        block,
        greeting: Simulation::greeting(&args.name),
        idle: Some(Duration::from_secs_f64(args.idle)),
        stop: &AtomicBool::new(false),
    };
    let figures = simulate(&simulation, &|| Postgres.link(&args.url))?;
    println!("{}", figures.text(args.workers, block));
    Ok(())
}
