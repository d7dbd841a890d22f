//! Each level of a client scores more than the one below, and the lowest is far behind the highest: in matches that are
//! the same on every machine, since seeds and searches are fixed and no clock cuts them short.

use crate::builder::Arena;

/// The levels of a client, the lowest first.
struct Levels {
    client: &'static str,
    options: &'static [&'static str],
    /// Options of the game.
    game: &'static [&'static str],
    matches: &'static str,
}

impl Levels {
    fn are_in_order(&self) {
        let arena = Arena::new();
        arena.rust_client(self.client);
        for pair in self.options.windows(2) {
            let share = self.share(&arena, pair[1], pair[0]);
            assert!(share > 0.5, "{}: {} scored {share} against {}", self.client, pair[1], pair[0]);
        }
        let (lowest, highest) = (self.options[0], self.options[self.options.len() - 1]);
        let share = self.share(&arena, highest, lowest);
        assert!(share >= 0.75, "{}: {highest} scored {share} against {lowest}", self.client);
    }

    /// The points of the first against the other.
    fn share(&self, arena: &Arena, first: &str, other: &str) -> f64 {
        let names = [first, other].map(|options| format!("{}:{options}", self.client));
        let fixed = ["-n", self.matches, "-s", "1", "--time", "10min", "--isolation", "none", "--json", "-q"];
        let mut words = vec!["match", &names[0], &names[1]];
        words.extend(fixed);
        words.extend(self.game.iter().flat_map(|option| ["-o", option]));
        let shown = arena.agon(words).well().json();
        let clients = shown["clients"].as_array().unwrap();
        assert_eq!(clients.iter().map(|client| client["faults"].as_object().unwrap().len()).sum::<usize>(), 0);
        let first = clients.iter().find(|client| client["client"] == names[0].as_str()).unwrap();
        first["points"]["mean"].as_f64().unwrap()
    }
}

#[test]
fn levels_of_grundy_are_in_order() {
    Levels { client: "grundy", options: &["level=1", "level=2", "level=3"], game: &[], matches: "100" }.are_in_order();
}

#[test]
fn levels_of_mastermind_are_in_order() {
    let options = &["level=1", "level=2", "level=3"];
    Levels { client: "mastermind", options, game: &["pegs=3"], matches: "60" }.are_in_order();
}

#[test]
#[ignore = "searches to the end, optimised for a minute: cargo test --release -p agon level_order:: -- --ignored"]
fn levels_of_tirs_croises_are_in_order() {
    let options = &["level=1", "level=2", "level=3"];
    Levels { client: "tirs", options, game: &["size=5"], matches: "40" }.are_in_order();
}

#[test]
fn levels_of_six_qui_prend_are_in_order() {
    let options = &["level=1", "level=2", "level=3,samples=1000"];
    Levels { client: "six-best", options, game: &[], matches: "40" }.are_in_order();
}

/// Those below 5 see moves wrongly, those above search.
#[test]
fn levels_of_amazons_are_in_order() {
    let options = &["level=1", "level=3", "level=5", "level=10,nodes=2000"];
    let game = &["board=square:6", "opening=2"];
    Levels { client: "alphabeta", options, game, matches: "20" }.are_in_order();
    Levels { client: "mcts", options: &["level=2", "level=10,nodes=2000"], game, matches: "20" }.are_in_order();
}
