//! Mastermind as a user meets it: the vectors of the course, replies against counting by hand, whole matches in each
//! way to make a secret, options and refusals.

use agon_abi::{Blob, bytes_of, read};
use agon_games::mastermind::{
    ASKS_GUESS, ASKS_REPLY, ASKS_SECRET, BREAKER, Codes, Combination, MAKER, Mastermind, Move, Reply, Setup, Try, Turn,
};
use agon_games::{
    Absent, AnyGame, AnyState, BadOption, Game, Language, MoveBytes, Opening, Options, PreparedSetting, Seat, Seats,
    rng_from,
};
use proptest::prelude::*;
use std::collections::HashSet;

fn prepare(pairs: &[(&str, &str)], seats: usize) -> Result<Box<dyn PreparedSetting>, BadOption> {
    let mut options = Options::default();
    pairs.iter().for_each(|(key, value)| options.set(key, value));
    Game::<Mastermind>::ENTRY.prepare(&options, seats)
}

fn start(pairs: &[(&str, &str)], seats: usize, number: u64) -> Box<dyn AnyState> {
    prepare(pairs, seats).unwrap().start(&Opening::numbered(number))
}

fn bytes(mv: Move) -> MoveBytes {
    MoveBytes::new(bytes_of(&mv))
}

/// The move that a text means.
fn mv(state: &dyn AnyState, text: &str) -> MoveBytes {
    state.read(text).unwrap()
}

/// Plays these moves, one for each seat to move.
fn play(state: &mut dyn AnyState, texts: &[&str]) {
    let answers: Vec<_> = state.to_move().iter().zip(texts).map(|(seat, text)| (seat, mv(state, text))).collect();
    assert_eq!(answers.len(), state.to_move().count());
    answers.iter().for_each(|(seat, mv)| state.check(*seat, mv).unwrap());
    state.play(&answers);
}

fn turn_of(state: &dyn AnyState, seat: Seat) -> (Turn, Vec<Try>) {
    let mut blob = Blob::new();
    state.turn(seat, &mut blob);
    let turn: Turn = read(blob.bytes()).unwrap();
    let target = blob.links().first().map_or(0, |link| link.target as usize);
    let history =
        (0..turn.num_history as usize).map(|at| read(&blob.bytes()[target + at * size_of::<Try>()..]).unwrap());
    (turn, history.collect())
}

fn setup_of(state: &dyn AnyState, seat: Seat) -> Setup {
    let mut blob = Blob::new();
    state.setup(seat, &mut blob);
    read(blob.bytes()).unwrap()
}

fn reply(rr: u8, rw: u8) -> Reply {
    Reply { rr, rw }
}

fn combination(text: &str) -> Combination {
    text.parse().unwrap()
}

/// The reply by hand: exact values are struck out, then each value of the guess strikes out one of the secret.
fn by_hand(secret: &[u8], guess: &[u8]) -> Reply {
    let mut left: Vec<u8> = secret.iter().zip(guess).filter(|(a, b)| a != b).map(|(a, _)| *a).collect();
    let mut counted = reply((secret.len() - left.len()) as u8, 0);
    for (_, value) in secret.iter().zip(guess).filter(|(a, b)| a != b) {
        if let Some(at) = left.iter().position(|own| own == value) {
            left.swap_remove(at);
            counted.rw += 1;
        }
    }
    counted
}

#[test]
fn the_game_of_the_course() {
    let guesses = [("3 3 4 4", 0, 0), ("0 2 1 5", 0, 3), ("2 2 5 0", 1, 1), ("0 0 5 1", 0, 4), ("1 5 0 0", 4, 0)];
    let mut state = start(&[("secret", "1 5 0 0\n")], 1, 7);
    for (guess, rr, rw) in guesses {
        assert_eq!(combination("1 5 0 0").one_try(&combination(guess)), reply(rr, rw), "{guess}");
        assert!(!state.to_move().is_empty());
        play(&mut *state, &[guess]);
        let (_, history) = turn_of(&*state, 0);
        assert_eq!(history.last().unwrap().reply(), reply(rr, rw), "{guess}");
    }
    assert!(state.to_move().is_empty());
    assert_eq!(state.scores().values, [5]);
    assert_eq!(combination("1 5 0 0").one_try(&combination("2 2 0 5")), reply(1, 1));
}

/// How many codes are left, as the picture tells a breaker.
#[test]
fn the_codes_left_in_the_game_of_the_course() {
    for (third, left) in [("2 2 5 0", "11"), ("2 2 0 5", "10")] {
        let mut state = start(&[("secret", "1 5 0 0")], 1, 0);
        ["3 3 4 4", "0 2 1 5", third].iter().for_each(|guess| play(&mut *state, &[guess]));
        let text = state.scene(Some(0), Language::English).to_text();
        assert!(text.contains(&format!("{left} codes are possible")), "{text}");
        play(&mut *state, &["0 0 5 1"]);
        let text = state.scene(Some(0), Language::French).to_text();
        assert!(text.contains("2 combinaisons sont possibles : 1 5 0 0, 5 1 0 0"), "{text}");
    }
}

#[test]
fn replies_of_all_pairs_are_counted_by_hand() {
    for (pegs, values) in [(1, 3), (2, 4), (3, 4), (4, 3), (4, 6)] {
        let codes = Codes::new(pegs, values);
        let cut = |code: &[u8]| code[..pegs as usize].to_vec();
        for secret in codes.iter() {
            for guess in codes.iter().step_by(if values == 6 { 7 } else { 1 }) {
                assert_eq!(codes.reply(&secret, &guess), by_hand(&cut(&secret), &cut(&guess)));
            }
        }
    }
}

/// Two codes of one size.
fn pairs() -> impl Strategy<Value = (u8, Vec<u8>, Vec<u8>)> {
    (1..=12usize, 2..=20u8).prop_flat_map(|(pegs, values)| {
        let code = || prop::collection::vec(0..values, pegs);
        (Just(values), code(), code())
    })
}

proptest! {
    /// Symmetric, never more than there are values, never all but one exact and that one elsewhere; all exact for the
    /// code itself.
    #[test]
    fn replies_keep_their_bounds((values, a, b) in pairs()) {
        let codes = Codes::new(a.len() as u8, values);
        let code = |values: &[u8]| { let mut code = [0; 12]; code[..values.len()].copy_from_slice(values); code };
        let found = codes.reply(&code(&a), &code(&b));
        prop_assert_eq!(found, by_hand(&a, &b));
        prop_assert_eq!(found, codes.reply(&code(&b), &code(&a)));
        prop_assert_eq!(found, Combination::from(a.clone()).one_try(&Combination::from(b.clone())));
        prop_assert!(usize::from(found.rr + found.rw) <= a.len());
        prop_assert!(found != reply(a.len() as u8 - 1, 1));
        prop_assert_eq!(found == reply(a.len() as u8, 0), a == b);
        prop_assert_eq!(codes.reply(&code(&a), &code(&a)), reply(a.len() as u8, 0));
        prop_assert_eq!(codes.at(codes.number(&code(&a))), code(&a));
    }

    /// A person's codes are read back, spaces or not.
    #[test]
    fn codes_are_read_back((values, code, _) in pairs()) {
        let (pegs, values) = (code.len().to_string(), values.to_string());
        let state = start(&[("pegs", &pegs), ("values", &values)], 1, 0);
        let text = Combination::from(code.clone()).to_string();
        let guess = state.read(&text).unwrap();
        prop_assert_eq!(state.write(&guess), text.clone());
        prop_assert!(state.check(0, &guess).is_ok());
        if values.parse::<u8>().unwrap() <= 10 {
            prop_assert_eq!(state.read(&text.replace(' ', "")), Some(guess));
        }
    }

    /// Texts of secrets never panic, and what is accepted is a code.
    #[test]
    fn secrets_are_read_or_refused(text in "[ 0-9a-z\n\t\u{e9}-]{0,40}") {
        match prepare(&[("secret", &text)], 1) {
            Ok(_) => prop_assert!(text == "drawn" || text == "all" || text.chars().any(|c| c.is_ascii_digit())),
            Err(bad) => prop_assert_eq!(bad.key, "secret"),
        }
    }
}

#[test]
fn breakers_race_on_one_secret_and_see_only_their_own() {
    let mut state = start(&[("secret", "1 5 0 0"), ("tries", "3")], 3, 0);
    play(&mut *state, &["1500", "0000", "0 5 1 0"]);
    assert_eq!(state.to_move(), Seats::NONE.with(1).with(2));
    play(&mut *state, &["1 1 1 1", "1500"]);
    assert_eq!(state.to_move(), Seats::one(1));
    assert_eq!(state.scores().values, [1, 4, 2]);
    let (turn, history) = turn_of(&*state, 1);
    assert_eq!((turn.kind, turn.num_history), (ASKS_GUESS, 2));
    assert_eq!(history.iter().map(Try::reply).collect::<Vec<_>>(), [reply(2, 0), reply(1, 0)]);
    let picture = state.scene(Some(1), Language::English).to_text();
    assert!(picture.contains("2 exact, 0 elsewhere") && !picture.contains("1 5 0 0"), "{picture}");
    let all = state.scene(None, Language::French).to_text();
    assert!(all.contains("place 3") && all.contains("secret\n  1 5 0 0") && all.contains("2 bien placées"), "{all}");
    play(&mut *state, &["2222"]);
    assert!(state.to_move().is_empty());
    assert_eq!(state.scores().values, [1, 4, 2]);
}

#[test]
fn an_absent_breaker_never_finds_and_stops_nobody() {
    for secret in ["0 0 0 0", "0 0 0 1", "1 5 0 0"] {
        let mut state = start(&[("secret", secret)], 2, 0);
        while !state.to_move().is_empty() {
            let Absent::Plays(out) = state.absent(0) else { panic!("the match ends") };
            state.check(0, &out).unwrap();
            let mut answers = vec![(0, out)];
            if state.to_move().has(1) {
                answers.push((1, mv(&*state, secret)));
            }
            state.play(&answers);
        }
        assert_eq!(state.scores().values, [11, 1]);
    }
}

#[test]
fn a_client_hides_the_secret_and_the_server_answers() {
    let setting = prepare(&[("maker", "client")], 2).unwrap();
    assert_eq!(setting.rotations(), 2);
    let mut state = setting.start(&Opening::numbered(0));
    let roles = [0, 1].map(|seat| (setup_of(&*state, seat).role, setup_of(&*state, seat).maker));
    assert_eq!(roles, [(MAKER, 1), (BREAKER, 1)]);
    assert_eq!((state.to_move(), turn_of(&*state, 0).0.kind), (Seats::one(0), ASKS_SECRET));
    assert_eq!(state.scores().values, [11, 0], "a maker that hides nothing has the loss");
    play(&mut *state, &["1500"]);
    assert_eq!(state.to_move(), Seats::one(1));
    assert_eq!((state.scores().values, state.absent(1)), (vec![0, 11], Absent::Ends));
    let forfeit = |out| state.forfeit(out).values;
    assert_eq!(
        [forfeit(Seats::one(0)), forfeit(Seats::one(1))],
        [[11, 0], [0, 11]],
        "whoever is out has the worst score"
    );
    assert_eq!(forfeit(Seats::first(2)), [11, 11], "both are out, and there is no other");
    play(&mut *state, &["0215"]);
    assert_eq!(turn_of(&*state, 1).1[0].reply(), reply(0, 3));
    assert!(!state.scene(Some(1), Language::English).to_text().contains("1 5 0 0"));
    assert!(state.scene(Some(0), Language::English).to_text().contains("1 5 0 0"), "it is the maker's own");
    play(&mut *state, &["1500"]);
    assert_eq!((state.to_move(), state.scores().values), (Seats::NONE, vec![9, 2]));
}

#[test]
fn an_adaptive_maker_cannot_contradict_itself() {
    let mut state = start(&[("maker", "adaptive"), ("tries", "4")], 2, 0);
    assert_eq!(state.to_move(), Seats::one(1));
    play(&mut *state, &["0011"]);
    let (turn, _) = turn_of(&*state, 0);
    assert_eq!((turn.kind, &turn.guess[..5]), (ASKS_REPLY, &[0, 0, 1, 1, 0][..]));
    assert_eq!(state.scores().values, [5, 0], "a maker that does not answer has the loss");
    let refusal = |state: &dyn AnyState, text: &str| state.check(0, &mv(state, text)).map_err(|illegal| illegal.rule);
    assert_eq!(refusal(&*state, "3+1"), Err("impossible-reply"));
    assert_eq!(refusal(&*state, "4+1"), Err("impossible-reply"));
    assert_eq!(refusal(&*state, "0 0 1 1"), Err("reply-asked"));
    play(&mut *state, &["0 0"]);
    play(&mut *state, &["2233"]);
    assert_eq!(refusal(&*state, "0+1"), Ok(()));
    play(&mut *state, &["0+0"]);
    play(&mut *state, &["0123"]);
    let refused = state.check(0, &mv(&*state, "1+0")).unwrap_err();
    assert_eq!(refused.rule, "inconsistent-reply");
    assert!(refused.why.contains("1+0 and the 2 answers before"), "{}", refused.why);
    play(&mut *state, &["0+0"]);
    play(&mut *state, &["4455"]);
    play(&mut *state, &["4+0"]);
    assert_eq!((state.to_move(), state.scores().values), (Seats::NONE, vec![1, 4]));
    assert_eq!(turn_of(&*state, 0).1, turn_of(&*state, 1).1);
}

#[test]
fn refusals_say_what_is_wrong() {
    let state = start(&[], 1, 0);
    let refused = |state: &dyn AnyState, text: &str| state.check(0, &mv(state, text)).unwrap_err();
    let short = refused(&*state, "150");
    assert_eq!((short.rule, &*short.why), ("wrong-size", "the guess has 3 values, 4 are asked"));
    assert_eq!(short.french, "la proposition a 3 valeurs, il en faut 4");
    assert_eq!(refused(&*state, "1 2 3 4 5 0 1 2 3 4 5 0 1").why, "the guess has 13 values, 4 are asked");
    assert_eq!(refused(&*state, "1506").why, "there is no value 6 (place 4); the values are 0 to 5");
    assert_eq!(refused(&*state, "2+1").rule, "code-asked");
    let good = Move::code(&[1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 4);
    let rule = |mv: Move| state.check(0, &bytes(mv)).map_err(|illegal| illegal.rule);
    assert_eq!(rule(good), Ok(()));
    let beyond = [1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    let odd =
        [Move { v: beyond, ..good }, Move { rr: 1, ..good }, Move { rw: 9, ..good }, Move { reserved0: 1, ..good }];
    odd.into_iter().for_each(|mv| assert_eq!(rule(mv), Err("unused-not-zero"), "{mv:?}"));
    assert_eq!(rule(Move { n: 0, ..good }), Err("code-asked"));
    assert_eq!(refused(&*state, "0+0").rule, "code-asked");
    assert_eq!(state.check(1, &bytes(good)).unwrap_err().rule, "not-to-move");
    let hidden = start(&[("maker", "client")], 2, 0);
    assert_eq!(refused(&*hidden, "150").why, "the secret has 3 values, 4 are asked");
    let mut answers = start(&[("maker", "adaptive")], 2, 0);
    play(&mut *answers, &["0000"]);
    let reply = |mv: Move| answers.check(0, &bytes(mv)).map_err(|illegal| illegal.rule);
    assert_eq!(reply(Move { n: 0, rr: 1, v: beyond, ..good }), Err("unused-not-zero"));
    assert_eq!(reply(Move::reply(Reply { rr: 255, rw: 255 })), Err("impossible-reply"));
}

#[test]
fn options_are_what_they_say() {
    let setup = setup_of(&*start(&[("pegs", "5"), ("values", "20"), ("tries", "100")], 1, 0), 0);
    assert_eq!((setup.pegs, setup.values, setup.tries, setup.role, setup.maker), (5, 20, 100, BREAKER, 0));
    assert_eq!(prepare(&[], 10).unwrap().rotations(), 1);
    let refused = |pairs: &[_], seats| prepare(pairs, seats).err().unwrap();
    for (key, value) in
        [("pegs", "13"), ("pegs", "0"), ("values", "1"), ("values", "21"), ("tries", "0"), ("maker", "me")]
    {
        assert_eq!(refused(&[(key, value)], 1).key, key);
    }
    for maker in ["client", "adaptive"] {
        assert_eq!([1, 3].map(|seats| refused(&[("maker", maker)], seats).key), ["maker", "maker"]);
        assert_eq!(refused(&[("maker", maker), ("secret", "all")], 2).key, "secret");
    }
    let many = refused(&[("maker", "adaptive"), ("pegs", "12"), ("values", "20")], 2);
    assert!(many.why.contains("at most 100000000") && many.why.contains("4096000000000000"), "{}", many.why);
    assert!(prepare(&[("maker", "adaptive"), ("pegs", "8"), ("values", "10")], 2).is_ok());
    assert_eq!(refused(&[("maker", "adaptive"), ("pegs", "8"), ("values", "11")], 2).key, "maker");
}

#[test]
fn secrets_come_from_the_seed_the_number_or_a_file() {
    let secret = |text: &str, number| {
        let state = start(&[("secret", text)], 1, number);
        let found = Codes::new(4, 6).iter().find(|code| {
            let mut state = state.clone_box();
            state.play(&[(0, bytes(Move::code(code, 4)))]);
            state.to_move().is_empty()
        });
        Combination::from(found.unwrap()[..4].to_vec()).to_string()
    };
    assert_eq!(
        [0, 1, 1295, 1296, 1302].map(|number| secret("all", number)),
        ["0 0 0 0", "0 0 0 1", "5 5 5 5", "0 0 0 0", "0 0 1 0"]
    );
    let file = "1 5 0 0\r\n\n  0 1 2 3\n";
    assert_eq!([0, 1, 2].map(|number| secret(file, number)), ["1 5 0 0", "0 1 2 3", "1 5 0 0"]);
    let drawn: HashSet<String> = (0..50).map(|number| secret("drawn", number)).collect();
    assert!(drawn.len() > 40);
    for (text, place) in [
        ("1 5 0 0\n1 5 0 6\n", Some((2, 7))),
        ("1 5 0 0\n\n 1 é 0 0\n", Some((3, 4))),
        ("1 5 0\n", Some((1, 1))),
        ("1 5 0 0 0\n", Some((1, 1))),
        ("some", Some((1, 1))),
        ("", None),
        ("\n \n", None),
    ] {
        let bad = prepare(&[("secret", text)], 1).err().unwrap();
        assert_eq!((bad.key.as_str(), bad.place), ("secret", place), "{text:?}: {}", bad.why);
    }
}

/// Everything that a breaker cannot rule out is dealt, and what is dealt agrees with all that it knows.
#[test]
fn redeals_reach_every_secret_that_a_breaker_cannot_rule_out() {
    let mut state = start(&[("pegs", "3"), ("values", "3"), ("secret", "2 0 1")], 2, 0);
    play(&mut *state, &["000", "201"]);
    let codes = Codes::new(3, 3);
    let (_, history) = turn_of(&*state, 0);
    let possible = codes.iter().filter(|code| agon_games::mastermind::agrees(codes, &history, code)).count();
    let mut rng = rng_from(&[9; 32]);
    let hashes: HashSet<u64> = (0..400).map(|_| state.redeal(0, &mut rng).hash()).collect();
    assert!(possible == 12 && hashes.len() == 12 && hashes.contains(&state.hash()), "{possible} {}", hashes.len());
    let of_finder: HashSet<u64> = (0..400).map(|_| state.redeal(1, &mut rng).hash()).collect();
    assert_eq!(of_finder.len(), 26, "the finder knows the secret, and not what the other guessed");
}

/// The largest size is dealt again within the budget of a search.
#[test]
fn redeals_of_the_largest_size_look_the_same() {
    let mut state = start(&[("pegs", "12"), ("values", "20")], 2, 3);
    let mut rng = rng_from(&[4; 32]);
    while !state.to_move().is_empty() {
        for seat in 0..2 {
            let other = state.redeal(seat, &mut rng);
            assert_eq!(turn_of(&*other, seat).1, turn_of(&*state, seat).1);
            assert_eq!(other.to_move(), state.to_move());
        }
        let answers: Vec<_> = state.to_move().iter().map(|seat| (seat, state.sample(seat, &mut rng))).collect();
        state.play(&answers);
    }
}
