//! Asks a person at a terminal for the choices that the command line leaves open: the game's own questions, how many
//! play, how many of them are machines, who starts. Enter takes the answer in brackets.

use super::PlayArgs;
use super::sentences::PlayWords;
use agon_games::{AnyGame, Options};
use std::io::Write;
use std::sync::mpsc::Receiver;

/// The input ended: the person has left.
pub struct InputEnded;

/// agon's own player, as somebody chose it.
pub struct Chosen {
    pub level: usize,
    pub machines: usize,
}

/// Asks for the words that the command line lacks, and returns agon's own player if it was chosen.
pub fn ask(
    args: &mut PlayArgs,
    game: &dyn AnyGame,
    words: PlayWords,
    lines: &Receiver<String>,
) -> Result<Option<Chosen>, InputEnded> {
    let inquiry = Inquiry { words, lines };
    inquiry.ask_options(args, game)?;
    let ((fewest, most), levels) = (game.facts().seats, game.facts().levels.len());
    let mut chosen = None;
    let is_open = args.against.is_empty() && args.seat.is_none();
    if fewest < most && args.seats.is_none() && is_open {
        args.seats =
            Some(inquiry.number(&words.how_many_players(fewest, most), fewest, most, fewest.max(2).min(most))?);
    }
    let seats = args.seats.unwrap_or(fewest);
    if is_open && seats > 1 {
        let machines = inquiry.number(&words.how_many_machines(seats), 0, seats - 1, seats - 1)?;
        if machines > 0 {
            let client = inquiry.text(&words.which_client(levels), if levels > 0 { "1" } else { "" })?;
            match client.parse() {
                Ok(level) if (1..=levels).contains(&level) => chosen = Some(Chosen { level, machines }),
                _ => args.against = vec![client; machines],
            }
        }
    }
    if args.seat.is_none() && (chosen.is_some() || !args.against.is_empty()) {
        let seats = args.seats.unwrap_or(fewest.max(args.against.len() + 1)).max(seats);
        args.seat = Some(inquiry.number(&words.which_seat(seats), 1, seats, 1)?);
    }
    Ok(chosen)
}

struct Inquiry<'a> {
    words: PlayWords,
    lines: &'a Receiver<String>,
}

impl Inquiry<'_> {
    fn ask_options(&self, args: &mut PlayArgs, game: &dyn AnyGame) -> Result<(), InputEnded> {
        let facts = game.facts();
        for option in facts.options {
            let Some(question) = option.asked.filter(|_| !args.start.has(option.key)) else { continue };
            loop {
                let answer = self.line(&format!("{} [{}]", question.in_language(self.words.0), option.default))?;
                let value = if answer.is_empty() { option.default } else { &answer };
                let mut options = Options::default();
                options.set(option.key, value);
                match game.prepare(&options, args.seats.unwrap_or(facts.seats.0)) {
                    Err(bad) if bad.key == option.key => tell(&self.words.not_an_answer(&answer, &bad.why)),
                    _ => {
                        args.start.options.push(format!("{}={value}", option.key));
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// A whole number from `fewest` to `most`.
    fn number(&self, question: &str, fewest: usize, most: usize, default: usize) -> Result<usize, InputEnded> {
        loop {
            let answer = self.line(&format!("{question} [{default}]"))?;
            if answer.is_empty() {
                return Ok(default);
            }
            match answer.parse() {
                Ok(number) if (fewest..=most).contains(&number) => return Ok(number),
                _ => tell(&self.words.not_a_number(&answer, fewest, most)),
            }
        }
    }

    /// Asks for a text that is not empty; without a default until there is one.
    fn text(&self, question: &str, default: &str) -> Result<String, InputEnded> {
        let question = if default.is_empty() { question.to_owned() } else { format!("{question} [{default}]") };
        loop {
            let answer = self.line(&question)?;
            match if answer.is_empty() { default } else { &answer } {
                "" => (),
                text => return Ok(text.to_owned()),
            }
        }
    }

    fn line(&self, question: &str) -> Result<String, InputEnded> {
        let mut out = std::io::stdout();
        loop {
            // Where the output is closed nobody can answer, and the input ends soon.
            let _ = write!(out, "{question}: ").and_then(|()| out.flush());
            match self.lines.recv() {
                Ok(line) if ["q", "quit", "exit"].contains(&line.trim()) => return Err(InputEnded),
                Ok(line) if line.trim() == "?" => tell(self.words.how_to_answer()),
                Ok(line) => return Ok(line.trim().to_owned()),
                Err(_) => return Err(InputEnded),
            }
        }
    }
}

fn tell(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}
