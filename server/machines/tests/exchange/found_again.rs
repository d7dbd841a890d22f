//! Whatever coordinators and workers do, in any order: a block that comes back is found again.

use super::again;
use crate::cluster::Cluster;
use crate::hands::{Worker, begin, offers};
use agon_postgres::{PostgresExchange, PostgresRecord};
use agon_record::database::{Roster as _, Target};
use agon_record::exchange::{Delivered, DeliveryVerdict, Exchange, Offer, Settled, WorkerLink};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::time::Duration;

/// Free blocks that nobody finds, as claims begin after them.
fn overlooked(owner: &mut postgres::Client) -> i64 {
    let select = "SELECT count(*) FROM agon.offer WHERE worker IS NULL
        AND place < (SELECT last_value FROM agon.offer_front)";
    owner.query_one(select, &[]).unwrap().get(0)
}

/// What a coordinator and workers do.
#[derive(Clone, Debug)]
enum Act {
    Offer(u64),
    Claim(usize, usize),
    Deliver(usize, usize),
    Exchange(usize, usize),
    Release(usize),
    Leave(usize),
    Decline(usize),
    Expire(usize),
    Ban(usize),
    Void(usize),
    Twice,
    /// The coordinator takes what was delivered and refuses every third of it.
    Settle,
    Look,
}

fn act() -> impl Strategy<Value = Act> {
    let who = 0..3usize;
    prop_oneof![
        3 => (1..12u64).prop_map(Act::Offer),
        6 => (who.clone(), 1..8usize).prop_map(|(who, many)| Act::Claim(who, many)),
        4 => (who.clone(), 1..6usize).prop_map(|(who, many)| Act::Deliver(who, many)),
        4 => (who.clone(), 0..6usize).prop_map(|(who, many)| Act::Exchange(who, many)),
        1 => who.clone().prop_map(Act::Release),
        1 => who.clone().prop_map(Act::Leave),
        1 => who.clone().prop_map(Act::Decline),
        2 => who.clone().prop_map(Act::Expire),
        1 => who.clone().prop_map(Act::Ban),
        1 => who.prop_map(Act::Void),
        2 => Just(Act::Twice),
        3 => Just(Act::Settle),
        3 => Just(Act::Look),
    ]
}

/// All of it, and which blocks were offered and are not done.
struct Play {
    url: String,
    owner: postgres::Client,
    exchange: PostgresExchange,
    workers: Vec<Worker>,
    come: usize,
    offered: u64,
    open: BTreeSet<String>,
}

impl Play {
    fn begin(url: String) -> Play {
        let (_, exchange) = begin(&url, Duration::from_secs(3600));
        let owner = postgres::Client::connect(&url, postgres::NoTls).unwrap();
        let workers = (0..3).map(|number| Worker::come(&url, &format!("w{number}"))).collect();
        Play { url, owner, exchange, workers, come: 3, offered: 0, open: BTreeSet::new() }
    }

    /// Another one in the place of one who cannot come again.
    fn replace(&mut self, who: usize) {
        self.workers[who] = Worker::come(&self.url, &format!("w{}", self.come));
        self.come += 1;
    }

    fn record(&self) -> PostgresRecord {
        PostgresRecord::open(&self.url).unwrap()
    }

    fn act(&mut self, act: &Act) {
        match *act {
            Act::Offer(many) => {
                let offers = offers(self.offered..self.offered + many);
                self.offered += many;
                self.open.extend(offers.iter().map(|offer| offer.block.id.clone()));
                self.exchange.offer(&offers).unwrap();
            }
            Act::Claim(who, many) => _ = self.workers[who].claim(many),
            // What somebody else has by now is refused, and no fault.
            Act::Deliver(who, many) => drop(self.workers[who].deliver(many)),
            Act::Exchange(who, many) => drop(self.workers[who].exchange(many)),
            Act::Release(who) => {
                let leases: Vec<i64> = self.workers[who].holds.drain(..).map(|one| one.lease.number).collect();
                self.workers[who].link.release(&leases).unwrap();
            }
            Act::Leave(who) => {
                self.workers[who].link.leave().unwrap();
                self.replace(who);
            }
            Act::Decline(who) => {
                let Some(terms) = self.workers[who].holds.first().map(|one| one.terms) else { return };
                self.workers[who].link.decline(terms, "not mine").unwrap();
                self.replace(who);
            }
            Act::Expire(who) => {
                let end = "UPDATE agon.offer SET until = now() - interval '1 s' WHERE worker =
                    (SELECT max(id) FROM agon.worker WHERE name = $1)";
                self.owner.execute(end, &[&self.workers[who].name]).unwrap();
                self.exchange.crowd().unwrap();
            }
            Act::Ban(who) => {
                assert!(self.record().ban(&self.target(who)).unwrap().is_some());
                self.replace(who);
            }
            Act::Void(who) => {
                assert!(self.record().void(&self.target(who)).unwrap().is_some());
                self.replace(who);
                // What it had handed in and nobody has judged is forgotten, and offered again as after a crash.
                self.offer_forgotten();
            }
            Act::Twice => _ = self.exchange.offer_twice(Duration::ZERO).unwrap(),
            Act::Settle => self.settle(3),
            Act::Look => drop(self.exchange.crowd().unwrap()),
        }
    }

    fn target(&mut self, who: usize) -> Target {
        let newest = "SELECT max(id) FROM agon.worker WHERE name = $1";
        Target::Worker(self.owner.query_one(newest, &[&self.workers[who].name]).unwrap().get(0))
    }

    fn offer_forgotten(&mut self) {
        let open: Vec<&str> = self.open.iter().map(String::as_str).collect();
        let forgotten = self.exchange.forgotten(&open).unwrap();
        let again: Vec<Offer> = forgotten.iter().map(|id| again(id)).collect();
        self.exchange.offer(&again).unwrap();
    }

    fn settle(&mut self, refuses: usize) {
        let delivered = self.exchange.deliveries().unwrap();
        let judge = |(number, one): (usize, Delivered)| {
            let is_refused = refuses > 0 && number % refuses == 0;
            let verdict = if is_refused { DeliveryVerdict::Asked } else { DeliveryVerdict::Kept };
            Settled { id: one.id, worker: one.worker, verdict }
        };
        let settled: Vec<Settled> = delivered.into_iter().enumerate().map(judge).collect();
        let refused = settled.iter().filter(|one| one.verdict == DeliveryVerdict::Asked);
        let again: Vec<Offer> = refused.map(|one| again(&one.id)).collect();
        self.exchange.settle(&settled, &again).unwrap();
        settled.iter().filter(|one| one.verdict == DeliveryVerdict::Kept).for_each(|one| _ = self.open.remove(&one.id));
    }

    /// Everybody else is gone; somebody comes who plays the rest.
    fn end(mut self) {
        self.owner.execute("UPDATE agon.offer SET until = now() - interval '1 s'", &[]).unwrap();
        self.exchange.crowd().unwrap();
        let mut last = Worker::come(&self.url, "last");
        while last.claim(7) > 0 {
            assert_eq!(last.deliver(7), [""; 0]);
        }
        loop {
            let open = self.open.len();
            self.settle(0);
            if self.open.len() == open {
                break;
            }
        }
        assert_eq!(self.open, BTreeSet::new(), "blocks that nobody finds");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 60, ..ProptestConfig::default() })]

    /// Whoever comes and goes, is banned or voided, whatever is offered twice or refused.
    #[test]
    fn what_comes_back_is_found_again(acts in prop::collection::vec(act(), 1..60)) {
        if let Some(cluster) = Cluster::shared() {
            let mut play = Play::begin(cluster.database());
            for act in &acts {
                play.act(act);
                prop_assert_eq!(overlooked(&mut play.owner), 0, "after {:?}", act);
            }
            play.end();
        }
    }
}
