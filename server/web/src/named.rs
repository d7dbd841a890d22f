//! Players are named next to what a picture shows of each seat.

use crate::text::clean;
use agon_games::{Item, Panel, Scene};
use agon_playback::Playback;
use std::borrow::Cow;

/// Longer names are cut.
const LONGEST: usize = 10;
/// The same where the name is a title.
const LONGEST_TITLE: usize = 14;
/// Seats side by side.
const A_LINE: usize = 2;

/// Puts the players' names into panels that have a few words for each seat.
pub(crate) fn name_seats(scene: &mut Scene, players: &[String]) {
    for panel in &mut scene.panels {
        name_owner(panel, players);
        name_lines(panel, players);
    }
}

/// The board of one seat has the name of its player.
fn name_owner(panel: &mut Panel, players: &[String]) {
    if let Some(name) = panel.seat.and_then(|seat| players.get(seat)) {
        panel.caption = short(&clean(name), LONGEST_TITLE);
    }
}

fn name_lines(panel: &mut Panel, players: &[String]) {
    let Some(words) = words_of_seats(panel, players.len()) else { return };
    let named = words.into_iter().zip(players).enumerate().map(|(seat, (words, name))| {
        [Item::Seat(seat), Item::Text(format!("{} {words}", short(&clean(name), LONGEST)))]
    });
    let named: Vec<[Item; 2]> = named.collect();
    panel.items = named.chunks(A_LINE).map(<[[Item; 2]]>::concat).collect();
}

/// The words of each seat in turn, if the panel has nothing else.
fn words_of_seats(panel: &Panel, seats: usize) -> Option<Vec<String>> {
    let items: Vec<&Item> = panel.items.iter().flatten().collect();
    let words = |(seat, pair): (usize, &[&Item])| match pair {
        [Item::Seat(of), Item::Text(words)] if *of == seat => Some(words.clone()),
        _ => None,
    };
    let words: Option<Vec<String>> = items.chunks(2).enumerate().map(words).collect();
    words.filter(|words| words.len() == seats && seats > 1)
}

fn short(name: &str, longest: usize) -> String {
    if name.chars().count() <= longest {
        return name.to_owned();
    }
    name.chars().take(longest - 1).chain(['…']).collect()
}

/// A match as its pictures show it: players are named, and of the places for what may follow there are as many as were
/// filled in the end.
pub(crate) fn pictured(playback: &Playback) -> Cow<'_, Playback> {
    let mut panels = playback.frames.iter().flat_map(|frame| &frame.scene.panels);
    if !panels.any(|panel| panel.seat.is_some() || panel.is_picture) {
        return Cow::Borrowed(playback);
    }
    let mut named = playback.clone();
    let filled = |line: &&Vec<Item>| line.iter().any(|item| matches!(item, Item::Peg(_))) && line.len() > 1;
    let panels = playback.frames.iter().flat_map(|frame| &frame.scene.panels).filter(|panel| panel.seat.is_some());
    let most = panels.map(|panel| panel.items.iter().filter(filled).count()).max().unwrap_or_default();
    for frame in &mut named.frames {
        for panel in &mut frame.scene.panels {
            name_owner(panel, &playback.seats);
            leave_out_holes(panel, most);
            // Other panels have such words in some positions only: when all hands are played.
            if panel.is_picture {
                name_lines(panel, &playback.seats);
            }
        }
    }
    Cow::Owned(named)
}

/// Leaves out the empty places behind this number of rows.
fn leave_out_holes(panel: &mut Panel, most: usize) {
    let mut row = 0;
    panel.items.retain(|line| {
        row += 1;
        row <= most || !line.contains(&Item::Hole)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panel_of_all_seats_gets_their_names() {
        let heads = |seat, words: &str| [Item::Seat(seat), Item::text(words)];
        let all = [heads(0, "5"), heads(1, "0"), heads(2, "7 (+2)")].concat();
        let some = vec![heads(1, "+5").to_vec()];
        let panels = [vec![all], some.clone()].map(|items| Panel::new("", vec![String::new()]).with_items(items));
        let mut scene = Scene { panels: panels.into(), ..Scene::default() };
        name_seats(&mut scene, &["you", "libsix_closest_gap", "c"].map(str::to_owned));
        let named = [heads(0, "you 5"), heads(1, "libsix_cl… 0")].concat();
        assert_eq!(scene.panels[0].items, [named, heads(2, "c 7 (+2)").to_vec()]);
        assert_eq!(scene.panels[1].items, some, "not all seats are in it");
    }

    #[test]
    fn a_board_of_one_seat_has_its_name_and_as_many_rows_as_were_filled() {
        let row = |item: Item| vec![Item::text("1"), item.clone(), item];
        let board = |filled: usize| {
            let rows = (0..4).map(|at| row(if at < filled { Item::Peg(2) } else { Item::Hole }));
            let items = rows.chain([vec![Item::text("9 codes are possible")]]).collect();
            Panel { seat: Some(1), ..Panel::new("seat 2", vec!["1 2 2".to_owned()]).with_items(items) }
        };
        let heads = |is_picture| {
            let items = vec![vec![Item::Seat(0), Item::text("5"), Item::Seat(1), Item::text("0")]];
            Panel { is_picture, ..Panel::new("heads", vec!["5 0".to_owned()]).with_items(items) }
        };
        let frame = |filled| {
            let panels = vec![board(filled), heads(true), heads(false)];
            let scene = Scene { panels, ..Scene::default() };
            agon_playback::Frame { scene, ..agon_playback::Frame::default() }
        };
        let seats = ["a", "a name that is long"].map(str::to_owned).to_vec();
        let playback = Playback { seats, frames: vec![frame(0), frame(3)], ..Playback::default() };
        for frame in pictured(&playback).into_owned().frames {
            let panel = &frame.scene.panels[0];
            assert_eq!((panel.caption.as_str(), panel.items.len()), ("a name that i…", 3 + 1));
            assert_eq!(panel.title, "seat 2", "it is read aloud as it was");
            assert_eq!(frame.scene.panels[1].items[0][1], Item::text("a 5"));
            assert_eq!(frame.scene.panels[2], heads(false), "hands that are played have no names all at once");
        }
    }
}
