//! For more than two players: each is taken to seek the best lead over the best of the others (Luckhardt and Irani
//! 1986, max^n), or all others to seek that the client has a bad one (Sturtevant and Korf 2000, paranoid search). One
//! move deeper at a time.

use crate::allowance::{Allowance, Counter};
use crate::cards::{Card, Deal, Position, Values};
use crate::chosen::{Certainty, Choose, Chosen, MAX_PLAYERS, Occasion, Points};
use std::cmp::Reverse;

/// Cards that are looked at in each position after the first: those that promise most.
const WIDTH: usize = 6;
/// More than any lead.
const INFINITE: i32 = 1_000_000;

/// The assumption about the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// Each plays for itself.
    Selfish,
    /// All play against the client.
    Hostile,
}

/// A search for a table of several.
pub struct Several<const W: usize> {
    deal: Deal<W>,
    players: usize,
    others: Others,
    nodes: u64,
    counter: Counter,
}

impl<const W: usize> Several<W> {
    /// For the cards of a start, so many players, and so many positions in one turn.
    pub fn new(values: &Values, players: usize, others: Others, nodes: u64) -> Several<W> {
        let players = players.clamp(2, MAX_PLAYERS);
        Several { deal: Deal::new(values), players, others, nodes, counter: Counter::new(Allowance::ALL) }
    }

    /// The points of all when each plays for itself, from the one to move on.
    fn selfish(&mut self, position: Position<W>, points: Points, depth: u32) -> Points {
        self.counter.count();
        if position.reach.is_empty() || self.counter.is_spent {
            return points;
        }
        let cards = self.ordered(position);
        if depth == 0 {
            let mut points = points;
            points[0] += self.deal.value(cards[0]);
            points[1] += self.deal.highest(self.deal.replies(cards[0], position.left));
            return points;
        }
        let each = cards.into_iter().take(WIDTH).map(|card| self.selfish_after(position, card, points, depth));
        each.min_by_key(|points| Reverse(lead(points))).unwrap_or(points)
    }

    /// The points of all when a card is taken and then each plays for itself.
    fn selfish_after(&mut self, position: Position<W>, card: Card, mut points: Points, depth: u32) -> Points {
        points[0] += self.deal.value(card);
        points[..self.players].rotate_left(1);
        let mut points = self.selfish(self.deal.take(position, card), points, depth - 1);
        points[..self.players].rotate_right(1);
        points
    }

    /// The points of the client for each of the others, less those of the others, when all play against it; `seat` is
    /// to move, the client is 0. Exactly if they lie between `alpha` and `beta`.
    fn hostile(&mut self, position: Position<W>, seat: usize, depth: u32, mut alpha: i32, mut beta: i32) -> i32 {
        self.counter.count();
        if position.reach.is_empty() || self.counter.is_spent {
            return 0;
        }
        let cards = self.ordered(position);
        if depth == 0 {
            let promise = self.deal.promise(position, cards[0]);
            return if seat == 0 { self.players as i32 * promise / 2 } else { -promise };
        }
        let mut best = if seat == 0 { -INFINITE } else { INFINITE };
        for card in cards.into_iter().take(WIDTH) {
            let value = self.hostile_after(position, card, seat, depth, alpha, beta);
            if seat == 0 {
                best = best.max(value);
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn hostile_after(
        &mut self,
        position: Position<W>,
        card: Card,
        seat: usize,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let gain = self.deal.value(card) * if seat == 0 { self.players as i32 - 1 } else { -1 };
        let (after, next) = (self.deal.take(position, card), (seat + 1) % self.players);
        gain + self.hostile(after, next, depth - 1, alpha - gain, beta - gain)
    }

    /// The cards within reach, those first that leave the best lead, on average over the others, of whom one replies.
    fn ordered(&self, position: Position<W>) -> Vec<Card> {
        let promise = |card| {
            let reply = self.deal.highest(self.deal.replies(card, position.left));
            (self.players as i32 - 1) * self.deal.value(card) - reply
        };
        let mut cards: Vec<Card> = position.reach.cards().collect();
        cards.sort_by_key(|card| -promise(*card));
        cards
    }

    /// The lead that taking a card is worth to the client; no more than `most` may be anything up to there.
    fn worth(&mut self, position: Position<W>, card: Card, points: Points, depth: u32, most: i32) -> i32 {
        match self.others {
            Others::Selfish => lead(&self.selfish_after(position, card, points, depth)),
            Others::Hostile => self.hostile_after(position, card, 0, depth, most, INFINITE),
        }
    }

    /// Searches so deep. Each card that comes out best was the best so far, and comes first from then on.
    fn deepen(
        &mut self,
        position: Position<W>,
        points: Points,
        cards: &mut [(Card, i32)],
        depth: u32,
        chosen: &mut Chosen,
    ) {
        let mut most = -INFINITE;
        for place in 0..cards.len() {
            let worth = self.worth(position, cards[place].0, points, depth, most);
            if self.counter.is_spent {
                return;
            }
            cards[place].1 = worth;
            if worth > most {
                (most, chosen.depth) = (worth, depth);
                (chosen.cell, chosen.value) = (self.deal.cell(cards[place].0), self.points(worth));
                cards[..=place].rotate_right(1);
            }
        }
    }

    /// Points a player, from the unit of `worth`.
    fn points(&self, worth: i32) -> f64 {
        match self.others {
            Others::Selfish => f64::from(worth),
            Others::Hostile => f64::from(worth) / f64::from(self.players as u32 - 1),
        }
    }
}

/// The lead of the first over the best of the others.
fn lead(points: &Points) -> i32 {
    points[0] - points[1..].iter().max().copied().unwrap_or(0)
}

impl<const W: usize> Choose for Several<W> {
    fn choose(&mut self, occasion: &Occasion) -> Option<Chosen> {
        let position = self.deal.position(occasion.values, occasion.cursor);
        self.counter = Counter::new(Allowance { nodes: self.nodes, ..occasion.allowance });
        let mut cards: Vec<(Card, i32)> = self.ordered(position).into_iter().map(|card| (card, 0)).collect();
        let mut chosen = Chosen {
            cell: self.deal.cell(cards.first()?.0),
            value: 0.0,
            depth: 0,
            certainty: Certainty::Estimate,
            nodes: 0,
            alternatives: vec![],
        };
        for depth in 1..=position.left.len() {
            self.deepen(position, occasion.points, &mut cards, depth, &mut chosen);
            if self.counter.is_spent {
                break;
            }
        }
        chosen.nodes = self.counter.nodes;
        chosen.compare(cards[1..].iter().map(|(card, worth)| (self.deal.cell(*card), self.points(*worth))));
        Some(chosen)
    }
}
