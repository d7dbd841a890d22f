//! Where board and panels stand in a picture: next to each other, in stacks or in rows.

use super::{Columns, GAP, Layout};

/// Panels without a board stand in as many stacks as make the picture about so much wider than high.
const BROADER: f64 = 1.6;
/// The same with cards, which have the width of the page.
const BROADER_CARDS: f64 = 2.8;
const MOST_STACKS: usize = 3;
/// This number of panels of one form, or more, stand in rows.
const FEWEST_ALIKE: usize = 3;

/// The size of all, and where each panel stands: beside the board where there is room, else below; without a board in
/// the stacks that fill a window best.
pub(super) fn arrange(board: [f64; 2], columns: &[Columns], most: f64) -> Layout {
    if board[1] == 0.0 {
        let all = (1..=MOST_STACKS).map(|count| stacked(columns, count));
        let broader = if columns.iter().any(Columns::has_cards) { BROADER_CARDS } else { BROADER };
        let off = |([width, height], _): &Layout| (width / height / broader).ln().abs();
        return all.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or_default();
    }
    let widest = columns.iter().map(|columns| columns.size()[0]).fold(0.0, f64::max);
    let is_beside = board[0] + GAP + widest <= most;
    let left = if is_beside { board[0] + GAP } else { 8.0 };
    let mut top = if is_beside { 4.0 } else { board[1] + 4.0 };
    let mut corners = Vec::new();
    for columns in columns {
        corners.push([left, top]);
        top += columns.size()[1];
    }
    let width = if widest > 0.0 { (left + widest + 8.0).max(board[0]) } else { board[0] };
    ([width.max(40.0), top.max(board[1]).max(40.0)], corners)
}

/// Panels from the top, side by side where the widest one leaves room; what is not always there comes last, where its
/// empty place parts no others, and the hands of many seats below it; those of few come first.
pub(super) fn shelved(columns: &[Columns], are_always_drawn: &[bool], room: f64) -> Layout {
    let room = columns.iter().map(|columns| columns.size()[0]).fold(room, f64::max);
    let form = alike(columns);
    let is_alike = |at: usize| form == Some(columns[at].num_columns());
    let widest_alike =
        (0..columns.len()).filter(|at| is_alike(*at)).map(|at| columns[at].size()[0]).fold(0.0, f64::max);
    let mut order: Vec<usize> = (0..columns.len()).collect();
    // Where there are no cards, what grows through the match comes last; else cards come after scores.
    let has_cards = columns.iter().any(Columns::has_cards);
    let is_at_hand = |at: usize| columns[at].has_hands() && !columns[at].is_small();
    let is_late =
        |at: usize| has_cards && at > 0 && !is_at_hand(at) && (columns[at].has_cards() || !are_always_drawn[at]);
    let lines = |at: usize| if has_cards || is_alike(at) { 0 } else { columns[at].num_lines() };
    order.sort_by_key(|at| (is_alike(*at), columns[*at].is_small(), is_late(*at), lines(*at), !are_always_drawn[*at]));
    let mut was_alike = false;
    let (mut left, mut top, mut height, mut widest) = (0.0, 4.0, 0.0_f64, 0.0_f64);
    let mut corners = vec![[0.0; 2]; columns.len()];
    for at in order {
        let [own, tall] = columns[at].size();
        let own = if is_alike(at) { widest_alike } else { own };
        let is_first_alike = is_alike(at) && !was_alike;
        was_alike = is_alike(at);
        if left > 0.0 && (left + own > room || is_first_alike) {
            top += height;
            (left, height) = (0.0, 0.0);
        }
        corners[at] = [8.0 + left, top];
        widest = widest.max(left + own);
        left += own + GAP;
        height = height.max(tall);
    }
    ([(widest + 16.0).max(40.0), (top + height).max(40.0)], corners)
}

/// The number of columns that several panels have, each with a table of its own: they stand in rows, so that their lines
/// meet. Nothing where there are cards.
pub(super) fn alike(columns: &[Columns]) -> Option<usize> {
    let count = |form: usize| columns.iter().filter(|columns| columns.num_columns() == form).count();
    let forms = columns.iter().map(Columns::num_columns);
    let form = forms.filter(|form| *form > 1 && count(*form) >= FEWEST_ALIKE).max()?;
    (!columns.iter().any(Columns::has_cards)).then_some(form)
}

/// Puts panels one below the other, in this number of stacks, the hands of many seats last.
pub(super) fn stacked(columns: &[Columns], count: usize) -> Layout {
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|at| columns[*at].is_small());
    let all: f64 = columns.iter().map(|columns| columns.size()[1]).sum();
    let highest = columns.iter().map(|columns| columns.size()[1]).fold(0.0, f64::max);
    let room = (all / count as f64).max(highest);
    let (mut left, mut top, mut widest, mut lowest) = (8.0, 4.0, 0.0_f64, 0.0_f64);
    let mut corners = vec![[0.0; 2]; columns.len()];
    for at in order {
        let [width, height] = columns[at].size();
        // A panel that is mostly in a stack belongs to it.
        if top > 4.0 && top + height / 2.0 > 4.0 + room {
            left += widest + GAP;
            (top, widest) = (4.0, 0.0);
        }
        widest = widest.max(width);
        corners[at] = [left, top];
        top += height;
        lowest = lowest.max(top);
    }
    ([(left + widest + 8.0).max(40.0), lowest.max(40.0)], corners)
}
