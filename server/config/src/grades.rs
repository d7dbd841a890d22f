//! `[grades]`: what a teacher gives for points.

use super::problem::Problem;
use super::units;
use super::value::Value;

/// Grades by points a match, the highest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grades {
    /// From so many thousandths of a point on, this grade.
    pub steps: Vec<(i64, String)>,
    /// The grade below all of them, and of whoever could not play.
    pub otherwise: String,
}

impl Grades {
    /// The grade for so many points; `None` where there are no grades.
    pub fn of(&self, points: Option<f64>) -> Option<&str> {
        if self.steps.is_empty() {
            return None;
        }
        // As the table shows it: half a thousandth decides nothing.
        let points = points.map(|points| (points * 1000.0).round() as i64);
        let step = self.steps.iter().find(|(from, _)| points.is_some_and(|points| points >= *from));
        Some(step.map_or(self.otherwise.as_str(), |(_, grade)| grade))
    }
}

/// `["6: 0.8", "5: 0.6"]`.
pub(super) fn steps(value: &Value) -> Result<Vec<(i64, String)>, Problem> {
    const HELP: &str = "write \"6: 0.8\", the grade and the points a match from which it is given";
    let step = |item: &Value| {
        let text = item.text()?.value;
        let parted = text.rsplit_once(':').map(|(grade, from)| (grade.trim(), units::thousandths(from.trim())));
        match parted {
            Some((grade, Some(from))) if !grade.is_empty() => Ok((from, grade.to_owned())),
            _ => Err(item.problem(format!("\"{text}\" is no grade with points"), HELP)),
        }
    };
    let mut steps: Vec<(i64, String)> = value.list()?.iter().map(step).collect::<Result<_, Problem>>()?;
    steps.sort_by_key(|(from, _)| std::cmp::Reverse(*from));
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_step_that_is_reached_counts() {
        let steps = vec![(800, "6".to_owned()), (500, "4".to_owned())];
        let grades = Grades { steps, otherwise: "3".to_owned() };
        let given = [Some(1.0), Some(0.8), Some(0.7996), Some(0.799), Some(0.5), Some(0.1), None];
        assert_eq!(given.map(|points| grades.of(points).unwrap()), ["6", "6", "6", "4", "4", "3", "3"]);
        assert_eq!(Grades::default().of(Some(1.0)), None);
    }
}
