//! `agon rules GAME`: the page of a game's rules, which is compiled into agon.

use crate::topics;
use agon_command::lang::Lang;
use agon_command::{Failure, status};
use agon_games::AnyGame;
use agon_model::nearest;
use agon_model::visible::escape;
use clap::Args;

/// The arguments of `agon rules`.
#[derive(Args, Debug)]
pub struct RulesArgs {
    /// The game. Default: a list of all games.
    game: Option<String>,
    /// The language of the page.
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value = "en")]
    lang: Lang,
}

/// Prints the rules of a game.
pub fn rules(args: &RulesArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let language = args.lang.language();
    let Some(game) = &args.game else {
        for facts in games.iter().map(|game| game.facts()) {
            let summary = facts.summary.in_language(language);
            let first = summary.split_inclusive(['.', ';']).next().unwrap_or_default().replace('\n', " ");
            println!("{:<14} {}: {}", facts.name, facts.title, first.trim_end_matches(['.', ';']));
        }
        println!("agon rules GAME prints the rules, the options, and what a client gets and returns");
        return Ok(status::DONE);
    };
    let plain = game.to_lowercase().replace(['-', ' '], "_");
    let mut all = games.iter().map(|game| game.facts());
    let facts = all.find(|facts| facts.name == plain || facts.title.to_lowercase() == game.to_lowercase());
    let Some(facts) = facts else {
        let names = || games.iter().map(|game| game.facts().name);
        let help = nearest(&plain, names()).map_or_else(
            || format!("there are: {}", names().collect::<Vec<_>>().join(", ")),
            |near| format!("did you mean agon rules {near}?"),
        );
        return Err(Failure::new(
            status::CONFIGURATION,
            format!("there is no game \"{}\"; help: {help}", escape(game, 60)),
        ));
    };
    print!("{}", topics::for_terminal(facts.page.in_language(language)));
    Ok(status::DONE)
}
