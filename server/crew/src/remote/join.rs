//! A worker process: it claims blocks from a record on another machine, lets its own threads play them, and delivers
//! the results.

use super::session::{JoinOptions, SessionTally, Tell, WorkerSession};
use super::spool::Spool;
use super::worker_ladder::WorkerLadder;
use super::workshop::{NotReady, Workshop, remove_old_copies};
use crate::conduct::conduct;
use crate::threads::{self, BlockContext};
use agon_abi::Expected;
use agon_arena::encoding::MatchTerms;
use agon_arena::journal;
use agon_arena::player_pool::PoolSetup;
use agon_arena::referee::Excuses;
use agon_player::speech::Speech;
use agon_record::RunError;
use agon_record::exchange::{Greeting, WorkerLink};
use std::collections::{BTreeMap, BTreeSet};

/// Plays the blocks that a record offers until it is stopped, told to leave, or without blocks for long.
///
/// # Errors
/// The record refuses, or this machine has trouble.
pub fn join<'a>(
    link: &'a mut dyn WorkerLink,
    options: &'a JoinOptions<'a>,
    tell: &'a mut Tell<'a>,
) -> Result<SessionTally, RunError> {
    let trouble = |error: std::io::Error| {
        let help = "help: make the folder writable, or choose another --cache";
        RunError::Internal(format!("{}: {error}; {help}", options.spool.display()))
    };
    let spool = Spool::open(&options.spool).map_err(trouble)?;
    let unsent = spool.left().map_err(trouble)?;
    let mut session = WorkerSession::new(link, options, (spool, unsent.into()), tell);
    remove_old_copies(options.paths);
    session.greet()?;
    let mut looked = BTreeSet::new();
    // A worker that alternates between two ladders keeps the excuses of each.
    let mut excuses: BTreeMap<i64, Excuses> = BTreeMap::new();
    while let Some(terms) = session.await_block()? {
        let known = (options.games, options.paths);
        let made = Workshop::make_ready(terms, known, session.link, &mut looked, options.allows_weaker);
        match made {
            Ok(workshop) => {
                session.lack(&workshop.lacking)?;
                let excuses = excuses.entry(terms).or_insert_with(|| workshop.terms.excuses());
                play(&mut session, terms, &workshop, excuses)?;
            }
            Err(NotReady::Declined(why)) => session.decline(terms, &why)?,
            Err(NotReady::Away(why)) => session.pause_away(&why),
            Err(NotReady::Lacking(why)) => session.pause_lacking(&why)?,
        }
    }
    session.leave();
    Ok(session.stay)
}

/// Plays the blocks of some terms until others come, or none.
fn play(session: &mut WorkerSession, number: i64, workshop: &Workshop, excuses: &Excuses) -> Result<(), RunError> {
    let Workshop { terms, game, settings, files, .. } = workshop;
    let JoinOptions { greeting: Greeting { speed, .. }, cores, stop, .. } = session.options;
    let times = speed.scale(&terms.time).and_then(|time| Ok((time, speed.own_times(&terms.entrants, &terms.time)?)));
    let (time, own_times) = match times {
        Ok(times) => times,
        Err(why) => return session.decline(number, &why),
    };
    let threads = (terms.limits.threads as usize).max(1);
    let jobs = cores.len();
    if jobs < threads {
        return session.decline(number, &format!("a match takes {threads} cores, and this worker plays on {jobs}"));
    }
    let cores: Vec<Vec<usize>> = cores.chunks_exact(threads).map(<[usize]>::to_vec).collect();
    let facts = game.facts();
    let expected = Expected::new(facts.name, facts.setup, facts.turn, facts.mv);
    let context = BlockContext {
        terms: MatchTerms { facts, time: &time, limits: &terms.limits, adjudication: terms.adjudication },
        settings,
        pool_setup: PoolSetup {
            isolation: terms.isolation,
            entrants: &terms.entrants,
            files,
            expected: &expected,
            speech: Speech::of(facts),
            host: &session.options.paths.host,
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
    let mut worker_ladder = WorkerLadder { session, number, ids: &terms.ids, shape: (terms.seats, settings.len()) };
    threads::with_threads(&context, &cores, stop, |crew| conduct(crew, &mut worker_ladder))?;
    session.give_back()
}
