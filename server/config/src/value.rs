//! A value with its place, from a TOML text or from a word of the command line, and the checks that read it.

use super::problem::{At, Location, Problem};
use agon_model::{LADDER_NAME, TimeWords, did_you_mean, is_ladder_name, units};
use std::ops::RangeInclusive;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value as it was written.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub kind: ValueKind,
    pub place: Location,
}

#[derive(Clone, Debug)]
pub(super) enum ValueKind {
    Text(String),
    Whole(i128),
    /// The digits as they are written, so that none is lost.
    Decimal(String),
    Bool(bool),
    List(Vec<Value>),
    Table(Vec<(At<String>, Value)>),
    /// The date as it is written.
    Date(String),
}

/// The entries of a table, in the order in which they are written.
pub(super) fn entries(table: &DeTable<'_>) -> Vec<(At<String>, Value)> {
    let mut list: Vec<_> = table.iter().collect();
    list.sort_by_key(|(key, _)| key.span().start);
    list.into_iter().map(|(key, value)| (place_key(key.get_ref(), key.span()), Value::from_toml(value))).collect()
}

fn place_key(key: &str, span: std::ops::Range<usize>) -> At<String> {
    At { value: key.to_owned(), place: Location::Span(span) }
}

impl Value {
    fn from_toml(value: &Spanned<DeValue<'_>>) -> Value {
        let kind = match value.get_ref() {
            DeValue::String(text) => ValueKind::Text(text.to_string()),
            // A number that 128 bits cannot hold is out of every range there is.
            DeValue::Integer(number) => {
                ValueKind::Whole(i128::from_str_radix(number.as_str(), number.radix()).unwrap_or(i128::MAX))
            }
            DeValue::Float(number) => ValueKind::Decimal(number.as_str().to_owned()),
            DeValue::Boolean(yes) => ValueKind::Bool(*yes),
            DeValue::Datetime(date) => ValueKind::Date(date.to_string()),
            DeValue::Array(items) => ValueKind::List(items.iter().map(Value::from_toml).collect()),
            DeValue::Table(table) => ValueKind::Table(entries(table)),
        };
        Value { kind, place: Location::Span(value.span()) }
    }

    /// A word of the command line.
    pub fn from_word(kind: ValueKind, word: &str) -> Value {
        Value { kind, place: Location::Word(word.to_owned()) }
    }

    fn kind_name(&self) -> &'static str {
        match self.kind {
            ValueKind::Text(_) => "a text",
            ValueKind::Whole(_) => "a whole number",
            ValueKind::Decimal(_) => "a decimal number",
            ValueKind::Bool(_) => "true or false",
            ValueKind::List(_) => "a list",
            ValueKind::Table(_) => "a table",
            ValueKind::Date(_) => "a date",
        }
    }

    pub fn problem(&self, what: impl Into<String>, help: impl Into<String>) -> Problem {
        Problem::new(&self.place, what, help)
    }

    fn wrong_kind(&self, wanted: &str, help: &str) -> Problem {
        self.problem(format!("{wanted} is expected here, not {}", self.kind_name()), help)
    }

    fn at<T>(&self, value: T) -> At<T> {
        At { value, place: self.place.clone() }
    }

    pub fn text(&self) -> Result<At<String>, Problem> {
        match &self.kind {
            ValueKind::Text(text) if text.trim().is_empty() => {
                Err(self.problem("the text is empty", "write one, or leave the key out"))
            }
            ValueKind::Text(text) if text.chars().any(char::is_control) => {
                Err(self.problem("the text has control characters", "write it on one line, without tabs"))
            }
            ValueKind::Text(text) => Ok(self.at(text.clone())),
            ValueKind::Whole(number) => Err(self.wrong_kind("a text", &format!("write \"{number}\""))),
            _ => Err(self.wrong_kind("a text", "write it in double quotes")),
        }
    }

    /// A name that tables show.
    pub fn name(&self) -> Result<At<String>, Problem> {
        let text = self.text()?;
        match text.value.chars().count() {
            ..=64 => Ok(text),
            length => Err(self.problem(format!("the name has {length} characters"), "write at most 64")),
        }
    }

    /// The name of a ladder, which becomes a part of the name of a file.
    pub fn ladder_name(&self) -> Result<At<String>, Problem> {
        let text = self.text()?;
        if is_ladder_name(&text.value) {
            Ok(text)
        } else {
            Err(self.problem("this cannot be the name of a ladder", LADDER_NAME))
        }
    }

    /// The name of a client; `@2` at its end would be that of its second version.
    pub fn client_name(&self) -> Result<At<String>, Problem> {
        let name = self.name()?;
        match name.value.rsplit_once('@') {
            Some((_, version)) if version.parse::<u32>().is_ok() => {
                Err(self.problem("names that end in @ and a number are those of later versions", "write another name"))
            }
            _ => Ok(name),
        }
    }

    pub fn whole(&self, bounds: RangeInclusive<u64>) -> Result<u64, Problem> {
        let (low, high) = (bounds.start(), bounds.end());
        let range = if *high == u64::MAX { format!("from {low}") } else { format!("from {low} to {high}") };
        match &self.kind {
            ValueKind::Whole(number) => u64::try_from(*number)
                .ok()
                .filter(|number| bounds.contains(number))
                .ok_or_else(|| self.problem("the number is out of range", format!("write a whole number {range}"))),
            _ => Err(self.wrong_kind("a whole number", &format!("write one {range}, without quotes"))),
        }
    }

    /// Reads a time as microseconds.
    pub fn duration(&self, bounds: RangeInclusive<u64>) -> Result<u64, Problem> {
        self.quantity("a time", "s", units::duration, units::show_duration, bounds)
    }

    /// Reads a time control as other programs write it.
    pub fn time_words(&self) -> Result<TimeWords, Problem> {
        let text = self.text()?.value;
        let what = format!("\"{text}\" is not a time control");
        TimeWords::read(&text).map_err(|help| self.problem(what, help))
    }

    /// Reads a size as bytes.
    pub fn size(&self, bounds: RangeInclusive<u64>) -> Result<u64, Problem> {
        self.quantity("a size", "MiB", units::size, units::show_size, bounds)
    }

    fn quantity(
        &self,
        what: &str,
        unit: &str,
        parse: fn(&str) -> Result<u64, String>,
        show: fn(u64) -> String,
        bounds: RangeInclusive<u64>,
    ) -> Result<u64, Problem> {
        let text = match &self.kind {
            ValueKind::Text(text) => text,
            ValueKind::Whole(number) => {
                return Err(self.problem(format!("{what} needs a unit"), format!("write \"{number}{unit}\"")));
            }
            ValueKind::Decimal(number) => {
                return Err(self.problem(format!("{what} needs a unit"), format!("write \"{number}{unit}\"")));
            }
            _ => return Err(self.wrong_kind(what, &format!("write \"1{unit}\""))),
        };
        let value = parse(text).map_err(|why| self.problem(format!("\"{text}\" is not {what}"), why))?;
        if bounds.contains(&value) {
            return Ok(value);
        }
        let range = format!("write {what} from {} to {}", show(*bounds.start()), show(*bounds.end()));
        Err(self.problem(format!("\"{text}\" is out of range"), range))
    }

    /// Reads points as thousandths.
    pub fn decimal(&self) -> Result<i64, Problem> {
        const MOST_POINTS: i64 = 1_000_000;
        let help = "write -1000 to 1000, at most three places: 0.5";
        self.thousandths(-MOST_POINTS..=MOST_POINTS, "a number of points", help)
    }

    /// Reads a value that a client logs when it thinks that it wins, in thousandths.
    pub fn logged(&self) -> Result<i64, Problem> {
        let help = "write 0.001 to 1000000, at most three places: 5, or 9000 for what is proved";
        self.thousandths(1..=1_000_000_000, "a value that says who wins", help)
    }

    fn thousandths(&self, bounds: RangeInclusive<i64>, what: &str, help: &str) -> Result<i64, Problem> {
        let number = match &self.kind {
            ValueKind::Whole(number) => number.to_string(),
            ValueKind::Decimal(text) => text.clone(),
            _ => return Err(self.wrong_kind("a number", "write it without quotes, such as 0.5")),
        };
        let value = units::thousandths(&number).filter(|value| bounds.contains(value));
        value.ok_or_else(|| self.problem(format!("{number} cannot be {what}"), help))
    }

    pub fn truth(&self) -> Result<bool, Problem> {
        match &self.kind {
            ValueKind::Bool(yes) => Ok(*yes),
            _ => Err(self.wrong_kind("true or false", "write it without quotes")),
        }
    }

    pub fn choice<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T, Problem> {
        let text = self.text()?.value;
        choices.iter().find(|(name, _)| *name == text).map(|(_, choice)| *choice).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
            self.problem(format!("unknown value \"{text}\""), did_you_mean(&text, names))
        })
    }

    pub fn list(&self) -> Result<&[Value], Problem> {
        match &self.kind {
            ValueKind::List(items) => Ok(items),
            _ => Err(self.wrong_kind("a list", "write it in square brackets")),
        }
    }

    pub fn texts(&self) -> Result<Vec<At<String>>, Problem> {
        match &self.kind {
            ValueKind::Text(text) => Err(self.problem("a list is expected here", format!("write [\"{text}\"]"))),
            _ => self.list()?.iter().map(Value::text).collect(),
        }
    }

    pub fn table(&self) -> Result<&[(At<String>, Value)], Problem> {
        match &self.kind {
            ValueKind::Table(entries) => Ok(entries),
            _ => Err(self.wrong_kind("a table", "write it as [name] and its keys below, or as { key = value }")),
        }
    }

    /// A text, number or truth value as text, for options whose meaning only the game or the client knows.
    pub fn plain(&self) -> Result<At<String>, Problem> {
        match &self.kind {
            ValueKind::Text(_) => self.text(),
            ValueKind::Whole(number) => Ok(self.at(number.to_string())),
            ValueKind::Decimal(number) => Ok(self.at(number.clone())),
            ValueKind::Bool(yes) => Ok(self.at(yes.to_string())),
            _ => Err(self.wrong_kind("a text, a number or a truth value", "an option has no parts of its own")),
        }
    }
}
