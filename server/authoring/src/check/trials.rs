//! The matches of a check: the client against itself and against random moves, over boards and seats. Nothing
//! of them is kept; the same number is the same match again.

use super::mover::{Mover, ShownState};
use agon_command::{Failure, find_paths};
use agon_config::{self as config, MatchWords};
use agon_games::{AnyGame, AnyState, Facts, Seat, rng_from};
use agon_model::{Ladder, Match, SandboxPolicy, Stream, opening};
use agon_player::Player;
use agon_tournament::AdHocMatch;
use std::cell::RefCell;
use std::path::Path;
use std::time::Duration;

/// In these matches, the first one of each setting against random moves, the opponent thinks for so long: a
/// client whose threads go on computing meanwhile loses by it, as it would against anybody who thinks.
const FIRST_AGAINST_RANDOM: std::ops::Range<usize> = 2..4;
const THINKS: Duration = Duration::from_millis(150);

/// The parts that all trial matches share.
pub struct Trials<'a> {
    /// The folder with the client's copy.
    pub folder: &'a Path,
    /// The name of that copy.
    pub client: String,
    /// The facts of the game that it plays.
    pub facts: &'static Facts,
    /// All games that agon has.
    pub games: &'a [&'a dyn AnyGame],
    /// The setting that most matches have, as options on the command line.
    pub usual: String,
    /// Other settings, with quick matches.
    pub small: Vec<String>,
    /// Time and memory as asked for.
    pub words: MatchWords,
    /// The sandbox, with the folders that a ladder opens.
    pub sandbox: &'a SandboxPolicy,
}

/// A match that was played.
pub struct Trial {
    /// Its setting, who sat where, its seed.
    pub words: String,
    /// Whether its setting is the game's usual one.
    pub is_usual: bool,
    /// The match as it was played.
    pub played: Match,
    /// The setup of the match.
    pub ad_hoc: AdHocMatch,
    /// The last position of the match.
    pub last: Box<dyn AnyState>,
    /// The seats of the client.
    pub seats: Vec<Seat>,
}

impl Trials<'_> {
    /// Small settings and the usual one by turns, so that each is played by all and from every seat.
    fn setting(&self, number: usize) -> &str {
        match self.small.as_slice() {
            [] => &self.usual,
            small if number.is_multiple_of(2) => &small[number / 2 % small.len()],
            _ => &self.usual,
        }
    }

    /// Plays one, counted from 0.
    pub fn play(&self, number: usize) -> Result<Trial, Failure> {
        let setting = self.setting(number);
        let all = self.facts.seats.0.max(1);
        let seats: Vec<Seat> = match number / 2 % 2 {
            0 => (0..all).collect(),
            _ => vec![(number / 4) % all],
        };
        let words = MatchWords {
            clients: vec![self.client.clone(); seats.len()],
            people: all - seats.len(),
            game: Some(self.facts.name.to_owned()),
            options: setting.split_whitespace().map(str::to_owned).collect(),
            out: Some("out".to_owned()),
            seed: Some(number as u64 + 1),
            ..self.words.clone()
        };
        let ladder = Ladder { sandbox: self.sandbox.clone(), ..config::for_match(&words, self.folder, self.games)? };
        let paths = find_paths(&ladder.out)?;
        let seated: Vec<Option<usize>> = (0..all).map(|seat| seats.contains(&seat).then_some(0)).collect();
        let ad_hoc = AdHocMatch::of_people(&ladder, &seated, self.games, &paths, &mut |_| {})?;
        let shown: ShownState = RefCell::new(ad_hoc.start());
        let rng = |seat: Seat| rng_from(&opening(number as u64 + 1, seat as u64 + 1).seed);
        let thinks = if FIRST_AGAINST_RANDOM.contains(&number) { THINKS } else { Duration::ZERO };
        let played = ad_hoc.play(
            &|seat| -> Box<dyn Player + '_> { Box::new(Mover::new(&shown, seat, rng(seat), thinks)) },
            &mut |_, state| *shown.borrow_mut() = state.clone_box(),
        );
        let last = shown.into_inner();
        let words = describe(setting, &seats, all, number + 1);
        Ok(Trial { words, is_usual: setting == self.usual, played, ad_hoc, last, seats })
    }
}

impl Trial {
    /// The last lines that the client on this seat printed to stderr.
    pub fn last_words(&self, seat: Seat, most: usize) -> Vec<&str> {
        let stderr = self.played.outputs.iter().filter(|output| (output.seat, output.stream) == (seat, Stream::Stderr));
        let lines: Vec<&str> = stderr.flat_map(|output| output.text.lines()).collect();
        lines[lines.len().saturating_sub(most)..].to_vec()
    }
}

/// `match 3: board=mini-2, as seat 1 against random moves, seed 3`
fn describe(setting: &str, seats: &[Seat], all: usize, number: usize) -> String {
    let who = match seats {
        [_] if all == 1 => "alone".to_owned(),
        [seat] => format!("as seat {} against random moves", seat + 1),
        _ => "against itself".to_owned(),
    };
    let setting = if setting.is_empty() { "the default options" } else { setting };
    format!("match {number}: {setting}, {who}, seed {number}")
}
