//! A game that breaks a law: 6 qui prend, but each turn shows the lowest card of the next seat.

use agon_abi::{Blob, read};
use agon_games::six_qui_prend::{Move, Prepared, SixQuiPrend, Turn};
use agon_games::{
    Absent, BadOption, Facts, Fields, Illegal, Language, Opening, Options, Rng, Rules, Scene, Scores, Seat, Seats,
};
use std::ops::ControlFlow;
use std::sync::Arc;

#[derive(Clone)]
pub struct Leaky {
    game: SixQuiPrend,
    seats: usize,
}

impl Rules for Leaky {
    type Move = Move;
    type Prepared = Prepared;
    const FACTS: Facts = SixQuiPrend::FACTS;

    fn turn(&self, seat: Seat, out: &mut Blob) {
        let mut next = Blob::new();
        self.game.turn((seat + 1) % self.seats, &mut next);
        let next: Turn = read(next.bytes()).unwrap();
        self.game.turn(seat, out);
        out.put(std::mem::offset_of!(Turn, reserved0), &next.hand[0]);
    }

    fn prepare(options: &Options, seats: usize) -> Result<Prepared, BadOption> {
        SixQuiPrend::prepare(options, seats)
    }
    fn resolved(setting: &Prepared, seats: usize) -> Fields {
        SixQuiPrend::resolved(setting, seats)
    }
    fn drawn(setting: &Arc<Prepared>, seats: usize, opening: &Opening) -> Fields {
        SixQuiPrend::drawn(setting, seats, opening)
    }
    fn start(setting: &Arc<Prepared>, seats: usize, opening: &Opening) -> Self {
        Leaky { game: SixQuiPrend::start(setting, seats, opening), seats }
    }
    fn to_move(&self) -> Seats {
        self.game.to_move()
    }
    fn setup(&self, seat: Seat, out: &mut Blob) {
        self.game.setup(seat, out);
    }
    fn check(&self, seat: Seat, mv: Move) -> Result<(), Illegal> {
        self.game.check(seat, mv)
    }
    fn play(&mut self, answers: &[(Seat, Move)]) {
        self.game.play(answers);
    }
    fn absent(&self, seat: Seat) -> Absent<Move> {
        self.game.absent(seat)
    }
    fn scores(&self) -> Scores {
        self.game.scores()
    }
    fn legal(&self, seat: Seat, each: &mut dyn FnMut(Move) -> ControlFlow<()>) {
        self.game.legal(seat, each);
    }
    fn sample(&self, seat: Seat, rng: &mut Rng) -> Move {
        self.game.sample(seat, rng)
    }
    fn redeal(&self, seat: Seat, rng: &mut Rng) -> Self {
        Leaky { game: self.game.redeal(seat, rng), seats: self.seats }
    }
    fn write(&self, mv: Move) -> String {
        self.game.write(mv)
    }
    fn read(&self, text: &str) -> Option<Move> {
        self.game.read(text)
    }
    fn scene(&self, seat: Option<Seat>, language: Language) -> Scene {
        self.game.scene(seat, language)
    }
    fn hash(&self) -> u64 {
        self.game.hash()
    }
}
