//! A small ladder, a match and turns of people, as the components are shown with.

use crate::play::{Finished, Place, PlayPage, TurnChoices};
use crate::site::Published;
use agon_games::{Cell, Item, Language, Panel, Piece, Scene, Stroke};
use agon_model::Thought;
use agon_model::documents::{Course, History, Rated, Ratings};
use agon_playback::{Frame, Logged, MadeMove, Playback};
use serde_json::{Value, json};

/// The clients.
const NAMES: [&str; 4] = ["alphabeta", "mcts", "greedy", "random"];

/// A knockout of four with all its tables.
#[expect(clippy::too_many_lines)]
pub(super) fn published() -> Published {
    let mean =
        |mean: f64, width: f64| json!({"mean": mean, "low": (mean - width).max(0.0), "high": (mean + width).min(1.0)});
    let line = |place: usize| {
        json!({"place": place + 1, "client": NAMES[place], "matches": 6, "wins": 6 - 2 * place, "draws": 0,
            "losses": 2 * place, "points": mean(1.0 - place as f64 / 3.0, 0.15), "rank": mean(1.0, 0.0),
            "score": mean(1.0 - place as f64 / 3.0, 0.15), "faults": {"crash": place / 3}, "notices": 0,
            "first_fault": null})
    };
    let clients: Vec<Value> = (0..NAMES.len()).map(line).collect();
    let stage = |round: u32, meetings: Value, points: Value| json!({"kind": "round", "round": round, "meetings": meetings, "points": points});
    let standings = json!({
        "ladder": "sample", "game": "a game", "seats": 2, "seed": "1", "seed_drawn": true, "matches": 12, "blocks": 6,
        "clients": clients, "refused": [], "void": [], "turns": null,
        "by_setting": [{"setting": "square:6", "clients": clients}, {"setting": "donut:9", "clients": clients}],
        "by_seat": [{"matches": 12, "wins": 7, "shared": 0}, {"matches": 12, "wins": 5, "shared": 0}],
        "drawn": {"system": "knockout", "order": NAMES, "stages": [
            stage(1, json!([["alphabeta", "random"], ["mcts", "greedy"]]), json!([[2.0, 0.0], [1.5, 0.5]])),
            stage(2, json!([["alphabeta", "mcts"]]), json!([[2.0, 0.0]]))]}
    });
    let rated = |place: usize| {
        let (client, rating) = (NAMES[place].to_owned(), 300.0 - 200.0 * place as f64);
        Rated { client, rating, low: Some(rating - 100.0), high: Some(rating + 120.0), matches: 6, ..Rated::default() }
    };
    let course = |place: usize| {
        let points = [0.5, 0.6, 1.0 - place as f64 / 3.0].map(Some).to_vec();
        Course { client: NAMES[place].to_owned(), points, ..Course::default() }
    };
    let ratings = Ratings { scale: "elo".to_owned(), clients: (0..4).map(rated).collect(), ..Ratings::default() };
    let history = History { matches: vec![4, 8, 12], clients: (0..4).map(course).collect(), ..History::default() };
    Published {
        standings: serde_json::from_value(standings).unwrap_or_default(),
        ratings: Some(ratings),
        history: Some(history),
        labels: NAMES.map(str::to_owned).to_vec(),
        scores: (0..4)
            .flat_map(|a| {
                (0..4).filter(move |b| *b != a).map(move |b| ((a, b), [u64::from(a < b) * 2, 0, u64::from(a > b) * 2]))
            })
            .collect(),
        ..Published::default()
    }
}

/// A board on which a queen goes from place to place.
pub(super) fn board(turn: usize) -> Scene {
    let cell = |index: usize| {
        let piece = match index {
            _ if index == turn => Piece::Of(0),
            35 => Piece::Of(1),
            _ if index + 1 == turn => Piece::Wall,
            _ => Piece::Empty,
        };
        let name = format!("{}{}", char::from(b'a' + (index % 6) as u8), 6 - index / 6);
        Cell { marked: turn > 0 && index == turn, ..Cell::on_grid(name, index % 6, index / 6, piece) }
    };
    Scene {
        columns: 6,
        rows: 6,
        cells: (0..36).filter(|index| ![14, 15, 20, 21].contains(index)).map(cell).collect(),
        column_labels: ["a", "b", "c", "d", "e", "f"].map(str::to_owned).to_vec(),
        row_labels: ["6", "5", "4", "3", "2", "1"].map(str::to_owned).to_vec(),
        path: if turn > 0 {
            vec![Stroke::Slide(vec![turn - 1, turn]), Stroke::Shot(vec![turn, turn - 1])]
        } else {
            vec![]
        },
        panels: vec![things()],
        spoken: format!("turn {turn}; player {} to move", turn % 2 + 1),
        ..Scene::default()
    }
}

/// Everything that stands in a panel.
fn things() -> Panel {
    let line = vec![
        Item::Seat(1),
        Item::Card { number: 55, weight: 7 },
        Item::Place,
        Item::Peg(3),
        Item::Reply(2, 1),
        Item::Heap(5),
        Item::text("words"),
    ];
    Panel::new("all things of a panel", vec!["seat 2: 55".to_owned()]).with_items(vec![line])
}

/// A match with values, a blunder, an event and words of a client.
pub(super) fn playback() -> Playback {
    let frame = |turn: usize| Frame {
        scene: board(turn),
        moves: if turn > 0 {
            vec![MadeMove {
                seat: (turn - 1) % 2,
                text: format!("a6-b{turn}/c3"),
                us: Some(1_700 * turn as u64),
                fault: None,
            }]
        } else {
            vec![]
        },
        clocks: vec![(1_700 * turn as u64, Some(5_000_000)); 2],
        is_broken: false,
        is_blunder: turn == 3,
        events: if turn == 4 { vec!["seat 2 was late once, and excused".to_owned()] } else { vec![] },
        outputs: if turn == 2 { vec!["1 log: value 0.25".to_owned()] } else { vec![] },
        logged: vec![Logged {
            seat: turn % 2,
            thought: Thought { value: Some(1.5 - turn as f64), depth: Some(4.0 + turn as f64), nodes: None },
            line: None,
        }],
        position: None,
    };
    let tried = MadeMove { seat: 1, text: "b6-b5/b5".into(), us: Some(60_000), fault: Some("illegal-move".into()) };
    let broken = Frame { moves: vec![tried], is_broken: true, ..frame(5) };
    Playback {
        language: Language::English,
        id: "0123456789abcdef-a".to_owned(),
        title: "match 0123456789abcdef-a: a game on square:6".to_owned(),
        seats: vec!["alphabeta".to_owned(), "mcts".to_owned()],
        own_times: vec![String::new(), String::new()],
        frames: (0..6).map(frame).chain([broken]).collect(),
        ending: "over".to_owned(),
        explained: "ended by a fault after 5 turns: seat 1 wins".to_owned(),
        ranks: vec![1, 2],
        move_limit_us: Some(50_000),
    }
}

/// Turns of people: on a board, with cards, with pegs, with heaps.
#[expect(clippy::too_many_lines)]
pub(super) fn turns() -> [PlayPage<'static>; 4] {
    let (no_moves, strings) = (&[], |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>());
    let page = |scene: Scene, turn: TurnChoices| PlayPage {
        advice: None,
        starting: Vec::new(),
        is_to_watch: false,
        language: Language::English,
        title: "Sample",
        rules: "",
        players: strings(&["you", "mcts"]),
        scene,
        at: 0,
        turn: Some(turn),
        note: String::new(),
        moves: no_moves,
        can_undo: false,
        adviser: String::new(),
        begun_from: None,
        invitations: Vec::new(),
        result: None,
    };
    let card = |number: u32| Item::Card { number, weight: number % 8 };
    let hand = Panel::new("hands", strings(&["seat 1: 4 23 55"])).with_items(vec![vec![
        Item::Seat(0),
        card(4),
        card(23),
        card(55),
    ]]);
    let cards = Scene { panels: vec![Panel { is_hand: true, ..hand }], ..Scene::default() };
    let heap = Panel::new("heaps", strings(&["1: ||||||"])).with_items(vec![vec![Item::text("1"), Item::NewHeap(6)]]);
    let heaps = Scene { panels: vec![heap], ..Scene::default() };
    let pegs = Scene { has_pegs: true, ..Scene::default() };
    let over = Finished {
        outcome: Some("you have won"),
        places: vec![
            Place { rank: 1, score: 1, fault: None },
            Place { rank: 2, score: 0, fault: Some("crash: by SIGSEGV") },
        ],
        remarks: Vec::new(),
        resigned: Vec::new(),
        own: &[0],
    };
    let board = page(
        Scene { panels: vec![], ..board(0) },
        TurnChoices { begun: "a6".to_owned(), parts: strings(&["b6", "c6", "a5"]), ..TurnChoices::default() },
    );
    [
        PlayPage { result: Some(over), ..board },
        page(cards, TurnChoices { parts: strings(&["4", "55"]), ..TurnChoices::default() }),
        page(
            pegs,
            TurnChoices {
                begun: "0 1".to_owned(),
                parts: strings(&["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]),
                all: strings(&["0 0"]),
                ..TurnChoices::default()
            },
        ),
        page(heaps, TurnChoices { all: strings(&["1 1", "1 2", "1 4", "1 5"]), ..TurnChoices::default() }),
    ]
}
