//! The results of too many clients for a table of cells: a picture with a dot for each two.

use super::indexed_png;
use super::model::{Model, Score};
use super::view::View;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};

/// Shades from one who lost everything to one who won everything; they differ in lightness, so that they are told
/// apart without their colour.
const SHADES: usize = 15;
/// The shade of one who lost everything.
const LOST: [u8; 3] = [0xfd, 0xe7, 0x8a];
/// The colour of a client that won everything.
const WON: [u8; 3] = [0x1b, 0x1f, 0x5e];

/// The page.
pub(super) fn page(model: &View<'_>) -> String {
    let order: Vec<usize> = model.order().collect();
    let picture = picture(model, &order);
    let count = order.len();
    let body = html! {
        p { (model.t("Each dot is what the client of its row came to against the client of its column, both in the order of the ", "Chaque point est le bilan du client de sa ligne contre celui de sa colonne, dans l’ordre du "))
            a href="index.html#standings" { (model.t("standings", "classement")) } (model.t(", the first at the top and on the left. The darker, the more it won; white where the two never met. The page of each client has its opponents in words.", ", le premier en haut et à gauche. Plus il est foncé, plus il a gagné\u{a0}; blanc si les deux ne se sont jamais rencontrés. La page de chaque client montre ses adversaires sous forme de texte.")) }
        p { (model.t("lost all ", "tout perdu ")) (legend()) (model.t(" won all", " tout gagné")) }
        @if let Some(picture) = picture {
            svg.dots viewBox=(format!("0 0 {count} {count}")) role="img"
                aria-label=(format!("{count} × {count}: {}", model.t("the pages of the clients say the same in words", "les pages des clients disent la même chose sous forme de texte"))) {
                (other_way_round())
                image #half href=(format!("data:image/png;base64,{}", STANDARD.encode(picture))) width=(count) height=(count) {}
                // Rows become columns, and who won has lost.
                use href="#half" transform="matrix(0 1 1 0 0 0)" filter="url(#other)" {}
            }
        }
    };
    super::frame(
        model,
        &format!("{} – {}", model.t("Crosstable", "Tableau croisé"), model.published.standings.ladder),
        Some(""),
        body,
    )
}

/// Turns the shade of a score into that of the other client: shades lie on a line between two colours, so that each part
/// of a colour is taken from the sum of both ends.
fn other_way_round() -> Markup {
    let row = |part: usize| {
        let sum = f64::from(u16::from(LOST[part]) + u16::from(WON[part])) / 255.0;
        let own = |column: usize| if column == part { "-1 " } else { "0 " };
        format!("{}{}{}0 {sum:.4} ", own(0), own(1), own(2))
    };
    let matrix = [row(0), row(1), row(2), "0 0 0 1 0".to_owned()].concat();
    html! { filter #other x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB" {
        feColorMatrix values=(matrix) {}
    } }
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

/// The shade of a score: a draw is half a win. That of the other client is as far from the other end.
fn shade([wins, draws, losses]: Score) -> usize {
    if wins > losses {
        return SHADES - 1 - shade([losses, draws, wins]);
    }
    let (twice, most) = (2 * wins + draws, 2 * (wins + draws + losses).max(1));
    ((twice * (SHADES as u64 - 1) + most / 2) / most) as usize
}

/// A PNG with four bits a dot, of each two the dot below the diagonal; `None` where there is nothing to draw.
fn picture(model: &Model, order: &[usize]) -> Option<Vec<u8>> {
    let mut columns = vec![None; model.clients.len()];
    order.iter().enumerate().for_each(|(column, client)| columns[*client] = Some(column));
    let width = order.len().div_ceil(2);
    let mut dots = vec![0u8; width * order.len()];
    for (row, client) in order.iter().enumerate() {
        for ((_, other), score) in model.scores.range((*client, 0)..=(*client, usize::MAX)) {
            // A client that sits twice meets itself, on the diagonal, which both halves would draw.
            if let Some(column) = columns[*other].filter(|column| *column < row) {
                let dot = (shade(*score) + 1) as u8;
                dots[row * width + column / 2] |= if column % 2 == 0 { dot << 4 } else { dot };
            }
        }
    }
    // Where two never met, and above the diagonal, there is nothing.
    let nothing = [0xff; 3];
    let palette: Vec<[u8; 3]> = [nothing].into_iter().chain((0..SHADES).map(colour)).collect();
    indexed_png::write(order.len(), &dots, &palette)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wins_more_is_darker() {
        assert_eq!([[0, 0, 2], [1, 0, 1], [0, 2, 0], [2, 0, 0]].map(shade), [0, 7, 7, 14]);
        for [wins, draws, losses] in (0..343).map(|k| [k / 49, k / 7 % 7, k % 7]) {
            let sum = shade([wins, draws, losses]) + shade([losses, draws, wins]);
            assert!(sum == SHADES - 1 || wins == losses, "{wins}-{draws}-{losses} mirrored");
        }
        for part in 0..3 {
            let sum = usize::from(LOST[part]) + usize::from(WON[part]);
            let off =
                |shade: usize| sum.abs_diff((colour(shade)[part] as usize) + colour(SHADES - 1 - shade)[part] as usize);
            assert!((0..SHADES).all(|shade| off(shade) <= 1), "shades lie on a line");
        }
        let light = |shade: usize| colour(shade).map(u32::from).into_iter().sum::<u32>();
        assert!((1..SHADES).all(|shade| light(shade) + 20 < light(shade - 1)), "each differs from the next");
    }
}
