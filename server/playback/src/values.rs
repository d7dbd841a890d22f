//! Values that clients logged with their moves, by keys that mean the same to all; and blunders: moves after which both
//! clients of a match thought otherwise of it than before.

use agon_games::Seat;
use agon_model::visible::escape;
use agon_model::{Match, Phase, Step, Stream, Thought};
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// From this on a value says that the match is decided, as clients write it.
const PROVED: f64 = 9_000.0;
/// A blunder costs its mover at least this share of what there is between lost and won, in the eyes of both.
const BLUNDER: f64 = 0.15;
/// In most matches little happens for long, and what is said then is not what a blunder is measured by: this share of a
/// client's values is smaller than what counts as much.
const MUCH: f64 = 0.75;

/// Values that a client logged with a move, if they can be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Logged {
    pub seat: Seat,
    /// Its keys `value`, `depth` and `nodes`.
    pub thought: Thought,
    /// How it thinks that the match goes on: `line`.
    pub line: Option<String>,
}

impl Logged {
    /// Keeps what a line of a log, `key TAB value`, says that all clients say alike; the last one counts.
    fn take(&mut self, line: &str) {
        self.thought.take(line);
        if let Some(text) = line.strip_prefix("line\t") {
            self.line = Some(escape(text, 400));
        }
    }
}

/// A scale in which values of a client are told apart, whatever it counts in.
#[derive(Clone, Copy, Debug)]
pub struct ValueScale {
    /// So large a value is half the way from even to won.
    pub much: f64,
}

impl ValueScale {
    /// By these values: `part` of them, without their signs, are smaller than what is much. Proofs and zeros are left
    /// out; without others it is 1.
    pub fn of(values: impl IntoIterator<Item = f64>, part: f64) -> ValueScale {
        let sizes = values.into_iter().map(f64::abs);
        let mut sizes: Vec<f64> = sizes.filter(|size| *size > 0.0 && *size < PROVED).collect();
        sizes.sort_by(f64::total_cmp);
        ValueScale { much: sizes.get((sizes.len() as f64 * part) as usize).copied().unwrap_or(1.0) }
    }

    /// Between 0, lost, and 1, won; 1/2 is even.
    pub fn share(self, value: f64) -> f64 {
        0.5 + (value / self.much).atan() / PI
    }

    /// Whether the value says that the match is decided.
    pub fn is_proof(value: f64) -> bool {
        value.abs() >= PROVED
    }
}

/// How the values of both clients changed over a blunder: of the mover and of the other, before and after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blunder {
    /// The mover's with this move and with its next one.
    pub own: [f64; 2],
    /// The other's with the moves before and after.
    pub other: [f64; 2],
}

/// The values that the clients of a match logged with their moves.
#[derive(Clone, Debug, Default)]
pub struct LoggedValues {
    logged: BTreeMap<(u32, Seat), Logged>,
    blunders: BTreeMap<u32, Blunder>,
}

impl LoggedValues {
    /// Reads the values of a match.
    pub fn of(played: &Match) -> LoggedValues {
        let mut logged: BTreeMap<(u32, Seat), Logged> = BTreeMap::new();
        let moves = played.outputs.iter().filter(|output| output.stream == Stream::Log && output.phase == Phase::Play);
        for output in moves {
            let none = Logged { seat: output.seat, ..Logged::default() };
            let said = logged.entry((output.ply, output.seat)).or_insert(none);
            output.text.lines().for_each(|line| said.take(line));
        }
        logged.retain(|(_, seat), said| *said != Logged { seat: *seat, ..Logged::default() });
        let mut values = LoggedValues { logged, blunders: BTreeMap::new() };
        values.blunders = values.find_blunders(&played.steps, played.seats.len());
        values
    }

    /// Whether nobody logged anything that all mean alike.
    pub fn is_empty(&self) -> bool {
        self.logged.is_empty()
    }

    /// The values of a turn, seat by seat.
    pub fn in_turn(&self, ply: u32) -> impl Iterator<Item = &Logged> {
        self.logged.range((ply, 0)..=(ply, Seat::MAX)).map(|(_, logged)| logged)
    }

    /// The values logged with a move.
    pub fn with(&self, step: &Step) -> Option<&Logged> {
        self.logged.get(&(step.ply, step.seat))
    }

    /// How the move of this turn changed what both thought, if it was a blunder.
    pub fn blunder(&self, ply: u32) -> Option<Blunder> {
        self.blunders.get(&ply).copied()
    }

    /// Two who move in turns and both log values: the mover's own falls by its next move, and the other's rises over
    /// the same move, each by [`BLUNDER`] in its own scale.
    fn find_blunders(&self, steps: &[Step], seats: usize) -> BTreeMap<u32, Blunder> {
        let value = |step: &Step| self.with(step)?.thought.value;
        let scale = |seat| ValueScale::of(steps.iter().filter(|step| step.seat == seat).filter_map(value), MUCH);
        let scales = [0, 1].map(scale);
        let blunder = |four: &[Step]| {
            let [before, mv, after, next] = four else { return None };
            let (own, other) = (mv.seat, before.seat);
            let in_turns = own != other && (after.seat, next.seat) == (other, own);
            let told = in_turns.then_some([value(mv)?, value(next)?, value(before)?, value(after)?]);
            let [had, has, other_had, other_has] = told?;
            let loss = scales[own].share(had) - scales[own].share(has);
            let gain = scales[other].share(other_has) - scales[other].share(other_had);
            let found = Blunder { own: [had, has], other: [other_had, other_has] };
            (loss >= BLUNDER && gain >= BLUNDER).then_some((mv.ply, found))
        };
        if seats == 2 { steps.windows(4).filter_map(blunder).collect() } else { BTreeMap::new() }
    }
}

/// A value or a depth, with at most three digits behind the point.
pub fn value_text(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::MoveBytes;
    use agon_model::{Ending, Output, SeatResult};

    /// Two who move in turns and log these values.
    fn played(values: &[f64]) -> Match {
        let step = |ply: usize| Step {
            ply: ply as u32,
            seat: ply % 2,
            mv: MoveBytes::default(),
            by_client: true,
            cpu_us: 0,
            wall_us: 0,
            hash: 0,
        };
        let output = |(ply, value): (usize, &f64)| Output {
            seat: ply % 2,
            phase: Phase::Play,
            ply: ply as u32,
            stream: Stream::Log,
            text: format!("value\t{value}\ndepth\t3\n"),
        };
        Match {
            id: String::new(),
            start: 0,
            ending: Ending::Over,
            seats: vec![SeatResult { rank: 1, ..SeatResult::default() }; 2],
            steps: (0..values.len()).map(step).collect(),
            outputs: values.iter().enumerate().map(output).collect(),
            started: 0,
            wall_us: 0,
        }
    }

    #[test]
    fn what_is_logged_is_read_as_far_as_it_can_be() {
        let mut said = Logged { seat: 1, ..Logged::default() };
        for line in ["value\t-12.5", "depth\t4", "nodes\t99", "depth\t5", "line\ta b\u{1b}", "value", "other\t1"] {
            said.take(line);
        }
        let line = Some("a b\\x1b".to_owned());
        assert_eq!(
            said,
            Logged { seat: 1, thought: Thought { value: Some(-12.5), depth: Some(5.0), nodes: Some(99) }, line }
        );
        said.take("value\tNaN");
        assert_eq!(said.thought.value, None);
    }

    #[test]
    fn a_blunder_is_what_both_see() {
        let found = |values: &[f64]| LoggedValues::of(&played(values)).blunders.keys().copied().collect::<Vec<_>>();
        // Seat 1 thinks in hundreds. In turn 2, counted from 0, seat 0 throws its advantage away.
        assert_eq!(found(&[2.0, -200.0, 2.0, 300.0, -3.0, 300.0]), [2]);
        assert_eq!(found(&[2.0, -200.0, 2.0, -200.0, -3.0, -200.0]), [0; 0], "the other saw nothing in it");
        assert_eq!(found(&[2.0, -200.0, 2.0, 300.0, 2.0, 300.0]), [0; 0], "the mover saw nothing in it");
        assert_eq!(found(&[2.0, -200.0, 1.9, -190.0, 1.7, -180.0, 1.6, -170.0]), [0; 0], "slowly worse");
        assert_eq!(found(&[2.0, -200.0, 9_999.0, 9_999.0, -9_999.0]), [2], "proofs of both");
        assert_eq!(found(&[-9_998.0, 9_998.0, -9_999.0, 9_999.0, -9_999.0]), [0; 0], "lost before");
        assert_eq!(found(&[2.0, -2.0, 2.0]), [0; 0], "too short to tell");
    }

    #[test]
    fn values_of_a_third_seat_or_of_nobody_make_no_blunder() {
        let mut three = played(&[2.0, -2.0, 2.0, 3.0, -3.0, 3.0]);
        assert_eq!(LoggedValues::of(&three).blunders.len(), 1);
        three.seats.push(three.seats[0].clone());
        assert!(LoggedValues::of(&three).blunders.is_empty());
        three.outputs.clear();
        assert!(LoggedValues::of(&three).is_empty());
    }
}
