//! A worker process: it claims blocks from a record on another machine, lets its own threads play them, and delivers
//! the results.

use super::guest::{Guest, Joining, Stay, Telling};
use super::spool::Spool;
use super::worker_ladder::WorkerLadder;
use super::workshop::{NotReady, Workshop, remove_old_copies};
use crate::conduct::conduct;
use crate::workers::{self, WorkerContext};
use agon_abi::Expected;
use agon_arena::encoding::Terms;
use agon_arena::journal;
use agon_arena::player_pool::PoolSetup;
use agon_arena::referee::Excuses;
use agon_player::speech::Speech;
use agon_record::RunError;
use agon_record::board::{Greeting, Link};
use std::collections::{BTreeMap, BTreeSet};

/// Plays the blocks that a record offers until it is stopped, told to leave, or without blocks for long.
///
/// # Errors
/// The record refuses, or this machine has trouble.
pub fn join<'a>(link: &'a mut dyn Link, joining: &'a Joining<'a>, tell: &'a mut Telling<'a>) -> Result<Stay, RunError> {
    let trouble = |error: std::io::Error| {
        let help = "help: make the folder writable, or choose another --cache";
        RunError::Internal(format!("{}: {error}; {help}", joining.spool.display()))
    };
    let spool = Spool::open(&joining.spool).map_err(trouble)?;
    let unsent = spool.left().map_err(trouble)?;
    let mut guest = Guest::new(link, joining, (spool, unsent.into()), tell);
    remove_old_copies(joining.paths);
    guest.greet()?;
    let mut looked = BTreeSet::new();
    // A worker that alternates between two ladders keeps the excuses of each.
    let mut excuses: BTreeMap<i64, Excuses> = BTreeMap::new();
    while let Some(terms) = guest.await_block()? {
        let known = (joining.games, joining.paths);
        let made = Workshop::make_ready(terms, known, guest.link, &mut looked, joining.allows_weaker);
        match made {
            Ok(workshop) => {
                guest.lack(&workshop.lacking)?;
                let excuses = excuses.entry(terms).or_insert_with(|| workshop.terms.excuses());
                play(&mut guest, terms, &workshop, excuses)?;
            }
            Err(NotReady::Declined(why)) => guest.decline(terms, &why)?,
            Err(NotReady::Away(why)) => guest.pause_away(&why),
            Err(NotReady::Lacking(why)) => guest.pause_lacking(&why)?,
        }
    }
    guest.leave();
    Ok(guest.stay)
}

/// Plays the blocks of some terms until others come, or none.
fn play(guest: &mut Guest, number: i64, workshop: &Workshop, excuses: &Excuses) -> Result<(), RunError> {
    let Workshop { terms, game, settings, files, .. } = workshop;
    let Joining { greeting: Greeting { speed, .. }, cores, stop, .. } = guest.joining;
    let times = speed.scale(&terms.time).and_then(|time| Ok((time, speed.own_times(&terms.entrants, &terms.time)?)));
    let (time, own_times) = match times {
        Ok(times) => times,
        Err(why) => return guest.decline(number, &why),
    };
    let threads = (terms.limits.threads as usize).max(1);
    let jobs = cores.len();
    if jobs < threads {
        return guest.decline(number, &format!("a match takes {threads} cores, and this worker plays on {jobs}"));
    }
    let cores: Vec<Vec<usize>> = cores.chunks_exact(threads).map(<[usize]>::to_vec).collect();
    let facts = game.facts();
    let expected = Expected::new(facts.name, facts.setup, facts.turn, facts.mv);
    let context = WorkerContext {
        terms: Terms { facts, time: &time, limits: &terms.limits, adjudication: terms.adjudication },
        settings,
        pool_setup: PoolSetup {
            isolation: terms.isolation,
            entrants: &terms.entrants,
            files,
            expected: &expected,
            speech: Speech::of(facts),
            host: &guest.joining.paths.host,
            time: &time,
            own_times: &own_times,
            limits: &terms.limits,
            sandbox: &terms.sandbox,
        },
        seed: terms.seed,
        retry: terms.retry,
        excuses,
        journals: &|_, _| Ok(journal::silent()),
        encode: &|_| None,
        live: None,
    };
    let mut worker_ladder = WorkerLadder { guest, number, ids: &terms.ids, shape: (terms.seats, settings.len()) };
    workers::with_threads(&context, &cores, stop, |crew| conduct(crew, &mut worker_ladder))?;
    guest.give_back()
}
