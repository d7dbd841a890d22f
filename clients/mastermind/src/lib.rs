//! Mastermind by seven strategies, chosen by the option `strategy`: the next possible code in order, any possible one,
//! the best guess by one of four scores, or the fewest guesses over all codes. As a maker it hides any code, or
//! answers so that many codes stay possible. docs/notebook/mastermind.md says how it plays.
#![forbid(unsafe_code)]

mod logarithm;
mod maker;
mod many;
pub mod optimum;
mod packed;
mod partition;
mod score;
mod stored;
mod table;
mod tree;

use agon_client_api::chance::{Rng, rng};
use agon_client_api::mastermind::{ADAPTIVE, Asked, Code, Codes, MAKER, Mastermind, Move, Setup, Try, Turn};
use agon_client_api::{Client, Declined, Mistakes, Options, export_client};
use maker::Maker;
use many::Time;
use score::{Judge, Score};
use std::sync::{Mutex, PoisonError};
use stored::Stored;
use tree::Tree;

/// The values of the option `strategy`; the third is the default.
const STRATEGIES: [(&str, Strategy); 7] = [
    ("first", Strategy::First),
    ("random", Strategy::Random),
    ("minimax", Strategy::Scored(Score::Minimax)),
    ("entropy", Strategy::Scored(Score::Entropy)),
    ("expected", Strategy::Scored(Score::Expected)),
    ("parts", Strategy::Scored(Score::Parts)),
    ("optimum", Strategy::Optimum),
];

#[derive(Clone, Copy)]
enum Strategy {
    First,
    Random,
    Scored(Score),
    /// The stored strategy, or most parts where there is none.
    Optimum,
}

/// How it plays a match.
enum Mind {
    First,
    Random,
    /// By a tree of guesses, where there are few codes.
    Tree(Box<Tree>),
    /// By a sample of codes, where there are many.
    Many(Judge),
    /// An adaptive maker.
    Maker(Maker),
}

/// How a level plays.
#[derive(Clone, Copy)]
struct Level<'a> {
    strategy: &'a str,
    /// The percentage of guesses that are drawn from all codes.
    mistakes: u64,
}

/// From the weakest.
const LEVELS: [Level<'_>; 4] = [
    Level { strategy: "random", mistakes: 91 },
    Level { strategy: "random", mistakes: 75 },
    Level { strategy: "random", mistakes: 35 },
    Level { strategy: "optimum", mistakes: 0 },
];

/// To say what a guess tells takes so many times as long as to list the codes.
const EXPLAINING: u64 = 4;

/// The last tree, since a client that is kept for many matches mostly plays the same game again.
static LAST: Mutex<Option<Box<Tree>>> = Mutex::new(None);

fn last() -> std::sync::MutexGuard<'static, Option<Box<Tree>>> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The client.
pub struct Player {
    name: &'static str,
    codes: Codes,
    tries: u64,
    mistakes: Mistakes,
    rng: Rng,
    mind: Mind,
}

impl Client for Player {
    type Game = Mastermind;
    const NAME: &'static str = "mastermind";

    fn name(&self) -> &str {
        self.name
    }

    fn new(setup: &Setup) -> Result<Self, Declined> {
        let (codes, mut rng) = (setup.codes(), rng(setup.facts.head.seed));
        let wanted = wanted(setup.options)?;
        let mistakes = Mistakes::read(setup.options, wanted.mistakes, setup.facts.head.seed)?;
        let (name, strategy) = strategy(wanted.strategy)?;
        let (name, stored) = match strategy {
            Strategy::Optimum => optimum(codes, setup.options.number("worst", 1..=100)?)?,
            _ => (name, None),
        };
        let mind = match strategy {
            _ if (setup.facts.role, setup.facts.maker) == (MAKER, ADAPTIVE) => Mind::Maker(Maker::new(codes, &mut rng)),
            Strategy::First => Mind::First,
            Strategy::Random => Mind::Random,
            Strategy::Scored(score) => by_score(codes, score),
            Strategy::Optimum if stored.is_some() => Mind::Tree(tree(codes, Score::Parts, stored)),
            Strategy::Optimum => by_score(codes, Score::Parts),
        };
        Ok(Player { name, codes, tries: setup.facts.tries.into(), mistakes, rng, mind })
    }

    fn play(&mut self, turn: &Turn) -> Move {
        let code = match (turn.asked(), &mut self.mind) {
            (Asked::Reply(guess), Mind::Maker(maker)) => return Move::reply(maker.answer(turn.history, &guess)),
            (Asked::Guess, _) => {
                let left = self.tries.saturating_sub(turn.history.len() as u64);
                let time = Time::of(&turn.facts.head, left);
                let guess = self.guess(turn.history, time);
                if time.suffices(self.codes, EXPLAINING) {
                    partition::explain(self.codes, turn.history, &guess);
                }
                guess
            }
            // Nobody but an adaptive maker is asked for replies.
            (Asked::Secret | Asked::Reply(_), _) => self.codes.draw(&mut self.rng),
        };
        Move::code(&code, self.codes.pegs() as u8)
    }

    fn finish(self) {
        if let Mind::Tree(tree) = self.mind {
            *last() = Some(tree);
        }
    }
}

impl Player {
    fn guess(&mut self, history: &[Try], time: Time) -> Code {
        let (codes, rng) = (self.codes, &mut self.rng);
        if let Some(rng) = self.mistakes.this_turn() {
            return codes.draw(rng);
        }
        match &mut self.mind {
            Mind::First => many::first(codes, history, rng, time),
            Mind::Random | Mind::Maker(_) => many::any(codes, history, rng, time),
            Mind::Tree(tree) => tree.guess(history).unwrap_or_else(|| codes.draw(rng)),
            Mind::Many(judge) => many::guess(codes, judge, history, rng, time),
        }
    }
}

/// The strategy that the options ask for, by itself or as a level.
fn wanted(options: Options<'_>) -> Result<Level<'_>, Declined> {
    match (options.get("strategy"), options.number("level", 1..=LEVELS.len() as u64)?) {
        (Some(_), Some(_)) => Err("strategy and level both say how it plays: give one of them".into()),
        (Some(strategy), None) => Ok(Level { strategy, mistakes: 0 }),
        (None, Some(level)) => Ok(LEVELS[level as usize - 1]),
        (None, None) => Ok(Level { strategy: "minimax", mistakes: 0 }),
    }
}

/// The strategy with a name, and the name as it lives on.
fn strategy(wanted: &str) -> Result<(&'static str, Strategy), Declined> {
    STRATEGIES.into_iter().find(|(name, _)| *name == wanted).ok_or_else(|| {
        let names = STRATEGIES.map(|(name, _)| format!("\"{name}\""));
        format!("strategy = \"{wanted}\" is none of {}", names.join(", ")).into()
    })
}

/// The strategy with the fewest guesses, at most `worst` for each code, and what to call it; `None` for sizes that
/// have none.
fn optimum(codes: Codes, worst: Option<u64>) -> Result<(&'static str, Option<&'static Stored>), Declined> {
    match (stored::find(codes, worst.unwrap_or(u64::MAX)), worst) {
        (Some(stored), _) => Ok(("optimum", Some(stored))),
        (None, None) => Ok(("parts", None)),
        (None, Some(worst)) => {
            let size = format!("{} places of {} values", codes.pegs(), codes.values());
            Err(format!("worst = {worst}: no strategy for {size} is stored that needs no more guesses; leave it out")
                .into())
        }
    }
}

/// The best guesses by a score.
fn by_score(codes: Codes, score: Score) -> Mind {
    if codes.count() <= table::MOST_CODES {
        Mind::Tree(tree(codes, score, None))
    } else {
        Mind::Many(Judge::new(score, many::SAMPLE))
    }
}

/// The tree of the last match if it fits, else a new one.
fn tree(codes: Codes, score: Score, stored: Option<&'static Stored>) -> Box<Tree> {
    let kept = last().take().filter(|tree| tree.is_for(codes, score, stored));
    let new = || stored.map_or_else(|| Tree::new(codes, score), |stored| Tree::stored(codes, score, stored));
    kept.unwrap_or_else(|| Box::new(new()))
}

export_client!(Player);
