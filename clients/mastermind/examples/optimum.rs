//! Finds and proves the strategy with the fewest guesses over all codes, plays its tree against all of them, and
//! prints it as the client keeps it: `optimum [PEGS VALUES [WORST]] [> FILE]`. What it found is on the standard
//! error.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use agon_client_api::mastermind::{Code, Codes};
use mastermind::optimum::{NEVER, Search, UNLIMITED};
use std::time::Instant;

/// Guesses in a line of the file.
const WIDTH: usize = 24;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<u8> = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let (pegs, values, worst) = match arguments[..] {
        [] => (4, 6, None),
        [pegs, values] => (pegs, values, None),
        [pegs, values, worst] => (pegs, values, Some(worst)),
        _ => return Err("optimum [PEGS VALUES [WORST]]".into()),
    };
    let (codes, limit) = (Codes::new(pegs, values), worst.map_or(UNLIMITED, usize::from));
    let start = Instant::now();
    let mut search = Search::new(codes);
    let total = search.optimum(limit);
    let within = worst.map_or(String::new(), |worst| format!(" with at most {worst} guesses each"));
    if total == NEVER {
        return Err(format!("no strategy finds all {} codes{within}", codes.count()).into());
    }
    eprintln!(
        "Lower bound: no strategy{within} has a total below {total}: {} sets, {:.1?}.",
        search.searched,
        start.elapsed()
    );
    for (guess, cost) in search.first_guesses(limit, total + 1) {
        let cost = cost.map_or(format!("more than {total}"), |cost| cost.to_string());
        eprintln!("  {} first: {cost}", text(codes, &codes.at(guess.into())));
    }
    let tree: Vec<Code> = search.tree(limit).into_iter().map(|guess| codes.at(guess.into())).collect();
    let found = play(codes, &tree);
    let played: usize = (1..).zip(&found).map(|(guesses, count)| guesses * count).sum();
    eprintln!(
        "Upper bound: its tree of {} guesses finds {found:?} codes with 1, 2, … guesses: total {played}.",
        tree.len()
    );
    for line in tree.chunks(WIDTH) {
        println!("{}", line.iter().map(|guess| text(codes, guess)).collect::<Vec<_>>().join(" "));
    }
    if played == total as usize { Ok(()) } else { Err("the bounds differ: the search is wrong".into()) }
}

/// How many codes the tree finds with each number of guesses, from 1, by nothing but the replies of the rules.
fn play(codes: Codes, tree: &[Code]) -> Vec<usize> {
    let (mut found, mut rest) = (vec![], tree.iter());
    walk(codes, codes.iter().collect(), 0, &mut rest, &mut found);
    assert!(rest.next().is_none(), "a guess that follows no replies");
    found
}

fn walk<'a>(
    codes: Codes,
    left: Vec<Code>,
    before: usize,
    tree: &mut impl Iterator<Item = &'a Code>,
    found: &mut Vec<usize>,
) {
    let Some(first) = left.first().copied() else { return };
    let guess = if left.len() > 2 { *tree.next().expect("a guess for each set of codes") } else { first };
    found.resize(found.len().max(before + 1), 0);
    // In the order in which the client numbers replies: by the right values in all, then by those at their places.
    for right in 0..=codes.pegs() {
        for exact in 0..=right {
            let with = |code: &Code| {
                let reply = codes.reply(code, &guess);
                (usize::from(reply.rr + reply.rw), usize::from(reply.rr)) == (right, exact)
            };
            let part: Vec<Code> = left.iter().copied().filter(with).collect();
            if exact == codes.pegs() { found[before] += part.len() } else { walk(codes, part, before + 1, tree, found) }
        }
    }
}

/// A digit a value.
fn text(codes: Codes, code: &Code) -> String {
    code[..codes.pegs()].iter().filter_map(|value| char::from_digit((*value).into(), 36)).collect()
}
