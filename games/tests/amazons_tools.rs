//! The commands of Amazons: what they print, and what they say to a wrong word.
#![allow(clippy::unwrap_used)] // a test that fails may panic

use agon_games::Rules;
use agon_games::amazons::Amazons;

fn run(line: &str) -> Result<String, String> {
    let mut words = line.split_whitespace().map(str::to_owned);
    let name = words.next().unwrap();
    let tool = Amazons::FACTS.tools.iter().find(|tool| tool.name == name).unwrap();
    let read = |path: &str| match path {
        "maps/line.toml" => Ok("title = \"Line\"\npicture = '''\n1..2\n'''".to_owned()),
        _ => Err(format!("cannot read {path}")),
    };
    (tool.run)(&words.collect::<Vec<_>>(), &read)
}

#[test]
fn perft_counts() {
    let out = run("perft mini-3 --depth 3").unwrap();
    let counts: Vec<_> = out.lines().skip(2).map(|line| line.split_whitespace().nth(1).unwrap()).collect();
    assert_eq!(counts, ["29", "518", "6254"]);
    assert!(run("perft square:10 --depth=1 --placement corners").unwrap().contains(" 3632 "));
    assert!(run("perft maps/line.toml --depth 1").unwrap().starts_with("Line\n"));
}

#[test]
fn boards_are_listed_and_shown() {
    let list = run("boards list").unwrap();
    assert!(list.contains("  donut        6 9 12") && list.contains("  standard-10  International 10 x 10"));
    let shown = run("boards show donut:6").unwrap();
    assert!(
        shown.contains("vertices     32 and 4 holes\nedges        168\nqueens       4 a side, player 1 begins\n"),
        "{shown}"
    );
}

#[test]
fn wrong_words_are_told() {
    let cases = [
        ("perft", "name a board, such as standard-10"),
        ("perft square:10 donut:9", "\"donut:9\" is one word too many"),
        ("perft square:10 --depth", "--depth needs a value"),
        ("perft square:10 --depth 0", "--depth is a whole number from 1 to 20"),
        ("perft square:10 --dept 2", "--dept is unknown here; there are --placement, --diagonals, --vacated, --depth"),
        ("perft sqare:10", "did you mean \"square\"?"),
        ("perft maps/none.toml", "cannot read maps/none.toml"),
        ("boards", "say `agon boards list`"),
        ("boards show square:10 --depth 2", "--depth is unknown here"),
        ("boards paint", "`agon boards` has no \"paint\""),
        ("boards list all", "takes no \"all\""),
    ];
    for (line, message) in cases {
        let error = run(line).unwrap_err();
        assert!(error.contains(message), "{line}: {error}");
    }
}
