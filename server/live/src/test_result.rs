//! The answer of a sequential test, kept next to the record for the pages of its ladder: the record has only matches.

use agon_command::Failure;
use agon_command::file_set::{FileSet, listed};
use agon_model::documents::SequentialTest;
use agon_model::{LadderId, LadderRow};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

fn file(out: &Path, ladder: LadderId) -> PathBuf {
    out.join("tests").join(format!("{ladder}.json"))
}

/// Keeps what a test of a ladder came to.
pub fn keep(out: &Path, ladder: LadderId, test: &SequentialTest) -> Result<(), Failure> {
    let path = file(out, ladder);
    let partial = path.with_extension(format!("{}.partial", std::process::id()));
    let written = fs::create_dir_all(out.join("tests"))
        .and_then(|()| fs::write(&partial, test.json()))
        .and_then(|()| fs::rename(&partial, &path));
    written.map_err(|error| Failure::trouble(format!("{}: {error}", path.display())))
}

/// Forgets the answers of the tests that a client took part in, in this ladder or in all.
pub fn forget(out: &Path, client: &str, ladder: Option<&str>) -> Result<(), Failure> {
    let mut files = FileSet::default();
    for (_, path) in listed(&out.join("tests")) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        // A file that is not an answer may still have the name.
        let is_of = serde_json::from_str::<SequentialTest>(&text).map_or(text.contains(client), |answer| {
            let is_asked = ladder.is_none_or(|ladder| answer.ladder == ladder);
            is_asked && [answer.new, answer.base].iter().any(|side| is_called(side, client))
        });
        if is_of {
            files.add(path);
        }
    }
    files.remove()
}

/// Whether a label, which may have a version or options or be a path, is that of this client.
fn is_called(label: &str, client: &str) -> bool {
    let end = label.find([':', '@']).unwrap_or(label.len());
    let stem = Path::new(&label[..end]).file_stem().is_some_and(|stem| stem == client);
    stem || label.strip_prefix(client).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '@']))
}

/// When the answer of this ladder's test was written, if there is one.
pub fn written(out: &Path, ladder: LadderId) -> Option<SystemTime> {
    fs::metadata(file(out, ladder)).and_then(|about| about.modified()).ok()
}

/// The kept result of this ladder, if there is one.
pub fn kept(out: &Path, ladder: &LadderRow) -> Option<SequentialTest> {
    let text = fs::read_to_string(file(out, ladder.id)).ok()?;
    // One of another version is left out.
    let test: SequentialTest = serde_json::from_str(&text).ok()?;
    // A ladder of another record may have had the same number.
    (test.ladder == ladder.name).then_some(test)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_answers_of_a_client_are_forgotten_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let answer = |new: &str, base: &str| {
            let [ladder, new, base] = ["l", new, base].map(str::to_owned);
            SequentialTest { ladder, new, base, alpha: 0.05, ..SequentialTest::default() }
        };
        let left_after = |client: &str, ladder: Option<&str>| {
            let sides = [("anna", "base"), ("bots/anna.so", "b"), ("b", "anna:level=2"), ("annabel", "b"), ("b", "c")];
            for (number, (new, base)) in sides.iter().enumerate() {
                keep(folder.path(), LadderId(number as i64), &answer(new, base)).unwrap();
            }
            forget(folder.path(), client, ladder).unwrap();
            (0..5).filter(|number| file(folder.path(), LadderId(*number)).exists()).collect::<Vec<_>>()
        };
        assert_eq!(left_after("anna", None), [3, 4]);
        assert_eq!(left_after("anna", Some("l")), [3, 4]);
        assert_eq!(left_after("anna", Some("another")), [0, 1, 2, 3, 4]);
        // Neither a key of the document nor a part of a name is the client's.
        assert_eq!(left_after("base", None), [1, 2, 3, 4]);
        assert_eq!(left_after("alpha", None), [0, 1, 2, 3, 4]);
    }
}
