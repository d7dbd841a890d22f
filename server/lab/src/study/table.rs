//! A study as text: Markdown for people, CSV for programs.

use super::{Mean, Point, Series, Studied};
use agon_model::grouped;
use agon_model::units::show_duration;
use std::collections::BTreeSet;

/// Every value that is a multiple of this has a line in the Markdown tables.
const STEP: u64 = 5;

impl Studied {
    /// Two tables, times and counts, a column a version; lines only for multiples of 5 and where a version begins or
    /// ends.
    pub fn markdown(&self) -> String {
        let study = self.study;
        let limit = show_duration(self.way.limit_us);
        let mut text = format!("# {}: {}\n\n", study.name, study.about);
        text += &format!(
            "Means of {} first moves by fresh clients, ± their standard errors. Above {limit}, a version stops.\n\n",
            self.way.runs
        );
        text += "Processor time:\n\n";
        text += &self.grid(|point| Some(pair(point.cpu_us, time_text)));
        text += &format!("\nSearch {}:\n\n", study.counted);
        text += &self.grid(|point| point.counted.map(|count| pair(count, number_text)));
        text += "\nWhere each version ended:\n\n";
        for Series { version, points, stopped } in &self.series {
            let last = points.last().map_or("nowhere".to_owned(), |point| point.value.to_string());
            let why = stopped.as_deref().unwrap_or("the largest value of the study");
            text += &format!("- {version}: {last}; {why}\n");
        }
        text
    }

    fn grid(&self, cell: impl Fn(&Point) -> Option<String>) -> String {
        let mut rows: BTreeSet<u64> = BTreeSet::new();
        for points in self.series.iter().map(|series| &series.points) {
            rows.extend(points.iter().map(|point| point.value).filter(|value| value.is_multiple_of(STEP)));
            rows.extend(points.first().into_iter().chain(points.last()).map(|point| point.value));
        }
        let names: Vec<&str> = self.series.iter().map(|series| series.version).collect();
        let mut text = format!("| {} | {} |\n", self.study.unit, names.join(" | "));
        text += &format!("|---:|{}\n", "---:|".repeat(names.len()));
        for value in rows {
            let point = |series: &Series| series.points.iter().find(|point| point.value == value).and_then(&cell);
            let cells: Vec<String> = self.series.iter().map(|series| point(series).unwrap_or_default()).collect();
            text += &format!("| {value} | {} |\n", cells.join(" | "));
        }
        text
    }

    /// A line a version and value.
    pub fn csv(&self) -> String {
        let (grows, counted) = (self.study.grows, self.study.counted);
        let mut text = format!("version,{grows},runs,cpu_us,cpu_us_error,{counted},{counted}_error\n");
        for Series { version, points, .. } in &self.series {
            for Point { value, cpu_us, counted } in points {
                let counts = counted.map_or(",".to_owned(), |Mean { mean, error }| format!("{mean:.1},{error:.2}"));
                let Mean { mean, error } = cpu_us;
                text += &format!("{version},{value},{},{mean:.1},{error:.2},{counts}\n", self.way.runs);
            }
        }
        text
    }
}

/// `12.0 ms ± 0.4 ms`; without an error where it is 0.
fn pair(mean: Mean, show: fn(f64) -> String) -> String {
    if mean.error > 0.0 { format!("{} ± {}", show(mean.mean), show(mean.error)) } else { show(mean.mean) }
}

/// Microseconds in a unit that suits them.
pub fn time_text(us: f64) -> String {
    match us {
        large if large >= 1e6 => format!("{:.2} s", us / 1e6),
        middle if middle >= 1e3 => format!("{:.2} ms", us / 1e3),
        _ => format!("{us:.1} us"),
    }
}

/// A count, its digits in groups of three.
pub fn number_text(count: f64) -> String {
    grouped(count.round_ties_even() as u64)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::StudyOptions;
    use super::*;
    use agon_games::Study;

    const STUDY: Study = Study {
        name: "size",
        about: "work by size",
        client: "any",
        versions: &[("A", "version=a"), ("B", "version=b")],
        grows: "size",
        unit: "cells",
        values: (3, 6),
        counted: "nodes",
    };

    pub fn example() -> Studied {
        let mean = |mean, error| Mean { mean, error };
        let point = |value, time, counted: Option<Mean>| Point { value, cpu_us: time, counted };
        let first = vec![
            point(3, mean(12.0, 0.5), Some(mean(4.0, 0.0))),
            point(4, mean(150.0, 20.0), Some(mean(1234567.0, 0.0))),
        ];
        let second = vec![point(3, mean(2_500.0, 100.0), None), point(5, mean(3e6, 0.0), None)];
        let stopped = Some("at size = 5: the first move took longer than the limit".to_owned());
        Studied {
            study: &STUDY,
            way: StudyOptions { client: None, limit_us: 1_000_000, runs: 3 },
            series: vec![
                Series { version: "A", points: first, stopped },
                Series { version: "B", points: second, stopped: None },
            ],
        }
    }

    #[test]
    fn markdown_has_a_column_a_version() {
        assert_eq!(
            example().markdown(),
            "# size: work by size\n\n\
             Means of 3 first moves by fresh clients, ± their standard errors. Above 1s, a version stops.\n\n\
             Processor time:\n\n\
             | cells | A | B |\n|---:|---:|---:|\n\
             | 3 | 12.0 us ± 0.5 us | 2.50 ms ± 100.0 us |\n\
             | 4 | 150.0 us ± 20.0 us |  |\n\
             | 5 |  | 3.00 s |\n\n\
             Search nodes:\n\n\
             | cells | A | B |\n|---:|---:|---:|\n\
             | 3 | 4 |  |\n| 4 | 1,234,567 |  |\n| 5 |  |  |\n\n\
             Where each version ended:\n\n\
             - A: 4; at size = 5: the first move took longer than the limit\n\
             - B: 5; the largest value of the study\n"
        );
    }

    #[test]
    fn csv_has_every_value() {
        assert_eq!(
            example().csv(),
            "version,size,runs,cpu_us,cpu_us_error,nodes,nodes_error\n\
             A,3,3,12.0,0.50,4.0,0.00\n\
             A,4,3,150.0,20.00,1234567.0,0.00\n\
             B,3,3,2500.0,100.00,,\n\
             B,5,3,3000000.0,0.00,,\n"
        );
    }
}
