//! `agon-lab png` turns a picture of agon's from SVG into PNG, for slides and programs that show no SVG.

use agon_command::{Failure, status};
use clap::Args;
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};
use std::io::{Read, Write};
use std::sync::Arc;

/// Of `agon-lab png`.
#[derive(Args, Debug)]
pub struct PngArgs {
    /// How many pixels the PNG is wide.
    #[arg(long, value_name = "PIXELS", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(16..=8000))]
    width: u32,
}

/// Reads SVG from stdin and writes PNG to stdout.
pub fn convert(args: &PngArgs) -> Result<u8, Failure> {
    let mut svg = String::new();
    std::io::stdin()
        .read_to_string(&mut svg)
        .map_err(|error| Failure::new(status::TROUBLE, format!("stdin: {error}")))?;
    let (png, has_font) = render(&svg, args.width)?;
    if !has_font {
        eprintln!("note: no font is installed, so letters are left out; help: apt install fonts-dejavu-core");
    }
    std::io::stdout().write_all(&png).map_err(|error| Failure::new(status::TROUBLE, format!("stdout: {error}")))?;
    Ok(status::DONE)
}

/// Fonts with all that pictures write, as systems have them; the first one that is there.
const FONTS: [&str; 5] = ["Noto Sans", "Liberation Sans", "Arial", "DejaVu Sans", "FreeSans"];

/// The picture on white, `width` pixels wide, and whether there was a font for its letters.
fn render(svg: &str, width: u32) -> Result<(Vec<u8>, bool), Failure> {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    let has = |name: &&&str| fonts.faces().any(|face| face.families.iter().any(|(family, _)| family == **name));
    let any = || fonts.faces().next().and_then(|face| Some(face.families.first()?.0.clone()));
    let family = FONTS.iter().find(has).map(|name| (*name).to_owned()).or_else(any);
    if let Some(family) = &family {
        fonts.set_sans_serif_family(family);
        fonts.set_monospace_family(if family == "DejaVu Sans" { "DejaVu Sans Mono" } else { family });
    }
    let trouble = |what: String| Failure::new(status::TROUBLE, format!("the picture cannot be drawn: {what}"));
    let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| trouble(error.to_string()))?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).ceil().max(1.0) as u32;
    let mut pixels = Pixmap::new(width, height).ok_or_else(|| trouble(format!("{width} by {height} pixels")))?;
    pixels.fill(Color::WHITE);
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    let png = pixels.encode_png().map_err(|error| trouble(error.to_string()))?;
    Ok((png, family.is_some()))
}
