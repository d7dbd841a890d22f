//! The program `agon-machines`: `agon` with a database, for records on PostgreSQL and workers on other machines.

use std::process::ExitCode;

fn main() -> ExitCode {
    agon_command::machines::offer(&agon_postgres::Postgres);
    agon_live::encryption::offer(&agon_postgres::Certificates);
    agon::run(agon_games::GAMES)
}
