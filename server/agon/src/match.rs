//! `agon match`: matches between the clients that are named.

use crate::game_words;
use crate::matches;
use crate::metrics::MetricsArgs;
use crate::remote_args::{OthersArgs, check_jobs};
use crate::run::{EndAdvice, RunOptions, close, run_until_stopped, standings};
use crate::sources::refuse_sources;
use agon_command::Failure;
use agon_command::numbers::count;
use agon_command::place::RecordPlace;
use agon_command::terms::TermsArgs;
use agon_config::{self as config, MatchWords};
use agon_games::AnyGame;
use agon_record::Filter;
use agon_tournament::Beginning;
use clap::Args;
use std::path::Path;

/// The arguments of `agon match`.
#[derive(Args, Debug)]
pub struct MatchArgs {
    /// A client for each seat: a file, or the NAME of a client in clients/ or of a bundled one. Bundled: random, greedy,
    /// mcts …; agon add lists all. To give it options, write NAME:key=value,key=value. A client may appear twice.
    #[arg(required = true)]
    pub(super) clients: Vec<String>,
    /// Words of the game's own, with their values.
    #[arg(skip)]
    pub(super) short: game_words::Given,
    /// The number of matches, rounded up so that each client plays on each seat equally often. Default: each client
    /// plays once on each seat.
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
    games: Option<u64>,
    /// The number of openings to play, instead of -n. On each opening, each client plays on each seat equally often.
    #[arg(long, value_name = "N", conflicts_with = "games")]
    openings: Option<u64>,
    #[command(flatten)]
    others: OthersArgs,
    #[command(flatten)]
    pub(super) terms: TermsArgs,
}

/// Plays matches between the clients named.
pub fn play(args: &MatchArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let terms = &args.terms;
    let mut words = MatchWords { games: args.games, openings: args.openings, ..terms.words(&args.clients) };
    words.options.extend(game_words::options(args, games)?);
    let mut ladder = config::for_match(&words, Path::new("."), games)?;
    refuse_sources(&ladder)?;
    ladder.jobs = terms.jobs;
    let advice = EndAdvice {
        stopped: "agon match begins anew each time; agon standings shows what was played".to_owned(),
        void: "The same agon match plays all of them anew".to_owned(),
    };
    let place = args.others.place(RecordPlace::named(terms.record.as_ref(), &ladder.out)?)?;
    check_jobs(ladder.jobs, &place)?;
    let options = RunOptions {
        beginning: Beginning::Fresh,
        quiet: terms.quiet,
        again: &advice.stopped,
        place: &place,
        lease: args.others.lease(),
        notify: None,
        feed: None,
        metrics: MetricsArgs::default(),
    };
    let ended = run_until_stopped(&ladder, games, &options, None)?;
    let record = place.open_again()?;
    let standings = standings(&*record, games, &ended, &ladder)?;
    if terms.json {
        print!("{}", standings.json());
    } else {
        let newest = Filter { limit: Some(20), ..Filter::default() };
        print!("{}\n{}", matches::list(&*record, &ended.ladder, &newest, false)?, standings.text());
    }
    args.others.send_home(&place, !ended.is_interrupted())?;
    Ok(close(&ladder, &place, &ended, &advice))
}
