//! A formula that gives a grade: small arithmetic over where a client stands. Its text is a stranger's: it is short,
//! and neither nested deeply nor evaluated beyond what a number can be.

use super::lexer::{Lexer, Token};
use agon_model::did_you_mean;
use agon_model::formula::{Expr, Formula, Function};
use std::ops::Range;

/// The longest text of a formula, in bytes.
const LONGEST_FORMULA: usize = 1_000;
/// So deep parentheses may stand within each other.
const DEEPEST: usize = 50;
const NAMES: [&str; 3] = ["points", "share", "rank"];
const FUNCTIONS: [&str; 6] = ["min", "max", "round", "floor", "ceil", "against"];

/// A mistake in a text, and its place in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Flaw {
    pub at: Range<usize>,
    pub what: String,
    pub help: String,
}

/// Reads a formula.
///
/// # Errors
/// The text is not a formula; the error says what is wrong with it, and where.
pub(super) fn parse(text: &str) -> Result<Formula, Flaw> {
    if text.len() > LONGEST_FORMULA {
        let what = format!("the formula has {} bytes", text.len());
        return Err(Flaw { at: 0..text.len(), what, help: format!("write at most {LONGEST_FORMULA}") });
    }
    let mut parser = Parser { lexer: Lexer::new(text)?, references: Vec::new(), depth: 0 };
    let root = parser.sum()?;
    match parser.lexer.token() {
        Token::End => Ok(Formula::new(root, parser.references)),
        _ => Err(parser.unexpected("+, -, * or / goes on with a formula")),
    }
}

/// Sums of products of atoms, one method each.
struct Parser<'a> {
    lexer: Lexer<'a>,
    references: Vec<(String, Range<usize>)>,
    depth: usize,
}

impl Parser<'_> {
    fn sum(&mut self) -> Result<Expr, Flaw> {
        self.chain(&['+', '-'], Parser::product)
    }

    fn product(&mut self) -> Result<Expr, Flaw> {
        self.chain(&['*', '/'], Parser::signed)
    }

    /// Reads operands joined by these operators, from left to right.
    fn chain(&mut self, operators: &[char], part: fn(&mut Self) -> Result<Expr, Flaw>) -> Result<Expr, Flaw> {
        let mut left = part(self)?;
        while let Token::Sign(sign) = *self.lexer.token()
            && operators.contains(&sign)
        {
            self.lexer.advance()?;
            left = Expr::Binary(sign, Box::new(left), Box::new(part(self)?));
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<Expr, Flaw> {
        if *self.lexer.token() != Token::Sign('-') {
            return self.atom();
        }
        self.within(|parser| {
            parser.lexer.advance()?;
            Ok(Expr::Negative(Box::new(parser.signed()?)))
        })
    }

    fn atom(&mut self) -> Result<Expr, Flaw> {
        match self.lexer.token().clone() {
            Token::Number(number) => self.lexer.advance().map(|()| Expr::Number(number)),
            Token::Name(name) => self.named(&name),
            Token::Sign('(') => self.within(|parser| {
                parser.lexer.advance()?;
                let inner = parser.sum()?;
                parser.expect(')').map(|()| inner)
            }),
            _ => Err(self.unexpected("a number, points, share, rank or a function is expected")),
        }
    }

    fn named(&mut self, name: &str) -> Result<Expr, Flaw> {
        let at = self.lexer.place();
        self.lexer.advance()?;
        let function = match name {
            "points" => return Ok(Expr::Points),
            "share" => return Ok(Expr::Share),
            "rank" => return Ok(Expr::Rank),
            "against" => return self.against(),
            "min" => Function::Min,
            "max" => Function::Max,
            "round" => Function::Round,
            "floor" => Function::Floor,
            "ceil" => Function::Ceil,
            _ => {
                let known: Vec<&str> = NAMES.into_iter().chain(FUNCTIONS).collect();
                let help = did_you_mean(name, known);
                return Err(Flaw { at, what: format!("a formula knows no \"{name}\""), help });
            }
        };
        let of = self.within(Parser::arguments)?;
        let takes_many = matches!(function, Function::Min | Function::Max);
        if of.len() > 1 && !takes_many {
            return Err(Flaw {
                at,
                what: format!("{name} takes one number"),
                help: format!("write {name}(10 * points)"),
            });
        }
        Ok(Expr::Call(function, of))
    }

    fn arguments(&mut self) -> Result<Vec<Expr>, Flaw> {
        self.expect('(')?;
        let mut of = vec![self.sum()?];
        while *self.lexer.token() == Token::Sign(',') {
            self.lexer.advance()?;
            of.push(self.sum()?);
        }
        self.expect(')').map(|()| of)
    }

    fn against(&mut self) -> Result<Expr, Flaw> {
        self.expect('(')?;
        let Token::Text(client) = self.lexer.token().clone() else {
            return Err(self.unexpected("against takes the name of a client, in quotes: against(\"random\")"));
        };
        let at = self.lexer.place();
        self.lexer.advance()?;
        self.expect(')')?;
        let index = self.references.iter().position(|(known, _)| *known == client).unwrap_or_else(|| {
            self.references.push((client, at));
            self.references.len() - 1
        });
        Ok(Expr::Against(index))
    }

    /// Reads something one level deeper.
    fn within<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Flaw>) -> Result<T, Flaw> {
        if self.depth == DEEPEST {
            let what = format!("more than {DEEPEST} parentheses within each other");
            return Err(Flaw { at: self.lexer.place(), what, help: "write a simpler formula".to_owned() });
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn expect(&mut self, sign: char) -> Result<(), Flaw> {
        match *self.lexer.token() {
            Token::Sign(found) if found == sign => self.lexer.advance(),
            _ => Err(self.unexpected(&format!("{sign} is expected"))),
        }
    }

    fn unexpected(&self, help: &str) -> Flaw {
        let what = match self.lexer.token() {
            Token::End => "the formula ends too early".to_owned(),
            _ => format!("{} cannot stand here", self.lexer.shown()),
        };
        Flaw { at: self.lexer.place(), what, help: help.to_owned() }
    }
}

#[cfg(test)]
mod tests;
