//! One match in words, printed whole and stepped through, in every game.

use super::{entrant, game, ladder};
use crate::builder::golden;
use agon_games::{AnyGame, GAMES, Options, rng_from};
use agon_model::*;
use agon_playback::{Pane, Playback, Size, View, frame, playback_text};
use agon_report as report;

/// A match of the moves of `script`, or of moves by chance until it is over where there is none.
fn played(game: &dyn AnyGame, ladder: &LadderRow, script: &[&str]) -> Match {
    let mut options = Options::default();
    ladder.settings[0].1.iter().for_each(|(key, value)| options.set(key, value));
    let mut state = game.prepare(&options, ladder.seats).unwrap().start(&opening(ladder.seed, 4));
    let mut rng = rng_from(&[1; 32]);
    let mut steps = Vec::new();
    for ply in 0.. {
        let scripted = script.get(ply as usize).map(|text| state.read(text).unwrap());
        let mut choose = |seat| (seat, scripted.unwrap_or_else(|| state.sample(seat, &mut rng)));
        let moves: Vec<_> = state.to_move().iter().map(&mut choose).collect();
        if moves.is_empty() || (!script.is_empty() && scripted.is_none()) {
            break;
        }
        state.play(&moves);
        let hash = state.hash();
        let step = |(seat, mv): &_| Step {
            ply,
            seat: *seat,
            mv: *mv,
            by_client: true,
            cpu_us: 100 + 7 * u64::from(ply),
            wall_us: 120,
            hash,
        };
        steps.extend(moves.iter().map(step));
    }
    let seat = |seat: usize| SeatResult {
        entrant: seat,
        seed: 7,
        told_name: ["Deep \x1b[31mred", "greedy"][seat % 2].to_owned(),
        score: seat as i64,
        rank: if seat == 0 { 2 } else { 1 },
        fault: None,
        notices: Vec::new(),
        layers: ["limits", "privileges", "landlock", "seccomp"].map(str::to_owned).to_vec(),
        usage: Usage {
            play_cpu_us: 1_370_000,
            play_wall_us: 1_400_000,
            slowest_us: 41_200,
            load_us: 812,
            initialize_us: 9,
            finalize_us: 1,
            memory: 7 << 20,
        },
    };
    let seats = (0..ladder.seats).map(seat).collect();
    Match {
        start: 0,
        id: "3f9a1c20-a".to_owned(),
        ending: Ending::Over,
        seats,
        steps,
        outputs: Vec::new(),
        started: 1_790_000_000,
        wall_us: 2_000_000,
    }
}

/// A match of Amazons that ends by an illegal move.
fn faulted() -> (LadderRow, Vec<Entrant>, Match) {
    let ladder = ladder("amazons", 2, &[("square:6", &[("board", "square:6")])]);
    let mut played = played(game("amazons"), &ladder, &["e6-e4/c6", "e1-c3/a1", "a5-b5/b3", "c3-f3/e2"]);
    played.ending = Ending::Fault;
    played.seats[0].fault = Some(Fault {
        kind: FaultKind::IllegalMove,
        phase: Phase::Play,
        ply: 4,
        message: "a1-a9/a9 (off-board): \x1b[2J there is no a9".to_owned(),
        raw: "00ff".to_owned(),
    });
    played.seats[1].notices.push(Notice {
        kind: NoticeKind::DeniedFile,
        phase: Phase::Load,
        ply: 0,
        message: "it may not open /etc/passwd".to_owned(),
    });
    played.seats[1].layers.pop();
    let output = |phase, ply, stream, text: &str| Output { seat: 0, phase, ply, stream, text: text.to_owned() };
    played.outputs = vec![
        output(Phase::Initialize, 0, Stream::Stdout, "hello\n"),
        output(Phase::Play, 2, Stream::Stderr, "one\ntwo \x1b]0;x\x07\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12"),
        output(Phase::Play, 2, Stream::Log, "depth\t5"),
    ];
    (ladder, vec![entrant("alpha", None), entrant("greedy", None)], played)
}

#[test]
fn a_match_is_explained() {
    let (ladder, entrants, played) = faulted();
    let stored = StoredMatch { ladder, entrants, setting: 0, opening: 4, played };
    golden("show.txt", &report::show(&stored, game("amazons"), None, true));
    golden("show.json", &report::show_json(&stored, game("amazons"), None, true));
    golden("match.jsonl", &report::log_lines(&stored, game("amazons")));
}

#[test]
fn every_game_can_be_shown() {
    for game in GAMES {
        for small in game.facts().small_options() {
            let pairs: Vec<(&str, &str)> = small.iter().collect();
            let (fewest, most) = game.facts().seats;
            let seats = (fewest..=most).find(|seats| game.prepare(&small, *seats).is_ok()).unwrap();
            let ladder = ladder(game.facts().name, seats, &[("small", &pairs)]);
            let played = played(*game, &ladder, &[]);
            let entrants = vec![entrant("alpha", None); seats];
            let stored = StoredMatch { ladder, entrants, setting: 0, opening: 4, played };
            let text = report::show(&stored, *game, None, true);
            let titles = ["\nat the end\n", "\nat the end, with the last move in brackets\n"];
            assert!(titles.iter().any(|title| text.contains(title)), "{text}");
            assert_eq!(report::log_lines(&stored, *game).lines().count(), 2 + seats + stored.played.steps.len());
            assert!(replay(&stored, *game, &mut |_, _| {}).unwrap().to_move().is_empty());
        }
    }
}

#[test]
fn a_record_of_other_rules_is_shown_without_its_end() {
    let (ladder, entrants, mut played) = faulted();
    played.steps[2].hash ^= 1;
    let stored = StoredMatch { ladder, entrants, setting: 0, opening: 4, played };
    let text = report::show(&stored, game("amazons"), None, false);
    assert!(text.contains("\nnot replayed: these rules come to another state after turn 3 (the record is"), "{text}");
    assert!(!text.contains('\x1b'));
}

/// The film of a match as a terminal of this size shows it.
fn frames(size: (usize, usize), charset: Charset, views: &[View]) -> String {
    let (ladder, entrants, played) = faulted();
    let stored = StoredMatch { ladder, entrants, setting: 0, opening: 4, played };
    let playback = Playback::new(&stored, game("amazons"));
    let (columns, rows) = size;
    let mut out = String::new();
    for view in views {
        let lines = frame(&playback, view, Size { columns, rows }, charset);
        assert_eq!(lines.len(), rows);
        assert!(lines.iter().all(|line| line.width() <= columns), "{view:?}");
        out += &format!("{view:?}\n");
        lines.iter().for_each(|line| out += &format!("|{}\n", line.plain().trim_end()));
    }
    out
}

#[test]
fn a_match_is_stepped_through() {
    let at = |position, pane| View { position, pane, scroll: 0 };
    let views = [at(0, Pane::Board), at(3, Pane::Board), at(5, Pane::Board), at(3, Pane::Output), at(0, Pane::Help)];
    golden("replay-80x24.txt", &frames((80, 24), Charset::Unicode, &views));
    golden("replay-40x20.txt", &frames((40, 20), Charset::Ascii, &views));
    golden("replay-12x8.txt", &frames((12, 8), Charset::Ascii, &[at(3, Pane::Board), View { scroll: 3, ..views[1] }]));
    for size in [(1, 1), (3, 2), (200, 4)] {
        frames(size, Charset::Ascii, &views);
    }
}

#[test]
fn a_whole_match_is_printed() {
    let (ladder, entrants, played) = faulted();
    let stored = StoredMatch { ladder, entrants, setting: 0, opening: 4, played };
    golden("replay.txt", &playback_text(&Playback::new(&stored, game("amazons")), Charset::Ascii));
    golden("match.csv", &report::export(&stored, game("amazons"), "csv").unwrap());
    let mut other = stored;
    other.played.steps[2].hash ^= 1;
    let playback = Playback::new(&other, game("amazons"));
    assert_eq!((playback.frames.len(), &playback.ending[..27]), (3, "not replayed to its end: th"));
}

#[test]
fn every_game_can_be_stepped_through() {
    for game in GAMES {
        let seats = game.facts().seats.1;
        let ladder = ladder(game.facts().name, seats, &[("standard", &[])]);
        let played = played(*game, &ladder, &[]);
        let entrants = vec![entrant("alpha", None); seats];
        let stored = StoredMatch { ladder, entrants, setting: 0, opening: 4, played };
        let playback = Playback::new(&stored, *game);
        assert_eq!(playback.frames.len() as u32, 1 + stored.played.plies());
        for position in 0..playback.frames.len() {
            let view = View { position, ..View::default() };
            let lines = frame(&playback, &view, Size { columns: 80, rows: 24 }, Charset::Ascii);
            assert!(lines.len() == 24 && lines.iter().all(|line| line.width() <= 80));
        }
    }
}
