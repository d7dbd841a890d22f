//! Redacts an export. It never contains an absolute path, or the names of the machine and its user. If it is anonymous,
//! it contains neither the owners of clients nor any of their texts.

use crate::Member;
use agon_model::{Entrant, EntrantId, Fault, LATE, LadderId, LadderTerms, Match, Notice, SeatResult, Suspension};
use std::collections::BTreeMap;

/// The rules for redacting.
#[derive(Clone, Debug, Default)]
pub struct Redaction {
    /// The key that draws the numbers of anonymous clients; `None` = clients keep their names.
    key: Option<[u8; 32]>,
    /// The folders to hide, the longest first.
    folders: Vec<String>,
    /// Names, and their replacements.
    names: Vec<(String, &'static str)>,
}

/// The beginning of a forgotten client's hash.
const FORGOTTEN: &str = "forgotten-";
/// The replacement for a path.
const PATH: &str = "[path]";
/// Names that reveal nothing, and that occur in texts with another meaning.
const COMMON: [&str; 4] = ["root", "user", "nobody", "localhost"];

impl Redaction {
    /// Hides `folders` wherever they stand, including paths with blanks. The names of user and machine are hidden where
    /// they stand alone. With a secret, clients are anonymous: their numbers are drawn from it, so that nobody without
    /// it can identify them from a list of all names.
    pub fn new(secret: Option<&str>, folders: &[String], user: &str, host: &str) -> Redaction {
        let mut folders: Vec<String> = folders.iter().filter(|folder| folder.len() > 1).cloned().collect();
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.len()));
        let names = [(user, "[user]"), (host, "[host]")].into_iter();
        let names = names.filter(|(name, _)| name.len() > 2 && !COMMON.contains(name));
        let key = secret.map(|secret| *blake3::hash(secret.as_bytes()).as_bytes());
        Redaction { key, folders, names: names.map(|(name, word)| (name.to_owned(), word)).collect() }
    }

    /// Whether it hides the owners of clients.
    pub fn is_anonymous(&self) -> bool {
        self.key.is_some()
    }

    /// The place of each client of a ladder, by its number in the record. If clients are anonymous, the secret decides
    /// the order.
    pub(super) fn places(&self, ladder: LadderId, ids: &[EntrantId]) -> Vec<usize> {
        let mut places: Vec<usize> = (0..ids.len()).collect();
        let Some(key) = &self.key else { return places };
        let draw = |index: &usize| {
            let number = [ladder.0.to_le_bytes(), ids[*index].0.to_le_bytes()].concat();
            *blake3::keyed_hash(key, &number).as_bytes()
        };
        let mut order = places.clone();
        order.sort_by_cached_key(draw);
        order.into_iter().enumerate().for_each(|(place, index)| places[index] = place);
        places
    }

    /// The clients of a ladder in redacted form; `places` has the place of each. Every field is named here, so that a
    /// new one does not compile before somebody decides about it.
    pub(super) fn members(&self, members: Vec<Member>, places: &[usize]) -> Vec<Member> {
        let name = |place: usize| format!("client-{}", place + 1);
        // All versions of a team have the number of the one that came first.
        let mut teams: BTreeMap<String, usize> = BTreeMap::new();
        let tell = |(member, place): (Member, &usize)| {
            let Member { id, entrant, team, version, present, suspension, pardoned, voids } = member;
            let Entrant { label, file, hash, options, refused } = entrant;
            let suspension = suspension.map(|Suspension { kind, by_hand, why, since, schedule }| {
                let why = self.words(&why);
                Suspension { kind, by_hand, why, since, schedule }
            });
            let (entrant, team) = if self.is_anonymous() {
                let is_late = refused.as_ref().is_some_and(|why| why.starts_with(LATE));
                let refused = refused.map(|_| if is_late { LATE } else { "refused" }.to_owned());
                let first = *teams.entry(team).or_insert(*place);
                // Forgetting changes which results count.
                let is_forgotten = hash.strip_prefix("anonymous:").unwrap_or(&hash).starts_with(FORGOTTEN);
                let hash = if is_forgotten { FORGOTTEN.to_owned() } else { String::new() };
                let (file, options) = Default::default();
                (Entrant { label: name(*place), file, hash, options, refused }, name(first))
            } else {
                let refused = refused.map(|why| self.text(&why));
                (Entrant { label, file, hash, options, refused }, team)
            };
            Member { id, entrant, team, version, present, suspension, pardoned, voids }
        };
        members.into_iter().zip(places).map(tell).collect()
    }

    /// Removes the redacted parts of a match.
    pub(super) fn redact_match(&self, played: &mut Match) {
        let Match { id: _, start: _, ending: _, seats, steps: _, outputs, started: _, wall_us: _ } = played;
        for seat in seats {
            let SeatResult { told_name, fault, notices, .. } = seat;
            *told_name = self.words(told_name);
            *fault = fault.take().map(|fault| self.fault(fault));
            *notices = std::mem::take(notices).into_iter().map(|notice| self.notice(notice)).collect();
        }
        outputs.retain(|_| !self.is_anonymous());
        outputs.iter_mut().for_each(|output| output.text = self.text(&output.text));
    }

    /// Redacts a text of agon or of the ladder's author.
    pub fn text(&self, text: &str) -> String {
        let hide = |text: String, folder: &String| replace_word(&text, folder, PATH);
        let out = without_paths(&self.folders.iter().fold(text.to_owned(), hide));
        self.names.iter().fold(out, |out, (name, word)| replace_word(&out, name, word))
    }

    /// Redacts a text that may contain a client's words: nothing remains if the export is anonymous.
    pub fn words(&self, text: &str) -> String {
        if self.is_anonymous() { String::new() } else { self.text(text) }
    }

    /// Redacts the terms of a ladder, because options may be paths.
    pub fn terms(&self, terms: &LadderTerms) -> LadderTerms {
        let texts = terms.texts().into_iter().map(|(key, text)| (key, self.text(&text)));
        texts.collect::<Vec<_>>().into()
    }

    /// Redacts a fault: its kind and place stay, and its reason if that is allowed. The refused bytes are the client's
    /// own words.
    fn fault(&self, fault: Fault) -> Fault {
        let Fault { kind, phase, ply, message, raw } = fault;
        let raw = if self.is_anonymous() { String::new() } else { raw };
        Fault { kind, phase, ply, message: self.words(&message), raw }
    }

    fn notice(&self, notice: Notice) -> Notice {
        let Notice { kind, phase, ply, message } = notice;
        Notice { kind, phase, ply, message: self.words(&message) }
    }
}

/// Replaces `known` by `word` in a text, except within a longer name.
fn replace_word(text: &str, known: &str, word: &str) -> String {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(known) {
        let (before, after) = (&rest[..at], &rest[at + known.len()..]);
        let alone = !part(before.chars().next_back().or(out.chars().next_back())) && !part(after.chars().next());
        out += before;
        out += if alone { word } else { known };
        rest = after;
    }
    out + rest
}

/// Replaces every word that is an absolute path by `[path]`. A slash within a word, as in notations of moves, does not
/// count.
fn without_paths(text: &str) -> String {
    let ends = |c: char| c.is_whitespace() || c.is_control() || "\"'`,;:()[]{}<>|".contains(c);
    let begins = |before: Option<char>| before.is_none_or(|c| ends(c) && c != '<' || c == '=');
    let is_name = |c: char| c.is_alphanumeric() || "._-~+@".contains(c);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        let (before, from) = rest.split_at(at);
        let path = &from[..from.find(ends).unwrap_or(from.len())];
        // The replacement for a known folder is followed by the rest of its path.
        let goes_on = format!("{out}{before}").ends_with(PATH);
        let is_path = begins(before.chars().next_back().or(out.chars().next_back())) || goes_on;
        out += before;
        if is_path && path.trim_start_matches('/').starts_with(is_name) {
            out += if goes_on { "" } else { PATH };
            rest = &from[path.len()..];
        } else {
            out.push('/');
            rest = &from[1..];
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_names_are_hidden() {
        let redaction = Redaction::new(None, &["/home/ann b/agon".to_owned()], "annb", "tower");
        for (text, shown) in [
            ("it may not open /etc/passwd, nor /proc", "it may not open [path], nor [path]"),
            ("/home/ann b/agon/files/x.so: undefined symbol: f", "[path]: undefined symbol: f"),
            ("a1-a9/a9 (off-board) 3/4 and/or </b> 1 / 2", "a1-a9/a9 (off-board) 3/4 and/or </b> 1 / 2"),
            ("book=/srv/b.bin file:///x", "book=[path] file:[path]"),
            ("annb on tower, bannb, tower_2", "[user] on [host], bannb, tower_2"),
            ("\"/a/b\" ../c ./d //", "\"[path]\" ../c ./d //"),
        ] {
            assert_eq!(redaction.text(text), shown);
        }
        assert_eq!(Redaction::new(None, &[], "root", "vm").text("root vm"), "root vm", "too common to mean anybody");
        assert_eq!(Redaction::new(Some("secret"), &[], "", "").words("my name is"), "");
    }

    #[test]
    fn numbers_are_drawn_from_the_secret_alone() {
        let ids: Vec<EntrantId> = (1..=50).map(EntrantId).collect();
        let places = |secret: Option<&str>, ladder| Redaction::new(secret, &[], "", "").places(LadderId(ladder), &ids);
        assert_eq!(places(None, 1), (0..50).collect::<Vec<_>>());
        let drawn = places(Some("a"), 1);
        assert_eq!(drawn, places(Some("a"), 1), "the same each time");
        let mut sorted = drawn.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>(), "each place is somebody's");
        for other in [places(None, 1), places(Some("b"), 1), places(Some("a"), 2)] {
            let same = drawn.iter().zip(&other).filter(|(a, b)| a == b).count();
            assert!(same < 10, "{same} of 50 have the same number");
        }
    }
}
