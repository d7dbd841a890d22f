//! Players are named next to what a picture shows of each seat.

use crate::text::clean;
use agon_games::{Item, Panel, Scene};
use agon_playback::Playback;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Longer names are cut.
const LONGEST: usize = 10;
/// The same where the name is a title.
const LONGEST_TITLE: usize = 14;
/// Seats side by side.
const A_LINE: usize = 2;

/// Puts the players' names into panels that have a few words for each seat.
pub(crate) fn name_seats(scene: &mut Scene, players: &[String]) {
    let names = Names::of(players);
    for panel in &mut scene.panels {
        names.name_owner(panel);
        names.name_lines(panel);
    }
}

/// Puts the players' names over the boards that belong to one seat.
pub(crate) fn name_owners(scene: &mut Scene, players: &[String]) {
    let names = Names::of(players);
    scene.panels.iter_mut().for_each(|panel| names.name_owner(panel));
}

/// The names of all seats as there is room for them.
struct Names {
    in_lines: Vec<String>,
    titles: Vec<String>,
}

impl Names {
    fn of(players: &[String]) -> Names {
        Names { in_lines: shortened(players, LONGEST), titles: shortened(players, LONGEST_TITLE) }
    }

    /// The board of one seat has the name of its player.
    fn name_owner(&self, panel: &mut Panel) {
        if let Some(name) = panel.seat.and_then(|seat| self.titles.get(seat)) {
            panel.caption = name.clone();
        }
    }

    fn name_lines(&self, panel: &mut Panel) {
        let Some(words) = words_of_seats(panel, self.in_lines.len()) else { return };
        let named = words.into_iter().zip(&self.in_lines).enumerate();
        let named = named.map(|(seat, (words, name))| [Item::Seat(seat), Item::Text(format!("{name} {words}"))]);
        let named: Vec<[Item; 2]> = named.collect();
        panel.items = named.chunks(A_LINE).map(<[[Item; 2]]>::concat).collect();
    }
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

/// Names of at most this length. Long ones lose their ends or, where two would look alike, their middle.
pub(crate) fn shortened(names: &[String], longest: usize) -> Vec<String> {
    let names: Vec<String> = names.iter().map(|name| clean(name)).collect();
    // For each way to cut, the cut names, and the names that each of these may stand for.
    let cut = [0, longest / 3, longest / 2, longest - 1].map(|end| {
        let short: Vec<String> = names.iter().map(|name| short(name, longest, end)).collect();
        let mut whole: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        short.iter().zip(&names).for_each(|(short, name)| _ = whole.entry(short.clone()).or_default().insert(name));
        (short, whole)
    });
    let best = |at: usize| {
        let is_one = cut.iter().find(|(short, whole)| whole[&short[at]].len() == 1);
        is_one.map_or(&cut[0].0[at], |(short, _)| &short[at]).clone()
    };
    (0..names.len()).map(best).collect()
}

/// A name with this number of its last letters, where it is too long.
fn short(name: &str, longest: usize, end: usize) -> String {
    let count = name.chars().count();
    if count <= longest {
        return name.to_owned();
    }
    let begin = name.chars().take(longest - 1 - end);
    begin.chain(['…']).chain(name.chars().skip(count - end)).collect()
}

/// A sentence that calls players by their names instead of their seats, where a name belongs to one seat only.
pub(crate) fn with_names(sentence: &str, players: &[String]) -> String {
    let mut told: Vec<String> = Vec::new();
    let mut words = sentence.split(' ').peekable();
    while let Some(word) = words.next() {
        let named = words.peek().and_then(|number| name_of(word, number, players));
        let Some(named) = named else {
            told.push(word.to_owned());
            continue;
        };
        words.next();
        // A name has no article in French.
        let before = told.last().map(|word| word.to_lowercase()).unwrap_or_default();
        if ["le", "la", "au"].contains(&before.as_str()) {
            told.pop();
        }
        told.extend((before == "au").then(|| "à".to_owned()));
        told.push(named);
    }
    told.join(" ")
}

/// The name of `player 2`, with the signs around these words.
fn name_of(word: &str, number: &str, players: &[String]) -> Option<String> {
    let kind = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    let signs = &word[..word.len() - kind.len()];
    let digits = number.chars().take_while(char::is_ascii_digit).count();
    let (number, rest) = number.split_at(digits);
    let is_seat = ["player", "seat", "joueur", "place"].contains(&kind.to_lowercase().as_str());
    let seat = number.parse::<usize>().ok()?.checked_sub(1).filter(|_| is_seat)?;
    let name = players.get(seat)?;
    let is_word = rest.starts_with(char::is_alphanumeric);
    let is_one = players.iter().filter(|other| *other == name).count() == 1;
    (is_one && !is_word).then(|| format!("{signs}{}{rest}", clean(name)))
}

/// A match as its pictures show it: players are named, and of the places for what may follow there are as many as were
/// filled in the end.
pub(crate) fn pictured(playback: &Playback) -> Cow<'_, Playback> {
    let mut panels = playback.frames.iter().flat_map(|frame| &frame.scene.panels);
    if !panels.any(|panel| panel.seat.is_some()) {
        return Cow::Borrowed(playback);
    }
    let mut named = playback.clone();
    let filled = |line: &&Vec<Item>| line.iter().any(|item| matches!(item, Item::Peg(_))) && line.len() > 1;
    let panels = playback.frames.iter().flat_map(|frame| &frame.scene.panels).filter(|panel| panel.seat.is_some());
    let most = panels.map(|panel| panel.items.iter().filter(filled).count()).max().unwrap_or_default();
    let names = Names::of(&playback.seats);
    for frame in &mut named.frames {
        for panel in &mut frame.scene.panels {
            names.name_owner(panel);
            leave_out_holes(panel, most);
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
    fn names_that_are_cut_stay_different() {
        let shortened =
            |names: &[&str]| shortened(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(), 10);
        assert_eq!(shortened(&["mcts", "a name that is long"]), ["mcts", "a name th…"]);
        assert_eq!(shortened(&["six_smallest_one", "six_smallest_two"]), ["six_sm…one", "six_sm…two"]);
        assert_eq!(shortened(&["six_smallest_one", "six_smallest_one"]), ["six_small…"; 2], "these are alike");
        assert_eq!(shortened(&["a-1-b-c-d-e-f-end", "a-2-b-c-d-e-f-end"]), ["a-1-b-c-d…", "a-2-b-c-d…"]);
    }

    #[test]
    fn a_sentence_calls_players_by_names_that_belong_to_one() {
        let players = ["one", "two", "two"].map(str::to_owned);
        for (sentence, named) in [
            ("Player 1 moved (player 1; seat 2): seat 10, seat 1.", "one moved (one; seat 2): seat 10, one."),
            ("Le joueur 1 donne au joueur 1, la place 3", "one donne à one, la place 3"),
            ("player 1st, players 1, 2 of 3", "player 1st, players 1, 2 of 3"),
        ] {
            assert_eq!(with_names(sentence, &players), named);
        }
    }

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
            assert_eq!(frame.scene.panels[1], heads(true), "a page writes the names next to scores itself");
            assert_eq!(frame.scene.panels[2], heads(false), "hands that are played have no names all at once");
        }
    }
}
