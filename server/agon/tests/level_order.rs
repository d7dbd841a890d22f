//! Level 1 of each client is a beginner, and each level scores more than the one below. No clock cuts a search short; the
//! seeds follow from the bytes of the clients, so another compiler plays other matches.

use crate::builder::Arena;

/// The levels of a client, the lowest first.
struct Levels {
    client: &'static str,
    /// A player that knows only the rules.
    random: &'static str,
    options: &'static [&'static str],
    /// Options of the game.
    game: &'static [&'static str],
}

/// Matches that tell a beginner from chance: it scores about 0.6, and 0.07 is two standard errors.
const BEGINNER: &str = "200";

/// Points of the first, with the ends of their 95 % interval.
#[derive(Debug)]
struct Share {
    mean: f64,
    low: f64,
    high: f64,
}

impl Levels {
    fn arena(&self) -> Arena {
        let arena = Arena::new();
        arena.rust_client(self.client);
        if self.random == "random" {
            arena.rust_client("random");
        }
        arena
    }

    /// These of the levels are in order, and the lowest is hardly better than chance.
    fn are_in_order(&self, some: &[usize], matches: &str) {
        let arena = self.arena();
        let beginner = self.share(&arena, &self.name(0), self.random, BEGINNER);
        assert!((0.5..0.9).contains(&beginner.mean), "{}: {beginner:?} against {}", self.name(0), self.random);
        for pair in some.windows(2) {
            let share = self.share(&arena, &self.name(pair[1]), &self.name(pair[0]), matches);
            assert!(share.mean > 0.5, "{}: {share:?}", self.name(pair[1]));
        }
        let (lowest, highest) = (self.name(some[0]), self.name(some[some.len() - 1]));
        let share = self.share(&arena, &highest, &lowest, matches);
        assert!(share.mean >= 0.75, "{highest}: {share:?} against {lowest}");
    }

    /// Each level scores 0.65 to 0.80 against the one below, and the lowest 0.55 to 0.85 against chance.
    fn are_even_steps(&self, matches: &str) {
        let arena = self.arena();
        let mut wrong = Vec::new();
        for number in 0..self.options.len() {
            let below = if number == 0 { self.random.to_owned() } else { self.name(number - 1) };
            let share = self.share(&arena, &self.name(number), &below, matches);
            println!("| {} | {below} | {:.3}, {:.3} to {:.3} |", self.name(number), share.mean, share.low, share.high);
            let (least, most) = if number == 0 { (0.55, 0.85) } else { (0.65, 0.80) };
            if share.high < least || share.low > most {
                wrong.push((self.name(number), share));
            }
        }
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    fn name(&self, number: usize) -> String {
        format!("{}:{}", self.client, self.options[number])
    }

    fn share(&self, arena: &Arena, first: &str, other: &str, matches: &str) -> Share {
        let fixed = ["-n", matches, "-s", "1", "--time", "10min", "--isolation", "none", "--json", "-q"];
        let mut words = vec!["match", first, other];
        words.extend(fixed);
        words.extend(self.game.iter().flat_map(|option| ["-o", option]));
        let shown = arena.agon(words).well().json();
        let clients = shown["clients"].as_array().unwrap();
        assert_eq!(clients.iter().map(|client| client["faults"].as_object().unwrap().len()).sum::<usize>(), 0);
        let points = &clients.iter().find(|client| client["client"] == first).unwrap()["points"];
        let [mean, low, high] = ["mean", "low", "high"].map(|key| points[key].as_f64().unwrap());
        Share { mean, low, high }
    }
}

const GRUNDY: Levels = Levels {
    client: "grundy",
    random: "grundy:version=random",
    options: &["level=1", "level=2", "level=3"],
    game: &[],
};

const MASTERMIND: Levels = Levels {
    client: "mastermind",
    random: "mastermind:strategy=random,mistakes=100",
    options: &["level=1", "level=2", "level=3", "level=4"],
    game: &[],
};

/// The highest with fewer positions.
const TIRS: Levels = Levels {
    client: "tirs",
    random: "tirs:strategy=random",
    options: &[
        "level=1",
        "level=2",
        "level=3",
        "level=4",
        "level=5",
        "level=6",
        "level=7",
        "level=8",
        "nodes=10000,mistakes=0",
    ],
    game: &[],
};

const SIX: Levels = Levels {
    client: "six-best",
    random: "six-best:level=1,mistakes=100",
    options: &["level=1", "level=2", "level=3", "level=4", "level=5", "level=6,samples=4000"],
    game: &[],
};

/// Those below 11 see moves wrongly, those above search.
const AMAZONS: [&str; 13] = [
    "level=1", "level=2", "level=3", "level=4", "level=5", "level=6", "level=7", "level=8", "level=9", "level=10",
    "level=11", "level=12", "level=13",
];

fn amazons(client: &'static str) -> Levels {
    Levels { client, random: "random", options: &AMAZONS, game: &["board=standard-10", "opening=4"] }
}

#[test]
fn levels_of_grundy_are_in_order() {
    GRUNDY.are_in_order(&[0, 1, 2], "100");
}

#[test]
fn levels_of_mastermind_are_in_order() {
    Levels { game: &["pegs=3"], ..MASTERMIND }.are_in_order(&[0, 1, 2, 3], "60");
}

#[test]
fn levels_of_tirs_croises_are_in_order() {
    Levels { game: &["size=5"], ..TIRS }.are_in_order(&[0, 2, 4, 6], "60");
}

#[test]
fn levels_of_six_qui_prend_are_in_order() {
    SIX.are_in_order(&[0, 2, 4], "60");
}

#[test]
fn levels_of_amazons_are_in_order() {
    for client in ["alphabeta", "mcts"] {
        Levels { game: &["board=square:6", "opening=2"], ..amazons(client) }.are_in_order(&[0, 4, 8, 10], "20");
    }
}

#[test]
#[ignore = "some minutes, optimised: cargo test --release -p agon level_order:: -- --ignored --nocapture"]
fn neighbouring_levels_are_even_steps() {
    GRUNDY.are_even_steps("1000");
    MASTERMIND.are_even_steps("800");
    TIRS.are_even_steps("500");
    SIX.are_even_steps("300");
    amazons("alphabeta").are_even_steps("120");
    amazons("mcts").are_even_steps("120");
}
