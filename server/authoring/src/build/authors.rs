//! Tells authors of one name apart: a file next to the clients remembers the author of each client, also where the
//! submission was refused.

use super::author::{Author, can_be_client, client_name};
use super::submission::Submission;
use agon_command::Failure;
use agon_command::atomic_file::partial;
use agon_files::refused;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The file in the folder of the clients.
const FILE: &str = ".authors.json";
const SCHEMA: &str = "agon.authors/1";
/// How the refusal of a submission begins whose author is not known.
const UNCLEAR: &str = "several authors are called";
/// The most bytes of it that are read.
const LARGEST: u64 = 16 << 20;

/// The clients of authors whom a learning platform named.
#[derive(Debug, Serialize, Deserialize)]
pub struct Authors {
    schema: String,
    authors: Vec<Known>,
    #[serde(skip)]
    file: PathBuf,
    /// The assignment of the archive that is being built.
    #[serde(skip)]
    assignment: u32,
    /// The clients for which a new number was taken.
    #[serde(skip)]
    renumbered: Vec<String>,
    /// Why clients are not called as their authors are, by their names.
    #[serde(skip)]
    renamed: BTreeMap<String, String>,
    /// The names of submissions whose authors nothing tells.
    #[serde(skip)]
    unclear: BTreeSet<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Known {
    client: String,
    /// The assignment whose number it is, from 0 in the order in which archives came.
    #[serde(default, skip_serializing_if = "is_first")]
    assignment: u32,
    #[serde(flatten)]
    author: Author,
}

fn is_first(assignment: &u32) -> bool {
    *assignment == 0
}

impl Known {
    /// Whether it is this author, by the number; where the platform gives none, by the name.
    fn is(&self, author: &Author) -> bool {
        is_one(&self.author, author)
    }
}

fn is_one(one: &Author, other: &Author) -> bool {
    let is_same_kind = one.is_of_person == other.is_of_person && one.number == other.number;
    is_same_kind && (!other.number.is_empty() || one.name == other.name)
}

/// The author of a submission, as far as its name tells.
enum ByName {
    /// The author of this client.
    Is(String),
    /// Somebody without a client.
    Newcomer,
    /// One of several authors of its name; nothing tells which.
    Unclear(Author),
}

impl Authors {
    /// Reads what an earlier build left in this folder.
    ///
    /// # Errors
    /// The file cannot be read, or is not agon's.
    pub fn read(folder: &Path) -> Result<Authors, Failure> {
        let file = folder.join(FILE);
        let help = "correct it, or move it away: then authors of one name are told apart anew";
        let bad = |why: String| Failure::trouble(format!("{}: {why}; help: {help}", file.display()));
        match fs::metadata(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Authors {
                    schema: SCHEMA.to_owned(),
                    authors: Vec::new(),
                    file,
                    assignment: 0,
                    renumbered: Vec::new(),
                    renamed: BTreeMap::new(),
                    unclear: BTreeSet::new(),
                });
            }
            Err(error) => return Err(bad(error.to_string())),
            Ok(found) if found.len() > LARGEST || !found.is_file() => {
                return Err(bad("this is no such list".to_owned()));
            }
            Ok(_) => (),
        }
        let text = fs::read_to_string(&file).map_err(|error| bad(error.to_string()))?;
        let read: Authors = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        if read.schema != SCHEMA {
            return Err(bad(format!("it is not {SCHEMA}")));
        }
        if let Some(known) = read.authors.iter().find(|known| !can_be_client(&known.client)) {
            return Err(bad(format!("{:?} cannot be the name of a client", known.client)));
        }
        Ok(Authors { file, ..read })
    }

    /// Gives each submission the name of its client: the known one, where its author is known. Other submissions of one
    /// name get a number. One whose author cannot be told is refused.
    pub fn name(&mut self, submissions: &mut [Submission]) {
        self.assignment = self.assignment_of(submissions);
        let mut taken = BTreeSet::new();
        let is_known: Vec<bool> = submissions.iter_mut().map(|submission| self.find(submission, &mut taken)).collect();
        for index in (0..submissions.len()).filter(|index| !is_known[*index]) {
            if let Some(first) = same_author(index, submissions) {
                let client = submissions[first].name.clone();
                self.refuse_second(&mut submissions[index], &client);
                taken.insert(submissions[index].name.clone());
                continue;
            }
            match self.by_name(index, submissions) {
                ByName::Unclear(author) => {
                    let why = self.who_is_it(&author);
                    let submission = &mut submissions[index];
                    (submission.name, submission.folder) = (unclear_name(&author), Err(why));
                    self.unclear.insert(submission.name.clone());
                    taken.insert(submission.name.clone());
                }
                ByName::Is(client) if taken.insert(client.clone()) => submissions[index].name = client,
                _ => self.name_newcomer(&mut submissions[index], &mut taken),
            }
        }
    }

    fn name_newcomer(&mut self, submission: &mut Submission, taken: &mut BTreeSet<String>) {
        let own = submission.name.clone();
        let mut numbered = (2..).map(|number| format!("{own}-{number}"));
        while !self.is_free(submission) || !taken.insert(submission.name.clone()) {
            submission.name = numbered.next().unwrap_or_default();
        }
        if submission.name != own {
            let why = format!("another client is called {own}, so this one is {}", submission.name);
            self.renamed.insert(submission.name.clone(), why);
        }
    }

    /// The assignment of an archive: that of the numbers that are known, or else a new one.
    fn assignment_of(&self, submissions: &[Submission]) -> u32 {
        let of_assignments = || self.authors.iter().filter(|known| !known.author.is_of_person);
        let is_here = |known: &&Known| {
            let mut authors = submissions.iter().filter_map(|submission| submission.author.as_ref());
            authors.any(|author| known.is(author))
        };
        let newest = of_assignments().map(|known| known.assignment + 1).max();
        of_assignments().filter(is_here).map(|known| known.assignment).max().or(newest).unwrap_or(0)
    }

    /// Whether the author of a submission has a client, by the platform's number, whatever the name is by now.
    fn find(&mut self, submission: &mut Submission, taken: &mut BTreeSet<String>) -> bool {
        let Some(author) = &submission.author else { return false };
        let Some(known) = self.authors.iter().find(|known| known.is(author)) else { return false };
        let client = &known.client;
        submission.name.clone_from(client);
        if known.author.name != author.name {
            let number = &author.number;
            let why = format!("its author is called {}: number {number} is known as {client}", author.name);
            self.renamed.insert(client.clone(), why);
        }
        if !taken.insert(client.clone()) {
            let client = client.clone();
            self.refuse_second(submission, &client);
        }
        true
    }

    /// Refuses a submission whose author has another one in this build, which is this client.
    fn refuse_second(&mut self, submission: &mut Submission, client: &str) {
        let Some(author) = &submission.author else { return };
        let why = format!("another submission has its number, {}, and is {client}", author.number);
        (submission.name, submission.folder) = (unclear_name(author), Err(why));
        self.unclear.insert(submission.name.clone());
    }

    /// The author of a submission with a new number, as far as its name tells. Within an assignment a new number is another
    /// person's; another assignment gives everybody a new one.
    fn by_name(&self, index: usize, submissions: &[Submission]) -> ByName {
        let author = submissions[index].author.as_ref().filter(|author| !author.is_of_person);
        let Some(author) = author else { return ByName::Newcomer };
        let here: BTreeSet<&Author> = submissions
            .iter()
            .filter_map(|submission| submission.author.as_ref())
            .filter(|one| one.name == author.name)
            .collect();
        let is_away = |known: &&Known| known.assignment != self.assignment && !here.iter().any(|one| known.is(one));
        let known = self.called(&author.name).count();
        match self.called(&author.name).find(is_away) {
            None => ByName::Newcomer,
            Some(only) if known == 1 && here.len() == 1 => ByName::Is(only.client.clone()),
            Some(_) => ByName::Unclear(author.clone()),
        }
    }

    fn called(&self, name: &str) -> impl Iterator<Item = &Known> {
        self.authors.iter().filter(move |known| known.author.name == name)
    }

    /// Whether a newcomer may have its name: no known author has it.
    fn is_free(&self, submission: &Submission) -> bool {
        submission.author.is_none() || !self.authors.iter().any(|known| known.client == submission.name)
    }

    /// The refusal of a submission that may be of several authors.
    fn who_is_it(&self, author: &Author) -> String {
        let clients: Vec<&str> = self.called(&author.name).map(|known| known.client.as_str()).collect();
        format!(
            "{UNCLEAR} {}, and number {} is new; help: write that number to its author in {} ({})",
            author.name,
            author.number,
            self.file.display(),
            clients.join(", ")
        )
    }

    /// Remembers the author of a submission, built or refused, unless nothing tells who that is; whether it is known.
    pub fn keep(&mut self, client: &str, author: &Author) -> Result<bool, Failure> {
        if self.unclear.contains(client) {
            return Ok(false);
        }
        let (client, assignment) = (client.to_owned(), if author.is_of_person { 0 } else { self.assignment });
        let own = Known { client, assignment, author: author.clone() };
        match self.authors.iter_mut().find(|known| known.client == own.client) {
            Some(known) if known.author == own.author => return Ok(true),
            Some(known) => {
                if known.author.number != own.author.number {
                    self.renumbered.push(own.client.clone());
                }
                *known = own;
            }
            None => self.authors.push(own),
        }
        self.write().map(|()| true)
    }

    /// Why the client of this name is not called as its author is.
    pub fn renamed(&self, client: &str) -> Option<String> {
        self.renamed.get(client).cloned()
    }

    /// A line that says for whom a new number was taken.
    pub fn note(&self) -> Option<String> {
        let names = self.renumbered.join(", ");
        (!names.is_empty()).then(|| format!("a new assignment: by the names, new numbers were taken for {names}"))
    }

    fn write(&mut self) -> Result<(), Failure> {
        self.authors.sort_by(|a, b| a.client.cmp(&b.client));
        let help = "make its folder writable for the user who runs agon, or choose another --out";
        let trouble =
            |error: std::io::Error| Failure::trouble(format!("{}: {error}; help: {help}", self.file.display()));
        let text = serde_json::to_string_pretty(&self).map_err(|error| trouble(error.into()))?;
        let whole = partial(&self.file);
        self.file.parent().map_or(Ok(()), fs::create_dir_all).map_err(trouble)?;
        fs::write(&whole, text + "\n").and_then(|()| fs::rename(&whole, &self.file)).map_err(trouble)
    }
}

/// The first submission of the same author before this one.
fn same_author(index: usize, submissions: &[Submission]) -> Option<usize> {
    let author = submissions[index].author.as_ref()?;
    submissions[..index].iter().position(|before| before.author.as_ref().is_some_and(|other| is_one(other, author)))
}

/// The name of a submission whose author is not known: with the number, so that it takes nobody's place.
fn unclear_name(author: &Author) -> String {
    format!("{}-{}", client_name(&author.name), author.number)
}

/// Takes away the refusal of an author who was not known before.
pub fn forget_refusal(author: &Author, folder: &Path) -> Result<(), Failure> {
    let note = folder.join(format!("{}.{}", unclear_name(author), refused::ENDING));
    if !refused::reason(&note).starts_with(UNCLEAR) {
        return Ok(());
    }
    fs::remove_file(&note).map_err(|error| Failure::trouble(format!("{}: {error}", note.display())))
}
