//! A partial round robin: as many of all line-ups as everybody needs to play the same number of them, drawn so that all
//! meet as evenly as possible. It is a pure function of names, seats and seed. A new version of a client has the place
//! of its predecessor, and a longer drawing begins with a shorter one.

use agon_games::{Rng, below, rng_from};
use std::collections::BTreeMap;

/// The number of tries to improve a stretch of the drawing: for each of its seats, and in all.
const TRIES: usize = 100;
const MOST_TRIES: usize = 4_000;
/// The penalty of a repeated line-up, which would be played only once.
const TWICE: i64 = 1_000_000;

/// The line-ups of players 0 to `players` in order. At any place nobody has played two more than another; at the end
/// everybody has played at least `rounds`.
///
/// # Errors
/// A line-up is there twice, which would be played only once: few different ones are left, or none.
pub(super) fn draw(players: usize, seats: usize, rounds: u64, seed: &[u8; 32]) -> Result<Vec<Vec<usize>>, String> {
    let wanted = usize::try_from(count(players, seats, rounds)).unwrap_or(usize::MAX);
    if players < seats && wanted > 0 {
        return Err(format!("{players} clients are too few for {seats} seats"));
    }
    let stretch = (players / divisor(players, seats)).max(1);
    let tries = MOST_TRIES.min(TRIES * stretch * seats);
    let mut drawing = Drawing::new(players, seats, seed);
    while drawing.lineups.len() < wanted {
        let first = drawing.lineups.len();
        (0..stretch).for_each(|_| drawing.add());
        // Avoiding a repeated line-up is worth many tries.
        if !(0..20).any(|_| drawing.improve(first, tries)) {
            return Err(format!(
                "{wanted} line-ups of {players} clients at {seats} seats were to be drawn, and only the first {first} \
                 differ; help: lower rounds, or change the seed"
            ));
        }
    }
    drawing.lineups.truncate(wanted);
    Ok(drawing.lineups)
}

/// The drawing of a ladder, kept for its next pass: it is made once for the same teams.
#[derive(Default)]
pub struct KeptDrawing(Option<(Made, Vec<Vec<usize>>)>);

/// The players, seats, rounds and seed that a drawing follows from.
type Made = (usize, usize, u64, [u8; 32]);

impl KeptDrawing {
    /// The line-ups, as [`draw`] makes them.
    pub(super) fn draw(&mut self, made: Made) -> Result<&[Vec<usize>], String> {
        let kept = self.0.take().filter(|(known, _)| *known == made);
        let (players, seats, rounds, seed) = &made;
        let lineups = match kept {
            Some((_, lineups)) => lineups,
            None => draw(*players, *seats, *rounds, seed)?,
        };
        Ok(&self.0.insert((made, lineups)).1)
    }
}

/// The number of line-ups needed.
pub(super) fn count(players: usize, seats: usize, rounds: u64) -> u64 {
    (players as u64).saturating_mul(rounds).div_ceil((seats as u64).max(1))
}

/// The fewest rounds in which everybody meets everybody about four times, and plays equally often.
pub(super) fn usual_rounds(players: usize, seats: usize) -> u64 {
    let even = (seats / divisor(players, seats)).max(1);
    (4 * players.saturating_sub(1)).div_ceil(seats.saturating_sub(1).max(1)).next_multiple_of(even) as u64
}

fn divisor(a: usize, b: usize) -> usize {
    if b == 0 { a.max(1) } else { divisor(b, a % b) }
}

/// A drawing under way.
struct Drawing {
    seats: usize,
    lineups: Vec<Vec<usize>>,
    /// How often each has played.
    played: Vec<usize>,
    /// How often each has met each.
    met: Vec<Vec<i64>>,
    /// How often each line-up is there, players in order.
    there: BTreeMap<Vec<usize>, usize>,
    /// The number of repeated line-ups.
    twice: usize,
    rng: Rng,
}

impl Drawing {
    fn new(players: usize, seats: usize, seed: &[u8; 32]) -> Drawing {
        Drawing {
            seats,
            lineups: Vec::new(),
            played: vec![0; players],
            met: vec![vec![0; players]; players],
            there: BTreeMap::new(),
            twice: 0,
            rng: rng_from(seed),
        }
    }

    /// Adds one line-up: of the players that have played least, those that have met each other least.
    fn add(&mut self) {
        let mut lineup: Vec<usize> = Vec::with_capacity(self.seats);
        while lineup.len() < self.seats {
            let free = (0..self.played.len()).filter(|player| !lineup.contains(player));
            let cost = |player: usize| {
                let met: i64 = lineup.iter().map(|&other| square_more(self.met[player][other])).sum();
                (self.played[player], met)
            };
            let costs: Vec<_> = free.map(|player| (cost(player), player)).collect();
            let Some(&(least, _)) = costs.iter().min() else { return };
            let best: Vec<usize> = costs.iter().filter(|(cost, _)| *cost == least).map(|&(_, player)| player).collect();
            lineup.push(best[self.draw(best.len())]);
        }
        lineup.sort_unstable();
        lineup.iter().for_each(|&player| self.played[player] += 1);
        self.count(&lineup, 1);
        self.lineups.push(lineup);
    }

    /// A place below this number.
    fn draw(&mut self, bound: usize) -> usize {
        below(&mut self.rng, bound as u64) as usize
    }

    /// Adds a line-up, or removes it.
    fn count(&mut self, lineup: &[usize], times: i64) {
        for &a in lineup {
            for &b in lineup.iter().filter(|&&b| b != a) {
                self.met[a][b] += times;
            }
        }
        let there = self.there.entry(lineup.to_vec()).or_default();
        *there = there.saturating_add_signed(times as isize);
        self.twice += if times > 0 { usize::from(*there > 1) } else { 0 };
        self.twice -= if times < 0 { usize::from(*there > 0) } else { 0 };
    }

    /// Lets players of two line-ups, both from `first` on, change places if that is not worse. Returns whether all
    /// line-ups are different then.
    fn improve(&mut self, first: usize, tries: usize) -> bool {
        let stretch = self.lineups.len() - first;
        for _ in 0..if stretch > 1 { tries } else { 0 } {
            let [one, other] = [0; 2].map(|_| first + self.draw(stretch));
            let [from, to] = [0; 2].map(|_| self.draw(self.seats));
            let (a, b) = (self.lineups[one][from], self.lineups[other][to]);
            if one != other && !self.lineups[one].contains(&b) && !self.lineups[other].contains(&a) {
                self.change((one, a), (other, b), first);
            }
        }
        self.lineups[first..].iter().all(|lineup| self.there.get(lineup) == Some(&1))
    }

    /// Lets player `a` of one line-up and `b` of the other change places, unless that makes it worse.
    fn change(&mut self, (one, a): (usize, usize), (other, b): (usize, usize), first: usize) {
        let meetings = self.more_squares((one, a), b) + self.more_squares((other, b), a);
        if meetings > 0 && self.twice == 0 {
            return;
        }
        let before = [self.lineups[one].clone(), self.lineups[other].clone()];
        let after = [exchange(&before[0], a, b), exchange(&before[1], b, a)];
        let twice = |lineups: &[Vec<usize>; 2], least: usize| {
            lineups.iter().filter(|lineup| self.there.get(*lineup).is_some_and(|&times| times >= least)).count() as i64
        };
        if after[0] == before[1] || meetings + TWICE * (twice(&after, 1) - twice(&before, 2)) > 0 {
            return;
        }
        self.replace([one, other], &before, &after);
        if !self.is_fair(first) {
            self.replace([one, other], &after, &before);
        }
    }

    /// The change in the sum of the squared meetings if a player of a line-up leaves it to another.
    fn more_squares(&self, (lineup, player): (usize, usize), into: usize) -> i64 {
        let others = self.lineups[lineup].iter().filter(|&&other| other != player);
        others.map(|&other| square_more(self.met[into][other]) - square_more(self.met[player][other] - 1)).sum()
    }

    fn replace(&mut self, places: [usize; 2], before: &[Vec<usize>; 2], after: &[Vec<usize>; 2]) {
        before.iter().for_each(|lineup| self.count(lineup, -1));
        after.iter().for_each(|lineup| self.count(lineup, 1));
        for (place, lineup) in places.into_iter().zip(after) {
            self.lineups[place].clone_from(lineup);
        }
    }

    /// Whether nobody has ever played two more than another; before `first` all have played equally often.
    fn is_fair(&self, first: usize) -> bool {
        let players = self.played.len();
        let mut played = vec![0; players];
        self.lineups[first..].iter().enumerate().all(|(place, lineup)| {
            lineup.iter().for_each(|&player| played[player] += 1);
            let seated = (place + 1) * self.seats;
            played.iter().all(|count| (seated / players..=seated.div_ceil(players)).contains(count))
        })
    }
}

/// A line-up in which one player takes the place of another.
fn exchange(lineup: &[usize], out: usize, into: usize) -> Vec<usize> {
    let mut changed: Vec<usize> = lineup.iter().map(|&player| if player == out { into } else { player }).collect();
    changed.sort_unstable();
    changed
}

/// The increase of the square of a number of meetings by one more meeting.
fn square_more(met: i64) -> i64 {
    2 * met + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn choose(n: u64, k: u64) -> u64 {
        (0..k).fold(1, |ways, taken| ways * n.saturating_sub(taken) / (taken + 1))
    }

    /// How often each two meet.
    fn meetings(players: usize, lineups: &[Vec<usize>]) -> Vec<usize> {
        let pairs = (0..players).flat_map(|a| (0..a).map(move |b| (a, b)));
        let met = |(a, b)| lineups.iter().filter(|lineup| lineup.contains(&a) && lineup.contains(&b)).count();
        pairs.map(met).collect()
    }

    /// The variance of numbers.
    fn variance(numbers: &[usize]) -> f64 {
        let (sum, squares) = numbers.iter().fold((0, 0), |(sum, squares), n| (sum + n, squares + n * n));
        let count = numbers.len() as f64;
        squares as f64 / count - (sum as f64 / count).powi(2)
    }

    #[track_caller]
    fn is_equal(players: usize, seats: usize, lineups: &[Vec<usize>]) {
        let mut played = vec![0; players];
        for lineup in lineups {
            assert_eq!(lineup.iter().collect::<BTreeSet<_>>().len(), seats, "{lineup:?}");
            lineup.iter().for_each(|&player| played[player] += 1);
            let (least, most) = (played.iter().min().unwrap(), played.iter().max().unwrap());
            assert!(most - least <= 1, "{players} at tables of {seats}: {played:?}");
        }
        let different: BTreeSet<&Vec<usize>> = lineups.iter().collect();
        assert_eq!(different.len(), lineups.len(), "a line-up is there twice");
    }

    #[test]
    fn thirty_students_at_tables_of_five_meet_each_other_about_four_times() {
        let rounds = usual_rounds(30, 5);
        assert_eq!((rounds, count(30, 5, rounds)), (29, 174));
        let draw = |rounds, seed| draw(30, 5, rounds, &[seed; 32]).unwrap();
        let lineups = draw(rounds, 7);
        is_equal(30, 5, &lineups);
        let met = meetings(30, &lineups);
        assert!(met.iter().all(|times| (3..=5).contains(times)), "{met:?}");
        assert_eq!(lineups, draw(rounds, 7));
        assert_ne!(lineups, draw(rounds, 8));
        assert_eq!(lineups[..60], draw(10, 7));
    }

    #[test]
    fn a_drawing_is_made_once() {
        let mut kept = KeptDrawing::default();
        let made = (6, 2, 3, [7; 32]);
        assert_eq!(kept.draw(made).unwrap(), draw(6, 2, 3, &[7; 32]).unwrap());
        kept.0.as_mut().unwrap().1.truncate(1);
        assert_eq!(kept.draw(made).unwrap().len(), 1, "the kept one is given");
        assert_eq!(kept.draw((7, 2, 3, [7; 32])).unwrap(), draw(7, 2, 3, &[7; 32]).unwrap(), "others have another");
        assert!(kept.draw((3, 2, 9, [7; 32])).is_err() && kept.draw((1, 2, 9, [7; 32])).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn everybody_plays_equally_often_and_meets_evenly(
            players in 2usize..40, seats in 2usize..8, rounds in 1u64..14, seed: [u8; 32],
        ) {
            prop_assume!(seats < players);
            let wanted = count(players, seats, rounds);
            prop_assume!(2 * wanted <= choose(players as u64, seats as u64));
            let lineups = draw(players, seats, rounds, &seed).unwrap();
            prop_assert_eq!(lineups.len() as u64, wanted);
            is_equal(players, seats, &lineups);
            // Random drawings would vary by about the mean; few large tables leave little choice.
            let met = meetings(players, &lineups);
            let mean = met.iter().sum::<usize>() as f64 / met.len() as f64;
            prop_assert!(variance(&met) < 0.5 * mean + 0.25, "{} at {} in {}: {:?}", players, seats, rounds, met);
            prop_assert_eq!(&lineups, &draw(players, seats, rounds, &seed).unwrap());
            let longer = draw(players, seats, rounds + 1, &seed).unwrap();
            prop_assert_eq!(&longer[..lineups.len()], &lineups[..]);
        }

        /// No drawing repeats a line-up in silence, and none panics, even if more are wanted than there are.
        #[test]
        fn a_repeated_line_up_is_an_error(
            players in 0usize..8, seats in 2usize..6, rounds in 0u64..40, seed: [u8; 32],
        ) {
            let (wanted, all) = (count(players, seats, rounds), choose(players as u64, seats as u64));
            match draw(players, seats, rounds, &seed) {
                Ok(lineups) => {
                    prop_assert_eq!(lineups.len() as u64, wanted);
                    is_equal(players, seats, &lineups);
                }
                Err(why) => {
                    prop_assert!(2 * wanted > all, "{}", why);
                    prop_assert!(players < seats || why.contains("help: lower rounds"), "{}", why);
                }
            }
            prop_assert!(wanted <= all || draw(players, seats, rounds, &seed).is_err());
        }
    }
}
