//! The turn that a fault ended: what the client tried, how long it took, and the move as it would lie on the board.

use crate::kinds::kind_text;
use crate::playback::{Frame, MadeMove, Playback};
use agon_games::{Scene, Stroke};
use agon_model::visible::escape;
use agon_model::{ClockKind, Ending, Fault, FaultKind, Phase, StoredMatch};

impl Playback {
    /// Marks the moves at which a client committed a fault. Where the match ended by it, the turn has no position of its
    /// own: it gets one like the last, with what was tried.
    pub(crate) fn add_faults(&mut self, stored: &StoredMatch) {
        let turn = stored.played.plies() as usize + 1;
        for (seat, result) in stored.played.seats.iter().enumerate() {
            let Some(fault) = &result.fault else { continue };
            if !matches!(fault.phase, Phase::Play | Phase::Waiting) {
                continue;
            }
            let at = fault.ply as usize + 1;
            let kind = kind_text(fault.kind.name(), self.language).to_owned();
            if at == turn && matches!(stored.played.ending, Ending::Fault) && self.frames.len() >= turn {
                self.add_broken(seat, fault, kind, (turn, time_of(stored, seat, fault)));
            } else if let Some(frame) = self.frames.get_mut(at)
                && let Some(made) = frame.moves.iter_mut().find(|made| made.seat == seat)
            {
                made.fault = Some(kind);
            }
        }
    }

    fn add_broken(&mut self, seat: usize, fault: &Fault, kind: String, (turn, us): (usize, Option<u64>)) {
        if self.frames.len() == turn {
            let last = self.frames.last().cloned().unwrap_or_default();
            let Frame { scene, clocks, position, .. } = last;
            self.frames.push(Frame { scene, clocks, position, is_broken: true, ..Frame::default() });
        }
        let Some(frame) = self.frames.get_mut(turn) else { return };
        let text = tried(fault);
        show_tried(&mut frame.scene, &text);
        if let (Some(us), Some((used, left))) = (us, frame.clocks.get_mut(seat)) {
            *used += us;
            *left = left.map(|left| left.saturating_sub(us));
        }
        frame.moves.push(MadeMove { seat, text: escape(&text, 60), us, fault: Some(kind) });
    }
}

/// The move that the rules refused, as the message begins with it; empty for other faults.
fn tried(fault: &Fault) -> String {
    match fault.kind {
        FaultKind::IllegalMove => fault.message.split(" (").next().unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}

/// The time of the turn on the judging clock: what the seat used beyond its moves, or what the message of a fault of
/// time says.
fn time_of(stored: &StoredMatch, seat: usize, fault: &Fault) -> Option<u64> {
    if matches!(fault.kind, FaultKind::CpuTime | FaultKind::WallTime) {
        return time_in(&fault.message);
    }
    let on_wall = stored.ladder.terms.time.as_ref().is_some_and(|time| time.clock == ClockKind::Wall);
    let usage = &stored.played.seats.get(seat)?.usage;
    let all = if on_wall { usage.play_wall_us } else { usage.play_cpu_us };
    let steps = stored.played.steps.iter().filter(|step| step.seat == seat && step.by_client);
    let moves: u64 = steps.map(|step| if on_wall { step.wall_us } else { step.cpu_us }).sum();
    all.checked_sub(moves).filter(|us| *us > 0)
}

/// The time with which a message begins: `16.1 ms of processor time …`.
fn time_in(message: &str) -> Option<u64> {
    let mut words = message.split_whitespace();
    let (number, unit) = (words.next()?.parse::<f64>().ok()?, words.next()?);
    let us = match unit {
        "us" | "µs" => 1.0,
        "ms" => 1e3,
        "s" => 1e6,
        _ => return None,
    };
    Some((number * us).round() as u64).filter(|us| *us > 0)
}

/// Draws a refused move over the cells that it names, in place of the last one.
fn show_tried(scene: &mut Scene, text: &str) {
    let whole = scene.cells.iter().position(|cell| cell.name == text).into_iter();
    let cell = |name: &str| scene.cells.iter().position(|cell| cell.name == name);
    let parts: Vec<usize> = text.split(|c: char| !c.is_alphanumeric()).filter_map(cell).collect();
    let cells = if parts.is_empty() { whole.collect() } else { parts };
    scene.path.clear();
    if cells.is_empty() {
        return;
    }
    scene.path = cells.windows(2).map(|pair| Stroke::Slide(pair.to_vec())).filter(is_way).collect();
    for (number, cell) in scene.cells.iter_mut().enumerate() {
        cell.marked = cells.contains(&number);
    }
}

fn is_way(stroke: &Stroke) -> bool {
    let (Stroke::Slide(way) | Stroke::Shot(way)) = stroke;
    way.first() != way.last()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Followed;
    use crate::followed::tests::stored;
    use agon_games::{Cell, GAMES, Piece};

    #[test]
    fn the_turn_of_a_fault_is_a_turn_of_its_own() {
        let game = GAMES.iter().find(|game| game.facts().seats == (2, 2)).unwrap();
        let mut stored = stored(*game, 2);
        stored.played.steps.truncate(2);
        stored.played.ending = Ending::Fault;
        let message = "16.1 ms of processor time in play, ply 2, 15.0 ms allowed".to_owned();
        let fault = Fault { kind: FaultKind::CpuTime, phase: Phase::Play, ply: 2, message, raw: String::new() };
        stored.played.seats[0].fault = Some(fault);
        let playback = Playback::new(&stored, *game);
        let [_, _, before, broken] = playback.frames.as_slice() else { panic!("{}", playback.frames.len()) };
        assert!(broken.is_broken && !before.is_broken && broken.scene.path.is_empty());
        let [made] = broken.moves.as_slice() else { panic!("{:?}", broken.moves) };
        assert_eq!((made.seat, made.us, made.fault.as_deref()), (0, Some(16_100), Some("cpu-time")));
        assert_eq!(broken.clocks[0].0, before.clocks[0].0 + 16_100, "the time is used");
        let said = "seat 1 (client 0): cpu-time in turn 3: 16.1 ms of processor time, 15.0 ms allowed";
        assert_eq!((broken.events.as_slice(), before.events.len()), (&[said.to_owned()][..], 0));
        assert_eq!(Followed::to_the_end(&playback).turns, 2, "nothing was played in it");
        assert_eq!(playback.slowest(), 3);
    }

    #[test]
    fn a_time_stands_at_the_beginning_of_a_message() {
        assert_eq!(time_in("16.1 ms of processor time in play, ply 8, 15.0 ms allowed"), Some(16_100));
        assert_eq!(time_in("1.20 s of wall time"), Some(1_200_000));
        assert_eq!((time_in("crashed in play"), time_in("12 moves of"), time_in("")), (None, None, None));
    }

    #[test]
    fn a_refused_move_is_drawn_over_the_cells_that_it_names() {
        let cells = ["a1", "a2", "a3"].iter().enumerate();
        let cells = cells.map(|(row, name)| Cell::on_grid((*name).to_owned(), 0, row, Piece::Empty)).collect();
        let mut scene = Scene { cells, ..Scene::default() };
        show_tried(&mut scene, "a1-a3/a3");
        assert_eq!(scene.path, [Stroke::Slide(vec![0, 2])], "an arrow into its own square is no way");
        assert_eq!(scene.cells.iter().map(|cell| cell.marked).collect::<Vec<_>>(), [true, false, true]);
        show_tried(&mut scene, "");
        assert_eq!(scene.path, [], "nothing is known of the move, and the last one is not it");
    }
}
