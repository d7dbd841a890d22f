//! From `[options]` to settings: every combination of the values, files replaced by their text, each tried by the game.

use super::problem::{At, Findings, Location, Problem};
use super::value::{Value, ValueKind};
use agon_files::read_text;
use agon_games::{AnyGame, BadOption, Facts, OptionFact, Options};
use agon_model::{Setting, nearest};
use std::path::Path;

/// The most combinations that one ladder may have.
const MOST_COMBINATIONS: usize = 1_000;

/// One value of one option.
#[derive(Clone)]
struct Choice {
    key: String,
    /// The value that the game gets.
    value: String,
    /// The value that tables show: the file's name where `value` is its text.
    shown: String,
    place: Location,
    from_file: bool,
}

/// Every combination of the options, in the order in which the values stand, the last key changing fastest.
pub(super) fn combine(
    given: &[(At<String>, Value)],
    folder: &Path,
    game: &dyn AnyGame,
    seats: usize,
    ladder: &Location,
    findings: &mut Findings,
) -> Vec<Setting> {
    let before = findings.problems.len();
    let axes = axes(given, folder, game.facts(), findings);
    if findings.problems.len() > before {
        return Vec::new();
    }
    let combinations = product(&axes);
    let varied: Vec<&str> = axes.iter().filter(|axis| axis.len() > 1).map(|axis| axis[0].key.as_str()).collect();
    let mut settings: Vec<Setting> = Vec::new();
    for chosen in &combinations {
        match prepare(chosen, game, seats, &varied, ladder) {
            Ok(setting) => settings.push(setting),
            Err(problem) => findings.problems.push(problem),
        }
    }
    if let Some(second) = (1..settings.len()).find(|&i| settings[..i].iter().any(|s| s.options == settings[i].options))
    {
        let what = format!("the setting \"{}\" is there twice", settings[second].name);
        let place = combinations[second].last().map_or(ladder, |choice| &choice.place);
        findings.problems.push(Problem::new(place, what, "leave one out, and use openings to play more"));
    }
    settings
}

/// The choices of each option that is given; what makes too many combinations is a problem.
fn axes(given: &[(At<String>, Value)], folder: &Path, facts: &Facts, findings: &mut Findings) -> Vec<Vec<Choice>> {
    let mut axes = Vec::new();
    for (word, value) in given {
        match facts.options.iter().find(|option| option.key == word.value) {
            Some(option) => match choices(option, value, folder) {
                Ok(choices) => axes.push(choices),
                Err(problem) => findings.problems.push(problem),
            },
            None => findings.problems.push(unknown_option(word, facts)),
        }
    }
    let count = axes.iter().map(Vec::len).fold(1, usize::saturating_mul);
    if count > MOST_COMBINATIONS {
        let place = &axes[0][0].place;
        findings.problems.push(Problem::new(
            place,
            format!("the options make {count} combinations"),
            format!("at most {MOST_COMBINATIONS} can be played"),
        ));
    }
    axes
}

fn unknown_option(word: &At<String>, facts: &Facts) -> Problem {
    let names = facts.options.iter().map(|option| option.key);
    let help = match (nearest(&word.value, names), facts.options.is_empty()) {
        (None, true) => "it has none".to_owned(),
        (Some(near), _) => format!("did you mean \"{near}\"?"),
        (None, false) => explain_options(facts),
    };
    Problem::new(&word.place, format!("{} has no option \"{}\"", facts.name, word.value), help)
}

/// A line for each option of a game: its key, its usual value, and what it does.
fn explain_options(facts: &Facts) -> String {
    let line = |option: &OptionFact| format!("\n  {}={}  {}", option.key, option.default, option.help);
    format!("it has these, with their usual values:{}", facts.options.iter().map(line).collect::<String>())
}

/// The values of one option: one, or a list of which each is played.
fn choices(option: &OptionFact, value: &Value, folder: &Path) -> Result<Vec<Choice>, Problem> {
    match &value.kind {
        ValueKind::List(items) if items.is_empty() => {
            Err(value.problem("the list is empty", format!("leave {} out to play \"{}\"", option.key, option.default)))
        }
        ValueKind::List(items) => items.iter().map(|item| choice(option, item, folder)).collect(),
        _ => Ok(vec![choice(option, value, folder)?]),
    }
}

fn choice(option: &OptionFact, value: &Value, folder: &Path) -> Result<Choice, Problem> {
    let At { value: text, place } = value.plain()?;
    let file = folder.join(&text);
    let from_file = option.may_be_file && (is_named_as_file(&text) || file.is_file());
    let content = if from_file {
        read_text(&file).map_err(|why| {
            let what = format!("cannot read \"{text}\": {why}");
            Problem::new(&place, what, format!("the path starts in {}", place.folder()))
        })?
    } else {
        text.clone()
    };
    Ok(Choice { key: option.key.to_owned(), value: content, shown: text, place, from_file })
}

/// Whether a text ends as names of files do: with a dot and some letters.
fn is_named_as_file(text: &str) -> bool {
    let ending = Path::new(text).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    (1..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn product(axes: &[Vec<Choice>]) -> Vec<Vec<Choice>> {
    axes.iter().fold(vec![Vec::new()], |so_far, axis| {
        let extend = |head: &Vec<Choice>| {
            let head = head.clone();
            axis.iter().map(move |choice| head.iter().cloned().chain([choice.clone()]).collect::<Vec<_>>())
        };
        so_far.iter().flat_map(extend).collect()
    })
}

/// Completes one combination and lets the game try it.
fn prepare(
    chosen: &[Choice],
    game: &dyn AnyGame,
    seats: usize,
    varied: &[&str],
    ladder: &Location,
) -> Result<Setting, Problem> {
    let mut options = Options::default();
    for choice in chosen {
        options.set(&choice.key, &choice.value);
    }
    let tried = game.facts().complete(&options).and_then(|options| game.prepare(&options, seats).map(|_| options));
    match tried {
        Ok(options) => Ok(Setting { name: setting_name(chosen, game.facts(), varied), options }),
        Err(bad) => Err(explain(&bad, chosen, ladder)),
    }
}

const VALUE_HELP: &str = "correct the value, or leave it out";

/// A bad option, told where its value stands, or inside the file that it names.
fn explain(bad: &BadOption, chosen: &[Choice], ladder: &Location) -> Problem {
    let what = format!("option {}: {}", bad.key, bad.why);
    let Some(choice) = chosen.iter().find(|choice| choice.key == bad.key) else {
        return Problem::new(chosen.last().map_or(ladder, |choice| &choice.place), what, VALUE_HELP);
    };
    match bad.place {
        Some(at) if choice.from_file => {
            let inside = Location::Inside(choice.shown.clone(), choice.value.clone(), at);
            Problem::new(&inside, &bad.why, "correct the file, or choose another").and(&choice.place)
        }
        _ => Problem::new(&choice.place, what, VALUE_HELP),
    }
}

/// The name in tables: the board, which a game that has one names first, and all options that differ from the default
/// or between settings.
fn setting_name(chosen: &[Choice], facts: &Facts, varied: &[&str]) -> String {
    let mut words = Vec::new();
    for (index, option) in facts.options.iter().enumerate() {
        let choice = chosen.iter().find(|choice| choice.key == option.key);
        let shown = choice.map_or(option.default, |choice| &choice.shown);
        let telling = shown != option.default || varied.contains(&option.key);
        // A bare number or truth value says nothing without its key.
        let bare = !shown.is_empty() && shown.parse::<f64>().is_err() && !["true", "false"].contains(&shown);
        let leads = index == 0 && option.may_be_file;
        match (leads || telling, bare) {
            (true, true) => words.push(shown.to_owned()),
            (true, false) => words.push(format!("{}={shown}", option.key)),
            _ => {}
        }
    }
    if words.is_empty() { "standard".to_owned() } else { words.join(" ") }
}
