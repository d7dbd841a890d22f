//! One thread: it claims a block, plays it and delivers the result, until there are no more. The result of a block does
//! not depend on the thread or the time.

use super::patience::Patience;
use crate::conduct::{BlockOutcome, BlockSource};
use crate::watched::Watched;
use agon_arena::encoding::{MatchTerms, Seating};
use agon_arena::journal::{Journal, LogError};
use agon_arena::player_pool::{PlayerPool, PoolSetup, seat_entrant};
use agon_arena::referee::{self, Excuses};
use agon_games::PreparedSetting;
use agon_model::LiveBoards;
use agon_model::{Block, Ending, Match, Pairing, PlayedBlock, client_seed, opening};
use agon_record::EncodedBlock;
use agon_record::RunError;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Everything that a thread needs to play any block of a ladder.
pub struct BlockContext<'a> {
    pub terms: MatchTerms<'a>,
    /// The settings, worked out.
    pub settings: &'a [Box<dyn PreparedSetting>],
    /// Entrants, files, and the separation of clients.
    pub pool_setup: PoolSetup<'a>,
    /// The seed of everything drawn.
    pub seed: u64,
    /// How often a void block is played again.
    pub retry: u32,
    /// The excuses of its clients.
    pub excuses: &'a Excuses,
    /// Opens the readable log of a match.
    pub journals: &'a OpenJournal<'a>,
    /// Makes the stored form of a block; `None` if nothing is stored.
    pub encode: &'a (dyn Fn(&PlayedBlock) -> Option<EncodedBlock> + Sync),
    /// Where watchers see the matches under way.
    pub live: Option<&'a LiveBoards>,
}

/// Opens the log of a match; an error is the server's own trouble.
pub type OpenJournal<'a> = dyn Fn(&Block, &Pairing) -> Result<Box<dyn Journal>, LogError> + Sync + 'a;

/// Plays the blocks that it claims until there are no more, or the ladder is stopped while the machine lacks something.
/// `number` is the thread's.
pub fn run(
    context: &BlockContext,
    number: usize,
    queue: &mut dyn BlockSource,
    (stop, patience): (&AtomicBool, &Patience),
) {
    let pool = PlayerPool::new(context.pool_setup.clone());
    let mut player = BlockPlayer { context, number, pool, pause: Pause::default() };
    while let Some(block) = queue.claim()
        && let Some(outcome) = player.play_block(block, (stop, patience))
        && queue.deliver(outcome).is_ok()
    {}
    queue.finish();
}

/// A thread that plays blocks, with the players that it keeps from one match to the next.
struct BlockPlayer<'a> {
    context: &'a BlockContext<'a>,
    number: usize,
    pool: PlayerPool<'a>,
    pause: Pause,
}

/// The time of a thread between two matches, in which nobody plays.
#[derive(Default)]
struct Pause(Option<Instant>);

impl Pause {
    fn begin(&mut self) {
        self.0 = Some(Instant::now());
    }

    /// Reports it to the program's own log.
    fn end(&mut self) {
        if let Some(since) = self.0.take() {
            tracing::trace!(pause_us = since.elapsed().as_micros() as u64, "between two matches");
        }
    }
}

impl BlockPlayer<'_> {
    /// Plays every rotation of a block; a void match makes the block void, and the thread plays it again. `None` if the
    /// ladder was stopped while the machine lacked something.
    fn play_block(&mut self, block: Block, (stop, patience): (&AtomicBool, &Patience)) -> Option<BlockOutcome> {
        let (mut attempt, mut shortage) = (0, patience.begin());
        loop {
            let span = tracing::debug_span!("block", id = %block.id, attempt);
            match span.in_scope(|| self.play_rotations(&block)) {
                Ok(matches) => {
                    shortage.end();
                    let played = PlayedBlock { block, matches };
                    let encoded = (self.context.encode)(&played);
                    return Some(BlockOutcome::Played(played, encoded));
                }
                Err(Undone::Void(cause)) => {
                    attempt += 1;
                    tracing::warn!(block = %block.id, attempt, "void: {cause}");
                    if attempt > self.context.retry {
                        return Some(BlockOutcome::Void(block, cause));
                    }
                }
                Err(Undone::Shortage(cause)) => {
                    if !shortage.wait(&cause, stop) {
                        return None;
                    }
                }
                Err(Undone::Broken(cause)) => return Some(BlockOutcome::Broken(RunError::Internal(cause))),
            }
        }
    }

    fn play_rotations(&mut self, block: &Block) -> Result<Vec<Match>, Undone> {
        let mut matches = Vec::with_capacity(block.rotations);
        for pairing in block.pairings() {
            let mut journal = (self.context.journals)(block, &pairing)?;
            let played = self.play_match(block, &pairing, journal.as_mut());
            journal.end(&played)?;
            match played.ending {
                Ending::Void(cause) => return Err(Undone::Void(cause)),
                Ending::Shortage(cause) => return Err(Undone::Shortage(cause)),
                Ending::Over | Ending::Fault | Ending::Adjudicated => matches.push(played),
            }
        }
        Ok(matches)
    }

    fn play_match(&mut self, block: &Block, pairing: &Pairing, journal: &mut dyn Journal) -> Match {
        let _span = tracing::debug_span!("match", id = %pairing.id).entered();
        let BlockContext { terms, settings, seed, excuses, live, .. } = self.context;
        let places = self.seat_all(block, pairing);
        let labels = || places.iter().map(|place| place.label.to_string()).collect();
        let live = live.map(|live| (live, self.number));
        let mut watched = Watched::new(journal, live, (&pairing.id, &labels), terms.facts.hidden);
        let mut players = self.pool.acquire(&pairing.seats);
        let mut state = settings[block.setting].start(&opening(*seed, block.opening));
        self.pause.end();
        let played = referee::play(terms, pairing, &places, &mut players, state.as_mut(), excuses, &mut watched);
        watched.end(&played, state.as_ref());
        self.pause.begin();
        self.pool.release(&pairing.seats, players);
        played
    }

    fn seat_all(&self, block: &Block, pairing: &Pairing) -> Vec<Seating> {
        let PoolSetup { entrants, files, own_times, .. } = &self.context.pool_setup;
        let seating = |(seat, &entrant): (usize, &usize)| {
            let (seed, own_time) = (client_seed(block, pairing.rotation, seat), own_times[entrant].clone());
            seat_entrant(entrant, &entrants[entrant], &files[entrant], seed, own_time)
        };
        pairing.seats.iter().enumerate().map(seating).collect()
    }
}

/// Why a block was not played.
enum Undone {
    /// The server is at fault.
    Void(String),
    /// The machine lacked something that it may have later.
    Shortage(String),
    Broken(String),
}

impl From<LogError> for Undone {
    fn from(error: LogError) -> Undone {
        if error.is_shortage { Undone::Shortage(error.text) } else { Undone::Broken(error.text) }
    }
}
