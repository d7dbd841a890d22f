//! The map of who comes first, on boards small enough to be worked out by hand.

use agon_games::amazons::Amazons;
use agon_games::{AnyGame, GAMES, Game, Language, Opening, Options, Panel};

fn map(board: &str, from: &str, language: Language) -> Panel {
    let mut options = Options::default();
    options.set("board", board);
    options.set("from", from);
    Game::<Amazons>::ENTRY.prepare(&options, 2).unwrap().start(&Opening::ANY).territory(language).unwrap()
}

const WALLED: &str = "title = \"Walled\"\npicture = \"\"\"\n1..x.\n.#.x.\n...x2\n\"\"\"\n";

#[test]
fn a_grid_is_drawn() {
    // A wall without a gap.
    let apart = map(WALLED, "start", Language::English);
    assert_eq!(
        apart.lines,
        [
            "3(1) 1  1  x  2",
            "2 1     1  x  2",
            "1 1  1  1  x (2)",
            "  a  b  c  d  e",
            "player 1: 7, player 2: 2, both: 0, nobody: 0"
        ]
    );
    assert!(apart.title.contains("= (equal)"), "{}", apart.title);
    // A gap at d2: through it the queen on e1 sees c3 as soon as the other does, and comes to c2 and c1 in two moves,
    // as the other.
    let gap = map(WALLED, "1=a3/2=e1/x=d3,d1", Language::English);
    assert_eq!(
        gap.lines,
        [
            "3(1) 1  =  x  2",
            "2 1     =  2  2",
            "1 1  1  =  x (2)",
            "  a  b  c  d  e",
            "player 1: 4, player 2: 3, both: 3, nobody: 0"
        ]
    );
}

#[test]
fn a_graph_is_listed_and_french_is_spoken() {
    let lone = "title = \"Lone\"\nvertices = 5\nqueens = [[0], [4]]\n[[edge]]\nfrom = \"0\"\nto = \"1\"\ndirection = \"E\"\n\
                [[edge]]\nfrom = \"4\"\nto = \"3\"\ndirection = \"W\"\none_way = true\n";
    let map = map(lone, "start", Language::French);
    assert_eq!(
        map.lines,
        [
            "joueur 1 : 1",
            "joueur 2 : 3",
            "les deux :",
            "personne : 2",
            "joueur 1 : 1, joueur 2 : 1, les deux : 0, personne : 1"
        ]
    );
}

#[test]
fn games_without_a_map_say_so() {
    for (game, facts) in GAMES.iter().map(|game| (game, game.facts())).filter(|(_, facts)| facts.name != "amazons") {
        let state = game.prepare(&Options::default(), facts.seats.1).unwrap().start(&Opening::ANY);
        assert_eq!(state.territory(Language::English), None, "{}", facts.name);
    }
}
