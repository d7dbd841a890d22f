//! The examples of docs/guides/maps.md and docs/rules/amazons*.md: files are read, commands run, and what they print is
//! compared.

use agon_games::amazons::Amazons;
use agon_games::{Opening, Options, Rules};

const MAPS: &str = include_str!("../../docs/guides/maps.md");
/// In English and in French.
const RULES: [&str; 2] = [include_str!("../../docs/rules/amazons.md"), include_str!("../../docs/rules/amazons.fr.md")];

/// The fenced blocks of a language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let begin = format!("```{language}\n");
    page.split(&begin).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// A file of the page: a block that begins with its name.
fn file(path: &str) -> Result<String, String> {
    let named = |block: &&str| block.starts_with(&format!("# {path}\n"));
    let found = blocks(MAPS, "toml").into_iter().find(named);
    found.map(str::to_owned).ok_or_else(|| format!("{path} is not in docs/guides/maps.md"))
}

#[test]
fn commands_print_what_the_page_shows() {
    let mut count = 0;
    for session in blocks(MAPS, "console") {
        for shown in session.split("$ agon ").skip(1) {
            let (line, expected) = shown.split_once('\n').unwrap();
            let mut words = line.split_whitespace().map(str::to_owned);
            let name = words.next().unwrap();
            let tool = Amazons::FACTS.tools.iter().find(|tool| tool.name == name).unwrap();
            let printed =
                (tool.run)(&words.collect::<Vec<_>>(), &file).unwrap_or_else(|error| panic!("{line}: {error}"));
            let lines = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
            assert_eq!(lines(&printed), lines(expected), "agon {line}");
            count += 1;
        }
    }
    assert_eq!(count, 3);
}

/// Whether a match begins with these options.
fn begins(given: &[(&str, &str)]) {
    let mut options = Options::default();
    given.iter().for_each(|(key, value)| options.set(key, value));
    let setting =
        Amazons::prepare(&Amazons::FACTS.complete(&options).unwrap(), 2).map_err(|bad| bad.to_string()).unwrap();
    let state = Amazons::start(&setting.into(), 2, &Opening::ANY);
    assert!(!state.to_move().is_empty(), "{given:?}");
}

#[test]
fn maps_positions_and_openings_can_be_played() {
    for map in blocks(MAPS, "toml") {
        begins(&[("board", map)]);
    }
    for page in RULES {
        begins(&[("board", blocks(page, "toml")[0])]);
        begins(&[("board", "standard-10"), ("from", blocks(page, "position")[0])]);
        begins(&[("board", "standard-10"), ("opening", blocks(page, "opening")[0])]);
        for option in Amazons::FACTS.options {
            assert!(page.contains(&format!("| `{}` | `{}` |", option.key, option.default)), "{}", option.key);
        }
    }
}
