//! A study as a picture: two panels, times above and counts below, both on a scale of powers of ten, with error bars.

use super::{Mean, Point, Studied};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;

/// Width and height, pixels.
const SIZE: (u32, u32) = (960, 1200);
/// The colours of Okabe and Ito, which people who see few colours can tell apart; a version has its place's.
const COLOURS: [RGBColor; 7] = [
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(230, 159, 0),
];

type Panel<'a> = DrawingArea<SVGBackend<'a>, Shift>;

impl Studied {
    /// The picture as SVG.
    ///
    /// # Errors
    /// It cannot be drawn: why.
    pub fn svg(&self) -> Result<String, String> {
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|error| format!("the plot cannot be drawn: {error}"))?;
        Ok(svg)
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let panels = root.split_evenly((2, 1));
        let time = |point: &Point| Some(point.cpu_us.scale(1e-3));
        self.draw_panel(&panels[0], "processor time of the first move (ms)", &time)?;
        self.draw_panel(&panels[1], &format!("{} for the first move", self.study.counted), &|point| point.counted)?;
        root.present()?;
        Ok(())
    }

    #[expect(clippy::too_many_lines)]
    fn draw_panel(
        &self,
        panel: &Panel,
        title: &str,
        of: &dyn Fn(&Point) -> Option<Mean>,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let means = || self.series.iter().flat_map(|series| &series.points).filter_map(of);
        let range = powers_of_ten(means().map(|mean| mean.mean));
        let (least, most) = self.study.values;
        let mut chart = ChartBuilder::on(panel)
            .caption(format!("{}: {title}", self.study.name), ("sans-serif", 20))
            .margin(16)
            .x_label_area_size(48)
            .y_label_area_size(72)
            .build_cartesian_2d(least as f64..most as f64, range.clone().log_scale())?;
        chart
            .configure_mesh()
            .x_desc(format!("{} ({})", self.study.grows, self.study.unit))
            .y_desc(title)
            .x_labels(14)
            .y_label_formatter(&|value| power_of_ten(*value))
            .x_label_formatter(&|value| format!("{value:.0}"))
            .max_light_lines(0)
            .bold_line_style(BLACK.mix(0.15))
            .label_style(("sans-serif", 14))
            .axis_desc_style(("sans-serif", 16))
            .draw()?;
        for (series, colour) in self.series.iter().zip(COLOURS.iter().cycle()) {
            let points = || series.points.iter().filter_map(|point| Some((point.value as f64, of(point)?)));
            let shown = |mean: f64| mean.max(range.start);
            let bar = |(value, Mean { mean, error }): (f64, Mean)| {
                let (low, high) = (shown(mean - error), shown(mean + error));
                ErrorBar::new_vertical(value, low, shown(mean), high, colour.filled(), 5)
            };
            chart.draw_series(points().filter(|(_, mean)| mean.error > 0.0).map(bar))?;
            let line = LineSeries::new(points().map(|(value, mean)| (value, shown(mean.mean))), colour.stroke_width(2));
            let key = |(x, y)| PathElement::new([(x, y), (x + 22, y)], colour.stroke_width(3));
            chart.draw_series(line)?.label(series.version).legend(key);
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE.mix(0.85))
            .border_style(BLACK.mix(0.3))
            .label_font(("sans-serif", 15))
            .draw()?;
        Ok(())
    }
}

impl Mean {
    fn scale(self, by: f64) -> Mean {
        Mean { mean: self.mean * by, error: self.error * by }
    }
}

/// The whole powers of ten around the numbers that are above 0.
fn powers_of_ten(numbers: impl Iterator<Item = f64>) -> Range<f64> {
    let powers = numbers.filter(|number| *number > 0.0).map(f64::log10);
    let (least, most) = powers.fold((f64::MAX, f64::MIN), |(least, most), power| (least.min(power), most.max(power)));
    if least > most {
        return 1.0..10.0;
    }
    let (low, high) = (least.floor(), most.ceil().max(least.floor() + 1.0));
    10f64.powf(low)..10f64.powf(high)
}

/// `0.01`, `100`, `10⁶`.
fn power_of_ten(value: f64) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let power = value.log10().round();
    if power < 4.0 {
        return format!("{value}");
    }
    let raised: String =
        format!("{power:.0}").bytes().filter_map(|digit| DIGITS.get(usize::from(digit - b'0'))).collect();
    format!("10{raised}")
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::example;
    use super::*;

    /// Each element that is opened is closed in its order, and no text has a bare `<` or `&`.
    fn assert_well_formed(xml: &str) {
        let (mut open, mut rest) = (Vec::new(), xml);
        while let Some(at) = rest.find('<') {
            assert!(rest[..at].split('&').skip(1).all(|text| text.contains(';')), "{}", &rest[..at]);
            let end = at + rest[at..].find('>').expect("a tag ends");
            let tag = &rest[at + 1..end];
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            let name = tag.trim_start_matches('/').split_whitespace().next().unwrap().trim_end_matches('/');
            match tag {
                _ if tag.starts_with(['?', '!']) || tag.ends_with('/') => {}
                _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name)),
                _ => open.push(name),
            }
            rest = &rest[end + 1..];
        }
        assert!(open.is_empty(), "{open:?} are open at the end");
    }

    #[test]
    fn the_picture_is_well_formed_and_names_what_it_shows() {
        let svg = example().svg().unwrap();
        assert_well_formed(&svg);
        for text in
            ["processor time of the first move (ms)", "nodes for the first move", "size (cells)", "\nA\n", "\nB\n"]
        {
            assert!(svg.contains(text), "{text}");
        }
    }

    #[test]
    fn a_study_without_points_has_a_picture() {
        let mut nothing = example();
        nothing.series.iter_mut().for_each(|series| series.points.clear());
        assert_well_formed(&nothing.svg().unwrap());
    }

    #[test]
    fn axes_end_at_powers_of_ten() {
        assert_eq!(powers_of_ten([0.02, 300.0, 0.0].into_iter()), 0.01..1000.0);
        assert_eq!(powers_of_ten([1.0].into_iter()), 1.0..10.0);
        assert_eq!(powers_of_ten([].into_iter()), 1.0..10.0);
        assert_eq!([0.01, 1.0, 1000.0, 1e10].map(power_of_ten), ["0.01", "1", "1000", "10¹⁰"]);
    }
}
