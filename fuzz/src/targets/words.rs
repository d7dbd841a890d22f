//! Words of command lines: times, sizes, decimals, closing times, names, boards, and the words of a match.

use agon_boards::{Diagonals, Placement, parse};
use agon_config::{self as config, MatchWords};
use agon_games::GAMES;
use agon_model::{TimeWords, is_ladder_name, units};

pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let words: Vec<&str> = text.split('\n').collect();
    for word in &words {
        let _ = (units::duration(word), units::size(word), TimeWords::read(word), is_ladder_name(word));
        let _ = parse(word, Placement::Figures, Diagonals::Natural);
    }
    let clients = words.iter().take(10).map(|word| (*word).to_owned()).collect();
    let options = words.iter().skip(2).map(|word| (*word).to_owned()).collect();
    let given = |place: usize| words.get(place).map(|word| (*word).to_owned());
    let words = MatchWords {
        clients,
        options,
        game: given(3),
        per_move: given(4),
        total: given(5),
        memory: given(6),
        sandbox: given(7),
        isolation: given(8),
        name: given(9),
        ..MatchWords::default()
    };
    let _ = config::for_match(&words, &crate::scratch::folder("words"), GAMES);
}
