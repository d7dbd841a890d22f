//! 6 qui prend! (6 nimmt!): cards of hidden hands, chosen at once, fall into four rows; the player of a sixth card
//! takes the others. The rules in words: docs/rules/six-qui-prend.md.

mod abi;
mod course;
mod explain;
mod hand;
mod hash;
mod pushes;
mod resolve;
mod rows;
mod scene;
mod setting;
mod speeds;

pub use abi::*;
pub use rows::heads;
pub use setting::Prepared;

use crate::people::levels;
use crate::rules::refuse;
use crate::{
    Absent, BadOption, Facts, Field, Fields, Illegal, Language, Opening, Options, Rng, Rules, Said, Scene, Scores,
    Seat, Seats, Seed, Starter, Worth,
};
use agon_abi::{Blob, Layout, Pod};
use hand::Hand;
use rows::{CAPACITY, ROWS, Rows};
use scene::Sees;
use std::mem::offset_of;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The most seats.
const MAX_SEATS: usize = 10;

/// A state of the game, between two calls of clients.
#[derive(Clone, Debug)]
pub struct SixQuiPrend {
    setting: Arc<Prepared>,
    seats: usize,
    /// The source of later rounds; zero if there is none.
    seed: Seed,
    over: bool,
    hands: [Hand; MAX_SEATS],
    rows: Rows,
    /// The cards of the last turn that was revealed, ascending.
    chosen: [Chosen; MAX_SEATS],
    num_chosen: usize,
    /// The events of the first `placed` of them.
    events: [Event; MAX_SEATS],
    placed: usize,
    /// The number of this turn's events that each seat has received.
    told: [u8; MAX_SEATS],
    /// The data that all seats get alike, and zeros for the rest. Round, turn, heads and cards seen are kept here; rows
    /// and requests are added before any seat is asked.
    shown: Turn,
}

/// A revealed card and its player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Chosen {
    card: u8,
    seat: u8,
}

impl SixQuiPrend {
    fn check_card(&self, seat: Seat, mv: Move) -> Result<(), Illegal> {
        let deck_max = self.setting.deck_max;
        if mv.row != 0 {
            let why = format!("a card is asked for; row must be 0, not {}", mv.row);
            return refuse("row-not-asked", why, "c'est une carte qui est demandée, pas une rangée".to_owned());
        }
        if !(1..=deck_max).contains(&mv.card) {
            let why = format!("there is no card {}; the cards are 1 to {deck_max}", mv.card);
            let french = format!("il n'y a pas de carte {} ; les cartes vont de 1 à {deck_max}", mv.card);
            return refuse("no-such-card", why, french);
        }
        let held = self.hands[seat].as_slice();
        if !held.contains(&mv.card) {
            let held = scene::list(held);
            let why = format!("card {} is not in the hand, which is {held}", mv.card);
            let french = format!("la carte {} n'est pas dans la main, qui est {held}", mv.card);
            return refuse("card-not-in-hand", why, french);
        }
        Ok(())
    }

    fn check_row(mv: Move) -> Result<(), Illegal> {
        if mv.card != 0 {
            let why = format!("a row is asked for; card must be 0, not {}", mv.card);
            return refuse("card-not-asked", why, "c'est une rangée qui est demandée, pas une carte".to_owned());
        }
        if usize::from(mv.row) >= ROWS && mv.row != CHEAPEST_ROW {
            let why = format!("there is no row {}; the rows are 0 to 3, and {CHEAPEST_ROW} for the cheapest", mv.row);
            let french = format!("il n'y a pas de rangée {} ; les rangées vont de 1 à 4", u32::from(mv.row) + 1);
            return refuse("no-such-row", why, french);
        }
        Ok(())
    }
}

impl Rules for SixQuiPrend {
    type Move = Move;
    type Prepared = Prepared;

    const FACTS: Facts = Facts {
        name: "six_qui_prend",
        title: "6 qui prend!",
        summary: Said::new(
            "All choose a card at the same time; type its number. It goes to the row whose last card is the nearest lower one; a sixth card\n\
             takes the other five. A card below all rows takes a row that you choose (row 2, row cheapest). Heads count against you.",
            "Tous choisissent une carte en même temps ; tapez son numéro. Elle va dans la rangée dont la fin est juste en dessous ; la sixième\n\
             ramasse les cinq autres, une carte sous toutes les rangées en ramasse une au choix (rangée 2, rangée min). Les têtes comptent.",
        ),
        seats: (2, MAX_SEATS),
        simultaneous: true,
        chance: true,
        hidden: true,
        worth: Worth::Points("heads on the cards taken, which need not be all"),
        setup: Setup::SHAPE,
        turn: Turn::SHAPE,
        mv: Move::SHAPE,
        header: include_str!("../../../client-api/include/agon/six_qui_prend.h"),
        starter: Some(Starter {
            c: include_str!("../../../client-api/starters/six_qui_prend.c"),
            rust: include_str!("../../../client-api/starters/six_qui_prend.rs"),
            zig: include_str!("../../../client-api/starters/six_qui_prend.zig"),
            go: include_str!("../../../client-api/starters/six_qui_prend.go"),
            python: include_str!("../../../client-api/starters/six_qui_prend.py"),
            opponents: &["six_simple", "six_simple:card=middle", "six_best:level=3"],
        }),
        options: setting::OPTIONS,
        small: &["hand=2 limit=0", "hand=2 limit=0 deck=players", "hand=3 rules=course", "hand=3 rules=course-exact"],
        tables: course::TABLES,
        speeds: speeds::SPEEDS,
        levels: &levels(["six_best:level=1", "six_best:level=4", "six_best:level=6"]),
        in_words: Some(explain::explain),
        page: Said::new(
            include_str!("../../../docs/rules/six-qui-prend.md"),
            include_str!("../../../docs/rules/six-qui-prend.fr.md"),
        ),
        ..Facts::BASE
    };

    fn prepare(options: &Options, seats: usize) -> Result<Prepared, BadOption> {
        Prepared::from_options(options, seats)
    }

    fn resolved(setting: &Prepared, _seats: usize) -> Fields {
        let Prepared { low_card, limit, hand_size, deck_max, .. } = *setting;
        let text = |text: &str| Field::Text(text.to_owned());
        vec![
            ("rules", text(setting.rules_name())),
            ("limit", limit.into()),
            ("low_card", text(if low_card == CHOOSES { "chooses" } else { "cheapest" })),
            ("hand", hand_size.into()),
            ("deck_max", deck_max.into()),
        ]
    }

    fn drawn(setting: &Arc<Prepared>, seats: usize, opening: &Opening) -> Fields {
        let game = SixQuiPrend::start(setting, seats, opening);
        let seed = game.seed.iter().map(|byte| format!("{byte:02x}")).collect();
        let hands = game.hands[..seats].iter().map(Hand::as_slice);
        let rows: Vec<u8> = game.rows.each().iter().map(|row| row.cards()[0]).collect();
        vec![("seed", Field::Text(seed)), ("hands", Field::rows(hands)), ("rows", Field::numbers(&rows))]
    }

    fn start(setting: &Arc<Prepared>, seats: usize, opening: &Opening) -> Self {
        let mut game = SixQuiPrend {
            setting: Arc::clone(setting),
            seats,
            seed: opening.seed,
            over: false,
            hands: [Hand::default(); MAX_SEATS],
            rows: Rows::new([0; ROWS]),
            chosen: [Chosen::default(); MAX_SEATS],
            num_chosen: 0,
            events: [Event::zeroed(); MAX_SEATS],
            placed: 0,
            told: [0; MAX_SEATS],
            shown: Turn { round: 1, ..Turn::zeroed() },
        };
        game.deal();
        if setting.limit == 0 {
            game.seed = Seed::default();
        }
        game
    }

    fn to_move(&self) -> Seats {
        match self.waiting() {
            _ if self.over => Seats::NONE,
            Some(Chosen { seat, .. }) => Seats::one(seat.into()),
            None => Seats::first(self.seats),
        }
    }

    fn setup(&self, _seat: Seat, out: &mut Blob) {
        let Prepared { rules, low_card, limit, hand_size, deck_max } = *self.setting;
        out.push(&Setup {
            players: self.seats as u8,
            hand_size,
            num_rows: ROWS as u8,
            row_capacity: CAPACITY as u8,
            deck_max,
            rules,
            low_card,
            limit,
            ..Setup::zeroed()
        });
    }

    fn turn(&self, seat: Seat, out: &mut Blob) {
        let told = usize::from(self.told[seat]).min(self.placed);
        let start = out.push(&self.shown);
        out.put(start + offset_of!(Turn, num_events), &((self.placed - told) as u32));
        out.put(start + offset_of!(Turn, hand), &self.hands[seat].with_zeros());
        out.put(start + offset_of!(Turn, num_hand), &self.hands[seat].size);
        if told < self.placed {
            let target = out.push_slice(&self.events[told..self.placed]);
            out.link(start + offset_of!(Turn, events), target);
        }
    }

    fn check(&self, seat: Seat, mv: Move) -> Result<(), Illegal> {
        match self.waiting() {
            Some(_) => Self::check_row(mv),
            None => self.check_card(seat, mv),
        }
    }

    fn play(&mut self, answers: &[(Seat, Move)]) {
        match (self.waiting(), answers.first()) {
            (None, _) => self.reveal(answers),
            (Some(_), Some(&(seat, mv))) => {
                self.told[seat] = self.placed as u8;
                let row = usize::from(mv.row);
                self.lay(if row < ROWS { row } else { self.rows.cheapest() });
            }
            (Some(_), None) => return,
        }
        self.resolve();
    }

    fn absent(&self, seat: Seat) -> Absent<Move> {
        Absent::Plays(match self.waiting() {
            Some(_) => Move { card: 0, row: CHEAPEST_ROW },
            None => Move { card: self.hands[seat].with_zeros()[0], row: 0 },
        })
    }

    fn scores(&self) -> Scores {
        let mut tie_break = Vec::new();
        if self.setting.rules == COURSE_EXACT {
            // The program of the course sorts its players by card in each turn, and ranks them in that order.
            tie_break = vec![0; self.seats];
            for Chosen { card, seat } in &self.chosen[..self.num_chosen] {
                tie_break[*seat as usize] = i64::from(*card);
            }
        }
        let values = self.shown.total_heads[..self.seats].iter().map(|heads| i64::from(*heads)).collect();
        Scores { values, higher_wins: false, tie_break }
    }

    fn legal(&self, seat: Seat, each: &mut dyn FnMut(Move) -> ControlFlow<()>) {
        let _ = match self.waiting() {
            _ if !self.to_move().has(seat) => ControlFlow::Continue(()),
            Some(_) => [0, 1, 2, 3, CHEAPEST_ROW].into_iter().try_for_each(|row| each(Move { card: 0, row })),
            None => self.hands[seat].as_slice().iter().try_for_each(|card| each(Move { card: *card, row: 0 })),
        };
    }

    fn sample(&self, seat: Seat, rng: &mut Rng) -> Move {
        let pick = |from: &[u8], rng| from[crate::below(rng, from.len() as u64) as usize];
        match self.waiting() {
            Some(_) => Move { card: 0, row: pick(&[0, 1, 2, 3, CHEAPEST_ROW], rng) },
            None => Move { card: pick(self.hands[seat].as_slice(), rng), row: 0 },
        }
    }

    fn redeal(&self, seat: Seat, rng: &mut Rng) -> Self {
        let mut other = self.clone();
        hand::redeal(&mut other, seat, rng);
        other
    }

    fn write(&self, mv: Move) -> String {
        scene::write(mv)
    }

    fn write_in(&self, mv: Move, language: Language) -> String {
        let text = scene::write(mv);
        language.pick(text.clone(), text.replace("row cheapest", "rangée min").replace("row ", "rangée "))
    }

    fn read(&self, text: &str) -> Option<Move> {
        scene::read(text)
    }

    fn scene(&self, seat: Option<Seat>, language: Language) -> Scene {
        scene::draw(self, seat.map_or(Sees::All, Sees::Own), language)
    }

    fn public_scene(&self, language: Language) -> Option<Scene> {
        Some(scene::draw(self, Sees::Table, language))
    }

    fn hash(&self) -> u64 {
        hash::of(self)
    }
}
