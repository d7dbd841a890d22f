//! The commands of Amazons: what they print, and what they say to a wrong word.

use agon_games::Rules;
use agon_games::amazons::Amazons;

const RING: &str = "%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 3\n2 3 3\n3 1 3\n";

fn run(line: &str) -> Result<String, String> {
    let mut words = line.split_whitespace().map(str::to_owned);
    let name = words.next().unwrap();
    let tool = Amazons::FACTS.tools.iter().find(|tool| tool.name == name).unwrap();
    let read = |path: &str| match path {
        "maps/line.toml" => Ok("title = \"Line\"\npicture = '''\n1..2\n'''".to_owned()),
        "maps/ragged.toml" => Ok("picture = '''\n1..\n..\n..2\n'''\n".to_owned()),
        "maps/stuck.toml" => Ok("picture = '''\n1x..2\n'''\n".to_owned()),
        "ring.mtx" => Ok(RING.to_owned()),
        "after-one.txt" => Ok("1=a4,d7,g1,j4\n2=a7,d10,g10,j7\nx=g7 move=2 # after d1-d7/g7\n".to_owned()),
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
        ("perft square:10 --foo", "--foo is unknown here; there are "),
        ("boards show donut:9 --foo", "--foo is unknown here; there are "),
        ("perft square:10 --depth 0", "--depth is a whole number from 1 to 20"),
        (
            "perft square:10 --dept 2",
            "--dept is unknown here; there are --placement, --diagonals, --vacated, --from, --depth",
        ),
        ("perft sqare:10", "did you mean \"square\"?"),
        ("perft maps/none.toml", "cannot read maps/none.toml"),
        ("boards", "say what to do: agon boards, and one of list, show, check, export, import, new"),
        ("boards show square:10 --depth 2", "--depth is unknown here"),
        ("boards paint", "`agon boards` has no \"paint\""),
        ("boards list all", "takes no \"all\""),
        ("boards check", "name a map file"),
        ("boards check nowhere.toml", "cannot read nowhere.toml"),
        ("boards check maps/ragged.toml", "maps/ragged.toml:3:3: this row has 2 squares and the first has 3"),
        ("boards export square:5 --format png", "--format is toml, mtx, dot or text, not \"png\""),
        ("boards import ring.mtx", "place them with --queens"),
        ("boards import ring.mtx --queens 1=0/2=3", "the queens: line 1, column 7: there is no vertex \"3\""),
        ("boards import maps/line.toml --queens 1=0/2=1", "maps/line.toml:1:1: a graph begins with the line"),
        ("boards new donut:10", "the nearest good widths are 9 and 12"),
    ];
    for (line, message) in cases {
        let error = run(line).unwrap_err();
        assert!(error.contains(message), "{line}: {error}");
    }
}

#[test]
fn perft_from_a_position() {
    let inline = run("perft standard-10 --depth 2 --from 1=a4,d7,g1,j4/2=a7,d10,g10,j7/x=g7/move=2").unwrap();
    let file = run("perft standard-10 --depth 2 --from after-one.txt").unwrap();
    assert!(inline.contains(" 2423006 ") && file.contains(" 2423006 "), "{inline}{file}");
    let shown = run("boards show standard-10 --from after-one.txt").unwrap();
    assert!(shown.ends_with("position     1=d7,a4,j4,g1/2=d10,g10,a7,j7/x=g7/move=2\n"), "{shown}");
}

#[test]
fn maps_are_checked() {
    assert_eq!(
        run("boards check standard-10").unwrap(),
        "standard-10: International 10 x 10, 100 vertices, 684 edges, 4 queens a side; nothing odd\n"
    );
    let stuck = run("boards check maps/stuck.toml").unwrap();
    let lines: Vec<_> = stuck.lines().collect();
    assert_eq!(
        lines,
        [
            "maps/stuck.toml:2:1: warning: the queen on a1 is isolated: it can never move",
            "maps/stuck.toml: warning: player 1 begins and has no move: the match is over at once",
            "maps/stuck.toml: map, 5 vertices, 8 edges, 1 queen a side; 2 warnings",
        ]
    );
}

#[test]
fn boards_become_texts() {
    let export = |format: &str| run(&format!("boards export mini-3 --format {format}")).unwrap();
    assert_eq!(export("toml"), "title = \"Mini 3 x 3\"\npicture = \"\"\"\n..2\n...\n1..\n\"\"\"\n");
    assert_eq!(export("toml"), run("boards export mini-3").unwrap());
    assert!(export("mtx").starts_with("%%MatrixMarket matrix coordinate integer general\n"));
    assert!(export("dot").starts_with("digraph \"Mini 3 x 3\" {\n"));
    assert_eq!(export("text"), "3 .  .  2\n2 .  .  .\n1 1  .  .\n  a  b  c\n");
    let new = run("boards new donut:6").unwrap();
    assert!(new.starts_with("# . is free, # a hole") && new.contains("\n..##..\n"), "{new}");
}

#[test]
fn graphs_become_maps() {
    let map = run("boards import ring.mtx --queens 1=0/2=2/move=2 --title Ring").unwrap();
    assert!(
        map.starts_with("title = \"Ring\"\nto_move = 2\nqueens = [[0], [2]]\ngraph = \"\"\"\n%%MatrixMarket"),
        "{map}"
    );
}
