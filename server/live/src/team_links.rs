//! The private links of teams: a file beside the record, which only its owner may read, with a token for each team of
//! each ladder. Whoever has the token is the team.

use agon_command::token::draw_token;
use agon_command::{Failure, atomic_file};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The file, in the folder of the record.
const FILE: &str = "team-links.json";
const SCHEMA: &str = "agon.team-links/1";

/// A team of a ladder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Team {
    /// The ladder it is in.
    pub ladder: String,
    /// The name that all versions of its client share.
    pub team: String,
}

#[derive(Serialize, Deserialize)]
struct TeamLink {
    #[serde(flatten)]
    of: Team,
    token: String,
}

#[derive(Serialize, Deserialize)]
struct Document {
    schema: String,
    links: Vec<TeamLink>,
}

/// All links of a record.
pub struct TeamLinks {
    file: PathBuf,
    links: Vec<TeamLink>,
}

impl TeamLinks {
    /// Those that are kept in the folder of a record; none where there is no file.
    pub fn read(out: &Path) -> Result<TeamLinks, Failure> {
        let file = out.join(FILE);
        let trouble = |what: String| {
            let help = "help: fix the file, or remove it and make new links by agon teams --invite";
            Failure::trouble(format!("{}: {what}; {help}", file.display()))
        };
        let links = match fs::read_to_string(&file) {
            Ok(text) => {
                let read: Result<Document, _> = serde_json::from_str(&text);
                read.map_err(|error| trouble(error.to_string()))?.links
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(trouble(error.to_string())),
        };
        Ok(TeamLinks { file, links })
    }

    /// The teams of a ladder that have a link, with their tokens.
    pub fn of<'a>(&'a self, ladder: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let own = self.links.iter().filter(move |link| link.of.ladder == ladder);
        own.map(|link| (link.of.team.as_str(), link.token.as_str()))
    }

    /// The team with this token. All tokens are compared, as hashes, in a time that depends on none of them.
    pub fn whose(&self, said: &str) -> Option<&Team> {
        let said = blake3::hash(said.as_bytes());
        let mut found = None;
        for link in &self.links {
            if blake3::hash(link.token.as_bytes()) == said {
                found = Some(&link.of);
            }
        }
        found
    }

    /// Makes a link for a team; one that it has is void then.
    pub fn invite(&mut self, of: Team) -> Result<(), Failure> {
        let token = draw_token()?;
        self.links.retain(|link| link.of != of);
        self.links.push(TeamLink { of, token });
        Ok(())
    }

    /// Makes the link of a team void; `false` if it has none.
    pub fn revoke(&mut self, of: &Team) -> bool {
        self.forget(&of.team, Some(&of.ladder))
    }

    /// Makes the links of a team void in all ladders, or in one; `false` if it has none there.
    pub fn forget(&mut self, team: &str, ladder: Option<&str>) -> bool {
        let before = self.links.len();
        self.links.retain(|link| link.of.team != team || ladder.is_some_and(|ladder| link.of.ladder != ladder));
        self.links.len() < before
    }

    /// Keeps them: the file is there whole or as it was.
    pub fn write(&mut self) -> Result<(), Failure> {
        let trouble = |error| Failure::trouble(format!("{}: {error}; nothing was changed", self.file.display()));
        self.links.sort_by(|a, b| (&a.of.ladder, &a.of.team).cmp(&(&b.of.ladder, &b.of.team)));
        let links = std::mem::take(&mut self.links);
        let document = Document { schema: SCHEMA.to_owned(), links };
        let text = serde_json::to_string_pretty(&document).map_err(Failure::trouble)? + "\n";
        self.links = document.links;
        self.file.parent().map_or(Ok(()), fs::create_dir_all).map_err(trouble)?;
        let partial = atomic_file::partial(&self.file);
        let write = || {
            let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&partial)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&partial, &self.file)
        };
        write().map_err(trouble)
    }
}

/// A name that may be that of a folder or of a file, and of nothing else.
pub fn is_plain(team: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    !team.is_empty()
        && team.len() <= 64
        && !team.starts_with(['.', '-'])
        && !team.ends_with(".tmp")
        && team.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn team(ladder: &str, team: &str) -> Team {
        Team { ladder: ladder.to_owned(), team: team.to_owned() }
    }

    #[test]
    fn a_link_lasts_until_it_is_made_anew_or_void() {
        let folder = tempfile::tempdir().unwrap();
        let token = |links: &TeamLinks, name: &str| {
            links.of("class").find(|(team, _)| *team == name).map(|(_, token)| token.to_owned())
        };
        let mut links = TeamLinks::read(folder.path()).unwrap();
        for of in [team("class", "red"), team("class", "blue"), team("other", "red")] {
            links.invite(of).unwrap();
        }
        links.write().unwrap();
        let mode = fs::metadata(folder.path().join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "nobody else reads it");
        let mut links = TeamLinks::read(folder.path()).unwrap();
        let red = token(&links, "red").unwrap();
        assert_eq!(links.whose(&red), Some(&team("class", "red")));
        for wrong in ["", &red[1..], &red.to_uppercase(), &format!("{red} ")] {
            assert!(wrong == red || links.whose(wrong).is_none(), "{wrong}");
        }
        links.invite(team("class", "red")).unwrap();
        assert_eq!(links.whose(&red), None, "the old one is void");
        assert!(links.revoke(&team("class", "red")) && !links.revoke(&team("class", "red")));
        assert_eq!((links.of("class").count(), links.of("other").count()), (1, 1));
        assert!(links.forget("red", None));
        assert_eq!(links.of("other").count(), 0);
    }

    #[test]
    fn names_lead_to_no_other_place() {
        for good in ["red", "team-07", "a.b", "équipe_1"] {
            assert!(is_plain(good), "{good}");
        }
        for bad in ["", ".", "..", ".git", "a/b", "../x", "-x", "a b", "a\n", "a*", "a.tmp", &"x".repeat(65)] {
            assert!(!is_plain(bad), "{bad}");
        }
    }
}
