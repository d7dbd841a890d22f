//! A coordinator's exchange with blocks that nobody plays, and workers that claim and deliver them.

use agon_crew::remote::draw_identity;
use agon_model::{EntrantId, LadderId, LadderRow, MachineSpeed};
use agon_postgres::{PostgresExchange, PostgresLink, PostgresRecord};
use agon_record::Record;
use agon_record::exchange::{Claimed, Delivery, Exchange, Greeting, Offer, OfferedBlock, PostedTerms, WorkerLink};
use std::time::Duration;

fn terms(lease: Duration) -> PostedTerms {
    PostedTerms { game: "chess rules 1".to_owned(), threads: 1, content: "{}".to_owned(), lease }
}

pub fn offers(numbers: std::ops::Range<u64>) -> Vec<Offer> {
    let block = |number: u64| OfferedBlock {
        id: format!("{number:016x}"),
        number,
        lineup: vec![EntrantId(1), EntrantId(2)],
        rotations: 2,
        setting: 0,
        opening: number,
        client_seed: [0; 32],
    };
    numbers.map(|number| block(number).into()).collect()
}

/// A ladder that is not begun yet.
pub fn row() -> LadderRow {
    LadderRow {
        id: LadderId(0),
        name: "class".to_owned(),
        game: "chess".to_owned(),
        seats: 2,
        seed: 1,
        seed_drawn: true,
        terms: Default::default(),
        settings: Vec::new(),
    }
}

/// A ladder's number, its record being made where there is none, and its exchange.
pub fn begin(url: &str, lease: Duration) -> (LadderId, PostgresExchange) {
    let ladder = PostgresRecord::open(url).unwrap().begin_ladder(&row()).unwrap().id;
    begin_again(url, ladder, lease)
}

/// The same of a ladder that is there.
pub fn begin_again(url: &str, ladder: LadderId, lease: Duration) -> (LadderId, PostgresExchange) {
    let mut exchange = PostgresExchange::open(url).unwrap();
    exchange.post(ladder, &terms(lease)).unwrap();
    (ladder, exchange)
}

/// What somebody says first.
pub fn greeting(name: &str) -> Greeting {
    Greeting {
        name: name.to_owned(),
        build: "0".to_owned(),
        games: vec!["chess rules 1".to_owned()],
        cores: 2,
        jobs: 1,
        layers: Vec::new(),
        speed: MachineSpeed { relative: 1.0, ..MachineSpeed::default() },
        identity: draw_identity(),
    }
}

/// Somebody who claims and delivers and does not play.
pub struct Worker {
    pub link: PostgresLink,
    pub name: String,
    key: String,
    pub holds: Vec<Claimed>,
    /// What it says of each block.
    pub content: String,
}

impl Worker {
    pub fn come(url: &str, name: &str) -> Worker {
        let mut link = PostgresLink::new(url).unwrap();
        let key = link.greet(&greeting(name)).unwrap();
        Worker { link, name: name.to_owned(), key, holds: Vec::new(), content: "played".to_owned() }
    }

    pub fn claim(&mut self, many: usize) -> usize {
        let claimed = self.link.exchange(&[], many, many).unwrap().1;
        let count = claimed.len();
        self.holds.extend(claimed);
        count
    }

    pub fn deliveries(&self, claimed: &[Claimed]) -> Vec<Delivery> {
        let delivery = |one: &Claimed| {
            let (key, lease) = (self.key.clone(), one.lease.clone());
            Delivery { key, lease, content: Ok(self.content.clone()) }
        };
        claimed.iter().map(delivery).collect()
    }

    /// The refusals.
    pub fn deliver(&mut self, many: usize) -> Vec<String> {
        let some: Vec<Claimed> = self.holds.drain(..many.min(self.holds.len())).collect();
        let deliveries = self.deliveries(&some);
        self.link.exchange(&deliveries, 0, 0).unwrap().0
    }

    /// Hands in all it holds and claims; the refusals.
    pub fn exchange(&mut self, many: usize) -> Vec<String> {
        let held = std::mem::take(&mut self.holds);
        let (refusals, claimed) = self.link.exchange(&self.deliveries(&held), many, many).unwrap();
        self.holds = claimed;
        refusals
    }
}
