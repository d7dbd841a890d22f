//! The exchange between a ladder's coordinator and workers on other machines, in any database: blocks are offered,
//! leased and delivered. The record contains nothing from a worker before its coordinator has judged it.

pub use crate::worker_row::WorkerRow;

use crate::Result;
use agon_model::{Block, EntrantId, LadderId, MachineSpeed};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The version of the protocol between workers and records; both sides must have the same.
pub const PROTOCOL: i32 = 4;
/// The most bytes of a delivered block.
pub const LARGEST_DELIVERY: usize = 1 << 20;
/// The most bytes of a client's file that is sent to workers.
pub const LARGEST_FILE: usize = 256 << 20;
/// The bytes of a part of a file; the last part has fewer.
pub const FILE_PART: usize = 1 << 20;

/// A block as other machines read it: entrants by their numbers in the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedBlock {
    pub id: String,
    pub number: u64,
    /// The entrants' numbers in the record.
    pub lineup: Vec<EntrantId>,
    /// The number of its matches.
    pub rotations: usize,
    /// The index of the setting.
    pub setting: usize,
    /// The number of the opening.
    pub opening: u64,
    /// The seed from which its clients' own seeds are drawn.
    pub client_seed: [u8; 32],
}

impl OfferedBlock {
    /// Makes the offer; `ids` are the entrants' numbers in the record.
    pub fn new(block: &Block, ids: &[EntrantId]) -> OfferedBlock {
        let Block { id, number, lineup, rotations, setting, opening, client_seed } = block.clone();
        let lineup = lineup.into_iter().map(|entrant| ids[entrant]).collect();
        OfferedBlock { id, number, lineup, rotations, setting, opening, client_seed }
    }

    /// Makes the block to play; `None` if an entrant is not among these.
    pub fn to_block(&self, ids: &[EntrantId]) -> Option<Block> {
        let OfferedBlock { id, number, lineup, rotations, setting, opening, client_seed } = self.clone();
        let index = |id: EntrantId| ids.iter().position(|known| *known == id);
        let lineup = lineup.into_iter().map(index).collect::<Option<_>>()?;
        Some(Block { id, number, lineup, rotations, setting, opening, client_seed })
    }
}

/// A block to play, with the workers that may not play it, because they played it before under any name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub block: OfferedBlock,
    /// The numbers of these workers.
    pub not_to: Vec<i64>,
}

impl From<OfferedBlock> for Offer {
    /// Offers the block to all workers.
    fn from(block: OfferedBlock) -> Offer {
        Offer { block, not_to: Vec::new() }
    }
}

/// The terms of a ladder that workers must know before they play its blocks.
#[derive(Clone, Debug)]
pub struct PostedTerms {
    /// The game and the version of its rules: `GAME rules 3`. Only workers with exactly these rules play it.
    pub game: String,
    /// The cores that a match needs.
    pub threads: u32,
    /// The whole terms, as JSON.
    pub content: String,
    /// How long a worker may be silent before others get its blocks.
    pub lease: Duration,
}

/// A delivery of a worker that is not judged yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// The id of the block.
    pub id: String,
    /// The number of the worker.
    pub worker: i64,
    /// The worker's name for itself.
    pub name: String,
    /// The played block, or the reason why it was void.
    pub content: std::result::Result<String, String>,
    /// How long it had the block; zero if that is not known.
    pub took: Duration,
    /// Its time of arrival, by the record's clock, microseconds since 1970.
    pub at: u64,
}

/// A delivery that was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The id of the block.
    pub id: String,
    /// The number of the worker.
    pub worker: i64,
    pub verdict: DeliveryVerdict,
}

/// The verdict on a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryVerdict {
    /// The block is in the record.
    Kept,
    Void,
    /// The delivery does not follow from the rules, for the reason in this sentence. Another worker must play the
    /// block.
    Refused(String),
    /// Another worker plays the block as well, before it is kept.
    Asked,
    /// Others played the block again with one result, and this worker had another, as the sentence says. It gets no
    /// more blocks.
    Differs(String),
}

/// The workers that are there to play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crowd {
    /// The number of workers.
    pub workers: u32,
    /// The number of blocks that they would hold at a time.
    pub wants: u32,
    /// Facts about these workers for the operator, a sentence each.
    pub notes: Vec<String>,
    /// The builds of agon that these workers run, each with one worker that has it.
    pub builds: Vec<(String, String)>,
}

/// The exchange of one ladder, as its coordinator sees it.
pub trait Exchange {
    /// Begins, or goes on after another pass through the schedule, and takes down the blocks that nobody has begun.
    fn post(&mut self, ladder: LadderId, terms: &PostedTerms) -> Result<()>;

    /// Whether the file with this hash is ready to be fetched.
    fn has_file(&mut self, hash: &str) -> Result<bool>;

    /// Stores a file for workers.
    fn keep_file(&mut self, hash: &str, bytes: &[u8]) -> Result<()>;

    /// Offers blocks, except those that a worker plays already.
    fn offer(&mut self, offers: &[Offer]) -> Result<()>;

    /// The blocks that are neither offered nor delivered: a server that died may have forgotten them. Deliveries are
    /// reported again from the beginning.
    fn forgotten(&mut self, blocks: &[&str]) -> Result<Vec<String>>;

    /// Some of the deliveries since the last call.
    fn deliveries(&mut self) -> Result<Vec<Delivered>>;

    /// Takes down judged deliveries, counts them for the workers, and offers blocks that must be played again.
    fn settle(&mut self, settled: &[Settled], again: &[Offer]) -> Result<()>;

    /// If nothing else is left, offers a block again to others when a worker has had it for this long.
    fn offer_twice(&mut self, after: Duration) -> Result<u64>;

    /// The blocks that no present worker may play.
    fn deserted(&mut self, blocks: &[&str]) -> Result<Vec<String>>;

    /// Forgets workers, and the data for them that nobody needs any more.
    fn tidy(&mut self) -> Result<()>;

    /// Takes back no more than `most` blocks that nobody plays, and returns their ids.
    fn recall(&mut self, most: usize) -> Result<Vec<String>>;

    /// The present workers that can play this ladder. Ends the leases of those that were silent for too long.
    ///
    /// # Errors
    /// The database cannot be read, or another process coordinates this ladder now.
    fn crowd(&mut self) -> Result<Crowd>;

    /// Removes from the record the blocks of workers in this ladder that differed from two others; returns their
    /// number.
    fn take_out(&mut self, ladder: LadderId) -> Result<u64>;

    /// Ends the offers.
    fn close(&mut self) -> Result<()>;
}

/// Opens the exchange of a record.
pub type OpenExchange<'a> = dyn Fn() -> Result<Box<dyn Exchange>> + 'a;

/// The data that a worker sends when it comes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Greeting {
    /// Its name for people.
    pub name: String,
    /// Its version of agon.
    pub build: String,
    /// The games that it knows, each with the version of its rules.
    pub games: Vec<String>,
    pub cores: u32,
    /// The number of cores on which it plays.
    pub jobs: u32,
    /// The layers of the sandbox that hold.
    pub layers: Vec<String>,
    /// The speed of its machine.
    pub speed: MachineSpeed,
    /// The key that its machine made at its first join: 32 to 64 secret letters and digits.
    pub identity: String,
}

/// A block that a worker has claimed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claimed {
    /// The lease with which it delivers the result.
    pub lease: Lease,
    /// The number of the terms of the block.
    pub terms: i64,
    pub block: OfferedBlock,
}

/// A worker's right to a block, which ends if the worker is silent for too long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// The number of the ladder.
    pub ladder: LadderId,
    /// The id of the block.
    pub block: String,
    /// The lease's own number.
    pub number: i64,
    /// The proof that it was given to this worker.
    pub proof: String,
}

/// The result of a block on its way to the exchange.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// The key that was given to the worker.
    pub key: String,
    pub lease: Lease,
    /// The played block as text, or the reason why it was void.
    pub content: std::result::Result<String, String>,
}

/// The answer to a worker that reports its presence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Orders {
    /// Whether it should end after its blocks.
    pub drain: bool,
    /// The longest time for which it may be silent.
    pub lease: Duration,
    /// The deliveries that were refused since the last answer.
    pub refusals: Vec<String>,
}

/// Why a worker gets no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The database cannot be reached at present.
    #[error("{0}")]
    Away(String),
    /// The exchange refuses, with a sentence.
    #[error("{0}")]
    Refused(String),
    /// Nothing more will come to play, as the sentence tells: the worker ends well.
    #[error("{0}")]
    Over(String),
}

/// The result of a request over a link.
pub type LinkResult<T> = std::result::Result<T, LinkError>;

/// The requests of a worker to the exchange. Each fails if the database is away or refuses.
pub trait WorkerLink {
    /// Reports a new worker, and returns the key with which it delivers.
    fn greet(&mut self, greeting: &Greeting) -> LinkResult<String>;

    /// Goes on as another worker that has come by this link, by the key that it was given.
    fn speak_as(&mut self, key: &str);

    /// Delivers results, and claims no more than `many` blocks for a worker that would hold `wants` at a time. Returns
    /// why some deliveries were refused at once, and the blocks. Its own deliveries and its claims succeed together or
    /// not at all.
    fn exchange(
        &mut self,
        deliveries: &[Delivery],
        many: usize,
        wants: usize,
    ) -> LinkResult<(Vec<String>, Vec<Claimed>)>;

    /// Returns the terms with this number, as JSON.
    fn terms(&mut self, terms: i64) -> LinkResult<String>;

    /// Returns the file with this hash.
    fn file(&mut self, hash: &str) -> LinkResult<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            let part = self.file_part(hash, bytes.len() as u64)?;
            bytes.extend_from_slice(&part);
            if part.len() < FILE_PART {
                return Ok(bytes);
            }
            if bytes.len() > LARGEST_FILE {
                let help = "help: look at the address, and use the same agon on both machines";
                return Err(LinkError::Refused(format!(
                    "a client's file has more than {} MiB; {help}",
                    LARGEST_FILE >> 20
                )));
            }
        }
    }

    /// Returns the part of a file that begins at this byte.
    fn file_part(&mut self, hash: &str, from: u64) -> LinkResult<Vec<u8>>;

    /// Reports that it cannot play by these terms, and gives their blocks back.
    fn decline(&mut self, terms: i64, why: &str) -> LinkResult<()>;

    /// Reports that the worker is present.
    fn beat(&mut self, wants: usize) -> LinkResult<Orders>;

    /// Gives back blocks that it will not play.
    fn release(&mut self, leases: &[i64]) -> LinkResult<()>;

    /// Reports that some clients, by their numbers in the record, cannot be opened on this machine, and why.
    fn lack(&mut self, clients: &[EntrantId], why: &str) -> LinkResult<()>;

    /// Reports that the worker leaves.
    fn leave(&mut self) -> LinkResult<()>;
}
