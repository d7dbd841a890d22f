//! What stands between the coordinator of a ladder and workers on other machines, whatever database keeps it: a board
//! of blocks that are offered, leased and delivered. Nothing that a worker says is in the record before its coordinator
//! has judged it.

use crate::Result;
use agon_model::{Block, MachineSpeed};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a worker and a record say to each other grows by this number; both must have the same.
pub const PROTOCOL: i32 = 3;
/// The most bytes of what came of a block.
pub const LARGEST_DELIVERY: usize = 1 << 20;
/// The most bytes of a client's file that is sent to workers.
pub const LARGEST_FILE: usize = 256 << 20;

/// A block as other machines are told of it: entrants by their numbers in the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedBlock {
    /// See [`Block`].
    pub id: String,
    /// Place in the schedule.
    pub number: u64,
    /// The entrants' numbers in the record.
    pub lineup: Vec<i64>,
    /// How many matches it has.
    pub rotations: usize,
    /// Which setting.
    pub setting: usize,
    /// Number of the opening.
    pub opening: u64,
    /// What its clients' own seeds are drawn from.
    pub draws: [u8; 32],
}

impl OfferedBlock {
    /// `ids` are the entrants' numbers in the record.
    pub fn new(block: &Block, ids: &[i64]) -> OfferedBlock {
        let Block { id, number, lineup, rotations, setting, opening, draws } = block.clone();
        let lineup = lineup.into_iter().map(|entrant| ids[entrant]).collect();
        OfferedBlock { id, number, lineup, rotations, setting, opening, draws }
    }

    /// As it is played; `None` if somebody in it is not among these.
    pub fn to_block(&self, ids: &[i64]) -> Option<Block> {
        let OfferedBlock { id, number, lineup, rotations, setting, opening, draws } = self.clone();
        let index = |id: i64| ids.iter().position(|known| *known == id);
        let lineup = lineup.into_iter().map(index).collect::<Option<_>>()?;
        Some(Block { id, number, lineup, rotations, setting, opening, draws })
    }
}

/// A block to be played, and by whom it is not: workers that played it before, under whatever names they come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The block.
    pub block: OfferedBlock,
    /// Workers.
    pub not_to: Vec<i64>,
}

impl From<OfferedBlock> for Offer {
    /// To everybody.
    fn from(block: OfferedBlock) -> Offer {
        Offer { block, not_to: Vec::new() }
    }
}

/// What workers must know of a ladder before they play a block of it.
#[derive(Clone, Debug)]
pub struct PostedTerms {
    /// The game and the version of its rules: `GAME rules 3`. Only workers with these very rules play it.
    pub game: String,
    /// Cores that a match takes.
    pub threads: u32,
    /// All of it, as JSON.
    pub content: String,
    /// How long a worker may be silent before its blocks are given to others.
    pub lease: Duration,
}

/// What a worker delivered and nobody has judged yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// The block.
    pub id: String,
    /// Which worker.
    pub worker: i64,
    /// What it calls itself.
    pub name: String,
    /// What came of it: a played block, or why it was void.
    pub content: std::result::Result<String, String>,
    /// How long it had the block; zero where that is not known.
    pub took: Duration,
    /// When it came, by the record's clock, microseconds since 1970.
    pub at: u64,
}

/// What was made of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The block.
    pub id: String,
    /// Which worker.
    pub worker: i64,
    /// What.
    pub verdict: Verdict,
}

/// What was made of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is in the record.
    Kept,
    /// It was void.
    Void,
    /// It is not what the rules come to: a sentence. The block is to be played by somebody else.
    Refused(String),
    /// Somebody else plays the block, too, before it is kept.
    Asked,
    /// Others played the block again and came to the same, and this worker to something else: a sentence. It gets
    /// nothing more to play.
    Differs(String),
}

/// Who is there to play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crowd {
    /// Workers.
    pub workers: u32,
    /// How many blocks they would hold at a time.
    pub wants: u32,
    /// What the operator should know of those who come: a sentence each.
    pub notes: Vec<String>,
    /// The builds of agon of those who are there, each with a worker that has it.
    pub builds: Vec<(String, String)>,
}

/// The board of one ladder, as its coordinator sees it.
pub trait Board {
    /// Begins, or goes on after another pass through the schedule; what nobody has begun to play is taken down.
    ///
    /// # Errors
    /// The database cannot be written.
    fn post(&mut self, ladder: i64, terms: &PostedTerms) -> Result<()>;

    /// Whether the file with this hash is there to be fetched.
    ///
    /// # Errors
    /// The database cannot be read.
    fn has_file(&mut self, hash: &str) -> Result<bool>;

    /// Puts a file there.
    ///
    /// # Errors
    /// The database cannot be written.
    fn keep_file(&mut self, hash: &str, bytes: &[u8]) -> Result<()>;

    /// Offers blocks; those that somebody plays already are left to whoever does.
    ///
    /// # Errors
    /// The database cannot be written.
    fn offer(&mut self, offers: &[Offer]) -> Result<()>;

    /// Which of these blocks are neither offered nor delivered: a server that died may have forgotten them. What was
    /// delivered is told anew from the beginning.
    ///
    /// # Errors
    /// The database cannot be read.
    fn forgotten(&mut self, blocks: &[&str]) -> Result<Vec<String>>;

    /// Some of what was delivered since it was asked last.
    ///
    /// # Errors
    /// The database cannot be read.
    fn deliveries(&mut self) -> Result<Vec<Delivered>>;

    /// Takes down what was judged, and counts it for the workers; offers what is to be played again.
    ///
    /// # Errors
    /// The database cannot be written.
    fn settle(&mut self, settled: &[Settled], again: &[Offer]) -> Result<()>;

    /// Where nothing else is left to be played: offers to others, too, what somebody has had for so long.
    ///
    /// # Errors
    /// The database cannot be written.
    fn offer_twice(&mut self, after: Duration) -> Result<u64>;

    /// Which of these blocks nobody who is there may play.
    ///
    /// # Errors
    /// The database cannot be read.
    fn deserted(&mut self, blocks: &[&str]) -> Result<Vec<String>>;

    /// Forgets workers and what they were told that nobody needs any more.
    ///
    /// # Errors
    /// The database cannot be written.
    fn tidy(&mut self) -> Result<()>;

    /// Takes back at most so many blocks that nobody plays; says which.
    ///
    /// # Errors
    /// The database cannot be written.
    fn recall(&mut self, most: usize) -> Result<Vec<String>>;

    /// Who is there, as far as they play such a ladder; the leases of those who were silent for too long are ended.
    ///
    /// # Errors
    /// The database cannot be read, or somebody else coordinates this ladder now.
    fn crowd(&mut self) -> Result<Crowd>;

    /// Takes out of the record what workers played in this ladder who differed from two others; how many blocks.
    ///
    /// # Errors
    /// The database cannot be written.
    fn take_out(&mut self, ladder: i64) -> Result<u64>;

    /// Nothing more is offered.
    ///
    /// # Errors
    /// The database cannot be written.
    fn close(&mut self) -> Result<()>;
}

/// Opens the board beside a record.
pub type OpenBoard<'a> = dyn Fn() -> Result<Box<dyn Board>> + 'a;

/// What a worker says of itself when it comes.
#[derive(Clone, Debug, PartialEq)]
pub struct Greeting {
    /// What people call it.
    pub name: String,
    /// The version of agon.
    pub build: String,
    /// The games that it knows, each with the version of its rules.
    pub games: Vec<String>,
    /// How many cores it has.
    pub cores: u32,
    /// On how many of them it plays.
    pub jobs: u32,
    /// Which layers of the sandbox hold.
    pub layers: Vec<String>,
    /// How fast its machine is.
    pub speed: MachineSpeed,
    /// The key that its machine made at its first join: 32 to 64 letters and digits that nobody else knows.
    pub identity: String,
}

/// A block that a worker is to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// What it needs to hand in what came of it.
    pub lease: Lease,
    /// The terms by which it is played.
    pub terms: i64,
    /// The block.
    pub block: OfferedBlock,
}

/// A worker's right to a block, until it is silent for too long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// The ladder.
    pub ladder: i64,
    /// The block.
    pub block: String,
    /// The lease's own number.
    pub number: i64,
    /// That it was given to this worker.
    pub proof: String,
}

/// What came of a block, on its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// Of which worker: the key that it was given.
    pub key: String,
    /// The lease.
    pub lease: Lease,
    /// The played block as text, or why it was void.
    pub content: std::result::Result<String, String>,
}

/// What a worker is told when it says that it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    /// Whether it is to end when its blocks are played.
    pub drain: bool,
    /// How long it may be silent at most.
    pub lease: Duration,
    /// What of its deliveries was refused since.
    pub refusals: Vec<String>,
}

/// Why a worker is not answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The database is away, and may come back.
    #[error("{0}")]
    Away(String),
    /// It says no: a sentence.
    #[error("{0}")]
    Refused(String),
}

/// Of a link.
pub type LinkResult<T> = std::result::Result<T, LinkError>;

/// What a worker can ask of the board; each fails where the database is away or says no.
pub trait Link {
    /// Comes; says the key by which it hands in what it plays.
    ///
    /// # Errors
    /// See [`LinkError`]; so for all that follow.
    fn greet(&mut self, greeting: &Greeting) -> LinkResult<String>;

    /// Goes on as another worker that has come by this link, by the key that it was given.
    fn speak_as(&mut self, key: &str);

    /// Hands in what came of blocks, and claims at most `many` to play where it would hold `wants` at a time: why some
    /// were refused at once, and blocks. What it played itself is handed in and claimed together, or neither is done.
    ///
    /// # Errors
    /// See [`LinkError`].
    fn exchange(
        &mut self,
        deliveries: &[Delivery],
        many: usize,
        wants: usize,
    ) -> LinkResult<(Vec<String>, Vec<Claimed>)>;

    /// The terms with this number, as JSON.
    ///
    /// # Errors
    /// See [`LinkError`].
    fn terms(&mut self, terms: i64) -> LinkResult<String>;

    /// The file with this hash.
    ///
    /// # Errors
    /// See [`LinkError`].
    fn file(&mut self, hash: &str) -> LinkResult<Vec<u8>>;

    /// Says that it cannot play by these terms, and gives their blocks back.
    ///
    /// # Errors
    /// See [`LinkError`].
    fn decline(&mut self, terms: i64, why: &str) -> LinkResult<()>;

    /// Says that it is there.
    ///
    /// # Errors
    /// See [`LinkError`].
    fn beat(&mut self, wants: usize) -> LinkResult<Orders>;

    /// Gives blocks back that it will not play.
    ///
    /// # Errors
    /// See [`LinkError`].
    fn release(&mut self, leases: &[i64]) -> LinkResult<()>;

    /// Some clients, by their numbers in the record, cannot be opened on this machine: a sentence.
    ///
    /// # Errors
    /// See [`LinkError`].
    fn lack(&mut self, clients: &[i64], why: &str) -> LinkResult<()>;

    /// Goes.
    ///
    /// # Errors
    /// See [`LinkError`].
    fn leave(&mut self) -> LinkResult<()>;
}

/// A worker, for people who look at them.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerRow {
    /// Its number: a new one each time it starts.
    pub id: i64,
    /// What it calls itself.
    pub name: String,
    /// As which role of the database it comes.
    pub role: String,
    /// `active`, `silent`, `draining`, `gone` or `banned`.
    pub state: String,
    /// Its version of agon.
    pub build: String,
    /// How many cores it has, and on how many it plays.
    pub cores: (u32, u32),
    /// How many blocks it has under way.
    pub holds: u64,
    /// Blocks of it that are in the record.
    pub blocks: u64,
    /// Blocks that were void there.
    pub voids: u64,
    /// Deliveries that came late, or twice.
    pub late: u64,
    /// Deliveries that were refused.
    pub faults: u64,
    /// How fast its machine is, where it said so.
    pub speed: Option<MachineSpeed>,
    /// Since when nothing was heard of it.
    pub silent: Duration,
    /// The last refusal, or why it does not play.
    pub why: Option<String>,
}
