//! Pictures as PNG, for slides and programs that show no SVG.

use crate::Failure;
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};
use std::sync::Arc;

/// Fonts with all that pictures write, as systems have them; the first one that is there.
const FONTS: [&str; 5] = ["Noto Sans", "Liberation Sans", "Arial", "DejaVu Sans", "FreeSans"];

/// A picture of ours as PNG on white, so many pixels wide; and whether there was a font for its letters.
///
/// # Errors
/// It would be too large, or is none, which is our own trouble.
pub fn render(svg: &str, width: u32) -> Result<(Vec<u8>, bool), Failure> {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    let has = |name: &&&str| fonts.faces().any(|face| face.families.iter().any(|(family, _)| family == **name));
    let any = || fonts.faces().next().and_then(|face| Some(face.families.first()?.0.clone()));
    let family = FONTS.iter().find(has).map(|name| (*name).to_owned()).or_else(any);
    if let Some(family) = &family {
        fonts.set_sans_serif_family(family);
        fonts.set_monospace_family(if family == "DejaVu Sans" { "DejaVu Sans Mono" } else { family });
    }
    let trouble = |what: String| Failure::new(1, format!("the picture cannot be drawn: {what}"));
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
