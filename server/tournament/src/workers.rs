//! Matches in parallel: one thread a match, pinned to its cores together with the hosts it starts, never more than
//! there are cores. The schedule is handed out in order; what a block comes to does not depend on which worker played
//! it, or when.

mod patience;

pub use patience::Patience;

use agon_arena::encoding::{Seating, Terms};
use agon_arena::journal::{Journal, LogError};
use agon_arena::player_pool::{PlayerPool, PoolSetup, seat_entrant};
use agon_arena::referee::{self, Excuses};
use agon_games::AnySetting;
use agon_model::*;
use agon_model::{client_seed, opening};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SendError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Outcomes of this long are reported at once.
const BUNDLED: Duration = Duration::from_millis(5);
/// The most blocks that are handed out and not yet done.
const MOST_WAITING: usize = 256;

/// Everything that a worker needs to play any block of a ladder.
pub struct WorkerContext<'a> {
    /// Game, time, limits.
    pub terms: Terms<'a>,
    /// The settings, worked out.
    pub settings: &'a [Box<dyn AnySetting>],
    /// Entrants, files and how they are kept apart.
    pub pool_setup: PoolSetup<'a>,
    /// What everything is drawn from.
    pub seed: u64,
    /// How often a void block is played again.
    pub retry: u32,
    /// For what its clients were excused.
    pub excuses: &'a Excuses,
    /// Opens the readable log of a match.
    pub journals: &'a OpenJournal<'a>,
}

/// Opens the log of a match; the error is our own trouble.
pub type OpenJournal<'a> = dyn Fn(&Block, &Pairing) -> Result<Box<dyn Journal>, LogError> + Sync + 'a;

/// What is to be played next.
pub enum Next {
    /// This block.
    Block(Block),
    /// That depends on a block under way: ask again when one is done.
    NotYet,
    /// Nothing more.
    None,
}

/// What came of a block.
pub enum BlockOutcome {
    /// It was played.
    Played(PlayedBlock),
    /// It was void as often as it may be tried again.
    Void(Block, String),
    /// A log could not be written: nothing more can be recorded.
    Broken(String),
}

/// The cores that each of `jobs` workers gets; `None` = as many workers as the cores allow.
///
/// # Errors
/// There are fewer cores than that: a sentence with what to do.
pub fn share_cores(jobs: Option<usize>, threads: u32) -> Result<Vec<Vec<usize>>, String> {
    let allowed = sched_getaffinity(None).map_err(|error| format!("the cores cannot be listed: {error}"))?;
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let (threads, most) = (threads as usize, cores.len() / threads.max(1) as usize);
    if most == 0 {
        return Err(format!("clients of {threads} threads need {threads} cores, this machine has {}", cores.len()));
    }
    let jobs = jobs.unwrap_or(most);
    if jobs > most {
        let cores = cores.len();
        return Err(format!(
            "{jobs} jobs of {threads} threads need more than the {cores} cores there are; at most {most}"
        ));
    }
    Ok(cores.chunks_exact(threads).take(jobs).map(<[usize]>::to_vec).collect())
}

/// Plays the blocks that `next` gives, and hands the outcomes to `done`, those of a few milliseconds at once, and now
/// and then none; ends when `next` gives none and all are done, when `done` fails, or, with the blocks under way, when
/// `stop` is set. Where threads are short, fewer workers do; without any it is waited for one.
///
/// # Errors
/// That of `done` or `next`.
pub fn play_all<E>(
    context: &WorkerContext,
    cores: &[Vec<usize>],
    stop: &AtomicBool,
    next: &mut dyn FnMut() -> Result<Next, E>,
    done: &mut dyn FnMut(Vec<BlockOutcome>) -> Result<(), E>,
) -> Result<(), E> {
    let (to_play, queue) = sync_channel::<Block>(MOST_WAITING.max(2 * cores.len()));
    let (report, outcomes) = sync_channel::<Vec<BlockOutcome>>(2 * cores.len());
    let queue = Mutex::new(queue);
    let patience = Patience::default();
    std::thread::scope(|scope| {
        let mut started = 0;
        for cores in cores {
            let start = || {
                let (queue, report, patience) = (&queue, report.clone(), &patience);
                let worker = move || work(context, cores, (stop, patience), queue, &report);
                std::thread::Builder::new().spawn_scoped(scope, worker)
            };
            match start_worker(start, started == 0, &patience, stop) {
                true => started += 1,
                false => break,
            }
        }
        drop(report);
        let result = hand_out(to_play, &outcomes, cores.len(), stop, next, done);
        if result.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        drop(outcomes);
        result
    })
}

/// Starts a worker; whether it did. Only for the first one it is worth waiting: with fewer the same is played.
fn start_worker<T>(
    start: impl Fn() -> std::io::Result<T>,
    is_first: bool,
    patience: &Patience,
    stop: &AtomicBool,
) -> bool {
    let mut pause = patience.begin();
    loop {
        match start() {
            Ok(_) => {
                pause.end();
                return true;
            }
            Err(error) if is_first => {
                if !pause.wait(&format!("no thread starts: {error}"), stop) {
                    return false;
                }
            }
            Err(error) => {
                tracing::warn!("fewer matches are played at once than there may be: no thread starts: {error}");
                return false;
            }
        }
    }
}

fn hand_out<E>(
    to_play: SyncSender<Block>,
    outcomes: &Receiver<Vec<BlockOutcome>>,
    workers: usize,
    stop: &AtomicBool,
    next: &mut dyn FnMut() -> Result<Next, E>,
    done: &mut dyn FnMut(Vec<BlockOutcome>) -> Result<(), E>,
) -> Result<(), E> {
    // A block waits for each worker, so that nobody idles while an outcome is written down; more where blocks are
    // quick.
    let (mut waiting, mut most) = (0, 2 * workers);
    // Gone when there is nothing more to hand out: a worker that waits for a block then ends.
    let mut to_play = Some(to_play);
    loop {
        if stop.load(Ordering::Relaxed) {
            to_play = None;
        }
        while waiting < most
            && let Some(queue) = &to_play
        {
            let block = match next()? {
                Next::Block(block) => block,
                Next::NotYet => break,
                Next::None => {
                    to_play = None;
                    break;
                }
            };
            // The queue holds as many as may wait; a worker that is gone has said why.
            if queue.send(block).is_err() {
                return Ok(());
            }
            waiting += 1;
        }
        if waiting == 0 {
            return Ok(());
        }
        match outcomes.recv_timeout(Duration::from_millis(100)) {
            Ok(bundle) => {
                waiting -= bundle.len();
                most = (4 * bundle.len()).min(MOST_WAITING).max(2 * workers);
                done(bundle)?;
            }
            // Nothing was done, which whoever listens may want to know.
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => done(Vec::new())?,
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}

fn work(
    context: &WorkerContext,
    cores: &[usize],
    (stop, patience): (&AtomicBool, &Patience),
    queue: &Mutex<Receiver<Block>>,
    report: &SyncSender<Vec<BlockOutcome>>,
) {
    if let Err(error) = pin(cores) {
        tracing::warn!("a worker is not pinned to its cores {cores:?}: {error}; times may vary more");
    }
    let mut pool = PlayerPool::new(context.pool_setup.clone());
    let mut pause = Pause::default();
    let mut bundle = Bundle::new(report);
    loop {
        let Some(block) = take(queue, &mut bundle) else { return };
        if stop.load(Ordering::Relaxed) {
            // Whoever listened is gone only if the record could not be written, and has said so.
            let _ = bundle.send();
            return;
        }
        let Some(outcome) = play_block(context, &mut pool, &mut pause, block, (stop, patience)) else {
            let _ = bundle.send();
            return;
        };
        bundle.outcomes.push(outcome);
        if bundle.is_due() && bundle.send().is_err() {
            return;
        }
    }
}

/// The next block. Where none is at hand, nothing is held back while one is waited for.
fn take(queue: &Mutex<Receiver<Block>>, bundle: &mut Bundle) -> Option<Block> {
    let at_hand = queue.try_lock().ok().and_then(|queue| queue.try_recv().ok());
    at_hand.or_else(|| {
        bundle.send().ok()?;
        queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
    })
}

/// The time of a worker between two matches, in which nobody plays.
#[derive(Default)]
struct Pause(Option<Instant>);

impl Pause {
    fn begin(&mut self) {
        self.0 = Some(Instant::now());
    }

    /// Tells it to the program's own log.
    fn end(&mut self) {
        if let Some(since) = self.0.take() {
            tracing::trace!(pause_us = since.elapsed().as_micros() as u64, "between two matches");
        }
    }
}

/// The outcomes of one worker that are reported at once: waking whoever writes them down costs as much as a quick
/// match.
struct Bundle<'a> {
    report: &'a SyncSender<Vec<BlockOutcome>>,
    outcomes: Vec<BlockOutcome>,
    begun: Instant,
}

impl<'a> Bundle<'a> {
    fn new(report: &'a SyncSender<Vec<BlockOutcome>>) -> Bundle<'a> {
        Bundle { report, outcomes: Vec::new(), begun: Instant::now() }
    }

    fn is_due(&self) -> bool {
        self.begun.elapsed() >= BUNDLED
    }

    fn send(&mut self) -> Result<(), SendError<Vec<BlockOutcome>>> {
        self.begun = Instant::now();
        if self.outcomes.is_empty() { Ok(()) } else { self.report.send(std::mem::take(&mut self.outcomes)) }
    }
}

/// Keeps this thread, and the processes it starts, on these cores.
///
/// # Errors
/// The system does not allow it.
pub fn pin(cores: &[usize]) -> std::io::Result<()> {
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    Ok(sched_setaffinity(None, &set)?)
}

/// Plays every rotation of a block; a void match makes the block void, and it is played again. `None` if the ladder was
/// stopped while the machine lacked something.
fn play_block(
    context: &WorkerContext,
    pool: &mut PlayerPool,
    pause: &mut Pause,
    block: Block,
    (stop, patience): (&AtomicBool, &Patience),
) -> Option<BlockOutcome> {
    let (mut attempt, mut shortage) = (0, patience.begin());
    loop {
        let span = tracing::debug_span!("block", id = %block.id, attempt);
        match span.in_scope(|| play_rotations(context, pool, pause, &block)) {
            Ok(matches) => {
                shortage.end();
                return Some(BlockOutcome::Played(PlayedBlock { block, matches }));
            }
            Err(Undone::Void(cause)) => {
                attempt += 1;
                tracing::warn!(block = %block.id, attempt, "void: {cause}");
                if attempt > context.retry {
                    return Some(BlockOutcome::Void(block, cause));
                }
            }
            Err(Undone::Shortage(cause)) => {
                if !shortage.wait(&cause, stop) {
                    return None;
                }
            }
            Err(Undone::Broken(cause)) => return Some(BlockOutcome::Broken(cause)),
        }
    }
}

/// Why a block was not played.
enum Undone {
    /// By our own trouble.
    Void(String),
    /// The machine lacked something that it may have again.
    Shortage(String),
    /// A log cannot be written.
    Broken(String),
}

impl From<LogError> for Undone {
    fn from(error: LogError) -> Undone {
        if error.is_shortage { Undone::Shortage(error.text) } else { Undone::Broken(error.text) }
    }
}

fn play_rotations(
    context: &WorkerContext,
    pool: &mut PlayerPool,
    pause: &mut Pause,
    block: &Block,
) -> Result<Vec<Match>, Undone> {
    let mut matches = Vec::with_capacity(block.rotations);
    for pairing in block.pairings() {
        let mut journal = (context.journals)(block, &pairing)?;
        let played = play_match(context, (pool, pause), block, &pairing, journal.as_mut());
        journal.end(&played)?;
        match played.ending {
            Ending::Void(cause) => return Err(Undone::Void(cause)),
            Ending::Shortage(cause) => return Err(Undone::Shortage(cause)),
            Ending::Over | Ending::Fault => matches.push(played),
        }
    }
    Ok(matches)
}

fn play_match(
    context: &WorkerContext,
    (pool, pause): (&mut PlayerPool, &mut Pause),
    block: &Block,
    pairing: &Pairing,
    journal: &mut dyn Journal,
) -> Match {
    let _span = tracing::debug_span!("match", id = %pairing.id).entered();
    let places: Vec<Seating> = (pairing.seats.iter().enumerate())
        .map(|(seat, &entrant)| {
            let PoolSetup { entrants, files, .. } = &context.pool_setup;
            seat_entrant(entrant, &entrants[entrant], &files[entrant], client_seed(block, pairing.rotation, seat))
        })
        .collect();
    let mut players = pool.acquire(&pairing.seats);
    let mut state = context.settings[block.setting].start(&opening(context.seed, block.opening));
    pause.end();
    let (terms, excuses) = (&context.terms, context.excuses);
    let played = referee::play(terms, pairing, &places, &mut players, state.as_mut(), excuses, journal);
    pause.begin();
    pool.release(&pairing.seats, players);
    played
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::RecvTimeoutError;

    #[test]
    fn a_stop_frees_a_worker_that_waits_for_a_block() {
        let (to_play, queue) = sync_channel(1);
        let (report, outcomes) = sync_channel(1);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let stop = &stop;
            let worker = scope.spawn(move || {
                let _report = report;
                queue.recv().unwrap();
                // One worker sees the stop and leaves its block; another one waits until there are no more.
                stop.store(true, Ordering::Relaxed);
                std::iter::repeat_with(|| queue.recv_timeout(Duration::from_secs(5))).find_map(Result::err)
            });
            let block = Block {
                id: "0".to_owned(),
                number: 0,
                lineup: vec![0, 1],
                rotations: 2,
                setting: 0,
                opening: 0,
                draws: [0; 32],
            };
            let mut next = || Ok::<_, ()>(Next::Block(block.clone()));
            hand_out(to_play, &outcomes, 1, stop, &mut next, &mut |_| Ok(())).unwrap();
            assert_eq!(worker.join().unwrap(), Some(RecvTimeoutError::Disconnected));
        });
    }
}
