//! First statements of the pages: about a test, rounds, a void match; and the part that fits the wall of a hall.

use agon_games::Language;
use agon_model::LadderId;
use agon_playback::{Frame, Playback};
use agon_web::{
    HallAddress, Neighbours, Published, Site, SubmittedVersion, UploadForm, UploadResult, asset, match_page, team_page,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn line(client: &str, place: usize, points: Value) -> Value {
    json!({"place": place, "client": client, "matches": 4, "wins": 2, "draws": 0, "losses": 2, "points": points,
        "rank": {"mean": 1.5, "low": null, "high": null}, "score": {"mean": 0.5, "low": null, "high": null},
        "faults": {}, "notices": 0})
}

fn even() -> Value {
    json!({"mean": 0.5, "low": 0.4, "high": 0.6})
}

fn published(clients: &[Value], pairing: Value, test: Option<Value>) -> Published {
    Published {
        standings: serde_json::from_value(json!({
            "ladder": "l", "game": "g", "seats": 2, "seed": "1", "seed_drawn": true, "matches": 4, "blocks": 2,
            "clients": clients, "refused": [], "by_setting": [], "void": [], "turns": null, "pairing": pairing}))
        .unwrap(),
        test: test.map(|test| serde_json::from_value(test).unwrap()),
        ..Published::default()
    }
}

/// A page without its markup.
fn words(page: &str) -> String {
    page.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect()
}

#[track_caller]
fn statement(published: &Published) -> String {
    let site = Site::new(published.clone());
    let said = |page: String| {
        let rest = page.split("<p class=\"headline\">").nth(1).unwrap().to_owned();
        words(rest.split("</p>").next().unwrap())
    };
    let (first, hall) = (
        said(site.page("index.html", None, Language::English).unwrap()),
        said(site.hall(None, "/ladder/1/", &HallAddress::Local, Language::English)),
    );
    assert_eq!(first, hall, "the wall says the same");
    first
}

#[test]
fn a_test_is_told_as_it_was_asked() {
    let test = |elo0: f64, verdict: Value, is_over: bool| {
        let test = json!({"new": "a", "base": "b", "scale": "normalised Elo", "elo0": elo0, "elo1": elo0 + 5.0,
            "alpha": 0.05, "beta": 0.05, "pairs": 7, "llr": 0.0, "lower": -2.9, "upper": 2.9, "verdict": verdict,
            "is_over": is_over});
        statement(&published(&[], Value::Null, Some(test)))
    };
    assert_eq!(test(0.0, json!("H1"), true), "a is better than b: H1 is accepted after 7 pairs.");
    assert_eq!(test(-5.0, json!("H1"), true), "a is not worse than b: H1 is accepted after 7 pairs.");
    let not_shown = "a has not been shown to be not worse than b: H0 is accepted after 7 pairs.";
    assert_eq!(test(-5.0, json!("H0"), true), not_shown);
    let open = "The test ended undecided after 7 pairs: it is open whether a is better than b.";
    assert_eq!(test(0.0, Value::Null, true), open);
    assert_eq!(
        test(0.0, Value::Null, false),
        "Undecided so far, after 7 pairs: it is open whether a is better than b."
    );
    assert!(test(0.0, json!("too few openings"), true).contains("cannot tell"));
}

/// A Swiss of so many clients, of which so many of three rounds are played.
fn swiss(clients: usize, played: usize, points: f64) -> Published {
    let label = |client: usize| format!("c{client}");
    let round = |number: usize| {
        let meetings: Vec<_> = (0..clients / 2).map(|pair| [label(2 * pair), label(2 * pair + 1)]).collect();
        let points = (number <= played).then(|| vec![[1.0, 0.0]; clients / 2]);
        json!({"kind": "round", "round": number, "meetings": meetings, "points": points})
    };
    let table: Vec<_> =
        (0..clients).map(|client| json!({"client": label(client), "points": points, "opponents": 0.0})).collect();
    let order: Vec<_> = (0..clients).map(label).collect();
    let rounds: Vec<_> = (1..=(played + 1)).map(round).collect();
    let drawn = json!({"system": "swiss", "order": order, "table": table, "stages": rounds});
    let lines: Vec<Value> = (0..clients).map(|client| line(&label(client), client + 1, even())).collect();
    published(&lines, drawn, None)
}

#[test]
fn nobody_leads_before_a_round_has_ended() {
    assert_eq!(statement(&swiss(4, 0, 0.0)), "No result yet: round 1 is being played.");
    assert_eq!(statement(&swiss(4, 1, 1.0)), "c0 leads the Swiss after 1 round, with 1 point.");
    assert_eq!(statement(&swiss(4, 2, 1.5)), "c0 leads the Swiss after 2 rounds, with 1.5 points.");
}

#[test]
fn a_round_names_the_opponent_or_its_number_and_leads_to_the_matches_of_the_two() {
    let page = |played: usize| {
        let published = Published {
            labels: ["c0", "c1"].map(str::to_owned).to_vec(),
            scores: vec![((0, 1), [1, 0, 0]), ((1, 0), [0, 0, 1])],
            ..swiss(4, played, 1.0)
        };
        Site::new(published).page("index.html", None, Language::English).unwrap()
    };
    assert!(page(1).contains("<a href=\"vs/1-2.html\"><span class=\"rival\">c1</span> 1:0</a>"), "{}", page(1));
    let page = page(8);
    let number = "<span class=\"number\" aria-hidden=\"true\">#2</span><span class=\"hear\">c1</span> 1:0";
    assert!(page.contains(&format!("<a href=\"vs/1-2.html\">{number}</a>")), "{page}");
    assert!(page.contains("<span class=\"hear\">c3</span> 1:0</span>"), "without results there is no page: {page}");
}

#[test]
fn the_page_of_a_client_says_who_put_it_out() {
    let stage = |round: usize, meetings: Value, points: Value| json!({"kind": "round", "round": round, "meetings": meetings, "points": points});
    let stages = [
        stage(1, json!([["c0", "c3"], ["c1", "c2"]]), json!([[2.0, 0.0], [2.0, 0.0]])),
        stage(2, json!([["c0", "c1"]]), json!([[0.0, 2.0]])),
    ];
    let lines: Vec<Value> = (0..4).map(|client| line(&format!("c{client}"), client + 1, even())).collect();
    let labels: Vec<String> = (0..4).map(|client| format!("c{client}")).collect();
    let said = |order: Value, stages: &[Value], client: usize| {
        let drawn = json!({"system": "knockout", "order": order, "table": [], "stages": stages});
        let published = Published { labels: labels.clone(), ..published(&lines, drawn, None) };
        let page = Site::new(published);
        let page = page.page(&format!("client/{}.html", client + 1), None, Language::English).unwrap();
        words(page.split("<p class=\"headline\">").nth(1).unwrap().split("</p>").next().unwrap())
    };
    let ended = |client| said(json!(["c1"]), &stages, client);
    assert_eq!(ended(1), "Wins the knockout.");
    assert_eq!([ended(0), ended(3)], ["Lost the final against c1.", "Lost round 1 against c0."]);
    assert_eq!(said(json!([]), &stages, 0), "Plays the final against c1.");
}

#[test]
fn many_leaders_are_counted() {
    let lines: Vec<Value> = (0..5).map(|client| line(&format!("c{client}"), 1, even())).collect();
    let said = statement(&published(&lines, Value::Null, None));
    assert_eq!(said, "5 clients share the first place with 0.500 points a match.");
}

#[test]
fn the_wall_shows_the_first_rows_and_the_last_rounds() {
    let published = swiss(200, 6, 1.0);
    let site = Site::new(published);
    let (whole, wall) = (
        site.page("index.html", None, Language::English).unwrap(),
        site.hall(None, "/ladder/1/", &HallAddress::Local, Language::English),
    );
    let table =
        |page: &str| page.split("<h2 id=\"result\">").nth(1).unwrap().split("</table>").next().unwrap().to_owned();
    assert_eq!((table(&whole).matches("<tr").count(), table(&whole).matches("Round ").count()), (201, 7));
    assert_eq!((table(&wall).matches("<tr").count(), table(&wall).matches("Round ").count()), (11, 3));
    assert!(wall.contains("The first 10 of 200.") && wall.len() < 30_000, "{} bytes", wall.len());
}

#[test]
fn points_of_more_than_one_stay_on_their_axis() {
    let lines = [
        line("a", 1, json!({"mean": 2.5, "low": 2.0, "high": 3.0})),
        line("b", 2, json!({"mean": -0.5, "low": -1.0, "high": 0.0})),
    ];
    let published = published(&lines, Value::Null, None);
    let page = Site::new(published).page("index.html", None, Language::English).unwrap();
    let table = page.split("<h2 id=\"standings\">").nth(1).unwrap().split("</table>").next().unwrap();
    assert!(table.contains(">-1 to 3<"), "{table}");
    let places: Vec<&str> = table.split(" cx=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    // 4 + 3.5 of 4 of 152, and 4 + 0.5 of 4 of 152.
    assert_eq!(places, ["137", "23"], "{table}");
}

#[test]
fn a_void_match_has_no_winner() {
    let played = |explained: &str| {
        let playback = Playback {
            seats: vec!["a".to_owned(), "b".to_owned()],
            ranks: vec![1, 2],
            explained: explained.to_owned(),
            frames: vec![Frame::default()],
            ..Playback::default()
        };
        match_page(&playback, &Neighbours::default()).text
    };
    let won = "class=\"player won\"";
    assert_eq!(played("ended by the rules after 3 turns: seat 1 (a) won").matches(won).count(), 1);
    let void = played("void, not counted: the machine slept");
    assert!(!void.contains(won) && void.contains(">Void, not counted: the machine slept.<"), "{void}");
}

#[test]
fn what_is_pressed_has_one_rule_and_the_colour_of_its_picture() {
    let sheet = asset("/agon.css").unwrap();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    // Rules of a width or of paper may say again what they change.
    let mut depth = 0;
    for row in sheet.lines() {
        if depth == 0
            && !row.starts_with('@')
            && let Some((selector, _)) = row.split_once('{')
        {
            *seen.entry(selector.trim()).or_default() += 1;
        }
        depth += row.matches('{').count();
        depth -= row.matches('}').count().min(depth);
    }
    let twice: Vec<_> = seen.into_iter().filter(|(_, count)| *count > 1).collect();
    assert_eq!(twice, [], "each has one place");
    let pegs = asset("/play.css").unwrap();
    for peg in 0..10 {
        assert_eq!(pegs.matches(&format!(".g{peg}, ")).count(), 1, "{peg}");
    }
}

#[test]
fn the_page_of_a_team_is_told_in_two_languages() {
    let mut published = published(&[line("red", 1, even())], Value::Null, None);
    let own =
        SubmittedVersion { label: "red".to_owned(), team: "red".to_owned(), version: 1, ..SubmittedVersion::default() };
    published.submissions = Some(vec![own]);
    let site = Site::new(published);
    let form = UploadForm { is_open: true, largest: "1 MB".to_owned(), ..UploadForm::default() };
    let page = |language| team_page("l", "red", Some((LadderId(1), &site)), Some(&form), language);
    for (language, mark, said) in [
        (Language::English, "lang=\"en\"", ["Team red", "Submit", "Submitted", "Matches", "None yet."]),
        (Language::French, "lang=\"fr\"", ["Équipe red", "Rendre", "Rendu", "Parties", "Aucune pour l’instant."]),
    ] {
        let page = page(language);
        assert!(page.contains(mark), "{page}");
        for text in said {
            assert!(page.contains(&format!(">{text}<")), "{text}: {page}");
        }
    }
    let row = "version 2</td>";
    assert!(!page(Language::English).contains(row));
    let taken = |sha256: &str| UploadForm {
        last: Some(UploadResult { is_taken: true, sha256: Some(sha256.to_owned()), ..UploadResult::default() }),
        ..form.clone()
    };
    let page = |sha256| team_page("l", "red", Some((LadderId(1), &site)), Some(&taken(sha256)), Language::English);
    let waits = page("ab");
    assert!(waits.contains(row) && waits.contains(">waits for the ladder<"), "at once: {waits}");
    assert!(!page("").contains(row), "it is the one that is known");
}
