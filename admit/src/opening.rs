//! Opens a client in the sandbox, compares it with its game, and asks for its name.

use crate::report::LookReport;
use agon_abi::{ABI_VERSION, Blob, Cause, Expected, NameFlaw, OpenStatus, SetupHead};
use agon_admit::refusal::Refusal;
use agon_admit::symbols::{self, Symbols};
use agon_games::{AnyGame, GAMES, Opening, Options};
use agon_host::{Client, Library, OpenError};
use std::mem::offset_of;
use std::path::Path;

/// Memory that the first setup promises, bytes.
const MEMORY: u64 = 256 << 20;
/// The time that the first setup allows for every call, microseconds.
const CALL_US: u64 = 1_000_000;

/// Opens the file. From here on the client's own code runs.
pub fn open(file: &Path, symbols: &Symbols, report: &mut LookReport) -> Result<(), Refusal> {
    report.opens();
    let library = Library::open(file).map_err(|error| refuse(&error, symbols))?;
    report.tell("abi", &ABI_VERSION.to_string());
    // It is reported before it is checked: the server's list decides which games exist.
    report.tell("game", &library.game());
    let game = find(&library.game())?;
    let facts = game.facts();
    let expected = Expected::new(facts.name, facts.setup, facts.turn, facts.mv);
    let client = library.client(&expected).map_err(|error| refuse(&error, symbols))?;
    compare_layout(file, facts.name)?;
    report.ok();
    tell_name(client, game, report);
    Ok(())
}

/// Opens a client of the original course as well: a match would miss the same libraries as the loader here. The adapter
/// supplies functions that it lacks.
pub fn open_for_adapter(file: &Path, symbols: &Symbols, report: &mut LookReport) -> Result<(), Refusal> {
    report.opens();
    let Err(text) = Library::try_lazily(file) else { return Ok(()) };
    let refusal = symbols::explain_loader(&text, symbols);
    if refusal.cause == Cause::UndefinedSymbol { Ok(()) } else { Err(refusal) }
}

fn refuse(error: &OpenError, symbols: &Symbols) -> Refusal {
    let cause = match error.opened {
        OpenStatus::NotLoadable | OpenStatus::Ready => return symbols::explain_loader(&error.text, symbols),
        OpenStatus::NoDescriptor => Cause::NoDescriptor,
        OpenStatus::NoMacro => Cause::NoMacro,
        OpenStatus::OtherAbi => Cause::OtherAbi,
        OpenStatus::OtherGame => Cause::OtherGame,
        OpenStatus::OtherLayout => Cause::OtherLayout,
    };
    match error.text.split_once("; ") {
        Some((message, help)) => Refusal::new(cause, message, help),
        None => Refusal::new(cause, error.text.as_str(), ""),
    }
}

fn find(name: &str) -> Result<&'static dyn AnyGame, Refusal> {
    let found = GAMES.iter().find(|game| game.facts().name == name);
    found.copied().ok_or_else(|| {
        let known: Vec<_> = GAMES.iter().map(|game| game.facts().name).collect();
        let message = format!("plays {name:?}, which is not a game of this agon");
        Refusal::new(Cause::UnknownGame, message, format!("its games are {}", known.join(", ")))
    })
}

/// Clients in Rust describe their types in more detail than the table of fields.
fn compare_layout(file: &Path, game: &str) -> Result<(), Refusal> {
    let help = "rebuild it with the agon-client-api of this agon";
    let different =
        |difference: agon_client_api::layout::Difference| Refusal::new(Cause::OtherLayout, difference.0, help);
    agon_client_api::layout::compare(file, game).map(|_| ()).map_err(different)
}

/// Reports the name, after the `initialize` of a small game. If something fails here, a match will show it, and nothing
/// more is reported.
fn tell_name(mut client: Client, game: &dyn AnyGame, report: &mut LookReport) {
    let Some(setup) = first_setup(game) else { return };
    if client.initialize(&setup).ok() != Some(0) {
        return;
    }
    let name = client.name();
    if name.flaw == NameFlaw::None {
        report.tell("name", &String::from_utf8_lossy(&name.bytes));
    }
    client.finalize();
}

/// The setup of seat 0 in the smallest game.
fn first_setup(game: &dyn AnyGame) -> Option<Blob> {
    let facts = game.facts();
    let options: Options = facts.small_options().into_iter().next().unwrap_or_default();
    let seats = facts.seats.0;
    let state =
        game.prepare(&options, seats).or_else(|_| game.prepare(&Options::default(), seats)).ok()?.start(&Opening::ANY);
    let mut blob = Blob::new();
    state.setup(0, &mut blob);
    let head = SetupHead {
        size: facts.setup.size,
        abi: ABI_VERSION,
        seats: seats as u32,
        memory: MEMORY,
        threads: 1,
        total_us: CALL_US,
        per_move_us: CALL_US,
        initialize_us: CALL_US,
        finalize_us: CALL_US,
        ..agon_abi::Pod::zeroed()
    };
    blob.put(0, &head);
    let options = blob.push_text("");
    blob.link(offset_of!(SetupHead, options), options);
    Some(blob)
}
