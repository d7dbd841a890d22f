//! Which ladder and which match of which record are meant, alike in all commands that read one.

use crate::record_location::{LocationArgs, RecordLocation};
use crate::unplayed::Unplayed;
use crate::{Failure, ladder_file};
use agon_model::visible::escape;
use agon_model::{Grades, LadderLocation, LadderRow, Points, StoredMatch, shell, some_of};
use agon_record::database::{is_url, without_password};
use agon_record::{Archive, FoundMatch, Record};
use clap::Args;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Which ladder of which record, alike in all commands that read one.
#[derive(Args, Debug)]
pub struct WhichLadder {
    /// The ladder file, which says where the record is and what results are worth. Without it: the ladder played last,
    /// even if ./ladder.toml describes another.
    #[arg(value_name = "LADDER FILE", conflicts_with = "ladder")]
    file: Option<PathBuf>,
    /// The ladder's name in the record, instead of its file.
    #[arg(long, value_name = "NAME")]
    ladder: Option<String>,
    #[command(flatten)]
    location: LocationArgs,
}

/// A record that is open, and one of its ladders.
pub struct OpenLadder {
    /// The record that was opened.
    pub record: Box<dyn Archive + Send>,
    /// The ladder in that record.
    pub ladder: LadderRow,
    /// The worth of its results, from its ladder file.
    pub points: Points,
    /// The grades for them, from its ladder file.
    pub grades: Grades,
    /// Its ladder file, if there is one.
    pub about: Option<LadderLocation>,
}

impl WhichLadder {
    /// The ladder file, if one was named.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref().filter(|file| !file.is_dir())
    }

    /// Where the record is, and the name of the ladder that is meant, if one was named.
    pub fn locate(&self) -> Result<(RecordLocation, Option<String>), Failure> {
        self.look_up().map(|(location, name, _)| (location, name))
    }

    /// Where the record is, and what the results of a ladder are worth, by the same ladder file as in [`Self::open`].
    pub fn location_and_points(&self) -> Result<(RecordLocation, Option<(String, Points)>), Failure> {
        let (location, _, about) = self.look_up()?;
        let about = about.or_else(ladder_file::about_here);
        Ok((location, about.map(|about| (about.name, about.points))))
    }

    /// Finds the location, the name, and the ladder file if one was named.
    fn look_up(&self) -> Result<(RecordLocation, Option<String>, Option<LadderLocation>), Failure> {
        if let Some(file) = self.file() {
            self.refuse_name(file)?;
            let about = ladder_file::read_location(file)?;
            return Ok((self.location.about(&about)?, Some(about.name.clone()), Some(about)));
        }
        // The folder of a record names it as well as --record does.
        let location =
            self.file.as_deref().map_or_else(|| self.location.locate(), |folder| self.location.of(folder, None));
        Ok((location?, self.ladder.clone(), None))
    }

    /// The files that differ from those by which the record knows the clients, where the ladder file is known and names
    /// this record.
    pub fn unplayed(&self, opened: &OpenLadder) -> Result<Unplayed, Failure> {
        let Some(about) = &opened.about else { return Ok(Unplayed::default()) };
        let location = self.locate()?.0;
        let is_its_own = LocationArgs::default().about(about).is_ok_and(|own| own.is_same(&location));
        if !is_its_own {
            return Ok(Unplayed::default()); // Such as a copy, or the record of an earlier term.
        }
        Ok(Unplayed::of(about, &*opened.record, &opened.ladder, location.out())?)
    }

    /// A ladder of the record has no file where `agon match` made it.
    fn refuse_name(&self, file: &Path) -> Result<(), Failure> {
        if let Some(address) = file.to_str().filter(|text| is_url(text)) {
            let shown = escape(&without_password(address), 200);
            let help = format!("name it by --record {shown}");
            return Err(Failure::usage(format!("{shown} is a record, not a ladder file; help: {help}")));
        }
        let is_name = file.extension().is_none() && file.components().count() == 1;
        // A name without its ending gets the same suggestion as any ladder file.
        if !is_name || file.exists() || file.with_extension("toml").exists() {
            return Ok(());
        }
        let name = escape(&file.to_string_lossy(), 64);
        let option = shell::option("--ladder", &file.to_string_lossy());
        let help = format!("a ladder of the record is named by {option}; that of agon match is called match");
        Err(Failure::usage(format!("there is no ladder file {name}; help: {help}")))
    }

    /// The record and the ladder. Points and grades are those of its ladder file: the one that was named, or the
    /// `ladder.toml` of this folder where that is of this ladder.
    pub fn open(&self) -> Result<OpenLadder, Failure> {
        let (location, name, about) = self.look_up()?;
        let record = location.open_existing()?;
        let ladder = find_ladder(&*record, name.as_deref())?;
        let about = about.or_else(|| ladder_file::about_here().filter(|about| about.name == ladder.name));
        let (points, grades) =
            about.as_ref().map_or_else(Default::default, |about| (about.points, about.grades.clone()));
        Ok(OpenLadder { record, ladder, points, grades, about })
    }
}

/// The ladder with this name, or the one worked on last.
pub fn find_ladder(record: &dyn Record, name: Option<&str>) -> Result<LadderRow, Failure> {
    let found = match name {
        Some(name) => record.ladder(name)?,
        None => record.newest_ladder()?,
    };
    found.ok_or_else(|| {
        let which = name.map_or("any ladder".to_owned(), |name| format!("ladder {name}"));
        let help = match name {
            Some(file) if Path::new(file).is_file() => "--ladder takes a name; name a ladder file without --ladder",
            _ => "run it first, or name another by --ladder",
        };
        Failure::usage(format!("the record has nothing of {which}; help: {help}"))
    })
}

/// The most other ladders that a message names.
const MOST_NAMED: usize = 10;

/// A name that none of these is, and the ladders of the record in which it may be one.
pub fn no_client<'a>(
    (record, ladder): (&dyn Archive, &LadderRow),
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Failure {
    let known = some_of(known);
    let mut others = record.ladders().unwrap_or_default();
    others.retain(|(other, _)| other.id != ladder.id);
    let names: Vec<&str> = others.iter().take(MOST_NAMED).map(|(other, _)| other.name.as_str()).collect();
    let help = match names[..] {
        [] => String::new(),
        _ => format!("; help: other ladders of the record, by --ladder: {}", names.join(", ")),
    };
    Failure::usage(format!("no client of ladder {} is called \"{name}\"; there are: {known}{help}", ladder.name))
}

/// Which match of which record.
#[derive(Args, Debug)]
pub struct WhichMatch {
    /// The match's id or its first characters, or `last` for the newest match.
    #[arg(value_name = "ID")]
    id: MatchId,
    /// The ladder that `last` is of.
    #[command(flatten)]
    ladder: WhichLadder,
}

/// A match by its id, or by how that begins; a position of it with `@TURN` behind.
#[derive(Clone, Debug)]
pub struct MatchId {
    id: String,
    turn: Option<u32>,
}

impl FromStr for MatchId {
    type Err = String;

    fn from_str(text: &str) -> Result<MatchId, String> {
        let Some((id, turn)) = text.split_once('@') else { return Ok(MatchId { id: text.to_owned(), turn: None }) };
        if id.is_empty() {
            return Err(format!("{text:?} names no match; write last@12, or ID@12"));
        }
        let turn =
            turn.parse().map_err(|_| format!("{turn:?} is not a turn; write {id}@12, or {id}@0 for the start"))?;
        Ok(MatchId { id: id.to_owned(), turn: Some(turn) })
    }
}

impl MatchId {
    /// The turn that was named.
    pub fn turn(&self) -> Option<u32> {
        self.turn
    }
}

impl WhichMatch {
    /// The turn after which the match is looked at, if one was named.
    pub fn turn(&self) -> Option<u32> {
        self.id.turn
    }

    /// The folder with its log and its clients' files.
    pub fn out(&self) -> Result<PathBuf, Failure> {
        Ok(self.ladder.locate()?.0.out().to_owned())
    }
}

/// The match that is meant.
pub fn find_match(which: &WhichMatch) -> Result<Box<StoredMatch>, Failure> {
    find_by_id(&which.id, &which.ladder)
}

/// The match of this record that is meant; it has as many turns as were named.
pub fn find_by_id(meant: &MatchId, ladder: &WhichLadder) -> Result<Box<StoredMatch>, Failure> {
    let (location, ladder) = ladder.locate()?;
    let record = location.open_existing()?;
    let id = if meant.id == "last" { last(&*record, ladder.as_deref())? } else { meant.id.clone() };
    let stored = find_one(&*record, &id)?;
    let (last, id) = (stored.played.plies(), &stored.played.id);
    match meant.turn {
        Some(turn) if turn > last => {
            Err(Failure::usage(format!("match {id} has no turn {turn}; help: {id}@0 (the start) to {id}@{last}")))
        }
        _ => Ok(stored),
    }
}

fn find_one(record: &dyn Archive, id: &str) -> Result<Box<StoredMatch>, Failure> {
    match record.find(id)? {
        FoundMatch::One(stored) => Ok(stored),
        FoundMatch::None => {
            let help = "help: agon matches lists them";
            Err(Failure::usage(format!("no match has an id that begins with \"{id}\"; {help}")))
        }
        FoundMatch::Several(ids) => {
            let list = some_of(&ids);
            Err(Failure::usage(format!("several matches begin with \"{id}\": {list}; help: write more of the id")))
        }
    }
}

fn last(record: &dyn Archive, ladder: Option<&str>) -> Result<String, Failure> {
    let ladder = find_ladder(record, ladder)?;
    record.last_match(ladder.id)?.ok_or_else(|| Failure::usage(format!("ladder {} has no match yet", ladder.name)))
}
