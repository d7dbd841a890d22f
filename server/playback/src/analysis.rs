//! One position looked at: the board, how many moves there are, what a client would play and has logged, who comes
//! first where.

use super::picture;
use agon_games::{AnyState, Explained, Facts, Language, MoveBytes, Panel, Scene, Seat};
use agon_model::visible::{escape, json_document};
use agon_model::{Answer, Charset, Fault, Ink, Output, Phase, Stream, TextLine};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Moves are counted up to this many.
const MOST_MOVES: u64 = 1_000_000;

/// An analysis of a position.
pub struct Analysis<'a> {
    /// The game's.
    pub facts: &'a Facts,
    /// The position.
    pub state: &'a dyn AnyState,
    /// A client's answer, by its label; `None` if none was asked.
    pub said: Option<AnalysedAnswer<'a>>,
    /// For people who read it.
    pub language: Language,
}

/// The answer of a client in the analysed position.
pub struct AnalysedAnswer<'a> {
    /// Its label.
    pub client: &'a str,
    /// A legal move, or what went wrong.
    pub answer: &'a Result<Answer, Fault>,
    /// Everything it said.
    pub outputs: &'a [Output],
}

/// For programs. Seats count from 0.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    game: &'a str,
    /// The seat to move; `null` if the match is over.
    seat: Option<Seat>,
    legal: u64,
    /// Whether there are just so many; else more.
    legal_is_exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_us: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'a Fault>,
    /// The meaning of the logged values, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    in_words: Vec<String>,
    /// By key, the newest of each.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    logged: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    territory: Option<Vec<String>>,
}

impl Analysis<'_> {
    /// The seat to move, the first of several.
    fn seat(&self) -> Option<Seat> {
        self.state.to_move().iter().next()
    }

    /// How many legal moves there are, counted to [`MOST_MOVES`].
    fn count(&self) -> u64 {
        let mut count = 0;
        if let Some(seat) = self.seat() {
            self.state.legal(seat, &mut |_| {
                count += 1;
                if count < MOST_MOVES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
        count
    }

    /// The values that the client logged with its move, each key once, in the order of their first appearance; lines of
    /// play in notation.
    fn logged(&self) -> Vec<(String, String)> {
        let outputs = self.said.iter().flat_map(|said| said.outputs);
        let outputs = outputs.filter(|output| output.stream == Stream::Log && output.phase == Phase::Play);
        let mut found: Vec<(String, String)> = Vec::new();
        for (key, value) in outputs.flat_map(|output| output.text.lines()).filter_map(|line| line.split_once('\t')) {
            let value = if key == "line" { self.in_notation(value) } else { value.to_owned() };
            match found.iter_mut().find(|(known, _)| known == key) {
                Some((_, old)) => *old = value,
                None => found.push((key.to_owned(), value)),
            }
        }
        found
    }

    /// The client's opinion, in the reader's language.
    fn in_words(&self) -> Vec<String> {
        let answer = self.said.as_ref().and_then(|said| said.answer.as_ref().ok());
        let (Some(answer), Some(explain)) = (answer, self.facts.in_words) else { return Vec::new() };
        let (choice, logged) = (self.state.write(&answer.mv), self.logged());
        let find = |key: &str| logged.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
        explain(&Explained { choice: &choice, logged: &find, language: self.language })
    }

    /// A line of play as this game writes moves, up to the first word that is no legal move; the rest as it stands.
    fn in_notation(&self, line: &str) -> String {
        let mut state = self.state.clone_box();
        let mut is_read = true;
        let word = |word: &str| {
            let seat = state.to_move().iter().next().filter(|_| is_read && state.to_move().count() == 1);
            let mv = seat.and_then(|seat| Some((seat, state.read(word).filter(|mv| state.check(seat, mv).is_ok())?)));
            let Some((seat, mv)) = mv else {
                is_read = false;
                return word.to_owned();
            };
            let text = state.write(&mv);
            state.play(&[(seat, mv)]);
            text
        };
        line.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
    }

    /// The seat to move, and the number of moves.
    fn to_move(&self) -> String {
        let (count, language) = (self.count(), self.language);
        let Some(seat) = self.seat() else {
            return language.pick("the match is over", "la partie est finie").to_owned();
        };
        let more = if count == MOST_MOVES { language.pick("at least ", "au moins ") } else { "" };
        let (player, plural) = (seat + 1, if count == 1 { "" } else { "s" });
        language.pick(
            format!("player {player} to move, {more}{count} legal move{plural}"),
            format!("au joueur {player} de jouer, {more}{count} coup{plural} permis"),
        )
    }

    /// The move of a client, with its label.
    fn plays(&self, client: &str, mv: &MoveBytes) -> String {
        let mv = self.state.write(mv);
        self.language.pick(format!("{client} plays {mv}"), format!("{client} joue {mv}"))
    }

    /// For people, at most `width` columns of board.
    pub fn lines(&self, width: usize, charset: Charset) -> Vec<TextLine> {
        let plain = |text: String| TextLine::new(Ink::Plain, text);
        let viewer = self.seat().filter(|_| self.facts.hidden);
        let mut lines = picture(&self.state.scene(viewer, self.language), width, charset);
        lines.push(TextLine::default());
        lines.push(plain(self.to_move()));
        if let Some(said) = &self.said {
            lines.push(TextLine::default());
            let client = escape(said.client, 40);
            lines.push(match said.answer {
                Ok(answer) => TextLine::new(Ink::Title, self.plays(&client, &answer.mv)),
                Err(fault) => TextLine::new(
                    Ink::Alarm,
                    format!("{client}: {}: {}", fault.kind.name(), escape(&fault.message, 400)),
                ),
            });
            let logged = self.logged();
            let wide = logged.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0).min(20);
            let entry = |(key, value): &(String, String)| {
                plain(format!("  {:<wide$}  {}", escape(key, 20), escape(value, 4000)).trim_end().to_owned())
            };
            lines.extend(logged.iter().map(entry));
            lines.extend(self.in_words().iter().map(|text| plain(escape(text, 4000))));
        }
        if let Some(panel) = self.state.territory(self.language) {
            lines.push(TextLine::default());
            lines.extend(picture(&Scene { panels: vec![panel], ..Scene::default() }, width, charset));
        }
        lines
    }

    /// For programs.
    pub fn json(&self) -> String {
        let legal = self.count();
        let answer = self.said.as_ref().map(|said| said.answer);
        let moved = answer.and_then(|answer| answer.as_ref().ok());
        json_document(&Document {
            schema: "agon.analysis/1",
            game: self.facts.name,
            seat: self.seat(),
            legal,
            legal_is_exact: legal < MOST_MOVES,
            client: self.said.as_ref().map(|said| said.client),
            choice: moved.map(|answer| self.state.write(&answer.mv)),
            cpu_us: moved.map(|answer| answer.cpu_us),
            fault: answer.and_then(|answer| answer.as_ref().err()),
            in_words: self.in_words(),
            logged: self.logged().into_iter().collect(),
            territory: self.state.territory(Language::English).map(|Panel { lines, .. }| lines),
        })
    }
}
