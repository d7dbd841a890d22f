//! The ratings of a ladder: strengths fitted to all results at once, with intervals, and who is not separated from
//! whom.

use super::grid::{Grid, TableFormat};
use super::rating_input::{Placed, RatingInput};
use super::sprt::percent;
use agon_model::documents::{self, Lead, Mean, RatedClient};
use agon_model::visible::escape;
use agon_model::{Entrant, LadderRow, Weakness, counted, some_of};
use agon_stats::bradley_terry;
use agon_stats::plackett_luce;
use agon_stats::{Difference, Estimate, RatingOptions, Ratings, Unfit};

/// Pairs of neighbours that are told at most.
const SHOWN: usize = 6;
/// The longest name in a text.
pub(super) const LABEL: usize = 40;

/// The ratings, and whose they are.
#[derive(Debug)]
pub struct RatingTable {
    ladder: String,
    /// The label of each rated client.
    labels: Vec<String>,
    ratings: Ratings,
    matches: usize,
    seats: usize,
    /// Whether it is by the model and in the scale of Ordo.
    like_ordo: bool,
    /// How the ladder asks for less than the full sandbox.
    weakness: Option<Weakness>,
    /// A warning if the order of moves is not balanced; may be empty.
    turns: String,
}

impl RatingTable {
    /// Fits the strengths of all who played.
    ///
    /// # Errors
    /// There is nothing to fit, or too many sit at one table: a message with what to do.
    pub fn fit(ladder: &LadderRow, entrants: &[Entrant], results: RatingInput) -> Result<RatingTable, String> {
        RatingTable::fit_by(ladder, entrants, results, false)
    }

    /// The same by the model and in the scale of Ordo.
    ///
    /// # Errors
    /// See `fit`; also where somebody won or lost everything, or not two sit at a table.
    pub fn fit_like_ordo(
        ladder: &LadderRow,
        entrants: &[Entrant],
        results: RatingInput,
    ) -> Result<RatingTable, String> {
        RatingTable::fit_by(ladder, entrants, results, true)
    }

    fn fit_by(
        ladder: &LadderRow,
        entrants: &[Entrant],
        results: RatingInput,
        like_ordo: bool,
    ) -> Result<RatingTable, String> {
        let Placed { labels, is_rotated, matches, seats, duels, rankings } = results.place(entrants)?;
        if like_ordo && seats != 2 {
            return Err("Ordo rates matches of two; help: leave --like out".to_owned());
        }
        let base = if like_ordo { RatingOptions::ordo() } else { RatingOptions::default() };
        // Where nobody changes seats, what a seat is worth cannot be told from who sits there.
        let options = RatingOptions { first_seat: is_rotated, ..base };
        let ratings = match seats {
            2 => bradley_terry::fit(duels, labels.len(), &options),
            _ => plackett_luce::fit(rankings, labels.len(), &options),
        };
        Ok(RatingTable {
            ladder: ladder.name.clone(),
            ratings: ratings.map_err(|unfit| explain(unfit, &labels, like_ordo))?,
            labels,
            matches,
            seats,
            like_ordo,
            weakness: ladder.terms.weakness().filter(Weakness::is_for_debugging),
            turns: String::new(),
        })
    }

    /// Tells what is not even about who moved after whom: see [`super::Followers::warning`].
    #[must_use]
    pub fn with_turns(self, turns: String) -> RatingTable {
        RatingTable { turns, ..self }
    }

    /// Each client's label, rating, and the ends of its 95 % interval, where results bound it.
    pub fn intervals(&self) -> impl Iterator<Item = (&str, f64, [Option<f64>; 2])> {
        let strengths = self.labels.iter().zip(&self.ratings.strengths);
        strengths.map(|(label, one)| (label.as_str(), one.elo, [one.low, one.high]))
    }

    /// Clients, best first, group by group.
    fn order(&self) -> Vec<usize> {
        let strengths = &self.ratings.strengths;
        let mut order: Vec<usize> = (0..strengths.len()).collect();
        order.sort_by(|&a, &b| {
            let (one, other) = (&strengths[a], &strengths[b]);
            one.group.cmp(&other.group).then(other.elo.total_cmp(&one.elo)).then(self.labels[a].cmp(&self.labels[b]))
        });
        order
    }

    /// The table, in plain characters with what it does not say by itself.
    pub fn write(&self, format: TableFormat) -> String {
        let grid = self.grid();
        if format != TableFormat::Text {
            return grid.write(format);
        }
        let matches = counted(self.matches as u64, "match", "matches");
        format!(
            "{}: ratings in {} over {matches}; from and to are the ends of 95 % intervals\n\n{}\n{}",
            escape(&self.ladder, 64),
            if self.like_ordo { "Ordo's points, draws as halves," } else { "Elo" },
            grid.write(format),
            self.small_print()
        )
    }

    fn grid(&self) -> Grid {
        let mut grid =
            Grid::new(&[">#", "client", ">rating", ">from", ">to", ">matches", ">distinct", ">better than the next"]);
        let order = self.order();
        for (place, &client) in order.iter().enumerate() {
            let strength = &self.ratings.strengths[client];
            let next = order.get(place + 1);
            let over = next.and_then(|&next| self.ratings.difference(client, next));
            grid.rows.push(vec![
                (place + 1).to_string(),
                escape(&self.labels[client], LABEL),
                format!("{:.0}", tidy(strength.elo)),
                bound(strength.low, "-inf"),
                bound(strength.high, "+inf"),
                strength.matches.to_string(),
                format!("{:.0}", strength.distinct),
                match next {
                    None => String::new(),
                    Some(_) => {
                        over.filter(Difference::is_bounded).map_or("-".to_owned(), |over| percent(over.superiority))
                    }
                },
            ]);
        }
        grid
    }

    fn small_print(&self) -> String {
        let strengths = &self.ratings.strengths;
        let is_mean = strengths.iter().map(|strength| strength.elo).sum::<f64>().abs() < 0.5 * strengths.len() as f64;
        let zero = if is_mean {
            "the mean rating"
        } else {
            "the mean rating of the clients that took points from each other, directly or through others"
        };
        let mut out = format!("0 is {zero}; the column distinct counts identical matches once\n");
        if let Some(seat) = &self.ratings.first_seat {
            let ends = seat.interval().map(|(low, high)| format!(" ({:+.0} to {:+.0})", tidy(low), tidy(high)));
            out += &format!("seat 1 is worth {:+.0} Elo{}\n", tidy(seat.mean), ends.unwrap_or_default());
        }
        if let Some(draws) = &self.ratings.draw_rate {
            let ends = draws.interval().map(|(low, high)| format!(" ({:.1} to {:.1})", 100.0 * low, 100.0 * high));
            out += &format!("draws between equals: {:.1} %{}\n", 100.0 * draws.mean, ends.unwrap_or_default());
        }
        out += &self.turns;
        out += &warning(self.weakness.clone());
        if self.seats > 2 {
            out += "with more than two at the table the model is that of Plackett and Luce\n";
        }
        if self.ratings.groups.len() > 1 {
            let count = self.ratings.groups.len();
            out += &format!("{count} groups that no result connects: ratings of different groups cannot be compared\n");
        }
        out + &self.not_separated()
    }

    /// Neighbours whose order may be chance, and how many matches would tell.
    fn not_separated(&self) -> String {
        let order = self.order();
        let close = order.windows(2).filter_map(|pair| {
            let found = self.ratings.difference(pair[0], pair[1])?;
            // Whose interval holds 0 is not told apart from the next.
            let open = found.low.is_none_or(|low| low <= 0.0) && found.high.is_none_or(|high| high >= 0.0);
            open.then_some((pair[0], pair[1], found))
        });
        let lines: Vec<String> = close.map(|(a, b, found)| self.sentence(a, b, &found)).collect();
        if lines.is_empty() {
            return "all differences between neighbours are significant (95 %)\n".to_owned();
        }
        let more = lines.len().saturating_sub(SHOWN);
        let rest = if more > 0 { format!("and {more} more pairs of neighbours\n") } else { String::new() };
        lines.into_iter().take(SHOWN).collect::<String>() + &rest
    }

    fn sentence(&self, a: usize, b: usize, found: &Difference) -> String {
        let [one, other] = [a, b].map(|client| escape(&self.labels[client], LABEL));
        if !found.is_bounded() {
            return format!("{one} and {other} cannot be compared: no chain of results leads from one to the other\n");
        }
        let would = match self.ratings.matches_to_separate(a, b) {
            Some(matches) => {
                format!("; if it is real, about {} matches of each would show it", round(matches))
            }
            None => String::new(),
        };
        let apart = match (found.low, found.high) {
            (Some(low), None) => format!("{:+.0} Elo or more", tidy(low)),
            (None, Some(high)) => format!("{:+.0} Elo or less", tidy(high)),
            _ => {
                let [low, high] = [found.low, found.high].map(|end| tidy(end.unwrap_or(found.elo)));
                format!("{:+.0} Elo ({low:+.0} to {high:+.0})", tidy(found.elo))
            }
        };
        format!("the difference between {one} and {other} is not significant: {apart}{would}\n")
    }

    /// One JSON document, ended by a newline.
    pub fn json(&self) -> String {
        self.document().json()
    }

    /// The document.
    pub fn document(&self) -> documents::Ratings {
        let order = self.order();
        let in_list = |(place, &client): (usize, &usize)| self.client(client, order.get(place + 1).copied());
        let label = |client: &usize| self.labels[*client].clone();
        documents::Ratings {
            ladder: self.ladder.clone(),
            scale: if self.like_ordo { "ordo" } else { "elo" }.to_owned(),
            matches: self.matches,
            clients: order.iter().enumerate().map(in_list).collect(),
            groups: self.ratings.groups.iter().map(|group| group.iter().map(label).collect()).collect(),
            first_seat: self.ratings.first_seat.as_ref().map(mean),
            draw_rate: self.ratings.draw_rate.as_ref().map(mean),
            weaker_sandbox: self.weakness.as_ref().map(Weakness::to_string),
            turns: Some(self.turns.trim_end().to_owned()).filter(|turns| !turns.is_empty()),
        }
    }

    /// A client, compared with the one that follows it in the list.
    fn client(&self, client: usize, next: Option<usize>) -> RatedClient {
        let strength = &self.ratings.strengths[client];
        let over = next.and_then(|next| {
            let found = self.ratings.difference(client, next).filter(Difference::is_bounded)?;
            Some(Lead {
                difference: found.elo,
                standard_error: found.error,
                low: found.low,
                high: found.high,
                superiority: found.superiority,
                matches_to_separate: self.ratings.matches_to_separate(client, next),
            })
        });
        RatedClient {
            client: self.labels[client].clone(),
            rating: strength.elo,
            standard_error: strength.error,
            low: strength.low,
            high: strength.high,
            group: strength.group,
            matches: strength.matches,
            distinct_matches: strength.distinct,
            over_next: over,
        }
    }
}

/// To two digits: 298 is 300.
fn round(number: u64) -> u64 {
    let unit = 10u64.pow(number.max(1).ilog10().saturating_sub(1));
    (number + unit / 2) / unit * unit
}

fn bound(bound: Option<f64>, none: &str) -> String {
    bound.map_or(none.to_owned(), |bound| format!("{:.0}", tidy(bound)))
}

/// A number that rounds to nothing must not show as "-0".
pub(super) fn tidy(number: f64) -> f64 {
    if number.abs() < 0.5 { 0.0 } else { number }
}

/// Why these results have no ratings, and what helps.
fn explain(unfit: Unfit, labels: &[String], like_ordo: bool) -> String {
    match unfit {
        Unfit::Unbounded(clients) => {
            let names: Vec<String> = clients.iter().map(|client| escape(&labels[*client], LABEL)).collect();
            let help = "help: leave --like out, or play more";
            format!("no rating like Ordo's without losses or without wins: {}; {help}", some_of(&names))
        }
        Unfit::Singular if like_ordo => "Ordo's model, without a prior, has no answer: these results do not tell the \
                                         clients from the seats they had; help: leave --like out"
            .to_owned(),
        Unfit::Singular => {
            "the results do not tell the clients from the seats they had; help: play more matches".to_owned()
        }
        other => other.to_string(),
    }
}

/// An estimate with the ends of its 95 % interval.
pub(crate) fn mean(estimate: &Estimate) -> Mean {
    let (low, high) = estimate.interval().unzip();
    Mean { mean: estimate.mean, standard_error: estimate.error, low, high }
}

/// The warning above every table of a ladder whose results do not measure its clients.
pub(crate) fn warning(weakness: Option<Weakness>) -> String {
    weakness.map_or(String::new(), |weakness| format!("{weakness}: good for debugging, not for a rating\n"))
}
