//! `agon matches`, `agon show`, `agon standings`: what the record says.

use super::{Failure, MatchesArgs, RecordArgs, ShowArgs, StandingsArgs, play};
use crate::config::Points;
use crate::report::{self, Shown, Standings};
use crate::run::find_game;
use crate::store::{Filter, Found, LadderRow, Store, StoreError};
use agon_games::AnyGame;

/// Lists matches.
pub fn matches(args: &MatchesArgs) -> Result<u8, Failure> {
    let (store, ladder) = open(&args.record)?;
    let fault = args.fault.as_ref().map(|kind| Some(kind.clone()).filter(|kind| !kind.is_empty()));
    let filter = Filter { client: args.client.clone(), fault, limit: args.limit };
    let list = store.matches(&ladder, &filter)?;
    print!("{}", if args.record.json { report::matches_json(&ladder.name, &list) } else { report::matches(&list) });
    Ok(0)
}

/// Explains one match.
pub fn show(args: &ShowArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let store = Store::open_existing(&args.record.out)?;
    let id = if args.id == "last" { last(&store, &args.record)? } else { args.id.clone() };
    let stored = match store.find(&id)? {
        Found::One(stored) => stored,
        Found::None => {
            return Err(Failure::new(
                2,
                format!("no match has an id that begins with \"{id}\"; help: agon matches lists them"),
            ));
        }
        Found::Several(ids) => {
            let list = ids.join(", ");
            return Err(Failure::new(
                2,
                format!("several matches begin with \"{id}\": {list}; help: write more of the id"),
            ));
        }
    };
    let game = find_game(games, &stored.ladder.game)?;
    let shown = Shown::from(&*stored);
    print!(
        "{}",
        match (args.jsonl, args.record.json) {
            (true, _) => report::log_lines(&shown, game),
            (_, true) => report::show_json(&shown, game, args.moves),
            _ => report::show(&shown, game, args.moves),
        }
    );
    Ok(0)
}

fn last(store: &Store, record: &RecordArgs) -> Result<String, Failure> {
    let ladder = find_ladder(store, record.ladder.as_deref())?;
    store.last_match(ladder.id)?.ok_or_else(|| Failure::new(2, format!("ladder {} has no match yet", ladder.name)))
}

/// The table.
pub fn standings(args: &StandingsArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let (store, ladder, points) = match &args.file {
        Some(file) => {
            let config = play::read(file, games)?;
            let store = Store::open_existing(&config.out)?;
            let ladder = find_ladder(&store, Some(&config.name))?;
            (store, ladder, config.points)
        }
        None => {
            let (store, ladder) = open(&args.record)?;
            (store, ladder, Points::default())
        }
    };
    let standings = gather(&store, &ladder, points)?;
    print!("{}", if args.record.json { standings.json() } else { standings.text() });
    Ok(0)
}

/// The standings of a ladder, from the record alone.
pub fn gather(store: &Store, ladder: &LadderRow, points: Points) -> Result<Standings, StoreError> {
    let entrants = store.entrants(ladder.id)?.into_iter().map(|(_, entrant)| entrant).collect();
    let voids = store.voids(ladder.id)?;
    Standings::gather(ladder.clone(), entrants, voids, points, |add| store.each_outcome(ladder.id, add))
}

fn open(record: &RecordArgs) -> Result<(Store, LadderRow), Failure> {
    let store = Store::open_existing(&record.out)?;
    let ladder = find_ladder(&store, record.ladder.as_deref())?;
    Ok((store, ladder))
}

fn find_ladder(store: &Store, name: Option<&str>) -> Result<LadderRow, Failure> {
    let found = match name {
        Some(name) => store.ladder(name)?,
        None => store.newest_ladder()?,
    };
    found.ok_or_else(|| {
        let which = name.map_or("any ladder".to_owned(), |name| format!("ladder {name}"));
        Failure::new(2, format!("the record has nothing of {which}; help: run it first, or name another by --ladder"))
    })
}
