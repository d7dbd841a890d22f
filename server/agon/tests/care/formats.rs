//! Each format of an export, compared with files in `golden/`; `AGON_BLESS=1` writes them anew.

use crate::builder::golden;
use agon_games::{GAMES, Options};
use agon_model::*;
use agon_record::{Archive, EncodedBlock, Record, RedactedLadder, Redaction, SqliteRecord};
use agon_transfer::{ExportFormat, ExportSource, export};
use std::collections::BTreeMap;

fn ladder() -> LadderRow {
    let options = BTreeMap::from([("board".to_owned(), "square:6".to_owned())]);
    LadderRow {
        id: LadderId(0),
        name: "class".to_owned(),
        game: "amazons".to_owned(),
        seats: 2,
        seed: u64::MAX,
        seed_drawn: true,
        terms: vec![("game".to_owned(), "amazons rules 2".to_owned())].into(),
        settings: vec![("/home/ann/six.toml".to_owned(), options)],
    }
}

/// Four moves, the last by the rules.
fn steps(row: &LadderRow) -> Vec<Step> {
    let mut options = Options::default();
    row.settings[0].1.iter().for_each(|(key, value)| options.set(key, value));
    let mut state = GAMES[0].prepare(&options, 2).unwrap().start(&opening(row.seed, 4));
    let step = |(ply, text): (usize, &str)| {
        let mv = state.read(text).unwrap();
        state.play(&[(ply % 2, mv)]);
        let (cpu_us, wall_us, hash) = (100, 120, state.hash());
        Step { ply: ply as u32, seat: ply % 2, mv, by_client: ply != 3, cpu_us, wall_us, hash }
    };
    ["e6-e4/c6", "e1-c3/a1", "a5-b5/b3", "c3-f3/e2"].into_iter().enumerate().map(step).collect()
}

fn played(row: &LadderRow, letter: char) -> Match {
    let seat = |seat: usize| SeatResult {
        entrant: if letter == 'a' { seat } else { 1 - seat },
        seed: 7,
        told_name: "Deep \"red\"".to_owned(),
        score: 1 - seat as i64,
        rank: 1 + seat as u32,
        fault: (seat == 1).then(|| Fault {
            kind: FaultKind::Crash,
            phase: Phase::Play,
            ply: 3,
            message: "signal 11 in /srv/ann/bot.so; help: see it by valgrind".to_owned(),
            raw: String::new(),
        }),
        notices: Vec::new(),
        layers: vec!["seccomp".to_owned()],
        usage: Usage { play_cpu_us: 1_370_000, memory: 7_340_032, ..Usage::default() },
    };
    let told = Output { seat: 1, phase: Phase::Play, ply: 1, stream: Stream::Stderr, text: "I am ann\n".to_owned() };
    Match {
        start: 7,
        id: format!("3f9a1c203f9a1c20-{letter}"),
        ending: Ending::Fault,
        seats: vec![seat(0), seat(1)],
        steps: steps(row),
        outputs: vec![told],
        started: 1_790_000_000,
        wall_us: 2_000_000,
    }
}

/// A record with one block and one void block.
fn record(folder: &std::path::Path) -> (SqliteRecord, LadderRow) {
    let mut store = SqliteRecord::open(folder).unwrap();
    let row = store.begin_ladder(&ladder()).unwrap();
    let entrant = |label: &str, hash: &str| Entrant {
        label: label.to_owned(),
        file: format!("{label}.so"),
        hash: hash.repeat(16),
        options: BTreeMap::from([("style".to_owned(), "a,b".to_owned())]),
        refused: None,
    };
    let mut entrants = [entrant("alpha", "3f9a"), entrant("be\"ta", "77aa")];
    let kept = store.keep_entrants(row.id, &mut entrants).unwrap();
    let block = Block {
        id: "3f9a1c203f9a1c20".to_owned(),
        number: 0,
        lineup: vec![0, 1],
        rotations: 2,
        setting: 0,
        opening: 4,
        client_seed: [0; 32],
    };
    let block = PlayedBlock { block, matches: vec![played(&row, 'a'), played(&row, 'b')] };
    store.keep_blocks(&[&EncodedBlock::new(row.id, &block, &kept.ids)]).unwrap();
    store.keep_void(row.id, "0bad0bad0bad0bad", "seat 1 (alpha): the host ended").unwrap();
    (store, row)
}

#[test]
fn every_format_is_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (store, row) = record(folder.path());
    let written = |format, redaction: &Redaction| {
        let mut out = Vec::new();
        let redacted = RedactedLadder::new(&store as &dyn Archive, &row, redaction).unwrap();
        let source = ExportSource { redacted: &redacted, game: Some(GAMES[0]), redaction };
        assert_eq!(export(&source, format, &mut out).unwrap(), 2);
        String::from_utf8(out).unwrap()
    };
    let named = Redaction::new(None, &[], "ann", "tower");
    let formats = [
        (ExportFormat::Jsonl, "jsonl"),
        (ExportFormat::Csv, "csv"),
        (ExportFormat::Json, "json"),
        (ExportFormat::Text, "txt"),
    ];
    for (format, ending) in formats {
        golden(&format!("export.{ending}"), &written(format, &named));
    }
    let hidden = Redaction::new(Some("secret"), &[], "ann", "tower");
    golden("export-anonymous.jsonl", &written(ExportFormat::Jsonl, &hidden));
    let document: serde_json::Value = serde_json::from_str(&written(ExportFormat::Json, &named)).unwrap();
    assert_eq!(document["matches"].as_array().unwrap().len(), 2);
    for (format, _) in formats {
        let text = written(format, &hidden);
        for told in ["alpha", "ta", "3f9a3f9a", "Deep", "style", "signal", "I am"] {
            let whole_words = text.split(|c: char| !c.is_alphanumeric()).collect::<Vec<_>>();
            assert!(!whole_words.contains(&told) && (told == "ta" || !text.contains(told)), "{told} is told: {text}");
        }
    }
}
