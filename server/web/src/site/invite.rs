//! How those who see the wall of a hall come to its pages: a QR code for their phones, or nothing where only this
//! machine can open them.

use super::view::View;
use crate::text::clean;
use maud::{Markup, PreEscaped, html};
use qrcodegen::{QrCode, QrCodeEcc};
use std::fmt::Write;

/// The address by which people open the pages of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HallAddress {
    /// Only people at this machine.
    #[default]
    Local,
    /// Everybody with this address, which is shown to all who see the wall.
    Everybody(String),
    /// Teams, by links of their own; this address has no token and leads to their pages.
    Teams(String),
}

/// The light modules that a code needs around it.
const QUIET: i32 = 4;

/// The code with its sentence.
pub(super) fn section(model: &View<'_>, address: &HallAddress) -> Markup {
    let (address, why) = match address {
        HallAddress::Local => return html! {},
        HallAddress::Everybody(address) if model.published.plays => {
            (address, model.t("Follow and play on your phone", "Suivez et jouez sur votre téléphone"))
        }
        HallAddress::Everybody(address) => (address, model.t("Follow on your phone", "Suivez sur votre téléphone")),
        HallAddress::Teams(address) => (
            address,
            model.t("For teams that have opened their link before", "Pour les équipes qui ont déjà ouvert leur lien"),
        ),
    };
    html! { div.invite {
        (code(address, why))
        p { strong { (why) } br; code { (clean(address)) } }
    } }
}

/// A QR code of an address; nothing where the address is too long for one.
fn code(address: &str, label: &str) -> Markup {
    let Ok(code) = QrCode::encode_text(address, QrCodeEcc::Medium) else { return html! {} };
    let size = code.size() + 2 * QUIET;
    // Dark on light in both designs: many phones read no other code.
    html! { svg.qr viewBox=(format!("0 0 {size} {size}")) role="img" aria-label=(label) shape-rendering="crispEdges" {
        rect width=(size) height=(size) fill="#fff" {}
        path fill="#000" d=(PreEscaped(outline(&code))) {}
    } }
}

/// The dark modules: each row in runs.
fn outline(code: &QrCode) -> String {
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let run = (x..code.size()).take_while(|x| code.get_module(*x, y)).count() as i32;
            if run > 0 {
                let _ = write!(path, "M{},{}h{run}v1h-{run}z", x + QUIET, y + QUIET);
            }
            x += run.max(1);
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_drawn_module_by_module() {
        let code = QrCode::encode_text("http://127.0.0.1:7420/?token=0123456789abcdef", QrCodeEcc::Medium).unwrap();
        let mut drawn = vec![vec![false; code.size() as usize]; code.size() as usize];
        for run in outline(&code).split('M').skip(1) {
            let (place, rest) = run.split_once('h').unwrap();
            let (x, y) = place.split_once(',').unwrap();
            let [x, y] = [x, y].map(|text| text.parse::<i32>().unwrap() - QUIET);
            let length: i32 = rest.split('v').next().unwrap().parse().unwrap();
            (x..x + length).for_each(|x| drawn[y as usize][x as usize] = true);
        }
        for (y, row) in drawn.iter().enumerate() {
            for (x, is_dark) in row.iter().enumerate() {
                assert_eq!(*is_dark, code.get_module(x as i32, y as i32), "{x},{y}");
            }
        }
        assert!(super::code(&"x".repeat(5000), "").into_string().is_empty());
    }
}
