//! The Game of the Amazons on graph boards: queens slide and shoot arrows that block for ever; a side that cannot move
//! loses. Rules and notation: docs/rules/amazons.md.

mod abi;
mod arguments;
mod boards;
mod check;
mod drawing;
mod explain;
mod graph;
mod notation;
mod openings;
mod perft;
mod position;
mod scene;
mod setting;
mod setup;
mod sgf;
mod short;
mod territory;
mod told;
mod tools;

pub use abi::{AmazonsMove, AmazonsSetup, AmazonsTurn, HAS_ONE_WAY, HEADER, IS_GRID, KIT};
pub use graph::Graph;
pub use perft::perft;
pub use setting::Prepared;

use crate::people::levels;
use crate::{
    Absent, BadOption, Facts, Fields, Illegal, Language, Opening, Options, Panel, Rng, Rules, Said, Scene, Scores,
    Seat, Seats, Starter, Tells,
};
use agon_abi::{Blob, Layout, Pod};
use position::Position;
use setting::{ARROW, SIDE_KEY};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A state of the game. Side 0 is seat 0.
#[derive(Clone)]
pub struct Amazons {
    setting: Arc<Prepared>,
    /// The position in which the match begins, after its opening.
    begin: Arc<Position>,
    position: Position,
    last: AmazonsMove,
    is_over: bool,
    hash: u64,
}

impl Amazons {
    /// The start of the setting, before its opening.
    pub fn at_start(setting: &Arc<Prepared>) -> Amazons {
        let (setting, begin) = (Arc::clone(setting), Arc::clone(&setting.start));
        let (mut position, hash) = (Position::clone(&begin), setting.start_hash);
        let is_over = !position.has_move(&setting);
        Amazons { setting, begin, position, last: AmazonsMove::NONE, is_over, hash }
    }
}

impl Rules for Amazons {
    type Move = AmazonsMove;
    type Prepared = Prepared;
    const FACTS: Facts = Facts {
        name: "amazons",
        title: "Amazons",
        summary: Said::new(
            "Slide one of your queens in a straight line, then shoot an arrow from the queen's new square. The arrow's square stays\n\
             blocked; nothing passes queens, arrows or holes. A player who cannot move loses. A move is three squares: FROM-TO/ARROW.",
            "Glissez une de vos reines en ligne droite, puis tirez une flèche de sa nouvelle case. La case de la flèche reste bloquée ;\n\
             rien ne traverse reines, flèches et trous. Qui ne peut plus jouer perd. Un coup : DÉPART-ARRIVÉE/FLÈCHE, trois cases.",
        ),
        rules_version: 2,
        chance: true, // only with the option opening
        tells: Tells::Events,
        own: "its side",
        setup: AmazonsSetup::SHAPE,
        turn: AmazonsTurn::SHAPE,
        mv: AmazonsMove::SHAPE,
        header: HEADER,
        kit: Some(KIT),
        starter: Some(Starter {
            c: include_str!("../../../clients/first-c/first-c.c"),
            rust: include_str!("../../../client-api/starters/amazons.rs"),
            zig: include_str!("../../../client-api/starters/amazons.zig"),
            go: include_str!("../../../client-api/starters/amazons.go"),
            python: include_str!("../../../client-api/starters/amazons.py"),
            opponents: &["random", "greedy"],
        }),
        options: setting::OPTIONS,
        shorthand: Some(short::SHORTHAND),
        varied: Some(("opening", "4")),
        small: &[
            "board=mini-2",
            "board=mini-2 vacated=blocked",
            "board=mini-ring",
            "board=mini-ring vacated=blocked",
            "board=mini-3",
            "board=mini-3 from=1=a2,c1/2=a3,c3/x=b2/move=2",
            "board=mini-3 opening=2",
            "board=mini-2 vacated=blocked opening=9",
            "board=mini-ring opening=0-1/0",
        ],
        tools: tools::TOOLS,
        exports: sgf::EXPORTS,
        speeds: tools::SPEEDS,
        levels: &levels(["alphabeta:level=1", "alphabeta:level=11", "alphabeta:level=16"]),
        in_words: Some(explain::explain),
        page: Said::new(
            include_str!("../../../docs/rules/amazons.md"),
            include_str!("../../../docs/rules/amazons.fr.md"),
        ),
        ..Facts::BASE
    };

    fn prepare(options: &Options, _seats: usize) -> Result<Prepared, BadOption> {
        Prepared::from_options(options)
    }

    fn resolved(setting: &Prepared, _seats: usize) -> Fields {
        told::setting(setting)
    }

    fn drawn(setting: &Arc<Prepared>, _seats: usize, opening: &Opening) -> Fields {
        told::opening(setting, opening)
    }

    fn start(setting: &Arc<Prepared>, _seats: usize, opening: &Opening) -> Self {
        let mut state = Amazons::at_start(setting);
        openings::play(&mut state, opening);
        state
    }

    #[inline]
    fn to_move(&self) -> Seats {
        if self.is_over { Seats::NONE } else { Seats::one(self.position.side) }
    }

    fn setup(&self, seat: Seat, out: &mut Blob) {
        setup::append(&self.setting, &self.begin, seat, out);
    }

    fn turn(&self, _seat: Seat, out: &mut Blob) {
        out.push(&AmazonsTurn { previous: self.last, ..AmazonsTurn::zeroed() });
    }

    #[inline]
    fn check(&self, _seat: Seat, mv: AmazonsMove) -> Result<(), Illegal> {
        if self.position.allows(&self.setting, mv) {
            return Ok(());
        }
        Err(check::explain(&self.setting, &self.begin, &self.position, mv))
    }

    #[inline]
    fn play(&mut self, answers: &[(Seat, AmazonsMove)]) {
        let Some(&(_, mv)) = answers.first() else { return };
        let (keys, side) = (&self.setting.keys, self.position.side);
        self.hash ^= keys[mv.queen_src as usize][side] ^ keys[mv.queen_dst as usize][side];
        self.hash ^= keys[mv.arrow_dst as usize][ARROW] ^ SIDE_KEY;
        self.position.make(&self.setting, mv);
        self.last = mv;
        self.is_over = !self.position.has_move(&self.setting);
    }

    fn as_start(&self) -> Amazons {
        Amazons { begin: Arc::new(self.position.clone()), last: AmazonsMove::NONE, ..self.clone() }
    }

    fn absent(&self, _seat: Seat) -> Absent<AmazonsMove> {
        Absent::Ends
    }

    fn scores(&self) -> Scores {
        Scores::of_winner(self.is_over.then_some(1 - self.position.side))
    }

    fn forfeit(&self, out: Seats) -> Scores {
        Scores::of_forfeit(out)
    }

    fn legal(&self, _seat: Seat, each: &mut dyn FnMut(AmazonsMove) -> ControlFlow<()>) {
        self.position.clone().each(&self.setting, each);
    }

    fn sample(&self, _seat: Seat, rng: &mut Rng) -> AmazonsMove {
        self.position.sample(&self.setting, rng)
    }

    fn write(&self, mv: AmazonsMove) -> String {
        notation::write(&self.setting.board, mv)
    }

    fn read(&self, text: &str) -> Option<AmazonsMove> {
        notation::read(&self.setting.board, text)
    }

    fn scene(&self, seat: Option<Seat>, language: Language) -> Scene {
        self.picture(seat, language)
    }

    fn position(&self) -> Option<String> {
        Some(self.position.to_start(&self.setting).text(&self.setting.board))
    }

    fn territory(&self, language: Language) -> Option<Panel> {
        Some(self.map(language))
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }
}
