//! The files of a new game, from templates, and the lines by which others know it.

use crate::header;
use crate::names::Names;
use std::fs;
use std::path::Path;

/// Each new file, as path and template.
const FILES: [(&str, &str); 7] = [
    ("games/src/@CODE@/abi.rs", include_str!("../templates/abi.rs.txt")),
    ("games/src/@CODE@/mod.rs", include_str!("../templates/mod.rs.txt")),
    ("games/tests/@CODE@.rs", include_str!("../templates/test.rs.txt")),
    ("client-api/src/@CODE@.rs", include_str!("../templates/view.rs.txt")),
    ("docs/rules/@PAGE@.md", include_str!("../templates/rules.md")),
    ("docs/rules/@PAGE@.fr.md", include_str!("../templates/rules.fr.md")),
    ("docs/ladders/@PAGE@.toml", include_str!("../templates/ladder.toml")),
];

/// A change of a file that exists.
enum Change {
    /// Another module, after the last of those before it in the alphabet.
    Module,
    /// Another element, after the last of the list that begins like this.
    Element(&'static str, &'static str),
    /// This text at the end.
    End(&'static str),
    /// This text above the line that begins like this, with an empty line between them.
    Above(&'static str, &'static str),
}

/// Each file that is changed.
const CHANGES: [(&str, Change); 7] = [
    ("games/src/lib.rs", Change::Module),
    ("games/tests/main.rs", Change::Module),
    ("games/src/lib.rs", Change::Element("pub const GAMES: &[&dyn AnyGame] = &[", "&Game::<@CODE@::@TYPE@>::ENTRY")),
    ("client-api/src/lib.rs", Change::Module),
    ("client-api/src/view.rs", Change::End(include_str!("../templates/playable.rs.txt"))),
    ("client-api/src/layout.rs", Change::Element("let entries =", "entry::<crate::@CODE@::@TYPE@>()")),
    ("docs/SUMMARY.md", Change::Above("# Reference", include_str!("../templates/shelf.txt"))),
];

/// Writes the files of a new game and makes it known; nothing is written if there is such a game or a place is not
/// found.
///
/// # Errors
/// There is such a game, or a file is not as it was when this was written.
pub fn begin(root: &Path, names: &Names) -> Result<String, String> {
    let read = |path: &str| {
        fs::read_to_string(root.join(path))
            .map_err(|error| format!("{path}: {error}; run this in the root of the repository"))
    };
    let mut files: Vec<(String, String)> = vec![];
    for (path, template) in FILES {
        if path.ends_with(".rs") && has_word(template, &names.type_name) {
            return Err(format!("{} is a type of every game; choose another name", names.type_name));
        }
        let path = names.fill(path);
        if root.join(&path).exists() {
            return Err(format!("{path} is there already; choose another name, or remove what is left of it"));
        }
        files.push((path, names.fill(template)));
    }
    for (path, change) in CHANGES {
        let before = match files.iter().position(|(other, _)| other == path) {
            Some(index) => files.remove(index).1,
            None => read(path)?,
        };
        if matches!(change, Change::Module) && before.lines().any(|line| module(line) == Some(&names.code)) {
            return Err(format!("{path} has a module {} already; choose another name", names.code));
        }
        let after = change.apply(names, &before).ok_or_else(|| format!("{path}: the place to change is not found"))?;
        files.push((path.to_owned(), after));
    }
    for (path, text) in &files {
        write(&root.join(path), text).map_err(|error| format!("{path}: {error}"))?;
    }
    header::write(root, names)?;
    let list: Vec<_> = files.iter().map(|(path, _)| path.as_str()).collect();
    Ok(names.fill(include_str!("../templates/next.txt")).replace("@FILES@", &list.join("\n  ")))
}

fn write(file: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, text)
}

impl Change {
    fn apply(&self, names: &Names, text: &str) -> Option<String> {
        match self {
            Change::Module => with_module(names, text),
            Change::Element(list, new) => {
                let end = text.find(list).and_then(|at| Some(at + text[at..].find("];")?))?;
                let before = text[..end].trim_end().trim_end_matches(',');
                Some(format!("{before},\n    {},\n{}", names.fill(new), &text[end..]))
            }
            Change::End(new) => Some(text.to_owned() + &names.fill(new)),
            Change::Above(line, new) => {
                let at = text.find(line)?;
                Some(format!("{}\n{}\n{}", text[..at].trim_end(), names.fill(new), &text[at..]))
            }
        }
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|found| found == word)
}

/// The module that a line declares.
fn module(line: &str) -> Option<&str> {
    line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';')
}

fn with_module(names: &Names, text: &str) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let before = lines.iter().rposition(|line| module(line).is_some_and(|name| name < names.code.as_str()));
    let first = || lines.iter().position(|line| module(line).is_some());
    let at = before.map(|at| at + 1).or_else(first)?;
    let public = if text.contains("\npub mod ") { "pub " } else { "" };
    let new = format!("{public}mod {};", names.code);
    lines.insert(at, &new);
    Some(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// A copy of the files that are changed.
    fn copy(name: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("agon-dev-{name}-{}", std::process::id()));
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for (path, _) in CHANGES {
            write(&root.join(path), &fs::read_to_string(repository.join(path)).unwrap()).unwrap();
        }
        fs::create_dir_all(root.join("client-api/include/agon")).unwrap();
        root
    }

    #[test]
    fn a_game_is_begun_once_and_known_everywhere() {
        let (root, names) = (copy("begun"), Names::new("dots_and_boxes").unwrap());
        let said = begin(&root, &names).unwrap();
        assert!(said.contains("games/src/dots_and_boxes/mod.rs"), "{said}");
        let text = |path: &str| fs::read_to_string(root.join(path)).unwrap();
        for (path, line) in [
            ("games/src/lib.rs", "pub mod dots_and_boxes;"),
            ("games/src/lib.rs", "&Game::<dots_and_boxes::DotsAndBoxes>::ENTRY,"),
            ("client-api/src/lib.rs", "pub mod dots_and_boxes;"),
            ("client-api/src/view.rs", "Playable for crate::dots_and_boxes::DotsAndBoxes {"),
            ("client-api/src/layout.rs", "entry::<crate::dots_and_boxes::DotsAndBoxes>(),"),
            ("client-api/include/agon/dots_and_boxes.h", "} dots_and_boxes_turn;"),
            ("docs/rules/dots-and-boxes.fr.md", "version 1 des règles"),
            (
                "docs/SUMMARY.md",
                "(rules/dots-and-boxes.md)\n    - [En français](rules/dots-and-boxes.fr.md)\n\n# Reference",
            ),
        ] {
            assert!(text(path).contains(line), "{path} lacks {line}");
        }
        for (path, _) in FILES {
            let text = text(&names.fill(path));
            assert!(!text.contains('@'), "{path} has an unfilled mark");
        }
        let why = begin(&root, &names).unwrap_err();
        assert!(why.contains("is there already"), "{why}");
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_list_grows_at_its_end_however_it_is_laid_out() {
        let (add, names) = (Change::Element("const L: &[", "@TYPE@"), Names::new("go").unwrap());
        let packed = |text: &str| text.split_whitespace().collect::<String>();
        for list in ["x[0];\nconst L: &[A, B];\ny[0];\n", "x[0];\nconst L: &[\n    A,\n    B,\n];\ny[0];\n"] {
            assert_eq!(packed(&add.apply(&names, list).unwrap()), "x[0];constL:&[A,B,Go,];y[0];");
        }
        assert_eq!(add.apply(&names, "const M: &[A];"), None);
    }

    #[test]
    fn a_second_game_is_begun_beside_the_first_and_none_over_a_module() {
        let root = copy("second");
        let begun = |name: &str| begin(&root, &Names::new(name).unwrap());
        ["go", "go2", "abalone"].iter().for_each(|name| assert!(begun(name).is_ok(), "{name}"));
        let games = fs::read_to_string(root.join("games/src/lib.rs")).unwrap();
        let at = |name: &str| games.find(&format!("&Game::<{name}>::ENTRY")).unwrap();
        assert!(at("amazons::Amazons") < at("go::Go") && at("go::Go") < at("go2::Go2"), "{games}");
        assert!(games.find("pub mod abalone;") < games.find("pub mod amazons;"), "{games}");
        for (name, why) in [
            ("speeds", "games/src/lib.rs has a module speeds already; choose another name"),
            ("view", "client-api/src/view.rs is there already; choose another name, or remove what is left of it"),
            ("option", "Option is a type of every game; choose another name"),
        ] {
            assert_eq!(begun(name).unwrap_err(), why);
        }
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn outside_of_the_repository_it_is_told_where_to_go() {
        let why = begin(Path::new("/nowhere"), &Names::new("go").unwrap()).unwrap_err();
        assert!(why.starts_with("games/src/lib.rs: ") && why.ends_with("in the root of the repository"), "{why}");
    }

    #[test]
    fn nothing_is_written_where_a_place_is_not_found() {
        let (root, names) = (copy("lost"), Names::new("go").unwrap());
        fs::write(root.join("client-api/src/layout.rs"), "").unwrap();
        assert!(begin(&root, &names).unwrap_err().starts_with("client-api/src/layout.rs: the place"));
        assert!(!root.join("games/src/go").exists());
        fs::remove_dir_all(root).unwrap();
    }
}
