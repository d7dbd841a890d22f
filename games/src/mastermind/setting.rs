//! The options of Mastermind, worked out: the size of codes, the number of tries, the maker of the secret, and its
//! source.

use super::adaptive::MOST_CODES;
use super::codes::{Code, Codes, MAX_PEGS, MAX_VALUES};
use super::combination::{BadWord, Combination, words};
use crate::{BadOption, Opening, OptionFact, Options, rng_from};

/// The maker, which hides the secret and answers guesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Maker {
    /// The server does both; all seats are breakers.
    Server,
    /// Seat 0 hides the secret, and the server answers.
    Client,
    /// Seat 0 answers, and need not have a secret.
    Adaptive,
}

impl Maker {
    /// All makers, by their names in options.
    const ALL: [(&str, Maker); 3] =
        [("server", Maker::Server), ("client", Maker::Client), ("adaptive", Maker::Adaptive)];

    pub(super) fn name(self) -> &'static str {
        Maker::ALL.iter().find(|(_, maker)| *maker == self).map_or("", |(name, _)| name)
    }
}

/// The source of the server's secret.
#[derive(Clone, Debug)]
enum Secrets {
    /// The opening's seed draws it.
    Drawn,
    /// All codes come in turn, by the opening's number.
    All,
    /// These codes come in turn, by the opening's number; at least one.
    Listed(Vec<Code>),
}

/// The options worked out; see [`OPTIONS`].
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(super) codes: Codes,
    pub(super) tries: u8,
    pub(super) maker: Maker,
    secrets: Secrets,
}

/// The options of the game.
pub(super) const OPTIONS: &[OptionFact] = &[
    OptionFact { key: "pegs", default: "4", help: "values in a code, 1 to 12", example: "pegs=2", ..OptionFact::BASE },
    OptionFact {
        key: "values",
        default: "6",
        help: "a value is 0 to values - 1: 2 to 20",
        example: "values=2",
        ..OptionFact::BASE
    },
    OptionFact { key: "tries", default: "10", help: "most guesses, 1 to 100", example: "tries=3", ..OptionFact::BASE },
    OptionFact {
        key: "maker",
        default: "server",
        help: "server hides the secret, and 1 to 10 seats guess; client: of two seats the first hides it; \
               adaptive: of two seats the first answers each guess as it likes, as long as some code agrees with all answers",
        example: "pegs=2 values=3 maker=client",
        ..OptionFact::BASE
    },
    OptionFact {
        key: "secret",
        default: "drawn",
        help: "what the server hides: drawn at random; all = in opening n the n-th code, round and round; \
               or codes such as 1 5 0 0, one a line, or a file of them, taken in order",
        example: "pegs=2 values=2 secret=all",
        may_be_file: true,
        ..OptionFact::BASE
    },
];

impl Prepared {
    pub(super) fn from_options(options: &Options, seats: usize) -> Result<Prepared, BadOption> {
        let pegs = options.number("pegs", 1..=MAX_PEGS as i64)?;
        let values = options.number("values", 2..=MAX_VALUES as i64)?;
        let codes = Codes::new(pegs as u8, values as u8);
        let tries = options.number("tries", 1..=100)? as u8;
        let maker = options.choice("maker", &Maker::ALL)?;
        if maker != Maker::Server && seats != 2 {
            let why = format!("a maker that plays and a breaker are 2 seats, not {seats}; write seats = 2");
            return Err(BadOption::new("maker", why));
        }
        if maker == Maker::Adaptive && codes.count() > MOST_CODES {
            let why = format!(
                "adaptive looks for a code that agrees with every answer, among at most {MOST_CODES}; \
                 {pegs} pegs of {values} values have {}",
                codes.count()
            );
            return Err(BadOption::new("maker", why));
        }
        let secrets = match options.get("secret").unwrap_or_default() {
            "drawn" => Secrets::Drawn,
            _ if maker != Maker::Server => {
                return Err(BadOption::new("secret", "the secret is the maker's; leave it \"drawn\""));
            }
            "all" => Secrets::All,
            text => Secrets::Listed(read_secrets(codes, text)?),
        };
        Ok(Prepared { codes, tries, maker, secrets })
    }

    /// The server's secret in an opening.
    pub(super) fn secret(&self, opening: &Opening) -> Code {
        match &self.secrets {
            Secrets::Drawn => self.codes.draw(&mut rng_from(&opening.seed)),
            Secrets::All => self.codes.at(opening.number % self.codes.count()),
            Secrets::Listed(codes) => codes[(opening.number % codes.len() as u64) as usize],
        }
    }
}

/// Codes, one a line; empty lines do not count.
fn read_secrets(codes: Codes, text: &str) -> Result<Vec<Code>, BadOption> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let secrets = lines.map(|(index, line)| {
        read_secret(codes, line)
            .map_err(|(column, why)| BadOption { place: Some((index + 1, column)), ..BadOption::new("secret", why) })
    });
    match secrets.collect::<Result<Vec<_>, _>>()?.as_slice() {
        [] => {
            Err(BadOption::new("secret", "there is no code; give codes such as 1 5 0 0, one a line, or drawn, or all"))
        }
        secrets => Ok(secrets.to_vec()),
    }
}

/// A line's code, or the column of an error and its text.
fn read_secret(codes: Codes, line: &str) -> Result<Code, (usize, String)> {
    let most = codes.values() - 1;
    let no_value = |word: &str| {
        let shown: String = word.chars().take(20).collect();
        format!(
            "\"{shown}\" is not a value from 0 to {most}; a secret is drawn, all, or codes such as 1 5 0 0, one a line"
        )
    };
    let combination: Combination =
        line.parse().map_err(|BadWord { column, word }: BadWord| (column, no_value(&word)))?;
    let wrong = words(line).zip(combination.values()).find(|(_, value)| usize::from(**value) > most);
    if let Some(((column, word), _)) = wrong {
        return Err((column, no_value(word)));
    }
    if combination.size() != codes.pegs() {
        let (size, pegs) = (combination.size(), codes.pegs());
        return Err((1, format!("the secret has {size} values; {pegs} are asked")));
    }
    let mut code = Code::default();
    code[..codes.pegs()].copy_from_slice(combination.values());
    Ok(code)
}
