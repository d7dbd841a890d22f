//! Turns a picture of agon's from SVG into PNG, for slides and programs that show no SVG. `agon show --png` calls it;
//! by hand: `agon show ID --svg 12 | agon-png WIDTH > picture.png`.

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};
use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::Arc;

/// The pixels of a picture's width: the least, the usual and the most.
const WIDTHS: (u32, u32, u32) = (16, 1200, 8000);

/// Fonts with all that pictures write, as systems have them; the first one that is there.
const FONTS: [&str; 5] = ["Noto Sans", "Liberation Sans", "Arial", "DejaVu Sans", "FreeSans"];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(width) = width_in(&words) else {
        let (least, usual, most) = WIDTHS;
        eprintln!("agon-png [WIDTH] < picture.svg > picture.png; WIDTH is {least} to {most} pixels, or {usual}");
        return ExitCode::from(2);
    };
    match convert(width) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

/// The width that the words ask for; `None` if they do not make sense.
fn width_in(words: &[String]) -> Option<u32> {
    let (least, usual, most) = WIDTHS;
    match words {
        [] => Some(usual),
        [width] => width.parse().ok().filter(|width| (least..=most).contains(width)),
        _ => None,
    }
}

/// Reads SVG from stdin and writes PNG to stdout.
fn convert(width: u32) -> Result<(), String> {
    let mut svg = String::new();
    std::io::stdin().read_to_string(&mut svg).map_err(|error| format!("stdin: {error}"))?;
    let (fonts, has_font) = fonts();
    if !has_font {
        eprintln!("note: no font is installed, so letters are left out; help: apt install fonts-dejavu-core");
    }
    let png = render(&svg, fonts, width).map_err(|why| format!("the picture cannot be drawn: {why}"))?;
    std::io::stdout().write_all(&png).map_err(|error| format!("stdout: {error}"))
}

/// The fonts of this system, and whether there is one for letters.
fn fonts() -> (Database, bool) {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    let has = |name: &&&str| fonts.faces().any(|face| face.families.iter().any(|(family, _)| family == **name));
    let any = || fonts.faces().next().and_then(|face| Some(face.families.first()?.0.clone()));
    let family = FONTS.iter().find(has).map(|name| (*name).to_owned()).or_else(any);
    if let Some(family) = &family {
        fonts.set_sans_serif_family(family);
        fonts.set_monospace_family(if family == "DejaVu Sans" { "DejaVu Sans Mono" } else { family });
    }
    (fonts, family.is_some())
}

/// The picture on white, `width` pixels wide.
fn render(svg: &str, fonts: Database, width: u32) -> Result<Vec<u8>, String> {
    let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).ceil().max(1.0) as u32;
    let mut pixels = Pixmap::new(width, height).ok_or_else(|| format!("{width} by {height} pixels"))?;
    pixels.fill(Color::WHITE);
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_the_width_that_was_asked_for() {
        let svg = include_str!("../../../docs/pictures/donut-9.svg");
        for width in [16, 300] {
            let png = render(svg, fonts().0, width).unwrap();
            assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
            assert_eq!(png[16..20], width.to_be_bytes());
            assert_eq!(png, render(svg, fonts().0, width).unwrap(), "the same picture is the same bytes");
        }
        assert!(render("<html>", Database::new(), 300).is_err());
    }

    #[test]
    fn a_width_has_bounds() {
        let width = |words: &[&str]| width_in(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!([&[][..], &["16"], &["8000"]].map(width), [Some(1200), Some(16), Some(8000)]);
        assert_eq!([&["15"][..], &["8001"], &["wide"], &["16", "16"]].map(width), [None; 4]);
    }
}
