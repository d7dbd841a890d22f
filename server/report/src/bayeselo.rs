//! The ratings of a ladder as BayesElo has them.

use super::grid::{Grid, TableFormat};
use super::rating_input::{Placed, RatingInput};
use super::ratings::{LABEL, tidy};
use agon_model::visible::{escape, json_document};
use agon_model::{Entrant, LadderRow};
use agon_stats::bayeselo::{self, Fitted};
use serde::Serialize;

/// The ratings, and whose they are.
#[derive(Debug)]
pub struct BayesTable {
    ladder: String,
    labels: Vec<String>,
    fitted: Fitted,
    matches: usize,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    ladder: &'a str,
    scale: &'static str,
    matches: usize,
    clients: Vec<Client<'a>>,
    draw_elo: f64,
    advantage: Option<f64>,
}

#[derive(Serialize)]
struct Client<'a> {
    client: &'a str,
    rating: f64,
    low: f64,
    high: f64,
    matches: u64,
}

impl BayesTable {
    /// Fits the ratings of all who played.
    ///
    /// # Errors
    /// There is nothing to fit, or not two sit at a table: a message with what to do.
    pub fn fit(ladder: &LadderRow, entrants: &[Entrant], results: RatingInput) -> Result<BayesTable, String> {
        let Placed { labels, is_rotated, matches, seats, duels, .. } = results.place(entrants)?;
        if seats != 2 {
            return Err("BayesElo rates matches of two; help: leave --like out".to_owned());
        }
        let fitted = bayeselo::fit(&duels, labels.len(), is_rotated).map_err(|unfit| unfit.to_string())?;
        Ok(BayesTable { ladder: ladder.name.clone(), labels, fitted, matches })
    }

    /// Clients, best first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.labels.len()).collect();
        let rating = |client: usize| self.fitted.players[client].elo;
        order.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)).then(self.labels[a].cmp(&self.labels[b])));
        order
    }

    /// The table, in plain characters with what it does not say by itself.
    pub fn write(&self, format: TableFormat) -> String {
        let mut grid = Grid::new(&[">#", "client", ">rating", ">from", ">to", ">matches"]);
        for (place, &client) in (1..).zip(&self.order()) {
            let rated = &self.fitted.players[client];
            let shown = |elo: f64| format!("{:.0}", tidy(elo));
            let (low, high) = (shown(rated.elo - rated.reach), shown(rated.elo + rated.reach));
            let label = escape(&self.labels[client], LABEL);
            grid.rows.push(vec![place.to_string(), label, shown(rated.elo), low, high, rated.matches.to_string()]);
        }
        if format != TableFormat::Text {
            return grid.write(format);
        }
        let seat =
            self.fitted.advantage.map_or("no advantage fitted".to_owned(), |elo| format!("eloAdvantage {elo:.1}"));
        format!(
            "{}: ratings like BayesElo's over {} matches, 95 % intervals\n\n{}\neloDraw {:.1}, {seat}; every match counts as \
             independent, so that the intervals are narrower than those without --like\n",
            escape(&self.ladder, 64),
            self.matches,
            grid.write(format),
            self.fitted.draw_elo,
        )
    }

    /// One JSON document, ended by a newline.
    pub fn json(&self) -> String {
        let client = |client: usize| {
            let rated = &self.fitted.players[client];
            let (low, high) = (rated.elo - rated.reach, rated.elo + rated.reach);
            Client { client: &self.labels[client], rating: rated.elo, low, high, matches: rated.matches }
        };
        json_document(&Document {
            schema: "agon.ratings-bayeselo/1",
            ladder: &self.ladder,
            scale: "bayeselo",
            matches: self.matches,
            clients: self.order().into_iter().map(client).collect(),
            draw_elo: self.fitted.draw_elo,
            advantage: self.fitted.advantage,
        })
    }
}
