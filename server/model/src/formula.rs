//! A formula that gives a grade: small arithmetic over where a client stands. None is evaluated beyond what a number
//! can be.

use std::fmt;
use std::ops::Range;

/// A formula that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    root: Expr,
    /// The clients that it names, each once, with the place of the first naming.
    references: Vec<(String, Range<usize>)>,
}

/// The standing of a client, which a formula can ask about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormulaInput {
    /// Its points a match.
    pub points: f64,
    /// The share of the others who have fewer points, half of those with as many; 1 for the best alone.
    pub share: f64,
    /// The place in the table, from 1.
    pub rank: f64,
    /// Points a match against each client that the formula names; `None` = they have not met.
    pub against: Vec<Option<f64>>,
}

/// Why a formula has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// The formula divides by 0.
    DivisionByZero,
    /// The value is not a finite number.
    TooLarge,
    /// The client has played no match against this one.
    NotMet(String),
}

/// A part of a formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Number(f64),
    Points,
    Share,
    Rank,
    /// Points a match against the client with this index in the references.
    Against(usize),
    Negative(Box<Expr>),
    Binary(char, Box<Expr>, Box<Expr>),
    Call(Function, Vec<Expr>),
}

/// A function that a formula can call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Min,
    Max,
    Round,
    Floor,
    Ceil,
}

impl Formula {
    /// A formula of its parts, and the clients that it names, each with the place of the first naming.
    pub fn new(root: Expr, references: Vec<(String, Range<usize>)>) -> Formula {
        Formula { root, references }
    }

    /// The clients that it names, in the order of [`FormulaInput::against`].
    pub fn references(&self) -> impl Iterator<Item = &str> {
        self.references.iter().map(|(name, _)| name.as_str())
    }

    /// The names of clients, each with its place in the text.
    pub fn places(&self) -> &[(String, Range<usize>)] {
        &self.references
    }

    /// The value for a client with this standing.
    ///
    /// # Errors
    /// It has no value for this client.
    pub fn value(&self, standing: &FormulaInput) -> Result<f64, NoValue> {
        self.evaluate(&self.root, standing)
    }

    fn evaluate(&self, expr: &Expr, standing: &FormulaInput) -> Result<f64, NoValue> {
        let value = match expr {
            Expr::Number(number) => *number,
            Expr::Points => standing.points,
            Expr::Share => standing.share,
            Expr::Rank => standing.rank,
            Expr::Against(index) => {
                let met = standing.against.get(*index).copied().flatten();
                met.ok_or_else(|| NoValue::NotMet(self.references[*index].0.clone()))?
            }
            Expr::Negative(inner) => -self.evaluate(inner, standing)?,
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.evaluate(left, standing)?, self.evaluate(right, standing)?);
                match operator {
                    '+' => left + right,
                    '-' => left - right,
                    '*' => left * right,
                    _ if right == 0.0 => return Err(NoValue::DivisionByZero),
                    _ => left / right,
                }
            }
            Expr::Call(function, of) => {
                let values: Vec<f64> = of.iter().map(|one| self.evaluate(one, standing)).collect::<Result<_, _>>()?;
                function.apply(&values)
            }
        };
        if value.is_finite() { Ok(value) } else { Err(NoValue::TooLarge) }
    }
}

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoValue::DivisionByZero => f.write_str("division by zero"),
            NoValue::TooLarge => f.write_str("a number that is too large"),
            NoValue::NotMet(name) => write!(f, "no match against {name}"),
        }
    }
}

impl Function {
    fn apply(self, values: &[f64]) -> f64 {
        let first = values.first().copied().unwrap_or(f64::NAN);
        match self {
            Function::Min => values.iter().copied().fold(first, f64::min),
            Function::Max => values.iter().copied().fold(first, f64::max),
            Function::Round => first.round(),
            Function::Floor => first.floor(),
            Function::Ceil => first.ceil(),
        }
    }
}
