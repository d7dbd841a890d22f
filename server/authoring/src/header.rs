//! `agon header`: writes the C headers that this program was built with.

use agon_command::{Failure, status};
use agon_games::{AnyGame, Facts};
use agon_model::find_game;
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};

/// The arguments of `agon header`.
#[derive(Args, Debug)]
pub struct HeaderArgs {
    /// The game; agon rules lists all. Default: all games.
    game: Option<String>,
    /// The folder in which agon makes the folder agon/ with the headers.
    #[arg(long, value_name = "DIR", default_value = "include")]
    out: PathBuf,
}

/// Writes `agon/agon.h` and the headers of each game asked for.
pub fn write(args: &HeaderArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let chosen = match &args.game {
        Some(name) => vec![find_game(games, name)?],
        None => games.to_vec(),
    };
    let facts: Vec<&Facts> = chosen.iter().map(|game| game.facts()).collect();
    let names = write_headers(&facts, &args.out)?;
    let to = args.out.display();
    println!("written to {to}: agon/agon.h, {}", names.join(", "));
    println!("compile with: cc -O2 -g -Wall -fPIC -shared -I {to} -o mybot.so mybot.c");
    Ok(status::DONE)
}

/// Writes `agon/agon.h` and those of these games below a folder; their names.
pub fn write_headers(games: &[&Facts], to: &Path) -> Result<Vec<String>, Failure> {
    let folder = to.join("agon");
    let trouble = |error: std::io::Error| Failure::trouble(format!("{}: {error}", folder.display()));
    fs::create_dir_all(&folder).map_err(trouble)?;
    let write = |path: &Path, text: &str| fs::write(path, text).map_err(trouble);
    write(&folder.join("agon.h"), agon_abi::HEADER)?;
    let mut names = Vec::new();
    for facts in games {
        let kit = facts.kit.map(|kit| (format!("{}_kit.h", facts.name), kit));
        for (name, text) in [(format!("{}.h", facts.name), facts.header)].into_iter().chain(kit) {
            write(&folder.join(&name), text)?;
            names.push(format!("agon/{name}"));
        }
    }
    Ok(names)
}
