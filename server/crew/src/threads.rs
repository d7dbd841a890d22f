//! Plays matches in parallel on threads of this process: each plays whole blocks on its own cores. They share one queue
//! of blocks and one of outcomes.

mod block_player;
mod patience;

pub use block_player::{BlockContext, OpenJournal};
pub use patience::Patience;

use crate::conduct::{BlockOutcome, BlockSource, Crew, PeerEnded};
use crate::cores::pin;
use agon_model::Block;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Blocks of this length are reported at once: waking the writer costs as much as a quick match.
const BUNDLED: Duration = Duration::from_millis(5);
/// The most blocks that are given out and not done yet.
const MOST_WAITING: usize = 256;

/// The playing threads, as their coordinator sees them.
struct Threads<'a> {
    /// The queue; `None` after the last block, which ends a thread that waits for one.
    to_play: Option<SyncSender<Block>>,
    outcomes: Receiver<Vec<BlockOutcome>>,
    /// One more block for each thread, so that none idles while an outcome is written.
    fewest: usize,
    slots: usize,
    stop: &'a AtomicBool,
}

impl Crew for Threads<'_> {
    fn slots(&self) -> usize {
        self.slots
    }

    fn offer(&mut self, block: Block) -> Result<(), PeerEnded> {
        // The queue holds as many blocks as there are slots; a thread that has ended has reported the reason.
        self.to_play.as_ref().ok_or(PeerEnded)?.send(block).map_err(|_| PeerEnded)
    }

    fn outcomes(&mut self, wait: Duration) -> Result<Vec<BlockOutcome>, PeerEnded> {
        if self.stop.load(Ordering::Relaxed) {
            self.finish();
        }
        match self.outcomes.recv_timeout(wait) {
            Ok(bundle) => {
                // More blocks wait if they are quick.
                self.slots = (4 * bundle.len()).min(MOST_WAITING).max(self.fewest);
                Ok(bundle)
            }
            Err(RecvTimeoutError::Timeout) => Ok(Vec::new()),
            Err(RecvTimeoutError::Disconnected) => Err(PeerEnded),
        }
    }

    fn finish(&mut self) {
        self.to_play = None;
    }
}

/// The work, as one of the threads sees it.
struct Queue<'a> {
    blocks: &'a Mutex<Receiver<Block>>,
    report: SyncSender<Vec<BlockOutcome>>,
    stop: &'a AtomicBool,
    /// The outcomes to report together.
    bundle: Vec<BlockOutcome>,
    begun: Instant,
}

impl Queue<'_> {
    fn report(&mut self) -> Result<(), PeerEnded> {
        self.begun = Instant::now();
        if self.bundle.is_empty() {
            Ok(())
        } else {
            self.report.send(std::mem::take(&mut self.bundle)).map_err(|_| PeerEnded)
        }
    }
}

impl BlockSource for Queue<'_> {
    fn claim(&mut self) -> Option<Block> {
        let at_hand = self.blocks.try_lock().ok().and_then(|blocks| blocks.try_recv().ok());
        let block = at_hand.or_else(|| {
            // Nothing is held back while the thread waits for a block.
            self.report().ok()?;
            self.blocks.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
        })?;
        (!self.stop.load(Ordering::Relaxed)).then_some(block)
    }

    fn deliver(&mut self, outcome: BlockOutcome) -> Result<(), PeerEnded> {
        self.bundle.push(outcome);
        if self.begun.elapsed() >= BUNDLED { self.report() } else { Ok(()) }
    }

    fn finish(&mut self) {
        // The receiver ends only if the record could not be written, and has reported that.
        let _ = self.report();
    }
}

/// Starts a thread for each entry of `cores` and lets `conduct` give them blocks. When it returns, they end after the
/// blocks under way; after the first error they are stopped. If threads are short, fewer play; without any, it waits
/// for one.
pub fn with_threads<E>(
    context: &BlockContext,
    cores: &[Vec<usize>],
    stop: &AtomicBool,
    conduct: impl FnOnce(&mut dyn Crew) -> Result<(), E>,
) -> Result<(), E> {
    let fewest = 2 * cores.len();
    let (to_play, blocks) = sync_channel(MOST_WAITING.max(fewest));
    let (report, outcomes) = sync_channel(fewest);
    let (blocks, patience) = (Mutex::new(blocks), Patience::default());
    std::thread::scope(|scope| {
        for (number, cores) in cores.iter().enumerate() {
            let start = || {
                let report = report.clone();
                let mut queue = Queue { blocks: &blocks, report, stop, bundle: Vec::new(), begun: Instant::now() };
                let patience = &patience;
                let run = move || {
                    keep_to(cores);
                    block_player::run(context, number, &mut queue, (stop, patience));
                };
                std::thread::Builder::new().spawn_scoped(scope, run)
            };
            if !start_thread(start, number == 0, &patience, stop) {
                break;
            }
        }
        drop(report);
        let mut crew = Threads { to_play: Some(to_play), outcomes, fewest, slots: fewest, stop };
        let result = conduct(&mut crew);
        if result.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        result
    })
}

/// Starts a thread and returns whether it did. Only the first one is worth waiting for: fewer threads play the same
/// matches.
fn start_thread<T>(
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

/// Keeps a thread on its cores as far as the system allows it.
fn keep_to(cores: &[usize]) {
    if let Err(error) = pin(cores) {
        tracing::warn!("a worker is not pinned to its cores {cores:?}: {error}; times may vary more");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conduct::{Coordinator, Next, conduct};

    /// An endless supply of blocks.
    struct Endless<'a>(&'a AtomicBool);

    impl Coordinator for Endless<'_> {
        type Error = ();

        fn next(&mut self) -> Result<Next, ()> {
            let (id, lineup) = ("0".to_owned(), vec![0, 1]);
            let block = Block { id, number: 0, lineup, rotations: 2, setting: 0, opening: 0, client_seed: [0; 32] };
            Ok(if self.0.load(Ordering::Relaxed) { Next::None } else { Next::Block(block) })
        }

        fn done(&mut self, _outcomes: Vec<BlockOutcome>) -> Result<(), ()> {
            Ok(())
        }
    }

    #[test]
    fn a_stop_frees_a_thread_that_waits_for_a_block() {
        let (to_play, queue) = sync_channel(1);
        let (report, outcomes) = sync_channel(1);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let stop = &stop;
            let block_player = scope.spawn(move || {
                let _report = report;
                queue.recv().unwrap();
                // One thread sees the stop and leaves its block; another waits until there are no more.
                stop.store(true, Ordering::Relaxed);
                std::iter::repeat_with(|| queue.recv_timeout(Duration::from_secs(5))).find_map(Result::err)
            });
            let mut crew = Threads { to_play: Some(to_play), outcomes, fewest: 1, slots: 1, stop };
            conduct(&mut crew, &mut Endless(stop)).unwrap();
            assert_eq!(block_player.join().unwrap(), Some(RecvTimeoutError::Disconnected));
        });
    }
}
