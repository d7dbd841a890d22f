//! Players are named next to what a picture shows of each seat.

use agon_games::{Item, Panel, Scene};

/// Longer names are cut.
const LONGEST: usize = 14;
/// Seats side by side.
const A_LINE: usize = 2;

/// Puts the players' names into panels that have a few words for each seat.
pub(crate) fn name_seats(scene: &mut Scene, players: &[String]) {
    for panel in &mut scene.panels {
        if let Some(words) = words_of_seats(panel, players.len()) {
            let named = words
                .into_iter()
                .zip(players)
                .enumerate()
                .map(|(seat, (words, name))| [Item::Seat(seat), Item::Text(format!("{} {words}", short(name)))]);
            let named: Vec<[Item; 2]> = named.collect();
            panel.items = named.chunks(A_LINE).map(<[[Item; 2]]>::concat).collect();
        }
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

fn short(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    name.chars().take(LONGEST - 1).chain(['…']).collect()
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
        let named = [heads(0, "you 5"), heads(1, "libsix_closes… 0")].concat();
        assert_eq!(scene.panels[0].items, [named, heads(2, "c 7 (+2)").to_vec()]);
        assert_eq!(scene.panels[1].items, some, "not all seats are in it");
    }
}
