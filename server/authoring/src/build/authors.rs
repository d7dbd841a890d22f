//! Who is who among authors of one name: a file next to the clients remembers which of them each client is of.

use super::author::{Author, client_name};
use super::hand_in::HandIn;
use agon_command::Failure;
use agon_command::atomic_file::partial;
use agon_config::refused;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
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
}

#[derive(Debug, Serialize, Deserialize)]
struct Known {
    client: String,
    #[serde(flatten)]
    author: Author,
}

impl Authors {
    /// Reads what an earlier build left in this folder.
    ///
    /// # Errors
    /// The file cannot be read, or is not agon's.
    pub fn read(folder: &Path) -> Result<Authors, Failure> {
        let file = folder.join(FILE);
        let help = "correct it, or move it away: then authors of one name are told apart anew";
        let bad = |why: String| Failure::new(1, format!("{}: {why}; help: {help}", file.display()));
        match fs::metadata(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Authors { schema: SCHEMA.to_owned(), authors: Vec::new(), file });
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
        if let Some(known) = read.authors.iter().find(|known| known.client != client_name(&known.client)) {
            return Err(bad(format!("{:?} cannot be the name of a client", known.client)));
        }
        Ok(Authors { file, ..read })
    }

    /// Gives each submission the name of its client: that of before, where its author is known. Other submissions of one
    /// name get a number. One whose author cannot be told is refused.
    pub fn name(&mut self, hand_ins: &mut [HandIn]) {
        let mut taken = BTreeSet::new();
        let is_known: Vec<bool> = hand_ins.iter_mut().map(|hand_in| self.find(hand_in, &mut taken)).collect();
        for index in (0..hand_ins.len()).filter(|index| !is_known[*index]) {
            if let Some(author) = self.unclear(index, hand_ins) {
                let why = self.who_is_it(&author);
                let hand_in = &mut hand_ins[index];
                (hand_in.name, hand_in.folder) = (unclear_name(&author), Err(why));
                taken.insert(hand_in.name.clone());
                continue;
            }
            let hand_in = &mut hand_ins[index];
            let own = hand_in.name.clone();
            let mut numbered = (2..).map(|number| format!("{own}-{number}"));
            while !self.is_free(hand_in) || !taken.insert(hand_in.name.clone()) {
                hand_in.name = numbered.next().unwrap_or_default();
            }
            if hand_in.name != own {
                hand_in
                    .left_out
                    .push(format!("its name: another client is called {own}, so this one is {}", hand_in.name));
            }
            self.keep(hand_in);
        }
    }

    /// Whether the author of a submission has a client, by the platform's number.
    fn find(&self, hand_in: &mut HandIn, taken: &mut BTreeSet<String>) -> bool {
        let of_author = |known: &&Known| Some(&known.author) == hand_in.author.as_ref();
        let Some(known) = self.authors.iter().find(of_author) else { return false };
        hand_in.name.clone_from(&known.client);
        taken.insert(known.client.clone())
    }

    /// The author of a submission, if several are called so and their numbers do not tell who this one is: somebody of
    /// the name has a client, and is not here by a known number.
    fn unclear(&self, index: usize, hand_ins: &[HandIn]) -> Option<Author> {
        let author = hand_ins[index].author.as_ref().filter(|author| !author.is_of_person)?;
        let here: BTreeSet<&Author> = hand_ins
            .iter()
            .filter_map(|hand_in| hand_in.author.as_ref())
            .filter(|one| one.name == author.name)
            .collect();
        let known: BTreeSet<&Author> = self.called(&author.name).map(|known| &known.author).collect();
        let (away, known) = (known.difference(&here).count(), known.len());
        (away > 0 && (known > 1 || here.len() > 1)).then(|| author.clone())
    }

    fn called(&self, name: &str) -> impl Iterator<Item = &Known> {
        self.authors.iter().filter(move |known| known.author.name == name)
    }

    /// Whether a submission may have its name: no other author has it, as far as numbers tell.
    fn is_free(&self, hand_in: &HandIn) -> bool {
        let Some(author) = &hand_in.author else { return true };
        let is_other = |known: &Known| known.author.name != author.name || author.is_of_person;
        !self.authors.iter().any(|known| known.client == hand_in.name && known.author != *author && is_other(known))
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

    /// Remembers the author of a client. A new number of the only author of a name is that of a new assignment.
    fn keep(&mut self, hand_in: &HandIn) {
        let Some(author) = &hand_in.author else { return };
        if self.authors.iter().any(|known| known.author == *author) {
            return;
        }
        self.authors.retain(|known| known.client != hand_in.name);
        self.authors.push(Known { client: hand_in.name.clone(), author: author.clone() });
    }

    /// Writes the file, if there is anybody to remember.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&mut self) -> Result<(), Failure> {
        if self.authors.is_empty() {
            return Ok(());
        }
        self.authors.sort_by(|a, b| a.client.cmp(&b.client));
        let help = "make its folder writable for the user who runs agon, or choose another --out";
        let trouble =
            |error: std::io::Error| Failure::new(1, format!("{}: {error}; help: {help}", self.file.display()));
        let text = serde_json::to_string_pretty(&self).map_err(|error| trouble(error.into()))?;
        let whole = partial(&self.file);
        self.file.parent().map_or(Ok(()), fs::create_dir_all).map_err(trouble)?;
        fs::write(&whole, text + "\n").and_then(|()| fs::rename(&whole, &self.file)).map_err(trouble)
    }
}

/// The name of a submission whose author is not known: with the number, so that it takes nobody's place.
fn unclear_name(author: &Author) -> String {
    format!("{}-{}", client_name(&author.name), author.number)
}

/// Takes away the refusal of an author who was not known before.
///
/// # Errors
/// It cannot be removed.
pub fn forget_refusal(author: &Author, folder: &Path) -> Result<(), Failure> {
    let note = folder.join(format!("{}.{}", unclear_name(author), refused::ENDING));
    if !refused::reason(&note).starts_with(UNCLEAR) {
        return Ok(());
    }
    fs::remove_file(&note).map_err(|error| Failure::new(1, format!("{}: {error}", note.display())))
}
