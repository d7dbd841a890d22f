//! The grades that a teacher gives for points: by steps, or by a formula.

use crate::formula::Formula;

/// The grades that a teacher gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grades {
    /// The rule that makes them; `None` if there are no grades.
    pub rule: Option<GradeRule>,
    /// The grade below all steps, and of clients that could not play.
    pub otherwise: String,
}

/// A rule that turns points into a grade.
#[derive(Clone, Debug, PartialEq)]
pub enum GradeRule {
    /// Each grade with the thousandths of a point a match from which it is given; the highest first.
    Steps(Vec<(i64, String)>),
    /// A formula whose value is the grade.
    Formula(Formula),
}

/// The grade of the highest step that these points reach.
#[must_use]
pub fn reached(steps: &[(i64, String)], points: f64) -> Option<&str> {
    // As the table shows it: half a thousandth decides nothing.
    let points = (points * 1000.0).round() as i64;
    steps.iter().find(|(from, _)| points >= *from).map(|(_, grade)| grade.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_step_that_is_reached_counts() {
        let steps = [(800, "6".to_owned()), (500, "4".to_owned())];
        let given = [1.0, 0.8, 0.7996, 0.799, 0.5, 0.1].map(|points| reached(&steps, points));
        assert_eq!(given, [Some("6"), Some("6"), Some("6"), Some("4"), Some("4"), None]);
    }
}
