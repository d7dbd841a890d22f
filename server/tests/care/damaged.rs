//! Records that are empty or damaged: nothing is begun in them in silence, and what is said helps.

use crate::builder::Ran;
use crate::held::pairs;
use std::fs;

#[track_caller]
fn assert_refused(ran: &Ran, what: &str, help: &str) {
    assert_eq!(ran.status, Some(1), "{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains(what) && ran.stderr.contains(&format!("help: {help}")), "{}", ran.stderr);
}

#[test]
fn an_empty_record_is_not_begun_by_who_only_reads() {
    let arena = pairs(1);
    fs::create_dir(arena.path("agon-out")).unwrap();
    let record = arena.file("agon-out/record.sqlite", "");
    for words in [&["standings"][..], &["matches"], &["show", "last"], &["export", "jsonl"], &["backup", "copy.sqlite"]]
    {
        let help = "restore it from a backup, or remove the file to begin anew";
        assert_refused(&arena.agon(words), "agon-out/record.sqlite: it is empty", help);
        assert_eq!(fs::metadata(&record).unwrap().len(), 0, "{words:?}");
        assert_eq!(fs::read_dir(arena.path("agon-out")).unwrap().count(), 1, "{words:?}");
    }
    arena.agon(["ladder", "--quiet"]).well();
    arena.agon(["standings"]).well();
}
