//! Pages of ladders of one seat, of two and of many: each says what its places follow from, and nothing else.

use agon_games::Language;
use agon_model::StatusKind;
use agon_model::documents::ListedMatch;
use agon_web::{
    AwaitedLadder, FilterChoice, MatchListPage, Published, Site, SubmittedVersion, ladders_page, list_page,
};
use serde_json::{Value, json};

/// A line of the standings.
fn line(place: usize, client: &str, counts: [u64; 3], score: f64) -> Value {
    json!({"place": place, "client": client, "matches": 20, "wins": counts[0], "draws": counts[1], "losses": counts[2],
        "points": {"mean": 0.0, "low": null, "high": null}, "rank": {"mean": 1.0, "low": null, "high": null},
        "score": {"mean": score, "low": score - 0.5, "high": score + 0.5}, "faults": {}, "notices": 0})
}

fn standings(seats: usize, ranked_by: Option<&str>, clients: &[Value]) -> Published {
    let standings = json!({
        "ladder": "l", "game": "g", "seats": seats, "seed": "1", "seed_drawn": true, "matches": 40, "blocks": 40,
        "ranked_by": ranked_by, "clients": clients, "refused": [], "by_setting": [], "void": [], "turns": null, "pairing": null});
    let labels = clients.iter().map(|line| line["client"].as_str().unwrap().to_owned()).collect();
    Published { standings: serde_json::from_value(standings).unwrap(), labels, ..Published::default() }
}

fn pages(published: &Published, language: Language) -> impl Fn(&str) -> String + use<> {
    let files = Site::new(published.clone()).files(language);
    move |path| files.iter().find(|file| file.path == path).unwrap().text.clone()
}

#[test]
fn where_each_plays_alone_scores_count_and_nobody_wins() {
    let mut published = standings(1, Some("low score"), &[line(1, "a", [0; 3], 4.25), line(2, "b", [0; 3], 6.0)]);
    let course = |client: &str, score: f64| {
        let (scores, points): (Vec<f64>, _) = ((0..8).map(|_| score).collect(), [0.0; 8]);
        json!({"client": client, "points": points, "scores": scores})
    };
    let history = |courses: &[Value]| {
        serde_json::from_value(json!({"matches": [1, 2, 3, 4, 5, 6, 7, 8], "clients": courses})).unwrap()
    };
    published.history = Some(history(&[course("a", 4.25), course("b", 6.0)]));
    let page = pages(&published, Language::English);
    let client = page("client/1.html");
    for said in
        ["Place 1 of 2 with a mean score of 4.250", "3.750 to 4.750", "the lower the better", ">20 matches", "Faults 0"]
    {
        assert!(client.contains(said), "{said}: {client}");
    }
    for not in ["points a match", "Won 0", "Lost 0", "Opponents", "Best wins", "Worst losses"] {
        assert!(!client.contains(not), "{not}: {client}");
    }
    let first = page("index.html");
    assert!(first.contains("Mean score after") && first.contains("a 4.250, b 6.000"), "{first}");
    for not in ["crosstable", "Mean points"] {
        assert!(!first.contains(not), "{not}: {first}");
    }
    // A history of points says nothing here.
    let short = json!({"matches": [8], "clients": [{"client": "a", "points": [0.0]}]});
    published.history = serde_json::from_value(short).unwrap();
    assert!(!pages(&published, Language::English)("index.html").contains("id=\"history\""));
}

#[test]
fn where_several_play_opponents_are_beaten_and_a_match_is_either_won_or_lost() {
    let clients = ["a", "b", "c"];
    let lines: Vec<Value> =
        clients.iter().zip(1..).map(|(client, place)| line(place, client, [156, 3, 21], 1.0)).collect();
    let mut published = standings(3, None, &lines);
    let seat =
        |(client, rank): (&&str, &u32)| json!({"label": client, "rank": rank, "score": 0, "fault": null, "notices": 0});
    let found = |(id, ranks): (&str, [u32; 3])| {
        let seats: Vec<Value> = clients.iter().zip(&ranks).map(seat).collect();
        json!({"id": id, "setting": "s", "ending": "over", "plies": 3, "seats": seats})
    };
    let matches = [("1-a", [1, 2, 3]), ("2-a", [2, 1, 3]), ("3-a", [3, 2, 1])].map(found);
    published.matches = serde_json::from_value(json!(matches)).unwrap();
    published.replays = ["1-a", "2-a", "3-a"].map(str::to_owned).into();
    for (language, words) in [
        (Language::English, ["Beaten 156", "Level 3", "Behind 21"]),
        (Language::French, ["Battus 156", "Égaux 3", "Devant lui 21"]),
    ] {
        let client = pages(&published, language)("client/1.html");
        assert!(words.iter().all(|word| client.contains(word)) && !client.contains("Won"), "{client}");
    }
    published.scores = vec![((0, 1), [1, 0, 2]), ((1, 0), [2, 0, 1])];
    let page = pages(&published, Language::English);
    let pair = page("vs/1-2.html");
    for said in [
        "<strong>1 : 2</strong>",
        "title=\"1-a\">seats 1 – 2</a></td><td><strong>1 of 3<span aria-hidden=\"true\">\u{a0}✓</span>",
        "<td>2 of 3, score 0</td>",
    ] {
        assert!(pair.contains(said), "{said}: {pair}");
    }
    assert!(!pair.contains("<code>"), "ids are no names: {pair}");
    let client = page("client/1.html");
    assert!(client.contains(">rank 1 of 3</a>: <strong><bdi class=\"own\">a</bdi>"), "{client}");
    let (best, rest) = client.split_once("Best matches").unwrap().1.split_once("Worst matches").unwrap();
    let (worst, newest) = rest.split_once("Newest matches").unwrap();
    let has = |part: &str| ["1-a", "2-a", "3-a"].map(|id| part.contains(id));
    let expected = [[true, true, false], [false, false, true], [true; 3]];
    assert_eq!([has(best), has(worst), has(newest)], expected, "each is best or worst, by its rank");
}

#[test]
fn a_match_of_many_is_told_by_rank_and_with_whom_was_asked_for() {
    let seat = |(label, rank): (&str, u32)| json!({"label": label, "rank": rank, "score": 10 * rank, "fault": null, "notices": 0});
    let seats = [("a", 5), ("b", 1), ("c", 3), ("d", 2), ("e", 4)].map(seat);
    let found = json!({"id": "1-a", "setting": "s", "ending": "over", "plies": 3, "seats": seats});
    let matches: Vec<ListedMatch> = serde_json::from_value(json!([found])).unwrap();
    let choice = |chosen: &str| FilterChoice {
        key: "client",
        title: "Client",
        options: vec![("1".to_owned(), "a".to_owned())],
        chosen: chosen.to_owned(),
    };
    let row = |chosen: &str| {
        let choices = [choice(chosen)];
        let page = list_page(list("l", &matches, &choices));
        let row = page.split("<tbody>").nth(1).unwrap().split("</td>").next().unwrap().to_owned();
        row.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect::<String>()
    };
    assert_eq!(row(""), "b\u{a0}✓, winner (10), d (20), c (30) and 2 more");
    assert_eq!(row("1"), "b\u{a0}✓, winner (10), d (20), c (30) … 5. a (50) and 1 more");
}

/// A page of all matches.
fn list<'a>(ladder: &'a str, matches: &'a [ListedMatch], choices: &'a [FilterChoice]) -> MatchListPage<'a> {
    MatchListPage {
        ladder,
        matches,
        has_newer: false,
        has_older: false,
        searched_to: None,
        up: "",
        filter: "",
        longest_first: false,
        other_order: "",
        choices,
        ways: Default::default(),
        language: Language::English,
    }
}

#[test]
fn a_list_of_matches_marks_who_won_by_more_than_weight() {
    let seat = |label: &str, rank: u32| json!({"label": label, "rank": rank, "score": 0, "fault": null, "notices": 0});
    let found =
        json!({"id": "1-a", "setting": "s", "ending": "over", "plies": 3, "seats": [seat("a", 2), seat("b", 1)]});
    let matches: Vec<ListedMatch> = serde_json::from_value(json!([found])).unwrap();
    let page = list_page(list("l", &matches, &[]));
    let row = page.split("<tbody>").nth(1).unwrap();
    assert!(row.contains("b</bdi><span aria-hidden=\"true\">\u{a0}✓</span>") && !row.contains("a</bdi><span"), "{row}");
}

#[test]
fn a_french_ladder_is_french_as_far_as_its_links_lead() {
    let mut published = standings(2, None, &[line(1, "a", [1, 0, 0], 1.0)]);
    (published.plays, published.is_served) = (true, true);
    let version = |status: StatusKind| SubmittedVersion { status: Some(status), ..SubmittedVersion::default() };
    published.submissions = Some(vec![version(StatusKind::Playing), version(StatusKind::FileGone)]);
    published.test = serde_json::from_value(
        json!({"new": "a", "base": "b", "scale": "normalised Elo", "elo0": 0.0, "elo1": 5.0, "alpha": 0.05, "beta": 0.05,
            "pairs": 10, "pentanomial": [0, 1, 2, 3, 4], "llr": 2.95, "lower": -2.944, "upper": 2.944, "verdict": "H1",
            "logistic_elo_as_counted": {"elo": 443.4, "low": 371.0, "high": null}}),
    )
    .unwrap();
    let made = Site::new(published);
    let french = made.page("index.html", None, Language::French).unwrap();
    for said in
        ["href=\"play.fr.html\"", "Elo normalisé", "-2,944 et 2,944", "+443 Elo [+371, ouverte]", "Points d’une paire"]
    {
        assert!(french.contains(said), "{said}: {french}");
    }
    let english = made.page("index.html", None, Language::English).unwrap();
    for said in ["href=\"play.html\"", "normalised Elo", "+443 Elo [+371, open]", "the log likelihood ratio between"] {
        assert!(english.contains(said), "{said}: {english}");
    }
    for (worth, count) in ["0", "½", "1", "1½", "2"].into_iter().zip(0..) {
        let row = english.split(&format!("<td class=\"r\">{worth}</td><td><svg")).nth(1).unwrap();
        assert!(row.split("</td>").next().unwrap().ends_with(&format!("</svg> {count}")), "{worth}: {row}");
    }
    let submissions = made.page("submissions.html", None, Language::French).unwrap();
    assert!(submissions.contains(">joue<") && submissions.contains(">fichier disparu<"), "{submissions}");
}

#[test]
fn before_a_ladder_begins_its_page_says_what_is_awaited() {
    let awaited = AwaitedLadder {
        name: "<b>class".to_owned(),
        game: Some("amazons".to_owned()),
        closing: Some("2026-12-01 18:00".to_owned()),
        teams: vec!["red".to_owned(), "<i>blue".to_owned()],
        refused: vec![("<u>late".to_owned(), "a text file, not a <library>".to_owned())],
    };
    let english = ladders_page(&[], Some(&awaited), false, Language::English);
    for said in [
        "&lt;b&gt;class",
        "amazons",
        "2026-12-01 18:00",
        ">red<",
        "&lt;i&gt;blue",
        "has not begun",
        "&lt;u&gt;late",
        "not a &lt;library&gt;",
    ] {
        assert!(english.contains(said), "{said}: {english}");
    }
    assert!(ladders_page(&[], Some(&awaited), false, Language::French).contains("Heure limite"));
    assert!(ladders_page(&[], None, false, Language::English).contains("There is nothing yet"));
}
