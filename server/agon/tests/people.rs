//! People at the terminal: `agon play` and `agon replay` through a terminal and through pipes, wrong inputs included.

use crate::builder;
use crate::builder::{Arena, Ran, Terminal};
use std::io::Write;
use std::process::Stdio;

/// `agon play` with these lines as its whole input.
fn play(arena: &Arena, args: &[&str], input: &str) -> Ran {
    let mut command = arena.command(["play", "--ascii"].iter().chain(args));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // What refuses its command line ends without reading.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    builder::finish(child)
}

#[test]
fn people_alone_leave_nothing_behind() {
    let arena = Arena::new();
    let ran = play(&arena, &["-b", "mini-2"], "first\nm\nq\n").well();
    assert!(ran.stdout.ends_with("seat 1> \nstopped; nothing is recorded\n"), "{}", ran.stdout);
    assert!(!arena.path("agon-out").exists());
}

/// What the person on the board says, by language: the end of each sentence that the tests wait for.
struct Sentences {
    help: &'static str,
    example: &'static str,
    curtain: &'static str,
    end: &'static str,
}

const ENGLISH: Sentences =
    Sentences { help: "(? for help)", example: "a legal one is ", curtain: "Press Enter.", end: "nothing is recorded" };
const FRENCH: Sentences = Sentences {
    help: "(? pour l'aide)",
    example: "un coup permis est ",
    curtain: "Appuyez sur Entrée.",
    end: "rien n'est enregistré",
};

/// Plays on to the end: each time something that is no move, then the legal move with which that is answered.
#[track_caller]
fn play_out(terminal: &mut Terminal, say: &Sentences) -> String {
    for _ in 0..100 {
        let shown = terminal.wait_for_any(&["> ", say.end]).to_owned();
        if shown.contains(say.end) {
            return shown;
        }
        if shown.contains(say.curtain) {
            terminal.send("\r");
            terminal.wait_for("> ");
        }
        terminal.send("what\r");
        let shown = terminal.wait_for(say.help).to_owned();
        let mv = shown.split(say.example).nth(1).unwrap().split(" (").next().unwrap().to_owned();
        terminal.wait_for("> ");
        terminal.send(&format!("{mv}\r"));
    }
    panic!("more than 100 turns");
}

#[test]
fn whole_matches_are_played_from_the_moves_that_are_offered() {
    let arena = Arena::new();
    for client in ["random", "six-simple", "mastermind", "grundy", "tirs"] {
        arena.rust_client(client);
    }
    for args in [
        &["-b", "mini-3", "--seat", "1"][..],
        &["-b", "mini-3", "--against", "random", "--seat", "2", "-s", "5"],
        &["six_qui_prend", "-o", "hand=2", "-o", "limit=0", "--seats", "2", "--seat", "1"],
        &[
            "six_qui_prend",
            "-o",
            "hand=3",
            "-o",
            "limit=0",
            "--seats",
            "3",
            "--against",
            "six-simple:card=smallest",
            "--seat",
            "2",
        ],
        &[
            "mastermind",
            "-o",
            "tries=3",
            "-o",
            "pegs=3",
            "-o",
            "values=3",
            "--against",
            "mastermind:strategy=first",
            "--seat",
            "1",
        ],
        &["mastermind", "-o", "maker=client", "-o", "tries=2", "--against", "mastermind", "--seat", "1"],
        &["grundy", "-o", "heaps=7,4", "--against", "grundy:version=2", "--seat", "2"],
        &[
            "tirs_croises",
            "-o",
            "size=4",
            "--seats",
            "3",
            "--against",
            "tirs:strategy=level1",
            "--seat",
            "2",
            "-s",
            "1",
        ],
    ] {
        for (lang, sentences) in [("en", &ENGLISH), ("fr", &FRENCH)] {
            let all = [&["play", "--ascii", "--lang", lang], args].concat();
            let mut terminal = Terminal::start(&mut arena.command(all), 80, 24);
            let end = play_out(&mut terminal, sentences);
            assert!(end.contains(if lang == "en" { "rank 1, score " } else { "rang 1, score " }), "{args:?}: {end}");
            assert_eq!(terminal.end(), Some(0), "{args:?}");
        }
    }
}

#[test]
fn what_the_command_line_leaves_open_is_asked() {
    let arena = Arena::new();
    arena.rust_client("grundy");
    arena.rust_client("tirs");
    type Talk<'a> = &'a [(&'a str, &'a str)];
    let grundy: Talk = &[
        ("How many sticks", "many\r"),
        ("\"many\"", ""),
        ("How many sticks", "8\r"),
        ("How many of the 2 players are machines (0 to 1) [1]: ", "\r"),
        ("Who plays for them: level 1 to 3 of agon's own player, a file, or NAME", "grundy\r"),
        ("Your seat (1 to 2; seat 1 starts) [1]: ", "3\r"),
        ("\"3\" is not a whole number from 1 to 2", ""),
        ("Your seat", "2\r"),
        ("(grundy) 1 1", ""),
        ("seat 2> ", "1\r"),
        ("1 … what follows?", ""),
        ("seat 2> 1 ", "q\r"),
        ("stopped; nothing is recorded", ""),
    ];
    let tirs: Talk = &[
        ("Taille du plateau", "3\r"),
        ("« 3 » ne convient pas", ""),
        ("Taille du plateau", "4\r"),
        ("Combien de joueurs (2 à 9) [2]: ", "?\r"),
        ("tapez une réponse", "3\r"),
        ("Combien des 3 joueurs sont des machines (0 à 2) [2]: ", "\r"),
        ("Qui joue pour elles : niveau 1 à 3 du joueur d'agon, un fichier, ou NOM", "\r"),
        ("Votre place (1 à 3 ; la place 1 commence) [1]: ", "\r"),
        ("place 1> ", "9 9\r"),
        ("coup refusé : ", "?\r"),
        ("q quitte.", "q\r"),
        ("arrêté ; rien n'est enregistré", ""),
    ];
    for (args, talk) in [(&["grundy"][..], grundy), (&["tirs_croises", "--lang", "fr"], tirs)] {
        let mut terminal = Terminal::start(&mut arena.command(["play", "--ascii"].iter().chain(args)), 80, 24);
        for (shown, typed) in talk {
            terminal.wait_for(shown);
            if !typed.is_empty() {
                terminal.send(typed);
            }
        }
        assert_eq!(terminal.end(), Some(0));
    }
}

#[test]
fn a_guess_of_the_wrong_length_is_explained() {
    let arena = Arena::new();
    let mut terminal = Terminal::start(&mut arena.command(["play", "mastermind", "--seats", "1"]), 80, 24);
    for (shown, typed) in [
        ("> ", "1 5 0\r"),
        ("not allowed: the guess has 3 values, 4 are asked", "1 5 0 9\r"),
        ("not allowed: ", "1 5 0 0\r"),
        ("> ", "q\r"),
    ] {
        terminal.wait_for(shown);
        terminal.send(typed);
    }
    terminal.wait_for("nothing is recorded");
}

#[test]
fn wrong_inputs_are_explained_and_asked_again() {
    let arena = Arena::new();
    let mut terminal = Terminal::start(&mut arena.command(["play", "--ascii", "-b", "square:6"]), 80, 24);
    terminal.wait_for("How many of the 2 players are machines (0 to 1) [1]: ");
    terminal.send("many\r");
    terminal.wait_for("\"many\" is not a whole number from 0 to 1");
    terminal.send("0\r");
    terminal.wait_for("544 legal moves");
    for (typed, answer) in [
        ("zzz\r", "\"zzz\" is not a move; a legal one is "),
        ("b6-b1/b2\r", "not allowed: "),
        ("u\r", "there is nothing to take back yet"),
        ("?\r", "A player who cannot move loses."),
        ("m b6-b5/a\r", "b6-b5/a4, b6-b5/a6"),
        ("m nonsense\r", "no legal move begins with \"nonsense\""),
        ("\r", "544 legal moves"),
        ("b6\r", "b6-… what follows? "),
        ("b5\r", "seat 1> b6-b5/"),
        ("b6\r", "seat 2> "),
        ("b6-b5/b6\r", "not allowed: "),
        ("b1-b2/b1\r", "seat 1> "),
        ("u\r", "taken back"),
        ("\r", "seat 2> "),
        ("u\r", "544 legal moves"),
        ("q\r", "stopped; nothing is recorded"),
    ] {
        terminal.send(typed);
        terminal.wait_for(answer);
    }
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn a_move_is_taken_back_against_a_client() {
    let arena = Arena::new();
    arena.rust_client("greedy");
    let input = "b6-b5/b6\nu\nb6-b5/b6\nu\nb6-b4/b5\n";
    let ran = play(&arena, &["-b", "square:6", "--against", "greedy", "-s", "1"], input).well();
    let replies: Vec<_> = ran.stdout.lines().filter_map(|line| line.split("turn 2: ").nth(1)).collect();
    assert_eq!(replies.len(), 3, "{}", ran.stdout);
    assert_eq!(replies[0], replies[1], "the same position and seed, the same answer");
    assert!(ran.stdout.ends_with("stopped; nothing is recorded\n"), "{}", ran.stdout);
}

#[test]
fn people_with_hidden_cards_look_one_after_the_other() {
    let arena = Arena::new();
    arena.rust_client("six-simple");
    let args = ["six_qui_prend", "--seats", "3", "--against", "six-simple:card=smallest", "-s", "1"];
    let ran = play(&arena, &args, "\n0\nu\nm\n").well();
    assert_eq!(ran.stdout.matches("Only the person on seat 1 looks now.").count(), 1, "{}", ran.stdout);
    assert!(!ran.stdout.contains("seat 3> "));
    assert!(!ran.stdout.contains("\n  seat  3: 4"), "no hand but that of seat 1:\n{}", ran.stdout);
    assert!(ran.stdout.contains("what was seen cannot be unseen"));
    let hand = ran.stdout.split("legal moves: ").nth(1).unwrap().lines().next().unwrap();
    let card = hand.split(", ").nth(4).unwrap().to_owned();
    let ran = play(&arena, &args, &format!("\n{card}\n\n")).well();
    let (before, after) = ran.stdout.split_once("Only the person on seat 3 looks now.").unwrap();
    assert!(before.contains(hand) && !after.contains(hand), "{}", ran.stdout);
}

#[test]
fn what_cannot_be_played_is_refused() {
    let arena = Arena::new();
    for (args, message) in [
        (&["chess"][..], "there is no game \"chess\""),
        (&["amazon"], "did you mean amazons?"),
        (&["--seat", "3"], "there is no seat 3; seats are 1 to 2"),
        (&["--seats", "5"], "Amazons has 2 seats, not 5"),
        (&["-b", "nosuch"], "\"nosuch\" is not a board"),
        (&["--against", "nobody"], "clients/nobody.so"),
    ] {
        let ran = play(&arena, args, "");
        assert!(ran.status != Some(0) && ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_match_is_stepped_through_in_the_terminal() {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.rust_client("greedy");
    arena.agon(["match", "random", "greedy", "-b", "square:8", "-s", "3", "-q"]).well();
    for (columns, rows) in [(80, 24), (40, 20)] {
        let mut terminal = Terminal::start(&mut arena.command(["replay", "last", "--ascii"]), columns, rows);
        terminal.wait_for("the start");
        for (keys, shown) in [
            ("\x1b[C", "turn 1 of "),
            ("\x1b[6~", "turn 11 of "),
            ("\x1b[D", "turn 10 of "),
            ("\x1b[H", "the start"),
            ("?", "ten turns on"),
            ("?", "the start"),
            ("\x1b[F", "ended by the rules"),
        ] {
            terminal.send(keys);
            terminal.wait_for(shown);
        }
        terminal.send("q");
        terminal.wait_for("\x1b[?1049l");
        assert_eq!(terminal.end(), Some(0));
    }
    let mut terminal = Terminal::start(&mut arena.command(["replay", "last"]), 80, 24);
    terminal.wait_for("the start");
    terminal.terminate();
    terminal.wait_for("\x1b[?1049l");
    assert_eq!(terminal.end(), Some(0));
    let text = arena.agon(["replay", "last", "--ascii"]).well().stdout;
    assert!(text.is_ascii() && text.contains("\nturn 1 of ") && text.contains("[x]"), "{text}");
    assert!(text.trim_end().lines().last().unwrap().contains("won"), "{text}");
}

#[test]
fn a_move_may_be_typed_in_capitals_and_its_parts_are_listed_once() {
    let arena = Arena::new();
    let ran = play(&arena, &["-b", "mini-3"], "A1\nq\n").well();
    let line = ran.stdout.lines().find(|line| line.contains("what follows?"));
    let line = line.unwrap_or_else(|| panic!("{}", ran.stdout));
    let list = line.split("what follows? ").nth(1).unwrap().split(';').next().unwrap();
    let parts: Vec<&str> = list.split(", ").collect();
    let mut single = parts.clone();
    single.dedup();
    assert!(line.contains("a1-") && parts.iter().all(|part| part.len() == 2) && single == parts, "{line}");
}

#[test]
fn whoever_is_to_move_is_not_told_who_wins() {
    let arena = Arena::new();
    let ran = play(&arena, &["grundy", "-o", "heaps=8"], "q\n").well();
    assert!(ran.stdout.contains("seat 1 is to move") && !ran.stdout.contains("nimber"), "{}", ran.stdout);
}

#[test]
fn every_game_has_players_of_three_levels() {
    let arena = Arena::new();
    for (game, client) in [
        ("amazons", "alphabeta"),
        ("six_qui_prend", "six-best"),
        ("mastermind", "mastermind"),
        ("grundy", "grundy"),
        ("tirs_croises", "tirs"),
    ] {
        arena.rust_client(client);
        let names = ["beginner", "advanced", "best"].iter().zip(["débutant", "confirmé", "le plus fort"]);
        for (level, (english, french)) in (1..=3).zip(names) {
            let level = level.to_string();
            let ran = play(&arena, &[game, "--level", &level], "q\n").well();
            assert!(ran.stdout.contains(&format!("you play against: {english} (")), "{game} {level}: {ran:?}");
            let ran = play(&arena, &[game, "--level", &level, "--lang", "fr", "--seat", "2"], "q\n").well();
            assert!(ran.stdout.contains(&format!("vous jouez contre : {french} (")), "{game} {level}: {ran:?}");
        }
    }
    let won = play(&arena, &["grundy", "--level", "1", "-o", "heaps=4"], "1 1\n").well();
    assert!(won.stdout.contains("rank 1, score 1"), "the other cannot split 3 and 1 so that it wins: {won:?}");
    let told = play(&arena, &["grundy", "--level", "1", "-o", "heaps=8"], "h\nq\n").well();
    assert!(told.stdout.contains("would play 1 1"), "the best there is says what to play: {told:?}");
}

#[test]
fn a_level_that_there_is_not_is_told() {
    let arena = Arena::new();
    for (words, status, said) in [
        (&["grundy", "--level", "4"][..], 2, "write a whole number from 1 to 3"),
        (&["grundy", "--level", "1", "--against", "grundy"], 2, "cannot be used with"),
        (&["grundy", "--level", "1"], 6, "grundy.so is neither in clients/ nor at "),
    ] {
        let ran = play(&arena, words, "q\n");
        assert!(ran.status == Some(status) && ran.stderr.contains(said), "{words:?}: {ran:?}");
    }
}

#[test]
fn people_have_names_hear_advice_and_keep_what_they_played() {
    let arena = Arena::new();
    arena.rust_client("greedy");
    let words = ["-b", "mini-3", "-s", "1", "--hint", "greedy", "--name", "Anna", "--name", "Ben"];
    let ran = play(&arena, &words, "h\nkeep match.html\nresign\n").well();
    let expected = [
        "Anna> greedy is asked…\n",
        "greedy would play ",
        "the match will be in match.html",
        "\nBen has won\nseat 1 (Anna): rank 2",
        "the replay is in match.html",
    ];
    assert!(expected.iter().all(|words| ran.stdout.contains(words)), "{}", ran.stdout);
    let page = std::fs::read_to_string(arena.path("match.html")).unwrap();
    assert!(page.contains("Anna") && page.contains("Ben"));
    let ran = play(&arena, &["-b", "mini-3", "--against", "greedy"], "h\nkeep match.html\nresign\n").well();
    let expected = ["greedy would play ", "match.html is there already", "you have lost\nseat 1 (a person): rank 2"];
    assert!(expected.iter().all(|words| ran.stdout.contains(words)), "{}", ran.stdout);
    let ran = play(&arena, &["-b", "mini-3", "--against", "greedy", "--name", "Anna", "--name", "Ben"], "");
    assert!(ran.status == Some(2) && ran.stderr.contains("--name Ben: there is nobody left"), "{ran:?}");
}
