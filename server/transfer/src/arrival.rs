//! Keeps the lines of an export in a record. It skips blocks that the ladder has already, and replays every match before
//! it is kept, if these rules can.

use super::TransferError;
use super::line::{ClientLine, ExcuseLine, MatchLine, StageLine, SuspensionLine, VoidLine};
use super::read::{Item, Reader};
use agon_games::PreparedSetting;
use agon_model::visible::escape;
use agon_model::{
    Block, CyclicOrders, Entrant, EntrantId, LadderRow, Match, MoveLine, PlayedBlock, SeatResult, Stage, Step,
    Suspension, Weakness, opening,
};
use agon_record::{Import, Newcomer, StoredSuspension, verify};
use std::collections::BTreeMap;

/// More tries of a block, or excuses of a client, than ever occur.
const MOST_TRIES: u32 = 100_000;
/// More openings and blocks of a schedule, players of a meeting, and characters of a sentence than ever occur.
const MOST_OPENINGS: u64 = 1 << 40;
const MOST_PLAYERS: usize = 64;
const LONGEST_TEXT: usize = 4000;

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// The ladder that received it.
    pub ladder: String,
    /// Matches that were new.
    pub matches: u64,
    /// Matches that the ladder had already.
    pub had: u64,
    /// Whether the rules replayed every match; not if they have another version.
    pub replayed: bool,
    /// How its ladder requires less than the full sandbox.
    pub weakness: Option<Weakness>,
}

/// The clients of the file, and their numbers in the record.
struct Clients {
    lines: Vec<ClientLine>,
    /// Their numbers; `None` until one of a client's matches is new: then the ladder need not know it.
    ids: Vec<Option<EntrantId>>,
    index: BTreeMap<String, usize>,
    /// Whether clients without matches are kept too.
    all: bool,
}

/// An import under way.
pub struct Arrival<'a> {
    row: LadderRow,
    settings: Option<Vec<Box<dyn PreparedSetting>>>,
    import: Box<dyn Import + 'a>,
    clients: Clients,
    /// Whether its clients are anonymous and the ladder is older: then nobody can match the clients.
    pub strangers: bool,
    /// The matches of the current block so far.
    block: Vec<Match>,
    /// The number of stages so far.
    stages: usize,
    taken: Imported,
}

impl<'a> Arrival<'a> {
    pub fn new(
        import: Box<dyn Import + 'a>,
        row: LadderRow,
        settings: Option<Vec<Box<dyn PreparedSetting>>>,
        is_new: bool,
    ) -> Arrival<'a> {
        let (replayed, weakness) = (settings.is_some(), row.terms.weakness());
        let taken = Imported { ladder: row.name.clone(), replayed, weakness, ..Imported::default() };
        let clients = Clients { lines: Vec::new(), ids: Vec::new(), index: BTreeMap::new(), all: is_new };
        Arrival { row, settings, import, clients, strangers: false, block: Vec::new(), stages: 0, taken }
    }

    /// Keeps all lines after that of the ladder, or none.
    pub fn read(mut self, reader: &mut Reader<'_>) -> Result<Imported, TransferError> {
        while let Some(line) = reader.next()? {
            match line {
                Item::Ladder(_) => return Err(reader.bad(1, "a second ladder", "import one export a file")),
                Item::Client(line) => self.client(reader, line)?,
                Item::Match(line) => self.add(reader, &line)?,
                Item::Stage(line) => self.stage(reader, line)?,
                Item::Suspension(line) => self.suspension(reader, line)?,
                Item::Excuse(line) => self.excuse(reader, &line)?,
                Item::Void(line) => self.void(reader, &line)?,
            }
        }
        if !self.block.is_empty() {
            return Err(reader.bad(1, "the file ends within a block", "export it again: a block is imported whole"));
        }
        self.import.commit()?;
        Ok(self.taken)
    }

    fn client(&mut self, reader: &Reader<'_>, line: ClientLine) -> Result<(), TransferError> {
        let fits = |text: &str| (1..=200).contains(&text.chars().count());
        if !fits(&line.client) || !fits(&line.team) {
            return Err(reader.bad(1, "a client's name has 1 to 200 characters", "export it again"));
        }
        let clients = &mut self.clients;
        if clients.index.insert(line.client.clone(), clients.lines.len()).is_some() {
            let what = format!("client \"{}\" is there twice", escape(&line.client, 60));
            return Err(reader.bad(1, &what, "export it again"));
        }
        clients.lines.push(line);
        clients.ids.push(None);
        if clients.all {
            self.arrive(self.clients.lines.len() - 1)?;
        }
        Ok(())
    }

    /// Keeps a client of the file.
    fn arrive(&mut self, index: usize) -> Result<(), TransferError> {
        let Clients { lines, ids, .. } = &mut self.clients;
        let line = &lines[index];
        let hash = |line: &ClientLine| line.sha256.clone().unwrap_or_else(|| format!("anonymous:{}", line.client));
        let same = |other: &&ClientLine| hash(other) == hash(line) && other.options == line.options;
        let copy = lines[..index].iter().filter(same).count() as u32;
        let ClientLine { client, team, version, present, file, options, refused, .. } = line.clone();
        let entrant = Entrant { label: client, file, hash: hash(line), options, refused };
        ids[index] = Some(self.import.add_client(&Newcomer { entrant, team, version, present, copy })?);
        Ok(())
    }

    /// Takes blocks that were void in the original ladder; an existing ladder keeps its own.
    fn void(&mut self, reader: &Reader<'_>, line: &VoidLine) -> Result<(), TransferError> {
        if line.block.chars().count() > 200 || line.tries > MOST_TRIES {
            return Err(reader.bad(
                1,
                "a void block has a name or a number of tries that cannot be",
                "export it again",
            ));
        }
        if self.clients.all {
            self.import.add_void(&line.block, &line.cause, line.tries)?;
        }
        Ok(())
    }

    /// The number of a client of the file in the record.
    fn id_of(&self, reader: &Reader<'_>, client: &str) -> Result<EntrantId, TransferError> {
        let Some(&index) = self.clients.index.get(client) else {
            let what = format!("no line tells of client \"{}\"", escape(client, 60));
            return Err(reader.bad(1, &what, "export it again"));
        };
        Ok(self.clients.ids[index].unwrap_or_default())
    }

    /// Takes meetings drawn in the original ladder; an existing ladder keeps its own.
    fn stage(&mut self, reader: &Reader<'_>, line: StageLine) -> Result<(), TransferError> {
        let StageLine { kind, round, opening, openings, order, meetings, scores } = line;
        let sizes = |all: &[Vec<i64>]| all.iter().map(Vec::len).eq(meetings.iter().map(Vec::len));
        let is_short = |meeting: &Vec<String>| (1..=MOST_PLAYERS).contains(&meeting.len());
        let fits = opening <= MOST_OPENINGS && openings <= MOST_OPENINGS && meetings.iter().all(is_short);
        if !fits || scores.as_deref().is_some_and(|scores| !sizes(scores)) {
            let what = "a stage has openings, meetings or points that cannot be";
            return Err(reader.bad(1, what, "export it again"));
        }
        let ids = |labels: &[String]| labels.iter().map(|label| self.id_of(reader, label)).collect();
        let order = ids(&order)?;
        let meetings = meetings.iter().map(|meeting| ids(meeting)).collect::<Result<_, _>>()?;
        if self.clients.all {
            let stage = Stage { kind, round, opening, openings, order, meetings };
            self.import.add_stage(self.stages, &stage, scores.as_deref())?;
            self.stages += 1;
        }
        Ok(())
    }

    /// Takes suspensions of the original ladder, under the same condition.
    fn suspension(&mut self, reader: &Reader<'_>, line: SuspensionLine) -> Result<(), TransferError> {
        let SuspensionLine { client, kind, by_hand, why, since, schedule, at, let_back, counted } = line;
        let entrant = self.id_of(reader, &client)?;
        let is_long = |text: &str| text.chars().count() > LONGEST_TEXT;
        if is_long(&why) || is_long(&schedule) || since > MOST_OPENINGS {
            let what = "a suspension has a sentence or a block that cannot be";
            return Err(reader.bad(1, what, "export it again"));
        }
        if self.clients.all {
            let suspension = Suspension { kind, by_hand, why, since, schedule };
            self.import.add_suspension(&StoredSuspension { entrant, suspension, at, let_back, counted })?;
        }
        Ok(())
    }

    /// Takes excuses of the original ladder, under the same condition.
    fn excuse(&mut self, reader: &Reader<'_>, line: &ExcuseLine) -> Result<(), TransferError> {
        let entrant = self.id_of(reader, &line.client)?;
        if line.times > MOST_TRIES {
            return Err(reader.bad(1, "a client was excused more often than can be", "export it again"));
        }
        if self.clients.all {
            self.import.add_excuse(entrant, line.cause, line.times)?;
        }
        Ok(())
    }

    fn add(&mut self, reader: &Reader<'_>, line: &MatchLine) -> Result<(), TransferError> {
        let (block, letter) = line.id.split_at(16);
        let expected = char::from(b'a' + self.block.len() as u8);
        let begun = self.block.first().is_none_or(|first| first.id.starts_with(block));
        if !begun || !letter.ends_with(expected) || !(1..=26).contains(&line.of) {
            let what = format!("match {} is not the next of its block", line.id);
            return Err(reader.bad(1, &what, "export it again: the matches of a block stand together, in order"));
        }
        if self.block_matches(line.setting).is_some_and(|matches| matches != line.of) {
            return Err(reader.bad(
                1,
                &format!("a block of match {} has not {} matches", line.id, line.of),
                "export it again",
            ));
        }
        let played = self.read_match(line).map_err(|what| reader.bad(1, &what, "export it again"))?;
        self.block.push(played);
        if self.block.len() < line.of {
            return Ok(());
        }
        let matches = std::mem::take(&mut self.block);
        let block = Block {
            id: block.to_owned(),
            number: 0,
            lineup: Vec::new(),
            rotations: line.of,
            setting: line.setting,
            opening: line.opening,
            client_seed: [0; 32],
        };
        self.keep(reader, PlayedBlock { block, matches })
    }

    /// The number of matches in a block of a setting; `None` if these rules do not know.
    fn block_matches(&self, setting: usize) -> Option<usize> {
        let rotations = self.settings.as_ref()?.get(setting)?.rotations();
        let in_turns = self.row.balances_turns() && rotations == self.row.seats;
        Some(if in_turns { CyclicOrders::new(self.row.seats).matches() } else { rotations })
    }

    fn keep(&mut self, reader: &Reader<'_>, played: PlayedBlock) -> Result<(), TransferError> {
        let count = played.matches.len() as u64;
        if self.import.has_block(&played.block.id)? {
            self.taken.had += count;
            return Ok(());
        }
        if self.strangers {
            let what =
                format!("ladder {} has clients, and those of this file are anonymous", escape(&self.row.name, 64));
            return Err(reader.bad(1, &what, "import it under another name: --ladder NAME"));
        }
        for entrant in played.matches.iter().flat_map(|played| &played.seats).map(|seat| seat.entrant) {
            if self.clients.ids[entrant].is_none() {
                self.arrive(entrant)?;
            }
        }
        let ids: Vec<EntrantId> = self.clients.ids.iter().map(|id| id.unwrap_or_default()).collect();
        self.import.add_block(&played, &ids)?;
        self.taken.matches += count;
        Ok(())
    }

    /// Refuses a match that is not of this ladder, or that mentions seats or turns that it does not have.
    fn check_match(&self, line: &MatchLine) -> Result<(), String> {
        let seats = self.row.seats;
        if line.seats.len() != seats || line.seats.iter().any(|seat| !(1..=seats as u32).contains(&seat.rank)) {
            return Err(format!("match {} does not have {seats} seats with ranks from 1 to {seats}", line.id));
        }
        if line.setting >= self.row.settings.len() || line.seed != self.row.seed {
            return Err(format!("match {} is not of this ladder: another setting or seed", line.id));
        }
        if line.outputs.iter().any(|output| output.seat >= seats) {
            return Err(format!("match {} has text of a seat that is not there", line.id));
        }
        let late = line.moves.last().map_or(0, |step| u64::from(step.n) + 1) + 1;
        let faults = line.seats.iter().flat_map(|seat| &seat.fault).map(|fault| fault.ply);
        let notices = line.seats.iter().flat_map(|seat| &seat.notices).map(|notice| notice.ply);
        let mut plies = faults.chain(notices).chain(line.outputs.iter().map(|output| output.ply));
        if plies.any(|ply| u64::from(ply) > late) {
            return Err(format!("match {} has something in a turn that was not played", line.id));
        }
        Ok(())
    }

    /// A match, if everything in it is consistent; else the inconsistency.
    fn read_match(&self, line: &MatchLine) -> Result<Match, String> {
        self.check_match(line)?;
        let results = line.seats.iter().map(|seat| {
            let known = self.clients.index.get(&seat.client);
            let entrant = *known.ok_or_else(|| format!("no line tells of client \"{}\"", escape(&seat.client, 60)))?;
            let (told_name, fault, notices) = (seat.told_name.clone(), seat.fault.clone(), seat.notices.clone());
            let (seed, score, rank) = (seat.seed, seat.score, seat.rank);
            let (layers, usage) = (seat.layers.clone(), seat.usage.clone());
            Ok(SeatResult { entrant, seed, told_name, score, rank, fault, notices, layers, usage })
        });
        let (id, outputs) = (line.id.clone(), line.outputs.clone());
        let played = Match {
            id,
            start: line.start,
            ending: line.ending.clone(),
            seats: results.collect::<Result<_, String>>()?,
            steps: self.steps(line)?,
            outputs,
            started: line.started,
            wall_us: line.us,
        };
        if let Some(settings) = &self.settings {
            let start = settings[line.setting].start(&opening(self.row.seed, line.opening));
            verify(start, &played).map_err(|why| format!("match {}: {why}", line.id))?;
        }
        Ok(played)
    }

    /// The steps, turn by turn from the first.
    fn steps(&self, line: &MatchLine) -> Result<Vec<Step>, String> {
        let steps: Vec<Step> = line.moves.iter().map(MoveLine::step).collect();
        for (next, turn) in (0..).zip(steps.chunk_by(|a, b| a.ply == b.ply)) {
            if turn[0].ply != next || turn.iter().any(|step| step.seat >= self.row.seats) {
                return Err(format!("match {}: turn {next} is missing, or a seat that is not there moves", line.id));
            }
        }
        Ok(steps)
    }
}
