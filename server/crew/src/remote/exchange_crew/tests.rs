//! Tests the fate of deliveries on an exchange without players.

use super::judging::by_our_clock;
use super::*;
use agon_arena::journal::silent;
use agon_games::{GAMES, Options, PreparedSetting};
use agon_model::{Ending, EntrantId, Isolation, LadderId, LogPolicy, Match, PlayedBlock, SandboxPolicy};
use agon_record::Result;
use agon_record::exchange::{Crowd, Delivered, PostedTerms};
use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;

/// An exchange without players, which may be away.
#[derive(Default)]
struct Nobody(Rc<Cell<bool>>);

impl Exchange for Nobody {
    fn post(&mut self, _: LadderId, _: &PostedTerms) -> Result<()> {
        Ok(())
    }

    fn has_file(&mut self, _: &str) -> Result<bool> {
        Ok(true)
    }

    fn keep_file(&mut self, _: &str, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn offer(&mut self, _: &[Offer]) -> Result<()> {
        Ok(())
    }

    fn forgotten(&mut self, _: &[&str]) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn deliveries(&mut self) -> Result<Vec<Delivered>> {
        Ok(Vec::new())
    }

    fn settle(&mut self, _: &[Settled], _: &[Offer]) -> Result<()> {
        Ok(())
    }

    fn offer_twice(&mut self, _: Duration) -> Result<u64> {
        Ok(0)
    }

    fn deserted(&mut self, _: &[&str]) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn tidy(&mut self) -> Result<()> {
        Ok(())
    }

    fn recall(&mut self, _: usize) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn crowd(&mut self) -> Result<Crowd> {
        if self.0.get() { Err(RecordError::shortage(Path::new("record"), "it is away")) } else { Ok(Crowd::default()) }
    }

    fn take_out(&mut self, _: LadderId) -> Result<u64> {
        Ok(0)
    }

    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}

fn block() -> Block {
    Block {
        id: format!("{:016x}", 1),
        number: 1,
        lineup: vec![0, 1],
        rotations: 1,
        setting: 0,
        opening: 0,
        client_seed: [0; 32],
    }
}

fn played() -> PlayedBlock {
    let (seats, steps, outputs) = (Vec::new(), Vec::new(), Vec::new());
    let id = format!("{}-a", block().id);
    let one = Match { id, start: 7, ending: Ending::Over, seats, steps, outputs, started: 1, wall_us: 2 };
    PlayedBlock { block: block(), matches: vec![one] }
}

/// A delivery of a block that was void.
fn void(worker: i64) -> Delivered {
    let content = Err("no processes are left".to_owned());
    Delivered {
        id: block().id,
        worker,
        name: format!("w{worker}"),
        content,
        took: Duration::from_secs(1),
        at: 9_000_000,
    }
}

/// Lets the crew of an exchange act.
fn with_crew<T>(mut exchange: Nobody, act: impl FnOnce(&mut ExchangeCrew<'_>) -> T) -> T {
    let settings: Vec<Box<dyn PreparedSetting>> = vec![GAMES[0].prepare(&Options::default(), 2).unwrap()];
    let (tally, stop) = (ExchangeTally::default(), AtomicBool::new(false));
    let check = Check {
        settings: &settings,
        seed: 1,
        ids: &[EntrantId(10), EntrantId(11)],
        isolation: Isolation::Process,
        sandbox: &SandboxPolicy::default(),
        output: 0,
        adjudication: None,
    };
    let judges = Judges {
        check,
        audits: Audits::new(1.0, || 0.5),
        logs: Logs { open: &|_, _| Ok(silent()), policy: LogPolicy::None },
        tally: &tally,
    };
    act(&mut ExchangeCrew::new(&mut exchange, judges, (LadderId(1), 1), &stop))
}

/// The result of two voids. If a worker is named, it delivered an audited block before.
fn after_two_voids(heard: Option<i64>) -> (Vec<BlockOutcome>, Vec<(i64, DeliveryVerdict)>) {
    with_crew(Nobody::default(), |crew| {
        crew.offer(block()).unwrap_or_else(|_| panic!("the exchange takes it"));
        let heard = heard.and_then(|worker| crew.hear(Witness::Worker(worker), played()));
        let outcomes = [2, 3].into_iter().filter_map(|worker| crew.judge(void(worker)));
        let outcomes = heard.into_iter().chain(outcomes.collect::<Vec<_>>()).collect();
        assert!(crew.is_idle());
        (outcomes, crew.judged.drain(..).map(|settled| (settled.worker, settled.verdict)).collect())
    })
}

#[test]
fn while_the_record_is_away_no_worker_is_missed() {
    let exchange = Nobody::default();
    let is_away = Rc::clone(&exchange.0);
    with_crew(exchange, |crew| {
        crew.deserted_since -= 2 * LONELY;
        for away in [true, false] {
            is_away.set(away);
            (crew.looked, crew.traded) = (None, None);
            crew.trade();
        }
        assert!(crew.deserted_since <= Instant::now() + RETURN, "it reports that nobody is there");
    });
}

#[test]
fn a_block_that_is_void_with_two_workers_is_void() {
    let (outcomes, verdicts) = after_two_voids(None);
    assert!(matches!(&outcomes[..], [BlockOutcome::Void(_, cause)] if cause.contains("on worker w3")));
    assert_eq!(verdicts, [(2, DeliveryVerdict::Void), (3, DeliveryVerdict::Void)]);
}

#[test]
fn what_was_only_to_be_looked_at_counts_where_it_is_void_with_others() {
    let (outcomes, verdicts) = after_two_voids(Some(1));
    assert!(matches!(&outcomes[..], [BlockOutcome::Played(one, _)] if *one == played()));
    assert_eq!(
        verdicts,
        [
            (1, DeliveryVerdict::Asked),
            (2, DeliveryVerdict::Void),
            (3, DeliveryVerdict::Void),
            (1, DeliveryVerdict::Kept)
        ]
    );
}

#[test]
fn matches_began_when_the_record_says_and_not_the_worker() {
    let (mut one, mut other) = (played(), played().matches.remove(0));
    (one.matches[0].started, one.matches[0].wall_us) = (u64::MAX, 3_000_000);
    (other.started, other.wall_us) = (0, 2_000_000);
    one.matches.push(other);
    let began: Vec<u64> = by_our_clock(one.clone(), 100_000_000).matches.iter().map(|one| one.started).collect();
    assert_eq!(began, [95, 98]);
    one.matches[0].wall_us = u64::MAX;
    assert_eq!(by_our_clock(one, 100_000_000).matches[0].started, 0);
}
