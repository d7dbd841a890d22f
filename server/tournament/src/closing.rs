//! Freezes the files of a ladder after its closing time. Everybody plays by the last version that the server saw
//! before, or by a file unchanged since. The first run after it decides, and the record keeps the decision.

use super::RunEvent;
use agon_model::{Closing, Copied, Entrant, LATE, Ladder, Paths};
use agon_record::{Member, Record, RunError};
use std::collections::BTreeMap;
use std::path::Path;

/// A client that may take part, with its present file.
pub struct Arrived<'a> {
    /// The client with its label.
    pub entrant: Entrant,
    /// The copy of its file.
    pub copied: Copied,
    pub path: &'a Path,
}

/// The known facts at the closing time.
struct Frozen {
    closing: Closing,
    /// The clients that took part, by team.
    members: BTreeMap<String, Member>,
    /// A run after the closing time has decided already: changes in `clients/` do not matter any more.
    is_decided: bool,
}

/// The clients that take part, the copies of their files, and the closing time if it is reached.
pub type SettledEntrants = (Vec<Entrant>, Vec<Copied>, Option<Closing>);

/// Decides which clients take part, and by which file. One that came too late is refused for that, and has a line in all
/// tables.
pub fn settle(
    arrived: Vec<Arrived<'_>>,
    ladder: &Ladder,
    paths: &Paths,
    record: &dyn Record,
    tell: &mut dyn FnMut(RunEvent),
) -> Result<SettledEntrants, RunError> {
    let Some(mut frozen) = Frozen::of(ladder, record)? else {
        let (entrants, files) = arrived.into_iter().map(|arrived| (arrived.entrant, arrived.copied)).unzip();
        return Ok((entrants, files, None));
    };
    let (mut entrants, mut files) = (Vec::new(), Vec::new());
    for arrived in arrived {
        let known = frozen.members.remove(&arrived.entrant.label);
        let (entrant, copied) = frozen.choose(arrived, known, paths, tell)?;
        entrants.push(entrant);
        files.push(copied);
    }
    let missing = std::mem::take(&mut frozen.members).into_iter();
    for (team, member) in missing.filter(|(_, member)| !member.entrant.is_late()) {
        let Frozen { closing, .. } = frozen;
        tell(RunEvent::Warning(format!(
            "{team}: its file is missing; it plays on by the one from before the closing time, {closing}"
        )));
        files.push(copy_of(&member.entrant, paths)?);
        entrants.push(Entrant { label: team, ..member.entrant });
    }
    Ok((entrants, files, Some(frozen.closing)))
}

impl Frozen {
    /// Returns `None` before the closing time.
    fn of(ladder: &Ladder, record: &dyn Record) -> Result<Option<Frozen>, RunError> {
        let Some(closing) = ladder.closing.filter(|closing| closing.is_past()) else { return Ok(None) };
        let Some(row) = record.ladder(&ladder.name)? else {
            return Ok(Some(Frozen { closing, members: BTreeMap::new(), is_decided: false }));
        };
        let members = record.members(row.id)?.into_iter().filter(|member| member.present);
        let members = members.map(|member| (member.team.clone(), member)).collect();
        Ok(Some(Frozen { closing, members, is_decided: record.frozen(row.id)? == Some(closing.seconds()) }))
    }

    /// The file by which a client plays.
    fn choose(
        &self,
        arrived: Arrived<'_>,
        known: Option<Member>,
        paths: &Paths,
        tell: &mut dyn FnMut(RunEvent),
    ) -> Result<(Entrant, Copied), RunError> {
        let Arrived { entrant, copied, path } = arrived;
        let changed = path.metadata().and_then(|seen| seen.modified());
        if !self.is_decided && changed.is_ok_and(|changed| changed <= self.closing.at()) {
            return Ok((entrant, copied));
        }
        let (label, closing) = (&entrant.label, self.closing);
        let Some(member) = known.filter(|member| !member.entrant.is_late()) else {
            let why = format!("{LATE}, {closing}: it takes no part");
            tell(RunEvent::Warning(format!("{label}: {why}")));
            return Ok((Entrant { refused: Some(why), ..entrant }, copied));
        };
        // An adapter is not part of the submission.
        let own = |hash: &str| hash.split('+').next().map(str::to_owned);
        if own(&member.entrant.hash) == own(&entrant.hash) {
            return Ok((entrant, copied));
        }
        tell(RunEvent::Warning(format!(
            "{label}: its file has changed since the closing time, {closing}: it plays on by the earlier one"
        )));
        let Entrant { file, hash, refused, .. } = member.entrant;
        let before = Entrant { file, hash, refused, ..entrant };
        let copied = copy_of(&before, paths)?;
        Ok((before, copied))
    }
}

/// The copy of a file that may be missing.
fn copy_of(entrant: &Entrant, paths: &Paths) -> Result<Copied, RunError> {
    let copied = Copied::of_record(&paths.out, entrant);
    let is_there = |copied: &Copied| copied.files.all().all(|copy| copy.is_file());
    copied.filter(is_there).ok_or_else(|| {
        let help = "restore the folder files/ of the output folder from a backup, or change closing";
        RunError::Internal(format!("{}: the copy of its file is missing; help: {help}", entrant.label))
    })
}
