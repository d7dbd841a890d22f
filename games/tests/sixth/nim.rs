//! Nim with one heap: a whole game outside the list of games. With its header it is all that one more game costs.

use agon_abi::{Blob, Layout, Pod, SetupHead, TurnHead, pod};
use agon_games::{
    Absent, BadOption, Facts, Fields, Illegal, Language, Opening, OptionFact, Options, Panel, Rng, Rules, Said, Scene,
    Scores, Seat, Seats, below,
};
use std::ops::ControlFlow;
use std::sync::Arc;

pod! {
    /// `nim_setup`.
    pub struct Setup = "nim_setup" {
        /// The head of all games.
        pub head: SetupHead,
        /// Objects at the start.
        pub heap: u32,
        /// Most objects that a move takes.
        pub most: u32,
    }
}

pod! {
    /// `nim_turn`.
    pub struct Turn = "nim_turn" {
        /// The head of all games.
        pub head: TurnHead,
        /// Objects left.
        pub heap: u32,
        /// Objects that the other player took last; 0 in the first turn.
        pub last: u32,
    }
}

pod! {
    /// `nim_move`.
    pub struct Move = "nim_move" {
        /// Objects to take.
        pub take: u32,
    }
}

/// The options: objects at the start, and most of them that a move takes.
pub struct Prepared {
    heap: u32,
    most: u32,
}

/// A state of the game.
#[derive(Clone)]
pub struct Nim {
    setting: Arc<Prepared>,
    heap: u32,
    last: u32,
    next: Seat,
}

impl Rules for Nim {
    type Move = Move;
    type Prepared = Prepared;

    const FACTS: Facts = Facts {
        name: "nim",
        title: "Nim",
        summary: Said::new(
            "Take 1 to 3 objects from the heap; who takes the last one wins.\nA move is a number: 2",
            "Prenez 1 à 3 objets du tas ; qui prend le dernier gagne.\nUn coup est un nombre : 2",
        ),
        setup: Setup::SHAPE,
        turn: Turn::SHAPE,
        mv: Move::SHAPE,
        header: include_str!("nim.h"),
        options: &[
            OptionFact {
                key: "heap",
                default: "21",
                help: "objects at the start, 1 to 1000",
                example: "heap=7",
                asked: Some(Said::new("How many objects", "Combien d'objets")),
                ..OptionFact::BASE
            },
            OptionFact {
                key: "most",
                default: "3",
                help: "most objects that a move takes, 1 to 1000",
                example: "most=2",
                ..OptionFact::BASE
            },
        ],
        small: &["heap=7", "heap=5 most=9"],
        ..Facts::BASE
    };

    fn prepare(options: &Options, _seats: usize) -> Result<Prepared, BadOption> {
        let number = |key| options.number(key, 1..=1000).map(|number| number as u32);
        Ok(Prepared { heap: number("heap")?, most: number("most")? })
    }

    fn resolved(setting: &Prepared, _seats: usize) -> Fields {
        vec![("heap", setting.heap.into()), ("most", setting.most.into())]
    }

    fn drawn(_setting: &Arc<Prepared>, _seats: usize, _opening: &Opening) -> Fields {
        Fields::new()
    }

    fn start(setting: &Arc<Prepared>, _seats: usize, _opening: &Opening) -> Self {
        Nim { setting: Arc::clone(setting), heap: setting.heap, last: 0, next: 0 }
    }

    fn to_move(&self) -> Seats {
        if self.heap == 0 { Seats::NONE } else { Seats::one(self.next) }
    }

    fn setup(&self, _seat: Seat, out: &mut Blob) {
        out.push(&Setup { heap: self.setting.heap, most: self.setting.most, ..Setup::zeroed() });
    }

    fn turn(&self, _seat: Seat, out: &mut Blob) {
        out.push(&Turn { heap: self.heap, last: self.last, ..Turn::zeroed() });
    }

    fn check(&self, _seat: Seat, mv: Move) -> Result<(), Illegal> {
        let most = self.setting.most.min(self.heap);
        if (1..=most).contains(&mv.take) {
            return Ok(());
        }
        let french = format!("{} pris ; 1 à {most} sont permis", mv.take);
        Err(Illegal::new("wrong-number", format!("{} taken; 1 to {most} is allowed", mv.take), french))
    }

    fn play(&mut self, answers: &[(Seat, Move)]) {
        for (seat, mv) in answers {
            self.heap = self.heap.saturating_sub(mv.take);
            self.last = mv.take;
            self.next = 1 - seat;
        }
    }

    fn absent(&self, _seat: Seat) -> Absent<Move> {
        Absent::Ends
    }

    fn scores(&self) -> Scores {
        Scores::of_winner((self.heap == 0).then_some(1 - self.next))
    }

    fn forfeit(&self, out: Seats) -> Scores {
        Scores::of_forfeit(out)
    }

    fn legal(&self, _seat: Seat, each: &mut dyn FnMut(Move) -> ControlFlow<()>) {
        let _ = (1..=self.setting.most.min(self.heap)).try_for_each(|take| each(Move { take }));
    }

    fn sample(&self, _seat: Seat, rng: &mut Rng) -> Move {
        Move { take: 1 + below(rng, self.setting.most.min(self.heap).into()) as u32 }
    }

    /// Writes the taken and the left stones: the same move is written in another way in another position.
    fn write(&self, mv: Move) -> String {
        format!("{}:{}", mv.take, self.heap.saturating_sub(mv.take))
    }

    fn read(&self, text: &str) -> Option<Move> {
        let (take, left) = text.split_once(':').map_or((text, None), |(take, left)| (take, Some(left)));
        let mv = Move { take: take.parse().ok()? };
        left.is_none_or(|left| left.parse() == Ok(self.heap.saturating_sub(mv.take))).then_some(mv)
    }

    fn scene(&self, _seat: Option<Seat>, language: Language) -> Scene {
        let text = format!("{} {}", self.heap, language.pick("left", "restants"));
        Scene { panels: vec![Panel::new("", vec![text.clone()])], spoken: text, ..Scene::default() }
    }

    fn hash(&self) -> u64 {
        (u64::from(self.heap) << 32 | u64::from(self.last)) << 1 | self.next as u64
    }
}
