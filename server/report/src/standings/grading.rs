//! The grade of each client: by steps, or by a formula over where it stands and how it fared with clients that are
//! named in it.

use super::Standings;
use agon_model::formula::{Formula, FormulaInput, NoValue};
use agon_model::{Entrant, GradeRule, Grades, MatchOutcome, Points, StatusKind, TallyRow, reached, shell};
use agon_record::Member;
use std::collections::BTreeMap;

/// A grade, or why there is none.
pub(super) type Grade = Result<String, String>;

/// The rules of grades.
#[derive(Debug, Default)]
pub struct Grading {
    grades: Grades,
    /// The clients that the formula names, by index; `None` = the ladder has none of that name.
    references: Vec<Option<usize>>,
    /// Thousandths and matches of a client against each of those.
    met: BTreeMap<(usize, usize), (i64, u64)>,
}

impl Grading {
    /// By what a ladder file says.
    pub fn new(grades: Grades, entrants: &[Entrant]) -> Grading {
        let named = |name: &str| entrants.iter().position(|entrant| entrant.label == name);
        let references = match &grades.rule {
            Some(GradeRule::Formula(formula)) => formula.references().map(named).collect(),
            _ => Vec::new(),
        };
        Grading { grades, references, met: BTreeMap::new() }
    }

    /// A name of the formula is the version of that client that takes part now, or else its last one.
    #[must_use]
    pub fn among(mut self, members: &[Member]) -> Grading {
        if let Some(GradeRule::Formula(formula)) = &self.grades.rule {
            let place = |named: &Member| members.iter().position(|member| member.id == named.id);
            self.references = formula.references().map(|name| Member::named(members, name).and_then(place)).collect();
        }
        self
    }

    /// Whether single matches count, so that [`Grading::add`] must be told of them.
    pub fn needs_matches(&self) -> bool {
        self.references.iter().any(Option::is_some)
    }

    /// Counts a match of clients that the formula names.
    pub fn add(&mut self, outcome: &MatchOutcome, points: Points) {
        for own in &outcome.seats {
            for other in outcome.seats.iter().filter(|other| other.entrant != own.entrant) {
                if !self.references.contains(&Some(other.entrant)) {
                    continue;
                }
                let is_crash = own.fault.is_some_and(|fault| fault.is_crash());
                let (sum, matches) = self.met.entry((own.entrant, other.entrant)).or_default();
                *sum += points.of(own.rank.cmp(&other.rank), is_crash);
                *matches += 1;
            }
        }
    }

    /// The grades of all clients, by index; empty if there are no grades. Versions that were replaced and clients that
    /// others are measured by get none.
    pub(super) fn of(&self, standings: &Standings) -> Vec<Option<Grade>> {
        let Some(rule) = &self.grades.rule else { return Vec::new() };
        let otherwise = &self.grades.otherwise;
        let none = |client: usize| standings.is_somebodys(client).then(|| Ok(otherwise.clone()));
        let mut given: Vec<Option<Grade>> = (0..standings.entrants.len()).map(none).collect();
        let ranked = standings.ranked(&standings.all);
        let is_graded = |line: &TallyRow| line.matches > 0 && standings.is_somebodys(line.entrant);
        let played = || ranked.iter().filter(|(_, line, _)| is_graded(line));
        let means: Vec<f64> = played().map(|(_, line, _)| line.points.mean).collect();
        for (place, line, _) in played() {
            let points = line.points.mean;
            let Some(grade) = given.get_mut(line.entrant) else { continue };
            let own = match rule {
                GradeRule::Steps(steps) => Ok(reached(steps, points).unwrap_or(otherwise).to_owned()),
                GradeRule::Formula(formula) => {
                    let against = self.references.iter().map(|reference| self.points_against(line.entrant, *reference));
                    let (share, rank) = (share(points, &means), *place as f64);
                    let standing = FormulaInput { points, share, rank, against: against.collect() };
                    formula.value(&standing).map(grade_value_text).map_err(|why| self.told(formula, &why, standings))
                }
            };
            *grade = Some(own);
        }
        given
    }

    fn points_against(&self, client: usize, reference: Option<usize>) -> Option<f64> {
        let (sum, matches) = self.met.get(&(client, reference?))?;
        Some(*sum as f64 / 1000.0 / *matches as f64)
    }

    fn told(&self, formula: &Formula, why: &NoValue, standings: &Standings) -> String {
        let NoValue::NotMet(name) = why else { return why.to_string() };
        let Some(index) = formula.references().position(|known| known == name) else { return why.to_string() };
        let Some(reference) = self.references[index] else { return format!("the record has no client {name}") };
        let kind = standings.status(reference);
        let way = match kind {
            StatusKind::Playing => return why.to_string(),
            StatusKind::Benched | StatusKind::Withdrawn => {
                format!("agon clients {}", shell::option("--let-back", name))
            }
            StatusKind::FileGone => "put its file back and play".to_owned(),
            StatusKind::Refused | StatusKind::Late | StatusKind::Replaced | StatusKind::Forgotten => {
                "let it take part again".to_owned()
            }
        };
        let other = "or name a client that plays in [grades] formula";
        format!("no match against {name} counts, as its status is {}; help: {way}, {other}", kind.name())
    }
}

impl Standings {
    /// The remarks for a teacher: the clients without a grade, with the reasons.
    pub fn grade_notices(&self) -> impl Iterator<Item = String> {
        self.grades.iter().zip(&self.entrants).filter_map(|(grade, entrant)| {
            let why = grade.as_ref()?.as_ref().err()?;
            // A client that others are measured by has not met itself.
            let is_reference = *why == NoValue::NotMet(entrant.label.clone()).to_string();
            (!is_reference).then(|| format!("{} gets no grade: {why}", entrant.label))
        })
    }

    /// The field of a client in a table; empty where it is not graded.
    pub(super) fn grade_cell(&self, client: usize) -> String {
        let cell = |grade: &Grade| grade.clone().unwrap_or_else(|why| format!("no grade: {why}"));
        self.grade_of(client).map_or(String::new(), cell)
    }

    /// The grade of a client, where there are grades.
    pub(super) fn grade_of(&self, client: usize) -> Option<&Grade> {
        self.grades.get(client)?.as_ref()
    }
}

/// How many of the others have fewer points, half of those with as many: 1 for the best alone.
fn share(points: f64, means: &[f64]) -> f64 {
    let others = means.len().saturating_sub(1);
    let fewer = means.iter().filter(|mean| **mean < points).count() as f64;
    let as_many = means.iter().filter(|mean| **mean == points).count().saturating_sub(1) as f64;
    if others == 0 { 1.0 } else { (fewer + as_many / 2.0) / others as f64 }
}

/// At most two decimals, as grades have them.
fn grade_value_text(value: f64) -> String {
    let hundredths = (value * 100.0).round();
    let text = format!("{:.2}", if hundredths == 0.0 { 0.0 } else { hundredths / 100.0 });
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_have_two_decimals_at_most() {
        let texts = [20.0, 11.25, 4.5, 0.004, -0.001, -1.5, 16.666, 100.0].map(grade_value_text);
        assert_eq!(texts, ["20", "11.25", "4.5", "0", "0", "-1.5", "16.67", "100"]);
    }

    #[test]
    fn equals_share_what_is_between_them() {
        let means = [0.9, 0.5, 0.5, 0.5, 0.1];
        assert_eq!([0.9, 0.5, 0.1].map(|points| share(points, &means)), [1.0, 0.5, 0.0]);
        assert_eq!(share(0.3, &[0.3]), 1.0);
    }
}
