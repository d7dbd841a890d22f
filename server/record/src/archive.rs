//! What people ask of a record, beside what a running tournament does: lists, whole matches, exports and imports, and
//! forgetting. SQLite and PostgreSQL answer alike: `server/agon/tests/elsewhere.rs` holds their words side by side.

use super::{
    Checked, Filter, Forgotten, Found, LadderRow, Leftovers, Listed, Lock, MatchMoves, Newcomer, Record, Result,
    SetAside, Store, StoreError, StoredBlock, StoredMatch, StoredSuspension,
};
use agon_arena::admission::Look;
use agon_model::{Excuse, PlayedBlock, PlayerId, Stage};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Takes blocks, one by one, until it has enough.
pub type EachBlock<'a> = dyn FnMut(&StoredBlock) -> ControlFlow<()> + 'a;

/// Takes all matches of a ladder with their moves.
pub type WithMoves<'a> = dyn FnMut(&mut dyn Iterator<Item = MatchMoves>) + 'a;

/// A record that people read and care for. Every function fails where the record cannot be read or written.
pub trait Archive: Record {
    /// The ladders with how many blocks of each are played, the one worked on last first.
    fn ladders(&self) -> Result<Vec<(LadderRow, u64)>>;

    /// A number that is another one when somebody else has written since it was asked for.
    fn changes(&self) -> Result<i64>;

    /// Matches of a ladder, the newest last.
    fn matches(&self, ladder: &LadderRow, filter: &Filter) -> Result<Vec<Listed>>;

    /// The match whose id is, or begins with, `id`; the newest where ladders share it.
    fn find(&self, id: &str) -> Result<Found>;

    /// The match of a ladder with just this id.
    fn match_of(&self, ladder: i64, id: &str) -> Result<Option<StoredMatch>>;

    /// What admission saw of a file with this hash, under whatever terms.
    fn look_at(&self, hash: &str) -> Result<Option<Look>>;

    /// The id of the newest match of a ladder.
    fn last_match(&self, ladder: i64) -> Result<Option<String>>;

    /// Hands every block of a ladder to `each`, in the order in which they were recorded, all of one moment.
    fn each_block(&self, ladder: i64, each: &mut EachBlock<'_>) -> Result<()>;

    /// Gives `work` all matches of a ladder in the order in which they were recorded.
    fn with_moves(&self, ladder: i64, work: &mut WithMoves<'_>) -> Result<()>;

    /// Begins to take matches into the ladder with the name of `row`, which is begun with it if there is none.
    fn begin_import(&mut self, row: &LadderRow) -> Result<Box<dyn Import + '_>>;

    /// The clients of this team, of one ladder or of all: number, name of the ladder, matches.
    fn versions_of(&self, team: &str, ladder: Option<&str>) -> Result<Vec<(i64, String, u64)>>;

    /// Everybody who was ever set aside in a ladder, those who were let back included, in order.
    fn suspensions(&self, ladder: i64) -> Result<Vec<StoredSuspension>>;

    /// Names of the ladders in which somebody has a meeting of a stage that is not closed; not of those that were set
    /// aside.
    fn open_ladders(&self, player: PlayerId) -> Result<Vec<String>>;

    /// Looks at everything in the record: what is damaged.
    fn check(&self) -> Result<Checked>;

    /// Gives what an older agon wrote the digests of what is there now; says how many.
    fn add_digests(&mut self) -> Result<u64>;

    /// As long as what is returned and the record live, nobody plays a ladder of it.
    fn lock_all(&self) -> Result<Vec<Lock>>;

    /// Ladders that were set aside, in the order in which they began.
    fn set_asides(&self) -> Result<Vec<SetAside>>;

    /// What is known of a match, ladders in `without` left out.
    fn left(&self, id: &str, without: &[i64]) -> Result<Leftovers>;

    /// How many files of clients the record itself has that no ladder names, those in `without` left out, and their
    /// bytes.
    fn unnamed_files(&self, without: &[i64]) -> Result<(u64, u64)>;

    /// Drops ladders with all that is theirs, all of them or none, and files that no ladder names; gives their room
    /// back.
    fn drop_ladders(&mut self, ladders: &[i64]) -> Result<()>;

    /// Hashes of all files that ladders name, and of those that they give to clients, those in `without` left out.
    fn named_files(&self, without: &[i64]) -> Result<BTreeSet<String>>;

    /// Forgets clients by their numbers: their names, files, options, and everything they said. Their matches stay
    /// under a name that tells nothing, or go, block by block.
    fn forget(&mut self, entrants: &[i64], with_matches: bool) -> Result<Forgotten>;
}

/// Matches that another record has, taken over in one transaction; dropped, it leaves nothing.
pub trait Import {
    /// The number of a client: its own, if the ladder has this file with these options, else a new one. A team that the
    /// ladder has already gets a further version.
    fn add_client(&mut self, newcomer: &Newcomer) -> Result<i64>;

    /// Whether the ladder has a block.
    fn has_block(&self, block: &str) -> Result<bool>;

    /// Takes a block. `ids` are the clients' numbers, by the indices in it.
    fn add_block(&mut self, played: &PlayedBlock, ids: &[i64]) -> Result<()>;

    /// Takes what was drawn, and what came of it if all is played; stages count from 0.
    fn add_stage(&mut self, number: usize, stage: &Stage, scores: Option<&[Vec<i64>]>) -> Result<()>;

    /// Takes that a client was set aside. What its failures count from must be here.
    fn add_suspension(&mut self, stored: &StoredSuspension) -> Result<()>;

    /// Takes that matches were void so often for the sake of a client.
    fn add_excuse(&mut self, entrant: i64, excuse: Excuse, times: u32) -> Result<()>;

    /// Takes that a block was void so often.
    fn add_void(&mut self, block: &str, cause: &str, tries: u32) -> Result<()>;

    /// Keeps everything.
    fn commit(self: Box<Self>) -> Result<()>;
}

/// Why a walk through blocks ended early.
enum Ended {
    Enough,
    Failed(StoreError),
}

impl From<StoreError> for Ended {
    fn from(error: StoreError) -> Ended {
        Ended::Failed(error)
    }
}

impl Archive for Store {
    fn ladders(&self) -> Result<Vec<(LadderRow, u64)>> {
        Store::ladders(self)
    }

    fn changes(&self) -> Result<i64> {
        Store::changes(self)
    }

    fn matches(&self, ladder: &LadderRow, filter: &Filter) -> Result<Vec<Listed>> {
        Store::matches(self, ladder, filter)
    }

    fn find(&self, id: &str) -> Result<Found> {
        Store::find(self, id)
    }

    fn match_of(&self, ladder: i64, id: &str) -> Result<Option<StoredMatch>> {
        Store::match_of(self, ladder, id)
    }

    fn look_at(&self, hash: &str) -> Result<Option<Look>> {
        Store::look_at(self, hash)
    }

    fn last_match(&self, ladder: i64) -> Result<Option<String>> {
        Store::last_match(self, ladder)
    }

    fn each_block(&self, ladder: i64, each: &mut EachBlock<'_>) -> Result<()> {
        let mut each = |block: &StoredBlock| match each(block) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Ended::Enough),
        };
        match Store::each_block(self, ladder, &mut each) {
            Err(Ended::Failed(error)) => Err(error),
            Ok(()) | Err(Ended::Enough) => Ok(()),
        }
    }

    fn with_moves(&self, ladder: i64, work: &mut WithMoves<'_>) -> Result<()> {
        Store::with_moves(self, ladder, work)
    }

    fn begin_import(&mut self, row: &LadderRow) -> Result<Box<dyn Import + '_>> {
        Store::begin_import(self, row)
    }

    fn versions_of(&self, team: &str, ladder: Option<&str>) -> Result<Vec<(i64, String, u64)>> {
        Store::versions_of(self, team, ladder)
    }

    fn suspensions(&self, ladder: i64) -> Result<Vec<StoredSuspension>> {
        Store::all_suspensions(self, ladder)
    }

    fn open_ladders(&self, player: PlayerId) -> Result<Vec<String>> {
        Store::open_ladders(self, player)
    }

    fn check(&self) -> Result<Checked> {
        Store::check(self)
    }

    fn add_digests(&mut self) -> Result<u64> {
        Store::add_digests(self)
    }

    fn lock_all(&self) -> Result<Vec<Lock>> {
        self.path.parent().map_or(Ok(Vec::new()), Lock::take_all)
    }

    fn set_asides(&self) -> Result<Vec<SetAside>> {
        Store::set_asides(self)
    }

    fn left(&self, id: &str, without: &[i64]) -> Result<Leftovers> {
        Store::left(self, id, without)
    }

    fn unnamed_files(&self, _without: &[i64]) -> Result<(u64, u64)> {
        Ok((0, 0))
    }

    fn drop_ladders(&mut self, ladders: &[i64]) -> Result<()> {
        Store::drop_ladders(self, ladders)?;
        if ladders.is_empty() { Ok(()) } else { self.shrink() }
    }

    fn named_files(&self, without: &[i64]) -> Result<BTreeSet<String>> {
        Store::named_files(self, without)
    }

    fn forget(&mut self, entrants: &[i64], with_matches: bool) -> Result<Forgotten> {
        Store::forget(self, entrants, with_matches)
    }
}
