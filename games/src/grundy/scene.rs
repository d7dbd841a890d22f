//! Grundy's game in words: the picture of a state, and the notation of moves (`1 3`: of line 1, split off 3 sticks).

use super::{Grundy, Move, count_splits};
use crate::{Item, Language, Panel, Scene, Seat};

/// The most sticks that are drawn one by one.
const MOST_DRAWN: u32 = 60;
/// The most lines of heaps that are drawn.
const MOST_LINES: usize = 40;
/// Heaps that cannot be split and that are drawn side by side.
const DEAD_A_ROW: usize = 6;

/// The notation of a move; lines are counted from 1.
pub(super) fn write(mv: Move) -> String {
    format!("{} {}", u64::from(mv.heap) + 1, mv.split)
}

/// Reads the move in a text, if there is one.
pub(super) fn read(text: &str) -> Option<Move> {
    let mut words = text.split_whitespace();
    let line: u64 = words.next()?.parse().ok()?;
    let split = words.next()?.parse().ok()?;
    let heap = u32::try_from(line.checked_sub(1)?).ok()?;
    words.next().is_none().then_some(Move { heap, split })
}

/// The state as a picture; `viewer` = `None` also shows nimbers.
pub(super) fn draw(game: &Grundy, viewer: Option<Seat>, language: Language) -> Scene {
    let with_nimbers = viewer.is_none() && !game.setting.misere;
    let lines = heaps(game, with_nimbers, language);
    let items = drawn(game, &lines, language);
    let mut panels = vec![Panel::new(title(game, language), lines).with_items(items)];
    if game.moves > 0 {
        let line = format!("{}{} {}", write(game.last), language.colon(), parted(game, language));
        panels.push(Panel::new(language.pick("last move", "dernier coup"), vec![line]));
    }
    if let Some(is_won) = game.is_won().filter(|_| with_nimbers && !game.is_over()) {
        let won = if is_won {
            language.pick("won for the side to move", "gagné pour qui doit jouer")
        } else {
            language.pick("lost for the side to move", "perdu pour qui doit jouer")
        };
        let (title, line) = (
            language.pick("nimber of all heaps", "nimber de tous les tas"),
            format!("{}{} {won}", game.nimber, language.colon()),
        );
        panels.push(Panel::new(title, vec![line]));
    }
    Scene { panels, spoken: speak(game, language), brief: 1 + usize::from(game.moves > 0), ..Scene::default() }
}

fn title(game: &Grundy, language: Language) -> String {
    let next = game.next() + 1;
    match game.winner().map(|winner| winner + 1) {
        Some(winner) => language.pick(format!("seat {winner} wins"), format!("la place {winner} gagne")),
        None if game.is_over() => {
            let moves = game.moves;
            language.pick(format!("drawn after {moves} moves"), format!("partie nulle après {moves} coups"))
        }
        None => to_move(next, language),
    }
}

fn to_move(next: Seat, language: Language) -> String {
    language.pick(format!("seat {next} is to move"), format!("c'est à la place {next} de jouer"))
}

/// Writes a line for each heap, as the course draws them. If there are too many, it writes those that can be split, and
/// the number left out.
fn heaps(game: &Grundy, with_nimbers: bool, language: Language) -> Vec<String> {
    let width = game.heaps.len().to_string().len();
    let line = |(heap, sticks): (usize, &u32)| {
        let drawn = match *sticks {
            few @ 0..=MOST_DRAWN => "|".repeat(few as usize),
            many => language.pick(format!("{many} sticks"), format!("{many} bâtons")),
        };
        let nimber = game.setting.nimbers.get(*sticks as usize).filter(|_| with_nimbers);
        let nimber = nimber.map_or(String::new(), |nimber| format!("   ({nimber})"));
        format!("{:>width$}: {drawn}{nimber}", heap + 1)
    };
    let all = || game.heaps.iter().enumerate();
    if game.heaps.len() <= MOST_LINES {
        return all().map(line).collect();
    }
    let live = || all().filter(|(_, sticks)| count_splits(**sticks) > 0);
    let mut lines: Vec<String> = live().take(MOST_LINES).map(line).collect();
    let (more, dead) = (live().count() - lines.len(), game.heaps.len() - live().count());
    if more > 0 {
        lines.push(language.pick(format!("and {more} more to split"), format!("et {more} {} à séparer", others(more))));
    }
    lines.push(language.pick(format!("and {dead} of 1 or 2 sticks"), format!("et {dead} de 1 ou 2 bâtons")));
    lines
}

/// The sizes of the heap that the last move split, and of its two parts.
fn last_split(game: &Grundy) -> [u32; 3] {
    let (left, split) = (game.heaps.get(game.last.heap as usize).copied().unwrap_or_default(), game.last.split);
    [left + split, left, split]
}

/// The last move by the sizes of the heaps.
fn parted(game: &Grundy, language: Language) -> String {
    let [whole, left, split] = last_split(game);
    language.pick(format!("{whole} into {left} and {split}"), format!("{whole} en {left} et {split}"))
}

/// The lines with their strokes as heaps: those that can be split one below the other, then the others in rows.
fn drawn(game: &Grundy, lines: &[String], language: Language) -> Vec<Vec<Item>> {
    let is_new = |name: &str| {
        game.moves > 0
            && [u64::from(game.last.heap) + 1, game.heaps.len() as u64].iter().any(|line| line.to_string() == name)
    };
    let (mut rows, mut dead) = (Vec::new(), Vec::new());
    for line in lines {
        let Some((name, rest)) = line.split_once(": |") else {
            rows.push(vec![Item::text(line)]);
            continue;
        };
        let more = rest.chars().take_while(|c| *c == '|').count();
        let (name, sticks) = (name.trim(), more as u32 + 1);
        let heap = if is_new(name) { Item::NewHeap(sticks) } else { Item::Heap(sticks) };
        let items = [Item::text(name), heap];
        if count_splits(sticks) == 0 {
            dead.extend(items);
        } else {
            let words = Some(rest[more..].trim()).filter(|rest| !rest.is_empty()).map(drawn_nimber);
            rows.push(items.into_iter().chain(words).collect());
        }
    }
    if !dead.is_empty() {
        rows.push(vec![Item::text(language.pick("cannot be split:", "ne se partagent plus :"))]);
    }
    rows.extend(dead.chunks(2 * DEAD_A_ROW).map(|row| vec![Item::Row(row.to_vec())]));
    rows
}

/// The nimber of a line, which stands in brackets, as a picture has room to name it.
fn drawn_nimber(words: &str) -> Item {
    Item::Text(format!("nimber {}", words.trim_matches(['(', ')'])))
}

/// `1 autre`, `2 autres`.
fn others(count: usize) -> &'static str {
    if count == 1 { "autre" } else { "autres" }
}

fn speak(game: &Grundy, language: Language) -> String {
    let live = || (1..).zip(&game.heaps).filter(|(_, sticks)| count_splits(**sticks) > 0);
    let one = |(line, sticks): (usize, &u32)| {
        language.pick(format!("line {line} has {sticks} sticks"), format!("la ligne {line} a {sticks} bâtons"))
    };
    let mut parts = Vec::new();
    if game.moves > 0 {
        let (seat, parted) = (2 - game.next(), parted(game, language));
        parts.push(language.pick(
            format!("seat {seat} split a line of {parted}"),
            format!("la place {seat} a séparé une ligne de {parted}"),
        ));
    }
    parts.push(title(game, language));
    parts.extend(live().take(MOST_LINES).map(one));
    let more = live().count().saturating_sub(MOST_LINES);
    if more > 0 {
        parts.push(language.pick(format!("and {more} more"), format!("et {more} {}", others(more))));
    }
    parts.join(language.pick("; ", " ; ")) + "."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_is_lenient_with_blanks_and_wants_two_numbers() {
        assert_eq!(read("1 3"), Some(Move { heap: 0, split: 3 }));
        assert_eq!(read("  12\t 007 \n"), Some(Move { heap: 11, split: 7 }));
        assert_eq!(read("4294967296 1"), Some(Move { heap: u32::MAX, split: 1 }));
        for text in ["", "1", "0 1", "1 2 3", "1 -2", "a b", "4294967297 1", "1,3"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(write(Move { heap: u32::MAX, split: 0 }), "4294967296 0");
    }
}
