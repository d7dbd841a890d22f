//! The pages in docs/rules say which version of the rules they describe, and each option with its default.

use agon_games::{GAMES, Language};
use std::fs;
use std::path::Path;

#[test]
fn every_page_fits_its_rules() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules");
    for facts in GAMES.iter().map(|game| game.facts()) {
        let (page, version) = (facts.name.replace('_', "-"), facts.rules_version);
        let said = [format!("ules version {version}"), format!("ersion {version} des règles")];
        let endings = [("md", Language::English), ("fr.md", Language::French)];
        for ((ending, language), said) in endings.into_iter().zip(said) {
            let file = folder.join(format!("{page}.{ending}"));
            let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            assert_eq!(facts.page.in_language(language), text, "{}: the game has another", file.display());
            let head: String = text.lines().take(6).collect::<Vec<_>>().join(" ");
            assert!(head.contains(&said), "{}: its first lines do not say \"{said}\"", file.display());
            for option in facts.options {
                let (key, default) = (format!("| `{}` |", option.key), format!("`{}`", option.default));
                let is_told = text.lines().any(|line| line.starts_with(&key) && line[key.len()..].contains(&default));
                assert!(is_told, "{}: no line {key} … with the default {default}", file.display());
            }
            let mark = ["To write", "À écrire"].into_iter().find(|mark| text.contains(mark));
            assert_eq!(mark, None, "{}: it is not written yet", file.display());
        }
    }
}
