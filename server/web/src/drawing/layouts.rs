//! A position as it suits narrow windows and wide ones: a board is the same in both, and panels alone stand one below the
//! other or side by side.

use super::{Columns, Drawing, GAP, Layout, alike};
use agon_games::Scene;

/// With fewer seats one drawing suits all windows.
const CROWD: usize = 5;
/// More panels are not put into two stacks.
const MOST_PANELS: usize = 8;

/// For which windows a drawing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Windows {
    All,
    Narrow,
    Wide,
}

impl Drawing {
    /// The drawings of a position of so many seats: one for all windows, or one for narrow ones, then one for wide ones.
    pub fn layouts(scene: &Scene, seats: usize) -> Vec<(Drawing, Windows)> {
        let (narrow, wide) = (Drawing::of([scene].into_iter()).narrowed(), Drawing::of([scene].into_iter()).widened());
        let is_one = seats < CROWD || narrow.board.is_some() || narrow.size[0] >= wide.size[0];
        if is_one { vec![(narrow, Windows::All)] } else { vec![(narrow, Windows::Narrow), (wide, Windows::Wide)] }
    }

    /// The same as it suits a part of a wide window.
    fn widened(mut self) -> Drawing {
        let sizes: Vec<[f64; 2]> = self.panels.iter().map(|(_, columns)| columns.size()).collect();
        let columns = self.panels.iter().map(|(_, columns)| columns.clone()).collect::<Vec<Columns>>();
        let other = if alike(&columns).is_some() { self.middle.take() } else { two_stacks(&sizes) };
        if let Some((size, corners)) = other.filter(|_| self.board.is_none()) {
            self.size = size;
            self.panels.iter_mut().zip(corners).for_each(|((corner, _), middle)| *corner = middle);
        }
        self
    }
}

/// Panels of these sizes in two stacks that are as low as can be, each in its order.
fn two_stacks(sizes: &[[f64; 2]]) -> Option<Layout> {
    let panels = sizes.len();
    if !(2..=MOST_PANELS).contains(&panels) {
        return None;
    }
    let is_right = |right: usize, panel: usize| right >> panel & 1 == 1;
    let height = |right: usize, side: bool| {
        let own = (0..panels).filter(|panel| is_right(right, *panel) == side);
        own.map(|panel| sizes[panel][1]).sum::<f64>()
    };
    // The first panel stands at the left.
    let ways = (1..1 << (panels - 1)).map(|right: usize| right << 1);
    let right = ways.min_by(|a, b| {
        let highest = |right: usize| height(right, false).max(height(right, true));
        highest(*a).total_cmp(&highest(*b))
    })?;
    let own = (0..panels).filter(|panel| !is_right(right, *panel));
    let middle = 8.0 + own.map(|panel| sizes[panel][0]).fold(0.0, f64::max) + GAP;
    let (mut tops, mut width, mut corners) = ([4.0; 2], middle, Vec::new());
    for (panel, [wide, tall]) in sizes.iter().enumerate() {
        let side = usize::from(is_right(right, panel));
        let left = [8.0, middle][side];
        corners.push([left, tops[side]]);
        width = f64::max(width, left + wide + 8.0);
        tops[side] += tall;
    }
    Some(([width, tops[0].max(tops[1])], corners))
}

#[cfg(test)]
mod tests {
    use super::two_stacks;

    #[test]
    fn two_stacks_are_as_low_as_can_be() {
        let (size, corners) = two_stacks(&[[200.0, 100.0], [300.0, 190.0], [150.0, 80.0]]).unwrap();
        assert_eq!(corners, [[8.0, 4.0], [222.0, 4.0], [8.0, 104.0]]);
        assert_eq!(size, [530.0, 194.0]);
        assert!(two_stacks(&[[200.0, 100.0]]).is_none());
    }
}
