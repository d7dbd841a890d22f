//! Commands for work on agon itself; not a part of the product.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod header;
mod names;
mod new_game;

use names::Names;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "agon-dev new-game NAME   begins a game: rules, header, view for Rust, pages and a ladder
agon-dev header NAME     writes the C header of a game anew from its `pod!` structs

NAME is in lower case with `_`: connect_four. Run it in the root of the repository.";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let root = PathBuf::from(".");
    let result = match words[..] {
        ["new-game", name] => Names::new(name).and_then(|names| new_game::begin(&root, &names)),
        ["header", name] => Names::new(name).and_then(|names| header::write(&root, &names)),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(said) => println!("{said}"),
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
