//! What an export does not tell. Never an absolute path, nor the names of the machine and of who runs it; when it is to
//! be anonymous, neither whose clients they are nor anything that these said.

use agon_config::LadderTerms;
use agon_model::{Fault, Notice};

/// What is hidden.
#[derive(Clone, Debug, Default)]
pub struct Redaction {
    anonymous: bool,
    /// The longest first.
    folders: Vec<String>,
    /// Names and what stands for them.
    names: Vec<(String, &'static str)>,
}

/// What stands for a path.
const PATH: &str = "[path]";
/// Names that say nothing, and stand in texts that mean something else.
const COMMON: [&str; 4] = ["root", "user", "nobody", "localhost"];

impl Redaction {
    /// `folders` are hidden wherever they stand, paths with blanks in them too; the names of user and machine where
    /// they stand alone.
    pub fn new(anonymous: bool, folders: &[String], user: &str, host: &str) -> Redaction {
        let mut folders: Vec<String> = folders.iter().filter(|folder| folder.len() > 1).cloned().collect();
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.len()));
        let names = [(user, "[user]"), (host, "[host]")].into_iter();
        let names = names.filter(|(name, _)| name.len() > 2 && !COMMON.contains(name));
        Redaction { anonymous, folders, names: names.map(|(name, word)| (name.to_owned(), word)).collect() }
    }

    /// Whether it hides whose clients they are.
    pub fn is_anonymous(&self) -> bool {
        self.anonymous
    }

    /// A text of ours or of the ladder's author.
    pub fn text(&self, text: &str) -> String {
        let hide = |text: String, folder: &String| replace_word(&text, folder, PATH);
        let out = without_paths(&self.folders.iter().fold(text.to_owned(), hide));
        self.names.iter().fold(out, |out, (name, word)| replace_word(&out, name, word))
    }

    /// A text in which a client may have had a word: nothing, if it is to be anonymous.
    pub fn words(&self, text: &str) -> String {
        if self.anonymous { String::new() } else { self.text(text) }
    }

    /// The terms of a ladder: options may be paths.
    pub fn terms(&self, terms: &LadderTerms) -> LadderTerms {
        let texts = terms.texts().into_iter().map(|(key, text)| (key, self.text(&text)));
        texts.collect::<Vec<_>>().into()
    }

    /// A fault: what and when, and why if that may be told.
    pub fn fault(&self, fault: &Fault) -> Fault {
        Fault { message: self.words(&fault.message), ..fault.clone() }
    }

    /// A notice, likewise.
    pub fn notice(&self, notice: &Notice) -> Notice {
        Notice { message: self.words(&notice.message), ..notice.clone() }
    }
}

/// The text with `word` wherever `known` stands and is not a part of a longer name.
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

/// The text with `[path]` for every word that is an absolute path. A slash within a word, as in notations of moves, is
/// none.
fn without_paths(text: &str) -> String {
    let ends = |c: char| c.is_whitespace() || c.is_control() || "\"'`,;:()[]{}<>|".contains(c);
    let begins = |before: Option<char>| before.is_none_or(|c| ends(c) && c != '<' || c == '=');
    let is_name = |c: char| c.is_alphanumeric() || "._-~+@".contains(c);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        let (before, from) = rest.split_at(at);
        let path = &from[..from.find(ends).unwrap_or(from.len())];
        // What stood for a known folder has the rest of its path behind it.
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
        let redaction = Redaction::new(false, &["/home/ann b/agon".to_owned()], "annb", "tower");
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
        assert_eq!(Redaction::new(false, &[], "root", "vm").text("root vm"), "root vm", "too common to mean anybody");
        assert_eq!(Redaction::new(true, &[], "", "").words("my name is"), "");
    }
}
