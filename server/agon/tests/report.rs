//! What is shown of a record, compared with files in `golden/`; `AGON_BLESS=1` writes them anew.

mod one_match;

use crate::builder::golden;
use agon_games::{AnyGame, GAMES};
use agon_model::*;
use agon_record::{EachOutcome, Listed};
use agon_report::{Crosstable, Grading, MatchList, RatingInput, RatingTable, SortKey, Standings, TableFormat};
use std::collections::BTreeMap;
use std::convert::Infallible;

const POINTS: Points = Points { win: 1_000, draw: 500, loss: 0, crash: None };

fn game(name: &str) -> &'static dyn AnyGame {
    *GAMES.iter().find(|game| game.facts().name == name).unwrap()
}

fn entrant(label: &str, refused: Option<&str>) -> Entrant {
    Entrant {
        label: label.to_owned(),
        file: format!("{label}.so"),
        hash: "3f9a".repeat(16),
        options: BTreeMap::new(),
        refused: refused.map(str::to_owned),
    }
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn ladder(name: &str, seats: usize, settings: &[(&str, &[(&str, &str)])]) -> LadderRow {
    LadderRow {
        id: LadderId(1),
        name: "class".to_owned(),
        game: name.to_owned(),
        seats,
        seed: 42,
        seed_drawn: true,
        terms: owned(&[("game", name), ("time.per_move", "1s"), ("options.1.board", "...")]).into(),
        settings: settings
            .iter()
            .map(|(name, options)| ((*name).to_owned(), owned(options).into_iter().collect()))
            .collect(),
    }
}

fn outcome(entrant: usize, rank: u32, score: i64, fault: Option<FaultKind>) -> SeatOutcome {
    SeatOutcome { entrant, rank, score, fault, notices: u32::from(fault.is_some()) }
}

/// A match of a block, on a setting, from a start.
fn ended(block: i64, (setting, start): (usize, u64), id: &str, seats: &[SeatOutcome]) -> MatchOutcome {
    let (id, seats, start) = (id.to_owned(), seats.to_vec(), start);
    MatchOutcome { block: BlockRow(block), setting, opening: 0, id, start, moves_hash: 0, seats }
}

/// Three clients of which the first wins always, the second two thirds of the rest; each pair in both seats, many
/// times.
fn two_seats(reversed: bool) -> Standings {
    let mut blocks: Vec<(i64, usize, usize, usize)> = Vec::new();
    for number in 0..36 {
        let (a, b) = [(0, 1), (0, 2), (1, 2)][number % 3];
        blocks.push((number as i64, number % 2, a, b));
    }
    if reversed {
        blocks.reverse();
    }
    let entrants = vec![
        entrant("alpha", None),
        entrant("be\x1bta", None),
        entrant("gamma", None),
        entrant("delta", Some("load-failure: no `play`")),
    ];
    let voids = vec![("0bad".to_owned(), "the host did not start".to_owned(), 3)];
    let settings: &[(&str, &[(&str, &str)])] = &[("square:10", &[]), ("donut:9", &[])];
    let each = |add: &mut EachOutcome<'_>| {
        for (number, setting, a, b) in blocks {
            let upset = a == 1 && number % 9 == 2;
            let fault = (a == 0 && number % 6 == 0).then_some(FaultKind::CpuTime);
            let seats = |first, second| {
                let wins = |entrant| (entrant == a) != upset;
                let seat =
                    |entrant| if wins(entrant) { outcome(entrant, 1, 1, None) } else { outcome(entrant, 2, 0, fault) };
                [seat(first), seat(second)]
            };
            let start = (setting, 1 + number as u64);
            add(&ended(number, start, &format!("{number:04x}-a"), &seats(a, b)));
            add(&ended(number, start, &format!("{number:04x}-b"), &seats(b, a)));
        }
        Ok::<(), Infallible>(())
    };
    Standings::gather(ladder("amazons", 2, settings), entrants, voids, POINTS, false, each).unwrap()
}

/// `alpha` has won three matches in four, two of them against `beta`.
fn graded(formula: &str) -> Standings {
    let entrants = || ["alpha", "beta", "gamma"].map(|label| entrant(label, None)).to_vec();
    let matches = || {
        [(0, 1), (0, 1), (0, 2), (2, 0)].into_iter().enumerate().map(|(number, (best, other))| {
            let start = (0, 1 + number as u64);
            ended(
                number as i64,
                start,
                &format!("{number:04x}-a"),
                &[outcome(best, 1, 1, None), outcome(other, 2, 0, None)],
            )
        })
    };
    let toml = format!("[ladder]\ngame = \"amazons\"\n[grades]\nformula = {formula:?}\n");
    let about = agon_config::read_location(&toml, "class.toml", std::path::Path::new("")).unwrap();
    let mut grading = Grading::new(about.grades, &entrants());
    matches().for_each(|outcome| grading.add(&outcome, POINTS));
    let each = |add: &mut EachOutcome<'_>| {
        matches().for_each(|outcome| add(&outcome));
        Ok::<(), Infallible>(())
    };
    let settings: &[(&str, &[(&str, &str)])] = &[("square:10", &[])];
    let all = Standings::gather(ladder("amazons", 2, settings), entrants(), Vec::new(), POINTS, false, each).unwrap();
    all.with_grades(&grading)
}

/// Client and grade of each line, in the order of the table.
fn grades(standings: &Standings) -> Vec<(String, String)> {
    let csv = standings.table(TableFormat::Csv);
    let mut lines = csv.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let place = lines.next().unwrap().iter().position(|title| title == "grade").unwrap();
    lines.map(|cells| (cells[1].clone(), cells[place].clone())).collect()
}

#[test]
fn grades_follow_from_a_formula() {
    let given = |formula: &str| grades(&graded(formula)).into_iter().map(|(_, grade)| grade).collect::<Vec<_>>();
    assert_eq!(given("10 + 10 * points"), ["17.5", "15", "10"]);
    assert_eq!(given("6 * share + rank"), ["7", "5", "3"]);
    let against = graded("20 * against('beta')");
    assert_eq!(grades(&against)[0], ("alpha".to_owned(), "20".to_owned()));
    assert_eq!(grades(&against)[1], ("gamma".to_owned(), "no grade: no match against beta".to_owned()));
    let notices: Vec<String> = against.grade_notices().collect();
    assert_eq!(notices, ["gamma gets no grade: no match against beta"], "beta has not met itself, which is no news");
    let divided = graded("1 / (points - 0.5)");
    assert_eq!(grades(&divided)[1].1, "no grade: division by zero");
    assert_eq!(divided.grade_notices().collect::<Vec<_>>(), ["gamma gets no grade: division by zero"]);
    assert_eq!(grades(&graded("against('nobody')"))[0].1, "no grade: the record has no client nobody");
}

#[test]
fn where_each_plays_alone_scores_count() {
    let each = |add: &mut EachOutcome<'_>| {
        for number in 0..12 {
            let start = (0, 1 + number as u64);
            add(&ended(
                number,
                start,
                &format!("{number:04x}-a"),
                &[outcome((number % 2) as usize, 1, 4 + number % 2, None)],
            ));
        }
        Ok::<(), Infallible>(())
    };
    let entrants = vec![entrant("quick", None), entrant("slow", None)];
    let settings: &[(&str, &[(&str, &str)])] = &[("standard", &[])];
    let mut all =
        Standings::gather(ladder("mastermind", 1, settings), entrants, Vec::new(), POINTS, false, each).unwrap();
    all.alone = Some(false);
    let text = all.text();
    let order = |text: &str| -> Vec<String> {
        let words = |line: &str| line.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
        text.lines().filter(|line| line.starts_with(['1', '2'])).map(words).collect()
    };
    assert_eq!(order(&text), ["1 quick 4.000", "2 slow 5.000"], "{text}");
    assert!(text.contains("lower is better") && !text.contains("points"), "{text}");
    all.alone = Some(true);
    let most = all.text();
    assert!(order(&most) == ["1 slow 5.000", "2 quick 4.000"] && most.contains("higher is better"), "{most}");
}

/// The lines below the table of one match on each of these boards and openings; `name` is the ladder's.
fn small_print(name: &str, starts: &[(usize, u64)]) -> Vec<String> {
    let settings: &[(&str, &[(&str, &str)])] = &[("square:6", &[]), ("donut:6", &[])];
    let row = LadderRow { name: name.to_owned(), ..ladder("amazons", 2, settings) };
    let each = |add: &mut EachOutcome<'_>| {
        for (number, start) in (0..).zip(starts) {
            add(&ended(number, *start, &format!("{number:04x}-a"), &[outcome(0, 1, 1, None), outcome(1, 2, 0, None)]));
        }
        Ok::<(), Infallible>(())
    };
    let entrants = vec![entrant("alpha", None), entrant("beta", None)];
    let mut all = Standings::gather(row, entrants, Vec::new(), POINTS, false, each).unwrap();
    let game = GAMES.iter().find(|game| game.facts().name == "amazons").unwrap();
    all.varied = all.option_to_vary(*game);
    all.text().lines().map(str::to_owned).collect()
}

#[test]
fn it_is_said_where_all_matches_of_a_setting_began_from_one_position() {
    for (starts, told) in [
        (&[(0, 1), (0, 1)][..], "all openings are the same position: the intervals describe only that position"),
        (
            &[(0, 1), (0, 1), (1, 1), (1, 1)],
            "in each setting, all openings are the same position: the intervals describe only these",
        ),
        (
            &[(0, 1), (0, 2), (1, 1), (1, 1)],
            "in each of these settings, all openings are the same position; the intervals describe only that: donut:6",
        ),
    ] {
        let lines = small_print("class", starts);
        assert!(lines.iter().any(|line| line == told), "{lines:?}");
    }
    let lines = small_print("class", &[(0, 1), (0, 2), (1, 1), (1, 2)]);
    assert!(!lines.iter().any(|line| line.contains("one position")), "{lines:?}");
}

#[test]
fn where_too_little_was_played_the_table_names_what_to_type() {
    let told = "too few openings to compare these clients; help: add ";
    for (name, with) in [
        ("match", "--openings 10 -o opening=4"),
        ("class", "openings = 10 below [ladder], and opening = 4 below [options]"),
    ] {
        let lines = small_print(name, &[(0, 1)]);
        assert!(lines.contains(&format!("{told}{with}")), "{lines:?}");
        assert!(
            lines.iter().any(|line| line.ends_with("from and to, its 95 % interval, need two blocks or more")),
            "{lines:?}"
        );
    }
}

#[test]
fn standings_of_two_seats() {
    golden("standings.txt", &two_seats(false).text());
    golden("standings.json", &two_seats(false).json());
}

#[test]
fn the_same_results_in_another_order_give_the_same_bytes_except_for_the_first_fault() {
    let [text, json] = [two_seats(true).text(), two_seats(true).json()];
    assert!(text.contains("001e-a") && json.contains("\"first_fault\": \"001e-a\""), "the one played first: {text}");
    assert_eq!(two_seats(false).text(), text.replace("001e-a", "0000-a"));
    assert_eq!(two_seats(false).json(), json.replace("001e-a", "0000-a"));
}

#[test]
fn standings_of_more_seats_show_ranks_and_scores() {
    let each = |add: &mut EachOutcome<'_>| {
        for number in 0..4 {
            let seats = [outcome(0, 1, 3, None), outcome(1, 2, 8 + number, None), outcome(2, 2, 8 + number, None)];
            add(&ended(number, (0, 1 + number as u64), &format!("{number:04x}-a"), &seats));
        }
        Ok::<(), Infallible>(())
    };
    let entrants = vec![entrant("middle", None), entrant("largest", None), entrant("random", None)];
    let standings =
        Standings::gather(ladder("six_qui_prend", 3, &[("standard", &[])]), entrants, Vec::new(), POINTS, false, each);
    golden("standings-three.txt", &standings.unwrap().text());
}

#[test]
fn standings_by_line_up_tell_who_fares_how_with_whom() {
    let each = |add: &mut EachOutcome<'_>| {
        for number in 0..3 {
            let id = format!("{number:04x}-a");
            let all = [outcome(2, 1, 3 + number, None), outcome(0, 2, 8, None), outcome(1, 3, 9, None)];
            let twice = [outcome(1, 1, 2, None), outcome(0, 2, 4, None), outcome(1, 3, 6 + number, None)];
            add(&ended(2 * number, (0, 1 + number as u64), &id, &all));
            add(&ended(2 * number + 1, (0, 1 + number as u64), &id, &twice));
        }
        Ok::<(), Infallible>(())
    };
    let entrants = vec![entrant("middle", None), entrant("largest", None), entrant("random", None)];
    let row = ladder("six_qui_prend", 3, &[("standard", &[])]);
    let standings = Standings::gather(row, entrants, Vec::new(), POINTS, true, each).unwrap();
    golden("standings-lineups.txt", &standings.text());
    golden("standings-lineups.json", &standings.json());
}

/// A match for the ratings: whom it was between, best first, equal ranks after the first where `ranks` says so.
fn rated(number: u64, seats: &[(usize, u32)]) -> MatchOutcome {
    let seats: Vec<_> = seats.iter().map(|&(entrant, rank)| outcome(entrant, rank, 0, None)).collect();
    MatchOutcome { moves_hash: number, ..ended(number as i64 / 2, (0, 1 + number / 2), "", &seats) }
}

fn fit(row: &LadderRow, entrants: &[Entrant], matches: &[MatchOutcome]) -> Result<RatingTable, String> {
    let mut results = RatingInput::new(row.seats);
    matches.iter().for_each(|found| results.add(found));
    RatingTable::fit(row, entrants, results)
}

#[test]
fn ratings_tell_who_is_separated() {
    let entrants = vec![entrant("alpha", None), entrant("beta", None), entrant("gamma", None), entrant("idle", None)];
    let mut matches = Vec::new();
    for number in 0..120u64 {
        // alpha and beta are close, gamma wins one of eight.
        let close = if number % 9 < 5 { (1, 2) } else { (2, 1) };
        matches.push(rated(3 * number, &[(0, close.0), (1, close.1)]));
        let upset = if number % 8 == 0 { (2, 1) } else { (1, 2) };
        matches.push(rated(3 * number + 1, &[(0, upset.0), (2, upset.1)]));
        let drawn = if number % 8 == 0 { (1, 1) } else { (1, 2) };
        matches.push(rated(3 * number + 2, &[(2, drawn.1), (1, drawn.0)]));
    }
    let row = ladder("amazons", 2, &[("square:10", &[])]);
    let table = fit(&row, &entrants, &matches).unwrap();
    golden("ratings.txt", &table.write(TableFormat::Text));
    golden("ratings.json", &table.json());
    let mut crosstable = Crosstable::default();
    matches.iter().for_each(|found| crosstable.add(found));
    golden("crosstable.txt", &crosstable.write(&entrants, TableFormat::Text));
    let mut shuffled = matches.clone();
    shuffled.reverse();
    assert_eq!(fit(&row, &entrants, &shuffled).unwrap().json(), table.json());
    let nobody = fit(&row, &entrants, &[]).unwrap_err();
    assert!(nobody.contains("help: run the ladder first"), "{nobody}");
}

#[test]
fn ratings_of_who_won_everything_say_what_is_known() {
    let entrants = ["alpha", "beta", "gamma", "delta"].map(|label| entrant(label, None)).to_vec();
    let mut matches = Vec::new();
    // alpha and beta beat gamma five times and never met; gamma beat delta twice.
    for (block, (one, other)) in [(0, 2), (1, 2)].repeat(5).into_iter().chain([(2, 3); 2]).enumerate() {
        matches.push(rated(2 * block as u64, &[(one, 1), (other, 2)]));
        matches.push(rated(2 * block as u64 + 1, &[(other, 2), (one, 1)]));
    }
    let row = ladder("amazons", 2, &[("square:10", &[])]);
    let table = fit(&row, &entrants, &matches).unwrap();
    golden("ratings-open.txt", &table.write(TableFormat::Text));
    let json: serde_json::Value = serde_json::from_str(&table.json()).unwrap();
    let over = |client: usize| &json["clients"][client]["over_next"];
    assert!(over(0).is_null() && over(1)["low"].as_f64().unwrap() > 0.0 && over(1)["high"].is_null(), "{json}");
}

#[test]
fn ratings_of_more_seats() {
    let entrants = vec![entrant("alpha", None), entrant("beta", None), entrant("gamma", None)];
    let matches: Vec<_> = (0..90u64)
        .map(|number| rated(number, &[(0, 1 + (number % 4 == 0) as u32), (1, 1 + (number % 4 != 0) as u32), (2, 3)]))
        .collect();
    let row = ladder("six_qui_prend", 3, &[("standard", &[])]);
    let text = fit(&row, &entrants, &matches).unwrap().write(TableFormat::Csv);
    let order: Vec<&str> = text.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(order, ["alpha", "beta", "gamma"], "{text}");
}

#[test]
fn the_table_has_other_orders_and_forms() {
    let by = |sort| {
        let mut standings = two_seats(false);
        standings.sort = sort;
        standings.table(TableFormat::Csv)
    };
    let labels =
        |text: String| text.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().to_owned()).collect::<Vec<_>>();
    let mut sorted = labels(by(SortKey::Points));
    sorted.sort();
    assert_eq!(labels(by(SortKey::Client)), sorted);
    assert!(two_seats(false).table(TableFormat::Markdown).starts_with("| # | client | points |"));
    let refused = by(SortKey::Points).lines().last().unwrap().to_owned();
    assert!(refused.starts_with(",delta,-,") && refused.contains(",refused,"), "all are in it: {refused}");
    assert!(by(SortKey::Points).lines().next().unwrap().ends_with(",status,why"));
}

#[test]
fn an_empty_ladder_has_a_table_too() {
    let each = |_: &mut EachOutcome<'_>| Ok::<(), Infallible>(());
    let row = ladder("amazons", 2, &[("square:10", &[])]);
    let standings =
        Standings::gather(row, vec![entrant("a", None), entrant("b", None)], Vec::new(), POINTS, false, each);
    golden("standings-empty.txt", &standings.unwrap().text());
}

#[test]
fn matches_are_listed() {
    let line = |id: &str, ending: Ending, fault| Listed {
        id: id.to_owned(),
        setting: 0,
        ending,
        plies: 61,
        started: 0,
        seats: vec![outcome(0, 1, 0, None), SeatOutcome { notices: 0, ..outcome(1, 2, 0, fault) }],
    };
    let matches =
        [line("3f9a1c20-a", Ending::Over, None), line("3f9a1c20-b", Ending::Fault, Some(FaultKind::IllegalMove))];
    let ladder = ladder("amazons", 2, &[("donut:9", &[])]);
    let entrants = [entrant("alpha", None), entrant("be\x1bta", None)];
    let list = MatchList { ladder: &ladder, entrants: &entrants, matches: &matches };
    golden("matches.txt", &list.text());
    golden("matches.json", &list.json());
    assert_eq!(MatchList { matches: &[], ..list }.text(), "no match fits\n");
}
