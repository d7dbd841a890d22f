//! The workers of other machines, as the coordinator sees them: it offers blocks on a board and takes what is delivered
//! there, once that is judged.

use super::check::Check;
use super::logs::Logs;
use crate::crew::{BlockOutcome, Crew, Gone};
use agon_model::Block;
use agon_record::board::{Board, Delivered, OfferedBlock, Settled, Verdict};
use agon_record::{EncodedBlock, StoreError};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often it is looked who is there.
const LOOK: Duration = Duration::from_secs(1);
/// How often it is looked whether all that is offered is still there.
const RECOUNT: Duration = Duration::from_secs(5);
/// The pause between two looks for deliveries, which grows while there are none.
const PAUSE: (Duration, Duration) = (Duration::from_millis(4), Duration::from_millis(50));
/// How long nobody is there before that is told.
const LONELY: Duration = Duration::from_secs(3);
/// A block that is void with so many workers is void.
const MOST_VOIDS: u32 = 2;
/// The most blocks that are offered and not done.
const MOST_OFFERED: usize = 4096;

/// A board with its workers.
pub struct BoardCrew<'a> {
    board: &'a mut dyn Board,
    check: Check<'a>,
    logs: Logs<'a>,
    ladder: i64,
    stop: &'a AtomicBool,
    /// Offered and not done.
    pending: BTreeMap<String, Block>,
    /// Those of them that are not on the board yet.
    fresh: Vec<OfferedBlock>,
    /// What was judged, and is kept by the time that more is asked.
    judged: Vec<Settled>,
    /// How often blocks were void.
    voids: BTreeMap<String, u32>,
    /// How many are offered at a time; at least so many.
    slots: usize,
    fewest: usize,
    looked: Option<Instant>,
    counted: Instant,
    lonely: Instant,
    pause: Duration,
}

impl<'a> BoardCrew<'a> {
    /// On a board that is posted. `fewest` blocks are on it whoever is there.
    pub fn new(
        board: &'a mut dyn Board,
        (check, logs): (Check<'a>, Logs<'a>),
        (ladder, fewest): (i64, usize),
        stop: &'a AtomicBool,
    ) -> BoardCrew<'a> {
        BoardCrew {
            board,
            check,
            logs,
            ladder,
            stop,
            pending: BTreeMap::new(),
            fresh: Vec::new(),
            judged: Vec::new(),
            voids: BTreeMap::new(),
            slots: fewest,
            fewest,
            looked: None,
            counted: Instant::now(),
            lonely: Instant::now(),
            pause: PAUSE.0,
        }
    }

    /// Whether nothing is offered.
    pub fn is_idle(&self) -> bool {
        self.pending.is_empty()
    }

    /// Tells the board what has become of deliveries, offers what is new, and takes what was delivered since.
    pub fn exchange(&mut self) -> Vec<BlockOutcome> {
        match self.try_exchange() {
            Ok(outcomes) => outcomes,
            // The server is away: all of this is done later, and what was delivered waits there.
            Err(error) if error.is_shortage() => Vec::new(),
            Err(error) => vec![BlockOutcome::Broken(error.to_string())],
        }
    }

    fn try_exchange(&mut self) -> Result<Vec<BlockOutcome>, StoreError> {
        self.settle()?;
        self.look()?;
        if !self.fresh.is_empty() {
            self.board.offer(&self.fresh)?;
            self.fresh.clear();
        }
        if self.pending.is_empty() {
            return Ok(Vec::new());
        }
        self.recount()?;
        let blocks: Vec<&str> = self.pending.keys().map(String::as_str).collect();
        let delivered = self.board.deliveries(&blocks)?;
        Ok(delivered.into_iter().filter_map(|delivered| self.judge(delivered)).collect())
    }

    /// Takes down what was judged; by now the record has it.
    fn settle(&mut self) -> Result<(), StoreError> {
        let again = self.judged.iter().filter_map(|one| self.pending.get(&one.id));
        let again: Vec<OfferedBlock> = again.map(|block| OfferedBlock::new(block, self.check.ids)).collect();
        self.board.settle(&self.judged, &again)?;
        self.judged.clear();
        Ok(())
    }

    /// Offers again what a server that died, or an answer that never came, made forgotten.
    fn recount(&mut self) -> Result<(), StoreError> {
        if self.counted.elapsed() < RECOUNT {
            return Ok(());
        }
        let blocks: Vec<&str> = self.pending.keys().map(String::as_str).collect();
        let forgotten = self.board.forgotten(&blocks)?;
        self.counted = Instant::now();
        let forgotten = forgotten.iter().filter_map(|id| self.pending.get(id));
        self.fresh.extend(forgotten.map(|block| OfferedBlock::new(block, self.check.ids)));
        Ok(())
    }

    /// Looks now and then who is there.
    fn look(&mut self) -> Result<(), StoreError> {
        if self.looked.is_some_and(|looked| looked.elapsed() < LOOK) {
            return Ok(());
        }
        let crowd = self.board.crowd()?;
        self.looked = Some(Instant::now());
        self.slots = (2 * crowd.wants as usize).clamp(self.fewest, MOST_OFFERED);
        if crowd.workers > 0 {
            self.lonely = Instant::now();
        } else if self.fewest > 0 && self.lonely.elapsed() >= LONELY {
            tracing::warn!(
                "no worker is there that can play this ladder; start one: agon worker URL; \
                 agon workers says why others do not"
            );
            self.lonely += Duration::from_secs(600);
        }
        Ok(())
    }

    /// What a delivery comes to; nothing where the block is to be played again.
    fn judge(&mut self, delivered: Delivered) -> Option<BlockOutcome> {
        let Delivered { id, worker, name, content } = delivered;
        let block = self.pending.get(&id)?;
        let (verdict, outcome) = match content.map(|content| self.check.read(&content, block)) {
            Ok(Ok(played)) => {
                let setting = &*self.check.settings[block.setting];
                if let Err(error) = self.logs.write(&played, setting, self.check.seed) {
                    // It stays on the board: the same ladder takes it when it goes on.
                    return Some(BlockOutcome::Broken(error.text));
                }
                let encoded = EncodedBlock::new(self.ladder, &played, self.check.ids);
                (Verdict::Kept, Some(BlockOutcome::Played(played, Some(encoded))))
            }
            Ok(Err(why)) => {
                let sentence = format!("block {id}: {why}");
                tracing::warn!("refused what worker {name} delivered: {sentence}");
                (Verdict::Refused(sentence), None)
            }
            Err(cause) => {
                let voids = self.voids.entry(id.clone()).or_default();
                *voids += 1;
                let is_void = *voids >= MOST_VOIDS;
                let cause = agon_model::visible::escape(&cause, 400);
                (
                    Verdict::Void,
                    is_void.then(|| BlockOutcome::Void(block.clone(), format!("on worker {name}: {cause}"))),
                )
            }
        };
        if outcome.is_some() {
            self.pending.remove(&id);
        }
        self.judged.push(Settled { id, worker, verdict });
        outcome
    }

    /// Takes back at most so many blocks that nobody plays.
    pub fn recall(&mut self, most: usize) -> Vec<Block> {
        let still_here = self.fresh.split_off(self.fresh.len().saturating_sub(most));
        let mut ids: Vec<String> = still_here.into_iter().map(|block| block.id).collect();
        if ids.len() < most {
            // While the server is away they stay where they are.
            ids.extend(self.board.recall(most - ids.len()).unwrap_or_default());
        }
        ids.iter().filter_map(|id| self.pending.remove(id)).collect()
    }

    /// Nothing more is offered; what is under way with others is delivered to whoever coordinates next.
    ///
    /// # Errors
    /// The database cannot be written: it learns of it when the ladder goes on.
    pub fn close(&mut self) -> Result<(), StoreError> {
        self.settle()?;
        self.board.close()
    }
}

impl Crew for BoardCrew<'_> {
    fn slots(&self) -> usize {
        self.slots
    }

    fn offer(&mut self, block: Block) -> Result<(), Gone> {
        self.fresh.push(OfferedBlock::new(&block, self.check.ids));
        self.pending.insert(block.id.clone(), block);
        Ok(())
    }

    fn outcomes(&mut self, wait: Duration) -> Result<Vec<BlockOutcome>, Gone> {
        let until = Instant::now() + wait;
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Gone);
            }
            let outcomes = self.exchange();
            if !outcomes.is_empty() {
                self.pause = PAUSE.0;
                return Ok(outcomes);
            }
            if Instant::now() >= until {
                return Ok(outcomes);
            }
            std::thread::sleep(self.pause);
            self.pause = (2 * self.pause).min(PAUSE.1);
        }
    }

    fn finish(&mut self) {}
}
