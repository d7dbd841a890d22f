//! Trains the network that corrects the evaluation of Amazons: plays games of the client against itself, fits the
//! network to what came of their positions, and lets a sequential test decide whether it is better than the one in use.
//! A folder keeps the work: the same command goes on after a stop, and with more games it fits anew. `cargo run --release
//! --manifest-path tools/train/Cargo.toml -- FOLDER [GAMES [NODES]]` searches NODES positions a move.

#[path = "../../../clients/alphabeta/examples/start/mod.rs"]
mod start;

mod fit;
mod games;
mod gate;
mod samples;

use agon_games::{below, rng_from, seed_of};
use agon_search::Network;
use agon_stats::sprt::Verdict;
use std::error::Error;
use std::path::Path;

/// Where the clients have their network.
const IN_USE: &str = "search/src/network.txt";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default| arguments.get(at).map_or(Ok(default), |text| text.parse());
    let folder =
        arguments.first().ok_or("FOLDER [GAMES [NODES]]: the folder of the games and the network is missing")?;
    let (folder, games, nodes) = (Path::new(folder), number(1, 6_000)? as usize, number(2, 10_000)?);
    let fitted = folder.join(format!("{games}-games"));
    std::fs::create_dir_all(&fitted)?;
    games::generate(&folder.join("games.txt"), games, nodes)?;
    let samples = samples::read(&games::read(&folder.join("games.txt"), games)?);
    let mut rng = rng_from(&seed_of(games as u64));
    let text = fit::fit(&samples, &fitted, &mut |bound| below(&mut rng, bound))?;
    let network = fitted.join("network.txt");
    std::fs::write(&network, &text)?;
    let new = Network::parse(&text).ok_or("a weight does not fit its 16 bits: lower RATE in fit.rs")?;
    let verdict = match gate::gate(&fitted.join("gate.txt"), &new, nodes)? {
        Some(Verdict::H1) => format!("better than the one in use: cp {} {IN_USE}", network.display()),
        Some(_) => "no better than the one in use".to_owned(),
        None => "no answer: too much alike".to_owned(),
    };
    println!("{verdict}");
    Ok(())
}
