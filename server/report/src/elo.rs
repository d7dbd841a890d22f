//! Elo, intervals and test status from counted results.

use super::sprt::{elo_text, hypotheses_in_words, interval, percent, scale_name};
use agon_model::counted;
use agon_model::documents::EloInterval;
use agon_model::visible::json_document;
use agon_stats::bayeselo::{self, BayesElo};
use agon_stats::sprt::results::{Results, Summary, TestStatus};
use agon_stats::sprt::{Elo, Hypotheses, Verdict};
use agon_stats::{ELO, ORDO};
use serde::Serialize;

/// Everything that `agon elo` shows.
#[derive(Clone, Debug)]
pub struct EloReport {
    counts: Vec<u64>,
    are_pairs: bool,
    /// Whether the counts of games are those of places, last to first.
    by_place: bool,
    told: Summary,
    tests: Vec<(Hypotheses, TestStatus)>,
    /// The logistic difference in the scale of Ordo, if asked for.
    ordo: Option<Elo>,
    /// Games lost, drawn and won, if they are to be shown as BayesElo has them.
    three: Option<[u64; 3]>,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    unit: &'static str,
    counts: &'a [u64],
    results: u64,
    score: f64,
    score_standard_error: Option<f64>,
    logistic_elo: Option<EloInterval>,
    normalised_elo: Option<EloInterval>,
    superiority: Option<f64>,
    results_to_separate: Option<u64>,
    tests: Vec<Test>,
    ordo: Option<EloInterval>,
    bayeselo: Option<Bayes>,
}

#[derive(Serialize)]
struct Test {
    scale: &'static str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    lower: f64,
    upper: f64,
    verdict: Option<&'static str>,
    more_on_average: Option<f64>,
    h1_probability: Option<f64>,
}

#[derive(Serialize)]
struct Bayes {
    elo: f64,
    low: f64,
    high: f64,
    unscaled: f64,
    draw_elo: f64,
    /// One a test, with its bounds as unscaled differences.
    llr: Vec<f64>,
}

impl EloReport {
    /// `as_ordo` and `three` (matches lost, drawn, won) add the difference as Ordo and as BayesElo have it.
    pub fn new(results: &Results, tests: &[Hypotheses], as_ordo: bool, three: Option<[u64; 3]>) -> EloReport {
        let told = results.tell();
        let wide = |elo: f64| elo * ORDO / ELO;
        let ordo = told.logistic.filter(|_| as_ordo);
        EloReport {
            counts: results.counts().to_vec(),
            are_pairs: results.are_pairs(),
            by_place: false,
            told,
            tests: tests.iter().map(|test| (*test, results.stand(test))).collect(),
            ordo: ordo.map(|Elo { elo, low, high }| Elo { elo: wide(elo), low: low.map(wide), high: high.map(wide) }),
            three,
        }
    }

    fn unit(&self) -> &'static str {
        if self.are_pairs { "pairs" } else { "matches" }
    }

    fn more(&self, number: u64) -> String {
        let (one, several) = if self.are_pairs { ("more pair", "more pairs") } else { ("more match", "more matches") };
        counted(number, one, several)
    }

    /// Tells that counts are those of places, also where there are three.
    #[must_use]
    pub fn by_place(self, by_place: bool) -> EloReport {
        EloReport { by_place, ..self }
    }

    /// For people.
    pub fn text(&self) -> String {
        let (unit, Summary { results, score, error, .. }) = (self.unit(), self.told);
        let counts: Vec<String> = self.counts.iter().map(u64::to_string).collect();
        let counts = match &counts[..] {
            [lost, won] if !self.are_pairs => format!("{lost} lost, {won} won"),
            [lost, drawn, won] if !self.by_place => format!("{lost} lost, {drawn} drawn, {won} won"),
            _ if self.are_pairs => format!("by points (0, 1/2, 1, 3/2, 2): {}", counts.join(" ")),
            _ => format!("{} by place, last to first", counts.join(" ")),
        };
        let mut out = format!("{unit:<11} {results}: {counts}; Elo with 95 % intervals\n");
        let error = error.map_or("-".to_owned(), |error| format!("{:.2}", 100.0 * error));
        out += &format!("score       {:.2} % +- {error} (one standard error)\n", 100.0 * score);
        for (name, elo) in [("logistic", &self.told.logistic), ("normalised", &self.told.normalised)] {
            let elo = elo.as_ref().map_or("-".to_owned(), |elo| format!("{} Elo", elo_text(elo)));
            out += &format!("{name:<11} {elo}\n");
        }
        let better = self.told.superiority.map_or("-".to_owned(), |chance| format!("{} probable", percent(chance)));
        out += &format!("better      {better}\n");
        if self.told.normalised.is_none() {
            out += "            no interval: it needs ten results or more that are not all alike\n";
        }
        if let Some(needed) = self.told.to_separate {
            let all = match needed.saturating_sub(results) {
                0 => format!("{needed} {unit}"),
                more => format!("{}, {needed} in all,", self.more(more)),
            };
            out += &format!("needed      {all} would show such a difference with a chance of 80 % (95 % level)\n");
        }
        out += &self.ordo.as_ref().map_or(String::new(), |elo| format!("like Ordo   {} points\n", elo_text(elo)));
        out += &self.three.map_or(String::new(), |three| self.bayes_text(three));
        self.tests.iter().for_each(|(hypotheses, standing)| out += &self.test_text(hypotheses, standing));
        out
    }

    fn bayes_text(&self, three: [u64; 3]) -> String {
        let Some(BayesElo { elo, interval: (low, high), unscaled, draw_elo }) = bayeselo::estimate(three) else {
            return "like BayesElo: nothing without a loss and a win\n".to_owned();
        };
        let mut out = format!(
            "like BayesElo: {elo:+.1} [{low:+.1}, {high:+.1}] points, without its prior; unscaled {unscaled:+.1}, eloDraw {draw_elo:.1}\n"
        );
        if let Some((Hypotheses { elo0, elo1, .. }, TestStatus { bounds, .. })) = self.tests.first() {
            let llr = bayeselo::llr(three, *elo0, *elo1).unwrap_or_default();
            let (lower, upper) = bounds;
            out += &format!(
                "              LLR {llr:.3} between {lower:.3} and {upper:.3}, H0 {elo0:+} unscaled, H1 {elo1:+}\n"
            );
        }
        out
    }

    fn test_text(&self, hypotheses: &Hypotheses, standing: &TestStatus) -> String {
        let (lower, upper) = standing.bounds;
        let mut out = format!("\ntest        {}\n", hypotheses_in_words(hypotheses));
        out += &format!("LLR         {:.3} between {lower:.3} and {upper:.3}\n", standing.llr);
        if let Some(verdict) = standing.verdict {
            out += &format!("verdict     {} would be accepted\n", verdict_name(verdict));
        }
        if let (Some(more), Some(passes)) = (standing.more, standing.passes) {
            let (more, passes) = (self.more(more.round() as u64), percent(passes));
            out += &format!(
                "to come     about {more} if the true difference is as measured; H1 is then accepted with a chance of {passes}\n"
            );
        }
        out
    }

    /// One JSON document, ended by a newline.
    pub fn json(&self) -> String {
        let bayes = self.three.and_then(|three| bayeselo::estimate(three).map(|found| (three, found)));
        json_document(&Document {
            schema: "agon.elo/1",
            unit: self.unit(),
            counts: &self.counts,
            results: self.told.results,
            score: self.told.score,
            score_standard_error: self.told.error,
            logistic_elo: interval(self.told.logistic),
            normalised_elo: interval(self.told.normalised),
            superiority: self.told.superiority,
            results_to_separate: self.told.to_separate,
            tests: self.tests.iter().map(Test::from).collect(),
            ordo: interval(self.ordo),
            bayeselo: bayes.map(|(three, found)| Bayes {
                elo: found.elo,
                low: found.interval.0,
                high: found.interval.1,
                unscaled: found.unscaled,
                draw_elo: found.draw_elo,
                llr: self
                    .tests
                    .iter()
                    .filter_map(|(test, _)| bayeselo::llr(three, test.elo0, test.elo1))
                    .take(1)
                    .collect(),
            }),
        })
    }
}

impl From<&(Hypotheses, TestStatus)> for Test {
    fn from((hypotheses, standing): &(Hypotheses, TestStatus)) -> Test {
        let Hypotheses { scale, elo0, elo1, alpha, beta } = *hypotheses;
        Test {
            scale: scale_name(scale),
            elo0,
            elo1,
            alpha,
            beta,
            llr: standing.llr,
            lower: standing.bounds.0,
            upper: standing.bounds.1,
            verdict: standing.verdict.map(verdict_name),
            more_on_average: standing.more,
            h1_probability: standing.passes,
        }
    }
}

/// Only the two hypotheses are verdicts of counted results.
fn verdict_name(verdict: Verdict) -> &'static str {
    if verdict == Verdict::H1 { "H1" } else { "H0" }
}
