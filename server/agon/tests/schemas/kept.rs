//! The forms in `docs/schemas` themselves: a later version keeps each key and its type.

use super::{flaws, folder, schema};
use crate::builder::Arena;
use agon_model::{MachineSpeed, WorkerState};
use agon_record::exchange::WorkerRow;
use agon_report::Workers;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// A line for each place of a form with its type, and one more if it is always there.
fn lines(schema: &Value, place: &str, out: &mut Vec<String>) {
    let words = schema.as_object().unwrap();
    let types = match &words.get("type") {
        Some(Value::Array(types)) => types.iter().map(|one| one.as_str().unwrap()).collect::<Vec<_>>().join(" or "),
        Some(one) => one.as_str().unwrap().to_owned(),
        None if words.contains_key("enum") => "text".to_owned(),
        None => panic!("{place} has no type"),
    };
    out.push(format!("{place}: {types}"));
    for value in words.get("enum").and_then(Value::as_array).into_iter().flatten() {
        out.push(format!("{place} may be {value}"));
    }
    for key in words.get("required").and_then(Value::as_array).into_iter().flatten() {
        out.push(format!("{place}.{} is there", key.as_str().unwrap()));
    }
    for (key, inner) in words.get("properties").and_then(Value::as_object).into_iter().flatten() {
        lines(inner, &format!("{place}.{key}"), out);
    }
    for (word, mark) in [("items", "[]"), ("additionalProperties", ".*")] {
        if let Some(inner) = words.get(word) {
            lines(inner, &format!("{place}{mark}"), out);
        }
    }
}

/// Each line of the golden list stays. New ones belong into it as well; `AGON_BLESS=1` adds them.
#[test]
fn forms_keep_their_keys_and_types() {
    let mut files: Vec<_> = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut now = Vec::new();
    for file in files {
        let schema = schema(file.file_stem().unwrap().to_str().unwrap());
        lines(&schema, schema["title"].as_str().unwrap(), &mut now);
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/schemas.txt");
    let known = std::fs::read_to_string(&golden).unwrap_or_default();
    let all: BTreeSet<&str> = now.iter().map(String::as_str).collect();
    let gone: Vec<&str> = known.lines().filter(|line| !all.contains(line)).collect();
    assert!(gone.is_empty(), "later versions keep these keys and types:\n{}", gone.join("\n"));
    if std::env::var_os("AGON_BLESS").is_some() {
        std::fs::write(&golden, now.join("\n") + "\n").unwrap();
    }
    assert!(std::fs::read_to_string(&golden).unwrap() == now.join("\n") + "\n", "AGON_BLESS=1 adds the new lines");
}

#[test]
fn lists_of_workers_keep_to_their_schema() {
    let full = WorkerRow {
        id: 7,
        name: "lab-3".to_owned(),
        role: "agon_lab".to_owned(),
        line: Some("pool".to_owned()),
        state: WorkerState::Active,
        build: "0.1.0".to_owned(),
        cores: (8, 6),
        holds: 12,
        blocks: 340,
        voids: 1,
        late: 2,
        faults: 3,
        speed: Some(MachineSpeed { relative: 1.256, spread: 0.02, class: "Some CPU".to_owned() }),
        silent: Duration::from_secs(125),
        stay: Duration::from_secs(1800),
        why: Some("it is away".to_owned()),
    };
    let states = ["active", "silent", "draining", "over", "gone", "banned"];
    let mut rows: Vec<WorkerRow> = (states.iter())
        .map(|name| WorkerRow { state: serde_json::from_value((*name).into()).unwrap(), ..full.clone() })
        .collect();
    rows.push(WorkerRow { line: None, speed: None, why: None, stay: Duration::ZERO, ..full });
    let document: Value = serde_json::from_str(&Workers { rows, more: 1 }.document(None).json()).unwrap();
    assert_eq!(flaws(&document, "workers", "worker list"), Vec::<String>::new());
    for (row, name) in states.iter().enumerate() {
        assert_eq!(document["workers"][row]["state"], *name);
    }
}

#[test]
fn numbers_by_hand_and_like_other_programs_keep_to_their_schemas() {
    let arena = Arena::new();
    let mut found = Vec::new();
    for words in [
        "--counts 759,1863,880 --sprt 0 5 --scale logistic --like bayeselo",
        "--counts 20,30,40,35,25 --matches --like ordo",
        "--counts 0,0,1",
        "--counts 0,5",
        "--counts 36,340,767,462,82 --sprt 0 3",
    ] {
        let document = arena.agon(format!("elo {words} --json").split(' ')).json();
        found.extend(flaws(&document, "elo", words));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
