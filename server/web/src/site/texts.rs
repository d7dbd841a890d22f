//! The texts of the pages of a ladder and its teams in two languages: a page asks by the English one.

use super::french::TEXTS;
use agon_games::Language;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Each text by its English, in English and in French as they are shown.
static SHOWN: LazyLock<BTreeMap<&str, [String; 2]>> = LazyLock::new(|| {
    let both = |(english, french): &(&'static str, &str)| (*english, [english, french].map(|text| together(text)));
    TEXTS.iter().map(both).collect()
});

/// No line ends before a sign that stands apart from its word, nor within French quotation marks.
pub(super) fn together(text: &str) -> String {
    [" %", " :", " ;", " ?", " !", " »", "« "]
        .iter()
        .fold(text.to_owned(), |text, pair| text.replace(pair, &pair.replace(' ', "\u{a0}")))
}

/// A text in this language. The test below knows that all texts of the pages are in the table.
pub(super) fn text(language: Language, english: &'static str) -> &'static str {
    SHOWN.get(english).map_or(english, |[english, french]| language.pick(english, french))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The texts in English that the sources of the pages ask for: `t("…")`, and both words of a count.
    fn asked_for() -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/site");
        let files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
        let sources = files
            .chain([folder.with_extension("rs")])
            .filter(|file| !file.ends_with("texts.rs") && !file.ends_with("french.rs"));
        let all: String = sources.map(|file| std::fs::read_to_string(file).unwrap()).collect();
        let until_quote = |rest: &str| rest.split('"').next().unwrap().to_owned();
        let texts = all.split(".t(\"").skip(1).chain(all.split("(t(\"").skip(1)).map(until_quote);
        let counts = all.split(".counted(").skip(1).filter_map(|rest| {
            let words: Vec<&str> = rest.split(')').next()?.split('"').collect();
            Some([*words.get(1)?, *words.get(3)?].map(str::to_owned))
        });
        texts.chain(counts.flatten()).collect()
    }

    #[test]
    fn no_line_ends_before_a_sign_that_belongs_to_its_word() {
        assert_eq!(text(Language::English, " at 95 %."), " at 95\u{a0}%.");
        assert_eq!(text(Language::French, " at 95 %."), " à 95\u{a0}%.");
        assert_eq!(together("place 2 : « oui »"), "place 2\u{a0}: «\u{a0}oui\u{a0}»");
    }

    #[test]
    fn every_text_of_the_pages_has_both_languages() {
        let asked = asked_for();
        assert!(asked.len() > 150, "{}", asked.len());
        let known: BTreeSet<&str> = TEXTS.iter().map(|(english, _)| *english).collect();
        assert_eq!(known.len(), TEXTS.len(), "a text is there twice");
        let missing: Vec<&String> = asked.iter().filter(|text| !known.contains(text.as_str())).collect();
        assert_eq!(missing, [""; 0], "texts without French");
        assert!(TEXTS.iter().all(|(_, french)| !french.is_empty()));
    }

    #[test]
    fn every_text_that_is_there_is_used() {
        // Some are chosen before they are asked for, a few of them by the server.
        let server = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = server.join("src/site");
        let files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
        let files = files.filter(|file| !file.ends_with("texts.rs") && !file.ends_with("french.rs"));
        let others = [folder.with_extension("rs"), server.join("../live/src/match_filter.rs")];
        let sources: String = files.chain(others).map(|file| std::fs::read_to_string(file).unwrap()).collect();
        // A long text goes on in the next line.
        let sources: String = sources.split("\\\n").map(|line| line.trim_start_matches(' ')).collect();
        let texts = TEXTS.iter().map(|(english, _)| *english);
        let unused: Vec<&str> = texts.filter(|english| !sources.contains(&format!("\"{english}\""))).collect();
        assert_eq!(unused, [""; 0], "texts that no page has");
    }

    #[test]
    fn what_stands_in_a_page_is_asked_for() {
        // Words of English between tags of a source, which nobody translates.
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/site");
        let mut left = Vec::new();
        for file in std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()) {
            let text = std::fs::read_to_string(&file).unwrap();
            for line in text.split("#[cfg(test)]").next().unwrap().lines() {
                let is_text = |after: &str| after.trim_start().starts_with(|c: char| c.is_alphabetic());
                let plain = line.split("{ \"").skip(1).filter(|after| is_text(after));
                left.extend(
                    plain.filter(|after| !after.contains("=>")).map(|after| format!("{}: {after}", file.display())),
                );
            }
        }
        // Names of files and commands, ends of an axis, and the page that leads on before anything can be read.
        let known = [
            "H0 ",
            "standings.json",
            "history.json",
            "matches.csv",
            "ratings.json",
            "end\"",
            "start\"",
            "Go on",
            "agon worker list",
        ];
        left.retain(|line| !known.iter().any(|known| line.contains(&format!(": {known}"))));
        assert_eq!(left, [""; 0]);
    }
}
