//! The project's clients play whole matches, every move checked by the rules.

use super::built;
use super::loaded::{LOG, Loaded};
use agon_games::{GAMES, MoveBytes, Opening, Options, PreparedSetting, Seat};
use std::path::{Path, PathBuf};

/// A game with its options given as `key=value` pairs parted by spaces.
fn setting(game: &str, options: &str, seats: usize) -> Box<dyn PreparedSetting> {
    let entry = GAMES.iter().find(|entry| entry.facts().name == game).unwrap();
    let mut given = Options::default();
    for (key, value) in options.split_whitespace().filter_map(|pair| pair.split_once('=')) {
        given.set(key, value);
    }
    entry.prepare(&given, seats).unwrap()
}

/// Plays a match, each seat by a library and its options; returns the best seat, and all moves of the match.
fn play(setting: &dyn PreparedSetting, players: &[(&Path, &str)], seed: u8) -> (Seat, Vec<MoveBytes>) {
    let mut state = setting.start(&Opening { number: 0, seed: [seed; 32] });
    let mut moves = Vec::new();
    let mut clients: Vec<_> = players.iter().map(|(library, _)| Loaded::open(library)).collect();
    for (seat, client) in clients.iter_mut().enumerate() {
        let seed = u64::from(seed) * 16 + seat as u64;
        assert_eq!(client.initialize(&*state, players.len(), seat, seed, players[seat].1), 0);
        assert!(client.name().len() <= agon_abi::NAME_CAP);
    }
    while !state.to_move().is_empty() {
        let ask = |seat: Seat| {
            let mv = clients[seat].play(&*state, seat);
            let verdict = state.check(seat, &mv);
            assert_eq!(verdict, Ok(()), "{:?} played {}", players[seat], state.write(&mv));
            (seat, mv)
        };
        let answers: Vec<_> = state.to_move().iter().map(ask).collect();
        state.play(&answers);
        moves.extend(answers.iter().map(|(_, mv)| *mv));
    }
    clients.iter().for_each(Loaded::finalize);
    let scores = state.scores();
    let best = (0..players.len()).find(|&seat| !(0..players.len()).any(|other| scores.beats(other, seat)));
    (best.unwrap(), moves)
}

const FIVE: [&str; 5] =
    ["card = smallest", "card = middle", "card = random", "card = second-largest", "card = largest"];

#[test]
fn the_five_strategies_play_legally() {
    let library = built::client("six_simple");
    let players: Vec<_> = (0..10).map(|seat| (library.as_path(), FIVE[seat % 5])).collect();
    for options in ["rules=official", "rules=course", "rules=official low_card=chooses deck=players"] {
        for seed in 0..5 {
            let setting = setting("six_qui_prend", options, 10);
            let (_, moves) = play(&*setting, &players, seed);
            assert_eq!(play(&*setting, &players, seed).1, moves);
        }
    }
}

/// Boards large enough for skill, all rules and shapes among them.
const BOARDS: [&str; 6] = [
    "board=square:6",
    "board=square:7 vacated=blocked",
    "board=donut:6",
    "board=clover:5 vacated=blocked",
    "board=eight:8",
    "board=lagoon",
];

/// Boards with circles and edges that lead one way.
const ODD: [&str; 2] = ["board=mini-ring", "board=mini-ring vacated=blocked"];

fn amazons() -> [PathBuf; 2] {
    [built::client("greedy"), built::client("random")]
}

#[test]
fn amazons_clients_play_legally_and_greedy_beats_random() {
    let [greedy, random] = &amazons();
    let (mut wins, mut matches) = (0, 0);
    for board in [&BOARDS[..], &ODD].concat() {
        let setting = setting("amazons", board, 2);
        for (seed, style) in [(1, ""), (2, "style = queen")] {
            let first = play(&*setting, &[(greedy, ""), (random, style)], seed).0 == 0;
            let second = play(&*setting, &[(random, style), (greedy, "")], seed).0 == 1;
            if BOARDS.contains(&board) {
                wins += usize::from(first) + usize::from(second);
                matches += 2;
            }
        }
    }
    assert_eq!(wins, matches);
}

/// Every shape at its smallest and widths beyond those of a narrow grid, both rules for diagonals.
const SHAPES: [&str; 9] = [
    "board=square:5",
    "board=square:10",
    "board=square:17 vacated=blocked",
    "board=donut:9 diagonals=cut",
    "board=donut:18",
    "board=clover:10 diagonals=cut vacated=blocked",
    "board=eight:12",
    "board=eight:20 diagonals=cut",
    "board=standard-10",
];

#[test]
fn alphabeta_plays_legally_and_beats_greedy_with_few_nodes() {
    let kinds = ["heuristic = full", "heuristic = territory", "heuristic = mobility\ndepth = course-turn"];
    searches_legally_and_beats_greedy("alphabeta", kinds);
}

#[test]
fn mcts_plays_legally_and_beats_greedy_with_few_nodes() {
    let kinds = ["heuristic = full", "playouts = random", "heuristic = territory\nplayouts = mobility"];
    searches_legally_and_beats_greedy("mcts", kinds);
}

/// In every variant against random on every board, and as it is against greedy, twice the same.
fn searches_legally_and_beats_greedy(client: &str, kinds: [&str; 3]) {
    let client = &built::client(client);
    let [greedy, random] = &amazons();
    for (number, board) in (0..).zip([&BOARDS[..], &ODD, &SHAPES].concat()) {
        let setting = setting("amazons", board, 2);
        let options = format!("{}\nnodes = 150", kinds[usize::from(number) % 3]);
        play(&*setting, &[(client, &options), (random, "")], number);
        play(&*setting, &[(random, ""), (client, &options)], number);
    }
    // Whatever threads leave behind must not outlive the library, which is closed when its match is over.
    let with_threads = "nodes = 3000\nthreads = 2";
    play(&*setting("amazons", BOARDS[0], 2), &[(client, with_threads), (client, with_threads)], 1);
    let mut wins = 0;
    let options = "nodes = 3000";
    for board in &BOARDS {
        let setting = setting("amazons", board, 2);
        let (winner, moves) = play(&*setting, &[(client, options), (greedy, "")], 5);
        assert_eq!(play(&*setting, &[(client, options), (greedy, "")], 5).1, moves);
        wins += usize::from(winner == 0);
        wins += usize::from(play(&*setting, &[(greedy, ""), (client, options)], 5).0 == 1);
    }
    assert!(wins >= BOARDS.len(), "{wins} of {}", 2 * BOARDS.len());
}

#[test]
fn the_client_in_c_plays_legally() {
    let Some(first) = &built::first_c() else { return };
    let [_, random] = &amazons();
    let mut wins = 0;
    let boards = [&BOARDS[..], &ODD].concat();
    for board in &boards {
        let setting = setting("amazons", board, 2);
        for seed in 0..3 {
            wins += usize::from(play(&*setting, &[(first, ""), (random, "")], seed).0 == 0);
            wins += usize::from(play(&*setting, &[(random, ""), (first, "")], seed).0 == 1);
        }
    }
    assert!(wins > boards.len() * 3, "first-c wins {wins} of {}", boards.len() * 6);
}

#[test]
fn the_second_client_in_c_plays_legally_and_beats_greedy() {
    let Some(second) = &built::second_c() else { return };
    let [greedy, random] = &amazons();
    let mut wins = 0;
    for board in [&BOARDS[..], &ODD].concat() {
        let setting = setting("amazons", board, 2);
        play(&*setting, &[(second, ""), (random, "")], 1);
        play(&*setting, &[(random, ""), (second, "")], 2);
    }
    for seed in 0..4 {
        let setting = setting("amazons", "board=square:8 opening=2", 2);
        wins += usize::from(play(&*setting, &[(second, ""), (greedy, "")], seed).0 == 0);
        wins += usize::from(play(&*setting, &[(greedy, ""), (second, "")], seed).0 == 1);
    }
    assert!(wins > 4, "second-c wins {wins} of 8");
}

#[test]
fn the_same_seed_gives_the_same_match() {
    let [greedy, random] = &amazons();
    let setting = setting("amazons", "board=square:6", 2);
    let moves = |seed| play(&*setting, &[(greedy, ""), (random, "")], seed).1;
    assert_eq!(moves(3), moves(3));
    assert_ne!(moves(3), moves(4));
}

#[test]
fn a_wrong_option_is_declined_with_a_reason() {
    let [_, random] = &amazons();
    let state = setting("amazons", "board=square:6", 2).start(&Opening::ANY);
    let mut client = Loaded::open(random);
    assert_ne!(client.initialize(&*state, 2, 0, 1, "style = wild"), 0);
    assert!(LOG.lock().unwrap().iter().any(|line| line.starts_with("declined=style = \"wild\"")));
    assert_eq!(client.initialize(&*state, 2, 0, 1, "style = queen"), 0);
    assert_eq!(client.name(), "random-queen");
}

const STRATEGIES: [&str; 6] = ["first", "random", "minimax", "entropy", "expected", "parts"];

#[test]
fn every_strategy_of_mastermind_plays_legally_as_breaker_and_as_maker() {
    let mastermind = &built::client("mastermind");
    let options = STRATEGIES.map(|name| format!("strategy = {name}"));
    let sizes = ["", "pegs=1 values=2 tries=1", "pegs=5 values=8", "pegs=12 values=20 tries=12"];
    for (number, size) in (0..).zip(sizes) {
        let players: Vec<_> = options.iter().map(|option| (mastermind.as_path(), option.as_str())).collect();
        let race = setting("mastermind", size, 6);
        let (_, moves) = play(&*race, &players, number);
        assert_eq!(play(&*race, &players, number).1, moves);
        for maker in ["maker=client", "maker=adaptive"]
            .into_iter()
            .filter(|maker| !size.contains("20") || maker.ends_with("client"))
        {
            let setting = setting("mastermind", &format!("{size} {maker}"), 2);
            for option in &players {
                play(&*setting, &[players[1], *option], number);
            }
        }
    }
}

#[test]
fn mastermind_clients_are_named_by_their_strategy() {
    let library = built::client("mastermind");
    let state = setting("mastermind", "", 1).start(&Opening::ANY);
    let mut client = Loaded::open(&library);
    assert_eq!((client.initialize(&*state, 1, 0, 1, ""), client.name()), (0, "minimax".to_owned()));
    for name in STRATEGIES {
        let option = format!("strategy = {name}");
        assert_eq!((client.initialize(&*state, 1, 0, 1, &option), client.name()), (0, name.to_owned()));
    }
    assert_ne!(client.initialize(&*state, 1, 0, 1, "strategy = luck"), 0);
    let log = LOG.lock().unwrap();
    let declined = log.iter().find(|line| line.starts_with("declined=strategy = \"luck\"")).unwrap();
    assert!(STRATEGIES.iter().all(|name| declined.contains(name)), "{declined}");
}

/// What mastermind.h counts, in C, is what the rules count.
#[test]
fn a_breaker_in_c_finds_the_secret() {
    let source = built::source(
        "breaker.c",
        "#include <agon/mastermind.h>
        static int pegs, values;
        const char *get_player_name(void) { return \"next\"; }
        int initialize(const mastermind_setup *setup) { pegs = setup->pegs; values = setup->values; return 0; }
        mastermind_move play(const mastermind_turn *turn) {
            uint8_t code[MASTERMIND_MAX_PEGS] = {0};
            uint32_t i;
            int place;
            for (i = 0; i < turn->num_history; i++) {
                const mastermind_try *made = turn->history + i;
                mastermind_move reply = mastermind_reply(code, made->v, pegs);
                if (reply.rr == made->rr && reply.rw == made->rw) continue;
                for (place = pegs - 1; ++code[place] == values; place--) code[place] = 0;
                i = UINT32_MAX;
            }
            return mastermind_code(code, pegs);
        }
        void finalize(void) {}
        AGON_CLIENT(mastermind)
        ",
    );
    let Some(breaker) = &built::c("breaker", &[source], &["-O2"]) else { return };
    let mastermind = &built::client("mastermind");
    let race = setting("mastermind", "", 2);
    for seed in 0..20 {
        let (_, moves) = play(&*race, &[(breaker, ""), (mastermind, "strategy = first")], seed);
        assert!(moves.chunks(2).all(|pair| pair[0] == pair[1]), "both guess the next possible code");
    }
}

#[test]
fn the_strategies_of_tirs_croises_play_legally_and_the_same_again() {
    let tirs = &built::client("tirs");
    let player = |strategy| (tirs.as_path(), strategy);
    let strategies =
        ["nodes = 2000", "strategy = naive", "strategy = level1", "strategy = depth2", "strategy = random"];
    for options in ["size=5", "size=6 start=anywhere", "board=7#456/15857/45691/43262/99873"] {
        let setting = setting("tirs_croises", options, 2);
        for strategy in strategies {
            let (best, moves) = play(&*setting, &[player(strategy), player("nodes = 1000")], 1);
            assert_eq!(play(&*setting, &[player(strategy), player("nodes = 1000")], 1), (best, moves));
        }
    }
    let nine: Vec<_> = (0..9).map(|seat| player(strategies[seat % 5])).collect();
    play(&*setting("tirs_croises", "size=9", 9), &nine, 2);
}

#[test]
fn tirs_croises_knows_its_options() {
    let tirs = &built::client("tirs");
    let state = setting("tirs_croises", "", 2).start(&Opening::ANY);
    let mut client = Loaded::open(tirs);
    for (options, declined) in [
        ("strategy = greedy", r#"strategy = "greedy" is not one of "search", "naive", "level1", "depth2", "random""#),
        ("nodes = many", r#"nodes = "many" is not a whole number from 0 to 18446744073709551615"#),
    ] {
        assert_ne!(client.initialize(&*state, 2, 0, 1, options), 0);
        assert!(LOG.lock().unwrap().iter().any(|line| line == &format!("declined={declined}")));
    }
    assert_eq!(client.initialize(&*state, 2, 0, 1, "strategy = depth2"), 0);
    assert_eq!(client.name(), "tirs-depth2");
}

#[test]
fn a_panic_is_logged_and_ends_the_process() {
    let test = std::env::current_exe().unwrap();
    let arguments = ["--exact", "contract::matches::panics", "--ignored", "--nocapture", "--test-threads=1"];
    // Whoever asks cargo for it waits for all that other tests let it build.
    let client = built::client("six_simple");
    let output = std::process::Command::new(test).args(arguments).env("AGON_PANICS", client).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&output.status), Some(6), "{text}");
    assert!(text.contains("panic=play is called after initialize"), "{text}");
}

/// Run by the test above in a process of its own, which it ends.
#[test]
#[ignore = "ends the process"]
fn panics() {
    let state = setting("six_qui_prend", "", 2).start(&Opening::ANY);
    let mut client = Loaded::open(std::env::var_os("AGON_PANICS").unwrap().as_ref());
    assert_eq!(client.initialize(&*state, 2, 0, 1, ""), 0);
    client.finalize();
    client.play(&*state, 0);
}

#[test]
fn every_version_of_grundy_plays_legally_and_wins_what_is_won() {
    let library = &built::client("grundy");
    for version in ["0", "1", "2", "3", "4", "5"].map(|version| format!("version = {version}")) {
        let of = |options| setting("grundy", options, 2);
        for seed in 0..5 {
            // Single heaps from 11 to 19 are won for the first seat, and one of 10 for the second.
            let players = [(library.as_path(), version.as_str()), (library, "version = random")];
            assert_eq!(play(&*of("heaps=11-19"), &players, seed).0, 0, "{version}");
            let players = [(library.as_path(), "version = random"), (library, version.as_str())];
            assert_eq!(play(&*of("heaps=10"), &players, seed).0, 1, "{version}");
        }
    }
    let misere = setting("grundy", "heaps=4-9,5 misere=yes", 2);
    let versions = ["version = 0", "version = 1", "version = 2", ""].map(|options| (library.as_path(), options));
    for pair in versions.windows(2) {
        assert_eq!(play(&*misere, pair, 1).1, play(&*misere, pair, 1).1);
    }
}

#[test]
fn a_version_of_grundy_declines_what_it_cannot_play() {
    let library = built::client("grundy");
    for (game, options, reason) in [
        ("heaps=8", "version = 7", "version = \"7\" is not one of 0, 1, 2, 3, 4, 5, 6, random"),
        ("heaps=8", "version = 6", "version = \"6\" needs its table: make one with `agon grundy table grundy.table`"),
        ("heaps=8 misere=yes", "version = 4", "version = \"4\" rests on nimbers"),
        ("heaps=501", "version = 4", "version = \"4\" searches at most 500 sticks, and there are 501"),
    ] {
        let state = setting("grundy", game, 2).start(&Opening::ANY);
        assert_ne!(Loaded::open(&library).initialize(&*state, 2, 0, 1, options), 0);
        let declined = |line: &String| line.starts_with(&format!("declined={reason}"));
        assert!(LOG.lock().unwrap().iter().any(declined), "{reason}");
    }
}
