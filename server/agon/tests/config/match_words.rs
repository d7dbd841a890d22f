//! A match as a ladder of words from the command line, and words that are wrong.

use super::{GAMES, folder};
use agon_config::{self as config, MatchWords};

fn words(clients: &[&str]) -> MatchWords {
    MatchWords { clients: clients.iter().map(|client| (*client).to_owned()).collect(), ..MatchWords::default() }
}

#[test]
fn a_match_is_a_ladder_of_words() {
    let mut said = words(&["a", "clients/b.so", "a"]);
    said.options = vec!["board=large".to_owned()];
    said.per_move = Some("50ms".to_owned());
    let ladder = config::for_match(&said, folder().path(), GAMES).unwrap();
    assert_eq!((ladder.name.as_str(), ladder.game.as_str(), ladder.seats), ("match", "tiny", 3));
    assert_eq!(ladder.lineups, [["a", "b", "a"]]);
    assert_eq!(ladder.clients.len(), 2);
    assert!(ladder.clients.iter().all(|client| client.is_named_alone));
    assert_eq!(ladder.settings[0].name, "large");
    assert_eq!(ladder.time.per_move_us, Some(50_000));
}

#[test]
fn a_client_of_a_match_may_have_options() {
    let ladder =
        config::for_match(&words(&["a:depth=2,style=x", "a", "a:depth=2,style=x"]), folder().path(), GAMES).unwrap();
    assert_eq!(ladder.lineups, [["a:depth=2,style=x", "a", "a:depth=2,style=x"]]);
    let options: Vec<Vec<_>> = ladder.clients.iter().map(|client| client.options.iter().collect()).collect();
    assert_eq!(options, [vec![(&"depth".to_owned(), &"2".to_owned()), (&"style".to_owned(), &"x".to_owned())], vec![]]);
    let error = config::for_match(&words(&["a:de pth=2", "a"]), folder().path(), GAMES).unwrap_err().to_string();
    assert!(error.starts_with("a:de pth=2: a client cannot read an option of this name\n"), "{error}");
}

#[test]
fn bad_words_are_told_without_lines() {
    let error = |said: &MatchWords| config::for_match(said, folder().path(), GAMES).unwrap_err().to_string();
    let mut said = words(&["a", "b"]);
    said.per_move = Some("1".to_owned());
    assert_eq!(
        error(&said),
        "--time: \"1\" is not a time\nhelp: write a unit: \"1s\" (there are us, ms, s, min, h, d)"
    );
    let mut said = words(&["a", "b"]);
    said.options = vec!["board=lage".to_owned()];
    assert!(error(&said).starts_with("board=lage: option board: \"lage\" is not one of"), "{}", error(&said));
    said.options = vec!["board=nowhere/my.toml".to_owned()];
    assert!(error(&said).ends_with("\nhelp: the path starts in the current folder"), "{}", error(&said));
    let data = error(&words(&["a:data=nowhere.txt", "b"]));
    assert!(data.contains("there is no file \"nowhere.txt\"") && data.ends_with("in the current folder"), "{data}");
    let path = error(&words(&["./zz.so", "a"]));
    assert!(path.ends_with(", or copy a client into clients/: agon add FILE.so"), "{path}");
    assert!(
        error(&words(&["a", "zz"]))
            .starts_with("zz: there is no file \"clients/zz.so\"\nhelp: the folder has 5 files: ")
    );
    assert!(
        error(&words(&["a"])).starts_with("agon match: Tiny is played by 2 to 4, not by 1\n"),
        "{}",
        error(&words(&["a"]))
    );
    assert!(error(&words(&[])).starts_with("agon match: no client is named\nhelp: "));
}
