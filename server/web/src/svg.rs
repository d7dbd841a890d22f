//! A text of SVG that grows element by element; every value and every word in it is escaped here.

use super::text::shown;
use std::fmt::{Display, Write};

/// Elements so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Svg(String);

/// A number of units with at most one digit behind the point.
pub(crate) struct Units(pub f64);

impl Display for Units {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without a sign on zero, so that a picture does not hang on how it was come by.
        let tenths = (self.0 * 10.0).round() as i64;
        match tenths % 10 {
            0 => write!(f, "{}", tenths / 10),
            rest if tenths < 0 && tenths > -10 => write!(f, "-0.{}", rest.abs()),
            rest => write!(f, "{}.{}", tenths / 10, rest.abs()),
        }
    }
}

impl Svg {
    /// An element without content.
    pub fn element(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        self.begin(name, attributes);
        self.0.truncate(self.0.len() - 1);
        self.0.push_str("/>");
    }

    /// Begins an element; `end` ends it.
    pub fn begin(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        self.0.push('<');
        self.0.push_str(name);
        for (key, value) in attributes {
            let value = shown(&value.to_string());
            let _ = write!(self.0, " {key}=\"{value}\"");
        }
        self.0.push('>');
    }

    /// Ends the element that was begun.
    pub fn end(&mut self, name: &str) {
        let _ = write!(self.0, "</{name}>");
    }

    /// Words in an element.
    pub fn words(&mut self, name: &str, attributes: &[(&str, &dyn Display)], words: &str) {
        self.begin(name, attributes);
        self.0.push_str(&shown(words));
        self.end(name);
    }

    /// A thing of the symbols, at a place.
    pub fn symbol(&mut self, id: &str, at: [f64; 2]) {
        let [x, y] = at.map(Units);
        let place: [(&str, &dyn Display); 2] = [("x", &x), ("y", &y)];
        let href = format!("#{id}");
        let mut all: Vec<(&str, &dyn Display)> = vec![("href", &href)];
        all.extend(place.iter().zip(at).filter(|(_, length)| *length != 0.0).map(|(place, _)| place));
        self.element("use", &all);
    }

    /// How things look: CSS of our own.
    pub fn style(&mut self, css: &'static str) {
        let _ = write!(self.0, "<style>{}</style>", css.trim());
    }

    /// Appends another drawing.
    pub fn push(&mut self, other: &Svg) {
        self.0.push_str(&other.0);
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_one_digit_at_most() {
        for (value, text) in [(0.04, "0"), (-0.04, "0"), (-0.5, "-0.5"), (-12.34, "-12.3"), (3.0, "3"), (9.96, "10")] {
            assert_eq!(Units(value).to_string(), text);
        }
    }

    #[test]
    fn values_and_words_are_escaped() {
        let mut svg = Svg::default();
        svg.words("text", &[("class", &"\"><script>")], "</text><script>");
        assert_eq!(svg.as_str(), "<text class=\"&quot;&gt;&lt;script&gt;\">&lt;/text&gt;&lt;script&gt;</text>");
    }
}
