//! The settings of a match as plain data by names: a program without these rules can play it again from its moves.
//! docs/reference/verify.md has the names of each game.

/// Names and values, in order.
pub type Fields = Vec<(&'static str, Field)>;

/// The value of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// A number from 0.
    Number(u64),
    /// A word or another text.
    Text(String),
    /// Numbers in order.
    Numbers(Vec<u64>),
    /// Texts in order.
    Texts(Vec<String>),
    /// Rows of numbers.
    Rows(Vec<Vec<u64>>),
}

impl Field {
    /// Makes a field of numbers of any kind.
    pub fn numbers<T: Copy + Into<u64>>(numbers: &[T]) -> Field {
        Field::Numbers(numbers.iter().map(|number| (*number).into()).collect())
    }

    /// Makes a field of rows of numbers of any kind.
    pub fn rows<T: Copy + Into<u64>>(rows: impl IntoIterator<Item = impl AsRef<[T]>>) -> Field {
        Field::Rows(rows.into_iter().map(|row| row.as_ref().iter().map(|number| (*number).into()).collect()).collect())
    }
}

impl<T: Into<u64>> From<T> for Field {
    fn from(number: T) -> Field {
        Field::Number(number.into())
    }
}
