//! Heaps of sticks that a person parts: between every two sticks there is a button, where a move may part them.

use agon_games::{Item, Language, Panel, Scene};
use maud::{Markup, html};
use std::collections::BTreeSet;

/// A heap of the position.
pub(super) struct Heap {
    /// The game's name of it.
    name: String,
    sticks: u32,
    /// Whether the last move made it.
    is_new: bool,
    /// Whether it stands among those that no move parts.
    is_dead: bool,
}

/// All heaps that are drawn stick by stick.
pub(super) fn heaps(scene: &Scene) -> Vec<Heap> {
    scene.panels.iter().flat_map(of_panel).collect()
}

/// Leaves out the panels of heaps, which are shown as buttons.
pub(super) fn leave_out(scene: &mut Scene) {
    scene.panels.retain(|panel| of_panel(panel).next().is_none());
}

fn of_panel(panel: &Panel) -> impl Iterator<Item = Heap> {
    panel.items.iter().flat_map(|line| match line.as_slice() {
        [Item::Row(row)] => row.chunks(2).filter_map(heap).map(|heap| Heap { is_dead: true, ..heap }).collect(),
        line => heap(line).into_iter().collect::<Vec<Heap>>(),
    })
}

/// A name with its heap.
fn heap(items: &[Item]) -> Option<Heap> {
    let (name, sticks, is_new) = match items {
        [Item::Text(name), Item::Heap(sticks), ..] => (name.clone(), *sticks, false),
        [Item::Text(name), Item::NewHeap(sticks), ..] => (name.clone(), *sticks, true),
        _ => return None,
    };
    Some(Heap { name, sticks, is_new, is_dead: false })
}

/// All heaps in rows; those that no move parts stand together below the others.
pub(super) fn rows(heaps: &[Heap], targets: &BTreeSet<&str>, language: Language) -> Markup {
    let (dead, alive): (Vec<&Heap>, Vec<&Heap>) = heaps.iter().partition(|heap| heap.is_dead);
    html! {
        @for heap in alive { (heap.row(targets, language)) }
        @if !dead.is_empty() { div.dead {
            p.soft { (language.pick("Cannot be split:", "Ne se partagent plus :")) }
            @for heap in dead { (heap.row(targets, language)) }
        } }
    }
}

impl Heap {
    /// The moves that part it.
    pub fn moves(&self) -> impl Iterator<Item = String> {
        (1..self.sticks).map(|first| self.parted(first))
    }

    fn parted(&self, first: u32) -> String {
        format!("{} {first}", self.name)
    }

    /// The sticks in a row, with a button wherever a move parts them.
    fn row(&self, targets: &BTreeSet<&str>, language: Language) -> Markup {
        let (name, sticks) = (&self.name, self.sticks);
        let label = language.pick(format!("heap {name}: {sticks} sticks"), format!("tas {name} : {sticks} bâtons"));
        let last = if self.is_new { language.pick(", last move", ", dernier coup") } else { "" };
        html! { div.heap.made[self.is_new] role="group" aria-label={ (label) (last) } {
            b aria-hidden="true" { (name) }
            span aria-hidden="true" { "(" (sticks) ")" }
            div { @for stick in 0..sticks {
                @if stick > 0 { (self.gap(stick, targets, language)) }
                i {}
            } }
        } }
    }

    fn gap(&self, first: u32, targets: &BTreeSet<&str>, language: Language) -> Markup {
        let (choice, rest) = (self.parted(first), self.sticks - first);
        let label = language.pick(format!("{choice}: {first} and {rest}"), format!("{choice} : {first} et {rest}"));
        html! { @if targets.contains(choice.as_str()) {
            button.gap type="button" data-choose=(choice) data-parts=(format!("{first} + {rest}")) aria-label=(label) {}
        } @else {
            // Where others may be parted, an empty slot shows that this place may not.
            @let is_even = !targets.is_empty() && first == rest;
            span.gap.even[is_even] title=[is_even.then(|| language.pick("two equal heaps are not allowed", "deux tas égaux sont interdits"))] {}
        } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heap_is_parted_where_a_move_parts_it() {
        let line = vec![Item::text("2"), Item::Heap(4), Item::text("(1)")];
        let panel = Panel::new("heaps", vec!["2: ||||".to_owned()]).with_items(vec![line, vec![Item::text("2 1")]]);
        let row = vec![Item::Row(vec![Item::text("1"), Item::Heap(1), Item::text("3"), Item::NewHeap(2)])];
        let dead = Scene { panels: vec![Panel::new("", Vec::new()).with_items(vec![row])], ..Scene::default() };
        let sticks: Vec<(u32, bool)> = heaps(&dead).iter().map(|heap| (heap.sticks, heap.is_new)).collect();
        assert_eq!(sticks, [(1, false), (2, true)]);
        let mut scene =
            Scene { panels: vec![panel, Panel::new("last move", vec!["1 2".to_owned()])], ..Scene::default() };
        let [heap] = &heaps(&scene)[..] else { panic!("one heap") };
        assert_eq!(heap.moves().collect::<Vec<_>>(), ["2 1", "2 2", "2 3"]);
        let row = heap.row(&BTreeSet::from(["2 1", "2 3"]), Language::English).into_string();
        assert_eq!([row.matches("<i>").count(), row.matches("<button").count()], [4, 2], "{row}");
        for part in ["data-choose=\"2 1\"", "data-choose=\"2 3\"", "2 3: 3 and 1", "heap 2: 4 sticks"] {
            assert!(row.contains(part), "{part}: {row}");
        }
        leave_out(&mut scene);
        assert_eq!(scene.panels.len(), 1, "the last move is still drawn");
    }
}
