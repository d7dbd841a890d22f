//! Which panel of a picture is which through a match: panels come and go, and each keeps its place.

use super::panel::Columns;
use agon_games::{Panel, Scene};

/// The panels that are drawn: those that say what the cells show are not.
pub(crate) fn panels(scene: &Scene) -> impl Iterator<Item = &Panel> {
    scene.panels.iter().filter(|panel| !panel.is_board || scene.cells.is_empty())
}

/// The places of panels, in their order.
#[derive(Debug)]
pub(crate) enum Slots {
    /// By their titles; the first is always the first, whatever it is called.
    Titled(Vec<String>),
    /// By their numbers: titles change too often to tell anything.
    Numbered(usize),
}

impl Slots {
    /// For these scenes of one match.
    pub fn of(scenes: &[&Scene]) -> Slots {
        let (mut titles, mut most): (Vec<String>, usize) = (Vec::new(), 0);
        for scene in scenes {
            let mut last = None;
            for (number, panel) in panels(scene).enumerate() {
                most = most.max(number + 1);
                let title = title(number, panel);
                let at = titles.iter().position(|known| known == title).unwrap_or_else(|| {
                    let at = last.map_or(0, |last: usize| last + 1);
                    titles.insert(at, title.to_owned());
                    at
                });
                last = Some(at);
            }
        }
        // What is seldom there comes last, where its empty place parts no others.
        let is_seldom = |name: &String| {
            let has_it =
                |scene: &&&Scene| panels(scene).enumerate().any(|(number, panel)| title(number, panel) == name);
            2 * scenes.iter().filter(has_it).count() < scenes.len()
        };
        titles.sort_by_cached_key(is_seldom);
        if titles.len() <= 2 * most { Slots::Titled(titles) } else { Slots::Numbered(most) }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Slots::Titled(titles) => titles.len(),
            Slots::Numbered(count) => *count,
        }
    }

    /// The panel that a scene has at each place, if it has one.
    pub fn fill<'a>(&self, scene: &'a Scene) -> Vec<Option<&'a Panel>> {
        let mut places = vec![None; self.count()];
        for (number, panel) in panels(scene).enumerate() {
            let at = match self {
                Slots::Titled(titles) => titles.iter().position(|known| known == title(number, panel)),
                Slots::Numbered(_) => Some(number),
            };
            if let Some(place) = at.and_then(|at| places.get_mut(at)) {
                *place = Some(panel);
            }
        }
        places
    }

    /// Room for what stands at each place in any of these scenes.
    pub fn columns(&self, scenes: &[&Scene]) -> Vec<Columns> {
        let mut columns = vec![Columns::default(); self.count()];
        for scene in scenes {
            let panels = self.fill(scene);
            columns
                .iter_mut()
                .zip(panels)
                .for_each(|(one, panel)| panel.into_iter().for_each(|it| one.count_sticks(it)));
        }
        for scene in scenes {
            for (slot, (columns, panel)) in columns.iter_mut().zip(self.fill(scene)).enumerate() {
                panel.into_iter().filter(|panel| is_drawn(slot, panel)).for_each(|panel| columns.fit(panel));
            }
        }
        columns
    }

    /// Whether something is drawn at each place in all of these scenes.
    pub fn are_always_drawn(&self, scenes: &[&Scene]) -> Vec<bool> {
        let drawn = |scene: &&Scene| -> Vec<bool> {
            let panels = self.fill(scene).into_iter().enumerate();
            panels.map(|(slot, panel)| panel.is_some_and(|panel| is_drawn(slot, panel))).collect()
        };
        let both = |all: Vec<bool>, one: Vec<bool>| all.iter().zip(one).map(|(all, one)| *all && one).collect();
        scenes.iter().map(drawn).fold(vec![true; self.count()], both)
    }
}

/// The first panel is always drawn, and of the others those with lines or things.
pub(crate) fn is_drawn(slot: usize, panel: &Panel) -> bool {
    slot == 0 || !panel.items.is_empty() || !panel.lines.is_empty()
}

fn title(number: usize, panel: &Panel) -> &str {
    if number == 0 { "" } else { &panel.title }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panel_that_comes_later_takes_no_other_ones_place() {
        let scene = |titles: &[&str]| Scene {
            panels: titles.iter().map(|title| Panel::new(*title, vec![(*title).to_owned()])).collect(),
            ..Scene::default()
        };
        let (first, later) = (scene(&["turn 1", "hands"]), scene(&["turn 2", "too low", "hands"]));
        let slots = Slots::of(&[&first, &later]);
        let filled = |scene| -> Vec<Option<String>> {
            slots.fill(scene).into_iter().map(|panel| panel.map(|panel| panel.title.clone())).collect()
        };
        assert_eq!(filled(&first), [Some("turn 1".to_owned()), None, Some("hands".to_owned())]);
        assert_eq!(filled(&later), ["turn 2", "too low", "hands"].map(|title| Some(title.to_owned())));
        // What is seldom there leaves no hole between others.
        let slots = Slots::of(&[&first, &first, &later]);
        let last = slots.fill(&later).pop().flatten().map(|panel| panel.title.as_str());
        assert_eq!((slots.count(), last), (3, Some("too low")));
        // Titles of which each is another one tell nothing.
        let scenes: Vec<Scene> = (0..9).map(|turn| scene(&["", &format!("turn {turn}")])).collect();
        assert_eq!(Slots::of(&scenes.iter().collect::<Vec<_>>()).count(), 2);
    }
}
