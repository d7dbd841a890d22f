//! Tirs Croisés in words: the picture of a state, and the notation of moves, `2 5` for column 2 and row 5.

use super::abi::{Event, Move};
use super::{MAX_EVENTS, TirsCroises};
use crate::{Cell, Item, Language, Overlay, Panel, Piece, Rules, Scene, Seat, Stroke, Tint};

/// The notation of a move.
pub(super) fn write(mv: Move) -> String {
    format!("{} {}", mv.x, mv.y)
}

/// Reads the move in a text, if there is one: two numbers with any blanks, commas and brackets around them.
pub(super) fn read(text: &str) -> Option<Move> {
    let mut numbers = text.split([' ', '\t', ',', ';', '(', ')']).filter(|word| !word.is_empty());
    let mut number = || numbers.next()?.parse().ok();
    let mv = Move { x: number()?, y: number()? };
    numbers.next().is_none().then_some(mv)
}

/// The state, which everybody sees in full; `viewer` = `None` also shows the cards in reach.
pub(super) fn draw(game: &TirsCroises, viewer: Option<Seat>, language: Language) -> Scene {
    let size = usize::from(game.grid.size);
    let labels: Vec<String> = (1..=size).map(|number| number.to_string()).collect();
    let cell = |index: usize| {
        let at = Move { x: (index % size + 1) as u8, y: (index / size + 1) as u8 };
        let piece = match game.grid.value(at) {
            0 => Piece::Empty,
            value => Piece::Number(value.into()),
        };
        let cell = Cell::on_grid(write(at), index % size, index / size, piece);
        Cell { marked: game.grid.cursor == Some(at), ..cell }
    };
    let mut panels = vec![Panel::new(short(game, language), vec![])];
    if !game.recent().is_empty() {
        let items = game.recent().iter().map(|event| with_seat(event.seat.into(), &taken(event, language))).collect();
        let lines = game.recent().iter().map(|event| taken(event, language)).collect();
        panels.push(Panel::new(language.pick("last cards", "dernières cartes"), lines).with_items(items));
    }
    let lines = points(game, language);
    let items = lines.iter().enumerate().map(|(seat, line)| with_seat(seat, line)).collect();
    panels.push(Panel { is_score: true, ..Panel::new("points", lines).with_items(items) });
    Scene {
        columns: size,
        rows: size,
        cells: (0..size * size).map(cell).collect(),
        column_labels: labels.clone(),
        row_labels: labels,
        panels,
        path: way(game).into_iter().collect(),
        spoken: speak(game, viewer, language),
        brief: 1,
        overlay: viewer.is_none().then(|| reach(game, language)),
        ..Scene::default()
    }
}

/// From the square of the cursor before the last move to the square where it is.
fn way(game: &TirsCroises) -> Option<Stroke> {
    let before = match game.plies {
        0 => None,
        1 => game.begin.cursor,
        _ => Some(game.last[MAX_EVENTS - 2]).map(|event| Move { x: event.x, y: event.y }),
    };
    let cell = |Move { x, y }: Move| (usize::from(y) - 1) * usize::from(game.grid.size) + usize::from(x) - 1;
    let [from, to] = [before?, game.grid.cursor?].map(cell);
    // No piece moves: a dotted line leaves the numbers under it legible.
    (from != to).then(|| Stroke::Shot(vec![from, to]))
}

/// The cards that the side to move may take, as marks on the squares row by row.
fn reach(game: &TirsCroises, language: Language) -> Overlay {
    let size = usize::from(game.grid.size);
    let mut cells = vec![None; size * size];
    for Move { x, y } in game.grid.takeable() {
        cells[(usize::from(y) - 1) * size + usize::from(x) - 1] = Some(0);
    }
    Overlay {
        title: language.pick("Cards in reach", "Cartes à portée").to_owned(),
        kinds: vec![(Tint::Reach, language.pick("may be taken", "à prendre").to_owned())],
        cells,
        is_shown: true,
    }
}

/// A line that begins with its seat, which is drawn.
fn with_seat(seat: usize, line: &str) -> Vec<Item> {
    let words = line.split_once(':').map_or(line, |(_, words)| words);
    vec![Item::Seat(seat), Item::text(words.trim())]
}

/// The player to move, and the cursor.
fn title(game: &TirsCroises, language: Language) -> String {
    let Some(seat) = game.to_move().iter().next() else {
        return language.pick("the match is over", "la partie est finie").to_owned();
    };
    let seat = seat + 1;
    match game.grid.cursor {
        Some(Move { x, y }) => language.pick(
            format!("seat {seat} takes from column {x} or row {y}"),
            format!("la place {seat} prend dans la colonne {x} ou la ligne {y}"),
        ),
        None => {
            language.pick(format!("seat {seat} takes any card"), format!("la place {seat} prend une carte au choix"))
        }
    }
}

/// The title in a picture, beside the board.
fn short(game: &TirsCroises, language: Language) -> String {
    match (game.to_move().iter().next(), game.grid.cursor) {
        (Some(seat), Some(Move { x, y })) => language.pick(
            format!("seat {}: column {x} or row {y}", seat + 1),
            format!("place {} : colonne {x} ou ligne {y}", seat + 1),
        ),
        _ => title(game, language),
    }
}

fn taken(event: &Event, language: Language) -> String {
    let Event { seat, x, y, gain } = event;
    let (at, seat) = (language.pick("seat", "place"), seat + 1);
    language.pick(
        format!("{at} {seat}: {gain} in column {x}, row {y}"),
        format!("{at} {seat} : {gain} en colonne {x}, ligne {y}"),
    )
}

fn points(game: &TirsCroises, language: Language) -> Vec<String> {
    let line = |(seat, points): (usize, &u16)| {
        let seat = seat + 1;
        language.pick(format!("seat {seat}: {points:>4}"), format!("place {seat} : {points:>4}"))
    };
    game.scores[..game.seats].iter().enumerate().map(line).collect()
}

/// Describes the state without the board itself: it names only the squares that may be taken, and not where marks show
/// them.
fn speak(game: &TirsCroises, viewer: Option<Seat>, language: Language) -> String {
    let may = language.pick("may be taken", "à prendre");
    let cell = |cell: Move| {
        let (value, x, y) = (game.grid.value(cell), cell.x, cell.y);
        language.pick(format!("{value} in column {x}, row {y}"), format!("{value} en colonne {x}, ligne {y}"))
    };
    let mut parts = vec![title(game, language)];
    parts.extend(points(game, language));
    if game.grid.cursor.is_some() && viewer.is_some() {
        let cells: Vec<_> = game.grid.takeable().map(cell).collect();
        parts.extend((!cells.is_empty()).then(|| format!("{may}{} {}", language.colon(), cells.join(", "))));
    }
    parts.join(language.pick("; ", " ; ")) + "."
}
