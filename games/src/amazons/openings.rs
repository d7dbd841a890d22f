//! Openings: a match may begin after random plies, or after a line of play from a file. No client takes part in it.

use super::abi::AmazonsMove;
use super::check::explain;
use super::notation;
use super::setting::Prepared;
use super::{Amazons, position::Position};
use crate::{BadOption, Opening, Options, Rules, rng_from};
use agon_boards::MAX_VERTICES;
use std::sync::Arc;

/// How the matches of a setting are opened.
#[derive(Clone, Debug)]
pub(super) enum Openings {
    /// This number of plies, each drawn from all moves; none of them ends the match.
    Random(u32),
    /// One of these lines of play, in order; after the last one comes the first again.
    Lines(Vec<Vec<AmazonsMove>>),
}

impl Openings {
    /// Reads the option `opening`: a number, or the text of a file with a line of play on each line.
    ///
    /// # Errors
    /// The error names the line and the move that is wrong.
    pub(super) fn from_options(options: &Options, setting: &Prepared) -> Result<Openings, BadOption> {
        let text = options.get("opening").unwrap_or_default();
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(Openings::Random(options.number("opening", 0..=MAX_VERTICES as i64)? as u32));
        }
        let neither = || {
            let what = format!("\"{}\" is neither a number of plies from 0 to {MAX_VERTICES}", text.trim());
            BadOption::new("opening", format!("{what} nor a file with lines of play"))
        };
        // A word that was meant as a number or a file.
        if let [word] = text.split_whitespace().collect::<Vec<_>>()[..]
            && notation::read(&setting.board, word).is_none()
        {
            return Err(neither());
        }
        let mut lines = Vec::new();
        for (row, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let moves = read_line(setting, line).map_err(|(column, why)| BadOption {
                key: "opening".to_owned(),
                why,
                place: Some((row + 1, column)),
            })?;
            if !moves.is_empty() {
                lines.push(moves);
            }
        }
        if lines.is_empty() {
            return Err(neither());
        }
        Ok(Openings::Lines(lines))
    }
}

/// The moves of one line, all legal and none the last of a match; else the column, and what is wrong there.
fn read_line(setting: &Prepared, line: &str) -> Result<Vec<AmazonsMove>, (usize, String)> {
    let mut position = Position::clone(&setting.start);
    let mut moves = Vec::new();
    for word in line.split_whitespace() {
        let before = word.as_ptr() as usize - line.as_ptr() as usize;
        let at = |why: String| (line[..before].chars().count() + 1, why);
        let mv = notation::read(&setting.board, word)
            .ok_or_else(|| at(format!("\"{word}\" is not a move; a move is written {}", example(setting))))?;
        if !position.allows(setting, mv) {
            return Err(at(format!(
                "{word} is not legal here: {}",
                explain(setting, &setting.start, &position, mv).why
            )));
        }
        position.make(setting, mv);
        if !position.has_move(setting) {
            return Err(at(format!("{word} ends the match, and nothing would be left to play")));
        }
        moves.push(mv);
    }
    Ok(moves)
}

fn example(setting: &Prepared) -> &'static str {
    if setting.board.is_grid() { "d1-d7/g7" } else { "12-40/33" }
}

/// Plays an opening and returns its plies. Clients get the resulting position as the start of their match.
pub(super) fn play(state: &mut Amazons, opening: &Opening) -> Vec<AmazonsMove> {
    let setting = Arc::clone(&state.setting);
    let mut plies = Vec::new();
    match &setting.openings {
        Openings::Random(0) => return plies,
        _ if state.is_over => return plies,
        Openings::Random(count) => {
            let mut rng = rng_from(&opening.seed);
            for _ in 0..*count {
                let mut next = state.clone();
                let mv = next.position.sample(&setting, &mut rng);
                next.play(&[(state.position.side, mv)]);
                if next.is_over {
                    break;
                }
                *state = next;
                plies.push(mv);
            }
        }
        Openings::Lines(lines) => {
            plies.clone_from(&lines[(opening.number % lines.len() as u64) as usize]);
            plies.iter().for_each(|&mv| state.play(&[(state.position.side, mv)]));
        }
    }
    state.begin = Arc::new(state.position.clone());
    state.last = AmazonsMove::NONE;
    plies
}
