//! Pages and pictures made from plain models: what strangers wrote stays text, the same model gives the same bytes, and
//! a file of a match stays small.

use agon_games::{Cell, Item, Language, Panel, Piece, Scene, Stroke};
use agon_model::Thought;
use agon_playback::{Frame, Logged, MadeMove, Playback};
use agon_web::{HallAddress, Neighbours, Now, NowFault, Published, Site, match_page, picture, replay_page};

/// Text that must do nothing.
const ODD: &str = "</script><script>alert(1)</script><b onclick='x' title=\"y\">&amp;\u{202e}\u{1b}[2J=1+1";

fn board(turn: usize) -> Scene {
    let cell = |index: usize| {
        let piece = match index {
            _ if index == turn => Piece::Of(0),
            _ if index + 1 == turn => Piece::Wall,
            99 => Piece::Number(7),
            _ => Piece::Empty,
        };
        let name = format!("{}{}", char::from(b'a' + (index % 10) as u8), 10 - index / 10);
        Cell { marked: index == turn, ..Cell::on_grid(name, index % 10, index / 10, piece) }
    };
    Scene {
        columns: 10,
        rows: 10,
        cells: (0..100).map(cell).collect(),
        path: if turn > 0 { vec![Stroke::Slide(vec![turn - 1, turn])] } else { Vec::new() },
        spoken: format!("Player 1 moved from {} to {turn}; {ODD}", turn.saturating_sub(1)),
        ..Scene::default()
    }
}

fn cards(turn: usize) -> Scene {
    let items = vec![
        Item::Seat(1),
        Item::Card { number: turn as u32, weight: 7 },
        Item::Place,
        Item::Peg(3),
        Item::Reply(2, 1),
        Item::Heap(5),
        Item::text(ODD),
    ];
    let drawn = Panel::new(ODD, vec![format!("seat 2: {turn}")]).with_items(vec![items]);
    Scene { panels: vec![drawn, Panel::new("plain", vec![ODD.to_owned()])], spoken: ODD.to_owned(), ..Scene::default() }
}

fn playback(turns: usize, scene: fn(usize) -> Scene) -> Playback {
    let frame = |turn: usize| Frame {
        scene: scene(turn),
        moves: if turn > 0 {
            vec![MadeMove {
                seat: turn % 2,
                text: format!("a{turn}-b{turn}/c3"),
                us: Some(1_000 * turn as u64),
                fault: None,
            }]
        } else {
            Vec::new()
        },
        clocks: vec![(1_000 * turn as u64, Some(5_000_000)), (0, None)],
        is_broken: false,
        is_blunder: turn == 3,
        events: if turn == 3 { vec![ODD.to_owned()] } else { Vec::new() },
        outputs: if turn == 2 { vec![ODD.to_owned()] } else { Vec::new() },
        logged: vec![Logged {
            seat: turn % 2,
            thought: Thought { value: Some(turn as f64 - 3.0), depth: Some(4.0), nodes: None },
            line: Some(ODD.to_owned()),
        }],
        position: Some(ODD.to_owned()),
    };
    Playback {
        language: Language::English,
        id: "0123456789abcdef-a".to_owned(),
        title: format!("match {ODD}"),
        seats: vec![ODD.to_owned(), "b".to_owned()],
        own_times: vec![String::new(), ODD.to_owned()],
        frames: (0..=turns).map(frame).collect(),
        ending: ODD.to_owned(),
        explained: ODD.to_owned(),
        ranks: vec![1, 2],
        move_limit_us: Some(1_000_000),
    }
}

/// No markup of strangers and nothing that cannot be seen.
#[track_caller]
fn is_clean(page: &str, scripts: usize) {
    assert_eq!(page.matches("<script").count(), scripts);
    assert_eq!(page.matches("</script").count(), scripts);
    for odd in ["<b onclick", "\u{202e}", "\u{1b}", "title=\"y"] {
        assert!(!page.contains(odd), "{odd:?}");
    }
}

#[test]
fn what_strangers_wrote_is_text() {
    for scene in [board, cards] {
        let playback = playback(5, scene);
        is_clean(&replay_page(&playback), 2);
        is_clean(&match_page(&playback, &Neighbours::default()).text, 3);
        is_clean(&picture(&scene(3)), 0);
    }
    let standings = serde_json::json!({
        "ladder": ODD, "game": ODD, "seats": 2, "seed": "1", "seed_drawn": true, "matches": 0, "blocks": 0,
        "clients": [{"place": 1, "client": ODD, "matches": 0, "wins": 0, "draws": 0, "losses": 0,
            "points": {"mean": 0.5, "low": 0.4, "high": 0.6}, "rank": {"mean": 1.0, "low": null, "high": null},
            "score": {"mean": 1.0, "low": null, "high": null}, "faults": {}, "notices": 0, "first_fault": ODD}],
        "refused": [{"client": ODD, "why": ODD}], "by_setting": [], "void": [{"block": ODD, "cause": ODD, "tries": 2}],
        "turns": ODD,
        "pairing": {"system": ODD, "stages": [{"kind": ODD, "round": 1, "meetings": [[ODD, "b"]], "points": null}]}
    });
    let published = Published {
        standings: serde_json::from_value(standings).unwrap(),
        text: ODD.to_owned(),
        labels: vec![ODD.to_owned(), "b".to_owned()],
        // The first won against the second.
        scores: vec![((0, 1), [1, 0, 0]), ((1, 0), [0, 0, 1])],
        matches: serde_json::from_value(
            serde_json::json!([{"id": ODD, "setting": ODD, "ending": "over", "plies": 3, "seats": [
            {"label": ODD, "rank": 1, "score": 1, "fault": null, "notices": 0},
            {"label": "b", "rank": 2, "score": 0, "fault": ODD, "notices": 0}]}]),
        )
        .unwrap(),
        terms: vec![(ODD.to_owned(), ODD.to_owned())],
        ..Published::default()
    };
    for file in Site::new(published).files(Language::English).iter().filter(|file| file.path.ends_with(".html")) {
        is_clean(&file.text, 1);
    }
}

#[test]
fn the_same_match_gives_the_same_bytes() {
    let playback = playback(9, board);
    assert_eq!(replay_page(&playback), replay_page(&playback.clone()));
    assert_eq!(picture(&cards(1)), picture(&cards(1)));
}

#[test]
fn a_tab_and_a_shared_link_tell_who_played_whom_and_who_won() {
    let told = |seats: &[&str], ranks: &[u32], language: Language| {
        let seats = seats.iter().map(|seat| (*seat).to_owned()).collect();
        let title = format!("{} 0123456789abcdef-a: amazons donut:9", language.pick("match", "partie"));
        let explained = "ended by the rules after 9 turns: seat 1 won".to_owned();
        let playback = Playback { language, title, seats, ranks: ranks.to_vec(), explained, ..playback(2, board) };
        let page = replay_page(&playback);
        page.split("<title>").nth(1).unwrap().split("</title>").next().unwrap().to_owned()
    };
    let english = |seats: &[&str], ranks: &[u32]| told(seats, ranks, Language::English);
    assert_eq!(english(&["a", "b"], &[2, 1]), "a – b: b wins · amazons donut:9");
    assert_eq!(english(&["a", "a"], &[1, 2]), "a – a: a (seat 1) wins · amazons donut:9");
    assert_eq!(english(&["a", "b"], &[1, 1]), "a – b: a draw · amazons donut:9");
    assert_eq!(english(&["a", "b", "c"], &[1, 2, 1]), "a – b – c: a and c share the first place · amazons donut:9");
    let many = |name: &'static str| ["a", "b", "c", "d", name];
    let won = [2, 1, 3, 4, 5];
    assert_eq!(english(&many("e"), &won), "a – b – c – d – e: b wins · amazons donut:9");
    assert_eq!(english(&many(&"e".repeat(45).leak()[..]), &won), "5 seats: b wins · amazons donut:9");
    assert_eq!(english(&["a"], &[1]), "a · amazons donut:9");
    assert_eq!(told(&["a", "b"], &[1, 2], Language::French), "a – b : a gagne · amazons donut:9");
    let page = replay_page(&playback(2, board));
    assert!(page.contains("property=\"og:title\"") && page.contains("name=\"description\""), "{page}");
}

#[test]
fn a_match_of_sixty_turns_is_a_small_file() {
    let plain = |turn| Scene { spoken: format!("player {turn}"), ..board(turn) };
    let page = replay_page(&playback(60, plain));
    assert!(page.len() < 60_000, "{} bytes", page.len());
}

#[test]
fn a_match_that_never_began_has_a_page() {
    let empty = Playback { frames: vec![Frame::default()], ..Playback::default() };
    let page = replay_page(&empty);
    let body = page.split("<script").next().unwrap();
    assert!(body.contains("turn 0 of 0") && !body.contains("NaN") && !body.contains("inf"), "{body}");
    assert!(picture(&Scene::default()).contains("<svg"));
}

#[test]
fn ratings_say_whose_order_may_be_chance() {
    let rated = |client: &str, over: serde_json::Value| serde_json::json!({"client": client, "rating": 0.0, "low": null, "high": null, "matches": 9, "over_next": over});
    let over = |low: f64| serde_json::json!({"low": low, "high": 300.0});
    let published = Published {
        standings: serde_json::from_value(serde_json::json!({
            "ladder": "l", "game": "g", "seats": 2, "seed": "1", "seed_drawn": true, "matches": 27, "blocks": 9,
            "clients": [], "refused": [], "by_setting": [], "void": [], "turns": null, "pairing": null}))
        .unwrap(),
        ratings: serde_json::from_value(serde_json::json!({"scale": "elo", "groups": [["a", "b", "c"]],
            "clients": [rated("a", over(100.0)), rated("b", over(-5.0)), rated("c", serde_json::Value::Null)]}))
        .unwrap(),
        ..Published::default()
    };
    let files = Site::new(published).files(Language::English);
    let page = &files.iter().find(|file| file.path == "index.html").unwrap().text;
    let said = page.split("Differences between these neighbours").nth(1).unwrap().split("</ul>").next().unwrap();
    assert!(said.contains(">b</bdi>, <bdi>c<") && !said.contains(">a<"), "{said}");
    assert!(!page.contains("No result connects"), "one group");
}

#[test]
fn a_crowd_has_short_pages_that_lead_to_each_other() {
    const CROWD: usize = 300;
    let label = |one: usize| format!("client {one}");
    let line = |one: usize| {
        serde_json::json!({"place": one + 1, "client": label(one), "matches": 598, "wins": 299, "draws": 0, "losses": 299,
            "points": {"mean": 0.5, "low": 0.4, "high": 0.6}, "rank": {"mean": 1.5, "low": null, "high": null},
            "score": {"mean": 0.5, "low": null, "high": null}, "faults": {}, "notices": 0})
    };
    let rated = |one: usize| serde_json::json!({"client": label(one), "rating": 0.0, "low": -9.0, "high": null, "matches": 598});
    // Each won against those after it.
    let met = |one, other| [((other, one), [1, 0, 0]), ((one, other), [0, 0, 1])];
    let scores = (0..CROWD).flat_map(|one| (0..one).flat_map(move |other| met(one, other))).collect();
    let published = Published {
        standings: serde_json::from_value(serde_json::json!({
            "ladder": "l", "game": "g", "seats": 2, "seed": "1", "seed_drawn": true, "matches": 44_850, "blocks": 0,
            "clients": (0..CROWD).map(line).collect::<Vec<_>>(), "refused": [], "by_setting": [], "void": [],
            "turns": null, "pairing": null}))
        .unwrap(),
        ratings: serde_json::from_value(
            serde_json::json!({"scale": "elo", "groups": [], "clients": (0..CROWD).map(rated).collect::<Vec<_>>()}),
        )
        .unwrap(),
        labels: (0..CROWD).map(label).collect(),
        scores,
        ..Published::default()
    };
    let files = Site::new(published).files(Language::English);
    let text = |path: &str| &files.iter().find(|file| file.path == path).unwrap().text;
    let first = text("index.html");
    assert!(first.len() < 160 * CROWD, "{} bytes", first.len());
    assert!(first.contains("crosstable.html") && first.contains("ratings.html"), "{first}");
    assert!(text("ratings.html").contains("open"), "an end that nothing bounds");
    assert!(text("crosstable.html").contains("data:image/png;base64,"));
    // There are too many pairs for pages of their own, and nothing leads there.
    assert!(files.iter().all(|file| !file.path.starts_with("vs/") && !file.text.contains("vs/")));
    let client = text("client/1.html");
    assert_eq!(client.matches("href=\"../client/").count(), 150);
    assert!(client.contains("of 299"), "{client}");
}

#[test]
fn what_is_drawn_on_the_page_itself_has_the_colour_of_its_letters() {
    // So it is seen in light and dark, and so is what is drawn once and used often: there only colours that are handed
    // down are known.
    for scene in [board, cards] {
        let page = replay_page(&playback(3, scene));
        let colours = page.split(":root{").nth(1).unwrap().split('}').next().unwrap();
        assert!(colours.contains("light-dark(") && !colours.contains("fill:"), "{colours}");
        assert!(page.contains("fill:currentColor"), "{page}");
    }
}

#[test]
fn faults_as_they_come_are_told_in_the_language_of_the_page() {
    let published = Published {
        standings: serde_json::from_value(serde_json::json!({
            "ladder": "l", "game": "g", "seats": 2, "seed": "1", "seed_drawn": true, "matches": 0, "blocks": 0,
            "clients": [], "refused": [], "by_setting": [], "void": [], "turns": null, "pairing": null}))
        .unwrap(),
        is_served: true,
        ..Published::default()
    };
    let fault = NowFault { id: "1-a".to_owned(), client: "a".to_owned(), kind: "crash".to_owned(), why: String::new() };
    let now = Now { faults: vec![fault], fault_count: 1, ..Now::default() };
    let site = Site::new(published);
    for (language, told) in
        [(Language::English, "<bdi>a: crash</bdi>"), (Language::French, "<bdi>a\u{a0}: plantage (crash)</bdi>")]
    {
        let first = site.page("index.html", Some(&now), language).unwrap();
        let hall = site.hall(Some(&now), "/ladder/1/", &HallAddress::Local, language);
        assert!(first.contains(told) && hall.contains(told), "{told}: {first}");
    }
}
