//! Laws of a single position: which moves are accepted, sampled, written, and played for an absent seat.

use super::walk::{Position, Verdict, hold, legal};
use agon_games::{Absent, MoveBytes, Rng, Seat, Seats, below};
use std::collections::HashMap;

/// Legal moves are accepted, of the seats to move only; random bytes, changed legal moves and those of the start are
/// accepted only if they are legal, else refused with a reason.
pub fn exactly_the_legal_moves_are_accepted(at: &Position, rng: &mut Rng) -> Verdict {
    let size = at.game.facts().mv.size as usize;
    let say = |mv: &MoveBytes| format!("the move {:?} of bytes {:?}", at.state.write(mv), mv.as_slice());
    for seat in at.state.to_move().iter() {
        let moves = legal(at.state, seat);
        let set: HashMap<&[u8], usize> = moves.iter().enumerate().map(|(at, mv)| (mv.as_slice(), at)).collect();
        hold(!moves.is_empty(), || format!("seat {seat} has no move"))?;
        let twice = moves.iter().enumerate().find(|(at, mv)| set[mv.as_slice()] != *at);
        hold(twice.is_none(), || format!("{} is listed twice", twice.map_or_else(String::new, |(_, mv)| say(mv))))?;
        for mv in &moves {
            at.state.check(seat, mv).map_err(|illegal| format!("{} is listed but refused: {illegal:?}", say(mv)))?;
        }
        for number in 0..64 {
            let mut bytes = moves[below(rng, moves.len() as u64) as usize].as_slice().to_vec();
            if number % 4 == 0 {
                bytes.fill_with(|| below(rng, 256) as u8);
            }
            bytes[below(rng, size as u64) as usize] = below(rng, 256) as u8;
            let verdict = at.state.check(seat, &MoveBytes::new(&bytes));
            let said = || if verdict.is_ok() { "accepted but not listed" } else { "listed but refused" };
            hold(verdict.is_ok() == set.contains_key(&bytes[..]), || {
                format!("{} is {}: {verdict:?}", say(&MoveBytes::new(&bytes)), said())
            })?;
            let explained = verdict.err().is_none_or(|illegal| {
                !illegal.rule.is_empty() && !illegal.why.is_empty() && !illegal.french.is_empty()
            });
            hold(explained, || format!("{bytes:?} is refused without a reason"))?;
        }
        for mv in some(legal(at.start, seat), rng).iter().filter(|mv| !set.contains_key(mv.as_slice())) {
            let refused = at.state.check(seat, mv).is_err();
            hold(refused, || format!("{}, which was legal at the start, is accepted but not listed", say(mv)))?;
        }
        for size in [0, size - 1, size + 1].into_iter().filter(|size| *size <= 16) {
            let verdict = at.state.check(seat, &MoveBytes::new(&[0; 16][..size]));
            hold(verdict.is_err(), || format!("a move of {size} bytes is accepted"))?;
        }
        for other in (0..at.seats).filter(|other| !at.state.to_move().has(*other)) {
            let verdict = at.state.check(other, &moves[0]).map_err(|illegal| illegal.rule);
            hold(verdict == Err("not-to-move"), || {
                format!("seat {other} is not to move, but its move is {verdict:?}")
            })?;
        }
    }
    Ok(())
}

/// Samples are legal, and where there are few moves, each is as likely as any other.
pub fn samples_are_legal_and_uniform(at: &Position, rng: &mut Rng) -> Verdict {
    for seat in at.state.to_move().iter() {
        let mut counts: HashMap<Vec<u8>, i64> =
            legal(at.state, seat).iter().map(|mv| (mv.as_slice().to_vec(), 0)).collect();
        let draws = match counts.len() {
            2..=12 if at.turn < 4 || below(rng, 64) == 0 => 400 * counts.len(),
            13..=250 if at.turn == 0 => 100 * counts.len(),
            _ => 8,
        };
        for _ in 0..draws {
            let mv = at.state.sample(seat, rng);
            *counts.get_mut(mv.as_slice()).ok_or_else(|| format!("the sample {mv:?} is not legal"))? += 1;
        }
        let even = draws == 8 || is_uniform(&counts.into_values().collect::<Vec<_>>());
        hold(even, || format!("{draws} samples are not uniform"))?;
    }
    Ok(())
}

/// Pearson's chi-square test against one chance in a thousand million, by the approximation of Wilson and Hilferty
/// (1931).
fn is_uniform(counts: &[i64]) -> bool {
    let expected = counts.iter().sum::<i64>() as f64 / counts.len() as f64;
    let statistic: f64 = counts.iter().map(|count| (*count as f64 - expected).powi(2) / expected).sum();
    let freedom = (counts.len() - 1) as f64;
    let spread = 2.0 / (9.0 * freedom);
    statistic <= freedom * (1.0 - spread + 6.0 * spread.sqrt()).powi(3)
}

/// All moves if they are few, or 64 of many.
fn some(moves: Vec<MoveBytes>, rng: &mut Rng) -> Vec<MoveBytes> {
    if moves.len() <= 64 {
        return moves;
    }
    (0..64).map(|_| moves[below(rng, moves.len() as u64) as usize]).collect()
}

/// A written move is read back as the same move; bytes that are not a move are written and read without a panic.
pub fn notation_is_read_back(at: &Position, rng: &mut Rng) -> Verdict {
    for seat in at.state.to_move().iter() {
        for mv in legal(at.state, seat) {
            let text = at.state.write(&mv);
            let back = at.state.read(&text);
            hold(back == Some(mv), || format!("{mv:?} is written {text:?}, which is read as {back:?}"))?;
        }
    }
    let random: Vec<u8> = (0..16).map(|_| below(rng, 256) as u8).collect();
    for size in [0, at.game.facts().mv.size as usize, 16] {
        hold(!at.state.write(&MoveBytes::new(&random[..size])).is_empty(), || format!("{random:?} has no text"))?;
    }
    for text in
        ["", " ", "-1", "0", "99999999999999999999", "row ", "\0", "é", "a1-", "(/)", &String::from_utf8_lossy(&random)]
    {
        let _ = at.state.read(text);
    }
    Ok(())
}

/// Where seats that are out end the match, they lose to all others by its scores, and to nobody who is out too.
pub fn whoever_is_out_has_lost(at: &Position, _: &mut Rng) -> Verdict {
    let to_move = at.state.to_move();
    let is_asked = |seat: &Seat| !to_move.is_empty() && (to_move.has(*seat) || !at.game.facts().simultaneous);
    let is_needed = |seat: &Seat| is_asked(seat) && at.state.absent(*seat) == Absent::Ends;
    let needed = (0..at.seats).filter(is_needed).fold(Seats::NONE, Seats::with);
    let sets = (1u32..1 << at.seats).map(|set| (0..at.seats).filter(move |seat| set >> seat & 1 == 1));
    let sets = sets.map(|seats| seats.fold(Seats::NONE, Seats::with)).take_while(|_| !needed.is_empty());
    for out in sets.filter(|out| out.iter().any(|seat| needed.has(seat))) {
        let scores = at.state.forfeit(out);
        hold(scores.values.len() == at.seats, || format!("{scores:?} for {} seats", at.seats))?;
        for (seat, other) in out.iter().flat_map(|seat| (0..at.seats).map(move |other| (seat, other))) {
            hold(scores.beats(other, seat) != out.has(other), || format!("{out:?} out: {scores:?}, seat {seat}"))?;
        }
    }
    Ok(())
}

/// A seat whose client is out ends the match or plays a legal move.
pub fn absent_moves_are_legal(at: &Position, _: &mut Rng) -> Verdict {
    for seat in at.state.to_move().iter() {
        if let Absent::Plays(mv) = at.state.absent(seat) {
            at.state.check(seat, &mv).map_err(|illegal| format!("the absent seat {seat} plays {mv:?}: {illegal:?}"))?;
        }
    }
    Ok(())
}
