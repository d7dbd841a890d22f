//! Who fared how against whom where there are too many for a table of cells: a picture with a dot for each two.

use super::model::{Model, Score};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};

/// Shades from one who lost everything to one who won everything; they differ in lightness, so that they are told
/// apart without their colour.
const SHADES: usize = 15;
/// The shade of one who lost everything.
const LOST: [u8; 3] = [0xfd, 0xe7, 0x8a];
/// Of one who won everything.
const WON: [u8; 3] = [0x1b, 0x1f, 0x5e];
/// What stands where two never met.
const NEVER: [u8; 3] = [0xff; 3];

/// The page.
pub(super) fn page(model: &Model<'_>) -> String {
    let order: Vec<usize> = model.order().collect();
    let picture = picture(model, &order);
    let count = order.len();
    let body = html! {
        p { "Each dot is what the client of its row came to against the client of its column, both in the order of the "
            a href="index.html#standings" { "standings" } ", the first at the top and on the left. The darker, the more it won; white
            where the two never met. The page of each client has its opponents in words." }
        p { "lost all " (legend()) " won all" }
        @if let Some(picture) = picture {
            img.dots src=(format!("data:image/png;base64,{}", STANDARD.encode(picture))) width=(count) height=(count)
                alt=(format!("{count} clients against {count}; the pages of the clients say the same in words"));
        }
    };
    super::frame(model, &format!("Who fared how against whom in ladder {}", model.standings.ladder), "", body)
}

fn legend() -> Markup {
    html! { svg width=(12 * SHADES) height="12" aria-hidden="true" { @for shade in 0..SHADES {
        rect x=(12 * shade) width="12" height="12" fill=(format!("#{}", colour(shade).map(|part| format!("{part:02x}")).concat())) {}
    } } }
}

fn colour(shade: usize) -> [u8; 3] {
    let mix = |part: usize| {
        let (from, to) = (usize::from(LOST[part]), usize::from(WON[part]));
        ((from * (SHADES - 1 - shade) + to * shade) / (SHADES - 1)) as u8
    };
    [mix(0), mix(1), mix(2)]
}

/// The shade of a score: a draw is half a win.
fn shade([wins, draws, losses]: Score) -> usize {
    let (twice, most) = (2 * wins + draws, 2 * (wins + draws + losses).max(1));
    ((twice * (SHADES as u64 - 1) + most / 2) / most) as usize
}

/// A PNG with four bits a dot; `None` where there is nothing to draw.
fn picture(model: &Model<'_>, order: &[usize]) -> Option<Vec<u8>> {
    let mut columns = vec![None; model.clients.len()];
    order.iter().enumerate().for_each(|(column, client)| columns[*client] = Some(column));
    let width = order.len().div_ceil(2);
    let mut dots = vec![0u8; width * order.len()];
    for (row, client) in order.iter().enumerate() {
        for ((_, other), score) in model.scores.range((*client, 0)..=(*client, usize::MAX)) {
            if let Some(column) = columns[*other] {
                let dot = (shade(*score) + 1) as u8;
                dots[row * width + column / 2] |= if column % 2 == 0 { dot << 4 } else { dot };
            }
        }
    }
    let mut out = Vec::new();
    let side = u32::try_from(order.len()).ok()?;
    let mut encoder = png::Encoder::new(&mut out, side, side);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Four);
    encoder.set_palette([NEVER].into_iter().chain((0..SHADES).map(colour)).flatten().collect::<Vec<u8>>());
    encoder.set_compression(png::Compression::High);
    // Neighbours have nothing to do with each other.
    encoder.set_filter(png::Filter::NoFilter);
    encoder.write_header().ok()?.write_image_data(&dots).ok()?;
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wins_more_is_darker() {
        assert_eq!([[0, 0, 2], [1, 0, 1], [0, 2, 0], [2, 0, 0]].map(shade), [0, 7, 7, 14]);
        let light = |shade: usize| colour(shade).map(u32::from).into_iter().sum::<u32>();
        assert!((1..SHADES).all(|shade| light(shade) + 20 < light(shade - 1)), "each is told from the next");
    }
}
