//! An adaptive maker of Mastermind over long matches: guesses made again, and what keeping all codes costs.

use agon_games::mastermind::Mastermind;
use agon_games::{AnyGame, AnyState, Game, Opening, Options};
use std::ops::ControlFlow;

/// A match with an adaptive maker after these guesses and replies, in turn.
fn played(size: [&str; 2], texts: &[&str]) -> Box<dyn AnyState> {
    let mut options = Options::default();
    for (key, value) in [("maker", "adaptive"), ("tries", "8"), ("pegs", size[0]), ("values", size[1])] {
        options.set(key, value);
    }
    let mut state = Game::<Mastermind>::ENTRY.prepare(&options, 2).unwrap().start(&Opening::ANY);
    for text in texts {
        let seat = state.to_move().iter().next().unwrap();
        let mv = state.read(text).unwrap();
        state.check(seat, &mv).unwrap();
        state.play(&[(seat, mv)]);
    }
    state
}

/// The possible answers of the maker.
fn replies(texts: &[&str]) -> Vec<String> {
    let state = played(["4", "6"], texts);
    let mut replies = vec![];
    state.legal(0, &mut |mv| {
        replies.push(state.write(&mv));
        ControlFlow::Continue(())
    });
    replies
}

#[test]
fn a_guess_made_again_has_the_answer_it_had_and_rules_out_nothing() {
    assert_eq!(replies(&["0011", "1+1", "2233", "1+0", "0011"]), ["1+1"]);
    let again = replies(&["0011", "1+1", "2233", "1+0", "0011", "1+1", "0123"]);
    assert_eq!(again, replies(&["0011", "1+1", "2233", "1+0", "0123"]));
    assert!(again.len() > 1, "{again:?}");
}

/// Among 10^8 codes, of which none is listed.
#[test]
fn answers_among_a_hundred_million_codes_are_decided() {
    let among = |texts: &[&str], guess: &str| {
        let state = played(["8", "10"], &[texts, &[guess]].concat());
        let mut replies = vec![];
        state.legal(0, &mut |mv| {
            replies.push(state.write(&mv));
            ControlFlow::Continue(())
        });
        replies
    };
    assert_eq!(among(&[], "00000000").len(), 9, "0 to 8 of them");
    // Values 0, 1 and 2 have two places each, so that 3 has at most two.
    let told = ["00000000", "2+0", "11111111", "2+0", "22222222", "2+0"];
    assert_eq!(among(&told, "33333333"), ["0+0", "1+0", "2+0"]);
    assert_eq!(among(&told, "00112233").last().map(String::as_str), Some("8+0"));
    assert_eq!(among(&["01234567", "0+0"], "89898989"), among(&["01234567", "0+0", "76543210", "0+0"], "89898989"));
}
