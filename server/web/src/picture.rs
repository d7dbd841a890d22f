//! One position as a picture by itself, for slides and pages: SVG with its words for those who do not see it.

use super::board::SEATS;
use super::drawing::Drawing;
use super::panel::{MOST_HEADS, PEGS, heads};
use super::svg::{Svg, Units};
use agon_games::{Language, Scene};

/// How things of a picture look, on white.
pub(crate) const STYLE: &str = include_str!("../assets/picture.css");

/// A whole file of SVG.
pub fn picture(scene: &Scene) -> String {
    let drawing = Drawing::of([scene].into_iter());
    let [width, height] = drawing.size.map(Units);
    let mut svg = Svg::default();
    let view = format!("0 0 {width} {height}");
    svg.begin(
        "svg",
        &[
            ("xmlns", &"http://www.w3.org/2000/svg"),
            ("class", &"pic"),
            ("viewBox", &view),
            ("width", &width),
            ("height", &height),
            ("role", &"img"),
            ("aria-labelledby", &"title words"),
        ],
    );
    svg.words("title", &[("id", &"title")], &scene.spoken);
    svg.words("desc", &[("id", &"words")], &described(&drawing, scene));
    svg.style(STYLE);
    let drawn = drawing.draw(scene);
    svg.push(&symbols(drawn.as_str()));
    svg.element("rect", &[("class", &"z"), ("width", &width), ("height", &height)]);
    svg.push(&drawn);
    svg.end("svg");
    svg.as_str().to_owned() + "\n"
}

/// All that a picture shows, in words.
fn described(drawing: &Drawing, scene: &Scene) -> String {
    let words = drawing.words(scene, Language::English);
    let names: Vec<&str> = drawing.names().flatten().collect();
    let (cells, lines) = words.split_at(names.len());
    let cells = names.iter().zip(cells).filter(|(_, words)| *words != "free");
    let cells = cells.map(|(name, words)| format!("{name} {words}"));
    cells.chain(lines.iter().filter(|line| !line.is_empty()).cloned()).collect::<Vec<_>>().join("; ")
}

/// Things that stand by themselves: name, element, class, and the attribute that is its form.
const THINGS: [(&str, &str, &str, &str, &str); 7] = [
    ("w", "path", "w", "d", "M-13,-13h26v26h-26zM-8,-8L8,8M8,-8L-8,8"),
    ("m", "path", "m", "d", "M-18,-18h36v36h-36z"),
    ("r", "circle", "m", "r", "18"),
    ("o", "path", "o", "d", CARD),
    ("e", "circle", "o", "r", "11"),
    ("a", "circle", "a", "r", "5.5"),
    ("b", "circle", "y", "r", "5"),
];

/// The outline of a card.
const CARD: &str = "M4,-22h26q3,0,3,3v38q0,3,-3,3h-26q-3,0,-3,-3v-38q0,-3,3,-3z";

/// The outline of a head, from its place.
const HEAD: &str = "m-2.2-2l1 1h2.4l1-1v3l-2.2 3-2.2-3z";

/// The symbols that this drawing uses, defined once a page.
pub(crate) fn symbols(drawn: &str) -> Svg {
    let is_used = |id: &str| drawn.contains(&format!("#{id}\""));
    let mut svg = Svg::default();
    svg.begin("defs", &[]);
    for (seat, (colour, ink)) in SEATS.iter().enumerate() {
        let id = format!("s{seat}");
        if is_used(&id) {
            push_seat(&mut svg, &id, seat, colour, ink);
        }
    }
    for (peg, colour) in PEGS.iter().enumerate() {
        let id = format!("g{peg}");
        if is_used(&id) {
            svg.element("circle", &[("id", &id), ("class", &"s"), ("r", &"12"), ("fill", colour)]);
        }
    }
    if drawn.contains("\"#k") {
        svg.element("path", &[("id", &"j"), ("class", &"j"), ("d", &CARD)]);
    }
    for weight in 0..=MOST_HEADS {
        let id = format!("k{weight}");
        if is_used(&id) {
            push_card(&mut svg, &id, weight);
        }
    }
    for (id, element, class, form, value) in THINGS.iter().filter(|(id, ..)| is_used(id)) {
        svg.element(element, &[("id", id), ("class", class), (form, value)]);
    }
    svg.end("defs");
    svg
}

/// A card with its heads.
fn push_card(svg: &mut Svg, id: &str, weight: u32) {
    let heads: String = heads(weight).map(|[x, y]| format!("M{},{}{HEAD}", Units(x), Units(y))).collect();
    svg.begin("g", &[("id", &id)]);
    svg.symbol("j", [0.0; 2]);
    svg.element("path", &[("class", &"h"), ("d", &heads)]);
    svg.end("g");
}

/// Round or square, with its digit: no colour says anything alone.
fn push_seat(svg: &mut Svg, id: &str, seat: usize, colour: &str, ink: &str) {
    svg.begin("g", &[("id", &id)]);
    if seat.is_multiple_of(2) {
        svg.element("circle", &[("class", &"s"), ("r", &"14"), ("fill", &colour)]);
    } else {
        svg.element("path", &[("class", &"s"), ("d", &SQUARE), ("fill", &colour)]);
    }
    svg.words("text", &[("class", &"b"), ("y", &"6"), ("fill", &ink)], &(seat + 1).to_string());
    svg.end("g");
}

/// A square with round corners.
const SQUARE: &str = "M-8,-13h16q5,0,5,5v16q0,5,-5,5h-16q-5,0,-5,-5v-16q0,-5,5,-5z";

#[cfg(test)]
mod tests {
    use super::*;

    /// The colours that protanopes, deuteranopes and tritanopes see of linear red, green and blue (Machado, Oliveira
    /// and Fernandes 2009, severity 1), and those that most people see.
    const SIGHTS: [(&str, [[f64; 3]; 3]); 4] = [
        ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        ),
        (
            "deuteranopia",
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
        ),
        (
            "tritanopia",
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
        ),
    ];

    /// `#0072b2` as linear red, green and blue.
    fn linear(colour: &str) -> [f64; 3] {
        let bits = u32::from_str_radix(&colour[1..], 16).unwrap();
        [16, 8, 0].map(|shift| {
            let part = f64::from(bits >> shift & 255) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// In CIE L*a*b*, where distances are about what is seen of them.
    fn lab(colour: &str, sight: &[[f64; 3]; 3]) -> [f64; 3] {
        let from = linear(colour);
        let mix = |row: &[f64; 3], of: &[f64; 3]| row.iter().zip(of).map(|(a, b)| a * b).sum::<f64>();
        let seen: [f64; 3] = std::array::from_fn(|at| mix(&sight[at], &from).clamp(0.0, 1.0));
        let cube = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let x = cube(mix(&[0.4124, 0.3576, 0.1805], &seen) / 0.95047);
        let y = cube(mix(&[0.2126, 0.7152, 0.0722], &seen));
        let z = cube(mix(&[0.0193, 0.1192, 0.9505], &seen) / 1.08883);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn seats_are_told_apart_with_every_kind_of_sight() {
        for (name, sight) in &SIGHTS {
            let seen: Vec<[f64; 3]> = SEATS.iter().map(|(colour, _)| lab(colour, sight)).collect();
            for (a, one) in seen.iter().enumerate() {
                for (b, other) in seen.iter().enumerate().take(a) {
                    let apart = one.iter().zip(other).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt();
                    assert!(apart > 10.0, "{name}: seats {} and {} are {apart:.1} apart", a + 1, b + 1);
                }
            }
        }
    }

    #[test]
    fn no_colour_says_anything_alone() {
        let all: String = (0..SEATS.len()).map(|seat| format!("#s{seat}\"")).collect();
        let drawn = symbols(&all);
        for seat in 0..SEATS.len() {
            let form = drawn.as_str().split(&format!("id=\"s{seat}\"")).nth(1).unwrap().split("</g>").next().unwrap();
            assert!(form.contains(&format!(">{}<", seat + 1)), "its digit: {form}");
            assert_eq!(form.contains("<circle"), seat % 2 == 0, "its form: {form}");
        }
    }
}
