//! The standings for people: a table, and below it what the table does not say by itself.

use super::{Refused, Standings, Suspended, by_name};
use crate::adjudications::Adjudications;
use crate::grid::{Grid, TableFormat, text_table};
use crate::ratings::warning;
use crate::status::count_for_nobody;
use agon_model::visible::{Medium, escape, visible};
use agon_model::{Entrant, StatusKind, SystemKind, Tally, TallyRow, Weakness, counted};
use agon_stats::{Estimate, separated};
use std::collections::BTreeMap;

/// A line of the table with its place.
type Ranked<'a> = (usize, TallyRow, &'a Entrant);

impl Standings {
    /// The table alone, in a format.
    pub fn table(&self, format: TableFormat) -> String {
        match format {
            TableFormat::Csv => self.csv(),
            TableFormat::Markdown => self.grid(&self.ranked(&self.all)).write(format) + &self.others_as_list(),
            TableFormat::Text => self.grid(&self.ranked(&self.all)).write(format),
        }
    }

    /// The table with its small print.
    pub fn text(&self) -> String {
        let ranked = self.ranked(&self.all);
        let parts = [
            self.head(),
            self.grid(&ranked).write(TableFormat::Text),
            self.paired_text(),
            self.refusals(),
            self.suspensions(),
            self.setting_table(&ranked),
            self.by_lineup.as_ref().map_or(String::new(), |by_lineup| self.lineup_table(by_lineup)),
            self.seat_line(),
            self.time_line(),
            self.fault_lines(&ranked),
            self.void_lines(),
            self.adjudications.as_ref().map_or(String::new(), Adjudications::text),
            self.small_print(&ranked),
        ];
        parts.concat()
    }

    fn head(&self) -> String {
        let ladder = &self.ladder;
        let drawn = if ladder.seed_drawn { " (chosen at random)" } else { "" };
        let seed = if self.keeps_seed { "shown at the end".to_owned() } else { format!("{}{drawn}", ladder.seed) };
        format!(
            "{}: {}, {}, {} in {}, seed {seed}\n\n",
            escape(&ladder.name, 64),
            ladder.game,
            counted(ladder.seats as u64, "seat", "seats"),
            counted(self.all.matches(), "match", "matches"),
            counted(self.all.blocks(), "block", "blocks"),
        )
    }

    pub(super) fn grid(&self, ranked: &[Ranked<'_>]) -> Grid {
        // Where two play and a score only says who has won, points tell all.
        let telling = |(_, line, _): &Ranked<'_>| !(0.0..=1.0).contains(&line.score.mean);
        let several = self.ladder.seats != 2 || ranked.iter().any(telling);
        let mut titles = match self.alone {
            None => vec![">#", "client", ">points", ">from", ">to", ">matches", ">W", ">D", ">L"],
            Some(_) => vec![">#", "client", ">score", ">from", ">to", ">matches"],
        };
        if several && self.alone.is_none() {
            titles.extend([">rank", ">from", ">to", ">score", ">from", ">to"]);
        }
        let has_voids = ranked.iter().any(|(_, line, _)| self.excused(line.entrant) > 0);
        titles.extend([">faults", "kind", "first fault"]);
        if has_voids {
            titles.push(">voids");
        }
        let has_grades = !self.grades.is_empty();
        titles.extend(has_grades.then_some("grade"));
        let row = |(place, line, entrant): &Ranked<'_>| {
            let place = if *place == 0 { "-".to_owned() } else { place.to_string() };
            let mut cells = vec![place, self.name(line, entrant)];
            cells.extend(self.results(line, several));
            cells.push(line.faults.values().sum::<u64>().to_string());
            cells.push(fault_kinds(&by_name(&line.faults)));
            cells.push(self.first_fault[line.entrant].clone().unwrap_or_default());
            cells.extend(has_voids.then(|| self.excused(line.entrant).to_string()));
            cells.extend(has_grades.then(|| self.grade_cell(line.entrant)));
            cells
        };
        Grid { rows: ranked.iter().map(row).collect(), ..Grid::new(&titles) }
    }

    /// The cells from the points to the score.
    fn results(&self, line: &TallyRow, several: bool) -> Vec<String> {
        let mut cells = Vec::new();
        if self.alone.is_some() {
            cells.extend(mean_and_interval(&line.score, line.matches));
            cells.push(line.matches.to_string());
            return cells;
        }
        cells.extend(mean_and_interval(&line.points, line.matches));
        cells.extend([line.matches, line.wins, line.draws, line.losses].map(|number| number.to_string()));
        if several {
            cells.extend(mean_and_interval(&line.rank, line.matches));
            cells.extend(mean_and_interval(&line.score, line.matches));
        }
        cells
    }

    /// The label, and why the line has fewer matches than others.
    fn name(&self, line: &TallyRow, entrant: &Entrant) -> String {
        let label = self.shown_label(line.entrant, entrant);
        let status = self.status(line.entrant);
        if self.is_staff(line.entrant) {
            return format!("{label} (staff)");
        }
        if status.is_present() { label } else { format!("{label} ({})", status.name()) }
    }

    fn shown_label(&self, index: usize, entrant: &Entrant) -> String {
        escape(&self.full_label(index, entrant), 40)
    }

    /// In Markdown, behind a table.
    fn others_as_list(&self) -> String {
        let plain = |text: &str| visible(text, Medium::Markdown).into_owned();
        let refused = |Refused { index, entrant, kind, why }: Refused<'_>| {
            format!(
                "- {} was {}: {}{}\n",
                plain(&entrant.label),
                kind.name(),
                plain(why),
                plain(&self.grade_note(index))
            )
        };
        let suspended = |Suspended { index, entrant, status, why, .. }: Suspended<'_>| {
            let (label, grade) = (self.full_label(index, entrant), self.grade_note(index));
            format!("- {} is {}: {}{}\n", plain(&label), status.kind.name(), plain(why), plain(&grade))
        };
        let lines: String = self.refused().map(refused).chain(self.suspended().map(suspended)).collect();
        if lines.is_empty() { lines } else { format!("\n{lines}") }
    }

    fn refusals(&self) -> String {
        let line = |Refused { index, entrant, kind, why }: Refused<'_>| {
            let (label, grade) = (escape(&entrant.label, 40), self.grade_note(index));
            format!(" -  {label} {}: {}{grade}\n", kind.name(), escape(why, 400))
        };
        self.refused().map(line).collect()
    }

    /// The grade of a client without a place; empty where it gets none.
    fn grade_note(&self, index: usize) -> String {
        match self.grade_of(index) {
            Some(Ok(grade)) => format!("; grade {}", escape(grade, 40)),
            Some(Err(why)) => format!("; no grade: {}", escape(why, 200)),
            None => String::new(),
        }
    }

    fn suspensions(&self) -> String {
        let line = |Suspended { index, entrant, status, why, .. }: Suspended<'_>| {
            let (label, grade) = (self.shown_label(index, entrant), self.grade_note(index));
            format!(" -  {label} {}: {why}{grade}\n", status.kind.name())
        };
        self.suspended().map(line).collect()
    }

    /// The words for matches that stand apart, the same in every output.
    pub(super) fn for_nobody(&self, line: &TallyRow) -> String {
        let mean = &mean_and_interval(self.counted(line), line.matches)[0];
        let unit = if self.alone.is_some() { "score" } else { "points" };
        count_for_nobody(line.matches, &format!(" ({mean} {unit})"))
    }

    /// Points by setting, where there are several.
    fn setting_table(&self, ranked: &[Ranked<'_>]) -> String {
        if self.by_setting.len() < 2 {
            return String::new();
        }
        let names: Vec<String> =
            self.ladder.settings.iter().map(|(name, _)| format!(">{}", escape(name, 24))).collect();
        let titles: Vec<&str> = std::iter::once(if self.alone.is_some() { "scores" } else { "points" })
            .chain(names.iter().map(String::as_str))
            .collect();
        let lines: Vec<Vec<TallyRow>> = self.by_setting.iter().map(Tally::lines).collect();
        let row = |(_, line, entrant): &Ranked<'_>| {
            let of = |setting: &Vec<TallyRow>| {
                let line = &setting[line.entrant];
                mean_and_interval(self.counted(line), line.matches)[0].clone()
            };
            std::iter::once(escape(&entrant.label, 40)).chain(lines.iter().map(of)).collect()
        };
        format!("\n{}", text_table(&titles, ranked.iter().map(row)))
    }

    fn seat_line(&self) -> String {
        let seats = self.all.seats();
        let shared = seats.iter().any(|seat| seat.shared > 0);
        if self.all.matches() == 0 || seats.len() < 2 {
            return "\n".to_owned();
        }
        let wins: Vec<String> =
            seats.iter().enumerate().map(|(seat, line)| format!("seat {}: {}", seat + 1, line.wins)).collect();
        format!("\nwon{} from {}\n", if shared { " by one alone" } else { "" }, wins.join(", "))
    }

    fn fault_lines(&self, ranked: &[Ranked<'_>]) -> String {
        let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
        for (_, line, _) in ranked {
            line.faults.iter().for_each(|(kind, number)| *kinds.entry(kind.name()).or_default() += number);
        }
        let notices: u64 = ranked.iter().map(|(_, line, _)| line.notices).sum();
        let mut out = String::new();
        if !kinds.is_empty() {
            let list = fault_counts(&kinds);
            let first = ranked.iter().find_map(|(_, line, _)| self.first_fault[line.entrant].as_deref());
            let why = first.map_or(String::new(), |id| format!(", agon show {id} explains one"));
            out += &format!("faults: {list}; agon matches --client NAME --fault lists them{why}\n");
        }
        if notices > 0 {
            out += &format!("notices that cost nothing: {notices}; agon show ID tells them\n");
        }
        out
    }

    fn void_lines(&self) -> String {
        const SHOWN: usize = 3;
        let Some((_, first, _)) = self.voids.first() else { return String::new() };
        let blocks = counted(self.voids.len() as u64, "block is", "blocks are");
        let mut out = format!("void: {blocks} not counted, by trouble of the server: {}\n", escape(first, 200));
        for (id, cause, tries) in self.voids.iter().skip(1).take(SHOWN - 1) {
            out += &format!(
                "      block {id}, tried {}: {}\n",
                counted(u64::from(*tries), "time", "times"),
                escape(cause, 200)
            );
        }
        out
    }

    /// The value that decides places.
    fn counted<'a>(&self, line: &'a TallyRow) -> &'a Estimate {
        if self.alone.is_some() { &line.score } else { &line.points }
    }

    /// The meaning of points, and how many blocks or positions their interval comes from.
    fn meaning(&self, fewest: u64, most: u64, of_starts: bool) -> String {
        let (one, many) = if of_starts { ("starting position", "starting positions") } else { ("block", "blocks") };
        let points = match self.alone {
            None => "points are the mean per match",
            Some(true) => "each client plays alone: the mean score decides, and higher is better",
            Some(false) => "each client plays alone: the mean score decides, and lower is better",
        };
        if most == 1 {
            return format!("{points}; from and to, its 95 % interval, need two {many} or more\n");
        }
        let range = if fewest == most { String::new() } else { format!("{fewest} to ") };
        let units = counted(most, one, many);
        format!("{points}; from and to are its 95 % interval, from {range}{units} of each client\n")
    }

    fn small_print(&self, ranked: &[Ranked<'_>]) -> String {
        let mut out = String::new();
        let played = || ranked.iter().filter(|(_, line, _)| line.matches > 0).map(|(_, line, _)| line);
        let units = |line: &TallyRow| line.points.degrees.round() as u64 + 1;
        let of_starts = !played().all(|line| units(line) == line.blocks);
        let has_copies = self.all.has_copies();
        if let (Some(fewest), Some(most)) = (played().map(units).min(), played().map(units).max()) {
            out += &self.meaning(fewest, most, of_starts);
            if played().any(|line| self.counted(line).interval().is_some() && self.counted(line).error == Some(0.0)) {
                let unit = if of_starts { "mean from every position" } else { "result in every block" };
                out += &format!("a client had the same {unit}; other results are possible, so its interval is wide\n");
            }
            let by = if self.ladder.seats == 1 { "by one client" } else { "from every seat" };
            out += &format!("a block is one opening, played {by}");
            out += match (of_starts, has_copies) {
                (false, _) => "\n",
                (true, true) => "; blocks with the same moves count as one\n",
                (true, false) => "; blocks from the same position count as one\n",
            };
            if played().any(|line| line.blocks > 1) {
                out += &self.one_start();
            }
            if self.ladder.seats > 2 {
                out += "W, D and L count opponents that did worse, equally well and better\n";
            }
        }
        out += &self.separation(ranked);
        out += &self.turns;
        out += &warning(self.ladder.terms.weakness().filter(Weakness::is_for_debugging));
        out
    }

    /// Which neighbours of the table, of those that play on, chance alone could have put in this order.
    fn separation(&self, ranked: &[Ranked<'_>]) -> String {
        const SHOWN: usize = 4;
        if self.sort != super::SortKey::Points {
            return String::new();
        }
        if self.ladder.terms.pairing.system.is_some_and(SystemKind::pairs_by_results) {
            return "clients met different opponents; to compare them: agon standings --ratings\n".to_owned();
        }
        let separated = |above: &TallyRow, below: &TallyRow| match self.alone {
            Some(false) => separated(&below.score, &above.score),
            _ => separated(self.counted(above), self.counted(below)),
        };
        let playing =
            ranked.iter().filter(|(_, line, _)| line.matches > 0 && self.status(line.entrant) == StatusKind::Playing);
        let playing: Vec<&Ranked<'_>> = playing.collect();
        let judged = |pair: &[&Ranked<'_>]| separated(&pair[0].1, &pair[1].1);
        if playing.windows(2).any(|pair| judged(pair).is_none()) {
            let more = self.more_openings();
            let whom = if playing.len() == 2 { "these clients" } else { "some clients" };
            return format!("too few openings to compare {whom}; help: add {more}\n");
        }
        let runs: Vec<String> = playing
            .chunk_by(|above, below| judged(&[above, below]) == Some(false))
            .filter_map(|run| match run {
                [first, .., last] => {
                    Some((first, if run.len() > 2 { ["from", "down to"] } else { ["between", "and"] }, last))
                }
                _ => None,
            })
            .map(|(first, [word, then], last)| {
                format!("{word} {} {then} {}", escape(&first.2.label, 40), escape(&last.2.label, 40))
            })
            .collect();
        if runs.is_empty() {
            return String::new();
        }
        let more = if runs.len() > SHOWN { ", and others" } else { "" };
        let shown = runs[..runs.len().min(SHOWN)].join(", ");
        format!("differences are not significant (95 %): {shown}{more}\n")
    }
}

/// The only kind of fault, or each with its number.
fn fault_kinds(faults: &BTreeMap<&str, u64>) -> String {
    match faults.len() {
        1 => faults.keys().map(|kind| (*kind).to_owned()).collect(),
        _ => fault_counts(faults),
    }
}

fn fault_counts(faults: &BTreeMap<&str, u64>) -> String {
    let each: Vec<String> = faults.iter().map(|(kind, number)| format!("{kind} {number}")).collect();
    each.join(", ")
}

/// A mean and the ends of its 95 % interval, three places each.
pub(super) fn mean_and_interval(estimate: &Estimate, matches: u64) -> [String; 3] {
    let none = || "-".to_owned();
    if matches == 0 {
        return [none(), none(), none()];
    }
    // A number that is nothing when rounded must not show as "-0.000".
    let show = |number: f64| format!("{:.3}", if number.abs() < 0.000_5 { 0.0 } else { number });
    let [low, high] = estimate.interval().map_or([none(), none()], |(low, high)| [show(low), show(high)]);
    [show(estimate.mean), low, high]
}
