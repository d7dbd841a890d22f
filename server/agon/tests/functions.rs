//! No function outside of tests is longer than 40 lines, but for those listed here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const MOST_LINES: usize = 40;

/// Functions that are still longer, by their files. This list only shrinks.
const TOO_LONG: &[(&str, &str)] = &[
    ("clients/alphabeta/src/frontier.rs", "shoot_all"),
    ("clients/six-best/src/lanes.rs", "play"),
    ("clients/six-best/src/scalar.rs", "play_lane"),
    ("games/src/grundy/table_file.rs", "draw"),
    ("search/examples/speed.rs", "main"),
    ("server/agon/src/ladder.rs", "ladder"),
    ("server/agon/src/run.rs", "run_telling"),
    ("server/agon/src/worker/run.rs", "play"),
    ("server/command/src/unplayed.rs", "of"),
    ("server/config/src/builder.rs", "default"),
    ("server/config/src/resolve.rs", "resolve"),
    ("server/console/src/play.rs", "play"),
    ("server/crew/src/remote/join.rs", "play"),
    ("server/lab/src/study/plot.rs", "draw_panel"),
    ("server/live/src/http.rs", "accept"),
    ("server/live/src/http.rs", "serve"),
    ("server/live/src/published.rs", "publish"),
    ("server/postgres/src/link.rs", "explain"),
    ("server/web/src/components/samples.rs", "published"),
    ("server/web/src/components/samples.rs", "turns"),
];

/// The sources of the product: each path from the root, and its text before the tests at its foot.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let (mut found, mut folders) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        for path in entries.filter(|path| !is_passed_over(path)) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let is_end =
                    |(at, mark): &(usize, &str)| text[at + mark.len()..].lines().next().is_some_and(begins_tests);
                let end = text.match_indices("\n#[cfg(test)]\n").find(is_end).map_or(text.len(), |(at, _)| at);
                let product = text[..end].to_owned();
                found.push((path.strip_prefix(root).unwrap().to_string_lossy().into_owned(), product));
            }
        }
    }
    found
}

fn begins_tests(line: &str) -> bool {
    line.contains("mod ") && line.ends_with('{')
}

fn is_passed_over(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_string_lossy();
    name.starts_with('.') || ["target", "tests", "tests.rs"].contains(&&*name)
}

/// The functions of a source, each with its number of lines. It relies on rustfmt: the bracket that ends a function
/// stands below its first word.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let function = |start: usize| {
        let words = lines[start].trim_start();
        let (before, rest) = words.split_once("fn ")?;
        let is_function = before.split_whitespace().all(|word| MODIFIERS.contains(&word) || word.starts_with("pub("));
        let name = rest.split(['(', '<']).next().filter(|_| is_function)?;
        let margin = &lines[start][..lines[start].len() - words.len()];
        let is_end = |line: &&str| {
            let end = line.strip_prefix(margin).unwrap_or_default();
            end.starts_with('}') || end.starts_with(')') && end.ends_with(';')
        };
        let is_one_line = words.ends_with(['}', ';']);
        let more = if is_one_line { 0 } else { lines[start..].iter().position(is_end)? };
        Some((name, more + 1))
    };
    (0..lines.len()).filter_map(function).collect()
}

const MODIFIERS: [&str; 6] = ["pub", "const", "unsafe", "async", "extern", "\"C\""];

#[test]
fn no_function_is_too_long() {
    let mut listed: BTreeSet<(&str, &str)> = TOO_LONG.iter().copied().collect();
    let sources = sources();
    let mut faults = Vec::new();
    for (file, text) in &sources {
        for (name, lines) in functions(text).into_iter().filter(|(_, lines)| *lines > MOST_LINES) {
            if !listed.remove(&(file.as_str(), name)) {
                faults.push(format!("{file}: {name} has {lines} lines, more than {MOST_LINES}: split it"));
            }
        }
    }
    faults.extend(listed.iter().map(|(file, name)| format!("{file}: {name} is short: take it off the list")));
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn the_lines_of_functions_are_counted() {
    let text =
        "fn one() {}\nimpl A {\n    pub(crate) const fn two(\n        a: u8,\n    ) -> u8 {\n        a\n    }\n}\n";
    assert_eq!(functions(text), [("one", 1), ("two", 5)]);
    let declared =
        "trait A {\n    fn far(\n        a: u8,\n    ) -> u8;\n    fn near();\n}\nfn last() {\n    // fn\n}\n";
    assert_eq!(functions(declared), [("far", 3), ("near", 1), ("last", 3)]);
}
