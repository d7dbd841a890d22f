//! The program `agon-machines`: `agon` with a database, for records on PostgreSQL and workers on other machines.

mod encryption;

use std::process::ExitCode;

fn main() -> ExitCode {
    agon_command::machines::offer(&agon_postgres::Postgres);
    agon_live::encryption::offer(encryption::of_server);
    agon::run(agon_games::GAMES)
}
