//! One position as a picture by itself, for slides and pages: SVG with its words for those who do not see it.

use super::drawing::Drawing;
use super::panel::PEGS;
use super::svg::{Svg, Units};
use agon_games::Scene;

/// How things of a picture look, on white.
pub(crate) const STYLE: &str = include_str!("../assets/picture.css");

/// Colours of seats, told apart with every kind of sight (Okabe and Ito 2008), and of the digits on them.
const SEATS: [(&str, &str); 10] = [
    ("#0072b2", "#fff"),
    ("#e69f00", "#000"),
    ("#cc79a7", "#000"),
    ("#00795a", "#fff"),
    ("#b34700", "#fff"),
    ("#f0e442", "#000"),
    ("#56b4e9", "#000"),
    ("#bbbbbb", "#000"),
    ("#5d3a9b", "#fff"),
    ("#222222", "#fff"),
];

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
    let words = drawing.words(scene);
    let names: Vec<&str> = drawing.names().flatten().collect();
    let (cells, lines) = words.split_at(names.len());
    let cells = names.iter().zip(cells).filter(|(_, words)| *words != "free");
    let cells = cells.map(|(name, words)| format!("{name} {words}"));
    cells.chain(lines.iter().filter(|line| !line.is_empty()).cloned()).collect::<Vec<_>>().join("; ")
}

/// Things that stand by themselves: name, element, class, and the attribute that is its form.
const THINGS: [(&str, &str, &str, &str, &str); 8] = [
    ("w", "path", "w", "d", "M-13,-13h26v26h-26zM-8,-8L8,8M8,-8L-8,8"),
    ("m", "path", "m", "d", "M-18,-18h36v36h-36z"),
    ("r", "circle", "m", "r", "18"),
    ("k", "path", "j", "d", CARD),
    ("o", "path", "o", "d", CARD),
    ("h", "path", "h", "d", "M-2.2,-2l1,1h2.4l1,-1v3l-2.2,3l-2.2,-3z"),
    ("a", "circle", "a", "r", "5.5"),
    ("b", "circle", "y", "r", "5"),
];

/// The outline of a card.
const CARD: &str = "M4,-22h26q3,0,3,3v38q0,3,-3,3h-26q-3,0,-3,-3v-38q0,-3,3,-3z";

/// What pictures are made of, once a page: those things that are used in what is drawn.
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
    for (id, element, class, form, value) in THINGS.iter().filter(|(id, ..)| is_used(id)) {
        svg.element(element, &[("id", id), ("class", class), (form, value)]);
    }
    svg.end("defs");
    svg
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
