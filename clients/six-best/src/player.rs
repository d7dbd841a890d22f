//! The player behind the border: what it keeps of a match, and what it makes of a turn.

use crate::belief::{Belief, Revealed};
use crate::chance::Chance;
use crate::deal::{Choice, Deals, LANES, MAX_SEATS};
use crate::options::Settings;
use crate::search::{Allowance, Candidate, search};
use crate::table::{ROWS, Row, Table};
use crate::value::{Objective, Valuer};
use agon_client_api::six_qui_prend::{COURSE_EXACT, Event, Turn};

/// The facts of a match, from its setup.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// How many play.
    pub seats: usize,
    /// This player's seat.
    pub seat: usize,
    /// Cards 1 to this are in the deck.
    pub deck_max: u8,
    /// `OFFICIAL`, `COURSE` or `COURSE_EXACT`.
    pub rules: u8,
    /// Heads that end the match, 0 for one round.
    pub limit: u16,
    /// For all chance.
    pub seed: u64,
}

/// A player of one match.
pub struct Player {
    game: Game,
    settings: Settings,
    belief: Belief,
    valuer: Valuer,
    chance: Chance,
    round: u16,
    /// The turns of the round that were seen, in order; cards that were not told yet are 0.
    seen: Vec<(u8, Revealed)>,
}

impl Player {
    /// Before the first card.
    pub fn new(game: Game, settings: Settings) -> Player {
        let limit = if settings.whole_match { game.limit } else { 0 };
        Player {
            game,
            settings,
            belief: Belief::new(settings.watches),
            valuer: Valuer::new(settings.objective, game.seats, limit),
            chance: Chance::new(game.seed),
            round: 0,
            seen: Vec::new(),
        }
    }

    /// The candidates of a turn, the best first: cards, or rows where a row is asked for.
    pub fn choose(&mut self, turn: &Turn, allowance: Allowance) -> Vec<Candidate> {
        let table = self.table(turn);
        self.remember(turn, table);
        let mut candidates = match turn.pending() {
            None => self.cards(turn, table),
            Some(pending) => self.rows(turn, table, pending),
        };
        let cards = turn.hand().len();
        let mut deals = Deals::new(self.game.seats, cards);
        for lane in 0..LANES {
            deals.give(0, lane, turn.hand(), Choice::Skilled);
        }
        let others: Vec<usize> = self.others().collect();
        let seen: Vec<Revealed> = self.complete().cloned().collect();
        let chance = Chance::new(self.chance.bits());
        let mut dealer = self.belief.dealer(&others, &seen, cards, self.unseen(turn), chance);
        search(&mut candidates, deals, &mut dealer, &mut self.valuer, self.settings.path, allowance);
        candidates
    }

    /// The seats after this one, around the table.
    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let Game { seat, seats, .. } = self.game;
        (1..seats).map(move |after| (seat + after) % seats)
    }

    fn table(&self, turn: &Turn) -> Table {
        Table { rows: std::array::from_fn(|row| Row::of(turn.row(row))), is_exact: self.game.rules == COURSE_EXACT }
    }

    /// Heads that count already, of this seat and those after it.
    fn before(&self, turn: &Turn) -> [i32; MAX_SEATS] {
        let by_total = self.settings.objective == Objective::Rank && self.settings.whole_match;
        let heads = if by_total { &turn.facts.total_heads } else { &turn.facts.round_heads };
        let mut before = [0; MAX_SEATS];
        for (before, seat) in before.iter_mut().zip(std::iter::once(self.game.seat).chain(self.others())) {
            *before = heads[seat].into();
        }
        before
    }

    fn cards(&self, turn: &Turn, table: Table) -> Vec<Candidate> {
        let before = self.before(turn);
        turn.hand().iter().map(|card| Candidate::new(*card, table, *card, before)).collect()
    }

    /// After each row that could be taken: the rest of the turn is known, if those below all rows take the cheapest
    /// one.
    fn rows(&self, turn: &Turn, table: Table, pending: u8) -> Vec<Candidate> {
        let after = |row: u8| {
            let (mut table, mut before) = (table, self.before(turn));
            before[0] += i32::from(table.lay(pending, row.into()));
            let revealed = &turn.facts.revealed[..self.game.seats];
            let mut later: Vec<(u8, usize)> = self.others().zip(1..).map(|(seat, at)| (revealed[seat], at)).collect();
            later.retain(|(card, _)| *card > pending);
            later.sort_unstable();
            for (card, at) in later {
                before[at] += i32::from(table.lay(card, table.row_of(card)));
            }
            Candidate::new(row, table, 0, before)
        };
        (0..ROWS as u8).map(after).collect()
    }

    /// The cards that others may hold.
    fn unseen(&self, turn: &Turn) -> Vec<u8> {
        let seen = turn.facts.seen;
        let is_seen = |card: &u8| seen[usize::from(card / 64)] >> (card % 64) & 1 == 1;
        let unseen = (1..=self.game.deck_max).filter(|card| !is_seen(card) && !turn.hand().contains(card));
        unseen.filter(|card| turn.pending() != Some(*card)).collect()
    }

    /// Turns of the round of which all cards are known. Those before a gap would not tell what was held.
    fn complete(&self) -> impl Iterator<Item = &Revealed> {
        let is_whole = |revealed: &Revealed| revealed.cards[..self.game.seats].iter().all(|card| *card > 0);
        let last = match self.seen.split_last() {
            // The turn in which a card is asked for has not been revealed.
            Some(((_, last), before)) if !is_whole(last) => before,
            _ => &self.seen[..],
        };
        let gap = last.iter().rposition(|(_, revealed)| !is_whole(revealed)).map_or(0, |at| at + 1);
        last[gap..].iter().map(|(_, revealed)| revealed)
    }

    /// Keeps what the turn tells.
    fn remember(&mut self, turn: &Turn, table: Table) {
        for event in turn.events {
            self.note(event);
        }
        if turn.facts.round != self.round {
            let seen: Vec<Revealed> = self.complete().cloned().collect();
            self.belief.end_round(&seen);
            self.seen.clear();
            self.round = turn.facts.round;
        }
        if turn.pending().is_none() {
            self.seen.push((turn.facts.turn, Revealed { table, cards: [0; MAX_SEATS] }));
        } else if let Some((_, revealed)) = self.seen.last_mut() {
            revealed.cards = turn.facts.revealed;
        }
    }

    fn note(&mut self, event: &Event) {
        if event.round == self.round
            && let Some((_, revealed)) = self.seen.iter_mut().rfind(|(turn, _)| *turn == event.turn)
        {
            revealed.cards[usize::from(event.seat) % MAX_SEATS] = event.card;
        }
    }
}
